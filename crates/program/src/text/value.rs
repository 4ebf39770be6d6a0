//! Values as text, printed and read where their sort is known.

use arith::Int;

use super::print::push;
use super::token::{push_name, unquote};
use crate::{Program, Sort, Value};

/// A value of a sort as text: `true`, `5u4`, `-5`, `colour.red`, `[true, false]`.
#[must_use]
pub fn print_value(program: &Program, value: &Value, sort: &Sort) -> String {
    let mut text = String::new();
    push_value(&mut text, program, value, sort);
    text
}

/// The value of a sort that a text stands for, exactly as it is printed.
#[must_use]
pub fn parse_value(program: &Program, sort: &Sort, text: &str) -> Option<Value> {
    let mut rest = text;
    let value = read_value(program, sort, &mut rest)?;
    rest.is_empty().then_some(value)
}

pub(super) fn push_value(text: &mut String, program: &Program, value: &Value, sort: &Sort) {
    match (value, sort) {
        (Value::Bool(value), _) => push(text, format_args!("{value}")),
        (Value::Bits(bits), Sort::Bits(width)) => push(text, format_args!("{bits}u{width}")),
        (Value::Int(value), _) => push(text, format_args!("{value}")),
        (Value::Enum(position), Sort::Enum(id)) => {
            let enumeration = program.enums.get(*id);
            let named = enumeration.and_then(|names| Some((&names.name, names.values.get(*position as usize)?)));
            if let Some((enumeration, value)) = named {
                push_name(text, enumeration);
                text.push('.');
                push_name(text, value);
            }
        }
        (Value::Array(elements), Sort::Array(sort, _)) => {
            text.push('[');
            for (at, element) in elements.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                push_value(text, program, element, sort);
            }
            text.push(']');
        }
        // Only ill-sorted programs come here; they need not be read back.
        (value, _) => push(text, format_args!("{value:?}")),
    }
}

fn read_value(program: &Program, sort: &Sort, rest: &mut &str) -> Option<Value> {
    let value = match sort {
        Sort::Bool => Value::Bool(eat(rest, "true") || (eat(rest, "false").then_some(false)?)),
        Sort::Bits(width) => {
            let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let bits = rest[..n_digits].parse().ok()?;
            *rest = &rest[n_digits..];
            eat(rest, &format!("u{width}")).then_some(Value::Bits(bits))?
        }
        Sort::Int => {
            let sign = usize::from(rest.starts_with('-'));
            let n_digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
            let digits = &rest[..sign + n_digits];
            let value: Int = digits.parse().ok()?;
            // Numbers have one form: no leading zeros, no sign before zero.
            (value.to_string() == digits).then_some(())?;
            *rest = &rest[digits.len()..];
            Value::Int(value)
        }
        Sort::Enum(id) => {
            let names = program.enums.get(*id)?;
            (read_name(rest)? == names.name && eat(rest, ".")).then_some(())?;
            let name = read_name(rest)?;
            Value::Enum(names.values.iter().position(|value| *value == name)? as u32)
        }
        Sort::Array(element, n) => {
            eat(rest, "[").then_some(())?;
            let mut elements = Vec::new();
            for at in 0..*n {
                (at == 0 || eat(rest, ", ")).then_some(())?;
                elements.push(read_value(program, element, rest)?);
            }
            eat(rest, "]").then_some(Value::Array(elements))?
        }
    };
    sort.contains(program, &value).then_some(value)
}

fn eat(rest: &mut &str, word: &str) -> bool {
    let after = rest.strip_prefix(word);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

fn read_name(rest: &mut &str) -> Option<String> {
    let end = if rest.starts_with('"') {
        let mut escaped = false;
        let ends = |(at, char): (usize, char)| {
            let ends = at > 0 && char == '"' && !escaped;
            escaped = char == '\\' && !escaped;
            ends.then_some(at + 1)
        };
        rest.char_indices().find_map(ends)?
    } else {
        rest.find(|char: char| !(char.is_ascii_alphanumeric() || "_$".contains(char))).unwrap_or(rest.len())
    };
    let (word, after) = rest.split_at(end);
    *rest = after;
    if word.starts_with('"') { unquote(word).ok() } else { Some(word.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProgramBuilder;

    #[test]
    fn values_are_read_as_they_are_printed_and_not_otherwise() {
        let mut b = ProgramBuilder::new();
        let colour = Sort::Enum(b.enumeration("co\"lour", ["red", "light blue", "\\", "]"].map(String::from).to_vec()));
        let program = b.finish();
        let row = Sort::Array(Box::new(colour.clone()), 2);
        for sort in [Sort::Bool, Sort::Bits(3), colour, row.clone(), Sort::Array(Box::new(row), 2)] {
            for value in sort.first_values(&program, 300) {
                let text = print_value(&program, &value, &sort);
                assert_eq!(parse_value(&program, &sort, &text), Some(value), "{text}");
                for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
                    assert_eq!(parse_value(&program, &sort, &text[..end]), None, "{text}");
                }
            }
        }
        for text in ["8u3", "1u4", "1", "u3", "99999999999999999999u3", "true ", ""] {
            assert_eq!(parse_value(&program, &Sort::Bits(3), text), None);
            assert_eq!(parse_value(&program, &Sort::Bool, text), None);
        }
    }
}
