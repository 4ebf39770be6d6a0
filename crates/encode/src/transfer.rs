//! Calls as rules of a pushdown system: what pushes and pops do to the transitions of a symbolic automaton.
//!
//! An automaton reads a configuration from the top of the stack downwards. There are two kinds of transitions:
//!
//! - *top* (l, q): the running frame is at location l. Its diagram is over the current values of everything in scope
//!   and, in the entry copies, the data of the state q;
//! - *waiting* (r, c, q): a frame that waits for its callee to return, in the middle of the call c. The data of r is in
//!   the next copies, the frame in the current copies, the data of q in the entry copies.
//!
//! Forwards, the data of a state is what a callee started with; backwards, it is what a procedure returns with. A
//! shared variable that a procedure leaves alone need not be data of its states: it keeps its current copy in both
//! kinds of transitions, so that entry and exit agree by construction. The copies are chosen such that no renaming
//! changes the order of the diagrams.

use std::cell::RefCell;
use std::rc::Rc;

use base::IdVec;
use bdd::{Bdd, Cube, Renaming, Stop, Var};
use program::{Call, EdgeId, Expr, ProcedureId, Scope, VariableId, When};
use rustc_hash::FxHashMap;

use crate::encoding::Encoding;
use crate::image::Image;
use crate::slots::Copy;

/// How much of the values at a procedure's entry (or return) the states of an automaton hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// What callers see and the procedure changes: enough to know which locations are reached.
    Seen,
    /// Everything that callers see, so that transitions can be read without knowing what procedures change.
    Full,
}

/// What calls do to the transitions of automata, built on demand.
#[derive(Debug)]
pub struct Transfers<'e, 'p> {
    encoding: &'e Encoding<'p>,
    detail: Detail,
    forward: Cache<ForwardCall>,
    backward: Cache<BackwardCall>,
    exits: RefCell<IdVec<ProcedureId, Option<Rc<Exit>>>>,
    /// All entry copies, all next copies.
    entry: Cube,
    next: Cube,
    /// What a callee does not know: what its caller was entered with, and how the present context began.
    outside: Cube,
    /// All current and entry copies.
    below: Cube,
    /// All entry copies and the current copies of all locals.
    below_locals: Cube,
    entry_to_next: Renaming,
    next_to_entry: Renaming,
    /// Current copies of shared and private variables.
    globals_to_next: Renaming,
}

/// What is compiled for call edges: by edge, and by how the edge is written down.
#[derive(Debug)]
struct Cache<T> {
    of_edge: RefCell<IdVec<EdgeId, Option<Rc<T>>>>,
    alike: RefCell<FxHashMap<Box<[u32]>, Rc<T>>>,
}

/// How top transitions at an exit become what a waiting frame meets.
#[derive(Debug)]
struct Exit {
    forget: Cube,
    rename: Renaming,
    /// Back to the current values, for a frame that takes nothing but the shared variables.
    resume: Image,
    /// Entry and current values agree, for what the procedure returns with.
    returned: Bdd,
    /// Values of the locals that no caller sees, and these locals.
    possible: Bdd,
    unseen: Cube,
    /// What was entered with to the entry copies, what is returned with to the current ones.
    turn: Renaming,
}

#[derive(Debug)]
struct ForwardCall {
    push: Image,
    diagonal: Bdd,
    pop: Image,
}

#[derive(Debug)]
struct BackwardCall {
    /// A top transition at the target, before `leave`.
    target: Renaming,
    leave: Bdd,
    after: Cube,
    /// A top transition at the callee's entry.
    entry: Renaming,
    enter: Image,
}

impl<T> Cache<T> {
    fn new(n_edges: usize) -> Self {
        Self { of_edge: RefCell::new(IdVec::filled(n_edges, None)), alike: RefCell::default() }
    }

    fn get(
        &self,
        edge: EdgeId,
        key: impl FnOnce() -> Box<[u32]>,
        compile: impl FnOnce() -> Result<T, Stop>,
    ) -> Result<Rc<T>, Stop> {
        if let Some(known) = &self.of_edge.borrow()[edge] {
            return Ok(Rc::clone(known));
        }
        let key = key();
        let alike = self.alike.borrow().get(&key).cloned();
        let found = match alike {
            Some(found) => found,
            None => {
                let compiled = Rc::new(compile()?);
                self.alike.borrow_mut().insert(key, Rc::clone(&compiled));
                compiled
            }
        };
        self.of_edge.borrow_mut()[edge] = Some(Rc::clone(&found));
        Ok(found)
    }
}

impl<'e, 'p> Transfers<'e, 'p> {
    /// Nothing is compiled before it is asked for.
    #[must_use]
    pub fn new(encoding: &'e Encoding<'p>, detail: Detail) -> Self {
        let (manager, slots, program) = (encoding.manager(), encoding.slots(), encoding.program());
        let all = |copy: Copy| -> Vec<Var> { slots.all(copy).collect() };
        let origins = if slots.has_origins() { all(Copy::Origin) } else { Vec::new() };
        let pairs: Vec<(Var, Var)> = slots.all(Copy::Entry).zip(slots.all(Copy::Next)).collect();
        let back: Vec<(Var, Var)> = pairs.iter().map(|(from, to)| (*to, *from)).collect();
        let locals = program.variables.iter_ids().filter(|(_, v)| matches!(v.scope, Scope::Local(_)));
        let mut locals = encoding.copies(locals.map(|(id, _)| id), Copy::Current);
        locals.sort_unstable();
        locals.dedup();
        Self {
            detail,
            forward: Cache::new(program.edges.len()),
            backward: Cache::new(program.edges.len()),
            exits: RefCell::new(IdVec::filled(program.procedures.len(), None)),
            entry: manager.cube(&all(Copy::Entry)),
            next: manager.cube(&all(Copy::Next)),
            outside: manager.cube(&[all(Copy::Entry), origins].concat()),
            below: manager.cube(&[all(Copy::Entry), all(Copy::Current)].concat()),
            below_locals: manager.cube(&[all(Copy::Entry), locals].concat()),
            entry_to_next: manager.renaming(&pairs),
            next_to_entry: manager.renaming(&back),
            globals_to_next: encoding.renaming(encoding.globals().iter().copied(), Copy::Current, Copy::Next),
            encoding,
        }
    }

    /// The encoding.
    #[must_use]
    pub fn encoding(&self) -> &'e Encoding<'p> {
        self.encoding
    }

    /// The data of a state that a procedure is entered with.
    pub fn entered(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        let effects = self.encoding.effects();
        let is_seen = |v: VariableId| effects.is_global(v) || effects.is_visible(v);
        let is_kept = move |v: &VariableId| match self.detail {
            Detail::Seen => effects.is_called(procedure) && is_seen(*v) && effects.changes(procedure, *v),
            Detail::Full => is_seen(*v),
        };
        self.encoding.in_scope(procedure).filter(is_kept)
    }

    /// The data of a state that a procedure returns with.
    pub fn returned(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        let globals = self.encoding.globals().iter().copied().filter(move |g| self.is_data(procedure, *g));
        globals.chain(self.results(procedure))
    }

    /// How many bits that is.
    #[must_use]
    pub fn n_returned_bits(&self, procedure: ProcedureId) -> usize {
        self.returned(procedure).map(|variable| self.encoding.slots().bits(variable).len()).sum()
    }

    fn results(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        let results = self.encoding.program().procedures[procedure].results.iter().copied();
        results.filter(|result| !self.encoding.slots().bits(*result).is_empty())
    }

    /// Is a shared or private variable part of the data of the procedure's states?
    fn is_data(&self, procedure: ProcedureId, global: VariableId) -> bool {
        self.detail == Detail::Full || self.encoding.effects().changes(procedure, global)
    }

    // Forwards.

    /// Top transitions at the callee's entry: a callee starts with its data.
    pub fn seed(&self, edge: EdgeId, call: &Call, top: &Bdd) -> Result<Bdd, Stop> {
        let images = self.encoding.call(edge, call)?;
        images.first_states(&top.exists(&self.outside)?)?.and(&self.forward(edge, call)?.diagonal)
    }

    /// The waiting transitions from the callee's state that top transitions at the call make.
    pub fn push(&self, edge: EdgeId, call: &Call, top: &Bdd) -> Result<Bdd, Stop> {
        self.forward(edge, call)?.push.apply(top)
    }

    /// What top transitions at an exit say to whoever waits, as a summary: over the entry copies of the state's data and
    /// the current copies of what callers see.
    pub fn summary(&self, procedure: ProcedureId, top: &Bdd) -> Result<Bdd, Stop> {
        top.exists(&self.exit(procedure)?.forget)
    }

    /// What top transitions at an entry that lead to the procedure's return say, as a summary.
    pub fn summary_of_entry(&self, procedure: ProcedureId, top: &Bdd) -> Result<Bdd, Stop> {
        let exit = self.exit(procedure)?;
        top.and_exists(&exit.possible, &exit.unseen)?.rename(&exit.turn)
    }

    /// Summaries of a state as they meet its waiting transitions.
    pub fn returning(&self, procedure: ProcedureId, summary: &Bdd) -> Result<Bdd, Stop> {
        summary.rename(&self.exit(procedure)?.rename)
    }

    /// Top transitions at the target of a call, when its callee returns.
    pub fn pop(&self, edge: EdgeId, call: &Call, returning: &Bdd, waiting: &Bdd) -> Result<Bdd, Stop> {
        self.forward(edge, call)?.pop.apply(&returning.and_exists(waiting, &self.next)?)
    }

    /// Top transitions at a location whose frame waits for a procedure and takes nothing but the shared variables.
    pub fn resume(&self, callee: ProcedureId, returning: &Bdd, waiting: &Bdd) -> Result<Bdd, Stop> {
        self.exit(callee)?.resume.apply(&returning.and_exists(waiting, &self.next)?)
    }

    // Backwards.

    /// The waiting transitions from the callee's return that top transitions at the target of a call make.
    pub fn unpop(&self, edge: EdgeId, call: &Call, top: &Bdd) -> Result<Bdd, Stop> {
        let images = self.backward(edge, call)?;
        top.rename(&images.target)?.and_exists(&images.leave, &images.after)
    }

    /// Top transitions at the exits of a procedure that return with what somebody waits for.
    pub fn unseed(&self, procedure: ProcedureId, waiting: &Bdd) -> Result<Bdd, Stop> {
        waiting.exists(&self.below_locals)?.rename(&self.next_to_entry)?.and(&self.exit(procedure)?.returned)
    }

    /// Top transitions at the exits of a procedure that return with anything.
    pub fn unseed_all(&self, procedure: ProcedureId) -> Result<Bdd, Stop> {
        Ok(self.exit(procedure)?.returned.clone())
    }

    /// Top transitions at a call whose callee goes on like a top transition at its entry, to a state from which a
    /// waiting transition goes on.
    pub fn unpush(&self, edge: EdgeId, call: &Call, top: &Bdd, waiting: &Bdd) -> Result<Bdd, Stop> {
        let images = self.backward(edge, call)?;
        images.enter.apply(&top.rename(&images.entry)?.and_exists(waiting, &self.next)?)
    }

    /// A set over the data of a state, as the target of transitions, moved to where transitions from the state have it.
    pub fn to_source(&self, data: &Bdd) -> Result<Bdd, Stop> {
        data.rename(&self.entry_to_next)
    }

    /// The data of the states from which waiting transitions lead to states with given data; both as targets of
    /// transitions have it.
    pub fn sources(&self, waiting: &Bdd, data: &Bdd) -> Result<Bdd, Stop> {
        waiting.and_exists(data, &self.below)?.rename(&self.next_to_entry)
    }

    /// What is left of transitions when all but the data of the state they lead to is forgotten.
    pub fn target_data(&self, transition: &Bdd) -> Result<Bdd, Stop> {
        let others: Vec<Var> = self.others(transition);
        transition.exists(&self.encoding.manager().cube(&others))
    }

    fn others(&self, set: &Bdd) -> Vec<Var> {
        let is_entry = |var: &Var| self.entry.vars().binary_search(var).is_ok();
        set.support().into_iter().filter(|var| !is_entry(var)).collect()
    }

    /// A condition on current values.
    pub fn condition(&self, condition: &Expr) -> Result<Bdd, Stop> {
        self.encoding.blaster(&|_, _| Copy::Current).condition(condition)
    }

    /// Top transitions of a frame that goes on with the shared values in the state below it, as waiting transitions from
    /// that state.
    pub fn as_waiting(&self, top: &Bdd) -> Result<Bdd, Stop> {
        top.rename(&self.globals_to_next)
    }

    /// The states with data (moved by [`Transfers::to_source`]) that go on by a waiting transition: over the current
    /// values of the frame and the data of the state that the transition leads to.
    pub fn read(&self, data: &Bdd, waiting: &Bdd) -> Result<Bdd, Stop> {
        data.and_exists(waiting, &self.next)
    }

    /// What is left of top transitions when the data of the state is forgotten.
    pub fn heads(&self, top: &Bdd) -> Result<Bdd, Stop> {
        top.exists(&self.entry)
    }

    // Parts.

    fn forward(&self, edge: EdgeId, call: &Call) -> Result<Rc<ForwardCall>, Stop> {
        self.forward.get(edge, || self.encoding.call_key(edge, call), || self.rule(edge, call).forward())
    }

    fn backward(&self, edge: EdgeId, call: &Call) -> Result<Rc<BackwardCall>, Stop> {
        self.backward.get(edge, || self.encoding.call_key(edge, call), || self.rule(edge, call).backward())
    }

    fn rule<'t>(&'t self, edge: EdgeId, call: &'t Call) -> Rule<'t, 'e, 'p> {
        let program = self.encoding.program();
        Rule { transfers: self, caller: program.locations[program.edges[edge].source].procedure, call }
    }

    fn exit(&self, procedure: ProcedureId) -> Result<Rc<Exit>, Stop> {
        if let Some(known) = &self.exits.borrow()[procedure] {
            return Ok(Rc::clone(known));
        }
        let (encoding, manager) = (self.encoding, self.encoding.manager());
        let results: Vec<VariableId> = self.results(procedure).collect();
        let is_fixed = |v: &VariableId| {
            self.detail == Detail::Seen
                && encoding.effects().is_visible(*v)
                && !encoding.effects().changes(procedure, *v)
        };
        let fixed: Vec<VariableId> = encoding.frame(procedure).filter(is_fixed).collect();
        let is_hidden = |v: &VariableId| !results.contains(v) && !fixed.contains(v);
        let hidden = encoding.frame(procedure).filter(is_hidden);
        let globals: Vec<VariableId> =
            encoding.globals().iter().copied().filter(|g| self.is_data(procedure, *g)).collect();
        let mut moves: Vec<(VariableId, Copy, Copy)> = Vec::new();
        moves.extend(self.entered(procedure).map(|v| (v, Copy::Entry, Copy::Next)));
        moves.extend(fixed.iter().map(|v| (*v, Copy::Current, Copy::Next)));
        moves.extend(globals.iter().chain(&results).map(|v| (*v, Copy::Current, Copy::Exit)));
        let mut returned = manager.bdd_true();
        for variable in self.returned(procedure) {
            returned = returned.and(&encoding.equality(variable, Copy::Entry, Copy::Current)?)?;
        }
        let unseen: Vec<VariableId> =
            encoding.frame(procedure).filter(|v| !encoding.effects().is_visible(*v)).collect();
        let mut turn: Vec<(VariableId, Copy, Copy)> = Vec::new();
        turn.extend(self.entered(procedure).map(|v| (v, Copy::Current, Copy::Entry)));
        turn.extend(self.returned(procedure).map(|v| (v, Copy::Entry, Copy::Current)));
        let exit = Rc::new(Exit {
            possible: encoding.and_in_range(manager.bdd_true(), unseen.iter().copied(), Copy::Current)?,
            unseen: manager.cube(&encoding.copies(unseen.iter().copied(), Copy::Current)),
            turn: encoding.renaming_of(turn),
            forget: manager.cube(&encoding.copies(hidden, Copy::Current)),
            rename: encoding.renaming_of(moves),
            resume: Image::new(
                manager.bdd_true(),
                Some(manager.cube(&encoding.copies(results.iter().copied(), Copy::Exit))),
                Some(encoding.renaming(globals.iter().copied(), Copy::Exit, Copy::Current)),
            ),
            returned,
        });
        self.exits.borrow_mut()[procedure] = Some(Rc::clone(&exit));
        Ok(exit)
    }
}

/// One call, while it is compiled.
struct Rule<'t, 'e, 'p> {
    transfers: &'t Transfers<'e, 'p>,
    caller: ProcedureId,
    call: &'t Call,
}

impl Rule<'_, '_, '_> {
    fn encoding(&self) -> &Encoding<'_> {
        self.transfers.encoding
    }

    fn is_global(&self, variable: VariableId) -> bool {
        self.encoding().effects().is_global(variable)
    }

    fn is_data(&self, global: VariableId) -> bool {
        self.transfers.is_data(self.call.callee, global)
    }

    fn globals(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.encoding().globals().iter().copied()
    }

    fn enters(&self, variable: VariableId) -> bool {
        self.call.enter.writes(variable, When::After)
    }

    fn saves(&self, local: VariableId) -> bool {
        self.call.enter.writes(local, When::Saved)
    }

    fn leaves(&self, variable: VariableId) -> bool {
        self.call.leave.writes(variable, When::After)
    }

    /// The caller's variables that leaving writes.
    fn left(&self) -> Vec<VariableId> {
        let frame = self.encoding().frame(self.caller);
        self.globals().chain(frame).filter(|v| self.leaves(*v)).collect()
    }

    fn saved(&self) -> Vec<VariableId> {
        self.encoding().frame(self.caller).filter(|v| self.saves(*v)).collect()
    }

    /// Data that entering (or leaving) does not write.
    fn passing(&self, is_written: impl Fn(VariableId) -> bool) -> Vec<VariableId> {
        self.globals().filter(|g| self.is_data(*g) && !is_written(*g)).collect()
    }

    fn forward(&self) -> Result<ForwardCall, Stop> {
        let mut diagonal = self.encoding().manager().bdd_true();
        for variable in self.transfers.entered(self.call.callee) {
            diagonal = diagonal.and(&self.encoding().equality(variable, Copy::Entry, Copy::Current)?)?;
        }
        Ok(ForwardCall { push: self.push()?, diagonal, pop: self.pop()? })
    }

    fn push(&self) -> Result<Image, Stop> {
        let encoding = self.encoding();
        let copy_of = |variable: VariableId, when: When| match when {
            When::After if !self.is_global(variable) || self.enters(variable) => Copy::Next,
            When::Saved if self.saves(variable) => Copy::Saved,
            When::Before | When::After | When::Saved | When::Result => Copy::Current,
        };
        let relation = encoding.blaster(&copy_of).relation(&self.call.enter)?;
        let entered = self.globals().filter(|g| self.enters(*g));
        let saved = self.saved();
        let mut moves: Vec<(VariableId, Copy, Copy)> = Vec::new();
        moves.extend(self.passing(|g| self.enters(g)).into_iter().map(|g| (g, Copy::Current, Copy::Next)));
        moves.extend(saved.iter().map(|v| (*v, Copy::Saved, Copy::Current)));
        let forget = encoding.copies(entered.chain(saved.iter().copied()), Copy::Current);
        Ok(Image::new(relation, Some(encoding.manager().cube(&forget)), Some(encoding.renaming_of(moves))))
    }

    fn pop(&self) -> Result<Image, Stop> {
        let encoding = self.encoding();
        let relation = self.leaving(Copy::Exit)?;
        let (left, callee) = (self.left(), encoding.frame(self.call.callee));
        let mut forget = encoding.copies(left.iter().copied(), Copy::Current);
        forget.extend(encoding.copies(callee, Copy::Exit));
        let written = left.iter().copied().filter(|v| self.is_global(*v) && self.is_data(*v));
        forget.extend(encoding.copies(written, Copy::Exit));
        let mut moves: Vec<(VariableId, Copy, Copy)> = Vec::new();
        moves.extend(left.iter().map(|v| (*v, Copy::Saved, Copy::Current)));
        moves.extend(self.passing(|g| self.leaves(g)).into_iter().map(|g| (g, Copy::Exit, Copy::Current)));
        Ok(Image::new(relation, Some(encoding.manager().cube(&forget)), Some(encoding.renaming_of(moves))))
    }

    /// Leaving, with what the callee returns with in a copy of its own, and what is written in the saved copies.
    fn leaving(&self, returned: Copy) -> Result<Bdd, Stop> {
        let copy_of = |variable: VariableId, when: When| match (when, self.is_global(variable)) {
            (When::Result, _) => returned,
            (When::After, _) if self.leaves(variable) => Copy::Saved,
            (When::Before | When::After | When::Saved, true) if self.is_data(variable) => returned,
            (When::Before | When::After | When::Saved, _) => Copy::Current,
        };
        self.encoding().blaster(&copy_of).relation(&self.call.leave)
    }

    fn backward(&self) -> Result<BackwardCall, Stop> {
        let encoding = self.encoding();
        let left = self.left();
        let mut target: Vec<(VariableId, Copy, Copy)> = Vec::new();
        target.extend(left.iter().map(|v| (*v, Copy::Current, Copy::Saved)));
        target.extend(self.passing(|g| self.leaves(g)).into_iter().map(|g| (g, Copy::Current, Copy::Next)));
        let mut entry: Vec<(VariableId, Copy, Copy)> = Vec::new();
        entry.extend(encoding.frame(self.call.callee).map(|v| (v, Copy::Current, Copy::Exit)));
        entry.extend(self.globals().filter(|g| self.is_data(*g)).map(|g| (g, Copy::Current, Copy::Exit)));
        entry.extend(self.transfers.returned(self.call.callee).map(|v| (v, Copy::Entry, Copy::Next)));
        Ok(BackwardCall {
            target: encoding.renaming_of(target),
            leave: self.leaving(Copy::Next)?,
            after: encoding.manager().cube(&encoding.copies(left.iter().copied(), Copy::Saved)),
            entry: encoding.renaming_of(entry),
            enter: self.unenter()?,
        })
    }

    /// From the callee's first values (in the exit copies) and the waiting frame to the caller's values before.
    fn unenter(&self) -> Result<Image, Stop> {
        let encoding = self.encoding();
        let copy_of = |variable: VariableId, when: When| match (when, self.is_global(variable)) {
            (When::Before, true) if self.enters(variable) => Copy::Saved,
            (When::Before | When::After, true) if self.is_data(variable) => Copy::Exit,
            (When::After, false) => Copy::Exit,
            (When::Before, false) if self.saves(variable) => Copy::Saved,
            (When::Before | When::After | When::Saved | When::Result, _) => Copy::Current,
        };
        let relation = encoding.blaster(&copy_of).relation(&self.call.enter)?;
        let fresh = encoding.frame(self.call.callee).filter(|v| !self.enters(*v));
        let relation = encoding.and_in_range(relation, fresh, Copy::Exit)?;
        let entered: Vec<VariableId> = self.globals().filter(|g| self.enters(*g)).collect();
        let saved = self.saved();
        let mut forget = encoding.copies(encoding.frame(self.call.callee), Copy::Exit);
        forget.extend(encoding.copies(entered.iter().copied(), Copy::Exit));
        forget.extend(encoding.copies(saved.iter().copied(), Copy::Current));
        let mut moves: Vec<(VariableId, Copy, Copy)> = Vec::new();
        moves.extend(entered.iter().chain(&saved).map(|v| (*v, Copy::Saved, Copy::Current)));
        moves.extend(self.passing(|g| self.enters(g)).into_iter().map(|g| (g, Copy::Exit, Copy::Current)));
        Ok(Image::new(relation, Some(encoding.manager().cube(&forget)), Some(encoding.renaming_of(moves))))
    }
}
