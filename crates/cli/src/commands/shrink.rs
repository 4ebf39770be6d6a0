//! `cauldron shrink`: a smaller program on which a command still does the same.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base::FileId;
use report::visible::{counted, grouped, visible};
use workbench::shrink::{ShrinkError, ShrinkOptions, shrink};

use crate::args::{LimitArgs, ShrinkArgs};
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::Session;
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: ShrinkArgs, talk: &Talk) -> Result<Exit, Failure> {
    let limits = LimitArgs { timeout: args.timeout, memory: None, max_steps: None, max_depth: None };
    Session::start(talk, &limits).deliver(move |session| work(&args, session))
}

fn work(args: &ShrinkArgs, session: &Session) -> Result<Product, Failure> {
    session.status.enter("read");
    let (sources, _) = input::program(&args.file, &args.source)?;
    let source = sources.text(FileId::default());
    session.status.enter("shrink");
    let test = Test::new(args)?;
    let tests = RefCell::new(0);
    let mut interesting = |text: &str| {
        *tests.borrow_mut() += 1;
        session.status.count(*tests.borrow(), args.max_tests.unwrap_or(0));
        test.is_interesting(text)
    };
    let options = ShrinkOptions { max_tests: args.max_tests, load: args.source.options.clone() };
    let shrunk = shrink(source.text(), &options, &session.limits.budget(), &mut interesting);
    if let Some(failure) = test.failure.into_inner() {
        return Err(failure);
    }
    let shrunk = shrunk.map_err(|ShrinkError::NotInteresting| not_interesting(args, test.last.into_inner()))?;
    let (before, after) = (source.text().lines().count() as u64, shrunk.text.lines().count() as u64);
    let early = if shrunk.complete { "" } else { ", stopped early" };
    let tests = counted(shrunk.tests, "test");
    let mut product = Product::text(Exit::Holds, String::new());
    if !session.talk.quiet {
        product.talk = format!("{} to {}, {tests}{early}\n", grouped(before), counted(after, "line"));
    }
    product.files.push((args.output.clone(), shrunk.text));
    Ok(product)
}

fn not_interesting(args: &ShrinkArgs, last: Option<i32>) -> Failure {
    let gave = last.map_or_else(|| "was ended by a signal".to_owned(), |code| format!("gave {code}"));
    let message =
        format!("the command must give exit code {} on `{}`, but it {gave}", args.expect, args.file.display());
    let failure = Failure::new(Exit::BadInput, "CL0014", message);
    failure.help("`--expect CODE` says which exit code is wanted")
}

/// The command, and the file in which it finds the candidate.
struct Test {
    program: String,
    arguments: Vec<String>,
    expect: i32,
    /// The folder is removed when the test is dropped.
    _folder: tempfile::TempDir,
    candidate: PathBuf,
    last: RefCell<Option<i32>>,
    failure: RefCell<Option<Failure>>,
}

impl Test {
    fn new(args: &ShrinkArgs) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(Exit::Output, "CL0010", format!("cannot make a folder for candidates: {error}"))
        };
        let folder = tempfile::tempdir().map_err(failed)?;
        let extension = args.file.extension().map_or_else(|| "bp".to_owned(), |it| it.to_string_lossy().into_owned());
        let candidate = folder.path().join(format!("candidate.{extension}"));
        let (program, arguments) = command(&args.command, &candidate);
        let (last, failure) = (RefCell::new(None), RefCell::new(None));
        Ok(Self { program, arguments, expect: args.expect, _folder: folder, candidate, last, failure })
    }

    fn is_interesting(&self, text: &str) -> bool {
        if self.failure.borrow().is_some() {
            return false;
        }
        if let Err(error) = std::fs::write(&self.candidate, text) {
            let message = format!("cannot write a candidate: {error}");
            *self.failure.borrow_mut() = Some(Failure::new(Exit::Output, "CL0010", message));
            return false;
        }
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.status() {
            Ok(status) => {
                *self.last.borrow_mut() = status.code();
                status.code() == Some(self.expect)
            }
            Err(error) => {
                let message = format!("cannot run `{}`: {error}", visible(&self.program));
                *self.failure.borrow_mut() = Some(Failure::usage(message));
                false
            }
        }
    }
}

/// Puts the file's name in the place of `{}`, or at the end.
fn command(words: &[String], candidate: &Path) -> (String, Vec<String>) {
    let file = candidate.to_string_lossy();
    let mut words: Vec<String> = words.to_vec();
    if !words.iter().any(|word| word.contains("{}")) {
        words.push("{}".to_owned());
    }
    let mut words = words.into_iter().map(|word| word.replace("{}", &file));
    let program = words.next().unwrap_or_default();
    (program, words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_takes_the_place_of_the_braces_or_comes_last() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let file = Path::new("/t/c.bp");
        assert_eq!(command(&words(&["a", "--in={}", "-x"]), file), ("a".into(), words(&["--in=/t/c.bp", "-x"])));
        assert_eq!(command(&words(&["a", "-x"]), file), ("a".into(), words(&["-x", "/t/c.bp"])));
    }
}
