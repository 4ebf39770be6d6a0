//! Edges, the start and propositions.

use std::collections::BTreeMap;

use base::{Diagnostic, Id as _, Span};
use program::property::Proposition;
use program::{
    Call, EdgeKind, Expr, LocationId, ProcedureId, Relation, Rhs, Role, Scope, Sort, Thread, Update, VariableId, When,
};

use super::super::syntax::{Formula, Name, Rule, Start};
use super::Lowering;
use super::effect::{Effect, Open};
use super::expand::Instance;
use super::resolve::{Context, Level};

/// A way from one symbol to several, of which all but the last are pushed.
struct Push<'a> {
    source: LocationId,
    symbols: &'a [Name],
    /// Levels 1 and up, as the condition sees them.
    levels: &'a [Level],
    span: Span,
}

/// A new symbol whose locals are held in a frame.
struct Held {
    /// Which of the new symbols it is.
    nth: usize,
    level: Level,
}

impl Lowering<'_> {
    /// All rules, as edges.
    pub(super) fn rules(&mut self) {
        let tree = self.tree;
        for rule in &tree.rules {
            self.rule(rule);
        }
    }

    /// Makes the variables of long right sides, so that all frames are complete before the first edge is made.
    pub(super) fn complete_frames(&mut self, start: &Start) {
        let tree = self.tree;
        for rule in tree.rules.iter().filter(|rule| rule.pushed.len() > 2) {
            self.all_copies(&rule.pushed);
        }
        let symbols: Vec<Name> = start.stack.iter().map(|(name, _)| *name).collect();
        self.all_copies(&symbols);
    }

    fn rule(&mut self, rule: &Rule) {
        let Some(source) = self.control.location(rule.top.symbol) else { return };
        let updates = self.move_state(rule);
        if self.declared.globals.is_empty() && self.declared.groups.is_empty() && rule.condition.is_none() {
            return self.plain_rule(rule, source, updates);
        }
        let levels = self.levels(source, &rule.pushed);
        let mut context = Context::new(levels, Some(0), true);
        let mut effect = Effect::default();
        effect.require(self.in_state(rule));
        if let Some(formula) = &rule.condition {
            self.add(formula, &mut context, &mut effect);
        }
        let open = self.open(&context.levels, true);
        let relation = effect.relation(open.into_iter(), updates);
        let levels = context.levels.get(1..).unwrap_or_default();
        self.connect(&Push { source, symbols: &rule.pushed, levels, span: rule.span }, relation);
    }

    /// A rule without data.
    fn plain_rule(&mut self, rule: &Rule, source: LocationId, updates: Vec<Update>) {
        let relation = Relation { guard: self.in_state(rule), updates, constraint: Expr::TRUE };
        if rule.pushed.len() > 2 {
            let levels = self.levels(source, &rule.pushed);
            let levels = levels.get(1..).unwrap_or_default();
            return self.connect(&Push { source, symbols: &rule.pushed, levels, span: rule.span }, relation);
        }
        self.connect(&Push { source, symbols: &rule.pushed, levels: &[], span: rule.span }, relation);
    }

    /// The control state is the rule's.
    fn in_state(&self, rule: &Rule) -> Expr {
        match self.control.variable {
            Some(state) => Expr::before(state).eq(self.state_value(rule.from.symbol)),
            None => Expr::TRUE,
        }
    }

    fn move_state(&self, rule: &Rule) -> Vec<Update> {
        match self.control.variable {
            Some(state) if rule.from.symbol != rule.to.symbol => {
                vec![Update::assign(state, self.state_value(rule.to.symbol))]
            }
            _ => Vec::new(),
        }
    }

    /// Resolves a condition and adds it to an effect.
    fn add(&mut self, formula: &Formula, context: &mut Context, effect: &mut Effect) {
        let condition = self.condition(formula, context);
        self.effect(&condition, effect, &mut Instance::default());
    }

    /// The symbol on the left side and the new ones, with the variables that hold their locals on the rule's first edge.
    fn levels(&mut self, source: LocationId, symbols: &[Name]) -> Vec<Level> {
        let mut levels = vec![Level { location: source, when: When::Before, copies: None }];
        let n = symbols.len();
        for (at, name) in symbols.iter().enumerate() {
            let Some(location) = self.control.location(name.symbol) else { continue };
            // The last symbol stays in the frame of the source; the one before is the callee's; the others wait there.
            let when = if at + 1 == n && n > 1 { When::Saved } else { When::After };
            let copies = (at + 2 < n).then(|| self.copies(location, at, symbols[n - 2]));
            levels.push(Level { location, when, copies });
        }
        levels
    }

    /// Variables in the frame of one symbol that hold the locals of another, the n-th one, until it is pushed.
    fn copies(&mut self, of: LocationId, nth: usize, host: Name) -> Vec<VariableId> {
        let Some(host) = self.control.location(host.symbol) else { return Vec::new() };
        let procedure = self.program.locations[host].procedure;
        let locals = self.control.locals[of.index()].clone();
        let copy = |local: &super::control::Local| {
            let (name, sort) = (local.field.name, local.field.shape.sort());
            let key = (procedure, nth, name.symbol, sort.clone());
            if let Some(known) = self.control.copies.get(&key) {
                return *known;
            }
            let text = self.free_name(procedure, &format!("{}{}", self.text(name), "'".repeat(nth + 1)));
            let copy = self.variable(text, sort, Scope::Local(procedure), Some(name.span));
            self.control.copies.insert(key, copy);
            copy
        };
        locals.iter().map(copy).collect()
    }

    /// Makes the variables in which a long right side waits.
    fn all_copies(&mut self, symbols: &[Name]) {
        let location = |(nth, name): (usize, &Name)| Some((nth, self.control.location(name.symbol)?));
        let waiting: Vec<_> =
            symbols.iter().enumerate().filter_map(location).filter(|(_, at)| self.has_locals(*at)).collect();
        let n_hosts = symbols.len().saturating_sub(1);
        for (at, host) in symbols.iter().enumerate().take(n_hosts).skip(1) {
            for (nth, location) in waiting.iter().take_while(|(nth, _)| *nth < at) {
                self.copies(*location, *nth, *host);
            }
        }
    }

    fn has_locals(&self, location: LocationId) -> bool {
        self.control.locals.get(location.index()).is_some_and(|locals| !locals.is_empty())
    }

    /// Variables of a frame that nothing at its first location can see: whatever they are does not matter, and one value
    /// makes fewer states than all.
    fn blank(&self, callee: ProcedureId, seen: &[VariableId], updates: &mut Vec<Update>) {
        for variable in &self.program.procedures[callee].locals {
            if !seen.contains(variable) {
                let zero = self.program.sort(*variable).smallest();
                let value = Rhs::Expr(Expr::Const(zero, self.program.sort(*variable).clone()));
                updates.push(Update { variable: *variable, index: None, when: When::After, value });
            }
        }
    }

    /// What a symbol sees.
    fn seen_at(&self, location: LocationId) -> Vec<VariableId> {
        self.control.locals.get(location.index()).into_iter().flatten().map(|local| local.variable).collect()
    }

    /// What is held in a frame for the symbol that stays in it and for those that are still to be pushed.
    fn held_in(&self, held: &[Held]) -> Vec<VariableId> {
        let of = |it: &Held| it.level.copies.clone().unwrap_or_else(|| self.seen_at(it.level.location));
        held.iter().flat_map(of).collect()
    }

    /// What gets new values: the globals, if they do, and the locals of all new symbols.
    fn open(&self, levels: &[Level], globals: bool) -> Vec<Open> {
        let mut open = Vec::new();
        let n_elements = |variable: VariableId| match self.program.sort(variable) {
            Sort::Array(_, n) => Some(*n),
            Sort::Bool | Sort::Bits(_) | Sort::Int | Sort::Enum(_) => None,
        };
        if globals {
            open.extend(self.declared.globals.iter().map(|variable| Open {
                variable: *variable,
                when: When::After,
                fresh: false,
                n: n_elements(*variable),
            }));
        }
        for level in levels.iter().skip(1) {
            // The frame of a callee has no values before.
            let fresh = levels.len() > 2 && level.when == When::After;
            for (at, local) in self.control.locals[level.location.index()].iter().enumerate() {
                let variable = level.copies.as_ref().map_or(local.variable, |copies| copies[at]);
                open.push(Open { variable, when: level.when, fresh, n: n_elements(variable) });
            }
        }
        open
    }

    /// The edges of a rule: a pop is a step to the exit, a push is a call.
    fn connect(&mut self, push: &Push<'_>, relation: Relation) {
        let Push { source, symbols, span, .. } = push;
        let target = symbols.last().and_then(|name| self.control.location(name.symbol));
        match (symbols, target) {
            ([_, _, ..], Some(_)) => self.push(push, relation),
            (_, Some(target)) => self.edge(*source, target, EdgeKind::Step(relation), Some(*span)),
            (_, None) => {
                let exit = self.exit(self.program.locations[*source].procedure);
                self.edge(*source, exit, EdgeKind::Step(relation), Some(*span));
            }
        }
    }

    /// Calls: the last symbol stays, the others are pushed from the bottom up, each from a location of its own.
    fn push(&mut self, push: &Push<'_>, mut enter: Relation) {
        let mut source = push.source;
        let mut held = self.held(push.levels);
        for at in (1..push.symbols.len()).rev() {
            let (Some(target), Some(below)) = (self.at(push, at), self.at(push, at - 1)) else { return };
            let callee = self.program.locations[below].procedure;
            held.truncate(held.partition_point(|it| it.nth < at));
            let seen = if at == 1 { self.seen_at(below) } else { self.held_in(&held) };
            self.blank(callee, &seen, &mut enter.updates);
            let (entry, next) = if at == 1 {
                (below, None)
            } else {
                let waiting = self.between(callee, push.span);
                self.program.procedures[callee].entries.push(waiting);
                (waiting, Some(self.hand_over(&mut held, &push.symbols[..at])))
            };
            let call = Call { callee, entry, enter, leave: Relation::identity() };
            self.edge(source, target, EdgeKind::Call(Box::new(call)), Some(push.span));
            let Some(next) = next else { return };
            (source, enter) = (entry, next);
        }
    }

    /// A location in the middle of a rule, or of the start.
    fn between(&mut self, procedure: ProcedureId, span: Span) -> LocationId {
        let location = self.location(procedure, None, Some(span));
        self.program.locations[location].role = Role::Between;
        location
    }

    fn at(&self, push: &Push<'_>, at: usize) -> Option<LocationId> {
        push.symbols.get(at).and_then(|name| self.control.location(name.symbol))
    }

    /// The new symbols that have locals: only those have something to wait for, and most symbols of long right sides have
    /// none.
    fn held(&self, levels: &[Level]) -> Vec<Held> {
        let levels = levels.iter().enumerate().filter(|(_, level)| self.has_locals(level.location));
        levels.map(|(nth, level)| Held { nth, level: level.clone() }).collect()
    }

    /// Hands the locals of symbols that are still to be pushed to the next callee, the last but one of `symbols`; the last
    /// has its frame and gives them. `held` is where they are in that frame; afterwards, in the callee's.
    fn hand_over(&mut self, held: &mut Vec<Held>, symbols: &[Name]) -> Relation {
        let n = symbols.len() - 1;
        held.truncate(held.partition_point(|it| it.nth < n));
        let mut updates = Vec::new();
        for Held { nth, level } in held {
            let next = (*nth + 1 < n).then(|| self.copies(level.location, *nth, symbols[n - 1]));
            let given = std::mem::replace(&mut level.copies, next).unwrap_or_default();
            let taken = level.copies.clone().unwrap_or_else(|| self.seen_at(level.location));
            let hand = |(from, to): (VariableId, VariableId)| Update::assign(to, Expr::before(from));
            updates.extend(given.into_iter().zip(taken).map(hand));
        }
        Relation::update(updates)
    }

    /// The start configuration.
    pub(super) fn start(&mut self, start: &Start) {
        if let Some(state) = self.control.variable {
            self.program.start = Expr::before(state).eq(self.state_value(start.state.symbol));
        }
        if let Some(formula) = &start.condition {
            self.start_condition(formula, Context::new(Vec::new(), None, false));
        }
        let procedure = match start.stack.as_slice() {
            [] => self.empty_start(start),
            [(name, condition)] => {
                let Some(location) = self.control.location(name.symbol) else { return };
                if let Some(formula) = condition {
                    let level = Level { location, when: When::Before, copies: None };
                    self.start_condition(formula, Context::new(vec![level], Some(0), false));
                }
                self.program.locations[location].procedure
            }
            _ => self.deep_start(start),
        };
        self.blank_start(procedure, start);
        let name = self.program.procedures[procedure].name.clone();
        self.program.threads.push(Thread { name, start: procedure });
        self.unreachable_start(start);
    }

    /// What the first symbol cannot see has one value at the start.
    fn blank_start(&mut self, procedure: ProcedureId, start: &Start) {
        let seen = match start.stack.as_slice() {
            [(only, _)] => self.control.location(only.symbol).map(|at| self.seen_at(at)).unwrap_or_default(),
            _ => Vec::new(),
        };
        let blank = |variable: &VariableId| {
            let sort = self.program.sort(*variable);
            (!seen.contains(variable)).then(|| Expr::before(*variable).eq(Expr::Const(sort.smallest(), sort.clone())))
        };
        let conditions: Vec<Expr> = self.program.procedures[procedure].locals.iter().filter_map(blank).collect();
        let before = std::mem::replace(&mut self.program.start, Expr::TRUE);
        self.program.start = conditions.into_iter().fold(before, Expr::and);
    }

    fn start_condition(&mut self, formula: &Formula, mut context: Context) {
        let condition = self.condition(formula, &mut context);
        let expr = self.expand(&condition, &mut Instance::default());
        self.reject_impossible_start(expr == Expr::FALSE);
        let before = std::mem::replace(&mut self.program.start, Expr::TRUE);
        self.program.start = before.and(expr);
    }

    fn reject_impossible_start(&mut self, is_impossible: bool) {
        if is_impossible && !self.report.has_errors() {
            let place = self.tree.start.as_ref().map_or(self.source.end(), |start| start.span);
            self.report.push(
                Diagnostic::error("PD0041", "there is no start configuration: its condition is never true")
                    .at(place, "impossible")
                    .help("initial values must fit their variables"),
            );
        }
    }

    /// Nothing is on the stack: the run is over.
    fn empty_start(&mut self, start: &Start) -> ProcedureId {
        let warning = Diagnostic::warning("PD0053", "the start configuration has an empty stack: nothing can happen");
        self.report.push(warning.at(start.span, "no stack symbol"));
        let taken = |name: &str| self.program.procedures.iter().any(|procedure| procedure.name == name);
        let mut name = "start".to_owned();
        while taken(&name) {
            name.push('\'');
        }
        let procedure = self.program.procedures.push(program::Procedure { name, ..program::Procedure::default() });
        let location = self.location(procedure, None, Some(start.span));
        self.program.procedures[procedure].entries.push(location);
        self.program.procedures[procedure].exits.push(location);
        procedure
    }

    /// Several symbols: a location of its own pushes them. Globals are as the start says and stay so.
    fn deep_start(&mut self, start: &Start) -> ProcedureId {
        let symbols: Vec<Name> = start.stack.iter().map(|(name, _)| *name).collect();
        let bottom = symbols.last().and_then(|name| self.control.location(name.symbol));
        let bottom = bottom.unwrap_or(LocationId(0));
        let procedure = self.program.locations[bottom].procedure;
        let source = self.between(procedure, start.span);
        self.program.procedures[procedure].entries.insert(0, source);
        let levels = self.levels(source, &symbols);
        let mut context = Context::new(levels, None, false);
        let mut effect = Effect::default();
        for (at, (_, condition)) in start.stack.iter().enumerate() {
            if let Some(formula) = condition {
                context.base = Some(at + 1);
                self.add(formula, &mut context, &mut effect);
            }
        }
        self.reject_impossible_start(effect.is_impossible());
        let open = self.open(&context.levels, false);
        let relation = effect.relation(open.into_iter(), Vec::new());
        let levels = context.levels.get(1..).unwrap_or_default();
        self.connect(&Push { source, symbols: &symbols, levels, span: start.span }, relation);
        procedure
    }

    /// No rule speaks of the start: nothing can happen.
    fn unreachable_start(&mut self, start: &Start) {
        let Some((top, _)) = start.stack.first() else { return };
        let applies = |rule: &Rule| rule.from.symbol == start.state.symbol && rule.top.symbol == top.symbol;
        if self.damaged || self.tree.rules.iter().any(applies) {
            return;
        }
        let (state, symbol) = (self.text(start.state), self.text(*top));
        let mut warning = Diagnostic::warning("PD0056", format!("no rule applies to the start `{state} <{symbol}>`"))
            .at(start.span, "nothing can happen");
        let other = self.tree.rules.iter().find(|rule| rule.top.symbol == top.symbol);
        warning.help = Some(match other {
            Some(rule) => format!("there are rules for `{} <{symbol}>`", self.text(rule.from)),
            None => format!("`{symbol}` is on the left side of no rule"),
        });
        self.report.push(warning);
    }

    /// Names of control states, and what `atoms` declares.
    pub(super) fn propositions(&mut self) -> BTreeMap<String, Vec<Proposition>> {
        let mut propositions: BTreeMap<String, Vec<Proposition>> = BTreeMap::new();
        for at in 0..self.control.states.len() {
            let name = self.tree.names.text(self.control.states[at]).to_owned();
            propositions.insert(name, vec![self.state_proposition(at as u32)]);
        }
        let tree = self.tree;
        for atoms in &tree.atoms {
            let location = self.control.location(atoms.name.symbol).map(Proposition::Location);
            let state = self.control.state(atoms.name.symbol).map(|at| self.state_proposition(at));
            let Some(meaning) = location.or(state) else {
                let message = format!("`{}` is neither a stack symbol nor a control state", self.text(atoms.name));
                let error = Diagnostic::error("PD0042", message).at(atoms.name.span, "occurs in no rule");
                self.suggest_symbol(error, atoms.name);
                continue;
            };
            for name in &atoms.propositions {
                let meanings = propositions.entry(self.text(*name).to_owned()).or_default();
                if !meanings.contains(&meaning) {
                    meanings.push(meaning);
                }
            }
        }
        propositions
    }

    fn state_proposition(&self, at: u32) -> Proposition {
        self.control.variable.map_or(Proposition::Everywhere, |variable| Proposition::Value(variable, at))
    }
}
