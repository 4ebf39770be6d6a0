//! `cauldron fmt`: a program or an algorithm in its canonical form.

use std::path::Path;

use base::Source;
use driver::Language;
use report::diagnostics::render;

use crate::args::{FmtArgs, LimitArgs};
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::{Session, language};
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: FmtArgs, talk: &Talk) -> Result<Exit, Failure> {
    if args.write && args.file == Path::new("-") {
        return Err(Failure::usage("the standard input cannot be replaced: leave out `--write`"));
    }
    let no_limits = LimitArgs { timeout: None, memory: None, max_steps: None, max_depth: None };
    Session::start(talk, &no_limits).deliver(move |session| format(&args, session))
}

fn format(args: &FmtArgs, session: &Session) -> Result<Product, Failure> {
    if args.model {
        let loaded = session.load(&args.file, &args.source).map_err(|rejection| rejection.failure)?;
        return Ok(Product::text(Exit::Holds, program::text::print(&loaded.program)));
    }
    let is_formula = args.source.language.is_none() && args.file.extension().is_some_and(|it| it == "fp");
    session.status.enter("read");
    let source = input::source(&args.file)?;
    session.status.enter("format");
    let canonical = match language(&args.file, &args.source) {
        _ if is_formula => formula(&source, &session.talk)?,
        Language::BooleanProgram => boolean_program(&source, &session.talk)?,
        Language::PushdownSystem | Language::Remopla => {
            let failure = Failure::usage("there is no canonical form for pushdown systems and Remopla");
            return Err(failure.help("`--model` prints the program model that the file lowers to"));
        }
        Language::Model => {
            let loaded = session.load(&args.file, &args.source).map_err(|rejection| rejection.failure)?;
            program::text::print(&loaded.program)
        }
    };
    let is_canonical = canonical == source.text();
    if args.check {
        let (exit, word) = if is_canonical { (Exit::Holds, "canonical") } else { (Exit::Violated, "not canonical") };
        return Ok(Product::text(exit, format!("result: {word}\n")));
    }
    if !args.write {
        return Ok(Product::text(Exit::Holds, canonical));
    }
    let mut product = Product::text(Exit::Holds, String::new());
    if !is_canonical {
        product.files.push((args.file.clone(), canonical));
    }
    Ok(product)
}

fn boolean_program(source: &Source, talk: &Talk) -> Result<String, Failure> {
    match front_bp::parse(source) {
        (Some(tree), diagnostics) if !diagnostics.has_errors() => Ok(front_bp::format(&tree)),
        (_, diagnostics) => {
            Err(Failure::rendered(Exit::BadInput, render(&diagnostics, &source.clone().into(), talk.err)))
        }
    }
}

fn formula(source: &Source, talk: &Talk) -> Result<String, Failure> {
    driver::algorithm::format(source).map_err(|diagnostics| {
        Failure::rendered(Exit::BadInput, render(&diagnostics, &source.clone().into(), talk.err))
    })
}
