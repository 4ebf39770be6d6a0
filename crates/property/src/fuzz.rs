//! What the fuzzers check: functions from bytes to nothing that panic when a promise is broken.

use base::{Budget, Diagnostics, Source, StopReason};

use crate::{Automaton, AutomatonFile, hoa, never, parse, random, translate};

/// How many words two views of a property are compared on.
const N_WORDS: u64 = 4;

/// Enough for every automaton that a fuzzer writes by chance.
fn budget() -> Budget {
    Budget::unlimited().with_max_steps(Some(2_000))
}

/// Formulae: every text gets an answer; what is printed is read as the same formula; the simplified formula and the
/// automaton agree with it.
///
/// # Panics
/// When a promise is broken.
pub fn ltl(bytes: &[u8]) {
    let source = Source::new("fuzz", String::from_utf8_lossy(bytes));
    let (parsed, diagnostics) = parse(&source);
    assert_eq!(parsed.is_none(), diagnostics.has_errors(), "there is a formula or an error");
    let Some(formula) = parsed.map(|parsed| parsed.formula) else { return };
    let again = parse(&Source::new("fuzz", formula.to_string())).0.map(|parsed| parsed.formula);
    // The printer writes brackets that a chain does not need, so the text may be too deep where the first was not.
    assert!(again.is_none_or(|again| again == formula), "what is printed is read as the same formula");
    let simplified = formula.simplified();
    let automaton = if formula.size() <= 20 { translate(&formula, &budget()).ok() } else { None };
    let atoms = formula.atoms();
    for seed in 0..N_WORDS {
        let word = random::word(seed, &atoms, 4);
        let holds = formula.holds_on(&word);
        assert_eq!(simplified.holds_on(&word), holds, "the simplified formula says the same");
        assert!(automaton.as_ref().is_none_or(|it| it.accepts(&word) == holds), "so does the automaton");
    }
}

/// Automata in the HOA format: every text gets an answer; what is accepted is well formed, and means the same when it is
/// written and read again.
///
/// # Panics
/// When a promise is broken.
pub fn hoa(bytes: &[u8]) {
    check(bytes, hoa::read);
}

/// Never claims: as for the HOA format.
///
/// # Panics
/// When a promise is broken.
pub fn never(bytes: &[u8]) {
    check(bytes, never::read);
}

type Read = fn(&Source, &Budget) -> Result<Result<AutomatonFile, Diagnostics>, StopReason>;

fn check(bytes: &[u8], read: Read) {
    let source = Source::new("fuzz", String::from_utf8_lossy(bytes));
    match read(&source, &budget()) {
        Err(_) => {}
        Ok(Err(diagnostics)) => assert!(diagnostics.has_errors(), "what is rejected has errors"),
        Ok(Ok(file)) => {
            file.automaton.verify();
            assert!(file.atoms.iter().map(|(atom, _)| atom).eq(&file.automaton.atoms), "the atoms have places");
            same_again(&file.automaton);
        }
    }
}

fn same_again(automaton: &Automaton) {
    let written = Source::new("fuzz", hoa::write(automaton));
    let Ok(again) = hoa::read(&written, &budget()) else { return };
    assert!(again.is_ok(), "what is written is read: {again:?}\n{}", written.text());
    let Ok(again) = again else { return };
    for seed in 0..N_WORDS {
        let word = random::word(seed, &automaton.atoms, 4);
        assert_eq!(again.automaton.accepts(&word), automaton.accepts(&word), "what is written means the same");
    }
}
