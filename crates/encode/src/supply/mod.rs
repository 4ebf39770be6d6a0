//! A program as the model of the fixed-point calculus: the sorts and relations that formulae speak of.
//!
//! | input | holds when |
//! |---|---|
//! | `ProgramInt(u, v)` | a step leads from u to v |
//! | `IntoCall(u, v)` | u is about to make a call, v is the callee's first state |
//! | `Return(u, z, v)` | u made a call, the callee ended in z, the caller goes on in v |
//! | `ReturnA(u, p, v)`, `ReturnB(z, q, v)` | the part of `Return` that sees the caller (and the exit's location p), the part that sees the callee (and the call's location q) |
//! | `Across(p, q)` | a call at p goes on at q |
//! | `Entry(p)`, `Exit(p)`, `Target(p)` | p is an entry, an exit, asked about |
//! | `Within(p, f)` | p is a location of procedure f |
//! | `Init(p)` | the program begins at p |
//! | `Init(t, p)` | thread t begins at p |
//! | `Start(g)` | the shared variables may have the values g at the very start |
//! | `Yield(u)` | the active thread may be interrupted in u |
//!
//! In a program with one thread, `Global` holds the shared and the private variables; with several, private variables
//! are part of `Local`: a thread that is switched out keeps them. Bits that a procedure does not have are 0. What a call
//! sets in its caller's frame has bits of its own (`saved`).

mod events;
mod points;
mod rows;
mod saved;

use std::cell::RefCell;

use base::IdVec;
use bdd::{Manager, Stop, Var};
use calculus::{Domain, Input, Model, ModelSort, Row, Signature};
use program::{EdgeId, EdgeKind, LocationId, ProcedureId, Program, Scope, VariableId, When};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::alike::representatives;
use crate::arrangement::Arrangement;
use crate::slots::{Slot, Slots, n_slots};
pub use events::{Event, State};
pub use points::{Point, Points};
use saved::SavedSlots;

/// A program in the words of the calculus.
#[derive(Debug)]
pub struct Supply<'p> {
    program: &'p Program,
    targets: Vec<LocationId>,
    points: Points,
    starts: Vec<ProcedureId>,
    rank: Vec<u32>,
    signature: Signature,
    arranged: IdVec<VariableId, Vec<Slot>>,
    saved: SavedSlots,
    /// By slot: is it part of `Global`, and its place in its sort.
    place: Vec<(bool, usize)>,
    /// How many bits `Local` and `Global` have.
    n_bits: [usize; 2],
    /// Shared and private variables that occur.
    globals: Vec<VariableId>,
    /// The call of a location that has just one.
    call_of: CallOf,
    steps_between: StepsBetween,
    /// For each variable, the first one that is in the same place.
    representatives: IdVec<VariableId, VariableId>,
    layout: Option<Layout>,
}

type CallOf = IdVec<LocationId, Option<EdgeId>>;
type StepsBetween = FxHashMap<(LocationId, LocationId), Vec<EdgeId>>;

/// Where the bits of the model's sorts are.
#[derive(Debug)]
struct Layout {
    slots: Slots,
    manager: Manager,
    choices: RefCell<Vec<Var>>,
}

const LOCATION: usize = 0;
const PROCEDURE: usize = 1;
const THREAD: usize = 2;
const LOCAL: usize = 3;
const GLOBAL: usize = 4;

/// The inputs, in the order of the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Supplied {
    ProgramInt,
    IntoCall,
    Return,
    ReturnA,
    ReturnB,
    Across,
    Entry,
    Exit,
    Target,
    Within,
    Init,
    InitThread,
    Start,
    Yield,
}

const SUPPLIED: [(Supplied, &str, &str); 14] = [
    (Supplied::ProgramInt, "ProgramInt", "ProgramInt(u: State, v: State)"),
    (Supplied::IntoCall, "IntoCall", "IntoCall(u: State, v: State)"),
    (Supplied::Return, "Return", "Return(u: State, z: State, v: State)"),
    (Supplied::ReturnA, "ReturnA", "ReturnA(u: State, z: Location, v: State)"),
    (Supplied::ReturnB, "ReturnB", "ReturnB(z: State, u: Location, v: State)"),
    (Supplied::Across, "Across", "Across(p: Location, q: Location)"),
    (Supplied::Entry, "Entry", "Entry(p: Location)"),
    (Supplied::Exit, "Exit", "Exit(p: Location)"),
    (Supplied::Target, "Target", "Target(p: Location)"),
    (Supplied::Within, "Within", "Within(p: Location, f: Procedure)"),
    (Supplied::Init, "Init", "Init(p: Location)"),
    (Supplied::InitThread, "Init", "Init(t: Thread, p: Location)"),
    (Supplied::Start, "Start", "Start(g: Global)"),
    (Supplied::Yield, "Yield", "Yield(u: State)"),
];

impl Supplied {
    /// The sorts of its columns; those of a state stand together.
    fn columns(self) -> &'static [usize] {
        match self {
            Self::ProgramInt | Self::IntoCall => &[LOCATION, LOCAL, GLOBAL, LOCATION, LOCAL, GLOBAL],
            Self::Return => &[LOCATION, LOCAL, GLOBAL, LOCATION, LOCAL, GLOBAL, LOCATION, LOCAL, GLOBAL],
            Self::ReturnA | Self::ReturnB => &[LOCATION, LOCAL, GLOBAL, LOCATION, LOCATION, LOCAL, GLOBAL],
            Self::Across => &[LOCATION, LOCATION],
            Self::Entry | Self::Exit | Self::Target | Self::Init => &[LOCATION],
            Self::Within => &[LOCATION, PROCEDURE],
            Self::InitThread => &[THREAD, LOCATION],
            Self::Start => &[GLOBAL],
            Self::Yield => &[LOCATION, LOCAL, GLOBAL],
        }
    }
}

impl<'p> Supply<'p> {
    /// The model of a program without spawns in which some locations are asked about. `rank` says in which order
    /// locations are best looked at.
    #[must_use]
    pub fn new(program: &'p Program, targets: &[LocationId], rank: impl Fn(LocationId) -> u32) -> Self {
        let mut starts: Vec<ProcedureId> = program.threads.iter().map(|thread| thread.start).collect();
        starts.sort_unstable();
        starts.dedup();
        let points = Points::of(program, &starts);
        let source = |edge| program.edges[edge].source;
        let of_point = |point: &Point| match point {
            Point::At(location, _) => rank(*location),
            Point::Calling(edge, _) => rank(source(*edge)),
            Point::Before(_) => 0,
        };
        let rank = points.list().iter().map(of_point).collect();
        let mut arrangement = Arrangement::of(program, &[]);
        if program.threads.len() > 1 {
            arrangement = locals_above(program, arrangement);
        }
        let mut arranged = arrangement.bits;
        let saved = SavedSlots::insert(program, &mut arranged);
        let (place, n_bits) = places(program, &arranged);
        let signature = signature(program, points.list().len(), n_bits);
        let mut targets = targets.to_vec();
        targets.sort_unstable();
        let is_global = |id: &VariableId| !matches!(program.variables[*id].scope, Scope::Local(_));
        let globals = arranged.iter_ids().filter(|(id, bits)| !bits.is_empty() && is_global(id));
        let globals = globals.map(|(id, _)| id).collect();
        let (call_of, steps_between) = edges(program);
        Self {
            program,
            targets,
            points,
            starts,
            rank,
            signature,
            arranged,
            saved,
            place,
            n_bits,
            globals,
            call_of,
            steps_between,
            representatives: IdVec::filled(program.variables.len(), VariableId(0)),
            layout: None,
        }
    }

    /// The sorts and inputs of any program, for finding out whether a file fits: how many values there are is not said.
    #[must_use]
    pub fn outline(program: &Program) -> Signature {
        signature(program, 1, [0; 2])
    }

    /// What the values of `Location` stand for.
    #[must_use]
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The name of a value of `Location`.
    #[must_use]
    pub fn point_name(&self, point: Point) -> String {
        point_name(self.program, &point)
    }

    /// How many values of `Location` are asked about: a location can be there with and without an atomic section held.
    #[must_use]
    pub fn n_target_points(&self) -> usize {
        let is_target = |point: &&Point| match point {
            Point::At(location, _) => self.targets.binary_search(location).is_ok(),
            Point::Calling(..) | Point::Before(_) => false,
        };
        self.points.list().iter().filter(is_target).count()
    }

    /// Whether every location that is asked about is a value of `Location`: those of procedures that nobody calls are not.
    #[must_use]
    pub fn has_all_targets(&self) -> bool {
        let is_there =
            |target: &LocationId| [false, true].iter().any(|held| self.points.has(Point::At(*target, *held)));
        self.targets.iter().all(is_there)
    }

    /// The places of a variable's bits: in `Global` or in `Local`.
    #[must_use]
    pub fn bits(&self, variable: VariableId) -> (bool, Vec<usize>) {
        let places = self.arranged[variable].iter().map(|slot| self.place[slot.0 as usize].1).collect();
        (is_global(self.program, variable), places)
    }

    /// Whether the split of `Return` means the same as `Return`: no condition of a call's end, and no value that it
    /// assigns, mixes what the caller had with what the callee left.
    #[must_use]
    pub fn splits(program: &Program) -> bool {
        let mixes = |edge: &program::Edge| match &edge.kind {
            EdgeKind::Call(call) => call.leave.exprs().any(|expr| {
                let reads = expr.reads();
                let is_frame = |variable: VariableId| matches!(program.variables[variable].scope, Scope::Local(_));
                let sees_caller = |(variable, when): &(VariableId, When)| *when != When::Result && is_frame(*variable);
                reads.iter().any(sees_caller) && !reads.iter().all(sees_caller)
            }),
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => false,
        };
        !program.edges.iter().any(mixes)
    }
}

/// Is a variable part of `Global`?
fn is_global(program: &Program, variable: VariableId) -> bool {
    match program.variables[variable].scope {
        Scope::Shared => true,
        Scope::Private => program.threads.len() <= 1,
        Scope::Local(_) => false,
    }
}

/// Moves what a thread keeps for itself above what all share.
///
/// Formulae about threads record the shared variables many times over, the others only now and at the entry: with these
/// few decided first, what is recorded is the same below most of them.
///
/// A weave of both stays as it is: its operands must not be torn apart.
fn locals_above(program: &Program, arranged: Arrangement) -> Arrangement {
    let mut shared = vec![false; arranged.n_slots()];
    for (_, slots) in arranged.bits.iter_ids().filter(|(variable, _)| is_global(program, *variable)) {
        slots.iter().for_each(|slot| shared[slot.0 as usize] = true);
    }
    let own: FxHashSet<u32> =
        (0..shared.len()).filter(|slot| !shared[*slot]).filter_map(|slot| arranged.weaves[slot]).collect();
    let is_below =
        |slot: u32| shared[slot as usize] && arranged.weaves[slot as usize].is_none_or(|weave| !own.contains(&weave));
    let mut order: Vec<u32> = (0..shared.len() as u32).collect();
    order.sort_by_key(|slot| is_below(*slot));
    arranged.moved(&order)
}

/// For every slot its sort and its place in it, and how many bits `Local` and `Global` have.
fn places(program: &Program, arranged: &IdVec<VariableId, Vec<Slot>>) -> (Vec<(bool, usize)>, [usize; 2]) {
    let mut globals = vec![false; n_slots(arranged)];
    for (variable, slots) in arranged.iter_ids() {
        slots.iter().for_each(|slot| globals[slot.0 as usize] = is_global(program, variable));
    }
    let mut n_bits = [0; 2];
    let mut place = |is_global: bool| {
        let next = &mut n_bits[usize::from(is_global)];
        *next += 1;
        (is_global, *next - 1)
    };
    let places = globals.into_iter().map(&mut place).collect();
    (places, n_bits)
}

/// Calls and steps, by their ends.
fn edges(program: &Program) -> (CallOf, StepsBetween) {
    let mut call_of = IdVec::filled(program.locations.len(), None);
    let mut steps_between: StepsBetween = FxHashMap::default();
    for (id, edge) in program.edges.iter_ids() {
        match edge.kind {
            EdgeKind::Call(_) => call_of[edge.source] = Some(id),
            EdgeKind::Step(_) => steps_between.entry((edge.source, edge.target)).or_default().push(id),
            EdgeKind::Spawn(_) => {}
        }
    }
    (call_of, steps_between)
}

fn point_name(program: &Program, point: &Point) -> String {
    match point {
        Point::At(location, false) => program.location_name(*location),
        Point::At(location, true) => format!("{}@atomic", program.location_name(*location)),
        Point::Calling(edge, held) => {
            let source = program.location_name(program.edges[*edge].source);
            format!("{source}@{}{}", edge.0, if *held { "@atomic" } else { "" })
        }
        Point::Before(procedure) => format!("{}@start", program.procedures[*procedure].name),
    }
}

fn signature(program: &Program, n_points: usize, n_bits: [usize; 2]) -> Signature {
    let listed = |name: &str, values: Vec<String>| ModelSort { name: name.to_owned(), domain: Domain::Listed(values) };
    let bits = |name: &str, n: usize| ModelSort { name: name.to_owned(), domain: Domain::Bits(n) };
    let sorts = vec![
        ModelSort { name: "Location".to_owned(), domain: Domain::Counted(n_points) },
        listed("Procedure", program.procedures.iter().map(|procedure| procedure.name.clone()).collect()),
        listed("Thread", program.threads.iter().map(|thread| thread.name.clone()).collect()),
        bits("Local", n_bits[0]),
        bits("Global", n_bits[1]),
    ];
    let input = |(supplied, name, declaration): &(Supplied, &str, &str)| Input {
        name: (*name).to_owned(),
        declaration: (*declaration).to_owned(),
        columns: supplied.columns().iter().copied().map(Some).collect(),
    };
    Signature { sorts, inputs: SUPPLIED.iter().map(input).collect() }
}

impl Model for Supply<'_> {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn allocate(&mut self, manager: &Manager, n_copies: usize) -> Vec<Vec<Vec<Var>>> {
        let slots = Slots::create(self.arranged.clone(), manager, n_copies);
        let mut bits = [Vec::new(), Vec::new()];
        for (block, (is_global, _)) in slots.blocks().into_iter().zip(&self.place) {
            bits[usize::from(*is_global)].push(block);
        }
        self.representatives = representatives(self.program, &slots);
        self.layout = Some(Layout { slots, manager: manager.clone(), choices: RefCell::new(Vec::new()) });
        let [local, global] = bits;
        vec![Vec::new(), Vec::new(), Vec::new(), local, global]
    }

    fn rank(&self, sort: usize, value: u32) -> u32 {
        if sort == LOCATION { self.rank[value as usize] } else { value }
    }

    fn rows(
        &self,
        input: usize,
        columns: &[Vec<Var>],
        take: &mut dyn FnMut(Row) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some(layout) = &self.layout else { return Ok(()) };
        rows::rows(self, layout, SUPPLIED[input].0, columns, take)
    }
}
