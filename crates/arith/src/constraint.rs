//! Constraints on a linear form, and conditions: constraints under conjunction, disjunction and divisibility.

use std::collections::BTreeSet;
use std::fmt;

use crate::{Int, Linear, Model, Var};

/// How a form is compared with 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// At most 0.
    AtMost,
    /// Equal to 0.
    Equal,
    /// Different from 0.
    Different,
}

/// A form compared with 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    /// The form.
    pub form: Linear,
    /// How it is compared.
    pub relation: Relation,
}

impl Constraint {
    /// The constraint `form relation 0`.
    #[must_use]
    pub fn new(form: Linear, relation: Relation) -> Self {
        Self { form, relation }
    }

    /// The constraint that holds where this one does not.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self.relation {
            // Not e <= 0 is 1 - e <= 0.
            Relation::AtMost => Self::new((-&self.form).plus_multiple(&Int::ONE, &Linear::from(1)), Relation::AtMost),
            Relation::Equal => Self::new(self.form.clone(), Relation::Different),
            Relation::Different => Self::new(self.form.clone(), Relation::Equal),
        }
    }

    /// True if the constraint holds in a model.
    #[must_use]
    pub fn holds(&self, model: &Model) -> bool {
        self.holds_for(&self.form.value(model))
    }

    /// True if the constraint holds where its form has the given value.
    #[must_use]
    pub fn holds_for(&self, value: &Int) -> bool {
        match self.relation {
            Relation::AtMost => !value.is_positive(),
            Relation::Equal => value.is_zero(),
            Relation::Different => !value.is_zero(),
        }
    }

    /// The truth of a constraint without variables.
    #[must_use]
    pub fn decided(&self) -> Option<bool> {
        self.form.is_constant().then(|| self.holds_for(self.form.constant()))
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::AtMost => "<=",
            Relation::Equal => "=",
            Relation::Different => "!=",
        };
        let bound = -self.form.constant();
        let terms = self.form.with_constant(Int::ZERO);
        write!(f, "{terms} {relation} {bound}")
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A condition without quantifiers, in negation normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// A constraint.
    Constraint(Constraint),
    /// The number, which is positive, divides the form.
    Divides(Int, Linear),
    /// The number, which is positive, does not divide the form.
    Indivisible(Int, Linear),
    /// All hold; none at all is "true".
    All(Vec<Formula>),
    /// One holds; none at all is "false".
    Any(Vec<Formula>),
}

impl Formula {
    /// The condition that holds everywhere.
    pub const TRUE: Self = Self::All(Vec::new());
    /// The condition that holds nowhere.
    pub const FALSE: Self = Self::Any(Vec::new());

    /// `divisor` divides `form`. The divisor must not be 0; its sign does not matter.
    #[must_use]
    pub fn divides(divisor: &Int, form: Linear) -> Self {
        assert!(!divisor.is_zero(), "divisors are not 0");
        if divisor.is_unit() {
            return Self::TRUE;
        }
        let negative = form.terms().first().is_some_and(|(_, factor)| factor.is_negative());
        Self::Divides(divisor.abs(), if negative { -&form } else { form })
    }

    /// The conjunction, flattened and without what is true.
    #[must_use]
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(parts, true)
    }

    /// The disjunction, flattened and without what is false.
    #[must_use]
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(parts, false)
    }

    fn joined(parts: impl IntoIterator<Item = Self>, conjunction: bool) -> Self {
        let mut flat = Vec::new();
        // What is still to be looked at, the next one last.
        let mut open: Vec<Self> = parts.into_iter().collect();
        open.reverse();
        while let Some(part) = open.pop() {
            match part.simplified() {
                Self::All(parts) if conjunction => open.extend(parts.into_iter().rev()),
                Self::Any(parts) if !conjunction => open.extend(parts.into_iter().rev()),
                // "false" in a conjunction, "true" in a disjunction.
                Self::All(parts) | Self::Any(parts) if parts.is_empty() => {
                    return if conjunction { Self::FALSE } else { Self::TRUE };
                }
                part => flat.push(part),
            }
        }
        match (flat.len(), conjunction) {
            (1, _) => flat.remove(0),
            (_, true) => Self::All(flat),
            (_, false) => Self::Any(flat),
        }
    }

    /// A constant where a constraint has no variables.
    fn simplified(self) -> Self {
        let decided = match &self {
            Self::Constraint(constraint) => constraint.decided(),
            Self::Divides(divisor, form) => form.is_constant().then(|| divisor.divides(form.constant())),
            Self::Indivisible(divisor, form) => form.is_constant().then(|| !divisor.divides(form.constant())),
            Self::All(_) | Self::Any(_) => None,
        };
        match decided {
            Some(true) => Self::TRUE,
            Some(false) => Self::FALSE,
            None => self,
        }
    }

    /// The condition that holds where this one does not.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Self::Constraint(constraint) => Self::Constraint(constraint.negated()),
            Self::Divides(divisor, form) => Self::Indivisible(divisor.clone(), form.clone()),
            Self::Indivisible(divisor, form) => Self::Divides(divisor.clone(), form.clone()),
            Self::All(parts) => Self::Any(parts.iter().map(Self::negated).collect()),
            Self::Any(parts) => Self::All(parts.iter().map(Self::negated).collect()),
        }
    }

    /// `condition` decides which of the two holds.
    #[must_use]
    pub fn choice(condition: &Self, then: Self, otherwise: Self) -> Self {
        Self::any([Self::all([condition.clone(), then]), Self::all([condition.negated(), otherwise])])
    }

    /// `result` is `then` where the condition holds, and `otherwise` where it does not: a term `ite` by its definition.
    #[must_use]
    pub fn selects(result: Var, condition: &Self, then: &Linear, otherwise: &Linear) -> Self {
        let result = Linear::from(result);
        Self::choice(condition, result.equal(then).into(), result.equal(otherwise).into())
    }

    /// `quotient` is `form / divisor` rounded down, for a positive divisor; `form - divisor * quotient` is the remainder.
    #[must_use]
    pub fn quotient(quotient: Var, form: &Linear, divisor: &Int) -> Self {
        assert!(divisor.is_positive(), "divisors are positive");
        let multiple = &Linear::from(quotient) * divisor;
        let next = &multiple + &Linear::from(divisor.clone());
        Self::All(vec![multiple.at_most(form).into(), form.less(&next).into()])
    }

    /// True if the condition holds in a model.
    #[must_use]
    pub fn holds(&self, model: &Model) -> bool {
        match self {
            Self::Constraint(constraint) => constraint.holds(model),
            Self::Divides(divisor, form) => divisor.divides(&form.value(model)),
            Self::Indivisible(divisor, form) => !divisor.divides(&form.value(model)),
            Self::All(parts) => parts.iter().all(|part| part.holds(model)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(model)),
        }
    }

    /// The variables that occur.
    #[must_use]
    pub fn variables(&self) -> BTreeSet<Var> {
        let mut variables = BTreeSet::new();
        self.collect_variables(&mut variables);
        variables
    }

    fn collect_variables(&self, variables: &mut BTreeSet<Var>) {
        match self {
            Self::Constraint(Constraint { form, .. }) | Self::Divides(_, form) | Self::Indivisible(_, form) => {
                variables.extend(form.variables());
            }
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.collect_variables(variables)),
        }
    }
}

impl From<Constraint> for Formula {
    fn from(constraint: Constraint) -> Self {
        Self::Constraint(constraint)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, word, empty) = match self {
            Self::Constraint(constraint) => return fmt::Display::fmt(constraint, f),
            Self::Divides(divisor, form) => return write!(f, "{divisor} | {form}"),
            Self::Indivisible(divisor, form) => return write!(f, "not {divisor} | {form}"),
            Self::All(parts) => (parts, " and ", "true"),
            Self::Any(parts) => (parts, " or ", "false"),
        };
        if parts.is_empty() {
            return f.write_str(empty);
        }
        for (place, part) in parts.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { word })?;
            match part {
                Self::All(parts) | Self::Any(parts) if !parts.is_empty() => write!(f, "({part})")?,
                part => write!(f, "{part}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
