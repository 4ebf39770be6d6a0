//! What users write beside a program: conditions on its variables and regular sets of its configurations.
//!
//! Everything here is read against a [`program::Program`] and becomes its expressions. No temporal logic (that is
//! `property`), no search, no source language: a front end says how its language writes values ([`Writing`]).
//!
//! Modules in reading order:
//! - [`writing`]: how a source writes the values of its variables;
//! - [`term`]: integer terms without overflow, as expressions;
//! - [`condition`]: conditions on variables;
//! - [`configuration`]: regular sets of configurations;
//! - [`front`]: what a front end is.

pub mod condition;
pub mod configuration;
pub mod front;
pub mod term;
pub mod writing;

pub use front::{FrontEnd, FrontOptions};
pub use writing::{Connective, Notation, Seen, Writing, Written};
