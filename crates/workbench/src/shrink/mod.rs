//! The shrinker: makes a program small as long as something stays true of it.
//!
//! Delta debugging on the tokens of the text, guided by its structure: first whole procedures, statements and branches
//! go, then bodies replace the statements around them, then single parts of statements go. It needs no syntax tree, so
//! it works on texts that the front end rejects as well. A text that the front end accepts stays so at every step.
//! Comments are lost.
//!
//! Modules in reading order:
//! - `token`: text to tokens and back;
//! - `structure`: which tokens belong together;
//! - `edit`: the candidates for a smaller text.

mod edit;
mod structure;
mod token;

use std::collections::HashSet;

use base::{Budget, Source};
use driver::FrontOptions;

use token::{Tokens, layout, tokens};

/// How to shrink.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShrinkOptions {
    /// The most often that the predicate is asked.
    pub max_tests: Option<u64>,
    /// How the front end reads the program.
    pub load: FrontOptions,
}

/// A smaller program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shrunk {
    /// Its text.
    pub text: String,
    /// How often the predicate was asked.
    pub tests: u64,
    /// False when a limit ended the search: a smaller one may be near.
    pub complete: bool,
}

/// Why nothing was shrunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShrinkError {
    /// The predicate is false for the program as it was given.
    NotInteresting,
}

impl std::fmt::Display for ShrinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the program as given does not have the wanted property")
    }
}

impl std::error::Error for ShrinkError {}

/// Looks for a small program of which `interesting` is true, starting from one of which it is.
///
/// The predicate has to give the same answer each time it is asked about a text. The result does not depend on
/// anything else.
pub fn shrink(
    text: &str,
    options: &ShrinkOptions,
    budget: &Budget,
    interesting: &mut dyn FnMut(&str) -> bool,
) -> Result<Shrunk, ShrinkError> {
    let mut search = Search {
        well_formed: is_well_formed(text, options),
        options,
        budget,
        interesting,
        tried: HashSet::new(),
        tests: 1,
        stopped: false,
    };
    if !(search.interesting)(text) {
        return Err(ShrinkError::NotInteresting);
    }
    let mut current = tokens(text);
    let plain = layout(&current);
    // Without its comments or its layout the text may no longer be what it was.
    if !search.accepts(&current) {
        return Ok(Shrunk { text: text.to_owned(), tests: search.tests, complete: !search.stopped });
    }
    while search.round(&mut current) {}
    let smaller = layout(&current);
    let text = if smaller == plain && text.len() <= smaller.len() { text.to_owned() } else { smaller };
    Ok(Shrunk { text, tests: search.tests, complete: !search.stopped })
}

fn is_well_formed(text: &str, options: &ShrinkOptions) -> bool {
    text.len() <= Source::MAX_BYTES && driver::load(Source::new("", text), &front_bp::FRONT_END, &options.load).is_ok()
}

/// The state of a search.
struct Search<'a> {
    well_formed: bool,
    options: &'a ShrinkOptions,
    budget: &'a Budget,
    interesting: &'a mut dyn FnMut(&str) -> bool,
    /// Texts that were asked about. Only looked up, never listed.
    tried: HashSet<String>,
    tests: u64,
    stopped: bool,
}

impl Search<'_> {
    /// Tries everything once; true when something was found. Every change removes tokens or turns names into constants, so
    /// that there is a last round.
    fn round<'t>(&mut self, current: &mut Tokens<'t>) -> bool {
        let before = current.clone();
        self.remove_siblings(current);
        self.replace(current, edit::unwrapped);
        self.replace(current, edit::without_list_items);
        self.replace(current, edit::without_parameters);
        self.replace(current, edit::without_windows);
        self.replace(current, edit::with_constants);
        *current != before && !self.stopped
    }

    /// Removes as many as possible of the parts that stand side by side: large chunks first, from the end, because
    /// what stands earlier is used by what stands later more often than the other way round.
    fn remove_siblings(&mut self, current: &mut Tokens<'_>) {
        let mut group = 0;
        while let Some(siblings) = structure::groups(current).get(group).cloned() {
            let mut chunk = siblings.len();
            while chunk > 0 && !self.stopped {
                self.remove_chunks(current, group, chunk);
                chunk /= 2;
            }
            group += 1;
        }
    }

    fn remove_chunks(&mut self, current: &mut Tokens<'_>, group: usize, chunk: usize) {
        let mut siblings = structure::groups(current).get(group).cloned().unwrap_or_default();
        let mut end = siblings.len();
        while end > 0 && !self.stopped {
            let start = end.saturating_sub(chunk);
            let mut candidate = current.clone();
            candidate.drain(siblings[start].start..siblings[end - 1].end);
            if self.accepts(&candidate) {
                *current = candidate;
                siblings = structure::groups(current).get(group).cloned().unwrap_or_default();
            }
            end = start.min(siblings.len());
        }
    }

    /// Tries candidates, each made from the current text; after a success those from the same place on.
    fn replace<'t>(&mut self, current: &mut Tokens<'t>, candidates: fn(&Tokens<'t>, usize) -> Vec<Tokens<'t>>) {
        let mut at = 0;
        while at < current.len() && !self.stopped {
            match candidates(current, at).into_iter().find(|candidate| self.accepts(candidate)) {
                Some(candidate) => *current = candidate,
                None => at += 1,
            }
        }
    }

    /// Whether the candidate is well formed, if the original was, and interesting.
    fn accepts(&mut self, candidate: &Tokens<'_>) -> bool {
        let limit = self.options.max_tests.is_some_and(|max| self.tests >= max);
        if self.stopped || limit || self.budget.check().is_err() {
            self.stopped = true;
            return false;
        }
        let text = layout(candidate);
        if self.tried.contains(&text) || self.well_formed && !is_well_formed(&text, self.options) {
            return false;
        }
        self.tests += 1;
        let accepted = (self.interesting)(&text);
        self.tried.insert(text);
        accepted
    }
}

#[cfg(test)]
mod tests;
