//! The solver.
//!
//! Modules in reading order:
//! - `layout`: the order of diagram variables;
//! - `order`: a better one, learnt from a solution;
//! - `space`: diagram variables and the columns stored in them;
//! - `pattern`: values as equalities and diagrams, and how they meet;
//! - `lists`: lists of numbers, mostly of one;
//! - `table`: from keys to values;
//! - `store`: all tables;
//! - `recipe`: the order in which a clause is evaluated;
//! - `execute`: recipes carried out;
//! - `compare`: tests on bits;
//! - `saturate`: least fixed points of positive equations, from what is new to what follows from it;
//! - `evaluate`: everything else, by the operational semantics;
//! - `packed`: the bits of a single tuple;
//! - `witness`: one way to a tuple;
//! - `straight`: the same where there is but one to look at;
//! - `derive`: how a tuple came about;
//! - `answers`: solutions listed, whatever was a key;
//! - `profile`: what it cost.

mod answers;
mod bits;
mod body;
mod compare;
mod decide;
mod derive;
mod evaluate;
mod execute;
mod layout;
mod lists;
mod order;
mod packed;
mod pattern;
mod profile;
mod recipe;
mod saturate;
mod space;
mod store;
mod straight;
mod table;
mod unions;
mod witness;

use std::rc::Rc;
use std::time::{Duration, Instant};

use base::{Budget, Observer, Progress, StopReason};
use bdd::{Interrupt, Manager, Stop, Var};
use rustc_hash::FxHashMap;

use crate::model::{Cell, Model};
use crate::plan::clause::Planned;
use crate::plan::{Kind, Plan};
use execute::{Execution, Goal, Kitchen, Numbered, Source};
use pattern::Value;
use recipe::{Given, recipe};
use store::Store;
use table::{Key, Reason};
use unions::Unions;
use witness::Readings;

pub use derive::Fact;
pub use order::Order;
pub use packed::Packed;
pub use profile::{Profile, RelationProfile, RoundCost};
pub(crate) use recipe::order_of_atoms;

/// How to solve.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Follow the operational semantics to the letter, without any shortcut.
    pub literal: bool,
    /// Keep what was added when, so that tuples can be derived afterwards.
    pub history: bool,
    /// Measure time per clause.
    pub profile: bool,
    /// Stop when every query that is asked has so many entries, or all there can be; none: compute everything.
    pub enough: Option<usize>,
}

/// Why there is no solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// A limit was reached.
    Limit(StopReason),
    /// The diagrams do not fit.
    OutOfNodes,
    /// An equation that is not positive came back to an earlier value.
    Oscillates {
        /// The equation.
        relation: String,
        /// The round whose value it came back to, counted from 0.
        from: u64,
        /// The round in which it did.
        to: u64,
    },
    /// A greatest fixed point or a complement over so many keys.
    TooManyKeys {
        /// The equation.
        relation: String,
    },
}

impl Halt {
    /// What the answer is unknown for.
    #[must_use]
    pub fn reason(&self) -> StopReason {
        match self {
            Self::Limit(reason) => *reason,
            Self::OutOfNodes | Self::TooManyKeys { .. } => StopReason::Memory,
            Self::Oscillates { .. } => StopReason::Oscillates,
        }
    }

    /// What the reason alone does not say.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Limit(_) | Self::OutOfNodes => None,
            Self::Oscillates { relation, from, to } => Some(format!(
                "`{relation}` has in round {to} the value that it had in round {from}, and not in between"
            )),
            Self::TooManyKeys { relation } => Some(format!("`{relation}` has too many keys to list what is not in it")),
        }
    }
}

/// What an equation or a query cost.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// How often the clause was evaluated.
    pub n_runs: u64,
    /// How many results it had, new or not.
    pub n_results: u64,
    /// How long that took, if it was measured.
    pub time: Duration,
}

/// A solution in the making.
pub struct Solver<'a> {
    plan: &'a Plan,
    store: Store<'a>,
    kitchen: Kitchen,
    readings: Readings,
    unions: Unions,
    recipes: FxHashMap<(Planned, usize, Given), Rc<Numbered>>,
    budget: &'a Budget,
    observer: &'a dyn Observer,
    options: Options,
    /// By sort: the ranks of the values of the model's listed sorts.
    ranks: Vec<Vec<u32>>,
    /// The relations whose tables hold what is to be used for them at the moment.
    known: Vec<bool>,
    /// How many equations are being iterated, one inside another.
    depth: usize,
    /// By relation and clause.
    costs: Vec<Vec<Cost>>,
    rounds: Vec<u64>,
    round_costs: FxHashMap<Planned, Vec<RoundCost>>,
    steps: u64,
    /// The queries that are being computed.
    wanted: Vec<Planned>,
    /// Room for what a recipe finds.
    found: Found,
}

impl<'a> Solver<'a> {
    /// Reads the model. The manager is a fresh one.
    pub fn new(
        plan: &'a Plan,
        model: &mut dyn Model,
        manager: Manager,
        options: Options,
        budget: &'a Budget,
        observer: &'a dyn Observer,
    ) -> Result<Self, Halt> {
        let ranks = plan.sorts.iter().map(|sort| match (sort.model, sort.size) {
            (Some(of_model), Some(size)) => (0..size as u32).map(|value| model.rank(of_model, value)).collect(),
            _ => Vec::new(),
        });
        let ranks = ranks.collect();
        let store = Store::new(plan, model, manager, options.history).map_err(|stop| halt(stop, budget))?;
        let known = plan.relations.iter().map(|relation| matches!(relation.kind, Kind::Input(_))).collect();
        Ok(Self {
            plan,
            store,
            kitchen: Kitchen::default(),
            readings: Readings::default(),
            unions: Unions::default(),
            recipes: FxHashMap::default(),
            budget,
            observer,
            options,
            ranks,
            known,
            depth: 0,
            costs: plan.relations.iter().map(|relation| vec![Cost::default(); relation.clauses.len()]).collect(),
            rounds: vec![0; plan.relations.len()],
            round_costs: FxHashMap::default(),
            steps: 0,
            wanted: plan.queries.clone(),
            found: Vec::new(),
        })
    }

    /// Computes all queries.
    pub fn solve(&mut self) -> Result<(), Halt> {
        self.evaluate(&self.plan.queries)
    }

    /// Computes some of the queries, by their positions, and what they need.
    pub fn solve_queries(&mut self, queries: &[usize]) -> Result<(), Halt> {
        let wanted: Vec<Planned> = queries.iter().map(|query| self.plan.queries[*query]).collect();
        self.wanted.clone_from(&wanted);
        self.evaluate(&wanted)
    }

    /// Whether a query has been computed: when the solver was stopped, those before may have been.
    #[must_use]
    pub fn is_answered(&self, query: usize) -> bool {
        self.known[self.plan.queries[query]]
    }

    /// Lets diagrams be read after the solver was stopped, whatever stopped it.
    pub fn stop_no_more(&self) {
        self.store.manager.set_interrupt(Interrupt::default());
        self.store.manager.collect();
    }

    /// The manager of all diagrams.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.store.manager
    }

    /// How often something new was taken up, and rounds of equations that are not solved from what is new.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Nodes of a query's answer.
    pub fn nodes(&self, query: usize) -> Result<usize, Halt> {
        self.over_entries(query, |whole, _| whole.node_count()).map(|nodes| nodes.into_iter().sum())
    }

    /// How many solutions a query has; rounded when there are very many.
    pub fn count(&self, query: usize) -> Result<f64, Halt> {
        self.over_entries(query, bdd::Bdd::count).map(|counts| counts.into_iter().fold(0.0, |all, count| all + count))
    }

    /// Something about the diagram of every entry of a query, and the number of its variables.
    fn over_entries<T>(&self, query: usize, of: impl Fn(&bdd::Bdd, usize) -> T) -> Result<Vec<T>, Halt> {
        let relation = self.plan.queries[query];
        let n_bits = self.store.stored[relation].len();
        let entries = self.store.tables[relation].entries.iter();
        let entries = entries.map(|entry| Ok(of(&self.store.whole(relation, &entry.value)?, n_bits)));
        entries.collect::<Result<_, Stop>>().map_err(|stop| halt(stop, self.budget))
    }

    fn name(&self, relation: Planned) -> String {
        self.plan.relations[relation].name.clone()
    }

    /// Is a closed query true, or does an open one have a solution?
    #[must_use]
    pub fn is_true(&self, query: usize) -> bool {
        !self.store.tables[self.plan.queries[query]].entries.is_empty()
    }

    /// The listed values that a query's solutions have, in order.
    pub fn keys(&self, query: usize) -> Result<Vec<Vec<u32>>, Halt> {
        let found = self.by_listed(self.plan.queries[query])?;
        let mut keys: Vec<Vec<u32>> = found.into_iter().map(|(values, _)| values).collect();
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// All tuples of a relation, by the values of its listed columns.
    fn by_listed(&self, relation: Planned) -> Result<Vec<(Vec<u32>, bdd::Bdd)>, Halt> {
        let mut found = Vec::new();
        for entry in &self.store.tables[relation].entries {
            let whole = self.store.whole(relation, &entry.value);
            let listed = whole.and_then(|whole| answers::listed(&self.store, relation, &entry.key, &whole, &mut found));
            listed.map_err(|stop| halt(stop, self.budget))?;
        }
        Ok(found)
    }

    /// The solutions of a query, column by column (values by their position in their sorts), in order; not more than
    /// `limit`.
    pub fn solutions(&self, query: usize, limit: usize) -> Result<Vec<Vec<u64>>, Halt> {
        let relation = self.plan.queries[query];
        let mut found = Vec::new();
        for entry in &self.store.tables[relation].entries {
            let whole = self.store.whole(relation, &entry.value);
            let listed = whole.and_then(|w| answers::tuples(&self.store, relation, &entry.key, &w, limit, &mut found));
            listed.map_err(|stop| halt(stop, self.budget))?;
        }
        found.sort_unstable();
        Ok(found)
    }

    /// A query's answer as it is kept: the diagram variables of each column (none: it is a key), and for each key the
    /// diagram over these variables.
    pub fn table(&self, query: usize) -> Result<(Columns, Entries), Halt> {
        let relation = self.plan.queries[query];
        let columns = self.plan.relations[relation].columns.iter().enumerate();
        let stored = |at: usize| self.store.space.stored(self.plan, relation, at);
        let columns = columns.map(|(at, column)| (!column.is_key).then(|| stored(at))).collect();
        let entries = &self.store.tables[relation].entries;
        let whole = |entry: &table::Entry| Ok((entry.key.to_vec(), self.store.whole(relation, &entry.value)?));
        let entries: Result<Entries, Stop> = entries.iter().map(whole).collect();
        Ok((columns, entries.map_err(|stop| halt(stop, self.budget))?))
    }

    /// Whether a relation has been computed, by its name.
    #[must_use]
    pub fn is_solved(&self, relation: &str) -> bool {
        self.plan.relations.iter().zip(&self.known).any(|(planned, known)| *known && planned.name == relation)
    }

    /// All tuples of a relation or a query: listed values, and the diagram over the other columns' variables.
    pub fn entries(&self, relation: &str) -> Result<Vec<(Vec<u32>, bdd::Bdd)>, Halt> {
        let Some(at) = self.plan.relations.iter().position(|planned| planned.name == relation) else {
            return Ok(Vec::new());
        };
        self.by_listed(at)
    }

    /// The diagram variables that a column of a relation is stored in; none for keys.
    #[must_use]
    pub fn column(&self, relation: &str, column: usize) -> Vec<Var> {
        let Some(at) = self.plan.relations.iter().position(|planned| planned.name == relation) else {
            return Vec::new();
        };
        if self.plan.relations[at].columns[column].is_key {
            return Vec::new();
        }
        self.store.space.stored(self.plan, at, column)
    }

    /// Carries out a clause; when diagrams run out of room, once more after a collection.
    fn run(&mut self, relation: Planned, clause: usize, recipe: &Numbered, source: Source<'_>) -> Result<Found, Halt> {
        let started = self.options.profile.then(Instant::now);
        let mut found = std::mem::take(&mut self.found);
        let mut done = self.attempt(recipe, source, &mut found);
        if done == Err(Stop::OutOfNodes) {
            found.clear();
            self.store.manager.collect();
            done = self.attempt(recipe, source, &mut found);
        }
        done.map_err(|stop| halt(stop, self.budget))?;
        let cost = &mut self.costs[relation][clause];
        cost.n_runs += 1;
        cost.n_results += found.len() as u64;
        cost.time += started.map(|started| started.elapsed()).unwrap_or_default();
        Ok(found)
    }

    fn attempt(&mut self, recipe: &Numbered, source: Source<'_>, found: &mut Found) -> Result<(), Stop> {
        self.carry_out(recipe, source, Goal::All(found), |execution| execution.run())
    }

    /// Carries out a recipe on the tables as they are.
    fn carry_out(
        &mut self,
        recipe: &Numbered,
        source: Source<'_>,
        goal: Goal<'_>,
        run: impl FnOnce(&mut Execution<'_, 'a>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        // What is new is taken up thousands of times, by recipes whose indices have been made before.
        if !matches!(source, Source::First(..)) {
            self.store.make_indices(&recipe.recipe);
        }
        let tables = std::mem::take(&mut self.store.tables);
        let kitchen = &mut self.kitchen;
        let done = run(&mut Execution { tables: &tables, store: &mut self.store, kitchen, recipe, source, goal });
        self.store.tables = tables;
        done
    }

    fn recipe(&mut self, relation: Planned, clause: usize, given: Given) -> Rc<Numbered> {
        if let Some(made) = self.recipes.get(&(relation, clause, given)) {
            return Rc::clone(made);
        }
        let recipe = recipe(self.plan, relation, clause, given);
        let pattern = self.store.patterns.intern(vec![Cell::OPEN; recipe.n_bits]);
        let open = Value { pattern, diagram: self.store.manager.bdd_true() };
        let body = if given.is_head() { body::parts(self.plan, &recipe) } else { Vec::new() };
        let (number, is_plain) = (self.recipes.len() as u32, straight::is_plain(&recipe));
        let made = Rc::new(Numbered { number, recipe, open, body, is_plain });
        self.recipes.insert((relation, clause, given), Rc::clone(&made));
        made
    }

    fn insert(
        &mut self,
        relation: Planned,
        key: &Key,
        value: &Value,
        reason: Option<Reason>,
    ) -> Result<Option<(usize, Value)>, Halt> {
        let mut inserted = self.store.insert(relation, key, value, reason);
        if inserted == Err(Stop::OutOfNodes) {
            self.store.manager.collect();
            inserted = self.store.insert(relation, key, value, reason);
        }
        inserted.map_err(|stop| halt(stop, self.budget))
    }

    fn tick(&mut self) -> Result<(), Halt> {
        /// Telling costs more than a step.
        const STEPS_PER_PROGRESS: u64 = 16;
        self.budget.step().map_err(Halt::Limit)?;
        self.store.manager.collect_if_needed();
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_PROGRESS) {
            self.observer.progress(&Progress {
                phase: "solve",
                steps: self.steps,
                procedures: 0,
                n_procedures: 0,
                nodes: self.store.manager.stats().nodes as u64,
            });
        }
        Ok(())
    }
}

type Found = Vec<(Key, Value)>;

/// For each column the variables that it is stored in; none for keys.
type Columns = Vec<Option<Vec<Var>>>;

/// Listed values, and the diagram of everything else.
type Entries = Vec<(Vec<u32>, bdd::Bdd)>;

fn halt(stop: Stop, budget: &Budget) -> Halt {
    match stop {
        Stop::OutOfNodes => Halt::OutOfNodes,
        Stop::Interrupted => Halt::Limit(budget.interruption()),
    }
}
