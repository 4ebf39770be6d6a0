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
#[path = "laws/threads.rs"]
mod threads;

use std::sync::Arc;

use base::{Budget, Context, Silent};
use program::interp::replay;
use program::{LocationId, Program, verify};
use search::Search;
use transform::{Way, passes, selected};

/// All passes, each pass, and some pairs, as lists of names.
fn selections(seed: u64) -> Vec<Vec<String>> {
    let names: Vec<String> = passes().iter().map(|pass| pass.name().to_owned()).collect();
    let some = names.iter().enumerate().filter(|(at, _)| seed >> at & 1 == 1).map(|(_, name)| name.clone()).collect();
    let mut selections: Vec<Vec<String>> = names.iter().map(|name| vec![name.clone()]).collect();
    selections.extend([names, some]);
    selections
}

/// A program after some passes.
fn after(program: &Arc<Program>, targets: &[LocationId], names: &[String]) -> Way {
    let Ok(passes) = selected(Some(names)) else { panic!("the names are known") };
    let mut way = Way::new(Arc::clone(program), targets.to_vec());
    let budget = Budget::unlimited();
    for pass in passes {
        assert_eq!(way.take(&pass, &Context::new(&budget, &Silent)), Ok(()), "passes refuse nothing");
    }
    way
}

/// Checks one program under several selections; returns how many pieces of evidence there were.
fn check(seed: u64) -> usize {
    let (program, targets) = random::sequential(seed);
    verify(&program).unwrap_or_else(|defects| panic!("seed {seed}: {defects:?}"));
    let program = Arc::new(program);
    let original = Search::run(&program, &[]);
    let lengths: Vec<Option<u64>> = targets.iter().map(|it| original.shortest(*it).map(|(length, _)| length)).collect();
    let mut n_checked = 0;
    for names in selections(seed) {
        let way = after(&program, &targets, &names);
        if !way.steps().is_empty() {
            let at = format!("seed {seed}, {:?}", way.names());
            verify(&way.subject.program).unwrap_or_else(|defects| panic!("{at}: {defects:?}"));
            n_checked += check_evidence(&program, &targets, &lengths, &way, &at);
        }
    }
    n_checked
}

fn check_evidence(program: &Program, targets: &[LocationId], lengths: &[Option<u64>], way: &Way, at: &str) -> usize {
    let result = Search::run(&way.subject.program, &way.subject.lengths);
    let mut unreached = Vec::new();
    let mut n_checked = 0;
    for (target, expected) in targets.iter().zip(lengths) {
        let found = result.shortest(*target);
        assert_eq!(found.as_ref().map(|(length, _)| *length), *expected, "{at}: {target:?}");
        let Some((length, trace)) = found else {
            unreached.push(*target);
            continue;
        };
        let back = way.trace_back(trace, &Context::new(&Budget::unlimited(), &Silent));
        let Ok(back) = back else { panic!("{at}: {target:?}: {back:?}") };
        assert_eq!(back.n_steps(), length, "{at}: {target:?}");
        if let Err(error) = replay(program, &back, *target) {
            panic!("{at}: {target:?}: {error}\n{back:?}");
        }
        n_checked += 1;
    }
    n_checked + usize::from(!unreached.is_empty() && check_certificate(program, &unreached, way, &result, at))
}

fn check_certificate(program: &Program, unreached: &[LocationId], way: &Way, result: &Search<'_>, at: &str) -> bool {
    let certificate = certify::certificate(&way.subject.program, result, unreached);
    // A certificate does not say by which entry a procedure was entered; these pairs would.
    let several_entries = program.procedures.iter().any(|procedure| procedure.entries.len() > 1);
    match certify::validate(&way.subject.program, &certificate) {
        Err(_) if several_entries => return false,
        outcome => outcome.unwrap_or_else(|why| panic!("{at}: of the result: {why}")),
    }
    let Some(back) = way.certificate_back(certificate) else { panic!("{at}: a certificate is lost") };
    assert!(back.about.is_none(), "{at}");
    certify::validate(program, &back.certificate).unwrap_or_else(|why| panic!("{at}: {why}"));
    true
}

/// Which seeds to try: `SEED` and `PROGRAMS` ask for others.
fn seeds(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let from = number("SEED").unwrap_or(0);
    from..from + number("PROGRAMS").unwrap_or(default)
}

#[test]
fn passes_keep_answers_and_evidence() {
    let seeds = seeds(300);
    let n = seeds.end - seeds.start;
    let n_checked: usize = seeds.map(check).sum();
    assert!(n_checked as u64 > n, "only {n_checked} pieces of evidence: the programs are too simple");
}

#[test]
fn passes_keep_answers_about_threads() {
    let seeds = seeds(300);
    let n = seeds.end - seeds.start;
    let mut n_reached = 0;
    for seed in seeds {
        let (program, targets) = random::concurrent(seed);
        verify(&program).unwrap_or_else(|defects| panic!("seed {seed}: {defects:?}"));
        let program = Arc::new(program);
        let Some(expected) = threads::reached(&program) else { continue };
        for names in selections(seed) {
            let way = after(&program, &targets, &names);
            let Some(found) = threads::reached(&way.subject.program) else { continue };
            for target in &targets {
                let reached = expected.contains(target);
                assert_eq!(found.contains(target), reached, "seed {seed}, {:?}: {target:?}", way.names());
                n_reached += u64::from(reached && !way.steps().is_empty());
            }
        }
    }
    assert!(n_reached > n, "only {n_reached} targets are reached: the programs are too simple");
}
