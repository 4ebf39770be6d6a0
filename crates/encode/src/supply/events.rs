//! Facts that a solver found, back in terms of the program: single states and what happens between them.

use bdd::{Bdd, Stop, Var};
use calculus::{Fact, Packed};
use program::{Choice, EdgeId, EdgeKind, ProcedureId, Program, Relation, Value, VariableId, When};

use smallvec::SmallVec;

use super::points::Point;
use super::{SUPPLIED, Supplied, Supply, is_global};
use crate::blast::Blaster;
use crate::slots::{Copy, Slot};

/// A single state, as formulae see it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// Where.
    pub point: Point,
    /// The bits of `Local`.
    pub local: Packed,
    /// The bits of `Global`.
    pub global: Packed,
}

/// What a fact says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// From one state to the next by a step, or, without an edge, by one that the program does not have: into the
    /// first location of a thread, or to one of several calls.
    Step(Option<EdgeId>, State, State),
    /// From a call to the callee's first state.
    Enter(EdgeId, State, State),
    /// From a call and the callee's last state to the caller's next one.
    Leave(EdgeId, State, State, State),
    /// The caller's part of that, and where the callee ended.
    LeaveCaller(EdgeId, State, Point, State),
    /// The callee's part of that, and where the call was made.
    LeaveCallee(EdgeId, State, Point, State),
    /// The shared variables at the very start.
    Start(Packed),
}

impl Supply<'_> {
    /// What a fact about the program says; none if it is not about something that happens.
    pub fn event(&self, fact: &Fact) -> Result<Option<Event>, Stop> {
        let input = SUPPLIED[fact.input].0;
        let state = |column: usize, nth: usize| self.state(fact, column, nth);
        Ok(match input {
            Supplied::ProgramInt => {
                let (from, to) = (state(0, 0), state(1, 1));
                Some(Event::Step(self.edge_between(&from, &to)?, from, to))
            }
            Supplied::IntoCall => {
                self.call_at(self.point(fact, 0)).map(|edge| Event::Enter(edge, state(0, 0), state(1, 1)))
            }
            Supplied::Return => (self.call_at(self.point(fact, 0)))
                .map(|edge| Event::Leave(edge, state(0, 0), state(1, 1), state(2, 2))),
            Supplied::ReturnA => (self.call_at(self.point(fact, 0)))
                .map(|edge| Event::LeaveCaller(edge, state(0, 0), self.point(fact, 1), state(2, 1))),
            Supplied::ReturnB => {
                let site = self.point(fact, 1);
                self.call_at(site).map(|edge| Event::LeaveCallee(edge, state(0, 0), site, state(2, 1)))
            }
            Supplied::Start => Some(Event::Start(fact.bits.clone())),
            // Not about something that happens.
            _ => None,
        })
    }

    /// The location in a listed column of a fact.
    fn point(&self, fact: &Fact, column: usize) -> Point {
        self.points.list()[fact.key[column] as usize]
    }

    /// One of the states that a fact speaks of: where its location stands among the listed columns, and how many states
    /// come before.
    fn state(&self, fact: &Fact, column: usize, nth: usize) -> State {
        let [n_local, n_global] = self.n_bits;
        let start = nth * (n_local + n_global);
        let (local, global) = (fact.bits.part(start, n_local), fact.bits.part(start + n_local, n_global));
        State { point: self.point(fact, column), local, global }
    }

    /// The call that is made at a point.
    fn call_at(&self, point: Point) -> Option<EdgeId> {
        match point {
            Point::Calling(edge, _) => Some(edge),
            Point::At(location, _) => self.call_of[location],
            Point::Before(_) => None,
        }
    }

    /// The step that leads from one state to another.
    fn edge_between(&self, from: &State, to: &State) -> Result<Option<EdgeId>, Stop> {
        let (Point::At(source, _), Point::At(target, _)) = (from.point, to.point) else { return Ok(None) };
        let Some(candidates) = self.steps_between.get(&(source, target)) else { return Ok(None) };
        if let [only] = candidates.as_slice() {
            return Ok(Some(*only));
        }
        for edge in candidates {
            if let EdgeKind::Step(relation) = &self.program.edges[*edge].kind
                && self.is_possible(relation, from, to)?
            {
                return Ok(Some(*edge));
            }
        }
        Ok(None)
    }

    fn is_possible(&self, relation: &Relation, from: &State, to: &State) -> Result<bool, Stop> {
        let Some(layout) = &self.layout else { return Ok(false) };
        let copy_of = |_: VariableId, when: When| if when == When::After { Copy::Next } else { Copy::Current };
        let blaster = Blaster {
            program: self.program,
            manager: &layout.manager,
            slots: &layout.slots,
            choices: &layout.choices,
            copy_of: &copy_of,
        };
        let diagram: Bdd = blaster.relation(relation)?;
        let mut value = rustc_hash::FxHashMap::default();
        for (slot, (is_global, place)) in self.place.iter().enumerate() {
            let bit = |state: &State| if *is_global { state.global.get(*place) } else { state.local.get(*place) };
            value.insert(layout.slots.var(Slot(slot as u32), Copy::Current), bit(from));
            value.insert(layout.slots.var(Slot(slot as u32), Copy::Next), bit(to));
        }
        let keeps = |variable: VariableId| {
            relation.writes(variable, When::After) || self.value(from, variable) == self.value(to, variable)
        };
        let in_scope = self.program.variables.ids().filter(|id| match self.program.variables[*id].scope {
            program::Scope::Local(procedure) => self.is_in(from.point, procedure),
            program::Scope::Shared | program::Scope::Private => true,
        });
        let of_var = |var: Var| value.get(&var).copied().unwrap_or(false);
        Ok(diagram.eval(&of_var) && in_scope.into_iter().all(keeps))
    }

    fn is_in(&self, point: Point, procedure: ProcedureId) -> bool {
        matches!(point, Point::At(location, _) if self.program.locations[location].procedure == procedure)
    }

    /// The value of a variable in a state; none when it does not occur.
    #[must_use]
    pub fn value(&self, state: &State, variable: VariableId) -> Option<Value> {
        let of = if is_global(self.program, variable) { &state.global } else { &state.local };
        let bit = |slot: &Slot| of.get(self.place[slot.0 as usize].1);
        let bits: SmallVec<[bool; 16]> = self.arranged[variable].iter().map(bit).collect();
        if bits.is_empty() {
            return None;
        }
        self.program.sort(variable).value_of_bits(self.program, &bits)
    }

    /// Values with which a thread may begin in a procedure.
    #[must_use]
    pub fn some_beginning(&self, start: ProcedureId, variables: &[VariableId]) -> Vec<Choice> {
        let Some(layout) = &self.layout else { return Vec::new() };
        let Ok(states) = super::rows::beginnings(self, layout, start) else { return Vec::new() };
        let picked = states.pick().unwrap_or_default();
        let bit = |var: Var| picked.contains(&(var, true));
        let choice = |variable: &VariableId| {
            let bits: Vec<bool> = layout.slots.vars(*variable, Copy::Current).map(bit).collect();
            let value = self.program.sort(*variable).value_of_bits(self.program, &bits);
            value.filter(|_| !bits.is_empty()).map(|value| Choice::after(*variable, value))
        };
        variables.iter().filter_map(choice).collect()
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        self.program
    }
}
