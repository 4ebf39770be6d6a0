//! Front ends: all that the rest of the house knows about a source language is one value.
//!
//! A front end reads files and gives a program; what the command line shows and parses, which codes `explain` explains
//! and how a file is recognised is data, so that nobody else names a language. The list of all front ends is
//! `driver::front_ends`.

use std::collections::BTreeMap;
use std::path::Path;

use base::codes::Code;
use base::{Diagnostic, Diagnostics, FileId, Source, Sources};

use program::{Origins, Program, Proposition, VariableId};

use crate::Writing;

/// Gives a file its canonical form.
pub type Format = fn(&Source) -> Result<String, Diagnostics>;

/// A source language.
#[derive(Debug)]
pub struct FrontEnd {
    /// The word for it on the command line and in reports, such as `bp`.
    pub name: &'static str,
    /// What its files hold, as messages say it: `Boolean programs`.
    pub title: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// What its files are.
    pub content: Content,
    /// True if a file whose name says nothing is in this language; no file may be recognised by two.
    pub recognises: fn(&[u8]) -> bool,
    /// What a file has at least, for whoever gave an empty one.
    pub smallest: &'static str,
    /// The options that it understands.
    pub options: &'static [FrontOption],
    /// The code of the message that it does not understand an option.
    pub foreign_option: &'static str,
    /// The codes of its diagnostics, explained.
    pub codes: &'static [Code],
    /// Reads a file with all that it includes: parse, resolve, lower. All errors come at once.
    pub read: fn(&mut Sources, FileId, &FrontOptions) -> Result<Lowered, Diagnostics>,
    /// The canonical form of a file, if the language has one.
    pub format: Option<Format>,
}

/// What files are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// UTF-8 text, not empty.
    Text,
    /// Bytes.
    Bytes,
}

/// A program as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Source places of its parts.
    pub origins: Origins,
    /// What the names mean that the source declares for its configurations: control states and `atoms`.
    pub propositions: BTreeMap<String, Vec<Proposition>>,
    /// The variable that holds the control state of a pushdown system, if it has several.
    pub state: Option<VariableId>,
    /// How the source writes its variables.
    pub writing: Writing,
    /// Warnings.
    pub warnings: Diagnostics,
}

impl Lowered {
    /// A program whose source declares no names for configurations.
    #[must_use]
    pub fn new(program: Program, origins: Origins, writing: Writing) -> Self {
        let (propositions, warnings) = (BTreeMap::new(), Diagnostics::new());
        Self { program, origins, propositions, state: None, writing, warnings }
    }
}

impl FrontEnd {
    /// True if a file of this name is in this language.
    #[must_use]
    pub fn has_extension(&self, path: &Path) -> bool {
        path.extension().and_then(|it| it.to_str()).is_some_and(|it| self.extensions.contains(&it))
    }

    /// Rejects options that this language does not understand.
    pub fn check_options(&self, options: &FrontOptions) -> Result<(), Diagnostics> {
        let is_known = |name: &&str| self.options.iter().any(|option| option.name == *name);
        let foreign: Vec<String> =
            options.names().filter(|name| !is_known(name)).map(|name| format!("`--{name}`")).collect();
        let (Some((last, others)), title) = (foreign.split_last(), self.title) else { return Ok(()) };
        let (message, help) = match others {
            [] => (format!("{last} has no meaning for {title}"), "leave it out"),
            _ => (format!("{} and {last} have no meaning for {title}", others.join(", ")), "leave them out"),
        };
        Err(Diagnostic::error(self.foreign_option, message).help(help).into())
    }
}

/// An option of a front end, for instance `--entry PROCEDURE`. Front ends may share options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrontOption {
    /// The long name, without the dashes.
    pub name: &'static str,
    /// The short name.
    pub short: Option<char>,
    /// What help calls that which is given with it; empty for flags.
    pub value: &'static str,
    /// What it is for, in one line.
    pub help: &'static str,
    /// What is given with it.
    pub kind: OptionKind,
}

/// What is given with an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Nothing.
    Flag,
    /// One of some words, each with what it means; the first is meant if none is given.
    Choice(&'static [(&'static str, &'static str)]),
    /// A word.
    Word,
    /// A name and a number, any number of times.
    Numbers,
}

/// Warns also of what is allowed and perhaps not meant: an option for every language.
pub const LINT: FrontOption = FrontOption {
    name: "lint",
    short: None,
    value: "",
    help: "Warn also of what is allowed and perhaps not meant",
    kind: OptionKind::Flag,
};

/// The options that are given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FrontOptions {
    given: BTreeMap<String, Vec<Given>>,
}

/// What was given with an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// Nothing: a flag.
    Flag,
    /// A word, or one of the words of a choice.
    Word(String),
    /// A name and a number.
    Number(String, i64),
}

impl FrontOptions {
    /// Adds an option, by its long name.
    #[must_use]
    pub fn with(mut self, name: &str, given: Given) -> Self {
        self.given.entry(name.to_owned()).or_default().push(given);
        self
    }

    /// Adds an option with a word.
    #[must_use]
    pub fn with_word(self, name: &str, word: impl Into<String>) -> Self {
        self.with(name, Given::Word(word.into()))
    }

    /// The names of the options that are given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// True if an option is given.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// The word that is given with an option; of several the last.
    #[must_use]
    pub fn word(&self, name: &str) -> Option<&str> {
        self.all(name).iter().rev().find_map(|given| match given {
            Given::Word(word) => Some(word.as_str()),
            _ => None,
        })
    }

    /// The names and numbers that are given with an option.
    #[must_use]
    pub fn numbers(&self, name: &str) -> Vec<(String, i64)> {
        let number = |given: &Given| match given {
            Given::Number(name, number) => Some((name.clone(), *number)),
            _ => None,
        };
        self.all(name).iter().filter_map(number).collect()
    }

    fn all(&self, name: &str) -> &[Given] {
        self.given.get(name).map_or(&[], Vec::as_slice)
    }
}
