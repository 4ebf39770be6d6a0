//! `cauldron gen`: programs from families and from random numbers.

use workbench::generate::{ExplicitOptions, Variant};
use workbench::{Family, RandomOptions, generate};

use crate::args::{FamilyChoice, FormatChoice, GenArgs, SizeArgs};
use crate::exit::Exit;
use crate::output;
use crate::talk::Failure;

/// Runs the command.
pub(crate) fn run(args: &GenArgs) -> Result<Exit, Failure> {
    let family = match args.family {
        FamilyChoice::Random => Family::Random(RandomOptions { seed: args.seed, ..sizes(&args.sizes, args.threads) }),
        FamilyChoice::Bebop => match args.format {
            FormatChoice::Bp => Family::Bebop { n: args.n, unreachable: args.unreachable },
            FormatChoice::Pds => Family::BebopPds { n: args.n, unreachable: args.unreachable },
            FormatChoice::Remopla => return Err(Failure::usage("the family `bebop` is not written in Remopla")),
        },
        FamilyChoice::Pds => Family::Explicit(ExplicitOptions {
            seed: args.seed,
            symbols: args.n,
            rules: args.rules.unwrap_or(args.n.saturating_mul(args.states).saturating_mul(3) / 2),
            states: args.states,
        }),
        FamilyChoice::Bluetooth => {
            let (variant, adders, stoppers) = (variant(args.variant), args.adders, args.stoppers);
            match args.format {
                FormatChoice::Bp => Family::Bluetooth { variant, adders, stoppers },
                FormatChoice::Remopla => Family::BluetoothRemopla { variant, adders, stoppers },
                FormatChoice::Pds => return Err(Failure::usage("threads are not written as a pushdown system")),
            }
        }
        FamilyChoice::Vector => Family::Vector { n: args.n, bug: args.bug },
        FamilyChoice::SearchTree if args.bug && args.inserters < 2 => {
            return Err(Failure::usage("without locks one inserter is still right: `--bug` needs `--inserters 2`"));
        }
        FamilyChoice::SearchTree => {
            Family::SearchTree { inserters: args.inserters, searchers: args.searchers, bug: args.bug }
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
        spawns: defaults.spawns,
    }
}
