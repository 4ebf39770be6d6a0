//! What a file with a trace says about its run, beside what is so.

use report::json::difference::difference;
use report::json::outcome::{Answer, REPORT_SCHEMA, TargetName};
use report::json::replay::Replay;
use report::json::temporal::{Lasso, Temporal};
use report::json::trace::{TRACE_SCHEMA, Trace};
use report::visible::{abridged, visible};
use serde_json::{Error, Value, from_value, to_value};

/// What a file contains.
pub(super) enum Written {
    Trace(Box<TraceClaims>),
    Lasso(Box<LassoClaims>),
}

/// What a file says about a run that reaches a target.
pub(super) struct TraceClaims {
    /// The run itself.
    pub(super) choices: Replay,
    /// What it is said to reach.
    pub(super) target: TargetName,
    /// The target and the trace as they are written.
    written: (Value, Value),
    /// What a report says about all targets together.
    result: Option<Value>,
}

/// What a report says about a run without end.
pub(super) struct LassoClaims {
    /// The property that it is said to violate.
    pub(super) temporal: Temporal,
    /// The run itself.
    pub(super) lasso: Lasso,
    /// The run as it is written.
    written: Value,
    /// What the report says about the property.
    result: Option<Value>,
}

/// Keys of a target in a report that are not part of its name.
const BESIDE_THE_NAME: [&str; 5] = ["verdict", "reason", "evidence", "vacuous", "trace"];

/// Keys of a trace that replaying finds out, or does not repeat: that no run is shorter is for an engine to say.
const NOT_REPEATED: [&str; 2] = ["shortest", "replayed"];

/// Keys of a run without end that only executing its rounds tells.
const OF_ROUNDS: [&str; 2] = ["rounds", "growth"];

impl TraceClaims {
    /// What the file says about the run that is not so.
    pub(super) fn contradicted(&self, target: &TargetName, told: &Trace) -> Option<String> {
        let (claimed, trace) = &self.written;
        let (name, truth) = (without(claimed, &BESIDE_THE_NAME), to_value(target).ok()?);
        not_violated("verdict", claimed.get("verdict"))
            .or_else(|| not_violated("result", self.result.as_ref()))
            .or_else(|| difference("target", &name, &truth))
            .or_else(|| contradicted_trace("trace", trace, told))
    }
}

impl LassoClaims {
    /// What the report says about the run that is not so.
    pub(super) fn contradicted(&self, told: &Lasso) -> Option<String> {
        let truth = to_value(told).ok()?;
        let was_replayed = self.written.pointer("/trace/replayed") == Some(&Value::Bool(true));
        let ignored: &[&str] = if was_replayed { &[] } else { &OF_ROUNDS };
        let rest = |lasso: &Value| without(&without(lasso, ignored), &["trace"]);
        let trace = self.written.get("trace").unwrap_or(&Value::Null);
        not_violated("result", self.result.as_ref())
            .or_else(|| difference("temporal.lasso", &rest(&self.written), &rest(&truth)))
            .or_else(|| contradicted_trace("temporal.lasso.trace", trace, &told.trace))
    }
}

fn without(object: &Value, keys: &[&str]) -> Value {
    let kept = |(key, _): &(&String, &Value)| !keys.contains(&key.as_str());
    let entries = object.as_object().into_iter().flatten().filter(kept);
    entries.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn contradicted_trace(at: &str, claimed: &Value, told: &Trace) -> Option<String> {
    let truth = to_value(told).ok()?;
    difference(at, &without(claimed, &NOT_REPEATED), &without(&truth, &NOT_REPEATED))
}

/// What is wrong with a verdict that comes with a run.
fn not_violated(key: &str, verdict: Option<&Value>) -> Option<String> {
    let verdict = verdict?;
    let answer: Result<Answer, Error> = from_value(verdict.clone());
    let is_violated = matches!(answer, Ok(Answer::Violated | Answer::Unreplayed));
    let shown = abridged(&verdict.to_string(), 80).into_owned();
    (!is_violated).then(|| format!("`{key}` is {shown} in the file, but the run is a violation"))
}

/// A document with one trace, or the `nth` trace of a report; a report about a temporal property has one run.
pub(super) fn read(text: &str, nth: usize) -> Result<Written, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match document.get("schema").and_then(Value::as_str) {
        Some(TRACE_SCHEMA) => trace_claims(part(&document, "target")?, part(&document, "trace")?, None),
        Some(REPORT_SCHEMA) => in_report(&document, nth),
        Some(other) => Err(format!("its schema is `{}`", visible(other))),
        None => Err("it names no schema".to_owned()),
    }
}

fn in_report(report: &Value, nth: usize) -> Result<Written, String> {
    let index = nth.checked_sub(1).ok_or("traces are counted from one")?;
    let none = || format!("the report has no trace number {nth}");
    let result = report.get("result").cloned();
    if let Some(temporal) = report.get("temporal") {
        let written = temporal.get("lasso").filter(|lasso| index == 0 && !lasso.is_null()).ok_or_else(none)?.clone();
        let lasso = from_value(written.clone()).map_err(|error| unreadable(&error))?;
        let temporal = from_value(temporal.clone()).map_err(|error| unreadable(&error))?;
        return Ok(Written::Lasso(Box::new(LassoClaims { temporal, lasso, written, result })));
    }
    let targets = part(report, "targets")?.as_array().ok_or("its targets are no list")?;
    let mut with_trace = targets.iter().filter(|target| target.get("trace").is_some_and(|trace| !trace.is_null()));
    let target = with_trace.nth(index).ok_or_else(none)?;
    trace_claims(target, part(target, "trace")?, result)
}

fn trace_claims(target: &Value, trace: &Value, result: Option<Value>) -> Result<Written, String> {
    let choices = trace.get("replay").filter(|choices| !choices.is_null()).ok_or("it has no choices")?;
    let choices = from_value(choices.clone()).map_err(|error| unreadable(&error))?;
    let name = from_value(target.clone()).map_err(|error| unreadable(&error))?;
    let written = (target.clone(), trace.clone());
    Ok(Written::Trace(Box::new(TraceClaims { choices, target: name, written, result })))
}

fn part<'a>(value: &'a Value, key: &str) -> Result<&'a Value, String> {
    value.get(key).ok_or_else(|| format!("missing field `{key}`"))
}

fn unreadable(error: &Error) -> String {
    error.to_string()
}
