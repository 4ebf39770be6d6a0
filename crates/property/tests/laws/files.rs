use base::{Budget, Source};
use property::{fuzz, hoa, random, translate};

use crate::{atoms, words};

#[test]
fn what_is_written_means_the_same_when_read() {
    for seed in 0..1_000 {
        let formula = random::formula(seed, &atoms(), 2 + (seed % 10) as u32);
        let automaton = translate(&formula, &Budget::unlimited()).unwrap();
        let written = Source::new("automaton.hoa", hoa::write(&automaton));
        let again = hoa::read(&written, &Budget::unlimited()).unwrap().unwrap().automaton;
        assert_eq!(again.atoms, automaton.atoms);
        assert!(again.n_states <= automaton.n_states);
        for word in words(seed, 8) {
            assert_eq!(
                again.accepts(&word),
                formula.holds_on(&word),
                "{seed}: {formula} on {word}\n{}",
                written.text()
            );
        }
    }
}

/// Random sequences of a language's words: most are wrong, some are right.
fn babble(words: &[&str], seed: u64) -> String {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let n = 1 + below(16);
    (0..n).map(|_| words[below(words.len())]).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_text_gets_an_answer() {
    let ltl = [
        "p", "q", "(", ")", "!", "U", "W", "R", "M", "X", "GF", "[]", "&&", "||", "->", "<->", "in(", "\"x\"", "1", "ä",
    ];
    let hoa = [
        "HOA: v1",
        "Start: 0",
        "States: 2",
        "AP: 1 \"p\"",
        "Acceptance: 1 Inf(0)",
        "--BODY--",
        "State: 0",
        "State: 1",
        "[0]",
        "[!0]",
        "0",
        "1",
        "{0}",
        "--END--",
        "&",
        "[t]",
        "(",
        "\"",
        "/*",
    ];
    let never = [
        "never {", "}", "T0:", "accept:", "if", "fi", "do", "od", "::", "(p)", "(", "->", "goto T0", "skip", ";", "!q",
    ];
    for seed in 0..10_000 {
        fuzz::ltl(babble(&ltl, seed).as_bytes());
        fuzz::hoa(babble(&hoa, seed).as_bytes());
        let body = format!(
            "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- {} --END--",
            babble(&hoa[6..], seed)
        );
        fuzz::hoa(body.as_bytes());
        fuzz::never(babble(&never, seed).as_bytes());
        fuzz::never(format!("never {{ T0: {} }}", babble(&never[2..], seed)).as_bytes());
    }
}
