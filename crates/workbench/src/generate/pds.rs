//! Pushdown systems: random explicit ones, and the template T(N) of the Bebop paper.

use std::fmt::Write;

use crate::dice::Dice;

/// Symbols of a procedure of a random system.
const PER_PROCEDURE: u32 = 20;

/// How large a random explicit pushdown system is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplicitOptions {
    /// The same seed gives the same system.
    pub seed: u64,
    /// Stack symbols; at least two are written.
    pub symbols: u32,
    /// Rules; each symbol has at least one.
    pub rules: u32,
    /// Control states; at least one is written.
    pub states: u32,
}

/// A random system without data. Symbols `pI_J` form procedures of twenty: most rules go on to the next symbol, some push
/// the first symbol of another procedure, some jump, and the last symbol pops. The symbol `err` follows a late one.
pub(super) fn explicit(options: &ExplicitOptions) -> String {
    let mut dice = Dice::new(options.seed);
    let (n, states) = (options.symbols.max(2), options.states.max(1));
    let n_procedures = n.div_ceil(PER_PROCEDURE);
    let mut text = String::from("(q0 <p0_0>)\n");
    for at in 0..options.rules.max(n) {
        // Every symbol has a rule in one state before it has one in the next.
        let (symbol, round) = (at % n, at / n);
        let (procedure, position) = (symbol / PER_PROCEDURE, symbol % PER_PROCEDURE);
        let length = PER_PROCEDURE.min(n - procedure * PER_PROCEDURE);
        let from = if round < states { round } else { dice.below(states) };
        let to = if dice.chance(85) { from } else { dice.below(states) };
        let pushed = if position + 1 == length {
            String::new()
        } else {
            match dice.below(100) {
                0..15 => format!("p{}_0 p{procedure}_{}", dice.below(n_procedures), position + 1),
                15..25 => format!("p{procedure}_{}", dice.below(length)),
                _ => format!("p{procedure}_{}", position + 1),
            }
        };
        writeln!(text, "q{from} <p{procedure}_{position}> --> q{to} <{pushed}>").unwrap_or_default();
    }
    let (symbol, last) = (n / 2 + dice.below(n - n / 2), dice.below(states));
    let (procedure, position) = (symbol / PER_PROCEDURE, symbol % PER_PROCEDURE);
    writeln!(text, "q{last} <p{procedure}_{position}> --> q{last} <err>").unwrap_or_default();
    writeln!(text, "q{last} <err> --> q{last} <err>").unwrap_or_default();
    text
}

/// The template T(n): as the Boolean program of that name, with the counter as an integer of three bits.
pub(super) fn bebop(n: u32, unreachable: bool) -> String {
    let n = n.max(1);
    let start = if unreachable { "(q (g) <main0>)" } else { "(q <main0>)" };
    let mut text = String::from("global bool g;\n");
    for i in 1..=n {
        writeln!(text, "local (level{i}_0, level{i}_1, level{i}_2, level{i}_3) int i(3);").unwrap_or_default();
    }
    text.push_str(start);
    text.push_str(
        "

q <main0> --> q <level1_0 main1> (g' == g)
q <main1> --> q <level1_0 main2> (g' == g)
q <main2> --> q <reach> (!g & !g')
q <main2> --> q <end> (g & g')
",
    );
    for i in 1..=n {
        text.push_str(&level(i, i < n));
    }
    text
}

fn level(i: u32, calls: bool) -> String {
    let next = i + 1;
    let otherwise = if calls {
        format!(
            "\
q <level{i}_0> --> q <level{next}_0 level{i}_2> (!g & !g')
q <level{i}_2> --> q <level{next}_0 level{i}_3> (g' == g)
"
        )
    } else {
        format!("q <level{i}_0> --> q <level{i}_3> (!g & !g')\n")
    };
    format!(
        "
q <level{i}_0> --> q <level{i}_1> (g & g' & i' = 0)
q <level{i}_1> --> q <level{i}_1> (i < 7 & i' = i + 1 & (g' == g))
q <level{i}_1> --> q <level{i}_3> (i = 7 & (g' == g))
{otherwise}q <level{i}_3> --> q <> (g' ^ g)
"
    )
}
