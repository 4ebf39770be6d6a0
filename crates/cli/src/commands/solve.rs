//! `cauldron solve`: the queries of a file of the fixed-point calculus.

use driver::solve::mucke::Unfinished;
use driver::{Algorithm, Context, Loaded, MuckeSolution, Outcome, Question, Solution};
use report::diagnostics::render as render_diagnostics;
use report::json::common::Reason;
use report::text::solution::render;

use crate::args::SolveFileArgs;
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::progress::Recorder;
use crate::session::{Choice, Session, algorithm, bound_of, check_failure, one_bound};
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: SolveFileArgs, talk: &Talk) -> Result<Exit, Failure> {
    let is_mucke = args.file.extension().is_some_and(|extension| extension == "mu");
    let work = if is_mucke { answer_mucke } else { answer };
    Session::start(talk, &args.limits).conclude(move |session| work(&args, session))
}

fn answer(args: &SolveFileArgs, session: &Session) -> Result<Product, Failure> {
    let bound = bound_of(args.switches, args.rounds);
    one_bound(bound, &args.calculus)?;
    let algorithm = algorithm(&args.file.to_string_lossy(), &args.calculus)?;
    let loaded = match &args.program {
        Some(program) => session.load(program, &args.source).map_err(|rejection| rejection.failure)?,
        None => nothing(args, &algorithm)?,
    };
    session.status.enter("solve");
    let question = Question { assertions: false, labels: args.reach.clone(), statements: false };
    let recorder = Recorder::new(&session.status);
    let (budget, limit) = (session.limits.budget(), args.list);
    let solution = driver::solve(&loaded, &algorithm, &question, bound, limit, &Context::new(&budget, &recorder))
        .map_err(|error| check_failure(&error, &loaded, Choice::Algorithm, &session.talk).failure)?;
    Ok(product(&solution, &render(&solution, Some(&loaded)), session))
}

/// In the place of a program, for a file that needs none.
fn nothing(args: &SolveFileArgs, algorithm: &Algorithm) -> Result<Loaded, Failure> {
    let Some(nothing) = driver::without_program(algorithm) else {
        let failure = Failure::usage("the file speaks of a program, and none is given");
        return Err(failure.help("name it with `--program PROGRAM`"));
    };
    meaningless(args, "without a program").map(|()| nothing)
}

/// Options that speak of a program are refused where there is none.
fn meaningless(args: &SolveFileArgs, place: &str) -> Result<(), Failure> {
    let given = [
        (!args.reach.is_empty(), "--reach"),
        (args.switches.is_some(), "--switches"),
        (args.rounds.is_some(), "--rounds"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(Failure::usage(format!("`{option}` has no meaning {place}"))),
        None => Ok(()),
    }
}

/// The answers, and the line that a script reads.
fn product(answered: &Outcome<Solution>, text: &str, session: &Session) -> Product {
    let (exit, result) = match answered.stopped {
        None => (Exit::Holds, "result: solved\n".to_owned()),
        Some(reason) => {
            let detail = answered.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
            let word = Reason::from(reason).word();
            (Exit::from(reason), format!("stopped: {reason}{detail}\nresult: unknown ({word})\n"))
        }
    };
    let account = if session.talk.quiet { "" } else { &answered.account };
    let mut product = Product::text(exit, format!("{account}{text}{result}"));
    if !session.talk.quiet && !answered.warnings.is_empty() {
        product.talk =
            render_diagnostics(&answered.warnings, &answered.findings.source.clone().into(), session.talk.err);
    }
    product
}

/// A file of Mucke's language. What it loads is looked for beside it.
fn answer_mucke(args: &SolveFileArgs, session: &Session) -> Result<Product, Failure> {
    let place = "for a file of Mucke's language";
    meaningless(args, place)?;
    let given = [(args.program.is_some(), "--program"), (!args.calculus.parameters.is_empty(), "--param")];
    if let Some((_, option)) = given.iter().find(|(given, _)| *given) {
        return Err(Failure::usage(format!("`{option}` has no meaning {place}")));
    }
    let how = Algorithm {
        literal: args.calculus.literal,
        explain: args.calculus.explain,
        profile: args.calculus.profile,
        ..Algorithm::default()
    };
    let sources = input::sources(&args.file)?;
    session.status.enter("solve");
    let recorder = Recorder::new(&session.status);
    let solved = driver::solve_mucke(sources, &how, &Context::new(&session.limits.budget(), &recorder));
    let solution = solved.map_err(|(sources, diagnostics)| {
        Failure::rendered(Exit::BadInput, render_diagnostics(&diagnostics, &sources, session.talk.err))
    })?;
    Ok(mucke_product(&solution, session))
}

fn mucke_product(solution: &MuckeSolution, session: &Session) -> Product {
    let quiet = session.talk.quiet;
    let answers = report::text::mucke::render(solution);
    let (exit, text) = match &solution.run {
        Ok(run) => {
            let profile = if run.profile.is_timed { run.profile.to_string() } else { String::new() };
            let last = if run.verdict().is_none() { "result: solved\n" } else { "" };
            (Exit::Holds, format!("{}{profile}{answers}{last}", solution.plan))
        }
        Err(Unfinished { halt, .. }) => {
            let reason = halt.reason();
            let detail = halt.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
            let word = Reason::from(reason).word();
            let stopped = format!("stopped: {reason}{detail}\nresult: unknown ({word})\n");
            (Exit::from(reason), format!("{}{answers}{stopped}", solution.plan))
        }
    };
    let last = text.lines().last().map(|line| format!("{line}\n")).unwrap_or_default();
    let mut product = Product::text(exit, if quiet { last } else { text });
    if !quiet && !solution.warnings.is_empty() {
        product.talk = render_diagnostics(&solution.warnings, &solution.sources, session.talk.err);
    }
    product
}
