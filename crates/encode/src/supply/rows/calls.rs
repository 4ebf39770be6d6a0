//! The rows of relations about calls.

use std::rc::Rc;

use bdd::{Bdd, Stop, Var};
use calculus::{Cell, Row};
use program::{Call, Edge, EdgeId, EdgeKind, ProcedureId, Scope, VariableId, When};

use super::super::Layout;
use super::super::points::Point;
use super::super::saved::saved;
use super::{Builder, State, Take};
use crate::slots::Copy;

/// Which side of a call's end a relation sees.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Both,
    Caller,
    Callee,
}

impl Builder<'_, '_> {
    /// A location with several calls, or with one that sets what it saves: the choice is a step of its own.
    pub(super) fn choose_call(&self, id: EdgeId, edge: &Edge, call: &Call, take: Take<'_>) -> Result<(), Stop> {
        for held in self.supply.points.held(self.program, edge.source) {
            let site = self.supply.points.call_site(self.program, id, held);
            if site != Point::At(edge.source, held) {
                let procedure = self.program.locations[edge.source].procedure;
                let key = vec![self.number(Point::At(edge.source, held)), self.number(site)];
                if saved(call).is_empty() {
                    take(self.identity(key, procedure))?;
                } else {
                    let form = self.form(&call.enter, &[procedure], &[], || self.save_form(procedure, call));
                    let (cells, diagram) = form?;
                    take(Row { key, cells, diagram })?;
                }
            }
        }
        Ok(())
    }

    /// What a call may save, given what its caller has.
    fn save_form(&self, procedure: ProcedureId, call: &Call) -> Result<(Vec<Vec<Cell>>, Bdd), Stop> {
        let (u, v) = (self.state(0), self.state(1));
        let diagram = self.without(&self.entered(call)?, Copy::Next)?;
        let pairs = [self.moves(&[(Copy::Current, u)]), self.saved_moves(call, v)].concat();
        let diagram = diagram.rename(&self.layout.manager.renaming(&pairs))?;
        let mut cells = self.cells(&[(u, procedure), (v, procedure)]);
        self.scope(procedure).for_each(|variable| self.set(&mut cells, v, variable, u));
        self.set_saved(&mut cells, call, v);
        Ok((cells, diagram))
    }

    /// Where the saved copies of what a call saves are in the state in which it is made.
    fn saved_moves(&self, call: &Call, state: State) -> Vec<(Var, Var)> {
        let Layout { slots, .. } = self.layout;
        let slots_of = saved(call).into_iter().flat_map(|variable| slots.bits(variable));
        slots_of.map(|slot| (slots.var(*slot, Copy::Saved), self.var(state, self.supply.saved.of(*slot)))).collect()
    }

    /// The state in which a call is made has what the call saves.
    fn set_saved(&self, cells: &mut [Vec<Cell>], call: &Call, state: State) {
        for slot in saved(call).into_iter().flat_map(|variable| self.layout.slots.bits(variable)) {
            let second = self.supply.saved.of(*slot);
            cells[state.0][self.supply.place[second.0 as usize].1] = Cell::variable(self.var(state, second));
        }
    }

    /// Every call, once for each way in which it can be held.
    pub(super) fn calls(&self, mut each: impl FnMut(EdgeId, &Call, bool) -> Result<(), Stop>) -> Result<(), Stop> {
        for (id, edge) in self.program.edges.iter_ids() {
            if let EdgeKind::Call(call) = &edge.kind {
                for held in self.supply.points.held(self.program, edge.source) {
                    each(id, call, held)?;
                }
            }
        }
        Ok(())
    }

    /// The call's location and where its callee runs.
    fn site(&self, edge: EdgeId, held: bool) -> (u32, bool) {
        let inner = held || self.program.locations[self.program.edges[edge].source].atomic;
        (self.number(self.supply.points.call_site(self.program, edge, held)), inner)
    }

    pub(super) fn across(&self, edge: EdgeId, held: bool) -> Row {
        let target = self.number(Point::At(self.program.edges[edge].target, held));
        self.row(vec![self.site(edge, held).0, target])
    }

    pub(super) fn enters(&self, take: Take<'_>) -> Result<(), Stop> {
        self.calls(|edge, call, held| {
            let caller = self.program.locations[self.program.edges[edge].source].procedure;
            let form = self.form(&call.enter, &[caller, call.callee], &[], || self.enter_form(caller, call));
            let (cells, diagram) = form?;
            let (site, inner) = self.site(edge, held);
            take(Row { key: vec![site, self.number(Point::At(call.entry, inner))], cells, diagram })
        })
    }

    /// What entering a call does: over the current copies, those at the callee's entry, and the saved ones.
    fn entered(&self, call: &Call) -> Result<Bdd, Stop> {
        let is_frame = |variable: VariableId| matches!(self.program.variables[variable].scope, Scope::Local(_));
        let copy_of = |variable: VariableId, when: When| match when {
            When::After if is_frame(variable) || call.enter.writes(variable, When::After) => Copy::Next,
            When::Saved if call.enter.writes(variable, When::Saved) => Copy::Saved,
            When::Before | When::After | When::Saved | When::Result => Copy::Current,
        };
        let diagram = self.blaster(&copy_of).relation(&call.enter)?;
        let frame = self.program.procedures[call.callee].frame();
        let fresh = frame.filter(|variable| !call.enter.writes(*variable, When::After));
        self.in_range(diagram, fresh, Copy::Next)
    }

    fn enter_form(&self, caller: ProcedureId, call: &Call) -> Result<(Vec<Vec<Cell>>, Bdd), Stop> {
        let (u, v) = (self.state(0), self.state(1));
        let pairs = [self.moves(&[(Copy::Current, u), (Copy::Next, v)]), self.saved_moves(call, u)].concat();
        let diagram = self.entered(call)?.rename(&self.layout.manager.renaming(&pairs))?;
        let mut cells = self.cells(&[(u, caller), (v, call.callee)]);
        self.set_saved(&mut cells, call, u);
        let passed = self.globals().filter(|variable| !call.enter.writes(*variable, When::After));
        passed.for_each(|variable| self.set(&mut cells, v, variable, u));
        Ok((cells, diagram))
    }

    pub(super) fn returns(&self, seen: Seen, take: Take<'_>) -> Result<(), Stop> {
        self.calls(|edge, call, held| {
            let caller = self.program.locations[self.program.edges[edge].source].procedure;
            let form =
                self.form(&call.leave, &[caller, call.callee], &saved(call), || self.leave_form(caller, call, seen));
            let (cells, diagram) = form?;
            let (site, inner) = self.site(edge, held);
            let target = self.number(Point::At(self.program.edges[edge].target, held));
            self.program.procedures[call.callee].exits.iter().try_for_each(|exit| {
                let exit = self.number(Point::At(*exit, inner));
                let key = match seen {
                    Seen::Both | Seen::Caller => vec![site, exit, target],
                    Seen::Callee => vec![exit, site, target],
                };
                take(Row { key, cells: Rc::clone(&cells), diagram: diagram.clone() })
            })
        })
    }

    fn leave_form(&self, caller: ProcedureId, call: &Call, seen: Seen) -> Result<(Vec<Vec<Cell>>, Bdd), Stop> {
        let is_frame = |variable: VariableId| matches!(self.program.variables[variable].scope, Scope::Local(_));
        let copy_of = |variable: VariableId, when: When| match when {
            When::Result => Copy::Exit,
            When::After if call.leave.writes(variable, When::After) => Copy::Next,
            When::Before | When::After | When::Saved if call.enter.writes(variable, When::Saved) => Copy::Saved,
            When::Before | When::After | When::Saved if is_frame(variable) => Copy::Current,
            When::Before | When::After | When::Saved => Copy::Exit,
        };
        let whole = self.blaster(&copy_of).relation(&call.leave)?;
        let (sees_caller, sees_callee) = (seen != Seen::Callee, seen != Seen::Caller);
        // The states among the columns: the caller's and the callee's as far as they are seen, then the next.
        let (x, z) = (self.state(0), self.state(usize::from(seen == Seen::Both)));
        let v = self.state(if seen == Seen::Both { 2 } else { 1 });
        let (diagram, moves) = match seen {
            Seen::Both => (whole, vec![(Copy::Current, x), (Copy::Exit, z), (Copy::Next, v)]),
            Seen::Caller => (self.without(&whole, Copy::Exit)?, vec![(Copy::Current, x), (Copy::Next, v)]),
            Seen::Callee => {
                let unseen = self.without(&whole, Copy::Current)?;
                (self.without(&unseen, Copy::Saved)?, vec![(Copy::Exit, z), (Copy::Next, v)])
            }
        };
        let pairs = [self.moves(&moves), self.saved_moves(call, x)].concat();
        let diagram = diagram.rename(&self.layout.manager.renaming(&pairs))?;
        let mut states = vec![(v, caller)];
        states.extend(sees_caller.then_some((x, caller)));
        states.extend(sees_callee.then_some((z, call.callee)));
        let mut cells = self.cells(&states);
        if sees_caller {
            self.set_saved(&mut cells, call, x);
        }
        for variable in self.scope(caller).filter(|variable| !call.leave.writes(*variable, When::After)) {
            match (is_frame(variable), seen) {
                (true, Seen::Both | Seen::Caller) if call.enter.writes(variable, When::Saved) => {
                    self.set_from(&mut cells, v, variable, |slot| self.var(x, self.supply.saved.of(slot)));
                }
                (true, Seen::Both | Seen::Caller) => self.set(&mut cells, v, variable, x),
                (false, Seen::Both | Seen::Callee) => self.set(&mut cells, v, variable, z),
                // The other side says what it is.
                (true, Seen::Callee) | (false, Seen::Caller) => self.set(&mut cells, v, variable, v),
            }
        }
        Ok((cells, diagram))
    }

    fn without(&self, relation: &Bdd, copy: Copy) -> Result<Bdd, Stop> {
        let vars: Vec<Var> = self.layout.slots.all(copy).collect();
        relation.exists(&self.layout.manager.cube(&vars))
    }
}
