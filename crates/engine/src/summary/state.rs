//! Single states: values of diagram variables, and of program variables read off them.

use bdd::{Bdd, Var};
use encode::{Copy, Encoding};
use program::{Choice, ProcedureId, Program, Sort, Value, VariableId, When};

/// Values of the current copies of everything in scope, in ascending order of diagram variables.
pub(super) type State = Vec<(Var, bool)>;

/// One state of a non-empty set.
pub(super) fn pick(encoding: &Encoding<'_>, procedure: ProcedureId, set: &Bdd) -> Option<State> {
    let mut state = set.pick_total(&encoding.current_vars(procedure))?;
    state.sort_unstable();
    Some(state)
}

/// The value of a variable in a state; none when it is not in scope or does not occur.
pub(super) fn value(encoding: &Encoding<'_>, state: &State, variable: VariableId) -> Option<Value> {
    let bit = |var: Var| state.binary_search_by_key(&var, |(var, _)| *var).ok().map(|at| state[at].1);
    let bits: Option<Vec<bool>> = encoding.slots().vars(variable, Copy::Current).map(bit).collect();
    let bits = bits.filter(|bits| !bits.is_empty())?;
    Some(decode(encoding.program(), encoding.program().sort(variable), &bits))
}

fn decode(program: &Program, sort: &Sort, bits: &[bool]) -> Value {
    let number = || bits.iter().rev().fold(0, |number, bit| number << 1 | u64::from(*bit));
    match sort {
        Sort::Bool => Value::Bool(bits[0]),
        Sort::Bits(_) => Value::Bits(number()),
        Sort::Enum(_) => Value::Enum(number() as u32),
        Sort::Array(element, n) => {
            let size = bits.len() / (*n).max(1) as usize;
            Value::Array(bits.chunks(size.max(1)).map(|bits| decode(program, element, bits)).collect())
        }
    }
}

/// The values of some variables in a state, as choices at a moment.
pub(super) fn choices(
    encoding: &Encoding<'_>,
    state: &State,
    variables: impl Iterator<Item = VariableId>,
    when: When,
) -> Vec<Choice> {
    let mut variables: Vec<VariableId> = variables.collect();
    variables.sort_unstable();
    variables.dedup();
    let choice = |variable| value(encoding, state, variable).map(|value| Choice { variable, when, value });
    variables.into_iter().filter_map(choice).collect()
}
