//! One program, all settings.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use base::{Budget, Cancel, Silent, Source};
use driver::{CheckError, FrontOptions, Loaded, Options, Outcome, Question, Verdict};
use program::{Bound, Program, TargetKind};

use super::setting::Setting;

/// A net under the limit on steps. When it holds something, the report may depend on the machine.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Frames of explicit stacks. Where more would be needed, unreached targets are not compared.
const MAX_DEPTH: u32 = 5;

/// So many changes of the active thread that small programs without loops that matter need no more.
const MANY_SWITCHES: u32 = 60;

/// What happened on one program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Examination {
    pub(super) violated: bool,
    pub(super) targets: u64,
    pub(super) reached: u64,
    /// Targets that the oracle has not decided, so that nobody is compared with it.
    pub(super) undecided: u64,
    pub(super) checks: u64,
    pub(super) traces: u64,
    pub(super) certificates: u64,
    /// Engines and algorithms that ended at a limit, once for each setting.
    pub(super) unknown: Vec<String>,
    /// Algorithms that are not made for this program, once for each setting.
    pub(super) unsupported: Vec<String>,
    pub(super) differences: Vec<Difference>,
}

/// Something that should not be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Difference {
    pub(super) kind: Kind,
    /// The setting and what it did, in words.
    text: String,
}

/// What sort of difference; shrinking keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The front end rejects the program.
    Rejected,
    /// A check panics.
    Panic,
    /// Evidence does not check.
    Evidence,
    /// There is no outcome for another reason.
    Error,
    /// Two settings give different answers.
    Answer,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether a target is reached, and by whom that was found out first.
type Known<'a> = Option<(bool, &'a Setting)>;

/// How a program is examined.
#[derive(Clone, Debug)]
pub(super) struct How {
    pub(super) settings: Vec<Setting>,
    /// How far threads are followed.
    pub(super) bound: Option<Bound>,
    /// Limit on the steps of each check.
    pub(super) max_steps: u64,
}

/// Checks the program with every setting and compares.
pub(super) fn examine(text: &str, how: &How, cancel: &Cancel) -> Examination {
    let mut examination = Examination::default();
    let loaded = match load(text) {
        Ok(loaded) => loaded,
        Err(difference) => {
            examination.differences.push(difference);
            return examination;
        }
    };
    let question = question(&loaded.program);
    let (mut known, mut known_unbounded) = (Vec::new(), Vec::new());
    for setting in &how.settings {
        let budget = Budget::unlimited()
            .with_time(Some(TIME_LIMIT))
            .with_max_steps(Some(how.max_steps))
            .with_max_depth(Some(MAX_DEPTH))
            .with_cancel(cancel.clone());
        examination.checks += 1;
        let (bound, known) = match setting.unbounded {
            false => (how.bound, &mut known),
            true => (Some(Bound::Switches(MANY_SWITCHES)), &mut known_unbounded),
        };
        match check(&loaded, &question, setting, bound, &budget) {
            Err(difference) => examination.differences.push(difference),
            Ok(None) => examination.unsupported.push(setting.how.to_string()),
            Ok(Some(outcome)) => {
                examination.count(setting, &outcome);
                examination.differences.extend(compare(known, setting, &outcome));
            }
        }
    }
    examination
}

fn load(text: &str) -> Result<Loaded, Difference> {
    let source = Source::new("random.bp", text);
    let load = || driver::load(source, &front_bp::FRONT_END, &FrontOptions::default());
    let loaded = catch_unwind(AssertUnwindSafe(load)).map_err(|panic| Difference {
        kind: Kind::Panic,
        text: format!("reading the program panics: {}", message(panic.as_ref())),
    })?;
    loaded.map_err(|(_, diagnostics)| {
        let messages: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        Difference { kind: Kind::Rejected, text: format!("the program is rejected: {}", messages.join("; ")) }
    })
}

/// All assertions and all labels, each procedure's by itself.
fn question(program: &Program) -> Question {
    let qualified = |location: &program::Location| {
        let procedure = program.procedures[location.procedure].name.clone();
        location.labels.iter().map(move |label| format!("{procedure}::{label}")).collect::<Vec<_>>()
    };
    let mut labels: Vec<String> = program.locations.iter().flat_map(qualified).collect();
    labels.sort();
    labels.dedup();
    Question { assertions: true, labels, statements: false }
}

fn check(
    loaded: &Loaded,
    question: &Question,
    setting: &Setting,
    bound: Option<Bound>,
    budget: &Budget,
) -> Result<Option<Outcome>, Difference> {
    let (engine, algorithm) = setting.how.choice();
    let options = Options {
        bound,
        engine,
        algorithm,
        sequentialize: setting.how.is_sequentialized(),
        passes: Some(setting.passes.iter().map(ToString::to_string).collect()),
        ..Options::default()
    };
    let run = || driver::check(loaded, question, &options, &driver::Context::new(budget, &Silent));
    let result = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Difference {
        kind: Kind::Panic,
        text: format!("{setting} panics: {}", message(panic.as_ref())),
    })?;
    let is_partial = setting.how.is_partial();
    result.map(Some).or_else(|error| match error {
        CheckError::Unsupported(..) if is_partial => Ok(None),
        CheckError::Evidence(what) => Err(Difference { kind: Kind::Evidence, text: format!("{setting}: {what}") }),
        other => Err(Difference { kind: Kind::Error, text: format!("{setting}: {other:?}") }),
    })
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("(no message)").to_owned()
}

/// One difference for each target that is known to be different. What was not known so far is learnt.
fn compare<'a>(known: &mut Vec<Known<'a>>, setting: &'a Setting, outcome: &Outcome) -> Vec<Difference> {
    let difference = |text| Difference { kind: Kind::Answer, text };
    if known.is_empty() {
        known.resize(outcome.findings.len(), None);
    }
    if known.len() != outcome.findings.len() {
        return vec![difference(format!("{setting} has {} targets, not {}", outcome.findings.len(), known.len()))];
    }
    let word = |reached: bool| if reached { "reached" } else { "not reached" };
    let mut differences = Vec::new();
    for (known, finding) in known.iter_mut().zip(&outcome.findings) {
        let now = match finding.verdict {
            // Others may follow more threads.
            Verdict::Holds if outcome.max_threads.is_some() => continue,
            Verdict::Holds => false,
            Verdict::Fails(_) => true,
            Verdict::Unknown(_) => continue,
        };
        let (before, by) = *known.get_or_insert((now, setting));
        if before != now {
            let target = describe(&finding.target.kind, finding.target.location);
            differences.push(difference(format!("{target}: {} by {by}, {} by {setting}", word(before), word(now))));
        }
    }
    differences
}

fn describe(kind: &TargetKind, location: program::LocationId) -> String {
    match kind {
        TargetKind::Label(label) => format!("label {label}"),
        TargetKind::Assertion | TargetKind::Statement => format!("assertion at location {}", location.0),
    }
}

impl Examination {
    /// Adds up. Targets and verdicts are those of the first setting.
    fn count(&mut self, setting: &Setting, outcome: &Outcome) {
        let fails = |finding: &&driver::Finding| matches!(finding.verdict, Verdict::Fails(_));
        if self.checks == 1 {
            let violated = |finding: &driver::Finding| finding.target.kind == TargetKind::Assertion;
            self.violated = outcome.findings.iter().filter(fails).any(violated);
            self.targets = outcome.findings.len() as u64;
            self.reached = outcome.findings.iter().filter(fails).count() as u64;
            let unknown = |finding: &&driver::Finding| matches!(finding.verdict, Verdict::Unknown(_));
            self.undecided = outcome.findings.iter().filter(unknown).count() as u64;
        }
        let replayed = |finding: &&driver::Finding| match &finding.verdict {
            Verdict::Fails(counterexample) => counterexample.replayed.is_yes(),
            Verdict::Holds | Verdict::Unknown(_) => false,
        };
        self.traces += outcome.findings.iter().filter(replayed).count() as u64;
        self.certificates += u64::from(outcome.proof.as_ref().is_some_and(|proof| proof.validated.is_yes()));
        if outcome.stopped.is_some() {
            self.unknown.push(setting.how.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "decl g; void main() begin g := T; assert(g); if (!g) then L: skip; fi M: skip; end";

    fn run(text: &str, settings: &[Setting]) -> Examination {
        let how = How { settings: settings.to_vec(), bound: None, max_steps: 1_000_000 };
        examine(text, &how, &Cancel::new())
    }

    #[test]
    fn targets_traces_and_certificates_are_counted() {
        let settings = Setting::for_seed(1);
        let examination = run(TEXT, &settings);
        assert_eq!(examination.differences, []);
        assert_eq!((examination.targets, examination.reached, examination.violated), (3, 1, false));
        // The oracle gives no certificates.
        assert_eq!((examination.checks, examination.traces, examination.certificates), (14, 14, 12));
    }

    #[test]
    fn what_goes_wrong_is_a_difference() {
        let nobody =
            Setting { how: super::super::setting::How::Engine("nobody"), passes: Vec::new(), unbounded: false };
        assert_eq!(run(TEXT, &[nobody]).differences[0].kind, Kind::Error);
        assert_eq!(run("void main() begin x := T; end", &Setting::for_seed(1)).differences[0].kind, Kind::Rejected);
    }

    #[test]
    fn different_answers_are_a_difference() {
        let loaded = load(TEXT).unwrap();
        let settings = Setting::for_seed(1);
        let mut outcome =
            check(&loaded, &question(&loaded.program), &settings[0], None, &Budget::unlimited()).unwrap().unwrap();
        let mut known = Vec::new();
        assert!(compare(&mut known, &settings[0], &outcome).is_empty());
        for finding in &mut outcome.findings {
            finding.verdict = match finding.target.kind {
                TargetKind::Assertion => Verdict::Unknown(base::StopReason::Steps),
                _ => Verdict::Holds,
            };
        }
        let differences = compare(&mut known, &settings[1], &outcome);
        let texts: Vec<String> = differences.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["label main::M: reached by explicit without passes, not reached by summary without passes"]);
        outcome.findings.pop();
        assert_eq!(compare(&mut known, &settings[1], &outcome)[0].kind, Kind::Answer);
    }
}
