//! Formulae to clauses.
//!
//! A clause under construction is a conjunction with a list of what is still to be taken apart. Disjunctions are
//! left to the end: by then equalities with constants have decided many of them. Contradictions end a clause at once.
//!
//! Where that would give too many clauses all the same, which is tried out first, nothing is multiplied: what stands
//! beside something else and is not a conjunction becomes a view in diagrams, so that the formula is evaluated as it is
//! written.

use super::choice::{Choice, n_clauses};
use super::clause::{Clause, Comparison, Planned};
use super::partial::{Compared, Known, Operand, Partial};
use crate::system::{Formula, SortId, Term, VariableId};

/// What the expansion asks of the plan around it.
pub(crate) trait Surroundings {
    /// The sort of a variable.
    fn sort(&self, variable: VariableId) -> SortId;
    /// How many values a sort has; none: too many to count.
    fn size(&self, sort: SortId) -> Option<u64>;
    /// A variable like another one.
    fn fresh(&mut self, like: VariableId) -> VariableId;
    /// The view that stands for a formula, and its columns; `in_diagrams`: none of them is a key.
    fn view(&mut self, formula: &Formula, in_diagrams: bool) -> (Planned, Vec<VariableId>);
    /// How many clauses a body may have before its choices become views.
    fn max_clauses(&self) -> usize;
    /// How many clauses a body may have at all by being multiplied out.
    fn most_clauses(&self) -> usize;
    /// Whether a formula is worth a view of its own when it stands beside others of its kind.
    fn is_recursive(&self, formula: &Formula) -> bool;
}

/// The clauses of a formula with the given head.
pub(crate) fn expand(around: &mut dyn Surroundings, head: &[VariableId], formula: &Formula) -> Vec<Clause> {
    let most = around.most_clauses();
    let style = if n_clauses(formula) <= most || is_short(around, head, formula, most) {
        Style::Multiplied
    } else {
        Style::AsWritten
    };
    let mut expansion = Expansion { around, head, clauses: Vec::new(), style };
    expansion.whole(formula);
    expansion.clauses
}

/// Whether a formula has few clauses in the end, because most of them contradict themselves.
fn is_short(around: &mut dyn Surroundings, head: &[VariableId], formula: &Formula, most: usize) -> bool {
    let mut expansion = Expansion { around, head, clauses: Vec::new(), style: Style::Counted { n_left: most } };
    expansion.whole(formula);
    !matches!(expansion.style, Style::Counted { n_left: 0 })
}

/// What is done about choices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// They are multiplied out, and only counted: so many more are allowed. Nothing is made.
    Counted { n_left: usize },
    /// They are multiplied out.
    Multiplied,
    /// They become views, except for short ones that are the only one of a clause.
    AsWritten,
}

/// Most clauses that come from a choice inside of another one in a body that is taken as it is written.
const MAX_SHORT: usize = 64;

struct Expansion<'a> {
    around: &'a mut dyn Surroundings,
    head: &'a [VariableId],
    clauses: Vec<Clause>,
    style: Style,
}

impl Expansion<'_> {
    fn whole(&mut self, formula: &Formula) {
        let mut partial = Partial::default();
        if !self.add(&mut partial, formula, true) {
            return;
        }
        if self.style == Style::AsWritten && partial.choices.len() > 1 {
            self.keep_one(&mut partial);
        }
        let allowed = self.around.max_clauses();
        self.branch(partial, allowed);
    }

    /// Adds a conjunct; false: a contradiction.
    fn add<'f>(&mut self, partial: &mut Partial<'f>, formula: &'f Formula, positive: bool) -> bool {
        match formula {
            Formula::Const(value) => *value == positive,
            Formula::Not(inner) => self.add(partial, inner, !positive),
            Formula::And(parts) if positive => self.conjunction(partial, parts),
            Formula::Or(parts) if !positive => parts.iter().all(|part| self.add(partial, part, false)),
            Formula::And(parts) | Formula::Or(parts) => {
                partial.choices.push(Choice::of(formula, parts, positive));
                true
            }
            Formula::Iff(a, b) => {
                partial.choices.push(Choice::equivalence(formula, a, b, positive));
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
        self.add_kept(partial, formula, positive, false)
    }

    /// Adds a view; `in_diagrams`: without keys, so that it need not list values that it leaves open.
    fn add_kept(&mut self, partial: &mut Partial<'_>, formula: &Formula, positive: bool, in_diagrams: bool) -> bool {
        if matches!(self.style, Style::Counted { .. }) {
            return true;
        }
        let (view, columns) = self.around.view(formula, in_diagrams);
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
        match (partial.resolve(a), partial.resolve(b)) {
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
        if self.style == (Style::Counted { n_left: 0 }) {
            return;
        }
        if !partial.settle(self.around) {
            return self.count();
        }
        if self.style != Style::AsWritten {
            self.keep_few(&mut partial, allowed);
        }
        // The choice with the fewest ways first: more is known when the wide ones come.
        let Some(at) = (0..partial.choices.len()).min_by_key(|at| partial.choices[*at].ways.len()) else {
            self.count();
            return self.finish(&partial);
        };
        let Choice { ways, .. } = partial.choices.remove(at);
        let allowed = (allowed / ways.len().max(1)).max(self.around.max_clauses() / 8);
        for way in ways {
            let mut next = partial.clone();
            if way.iter().all(|(part, positive)| self.add(&mut next, part, *positive)) {
                if self.style == Style::AsWritten {
                    self.keep_one(&mut next);
                }
                self.branch(next, allowed);
            }
        }
    }

    fn count(&mut self) {
        if let Style::Counted { n_left } = &mut self.style {
            *n_left = n_left.saturating_sub(1);
        }
    }

    /// Choices multiply. While there would be too many clauses, the widest becomes a view; the last one is left.
    fn keep_few(&mut self, partial: &mut Partial<'_>, allowed: usize) {
        loop {
            let n_clauses = partial.choices.iter().fold(1usize, |n, choice| n.saturating_mul(choice.ways.len()));
            if n_clauses <= allowed || partial.choices.len() < 2 {
                return;
            }
            let Some(widest) = (0..partial.choices.len()).max_by_key(|at| partial.choices[*at].ways.len()) else {
                return;
            };
            let choice = partial.choices.remove(widest);
            self.add_view(partial, &choice.formula(), true);
        }
    }

    /// All choices become views, except for a short one: those that are left do not multiply.
    fn keep_one(&mut self, partial: &mut Partial<'_>) {
        let sizes: Vec<usize> = partial.choices.iter().map(Choice::n_clauses).collect();
        let shortest = (0..sizes.len()).filter(|at| sizes[*at] <= MAX_SHORT).min_by_key(|at| sizes[*at]);
        for (at, choice) in std::mem::take(&mut partial.choices).into_iter().enumerate() {
            if Some(at) == shortest {
                partial.choices.push(choice);
            } else {
                self.add_kept(partial, &choice.formula(), true, true);
            }
        }
    }

    fn finish(&mut self, partial: &Partial<'_>) {
        if matches!(self.style, Style::Counted { .. }) {
            return;
        }
        let clause = partial.clause(self.around, self.head);
        if !self.clauses.contains(&clause) {
            self.clauses.push(clause);
        }
    }
}
