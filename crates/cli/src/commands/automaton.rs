//! `cauldron automaton`: temporal formulae as automata.

use base::{Diagnostics, Source};
use driver::temporal::{Specification, Unread, automaton};
use report::diagnostics::render;
use report::text::buchi;

use crate::args::{AutomatonArgs, AutomatonFormat};
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::Session;
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: AutomatonArgs, talk: &Talk) -> Result<Exit, Failure> {
    Session::start(talk, &args.limits).deliver(move |session| translate(&args, session))
}

fn translate(args: &AutomatonArgs, session: &Session) -> Result<Product, Failure> {
    session.status.enter("read");
    let specification = specification(args)?;
    session.status.enter("translate");
    let rejected = |diagnostics: Diagnostics| {
        let rendered = render(&diagnostics, &specification.source().clone().into(), session.talk.err);
        Failure::rendered(Exit::BadInput, rendered)
    };
    match automaton(&specification, args.negate, &session.limits.budget()) {
        Ok((automaton, warnings)) => {
            session.warn(&warnings, &specification.source().clone().into());
            let text = match args.format {
                AutomatonFormat::Hoa => property::hoa::write(&automaton),
                AutomatonFormat::Dot => buchi::dot(&automaton),
            };
            Ok(Product::text(Exit::Holds, text))
        }
        Err(Unread::Wrong(diagnostics)) => Err(rejected(diagnostics)),
        Err(Unread::Stopped(reason)) => {
            let word = report::json::common::Reason::from(reason).word();
            Ok(Product::text(Exit::from(reason), format!("result: unknown ({word})\n")))
        }
    }
}

fn specification(args: &AutomatonArgs) -> Result<Specification, Failure> {
    Ok(match (&args.formula, &args.hoa, &args.never) {
        (_, Some(file), _) => Specification::Hoa(input::source(file)?),
        (_, _, Some(file)) => Specification::Never(input::source(file)?),
        (formula, ..) => Specification::Formula(Source::new("FORMULA", formula.as_deref().unwrap_or_default())),
    })
}
