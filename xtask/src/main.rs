//! Chores of the project, run as `cargo xtask NAME`.
//!
//! - `external DIR`: checks a folder of benchmarks from elsewhere against its MANIFEST.md.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal of those who build the project"
)]

mod external;
mod manifest;
mod pushdown;
mod threads;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask external DIR";

/// Syntax trees are walked recursively, up to the front end's nesting limit.
pub(crate) const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let work = move || match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["external", folder] => external::run(Path::new(folder)),
        _ => Err(USAGE.to_owned()),
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let result = match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err("the work panicked".to_owned()),
        Err(error) => Err(format!("cannot start a thread: {error}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
