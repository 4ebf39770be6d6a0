//! The schemas of the formats, made from the types that are written.

use schemars::{JsonSchema, schema_for};

use super::configurations::ConfigurationsReport;
use super::coverage::CoverageReport;
use super::outcome::Report;
use super::trace::TraceDocument;

/// The schema of `cauldron-report/1`.
#[must_use]
pub fn report() -> String {
    text::<Report>()
}

/// The schema of `cauldron-trace/1`.
#[must_use]
pub fn trace() -> String {
    text::<TraceDocument>()
}

/// The schema of `cauldron-coverage/1`.
#[must_use]
pub fn coverage() -> String {
    text::<CoverageReport>()
}

/// The schema of `cauldron-configurations/1`.
#[must_use]
pub fn configurations() -> String {
    text::<ConfigurationsReport>()
}

fn text<T: JsonSchema>() -> String {
    super::to_text(&schema_for!(T), usize::MAX)
}
