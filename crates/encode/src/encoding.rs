//! The encoding of one program, built on demand.

use std::cell::RefCell;
use std::rc::Rc;

use base::IdVec;
use bdd::{Bdd, Cube, Manager, Renaming, Stop, Var};
use program::{Call, EdgeId, EdgeKind, Expr, ProcedureId, Program, Relation, Scope, VariableId, When};
use rustc_hash::FxHashMap;

use crate::alike::{Writer, representatives};
use crate::blast::{Blaster, CopyOf};
use crate::call::{self, CallImages, Crossing};
use crate::effects::Effects;
use crate::image::Image;
use crate::parallel::Together;
use crate::slots::{Copy, Slots};

/// A program with its diagrams.
#[derive(Debug)]
pub struct Encoding<'p> {
    program: &'p Program,
    manager: Manager,
    effects: Effects,
    slots: Slots,
    /// Shared and private variables that occur.
    globals: Vec<VariableId>,
    choices: RefCell<Vec<Var>>,
    steps: RefCell<IdVec<EdgeId, Option<Rc<Image>>>>,
    /// Steps taken together, by the first of them and their number.
    pub(crate) together: RefCell<Together>,
    calls: RefCell<IdVec<EdgeId, Option<Rc<CallImages>>>>,
    current_vars: RefCell<IdVec<ProcedureId, Option<Rc<[Var]>>>>,
    alike: Alike,
    carries_all: bool,
}

/// What is compiled, by how the edge is written down.
#[derive(Debug)]
struct Alike {
    representatives: IdVec<VariableId, VariableId>,
    steps: RefCell<FxHashMap<Box<[u32]>, Rc<Image>>>,
    calls: RefCell<FxHashMap<Box<[u32]>, Rc<CallImages>>>,
    /// Numbers of procedures that look alike to calls, and these numbers by how the procedure is written down.
    procedures: RefCell<IdVec<ProcedureId, Option<u32>>>,
    numbers: RefCell<FxHashMap<Box<[u32]>, u32>>,
}

impl Alike {
    fn new(program: &Program, slots: &Slots) -> Self {
        Self {
            representatives: representatives(program, slots),
            steps: RefCell::default(),
            calls: RefCell::default(),
            procedures: RefCell::new(IdVec::filled(program.procedures.len(), None)),
            numbers: RefCell::default(),
        }
    }

    fn writer(&self) -> Writer<'_> {
        Writer::new(&self.representatives)
    }
}

/// What is compiled for edges written down like this.
fn shared<T>(
    known: &RefCell<FxHashMap<Box<[u32]>, Rc<T>>>,
    written: Vec<u32>,
    compile: impl FnOnce() -> Result<T, Stop>,
) -> Result<Rc<T>, Stop> {
    if let Some(image) = known.borrow().get(written.as_slice()) {
        return Ok(Rc::clone(image));
    }
    let image = Rc::new(compile()?);
    known.borrow_mut().insert(written.into(), Rc::clone(&image));
    Ok(image)
}

impl<'p> Encoding<'p> {
    /// Lays out the variables; edges are encoded when they are first asked for.
    #[must_use]
    pub fn new(program: &'p Program, manager: Manager) -> Self {
        let slots = Slots::of(program, &manager);
        Self::with_slots(program, manager, slots)
    }

    /// Lays out the variables of the program and of conditions that a question brings.
    #[must_use]
    pub fn mentioning(program: &'p Program, conditions: &[Expr], manager: Manager) -> Self {
        let slots = Slots::mentioning(program, conditions, &manager);
        Self::with_slots(program, manager, slots)
    }

    /// Lays out the variables in the order in which they occur, for comparisons.
    #[must_use]
    pub fn as_they_occur(program: &'p Program, manager: Manager) -> Self {
        let slots = Slots::as_they_occur(program, &manager);
        Self::with_slots(program, manager, slots)
    }

    /// Lays out the variables with room for the values with which the present context began ([`Copy::Origin`]).
    #[must_use]
    pub fn with_origins(program: &'p Program, manager: Manager) -> Self {
        let slots = Slots::with_origins(program, &manager);
        Self::with_slots(program, manager, slots)
    }

    fn with_slots(program: &'p Program, manager: Manager, slots: Slots) -> Self {
        let is_global = |id: &VariableId| !matches!(program.variables[*id].scope, Scope::Local(_));
        let globals = program.variables.ids().filter(|id| is_global(id) && !slots.bits(*id).is_empty()).collect();
        Self {
            program,
            effects: Effects::of(program),
            alike: Alike::new(program, &slots),
            slots,
            globals,
            choices: RefCell::new(Vec::new()),
            together: RefCell::new(FxHashMap::default()),
            steps: RefCell::new(IdVec::filled(program.edges.len(), None)),
            calls: RefCell::new(IdVec::filled(program.edges.len(), None)),
            current_vars: RefCell::new(IdVec::filled(program.procedures.len(), None)),
            manager,
            carries_all: false,
        }
    }

    /// The same, with all shared variables carried through all procedures. Nothing is encoded yet.
    #[must_use]
    pub fn carrying_everything(self) -> Self {
        Self { carries_all: true, ..self }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The manager of all diagrams.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// What procedures change and what callers see.
    #[must_use]
    pub fn effects(&self) -> &Effects {
        &self.effects
    }

    /// Where bits live.
    #[must_use]
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Shared and private variables that occur.
    #[must_use]
    pub fn globals(&self) -> &[VariableId] {
        &self.globals
    }

    /// Locals of the procedure that occur.
    pub fn frame(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + Clone + '_ {
        let procedure = &self.program.procedures[procedure];
        let all = procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals).copied();
        all.filter(|variable| !self.slots.bits(*variable).is_empty())
    }

    /// Does the procedure carry the shared or private variable, or is it known to leave it alone? A variable that a
    /// call sets on entering is carried in any case.
    #[must_use]
    pub fn carries(&self, procedure: ProcedureId, global: VariableId) -> bool {
        self.carries_all
            || self.effects.changes(procedure, global)
            || self.program.procedures[procedure].untouched.binary_search(&global).is_err()
    }

    /// Everything that a state of the procedure holds.
    pub fn in_scope(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        let carried = self.globals.iter().copied().filter(move |global| self.carries(procedure, *global));
        carried.chain(self.frame(procedure))
    }

    /// The current copies of everything in scope, in ascending order.
    #[must_use]
    pub fn current_vars(&self, procedure: ProcedureId) -> Rc<[Var]> {
        let known = self.current_vars.borrow()[procedure].clone();
        known.unwrap_or_else(|| {
            let mut vars = self.copies(self.in_scope(procedure), Copy::Current);
            vars.sort_unstable();
            let vars: Rc<[Var]> = vars.into();
            self.current_vars.borrow_mut()[procedure] = Some(Rc::clone(&vars));
            vars
        })
    }

    /// Variables of which the procedure keeps a copy of the value at its entry: what a caller sees and the procedure
    /// changes. What it does not change needs none, and without callers nobody asks.
    pub fn entry_copied(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        let is_called = self.effects.is_called(procedure);
        let is_seen = |v: VariableId| self.effects.is_global(v) || self.effects.is_visible(v);
        self.in_scope(procedure).filter(move |v| is_called && is_seen(*v) && self.effects.changes(procedure, *v))
    }

    /// Variables that the procedure is known not to change and whose value a caller relies on.
    pub fn unchanged(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        let is_called = self.effects.is_called(procedure);
        let is_seen = |v: VariableId| self.effects.is_global(v) || self.effects.is_visible(v);
        let all = self.globals.iter().copied().chain(self.frame(procedure));
        all.filter(move |v| is_called && is_seen(*v) && !self.effects.changes(procedure, *v))
    }

    pub(crate) fn entry_vars(&self, procedure: ProcedureId) -> Vec<Var> {
        self.copies(self.entry_copied(procedure), Copy::Entry)
    }

    /// The states in which the program may start, over the start procedure's current values.
    pub fn start_states(&self, procedure: ProcedureId) -> Result<Bdd, Stop> {
        let copy_of = |_: VariableId, _: When| Copy::Current;
        let start = self.blaster(&copy_of).condition(&self.program.start)?;
        let start = self.and_in_range(start, self.globals.iter().copied(), Copy::Current)?;
        let start = self.and_in_range(start, self.frame(procedure), Copy::Current)?;
        let uncarried = self.globals.iter().copied().filter(|global| !self.carries(procedure, *global));
        start.exists(&self.manager.cube(&self.copies(uncarried, Copy::Current)))
    }

    /// A step as an image.
    pub fn step(&self, edge: EdgeId, relation: &Relation) -> Result<Rc<Image>, Stop> {
        if let Some(image) = &self.steps.borrow()[edge] {
            return Ok(Rc::clone(image));
        }
        let mut writer = self.alike.writer();
        writer.relation(relation);
        let image = shared(&self.alike.steps, writer.written, || self.compile_step(relation))?;
        self.steps.borrow_mut()[edge] = Some(Rc::clone(&image));
        Ok(image)
    }

    /// Lets a step be possible only where a condition on the current values holds.
    pub fn guard_step(&self, edge: EdgeId, relation: &Relation, condition: &Bdd) -> Result<(), Stop> {
        let image = self.compile_step(relation)?.guarded(condition)?;
        self.steps.borrow_mut()[edge] = Some(Rc::new(image));
        Ok(())
    }

    /// The current values from which a step, or entering a call, is possible.
    pub fn enabled(&self, edge: EdgeId, kind: &EdgeKind) -> Result<Bdd, Stop> {
        let relation = match kind {
            EdgeKind::Step(relation) => self.compile_step(relation)?.relation,
            EdgeKind::Call(call) => call::entering(self, edge, call)?,
            EdgeKind::Spawn(_) => self.manager.bdd_true(),
        };
        let later = |var: &Var| self.slots.copy_of(*var).is_some_and(|copy| copy != Copy::Current);
        let later: Vec<Var> = relation.support().into_iter().filter(later).collect();
        relation.exists(&self.manager.cube(&later))
    }

    fn compile_step(&self, relation: &Relation) -> Result<Image, Stop> {
        let copy_of = |variable: VariableId, when: When| match when {
            When::After if relation.writes(variable, When::After) => Copy::Next,
            When::Before | When::After | When::Saved | When::Result => Copy::Current,
        };
        let written: Vec<VariableId> = relation.updates.iter().map(|update| update.variable).collect();
        let relation = self.blaster(&copy_of).relation(relation)?;
        if written.is_empty() {
            return Ok(Image::new(relation, None, None));
        }
        let forget = self.manager.cube(&self.copies(written.iter().copied(), Copy::Current));
        let rename = self.renaming(written.iter().copied(), Copy::Next, Copy::Current);
        Ok(Image::new(relation, Some(forget), Some(rename)))
    }

    /// A call as images.
    pub fn call(&self, edge: EdgeId, call: &Call) -> Result<Rc<CallImages>, Stop> {
        if let Some(images) = &self.calls.borrow()[edge] {
            return Ok(Rc::clone(images));
        }
        let written = self.call_key(edge, call).into_vec();
        let images = shared(&self.alike.calls, written, || call::compile(self, edge, call))?;
        self.calls.borrow_mut()[edge] = Some(Rc::clone(&images));
        Ok(images)
    }

    /// How a call is written down: equal for calls that have the same diagrams.
    pub(crate) fn call_key(&self, edge: EdgeId, call: &Call) -> Box<[u32]> {
        let mut writer = self.alike.writer();
        let caller = self.program.locations[self.program.edges[edge].source].procedure;
        writer.written.extend([self.number(caller), self.number(call.callee)]);
        writer.relation(&call.enter);
        writer.relation(&call.leave);
        writer.written.into()
    }

    /// Equal for procedures whose frames have the same places and that treat them and the shared variables alike.
    fn number(&self, procedure: ProcedureId) -> u32 {
        if let Some(number) = self.alike.procedures.borrow()[procedure] {
            return number;
        }
        let mut writer = self.alike.writer();
        let results = &self.program.procedures[procedure].results;
        writer.written.push(u32::from(self.effects.is_called(procedure)));
        for local in self.frame(procedure) {
            writer.variable(local);
            let facts =
                [results.contains(&local), self.effects.changes(procedure, local), self.effects.is_visible(local)];
            writer.written.extend(facts.map(u32::from));
        }
        for global in &self.globals {
            let facts = [self.effects.changes(procedure, *global), self.carries(procedure, *global)];
            writer.written.extend(facts.map(u32::from));
        }
        let mut numbers = self.alike.numbers.borrow_mut();
        let next = numbers.len() as u32;
        let number = *numbers.entry(writer.written.into()).or_insert(next);
        self.alike.procedures.borrow_mut()[procedure] = Some(number);
        number
    }

    /// Looks for a smaller order by sifting; the copies of a slot stay together.
    pub fn reorder(&self) -> Result<(), Stop> {
        let mut blocks = self.slots.blocks();
        blocks.extend(self.choices.borrow().iter().map(|choice| vec![*choice]));
        self.manager.sift(&blocks)
    }

    /// How a call can lead from one state of the caller to another with a summary of the callee, if it can. States are
    /// values of current copies in ascending order.
    pub fn cross(
        &self,
        edge: EdgeId,
        call: &Call,
        summary: &Bdd,
        from: &[(Var, bool)],
        to: &[(Var, bool)],
    ) -> Result<Option<Crossing>, Stop> {
        call::cross(self, edge, call, summary, from, to)
    }

    /// What a summary forgets of the path edges at an exit: the locals that no caller sees.
    #[must_use]
    pub fn forgotten_at_exit(&self, procedure: ProcedureId) -> Cube {
        let hidden = self.frame(procedure).filter(|local| !self.is_kept_at_exit(procedure, *local));
        self.manager.cube(&self.copies(hidden, Copy::Current))
    }

    /// Whether callers see the value of a local at the exit: a result, or what stands for its value at the entry too.
    fn is_kept_at_exit(&self, procedure: ProcedureId, local: VariableId) -> bool {
        self.program.procedures[procedure].results.contains(&local)
            || (self.effects.is_visible(local) && !self.effects.changes(procedure, local))
    }

    /// The locals whose values at the exit a summary holds.
    pub(crate) fn kept_at_exit(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        self.frame(procedure).filter(move |local| self.is_kept_at_exit(procedure, *local))
    }

    /// The diagram variables that a summary of the procedure is over.
    pub(crate) fn summary_vars(&self, procedure: ProcedureId) -> Vec<Var> {
        let kept = self.kept_at_exit(procedure);
        let mut vars = self.entry_vars(procedure);
        vars.extend(self.copies(self.globals.iter().copied().chain(kept), Copy::Current));
        vars
    }

    /// Entry and current values agree, for all variables with an entry copy.
    pub fn diagonal(&self, procedure: ProcedureId) -> Result<Bdd, Stop> {
        let mut result = self.manager.bdd_true();
        for variable in self.entry_copied(procedure) {
            result = result.and(&self.equality(variable, Copy::Entry, Copy::Current)?)?;
        }
        Ok(result)
    }

    /// Two copies of a variable are equal.
    pub fn equality(&self, variable: VariableId, left: Copy, right: Copy) -> Result<Bdd, Stop> {
        let mut slots = self.slots.bits(variable).to_vec();
        slots.sort_unstable();
        let mut result = self.manager.bdd_true();
        // From below: what is there already becomes part of what is built on top of it.
        for slot in slots.into_iter().rev() {
            let left = self.manager.literal(self.slots.var(slot, left), true)?;
            let right = self.manager.literal(self.slots.var(slot, right), true)?;
            result = result.and(&left.iff(&right)?)?;
        }
        Ok(result)
    }

    /// The states of a set in which a copy of some variables has values of their sorts.
    pub fn and_in_range(
        &self,
        mut set: Bdd,
        variables: impl Iterator<Item = VariableId>,
        copy: Copy,
    ) -> Result<Bdd, Stop> {
        for variable in variables {
            set = set.and(&self.slots.in_range(self.program, &self.manager, variable, copy)?)?;
        }
        Ok(set)
    }

    /// The diagram variables of a copy of some variables.
    pub fn copies(&self, variables: impl Iterator<Item = VariableId>, copy: Copy) -> Vec<Var> {
        let mut vars = Vec::new();
        for variable in variables {
            vars.extend(self.slots.vars(variable, copy));
        }
        vars
    }

    /// Moves one copy of some variables to another.
    pub fn renaming(&self, variables: impl Iterator<Item = VariableId>, from: Copy, to: Copy) -> Renaming {
        self.renaming_of(variables.map(|variable| (variable, from, to)).collect())
    }

    pub(crate) fn renaming_of(&self, moves: Vec<(VariableId, Copy, Copy)>) -> Renaming {
        let mut pairs = Vec::new();
        for (variable, from, to) in moves {
            pairs.extend(self.slots.vars(variable, from).zip(self.slots.vars(variable, to)));
        }
        self.manager.renaming(&pairs)
    }

    pub(crate) fn blaster<'a>(&'a self, copy_of: CopyOf<'a>) -> Blaster<'a> {
        Blaster { program: self.program, manager: &self.manager, slots: &self.slots, choices: &self.choices, copy_of }
    }
}
