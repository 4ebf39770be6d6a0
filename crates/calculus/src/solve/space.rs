//! Which diagram variables there are and which of them the columns of relations are stored in.
//!
//! Every bit of every family has a number of copies, next to each other in the order. A relation's columns of one
//! family are stored in different copies. The copies of inputs are chosen so that they meet the equations' columns
//! without renaming.

use bdd::{Bdd, Manager, Stop, Var};

use super::layout::{arrange, is_first, is_followed};
use super::pattern::Home;
use crate::model::{Cell, Model};
use crate::plan::clause::{Arg, Clause, Planned};
use crate::plan::{Control, FamilyId, Kind, Plan, PlannedRelation, explicit_variables};
use crate::system::SortId;

/// All diagram variables.
#[derive(Debug)]
pub(crate) struct Space {
    /// `vars[family][bit][copy]`.
    vars: Vec<Vec<Vec<Var>>>,
    /// By variable: its bit, as a place in `vars`.
    owner: Vec<(u32, u32)>,
    /// For every relation: for every column: the copy it is stored in.
    copies: Vec<Vec<usize>>,
    /// By sort: the family whose copies tests are written in.
    bases: Vec<FamilyId>,
    /// The hints, by position, that the order does not follow.
    pub(crate) unfollowed: Vec<usize>,
}

impl Space {
    pub(crate) fn new(plan: &Plan, model: &mut dyn Model, manager: &Manager) -> Self {
        let copies = assign(plan);
        let counts = counts(plan, &copies);
        let mut vars: Vec<Vec<Vec<Var>>> = vec![Vec::new(); plan.families.len()];
        let create = |group: &[FamilyId], vars: &mut Vec<Vec<Vec<Var>>>| {
            let n_bits = |family: FamilyId| plan.sorts[plan.families[family].sort].width;
            let widest = group.iter().map(|family| n_bits(*family)).max().unwrap_or(0);
            for bit in 0..widest {
                for family in group.iter().copied().filter(|family| bit < n_bits(*family) && counts[*family] > 0) {
                    vars[family].push(manager.add_vars(counts[family]));
                }
            }
        };
        // Control above data: a diagram then splits by location first.
        let (below, above): (Vec<_>, Vec<_>) = arrange(plan).into_iter().partition(|group| is_below(plan, group));
        above.iter().for_each(|group| create(group, &mut vars));
        let is_supplied = |family: &FamilyId| plan.is_supplied(plan.families[*family].sort);
        let n_copies = (0..counts.len()).filter(is_supplied).map(|family| counts[family]).max().unwrap_or(0);
        let supplied = model.allocate(manager, n_copies.max(2));
        for (family, content) in plan.families.iter().enumerate() {
            if let (Some(of_model), None) = (plan.sorts[content.sort].model, plan.sorts[content.sort].size) {
                vars[family].clone_from(&supplied[of_model]);
            }
        }
        below.iter().for_each(|group| create(group, &mut vars));
        if let Some(order) = &plan.order {
            let at_home = |(family, bit): Home| vars.get(family).and_then(|bits| bits.get(bit)).cloned();
            manager.arrange(&order.vars(|home| at_home(home).unwrap_or_default()));
        }
        let mut owner = vec![(u32::MAX, 0); manager.n_vars()];
        for (family, bits) in vars.iter().enumerate() {
            for (bit, copies) in bits.iter().enumerate() {
                copies.iter().for_each(|var| owner[var.0 as usize] = (family as u32, bit as u32));
            }
        }
        let bases = plan.sorts.ids().map(|sort| plan.base(sort)).collect();
        let mut space = Self { vars, owner, copies, bases, unfollowed: Vec::new() };
        let levels = |relation: Planned, column: usize| -> Vec<usize> {
            space.stored(plan, relation, column).into_iter().map(|var| manager.level_of(var)).collect()
        };
        let unfollowed = (0..plan.hints.len()).filter(|hint| !is_followed(plan, &plan.hints[*hint], &levels));
        space.unfollowed = unfollowed.collect();
        space
    }

    fn copy(&self, family: FamilyId, copy: usize) -> Vec<Var> {
        self.vars[family].iter().map(|copies| copies[copy]).collect()
    }

    /// The variables of a copy of a sort.
    pub(crate) fn bits(&self, sort: SortId, copy: usize) -> Vec<Var> {
        self.copy(self.bases[sort.0 as usize], copy)
    }

    /// The variables that a column is stored in.
    pub(crate) fn stored(&self, plan: &Plan, relation: Planned, column: usize) -> Vec<Var> {
        self.copy(plan.relations[relation].columns[column].family, self.copies[relation][column])
    }

    /// All copies of the bit that a variable is a copy of.
    pub(crate) fn copies_of(&self, var: Var) -> &[Var] {
        let (family, bit) = self.owner[var.0 as usize];
        &self.vars[family as usize][bit as usize]
    }

    /// How many bits of a family are in diagrams.
    pub(crate) fn n_bits(&self, family: FamilyId) -> usize {
        self.vars[family].len()
    }

    /// All copies of a bit of a family; none if it is not in diagrams.
    pub(crate) fn at_home(&self, (family, bit): Home) -> &[Var] {
        self.vars[family].get(bit).map_or(&[], Vec::as_slice)
    }

    /// Every bit of a relation's diagram columns, each on its own.
    pub(crate) fn open_pattern(&self, plan: &Plan, relation: Planned) -> Vec<Cell> {
        let columns = plan.relations[relation].columns.iter().enumerate().filter(|(_, column)| !column.is_key);
        columns.flat_map(|(at, _)| self.stored(plan, relation, at)).map(Cell::variable).collect()
    }
}

/// Whether a group of families is below the model's bits: the listed values that are in diagrams although control is
/// not, in arrays such as that of the threads that had a turn. Given the values of everything else, few such arrays are
/// left; the other way round, every array would have a diagram of its own. Files that wish for an order have their way.
fn is_below(plan: &Plan, group: &[FamilyId]) -> bool {
    let is_listed = |family: &FamilyId| plan.sorts[plan.families[*family].sort].model.is_some();
    plan.control == Control::Explicit && plan.hints.is_empty() && group.iter().all(is_listed)
}

/// A copy for every column of every relation.
fn assign(plan: &Plan) -> Vec<Vec<usize>> {
    let mut copies: Vec<Vec<usize>> = plan.relations.iter().map(|relation| in_turn(plan, relation)).collect();
    for (relation, planned) in plan.relations.iter().enumerate() {
        if matches!(planned.kind, Kind::Input(_))
            && let Some((clause, atom)) = first_use(plan, relation)
        {
            copies[relation] = fit(plan, &copies, clause, atom);
        }
    }
    copies
}

/// The n-th column of a family in the n-th copy, in the order of the relation or of its hints.
fn in_turn(plan: &Plan, relation: &PlannedRelation) -> Vec<usize> {
    let columns = &relation.columns;
    let is_before = |a: usize, b: usize| match is_first(plan, columns[a].variable, columns[b].variable) {
        Some(first) => first,
        None => a < b,
    };
    let n_before = |at: usize| {
        let same = |other: &usize| *other != at && columns[*other].family == columns[at].family;
        (0..columns.len()).filter(same).filter(|other| is_before(*other, at)).count()
    };
    let copies: Vec<usize> = (0..columns.len()).map(n_before).collect();
    let clash = |a: usize| (0..a).any(|b| columns[a].family == columns[b].family && copies[a] == copies[b]);
    if !(0..columns.len()).any(clash) {
        return copies;
    }
    // Hints in a circle: none of them is followed.
    let n_before = |at: usize| columns[..at].iter().filter(|column| column.family == columns[at].family).count();
    (0..columns.len()).map(n_before).collect()
}

/// The first clause in which an input stands beside an equation or a view.
fn first_use(plan: &Plan, input: Planned) -> Option<(&Clause, usize)> {
    for clause in plan.relations.iter().flat_map(|planned| &planned.clauses) {
        let at = clause.atoms.iter().position(|atom| atom.relation == input);
        let beside = clause.atoms.iter().any(|atom| !matches!(plan.relations[atom.relation].kind, Kind::Input(_)));
        if let (Some(at), true) = (at, beside) {
            return Some((clause, at));
        }
    }
    None
}

/// Copies for the columns of an input so that it meets the other atoms of a clause in theirs.
fn fit(plan: &Plan, copies: &[Vec<usize>], clause: &Clause, atom: usize) -> Vec<usize> {
    let columns = &plan.relations[clause.atoms[atom].relation].columns;
    let is_input = |relation: Planned| matches!(plan.relations[relation].kind, Kind::Input(_));
    let mut met: Vec<(usize, FamilyId, usize)> = Vec::new();
    for other in clause.atoms.iter().filter(|other| !is_input(other.relation)) {
        for (at, arg) in other.args.iter().enumerate() {
            if let Arg::Variable(variable) = arg {
                met.push((*variable, plan.relations[other.relation].columns[at].family, copies[other.relation][at]));
            }
        }
    }
    let mut chosen: Vec<Option<usize>> = vec![None; columns.len()];
    for (at, arg) in clause.atoms[atom].args.iter().enumerate() {
        let family = columns[at].family;
        let is_met = |(variable, of, _): &&(usize, FamilyId, usize)| *arg == Arg::Variable(*variable) && *of == family;
        let known = met.iter().find(is_met).map(|(_, _, copy)| *copy);
        let is_free = |copy: usize| !(0..at).any(|b| columns[b].family == family && chosen[b] == Some(copy));
        chosen[at] = known.filter(|copy| is_free(*copy));
    }
    for at in 0..columns.len() {
        let family = columns[at].family;
        let is_taken = |copy: usize| {
            met.iter().any(|(_, of, c)| (*of, *c) == (family, copy))
                || (0..columns.len()).any(|b| columns[b].family == family && chosen[b] == Some(copy))
        };
        if chosen[at].is_none() {
            chosen[at] = (0..).find(|copy| !is_taken(*copy));
        }
    }
    chosen.into_iter().flatten().collect()
}

/// For each family: copies enough for every relation and for every clause, in which everything that is stored in the
/// family may be in different ones; none if it is nowhere in diagrams.
fn counts(plan: &Plan, copies: &[Vec<usize>]) -> Vec<usize> {
    let mut counts = vec![0; plan.families.len()];
    let mut raise = |family: FamilyId, n: usize| counts[family] = n.max(counts[family]);
    for (relation, planned) in plan.relations.iter().enumerate() {
        for (column, copy) in planned.columns.iter().zip(&copies[relation]).filter(|(column, _)| !column.is_key) {
            raise(column.family, (copy + 1).max(2));
        }
        for clause in &planned.clauses {
            let touched = touched(plan, relation, clause);
            touched.chunk_by(|a, b| a.0 == b.0).for_each(|of_family| raise(of_family[0].0, of_family.len().max(2)));
        }
    }
    counts
}

/// What is stored in which family while a clause is evaluated, by family.
fn touched(plan: &Plan, relation: Planned, clause: &Clause) -> Vec<(FamilyId, Arg)> {
    let mut touched: Vec<(FamilyId, Arg)> = Vec::new();
    let atoms = clause.atoms.iter().map(|atom| (atom.relation, &atom.args));
    for (used, args) in atoms.chain([(relation, &clause.head)]) {
        let columns = plan.relations[used].columns.iter().zip(args).filter(|(column, _)| !column.is_key);
        touched.extend(columns.map(|(column, arg)| (column.family, *arg)));
    }
    for test in &clause.tests {
        touched.extend(test.args().map(|arg| (plan.base(test.sort), arg)));
    }
    // Variables that no atom restricts to values of their sort are tested for that as well.
    let is_key = explicit_variables(plan, relation, clause);
    for (at, variable) in clause.variables.iter().enumerate().filter(|(at, _)| !is_key[*at]) {
        touched.push((plan.base(variable.sort), Arg::Variable(at)));
        touched.push((plan.home(variable), Arg::Variable(at)));
    }
    touched.sort_unstable();
    touched.dedup();
    touched
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
