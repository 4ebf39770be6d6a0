//! The rows of the input relations.
//!
//! Relations are built in the named copies and then moved to the columns that were asked for. What an edge leaves
//! alone is said by cells (bits that are the same), never by diagrams.

mod calls;

use std::cell::RefCell;
use std::rc::Rc;

use bdd::{Bdd, Renaming, Stop, Var};
use calculus::{Cell, Row};
use program::{Edge, EdgeKind, Expr, LocationId, ProcedureId, Program, Relation, Scope, VariableId, When};
use rustc_hash::FxHashMap;

use super::points::Point;
use super::{GLOBAL, LOCAL, Layout, Supplied, Supply, is_global};
use crate::alike::Writer;
use crate::blast::{Blaster, CopyOf};
use crate::slots::{Copy, Slot};
use calls::Seen;

pub(super) fn rows(
    supply: &Supply<'_>,
    layout: &Layout,
    input: Supplied,
    columns: &[Vec<Var>],
    take: Take<'_>,
) -> Result<(), Stop> {
    let renamings = RefCell::new(FxHashMap::default());
    let builder = Builder {
        supply,
        layout,
        program: supply.program,
        columns,
        sorts: input.columns(),
        renamings,
        forms: RefCell::default(),
    };
    match input {
        Supplied::ProgramInt => builder.steps(take),
        Supplied::IntoCall => builder.enters(take),
        Supplied::Return => builder.returns(Seen::Both, take),
        Supplied::ReturnA => builder.returns(Seen::Caller, take),
        Supplied::ReturnB => builder.returns(Seen::Callee, take),
        Supplied::Across => builder.calls(|edge, _, held| take(builder.across(edge, held))),
        Supplied::Entry => builder.locations(|id| builder.is_entry(id), true).into_iter().try_for_each(take),
        Supplied::Exit => {
            builder.locations(|id| builder.procedure(id).exits.contains(&id), false).into_iter().try_for_each(take)
        }
        Supplied::Target => {
            let is_target = |id: LocationId| supply.targets.binary_search(&id).is_ok();
            builder.locations(is_target, false).into_iter().try_for_each(take)
        }
        Supplied::Within => builder.within().into_iter().try_for_each(take),
        Supplied::Init => builder.init().into_iter().try_for_each(take),
        Supplied::InitThread => builder.init_threads().into_iter().try_for_each(take),
        Supplied::Start => take(builder.start()?),
        Supplied::Yield => builder.yields(take),
    }
}

/// Who takes the rows.
type Take<'t> = &'t mut dyn FnMut(Row) -> Result<(), Stop>;

/// What is the same for edges that are alike: cells and diagram.
type Form = (Rc<[Cell]>, Bdd);

/// What a thread may begin with, over the current copies.
pub(super) fn beginnings(supply: &Supply<'_>, layout: &Layout, start: ProcedureId) -> Result<Bdd, Stop> {
    let renamings = RefCell::new(FxHashMap::default());
    let (columns, sorts): (&[Vec<Var>], &[usize]) = (&[], &[]);
    Builder { supply, layout, program: supply.program, columns, sorts, renamings, forms: RefCell::default() }
        .beginnings(start)
}

struct Builder<'a, 'p> {
    supply: &'a Supply<'p>,
    layout: &'a Layout,
    program: &'p Program,
    columns: &'a [Vec<Var>],
    /// The model's sorts of the columns.
    sorts: &'static [usize],
    renamings: RefCell<FxHashMap<Vec<(Copy, State)>, Renaming>>,
    /// By what an edge does, written down, and the frames that it is between.
    forms: RefCell<FxHashMap<Vec<u32>, Form>>,
}

/// A state among the columns: the positions of its local and global bits.
type State = (usize, usize);

impl<'p> Builder<'_, 'p> {
    fn procedure(&self, location: LocationId) -> &'p program::Procedure {
        &self.program.procedures[self.program.locations[location].procedure]
    }

    /// Entries of the program that some thread starts at have a condition of their own before them.
    fn is_entry(&self, location: LocationId) -> bool {
        self.procedure(location).entries.contains(&location)
    }

    fn number(&self, point: Point) -> u32 {
        self.supply.points.number(point)
    }

    /// The n-th state among the columns.
    fn state(&self, n: usize) -> State {
        let at = |sort: usize| (0..self.sorts.len()).filter(|at| self.sorts[*at] == sort).nth(n).unwrap_or(0);
        (at(LOCAL), at(GLOBAL))
    }

    /// The variable of a slot in a state.
    fn var(&self, (local, global): State, slot: Slot) -> Var {
        let (is_global, place) = self.supply.place[slot.0 as usize];
        self.columns[if is_global { global } else { local }][place]
    }

    /// Cells of all columns: those of a state are its own bits where the procedure has them, and 0 elsewhere.
    fn cells(&self, states: &[(State, ProcedureId)]) -> Vec<Vec<Cell>> {
        let mut cells: Vec<Vec<Cell>> =
            self.columns.iter().map(|vars| vec![Cell::constant(false); vars.len()]).collect();
        for (state, procedure) in states {
            self.scope(*procedure).for_each(|variable| self.set(&mut cells, *state, variable, *state));
        }
        cells
    }

    /// The cells of all columns in a row; diagram and cells of edges that are alike are worked out once.
    fn form(
        &self,
        relation: &Relation,
        procedures: &[ProcedureId],
        saved: &[VariableId],
        work_out: impl FnOnce() -> Result<(Vec<Vec<Cell>>, Bdd), Stop>,
    ) -> Result<Form, Stop> {
        let mut writer = Writer::new(&self.supply.representatives);
        for procedure in procedures {
            writer.written.push(u32::MAX);
            self.program.procedures[*procedure].frame().for_each(|variable| writer.variable(variable));
        }
        writer.written.push(u32::MAX);
        saved.iter().for_each(|variable| writer.variable(*variable));
        writer.written.push(u32::MAX);
        writer.relation(relation);
        if let Some(form) = self.forms.borrow().get(&writer.written) {
            return Ok(form.clone());
        }
        let (cells, diagram) = work_out()?;
        let form: Form = (cells.concat().into(), diagram);
        self.forms.borrow_mut().insert(writer.written, form.clone());
        Ok(form)
    }

    /// Gives a variable in one state the value it has in another.
    fn set(&self, cells: &mut [Vec<Cell>], state: State, variable: VariableId, from: State) {
        self.set_from(cells, state, variable, |slot| self.var(from, slot));
    }

    fn set_from(&self, cells: &mut [Vec<Cell>], state: State, variable: VariableId, from: impl Fn(Slot) -> Var) {
        for slot in self.layout.slots.bits(variable) {
            let (is_global, place) = self.supply.place[slot.0 as usize];
            let column = if is_global { state.1 } else { state.0 };
            cells[column][place] = Cell::variable(from(*slot));
        }
    }

    fn globals(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.supply.globals.iter().copied()
    }

    fn scope(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        self.globals().chain(self.program.procedures[procedure].frame())
    }

    /// Moves copies of all slots to states.
    fn renaming(&self, moves: &[(Copy, State)]) -> Renaming {
        if let Some(renaming) = self.renamings.borrow().get(moves) {
            return renaming.clone();
        }
        let renaming = self.layout.manager.renaming(&self.moves(moves));
        self.renamings.borrow_mut().insert(moves.to_vec(), renaming.clone());
        renaming
    }

    fn moves(&self, moves: &[(Copy, State)]) -> Vec<(Var, Var)> {
        let n = self.supply.place.len() as u32;
        let pairs = |(copy, state): &(Copy, State)| {
            let (copy, state) = (*copy, *state);
            (0..n).map(move |slot| (self.layout.slots.var(Slot(slot), copy), self.var(state, Slot(slot))))
        };
        moves.iter().flat_map(pairs).collect()
    }

    fn blaster<'b>(&'b self, copy_of: CopyOf<'b>) -> Blaster<'b> {
        let Layout { slots, manager, choices } = self.layout;
        Blaster { program: self.program, manager, slots, choices, copy_of }
    }

    fn in_range(&self, mut set: Bdd, variables: impl Iterator<Item = VariableId>, copy: Copy) -> Result<Bdd, Stop> {
        for variable in variables {
            set = set.and(&self.layout.slots.in_range(self.program, &self.layout.manager, variable, copy)?)?;
        }
        Ok(set)
    }

    fn steps(&self, take: Take<'_>) -> Result<(), Stop> {
        for (id, edge) in self.program.edges.iter_ids() {
            match &edge.kind {
                EdgeKind::Step(relation) => self.step(edge, relation, take)?,
                EdgeKind::Call(call) => self.choose_call(id, edge, call, take)?,
                EdgeKind::Spawn(_) => {}
            }
        }
        self.supply.starts.iter().try_for_each(|start| take(self.begin(*start)?))
    }

    fn step(&self, edge: &Edge, relation: &Relation, take: Take<'_>) -> Result<(), Stop> {
        let procedure = self.program.locations[edge.source].procedure;
        let (cells, diagram) = self.form(relation, &[procedure], &[], || self.step_form(procedure, relation))?;
        if diagram.is_false() {
            return Ok(());
        }
        for held in self.supply.points.held(self.program, edge.source) {
            let key = [Point::At(edge.source, held), Point::At(edge.target, held)].map(|point| self.number(point));
            take(Row { key: key.to_vec(), cells: Rc::clone(&cells), diagram: diagram.clone() })?;
        }
        Ok(())
    }

    fn step_form(&self, procedure: ProcedureId, relation: &Relation) -> Result<(Vec<Vec<Cell>>, Bdd), Stop> {
        let copy_of = |variable: VariableId, when: When| match when {
            When::After if relation.writes(variable, When::After) => Copy::Next,
            When::Before | When::After | When::Saved | When::Result => Copy::Current,
        };
        let (u, v) = (self.state(0), self.state(1));
        let renaming = self.renaming(&[(Copy::Current, u), (Copy::Next, v)]);
        let diagram = self.blaster(&copy_of).relation(relation)?.rename(&renaming)?;
        let mut cells = self.cells(&[(u, procedure), (v, procedure)]);
        let kept = self.scope(procedure).filter(|variable| !relation.writes(*variable, When::After));
        kept.for_each(|variable| self.set(&mut cells, v, variable, u));
        Ok((cells, diagram))
    }

    fn identity(&self, key: Vec<u32>, procedure: ProcedureId) -> Row {
        let (u, v) = (self.state(0), self.state(1));
        let mut cells = self.cells(&[(u, procedure), (v, procedure)]);
        self.scope(procedure).for_each(|variable| self.set(&mut cells, v, variable, u));
        Row { key, cells: cells.concat().into(), diagram: self.layout.manager.bdd_true() }
    }

    /// The first step of a thread: into its start procedure, under the condition on what it begins with.
    fn begin(&self, start: ProcedureId) -> Result<Row, Stop> {
        let renaming = self.renaming(&[(Copy::Current, self.state(0)), (Copy::Next, self.state(1))]);
        let states = self.beginnings(start)?;
        let entry = self.program.procedures[start].entries[0];
        let key = vec![self.number(Point::Before(start)), self.number(Point::At(entry, false))];
        Ok(Row { diagram: states.rename(&renaming)?, ..self.identity(key, start) })
    }

    /// What a thread may begin with, over the current copies.
    fn beginnings(&self, start: ProcedureId) -> Result<Bdd, Stop> {
        let copy_of = |_: VariableId, _: When| Copy::Current;
        let is_alone = self.program.threads.len() <= 1;
        let mut states = self.layout.manager.bdd_true();
        for part in conjuncts(&self.program.start) {
            if is_alone || !is_shared(self.program, part) {
                states = states.and(&self.blaster(&copy_of).condition(part)?)?;
            }
        }
        let own = self.scope(start).filter(|variable| is_alone || !is_global(self.program, *variable));
        self.in_range(states, own, Copy::Current)
    }

    /// A row without bits.
    fn row(&self, key: Vec<u32>) -> Row {
        Row { key, cells: Rc::new([]), diagram: self.layout.manager.bdd_true() }
    }

    /// Rows for the points at some locations, and for those before the first ones.
    fn locations(&self, is_in: impl Fn(LocationId) -> bool, before: bool) -> Vec<Row> {
        let wanted = |point: &Point| match point {
            Point::At(location, _) => is_in(*location),
            Point::Before(_) => before,
            Point::Calling(..) => false,
        };
        let points = self.supply.points.list().iter().filter(|point| wanted(point));
        points.map(|point| self.row(vec![self.number(*point)])).collect()
    }

    fn within(&self) -> Vec<Row> {
        let row = |point: &Point| {
            let procedure = match point {
                Point::At(location, _) => self.program.locations[*location].procedure,
                Point::Calling(edge, _) => self.program.locations[self.program.edges[*edge].source].procedure,
                Point::Before(procedure) => *procedure,
            };
            self.row(vec![self.number(*point), procedure.0])
        };
        self.supply.points.list().iter().map(row).collect()
    }

    fn init(&self) -> Vec<Row> {
        let starts = self.supply.starts.iter();
        starts.map(|start| self.row(vec![self.number(Point::Before(*start))])).collect()
    }

    fn init_threads(&self) -> Vec<Row> {
        let threads = self.program.threads.iter().enumerate();
        threads.map(|(at, thread)| self.row(vec![at as u32, self.number(Point::Before(thread.start))])).collect()
    }

    fn start(&self) -> Result<Row, Stop> {
        let copy_of = |_: VariableId, _: When| Copy::Current;
        let mut states = self.layout.manager.bdd_true();
        for part in conjuncts(&self.program.start).into_iter().filter(|part| is_shared(self.program, part)) {
            states = states.and(&self.blaster(&copy_of).condition(part)?)?;
        }
        let shared = self.globals().filter(|variable| is_global(self.program, *variable));
        let states = self.in_range(states, shared, Copy::Current)?;
        // There is no local state here: nothing of it is moved.
        let global = (0, 0);
        let pairs: Vec<(Var, Var)> = (self.supply.place.iter().enumerate())
            .filter(|(_, (is_global, _))| *is_global)
            .map(|(slot, _)| Slot(slot as u32))
            .map(|slot| (self.layout.slots.var(slot, Copy::Current), self.var(global, slot)))
            .collect();
        let cells = self.columns[0].iter().map(|var| Cell::variable(*var)).collect();
        Ok(Row { key: Vec::new(), cells, diagram: states.rename(&self.layout.manager.renaming(&pairs))? })
    }

    fn yields(&self, take: Take<'_>) -> Result<(), Stop> {
        let copy_of = |_: VariableId, _: When| Copy::Current;
        let held = self.blaster(&copy_of).condition(&self.program.uninterruptible)?;
        let u = self.state(0);
        let free = held.not()?.rename(&self.renaming(&[(Copy::Current, u)]))?;
        for point in self.supply.points.list() {
            let procedure = match point {
                Point::At(location, false) if !self.program.locations[*location].atomic => {
                    self.program.locations[*location].procedure
                }
                Point::Before(procedure) => *procedure,
                Point::At(..) | Point::Calling(..) => continue,
            };
            let cells = self.cells(&[(u, procedure)]);
            take(Row { key: vec![self.number(*point)], cells: cells.concat().into(), diagram: free.clone() })?;
        }
        Ok(())
    }
}

/// The parts of a conjunction.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Nary(program::NaryOp::And, parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

/// Does an expression speak of shared variables only?
fn is_shared(program: &Program, expr: &Expr) -> bool {
    expr.reads().iter().all(|(variable, _)| program.variables[*variable].scope == Scope::Shared)
}
