//! `cauldron replay`: a trace, or a run without end, run again step by step.
//!
//! Nothing in the file is believed but the choices, and those are executed. What is said about the run is derived from the
//! program and the run; a file that says something else about it is refused. Only files that the user names are opened.

use base::{Source, StopReason};
use driver::temporal::{Judgement, Specification, Violation, judge};
use driver::{Checked, Counterexample, Loaded, Question};
use program::interp::{Fault, replay_within};
use program::{LocationId, Role, Target, TargetKind};
use report::json::outcome::{TargetName, TargetWord, target_names};
use report::json::temporal::{Lasso, PropertyKind, RunsWord, Temporal};
use report::json::trace::{Telling, Trace};
use report::text::trace::{TraceStyle, render};
use report::text::verdict::describe;
use report::visible::{abridged, visible};

use super::claims::{LassoClaims, TraceClaims, Written, read};
use crate::args::ReplayArgs;
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::{Choice, Session, check_failure, question_failure, refusal, undecided};
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: ReplayArgs, talk: &Talk) -> Result<Exit, Failure> {
    Session::start(talk, &args.limits).conclude(move |session| replay(args, session))
}

fn replay(args: ReplayArgs, session: &Session) -> Result<Product, Failure> {
    let loaded = session.load(&args.file, &args.source).map_err(|rejection| rejection.failure)?;
    let loaded = driver::watch(loaded, &args.reach);
    session.status.enter("read trace");
    let (name, text) = input::evidence(&args.trace)?;
    let written = read(&text, args.nth)
        .map_err(|why| Failure::new(Exit::BadInput, "CL0013", format!("`{name}` is not a trace: {why}")))?;
    session.status.enter("replay");
    let replayer = Replayer { args, loaded, session };
    let shown = match written {
        Written::Trace(claims) => replayer.trace(&claims),
        Written::Lasso(claims) => replayer.lasso(*claims),
    };
    match shown {
        Ok(shown) => Ok(replayer.confirmed(&shown)),
        Err(unconfirmed) => replayer.unconfirmed(unconfirmed, &name),
    }
}

/// Why a trace is not confirmed.
enum Unconfirmed {
    /// The choices are no run of the program.
    NotARun(String),
    /// They are a run, which does not violate the property.
    NotAViolation(&'static str),
    /// They are a run, but not the one that the file tells of.
    Refused(String),
    /// They were made for another program.
    Unfit(String),
    /// A limit was hit.
    Stopped(StopReason),
    /// Something else that the command needs is wrong.
    Failed(Failure),
}

impl From<Failure> for Unconfirmed {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// What is replayed, and for whom.
struct Replayer<'s> {
    args: ReplayArgs,
    loaded: Loaded,
    session: &'s Session,
}

impl Replayer<'_> {
    /// A run that reaches a target, as text.
    fn trace(&self, claims: &TraceClaims) -> Result<String, Unconfirmed> {
        let program = &self.loaded.program;
        let (trace, location) = claims.choices.rebuild(program).map_err(Unconfirmed::Unfit)?;
        replay_within(program, &trace, location, &self.session.limits.budget()).map_err(|error| match error.fault {
            Fault::Stopped(reason) => Unconfirmed::Stopped(reason),
            _ => Unconfirmed::NotARun(error.to_string()),
        })?;
        let target = self.reached(&claims.target, location)?;
        // Replaying shows that it is a run, not that there is no shorter one.
        let found = Counterexample { trace, shortest: false, replayed: Checked::Yes };
        let told = Trace::of(&self.loaded, &target, &found, 0, Telling::Everything);
        let name = self.name(target);
        match claims.contradicted(&name, &told) {
            Some(why) => Err(Unconfirmed::Refused(why)),
            None => Ok(format!("{} is reached\n\n{}", describe(&name), render(&told, &name, self.style()))),
        }
    }

    /// The location that the run reaches, under the name that the file gives it if that is a name of it.
    fn reached(&self, claimed: &TargetName, location: LocationId) -> Result<Target, Unconfirmed> {
        let program = &self.loaded.program;
        let is_named = |label: &str| program.label_targets(label).iter().any(|target| target.location == location);
        let role = program.locations[location].role;
        let kind = match (claimed.kind, &claimed.label) {
            (TargetWord::Assertion, None) if role == Role::Violation => Some(TargetKind::Assertion),
            (TargetWord::Label, Some(label)) if is_named(label) => Some(TargetKind::Label(label.clone())),
            (TargetWord::Statement, None) if role == Role::Plain => Some(TargetKind::Statement),
            _ => None,
        };
        let Some(kind) = kind else {
            let really = describe(&self.name(self.plain(location)));
            let claimed = describe(claimed);
            let why = format!("it says that the run reaches {claimed}, but what is reached is {really}");
            return Err(Unconfirmed::Refused(why));
        };
        let target = Target { location, kind };
        if self.is_asked(location)? {
            return Ok(target);
        }
        let name = describe(&self.name(target));
        Err(Unconfirmed::Refused(format!("the run reaches {name}, which is not what was asked for")))
    }

    /// Without a question every target is asked for.
    fn is_asked(&self, location: LocationId) -> Result<bool, Failure> {
        if self.args.reach.is_empty() {
            return Ok(true);
        }
        let question = Question { labels: self.args.reach.clone(), ..Question::default() };
        let asked = question.targets(&self.loaded.program);
        let asked = asked.map_err(|errors| question_failure(&errors, &self.loaded, &self.session.talk).failure)?;
        Ok(asked.iter().any(|asked| asked.location == location))
    }

    /// A location as it is called when nobody gives it a name.
    fn plain(&self, location: LocationId) -> Target {
        let found = &self.loaded.program.locations[location];
        let kind = match (found.role, found.labels.first()) {
            (Role::Violation, _) => TargetKind::Assertion,
            (_, Some(label)) => TargetKind::Label(label.clone()),
            (_, None) => TargetKind::Statement,
        };
        Target { location, kind }
    }

    fn name(&self, target: Target) -> TargetName {
        target_names(&self.loaded, &[target]).remove(0)
    }

    /// A run without end is executed for a few rounds and judged by the property; as text.
    fn lasso(&self, mut claims: LassoClaims) -> Result<String, Unconfirmed> {
        let lasso = claims.lasso.rebuild(&self.loaded.program).map_err(Unconfirmed::Unfit)?;
        let specification = self.specification(&mut claims.temporal)?;
        if claims.temporal.runs == RunsWord::Infinite && lasso.loop_start == lasso.trace.steps.len() {
            return Err(Unconfirmed::NotAViolation("only runs without end count, and this one ends"));
        }
        let (judgement, observations) = judge(&self.loaded, &specification, &lasso, &self.session.limits.budget())
            .map_err(|error| check_failure(&error, &self.loaded, Choice::None, &self.session.talk).failure)?;
        let replay = match judgement {
            Judgement::Violates(replay) => replay,
            Judgement::Satisfies => return Err(Unconfirmed::NotAViolation("the run has the property")),
            Judgement::NoRun(why) => return Err(Unconfirmed::NotARun(why)),
            Judgement::Stopped(reason) => return Err(Unconfirmed::Stopped(reason)),
        };
        let found = Violation { lasso, replay: Some(replay) };
        let told = Lasso::of(&self.loaded, &found, &observations, Telling::Everything);
        if let Some(why) = claims.contradicted(&told) {
            return Err(Unconfirmed::Refused(why));
        }
        let shown = report::text::temporal::run(&claims.temporal, &told, self.style());
        Ok(format!("{} is violated\n\n{shown}", report::text::temporal::name(&claims.temporal)))
    }

    /// The property by which the run is judged. An automaton comes from the file that the user names, whatever the report
    /// says.
    fn specification(&self, temporal: &mut Temporal) -> Result<Specification, Failure> {
        let (option, file) = match temporal.kind {
            PropertyKind::Formula => {
                return Ok(Specification::Formula(Source::new("the formula", temporal.property.as_str())));
            }
            PropertyKind::Termination => return Ok(Specification::terminates()),
            PropertyKind::Hoa => ("--hoa", &self.args.hoa),
            PropertyKind::Never => ("--never", &self.args.never),
        };
        let Some(file) = file else {
            let claimed = abridged(&temporal.property, 80);
            let failure =
                Failure::usage("the run is to be judged by an automaton, and only files that you name are opened");
            return Err(failure.help(format!("name it: `{option} FILE`; the report was made with `{claimed}`")));
        };
        temporal.property = file.display().to_string();
        let source = input::source(file)?;
        Ok(match temporal.kind {
            PropertyKind::Hoa => Specification::Hoa(source),
            _ => Specification::Never(source),
        })
    }

    fn style(&self) -> TraceStyle {
        TraceStyle { expand: self.args.expand, paint: self.session.talk.out }
    }

    fn confirmed(&self, shown: &str) -> Product {
        let file = visible(self.loaded.sources.main_name());
        let story = if self.session.talk.quiet { String::new() } else { format!("{file}: {shown}\n") };
        Product::text(Exit::Holds, format!("{story}result: replayed\n"))
    }

    fn unconfirmed(&self, unconfirmed: Unconfirmed, name: &str) -> Result<Product, Failure> {
        let no = |why: String, word: &str| {
            let why = if self.session.talk.quiet { String::new() } else { why };
            Ok(Product::text(Exit::Violated, format!("{why}result: {word}\n")))
        };
        match unconfirmed {
            Unconfirmed::NotARun(why) => no(format!("this is not a run: {why}\n"), "not a run"),
            Unconfirmed::NotAViolation(why) => no(format!("{why}\n"), "not a violation"),
            Unconfirmed::Refused(why) => {
                let failure = Failure::new(Exit::Refused, "CL0018", format!("`{name}` is refused: {why}"));
                Ok(refusal(&failure, "result: refused\n", &self.session.talk))
            }
            Unconfirmed::Unfit(why) => {
                let message = format!("the trace in `{name}` does not fit the program: {why}");
                Err(Failure::new(Exit::BadInput, "CL0013", message))
            }
            Unconfirmed::Stopped(reason) => Ok(undecided(reason)),
            Unconfirmed::Failed(failure) => Err(failure),
        }
    }
}
