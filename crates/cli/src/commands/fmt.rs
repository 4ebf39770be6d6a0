//! `cauldron fmt`: a program or an algorithm in its canonical form.

use std::path::Path;

use base::{Diagnostics, FileId, Source, Sources};
use driver::front::Format;
use report::diagnostics::render;

use crate::args::{FmtArgs, LimitArgs};
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::Session;
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
    session.status.enter("read");
    let (sources, form) = opened(args)?;
    let source = sources.text(FileId::default());
    session.status.enter("format");
    let canonical = form(source)
        .map_err(|diagnostics| Failure::rendered(Exit::BadInput, render(&diagnostics, &sources, session.talk.err)))?;
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

/// The file, and what gives it its canonical form. Algorithms are not programs, but have one as well.
fn opened(args: &FmtArgs) -> Result<(Sources, Format), Failure> {
    if args.source.language.is_none() && args.file.extension().is_some_and(|it| it == "fp") {
        return Ok((input::source(&args.file)?.into(), formula));
    }
    let (sources, front) = input::program(&args.file, &args.source)?;
    match front.format {
        Some(form) => Ok((sources, form)),
        None => {
            let failure = Failure::usage(format!("there is no canonical form for {}", front.title));
            Err(failure.help("`--model` prints the program model that the file lowers to"))
        }
    }
}

fn formula(source: &Source) -> Result<String, Diagnostics> {
    driver::algorithm::format(source)
}
