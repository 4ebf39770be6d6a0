//! Passes from program to program, each with its way back for evidence.
//!
//! A pass keeps the tables of variables, procedures and locations (what it removes merely becomes unused) and
//! rebuilds the table of edges. A trace or certificate of the result is turned into one of the original by
//! [`WayBack`]. A pass may assume a sequential program only when it says so.

pub mod way_back;

pub use way_back::{EdgeBack, LocationBack, WayBack};
