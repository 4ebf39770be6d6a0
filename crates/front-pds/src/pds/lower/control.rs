//! Control states, locations and procedures.

use std::collections::BTreeMap;

use base::{Diagnostic, Id as _, IdVec, Span};
use program::{EnumId, Enumeration, Expr, LocationId, Procedure, ProcedureId, Scope, Sort, Value, VariableId};
use question::Seen;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::syntax::{Name, Start};
use super::Lowering;
use super::declare::Field;
use crate::rule::Sets;
use base::names::Symbol;

const NONE: u32 = u32::MAX;

/// A local as its symbol sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) field: Field,
    pub(super) variable: VariableId,
}

/// Where control can be.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Position of a control state, by name.
    state_of: Vec<u32>,
    /// Names of the control states in order of first occurrence.
    pub(super) states: Vec<Symbol>,
    /// The variable that holds the control state.
    pub(super) variable: Option<VariableId>,
    /// Location of a stack symbol, by name.
    location_of: Vec<u32>,
    /// Stack symbols in order of first occurrence: that of the n-th location.
    pub(super) symbols: Vec<Name>,
    /// What each symbol can see, by location.
    pub(super) locals: Vec<Vec<Local>>,
    exits: IdVec<ProcedureId, Option<LocationId>>,
    is_entry: Vec<bool>,
    /// Variables of procedures, by name and sort: symbols of one procedure share what is alike.
    shared_locals: FxHashMap<(ProcedureId, Symbol, Sort), VariableId>,
    /// Variables that hold the locals of symbols that are still to be pushed, by procedure, distance and local.
    pub(super) copies: FxHashMap<(ProcedureId, usize, Symbol, Sort), VariableId>,
}

impl Control {
    /// The location of a stack symbol that occurs in the start or in a rule.
    pub(super) fn location(&self, symbol: Symbol) -> Option<LocationId> {
        let at = *self.location_of.get(symbol.index())?;
        (at != NONE).then_some(LocationId(at))
    }

    /// The position of a control state.
    pub(super) fn state(&self, symbol: Symbol) -> Option<u32> {
        self.state_of.get(symbol.index()).copied().filter(|at| *at != NONE)
    }

    fn add_state(&mut self, symbol: Symbol) {
        let at = &mut self.state_of[symbol.index()];
        if *at == NONE {
            *at = self.states.len() as u32;
            self.states.push(symbol);
        }
    }

    fn add_symbol(&mut self, name: Name) -> u32 {
        let at = &mut self.location_of[name.symbol.index()];
        if *at == NONE {
            *at = self.symbols.len() as u32;
            self.symbols.push(name);
        }
        *at
    }
}

impl Lowering<'_> {
    /// Control states, locations, procedures and their locals.
    pub(super) fn control(&mut self, start: &Start) {
        let n_names = self.tree.names.n_names();
        self.control.state_of = vec![NONE; n_names];
        self.control.location_of = vec![NONE; n_names];
        let heads = self.collect(start);
        self.state_variable();
        let sets = self.link();
        self.procedures(sets, start, &heads);
        self.locals();
        self.unknown_symbols();
    }

    /// Numbers states and symbols; the left side of each symbol's first rule, by symbol.
    fn collect(&mut self, start: &Start) -> Vec<Option<Span>> {
        let tree = self.tree;
        let mut heads: Vec<Option<Span>> = Vec::new();
        self.control.add_state(start.state.symbol);
        for (name, _) in &start.stack {
            self.control.add_symbol(*name);
        }
        for rule in &tree.rules {
            self.control.add_state(rule.from.symbol);
            self.control.add_state(rule.to.symbol);
            let at = self.control.add_symbol(rule.top) as usize;
            if at >= heads.len() {
                heads.resize(at + 1, None);
            }
            heads[at].get_or_insert(rule.span);
            for name in &rule.pushed {
                self.control.add_symbol(*name);
            }
        }
        heads.resize(self.control.symbols.len(), None);
        heads
    }

    /// With one control state there is nothing to remember.
    fn state_variable(&mut self) {
        if self.control.states.len() < 2 {
            return;
        }
        let mut name = "state".to_owned();
        while self.tree.names.find(&name).is_some_and(|symbol| self.declared.global.contains_key(&symbol)) {
            name.push('_');
        }
        let names = &self.tree.names;
        let values = self.control.states.iter().map(|state| names.text(*state).to_owned()).collect();
        let id = self.program.enums.push(Enumeration { name: name.clone(), values });
        self.control.variable = Some(self.variable(name, Sort::Enum(id), Scope::Shared, None));
    }

    /// A control state as a value.
    pub(super) fn state_value(&self, symbol: Symbol) -> Expr {
        let position = self.control.state(symbol).unwrap_or(0);
        Expr::Const(Value::Enum(position), Sort::Enum(EnumId::from_index(0)))
    }

    /// Which symbols share a frame.
    fn link(&mut self) -> Sets {
        let mut sets = Sets::singletons(self.control.symbols.len());
        let location_of = &self.control.location_of;
        let at = |name: &Name| location_of[name.symbol.index()];
        for rule in &self.tree.rules {
            if let Some(last) = rule.pushed.last() {
                sets.merge(at(&rule.top), at(last));
            }
        }
        sets
    }

    fn procedures(&mut self, mut sets: Sets, start: &Start, heads: &[Option<Span>]) {
        let n = self.control.symbols.len();
        let mut procedure_of: Vec<Option<ProcedureId>> = vec![None; n];
        for at in 0..n as u32 {
            let root = sets.find(at) as usize;
            let procedure = *procedure_of[root].get_or_insert_with(|| {
                self.control.exits.push(None);
                self.program.procedures.push(Procedure::default())
            });
            let name = self.control.symbols[at as usize];
            let place = heads[at as usize].unwrap_or(name.span);
            self.location(procedure, Some(self.tree.names.text(name.symbol)), Some(place));
        }
        self.control.is_entry = vec![false; n];
        if let [(only, _)] = start.stack.as_slice() {
            self.entry(only.symbol);
        }
        let tree = self.tree;
        for rule in tree.rules.iter().filter(|rule| rule.pushed.len() > 1) {
            self.entry(rule.pushed[0].symbol);
        }
        if start.stack.len() > 1 {
            self.entry(start.stack[0].0.symbol);
        }
        self.name_procedures();
    }

    fn entry(&mut self, symbol: Symbol) {
        let Some(location) = self.control.location(symbol) else { return };
        if !std::mem::replace(&mut self.control.is_entry[location.index()], true) {
            let procedure = self.program.locations[location].procedure;
            self.program.procedures[procedure].entries.push(location);
        }
    }

    /// A procedure is called after what its symbols have in common, else after its first entry.
    fn name_procedures(&mut self) {
        let mut taken: FxHashSet<String> = FxHashSet::default();
        for procedure in self.program.procedures.ids() {
            let Some(first) = self.first_symbol(procedure) else { continue };
            let mut name = self.common_name(procedure, first);
            if taken.contains(&name) {
                first.clone_into(&mut name);
            }
            while taken.contains(&name) {
                name.push('\'');
            }
            taken.insert(name.clone());
            self.program.procedures[procedure].name = name;
        }
    }

    fn symbol_at(&self, location: LocationId) -> &str {
        self.tree.names.text(self.control.symbols[location.index()].symbol)
    }

    fn first_symbol(&self, procedure: ProcedureId) -> Option<&str> {
        let procedure = &self.program.procedures[procedure];
        let first = procedure.entries.first().or(procedure.locations.first())?;
        Some(self.symbol_at(*first))
    }

    /// The longest beginning that all symbols share, without numbers at its end; else that of the first symbol.
    fn common_name(&self, procedure: ProcedureId, first: &str) -> String {
        let mut common = first;
        for location in &self.program.procedures[procedure].locations {
            let other = self.symbol_at(*location);
            let same = common.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            common = &common[..same];
        }
        // Digits at the end count the symbols, or are a number that was cut in two.
        let trimmed =
            |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', '.']).to_owned();
        [trimmed(common), trimmed(first)].into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| first.to_owned())
    }

    /// Gives every symbol its variables.
    fn locals(&mut self) {
        self.control.locals = vec![Vec::new(); self.control.symbols.len()];
        if self.declared.groups.is_empty() {
            return;
        }
        // Symbols of one declaration in one frame see the same.
        let mut alike: BTreeMap<(ProcedureId, usize), Vec<LocationId>> = BTreeMap::new();
        for at in 0..self.control.symbols.len() {
            let symbol = self.control.symbols[at].symbol;
            let Some((group, _)) = self.declared.group_of.get(&symbol).copied() else { continue };
            let procedure = self.program.locations[LocationId::from_index(at)].procedure;
            let fields = self.declared.groups[group].clone();
            self.control.locals[at] = fields.into_iter().map(|field| self.local(procedure, field)).collect();
            alike.entry((procedure, group)).or_default().push(LocationId::from_index(at));
        }
        for locations in alike.into_values() {
            let locals = &self.control.locals[locations[0].index()];
            let seen = locals.iter().map(|Local { field, variable }| Seen {
                name: self.text(field.name).to_owned(),
                variable: *variable,
                written: field.shape.written(),
            });
            let seen = seen.collect();
            self.writing.note_seen(locations, seen);
        }
    }

    fn local(&mut self, procedure: ProcedureId, field: Field) -> Local {
        let key = (procedure, field.name.symbol, field.shape.sort());
        if let Some(variable) = self.control.shared_locals.get(&key).copied() {
            self.writing.note(variable, field.shape.written());
            return Local { field, variable };
        }
        let name = self.free_name(procedure, self.text(field.name));
        let variable = self.variable(name, field.shape.sort(), Scope::Local(procedure), Some(field.name.span));
        self.writing.note(variable, field.shape.written());
        self.control.shared_locals.insert(key, variable);
        Local { field, variable }
    }

    /// The name, or one made of it that no other local of the procedure has.
    pub(super) fn free_name(&self, procedure: ProcedureId, name: &str) -> String {
        let mut name = name.to_owned();
        let locals = &self.program.procedures[procedure].locals;
        while locals.iter().any(|local| self.program.variables[*local].name == name) {
            name.push('_');
        }
        name
    }

    /// The exit of a procedure, made when the first rule pops.
    pub(super) fn exit(&mut self, procedure: ProcedureId) -> LocationId {
        if let Some(exit) = self.control.exits[procedure] {
            return exit;
        }
        let exit = self.location(procedure, None, None);
        self.program.procedures[procedure].exits.push(exit);
        self.control.exits[procedure] = Some(exit);
        exit
    }

    /// Symbols that are listed, but occur nowhere.
    fn unknown_symbols(&mut self) {
        if self.damaged {
            return;
        }
        let tree = self.tree;
        for name in tree.locals.iter().flat_map(|local| &local.symbols) {
            if self.control.location(name.symbol).is_none() {
                let message = format!("the stack symbol `{}` occurs in no rule", self.text(*name));
                let warning = Diagnostic::warning("PD0054", message).at(name.span, "listed here only");
                self.suggest_symbol(warning, *name);
            }
        }
    }

    /// Reports with the nearest stack symbol as help.
    pub(super) fn suggest_symbol(&mut self, mut diagnostic: Diagnostic, name: Name) {
        let names = &self.tree.names;
        let symbols = self.control.symbols.iter().map(|symbol| names.text(symbol.symbol));
        if let Some(near) = base::names::similar(names.text(name.symbol), symbols) {
            diagnostic.help = Some(format!("did you mean `{near}`?"));
        }
        self.report.push(diagnostic);
    }
}
