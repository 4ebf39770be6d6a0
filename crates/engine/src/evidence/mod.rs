//! Evidence of searches that find path edges and summaries, whoever found them.
//!
//! - `rings`: states by their distance from a start, and ways back;
//! - `trace`: a shortest run to each target;
//! - `certificate`: the path edges of all locations as a proof.

pub(crate) mod certificate;
pub(crate) mod rings;
pub(crate) mod trace;
