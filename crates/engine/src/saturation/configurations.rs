//! Sets of configurations: everything that is reached from a set, or from which a set is reached.
//!
//! Here the states of an automaton hold all values that callers see, so that its transitions can be read on their own.

use base::StopReason;
use bdd::{Bdd, Stop};
use encode::{Copy, Detail, Encoding, Transfers};
use program::{Expr, Graph, LocationId, ProcedureId, Program};
use question::configuration::ConfigurationSet;

use super::automaton::{Automaton, State, Symbol};
use super::language::{Configuration, Reader};
use super::listing::{Listing, list};
use super::post::Post;
use super::pre::Pre;
use super::{Saturation, carrying_everything};
use crate::halt::Halt;
use crate::limits::Limits;
use crate::problem::manager;
use crate::{Context, Statistics, Unsupported};

/// Says what in a program is beyond sets of configurations.
pub fn supports(program: &Program) -> Result<(), Unsupported> {
    crate::require_finite(program)?;
    crate::require_single_thread(program)?;
    crate::init::supports(program)
}

/// A program whose configurations are looked at, and what the sets of a question say about its variables.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Without an `init`: what it may leave is the start condition.
    pub program: Program,
    /// Their variables are encoded even if the program never mentions them.
    conditions: Vec<Expr>,
}

/// Prepares a program for questions about some sets.
pub fn prepare(program: &Program, sets: &[&ConfigurationSet], context: &Context<'_>) -> Result<Prepared, StopReason> {
    let program = carrying_everything(&crate::init::without(program, context)?);
    let conditions = sets.iter().flat_map(|set| set.conditions().cloned()).collect();
    Ok(Prepared { program, conditions })
}

/// All configurations on one side of a set.
#[derive(Debug)]
pub struct Configurations<'p> {
    encoding: Encoding<'p>,
    graph: Graph,
    automaton: Automaton,
    /// Why the saturation stopped early. What is there then is reached (or reaches), but it is not all.
    pub stopped: Option<StopReason>,
    /// What it cost.
    pub statistics: Statistics,
}

impl<'p> Configurations<'p> {
    /// Saturates from a set, in a direction, until all is found, or until a configuration of the goal is. The sets are
    /// among those that [`prepare`] was given.
    #[must_use]
    pub fn saturate(
        prepared: &'p Prepared,
        set: &ConfigurationSet,
        direction: Saturation,
        goal: Option<&ConfigurationSet>,
        context: &Context<'_>,
    ) -> Self {
        let Prepared { program, conditions } = prepared;
        let graph = Graph::of(program);
        let manager = manager(program, context);
        let encoding = Encoding::mentioning(program, conditions, manager);
        let transfers = Transfers::new(&encoding, Detail::Full);
        let limits = Limits::new(context, program.procedures.len());
        let work = Work { graph: &graph, transfers: &transfers, set, goal };
        let mut steps = 0;
        let (automaton, done) = match direction {
            Saturation::Forward => work.forward(limits, &mut steps),
            Saturation::Backward => work.backward(limits, &mut steps),
        };
        drop(transfers);
        let stats = encoding.manager().stats();
        let statistics = Statistics {
            steps,
            n_bdd_variables: stats.n_vars as u64,
            peak_nodes: stats.peak_nodes as u64,
            bdd_bytes: stats.peak_bytes,
            ..Statistics::default()
        };
        Self { encoding, graph, automaton, stopped: done.err().map(|halt| halt.reason(context)), statistics }
    }

    /// A configuration that is also in another set, if there is one.
    pub fn meets(&self, set: &ConfigurationSet, context: &Context<'_>) -> Result<Option<Configuration>, StopReason> {
        self.read(context, |reader| reader.meets(set))
    }

    /// All configurations with at most so many frames; none when there are more than `most`.
    pub fn enumerate(
        &self,
        max_frames: usize,
        most: usize,
        context: &Context<'_>,
    ) -> Result<Option<Vec<Configuration>>, StopReason> {
        self.read(context, |reader| reader.enumerate(max_frames, most))
    }

    /// The automaton as plain values.
    pub fn listing(&self, context: &Context<'_>) -> Result<Listing, StopReason> {
        self.read(context, list)
    }

    fn read<T>(
        &self,
        context: &Context<'_>,
        work: impl FnOnce(&Reader<'_, '_, '_>) -> Result<T, Stop>,
    ) -> Result<T, StopReason> {
        let transfers = Transfers::new(&self.encoding, Detail::Full);
        let reader = Reader::new(&self.graph, &transfers, &self.automaton);
        work(&reader).map_err(|stop| Halt::Diagram(stop).reason(context))
    }
}

struct Work<'s, 'p> {
    graph: &'s Graph,
    transfers: &'s Transfers<'s, 'p>,
    set: &'s ConfigurationSet,
    goal: Option<&'s ConfigurationSet>,
}

/// One transition of a given automaton.
enum Given {
    Top(LocationId, State, Bdd),
    Waiting(State, Symbol, State, Bdd),
}

impl Work<'_, '_> {
    fn forward(&self, limits: Limits<'_>, steps: &mut u64) -> (Automaton, Result<(), Halt>) {
        let mut post = Post::new(self.graph, self.transfers, limits, true);
        self.add_finals(&mut post.automaton);
        let mut add = |given: Given| match given {
            Given::Top(location, to, set) => post.add(location, to, &set),
            Given::Waiting(from, symbol, to, set) => Ok(post.automaton.add_waiting(from, symbol, to, &set)?),
        };
        let done = self.each_given(&mut add).and_then(|()| post.run(&mut self.question()));
        *steps = post.limits.steps;
        (post.automaton, done)
    }

    fn backward(&self, limits: Limits<'_>, steps: &mut u64) -> (Automaton, Result<(), Halt>) {
        let encoding = self.transfers.encoding();
        let mut pre = match Pre::new(self.graph, self.transfers, limits, false) {
            Ok(pre) => pre,
            Err(halt) => return (Automaton::new(encoding.program(), encoding.manager()), Err(halt)),
        };
        self.add_finals(&mut pre.automaton);
        let mut add = |given: Given| match given {
            Given::Top(location, to, set) => pre.add(location, to, &set),
            Given::Waiting(from, symbol, to, set) => Ok(pre.automaton.add_waiting(from, symbol, to, &set)?),
        };
        let done = self.each_given(&mut add).and_then(|()| pre.run(&mut self.question()));
        *steps = pre.limits.steps;
        (pre.automaton, done)
    }

    fn add_finals(&self, automaton: &mut Automaton) {
        let last = (0..).zip(&self.set.places).filter(|(_, place)| place.is_last);
        automaton.finals.extend(last.map(|(at, _)| State::Given(at)));
    }

    /// The transitions of the set's automaton.
    fn each_given(&self, add: &mut dyn FnMut(Given) -> Result<(), Halt>) -> Result<(), Halt> {
        let program = self.transfers.encoding().program();
        let state = |place: usize| State::Given(place as u32);
        for (first, condition) in &self.set.first {
            let place = &self.set.places[*first];
            let condition = self.transfers.condition(condition)?.and(&self.transfers.condition(&place.condition)?)?;
            for location in &place.locations {
                let procedure = program.locations[*location].procedure;
                let all = self.transfers.encoding().in_scope(procedure);
                let set = self.transfers.encoding().and_in_range(condition.clone(), all, Copy::Current)?;
                add(Given::Top(*location, state(*first), set))?;
            }
        }
        for (from, place) in self.set.places.iter().enumerate() {
            for next in &place.next {
                let condition = self.transfers.condition(&self.set.places[*next].condition)?;
                for location in &self.set.places[*next].locations {
                    let set = self.frames(program.locations[*location].procedure, &condition)?;
                    for symbol in Symbol::at(program, self.graph, *location) {
                        add(Given::Waiting(state(from), symbol, state(*next), set.clone()))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn frames(&self, procedure: ProcedureId, condition: &Bdd) -> Result<Bdd, Halt> {
        let encoding = self.transfers.encoding();
        Ok(encoding.and_in_range(condition.clone(), encoding.frame(procedure), Copy::Current)?)
    }

    /// Is a configuration of the goal found? Looked for ever more rarely, so that looking costs no more than the search.
    fn question(&self) -> impl FnMut(&Automaton) -> Result<bool, Halt> + '_ {
        let (mut n_asked, mut ask_at) = (0u64, 1u64);
        move |automaton| {
            let Some(goal) = self.goal else { return Ok(false) };
            n_asked += 1;
            if n_asked < ask_at {
                return Ok(false);
            }
            ask_at = n_asked + n_asked / 2 + 1;
            Ok(Reader::new(self.graph, self.transfers, automaton).meets(goal)?.is_some())
        }
    }
}
