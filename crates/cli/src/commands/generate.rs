//! `cauldron gen`: programs from families and from random numbers.

use workbench::generate::Variant;
use workbench::{Family, RandomOptions, generate};

use crate::args::{FamilyChoice, GenArgs, SizeArgs};
use crate::exit::Exit;
use crate::output;
use crate::talk::Failure;

/// Runs the command.
pub(crate) fn run(args: &GenArgs) -> Result<Exit, Failure> {
    let family = match args.family {
        FamilyChoice::Random => Family::Random(RandomOptions { seed: args.seed, ..sizes(&args.sizes, args.threads) }),
        FamilyChoice::Bebop => Family::Bebop { n: args.n, unreachable: args.unreachable },
        FamilyChoice::Bluetooth => {
            Family::Bluetooth { variant: variant(args.variant), adders: args.adders, stoppers: args.stoppers }
        }
        FamilyChoice::Terminator => Family::Terminator { n: args.n, m: args.m, bug: args.bug },
    };
    output::write(&args.output, &generate(&family))?;
    Ok(Exit::Holds)
}

fn variant(number: u8) -> Variant {
    match number {
        1 => Variant::First,
        2 => Variant::Second,
        _ => Variant::Third,
    }
}

/// The sizes that the user named, and defaults for the others.
pub(crate) fn sizes(args: &SizeArgs, threads: u32) -> RandomOptions {
    let defaults = RandomOptions::with_threads(threads);
    RandomOptions {
        seed: defaults.seed,
        procedures: args.procedures.unwrap_or(defaults.procedures),
        globals: args.globals.unwrap_or(defaults.globals),
        locals: args.locals.unwrap_or(defaults.locals),
        statements: args.statements.unwrap_or(defaults.statements),
        depth: args.depth.unwrap_or(defaults.depth),
        threads: defaults.threads,
    }
}
