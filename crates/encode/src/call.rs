//! Calls as images, and summaries lifted to call edges.
//!
//! A summary S of a procedure is over the entry copies of what it changes and the current copies (at the exit) of
//! what its callers see. For a call it becomes a relation over the caller's current and next values,
//!
//!   L = exists entry, exit. enter(current, entry) & S(entry, exit) & leave(current, exit, next),
//!
//! which is then an image like that of a step. Most of the equalities in `enter` and `leave` (shared variables that
//! merely pass through) are never built: S is renamed so that they hold by construction.

use bdd::{Bdd, Cube, Renaming, Stop, Var};
use program::{Call, EdgeId, Expr, ProcedureId, VariableId, When};

use crate::encoding::Encoding;
use crate::image::Image;
use crate::slots::Copy;

/// What a call edge does, ready for use.
#[derive(Clone, Debug)]
pub struct CallImages {
    /// Forgets the caller's entry values, which the callee's take the place of.
    forget_entry: Cube,
    /// From the caller's current values to the callee's first ones.
    enter: Image,
    /// Equality of entry and current values in the callee.
    diagonal: Bdd,
    /// From a summary's copies to those of the lifted relation.
    summary: Renaming,
    /// The relation `enter` without forgetting, over current and entry copies.
    entering: Bdd,
    leaving: Bdd,
    lift: Lift,
    /// What the call needs of path edges; none when that is everything.
    needed: Option<Needed>,
    across_forget: Cube,
    across_rename: Renaming,
}

/// What a call needs of the caller's path edges: those from which it is possible, without the values that it neither reads
/// nor leaves as they were.
#[derive(Clone, Debug)]
struct Needed {
    guard: Bdd,
    forget: Cube,
}

/// What a renamed summary meets on its way to a relation over the caller's values: what only the parts of the call speak
/// of is forgotten in them beforehand, and what cannot occur need not be forgotten. An operation looks at a diagram down
/// to the last variable that is to be forgotten, and summaries can be large.
#[derive(Clone, Debug)]
struct Lift {
    entering: Bdd,
    /// The callee's entry values.
    forget_entry: Cube,
    leaving: Bdd,
    /// The callee's values at its exit, and the caller's saved ones.
    forget_exit: Cube,
    /// Whether `entering` speaks of nothing that the renaming of the summary moves, so that one pass does both.
    is_apart: bool,
}

impl CallImages {
    /// What the call needs of path edges at it, when that is less than all. Entering and crossing lead to the same sets
    /// from this part. It is met by every summary of the callee, so that it is worth keeping.
    pub fn needed(&self, set: &Bdd) -> Option<Result<Bdd, Stop>> {
        self.needed.as_ref().map(|needed| set.and_exists(&needed.guard, &needed.forget))
    }

    /// The path edges at the callee's entry that a set of path edges at the call leads to.
    pub fn enter(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.first_states(&set.exists(&self.forget_entry)?)?.and(&self.diagonal)
    }

    /// The callee's first states, from a set of the caller's current states.
    pub fn first_states(&self, states: &Bdd) -> Result<Bdd, Stop> {
        self.enter.apply(states)
    }

    /// From a set of the caller's current states to the callee's first ones.
    #[must_use]
    pub fn entry(&self) -> &Image {
        &self.enter
    }

    /// The callee's summary as an image on the caller's states.
    pub fn lift(&self, summary: &Bdd) -> Result<Image, Stop> {
        let Lift { entering, forget_entry, leaving, forget_exit, is_apart } = &self.lift;
        let entered = match is_apart {
            true => summary.and_exists_rename(entering, forget_entry, &self.summary)?,
            false => summary.rename(&self.summary)?.and_exists(entering, forget_entry)?,
        };
        let relation = entered.and_exists(leaving, forget_exit)?;
        Ok(Image::new(relation, Some(self.across_forget.clone()), Some(self.across_rename.clone())))
    }
}

/// What must be known about a call before its parts can be built.
struct Shape<'a, 'p> {
    encoding: &'a Encoding<'p>,
    caller: ProcedureId,
    call: &'a Call,
    /// `leave` looks at shared values at the exit, so they cannot take the place of the next ones at once.
    reads_exit: bool,
}

/// Values of diagram variables, in ascending order.
type Literals = Vec<(Var, bool)>;

/// What happens inside a call that leads from one state of the caller to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// What the callee starts with, over its current copies: what callers see of it.
    pub first: Literals,
    /// What it ends with, likewise.
    pub last: Literals,
    /// What entering wrote into the caller's frame, over its current copies.
    pub saved: Literals,
}

/// How a call can lead from one state of the caller to another with a summary, if it can.
pub(crate) fn cross(
    encoding: &Encoding<'_>,
    edge: EdgeId,
    call: &Call,
    summary: &Bdd,
    from: &[(Var, bool)],
    to: &[(Var, bool)],
) -> Result<Option<Crossing>, Stop> {
    let images = encoding.call(edge, call)?;
    let value =
        |state: &[(Var, bool)], var: Var| state.binary_search_by_key(&var, |(var, _)| *var).ok().map(|at| state[at].1);
    let pairs = images.across_rename.pairs().iter();
    let next = pairs.filter_map(|(next, current)| value(to, *current).map(|value| (*next, value)));
    let fixed: Literals = from.iter().copied().chain(next).collect();
    let mut crossing = summary.rename(&images.summary)?.cofactor(&fixed)?;
    for part in [&images.entering, &images.leaving].into_iter().filter(|part| !part.is_true()) {
        crossing = crossing.and(&part.cofactor(&fixed)?)?;
    }
    if crossing.is_false() {
        return Ok(None);
    }
    Ok(Some(shape(encoding, edge, call).ends(&crossing, from, to)))
}

/// What entering a call means, over the caller's current values and the entry and saved copies.
pub(crate) fn entering(encoding: &Encoding<'_>, edge: EdgeId, call: &Call) -> Result<Bdd, Stop> {
    shape(encoding, edge, call).entering()
}

/// Builds the parts of a call edge.
pub(crate) fn compile(encoding: &Encoding<'_>, edge: EdgeId, call: &Call) -> Result<CallImages, Stop> {
    shape(encoding, edge, call).compile()
}

fn shape<'a, 'p>(encoding: &'a Encoding<'p>, edge: EdgeId, call: &'a Call) -> Shape<'a, 'p> {
    let caller = encoding.program().locations[encoding.program().edges[edge].source].procedure;
    let is_exit_read = |expr: &Expr| {
        expr.reads().iter().any(|(variable, when)| *when == When::Before && encoding.effects().is_global(*variable))
    };
    let reads_exit = call.leave.exprs().any(is_exit_read);
    Shape { encoding, caller, call, reads_exit }
}

impl Shape<'_, '_> {
    fn compile(&self) -> Result<CallImages, Stop> {
        let (encoding, manager) = (self.encoding, self.encoding.manager());
        let entering = self.entering()?;
        let callee_frame = || encoding.frame(self.call.callee);
        let entry_set = callee_frame().chain(self.entered_globals());
        let saved = encoding.copies(encoding.frame(self.caller), Copy::Saved);
        let summary = self.summary_renaming();
        let leaving = self.leaving()?;
        let changed: Vec<VariableId> = self.changed_across().collect();
        let enter_rename: Vec<VariableId> = entry_set.clone().collect();
        Ok(CallImages {
            forget_entry: manager.cube(&encoding.entry_vars(self.caller)),
            enter: Image::new(
                entering.exists(&manager.cube(&saved))?,
                Some(manager.cube(&encoding.copies(self.left_behind(), Copy::Current))),
                Some(encoding.renaming(enter_rename.iter().copied(), Copy::Entry, Copy::Current)),
            ),
            diagonal: encoding.diagonal(self.call.callee)?,
            lift: self.lift(&summary, &entering, &leaving)?,
            needed: self.needed(&changed, &entering, &leaving)?,
            summary,
            entering,
            leaving,
            across_forget: manager.cube(&encoding.copies(changed.iter().copied(), Copy::Current)),
            across_rename: encoding.renaming(changed.iter().copied(), Copy::Next, Copy::Current),
        })
    }

    fn lift(&self, renaming: &Renaming, entering: &Bdd, leaving: &Bdd) -> Result<Lift, Stop> {
        let manager = self.encoding.manager();
        let pairs = renaming.pairs();
        let renamed = |var: Var| pairs.iter().find(|(from, _)| *from == var).map_or(var, |(_, to)| *to);
        let summary: Vec<Var> = self.encoding.summary_vars(self.call.callee).into_iter().map(renamed).collect();
        let alone = |part: &Bdd, other: &Bdd| {
            let others = [summary.as_slice(), &other.support()].concat();
            let is_inner = |var: &Var| self.is_inner(*var, &[Copy::Entry, Copy::Exit, Copy::Saved]);
            let vars = part.support().into_iter().filter(|var| is_inner(var) && !others.contains(var));
            manager.cube(&vars.collect::<Vec<Var>>())
        };
        let early = entering.exists(&alone(entering, leaving))?;
        let late = leaving.exists(&alone(leaving, entering))?;
        let mut occurring = [summary.as_slice(), &early.support(), &late.support()].concat();
        occurring.sort_unstable();
        occurring.dedup();
        let among = |copies: &[Copy]| {
            let vars = occurring.iter().copied().filter(|var| self.is_inner(*var, copies));
            manager.cube(&vars.collect::<Vec<Var>>())
        };
        let (forget_entry, forget_exit) = (among(&[Copy::Entry]), among(&[Copy::Exit, Copy::Saved]));
        let is_moved = |var: &Var| pairs.iter().any(|(from, to)| from == var || to == var);
        let is_apart = !early.support().iter().chain(forget_entry.vars()).any(is_moved);
        Ok(Lift { entering: early, forget_entry, leaving: late, forget_exit, is_apart })
    }

    fn needed(&self, changed: &[VariableId], entering: &Bdd, leaving: &Bdd) -> Result<Option<Needed>, Stop> {
        let manager = self.encoding.manager();
        let read = [entering.support(), leaving.support()].concat();
        let is_local = |v: &VariableId| !self.encoding.effects().is_global(*v);
        let mut forget = self.encoding.copies(changed.iter().copied().filter(is_local), Copy::Current);
        forget.retain(|var| !read.contains(var));
        if forget.is_empty() {
            return Ok(None);
        }
        let later: Vec<Var> =
            entering.support().into_iter().filter(|var| !self.is_inner(*var, &[Copy::Current])).collect();
        let guard = entering.exists(&manager.cube(&later))?;
        Ok(Some(Needed { guard, forget: manager.cube(&forget) }))
    }

    /// Whether a variable is one of some copies.
    fn is_inner(&self, var: Var, copies: &[Copy]) -> bool {
        self.encoding.slots().copy_of(var).is_some_and(|copy| copies.contains(&copy))
    }

    /// Reads the callee's first and last values off a crossing and the caller's states.
    fn ends(&self, crossing: &Bdd, from: &[(Var, bool)], to: &[(Var, bool)]) -> Crossing {
        let (encoding, callee) = (self.encoding, self.call.callee);
        let results = &encoding.program().procedures[callee].results;
        let visible = encoding.frame(callee).filter(|local| encoding.effects().is_visible(*local));
        let by_entry: Vec<VariableId> = visible.chain(self.entered_globals()).collect();
        let passed = |global: &VariableId| self.passes_through(*global);
        let by_exit: Vec<VariableId> = (results.iter().copied())
            .chain(self.globals().filter(|global| self.changed_by_callee(*global) && !passed(global)))
            .collect();
        let carried = self
            .globals()
            .filter(|global| encoding.carries(callee, *global) && !self.call.enter.writes(*global, When::After));
        let by_saving: Vec<VariableId> =
            encoding.frame(self.caller).filter(|local| self.is_saved_changed(*local)).collect();
        let picked = [(&by_entry, Copy::Entry), (&by_exit, Copy::Exit), (&by_saving, Copy::Saved)]
            .map(|(it, copy)| (&**it, copy));
        let [mut first, mut last, mut saved] = self.picked(crossing, picked);
        first.extend(self.values(carried, from));
        last.extend(self.values(self.globals().filter(passed), to));
        first.sort_unstable();
        last.sort_unstable();
        saved.sort_unstable();
        Crossing { first, last, saved }
    }

    /// Values of some copies of variables, picked together so that they fit each other, given to the current copies.
    fn picked<const N: usize>(&self, crossing: &Bdd, wanted: [(&[VariableId], Copy); N]) -> [Literals; N] {
        let copies = |variables: &[VariableId], copy| self.encoding.copies(variables.iter().copied(), copy);
        let vars = wanted.map(|(variables, copy)| copies(variables, copy));
        let picked = crossing.pick_total(&vars.concat()).unwrap_or_default();
        let value = |var: Var| picked.iter().find(|(picked, _)| *picked == var).is_some_and(|(_, value)| *value);
        let mut vars = vars.into_iter();
        wanted.map(|(variables, _)| {
            let from = vars.next().unwrap_or_default().into_iter();
            from.zip(copies(variables, Copy::Current)).map(|(var, to)| (to, value(var))).collect()
        })
    }

    fn values(&self, variables: impl Iterator<Item = VariableId>, state: &[(Var, bool)]) -> Literals {
        let vars = self.encoding.copies(variables, Copy::Current);
        let value = |var: Var| state.binary_search_by_key(&var, |(var, _)| *var).ok().map(|at| (var, state[at].1));
        vars.into_iter().filter_map(value).collect()
    }

    fn globals(&self) -> impl Iterator<Item = VariableId> + Clone + '_ {
        self.encoding.globals().iter().copied()
    }

    /// Shared and private variables that entering sets.
    fn entered_globals(&self) -> impl Iterator<Item = VariableId> + Clone + '_ {
        self.globals().filter(|variable| self.call.enter.writes(*variable, When::After))
    }

    /// What the callee's first states do not hold: the caller's frame, what entering overwrites, what the callee
    /// does not carry.
    fn left_behind(&self) -> impl Iterator<Item = VariableId> + '_ {
        let uncarried = self.globals().filter(|variable| !self.encoding.carries(self.call.callee, *variable));
        self.encoding.frame(self.caller).chain(self.entered_globals()).chain(uncarried)
    }

    fn is_saved_changed(&self, variable: VariableId) -> bool {
        self.call.enter.writes(variable, When::Saved)
    }

    /// The caller's variables that may differ after the call.
    fn changed_across(&self) -> impl Iterator<Item = VariableId> + '_ {
        let frame = self.encoding.frame(self.caller);
        let frame = frame.filter(|v| self.call.leave.writes(*v, When::After) || self.is_saved_changed(*v));
        frame.chain(self.globals().filter(|variable| self.is_global_changed(*variable)))
    }

    fn is_global_changed(&self, variable: VariableId) -> bool {
        self.changed_by_callee(variable) || self.call.leave.writes(variable, When::After)
    }

    fn changed_by_callee(&self, variable: VariableId) -> bool {
        self.encoding.effects().changes(self.call.callee, variable)
    }

    /// The value at the exit takes the place of the next value at once.
    fn passes_through(&self, global: VariableId) -> bool {
        self.changed_by_callee(global) && !self.reads_exit && !self.call.leave.writes(global, When::After)
    }

    fn entering(&self) -> Result<Bdd, Stop> {
        let effects = self.encoding.effects();
        let copy_of = |variable: VariableId, when: When| match when {
            When::After if !effects.is_global(variable) => Copy::Entry,
            When::After if self.call.enter.writes(variable, When::After) => Copy::Entry,
            When::Saved if self.is_saved_changed(variable) => Copy::Saved,
            When::Before | When::After | When::Saved | When::Result => Copy::Current,
        };
        let relation = self.encoding.blaster(&copy_of).relation(&self.call.enter)?;
        let fresh = self.encoding.frame(self.call.callee).filter(|v| !self.call.enter.writes(*v, When::After));
        self.encoding.and_in_range(relation, fresh, Copy::Entry)
    }

    fn leaving(&self) -> Result<Bdd, Stop> {
        let effects = self.encoding.effects();
        let copy_of = |variable: VariableId, when: When| match (when, effects.is_global(variable)) {
            (When::Result, _) => Copy::Exit,
            (When::After, true) if self.is_global_changed(variable) => Copy::Next,
            (When::After, false) if self.changes_local(variable) => Copy::Next,
            (When::Before, true) if self.changed_by_callee(variable) => Copy::Exit,
            (When::Before | When::After | When::Saved, false) if self.is_saved_changed(variable) => Copy::Saved,
            (When::Before | When::After | When::Saved, _) => Copy::Current,
        };
        let mut relation = self.encoding.blaster(&copy_of).relation(&self.call.leave)?;
        for global in self.globals().filter(|g| self.changed_by_callee(*g) && !self.passes_through(*g)) {
            if !self.call.leave.writes(global, When::After) {
                relation = relation.and(&self.encoding.equality(global, Copy::Exit, Copy::Next)?)?;
            }
        }
        for local in self.encoding.frame(self.caller).filter(|v| self.is_saved_changed(*v)) {
            if !self.call.leave.writes(local, When::After) {
                relation = relation.and(&self.encoding.equality(local, Copy::Saved, Copy::Next)?)?;
            }
        }
        Ok(relation)
    }

    fn changes_local(&self, local: VariableId) -> bool {
        self.call.leave.writes(local, When::After) || self.is_saved_changed(local)
    }

    fn summary_renaming(&self) -> Renaming {
        let encoding = self.encoding;
        let mut moves: Vec<(VariableId, Copy, Copy)> = Vec::new();
        for global in self.globals().filter(|global| self.changed_by_callee(*global)) {
            if !self.call.enter.writes(global, When::After) {
                moves.push((global, Copy::Entry, Copy::Current));
            }
            let exit = if self.passes_through(global) { Copy::Next } else { Copy::Exit };
            moves.push((global, Copy::Current, exit));
        }
        for local in encoding.kept_at_exit(self.call.callee) {
            let is_result = encoding.program().procedures[self.call.callee].results.contains(&local);
            moves.push((local, Copy::Current, if is_result { Copy::Exit } else { Copy::Entry }));
        }
        encoding.renaming_of(moves)
    }
}
