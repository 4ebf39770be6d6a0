//! Is this a certificate of this program at all?
//!
//! Later steps rely on it: ids are in range, a frame names only bits that its procedure has, each by one variable of
//! the diagrams, and a procedure's diagrams mention only what its frame names.

use base::Id as _;
use program::{LocationId, ProcedureId, Program, Scope, Value, VariableId};

use crate::{Certificate, Frame, Set};

pub(super) fn check(program: &Program, certificate: &Certificate) -> Result<(), String> {
    if let Some(target) = certificate.targets.iter().find(|target| program.locations.get(**target).is_none()) {
        return Err(format!("it names location {}, which does not exist", target.0));
    }
    if !certificate.frames.is_sorted_by(|(earlier, _), (later, _)| earlier < later) {
        return Err("its frames are not in the order of their procedures, each once".into());
    }
    for (procedure, frame) in &certificate.frames {
        check_frame(program, *procedure, frame)?;
    }
    if !certificate.sets.is_sorted_by(|(earlier, _), (later, _)| earlier < later) {
        return Err("its sets are not in the order of their locations, each once".into());
    }
    for (location, set) in &certificate.sets {
        check_set(program, certificate, *location, set)?;
    }
    check_dag(certificate)?;
    check_support(program, certificate)
}

/// True when the variable is part of a state in the procedure.
fn is_visible(program: &Program, procedure: ProcedureId, variable: VariableId) -> bool {
    match program.variables.get(variable).map(|variable| variable.scope) {
        Some(Scope::Shared | Scope::Private) => true,
        Some(Scope::Local(own)) => own == procedure,
        None => false,
    }
}

fn check_frame(program: &Program, procedure: ProcedureId, frame: &Frame) -> Result<(), String> {
    let Some(name) = program.procedures.get(procedure).map(|procedure| &procedure.name) else {
        return Err(format!("it names procedure {}, which does not exist", procedure.0));
    };
    if !frame.columns.is_sorted_by(|(earlier, _), (later, _)| earlier < later) {
        return Err(format!("the columns of {name} are not in order, each once"));
    }
    let mut named: Vec<(VariableId, u32, crate::Copy)> = Vec::with_capacity(frame.columns.len());
    for (_, column) in &frame.columns {
        let visible = is_visible(program, procedure, column.variable);
        if !visible || u64::from(column.bit) >= program.sort(column.variable).n_bits(program) {
            return Err(format!("a column of {name} stands for a bit that is not there"));
        }
        named.push((column.variable, column.bit, column.copy));
    }
    named.sort_unstable();
    if named.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(format!("two columns of {name} stand for the same bit"));
    }
    if !frame.unchanged.iter().all(|variable| is_visible(program, procedure, *variable)) {
        return Err(format!("a variable that {name} does not have is said to be unchanged in it"));
    }
    Ok(())
}

fn check_set(program: &Program, certificate: &Certificate, location: LocationId, set: &Set) -> Result<(), String> {
    let Some(procedure) = program.locations.get(location).map(|location| location.procedure) else {
        return Err(format!("it names location {}, which does not exist", location.0));
    };
    let facts = match set {
        Set::Facts(facts) => facts,
        Set::Diagram { root, facts } => {
            if *root as usize >= certificate.dag.roots.len() {
                return Err(format!("the set of {} has no diagram", program.location_name(location)));
            }
            facts
        }
    };
    let is_wrong = |(variable, value): &(VariableId, Value)| {
        !is_visible(program, procedure, *variable) || !program.sort(*variable).contains(program, value)
    };
    if facts.iter().any(is_wrong) {
        return Err(format!("a fact at {} is about a value that is not there", program.location_name(location)));
    }
    Ok(())
}

/// Every node is of some column, children come before parents, roots exist.
fn check_dag(certificate: &Certificate) -> Result<(), String> {
    let dag = &certificate.dag;
    let columns = certificate.frames.iter().flat_map(|(_, frame)| &frame.columns);
    let mut numbers: Vec<u32> = columns.map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for (at, (variable, low, high)) in dag.nodes.iter().enumerate() {
        if numbers.binary_search(&variable.0).is_err() {
            return Err(format!("node {at} of the diagrams is of variable {}, which is no column", variable.0));
        }
        if (*low).max(*high) as usize >= at + 2 {
            return Err(format!("node {at} of the diagrams names a child that does not come before it"));
        }
    }
    let end = dag.nodes.len() + 2;
    match dag.roots.iter().position(|root| *root as usize >= end) {
        Some(root) => Err(format!("root {root} of the diagrams names no node")),
        None => Ok(()),
    }
}

/// The diagrams of a procedure's locations mention only the columns of its frame. Each node is looked at once per
/// procedure.
fn check_support(program: &Program, certificate: &Certificate) -> Result<(), String> {
    let mut by_procedure: Vec<(ProcedureId, LocationId, u32)> = Vec::new();
    for (location, set) in &certificate.sets {
        if let Set::Diagram { root, .. } = set {
            let node = certificate.dag.roots[*root as usize];
            by_procedure.push((program.locations[*location].procedure, *location, node));
        }
    }
    by_procedure.sort_unstable();
    let mut seen = vec![u32::MAX; certificate.dag.nodes.len()];
    let mut todo = Vec::new();
    for (procedure, location, root) in by_procedure {
        let columns = certificate.frame(procedure).map_or(&[][..], |frame| &frame.columns);
        todo.push(root);
        while let Some(node) = todo.pop() {
            let Some(at) = (node as usize).checked_sub(2) else { continue };
            if std::mem::replace(&mut seen[at], procedure.index() as u32) == procedure.index() as u32 {
                continue;
            }
            let (variable, low, high) = certificate.dag.nodes[at];
            if columns.binary_search_by_key(&variable.0, |(column, _)| *column).is_err() {
                let name = program.location_name(location);
                return Err(format!("the diagram of {name} mentions variable {}, which is no column", variable.0));
            }
            todo.extend([low, high]);
        }
    }
    Ok(())
}
