//! A clause as a recipe: which atom is looked up first, what is then known, what is tested where.
//!
//! Keys are found by nested loops over indices; between them, one partial result in diagrams is built up, from which
//! everything that no later step needs is quantified away at once.

use super::pattern::{Home, Meaning};
use crate::plan::clause::{Arg, Clause, Comparison, Planned};
use crate::plan::{Kind, Plan, explicit_variables};
use crate::system::SortId;

/// One step of a recipe.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Look up an atom and join what is found.
    Join(Lookup),
    /// Give a variable the value of another, or a constant, plus an offset.
    Bind { variable: usize, from: Arg, offset: i64, size: u64 },
    /// A test whose values are all known.
    Check(usize),
    /// Try all values of a variable.
    Enumerate { variable: usize, size: u64 },
    /// Join the complement of an atom whose key is known.
    Exclude(usize),
    /// A test on bits.
    Compare(usize),
    /// The bits of a variable stand for a value of its sort.
    InRange(usize),
}

/// How an atom is looked up.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) atom: usize,
    /// Positions in the key that are known, and what they are.
    pub(crate) known: Vec<(usize, Arg)>,
    /// The same positions alone.
    pub(crate) columns: Vec<usize>,
    /// Positions in the key that give values to variables.
    pub(crate) bind: Vec<(usize, usize)>,
    /// Positions in the key that must agree with a variable bound by the same atom.
    pub(crate) agree: Vec<(usize, usize)>,
}

/// A clause in the order in which it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) relation: Planned,
    pub(crate) clause: usize,
    pub(crate) steps: Vec<Step>,
    /// First bit of each variable among the clause's bits; none for those that are only keys.
    pub(crate) bits: Vec<Option<usize>>,
    pub(crate) n_bits: usize,
    pub(crate) explicit: Vec<bool>,
    /// After each step: the bits that are used later.
    pub(crate) needed: Vec<Vec<bool>>,
    /// For each step that joins an operand: what the operand's bits are in the clause.
    pub(crate) meanings: Vec<Vec<Meaning>>,
    /// Where the clause's bits are best kept; those of keys anywhere.
    pub(crate) homes: Vec<Option<Home>>,
    /// What the head's bits are in the clause.
    pub(crate) head_meanings: Vec<Meaning>,
    /// The key columns of the head.
    pub(crate) head_key: Vec<Arg>,
}

/// What is known before a recipe starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Given {
    /// Nothing: all atoms are looked up.
    Nothing,
    /// The entry of one atom, which is joined first.
    Atom(usize),
    /// The head, and everything is kept: for finding out how a tuple came about.
    Head,
    /// The head, and the entry of one atom, which is joined first; everything is kept.
    HeadAnd(usize),
}

impl Given {
    /// Whether the recipe is for finding out how a tuple came about.
    pub(crate) fn is_head(self) -> bool {
        matches!(self, Self::Head | Self::HeadAnd(_))
    }
}

pub(crate) fn recipe(plan: &Plan, relation: Planned, clause_at: usize, given: Given) -> Recipe {
    let clause = &plan.relations[relation].clauses[clause_at];
    let explicit = explicit_variables(plan, relation, clause);
    let (bits, n_bits) = layout(plan, relation, clause, &explicit);
    let bound = vec![false; explicit.len()];
    let mut cook = Cook { plan, clause, explicit: &explicit, bits: &bits, bound, steps: Vec::new() };
    cook.order(relation, given);
    let steps = cook.steps;
    let needed = needed(plan, relation, clause, &steps, &bits, n_bits, given);
    let of_args = |relation: Planned, args: &[Arg]| -> Vec<Meaning> {
        let columns = plan.relations[relation].columns.iter().zip(args).filter(|(column, _)| !column.is_key);
        columns.flat_map(|(column, arg)| meanings(plan, &bits, *arg, column.sort)).collect()
    };
    let of_step = |step: &Step| match step {
        Step::Join(Lookup { atom, .. }) | Step::Exclude(atom) => {
            of_args(clause.atoms[*atom].relation, &clause.atoms[*atom].args)
        }
        Step::Compare(test) => {
            let test = &clause.tests[*test];
            test.args().into_iter().flat_map(|arg| meanings(plan, &bits, arg, test.sort)).collect()
        }
        Step::InRange(at) => meanings(plan, &bits, Arg::Variable(*at), clause.variables[*at].sort),
        Step::Bind { .. } | Step::Check(_) | Step::Enumerate { .. } => Vec::new(),
    };
    let mut homes: Vec<Option<Home>> = vec![None; n_bits];
    for (at, variable) in clause.variables.iter().enumerate().filter(|(at, _)| !explicit[*at]) {
        let home = plan.home(variable);
        if let Some(start) = bits[at] {
            (0..plan.sorts[variable.sort].width).for_each(|bit| homes[start + bit] = Some((home, bit)));
        }
    }
    let head_keys = plan.relations[relation].columns.iter().zip(&clause.head).filter(|(column, _)| column.is_key);
    Recipe {
        relation,
        clause: clause_at,
        meanings: steps.iter().map(of_step).collect(),
        homes,
        head_meanings: of_args(relation, &clause.head),
        head_key: head_keys.map(|(_, arg)| *arg).collect(),
        steps,
        bits,
        n_bits,
        explicit,
        needed,
    }
}

/// The order in which the atoms of a clause are looked up, given a new entry of one of them, or nothing.
pub(crate) fn order_of_atoms(plan: &Plan, relation: Planned, clause: usize, new: Option<usize>) -> Vec<usize> {
    let recipe = recipe(plan, relation, clause, new.map_or(Given::Nothing, Given::Atom));
    let atom = |step: &Step| match step {
        Step::Join(lookup) => Some(lookup.atom),
        Step::Exclude(atom) => Some(*atom),
        _ => None,
    };
    recipe.steps.iter().filter_map(atom).collect()
}

/// What the bits of an argument are in the clause.
fn meanings(plan: &Plan, bits: &[Option<usize>], arg: Arg, sort: SortId) -> Vec<Meaning> {
    let width = plan.sorts[sort].width;
    match arg {
        Arg::Value(value) => (0..width).map(|bit| Meaning::Constant(value >> bit & 1 == 1)).collect(),
        Arg::Variable(variable) => {
            let start = bits[variable].unwrap_or(0);
            (start..start + width).map(Meaning::Bit).collect()
        }
    }
}

/// Variables that stand in some column of bits, or in a test that looks at bits, get bits.
fn layout(plan: &Plan, relation: Planned, clause: &Clause, explicit: &[bool]) -> (Vec<Option<usize>>, usize) {
    let mut in_bits = vec![false; clause.variables.len()];
    let mut mark = |arg: &Arg| {
        if let Arg::Variable(variable) = arg {
            in_bits[*variable] = true;
        }
    };
    let atoms = clause.atoms.iter().map(|atom| (atom.relation, &atom.args));
    for (relation, args) in atoms.chain([(relation, &clause.head)]) {
        let columns = &plan.relations[relation].columns;
        columns.iter().zip(args).filter(|(column, _)| !column.is_key).for_each(|(_, arg)| mark(arg));
    }
    let is_explicit = |arg: Arg| variable(arg).is_none_or(|variable| explicit[variable]);
    let on_bits = clause.tests.iter().filter(|test| !test.args().into_iter().all(is_explicit));
    on_bits.flat_map(|test| test.args()).for_each(|arg| mark(&arg));
    let mut next = 0;
    let mut place = |(variable, in_bits): (usize, &bool)| {
        in_bits.then(|| {
            let start = next;
            next += plan.sorts[clause.variables[variable].sort].width;
            start
        })
    };
    let bits = in_bits.iter().enumerate().map(&mut place).collect();
    (bits, next)
}

struct Cook<'a> {
    plan: &'a Plan,
    clause: &'a Clause,
    explicit: &'a [bool],
    bits: &'a [Option<usize>],
    bound: Vec<bool>,
    steps: Vec<Step>,
}

impl Cook<'_> {
    fn order(&mut self, relation: Planned, given: Given) {
        let mut open: Vec<usize> = (0..self.clause.atoms.len()).filter(|at| !self.clause.atoms[*at].negated).collect();
        let mut tests: Vec<usize> = (0..self.clause.tests.len()).collect();
        match given {
            Given::Nothing => {}
            Given::Atom(atom) => {
                open.retain(|other| *other != atom);
                self.look_up(atom);
            }
            Given::Head => self.bind_head(relation),
            Given::HeadAnd(atom) => {
                self.bind_head(relation);
                open.retain(|other| *other != atom);
                self.look_up(atom);
            }
        }
        self.test(&mut tests);
        while let Some(at) = (0..open.len()).max_by_key(|at| (self.appeal(open[*at]), std::cmp::Reverse(*at))) {
            let atom = open.remove(at);
            self.look_up(atom);
            self.test(&mut tests);
        }
        for variable in 0..self.explicit.len() {
            if self.explicit[variable] && !self.bound[variable] {
                let size = self.plan.size(self.clause.variables[variable].sort);
                self.steps.push(Step::Enumerate { variable, size });
                self.bound[variable] = true;
                self.test(&mut tests);
            }
        }
        let negated = (0..self.clause.atoms.len()).filter(|at| self.clause.atoms[*at].negated);
        self.steps.extend(negated.map(Step::Exclude));
        self.steps.extend(tests.into_iter().map(Step::Compare));
        self.ranges();
    }

    fn bind_head(&mut self, relation: Planned) {
        let columns = &self.plan.relations[relation].columns;
        let keys = columns.iter().zip(&self.clause.head).filter(|(column, _)| column.is_key);
        keys.filter_map(|(_, arg)| variable(*arg)).for_each(|variable| self.bound[variable] = true);
    }

    /// Atoms whose keys are known come first, inputs before what is being computed, small ones before large ones.
    fn appeal(&self, atom: usize) -> (bool, bool, usize) {
        let atom = &self.clause.atoms[atom];
        let relation = &self.plan.relations[atom.relation];
        let known = relation.keys().filter(|at| self.is_known(atom.args[*at])).count();
        let n_keys = relation.keys().count();
        (n_keys == known || known > 0, matches!(relation.kind, Kind::Input(_)), known)
    }

    fn is_known(&self, arg: Arg) -> bool {
        variable(arg).is_none_or(|variable| self.bound[variable])
    }

    fn look_up(&mut self, at: usize) {
        let atom = &self.clause.atoms[at];
        let (known, columns, bind, agree) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut lookup = Lookup { atom: at, known, columns, bind, agree };
        for (position, column) in self.plan.relations[atom.relation].keys().enumerate() {
            match atom.args[column] {
                Arg::Variable(variable) if !self.bound[variable] => {
                    if lookup.bind.iter().any(|(_, bound)| *bound == variable) {
                        lookup.agree.push((position, variable));
                    } else {
                        lookup.bind.push((position, variable));
                    }
                }
                arg => lookup.known.push((position, arg)),
            }
        }
        lookup.columns = lookup.known.iter().map(|(position, _)| *position).collect();
        lookup.bind.iter().for_each(|(_, variable)| self.bound[*variable] = true);
        self.steps.push(Step::Join(lookup));
    }

    /// Tests that can be decided now, and equations that give a variable its value.
    fn test(&mut self, tests: &mut Vec<usize>) {
        loop {
            let ready = tests.iter().position(|at| self.is_ready(*at));
            let Some(ready) = ready else { return };
            let at = tests.remove(ready);
            let test = &self.clause.tests[at];
            let size = self.plan.size(test.sort);
            let unbound = |arg: Arg| variable(arg).filter(|variable| !self.bound[*variable]);
            let bind = match (unbound(test.left.0), unbound(test.right.0)) {
                (Some(variable), None) => Some((variable, test.right.0, test.right.1 - test.left.1)),
                (None, Some(variable)) => Some((variable, test.left.0, test.left.1 - test.right.1)),
                _ => None,
            };
            if let Some((variable, from, offset)) = bind {
                self.steps.push(Step::Bind { variable, from, offset, size });
                self.bound[variable] = true;
            }
            // The binding alone does not look at sums that leave the sort on the way.
            self.steps.push(Step::Check(at));
        }
    }

    fn is_ready(&self, at: usize) -> bool {
        let test = &self.clause.tests[at];
        let explicit = |arg: Arg| variable(arg).is_none_or(|variable| self.explicit[variable]);
        let n_unknown = test.args().iter().filter(|arg| !self.is_known(**arg)).count();
        let gives = test.comparison == Comparison::Equal && !test.negated;
        test.args().into_iter().all(explicit) && (n_unknown == 0 || (gives && n_unknown == 1))
    }

    /// Bits that no looked-up atom has restricted to values of their sort. A variable without bits is one that a clause no
    /// longer mentions ([`Plan::positive_core`]): any value will do.
    fn ranges(&mut self) {
        let looked_up = self.clause.atoms.iter().filter(|atom| !atom.negated);
        let restricted: Vec<usize> = looked_up.flat_map(|atom| &atom.args).filter_map(|arg| variable(*arg)).collect();
        for at in 0..self.clause.variables.len() {
            let sort = &self.plan.sorts[self.clause.variables[at].sort];
            let has_gaps = sort.size.is_some_and(|size| size < 1 << sort.width);
            if has_gaps && self.bits[at].is_some() && !self.explicit[at] && !restricted.contains(&at) {
                self.steps.push(Step::InRange(at));
            }
        }
    }
}

pub(crate) fn variable(arg: Arg) -> Option<usize> {
    match arg {
        Arg::Variable(variable) => Some(variable),
        Arg::Value(_) => None,
    }
}

fn needed(
    plan: &Plan,
    relation: Planned,
    clause: &Clause,
    steps: &[Step],
    bits: &[Option<usize>],
    n_bits: usize,
    given: Given,
) -> Vec<Vec<bool>> {
    if matches!(given, Given::Head | Given::HeadAnd(_)) {
        return vec![vec![true; n_bits]; steps.len()];
    }
    let mut now = vec![false; n_bits];
    let mark = |now: &mut Vec<bool>, arg: Arg| {
        if let Some(variable) = variable(arg)
            && let Some(start) = bits[variable]
        {
            let width = plan.sorts[clause.variables[variable].sort].width;
            now[start..start + width].fill(true);
        }
    };
    let columns = &plan.relations[relation].columns;
    columns.iter().zip(&clause.head).filter(|(column, _)| !column.is_key).for_each(|(_, arg)| mark(&mut now, *arg));
    let mut needed = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        needed.push(now.clone());
        match step {
            Step::Join(Lookup { atom, .. }) | Step::Exclude(atom) => {
                clause.atoms[*atom].args.iter().for_each(|arg| mark(&mut now, *arg));
            }
            Step::Compare(test) => clause.tests[*test].args().iter().for_each(|arg| mark(&mut now, *arg)),
            // A variable that gets a value may have bits that an earlier step has already restricted.
            Step::InRange(variable) | Step::Bind { variable, .. } | Step::Enumerate { variable, .. } => {
                mark(&mut now, Arg::Variable(*variable));
            }
            Step::Check(_) => {}
        }
    }
    needed.reverse();
    needed
}
