//! Checks a folder of benchmarks from elsewhere against its MANIFEST.md.
//!
//! Every Boolean program must be accepted; those that are sequential are checked by every engine, with the evidence
//! checked as well, and the answers compared with each other and with the recorded one. Programs with threads are
//! checked up to growing bounds, see [`crate::threads`]; pushdown systems are asked what their rows ask, see
//! [`crate::pushdown`]. What is not answered is named at the end.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base::{Budget, Silent, Source};
use driver::{CheckError, FrontOptions, Loaded, Options, Outcome, Question, Verdict};

use crate::STACK_BYTES;
use crate::manifest::{Entry, Expected, Manifest};
use crate::{pushdown, threads};

/// Enough for every file that is known; a file that needs more is a finding.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The oracle gives up early: most real files are too large for it.
pub(crate) const ORACLE_STEPS: u64 = 300_000;

/// What is tried on each sequential file: engine, whether with passes, limit on steps.
const SETTINGS: [(&str, bool, Option<u64>); 3] =
    [("summary", true, None), ("summary", false, None), ("explicit", false, Some(ORACLE_STEPS))];

/// Files that are not what their names say: they have to be rejected.
const NOT_PROGRAMS: &[(&str, &str)] = &[("WorkStealQueue_withmutex.bp", "half of it is C, rejected as it should be")];

/// How a file fared.
pub(crate) enum Fate {
    Answered { answer: String, oracle: &'static str },
    NotAnswered(String),
    NotChecked(&'static str),
    Failed(String),
}

/// Runs everything; the error says how many files failed.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let manifest_path = folder.join("MANIFEST.md");
    let text = std::fs::read_to_string(&manifest_path).map_err(|e| format!("{}: {e}", manifest_path.display()))?;
    let manifest = Manifest::parse(&text);
    let files = files(folder)?;
    let programs: Vec<&String> = files.iter().filter(|path| path.ends_with(".bp")).collect();
    let fates = side_by_side(programs.len(), &|at| {
        let entry = manifest.entry(programs[at]);
        entry.map_or_else(|| Fate::Failed("not in MANIFEST.md".into()), |entry| fate(folder, programs[at], &entry))
    })?;
    let mut failures = missing(&manifest, folder);
    let mut unanswered = Vec::new();
    println!("{:<45} {:>9}  {:<33} oracle", "file", "expected", "answer");
    for (path, fate) in programs.into_iter().zip(fates) {
        let expected = manifest.entry(path).map_or("", |entry| describe(entry.expected));
        match fate {
            Fate::Answered { answer, oracle } => println!("{path:<45} {expected:>9}  {answer:<33} {oracle}"),
            Fate::NotChecked(why) => println!("{path:<45} {expected:>9}  not checked: {why}"),
            Fate::NotAnswered(why) => {
                println!("{path:<45} {expected:>9}  not answered: {why}");
                unanswered.push(path.as_str());
            }
            Fate::Failed(why) => {
                println!("{path:<45} {expected:>9}  FAILED: {why}");
                failures.push(format!("{path}: {why}"));
            }
        }
    }
    println!("{} files were not answered: {}.", unanswered.len(), unanswered.join(", "));
    failures.extend(pushdown::run(folder, &text));
    if failures.is_empty() { Ok(()) } else { Err(format!("{} failures:\n{}", failures.len(), failures.join("\n"))) }
}

/// Does all pieces of work, as many at once as there are cores; the results are in order.
fn side_by_side<T: Send>(n: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::default();
    let worker = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= n {
                return;
            }
            let result = work(at);
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
        }
    };
    let n_workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        (0..n_workers)
            .try_for_each(|_| std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, worker).map(drop))
    })
    .map_err(|error| format!("cannot start a thread: {error}"))?;
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// All files below the folder, relative to it, in order.
fn files(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(directory) = open.pop() {
        let entries = std::fs::read_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", directory.display()))?.path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(relative) = path.strip_prefix(folder) {
                found.push(relative.display().to_string());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn missing(manifest: &Manifest, folder: &Path) -> Vec<String> {
    let absent = |candidates: &[String]| !candidates.iter().any(|path| folder.join(path).exists());
    let mentioned = manifest.mentioned(".bp").into_iter().filter(|(_, candidates)| absent(candidates));
    mentioned.map(|(file, _)| format!("{file}: in MANIFEST.md, but not there")).collect()
}

fn fate(folder: &Path, path: &str, entry: &Entry) -> Fate {
    let other = NOT_PROGRAMS.iter().find(|(name, _)| path.ends_with(name));
    match load(&folder.join(path), path) {
        Err(why) => other.map_or(Fate::Failed(why), |(_, reason)| Fate::NotChecked(reason)),
        Ok(_) if other.is_some() => Fate::Failed("accepted, although it is not a Boolean program".to_owned()),
        Ok(loaded) if !round_trips(&loaded) => Fate::Failed("what is printed is not what was read".to_owned()),
        Ok(loaded) if loaded.program.sequential_start().is_none() => {
            threads::check(&loaded, path, entry).unwrap_or_else(Fate::Failed)
        }
        Ok(loaded) => check(&loaded, entry).unwrap_or_else(Fate::Failed),
    }
}

/// Whether the canonical form and the text form of the model read as the same program.
fn round_trips(loaded: &Loaded) -> bool {
    let model = program::text::print(&loaded.program);
    let source = || workbench::fuzz::boolean_program(loaded.sources.bytes(base::FileId::default()));
    let lowered = || workbench::fuzz::model(model.as_bytes());
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (source(), lowered()))).is_ok()
}

/// Whether a file is in the dialect of Getafix, which counts rounds.
pub(crate) fn is_getafix(path: &str) -> bool {
    path.contains("/getafix/")
}

fn load(file: &Path, path: &str) -> Result<Loaded, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let dialect = if is_getafix(path) { "getafix" } else { "standard" };
    let options = FrontOptions::default().with_word("dialect", dialect);
    driver::load(Source::new(path, text), &front_bp::FRONT_END, &options).map_err(|(sources, diagnostics)| {
        let first = diagnostics.iter().next();
        let place = first.and_then(|first| first.primary.as_ref());
        let line = place.and_then(|label| sources.position(label.span)).map_or(0, |position| position.line);
        let message = first.map_or("no diagnostic", |first| first.message.as_str());
        format!("rejected with {} diagnostics, first in line {line}: {message}", diagnostics.len())
    })
}

pub(crate) fn question(entry: &Entry) -> Question {
    Question { labels: entry.label.clone().into_iter().collect(), ..Question::default() }
}

/// Asks all engines. An error is a failure, in words.
fn check(loaded: &Loaded, entry: &Entry) -> Result<Fate, String> {
    let question = question(entry);
    let mut outcomes = Vec::new();
    for (engine, passes, max_steps) in SETTINGS {
        let options = Options {
            engine: Some(engine.to_owned()),
            passes: if passes { None } else { Some(Vec::new()) },
            ..Options::default()
        };
        let budget = Budget::unlimited().with_time(Some(TIME_LIMIT)).with_max_steps(max_steps);
        match driver::check(loaded, &question, &options, &driver::Context::new(&budget, &Silent)) {
            Ok(outcome) => outcomes.push(outcome),
            Err(CheckError::Question(_)) if entry.expected != Expected::Violated => {
                return Ok(Fate::NotChecked("no assertion, so none fails"));
            }
            Err(error) => return Err(format!("{engine}, passes {:?}: {error:?}", options.passes)),
        }
    }
    judge(&outcomes, entry.expected)
}

/// Compares the outcomes, one for each setting, with each other and with what is expected.
fn judge(outcomes: &[Outcome], expected: Expected) -> Result<Fate, String> {
    let [main, _, oracle] = outcomes else { return Err("an engine gave no outcome".into()) };
    if outcomes.iter().any(|other| !compatible(&signs(main), &signs(other))) {
        let all: Vec<String> = outcomes.iter().map(signs).collect();
        return Err(format!("the engines disagree: {}", all.join(" ")));
    }
    let answer = answer(main);
    if answer == "unknown" {
        return Err("no answer within the limits".into());
    }
    if expected != Expected::Open && describe(expected) != answer {
        return Err(format!("the answer is `{answer}`"));
    }
    Ok(Fate::Answered { answer: answer.to_owned(), oracle: self::answer(oracle) })
}

/// Whether no target is decided differently.
pub(crate) fn compatible(left: &str, right: &str) -> bool {
    let agree = |(a, b): (char, char)| a == b || a == '?' || b == '?';
    left.len() == right.len() && left.chars().zip(right.chars()).all(agree)
}

pub(crate) fn describe(expected: Expected) -> &'static str {
    match expected {
        Expected::Holds => "holds",
        Expected::Violated => "violated",
        Expected::Open => "?",
    }
}

pub(crate) fn answer(outcome: &Outcome) -> &'static str {
    if outcome.is_violated() {
        "violated"
    } else if outcome.is_complete() {
        "holds"
    } else {
        "unknown"
    }
}

/// One sign per target: `-` not reached, `+` reached, `?` not decided, or only for fewer threads than the program starts.
pub(crate) fn signs(outcome: &Outcome) -> String {
    let sign = |verdict: &Verdict| match verdict {
        Verdict::Fails(_) => '+',
        Verdict::Holds if outcome.max_threads.is_none() => '-',
        Verdict::Holds | Verdict::Unknown(_) => '?',
    };
    outcome.findings.iter().map(|finding| sign(&finding.verdict)).collect()
}
