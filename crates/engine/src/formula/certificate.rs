//! The query `invariant` of an algorithm as a certificate.
//!
//! It relates states at the entry of a procedure to states of the same call; bits that a procedure does not have are
//! 0 in it and are left out.

use base::IdVec;
use bdd::{Bdd, Dag, Stop, Var};
use calculus::{Halt, Solver};
use encode::{Effects, Point, Supply};
use program::{LocationId, ProcedureId, Program, Scope, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use witness::{Certificate, Column, Copy, Frame, Set};

use crate::Task;

/// The query that is the proof.
pub(super) const INVARIANT: &str = "invariant";

/// Columns of `invariant(u: State, v: State)`: locals and globals of both.
const ENTRY: [usize; 2] = [1, 2];
const CURRENT: [usize; 2] = [4, 5];

/// The certificate for the targets that are not reached, from the query or the relation that it repeats, which the
/// solver has computed.
pub(super) fn export(
    task: &Task<'_>,
    supply: &Supply<'_>,
    solver: &Solver<'_>,
    relation: &str,
    reached: &[LocationId],
) -> Result<Certificate, Halt> {
    let is_global = |id: &VariableId| !matches!(task.program.variables[*id].scope, Scope::Local(_));
    let exporter = Exporter {
        program: task.program,
        supply,
        solver,
        effects: Effects::of(task.program),
        globals: task.program.variables.ids().filter(is_global).collect(),
        entry: ENTRY.map(|column| solver.column(relation, column)),
        current: CURRENT.map(|column| solver.column(relation, column)),
    };
    let sets = exporter.sets(relation)?;
    let present: Vec<(LocationId, &Bdd)> =
        sets.iter_ids().filter_map(|(id, set)| set.as_ref().map(|set| (id, set))).collect();
    let roots: Vec<Bdd> = present.iter().map(|(_, set)| (*set).clone()).collect();
    let order = solver.manager().order();
    let level: FxHashMap<Var, u32> = order.into_iter().enumerate().map(|(level, var)| (var, level as u32)).collect();
    let mut dag: Dag = solver.manager().export(&roots);
    dag.nodes.iter_mut().for_each(|node| node.0 = Var(level[&node.0]));
    let set = |(root, (location, _)): (usize, &(LocationId, &Bdd))| {
        (*location, Set::Diagram { root: root as u32, facts: Vec::new() })
    };
    let mut procedures: Vec<ProcedureId> =
        present.iter().map(|(location, _)| task.program.locations[*location].procedure).collect();
    procedures.sort_unstable();
    procedures.dedup();
    Ok(Certificate {
        targets: task.targets.iter().filter(|target| !reached.contains(target)).copied().collect(),
        frames: procedures.into_iter().map(|procedure| (procedure, exporter.frame(procedure, &level))).collect(),
        sets: present.iter().enumerate().map(set).collect(),
        dag,
    })
}

/// Variables that a procedure does not have, and those whose values at its entry callers do not know.
type Outside = (Vec<Var>, Vec<Var>);

struct Exporter<'a, 'p> {
    program: &'a Program,
    supply: &'a Supply<'p>,
    solver: &'a Solver<'a>,
    effects: Effects,
    globals: Vec<VariableId>,
    /// Diagram variables of `Local` and `Global` in both states.
    entry: [Vec<Var>; 2],
    current: [Vec<Var>; 2],
}

impl Exporter<'_, '_> {
    /// One set for each location, whoever holds what and wherever the entry was.
    #[expect(clippy::mutable_key_type, reason = "what a diagram is compared by never changes")]
    fn sets(&self, relation: &str) -> Result<IdVec<LocationId, Option<Bdd>>, Halt> {
        // Procedures whose frames are in the same places are alike, and most of their sets are too.
        let mut numbers: FxHashMap<Outside, usize> = FxHashMap::default();
        let mut outside: IdVec<ProcedureId, Option<(usize, Outside)>> =
            IdVec::filled(self.program.procedures.len(), None);
        let mut known: FxHashMap<(Bdd, usize), Bdd> = FxHashMap::default();
        let points = self.supply.points().list();
        let mut sets: IdVec<LocationId, Option<Bdd>> = IdVec::filled(self.program.locations.len(), None);
        for (key, set) in self.solver.entries(relation)? {
            let Point::At(location, _) = points[key[1] as usize] else { continue };
            let procedure = self.program.locations[location].procedure;
            let (number, outside) = outside[procedure].get_or_insert_with(|| {
                let (outside, next) = (self.outside(procedure), numbers.len());
                (*numbers.entry(outside.clone()).or_insert(next), outside)
            });
            let set = match known.get(&(set.clone(), *number)) {
                Some(within) => within.clone(),
                None => {
                    let within = self.without(&set, outside).map_err(|stop| self.halt(stop))?;
                    known.insert((set, *number), within.clone());
                    within
                }
            };
            let joined = sets[location].take().map_or_else(|| Ok(set.clone()), |known| known.or(&set));
            sets[location] = Some(joined.map_err(|stop| self.halt(stop))?);
        }
        Ok(sets)
    }

    fn halt(&self, stop: Stop) -> Halt {
        match stop {
            Stop::OutOfNodes => Halt::OutOfNodes,
            Stop::Interrupted => Halt::Limit(base::StopReason::Cancelled),
        }
    }

    /// What a procedure's sets do not speak of.
    fn outside(&self, procedure: ProcedureId) -> Outside {
        let mut in_scope: FxHashSet<Var> = FxHashSet::default();
        for variable in self.scope(procedure) {
            in_scope.extend(self.vars(variable, &self.entry));
            in_scope.extend(self.vars(variable, &self.current));
        }
        let all = self.entry.iter().chain(&self.current).flatten().copied();
        let absent = all.filter(|var| !in_scope.contains(var)).collect();
        let unseen = self.scope(procedure).filter(|variable| !self.is_seen(*variable));
        (absent, unseen.flat_map(|variable| self.vars(variable, &self.entry)).collect())
    }

    /// The part of a set in which the bits that a procedure does not have are 0, without what callers do not see.
    fn without(&self, set: &Bdd, (absent, unseen): &Outside) -> Result<Bdd, Stop> {
        let present = set.cofactor(&absent.iter().map(|var| (*var, false)).collect::<Vec<_>>())?;
        present.exists(&self.solver.manager().cube(unseen))
    }

    /// Whether callers know a variable's value at the entry. Of the others nothing is claimed: passes may have dropped
    /// what changes them.
    fn is_seen(&self, variable: VariableId) -> bool {
        self.effects.is_global(variable) || self.effects.is_visible(variable)
    }

    fn scope(&self, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + '_ {
        self.globals.iter().copied().chain(self.program.procedures[procedure].frame())
    }

    /// The diagram variables of a variable in one of the two states.
    fn vars<'v>(&self, variable: VariableId, [local, global]: &'v [Vec<Var>; 2]) -> impl Iterator<Item = Var> + 'v {
        let (is_global, places) = self.supply.bits(variable);
        let column = if is_global { global } else { local };
        places.into_iter().map(|place| column[place])
    }

    fn frame(&self, procedure: ProcedureId, level: &FxHashMap<Var, u32>) -> Frame {
        let mut columns = Vec::new();
        for variable in self.scope(procedure) {
            let entry = self.is_seen(variable).then_some((&self.entry, Copy::Entry));
            for (state, copy) in entry.into_iter().chain([(&self.current, Copy::Current)]) {
                let bits = self.vars(variable, state).enumerate();
                columns.extend(bits.map(|(bit, var)| (level[&var], Column { variable, bit: bit as u32, copy })));
            }
        }
        columns.sort_unstable_by_key(|(level, _)| *level);
        Frame { columns, unchanged: Vec::new() }
    }
}
