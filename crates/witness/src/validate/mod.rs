//! Checks a certificate against its program.
//!
//! The five conditions of [`crate::certificate`] are checked edge by edge. Nothing here comes from the code that makes
//! certificates: expressions become circuits of decision diagrams over bits (`symbolic`, `circuit`) that the checker lays
//! out itself (`layout`), and the law that a test checks is that they agree with [`program::semantics`].
//!
//! Every condition has the form "whatever is in a conjunction is in a set": with T the conjunction of I(l) and the relation,
//! over old values in one copy of the bits and new values in another, the condition is T <= I(m) with the bits of I(m)
//! renamed to those copies. What an edge does not write keeps its bits, so that no identity is ever built. The same holds
//! for calls: a variable that entering does not write has the same bits in the callee's first state as in the caller's,
//! and one that the callee leaves `unchanged` has the same bits at the exit.
//!
//! Sequential programs only. Sums, differences, comparisons, shifts by constants and products by small constants cost
//! little at any width; what has no small diagram (products of two wide variables) ends at the limits.
//!
//! Modules in reading order:
//! - `shape`: is this a certificate of this program at all?;
//! - `layout`, `neighbours`: which bits stand for which variable, at which moment, and in which order;
//! - `sorts`: which bits stand for a value;
//! - `circuit`: arithmetic on vectors of diagrams;
//! - `symbolic`: the bits of an expression, and where it has a value;
//! - `relation`: what an edge does, as conjuncts;
//! - `image`: conjunctions, projected to what matters;
//! - `states`: the sets of the certificate, as diagrams;
//! - `conditions`: the five conditions.

mod circuit;
mod conditions;
mod image;
mod layout;
mod neighbours;
mod relation;
mod shape;
mod sorts;
mod states;
mod symbolic;

use std::fmt;

use base::{Budget, StopReason};
use bdd::{Config, Interrupt, Manager, Stop};
use program::{FiniteProgram, Program};

use crate::Certificate;

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValidateError {
    /// It proves nothing: a condition fails. In words, with the place.
    Rejected(String),
    /// It is not a certificate of this program.
    Malformed(String),
    /// The program is of a kind that has no certificates.
    Unsupported(String),
    /// The program has a variable of more bits than there is room for.
    TooLarge(String),
    /// A limit was reached.
    Stopped(StopReason),
}

impl fmt::Display for ValidateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(what) => write!(f, "the certificate proves nothing: {what}"),
            Self::Malformed(what) => write!(f, "this is not a certificate of this program: {what}"),
            Self::Unsupported(what) => write!(f, "there are no certificates for {what}"),
            Self::TooLarge(what) => write!(f, "too large to check: {what}"),
            Self::Stopped(reason) => write!(f, "checking stopped: {reason}"),
        }
    }
}

impl std::error::Error for ValidateError {}

/// What ends a check early, before it is told in full.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Trouble {
    Stop(Stop),
    Limit(StopReason),
    TooLarge(String),
    Rejected(String),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// Memory for decision diagrams when the budget sets no limit.
const DEFAULT_MEMORY: u64 = 1 << 30;

/// Checks that a certificate proves its targets unreachable in a program that `verify` accepts.
pub fn validate(program: &Program, certificate: &Certificate, budget: &Budget) -> Result<(), ValidateError> {
    let program =
        FiniteProgram::new(program).map_err(|refused| ValidateError::Unsupported(refused.describe(program)))?.get();
    let Some(start) = program.sequential_start() else {
        return Err(ValidateError::Unsupported("programs with several threads".into()));
    };
    shape::check(program, certificate).map_err(ValidateError::Malformed)?;
    let _watch = budget.watch();
    let check = |config: &Config| {
        let manager = Manager::new(config);
        manager.set_interrupt(Interrupt::from(budget.interrupt().flag()));
        conditions::check(program, certificate, start, &manager, budget)
    };
    // Half of the limit: the program, the certificate and whatever made it are in memory as well.
    let memory = budget.memory().map_or(DEFAULT_MEMORY, |bytes| bytes / 2);
    let small = Config::small();
    let mut checked = Err(Trouble::Stop(Stop::OutOfNodes));
    // Setting up a large manager takes longer than most checks.
    if certificate.dag.nodes.len() + program.edges.len() < SMALL && small.memory < memory {
        checked = check(&small);
    }
    if checked == Err(Trouble::Stop(Stop::OutOfNodes)) {
        checked = check(&Config::for_memory(memory));
    }
    checked.map_err(|trouble| match trouble {
        Trouble::Stop(Stop::OutOfNodes) => ValidateError::Stopped(StopReason::Memory),
        Trouble::Stop(Stop::Interrupted) => ValidateError::Stopped(budget.interruption()),
        Trouble::Limit(reason) => ValidateError::Stopped(reason),
        Trouble::TooLarge(what) => ValidateError::TooLarge(what),
        Trouble::Rejected(what) => ValidateError::Rejected(what),
    })
}

/// Nodes and edges up to which a small manager is tried first.
const SMALL: usize = 10_000;

#[cfg(test)]
mod tests;
