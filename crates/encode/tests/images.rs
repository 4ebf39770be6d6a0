//! Steps of random programs: their images and preimages against the meaning of relations, state by state.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use bdd::{Bdd, Config, Manager, Var};
use encode::{Copy, Encoding};
use program::interp::{Possible, Reader, possible_values};
use program::random::Shape;
use program::{EdgeKind, Expr, Program, Relation, Rhs, Update, Value, VariableId, When};

/// Values of the variables of a procedure.
type State = Vec<(VariableId, Value)>;

struct Both<'a>(&'a State, &'a State);

fn value(state: &State, variable: VariableId) -> &Value {
    &state.iter().find(|(id, _)| *id == variable).expect("all variables in scope are there").1
}

impl Reader for Both<'_> {
    fn read(&self, variable: VariableId, when: When) -> Possible {
        let state = if when == When::After { self.1 } else { self.0 };
        Possible::one(value(state, variable).clone())
    }
}

fn possible(program: &Program, expr: &Expr, states: &Both<'_>) -> Vec<Value> {
    let possible = possible_values(program, expr, states).expect("sorts are small");
    possible.list().expect("sorts are small").into_owned()
}

/// The values of a variable after its updates.
fn outcomes(program: &Program, relation: &Relation, variable: VariableId, before: &State) -> Vec<Value> {
    let states = Both(before, before);
    let mut outcomes = vec![value(before, variable).clone()];
    for update in relation.updates.iter().filter(|update| update.variable == variable) {
        outcomes = match &update.index {
            None => new_values(program, update, &states),
            Some(index) => {
                let indices = possible(program, index, &states);
                let with = |array: &Value| stored(program, array, &indices, update, &states);
                outcomes.iter().flat_map(with).collect()
            }
        };
    }
    outcomes
}

fn new_values(program: &Program, update: &Update, states: &Both<'_>) -> Vec<Value> {
    let sort = match (program.sort(update.variable), &update.index) {
        (program::Sort::Array(element, _), Some(_)) => element,
        (sort, _) => sort,
    };
    match &update.value {
        Rhs::Any => sort.values(program, 1 << 10).expect("sorts are small"),
        Rhs::Expr(expr) => possible(program, expr, states),
    }
}

/// The array with one element replaced, for all indices in range and all new values.
fn stored(program: &Program, array: &Value, indices: &[Value], update: &Update, states: &Both<'_>) -> Vec<Value> {
    let Value::Array(elements) = array else { panic!("only arrays have indices") };
    let mut all = Vec::new();
    for index in indices {
        let Value::Bits(index) = index else { panic!("indices are numbers") };
        for new in new_values(program, update, states) {
            let mut elements = elements.clone();
            if let Some(element) = elements.get_mut(*index as usize) {
                *element = new;
                all.push(Value::Array(elements));
            }
        }
    }
    all
}

fn leads_to(program: &Program, relation: &Relation, before: &State, after: &State) -> bool {
    possible(program, &relation.guard, &Both(before, before)).contains(&Value::Bool(true))
        && after.iter().all(|(variable, value)| outcomes(program, relation, *variable, before).contains(value))
        && possible(program, &relation.constraint, &Both(before, after)).contains(&Value::Bool(true))
}

/// All states over some variables.
fn states(program: &Program, variables: &[VariableId]) -> Vec<State> {
    let mut states: Vec<State> = vec![Vec::new()];
    for variable in variables {
        let values = program.sort(*variable).values(program, 1 << 10).expect("sorts are small");
        let with = |state: &State| {
            let with = |value: &Value| [state.as_slice(), &[(*variable, value.clone())]].concat();
            values.iter().map(with).collect::<Vec<State>>()
        };
        states = states.iter().flat_map(with).collect();
    }
    states
}

fn set_of(encoding: &Encoding<'_>, states: &[&State]) -> Bdd {
    let program = encoding.program();
    let mut set = encoding.manager().bdd_false();
    for state in states {
        let mut literals: Vec<(Var, bool)> = Vec::new();
        for (variable, value) in *state {
            let bits = program.sort(*variable).bits_of(program, value);
            literals.extend(encoding.slots().vars(*variable, Copy::Current).zip(bits));
        }
        literals.sort_unstable();
        set = set.or(&encoding.manager().conjunction(&literals).unwrap()).unwrap();
    }
    set
}

/// Most states of a procedure whose steps are followed pair by pair.
const MOST_STATES: usize = 200;

#[test]
fn images_are_what_relations_mean() {
    let mut n_steps = 0;
    for seed in 0..150 {
        let program = program::random::program(&Shape { seed, shared: 3, locals: 2, ..Shape::default() });
        let encoding = Encoding::new(&program, Manager::new(&Config::small()));
        for (id, edge) in program.edges.iter_ids() {
            let EdgeKind::Step(relation) = &edge.kind else { continue };
            let procedure = program.locations[edge.source].procedure;
            let variables: Vec<VariableId> =
                encoding.globals().iter().copied().chain(encoding.frame(procedure)).collect();
            let states = states(&program, &variables);
            if states.len() > MOST_STATES {
                continue;
            }
            n_steps += 1;
            let image = encoding.step(id, relation).unwrap();
            // Every third state, so that what leads into the others shows.
            let some: Vec<&State> = states.iter().step_by(3).collect();
            let after = |to: &&State| some.iter().any(|from| leads_to(&program, relation, from, to));
            let before = |from: &&State| some.iter().any(|to| leads_to(&program, relation, from, to));
            let set = set_of(&encoding, &some);
            let expected = set_of(&encoding, &states.iter().filter(after).collect::<Vec<_>>());
            assert!(image.apply(&set).unwrap() == expected, "seed {seed}, image of {relation:?}");
            let expected = set_of(&encoding, &states.iter().filter(before).collect::<Vec<_>>());
            let all = set_of(&encoding, &states.iter().collect::<Vec<_>>());
            let found = image.preimage(&set).unwrap().and(&all).unwrap();
            assert!(found == expected, "seed {seed}, preimage of {relation:?}");
        }
    }
    assert!(n_steps > 200, "{n_steps}");
}
