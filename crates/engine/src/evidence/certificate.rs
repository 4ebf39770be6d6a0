//! The path edges of all locations as a certificate.

use base::IdVec;
use bdd::{Bdd, Dag, Var};
use encode::{Copy as Place, Encoding};
use program::{LocationId, ProcedureId, VariableId};
use rustc_hash::FxHashMap;
use witness::{Certificate, Column, Copy, Frame, Set};

/// Exports the path edges of all locations. They must be complete.
pub(crate) fn export(
    encoding: &Encoding<'_>,
    targets: &[LocationId],
    path_edges: &IdVec<LocationId, Bdd>,
) -> Certificate {
    let reached: Vec<(LocationId, &Bdd)> = path_edges.iter_ids().filter(|(_, set)| !set.is_false()).collect();
    let sets: Vec<Bdd> = reached.iter().map(|(_, set)| (*set).clone()).collect();
    let level = levels(encoding);
    let dag = by_level(encoding.manager().export(&sets), &level);
    let unreached = |target: &&LocationId| path_edges[**target].is_false();
    let set = |(root, (location, _)): (usize, &(LocationId, &Bdd))| {
        (*location, Set::Diagram { root: root as u32, facts: Vec::new() })
    };
    Certificate {
        targets: targets.iter().filter(unreached).copied().collect(),
        frames: frames(encoding, &reached, &level),
        sets: reached.iter().enumerate().map(set).collect(),
        dag,
    }
}

fn levels(encoding: &Encoding<'_>) -> FxHashMap<Var, u32> {
    encoding.manager().order().into_iter().enumerate().map(|(level, var)| (var, level as u32)).collect()
}

fn by_level(mut dag: Dag, level: &FxHashMap<Var, u32>) -> Dag {
    for node in &mut dag.nodes {
        node.0 = Var(level[&node.0]);
    }
    dag
}

fn frames(
    encoding: &Encoding<'_>,
    reached: &[(LocationId, &Bdd)],
    level: &FxHashMap<Var, u32>,
) -> Vec<(ProcedureId, Frame)> {
    let procedure_of = |location: LocationId| encoding.program().locations[location].procedure;
    let mut procedures: Vec<ProcedureId> = reached.iter().map(|(location, _)| procedure_of(*location)).collect();
    procedures.sort_unstable();
    procedures.dedup();
    procedures.into_iter().map(|procedure| (procedure, frame(encoding, procedure, level))).collect()
}

fn frame(encoding: &Encoding<'_>, procedure: ProcedureId, level: &FxHashMap<Var, u32>) -> Frame {
    let columns_of = |variable: VariableId, place: Place, copy: Copy| {
        let vars: Vec<Var> = encoding.slots().vars(variable, place).collect();
        let column = move |bit: usize| Column { variable, bit: bit as u32, copy };
        vars.into_iter().enumerate().map(move |(bit, var)| (level[&var], column(bit)))
    };
    let entry = encoding.entry_copied(procedure).flat_map(|v| columns_of(v, Place::Entry, Copy::Entry));
    let current = encoding.in_scope(procedure).flat_map(|v| columns_of(v, Place::Current, Copy::Current));
    let mut columns: Vec<(u32, Column)> = entry.chain(current).collect();
    columns.sort_unstable_by_key(|(level, _)| *level);
    Frame { columns, unchanged: encoding.unchanged(procedure).collect() }
}
