//! post\*: all configurations that are reached from a set of configurations.
//!
//! Esparza and Schwoon (CAV 2001), algorithm 2. Transitions from the initial state grow along the edges of the program:
//! a step makes a transition to the same state; a call makes a state for the callee's entry, with the callee's first
//! values as its data, a transition from the initial state to it, and a waiting transition from it; an exit lets the
//! initial state go on like the waiting transitions of the state. Only what is new is sent on.

use bdd::Bdd;
use encode::{Transfers, parallel};
use program::{Call, EdgeId, EdgeKind, Graph, LocationId, ProcedureId, Program};
use rustc_hash::FxHashMap;

use super::agenda::Agenda;
use super::automaton::{Automaton, State, Symbol, TopId};
use crate::guide::Guide;
use crate::halt::Halt;
use crate::limits::Limits;

/// What is known about how the frame above a state returns.
#[derive(Clone, Debug)]
struct Returning {
    /// As a summary ([`Transfers::summary`]).
    all: Bdd,
    /// As it meets waiting transitions.
    meeting: Bdd,
}

/// A saturation forwards.
pub(crate) struct Post<'s, 'p> {
    program: &'p Program,
    graph: &'s Graph,
    transfers: &'s Transfers<'s, 'p>,
    pub(crate) limits: Limits<'s>,
    pub(crate) automaton: Automaton,
    /// By the state below the frame, and the procedure of the frame.
    returning: FxHashMap<(State, ProcedureId), Returning>,
    /// By entry of a procedure: its summary after each time it grew, with a stamp that counts all growth. What was found
    /// with the help of a summary has a later stamp than the summary.
    pub(super) history: FxHashMap<LocationId, Vec<(u64, Bdd)>>,
    agenda: Agenda,
    /// Waiting frames that take nothing from their callee are known by their location.
    by_location: bool,
    stamp: u64,
}

impl<'s, 'p> Post<'s, 'p> {
    pub(crate) fn new(
        graph: &'s Graph,
        transfers: &'s Transfers<'s, 'p>,
        limits: Limits<'s>,
        by_location: bool,
    ) -> Self {
        let program = transfers.encoding().program();
        Self {
            program,
            graph,
            transfers,
            limits,
            automaton: Automaton::new(program, transfers.encoding().manager()),
            returning: FxHashMap::default(),
            history: FxHashMap::default(),
            agenda: Agenda::forward(program, graph),
            by_location,
            stamp: 0,
        }
    }

    /// Lets a guide decide at first what is looked at next.
    pub(super) fn follow(&mut self, guide: Option<Guide>) {
        self.agenda.follow(guide);
    }

    /// Forgets the given states, so that others can be given. What is known about procedures is kept: it does not
    /// depend on who calls them.
    pub(crate) fn forget_given(&mut self) {
        self.automaton.forget_given();
        self.returning.retain(|(below, _), _| !matches!(below, State::Given(_)));
        self.agenda.clear();
        for (location, top) in self.automaton.unfinished() {
            self.agenda.add(location, top);
        }
    }

    /// Runs until nothing is new, or until the question, asked after every step, is answered.
    pub(crate) fn run(&mut self, is_enough: &mut dyn FnMut(&Automaton) -> Result<bool, Halt>) -> Result<(), Halt> {
        let encoding = self.transfers.encoding();
        while !is_enough(&self.automaton)?
            && let Some(top) = self.agenda.next()
        {
            self.limits.step(encoding)?;
            let fresh = self.automaton.take_fresh(top);
            let done = self.visit(top, &fresh);
            if self.limits.is_worth_repeating(&done, encoding) {
                self.visit(top, &fresh)?
            } else {
                done?
            }
            self.limits.tidy(encoding)?;
        }
        Ok(())
    }

    /// Sends what is new of a top transition along the edges.
    fn visit(&mut self, top: TopId, fresh: &Bdd) -> Result<(), Halt> {
        let (program, graph) = (self.program, self.graph);
        let (location, to) = (self.automaton.top(top).location, self.automaton.top(top).to);
        let procedure = program.locations[location].procedure;
        for edges in parallel(program, graph.outgoing(location)) {
            match (&program.edges[edges[0]].kind, edges) {
                (EdgeKind::Step(relation), [edge]) => {
                    let image = self.transfers.encoding().step(*edge, relation)?.apply(fresh)?;
                    self.add(program.edges[*edge].target, to, &image)?;
                }
                (EdgeKind::Step(_), _) => {
                    for image in self.transfers.encoding().steps(edges)?.iter() {
                        self.add(program.edges[edges[0]].target, to, &image.apply(fresh)?)?;
                    }
                }
                (EdgeKind::Call(call), _) => self.enter(edges[0], call, to, fresh)?,
                (EdgeKind::Spawn(_), _) => {}
            }
        }
        // Exits have no edges, so most locations need not be looked for among them.
        if graph.outgoing(location).is_empty() && program.procedures[procedure].exits.contains(&location) {
            self.leave(procedure, to, fresh)?;
        }
        Ok(())
    }

    fn enter(&mut self, edge: EdgeId, call: &Call, to: State, fresh: &Bdd) -> Result<(), Halt> {
        let (entered, symbol) = (State::Entered(call.entry), Symbol::of(self.program, edge, call, self.by_location));
        let first = self.transfers.seed(edge, call, fresh)?;
        self.add(call.entry, entered, &first)?;
        let waiting = self.transfers.push(edge, call, fresh)?;
        let new = waiting.diff(self.automaton.waiting_to(entered, symbol, to))?;
        if let Some(Returning { meeting, .. }) = self.returning.get(&(entered, call.callee)) {
            let after = self.go_on(symbol, call.callee, &meeting.clone(), &new)?;
            self.add(self.program.edges[edge].target, to, &after)?;
        }
        // Last, so that running out of nodes above leaves work that can be repeated.
        Ok(self.automaton.add_waiting(entered, symbol, to, &new)?)
    }

    /// A frame of the procedure above the state returns.
    fn leave(&mut self, procedure: ProcedureId, to: State, fresh: &Bdd) -> Result<(), Halt> {
        let mut new = self.transfers.summary(procedure, fresh)?;
        if let Some(known) = self.returning.get(&(to, procedure)) {
            new = new.diff(&known.all)?;
        }
        if new.is_false() {
            return Ok(());
        }
        let meeting = self.transfers.returning(procedure, &new)?;
        let waiting: Vec<(Symbol, State, Bdd)> =
            self.automaton.waiting_from(to).map(|w| (w.symbol, w.to, w.all.clone())).collect();
        for (symbol, to, waiting) in waiting {
            let after = self.go_on(symbol, procedure, &meeting, &waiting)?;
            self.add(symbol.location(self.program), to, &after)?;
        }
        let (mut all, mut meeting) = (new, meeting);
        if let Some(known) = self.returning.get(&(to, procedure)) {
            (all, meeting) = (known.all.or(&all)?, known.meeting.or(&meeting)?);
        }
        self.stamp += 1;
        if let State::Entered(entry) = to {
            self.history.entry(entry).or_default().push((self.stamp, all.clone()));
        }
        self.returning.insert((to, procedure), Returning { all, meeting });
        Ok(())
    }

    /// What a waiting frame goes on with when its callee returns.
    fn go_on(&self, symbol: Symbol, callee: ProcedureId, returning: &Bdd, waiting: &Bdd) -> Result<Bdd, Halt> {
        match (symbol, symbol.call(self.program)) {
            (Symbol::In(edge), Some(call)) if call.callee == callee => {
                Ok(self.transfers.pop(edge, call, returning, waiting)?)
            }
            (Symbol::At(_), _) => Ok(self.transfers.resume(callee, returning, waiting)?),
            // Nobody returns into the middle of another procedure's call.
            (Symbol::In(_), _) => Ok(self.transfers.encoding().manager().bdd_false()),
        }
    }

    /// Adds to a top transition.
    pub(crate) fn add(&mut self, location: LocationId, to: State, set: &Bdd) -> Result<(), Halt> {
        if let Some(top) = self.automaton.add_top(location, to, set)? {
            self.agenda.add(location, top);
        }
        Ok(())
    }
}
