//! The corpus: every program in every engine, algorithm and mode, all against the one expectation in its header; every
//! trace replayed, every certificate validated.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::{Budget, Silent, Source, StopReason};
use driver::front::recognise;
use driver::{Algorithm, CheckError, Control, FrontEnd, FrontOptions, Loaded, Options, Question, Verdict};
use program::Bound;

/// What a header says.
struct Expectation {
    question: Question,
    violated: Option<bool>,
    reachable: BTreeMap<String, bool>,
    options: FrontOptions,
    /// How far threads are followed for the answers above.
    bound: Bound,
    /// Whether an assertion is violated within other bounds.
    within: Vec<(Bound, bool)>,
}

/// `3 switches`, `1 round`.
fn bound(text: &str) -> Bound {
    let (k, what) = text.split_once(' ').expect("a number and what is counted");
    let k = k.parse().expect("a number");
    if what.starts_with("round") { Bound::Rounds(k) } else { Bound::Switches(k) }
}

fn expectation(text: &str) -> Expectation {
    let mut question = Question::default();
    let (mut violated, mut reachable, mut options) = (None, BTreeMap::new(), FrontOptions::default());
    let (mut largest, mut within) = (Bound::Switches(4), Vec::new());
    let comment = |line: &'_ str| line.trim().strip_prefix("// ").or(line.trim().strip_prefix("# ")).map(str::to_owned);
    for line in text.lines().filter_map(comment) {
        let line = line.as_str();
        if let Some(answer) = line.strip_prefix("expect: ") {
            violated = Some(answer == "violated");
            question.assertions = true;
        } else if let Some((label, answer)) = line.strip_prefix("reach: ").and_then(|rest| rest.split_once(' ')) {
            reachable.insert(label.to_owned(), answer == "reachable");
            question.labels.push(label.to_owned());
        } else if line == "dialect: getafix" {
            options = options.with_word("dialect", "getafix");
        } else if let Some(entry) = line.strip_prefix("entry: ") {
            options = options.with_word("entry", entry);
        } else if let Some(k) = line.strip_prefix("switches: ") {
            largest = bound(&format!("{k} switches"));
        } else if let Some((smaller, answer)) = line.strip_prefix("within ").and_then(|rest| rest.split_once(": ")) {
            within.push((bound(smaller), answer == "violated"));
        }
    }
    Expectation { question, violated, reachable, options, bound: largest, within }
}

fn files() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folders = ["bp", "pds"].map(|language| corpus.join(language));
    let entries = folders.into_iter().flat_map(|folder| std::fs::read_dir(folder).expect("it is part of the project"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it is readable").path()).collect();
    files.sort();
    files
}

fn language(file: &Path) -> &'static FrontEnd {
    recognise(driver::front_ends(), file, b"").expect("there are front ends")
}

/// All engines, each without passes, with all of them, and with each one alone.
fn modes() -> Vec<Options> {
    let passes = transform::passes().iter().map(|pass| vec![pass.name().to_owned()]);
    let settings = || passes.clone().map(Some).chain([None, Some(Vec::new())]);
    let engines = engine::engines().into_iter().map(|engine| engine.name().to_owned());
    engines
        .flat_map(|engine| {
            settings().map(move |passes| Options { engine: Some(engine.clone()), passes, ..Options::default() })
        })
        .collect()
}

/// All interleavings, and the sequential form up to the bound, each without passes and with all of them.
fn rewritten() -> impl Iterator<Item = Options> {
    let product = Options { engine: Some("product".to_owned()), ..Options::default() };
    let sequential = Options { sequentialize: true, engine: Some("summary".to_owned()), ..Options::default() };
    let with = |options: Options| [None, Some(Vec::new())].map(|passes| Options { passes, ..options.clone() });
    [product, sequential].into_iter().flat_map(with)
}

/// The algorithms that say what is reached, each without passes and with all of them; one of them also with everything
/// in decision diagrams.
fn algorithms() -> Vec<Options> {
    let names = engine::formula::ALGORITHMS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !["non-termination", "recurrence"].contains(name));
    let explicit = names.map(Algorithm::built_in);
    let symbolic = Algorithm { control: Control::Symbolic, ..Algorithm::built_in("entry-forward") };
    let all = explicit.chain([symbolic]);
    let with = |algorithm: Algorithm, passes| Options { algorithm: Some(algorithm), passes, ..Options::default() };
    all.flat_map(|algorithm| [None, Some(Vec::new())].map(|passes| with(algorithm.clone(), passes))).collect()
}

/// The engine or the algorithm of a mode.
fn who(options: &Options) -> String {
    match &options.algorithm {
        Some(algorithm) if algorithm.control == Control::Symbolic => format!("{}.fp, symbolic control", algorithm.name),
        Some(algorithm) => format!("{}.fp", algorithm.name),
        None if options.sequentialize => "sequential form".to_owned(),
        None => options.engine.clone().unwrap_or_default(),
    }
}

/// Large programs are checked by the engines alone, and with threads only after all passes: in the development profile
/// the algorithms would take minutes for them.
fn is_too_large(options: &Options, loaded: &Loaded, bound: Bound) -> bool {
    const MOST_LOCATIONS: usize = 400;
    const MOST_WITH_THREADS: usize = 40;
    const MOST_SEQUENTIALIZED: usize = 20;
    let n_locations = loaded.program.locations.len();
    let has_threads = loaded.program.threads.len() > 1;
    let is_concurrent = !loaded.program.is_single_threaded();
    let is_small = matches!(bound, Bound::Switches(..=3) | Bound::Rounds(..=2));
    let is_plain = options.passes.is_some();
    let is_large_with_threads = has_threads && n_locations > MOST_WITH_THREADS;
    let is_product = options.engine.as_deref() == Some("product");
    // Slots are threads too, more than formulae follow in a short time.
    // Copies of the shared variables cost more than anything else.
    (options.sequentialize && (!is_concurrent || n_locations > MOST_SEQUENTIALIZED || !is_small))
        || (options.algorithm.is_some() && !has_threads && is_concurrent)
        || (is_product && (!is_concurrent || n_locations > MOST_WITH_THREADS))
        || (options.algorithm.is_some() && (n_locations > MOST_LOCATIONS || (is_plain && is_large_with_threads)))
}

/// Whether a mode is about this kind of bound.
fn is_about(options: &Options, bound: Bound) -> bool {
    match options.algorithm.as_ref().map(|algorithm| algorithm.name.as_str()) {
        Some("context-bounded") => matches!(bound, Bound::Switches(_)),
        Some("round-robin") => matches!(bound, Bound::Rounds(_)),
        _ => true,
    }
}

/// Checks one program in one mode; false when the engine does not support it.
fn check(name: &str, loaded: &Loaded, expected: &Expectation, options: &Options) -> bool {
    let options = &Options { bound: Some(expected.bound), ..options.clone() };
    let budget = Budget::unlimited().with_max_steps(Some(2_000_000)).with_max_depth(Some(8));
    let outcome = match driver::check(loaded, &expected.question, options, &driver::Context::new(&budget, &Silent)) {
        Ok(outcome) => outcome,
        Err(CheckError::Unsupported(..)) => return false,
        Err(error) => panic!("{name}, {options:?}: {error:?}"),
    };
    let mut found: Vec<program::LocationId> = Vec::new();
    for finding in &outcome.findings {
        match &finding.verdict {
            Verdict::Fails(counterexample) => {
                assert!(counterexample.replayed.is_yes(), "{name}, {options:?}");
                found.push(finding.target.location);
            }
            // Where stacks are followed up to a height only, nothing is said about what is not reached.
            Verdict::Holds | Verdict::Unknown(StopReason::Depth) => {}
            Verdict::Unknown(reason) => panic!("{name}, {options:?}: {reason}"),
        }
    }
    let any_found = |targets: Vec<program::Target>| targets.iter().any(|target| found.contains(&target.location));
    let of_label = |label: &String| (label.clone(), any_found(loaded.program.label_targets(label)));
    let reached: BTreeMap<String, bool> = expected.reachable.keys().map(of_label).collect();
    let violated = any_found(loaded.program.assertion_targets());
    assert_eq!(reached, expected.reachable, "{name}, {options:?}");
    assert_eq!(violated, expected.violated.unwrap_or(false), "{name}, {options:?}");
    assert!(outcome.proof.is_none_or(|proof| proof.validated.is_yes()), "{name}, {options:?}");
    true
}

/// Checks the assertions within smaller bounds.
fn check_within(name: &str, loaded: &Loaded, expected: &Expectation, options: &Options) {
    let question = Question { assertions: true, ..Question::default() };
    for (bound, violated) in expected.within.iter().filter(|(bound, _)| is_about(options, *bound)) {
        let options = Options { bound: Some(*bound), ..options.clone() };
        match driver::check(loaded, &question, &options, &driver::Context::new(&Budget::unlimited(), &Silent)) {
            Ok(outcome) => {
                // Without a bound more is reached.
                let is_more = outcome.engine == "product" && !*violated;
                assert!(is_more || outcome.is_violated() == *violated, "{name}, {options:?}");
                let is_bounded = outcome.bound == Some(*bound);
                let needs_none = outcome.is_converged || outcome.engine == "product";
                assert!(outcome.is_complete() && (is_bounded || needs_none), "{name}, {options:?}");
            }
            Err(error) => assert!(matches!(error, CheckError::Unsupported(..)), "{name}, {options:?}: {error:?}"),
        }
    }
}

#[test]
fn every_program_in_every_mode() {
    let mut unsupported: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut n_checked = 0;
    for file in files() {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&file).expect("it is readable");
        let expected = expectation(&text);
        let source = Source::new(name.as_str(), text);
        let loaded = driver::load(source, language(&file), &expected.options)
            .unwrap_or_else(|(_, diagnostics)| panic!("{name}: {diagnostics:?}"));
        for options in modes().into_iter().chain(rewritten()).chain(algorithms()) {
            if is_too_large(&options, &loaded, expected.bound) {
                continue;
            }
            if !is_about(&options, expected.bound) {
                check_within(&name, &loaded, &expected, &options);
            } else if check(&name, &loaded, &expected, &options) {
                n_checked += 1;
                check_within(&name, &loaded, &expected, &options);
            } else if options.passes.as_ref().is_none_or(Vec::is_empty) {
                // What all passes make possible is listed as well if it is not possible without them.
                unsupported.entry(who(&options)).or_default().insert(name.clone());
            }
        }
    }
    assert!(n_checked > 0, "the corpus is not empty");
    // What an engine does not support is listed, so that coverage cannot shrink unseen.
    insta::assert_yaml_snapshot!(unsupported);
}
