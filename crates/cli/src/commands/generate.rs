//! `cauldron gen`: programs from families and from random numbers.

use workbench::generate::{ExplicitOptions, Quicksort, Variant, most_elements};
use workbench::{Family, RandomOptions, generate};

use crate::args::{FamilyChoice, FormatChoice, GenArgs, SizeArgs, VariantChoice};
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
            let (variant, adders, stoppers) = (driver(args.variant)?, args.adders, args.stoppers);
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
        FamilyChoice::Quicksort => quicksort(args)?,
        FamilyChoice::Terminator => Family::Terminator { n: args.n, m: args.m, bug: args.bug },
    };
    output::write(&args.output, &generate(&family))?;
    Ok(Exit::Holds)
}

fn driver(variant: Option<VariantChoice>) -> Result<Variant, Failure> {
    match variant {
        Some(VariantChoice::First) => Ok(Variant::First),
        None | Some(VariantChoice::Second) => Ok(Variant::Second),
        Some(VariantChoice::Third) => Ok(Variant::Third),
        Some(_) => Err(Failure::usage("the variants of `bluetooth` are 1, 2 and 3")),
    }
}

fn quicksort(args: &GenArgs) -> Result<Family, Failure> {
    let variant = match args.variant {
        Some(VariantChoice::Faulty) => Quicksort::Faulty,
        None | Some(VariantChoice::Corrected) => Quicksort::Corrected,
        Some(VariantChoice::Sorting) => Quicksort::Sorting,
        Some(VariantChoice::RandomPivot) => Quicksort::RandomPivot,
        Some(_) => {
            let names = "`faulty`, `corrected`, `sorting` and `random-pivot`";
            return Err(Failure::usage(format!("the variants of `quicksort` are {names}")));
        }
    };
    let has_array = matches!(variant, Quicksort::Sorting | Quicksort::RandomPivot);
    if has_array && args.m > most_elements(args.n.max(2)) {
        return Err(Failure::usage(format!("{} bits are too few for the indices of {} elements", args.n, args.m)));
    }
    Ok(Family::Quicksort { variant, n: args.n, m: args.m })
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
