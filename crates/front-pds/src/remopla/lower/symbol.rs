//! Labels that rules name: the stack symbols of rules.
//!
//! A label that no statement has is a location of its own, without a statement. It belongs to the module of the labels
//! with which rules exchange it on the stack; else to the module in which a rule that starts from it is written.

use base::Diagnostic;
use program::LocationId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::syntax::Name;
use super::Lowering;
use crate::rule::Sets;
use base::names::{Symbol, similar};

/// For so many labels a similar one is looked for: more warnings are not listed.
const MOST_SUGGESTED: usize = 100;

/// The stack symbols of all rules, in order of first occurrence.
#[derive(Default)]
struct Symbols {
    names: Vec<Name>,
    at: FxHashMap<Symbol, u32>,
}

impl Symbols {
    fn add(&mut self, name: Name) {
        self.at.entry(name.symbol).or_insert_with(|| {
            self.names.push(name);
            self.names.len() as u32 - 1
        });
    }
}

impl Lowering<'_> {
    /// Whether some rule starts from a label.
    pub(super) fn starts_rule(&self, label: Name) -> bool {
        self.rule_tops.contains(&label.symbol)
    }

    /// Makes the locations of labels that only rules name.
    pub(super) fn symbols(&mut self) {
        let tree = self.tree;
        let mut symbols = Symbols::default();
        tree.rules.iter().flat_map(|(_, rule)| rule.symbols()).for_each(|name| symbols.add(name));
        let modules = self.modules_of(&symbols);
        for (name, module) in symbols.names.iter().zip(modules) {
            if self.labels.contains_key(&name.symbol) {
                continue;
            }
            let Some(module) = module else {
                self.nowhere(*name);
                continue;
            };
            self.current = module;
            let location = self.builder.location(self.modules[module].id);
            self.origins.locations.push(Some(name.span));
            self.label(*name, location, false);
            if self.modules[module].source.is_none() {
                self.top_entry(module, location);
            }
        }
    }

    /// The module of each symbol, if something says which.
    fn modules_of(&mut self, symbols: &Symbols) -> Vec<Option<usize>> {
        let tree = self.tree;
        let mut sets = Sets::singletons(symbols.names.len());
        for (_, rule) in &tree.rules {
            if let Some(last) = rule.pushed.last() {
                sets.merge(symbols.at[&rule.top.symbol], symbols.at[&last.symbol]);
            }
        }
        let mut module_of: Vec<Option<usize>> = vec![None; symbols.names.len()];
        for (at, name) in symbols.names.iter().enumerate() {
            let root = sets.find(at as u32) as usize;
            module_of[root] = module_of[root].or_else(|| self.labels.get(&name.symbol).map(|label| label.module));
        }
        for (place, rule) in &tree.rules {
            let root = sets.find(symbols.at[&rule.top.symbol]) as usize;
            if module_of[root].is_none() {
                module_of[root] = match place {
                    Some(place) => self.module_of.get(&tree.modules[*place].name.symbol).copied(),
                    None => Some(self.top()),
                };
            }
        }
        (0..symbols.names.len() as u32).map(|at| module_of[sets.find(at) as usize]).collect()
    }

    /// What is outside of modules, made for labels of rules if there are no statements.
    fn top(&mut self) -> usize {
        if let Some(top) = self.modules.iter().rposition(|module| module.source.is_none()) {
            return top;
        }
        self.declare_top();
        let top = self.modules.len() - 1;
        let exit = self.builder.location(self.modules[top].id);
        self.origins.locations.push(None);
        self.builder.exit(exit);
        (self.modules[top].entry, self.modules[top].exit) = (exit, exit);
        top
    }

    /// The first label of rules is where the procedure begins that was made for them.
    fn top_entry(&mut self, top: usize, location: LocationId) {
        let id = self.modules[top].id;
        if self.builder.program().procedures[id].entries.is_empty() {
            self.builder.entry(location);
            self.modules[top].entry = location;
        }
    }

    /// A label that belongs to no module.
    fn nowhere(&mut self, name: Name) {
        if self.tree.lost_statements {
            return;
        }
        let help = "write it before a statement, or a rule that starts from it";
        self.unknown::<()>("PD0130", "label", name, Self::known_labels, help);
    }

    /// Warns of rules whose label is never on top of the stack.
    pub(super) fn unreached_symbols(&mut self) {
        let tree = self.tree;
        if tree.lost_statements || tree.rules.is_empty() {
            return;
        }
        let mut n_suggested = 0;
        let pushed = tree.rules.iter().flat_map(|(_, rule)| &rule.pushed);
        let started = tree.init.iter().flatten();
        let mut led_to: FxHashSet<Symbol> = pushed.chain(started).map(|name| name.symbol).collect();
        led_to.extend(&self.jumps);
        let known = self.known_labels();
        for (_, rule) in &tree.rules {
            let top = rule.top;
            let has_statement = self.labels.get(&top.symbol).is_none_or(|label| label.has_statement);
            if has_statement || !led_to.insert(top.symbol) {
                continue;
            }
            let message = format!("nothing leads to the label `{}`: the rule never applies", self.text(top));
            let mut warning = Diagnostic::warning("PD0150", message).at(top.span, "only on the left side of rules");
            if n_suggested < MOST_SUGGESTED {
                n_suggested += 1;
                let others = known.iter().filter(|other| **other != top.symbol).map(|other| tree.names.text(*other));
                warning.help = similar(self.text(top), others).map(|near| format!("did you mean `{near}`?"));
            }
            self.report.push(warning);
        }
    }
}
