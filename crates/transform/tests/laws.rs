//! Laws that every pass obeys, alone and with all others, on random small programs: the same targets are reached by
//! runs of the same length, and evidence about the result is, taken back, evidence about the original.

#[path = "laws/certify.rs"]
mod certify;
#[path = "laws/random.rs"]
mod random;
#[path = "laws/search.rs"]
mod search;
#[path = "laws/states.rs"]
mod states;

use program::interp::replay;
use program::verify;
use search::Search;
use transform::{passes, pipeline};

/// All passes, each pass, and some pairs, as lists of names.
fn selections(seed: u64) -> Vec<Vec<String>> {
    let names: Vec<String> = passes().iter().map(|pass| pass.name().to_owned()).collect();
    let some = names.iter().enumerate().filter(|(at, _)| seed >> at & 1 == 1).map(|(_, name)| name.clone()).collect();
    let mut selections: Vec<Vec<String>> = names.iter().map(|name| vec![name.clone()]).collect();
    selections.extend([names, some]);
    selections
}

fn check(seed: u64) -> usize {
    let (program, targets) = random::random(seed);
    verify(&program).unwrap_or_else(|defects| panic!("seed {seed}: {defects:?}"));
    let original = Search::run(&program, &[]);
    let mut n_checked = 0;
    for names in selections(seed) {
        let pipeline = pipeline(&program, &targets, Some(&names)).unwrap();
        if pipeline.applied.is_empty() {
            continue;
        }
        let at = format!("seed {seed}, {:?}", pipeline.applied);
        verify(&pipeline.program).unwrap_or_else(|defects| panic!("{at}: {defects:?}"));
        let result = Search::run(&pipeline.program, pipeline.lengths());
        let mut unreached = Vec::new();
        for target in &targets {
            let expected = original.shortest(*target).map(|(length, _)| length);
            let found = result.shortest(*target);
            assert_eq!(found.as_ref().map(|(length, _)| *length), expected, "{at}: {target:?}");
            let Some((length, trace)) = found else {
                unreached.push(*target);
                continue;
            };
            let back = pipeline.trace_back(trace);
            assert_eq!(back.n_steps(), length, "{at}: {target:?}");
            if let Err(error) = replay(&program, &back, *target) {
                panic!("{at}: {target:?}: {error}\n{back:?}");
            }
            n_checked += 1;
        }
        if !unreached.is_empty() {
            let certificate = certify::certificate(&pipeline.program, &result, &unreached);
            // A certificate does not say by which entry a procedure was entered; these pairs would.
            let several_entries = program.procedures.iter().any(|procedure| procedure.entries.len() > 1);
            match certify::validate(&pipeline.program, &certificate) {
                Err(_) if several_entries => continue,
                outcome => outcome.unwrap_or_else(|why| panic!("{at}: of the result: {why}")),
            }
            let back = pipeline.certificate_back(certificate);
            certify::validate(&program, &back).unwrap_or_else(|why| panic!("{at}: {why}"));
            n_checked += 1;
        }
    }
    n_checked
}

#[test]
fn passes_keep_answers_and_evidence() {
    let from: u64 = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let n: u64 = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let n_checked: usize = (from..from + n).map(check).sum();
    assert!(n_checked as u64 > n, "only {n_checked} pieces of evidence: the programs are too simple");
}
