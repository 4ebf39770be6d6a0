//! From a system to what the solver runs: clauses, views, columns that are keys and columns that are diagrams.
//!
//! Columns of sorts whose values can be listed (locations, threads, numbers of small ranges) are keys; the others are
//! bits of a diagram. Elements of arrays are always bits: most of them do not matter at any one time, and a diagram can
//! leave a bit open where a key cannot. With [`Control::Symbolic`] everything is bits.

mod choice;
pub(crate) mod clause;
mod depend;
mod expand;
mod explain;
mod inline;
mod partial;
mod planner;

use base::IdVec;
use rustc_hash::FxHashMap;

use crate::signature::{Domain, Signature};
use crate::solve::Order;
use crate::system::{Fixpoint, Formula, Hint, RelationKind, Sort, SortId, SortKind, System, Variable, VariableId};
use clause::{Arg, Clause, ClauseVariable, Planned};
pub(crate) use depend::{Component, Components, uses};
pub(crate) use explain::cut;
use explain::{Names, names};
use inline::Inliner;
use planner::Planner;

/// What becomes a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Control {
    /// Locations, threads and numbers are keys.
    #[default]
    Explicit,
    /// Nothing: everything is in decision diagrams.
    Symbolic,
}

/// Longest abbreviation, in connectives and atoms, that is put in its place when everything is in diagrams.
const MAX_INLINED: usize = 12;

/// Most clauses of a body that is multiplied out.
const MAX_CLAUSES: usize = 1 << 11;

/// How a planned relation gets its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Input(usize),
    Fixpoint(Fixpoint),
    /// The union of its clauses, once.
    View,
    /// The generalised cofactor of two views with the same columns.
    Cofactor(Planned, Planned),
    /// An abbreviation: inlined everywhere, never evaluated.
    Unused,
}

/// A family, by number.
pub(crate) type FamilyId = usize;

/// Columns whose bits are neighbours in diagrams: the same part of the same kind of record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Family {
    pub(crate) sort: SortId,
    pub(crate) part: String,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Column {
    pub(crate) variable: VariableId,
    pub(crate) sort: SortId,
    pub(crate) family: FamilyId,
    pub(crate) is_key: bool,
    /// Its values can be listed: it is a key unless it is an element of an array or all is in diagrams.
    pub(crate) is_listed: bool,
}

/// A relation and how to compute it.
#[derive(Clone, Debug)]
pub(crate) struct PlannedRelation {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) columns: Vec<Column>,
    pub(crate) clauses: Vec<Clause>,
}

impl PlannedRelation {
    /// Positions of the columns that are keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.columns.len()).filter(|at| self.columns[*at].is_key)
    }
}

/// A sort as the solver sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SortPlan {
    pub(crate) name: String,
    pub(crate) names: Names,
    /// Number of values; none: all words of `width` bits.
    pub(crate) size: Option<u64>,
    pub(crate) width: usize,
    /// The model's sort, if it is one.
    pub(crate) model: Option<usize>,
}

/// A system, ready to be solved.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) control: Control,
    pub(crate) sorts: IdVec<SortId, SortPlan>,
    pub(crate) families: Vec<Family>,
    /// By sort: its first family.
    bases: IdVec<SortId, FamilyId>,
    pub(crate) hints: Vec<Hint>,
    /// Where the variables that are columns of the system's relations are.
    places: FxHashMap<VariableId, (Planned, usize)>,
    pub(crate) relations: Vec<PlannedRelation>,
    /// The views that answer the queries, in their order.
    pub(crate) queries: Vec<Planned>,
    /// The views that planning has made, and the formulae that they stand for.
    views: Vec<(Formula, Planned)>,
    pub(crate) variables: IdVec<VariableId, Variable>,
    /// The order that solvers begin with; none: the one that [`crate::solve`] works out.
    pub(crate) order: Option<Order>,
}

impl Plan {
    /// Plans a system for the model whose signature it was resolved against.
    #[must_use]
    pub fn new(system: &System, signature: &Signature, control: Control) -> Self {
        Self::with_most_clauses(system, signature, control, MAX_CLAUSES)
    }

    /// The same, where bodies of more than so many clauses are evaluated as they are written instead of being
    /// multiplied out.
    #[must_use]
    pub fn with_most_clauses(system: &System, signature: &Signature, control: Control, most: usize) -> Self {
        let sorts: IdVec<SortId, SortPlan> = system.sorts.iter().map(|sort| sort_plan(sort, signature)).collect();
        let longest = match control {
            // On its own, an abbreviation would list all keys; in its place, only those that it meets.
            Control::Explicit => usize::MAX,
            Control::Symbolic => MAX_INLINED,
        };
        let mut inliner = Inliner::new(system, &sorts, longest);
        let mut body = |relation| match &system.relations[relation].kind {
            RelationKind::Fixpoint(_, body) => Some(inliner.inline(body)),
            RelationKind::Define(body) if inliner.keeps(relation) => Some(inliner.inline(body)),
            RelationKind::Define(_) | RelationKind::Input(_) => None,
        };
        let bodies: Vec<Option<Formula>> = system.relations.ids().map(&mut body).collect();
        let queries: Vec<Formula> = system.queries.iter().map(|query| inliner.inline(&query.formula)).collect();
        let variables = inliner.variables;
        let mut planner = Planner::new(control, most, sorts, variables);
        for (relation, body) in system.relations.iter().zip(&bodies) {
            let kind = match &relation.kind {
                RelationKind::Input(input) => Kind::Input(*input),
                RelationKind::Fixpoint(fixpoint, _) => Kind::Fixpoint(*fixpoint),
                RelationKind::Define(_) if body.is_some() => Kind::View,
                RelationKind::Define(_) => Kind::Unused,
            };
            // An abbreviation that stays leaves values open that a key would list.
            let in_diagrams = matches!(relation.kind, RelationKind::Define(_));
            planner.declare(relation.name.clone(), kind, &relation.columns, in_diagrams);
        }
        for (at, body) in bodies.iter().enumerate() {
            if let Some(body) = body {
                planner.fill(at, body);
            }
        }
        let mut answers = Vec::new();
        for (query, formula) in system.queries.iter().zip(&queries) {
            let view = planner.declare(query.name.clone(), Kind::View, &query.free, false);
            planner.fill(view, formula);
            answers.push(view);
        }
        let bases = system.sorts.ids().map(|sort| planner.base(sort)).collect();
        let Planner { sorts, families, variables, relations, views, .. } = planner;
        let places = system.relations.iter().enumerate().flat_map(|(relation, declared)| {
            declared.columns.iter().enumerate().map(move |(at, column)| (*column, (relation, at)))
        });
        let (places, hints) = (places.collect(), system.hints.clone());
        Self {
            control,
            sorts,
            families,
            bases,
            hints,
            places,
            relations,
            queries: answers,
            views,
            variables,
            order: None,
        }
    }

    /// The position of a query.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<usize> {
        self.queries.iter().position(|query| self.relations[*query].name == name)
    }

    /// The relation that a query merely repeats, column by column.
    #[must_use]
    pub fn repeated(&self, query: usize) -> Option<&str> {
        let query = &self.relations[self.queries[query]];
        let [clause] = query.clauses.as_slice() else { return None };
        let [atom] = clause.atoms.as_slice() else { return None };
        let all_different = (0..atom.args.len()).map(clause::Arg::Variable).eq(atom.args.iter().copied());
        let is_plain = !atom.negated && clause.tests.is_empty() && clause.head == atom.args && all_different;
        let repeated = &self.relations[atom.relation];
        let kinds = |columns: &[Column]| columns.iter().map(|column| (column.sort, column.is_key)).collect::<Vec<_>>();
        (is_plain && kinds(&query.columns) == kinds(&repeated.columns)).then_some(repeated.name.as_str())
    }

    /// Is every equation that a query needs positive, and least? Then its tuples can be derived.
    #[must_use]
    pub fn is_positive(&self, query: usize) -> bool {
        let components = Components::of(self, &[self.queries[query]], &|_| false);
        let is_least = |member: &Planned| {
            matches!(self.relations[*member].kind, Kind::Input(_) | Kind::View | Kind::Fixpoint(Fixpoint::Least))
        };
        components.list.iter().all(|component| component.is_positive && component.members.iter().all(is_least))
    }

    /// The plan without the negated uses of equations. Its solution contains that of the plan itself; where negation
    /// only kept an algorithm from doing work twice, it is the same.
    #[must_use]
    pub fn positive_core(&self) -> Self {
        let mut core = self.clone();
        let is_equation: Vec<bool> =
            self.relations.iter().map(|relation| matches!(relation.kind, Kind::Fixpoint(_))).collect();
        for relation in &mut core.relations {
            for clause in &mut relation.clauses {
                clause.atoms.retain(|atom| !(atom.negated && is_equation[atom.relation]));
            }
        }
        core
    }

    /// Are the diagram variables of a sort a matter of the model?
    pub(crate) fn is_supplied(&self, sort: SortId) -> bool {
        self.sorts[sort].model.is_some() && self.sorts[sort].size.is_none()
    }

    /// The family in whose variables tests of a sort are written.
    pub(crate) fn base(&self, sort: SortId) -> FamilyId {
        self.bases[sort]
    }

    /// The family that a variable of a clause is best kept in.
    pub(crate) fn home(&self, variable: &ClauseVariable) -> FamilyId {
        let Variable { sort, part, .. } = &self.variables[variable.origin];
        let is_home = |family: &Family| family.sort == *sort && family.part == *part;
        let home = if self.sorts[*sort].model.is_some() { None } else { self.families.iter().position(is_home) };
        home.unwrap_or_else(|| self.base(variable.sort))
    }

    /// The relation and the position of a column.
    pub(crate) fn column(&self, variable: VariableId) -> Option<(Planned, usize)> {
        self.places.get(&variable).copied()
    }

    /// Number of values of a sort, where values can be listed.
    pub(crate) fn size(&self, sort: SortId) -> u64 {
        let plan = &self.sorts[sort];
        plan.size.unwrap_or(1 << plan.width.min(63))
    }
}

fn sort_plan(sort: &Sort, signature: &Signature) -> SortPlan {
    let (size, width, model) = match &sort.kind {
        SortKind::Bool => (Some(2), 1, None),
        SortKind::Enum(values) => (Some(values.len() as u64), bits_for(values.len() as u64), None),
        SortKind::Range(low, high) => (Some(high - low + 1), bits_for(high - low + 1), None),
        SortKind::Model(at) => match &signature.sorts[*at].domain {
            Domain::Bits(width) => (None, *width, Some(*at)),
            listed => {
                let n = listed.n_listed().unwrap_or(0) as u64;
                (Some(n), bits_for(n), Some(*at))
            }
        },
    };
    SortPlan { name: sort.name.clone(), names: names(&sort.kind), size, width, model }
}

/// Bits that tell `n` values apart.
fn bits_for(n: u64) -> usize {
    (u64::BITS - n.saturating_sub(1).leading_zeros()) as usize
}

/// The variables of a clause whose values are looked up or listed, not left to diagrams.
pub(crate) fn explicit_variables(plan: &Plan, relation: Planned, clause: &Clause) -> Vec<bool> {
    let mut explicit = vec![false; clause.variables.len()];
    let mut mark = |columns: &[Column], args: &[Arg]| {
        for (column, arg) in columns.iter().zip(args) {
            if let (true, Arg::Variable(variable)) = (column.is_key, arg) {
                explicit[*variable] = true;
            }
        }
    };
    mark(&plan.relations[relation].columns, &clause.head);
    for atom in &clause.atoms {
        mark(&plan.relations[atom.relation].columns, &atom.args);
    }
    explicit
}
