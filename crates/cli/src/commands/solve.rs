//! `cauldron solve`: the queries of a file of the fixed-point calculus.

use driver::{Question, Solution};
use report::diagnostics::render as render_diagnostics;
use report::json::common::Reason;
use report::text::solution::render;

use crate::args::SolveFileArgs;
use crate::exit::Exit;
use crate::output::Product;
use crate::progress::Recorder;
use crate::session::{Choice, Session, algorithm, bound_of, check_failure};
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: SolveFileArgs, talk: &Talk) -> Result<Exit, Failure> {
    Session::start(talk, &args.limits).deliver(move |session| answer(&args, session))
}

fn answer(args: &SolveFileArgs, session: &Session) -> Result<Product, Failure> {
    let Some(program) = &args.program else {
        let failure = Failure::usage("the file speaks of a program, and none is given");
        return Err(failure.help("name it with `--program PROGRAM`"));
    };
    let algorithm = algorithm(&args.file.to_string_lossy(), &args.calculus)?;
    let loaded = session.load(program, &args.source).map_err(|rejection| rejection.failure)?;
    session.status.enter("solve");
    let question = Question { assertions: false, labels: args.reach.clone(), statements: false };
    let recorder = Recorder::new(&session.status);
    let work = (&session.limits.budget(), &recorder as &dyn base::Observer);
    let bound = bound_of(args.switches, args.rounds);
    let solution = driver::solve(&loaded, &algorithm, &question, bound, args.list, work)
        .map_err(|error| check_failure(&error, &loaded, Choice::Algorithm, &session.talk).failure)?;
    Ok(product(&solution, &render(&solution, Some(&loaded)), session))
}

/// The answers, and the line that a script reads.
fn product(solution: &Solution, text: &str, session: &Session) -> Product {
    let answered = &solution.answered;
    let (exit, result) = match answered.stopped {
        None => (Exit::Holds, "result: solved\n".to_owned()),
        Some(reason) => {
            let detail = answered.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
            let word = Reason::from(reason).word();
            (Exit::from(reason), format!("stopped: {reason}{detail}\nresult: unknown ({word})\n"))
        }
    };
    let mut product = Product::text(exit, format!("{text}{result}"));
    if !session.talk.quiet && !answered.warnings.is_empty() {
        product.talk = render_diagnostics(&answered.warnings, &solution.source, session.talk.err);
    }
    product
}
