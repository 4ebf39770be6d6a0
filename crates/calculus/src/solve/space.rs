//! Which diagram variables there are and which of them the columns of relations are stored in.
//!
//! Every bit of every sort has a number of copies, next to each other in the order. A relation's columns of one sort are stored in
//! different copies. The copies of inputs are chosen so that they meet the equations' columns without renaming.

use bdd::{Bdd, Manager, Stop, Var};

use crate::model::{Cell, Model};
use crate::plan::clause::{Arg, Clause, Planned};
use crate::plan::{Kind, Plan};
use crate::system::SortId;

/// All diagram variables.
#[derive(Debug)]
pub(crate) struct Space {
    /// `vars[sort][bit][copy]`.
    vars: Vec<Vec<Vec<Var>>>,
    /// By variable: its bit, as a place in `vars`.
    owner: Vec<(u32, u32)>,
    /// For every relation: for every column: the copy it is stored in.
    copies: Vec<Vec<usize>>,
}

impl Space {
    pub(crate) fn new(plan: &Plan, model: &mut dyn Model, manager: &Manager) -> Self {
        let copies = assign(plan);
        let n_copies = count(plan, &copies);
        // Control above data: a diagram then splits by location first.
        let mut vars: Vec<Vec<Vec<Var>>> = Vec::new();
        for sort in plan.sorts.iter() {
            let own = sort.model.is_none() || sort.size.is_some();
            let n_bits = if own && uses_bits(plan, SortId(vars.len() as u32)) { sort.width } else { 0 };
            vars.push((0..n_bits).map(|_| manager.add_vars(n_copies)).collect());
        }
        let supplied = model.allocate(manager, n_copies);
        for (at, sort) in plan.sorts.iter().enumerate() {
            if let (Some(model_sort), None) = (sort.model, sort.size) {
                vars[at].clone_from(&supplied[model_sort]);
            }
        }
        let mut owner = vec![(u32::MAX, 0); manager.n_vars()];
        for (sort, bits) in vars.iter().enumerate() {
            for (bit, copies) in bits.iter().enumerate() {
                copies.iter().for_each(|var| owner[var.0 as usize] = (sort as u32, bit as u32));
            }
        }
        Self { vars, owner, copies }
    }

    /// The variables of a copy of a sort.
    pub(crate) fn bits(&self, sort: SortId, copy: usize) -> Vec<Var> {
        self.vars[sort.0 as usize].iter().map(|copies| copies[copy]).collect()
    }

    /// The variables that a column is stored in.
    pub(crate) fn stored(&self, plan: &Plan, relation: Planned, column: usize) -> Vec<Var> {
        self.bits(plan.relations[relation].columns[column].sort, self.copies[relation][column])
    }

    /// All copies of the bit that a variable is a copy of.
    pub(crate) fn copies_of(&self, var: Var) -> &[Var] {
        let (sort, bit) = self.owner[var.0 as usize];
        &self.vars[sort as usize][bit as usize]
    }

    /// Every bit of a relation's diagram columns, each on its own.
    pub(crate) fn open_pattern(&self, plan: &Plan, relation: Planned) -> Vec<Cell> {
        let columns = plan.relations[relation].columns.iter().enumerate().filter(|(_, column)| !column.is_key);
        columns.flat_map(|(at, _)| self.stored(plan, relation, at)).map(Cell::variable).collect()
    }
}

/// Is a sort in decision diagrams anywhere: in a column, or in a test on a variable that is not a key?
fn uses_bits(plan: &Plan, sort: SortId) -> bool {
    let in_column = |relation: &crate::plan::PlannedRelation| {
        relation.columns.iter().any(|column| column.sort == sort && !column.is_key)
            || relation.clauses.iter().any(|clause| clause.tests.iter().any(|test| test.sort == sort))
    };
    plan.relations.iter().any(in_column)
}

/// A copy for every column of every relation.
fn assign(plan: &Plan) -> Vec<Vec<usize>> {
    let mut copies: Vec<Vec<usize>> = plan.relations.iter().map(|relation| in_turn(plan, relation)).collect();
    for (relation, planned) in plan.relations.iter().enumerate() {
        if matches!(planned.kind, Kind::Input(_))
            && let Some((head, clause, atom)) = first_use(plan, relation)
        {
            copies[relation] = fit(plan, &copies, head, clause, atom);
        }
    }
    copies
}

/// The n-th column of a sort in the n-th copy.
fn in_turn(_plan: &Plan, relation: &crate::plan::PlannedRelation) -> Vec<usize> {
    let columns = &relation.columns;
    let before = |at: usize| columns[..at].iter().filter(|column| column.sort == columns[at].sort).count();
    (0..columns.len()).map(before).collect()
}

/// The first clause in which an input stands beside an equation or a view.
fn first_use(plan: &Plan, input: Planned) -> Option<(Planned, &Clause, usize)> {
    for (head, planned) in plan.relations.iter().enumerate() {
        for clause in &planned.clauses {
            let at = clause.atoms.iter().position(|atom| atom.relation == input);
            let beside = clause.atoms.iter().any(|atom| !matches!(plan.relations[atom.relation].kind, Kind::Input(_)));
            if let (Some(at), true) = (at, beside) {
                return Some((head, clause, at));
            }
        }
    }
    None
}

/// Copies for the columns of an input so that it meets the other atoms of a clause in theirs.
fn fit(plan: &Plan, copies: &[Vec<usize>], _head: Planned, clause: &Clause, atom: usize) -> Vec<usize> {
    let columns = &plan.relations[clause.atoms[atom].relation].columns;
    let is_input = |relation: Planned| matches!(plan.relations[relation].kind, Kind::Input(_));
    let mut met: Vec<(usize, SortId, usize)> = Vec::new();
    for other in clause.atoms.iter().filter(|other| !is_input(other.relation)) {
        for (at, arg) in other.args.iter().enumerate() {
            if let Arg::Variable(variable) = arg {
                met.push((*variable, plan.relations[other.relation].columns[at].sort, copies[other.relation][at]));
            }
        }
    }
    let mut chosen: Vec<Option<usize>> = vec![None; columns.len()];
    for (at, arg) in clause.atoms[atom].args.iter().enumerate() {
        let known = met.iter().find(|(variable, ..)| *arg == Arg::Variable(*variable)).map(|(_, _, copy)| *copy);
        let is_free = |copy: usize| !(0..at).any(|b| columns[b].sort == columns[at].sort && chosen[b] == Some(copy));
        chosen[at] = known.filter(|copy| is_free(*copy));
    }
    for at in 0..columns.len() {
        let sort = columns[at].sort;
        let is_taken = |copy: usize| {
            met.iter().any(|(_, s, c)| (*s, *c) == (sort, copy))
                || (0..columns.len()).any(|b| columns[b].sort == sort && chosen[b] == Some(copy))
        };
        if chosen[at].is_none() {
            chosen[at] = (0..).find(|copy| !is_taken(*copy));
        }
    }
    chosen.into_iter().flatten().collect()
}

/// Copies enough for every relation and for every clause, whose variables are all in different ones at worst.
fn count(plan: &Plan, copies: &[Vec<usize>]) -> usize {
    let stored = copies.iter().flatten().map(|copy| copy + 1).max().unwrap_or(1);
    let clauses = plan.relations.iter().flat_map(|relation| &relation.clauses);
    let in_clause = |clause: &Clause| {
        let n_of = |sort: SortId| clause.variables.iter().filter(|variable| variable.sort == sort).count();
        plan.sorts.ids().map(n_of).max().unwrap_or(0)
    };
    clauses.map(in_clause).max().unwrap_or(0).max(stored).max(2)
}

/// The bits, read as a number, are below a bound that they can reach.
pub(crate) fn below(manager: &Manager, bits: &[Var], bound: u64) -> Result<Bdd, Stop> {
    let mut result = manager.bdd_false();
    for (position, var) in bits.iter().enumerate() {
        let zero = manager.literal(*var, false)?;
        // Less so far, or equal so far and less here: read from the least significant bit upwards.
        result = if bound >> position & 1 == 1 { zero.or(&result)? } else { zero.and(&result)? };
    }
    Ok(result)
}
