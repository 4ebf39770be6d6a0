//! Answers what a file asks for, step by step, as values: nothing is printed here.
//!
//! Everything is in decision diagrams, as in Mucke itself. What steps speak of besides formulae (the solutions of a
//! predicate, the values that make a formula true) is asked of the solver as further queries.

use std::time::Duration;

use base::{Budget, Diagnostic, Diagnostics, Observer};
use bdd::{Config, Interrupt, Manager, Stop, Var};

use super::resolve::{Resolved, Step};
use calculus::model::{Model, Row};
use calculus::print::Printer;
use calculus::signature::Signature;
use calculus::system::{Formula, Query, RelationId, RelationKind, System, Term, VariableId};
use calculus::{Control, Plan};
use calculus::{Halt, Options, Profile, Solver};

/// What a step came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The value of a formula.
    Truth {
        /// The formula, as a position in [`System::queries`].
        query: usize,
        /// Whether it is true.
        holds: bool,
    },
    /// Values that make a formula true.
    Witness {
        /// The formula, as a position in [`System::queries`].
        query: usize,
        /// Whether it is true.
        holds: bool,
        /// Values for the variables of its outermost `exists`, with the variables' names; none if it is false, or has
        /// no such quantifier.
        values: Option<Vec<(String, String)>>,
    },
    /// Values that make a formula false.
    Counterexample {
        /// The formula, as a position in [`System::queries`].
        query: usize,
        /// Whether it is true.
        holds: bool,
        /// Values for the variables of its outermost `forall`, with the variables' names; none if it is true, or has
        /// no such quantifier.
        values: Option<Vec<(String, String)>>,
    },
    /// The size of a predicate.
    Size {
        /// The predicate's name.
        predicate: String,
        /// Nodes of its diagram.
        nodes: usize,
    },
    /// The number of elements of a predicate.
    OnSet {
        /// The predicate's name.
        predicate: String,
        /// How many tuples are in it; rounded when there are very many.
        elements: f64,
    },
    /// A text to be printed.
    Print(String),
    /// The time since the run started.
    Timer {
        /// The word behind `#timer`.
        word: String,
        /// The time that everything took: formulae are not solved one after another.
        elapsed: Duration,
    },
    /// A directive that changes no answer, with its `#`.
    Ignored(String),
    /// The solver was stopped before this was known.
    Unanswered(Asked),
}

/// What a step asks about.
#[derive(Clone, PartialEq, Debug)]
pub enum Asked {
    /// A formula, as a position in [`System::queries`].
    Formula(usize),
    /// A predicate, by its name.
    Predicate(String),
}

/// A file that was not solved to the end.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Why.
    pub halt: Halt,
    /// What the steps came to as far as they were answered before.
    pub outcomes: Vec<Outcome>,
}

impl From<Halt> for Unfinished {
    fn from(halt: Halt) -> Self {
        Self { halt, outcomes: Vec::new() }
    }
}

/// What came of a file.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the steps came to, in their order.
    pub outcomes: Vec<Outcome>,
    /// What was done differently from what the file wishes.
    pub warnings: Diagnostics,
    /// What it cost.
    pub profile: Profile,
    /// Most nodes at a time.
    pub peak_nodes: usize,
}

impl Run {
    /// The value of the last formula that was evaluated: what Mucke's last line says.
    #[must_use]
    pub fn verdict(&self) -> Option<bool> {
        self.outcomes.iter().rev().find_map(|outcome| match outcome {
            Outcome::Truth { holds, .. } => Some(*holds),
            _ => None,
        })
    }
}

/// The plan of a file, and the queries that its steps ask in addition.
#[must_use]
pub fn plan(resolved: &Resolved) -> Plan {
    Plan::new(&extended(resolved), &Signature::default(), Control::Symbolic)
}

/// The plan of a file, for people.
#[must_use]
pub fn explain(resolved: &Resolved) -> String {
    plan(resolved).explain(&resolved.system, &Signature::default())
}

/// Solves a file and answers its steps within a budget, which also says how large diagrams may become.
pub fn solve(
    resolved: &Resolved,
    options: Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Run, Unfinished> {
    let manager = Manager::new(&Config::within(budget.memory()));
    manager.set_interrupt(Interrupt::from(budget.interrupt().flag()));
    run(resolved, manager, options, budget, observer)
}

/// Solves a file and answers its steps. The manager is a fresh one.
pub fn run(
    resolved: &Resolved,
    manager: Manager,
    options: Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Run, Unfinished> {
    let system = extended(resolved);
    let plan = Plan::new(&system, &Signature::default(), Control::Symbolic);
    let mut solver = Solver::new(&plan, &mut Nothing::default(), manager, options, budget, observer)?;
    let solved = solver.solve();
    let mut answers = Answers { system: &system, solver: &solver, extra: resolved.system.queries.len(), budget };
    let outcomes = resolved.steps.iter().map(|step| answers.answer(step));
    if let Err(halt) = solved {
        solver.stop_no_more();
        return Err(Unfinished { halt, outcomes: outcomes.map_while(Result::ok).collect() });
    }
    let outcomes = outcomes.collect::<Result<_, Halt>>()?;
    let warnings = warnings(&solver, &system);
    let profile = solver.profile();
    Ok(Run { outcomes, warnings, profile, peak_nodes: solver.manager().stats().peak_nodes })
}

/// One warning for all constraints: files have thousands of them.
fn warnings(solver: &Solver<'_>, system: &System) -> Diagnostics {
    let mut warnings = Diagnostics::new();
    let unfollowed = solver.unfollowed_hints();
    if let Some(first) = unfollowed.first().and_then(|hint| system.hints.get(*hint)) {
        let (n, all) = (unfollowed.len(), system.hints.len());
        let message = format!("{n} of {all} allocation constraints are not followed");
        warnings.push(
            Diagnostic::warning("MU0053", message)
                .at(first.span, "this is the first")
                .help("parts of the same kind alternate in our order; answers do not depend on it"),
        );
    }
    warnings
}

/// The system with a query for everything that the steps ask besides the value of a formula, in the order of steps.
fn extended(resolved: &Resolved) -> System {
    let mut system = resolved.system.clone();
    for step in &resolved.steps {
        let query = match step {
            Step::Witness(query) => opened(&resolved.system, *query, true),
            Step::Counterexample(query) => opened(&resolved.system, *query, false),
            Step::Size(relation) | Step::OnSet(relation) => Some(contents(&resolved.system, *relation)),
            Step::Query(_) | Step::Print(_) | Step::Timer(_) | Step::Ignored(_) => None,
        };
        system.queries.extend(query);
    }
    system
}

/// A query without its outermost quantifier: for which values is the rest true, or false?
fn opened(system: &System, query: usize, holds: bool) -> Option<Query> {
    let Query { name, formula, span, .. } = &system.queries[query];
    let (free, formula): (&[VariableId], Formula) = match (formula, holds) {
        (Formula::Exists(bound, body), true) => (bound, (**body).clone()),
        (Formula::Forall(bound, body), false) => (bound, Formula::Not(body.clone())),
        _ => return None,
    };
    Some(Query { name: format!("values of {name}"), free: free.to_vec(), formula, span: *span })
}

/// All tuples of a predicate.
fn contents(system: &System, relation: RelationId) -> Query {
    let declared = &system.relations[relation];
    let formula = match &declared.kind {
        RelationKind::Define(body) => body.clone(),
        RelationKind::Input(_) | RelationKind::Fixpoint(..) => {
            Formula::Apply(relation, declared.columns.iter().map(|column| Term::Variable(*column)).collect())
        }
    };
    let name = format!("contents of {}", declared.name);
    Query { name, free: declared.columns.clone(), formula, span: declared.span }
}

struct Answers<'r, 's> {
    system: &'r System,
    solver: &'r Solver<'s>,
    /// The next of the further queries.
    extra: usize,
    budget: &'r Budget,
}

impl Answers<'_, '_> {
    fn answer(&mut self, step: &Step) -> Result<Outcome, Halt> {
        if let Some(asked) = self.unanswered(step) {
            return Ok(Outcome::Unanswered(asked));
        }
        Ok(match step {
            Step::Query(query) => Outcome::Truth { query: *query, holds: self.solver.is_true(*query) },
            Step::Witness(query) => {
                let (query, holds) = (*query, self.solver.is_true(*query));
                Outcome::Witness { query, holds, values: self.values(query, true)? }
            }
            Step::Counterexample(query) => {
                let (query, holds) = (*query, self.solver.is_true(*query));
                Outcome::Counterexample { query, holds, values: self.values(query, false)? }
            }
            Step::Size(relation) => {
                let nodes = self.solver.nodes(self.extra);
                Outcome::Size { predicate: self.next_of(*relation), nodes: nodes? }
            }
            Step::OnSet(relation) => {
                let elements = self.solver.count(self.extra);
                Outcome::OnSet { predicate: self.next_of(*relation), elements: elements? }
            }
            Step::Print(text) => Outcome::Print(text.clone()),
            Step::Timer(word) => Outcome::Timer { word: word.clone(), elapsed: self.budget.elapsed() },
            Step::Ignored(word) => Outcome::Ignored(word.clone()),
        })
    }

    /// What a step asks about, if that has not been computed.
    fn unanswered(&mut self, step: &Step) -> Option<Asked> {
        let (asked, formula, has_extra) = match step {
            Step::Query(query) => (Asked::Formula(*query), Some(*query), false),
            Step::Witness(query) => (Asked::Formula(*query), Some(*query), opened(self.system, *query, true).is_some()),
            Step::Counterexample(query) => {
                (Asked::Formula(*query), Some(*query), opened(self.system, *query, false).is_some())
            }
            Step::Size(relation) | Step::OnSet(relation) => {
                (Asked::Predicate(self.system.relations[*relation].name.clone()), None, true)
            }
            Step::Print(_) | Step::Timer(_) | Step::Ignored(_) => return None,
        };
        let mut queries = formula.into_iter().chain(has_extra.then_some(self.extra));
        if queries.all(|query| self.solver.is_answered(query)) {
            return None;
        }
        self.extra += usize::from(has_extra);
        Some(asked)
    }

    fn next_of(&mut self, relation: RelationId) -> String {
        self.extra += 1;
        self.system.relations[relation].name.clone()
    }

    /// The first solution of the next further query, if this query has one.
    fn values(&mut self, query: usize, holds: bool) -> Result<Option<Vec<(String, String)>>, Halt> {
        if opened(self.system, query, holds).is_none() {
            return Ok(None);
        }
        let opened = self.extra;
        self.extra += 1;
        let Some(solution) = self.solver.solutions(opened, 1)?.into_iter().next() else { return Ok(None) };
        let signature = Signature::default();
        let printer = Printer::new(self.system, &signature);
        let named = self.system.queries[opened].free.iter().zip(solution).map(|(variable, value)| {
            let variable = &self.system.variables[*variable];
            (variable.name.clone(), printer.value(variable.sort, value))
        });
        Ok(Some(named.collect()))
    }
}

/// The model of files that bring everything with them.
#[derive(Debug, Default)]
struct Nothing(Signature);

impl Model for Nothing {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn allocate(&mut self, _manager: &Manager, _n_copies: usize) -> Vec<Vec<Vec<Var>>> {
        Vec::new()
    }

    fn rank(&self, _sort: usize, _value: u32) -> u32 {
        0
    }

    fn rows(
        &self,
        _input: usize,
        _columns: &[Vec<Var>],
        _take: &mut dyn FnMut(Row) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        Ok(())
    }
}
