//! Whole-process tests: the command line as a shell sees it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod algorithms;
mod arrays;
mod bad_input;
mod book;
mod configurations;
mod coverage;
mod ends;
mod evidence;
mod exit_codes;
mod forgery;
mod harness;
mod interrupts;
mod jobs;
mod json;
mod moments;
mod output;
mod programs;
mod temporal;
mod threads;
mod tools;
mod usage;
