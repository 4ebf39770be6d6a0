//! Results for people, made from the same values as the JSON.
//!
//! - [`rows`]: a story laid out as rows;
//! - [`trace`]: rows as lines; `lanes`: the same for several threads; `stacks`: where these are at a switch;
//! - [`temporal`]: the answer to a temporal property;
//! - [`verdict`]: the answer to each target, the evidence, and the one last line that a script can read;
//! - [`coverage`]: the source with a mark before each line;
//! - [`configurations`]: automata over configurations; [`buchi`]: automata over runs;
//! - [`solution`]: the answers to the queries of an algorithm file; [`mucke`]: those of a file of Mucke's language.

pub mod buchi;
pub mod configurations;
pub mod coverage;
mod lanes;
pub mod mucke;
pub mod rows;
pub mod solution;
mod stacks;
pub mod temporal;
pub mod trace;
pub mod verdict;
