//! Talk: everything that goes to the standard error stream, and how loud it is.

use std::io::{IsTerminal, Write};

use base::Severity;
pub(crate) use base::names::did_you_mean;
use report::Paint;
use report::diagnostics::render_message;

use crate::args::{ColorChoice, ProgressChoice, TalkArgs};
use crate::exit::Exit;

/// How the user wants to be talked to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Talk {
    /// Colour on standard output.
    pub(crate) out: Paint,
    /// Colour on standard error.
    pub(crate) err: Paint,
    /// Only results and errors.
    pub(crate) quiet: bool,
    /// More about how the answer was found.
    pub(crate) verbose: bool,
    /// What long work shows.
    pub(crate) progress: ProgressChoice,
}

impl Talk {
    /// Reads the options, the environment and the terminal.
    pub(crate) fn new(args: &TalkArgs) -> Self {
        let paint = |is_terminal: bool| {
            Paint::new(match args.color {
                ColorChoice::Always => true,
                ColorChoice::Never => false,
                ColorChoice::Auto => is_terminal && !no_color(),
            })
        };
        Self {
            out: paint(std::io::stdout().is_terminal()),
            err: paint(std::io::stderr().is_terminal()),
            quiet: args.quiet,
            verbose: args.verbose,
            progress: args.progress,
        }
    }

    /// Says why a command failed.
    pub(crate) fn failure(&self, failure: &Failure) {
        if let Some(text) = &failure.rendered {
            say(text);
        } else if !failure.message.is_empty() {
            let help = failure.help.as_deref();
            let text = render_message(Severity::Error, failure.code, &failure.message, help, self.err);
            say(&format!("{text}\n"));
        }
    }
}

/// <https://no-color.org>: set and not empty means no colour; so does a terminal without abilities.
fn no_color() -> bool {
    let is_set = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    is_set || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Writes to the standard error stream. When that fails there is nobody left to tell.
pub(crate) fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Why a command gives no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    /// How the process ends.
    pub(crate) exit: Exit,
    /// A stable code, for `cauldron explain`; empty for usage errors.
    pub(crate) code: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
    /// The whole message, when it is already in its final form.
    pub(crate) rendered: Option<String>,
}

impl Failure {
    /// A failure with a message.
    pub(crate) fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        Self { exit, code, message: message.into(), help: None, rendered: None }
    }

    /// A wrong command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "", message)
    }

    /// A failure whose message has already been put into its final form.
    pub(crate) fn rendered(exit: Exit, text: String) -> Self {
        Self { rendered: Some(text), ..Self::new(exit, "", "") }
    }

    /// Says what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
