//! `cauldron check --ltl` and its like: the question from the command line, and its answer as a report.

use base::{Context, Source};
use driver::Loaded;
use driver::temporal::{
    ENGINE, Method, Runs, Search, Specification, TemporalQuestion, check_temporal, holds_without_runs,
};
use report::json::outcome::{Job, Report};
use report::json::trace::Telling;

use crate::args::{CheckArgs, CyclesChoice, RunsChoice, TemporalArgs};
use crate::input;
use crate::progress::Recorder;
use crate::session::{Choice, Rejection, Session, check_failure};
use crate::talk::Failure;

/// The temporal question, if one is asked. Files are read here.
pub(super) fn question(args: &CheckArgs) -> Result<Option<TemporalQuestion>, Failure> {
    let TemporalArgs { runs, cycles, no_components, no_reachable_first, no_arrangement, .. } = args.temporal;
    let Some(option) = asked(&args.temporal) else {
        return match args.solve.engine.as_deref() {
            Some(ENGINE) => Err(Failure::usage(format!("the engine `{ENGINE}` answers temporal properties only"))
                .help("ask for one: `--ltl FORMULA`, `--hoa FILE`, `--never FILE` or `--terminates`")),
            _ => Ok(None),
        };
    };
    fits(args, option)?;
    let method = match cycles {
        CyclesChoice::EmersonLei => Method::EmersonLei,
        CyclesChoice::Owcty => Method::Owcty,
        CyclesChoice::Closure => Method::Closure,
    };
    Ok(Some(TemporalQuestion {
        specification: specification(&args.temporal)?,
        runs: match runs {
            RunsChoice::All => Runs::All,
            RunsChoice::Infinite => Runs::Infinite,
        },
        search: Search {
            method,
            arranged: !no_arrangement,
            reachable_first: !no_reachable_first,
            components: !no_components,
        },
        by_formula: args.solve.algorithm.is_some(),
        validate: !args.solve.no_validate,
    }))
}

/// The option that asks.
fn asked(args: &TemporalArgs) -> Option<&'static str> {
    let options = [
        (args.ltl.is_some(), "--ltl"),
        (args.hoa.is_some(), "--hoa"),
        (args.never.is_some(), "--never"),
        (args.terminates, "--terminates"),
    ];
    options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
}

fn specification(args: &TemporalArgs) -> Result<Specification, Failure> {
    Ok(match (&args.ltl, &args.hoa, &args.never) {
        (Some(formula), _, _) => Specification::Formula(Source::new("--ltl", formula.as_str())),
        (_, Some(file), _) => Specification::Hoa(input::source(file)?),
        (_, _, Some(file)) => Specification::Never(input::source(file)?),
        _ => Specification::terminates(),
    })
}

/// Options that say something about targets, about other engines or about threads do not go with a temporal property.
fn fits(args: &CheckArgs, option: &str) -> Result<(), Failure> {
    let engine = args.solve.engine.as_deref();
    let all_passes = args.solve.passes == ["all"] || args.solve.passes == ["none"];
    let targets = "a temporal property is a question of its own: ask for labels and assertions in another run";
    let threads = "temporal properties are about programs with one thread, which need no bound";
    let one_engine =
        "temporal properties have an engine of their own, `recurrence`; `--cycles` chooses how it searches";
    let one_formula = "temporal properties have a formula of their own, `recurrence`";
    let others = [
        (!args.reach.is_empty(), "--reach", targets),
        (args.assertions, "--assertions", targets),
        (args.certificate.is_some(), "--certificate", "there are no certificates for temporal properties yet"),
        (args.trace.is_some(), "--trace", "the run is in the report: `--json FILE`, which `cauldron replay` reads"),
        (engine.is_some_and(|engine| engine != ENGINE), "--engine", one_engine),
        (args.solve.algorithm.as_deref().is_some_and(|name| name != ENGINE), "--algorithm", one_formula),
        (!all_passes, "--passes", "temporal properties are answered on the program as it is, without passes"),
        (args.solve.switches.is_some(), "--switches", threads),
        (args.solve.rounds.is_some(), "--rounds", threads),
        (args.solve.jobs.is_some(), "--jobs", "temporal properties are answered with one core"),
    ];
    if let Some((_, other, why)) = others.into_iter().find(|(given, ..)| *given) {
        return Err(Failure::usage(format!("`{other}` does not go with `{option}`")).help(why));
    }
    match args.solve.calculus.given() {
        Some(other) => Err(Failure::usage(format!("`{other}` does not go with `{option}`"))),
        None => Ok(()),
    }
}

/// Answers the question.
pub(super) fn answer(
    job: &Job,
    question: &TemporalQuestion,
    loaded: &Loaded,
    telling: Telling,
    session: &Session,
) -> Result<Report, Rejection> {
    let recorder = Recorder::new(&session.status);
    let outcome = check_temporal(loaded, question, &Context::new(&session.limits.budget(), &recorder))
        .map_err(|error| check_failure(&error, loaded, Choice::None, &session.talk))?;
    let source = question.specification.source();
    session.warn(&outcome.warnings, &source.clone().into());
    let no_runs = question.validate
        && holds_without_runs(loaded, question, &outcome, &Context::new(&session.limits.budget(), &recorder));
    session.status.enter("report");
    Ok(Report::of_temporal(job, loaded, (&outcome, source), no_runs, telling, session.resources()))
}
