//! Programs with threads: one bound after the other, until an answer is found or time is up.
//!
//! Where an answer is recorded, it must be found, with the exceptions in [`OPEN`]. A program without a recorded answer gets
//! little time: what is checked there is that engines agree and evidence checks.

use std::time::{Duration, Instant};

use base::{Budget, Silent};
use driver::{CheckError, Loaded, Options, Outcome};
use program::Bound;

use crate::external::{Fate, ORACLE_STEPS, answer, compatible, describe, is_getafix, question, signs};
use crate::manifest::{Entry, Expected};

/// The largest bound that is tried.
const MAX_BOUND: u32 = 4;

/// For a file with a recorded answer, all bounds together.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// For a file without one.
const SHORT_TIME_LIMIT: Duration = Duration::from_secs(2);

/// Files whose recorded answer may be out of reach, with the time that they get.
const OPEN: &[(&str, Duration, &str)] = &[
    ("fib_4_unsafe.bp", TIME_LIMIT, "the fourth round may take longer than the limit"),
    ("fib_5_unsafe.bp", SHORT_TIME_LIMIT, "the fourth round takes minutes"),
    ("Threads5.bp", SHORT_TIME_LIMIT, "threads are started without end, and five switches among them are needed"),
];

/// What was found out.
struct Found {
    /// The last bound with an answer, and the answer.
    best: Option<(Bound, Outcome)>,
    /// Why there was no answer for the next one.
    ended: Option<String>,
}

/// Asks with growing bounds, and the oracle with the last of them. An error is a failure, in words.
pub(crate) fn check(loaded: &Loaded, path: &str, entry: &Entry) -> Result<Fate, String> {
    let found = match search(loaded, path, entry) {
        Err(CheckError::Question(_)) if entry.expected != Expected::Violated => {
            return Ok(Fate::NotChecked("no assertion, so none fails"));
        }
        found => found.map_err(|error| format!("{error:?}"))?,
    };
    let ended = found.ended.map(|why| format!(", then {why}")).unwrap_or_default();
    let Some((bound, outcome)) = found.best else {
        return unanswered(path, entry, format!("nothing{ended}"));
    };
    let oracle = ask(loaded, entry, bound, Some("explicit"), TIME_LIMIT).map_err(|error| format!("{error:?}"))?;
    if !compatible(&signs(&outcome), &signs(&oracle)) {
        return Err(format!("the engines disagree: {} {}", signs(&outcome), signs(&oracle)));
    }
    match (entry.expected, outcome.is_violated()) {
        (Expected::Holds, true) => Err(format!("violated within {bound}")),
        (Expected::Violated, false) => unanswered(path, entry, format!("none within {bound}{ended}")),
        (Expected::Holds, false) if !ended.is_empty() => unanswered(path, entry, format!("none within {bound}{ended}")),
        (_, is_violated) => {
            let word = if is_violated { "violated" } else { "none" };
            Ok(Fate::Answered { answer: format!("{word} within {bound}{ended}"), oracle: answer(&oracle) })
        }
    }
}

/// No answer, or not the one that is recorded, is a failure unless it is known or none is recorded.
fn unanswered(path: &str, entry: &Entry, what: String) -> Result<Fate, String> {
    match OPEN.iter().find(|(name, ..)| path.ends_with(name)) {
        Some((.., why)) => Ok(Fate::NotAnswered(format!("{what} ({why})"))),
        None if entry.expected == Expected::Open => Ok(Fate::NotAnswered(what)),
        None => Err(format!("`{}` is not confirmed: {what}", describe(entry.expected))),
    }
}

/// Tries bound after bound. One that cannot be answered does not end the search: a violation may need a larger one.
fn search(loaded: &Loaded, path: &str, entry: &Entry) -> Result<Found, CheckError> {
    let limit = match OPEN.iter().find(|(name, ..)| path.ends_with(name)) {
        Some((_, limit, _)) => *limit,
        None if entry.expected == Expected::Open => SHORT_TIME_LIMIT,
        None => TIME_LIMIT,
    };
    let started = Instant::now();
    let mut found = Found { best: None, ended: None };
    for k in 1..=MAX_BOUND {
        let left = limit.saturating_sub(started.elapsed());
        let bound = if is_getafix(path) { Bound::Rounds(k) } else { Bound::Switches(k) };
        let outcome = ask(loaded, entry, bound, None, left)?;
        if outcome.is_violated() {
            return Ok(Found { best: Some((bound, outcome)), ended: None });
        }
        match outcome.stopped {
            None => found.best = Some((bound, outcome)),
            Some(reason) => {
                found.ended.get_or_insert_with(|| reason.to_string());
            }
        }
        if started.elapsed() >= limit {
            break;
        }
    }
    Ok(found)
}

fn ask(
    loaded: &Loaded,
    entry: &Entry,
    bound: Bound,
    engine: Option<&str>,
    limit: Duration,
) -> Result<Outcome, CheckError> {
    let max_steps = engine.is_some().then_some(ORACLE_STEPS);
    let options = Options { engine: engine.map(str::to_owned), bound: Some(bound), ..Options::default() };
    let budget = Budget::unlimited().with_time(Some(limit)).with_max_steps(max_steps);
    driver::check(loaded, &question(entry), &options, &driver::Context::new(&budget, &Silent))
}
