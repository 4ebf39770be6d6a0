//! Generators of Boolean programs and pushdown systems: source text out, nothing else.
//!
//! Some families grow with a parameter and are meant for measuring (`bebop`, `terminator`, `bluetooth`, `vector`, `quicksort`);
//! others draw programs at random and are meant for comparing engines. The same parameters give the same text.

mod bebop;
mod bluetooth;
mod pds;
mod quicksort;
mod random;
mod search_tree;
mod terminator;
mod vector;

pub use bluetooth::Variant;
pub use pds::ExplicitOptions;
pub use quicksort::{Quicksort, most_elements};
pub use random::RandomOptions;

/// Which program to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Family {
    /// The template T(N) of the Bebop paper, Figure 4.
    Bebop {
        /// Number of procedures beside `main`; at least one is written.
        n: u32,
        /// Whether `main` first sets `g` to 1, which makes the label `reach` unreachable.
        unreachable: bool,
    },
    /// A loop over a binary counter, in the manner of the Boolean programs that Terminator writes.
    Terminator {
        /// Bits of the counter; at least one is written.
        n: u32,
        /// Locals that are chosen and killed in every iteration; at least one is written.
        m: u32,
        /// Whether the assertion fails, in the last iteration only.
        bug: bool,
    },
    /// The same as [`Family::Bluetooth`] in Remopla, where the first adder starts all other threads.
    BluetoothRemopla {
        /// Which version.
        variant: Variant,
        /// Threads that do I/O.
        adders: u32,
        /// Threads that halt the driver.
        stoppers: u32,
    },
    /// The Bluetooth driver of the jMoped paper: threads that use it, and threads that stop it.
    Bluetooth {
        /// Which version of the driver.
        variant: Variant,
        /// Threads that use it; at least one is written.
        adders: u32,
        /// Threads that stop it; at least one is written.
        stoppers: u32,
    },
    /// A vector that is copied while another thread empties it: Table 1 of the jMoped paper.
    Vector {
        /// Bits of the element; at least one is written.
        n: u32,
        /// Whether size and element are read in two steps, so that the assertion fails.
        bug: bool,
    },
    /// Concurrent binary search trees: threads that insert values, and threads that search for them.
    SearchTree {
        /// Threads that insert a value each; at least one is written.
        inserters: u32,
        /// Threads that search for these values; at least one is written.
        searchers: u32,
        /// Whether inserters take no locks, so that with two of them and one searcher the assertion fails.
        bug: bool,
    },
    /// The template T(N) of the Bebop paper as a pushdown system.
    BebopPds {
        /// Number of procedures beside `main`; at least one is written.
        n: u32,
        /// Whether `g` is true at the start, which makes the symbol `reach` unreachable.
        unreachable: bool,
    },
    /// Quicksort as a pushdown system: Figures 2 and 3 of the Moped paper.
    Quicksort {
        /// Which Quicksort.
        variant: Quicksort,
        /// Bits of a number; at least two are written.
        n: u32,
        /// Elements, where there is an array; at least two are written, and at most [`most_elements`].
        m: u32,
    },
    /// A random explicit pushdown system.
    Explicit(ExplicitOptions),
    /// A random program.
    Random(RandomOptions),
}

/// The source text of a program.
#[must_use]
pub fn generate(family: &Family) -> String {
    match family {
        Family::Bebop { n, unreachable } => bebop::write(*n, *unreachable),
        Family::Terminator { n, m, bug } => terminator::write(*n, *m, *bug),
        Family::Bluetooth { variant, adders, stoppers } => bluetooth::write(*variant, *adders, *stoppers),
        Family::BluetoothRemopla { variant, adders, stoppers } => {
            bluetooth::write_remopla(*variant, *adders, *stoppers)
        }
        Family::Vector { n, bug } => vector::write(*n, *bug),
        Family::SearchTree { inserters, searchers, bug } => search_tree::write(*inserters, *searchers, *bug),
        Family::BebopPds { n, unreachable } => pds::bebop(*n, *unreachable),
        Family::Quicksort { variant, n, m } => quicksort::write(*variant, *n, *m),
        Family::Explicit(options) => pds::explicit(options),
        Family::Random(options) => random::write(options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bebop_is_the_figure_of_the_paper() {
        insta::assert_snapshot!(generate(&Family::Bebop { n: 2, unreachable: false }));
        let changed = generate(&Family::Bebop { n: 2, unreachable: true });
        assert_eq!(changed.replace("  g := 1;\n", ""), generate(&Family::Bebop { n: 2, unreachable: false }));
    }

    fn is_reached(family: &Family, label: &str) -> bool {
        let source = base::Source::new("generated.pds", generate(family));
        let loaded = driver::load(source, &front_pds::PDS, &driver::FrontOptions::default()).unwrap();
        let question = driver::Question { labels: vec![label.to_owned()], ..driver::Question::default() };
        let budget = base::Budget::unlimited();
        let outcome = driver::check(
            &loaded,
            &question,
            &driver::Options::default(),
            &driver::Context::new(&budget, &base::Silent),
        );
        outcome.unwrap().is_violated()
    }

    #[test]
    fn bebop_as_a_pushdown_system_has_the_answers_of_the_paper() {
        insta::assert_snapshot!(generate(&Family::BebopPds { n: 2, unreachable: false }));
        for n in [0, 1, 2, 5] {
            assert!(is_reached(&Family::BebopPds { n, unreachable: false }, "reach"));
            assert!(!is_reached(&Family::BebopPds { n, unreachable: true }, "reach"));
        }
    }

    #[test]
    fn explicit_systems_have_both_answers() {
        let options = |seed, states| ExplicitOptions { seed, symbols: 200, rules: 220 * states, states };
        insta::assert_snapshot!(generate(&Family::Explicit(ExplicitOptions {
            seed: 1,
            symbols: 5,
            rules: 12,
            states: 2
        })));
        for states in [1, 8] {
            let answers = (0..40).map(|seed| is_reached(&Family::Explicit(options(seed, states)), "err"));
            let n = answers.filter(|reached| *reached).count();
            assert!(n > 0 && n < 40, "{states} states: {n} of 40");
        }
    }

    #[test]
    fn terminator_chooses_checks_and_kills() {
        insta::assert_snapshot!(generate(&Family::Terminator { n: 2, m: 3, bug: true }));
    }

    /// The smallest number of switches, up to six, with which the driver's assertion is violated.
    fn switches_needed(variant: Variant, adders: u32, stoppers: u32, most: u32) -> Option<u32> {
        let text = generate(&Family::Bluetooth { variant, adders, stoppers });
        needed(text, &front_bp::FRONT_END, &driver::Question::default(), "explicit", most)
    }

    fn needed(
        text: String,
        language: &'static driver::FrontEnd,
        question: &driver::Question,
        engine: &str,
        most: u32,
    ) -> Option<u32> {
        let source = base::Source::new("generated", text);
        let options = driver::FrontOptions::default();
        let loaded = driver::load(source, language, &options).unwrap();
        let violated = |k: &u32| {
            let bound = Some(program::Bound::Switches(*k));
            let options = driver::Options { engine: Some(engine.to_owned()), bound, ..driver::Options::default() };
            let budget = base::Budget::unlimited();
            let outcome = driver::check(&loaded, question, &options, &driver::Context::new(&budget, &base::Silent));
            outcome.unwrap().is_violated()
        };
        (0..=most).find(violated)
    }

    #[test]
    fn bluetooth_is_violated_with_as_many_switches_as_in_the_paper() {
        insta::assert_snapshot!(generate(&Family::Bluetooth { variant: Variant::Second, adders: 2, stoppers: 1 }));
        assert_eq!(switches_needed(Variant::First, 1, 1, 6), Some(2));
        assert_eq!(switches_needed(Variant::Second, 1, 1, 6), None);
        assert_eq!(switches_needed(Variant::Second, 1, 2, 6), Some(3));
        assert_eq!(switches_needed(Variant::Second, 2, 1, 4), Some(4));
        assert_eq!(switches_needed(Variant::Third, 1, 1, 6), None);
        assert_eq!(switches_needed(Variant::Third, 1, 2, 6), Some(3));
    }

    #[test]
    fn bluetooth_in_remopla_needs_as_many_switches() {
        let needed = |variant, adders, stoppers| {
            let text = generate(&Family::BluetoothRemopla { variant, adders, stoppers });
            let question = driver::Question { labels: vec!["ERROR".to_owned()], ..driver::Question::default() };
            needed(text, &front_pds::REMOPLA, &question, "network", 4)
        };
        assert_eq!(needed(Variant::First, 1, 1), Some(2));
        assert_eq!(needed(Variant::Second, 2, 1), Some(4));
        assert_eq!(needed(Variant::Third, 1, 2), Some(3));
    }

    #[test]
    fn search_trees_lose_a_value_only_without_locks() {
        insta::assert_snapshot!(generate(&Family::SearchTree { inserters: 1, searchers: 1, bug: false }));
        let needed = |inserters, searchers, bug, engine, most| {
            let text = generate(&Family::SearchTree { inserters, searchers, bug });
            needed(text, &front_bp::FRONT_END, &driver::Question::default(), engine, most)
        };
        assert_eq!(needed(2, 1, false, "network", 3), None);
        for engine in ["network", "network-eager"] {
            assert_eq!(needed(1, 1, false, engine, 4), None);
            assert_eq!(needed(2, 1, true, engine, 3), Some(3));
        }
    }

    fn view_tuples(n: u32, bug: bool, engine: &str) -> (bool, u64) {
        let source = base::Source::new("generated", generate(&Family::Vector { n, bug }));
        let loaded = driver::load(source, &front_bp::FRONT_END, &driver::FrontOptions::default()).unwrap();
        let bound = Some(program::Bound::Switches(2));
        let options = driver::Options { engine: Some(engine.to_owned()), bound, ..driver::Options::default() };
        let question = driver::Question::default();
        let outcome = driver::check(
            &loaded,
            &question,
            &options,
            &driver::Context::new(&base::Budget::unlimited(), &base::Silent),
        )
        .unwrap();
        (outcome.is_violated(), outcome.statistics.view_tuples)
    }

    #[test]
    fn a_vector_needs_as_many_lazy_tuples_whatever_its_size() {
        insta::assert_snapshot!(generate(&Family::Vector { n: 2, bug: true }));
        for bug in [true, false] {
            let (violated, tuples) = view_tuples(1, bug, "network");
            assert_eq!(violated, bug);
            assert_eq!(view_tuples(5, bug, "network"), (bug, tuples));
            let eager = view_tuples(1, bug, "network-eager").1;
            assert!(eager > tuples);
            assert!(view_tuples(5, bug, "network-eager").1 >= 8 * eager);
        }
    }

    #[test]
    fn a_seed_gives_the_same_concurrent_program_for_ever() {
        insta::assert_snapshot!(generate(&Family::Random(RandomOptions { seed: 5, ..RandomOptions::with_threads(3) })));
    }

    #[test]
    fn sizes_of_zero_are_sizes_of_one() {
        let bebop = |n| generate(&Family::Bebop { n, unreachable: false });
        let terminator = |n, m| generate(&Family::Terminator { n, m, bug: true });
        assert_eq!(bebop(0), bebop(1));
        assert_eq!(terminator(0, 0), terminator(1, 1));
        let empty =
            RandomOptions { procedures: 0, globals: 0, locals: 0, statements: 0, depth: 0, ..RandomOptions::default() };
        assert!(generate(&Family::Random(empty)).contains("void main()"));
    }

    #[test]
    fn text_grows_linearly() {
        let length = |n| generate(&Family::Bebop { n, unreachable: false }).len();
        assert!(length(2_000) < 12 * length(200));
    }

    #[test]
    fn a_seed_gives_the_same_program_for_ever() {
        insta::assert_snapshot!(generate(&Family::Random(RandomOptions { seed: 12, ..RandomOptions::default() })));
    }

    #[test]
    fn programs_are_well_formed() {
        let load = |family: &Family| {
            let source = base::Source::new("generated.bp", generate(family));
            driver::load(source, &front_bp::FRONT_END, &driver::FrontOptions::default())
        };
        let random = |seed| Family::Random(RandomOptions { seed, ..RandomOptions::default() });
        let large = RandomOptions {
            seed: 1,
            procedures: 6,
            globals: 9,
            locals: 9,
            statements: 60,
            depth: 5,
            threads: 1,
            spawns: false,
        };
        let fixed = [
            Family::Bebop { n: 3, unreachable: true },
            Family::Terminator { n: 3, m: 5, bug: true },
            Family::Vector { n: 0, bug: false },
            Family::Random(large),
        ];
        let threads =
            |seed| Family::Random(RandomOptions { seed, ..RandomOptions::with_threads(2 + (seed % 2) as u32) });
        for family in fixed.into_iter().chain((0..500).map(random)).chain((0..300).map(threads)) {
            let (sources, diagnostics) = match load(&family) {
                Ok(_) => continue,
                Err(rejected) => rejected,
            };
            panic!("{}\n{diagnostics:#?}", sources.text(base::FileId::default()).text());
        }
    }
}
