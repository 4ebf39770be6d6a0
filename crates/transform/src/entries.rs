//! One entry per procedure: a procedure that is entered at several locations becomes as many procedures.
//!
//! Raw pushdown systems push any symbol, so their procedures have many entries, and a summary that does not say at which
//! of them it began says too little. The copies have the names, labels and source places of the original, so that users
//! see no difference. This is no pass: it comes right after a program was read, before anything is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Context, Id as _, IdVec};
use program::{
    Action, Choice, Edge, EdgeId, EdgeKind, Expr, Graph, Lasso, LocationId, Origins, ProcedureId, Program, Relation,
    Rhs, Scope, Trace, TraceStep, Update, VariableId, When,
};

use crate::rewriting::{BackError, Certified, Refused, Rewriting, Rewritten, Subject};

/// A program of which some parts have become several. The parts of the original keep their numbers, and new ones come after
/// them.
#[derive(Clone, PartialEq, Debug)]
pub struct Split {
    /// The program.
    pub program: Program,
    /// Where its parts come from.
    pub origins: Origins,
    /// For each location of the original, all that stand for it now.
    pub locations: IdVec<LocationId, Vec<LocationId>>,
    /// Locals of the original with those that have the same values elsewhere.
    pub locals: Vec<(VariableId, VariableId)>,
    /// For each new edge, in order, the edge of the original that it stands for or belongs to.
    pub edges: Vec<EdgeId>,
}

/// Gives every procedure one entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitEntries;

impl Rewriting for SplitEntries {
    fn name(&self) -> &'static str {
        "entries"
    }

    fn rewrite(&self, subject: &mut Subject, _context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused> {
        let Some(split) = split_entries(&subject.program, &Origins::default()) else { return Ok(None) };
        let copies = |target: &LocationId| split.locations[*target].iter().copied();
        let targets = subject.targets.iter().flat_map(copies).collect();
        let back = Copies::of(&subject.program, split);
        subject.lengths = back.lengths(&subject.lengths);
        subject.program = Arc::clone(&back.program);
        subject.targets = targets;
        Ok(Some(Box::new(back)))
    }
}

/// The way back from copies of procedures to the procedures.
#[derive(Debug)]
struct Copies {
    program: Arc<Program>,
    /// How many edges the original has, and for each edge after them the one that it is a copy of.
    n_edges: usize,
    edges: Vec<EdgeId>,
    /// Copies of locations and of locals, in order, with their originals.
    locations: BTreeMap<LocationId, LocationId>,
    locals: BTreeMap<VariableId, VariableId>,
}

impl Copies {
    fn of(original: &Program, split: Split) -> Self {
        let copied = split.locations.iter_ids();
        let locations =
            copied.flat_map(|(location, copies)| copies.iter().map(move |copy| (*copy, location))).collect();
        Self {
            program: Arc::new(split.program),
            n_edges: original.edges.len(),
            edges: split.edges,
            locations,
            locals: split.locals.into_iter().map(|(local, copy)| (copy, local)).collect(),
        }
    }

    fn edge(&self, edge: EdgeId) -> EdgeId {
        let at = edge.index().checked_sub(self.n_edges);
        at.and_then(|at| self.edges.get(at)).copied().unwrap_or(edge)
    }

    fn lengths(&self, before: &[u32]) -> Vec<u32> {
        let copies = self.edges.iter().filter_map(|edge| before.get(edge.index()));
        before.iter().chain(copies).copied().collect()
    }

    fn choices(&self, choices: &mut [Choice]) {
        for choice in choices {
            choice.variable = self.locals.get(&choice.variable).copied().unwrap_or(choice.variable);
        }
    }

    fn steps(&self, steps: &mut [TraceStep]) {
        for step in steps {
            if let Action::Take(edge) | Action::Enter(edge) | Action::Across(edge, _) = &mut step.action {
                *edge = self.edge(*edge);
            }
            self.choices(&mut step.choices);
        }
    }
}

impl Rewritten for Copies {
    fn target_back(&self, location: LocationId) -> LocationId {
        self.locations.get(&location).copied().unwrap_or(location)
    }

    fn trace_back(&self, mut trace: Trace, _context: &Context<'_>) -> Result<Trace, BackError> {
        self.choices(&mut trace.start);
        self.steps(&mut trace.steps);
        for run in &mut trace.runs {
            self.choices(&mut run.entry);
            self.steps(&mut run.steps);
        }
        Ok(trace)
    }

    fn lasso_back(&self, lasso: Lasso, context: &Context<'_>) -> Result<Lasso, BackError> {
        Ok(Lasso { trace: self.trace_back(lasso.trace, context)?, ..lasso })
    }

    /// What is true behind one entry need not be true behind another.
    fn certificate_back(&self, certified: Certified) -> Option<Certified> {
        let about = certified.about.or_else(|| Some(Arc::clone(&self.program)));
        Some(Certified { about, ..certified })
    }

    fn keeps_lengths(&self) -> bool {
        true
    }
}

/// Gives every procedure one entry; none: all have one already.
#[must_use]
pub fn split_entries(program: &Program, origins: &Origins) -> Option<Split> {
    let used = used_entries(program);
    if used.iter().all(|entries| entries.len() <= 1) {
        return None;
    }
    let mut splitter = Splitter {
        graph: Graph::of(program),
        plain: program,
        split: Split {
            program: program.clone(),
            origins: origins.clone(),
            locations: program.locations.ids().map(|location| vec![location]).collect(),
            locals: Vec::new(),
            edges: Vec::new(),
        },
        doors: BTreeMap::new(),
        edges: Vec::new(),
    };
    for (procedure, entries) in used.iter_ids() {
        if entries.is_empty() {
            splitter.keep(procedure, LocationId(u32::MAX));
        }
        for (number, entry) in entries.iter().enumerate() {
            splitter.add(procedure, *entry, number);
        }
    }
    splitter.redirect();
    Some(splitter.split)
}

/// The entries of each procedure that threads, `init`, calls and spawns use, that of a thread first.
fn used_entries(program: &Program) -> IdVec<ProcedureId, Vec<LocationId>> {
    let mut used: IdVec<ProcedureId, Vec<LocationId>> = IdVec::filled(program.procedures.len(), Vec::new());
    let mut add = |procedure: ProcedureId, entry: LocationId| {
        if !used[procedure].contains(&entry) {
            used[procedure].push(entry);
        }
    };
    for start in program.threads.iter().map(|thread| thread.start).chain(program.init) {
        program.procedures[start].entries.first().into_iter().for_each(|entry| add(start, *entry));
    }
    for edge in &program.edges {
        match &edge.kind {
            EdgeKind::Step(_) => {}
            EdgeKind::Call(call) => add(call.callee, call.entry),
            EdgeKind::Spawn(spawn) => add(spawn.callee, spawn.entry),
        }
    }
    used
}

/// A procedure for one entry of an original.
struct Door {
    procedure: ProcedureId,
    entry: LocationId,
    /// The locals of the original and those of the copy, in order of the originals; none: it is the original.
    locals: Vec<(VariableId, VariableId)>,
}

impl Door {
    fn local(&self, variable: VariableId) -> VariableId {
        let at = self.locals.binary_search_by_key(&variable, |(original, _)| *original);
        at.map_or(variable, |at| self.locals[at].1)
    }
}

struct Splitter<'p> {
    graph: Graph,
    plain: &'p Program,
    split: Split,
    /// By original procedure and entry.
    doors: BTreeMap<(ProcedureId, LocationId), Door>,
    /// All edges whose procedure may have to be adapted, with the door through which their procedure was entered.
    edges: Vec<(EdgeId, (ProcedureId, LocationId))>,
}

impl Splitter<'_> {
    /// The first entry keeps the original; for others what is reached from the entry is copied.
    fn add(&mut self, procedure: ProcedureId, entry: LocationId, number: usize) {
        let key = (procedure, entry);
        if number == 0 {
            self.split.program.procedures[procedure].entries = vec![entry];
            self.keep(procedure, entry);
            return;
        }
        let copy = self.copy_procedure(procedure, number);
        let locals = self.copy_locals(procedure, copy);
        let reached = self.reached_from(entry);
        let mut place: BTreeMap<LocationId, LocationId> = BTreeMap::new();
        for location in &reached {
            place.insert(*location, self.copy_location(*location, copy));
        }
        for location in &reached {
            for at in 0..self.graph.outgoing(*location).len() {
                let edge = self.graph.outgoing(*location)[at];
                let copied = self.copy_edge(edge, &place);
                self.edges.push((copied, key));
            }
        }
        let exits = self.plain.procedures[procedure].exits.iter().filter_map(|exit| place.get(exit).copied());
        self.split.program.procedures[copy].exits = exits.collect();
        self.split.program.procedures[copy].entries = vec![place[&entry]];
        self.doors.insert(key, Door { procedure: copy, entry: place[&entry], locals });
    }

    /// The original, entered at an entry; or not entered at all, with an entry that does not exist.
    fn keep(&mut self, procedure: ProcedureId, entry: LocationId) {
        let key = (procedure, entry);
        self.doors.insert(key, Door { procedure, entry, locals: Vec::new() });
        let own = self.plain.procedures[procedure].locations.iter();
        self.edges.extend(own.flat_map(|location| self.graph.outgoing(*location)).map(|edge| (*edge, key)));
    }

    fn copy_procedure(&mut self, procedure: ProcedureId, number: usize) -> ProcedureId {
        let mut copy = self.plain.procedures[procedure].clone();
        copy.name = format!("{}.{}", copy.name, number + 1);
        while self.split.program.procedures.iter().any(|other| other.name == copy.name) {
            copy.name.push('\'');
        }
        copy.locations.clear();
        self.split.program.procedures.push(copy)
    }

    fn copy_locals(&mut self, procedure: ProcedureId, copy: ProcedureId) -> Vec<(VariableId, VariableId)> {
        let mut locals: Vec<(VariableId, VariableId)> = Vec::new();
        for local in self.plain.variables_in(Scope::Local(procedure)) {
            let mut variable = self.plain.variables[local].clone();
            variable.scope = Scope::Local(copy);
            locals.push((local, self.split.program.variables.push(variable)));
            if let Some(origin) = self.split.origins.variables.get(local).copied() {
                self.split.origins.variables.push(origin);
            }
        }
        let renamed = |variables: &[VariableId]| -> Vec<VariableId> {
            let new = |variable: &VariableId| locals.binary_search_by_key(variable, |(original, _)| *original);
            variables.iter().filter_map(|variable| new(variable).ok().map(|at| locals[at].1)).collect()
        };
        self.split.locals.extend(&locals);
        let original = &self.plain.procedures[procedure];
        let copy = &mut self.split.program.procedures[copy];
        copy.parameters = renamed(&original.parameters);
        copy.results = renamed(&original.results);
        copy.locals = renamed(&original.locals);
        locals
    }

    /// The locations that edges reach from an entry, in order.
    fn reached_from(&self, entry: LocationId) -> Vec<LocationId> {
        let mut reached = std::collections::BTreeSet::from([entry]);
        let mut work = vec![entry];
        while let Some(location) = work.pop() {
            for edge in self.graph.outgoing(location) {
                let target = self.plain.edges[*edge].target;
                if reached.insert(target) {
                    work.push(target);
                }
            }
        }
        reached.into_iter().collect()
    }

    fn copy_location(&mut self, location: LocationId, procedure: ProcedureId) -> LocationId {
        let mut copy = self.plain.locations[location].clone();
        copy.procedure = procedure;
        let id = self.split.program.locations.push(copy);
        self.split.program.procedures[procedure].locations.push(id);
        self.split.locations[location].push(id);
        if let Some(origin) = self.split.origins.locations.get(location).copied() {
            self.split.origins.locations.push(origin);
        }
        id
    }

    fn copy_edge(&mut self, edge: EdgeId, place: &BTreeMap<LocationId, LocationId>) -> EdgeId {
        let Edge { source, target, kind } = self.plain.edges[edge].clone();
        self.split.edges.push(edge);
        if let Some(origin) = self.split.origins.edges.get(edge).copied() {
            self.split.origins.edges.push(origin);
        }
        self.split.program.edges.push(Edge { source: place[&source], target: place[&target], kind })
    }

    /// Lets every edge speak of the locals of its own procedure, and enter the right copy of its callee.
    fn redirect(&mut self) {
        for (edge, key) in std::mem::take(&mut self.edges) {
            let own = &self.doors[&key];
            let kind = &mut self.split.program.edges[edge].kind;
            match kind {
                EdgeKind::Step(relation) => rename(relation, &|variable, _| own.local(variable)),
                EdgeKind::Call(call) => {
                    let callee = &self.doors[&(call.callee, call.entry)];
                    let of_callee = |when: When| matches!(when, When::After);
                    rename(&mut call.enter, &|variable, when| {
                        if of_callee(when) { callee.local(variable) } else { own.local(variable) }
                    });
                    rename(&mut call.leave, &|variable, when| {
                        if when == When::Result { callee.local(variable) } else { own.local(variable) }
                    });
                    (call.callee, call.entry) = (callee.procedure, callee.entry);
                }
                EdgeKind::Spawn(spawn) => {
                    let callee = &self.doors[&(spawn.callee, spawn.entry)];
                    rename(&mut spawn.enter, &|variable, when| {
                        if when == When::After { callee.local(variable) } else { own.local(variable) }
                    });
                    (spawn.callee, spawn.entry) = (callee.procedure, callee.entry);
                }
            }
        }
    }
}

/// Replaces variables, by the moment at which they are read or written.
fn rename(relation: &mut Relation, new: &dyn Fn(VariableId, When) -> VariableId) {
    let expr = |expr: &mut Expr| {
        let old = std::mem::replace(expr, Expr::TRUE);
        *expr = old.map(&mut |expr| match expr {
            Expr::Read(variable, when) => Expr::Read(new(variable, when), when),
            other => other,
        });
    };
    expr(&mut relation.guard);
    expr(&mut relation.constraint);
    for Update { variable, index, when, value } in &mut relation.updates {
        *variable = new(*variable, *when);
        index.iter_mut().for_each(expr);
        if let Rhs::Expr(value) = value {
            expr(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use program::random::{self, Shape};

    use super::*;

    #[test]
    fn every_procedure_has_one_entry_afterwards() {
        let mut n_split = 0;
        for seed in 0..200 {
            let program = random::program(&Shape { seed, procedures: 3, threads: seed % 2 == 0, ..Shape::default() });
            let Some(split) = split_entries(&program, &Origins::default()) else { continue };
            let Split { program: split, locations: copies, locals, .. } = split;
            assert_eq!(program.variables.len() + locals.len(), split.variables.len());
            for (original, copy) in locals {
                assert_eq!(program.variables[original].name, split.variables[copy].name);
            }
            n_split += 1;
            assert_eq!(program::verify(&split), Ok(()), "seed {seed}");
            assert!(used_entries(&split).iter().all(|entries| entries.len() <= 1), "seed {seed}");
            assert_eq!(split_entries(&split, &Origins::default()), None, "seed {seed}");
            for (original, copies) in copies.iter_ids() {
                for copy in copies {
                    assert_eq!(split.locations[*copy].labels, program.locations[original].labels);
                    assert_eq!(split.locations[*copy].role, program.locations[original].role);
                }
            }
            assert!(copies.iter().map(Vec::len).sum::<usize>() == split.locations.len(), "{}", copies.len());
            assert!(split.procedures.len() > program.procedures.len());
        }
        assert!(n_split > 20, "{n_split} of 200");
    }
}
