//! The five conditions.

use base::Budget;
use bdd::{Bdd, Manager, Var};
use program::{Call, EdgeId, EdgeKind, LocationId, ProcedureId, Program, Relation, Scope, VariableId, When};

use super::Trouble;
use super::layout::{Bits, Copy, Layout};
use super::relation::{Act, Care, Kind, condition, relation};
use super::states::{Sets, States};
use super::symbolic::{Scene as _, agree, valid};
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

/// Variables that a relation reads, ascending.
fn reads(relation: &Relation) -> Vec<VariableId> {
    let reads = relation.exprs().flat_map(program::Expr::reads).map(|(variable, _)| variable);
    let mut variables: Vec<VariableId> = reads.collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}

#[derive(Clone, Copy)]
struct Checker<'a> {
    program: &'a Program,
    manager: &'a Manager,
    layout: &'a Layout<'a>,
    sets: &'a Sets,
    care: Care,
}

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

    /// True when some set of the procedure says something about the variable.
    fn is_spoken_of(&self, procedure: ProcedureId, variable: VariableId) -> bool {
        self.sets.mentioned[procedure].all.binary_search(&variable).is_ok()
    }

    /// The states of I(l) that exist.
    fn existing(&self, procedure: ProcedureId, states: &States) -> Result<Bdd> {
        match &self.sets.mentioned[procedure].valid {
            Some(valid) => Ok(states.set.and(valid)?),
            None => Ok(states.set.clone()),
        }
    }

    /// Condition 5: I(t) is empty.
    fn target(&self, target: LocationId) -> Result<()> {
        let Some(states) = &self.sets.states[target] else { return Ok(()) };
        if self.existing(self.program.locations[target].procedure, states)?.is_false() {
            return Ok(());
        }
        self.reject(format!("its set of states at the target {} is not empty", self.name(target)))
    }

    /// Condition 1: (s, s) is in I(entry) for every initial state s.
    fn start(&self, start: ProcedureId) -> Result<()> {
        let Some(entry) = self.program.procedures[start].entries.first() else { return Ok(()) };
        let act = self.act(start, Kind::Condition);
        let states = condition(&act, self.manager, &self.program.start)?;
        let bits = |variable: VariableId| act.bits(variable, When::Before);
        let states = self.within_sorts(states, start, bits)?;
        if self.is_within_entry(&states, *entry, bits)? {
            return Ok(());
        }
        self.reject(format!("some initial state is not in its set at {}", self.name(*entry)))
    }

    /// Leaves out states in which bits of a procedure's variables stand for no value.
    fn within_sorts(
        &self,
        states: Bdd,
        procedure: ProcedureId,
        bits: impl Fn(VariableId) -> Result<Bits>,
    ) -> Result<Bdd> {
        let mut states = states;
        for variable in &self.sets.mentioned[procedure].partial {
            let sort = self.program.sort(*variable);
            if let Some(valid) = valid(self.program, self.manager, &bits(*variable)?, sort)? {
                states = states.and(&valid)?;
            }
        }
        Ok(states)
    }

    /// The set at a location, its entry and current values put at other bits.
    fn placed(
        &self,
        location: LocationId,
        entry: Option<&dyn Fn(VariableId) -> Result<Bits>>,
        current: &dyn Fn(VariableId) -> Result<Bits>,
        states: &Bdd,
    ) -> Result<Bdd> {
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
        pairs.retain(|(from, to)| from != to);
        if pairs.is_empty() { Ok(states.clone()) } else { Ok(states.rename(&self.manager.renaming(&pairs))?) }
    }

    /// Is (f, f) in I(entry) for all of the states f, whose bits are given?
    fn is_within_entry(
        &self,
        states: &Bdd,
        entry: LocationId,
        bits: impl Fn(VariableId) -> Result<Bits>,
    ) -> Result<bool> {
        match &self.sets.states[entry] {
            None => Ok(states.is_false()),
            Some(set) => Ok(states.leq(&self.placed(entry, Some(&bits), &bits, &set.set)?)?),
        }
    }

    /// Conditions 2, 3 and 4 for an edge. Mostly what it does to variables that are spoken of is enough.
    fn edge_by_parts(&self, id: EdgeId) -> Result<()> {
        match (Self { care: Care::Rough, ..*self }).edge(id) {
            Err(Trouble::Rejected(_)) => self.edge(id),
            other => other,
        }
    }

    fn edge(&self, id: EdgeId) -> Result<()> {
        let edge = &self.program.edges[id];
        let Some(states) = &self.sets.states[edge.source] else { return Ok(()) };
        let own = self.program.locations[edge.source].procedure;
        match &edge.kind {
            EdgeKind::Step(relation) => self.step(id, own, states, relation),
            EdgeKind::Call(call) => self.call(id, own, states, call),
            EdgeKind::Spawn(_) => Err(Trouble::Rejected("the program starts threads".into())),
        }
    }

    /// Condition 2.
    fn step(&self, id: EdgeId, own: ProcedureId, states: &States, step: &'a Relation) -> Result<()> {
        let edge = &self.program.edges[id];
        let mut taken = self.existing(own, states)?;
        if step.is_identity() {
            if self.sets.states[edge.target].as_ref().is_some_and(|target| target.set == states.set)
                && self.sets.states[edge.target].as_ref().is_some_and(|target| target.is_diagram == states.is_diagram)
            {
                return Ok(());
            }
        } else {
            let needed = |variable, _| self.is_spoken_of(own, variable);
            taken = taken.and(&relation(&self.act(own, Kind::Step(step)), self.manager, step, self.care, needed)?)?;
        }
        let what = || format!("the step from {} to {}", self.name(edge.source), self.name(edge.target));
        self.arrive(&taken, edge.target, states, &self.act(own, Kind::Step(step)), &what)
    }

    /// The states after an edge are in the set at its target.
    fn arrive(
        &self,
        taken: &Bdd,
        target: LocationId,
        source: &States,
        act: &Act<'_>,
        what: &dyn Fn() -> String,
    ) -> Result<()> {
        if taken.is_false() {
            return Ok(());
        }
        let Some(states) = &self.sets.states[target] else {
            return self.reject(format!("{} is possible, but there is no set at its end", what()));
        };
        let bits = |variable: VariableId| act.bits(variable, When::After);
        let taken = self.within_sorts(taken.clone(), act.own, bits)?;
        let placed = match act.kind {
            // Nothing moves: the bits after the step are those before it.
            Kind::Step(relation) if relation.updates.is_empty() => states.set.clone(),
            _ => self.placed(target, None, &bits, &states.set)?,
        };
        if !taken.leq(&placed)? {
            return self.reject(format!("{} leads out of the set at its end", what()));
        }
        if states.is_diagram && !self.keeps_unchanged(&taken, source, act)? {
            return self.reject(format!("{} changes a variable that is said to be unchanged", what()));
        }
        Ok(())
    }

    /// The variables that the frame calls unchanged have their entry values after the edge.
    fn keeps_unchanged(&self, taken: &Bdd, source: &States, act: &Act<'_>) -> Result<bool> {
        let unchanged = &self.sets.mentioned[act.own].unchanged;
        if !source.is_diagram {
            // Nothing is known about the entry values before the edge, so they may be others than the current ones.
            let is_trivial = |variable: &VariableId| self.program.sort(*variable).n_values(self.program) < 2;
            return Ok(taken.is_false() || unchanged.iter().all(is_trivial));
        }
        for variable in self.perhaps_changed(unchanged, act) {
            let (old, new) = (self.layout.bits(act.own, variable, Copy::Base)?, act.bits(variable, When::After)?);
            if old != new && !taken.leq(&agree(self.manager, &old, &new)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Those of the unchanged variables whose bits after the edge may be others than before.
    fn perhaps_changed(&self, unchanged: &[VariableId], act: &Act<'_>) -> Vec<VariableId> {
        match act.kind {
            Kind::Step(relation) => {
                let written = relation.updates.iter().map(|update| update.variable);
                written.filter(|variable| unchanged.binary_search(variable).is_ok()).collect()
            }
            _ => unchanged.to_vec(),
        }
    }

    /// Conditions 3 and 4.
    fn call(&self, id: EdgeId, own: ProcedureId, states: &States, call: &'a Call) -> Result<()> {
        let edge = &self.program.edges[id];
        let enter = self.act(own, Kind::Enter(call));
        let mut entered = self.existing(own, states)?;
        if !call.enter.is_identity() {
            let leaving: Vec<VariableId> = reads(&call.leave);
            let needed = |variable, when| {
                let in_callee = when == When::After && self.is_spoken_of(call.callee, variable);
                in_callee || self.is_spoken_of(own, variable) || leaving.binary_search(&variable).is_ok()
            };
            entered = entered.and(&relation(&enter, self.manager, &call.enter, self.care, needed)?)?;
        }
        if entered.is_false() {
            return Ok(());
        }
        let bits = |variable: VariableId| enter.bits(variable, When::After);
        let entered = self.within_sorts(entered, call.callee, bits)?;
        if !self.is_within_entry(&entered, call.entry, bits)? {
            let (source, entry) = (self.name(edge.source), self.name(call.entry));
            return self.reject(format!("the call at {source} enters {entry} outside of its set"));
        }
        for exit in &self.program.procedures[call.callee].exits {
            if let Some(at_exit) = &self.sets.states[*exit] {
                self.leave(id, states, &enter, &entered, *exit, at_exit)?;
            }
        }
        Ok(())
    }

    /// Condition 4 for one exit.
    fn leave(
        &self,
        id: EdgeId,
        states: &States,
        enter: &Act<'a>,
        entered: &Bdd,
        exit: LocationId,
        at_exit: &'a States,
    ) -> Result<()> {
        let (edge, Kind::Enter(call)) = (&self.program.edges[id], enter.kind) else { return Ok(()) };
        let unchanged: &[VariableId] =
            if at_exit.is_diagram { &self.sets.mentioned[call.callee].unchanged } else { &[] };
        let leave = self.act(enter.own, Kind::Leave(call, unchanged));
        let at_entry = |variable: VariableId| enter.bits(variable, When::After);
        let at_end = |variable: VariableId| leave.bits(variable, self.moment_at_exit(variable));
        let summary = self.existing(call.callee, at_exit)?;
        let summary = self.placed(exit, Some(&at_entry), &at_end, &summary)?;
        let done = self.done_with(enter, &leave, call)?;
        let mut taken = entered.and_exists(&summary, &self.manager.cube(&done))?;
        if !call.leave.is_identity() {
            let needed = |variable, _| self.is_spoken_of(leave.own, variable);
            taken = taken.and(&relation(&leave, self.manager, &call.leave, self.care, needed)?)?;
        }
        let what = || {
            let [source, exit, target] = [edge.source, exit, edge.target].map(|location| self.name(location));
            format!("the return from {exit} to {target}, called at {source},")
        };
        self.arrive(&taken, edge.target, states, &leave, &what)
    }

    /// At which moment of leaving a call the callee's last value of a variable is read.
    fn moment_at_exit(&self, variable: VariableId) -> When {
        match self.program.variables[variable].scope {
            Scope::Local(_) => When::Result,
            Scope::Shared | Scope::Private => When::Before,
        }
    }

    /// Bits of which only the callee's summary speaks, and nothing after it: leaving them out early keeps diagrams small.
    fn done_with(&self, enter: &Act<'_>, leave: &Act<'_>, call: &Call) -> Result<Vec<Var>> {
        let mut done: Vec<Var> = Vec::new();
        let callee = &self.sets.mentioned[call.callee];
        let entries = callee.entry.iter().map(|(variable, _)| *variable);
        for variable in callee.current.iter().copied().chain(entries) {
            done.extend(enter.bits(variable, When::After)?.iter());
        }
        done.extend(self.written_bits(&call.enter, enter, When::After)?);
        let mut needed: Vec<Var> = Vec::new();
        let own = &self.sets.mentioned[enter.own];
        for variable in &own.current {
            needed.extend(leave.bits(*variable, When::After)?.iter());
        }
        for variable in &own.unchanged {
            let bits = self.layout.bits(enter.own, *variable, Copy::Base)?;
            if *bits != *leave.bits(*variable, When::After)? {
                needed.extend(bits.iter());
                needed.extend(leave.bits(*variable, When::After)?.iter());
            }
        }
        for (variable, when) in call.leave.exprs().flat_map(program::Expr::reads) {
            needed.extend(leave.bits(variable, when)?.iter());
        }
        needed.extend(self.written_bits(&call.leave, leave, When::Before)?);
        needed.sort_unstable();
        done.retain(|bit| needed.binary_search(bit).is_err());
        Ok(done)
    }

    fn written_bits(&self, relation: &Relation, act: &Act<'_>, when: When) -> Result<Vec<Var>> {
        let mut bits = Vec::new();
        for update in &relation.updates {
            if update.when == When::After {
                bits.extend(act.bits(update.variable, when)?.iter());
            }
        }
        Ok(bits)
    }
}
