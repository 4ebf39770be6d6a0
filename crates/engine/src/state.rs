//! Single states: values of diagram variables, and of program variables read off them.

use bdd::{Bdd, Var};
use encode::{Copy, Encoding};
use program::{Choice, ProcedureId, Sort, Value, VariableId, When};

/// Values of the current copies of everything in scope, in ascending order of diagram variables.
pub(crate) type State = Vec<(Var, bool)>;

/// One state of a non-empty set.
pub(crate) fn pick(encoding: &Encoding<'_>, procedure: ProcedureId, set: &Bdd) -> Option<State> {
    let mut state = set.pick_total(&encoding.current_vars(procedure))?;
    state.sort_unstable();
    Some(state)
}

/// The value of a variable in a state; none when it is not in scope or does not occur.
pub(crate) fn value(encoding: &Encoding<'_>, state: &State, variable: VariableId) -> Option<Value> {
    let bit = |var: Var| state.binary_search_by_key(&var, |(var, _)| *var).ok().map(|at| state[at].1);
    if *encoding.program().sort(variable) == Sort::Bool {
        return encoding.slots().vars(variable, Copy::Current).next().and_then(bit).map(Value::Bool);
    }
    let bits: Option<Vec<bool>> = encoding.slots().vars(variable, Copy::Current).map(bit).collect();
    let bits = bits.filter(|bits| !bits.is_empty())?;
    encoding.program().sort(variable).value_of_bits(encoding.program(), &bits)
}

/// The values of some variables in a state, as choices at a moment.
pub(crate) fn choices(
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
