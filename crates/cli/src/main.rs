//! The command line of Cauldron: arguments, files, signals, progress, exit codes. No algorithms.
//!
//! Modules in reading order:
//! - `args`, `help`, `quantity`: the command line as a value;
//! - `exit`: the one table of exit codes;
//! - `talk`, `input`, `output`, `standard_output`: the standard error stream, files in, files out;
//! - `signals`, `memory`, `progress`, `supervise`: long work interrupted, limited, shown;
//! - `session`: what all commands that read a program have in common;
//! - `commands`: one module per command;
//! - `explain`: the codes of messages, explained.

mod args;
mod commands;
mod exit;
mod explain;
mod help;
mod input;
mod memory;
mod output;
mod progress;
mod quantity;
mod session;
mod signals;
mod source_args;
mod standard_output;
mod supervise;
mod talk;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::exit::Exit;
use crate::talk::{Failure, Talk};

/// Decision diagrams and program models are many small values; this allocator is made for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    signals::listen();
    std::panic::set_hook(Box::new(|panic| talk::say(&internal_error(panic))));
    memory::begin_anew_if_scarce();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    let talk = Talk::new(&cli.talk);
    let outcome = std::panic::catch_unwind(|| commands::run(cli.command, &talk));
    let exit = match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            talk.failure(&failure);
            failure.exit
        }
        Err(_) => Exit::Internal,
    };
    exit.into()
}

/// Help and version go to the standard output and are no error.
fn usage(error: &clap::Error) -> Exit {
    if error.use_stderr() {
        // When that fails there is nobody left to tell.
        let _ = error.print();
        return Exit::Usage;
    }
    match output::writable().and_then(|()| error.print().map_err(|error| output::unwritable(&error))) {
        Ok(()) => Exit::Holds,
        Err(failure) => {
            // A reader that went away is no reason to talk.
            if !failure.message.is_empty() {
                talk::say(&format!("error[{}]: {}\n", failure.code, failure.message));
            }
            failure.exit
        }
    }
}

/// What the user sees of a panic: no stack, unless it was asked for.
fn internal_error(panic: &std::panic::PanicHookInfo<'_>) -> String {
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("no message");
    let wants_stack = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let stack = if wants_stack { std::backtrace::Backtrace::force_capture().to_string() } else { String::new() };
    format!(
        "error: internal error: {message}{place}\n\
         This is a defect of Cauldron {}, not of your input. Please report it with the input and the command line.\n{stack}",
        env!("CARGO_PKG_VERSION")
    )
}

/// A panic has already been told by the hook; only the exit code is left to say.
pub(crate) fn panicked() -> Failure {
    Failure::new(Exit::Internal, "", "")
}
