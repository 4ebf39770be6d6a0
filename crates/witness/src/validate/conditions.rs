//! The five conditions.
//!
//! Each has the form "what is in a conjunction is in a set": T <= S. Of T only the projection to the bits of which S speaks
//! is built (`image`); that is the same question, since S does not depend on the others. If S is everything, there is
//! nothing to show.
//!
//! A condition is asked first about a part of the edge that has to do with what the sets speak of ([`Care::Rough`]): that
//! only adds states to T, so T <= S is shown for the whole edge, too. If it fails, the whole edge is asked.

use base::Budget;
use bdd::{Bdd, Manager, Var};
use program::{Call, EdgeId, EdgeKind, LocationId, ProcedureId, Program, Relation, Scope, VariableId, When};

use super::Trouble;
use super::image::{Part, image};
use super::layout::{Bits, Copy, Layout};
use super::relation::{Act, Care, Interest, Kind, add_validity, parts};
use super::sorts::agree;
use super::states::{Sets, States};
use super::symbolic::Scene as _;
use crate::Certificate;

/// Edges between looks at the garbage.
const EDGES_PER_COLLECTION: usize = 256;

type Result<T> = std::result::Result<T, Trouble>;

pub(super) fn check(
    program: &Program,
    certificate: &Certificate,
    start: ProcedureId,
    manager: &Manager,
    budget: &Budget,
) -> Result<()> {
    let (layout, slots) = Layout::new(program, certificate, manager);
    let sets = Sets::of(program, certificate, &layout, &slots, manager)?;
    let checker = Checker { program, manager, layout: &layout, sets: &sets, care: Care::Exact };
    for target in &certificate.targets {
        checker.target(*target)?;
    }
    checker.start(start)?;
    for (at, id) in program.edges.ids().enumerate() {
        budget.check().map_err(Trouble::Limit)?;
        if at % EDGES_PER_COLLECTION == 0 {
            manager.collect_if_needed();
        }
        manager.retrying_trouble(|| checker.edge_by_parts(id))?;
    }
    Ok(())
}

/// Runs an operation again after a collection, if it ran out of nodes.
trait Retrying {
    fn retrying_trouble<T>(&self, op: impl FnMut() -> Result<T>) -> Result<T>;
}

impl Retrying for Manager {
    fn retrying_trouble<T>(&self, mut op: impl FnMut() -> Result<T>) -> Result<T> {
        match op() {
            Err(Trouble::Stop(bdd::Stop::OutOfNodes)) => {
                self.collect();
                op()
            }
            other => other,
        }
    }
}

#[derive(Clone, Copy)]
struct Checker<'a> {
    program: &'a Program,
    manager: &'a Manager,
    layout: &'a Layout<'a>,
    sets: &'a Sets,
    care: Care,
}

/// A set with its bits put elsewhere.
struct Placed {
    set: Bdd,
    /// The bits of which it may speak, ascending.
    vars: Vec<Var>,
}

/// What must be shown about the states after an edge.
struct Goal {
    /// They are in this set; none: there are no such states.
    placed: Option<Placed>,
    /// These rows of bits agree: old and new values of variables that are said to be unchanged.
    unchanged: Vec<(Bits, Bits)>,
    /// Unchanged variables of which nothing was known before.
    is_unknown: bool,
    /// All bits of the above, ascending.
    vars: Vec<Var>,
}

impl Goal {
    fn is_trivial(&self) -> bool {
        let is_everything = self.placed.as_ref().is_some_and(|placed| placed.set.is_true());
        is_everything && self.unchanged.is_empty() && !self.is_unknown
    }
}

/// Ascending, each once.
fn sorted(vars: impl IntoIterator<Item = Var>) -> Vec<Var> {
    let mut vars: Vec<Var> = vars.into_iter().collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// Where the bits of a variable are.
type Place<'p> = &'p dyn Fn(VariableId) -> Result<Bits>;

impl<'a> Checker<'a> {
    fn name(&self, location: LocationId) -> String {
        self.program.location_name(location)
    }

    fn reject<T>(&self, what: String) -> Result<T> {
        Err(Trouble::Rejected(what))
    }

    fn act(&self, own: ProcedureId, kind: Kind<'a>) -> Act<'a> {
        Act { program: self.program, layout: self.layout, own, kind }
    }

    /// Condition 5: I(t) is empty.
    fn target(&self, target: LocationId) -> Result<()> {
        match &self.sets.states[target] {
            Some(states) if !states.existing.is_false() => {
                self.reject(format!("its set of states at the target {} is not empty", self.name(target)))
            }
            _ => Ok(()),
        }
    }

    /// Condition 1: (s, s) is in I(entry) for every initial state s.
    fn start(&self, start: ProcedureId) -> Result<()> {
        let Some(entry) = self.program.procedures[start].entries.first() else { return Ok(()) };
        let condition = Relation::assume(self.program.start.clone());
        let act = self.act(start, Kind::Condition);
        let goal = self.entry_goal(*entry, &|variable| act.bits(variable, When::Before))?;
        let interest = Interest { known: &goal.vars, wanted: &goal.vars };
        let mut parts = parts(&act, self.manager, &condition, Care::Exact, interest)?;
        self.within_sorts(&act, start, When::Before, &goal.vars, &mut parts)?;
        let states = image(self.manager, &self.manager.bdd_true(), &[], &parts, &goal.vars)?;
        if self.is_within(&states, &goal)? {
            return Ok(());
        }
        self.reject(format!("some initial state is not in its set at {}", self.name(*entry)))
    }

    /// Adds that the bits of a procedure's variables, as far as they matter, stand for values.
    fn within_sorts(
        &self,
        act: &Act<'_>,
        procedure: ProcedureId,
        when: When,
        matter: &[Var],
        parts: &mut Vec<Part>,
    ) -> Result<()> {
        for variable in &self.sets.mentioned[procedure].partial {
            if act.bits(*variable, when)?.iter().any(|bit| matter.binary_search(bit).is_ok()) {
                add_validity(act, self.manager, (*variable, when), parts)?;
            }
        }
        Ok(())
    }

    /// A set of the location's procedure, its entry and current values put at other bits.
    fn placed(
        &self,
        location: LocationId,
        entry: Option<Place<'_>>,
        current: Place<'_>,
        (set, vars): (&Bdd, &[Var]),
    ) -> Result<Placed> {
        let procedure = self.program.locations[location].procedure;
        let mentioned = &self.sets.mentioned[procedure];
        let mut pairs: Vec<(Var, Var)> = Vec::new();
        for (variable, bit) in &mentioned.entry {
            if let (Some(from), Some(place)) = (self.layout.entry(procedure, *variable, *bit), entry) {
                pairs.push((from, place(*variable)?[*bit as usize]));
            }
        }
        for variable in &mentioned.current {
            let from = self.layout.bits(procedure, *variable, Copy::Base)?;
            pairs.extend(from.iter().copied().zip(current(*variable)?.iter().copied()));
        }
        pairs.retain(|(from, to)| from != to && vars.binary_search(from).is_ok());
        if pairs.is_empty() {
            return Ok(Placed { set: set.clone(), vars: vars.to_vec() });
        }
        pairs.sort_unstable();
        let moved = |var: &Var| pairs.binary_search_by_key(var, |(from, _)| *from).map_or(*var, |at| pairs[at].1);
        let vars = sorted(vars.iter().map(moved));
        Ok(Placed { set: set.rename(&self.manager.renaming(&pairs))?, vars })
    }

    /// To be shown where a procedure is entered: (f, f) is in I(entry), for the states f with the given bits.
    fn entry_goal(&self, entry: LocationId, bits: Place<'_>) -> Result<Goal> {
        let place = |states: &States| self.placed(entry, Some(bits), bits, (&states.set, &states.vars));
        let placed = self.sets.states[entry].as_ref().map(place).transpose()?;
        let vars = placed.as_ref().map_or_else(Vec::new, |placed| placed.vars.clone());
        Ok(Goal { placed, unchanged: Vec::new(), is_unknown: false, vars })
    }

    /// To be shown after an edge to a location: (e, d) is in I(m), and what is said to be unchanged is so in d.
    fn goal(&self, target: LocationId, source: &States, act: &Act<'_>) -> Result<Goal> {
        let bits = |variable: VariableId| act.bits(variable, When::After);
        let Some(states) = &self.sets.states[target] else {
            return Ok(Goal { placed: None, unchanged: Vec::new(), is_unknown: false, vars: Vec::new() });
        };
        let placed = match act.kind {
            // Nothing moves: the bits after the step are those before it.
            Kind::Step(relation) if relation.updates.is_empty() => {
                Placed { set: states.set.clone(), vars: states.vars.clone() }
            }
            _ => self.placed(target, None, &bits, (&states.set, &states.vars))?,
        };
        let mut unchanged = Vec::new();
        let mut is_unknown = false;
        if states.is_diagram && source.is_diagram {
            for variable in self.perhaps_changed(act) {
                let (old, new) = (self.layout.bits(act.own, variable, Copy::Base)?, bits(variable)?);
                unchanged.extend((old != new).then_some((old, new)));
            }
        } else if states.is_diagram {
            // Nothing is known about the entry values before the edge, so they may be others than the current ones.
            let can_differ = |variable: &VariableId| self.program.sort(*variable).n_values(self.program) > 1;
            is_unknown = self.sets.mentioned[act.own].unchanged.iter().any(can_differ);
        }
        let rows = unchanged.iter().flat_map(|(old, new)| old.iter().chain(new.iter()).copied());
        let vars = sorted(placed.vars.iter().copied().chain(rows));
        Ok(Goal { placed: Some(placed), unchanged, is_unknown, vars })
    }

    /// Those of the unchanged variables whose bits after the edge may be others than before.
    fn perhaps_changed(&self, act: &Act<'_>) -> Vec<VariableId> {
        let unchanged = &self.sets.mentioned[act.own].unchanged;
        match act.kind {
            Kind::Step(relation) => {
                let written = relation.updates.iter().map(|update| update.variable);
                written.filter(|variable| unchanged.binary_search(variable).is_ok()).collect()
            }
            _ => unchanged.clone(),
        }
    }

    fn is_within(&self, states: &Bdd, goal: &Goal) -> Result<bool> {
        match &goal.placed {
            None => Ok(states.is_false()),
            Some(placed) => Ok(states.leq(&placed.set)?),
        }
    }

    /// The states after an edge are in the set at its target.
    fn arrive(&self, taken: &Bdd, goal: &Goal, what: &dyn Fn() -> String) -> Result<()> {
        if taken.is_false() {
            return Ok(());
        }
        if goal.placed.is_none() {
            return self.reject(format!("{} is possible, but there is no set at its end", what()));
        }
        if !self.is_within(taken, goal)? {
            return self.reject(format!("{} leads out of the set at its end", what()));
        }
        let mut keeps = !goal.is_unknown;
        for (old, new) in &goal.unchanged {
            keeps = keeps && taken.leq(&agree(self.manager, old, new)?)?;
        }
        if !keeps {
            return self.reject(format!("{} changes a variable that is said to be unchanged", what()));
        }
        Ok(())
    }

    /// Conditions 2, 3 and 4 for an edge.
    fn edge_by_parts(&self, id: EdgeId) -> Result<()> {
        match (Self { care: Care::Rough, ..*self }).edge(id) {
            Err(Trouble::Rejected(_)) => self.edge(id),
            other => other,
        }
    }

    fn edge(&self, id: EdgeId) -> Result<()> {
        let edge = &self.program.edges[id];
        let Some(states) = &self.sets.states[edge.source] else { return Ok(()) };
        self.layout.release_choices();
        let own = self.program.locations[edge.source].procedure;
        match &edge.kind {
            EdgeKind::Step(relation) => self.step(id, own, states, relation),
            EdgeKind::Call(call) => self.call(id, own, states, call),
            EdgeKind::Spawn(_) => Err(Trouble::Rejected("the program starts threads".into())),
        }
    }

    /// Condition 2: (e, c) in I(l) and R(c, d) imply (e, d) in I(m).
    fn step(&self, id: EdgeId, own: ProcedureId, states: &States, step: &'a Relation) -> Result<()> {
        let edge = &self.program.edges[id];
        let same = |target: &States| target.set == states.set && target.is_diagram == states.is_diagram;
        if step.is_identity() && self.sets.states[edge.target].as_ref().is_some_and(same) {
            return Ok(());
        }
        let act = self.act(own, Kind::Step(step));
        let goal = self.goal(edge.target, states, &act)?;
        if goal.is_trivial() {
            return Ok(());
        }
        let interest = Interest { known: &states.vars, wanted: &goal.vars };
        let mut parts = parts(&act, self.manager, step, self.care, interest)?;
        self.within_sorts(&act, own, When::After, &goal.vars, &mut parts)?;
        let taken = image(self.manager, &states.existing, &states.vars, &parts, &goal.vars)?;
        let what = || format!("the step from {} to {}", self.name(edge.source), self.name(edge.target));
        self.arrive(&taken, &goal, &what)
    }

    /// Conditions 3 and 4.
    fn call(&self, id: EdgeId, own: ProcedureId, states: &States, call: &'a Call) -> Result<()> {
        let edge = &self.program.edges[id];
        let enter = self.act(own, Kind::Enter(call));
        let goal = self.entry_goal(call.entry, &|variable| enter.bits(variable, When::After))?;
        let mut returns = Vec::new();
        for exit in &self.program.procedures[call.callee].exits {
            returns.extend(self.way_back(edge.target, states, &enter, call, *exit)?);
        }
        if goal.is_trivial() && returns.is_empty() {
            return Ok(());
        }
        let later = returns.iter().flat_map(Return::vars);
        let wanted = sorted(goal.vars.iter().copied().chain(later));
        let interest = Interest { known: &states.vars, wanted: &wanted };
        let mut parts = parts(&enter, self.manager, &call.enter, self.care, interest)?;
        self.within_sorts(&enter, call.callee, When::After, &wanted, &mut parts)?;
        let entered = image(self.manager, &states.existing, &states.vars, &parts, &wanted)?;
        if !self.is_within(&entered, &goal)? {
            let (source, entry) = (self.name(edge.source), self.name(call.entry));
            return self.reject(format!("the call at {source} enters {entry} outside of its set"));
        }
        for Return { exit, parts, goal } in &returns {
            let taken = image(self.manager, &entered, &wanted, parts, &goal.vars)?;
            let what = || {
                let [source, exit, target] = [edge.source, *exit, edge.target].map(|location| self.name(location));
                format!("the return from {exit} to {target}, called at {source},")
            };
            self.arrive(&taken, goal, &what)?;
        }
        Ok(())
    }

    /// Condition 4 for one exit, unless there is nothing to show: what (f, x) in I(exit) and leave(c, x, d) add to the
    /// states that have entered the callee.
    fn way_back(
        &self,
        target: LocationId,
        states: &States,
        enter: &Act<'a>,
        call: &'a Call,
        exit: LocationId,
    ) -> Result<Option<Return>> {
        let Some(at_exit) = &self.sets.states[exit] else { return Ok(None) };
        let unchanged: &[VariableId] =
            if at_exit.is_diagram { &self.sets.mentioned[call.callee].unchanged } else { &[] };
        let leave = self.act(enter.own, Kind::Leave(call, unchanged));
        let goal = self.goal(target, states, &leave)?;
        if goal.is_trivial() {
            return Ok(None);
        }
        let at_entry = |variable: VariableId| enter.bits(variable, When::After);
        let at_end = |variable: VariableId| leave.bits(variable, self.moment_at_exit(variable));
        let summary = self.placed(exit, Some(&at_entry), &at_end, (&at_exit.existing, &at_exit.vars))?;
        let known = sorted(states.vars.iter().chain(&summary.vars).copied());
        let interest = Interest { known: &known, wanted: &goal.vars };
        let mut all = vec![Part { bdd: summary.set, vars: summary.vars }];
        all.extend(parts(&leave, self.manager, &call.leave, self.care, interest)?);
        self.within_sorts(&leave, enter.own, When::After, &goal.vars, &mut all)?;
        Ok(Some(Return { exit, parts: all, goal }))
    }

    /// At which moment of leaving a call the callee's last value of a variable is read.
    fn moment_at_exit(&self, variable: VariableId) -> When {
        match self.program.variables[variable].scope {
            Scope::Local(_) => When::Result,
            Scope::Shared | Scope::Private => When::Before,
        }
    }
}

/// One way back from a call.
struct Return {
    exit: LocationId,
    /// The summary of the callee, and what leaving does.
    parts: Vec<Part>,
    goal: Goal,
}

impl Return {
    /// The bits of which it speaks.
    fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.parts.iter().flat_map(|part| &part.vars).chain(&self.goal.vars).copied()
    }
}
