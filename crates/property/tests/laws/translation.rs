use base::Budget;
use property::{Formula, random, translate};

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
