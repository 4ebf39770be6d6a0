//! One module per command.

mod algorithms;
mod automaton;
mod check;
mod claims;
mod configurations;
mod coverage;
mod cross;
mod fmt;
mod generate;
mod replay;
mod shrink;
mod solve;
mod tables;
mod temporal;
mod validate;

use crate::args::Command;
use crate::exit::Exit;
use crate::talk::{Failure, Talk};

/// Runs a command to its end.
pub(crate) fn run(command: Command, talk: &Talk) -> Result<Exit, Failure> {
    if is_brief(&command) {
        crate::signals::end_at_the_first();
    }
    match command {
        Command::Check(args) => check::run(args, talk),
        Command::Coverage(args) => coverage::run(args, talk),
        Command::Configurations(args) => configurations::run(args, talk),
        Command::Automaton(args) => automaton::run(args, talk),
        Command::Solve(args) => solve::run(args, talk),
        Command::Algorithms(args) => algorithms::run(&args),
        Command::Fmt(args) => fmt::run(args, talk),
        Command::Validate(args) => validate::run(args, talk),
        Command::Replay(args) => replay::run(args, talk),
        Command::Gen(args) => generate::run(&args),
        Command::Shrink(args) => shrink::run(args, talk),
        Command::Cross(args) => cross::run(args, talk),
        Command::Explain(args) => tables::explain(&args),
        Command::Completions(args) => tables::completions(&args),
        Command::Man(args) => tables::man(&args),
        Command::Schema(args) => tables::schema(&args),
        Command::InternalError => tables::internal_error(talk),
    }
}

/// Whether a command only prints or generates something, without limits and without a result to report on the way.
fn is_brief(command: &Command) -> bool {
    matches!(
        command,
        Command::Algorithms(_)
            | Command::Gen(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Schema(_)
    )
}
