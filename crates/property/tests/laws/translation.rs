use base::{Budget, Source};
use property::{Atom, Formula, Word, parse, random, translate};

use crate::{atoms, words};

fn formula(seed: u64) -> Formula {
    let atoms = atoms();
    random::formula(seed, &atoms[..1 + seed as usize % 4], 2 + (seed % 13) as u32)
}

#[test]
fn simplified_formulae_say_the_same() {
    for seed in 0..20_000 {
        let formula = formula(seed);
        let simplified = formula.simplified();
        for word in words(seed, 8) {
            let expected = formula.holds_on(&word);
            assert_eq!(simplified.holds_on(&word), expected, "{seed}: {formula} / {simplified} on {word}");
        }
    }
}

#[test]
fn automata_accept_what_formulae_say() {
    for seed in 0..3_000 {
        let formula = formula(seed);
        let automaton = translate(&formula, &Budget::unlimited()).unwrap();
        automaton.verify();
        let opposite = translate(&formula.negated(), &Budget::unlimited()).unwrap();
        for word in words(seed, 12) {
            let expected = formula.holds_on(&word);
            assert_eq!(automaton.accepts(&word), expected, "{seed}: {formula} on {word}\n{automaton}");
            assert_eq!(opposite.accepts(&word), !expected, "{seed}: !({formula}) on {word}\n{opposite}");
        }
    }
}

/// Too many letters that differ, and too many states, for the ways that small formulae go.
#[test]
fn wide_and_long_formulae_are_translated_as_well() {
    let atoms: Vec<Atom> = (0..9).map(|at| Atom::read(&format!("p{at}"))).collect();
    let parts = |text: fn(&Atom) -> String| atoms.iter().map(text).collect::<Vec<_>>();
    let wide = parts(|atom| format!("G {atom}")).join(" || ");
    let narrow = parts(|atom| format!("F ({atom} && X ")).concat() + "true" + &")".repeat(9);
    let long = format!("{}(p0 U p1) && F G p2", "X ".repeat(1_200));
    for (text, n_states) in [(wide, 10), (narrow, 10), (long, 1_203)] {
        let formula = parse(&Source::new("formula", text)).0.unwrap().formula;
        let automaton = translate(&formula, &Budget::unlimited()).unwrap();
        assert_eq!(automaton.n_states, n_states, "{formula}");
        for seed in 0..40 {
            // Most atoms hold most of the time, so that both answers occur.
            let mut word = random::word(seed, &atoms[..1 + seed as usize % 9], 2);
            if seed % 2 == 0 {
                word = Word::new(word.stem().to_vec(), vec![atoms.iter().cloned().collect()]).unwrap();
            }
            assert_eq!(automaton.accepts(&word), formula.holds_on(&word), "{formula} on {word}");
        }
    }
}
