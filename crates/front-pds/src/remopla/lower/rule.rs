//! Rules of pushdown systems among statements.
//!
//! The stack symbols are labels. `<>` returns from the module, `<L>` goes to a label of the same module, and `<E L>` enters
//! a module at the label E and comes back to L. The condition is a relation, and as in pushdown systems nothing keeps
//! its value by itself: what the condition does not mention is arbitrary afterwards, the result of `<>` included.

use base::Diagnostic;
use program::{Call, Expr as Model, LocationId, Relation, Sort, VariableId, When};

use super::super::syntax::{Name, Rule};
use super::Lowering;
use crate::pds::lower::effect::{Effect, Open};

/// A rule may have so many new stack symbols.
const MOST_SYMBOLS: usize = 2;

/// A new stack symbol of the rule that is being lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) module: usize,
    /// At which moment its locals are read.
    pub(super) when: When,
}

impl Lowering<'_> {
    /// All rules, as edges.
    pub(super) fn rules(&mut self) {
        let tree = self.tree;
        self.one_state();
        self.in_rule = true;
        for (_, rule) in &tree.rules {
            self.n_parts = 0;
            self.rule(rule);
            self.levels.clear();
        }
        self.in_rule = false;
        self.unreached_symbols();
    }

    /// There is only one control state.
    fn one_state(&mut self) {
        let mut states = self.tree.rules.iter().flat_map(|(_, rule)| [rule.from, rule.to]);
        let Some(first) = states.next() else { return };
        if let Some(other) = states.find(|state| state.symbol != first.symbol) {
            let message = format!("`{}` is a second control state: a program has only one", self.text(other));
            self.report.push(
                Diagnostic::error("PD0144", message)
                    .at(other.span, "another one")
                    .also(first.span, "the first one")
                    .help("keep what it says in a global variable, and ask for its value in the condition"),
            );
        }
    }

    /// The edge of a rule. `None`: an error has been reported.
    fn rule(&mut self, rule: &Rule) -> Option<()> {
        let source = self.labels.get(&rule.top.symbol).copied()?;
        self.current = source.module;
        let target = match rule.pushed.last() {
            Some(last) => self.rule_target(rule.top, *last)?,
            None => self.modules[source.module].exit,
        };
        let here = Level { module: source.module, when: When::After };
        let callee = match rule.pushed.as_slice() {
            [] => None,
            [_] => {
                self.levels.push(here);
                None
            }
            [entry, _] => {
                let entry = self.labels.get(&entry.symbol).copied()?;
                self.levels.push(Level { module: entry.module, when: When::After });
                self.levels.push(Level { when: When::Saved, ..here });
                Some(entry)
            }
            [first, .., last] => return self.too_many(*first, *last),
        };
        let mut effect = Effect::default();
        if let Some(condition) = &rule.condition {
            self.constrain(condition, &mut effect)?;
        }
        let relation = effect.relation(self.open(source.module).into_iter(), Vec::new());
        self.never(rule, &relation);
        self.origins.edges.push(Some(rule.span));
        let Some(entry) = callee else {
            self.builder.step(source.location, target, relation);
            return Some(());
        };
        self.builder.entry(entry.location);
        let id = self.modules[entry.module].id;
        let call = Call { callee: id, entry: entry.location, enter: relation, leave: Relation::identity() };
        self.builder.call(source.location, target, call);
        Some(())
    }

    /// Where a rule goes on: a label of the module from which it starts.
    fn rule_target(&mut self, top: Name, last: Name) -> Option<LocationId> {
        let label = self.labels.get(&last.symbol).copied()?;
        if label.module == self.current {
            return Some(label.location);
        }
        let (top, text) = (self.text(top), self.text(last));
        let message = format!("the labels `{top}` and `{text}` are in different modules");
        self.report.push(
            Diagnostic::error("PD0131", message)
                .at(last.span, "a rule does not change the module")
                .also(label.span, "the label")
                .help(format!("enter the other module and come back to a label of this one, as in `<{text} {top}>`")),
        );
        None
    }

    fn too_many<T>(&mut self, first: Name, last: Name) -> Option<T> {
        let message = format!("a rule has at most {MOST_SYMBOLS} new stack symbols");
        let help = "split it: `q <a> --> q <b c d>` is `q <a> --> q <h d>` and `q <h> --> q <b c>`, with h beside c";
        self.error("PD0145", message, first.span.to(last.span), "too many", help)
    }

    /// Warns of a rule that never applies.
    fn never(&mut self, rule: &Rule, relation: &Relation) {
        if relation.guard == Model::FALSE || relation.constraint == Model::FALSE {
            let place = rule.condition.as_ref().map_or(rule.span, |condition| condition.span());
            self.report.push(
                Diagnostic::warning("PD0151", "the condition of this rule is never true")
                    .at(place, "impossible")
                    .help("a value that does not fit its variable has no successor"),
            );
        }
    }

    /// What gets new values: the globals, the locals of all new symbols, and what a module returns.
    fn open(&self, module: usize) -> Vec<Open> {
        let program = self.builder.program();
        let open = |variable: VariableId, when: When, fresh: bool| {
            let n = match program.sort(variable) {
                Sort::Array(_, n) => Some(*n),
                Sort::Bool | Sort::Bits(_) | Sort::Int | Sort::Enum(_) => None,
            };
            Open { variable, when, fresh, n }
        };
        let globals = self.tree.globals.iter().filter_map(|global| self.globals.get(&global.name.symbol));
        let globals =
            globals.flat_map(|global| &global.leaves).map(|(variable, _)| open(*variable, When::After, false));
        let mut all: Vec<Open> = globals.collect();
        for level in &self.levels {
            // The frame of a callee has no values before.
            let fresh = self.levels.len() > 1 && level.when == When::After;
            let procedure = &program.procedures[self.modules[level.module].id];
            let locals = procedure.parameters.iter().chain(&procedure.locals);
            all.extend(locals.map(|variable| open(*variable, level.when, fresh)));
        }
        if self.levels.is_empty() {
            let results = &program.procedures[self.modules[module].id].results;
            all.extend(results.iter().map(|variable| open(*variable, When::After, false)));
        }
        all
    }
}
