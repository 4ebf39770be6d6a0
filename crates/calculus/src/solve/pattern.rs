//! Values as a pattern and a diagram, and how two of them meet.
//!
//! A value is a set of bit vectors, given as a pattern (which bits are constant, which are equal) and a diagram over
//! one variable for each class of equal bits. What a statement leaves alone is an equality in a pattern and costs
//! nothing; Bebop keeps such equalities out of its diagrams by special treatment, here they are never built.
//!
//! How two patterns meet is worked out once and remembered: afterwards a join is one diagram operation.

use std::rc::Rc;

use bdd::{Bdd, Cube, Manager, Renaming, Stop, Var};
use rustc_hash::FxHashMap;

use super::space::Space;
use crate::model::Cell;
use crate::plan::FamilyId;

/// A pattern, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PatternId(u32);

/// A set of bit vectors.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Value {
    pub(crate) pattern: PatternId,
    pub(crate) diagram: Bdd,
}

/// All patterns seen so far.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    list: Vec<Rc<[Cell]>>,
    numbers: FxHashMap<Rc<[Cell]>, PatternId>,
}

impl Patterns {
    pub(crate) fn intern(&mut self, cells: Vec<Cell>) -> PatternId {
        if let Some(id) = self.numbers.get(cells.as_slice()) {
            return *id;
        }
        let cells: Rc<[Cell]> = cells.into();
        let id = PatternId(self.list.len() as u32);
        self.list.push(Rc::clone(&cells));
        self.numbers.insert(cells, id);
        id
    }

    pub(crate) fn cells(&self, id: PatternId) -> Rc<[Cell]> {
        Rc::clone(&self.list[id.0 as usize])
    }
}

/// What a bit of an operand is in the clause that it is joined to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Meaning {
    /// A bit of the clause.
    Bit(usize),
    /// A constant.
    Constant(bool),
}

/// Where a bit of a clause is best kept: a family and a bit of it.
pub(crate) type Home = (FamilyId, usize);

/// How a diagram is prepared before it meets another.
#[derive(Clone, Debug, Default)]
struct Preparation {
    fix: Vec<(Var, bool)>,
    rename: Option<Renaming>,
}

impl Preparation {
    fn is_nothing(&self) -> bool {
        self.fix.is_empty() && self.rename.is_none()
    }

    fn apply(&self, diagram: &Bdd) -> Result<Bdd, Stop> {
        let fixed = if self.fix.is_empty() { diagram } else { &diagram.cofactor(&self.fix)? };
        self.rename.as_ref().map_or_else(|| Ok(fixed.clone()), |renaming| fixed.rename(renaming))
    }
}

/// A join, worked out: conjunction of a partial result with an operand.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    left: Preparation,
    right: Preparation,
    forget: Option<Cube>,
    pub(crate) pattern: PatternId,
}

impl Join {
    pub(crate) fn apply(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, Stop> {
        self.prepared(left, right, |left, right| match &self.forget {
            Some(cube) => left.and_exists(right, cube),
            None => left.and(right),
        })
    }

    /// The diagram of the join if it is that of one side as it is.
    pub(crate) fn unchanged<'v>(&self, left: &'v Bdd, right: &'v Bdd) -> Option<&'v Bdd> {
        let as_it_is = self.forget.is_none() && self.left.is_nothing() && self.right.is_nothing();
        match (left.is_true(), right.is_true()) {
            _ if !as_it_is => None,
            (true, _) => Some(right),
            (_, true) => Some(left),
            _ => None,
        }
    }

    /// The join and what follows it in one pass.
    pub(crate) fn apply_renamed(&self, left: &Bdd, right: &Bdd, renaming: &Renaming) -> Result<Bdd, Stop> {
        self.prepared(left, right, |left, right| match &self.forget {
            Some(cube) => left.and_exists_rename(right, cube, renaming),
            None => left.and(right)?.rename(renaming),
        })
    }

    fn prepared<T>(
        &self,
        left: &Bdd,
        right: &Bdd,
        meet: impl FnOnce(&Bdd, &Bdd) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        match (self.left.is_nothing(), self.right.is_nothing()) {
            (true, true) => meet(left, right),
            (true, false) => meet(left, &self.right.apply(right)?),
            (false, true) => meet(&self.left.apply(left)?, right),
            (false, false) => meet(&self.left.apply(left)?, &self.right.apply(right)?),
        }
    }
}

/// What stands in a class of equal bits: a variable of one of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Member {
    Left(Var),
    Right(Var),
}

/// Classes of variables of both sides that must be equal, and constants among them.
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<Member, usize>,
    members: Vec<Member>,
    parent: Vec<usize>,
    constant: Vec<Option<bool>>,
    contradiction: bool,
}

impl Classes {
    fn node(&mut self, member: Member) -> usize {
        let next = self.members.len();
        let number = *self.numbers.entry(member).or_insert(next);
        if number == next {
            self.members.push(member);
            self.parent.push(next);
            self.constant.push(None);
        }
        number
    }

    fn root(&self, mut node: usize) -> usize {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
        if let Some(value) = self.constant[high] {
            self.fix(low, value);
        }
    }

    fn fix(&mut self, node: usize, value: bool) {
        let root = self.root(node);
        match self.constant[root] {
            Some(known) => self.contradiction |= known != value,
            None => self.constant[root] = Some(value),
        }
    }

    /// Two cells are equal; each is a constant or a variable of its side.
    fn equate(&mut self, left: Cell, right: Cell) {
        let left = (left.var().map(Member::Left), left.value());
        let right = (right.var().map(Member::Right), right.value());
        match (left, right) {
            ((Some(left), _), (Some(right), _)) => {
                let (left, right) = (self.node(left), self.node(right));
                self.unite(left, right);
            }
            ((Some(member), _), (_, Some(value))) | ((_, Some(value)), (Some(member), _)) => {
                let node = self.node(member);
                self.fix(node, value);
            }
            ((_, Some(a)), (_, Some(b))) => self.contradiction |= a != b,
            _ => {}
        }
    }
}

/// Works out a join. `left` is the pattern of the partial result over the clause's bits; `right` that of an operand
/// whose bits have the given meanings; `needed` says which bits of the clause are used afterwards, and `homes` where
/// they are best kept. None: nothing can be in both.
pub(crate) fn join(
    patterns: &mut Patterns,
    space: &Space,
    manager: &Manager,
    (left, right): (PatternId, PatternId),
    meanings: &[Meaning],
    needed: &[bool],
    homes: &[Option<Home>],
) -> Option<Join> {
    let (left, right) = (patterns.cells(left), patterns.cells(right));
    let mut classes = Classes::default();
    left.iter().filter_map(|cell| cell.var()).for_each(|var| _ = classes.node(Member::Left(var)));
    right.iter().filter_map(|cell| cell.var()).for_each(|var| _ = classes.node(Member::Right(var)));
    // Bits that only the operand knows about.
    let mut taken: FxHashMap<usize, Cell> = FxHashMap::default();
    let mut same_bit: Vec<(Cell, Cell)> = Vec::new();
    for (cell, meaning) in right.iter().zip(meanings) {
        match meaning {
            Meaning::Constant(value) => classes.equate(Cell::constant(*value), *cell),
            Meaning::Bit(bit) if left[*bit] != Cell::OPEN => classes.equate(left[*bit], *cell),
            Meaning::Bit(bit) => match taken.get(bit) {
                Some(known) => same_bit.push((*known, *cell)),
                None => drop(taken.insert(*bit, *cell)),
            },
        }
    }
    for (a, b) in same_bit {
        equate_right(&mut classes, a, b);
    }
    if classes.contradiction {
        return None;
    }
    let mut home_of: FxHashMap<usize, Home> = FxHashMap::default();
    for (bit, home) in homes.iter().enumerate() {
        if let (Some(var), Some(home)) = (taken.get(&bit).and_then(|cell| cell.var()), home) {
            home_of.entry(classes.root(classes.numbers[&Member::Right(var)])).or_insert(*home);
        }
    }
    let chosen = choose(&classes, space, &home_of);
    let cell_of = |member: Member| -> Cell {
        let root = classes.root(classes.numbers[&member]);
        classes.constant[root].map_or_else(|| Cell::variable(chosen[root]), Cell::constant)
    };
    let mut cells = vec![Cell::OPEN; left.len()];
    for (bit, cell) in cells.iter_mut().enumerate().filter(|(bit, _)| needed[*bit]) {
        *cell = match (left[bit], taken.get(&bit)) {
            (Cell::OPEN, Some(known)) => known.var().map_or(*known, |var| cell_of(Member::Right(var))),
            (known, _) => known.var().map_or(known, |var| cell_of(Member::Left(var))),
        };
    }
    let forgotten: Vec<Var> = (0..classes.members.len())
        .filter(|node| classes.root(*node) == *node && classes.constant[*node].is_none())
        .map(|node| chosen[node])
        .filter(|var| !cells.contains(&Cell::variable(*var)))
        .collect();
    let prepare = |side: fn(Var) -> Member, cells: &[Cell]| preparation(manager, cells, |var| cell_of(side(var)));
    Some(Join {
        left: prepare(Member::Left, &left),
        right: prepare(Member::Right, &right),
        forget: (!forgotten.is_empty()).then(|| manager.cube(&forgotten)),
        pattern: patterns.intern(cells),
    })
}

/// Two cells of the operand are the same bit of the clause.
fn equate_right(classes: &mut Classes, a: Cell, b: Cell) {
    match ((a.var(), a.value()), (b.var(), b.value())) {
        ((Some(a), _), (Some(b), _)) => {
            let (a, b) = (classes.node(Member::Right(a)), classes.node(Member::Right(b)));
            classes.unite(a, b);
        }
        ((Some(var), _), (_, Some(value))) | ((_, Some(value)), (Some(var), _)) => {
            let node = classes.node(Member::Right(var));
            classes.fix(node, value);
        }
        ((_, a), (_, b)) => classes.contradiction |= a != b,
    }
}

/// A variable for every class, all different; the left side is renamed only where two of its variables are one, and
/// what only the right side knows goes to where the clause keeps it.
fn choose(classes: &Classes, space: &Space, home_of: &FxHashMap<usize, Home>) -> Vec<Var> {
    let n = classes.members.len();
    let mut chosen: Vec<Option<Var>> = vec![None; n];
    let mut used: Vec<Var> = Vec::new();
    let open = |node: usize| classes.constant[classes.root(node)].is_none();
    for node in 0..n {
        let root = classes.root(node);
        if let (Member::Left(var), true, None) = (classes.members[node], open(node), chosen[root]) {
            chosen[root] = Some(var);
            used.push(var);
        }
    }
    for choice in [Choice::OwnAtHome, Choice::Home, Choice::Own, Choice::Any] {
        for node in 0..n {
            let root = classes.root(node);
            let (Member::Right(var), true, None) = (classes.members[node], open(node), chosen[root]) else { continue };
            let free = |candidate: &&Var| !used.contains(candidate);
            let home = home_of.get(&root).map_or(&[][..], |home| space.at_home(*home));
            let candidate = match choice {
                Choice::OwnAtHome => Some(&var).filter(|var| home.is_empty() || home.contains(var)).filter(free),
                Choice::Home => home.iter().find(free),
                Choice::Own => Some(&var).filter(free),
                Choice::Any => space.copies_of(var).iter().find(free),
            };
            if let Some(var) = candidate.copied() {
                chosen[root] = Some(var);
                used.push(var);
            }
        }
    }
    let all_placed = (0..n).all(|node| !open(node) || chosen[classes.root(node)].is_some());
    assert!(all_placed, "a clause has as many copies of a bit as it has variables of its sort");
    (0..n).map(|node| chosen[classes.root(node)].unwrap_or(Var(0))).collect()
}

/// Where a variable is looked for, in this order.
#[derive(Clone, Copy)]
enum Choice {
    OwnAtHome,
    Home,
    Own,
    Any,
}

/// Brings a diagram over the variables of some cells to what each has become.
fn preparation(manager: &Manager, cells: &[Cell], becomes: impl Fn(Var) -> Cell) -> Preparation {
    let (mut fix, mut pairs) = (Vec::new(), Vec::new());
    let mut vars: Vec<Var> = cells.iter().filter_map(|cell| cell.var()).collect();
    vars.sort_unstable();
    vars.dedup();
    for var in vars {
        let cell = becomes(var);
        match (cell.value(), cell.var()) {
            (Some(value), _) => fix.push((var, value)),
            (_, Some(new)) if new != var => pairs.push((var, new)),
            _ => {}
        }
    }
    Preparation { fix, rename: (!pairs.is_empty()).then(|| manager.renaming(&pairs)) }
}

/// The head of a clause read off its final bits.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub(crate) rename: Option<Renaming>,
    pub(crate) pattern: PatternId,
}

/// Works out a projection: `stored` are the variables of the head's bits.
pub(crate) fn project(
    patterns: &mut Patterns,
    manager: &Manager,
    from: PatternId,
    meanings: &[Meaning],
    stored: &[Var],
) -> Projection {
    let from = patterns.cells(from);
    let mut place: FxHashMap<Var, Var> = FxHashMap::default();
    let mut open: FxHashMap<usize, Var> = FxHashMap::default();
    let mut cells = Vec::with_capacity(stored.len());
    for (meaning, own) in meanings.iter().zip(stored) {
        cells.push(match meaning {
            Meaning::Constant(value) => Cell::constant(*value),
            Meaning::Bit(bit) => match from[*bit].var() {
                Some(var) => Cell::variable(*place.entry(var).or_insert(*own)),
                None if from[*bit] == Cell::OPEN => Cell::variable(*open.entry(*bit).or_insert(*own)),
                None => from[*bit],
            },
        });
    }
    let mut pairs: Vec<(Var, Var)> = place.into_iter().filter(|(from, to)| from != to).collect();
    pairs.sort_unstable();
    let rename = (!pairs.is_empty()).then(|| manager.renaming(&pairs));
    Projection { rename, pattern: patterns.intern(cells) }
}

/// Brings a value to a pattern that says less: what it no longer says goes into the diagram.
#[derive(Clone, Debug)]
pub(crate) struct Weakening {
    rename: Option<Renaming>,
    facts: Bdd,
}

impl Weakening {
    pub(crate) fn apply(&self, diagram: &Bdd) -> Result<Bdd, Stop> {
        let renamed = self.rename.as_ref().map_or(Ok(diagram.clone()), |renaming| diagram.rename(renaming))?;
        renamed.and(&self.facts)
    }
}

/// Works out a weakening. Every class of `to` is a class, or part of one, of `from`.
pub(crate) fn weaken(manager: &Manager, from: &[Cell], to: &[Cell]) -> Result<Weakening, Stop> {
    let mut place: FxHashMap<Var, Var> = FxHashMap::default();
    let mut pairs = Vec::new();
    let mut facts = manager.bdd_true();
    let mut seen: Vec<Var> = Vec::new();
    for (old, new) in from.iter().zip(to) {
        let Some(var) = new.var().filter(|var| !seen.contains(var)) else { continue };
        seen.push(var);
        let literal = manager.literal(var, true)?;
        match (old.value(), old.var()) {
            (Some(value), _) => facts = facts.and(&manager.literal(var, value)?)?,
            (_, Some(old)) => match place.get(&old) {
                Some(first) => facts = facts.and(&manager.literal(*first, true)?.iff(&literal)?)?,
                None => {
                    place.insert(old, var);
                    pairs.push((old, var));
                }
            },
            _ => {}
        }
    }
    pairs.retain(|(from, to)| from != to);
    Ok(Weakening { rename: (!pairs.is_empty()).then(|| manager.renaming(&pairs)), facts })
}

/// What two patterns both say; `stored` are the variables of the bits.
pub(crate) fn common(a: &[Cell], b: &[Cell], stored: &[Var]) -> Vec<Cell> {
    let mut place: FxHashMap<(Cell, Cell), Var> = FxHashMap::default();
    let cell = |((a, b), own): ((&Cell, &Cell), &Var)| match (a.value(), b.value()) {
        (Some(x), Some(y)) if x == y => *a,
        _ => Cell::variable(*place.entry((*a, *b)).or_insert(*own)),
    };
    a.iter().zip(b).zip(stored).map(cell).collect()
}
