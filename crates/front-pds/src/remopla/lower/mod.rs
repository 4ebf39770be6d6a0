//! Names resolved, syntax tree to program.
//!
//! A module becomes a procedure, a statement a location. Structures are taken apart: every field is a variable of its own,
//! and an array of structures is one array per field. Arrays of two dimensions are one array, row by row.
//!
//! Modules in reading order:
//! - `constant`: defines and other constant expressions;
//! - `types`: what kinds of values there are;
//! - `declare`: variables and modules;
//! - `place`: variables with indices and fields;
//! - `expression`: expressions of the model;
//! - `assign`: parallel assignments;
//! - `statement`: locations and edges;
//! - `symbol`: labels that rules name;
//! - `rule`: rules of pushdown systems among statements;
//! - `relation`: their conditions;
//! - `start`: where execution starts.

mod assign;
mod constant;
mod declare;
mod expression;
mod place;
mod relation;
mod rule;
mod start;
mod statement;
mod symbol;
mod types;

use std::collections::BTreeMap;

use base::{Diagnostic, Diagnostics, Source, Span};
use program::{Origins, ProgramBuilder};
use question::front::Lowered;
use question::{Notation, Writing};
use rustc_hash::{FxHashMap, FxHashSet};

use super::syntax::{Name, SyntaxTree};
use crate::Options;
use crate::allowance::Allowance;
use base::names::{Symbol, similar};
use base::report::Report;
use declare::{Entry, Module};
use rule::Level;
use statement::Label;
use types::Types;

/// Resolves names and lowers to a program. `damaged`: there were errors before.
pub(crate) fn lower(
    tree: &SyntaxTree,
    source: &Source,
    options: &Options,
    damaged: bool,
) -> (Option<Lowered>, Diagnostics) {
    let mut lowering = Lowering::new(tree, source);
    lowering.constants(options);
    lowering.types();
    lowering.declare();
    if tree.lost {
        return (None, lowering.report.finish());
    }
    lowering.bodies();
    lowering.start(damaged);
    lowering.name_constants();
    let Lowering { builder, origins, report, writing, .. } = lowering;
    if report.has_errors() {
        return (None, report.finish());
    }
    let (program, propositions) = (builder.finish(), BTreeMap::new());
    let lowered = Lowered { propositions, ..Lowered::new(program, origins, writing) };
    (Some(lowered), report.finish())
}

/// The state of lowering.
struct Lowering<'t> {
    tree: &'t SyntaxTree,
    source: &'t Source,
    report: Report,
    builder: ProgramBuilder,
    origins: Origins,
    writing: Writing,
    constants: FxHashMap<Symbol, (i128, Span)>,
    types: Types,
    globals: FxHashMap<Symbol, Entry>,
    modules: Vec<Module>,
    module_of: FxHashMap<Symbol, usize>,
    labels: FxHashMap<Symbol, Label>,
    /// Labels from which rules start.
    rule_tops: FxHashSet<Symbol>,
    /// Labels that `goto` names.
    jumps: FxHashSet<Symbol>,
    in_rule: bool,
    /// The new stack symbols of the rule that is being lowered.
    levels: Vec<Level>,
    /// The module whose body is being lowered.
    current: usize,
    /// Values of the enclosing quantifiers.
    slots: Vec<(Symbol, i128)>,
    /// Parts that the quantifiers of the statement have made so far.
    n_parts: usize,
    allowance: Allowance,
}

impl<'t> Lowering<'t> {
    fn new(tree: &'t SyntaxTree, source: &'t Source) -> Self {
        Self {
            tree,
            source,
            report: Report::new("PD0099"),
            builder: ProgramBuilder::new(),
            origins: Origins::default(),
            writing: Writing::new(Notation::REMOPLA),
            constants: FxHashMap::default(),
            types: Types::default(),
            globals: FxHashMap::default(),
            modules: Vec::new(),
            module_of: FxHashMap::default(),
            labels: FxHashMap::default(),
            rule_tops: tree.rules.iter().map(|(_, rule)| rule.top.symbol).collect(),
            jumps: FxHashSet::default(),
            in_rule: false,
            levels: Vec::new(),
            current: 0,
            slots: Vec::new(),
            n_parts: 0,
            allowance: Allowance::default(),
        }
    }

    /// Conditions that users write may use the constants.
    fn name_constants(&mut self) {
        let named = |(name, (value, _)): (&Symbol, &(i128, Span))| (self.tree.names.text(*name).to_owned(), *value);
        self.writing.constants.extend(self.constants.iter().map(named));
    }

    fn text(&self, name: Name) -> &'t str {
        self.tree.names.text(name.symbol)
    }

    fn error<T>(&mut self, code: &'static str, message: String, span: Span, label: &str, help: &str) -> Option<T> {
        if !self.report.only_counts() {
            let mut diagnostic = Diagnostic::error(code, message).at(span, label);
            diagnostic.help = (!help.is_empty()).then(|| help.to_owned());
            self.report.push(diagnostic);
        }
        None
    }

    /// Reports a name that means nothing, with the nearest one that does. That is looked for only if it will be read.
    fn unknown<T>(
        &mut self,
        code: &'static str,
        what: &str,
        name: Name,
        known: impl FnOnce(&Self) -> Vec<Symbol>,
        help: &str,
    ) -> Option<T> {
        if self.report.only_counts() {
            return None;
        }
        let names = &self.tree.names;
        let text = names.text(name.symbol);
        let near = similar(text, known(self).into_iter().map(|symbol| names.text(symbol)));
        let help = near.map_or_else(|| help.to_owned(), |near| format!("did you mean `{near}`?"));
        self.error(code, format!("there is no {what} `{text}`"), name.span, "not declared", &help)
    }

    /// All labels, in the order of the source.
    fn known_labels(&self) -> Vec<Symbol> {
        let mut known: Vec<Symbol> = self.labels.keys().copied().collect();
        known.sort_unstable();
        known
    }

    fn twice<T>(&mut self, name: Name, first: Span) -> Option<T> {
        let message = format!("`{}` is declared twice", self.text(name));
        self.report.push(
            Diagnostic::error("PD0120", message)
                .at(name.span, "declared again")
                .also(first, "declared here")
                .help("choose another name for one of them"),
        );
        None
    }
}
