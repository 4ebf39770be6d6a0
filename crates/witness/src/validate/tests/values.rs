//! The symbolic values of an expression are, in every state, those that the interpreter lists.

use std::collections::BTreeMap;

use bdd::{Config, Manager, Var};
use program::interp::{Possible, Reader, possible_values};
use program::random::{self, Shape};
use program::{EdgeKind, Expr, ProcedureId, Program, Value, VariableId, When};

use super::oracle::{self, State};
use crate::validate::Trouble;
use crate::validate::layout::Bits;
use crate::validate::symbolic::{Evaluator, Scene};

/// Bits of the variables, whatever the moment.
struct Fixed(BTreeMap<VariableId, Bits>);

impl Scene for Fixed {
    fn bits(&self, variable: VariableId, _: When) -> Result<Bits, Trouble> {
        Ok(self.0[&variable].clone())
    }
}

struct At<'a>(&'a State);

impl Reader for At<'_> {
    fn read(&self, variable: VariableId, _: When) -> Possible {
        Possible::one(self.0[&variable].clone())
    }
}

fn fixed(program: &Program, procedure: ProcedureId, manager: &Manager) -> Fixed {
    let bits = |variable: VariableId| {
        let n_bits = program.sort(variable).n_bits(program) as usize;
        (variable, manager.add_vars(n_bits).into())
    };
    Fixed(oracle::visible(program, procedure).into_iter().map(bits).collect())
}

fn check(program: &Program, expr: &Expr, scene: &Fixed, manager: &Manager, states: &[State]) {
    let (values, _) = Evaluator { program, manager, scene }.eval(expr).unwrap();
    let listed = values.list();
    let defined = values.defined(manager).unwrap();
    for state in states {
        let mut assignment: BTreeMap<Var, bool> = BTreeMap::new();
        for (variable, bits) in &scene.0 {
            let values = program.sort(*variable).bits_of(program, &state[variable]);
            assignment.extend(bits.iter().copied().zip(values));
        }
        let holds = |condition: &bdd::Bdd| condition.eval(&|var| assignment[&var]);
        let got: Vec<Value> = listed.iter().filter(|(_, when)| holds(when)).map(|(value, _)| value.clone()).collect();
        let expected = possible_values(program, expr, &At(state)).unwrap();
        assert_eq!(got, *expected.list().unwrap(), "{expr:?} at {state:?}");
        assert_eq!(holds(&defined), !expected.is_empty(), "{expr:?} at {state:?}");
    }
}

#[test]
fn symbolic_values_are_the_possible_values_of_every_state() {
    for seed in 0..200 {
        let shape = Shape { seed, shared: 2, locals: 2, booleans: seed % 3 == 0, ..Shape::default() };
        let program = random::program(&shape);
        for procedure in program.procedures.ids() {
            let states = oracle::states(&program, procedure);
            if states.len() > 64 {
                continue;
            }
            let manager = Manager::new(&Config::small());
            let scene = fixed(&program, procedure, &manager);
            let own = program.edges.iter().filter(|edge| program.locations[edge.source].procedure == procedure);
            for edge in own {
                if let EdgeKind::Step(relation) = &edge.kind {
                    relation.exprs().for_each(|expr| check(&program, expr, &scene, &manager, &states));
                }
            }
        }
    }
}
