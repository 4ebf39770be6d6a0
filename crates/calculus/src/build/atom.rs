//! Atoms over records, arrays and numbers of several ranges, as formulae over single values.

use super::place::{Chosen, Open, after, value_in};
use super::{Builder, Place, TooLarge};
use crate::system::{Formula, RelationId, SortId, Term, VariableId};

/// Most variables whose values are tried for one atom.
const MAX_CHOICES: usize = 16;

/// One side of a comparison, or an argument.
#[derive(Clone, Debug)]
pub enum Side {
    /// A variable or a part of one, plus a constant (which only single values may have).
    Place(Place, i64),
    /// A number of whatever range the context wants.
    Number(i64),
    /// The n-th value of a sort.
    Value(SortId, u64),
}

/// How two sides compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The sides are equal.
    Equal,
    /// The first is less than the second.
    Less,
}

/// A side under chosen values, or one single value of it.
#[derive(Clone, Copy)]
enum Part {
    Variable(VariableId, i64),
    Number(i64),
    Value(SortId, u64),
}

/// An atom under chosen values; `None` when it is too large.
type Atom<'a> = &'a dyn Fn(&Builder, &Chosen) -> Result<Option<Formula>, Open>;

impl Builder {
    /// Compares two sides of matching shapes.
    pub fn compare(&mut self, comparison: Comparison, a: &Side, b: &Side) -> Result<Formula, TooLarge> {
        self.expand(&|builder, chosen| {
            let (first, second) = (builder.part(a, chosen)?, builder.part(b, chosen)?);
            let width = width(a).max(width(b));
            let compared = (0..width).map(|at| builder.compare_parts(comparison, nth(first, at), nth(second, at)));
            Ok(compared.collect::<Option<Vec<_>>>().map(conjunction))
        })
    }

    /// Both sides exist and are not equal: a comparison with an element or a successor that there is not is false.
    pub fn differ(&mut self, a: &Side, b: &Side) -> Result<Formula, TooLarge> {
        let equal = self.compare(Comparison::Equal, a, b)?;
        Ok(conjunction(vec![self.existence(a)?, self.existence(b)?, negation(equal)]))
    }

    /// When a side exists.
    fn existence(&mut self, side: &Side) -> Result<Formula, TooLarge> {
        let Side::Place(place, offset) = side else { return Ok(Formula::Const(true)) };
        let may_end = |builder: &Self, sort| *offset != 0 && builder.bounds(sort).is_none();
        if place.always_exists(self) && !place.shape.single().is_some_and(|sort| may_end(self, sort)) {
            return Ok(Formula::Const(true));
        }
        self.expand(&|builder, chosen| {
            let variable = place.locate(builder, chosen)?;
            let sum = Term::Offset(variable, *offset);
            let ends = may_end(builder, builder.sort_of(variable));
            Ok(Some(if ends { Formula::Equal(sum, sum) } else { Formula::Const(true) }))
        })
    }

    /// Applies a relation to sides whose shapes match its columns.
    pub fn apply(&mut self, relation: RelationId, sides: &[Side]) -> Result<Formula, TooLarge> {
        let columns = self.system.relations[relation].columns.iter().map(|column| self.sort_of(*column));
        let columns: Vec<SortId> = columns.collect();
        self.expand(&|builder, chosen| {
            let mut terms = Vec::with_capacity(columns.len());
            for side in sides {
                let part = builder.part(side, chosen)?;
                for at in 0..width(side) {
                    terms.push(builder.argument(nth(part, at), columns[terms.len()], chosen)?);
                }
            }
            assert!(terms.len() == columns.len(), "the arguments match the columns");
            Ok(Some(Formula::Apply(relation, terms)))
        })
    }

    /// An atom for every choice of values that it depends on.
    fn expand(&mut self, atom: Atom<'_>) -> Result<Formula, TooLarge> {
        let mut cases = Vec::new();
        self.cases(atom, &mut Vec::new(), &mut cases)?;
        Ok(disjunction(cases))
    }

    fn cases(&mut self, atom: Atom<'_>, chosen: &mut Chosen, cases: &mut Vec<Formula>) -> Result<(), TooLarge> {
        match atom(self, chosen) {
            Err(Open::Nowhere) => Ok(()),
            Ok(formula) => {
                let formula = formula.ok_or(TooLarge)?;
                self.charge(size(&formula) - 1 + chosen.len())?;
                let known = chosen.iter().map(|(variable, at)| {
                    Formula::Equal(Term::Variable(*variable), Term::Value(self.sort_of(*variable), *at))
                });
                cases.push(conjunction(known.chain([formula]).collect()));
                Ok(())
            }
            Err(Open::Choose(variable, from, to)) => {
                if chosen.len() == MAX_CHOICES {
                    return Err(TooLarge);
                }
                for value in from..=to {
                    self.charge(1)?;
                    chosen.push((variable, value));
                    self.cases(atom, chosen, cases)?;
                    chosen.pop();
                }
                Ok(())
            }
        }
    }

    fn part(&self, side: &Side, chosen: &Chosen) -> Result<Part, Open> {
        Ok(match side {
            Side::Place(place, offset) => Part::Variable(place.locate(self, chosen)?, *offset),
            Side::Number(number) => Part::Number(*number),
            Side::Value(sort, value) => Part::Value(*sort, *value),
        })
    }

    /// An argument for a column; a number of another range is looked at value by value.
    fn argument(&self, part: Part, column: SortId, chosen: &Chosen) -> Result<Term, Open> {
        let (low, high) = self.bounds(column).unwrap_or((0, 0));
        match part {
            Part::Variable(variable, offset) if self.sort_of(variable) != column => {
                let number = value_in(self, chosen, variable, offset, (low, high - low + 1))?;
                Ok(Term::Value(column, number - low))
            }
            _ => self.term(part, column).ok_or(Open::Nowhere),
        }
    }

    /// A part as a term of a sort; `None` for a number that is not in it.
    fn term(&self, part: Part, sort: SortId) -> Option<Term> {
        Some(match part {
            Part::Variable(variable, 0) => Term::Variable(variable),
            Part::Variable(variable, offset) => Term::Offset(variable, offset),
            Part::Value(sort, value) => Term::Value(sort, value),
            Part::Number(number) => {
                let (low, high) = self.bounds(sort)?;
                let number = u64::try_from(number).ok().filter(|number| (low..=high).contains(number))?;
                Term::Value(sort, number - low)
            }
        })
    }

    fn sort_of_part(&self, part: Part) -> Option<SortId> {
        match part {
            Part::Variable(variable, _) => Some(self.sort_of(variable)),
            Part::Value(sort, _) => Some(sort),
            Part::Number(_) => None,
        }
    }

    /// Compares single values; `None` when the formula is too large.
    fn compare_parts(&self, comparison: Comparison, a: Part, b: Part) -> Option<Formula> {
        match (self.sort_of_part(a), self.sort_of_part(b)) {
            (None, None) => Some(compare_numbers(comparison, a, b)),
            (Some(sort), None) | (None, Some(sort)) => Some(self.compare_with_number(comparison, a, sort, b)),
            (Some(sort), Some(other)) if sort != other => self.compare_ranges(comparison, a, sort, b),
            (Some(sort), Some(_)) => match (self.bounds(sort), a, b) {
                (Some(_), Part::Variable(a, more), Part::Variable(b, less)) => {
                    Some(compare_sums(comparison, (a, more), (b, less)))
                }
                _ => Some(compare_terms(comparison, self.term(a, sort)?, self.term(b, sort)?)),
            },
        }
    }

    /// One of the two is a number, the other of the given sort.
    fn compare_with_number(&self, comparison: Comparison, a: Part, sort: SortId, b: Part) -> Formula {
        let (low, high) = self.bounds(sort).unwrap_or((0, 0));
        let (a, b) = without_sum(a, b);
        if let (Some(first), Some(second)) = (self.term(a, sort), self.term(b, sort)) {
            return compare_terms(comparison, first, second);
        }
        // The number lies outside of the range.
        Formula::Const(match (comparison, a, b) {
            (Comparison::Less, Part::Number(number), _) => number < low as i64,
            (Comparison::Less, _, Part::Number(number)) => number > high as i64,
            _ => false,
        })
    }

    /// Numbers of different ranges, value by value of the first.
    fn compare_ranges(&self, comparison: Comparison, a: Part, sort: SortId, b: Part) -> Option<Formula> {
        const MAX_VALUES: u64 = 4_096;
        let (low, high) = self.bounds(sort)?;
        if high - low >= MAX_VALUES {
            return None;
        }
        let other = self.sort_of_part(b)?;
        let cases = (low..=high).map(|number| {
            let is = self.compare_with_number(Comparison::Equal, base_of(a), sort, Part::Number(number as i64));
            let sum = Part::Number((number as i64).saturating_add(offset_of(a)));
            conjunction(vec![is, self.compare_with_number(comparison, sum, other, b)])
        });
        Some(disjunction(cases.collect()))
    }
}

/// A part without what is added to it.
fn base_of(part: Part) -> Part {
    if let Part::Variable(variable, _) = part { Part::Variable(variable, 0) } else { part }
}

/// What is added to a part.
fn offset_of(part: Part) -> i64 {
    if let Part::Variable(_, offset) = part { offset } else { 0 }
}

/// A comparison with a number, with what is added to the variable subtracted from the number instead: sums are numbers,
/// and those outside of the variable's range compare like all others.
fn without_sum(a: Part, b: Part) -> (Part, Part) {
    match (a, b) {
        (Part::Variable(variable, offset), Part::Number(number)) => {
            (Part::Variable(variable, 0), Part::Number(number.saturating_sub(offset)))
        }
        (Part::Number(number), Part::Variable(variable, offset)) => {
            (Part::Number(number.saturating_sub(offset)), Part::Variable(variable, 0))
        }
        other => other,
    }
}

/// Compares two sums of variables of the same range, as one sum and one variable. A term beyond the range makes its
/// comparison false, which is right for sums that are too large to be equal or less, but not for those too small:
/// `a - n < b` is the opposite of `b + (n - 1) < a`.
fn compare_sums(comparison: Comparison, (a, more): (VariableId, i64), (b, less): (VariableId, i64)) -> Formula {
    let sum = |variable, offset| if offset == 0 { Term::Variable(variable) } else { Term::Offset(variable, offset) };
    let offset = more.saturating_sub(less);
    match comparison {
        Comparison::Equal if more == 0 => Formula::Equal(Term::Variable(a), sum(b, less)),
        Comparison::Equal => Formula::Equal(sum(a, offset), Term::Variable(b)),
        Comparison::Less if offset >= 0 => Formula::Less(sum(a, offset), Term::Variable(b)),
        Comparison::Less => negation(Formula::Less(sum(b, -1 - offset), Term::Variable(a))),
    }
}

fn compare_numbers(comparison: Comparison, a: Part, b: Part) -> Formula {
    let number = |part| if let Part::Number(number) = part { number } else { 0 };
    Formula::Const(match comparison {
        Comparison::Equal => number(a) == number(b),
        Comparison::Less => number(a) < number(b),
    })
}

fn compare_terms(comparison: Comparison, a: Term, b: Term) -> Formula {
    match (comparison, a, b) {
        (Comparison::Equal, Term::Value(_, a), Term::Value(_, b)) => Formula::Const(a == b),
        (Comparison::Less, Term::Value(_, a), Term::Value(_, b)) => Formula::Const(a < b),
        (Comparison::Equal, ..) => Formula::Equal(a, b),
        (Comparison::Less, ..) => Formula::Less(a, b),
    }
}

fn width(side: &Side) -> usize {
    match side {
        Side::Place(place, _) => place.shape.width(),
        Side::Number(_) | Side::Value(..) => 1,
    }
}

/// The n-th single value of a part.
fn nth(part: Part, at: usize) -> Part {
    match part {
        Part::Variable(first, offset) => Part::Variable(after(first, at), offset),
        other => other,
    }
}

/// Number of atoms and arguments in a formula.
pub fn size(formula: &Formula) -> usize {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(size).sum::<usize>().max(1),
        Formula::Apply(_, terms) => terms.len().max(1),
        Formula::Not(inner) | Formula::Exists(_, inner) | Formula::Forall(_, inner) => size(inner),
        Formula::Iff(a, b) | Formula::Cofactor(a, b) => size(a) + size(b),
        Formula::Const(_) | Formula::Equal(..) | Formula::Less(..) => 1,
    }
}

/// The opposite.
pub fn negation(formula: Formula) -> Formula {
    match formula {
        Formula::Const(value) => Formula::Const(!value),
        Formula::Not(inner) => *inner,
        other => Formula::Not(Box::new(other)),
    }
}

/// All of them: without `true`, `false` if one is, and without a conjunction inside.
pub fn conjunction(parts: Vec<Formula>) -> Formula {
    join(parts, true)
}

/// One of them: without `false`, `true` if one is, and without a disjunction inside.
pub fn disjunction(parts: Vec<Formula>) -> Formula {
    join(parts, false)
}

fn join(parts: Vec<Formula>, conjunction: bool) -> Formula {
    let mut joined = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Formula::Const(value) if value == conjunction => {}
            Formula::Const(value) => return Formula::Const(value),
            Formula::And(inner) if conjunction => joined.extend(inner),
            Formula::Or(inner) if !conjunction => joined.extend(inner),
            other => joined.push(other),
        }
    }
    match (joined.len(), joined.pop()) {
        (1, Some(only)) => only,
        (_, None) => Formula::Const(conjunction),
        (_, Some(last)) => {
            joined.push(last);
            if conjunction { Formula::And(joined) } else { Formula::Or(joined) }
        }
    }
}
