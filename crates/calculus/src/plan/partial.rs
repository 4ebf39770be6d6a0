//! A clause under construction: what is known of its variables, its atoms and tests, and the choices that are still
//! to be taken apart.

use rustc_hash::FxHashMap;

use super::choice::Choice;
use super::clause::{Arg, Atom, Clause, ClauseVariable, Comparison, Planned, Test};
use super::expand::Surroundings;
use crate::system::{SortId, VariableId};

/// What a variable is known to be.
#[derive(Clone, Copy)]
pub(super) enum Known {
    Same(VariableId),
    Value(u64),
}

/// A term as far as it is known. A value that no sort has stands for a term without value.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    Value(u64),
    Variable(VariableId, i64),
}

#[derive(Clone, Copy)]
pub(super) struct Compared {
    pub(super) comparison: Comparison,
    pub(super) sort: SortId,
    pub(super) left: Operand,
    pub(super) right: Operand,
    pub(super) negated: bool,
}

#[derive(Clone, Default)]
pub(super) struct Partial<'f> {
    pub(super) known: FxHashMap<VariableId, Known>,
    pub(super) atoms: Vec<(Planned, Vec<Operand>, bool)>,
    pub(super) tests: Vec<Compared>,
    pub(super) choices: Vec<Choice<'f>>,
}

impl Partial<'_> {
    /// Tests of values are decided; `x + 1 = y` gives one side when the other is known. False: a contradiction.
    pub(super) fn settle(&mut self, around: &dyn Surroundings) -> bool {
        loop {
            let mut changed = false;
            for mut test in std::mem::take(&mut self.tests) {
                test.left = self.resolve(test.left);
                test.right = self.resolve(test.right);
                match decide(around, &test) {
                    Decision::False => return false,
                    Decision::True => changed = true,
                    Decision::Value(variable, value) => {
                        changed = true;
                        self.known.insert(variable, Known::Value(value));
                    }
                    Decision::Open => self.tests.push(test),
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// An operand with what is known put in.
    pub(super) fn resolve(&self, operand: Operand) -> Operand {
        let Operand::Variable(mut variable, offset) = operand else { return operand };
        loop {
            match self.known.get(&variable) {
                Some(Known::Same(other)) => variable = *other,
                Some(Known::Value(value)) => {
                    return Operand::Value(value.checked_add_signed(offset).unwrap_or(u64::MAX));
                }
                None => return Operand::Variable(variable, offset),
            }
        }
    }

    /// The clause, when nothing is left to be taken apart.
    pub(super) fn clause(&self, around: &dyn Surroundings, head: &[VariableId]) -> Clause {
        let mut numbering = Numbering { around, numbers: FxHashMap::default(), variables: Vec::new() };
        let column = |column: &VariableId| Operand::Variable(*column, 0);
        let head = head.iter().map(|id| numbering.arg(self, column(id)).0).collect();
        let mut atoms: Vec<Atom> = Vec::new();
        for (relation, args, negated) in &self.atoms {
            let args = args.iter().map(|arg| numbering.arg(self, *arg).0).collect();
            let atom = Atom { relation: *relation, args, negated: *negated };
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        let mut tests: Vec<Test> = Vec::new();
        for test in &self.tests {
            let (left, right) = (numbering.arg(self, test.left), numbering.arg(self, test.right));
            let test = Test { comparison: test.comparison, left, right, sort: test.sort, negated: test.negated };
            if !tests.contains(&test) {
                tests.push(test);
            }
        }
        Clause { variables: numbering.variables, head, atoms, tests }
    }
}

enum Decision {
    True,
    False,
    Value(VariableId, u64),
    Open,
}

fn decide(around: &dyn Surroundings, test: &Compared) -> Decision {
    let size = around.size(test.sort).unwrap_or(u64::MAX);
    let decided = |holds: bool| if holds == test.negated { Decision::False } else { Decision::True };
    match (test.left, test.right) {
        (Operand::Value(value), _) | (_, Operand::Value(value)) if value >= size => decided(false),
        (Operand::Value(a), Operand::Value(b)) if test.comparison == Comparison::Equal => decided(a == b),
        (Operand::Value(a), Operand::Value(b)) => decided(a < b),
        (Operand::Variable(variable, offset), Operand::Value(value))
        | (Operand::Value(value), Operand::Variable(variable, offset))
            if test.comparison == Comparison::Equal && !test.negated =>
        {
            let solution = value.checked_add_signed(-offset).filter(|found| *found < size);
            solution.map_or(Decision::False, |found| Decision::Value(variable, found))
        }
        _ => Decision::Open,
    }
}

/// Gives numbers to the variables of a clause.
struct Numbering<'a> {
    around: &'a dyn Surroundings,
    numbers: FxHashMap<VariableId, usize>,
    variables: Vec<ClauseVariable>,
}

impl Numbering<'_> {
    fn arg(&mut self, partial: &Partial<'_>, operand: Operand) -> (Arg, i64) {
        match partial.resolve(operand) {
            Operand::Value(value) => (Arg::Value(value), 0),
            Operand::Variable(variable, offset) => (Arg::Variable(self.number(variable)), offset),
        }
    }

    fn number(&mut self, variable: VariableId) -> usize {
        let next = self.variables.len();
        let number = *self.numbers.entry(variable).or_insert(next);
        if number == next {
            self.variables.push(ClauseVariable { origin: variable, sort: self.around.sort(variable) });
        }
        number
    }
}
