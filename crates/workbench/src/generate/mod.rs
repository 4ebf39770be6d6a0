//! Generators of Boolean programs: source text out, nothing else.
//!
//! Two families grow with a parameter and are meant for measuring (`bebop`, `terminator`); the third draws
//! programs at random and is meant for comparing engines (`random`). The same parameters give the same text.

mod bebop;
mod random;
mod terminator;

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
    /// A random sequential program.
    Random(RandomOptions),
}

/// The source text of a program.
#[must_use]
pub fn generate(family: &Family) -> String {
    match family {
        Family::Bebop { n, unreachable } => bebop::write(*n, *unreachable),
        Family::Terminator { n, m, bug } => terminator::write(*n, *m, *bug),
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

    #[test]
    fn terminator_chooses_checks_and_kills() {
        insta::assert_snapshot!(generate(&Family::Terminator { n: 2, m: 3, bug: true }));
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
            driver::load(source, driver::Language::BooleanProgram, &driver::LoadOptions::default())
        };
        let random = |seed| Family::Random(RandomOptions { seed, ..RandomOptions::default() });
        let large = RandomOptions { seed: 1, procedures: 6, globals: 9, locals: 9, statements: 60, depth: 5 };
        let fixed = [
            Family::Bebop { n: 3, unreachable: true },
            Family::Terminator { n: 3, m: 5, bug: true },
            Family::Random(large),
        ];
        for family in fixed.into_iter().chain((0..500).map(random)) {
            let (source, diagnostics) = match load(&family) {
                Ok(_) => continue,
                Err(rejected) => rejected,
            };
            panic!("{}\n{diagnostics:#?}", source.text());
        }
    }
}
