//! What temporal properties speak of.

use crate::{Expr, LocationId, ProcedureId, Program};

/// What may or may not be true of a configuration, by what is on top of its stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observation {
    /// One of these locations is on top; in ascending order.
    At(Vec<LocationId>),
    /// A condition on the values before a step. If it speaks of locals, it is false outside of their procedure.
    Holds {
        /// Over `Before`.
        condition: Expr,
        /// Whose locals it reads, if any.
        procedure: Option<ProcedureId>,
    },
    /// The program has ended.
    Ended,
    /// One of these is true.
    AnyOf(Vec<Observation>),
    /// All of these are true.
    AllOf(Vec<Observation>),
}

impl Observation {
    /// When it is true at a location.
    #[must_use]
    pub fn at(&self, program: &Program, location: LocationId) -> Expr {
        match self {
            Self::At(locations) => Expr::bool(locations.binary_search(&location).is_ok()),
            Self::Holds { condition, procedure } => match procedure {
                Some(procedure) if program.locations[location].procedure != *procedure => Expr::FALSE,
                _ => condition.clone(),
            },
            Self::Ended => Expr::FALSE,
            Self::AnyOf(parts) => Expr::any_of(parts.iter().map(|part| part.at(program, location))),
            Self::AllOf(parts) => Expr::all_of(parts.iter().map(|part| part.at(program, location))),
        }
    }

    /// When it is true after the end of the program: no location is on top, and there are no locals.
    #[must_use]
    pub fn at_end(&self) -> Expr {
        match self {
            Self::At(_) | Self::Holds { procedure: Some(_), .. } => Expr::FALSE,
            Self::Holds { condition, procedure: None } => condition.clone(),
            Self::Ended => Expr::TRUE,
            Self::AnyOf(parts) => Expr::any_of(parts.iter().map(Self::at_end)),
            Self::AllOf(parts) => Expr::all_of(parts.iter().map(Self::at_end)),
        }
    }
}
