//! Formulae to clauses.
//!
//! A clause under construction is a conjunction with a list of what is still to be taken apart. Disjunctions are
//! left to the end: by then equalities with constants have decided many of them. Contradictions end a clause at once.

use rustc_hash::FxHashMap;

use super::clause::{Arg, Atom, Clause, ClauseVariable, Comparison, Planned, Test};
use crate::system::{Formula, SortId, Term, VariableId};

/// What the expansion asks of the plan around it.
pub(crate) trait Surroundings {
    /// The sort of a variable.
    fn sort(&self, variable: VariableId) -> SortId;
    /// How many values a sort has; none: too many to count.
    fn size(&self, sort: SortId) -> Option<u64>;
    /// A variable like another one.
    fn fresh(&mut self, like: VariableId) -> VariableId;
    /// The view that stands for a formula, and its columns.
    fn view(&mut self, formula: &Formula) -> (Planned, Vec<VariableId>);
    /// How many clauses a body may have before its choices become views.
    fn max_clauses(&self) -> usize;
    /// Whether a formula is worth a view of its own when it stands beside others of its kind.
    fn is_recursive(&self, formula: &Formula) -> bool;
}

/// What a variable is known to be.
#[derive(Clone, Copy)]
enum Known {
    Same(VariableId),
    Value(u64),
}

/// A term as far as it is known. A value that no sort has stands for a term without value.
#[derive(Clone, Copy)]
enum Operand {
    Value(u64),
    Variable(VariableId, i64),
}

#[derive(Clone, Copy)]
struct Compared {
    comparison: Comparison,
    sort: SortId,
    left: Operand,
    right: Operand,
    negated: bool,
}

#[derive(Clone, Default)]
struct Partial<'f> {
    known: FxHashMap<VariableId, Known>,
    atoms: Vec<(Planned, Vec<Operand>, bool)>,
    tests: Vec<Compared>,
    choices: Vec<(Vec<&'f Formula>, bool)>,
}

/// The clauses of a formula with the given head.
pub(crate) fn expand(around: &mut dyn Surroundings, head: &[VariableId], formula: &Formula) -> Vec<Clause> {
    let mut expansion = Expansion { around, head, clauses: Vec::new() };
    let mut partial = Partial::default();
    if expansion.add(&mut partial, formula, true) {
        let allowed = expansion.around.max_clauses();
        expansion.branch(partial, allowed);
    }
    expansion.clauses
}

struct Expansion<'a> {
    around: &'a mut dyn Surroundings,
    head: &'a [VariableId],
    clauses: Vec<Clause>,
}

impl Expansion<'_> {
    /// Adds a conjunct; false: a contradiction.
    fn add<'f>(&mut self, partial: &mut Partial<'f>, formula: &'f Formula, positive: bool) -> bool {
        match formula {
            Formula::Const(value) => *value == positive,
            Formula::Not(inner) => self.add(partial, inner, !positive),
            Formula::And(parts) if positive => self.conjunction(partial, parts),
            Formula::Or(parts) if !positive => parts.iter().all(|part| self.add(partial, part, false)),
            Formula::And(parts) | Formula::Or(parts) => {
                partial.choices.push((parts.iter().collect(), positive));
                true
            }
            Formula::Exists(bound, body) if positive => self.has_values(bound) && self.add(partial, body, true),
            Formula::Forall(bound, body) if !positive => self.has_values(bound) && self.add(partial, body, false),
            Formula::Apply(relation, args) => self.apply(partial, relation.0 as usize, args, positive, formula),
            Formula::Equal(a, b) if positive => self.equate(partial, *a, *b),
            Formula::Equal(a, b) => self.compare(partial, Comparison::Equal, *a, *b, true),
            Formula::Less(a, b) => self.compare(partial, Comparison::Less, *a, *b, !positive),
            Formula::Exists(..) => self.add_view(partial, formula, false),
            Formula::Forall(bound, body) => {
                let negated = Formula::Exists(bound.clone(), Box::new(Formula::Not(body.clone())));
                self.add_view(partial, &negated, false)
            }
            Formula::Cofactor(..) => self.add_view(partial, formula, positive),
            Formula::Iff(..) => unreachable!("inlining has written equivalences as disjunctions"),
        }
    }

    /// A quantifier needs no trace of its variables, except that there must be values for them.
    fn has_values(&self, bound: &[VariableId]) -> bool {
        bound.iter().all(|variable| self.around.size(self.around.sort(*variable)) != Some(0))
    }

    /// Existential groups that each speak of the equations being solved stay groups: their author keeps them apart.
    fn conjunction<'f>(&mut self, partial: &mut Partial<'f>, parts: &'f [Formula]) -> bool {
        let is_group = |part: &Formula| matches!(part, Formula::Exists(..)) && self.around.is_recursive(part);
        let n_groups = parts.iter().filter(|part| is_group(part)).count();
        for part in parts {
            let group = n_groups > 1 && matches!(part, Formula::Exists(..)) && self.around.is_recursive(part);
            let added = if group { self.add_view(partial, part, true) } else { self.add(partial, part, true) };
            if !added {
                return false;
            }
        }
        true
    }

    fn add_view(&mut self, partial: &mut Partial<'_>, formula: &Formula, positive: bool) -> bool {
        let (view, columns) = self.around.view(formula);
        partial.atoms.push((view, columns.into_iter().map(|column| Operand::Variable(column, 0)).collect(), !positive));
        true
    }

    fn apply(
        &mut self,
        partial: &mut Partial<'_>,
        relation: Planned,
        args: &[Term],
        positive: bool,
        whole: &Formula,
    ) -> bool {
        let has_offset = args.iter().any(|arg| matches!(arg, Term::Offset(..)));
        if has_offset && !positive {
            return self.add_view(partial, whole, false);
        }
        let mut plain = Vec::with_capacity(args.len());
        for arg in args {
            let (_, operand) = self.operand(*arg);
            if let Term::Offset(variable, _) = *arg {
                let sort = self.around.sort(variable);
                let fresh = Operand::Variable(self.around.fresh(variable), 0);
                let comparison = Comparison::Equal;
                partial.tests.push(Compared { comparison, sort, left: fresh, right: operand, negated: false });
                plain.push(fresh);
            } else {
                plain.push(operand);
            }
        }
        let exists = args.iter().all(|arg| self.exists(*arg));
        if exists {
            partial.atoms.push((relation, plain, !positive));
        }
        exists || !positive
    }

    fn exists(&self, term: Term) -> bool {
        match term {
            Term::Value(sort, value) => self.around.size(sort).is_none_or(|size| value < size),
            Term::Variable(_) | Term::Offset(..) => true,
        }
    }

    fn operand(&self, term: Term) -> (SortId, Operand) {
        match term {
            Term::Value(sort, value) => (sort, Operand::Value(value)),
            Term::Variable(variable) => (self.around.sort(variable), Operand::Variable(variable, 0)),
            Term::Offset(variable, offset) => (self.around.sort(variable), Operand::Variable(variable, offset)),
        }
    }

    fn compare(&self, partial: &mut Partial<'_>, comparison: Comparison, a: Term, b: Term, negated: bool) -> bool {
        let ((sort, left), (_, right)) = (self.operand(a), self.operand(b));
        partial.tests.push(Compared { comparison, sort, left, right, negated });
        true
    }

    fn equate(&mut self, partial: &mut Partial<'_>, a: Term, b: Term) -> bool {
        if !self.exists(a) || !self.exists(b) {
            return false;
        }
        let ((sort, a), (_, b)) = (self.operand(a), self.operand(b));
        match (resolve(partial, a), resolve(partial, b)) {
            (Operand::Variable(a, 0), Operand::Variable(b, 0)) => {
                if a != b {
                    partial.known.insert(a, Known::Same(b));
                }
                true
            }
            (left, right) => {
                let comparison = Comparison::Equal;
                partial.tests.push(Compared { comparison, sort, left, right, negated: false });
                true
            }
        }
    }

    /// Settles what the tests decide, then branches on the first choice that is left.
    fn branch(&mut self, mut partial: Partial<'_>, allowed: usize) {
        if !self.settle(&mut partial) {
            return;
        }
        self.keep_few(&mut partial, allowed);
        // The choice with the fewest ways first: more is known when the wide ones come.
        let Some(at) = (0..partial.choices.len()).min_by_key(|at| partial.choices[*at].0.len()) else {
            self.finish(&partial);
            return;
        };
        let (parts, positive) = partial.choices.remove(at);
        let allowed = (allowed / parts.len().max(1)).max(self.around.max_clauses() / 8);
        for part in parts {
            let mut next = partial.clone();
            if self.add(&mut next, part, positive) {
                self.branch(next, allowed);
            }
        }
    }

    /// Choices multiply. While there would be too many clauses, the widest becomes a view; the last one is left.
    fn keep_few(&mut self, partial: &mut Partial<'_>, allowed: usize) {
        loop {
            let n_clauses = partial.choices.iter().fold(1usize, |n, (parts, _)| n.saturating_mul(parts.len()));
            if n_clauses <= allowed || partial.choices.len() < 2 {
                return;
            }
            let Some(widest) = (0..partial.choices.len()).max_by_key(|at| partial.choices[*at].0.len()) else { return };
            let (parts, positive) = partial.choices.remove(widest);
            let part = |part: &Formula| if positive { part.clone() } else { Formula::Not(Box::new(part.clone())) };
            let choice = Formula::Or(parts.into_iter().map(part).collect());
            self.add_view(partial, &choice, true);
        }
    }

    /// Tests of values are decided; `x + 1 = y` gives one side when the other is known. False: a contradiction.
    fn settle(&mut self, partial: &mut Partial<'_>) -> bool {
        loop {
            let mut changed = false;
            for mut test in std::mem::take(&mut partial.tests) {
                test.left = resolve(partial, test.left);
                test.right = resolve(partial, test.right);
                match self.decide(&test) {
                    Decision::False => return false,
                    Decision::True => changed = true,
                    Decision::Value(variable, value) => {
                        changed = true;
                        partial.known.insert(variable, Known::Value(value));
                    }
                    Decision::Open => partial.tests.push(test),
                }
            }
            if !changed {
                return true;
            }
        }
    }

    fn decide(&self, test: &Compared) -> Decision {
        let size = self.around.size(test.sort).unwrap_or(u64::MAX);
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

    fn finish(&mut self, partial: &Partial<'_>) {
        let mut numbering = Numbering { around: self.around, numbers: FxHashMap::default(), variables: Vec::new() };
        let column = |column: &VariableId| Operand::Variable(*column, 0);
        let head = self.head.iter().map(|id| numbering.arg(partial, column(id)).0).collect();
        let mut atoms: Vec<Atom> = Vec::new();
        for (relation, args, negated) in &partial.atoms {
            let args = args.iter().map(|arg| numbering.arg(partial, *arg).0).collect();
            let atom = Atom { relation: *relation, args, negated: *negated };
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        let mut test = |test: &Compared| Test {
            comparison: test.comparison,
            left: numbering.arg(partial, test.left),
            right: numbering.arg(partial, test.right),
            sort: test.sort,
            negated: test.negated,
        };
        let tests = partial.tests.iter().map(&mut test).collect();
        let clause = Clause { variables: numbering.variables, head, atoms, tests };
        if !self.clauses.contains(&clause) {
            self.clauses.push(clause);
        }
    }
}

enum Decision {
    True,
    False,
    Value(VariableId, u64),
    Open,
}

/// An operand with what is known put in.
fn resolve(partial: &Partial<'_>, operand: Operand) -> Operand {
    let Operand::Variable(mut variable, offset) = operand else { return operand };
    loop {
        match partial.known.get(&variable) {
            Some(Known::Same(other)) => variable = *other,
            Some(Known::Value(value)) => {
                return Operand::Value(value.checked_add_signed(offset).unwrap_or(u64::MAX));
            }
            None => return Operand::Variable(variable, offset),
        }
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
        match resolve(partial, operand) {
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
