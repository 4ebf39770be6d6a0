//! `cauldron algorithms`: the algorithms that ship.

use driver::algorithm::ALGORITHMS;

use crate::args::AlgorithmsArgs;
use crate::exit::Exit;
use crate::output;
use crate::talk::{Failure, did_you_mean};

/// Lists them with what each says of itself in its first line, or prints one.
pub(crate) fn run(args: &AlgorithmsArgs) -> Result<Exit, Failure> {
    let Some(wanted) = &args.name else {
        let about = |text: &str| text.lines().next().unwrap_or_default().trim_start_matches("// ").to_owned();
        let list: String = ALGORITHMS.iter().map(|(name, text)| format!("{name:<22}{}\n", about(text))).collect();
        return output::print(&list).map(|()| Exit::Holds);
    };
    match ALGORITHMS.iter().find(|(name, _)| name == wanted) {
        Some((_, text)) => output::print(text).map(|()| Exit::Holds),
        None => {
            let similar = driver::question::similar(wanted, ALGORITHMS.iter().map(|(name, _)| *name));
            let failure = Failure::usage(format!("there is no built-in algorithm `{wanted}`"));
            let help = did_you_mean(&similar).unwrap_or_else(|| "`cauldron algorithms` lists them".to_owned());
            Err(failure.help(help))
        }
    }
}
