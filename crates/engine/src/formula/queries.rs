//! All queries of a file, answered for a program: closed ones by true or false, open ones by their solutions.

use std::collections::BTreeMap;

use base::{Diagnostics, StopReason};
use bdd::{Bdd, Stop, Var};
use calculus::print::Printer;
use calculus::{Halt, Model, Options, Plan, Solver, System};
use encode::{Point, State, Supply};
use program::{Bound, Graph, LocationId, ProcedureId, Program, Scope, Value, VariableId};

use super::{Formula, How, Unready, statistics};
use crate::order::ranks;
use crate::problem::manager;
use crate::{Context, Statistics};

/// What was asked, and the answers.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// One for each query, in the order of the file; when the solver was stopped, some of them are not answered.
    pub queries: Vec<QueryAnswer>,
    /// Why the solver stopped early.
    pub stopped: Option<StopReason>,
    /// What more there is to say about that.
    pub detail: Option<String>,
    /// The plan and what its parts cost, for people, where that was asked for.
    pub account: String,
    /// Warnings about the file.
    pub warnings: Diagnostics,
    /// What it cost.
    pub statistics: Statistics,
}

/// The answer to one query.
#[derive(Clone, PartialEq, Debug)]
pub struct QueryAnswer {
    /// Its name.
    pub name: String,
    /// The names of its columns: `p`, `u.loc`, `g[2]`.
    pub columns: Vec<String>,
    /// The answer.
    pub found: Found,
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// The query is closed: is it true?
    Closed(bool),
    /// The solver was stopped before this was known.
    Unanswered,
    /// The query is open.
    Open {
        /// Some of its solutions, in order, one value for each column.
        rows: Vec<Vec<Cell>>,
        /// How many there are in all; none: too many to count.
        total: Option<u128>,
    },
}

/// The value of a column.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// A control point: the location that it stands for, if it is one, and its name.
    Location(Option<LocationId>, String),
    /// A number of a range.
    Number(u64),
    /// The name of a value.
    Name(String),
    /// Variables of the program.
    Variables(Vec<(VariableId, Value)>),
    /// Bits of which it is not known which variables they belong to.
    Bits(Vec<bool>),
}

impl Formula {
    /// Answers all queries; of each open one, at most `limit` solutions are listed.
    pub fn answer_all(
        &self,
        program: &Program,
        targets: &[LocationId],
        bound: Option<Bound>,
        limit: usize,
        context: &Context<'_>,
    ) -> Result<Answered, Unready> {
        let warnings = self.prepare_queries(program, bound)?;
        let answered = crate::init::without(program, context)
            .map_err(Halt::Limit)
            .and_then(|program| self.answer_alone(&program, targets, bound, limit, context));
        Ok(match answered {
            Ok(answered) => Answered { warnings, ..answered },
            Err(halt) => {
                let (stopped, detail) = (Some(halt.reason()), halt.detail());
                Answered { stopped, detail, warnings, ..Answered::default() }
            }
        })
    }

    fn answer_alone(
        &self,
        program: &Program,
        targets: &[LocationId],
        bound: Option<Bound>,
        limit: usize,
        context: &Context<'_>,
    ) -> Result<Answered, Halt> {
        let rank = ranks(program, &Graph::of(program));
        let mut supply = Supply::new(program, targets, |location| rank[location]);
        let Ok(system) = self.resolve(&supply, bound) else { return Ok(<_>::default()) };
        let mut plan = Plan::new(&system, supply.signature(), self.control);
        let how = How { query: 0, ends: false, literal: self.literal };
        if !system.queries.is_empty()
            && let Some(order) = self.rehearse(program, bound, &mut supply, how, context)
        {
            plan.set_order(order);
        }
        let manager = manager(program, context);
        let options = Options { literal: self.literal, profile: self.profile, ..Options::default() };
        let mut solver = Solver::new(&plan, &mut supply, manager, options, context.budget, context.observer)?;
        let halt = solver.solve().err();
        if halt.is_some() {
            solver.stop_no_more();
        }
        let reader = Reader { system: &system, supply: &supply, solver: &solver, limit };
        let queries: Result<Vec<QueryAnswer>, Halt> = (0..system.queries.len())
            .map(|query| if halt.is_some() { Ok(reader.answer_if_known(query)) } else { reader.answer(query) })
            .collect();
        let plan = if self.explain { plan.explain(&system, supply.signature()) } else { String::new() };
        let profile = if self.profile { solver.profile().to_string() } else { String::new() };
        let (account, statistics) = (plan + &profile, statistics(&solver));
        let (stopped, detail) = (halt.as_ref().map(Halt::reason), halt.as_ref().and_then(Halt::detail));
        Ok(Answered { queries: queries?, stopped, detail, account, statistics, ..Answered::default() })
    }
}

/// Reads answers from a solver that is done.
struct Reader<'a> {
    system: &'a System,
    supply: &'a Supply<'a>,
    solver: &'a Solver<'a>,
    limit: usize,
}

/// The diagram variables of each column; none: it is a key.
type Columns = Vec<Option<Vec<Var>>>;

/// The value of a column, as it is kept.
enum Raw {
    Key(u32),
    Bits(Vec<bool>),
}

impl Reader<'_> {
    fn answer(&self, query: usize) -> Result<QueryAnswer, Halt> {
        let found = if self.system.queries[query].free.is_empty() {
            Found::Closed(self.solver.is_true(query))
        } else {
            let (rows, total) = self.solutions(query)?;
            Found::Open { rows, total }
        };
        Ok(self.named(query, found))
    }

    /// The answer, if the solver has come to it before it was stopped, and there is room to read it.
    fn answer_if_known(&self, query: usize) -> QueryAnswer {
        let known = self.solver.is_answered(query).then(|| self.answer(query).ok()).flatten();
        known.unwrap_or_else(|| self.named(query, Found::Unanswered))
    }

    fn named(&self, query: usize, found: Found) -> QueryAnswer {
        let asked = &self.system.queries[query];
        let columns = asked.free.iter().map(|id| self.system.variables[*id].name.clone()).collect();
        QueryAnswer { name: asked.name.clone(), columns, found }
    }

    fn solutions(&self, query: usize) -> Result<(Vec<Vec<Cell>>, Option<u128>), Halt> {
        let (columns, mut entries) = self.solver.table(query)?;
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        let vars: Vec<Var> = columns.iter().flatten().flatten().copied().collect();
        let (mut rows, mut total) = (Vec::new(), Some(0_u128));
        for (key, whole) in entries {
            let mut rest = self.each_once(query, &columns, &key, whole).map_err(|_| Halt::OutOfNodes)?;
            total = total.and_then(|total| total.checked_add(rest.count_exact(vars.len())?));
            while rows.len() < self.limit
                && let Some(picked) = rest.pick_total(&vars)
            {
                let cube = self.solver.manager().conjunction(&picked);
                rest = cube.and_then(|cube| rest.diff(&cube)).map_err(|_| Halt::OutOfNodes)?;
                rows.push(self.row(query, &columns, &key, &picked));
            }
        }
        rows.sort_unstable();
        Ok((rows, total))
    }

    /// The solutions with the bits that their procedures do not have at 0: they are not shown, and what differs in
    /// nothing else is one solution.
    fn each_once(&self, query: usize, columns: &Columns, key: &[u32], whole: Bdd) -> Result<Bdd, Stop> {
        let manager = self.solver.manager();
        let mut whole = whole;
        for (at, column) in columns.iter().enumerate() {
            let (Some(bits), Some("Local")) = (column, self.model_sort(query, at)) else { continue };
            let Some(beside) = self.location_beside(query, at) else { continue };
            let mut all = manager.bdd_false();
            for (procedure, here) in self.by_procedure(columns, key, beside)? {
                let hidden = procedure.map(|procedure| self.hidden(bits, procedure)).unwrap_or_default();
                let zeros: Vec<(Var, bool)> = hidden.iter().map(|var| (*var, false)).collect();
                let shown = whole.and_exists(&here, &manager.cube(&hidden))?;
                all = all.or(&shown.and(&manager.conjunction(&zeros)?)?)?;
            }
            whole = all;
        }
        Ok(whole)
    }

    /// The procedures that a column of locations may speak of, each with the condition that it does.
    fn by_procedure(
        &self,
        columns: &Columns,
        key: &[u32],
        at: usize,
    ) -> Result<BTreeMap<Option<ProcedureId>, Bdd>, Stop> {
        let manager = self.solver.manager();
        let Some(bits) = &columns[at] else {
            let n_keys_before = columns[..at].iter().filter(|column| column.is_none()).count();
            let procedure =
                key.get(n_keys_before).and_then(|point| self.procedure_of(&self.location(u64::from(*point))));
            return Ok(BTreeMap::from([(procedure, manager.bdd_true())]));
        };
        let mut found: BTreeMap<Option<ProcedureId>, Bdd> = BTreeMap::new();
        for point in 0..self.supply.points().list().len() {
            let literals: Vec<(Var, bool)> =
                bits.iter().enumerate().map(|(bit, var)| (*var, point >> bit & 1 == 1)).collect();
            let here = manager.conjunction(&literals)?;
            let known = found.entry(self.procedure_of(&self.location(point as u64))).or_insert(manager.bdd_false());
            *known = known.or(&here)?;
        }
        Ok(found)
    }

    /// The bits of a column of local variables that show nothing in a procedure.
    fn hidden(&self, bits: &[Var], procedure: ProcedureId) -> Vec<Var> {
        let shown: Vec<usize> = self.in_scope(false, Some(procedure)).flat_map(|id| self.supply.bits(id).1).collect();
        bits.iter().enumerate().filter(|(at, _)| !shown.contains(at)).map(|(_, var)| *var).collect()
    }

    fn row(&self, query: usize, columns: &[Option<Vec<Var>>], key: &[u32], picked: &[(Var, bool)]) -> Vec<Cell> {
        let mut key = key.iter().copied();
        let bit = |var: &Var| picked.contains(&(*var, true));
        let raw: Vec<Raw> = columns
            .iter()
            .map(|column| match column {
                Some(vars) => Raw::Bits(vars.iter().map(bit).collect()),
                None => Raw::Key(key.next().unwrap_or(0)),
            })
            .collect();
        (0..raw.len()).map(|at| self.cell(query, at, &raw)).collect()
    }

    fn cell(&self, query: usize, at: usize, row: &[Raw]) -> Cell {
        let sort = self.system.variables[self.system.queries[query].free[at]].sort;
        let word = || match &row[at] {
            Raw::Key(key) => u64::from(*key),
            Raw::Bits(bits) => {
                bits.iter().take(u64::BITS as usize).rev().fold(0, |word, bit| word << 1 | u64::from(*bit))
            }
        };
        match (self.model_sort(query, at), &row[at]) {
            (Some("Location"), _) => self.location(word()),
            (Some("Global"), Raw::Bits(bits)) => self.variables(bits, true, None),
            (Some("Local"), Raw::Bits(bits)) => match self.procedure_beside(query, at, row) {
                Some(procedure) => self.variables(bits, false, Some(procedure)),
                None => Cell::Bits(bits.clone()),
            },
            _ => match self.system.sorts[sort].kind {
                calculus::SortKind::Range(low, _) => Cell::Number(low + word()),
                _ => Cell::Name(Printer::new(self.system, self.supply.signature()).value(sort, word())),
            },
        }
    }

    fn model_sort(&self, query: usize, at: usize) -> Option<&str> {
        let sort = self.system.variables[self.system.queries[query].free[at]].sort;
        match self.system.sorts[sort].kind {
            calculus::SortKind::Model(position) => Some(&self.supply.signature().sorts[position].name),
            _ => None,
        }
    }

    fn location(&self, word: u64) -> Cell {
        let Some(point) = self.supply.points().list().get(word as usize) else { return Cell::Bits(Vec::new()) };
        let location = match point {
            Point::At(location, _) => Some(*location),
            Point::Calling(edge, _) => Some(self.supply.program().edges[*edge].source),
            Point::Before(_) => None,
        };
        Cell::Location(location, self.supply.point_name(*point))
    }

    /// The procedure of the location in the same record.
    fn procedure_beside(&self, query: usize, at: usize, row: &[Raw]) -> Option<ProcedureId> {
        let beside = self.location_beside(query, at)?;
        self.procedure_of(&self.cell(query, beside, row))
    }

    /// The column of the location in the same record.
    fn location_beside(&self, query: usize, at: usize) -> Option<usize> {
        let free = &self.system.queries[query].free;
        let record = |at: usize| self.system.variables[free[at]].name.rsplit_once('.').map(|(record, _)| record);
        let own = record(at)?;
        (0..free.len()).find(|other| record(*other) == Some(own) && self.model_sort(query, *other) == Some("Location"))
    }

    fn procedure_of(&self, cell: &Cell) -> Option<ProcedureId> {
        match cell {
            Cell::Location(Some(location), _) => Some(self.supply.program().locations[*location].procedure),
            _ => None,
        }
    }

    /// The variables whose bits these are.
    fn variables(&self, bits: &[bool], global: bool, procedure: Option<ProcedureId>) -> Cell {
        let bits: calculus::Packed = bits.iter().copied().collect();
        let state = State { point: Point::Before(ProcedureId(0)), local: bits.clone(), global: bits };
        let here = self.in_scope(global, procedure);
        Cell::Variables(here.filter_map(|id| Some((id, self.supply.value(&state, id)?))).collect())
    }

    /// The variables of `Global`, or those of `Local` that a procedure has.
    fn in_scope(&self, global: bool, procedure: Option<ProcedureId>) -> impl Iterator<Item = VariableId> {
        let program = self.supply.program();
        let is_in_scope = move |id: &VariableId| match program.variables[*id].scope {
            Scope::Local(owner) => Some(owner) == procedure,
            Scope::Shared | Scope::Private => true,
        };
        program.variables.ids().filter(move |id| self.supply.bits(*id).0 == global && is_in_scope(id))
    }
}
