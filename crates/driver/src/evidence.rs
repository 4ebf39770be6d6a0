//! Evidence outside of a check: certificates as files, certificates and runs checked against a program, runs as stories.
//!
//! The checkers are those of `witness` and of the interpreter; no engine has a part in them.

use base::Context;
use program::interp::{self, ReplayError};
use program::{LocationId, Program, Trace};

pub use witness::format::fingerprint;
pub use witness::{Certificate, ValidateError, story};

/// A certificate as the text of a file.
#[must_use]
pub fn certificate_text(program: &Program, certificate: &Certificate) -> String {
    witness::format::to_text(program, certificate)
}

/// Reads the text of a certificate for a program; or what is wrong with it.
pub fn read_certificate(program: &Program, text: &str) -> Result<Certificate, String> {
    witness::format::parse(program, text).map_err(|error| error.to_string())
}

/// Checks that a certificate proves what it claims.
pub fn validate(program: &Program, certificate: &Certificate, context: &Context<'_>) -> Result<(), ValidateError> {
    context.enter("validate");
    let _watch = context.budget.watch();
    witness::validate(program, certificate, context.budget)
}

/// Executes a run step by step; it must end at the location.
pub fn replay(
    program: &Program,
    trace: &Trace,
    location: LocationId,
    context: &Context<'_>,
) -> Result<interp::Replay, ReplayError> {
    context.enter("replay");
    interp::replay_within(program, trace, location, context.budget)
}
