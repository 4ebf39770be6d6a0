//! Values as JSON, and back.

use driver::Loaded;
use program::{Int, Program, Sort, Value, VariableId};
use question::Written;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A value: `true` or `false`, a number for a bit vector or an integer (its digits, where it fits into no machine word), a name for an enumeration, a list for an array.
///
/// What is told of a trace has the numbers of the source, which may be negative; what a trace is replayed from has those of
/// the program model, which are not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum JsonValue {
    /// A Boolean.
    Bool(bool),
    /// A bit vector as a number.
    Number(u64),
    /// A bit vector as a number below zero.
    Negative(i64),
    /// A value of an enumeration.
    Name(String),
    /// The elements of an array.
    List(Vec<JsonValue>),
}

impl JsonValue {
    /// The value of a variable in the program model.
    #[must_use]
    pub fn of(program: &Program, variable: VariableId, value: &Value) -> Self {
        Self::of_sort(program, program.sort(variable), value, &Written::default())
    }

    /// The value of a variable as the source writes it.
    #[must_use]
    pub fn written(loaded: &Loaded, variable: VariableId, value: &Value) -> Self {
        let written = loaded.writing.of(variable).unwrap_or_default();
        Self::of_sort(&loaded.program, loaded.program.sort(variable), value, &written)
    }

    pub(crate) fn of_sort(program: &Program, sort: &Sort, value: &Value, written: &Written) -> Self {
        match (sort, value) {
            (_, Value::Bool(value)) => Self::Bool(*value),
            (Sort::Enum(id), Value::Enum(position)) => {
                let names = program.enums.get(*id).map(|names| names.values.as_slice()).unwrap_or_default();
                let name = names.get(*position as usize).cloned();
                name.map_or(Self::Number(u64::from(*position)), Self::Name)
            }
            (_, Value::Enum(position)) => Self::Number(u64::from(*position)),
            (Sort::Bits(width), Value::Bits(bits)) => {
                let number = written.number(*bits, *width);
                i64::try_from(number).ok().filter(|number| *number < 0).map_or(Self::Number(*bits), Self::Negative)
            }
            (_, Value::Bits(bits)) => Self::Number(*bits),
            (_, Value::Int(value)) => Self::integer(value),
            (sort, Value::Array(values)) => {
                let element = if let Sort::Array(element, _) = sort { element } else { sort };
                Self::List(values.iter().map(|value| Self::of_sort(program, element, value, written)).collect())
            }
        }
    }

    /// An integer: as a number where readers of JSON can be trusted with it, else as its digits.
    fn integer(value: &Int) -> Self {
        match value.to_i64() {
            Some(word) => u64::try_from(word).map_or(Self::Negative(word), Self::Number),
            None => Self::Name(value.to_string()),
        }
    }

    /// The value of the given sort, if this is one.
    #[must_use]
    pub fn to_value(&self, program: &Program, sort: &Sort) -> Option<Value> {
        match (sort, self) {
            (Sort::Bool, Self::Bool(value)) => Some(Value::Bool(*value)),
            (Sort::Bits(width), Self::Number(number)) => {
                let fits = *width >= Sort::MAX_BITS || *number >> width == 0;
                fits.then_some(Value::Bits(*number))
            }
            (Sort::Int, Self::Number(number)) => Some(Value::Int(i128::from(*number).into())),
            (Sort::Int, Self::Negative(number)) => Some(Value::Int((*number).into())),
            (Sort::Int, Self::Name(digits)) => digits.parse().ok().map(Value::Int),
            (Sort::Enum(id), Self::Name(name)) => {
                let names = &program.enums.get(*id)?.values;
                let position = names.iter().position(|known| known == name)?;
                u32::try_from(position).ok().map(Value::Enum)
            }
            (Sort::Array(element, length), Self::List(values)) if values.len() == *length as usize => {
                let elements: Option<Vec<Value>> =
                    values.iter().map(|value| value.to_value(program, element)).collect();
                elements.map(Value::Array)
            }
            _ => None,
        }
    }

    /// As people write it: Booleans as 0 and 1.
    #[must_use]
    pub fn show(&self) -> String {
        match self {
            Self::Bool(value) => u8::from(*value).to_string(),
            Self::Number(number) => number.to_string(),
            Self::Negative(number) => number.to_string(),
            Self::Name(name) => name.clone(),
            Self::List(values) => {
                let shown: Vec<String> = values.iter().map(Self::show).collect();
                format!("[{}]", shown.join(","))
            }
        }
    }
}

/// A variable whose value is known and matters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Known {
    /// Name of the variable; `procedure::name` for locals.
    pub variable: String,
    /// Its value.
    pub value: JsonValue,
}

impl Known {
    /// The variables with their values.
    #[must_use]
    pub fn list(loaded: &Loaded, values: &[(VariableId, Value)]) -> Vec<Self> {
        let known = |(variable, value): &(VariableId, Value)| Self {
            variable: loaded.program.qualified_name(*variable),
            value: JsonValue::written(loaded, *variable, value),
        };
        values.iter().map(known).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::ProgramBuilder;

    #[test]
    fn values_survive_the_way_there_and_back() {
        let mut builder = ProgramBuilder::new();
        let colour = builder.enumeration("colour", vec!["red".into(), "green".into()]);
        let sorts = [
            (Sort::Bool, Value::Bool(true), "1"),
            (Sort::Bits(8), Value::Bits(255), "255"),
            (Sort::Bits(64), Value::Bits(u64::MAX), "18446744073709551615"),
            (Sort::Enum(colour), Value::Enum(1), "green"),
            (
                Sort::Array(Box::new(Sort::Enum(colour)), 2),
                Value::Array(vec![Value::Enum(0), Value::Enum(1)]),
                "[red,green]",
            ),
        ];
        for (sort, value, shown) in sorts {
            let variable = builder.shared(format!("{sort:?}"), sort.clone());
            let json = JsonValue::of(builder.program(), variable, &value);
            assert_eq!(json.show(), shown);
            let text = serde_json::to_string(&json).unwrap();
            let read: JsonValue = serde_json::from_str(&text).unwrap();
            assert_eq!(read.to_value(builder.program(), &sort), Some(value), "{text}");
        }
    }

    #[test]
    fn values_of_another_sort_are_refused() {
        let program = ProgramBuilder::new().finish();
        let array = Sort::Array(Box::new(Sort::Bool), 2);
        assert_eq!(JsonValue::Number(256).to_value(&program, &Sort::Bits(8)), None);
        assert_eq!(JsonValue::Number(1).to_value(&program, &Sort::Bool), None);
        assert_eq!(JsonValue::List(vec![JsonValue::Bool(true)]).to_value(&program, &array), None);
    }
}
