//! pre\*: all configurations from which a set of configurations is reached.
//!
//! Esparza and Schwoon (CAV 2001), algorithm 1. Transitions from the initial state grow against the edges of the program:
//! what goes on from the target of a step goes on from its source; a transition at the target of a call becomes a
//! waiting transition from the return of the callee; and where a callee's entry leads to a state from which a waiting
//! transition goes on, the call does. By demand, a procedure is looked at only for what somebody waits for.
//!
//! What leads from an entry of a procedure to its return is a summary of it, and grows in an order that traces need.

use base::IdVec;
use bdd::Bdd;
use encode::{Transfers, parallel};
use program::{Call, EdgeId, EdgeKind, Graph, LocationId, ProcedureId, Program};
use rustc_hash::FxHashMap;

use super::agenda::Agenda;
use super::automaton::{Automaton, State, Symbol, TopId};
use crate::guide::Guide;
use crate::halt::Halt;
use crate::limits::Limits;

/// A saturation backwards.
pub(super) struct Pre<'s, 'p> {
    program: &'p Program,
    graph: &'s Graph,
    transfers: &'s Transfers<'s, 'p>,
    pub(super) limits: Limits<'s>,
    pub(super) automaton: Automaton,
    /// By entry of a procedure: what leads to its return after each time it grew, with a stamp that counts all such
    /// growth. What was found with the help of a callee has a later stamp than what was known of the callee.
    pub(super) history: FxHashMap<LocationId, Vec<(u64, Bdd)>>,
    stamp: u64,
    agenda: Agenda,
    /// Waiting frames that take nothing from their callee are known by their location.
    by_location: bool,
    /// Procedures are looked at only where somebody waits for them.
    by_demand: bool,
    /// Procedures that are looked at for whatever they may return with.
    is_demanded: IdVec<ProcedureId, bool>,
}

/// So many bits have few values.
const FEW_BITS: usize = 6;

impl<'s, 'p> Pre<'s, 'p> {
    /// By demand: enough for all stacks that calls build. Otherwise a frame may stand on any other.
    pub(super) fn new(
        graph: &'s Graph,
        transfers: &'s Transfers<'s, 'p>,
        limits: Limits<'s>,
        by_demand: bool,
    ) -> Result<Self, Halt> {
        let program = transfers.encoding().program();
        let mut pre = Self {
            program,
            graph,
            transfers,
            limits,
            automaton: Automaton::new(program, transfers.encoding().manager()),
            history: FxHashMap::default(),
            stamp: 0,
            agenda: Agenda::backward(program, graph),
            by_location: !by_demand,
            by_demand,
            is_demanded: IdVec::filled(program.procedures.len(), false),
        };
        if !by_demand {
            for procedure in program.procedures.ids() {
                let returned = transfers.unseed_all(procedure)?;
                pre.return_with(procedure, &returned)?;
            }
        }
        Ok(pre)
    }

    /// Lets a guide decide at first what is looked at next.
    pub(super) fn follow(&mut self, guide: Option<Guide>) {
        self.agenda.follow(guide);
    }

    /// Runs until nothing is new, or until the question, asked after every step, is answered.
    pub(super) fn run(&mut self, is_enough: &mut dyn FnMut(&Automaton) -> Result<bool, Halt>) -> Result<(), Halt> {
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

    /// Sends what is new of a top transition against the edges.
    fn visit(&mut self, top: TopId, fresh: &Bdd) -> Result<(), Halt> {
        let (program, graph) = (self.program, self.graph);
        let (location, to) = (self.automaton.top(top).location, self.automaton.top(top).to);
        for edges in parallel(program, graph.incoming(location)) {
            match (&program.edges[edges[0]].kind, edges) {
                (EdgeKind::Step(relation), [edge]) => {
                    let before = self.transfers.encoding().step(*edge, relation)?.preimage(fresh)?;
                    self.add(program.edges[*edge].source, to, &before)?;
                }
                (EdgeKind::Step(_), _) => {
                    for image in self.transfers.encoding().steps(edges)?.iter() {
                        self.add(program.edges[edges[0]].source, to, &image.preimage(fresh)?)?;
                    }
                }
                (EdgeKind::Call(call), _) => self.unleave(edges[0], call, to, fresh)?,
                (EdgeKind::Spawn(_), _) => {}
            }
        }
        let procedure = program.locations[location].procedure;
        if self.is_entry(procedure, location) {
            self.unenter(procedure, location, to, fresh)?;
        }
        Ok(())
    }

    /// A frame at the target of a call may have waited for the callee.
    fn unleave(&mut self, edge: EdgeId, call: &Call, to: State, fresh: &Bdd) -> Result<(), Halt> {
        let returned = State::Returned(call.callee);
        let symbol = Symbol::of(self.program, edge, call, self.by_location);
        let waiting = self.transfers.unpop(edge, call, fresh)?;
        if self.by_demand {
            self.demand(call.callee, &waiting)?;
        }
        let inside = self.automaton.top_to(call.entry, returned);
        if !inside.is_false() && !waiting.is_false() {
            let before = self.transfers.unpush(edge, call, inside, &waiting)?;
            self.add(self.program.edges[edge].source, to, &before)?;
        }
        Ok(self.automaton.add_waiting(returned, symbol, to, &waiting)?)
    }

    /// Somebody waits for a procedure. Where it can return with a few values only, all of them are looked at together:
    /// sooner or later somebody waits for the others.
    fn demand(&mut self, procedure: ProcedureId, waiting: &Bdd) -> Result<(), Halt> {
        if waiting.is_false() || self.is_demanded[procedure] {
            return Ok(());
        }
        if self.transfers.n_returned_bits(procedure) > FEW_BITS {
            let wanted = self.transfers.unseed(procedure, waiting)?;
            return self.return_with(procedure, &wanted);
        }
        let wanted = self.transfers.unseed_all(procedure)?;
        self.return_with(procedure, &wanted)?;
        self.is_demanded[procedure] = true;
        Ok(())
    }

    /// A frame at an entry may just have been called.
    fn unenter(&mut self, procedure: ProcedureId, entry: LocationId, to: State, fresh: &Bdd) -> Result<(), Halt> {
        let (program, graph) = (self.program, self.graph);
        for edge in graph.calls_of(procedure) {
            let EdgeKind::Call(call) = &program.edges[*edge].kind else { continue };
            if call.entry != entry {
                continue;
            }
            let symbol = Symbol::of(program, *edge, call, self.by_location);
            let below: Vec<(State, Bdd)> =
                self.automaton.reading(to, symbol).map(|(state, set)| (state, set.clone())).collect();
            for (state, waiting) in below {
                let before = self.transfers.unpush(*edge, call, fresh, &waiting)?;
                self.add(program.edges[*edge].source, state, &before)?;
            }
        }
        Ok(())
    }

    /// The exits of a procedure return.
    fn return_with(&mut self, procedure: ProcedureId, returned: &Bdd) -> Result<(), Halt> {
        for exit in &self.program.procedures[procedure].exits {
            self.add(*exit, State::Returned(procedure), returned)?;
        }
        Ok(())
    }

    /// Adds to a top transition.
    pub(super) fn add(&mut self, location: LocationId, to: State, set: &Bdd) -> Result<(), Halt> {
        if let Some(top) = self.automaton.add_top(location, to, set)? {
            // How a procedure returns is of no use by itself.
            match to {
                State::Returned(_) => self.agenda.add_aside(location, top),
                State::Given(_) | State::Entered(_) => self.agenda.add(location, top),
            }
            if self.by_demand && matches!(to, State::Returned(procedure) if self.is_entry(procedure, location)) {
                self.stamp += 1;
                let all = self.automaton.top(top).all.clone();
                self.history.entry(location).or_default().push((self.stamp, all));
            }
        }
        Ok(())
    }

    fn is_entry(&self, procedure: ProcedureId, location: LocationId) -> bool {
        self.program.procedures[procedure].entries.contains(&location)
    }
}
