//! The definition of certificates, executed: every state is listed.
//!
//! Shares nothing with the checker but the program model. Used on programs with a handful of states.

use std::collections::{BTreeMap, BTreeSet};

use program::interp::{Possible, Reader, possible_values};
use program::{
    Call, EdgeKind, Expr, LocationId, ProcedureId, Program, Relation, Rhs, Scope, Sort, Update, Value, VariableId, When,
};

use crate::{Certificate, Copy, Set};

/// Values of the variables that a procedure sees.
pub(super) type State = BTreeMap<VariableId, Value>;
/// Pairs of entry state and current state.
pub(super) type Pairs = BTreeSet<(State, State)>;
type Cells = BTreeMap<(VariableId, When), Value>;

struct Known<'a>(&'a Cells);

impl Reader for Known<'_> {
    fn read(&self, variable: VariableId, when: When) -> Possible {
        Possible::one(self.0[&(variable, when)].clone())
    }
}

fn values(program: &Program, expr: &Expr, cells: &Cells) -> Vec<Value> {
    possible_values(program, expr, &Known(cells)).unwrap().list().unwrap().into_owned()
}

fn can_be_true(program: &Program, expr: &Expr, cells: &Cells) -> bool {
    values(program, expr, cells).contains(&Value::Bool(true))
}

pub(super) fn all_values(program: &Program, sort: &Sort) -> Vec<Value> {
    sort.values(program, 1 << 10).unwrap()
}

pub(super) fn visible(program: &Program, procedure: ProcedureId) -> Vec<VariableId> {
    let sees = |scope: Scope| matches!(scope, Scope::Shared | Scope::Private) || scope == Scope::Local(procedure);
    program.variables.iter_ids().filter(|(_, variable)| sees(variable.scope)).map(|(id, _)| id).collect()
}

/// All states of a procedure.
pub(super) fn states(program: &Program, procedure: ProcedureId) -> Vec<State> {
    let mut states = vec![State::new()];
    for variable in visible(program, procedure) {
        let with = |state: &State, value: Value| {
            state.iter().map(|(v, w)| (*v, w.clone())).chain([(variable, value)]).collect()
        };
        let values = all_values(program, program.sort(variable));
        states = states
            .iter()
            .flat_map(|state| values.iter().map(|value| with(state, value.clone())).collect::<Vec<_>>())
            .collect();
    }
    states
}

/// The values that a variable with updates may get.
fn updated(program: &Program, updates: &[&Update], before: &Cells, kept: Option<&Value>) -> BTreeSet<Value> {
    let sort = program.sort(updates[0].variable);
    if updates[0].index.is_none() {
        return match &updates[0].value {
            Rhs::Any => all_values(program, sort).into_iter().collect(),
            Rhs::Expr(expr) => values(program, expr, before).into_iter().collect(),
        };
    }
    let Sort::Array(element, _) = sort else { panic!("not an array") };
    let mut arrays: BTreeSet<Value> =
        kept.map_or_else(|| all_values(program, sort), |kept| vec![kept.clone()]).into_iter().collect();
    for update in updates {
        let elements = match &update.value {
            Rhs::Any => all_values(program, element),
            Rhs::Expr(expr) => values(program, expr, before),
        };
        let indices = values(program, update.index.as_ref().unwrap(), before);
        let mut next = BTreeSet::new();
        for (array, index) in arrays.iter().flat_map(|array| indices.iter().map(move |index| (array, index))) {
            let (Value::Array(old), Value::Bits(index)) = (array, index) else { panic!("not an array") };
            if *index < old.len() as u64 {
                for element in &elements {
                    let mut new = old.clone();
                    new[*index as usize] = element.clone();
                    next.insert(Value::Array(new));
                }
            }
        }
        arrays = next;
    }
    arrays
}

/// All outcomes of a relation: values at `After` and `Saved` for the given cells.
fn outcomes(
    program: &Program,
    relation: &Relation,
    before: &Cells,
    cells: &[(VariableId, When)],
    kept: impl Fn(VariableId, When) -> Option<Value>,
) -> Vec<Cells> {
    if !can_be_true(program, &relation.guard, before) {
        return Vec::new();
    }
    let mut found = vec![before.clone()];
    for (variable, when) in cells {
        let updates: Vec<&Update> =
            relation.updates.iter().filter(|update| update.variable == *variable && update.when == *when).collect();
        let kept = kept(*variable, *when);
        let candidates = match (&kept, updates.is_empty()) {
            (_, false) => updated(program, &updates, before, kept.as_ref()),
            (Some(kept), true) => BTreeSet::from([kept.clone()]),
            (None, true) => all_values(program, program.sort(*variable)).into_iter().collect(),
        };
        let with = |cells: &Cells, value: &Value| {
            let mut cells = cells.clone();
            cells.insert((*variable, *when), value.clone());
            cells
        };
        found = found
            .iter()
            .flat_map(|cells| candidates.iter().map(|value| with(cells, value)).collect::<Vec<_>>())
            .collect();
    }
    found.retain(|cells| can_be_true(program, &relation.constraint, cells));
    found
}

fn at(state: &State, when: When) -> Cells {
    state.iter().map(|(variable, value)| ((*variable, when), value.clone())).collect()
}

fn state_at(cells: &Cells, when: When, variables: &[VariableId]) -> State {
    variables.iter().map(|variable| (*variable, cells[&(*variable, when)].clone())).collect()
}

fn is_local(program: &Program, variable: VariableId) -> bool {
    matches!(program.variables[variable].scope, Scope::Local(_))
}

fn step(program: &Program, own: ProcedureId, relation: &Relation, state: &State) -> Vec<State> {
    let variables = visible(program, own);
    let cells: Vec<_> = variables.iter().map(|variable| (*variable, When::After)).collect();
    let found =
        outcomes(program, relation, &at(state, When::Before), &cells, |variable, _| state.get(&variable).cloned());
    found.iter().map(|cells| state_at(cells, When::After, &variables)).collect()
}

/// First states of the callee with the caller's saved frame (and the shared values before, which nobody reads).
fn enter(program: &Program, own: ProcedureId, call: &Call, state: &State) -> Vec<(State, State)> {
    let (caller, callee) = (visible(program, own), visible(program, call.callee));
    let frame: Vec<VariableId> = caller.iter().copied().filter(|variable| is_local(program, *variable)).collect();
    let cells: Vec<_> = callee
        .iter()
        .map(|variable| (*variable, When::After))
        .chain(frame.iter().map(|variable| (*variable, When::Saved)))
        .collect();
    let kept = |variable, when| match when {
        When::After if is_local(program, variable) => None,
        _ => state.get(&variable).cloned(),
    };
    let found = outcomes(program, &call.enter, &at(state, When::Before), &cells, kept);
    found.iter().map(|cells| (state_at(cells, When::After, &callee), state_at(cells, When::Saved, &frame))).collect()
}

fn leave(program: &Program, own: ProcedureId, call: &Call, saved: &State, exit: &State) -> Vec<State> {
    let variables = visible(program, own);
    let shared = exit.iter().filter(|(variable, _)| !is_local(program, **variable));
    let state: State = shared.chain(saved).map(|(variable, value)| (*variable, value.clone())).collect();
    let mut before = at(&state, When::Before);
    for result in &program.procedures[call.callee].results {
        before.insert((*result, When::Result), exit[result].clone());
    }
    let cells: Vec<_> = variables.iter().map(|variable| (*variable, When::After)).collect();
    let found = outcomes(program, &call.leave, &before, &cells, |variable, _| state.get(&variable).cloned());
    found.iter().map(|cells| state_at(cells, When::After, &variables)).collect()
}

fn initial(program: &Program, start: ProcedureId) -> Vec<State> {
    let mut states = states(program, start);
    states.retain(|state| can_be_true(program, &program.start, &at(state, When::Before)));
    states
}

/// The smallest sets that satisfy conditions 1 to 4.
pub(super) fn least(program: &Program) -> BTreeMap<LocationId, Pairs> {
    let start = program.sequential_start().unwrap();
    let mut sets: BTreeMap<LocationId, Pairs> = program.locations.ids().map(|id| (id, Pairs::new())).collect();
    let entry = program.procedures[start].entries[0];
    let first = initial(program, start).into_iter().map(|state| (state.clone(), state));
    sets.get_mut(&entry).unwrap().extend(first);
    loop {
        let mut new: Vec<(LocationId, (State, State))> = Vec::new();
        consequences(program, &sets, |location, pair| {
            if !sets[&location].contains(&pair) {
                new.push((location, pair));
            }
        });
        if new.is_empty() {
            return sets;
        }
        for (location, pair) in new {
            sets.get_mut(&location).unwrap().insert(pair);
        }
    }
}

/// Tells everything that conditions 2 to 4 demand.
fn consequences(
    program: &Program,
    sets: &BTreeMap<LocationId, Pairs>,
    mut demand: impl FnMut(LocationId, (State, State)),
) {
    for edge in &program.edges {
        let own = program.locations[edge.source].procedure;
        for (entry, state) in &sets[&edge.source] {
            match &edge.kind {
                EdgeKind::Step(relation) => {
                    for next in step(program, own, relation, state) {
                        demand(edge.target, (entry.clone(), next));
                    }
                }
                EdgeKind::Call(call) => {
                    for (first, saved) in enter(program, own, call, state) {
                        demand(call.entry, (first.clone(), first.clone()));
                        let exits = program.procedures[call.callee].exits.iter().flat_map(|exit| &sets[exit]);
                        for (_, exit) in exits.filter(|(entered, _)| *entered == first) {
                            for next in leave(program, own, call, &saved, exit) {
                                demand(edge.target, (entry.clone(), next));
                            }
                        }
                    }
                }
                EdgeKind::Spawn(_) => panic!("not sequential"),
            }
        }
    }
}

/// The pairs that a certificate's set at a location stands for.
pub(super) fn meaning(program: &Program, certificate: &Certificate, location: LocationId, all: &[State]) -> Pairs {
    let procedure = program.locations[location].procedure;
    let Some((_, set)) = certificate.sets.iter().find(|(other, _)| *other == location) else { return Pairs::new() };
    let frame = certificate.frame(procedure).cloned().unwrap_or_default();
    let bit = |state: &State, column: &crate::Column| {
        program.sort(column.variable).bits_of(program, &state[&column.variable])[column.bit as usize]
    };
    let mut pairs = Pairs::new();
    for (entry, current) in all.iter().flat_map(|entry| all.iter().map(move |current| (entry, current))) {
        let (Set::Facts(facts) | Set::Diagram { facts, .. }) = set;
        let mut member = facts.iter().all(|(variable, value)| current[variable] == *value);
        if let Set::Diagram { root, .. } = set {
            member &= frame.unchanged.iter().all(|variable| entry[variable] == current[variable]);
            let mut node = certificate.dag.roots[*root as usize];
            while node >= 2 {
                let (variable, low, high) = certificate.dag.nodes[node as usize - 2];
                let (_, column) = frame.columns.iter().find(|(number, _)| *number == variable.0).unwrap();
                let state = if column.copy == Copy::Entry { entry } else { current };
                node = if bit(state, column) { high } else { low };
            }
            member &= node == 1;
        }
        if member {
            pairs.insert((entry.clone(), current.clone()));
        }
    }
    pairs
}

/// Does the certificate satisfy the five conditions, by definition?
pub(super) fn holds(program: &Program, certificate: &Certificate) -> bool {
    let start = program.sequential_start().unwrap();
    let all: Vec<Vec<State>> = program.procedures.ids().map(|id| states(program, id)).collect();
    let all_of = |location: LocationId| &all[program.locations[location].procedure.0 as usize];
    let sets: BTreeMap<LocationId, Pairs> =
        program.locations.ids().map(|id| (id, meaning(program, certificate, id, all_of(id)))).collect();
    let entry = program.procedures[start].entries[0];
    let mut holds = initial(program, start).into_iter().all(|state| sets[&entry].contains(&(state.clone(), state)));
    holds &= certificate.targets.iter().all(|target| sets[target].is_empty());
    consequences(program, &sets, |location, pair| holds &= sets[&location].contains(&pair));
    holds
}
