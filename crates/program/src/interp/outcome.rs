//! Takes a relation: decides whether it is possible and what the written variables become.

use std::collections::BTreeMap;

use super::candidates::{Candidates, Elements};
use super::configuration::Layout;
use super::error::{Fault, Problem};
use super::forced::{Forced, forced};
use super::possible::{Possible, Reader, possible_values};
use crate::text::print_value;
use crate::{
    Choice, Expr, ProcedureId, Program, Relation, Rhs, Scope, Sort, Update, Value, VariableId, When, semantics,
};

/// Values that are tried for variables that no choice fixes, before giving up on a constraint.
const MAX_TRIES: usize = 1 << 16;

/// The state around an edge.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) shared: &'a [Value],
    pub(crate) private: &'a [Value],
    /// The frame of the procedure that the edge belongs to.
    pub(crate) frame: &'a [Value],
    pub(crate) procedure: ProcedureId,
    pub(crate) kind: Kind<'a>,
}

/// What the edge does with frames.
#[derive(Clone, Copy)]
pub(crate) enum Kind<'a> {
    /// Stays in its frame.
    Step,
    /// Enters a procedure.
    Enter(ProcedureId),
    /// Comes back from a procedure whose frame had these values.
    Leave(&'a [Value]),
    /// Starts a thread in a procedure.
    Spawn(ProcedureId),
}

/// A variable with a new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// The variable.
    pub variable: VariableId,
    /// `After`, or `Saved` in the caller's frame.
    pub when: When,
    /// Its value.
    pub value: Value,
}

impl<'a> View<'a> {
    /// The value that a variable has at a moment unless the edge changes it; none if it has no old value.
    fn kept(&self, variable: VariableId, when: When) -> Option<&'a Value> {
        let slot = self.layout.slot(variable);
        match (self.program.variables[variable].scope, when, self.kind) {
            (Scope::Shared, ..) => self.shared.get(slot),
            (Scope::Private, When::After, Kind::Spawn(_)) => None,
            (Scope::Private, ..) => self.private.get(slot),
            (Scope::Local(_), When::Result, Kind::Leave(callee)) => callee.get(slot),
            (Scope::Local(_), When::After, Kind::Enter(_) | Kind::Spawn(_)) => None,
            (Scope::Local(_), ..) => self.frame.get(slot),
        }
    }

    /// True when the edge could write the variable at the moment.
    fn is_writable(&self, variable: VariableId, when: When) -> bool {
        let Some(scope) = self.program.variables.get(variable).map(|variable| variable.scope) else { return false };
        let after = match self.kind {
            Kind::Enter(callee) | Kind::Spawn(callee) => callee,
            Kind::Step | Kind::Leave(_) => self.procedure,
        };
        match (when, scope) {
            (When::After, Scope::Local(procedure)) => procedure == after,
            (When::After, Scope::Shared | Scope::Private) => true,
            (When::Saved, Scope::Local(procedure)) => {
                procedure == self.procedure && matches!(self.kind, Kind::Enter(_))
            }
            _ => false,
        }
    }

    /// Variables that have no old value after the edge.
    fn without_old_value(&self) -> impl Iterator<Item = VariableId> + 'a {
        let layout = self.layout;
        let (private, frame): (&[_], &[_]) = match self.kind {
            Kind::Step | Kind::Leave(_) => (&[], &[]),
            Kind::Enter(callee) => (&[], layout.frame(callee)),
            Kind::Spawn(callee) => (layout.private(), layout.frame(callee)),
        };
        private.iter().chain(frame).copied()
    }
}

impl Reader for View<'_> {
    fn read(&self, variable: VariableId, when: When) -> Possible {
        match self.kept(variable, when) {
            Some(value) => Possible::one(value.clone()),
            None => Possible::all(self.program, self.program.sort(variable), 0),
        }
    }
}

/// Takes a relation under the given choices and returns all variables with new values.
pub(crate) fn take(view: &View<'_>, relation: &Relation, choices: &[&Choice]) -> Result<Vec<Assigned>, Problem> {
    if relation.guard != Expr::TRUE {
        let guard =
            possible_values(view.program, &relation.guard, view).map_err(|_| Problem::too_large("the guard"))?;
        if guard.is_empty() {
            return Err(Problem::new(Fault::Impossible, "an index in the guard is out of range"));
        }
        if !guard.can_be_true() {
            return Err(Problem::new(Fault::Impossible, "the guard is false"));
        }
    }
    let mut outcome = Outcome { view, cells: Vec::new(), places: Vec::new() };
    for update in &relation.updates {
        outcome.update(update)?;
    }
    for variable in view.without_old_value() {
        if outcome.cell(variable, When::After).is_none() {
            outcome.add(variable, When::After, Candidates::All(view.program.sort(variable)));
        }
    }
    outcome.fix(choices)?;
    outcome.settle(&relation.constraint, Fault::Constraint)?;
    outcome.finish()
}

/// Values for the given variables under a condition that reads them `Before`; `reader` gives the values of others.
pub(crate) fn choose(
    view: &View<'_>,
    variables: impl Iterator<Item = VariableId>,
    choices: &BTreeMap<VariableId, Value>,
    condition: &Expr,
) -> Result<Vec<Value>, Problem> {
    let mut outcome = Outcome { view, cells: Vec::new(), places: Vec::new() };
    for variable in variables {
        outcome.add(variable, When::Before, Candidates::All(view.program.sort(variable)));
        if let Some(value) = choices.get(&variable) {
            outcome.fix_at(outcome.cells.len() - 1, value)?;
        }
    }
    outcome.settle(condition, Fault::StartCondition)?;
    Ok(outcome.finish()?.into_iter().map(|assigned| assigned.value).collect())
}

struct Cell<'a> {
    variable: VariableId,
    when: When,
    candidates: Candidates<'a>,
    /// None while the search has not come to it.
    value: Option<Value>,
    chosen: bool,
}

/// So many cells are looked through one by one.
const A_FEW: usize = 8;

/// The variables that an edge writes, on the way to their new values; each at a moment once.
struct Outcome<'a> {
    view: &'a View<'a>,
    cells: Vec<Cell<'a>>,
    /// Positions in `cells`, in order of variables and moments; empty while there are only a few.
    places: Vec<u32>,
}

impl Reader for Outcome<'_> {
    fn read(&self, variable: VariableId, when: When) -> Possible {
        match self.cell(variable, when).map(|at| &self.cells[at]) {
            Some(Cell { value: Some(value), .. }) => Possible::one(value.clone()),
            Some(Cell { candidates, .. }) => candidates.possible(self.view.program),
            None => self.view.read(variable, when),
        }
    }
}

impl<'a> Outcome<'a> {
    fn add(&mut self, variable: VariableId, when: When, candidates: Candidates<'a>) {
        let at = self.cells.len() as u32;
        self.cells.push(Cell { variable, when, candidates, value: None, chosen: false });
        let key = |at: u32| (self.cells[at as usize].variable, self.cells[at as usize].when);
        match self.cells.len() {
            ..=A_FEW => {}
            n if n == A_FEW + 1 => {
                self.places = (0..n as u32).collect();
                self.places.sort_by_key(|at| key(*at));
            }
            _ => self.places.insert(self.places.partition_point(|place| key(*place) < (variable, when)), at),
        }
    }

    /// The cell of a variable at a moment.
    fn cell(&self, variable: VariableId, when: When) -> Option<usize> {
        let is_it = |cell: &Cell<'_>| (cell.variable, cell.when) == (variable, when);
        if self.cells.len() <= A_FEW {
            return self.cells.iter().position(is_it);
        }
        let key = |at: &u32| (self.cells[*at as usize].variable, self.cells[*at as usize].when);
        let at = self.places.binary_search_by_key(&(variable, when), key).ok()?;
        Some(self.places[at] as usize)
    }

    fn name(&self, variable: VariableId) -> String {
        self.view.program.qualified_name(variable)
    }

    fn update(&mut self, update: &'a Update) -> Result<(), Problem> {
        let Update { variable, index, when, .. } = update;
        let sort = self.view.program.sort(*variable);
        let Some(index) = index else {
            let candidates = self.new_values(update, sort)?;
            self.add(*variable, *when, candidates);
            return Ok(());
        };
        let Sort::Array(element, n) = sort else { unreachable!("verify accepts element updates on arrays only") };
        let write = (self.indices(*variable, index, *n)?, self.new_values(update, element)?);
        match self.cell(*variable, *when).map(|at| &mut self.cells[at].candidates) {
            Some(Candidates::Elements(elements)) => elements.writes.push(write),
            _ => {
                let base = match self.view.kept(*variable, *when) {
                    Some(Value::Array(elements)) => Some(elements.as_slice()),
                    _ => None,
                };
                let elements = Elements { sort: element, n: *n as usize, base, writes: vec![write] };
                self.add(*variable, *when, Candidates::Elements(elements));
            }
        }
        Ok(())
    }

    fn new_values(&self, update: &Update, sort: &'a Sort) -> Result<Candidates<'a>, Problem> {
        let Rhs::Expr(expr) = &update.value else { return Ok(Candidates::All(sort)) };
        let name = || self.name(update.variable);
        let values = possible_values(self.view.program, expr, self.view)
            .map_err(|_| Problem::too_large(&format!("the new value of {}", name())))?;
        if values.is_empty() {
            let message = format!("an index in the new value of {} is out of range", name());
            return Err(Problem::new(Fault::Impossible, message));
        }
        Ok(Candidates::Listed(values))
    }

    fn indices(&self, variable: VariableId, index: &Expr, n: u32) -> Result<Vec<usize>, Problem> {
        let values = possible_values(self.view.program, index, self.view)
            .map_err(|_| Problem::too_large(&format!("the index into {}", self.name(variable))))?;
        let in_range = |value: &Value| semantics::position(value).filter(|index| *index < n as usize);
        let indices: Vec<usize> = values.list().iter().flat_map(|values| values.iter()).filter_map(in_range).collect();
        if indices.is_empty() {
            let message = format!("the index into {} is out of range", self.name(variable));
            return Err(Problem::new(Fault::Impossible, message));
        }
        Ok(indices)
    }

    /// Gives the chosen variables their values and all others their smallest.
    fn fix(&mut self, choices: &[&Choice]) -> Result<(), Problem> {
        for choice in choices {
            let Choice { variable, when, value } = choice;
            if !self.view.is_writable(*variable, *when) {
                return Err(Problem::new(Fault::Choice, format!("a value is chosen for {}", self.unknown(*variable))));
            }
            match self.cell(*variable, *when) {
                Some(at) => self.fix_at(at, value)?,
                None if self.view.kept(*variable, *when) == Some(value) => {}
                None => return Err(self.not_possible(*variable, value, "it keeps its old one")),
            }
        }
        Ok(())
    }

    fn unknown(&self, variable: VariableId) -> String {
        match self.view.program.variables.get(variable) {
            Some(_) => format!("{}, which this step cannot write", self.name(variable)),
            None => format!("variable {}, which does not exist", variable.0),
        }
    }

    fn fix_at(&mut self, at: usize, value: &Value) -> Result<(), Problem> {
        let Cell { variable, candidates, value: earlier, chosen, .. } = &self.cells[at];
        let variable = *variable;
        if *chosen && earlier.as_ref() != Some(value) {
            return Err(self.not_possible(variable, value, "another one is chosen as well"));
        }
        let possible = candidates.contains(self.view.program, value);
        if !possible.map_err(|_| Problem::too_large(&format!("the new value of {}", self.name(variable))))? {
            return Err(self.not_possible(variable, value, "it is not a possible outcome"));
        }
        let cell = &mut self.cells[at];
        (cell.value, cell.chosen) = (Some(value.clone()), true);
        Ok(())
    }

    fn not_possible(&self, variable: VariableId, value: &Value, why: &str) -> Problem {
        let name = self.name(variable);
        let value = print_value(self.view.program, value, self.view.program.sort(variable));
        Problem::new(Fault::Choice, format!("the value {value} is chosen for {name}, but {why}"))
    }

    /// Gives every variable without a chosen value its smallest one, or, where the condition is against it, others.
    fn settle(&mut self, condition: &Expr, fault: Fault) -> Result<(), Problem> {
        for at in 0..self.cells.len() {
            if self.cells[at].chosen {
                continue;
            }
            let smallest = self.cells[at].candidates.smallest();
            let variable = self.cells[at].variable;
            let smallest =
                smallest.map_err(|_| Problem::too_large(&format!("the new value of {}", self.name(variable))))?;
            self.cells[at].value = smallest;
        }
        if *condition == Expr::TRUE || self.holds(condition)? {
            return Ok(());
        }
        self.search(condition, fault)
    }

    fn holds(&self, condition: &Expr) -> Result<bool, Problem> {
        let values = possible_values(self.view.program, condition, self);
        Ok(values.map_err(|_| Problem::too_large("the condition on the outcome"))?.can_be_true())
    }

    /// Depth-first search for values of the open variables that the condition reads; a branch is cut off when the
    /// condition cannot hold whatever the variables still open become.
    fn search(&mut self, condition: &Expr, fault: Fault) -> Result<(), Problem> {
        let open = self.open_cells(condition);
        for at in &open {
            self.cells[*at].value = None;
        }
        let failure = || Problem::new(fault, "no possible outcome satisfies the condition on it");
        if open.is_empty() || !self.holds(condition)? {
            return Err(failure());
        }
        self.narrow(condition, &open);
        let mut tries = 0;
        let mut stack = vec![self.values_of(open[0])?.into_iter()];
        while let Some(depth) = stack.len().checked_sub(1) {
            let at = open[depth];
            let Some(value) = stack[depth].next() else {
                self.cells[at].value = None;
                stack.pop();
                continue;
            };
            tries += 1;
            if tries >= MAX_TRIES {
                return Err(Problem::too_large("what the step leaves open"));
            }
            self.cells[at].value = Some(value);
            if !self.holds(condition)? {
                continue;
            }
            match open.get(depth + 1) {
                Some(next) => stack.push(self.values_of(*next)?.into_iter()),
                None => return Ok(()),
            }
        }
        Err(failure())
    }

    /// Takes up what the condition says by equality about variables that may get any value. What it says twice and
    /// differently does no harm: no value that is then tried satisfies it.
    fn narrow(&mut self, condition: &Expr, open: &[usize]) {
        let free: Vec<usize> =
            open.iter().copied().filter(|at| matches!(self.cells[*at].candidates, Candidates::All(_))).collect();
        for Forced { variable, when, index, value } in forced(self.view.program, condition, self) {
            let Some(at) = self.cell(variable, when).filter(|at| free.contains(at)) else { continue };
            let value = Candidates::Listed(Possible::one(value));
            let candidates = &mut self.cells[at].candidates;
            match (index, &mut *candidates) {
                (None, _) => *candidates = value,
                (Some(index), Candidates::All(Sort::Array(sort, n))) if index < *n as usize => {
                    let writes = vec![(vec![index], value)];
                    *candidates = Candidates::Elements(Elements { sort, n: *n as usize, base: None, writes });
                }
                (Some(index), Candidates::Elements(elements)) if index < elements.n => {
                    elements.writes.push((vec![index], value));
                }
                _ => {}
            }
        }
    }

    fn open_cells(&self, condition: &Expr) -> Vec<usize> {
        let reads = condition.reads().into_iter();
        let mut open: Vec<usize> = reads.filter_map(|(variable, when)| self.cell(variable, when)).collect();
        open.retain(|at| !self.cells[*at].chosen && !self.cells[*at].candidates.is_single());
        open.sort_unstable();
        open.dedup();
        open
    }

    fn values_of(&self, at: usize) -> Result<Vec<Value>, Problem> {
        let values = self.cells[at].candidates.first_values(self.view.program, MAX_TRIES);
        values.map_err(|_| Problem::too_large(&format!("the new value of {}", self.name(self.cells[at].variable))))
    }

    fn finish(self) -> Result<Vec<Assigned>, Problem> {
        let assigned = |cell: Cell<'_>| match cell.value {
            Some(value) => Ok(Assigned { variable: cell.variable, when: cell.when, value }),
            None => Err(Problem::new(Fault::Impossible, "the step has no outcome")),
        };
        self.cells.into_iter().map(assigned).collect()
    }
}
