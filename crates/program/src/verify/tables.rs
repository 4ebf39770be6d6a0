//! Names, frames, locations, entries, exits and threads.

use std::collections::BTreeSet;

use base::IdVec;

use super::{Defects, Part};
use crate::{EdgeKind, LocationId, ProcedureId, Program, Scope, VariableId};

pub(super) fn check(program: &Program, defects: &mut Defects) {
    names(program, defects);
    frames(program, defects);
    locations(program, defects);
    ends(program, defects);
    edges(program, defects);
    threads(program, defects);
}

/// Reports what comes a second time.
fn unique<T: Ord>(items: impl Iterator<Item = (Part, T)>, defects: &mut Defects, message: impl Fn(&T) -> String) {
    let mut seen = BTreeSet::new();
    for (part, item) in items {
        if seen.contains(&item) {
            defects.add(part, message(&item));
        } else {
            seen.insert(item);
        }
    }
}

fn names(program: &Program, defects: &mut Defects) {
    let enums = program.enums.iter_ids().map(|(id, names)| (Part::Enum(id), &names.name));
    unique(enums, defects, |name| format!("there is another enumeration {name}"));
    for (id, enumeration) in program.enums.iter_ids() {
        let values = enumeration.values.iter().map(|value| (Part::Enum(id), value));
        unique(values, defects, |value| format!("{} has the value {value} twice", enumeration.name));
    }
    let procedures = program.procedures.iter_ids().map(|(id, procedure)| (Part::Procedure(id), &procedure.name));
    unique(procedures, defects, |name| format!("there is another procedure {name}"));
    let variables = program.variables.iter_ids().map(|(id, variable)| {
        // Shared and private variables are seen by the same procedures under their plain names.
        let scope = if variable.scope == Scope::Private { Scope::Shared } else { variable.scope };
        (Part::Variable(id), (scope, &variable.name))
    });
    unique(variables, defects, |(_, name)| format!("there is another variable {name} in the same scope"));
}

/// Every local is listed once, in its own procedure.
fn frames(program: &Program, defects: &mut Defects) {
    let mut listed: IdVec<VariableId, bool> = IdVec::filled(program.variables.len(), false);
    for (id, procedure) in program.procedures.iter_ids() {
        for variable in procedure.frame() {
            let name = || &program.variables[variable].name;
            let own = program.variables[variable].scope == Scope::Local(id);
            let again = std::mem::replace(&mut listed[variable], true);
            let part = Part::Procedure(id);
            defects.add_if(!own, part, || format!("lists {}, which is not one of its locals", name()));
            defects.add_if(again, part, || format!("lists {}, which is listed already", name()));
        }
    }
    for (id, variable) in program.variables.iter_ids() {
        let missing = matches!(variable.scope, Scope::Local(_)) && !listed[id];
        defects
            .add_if(missing, Part::Variable(id), || format!("{} is missing in its procedure's lists", variable.name));
    }
}

/// Every location is listed once, in its own procedure, in ascending order.
fn locations(program: &Program, defects: &mut Defects) {
    let mut n_listed = 0;
    for (id, procedure) in program.procedures.iter_ids() {
        let part = Part::Procedure(id);
        let sorted = procedure.locations.is_sorted_by(|earlier, later| earlier < later);
        defects.add_if(!sorted, part, || "its locations are not in ascending order, each once".into());
        for location in &procedure.locations {
            let own = program.locations[*location].procedure == id;
            defects.add_if(!own, part, || format!("lists location {} of another procedure", location.0));
            n_listed += usize::from(own);
        }
    }
    let n = program.locations.len();
    defects.add_if(n_listed < n, Part::Program, || "some locations are missing in their procedure's lists".into());
}

/// Entries and exits are own locations, each listed once.
fn ends(program: &Program, defects: &mut Defects) {
    for (id, procedure) in program.procedures.iter_ids() {
        for (list, what) in [(&procedure.entries, "entry"), (&procedure.exits, "exit")] {
            let items = list.iter().map(|location| (Part::Procedure(id), *location));
            unique(items, defects, |location| format!("lists the {what} {} twice", location.0));
            for location in list {
                let own = program.locations[*location].procedure == id;
                let message = || format!("the {what} {} belongs to another procedure", location.0);
                defects.add_if(!own, Part::Procedure(id), message);
            }
        }
    }
}

fn edges(program: &Program, defects: &mut Defects) {
    let mut is_exit: IdVec<LocationId, bool> = IdVec::filled(program.locations.len(), false);
    let mut is_entry = is_exit.clone();
    for procedure in &program.procedures {
        procedure.exits.iter().for_each(|exit| is_exit[*exit] = true);
        procedure.entries.iter().for_each(|entry| is_entry[*entry] = true);
    }
    for (id, edge) in program.edges.iter_ids() {
        let part = Part::Edge(id);
        let [source, target] = [edge.source, edge.target].map(|end| program.locations[end].procedure);
        defects.add_if(source != target, part, || "leads into another procedure".into());
        defects.add_if(is_exit[edge.source], part, || "leaves an exit".into());
        let entered = match &edge.kind {
            EdgeKind::Step(_) => None,
            EdgeKind::Call(call) => Some((call.callee, call.entry)),
            EdgeKind::Spawn(spawn) => Some((spawn.callee, spawn.entry)),
        };
        if let Some((callee, entry)) = entered {
            let right = is_entry[entry] && program.locations[entry].procedure == callee;
            let message =
                || format!("enters {} at a location that is none of its entries", program.procedures[callee].name);
            defects.add_if(!right, part, message);
        }
    }
}

fn threads(program: &Program, defects: &mut Defects) {
    defects.add_if(program.threads.is_empty(), Part::Program, || "there is no thread".into());
    let without_entry = |procedure: ProcedureId| program.procedures[procedure].entries.is_empty();
    for (at, thread) in program.threads.iter().enumerate() {
        let message = || format!("starts in {}, which has no entry", program.procedures[thread.start].name);
        defects.add_if(without_entry(thread.start), Part::Thread(at), message);
    }
    if let Some(init) = program.init {
        let part = Part::Procedure(init);
        defects.add_if(without_entry(init), part, || "runs first, but has no entry".into());
        let parameters = !program.procedures[init].parameters.is_empty();
        defects.add_if(parameters, part, || "runs first, but has parameters".into());
    }
}
