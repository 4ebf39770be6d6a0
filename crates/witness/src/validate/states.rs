//! The sets of the certificate, as diagrams over the checker's bits.

use base::IdVec;
use bdd::{Bdd, Dag, ImportError, Manager, Var};
use program::{LocationId, ProcedureId, Program, VariableId};
use rustc_hash::FxHashMap;

use super::Trouble;
use super::layout::{Copy, Layout};
use super::sorts::{agree, equals, valid};
use crate::{Certificate, Copy as Moment, Set};

/// I(l).
#[derive(Clone, Debug)]
pub(super) struct States {
    /// What the diagram, the facts and the columns of unchanged variables say.
    pub(super) set: Bdd,
    /// Those of them that exist: all bits stand for values.
    pub(super) existing: Bdd,
    /// The bits of which both may speak, ascending.
    pub(super) vars: Vec<Var>,
    /// Whether the frame's unchanged variables agree, also those of which no column speaks.
    pub(super) is_diagram: bool,
}

/// What the sets of a procedure's locations may speak of.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentioned {
    /// Variables whose current value is spoken of, ascending.
    pub(super) current: Vec<VariableId>,
    /// Bits whose entry value is spoken of.
    pub(super) entry: Vec<(VariableId, u32)>,
    /// Variables that keep their values, ascending.
    pub(super) unchanged: Vec<VariableId>,
    /// The states in which all of these bits stand for values; none: always.
    pub(super) valid: Option<Bdd>,
    /// The bits of which `valid` speaks.
    pub(super) valid_vars: Vec<Var>,
    /// Those of `current` whose bits may stand for no value.
    pub(super) partial: Vec<VariableId>,
}

pub(super) struct Sets {
    pub(super) states: IdVec<LocationId, Option<States>>,
    pub(super) mentioned: IdVec<ProcedureId, Mentioned>,
}

type Result<T> = std::result::Result<T, Trouble>;

impl Sets {
    pub(super) fn of(
        program: &Program,
        certificate: &Certificate,
        layout: &Layout<'_>,
        slots: &FxHashMap<u32, u32>,
        manager: &Manager,
    ) -> Result<Self> {
        let mentioned = mentioned(program, certificate, layout, manager)?;
        let roots = import(&certificate.dag, slots, manager)?;
        let mut supports = Supports::new(&certificate.dag, slots);
        let mut same: IdVec<ProcedureId, Option<Bdd>> = IdVec::filled(program.procedures.len(), None);
        let mut states = IdVec::filled(program.locations.len(), None);
        for (location, set) in &certificate.sets {
            let procedure = program.locations[*location].procedure;
            let mentioned = &mentioned[procedure];
            let (facts, mut set, is_diagram) = match set {
                Set::Facts(facts) => (facts, manager.bdd_true(), false),
                Set::Diagram { root, facts } => {
                    supports.add(*root);
                    (facts, roots[*root as usize].clone(), true)
                }
            };
            let mut vars = supports.take();
            for (variable, value) in facts {
                let bits = layout.bits(procedure, *variable, Copy::Base)?;
                set = set.and(&equals(program, manager, &bits, program.sort(*variable), value)?)?;
                vars.extend(bits.iter());
            }
            if is_diagram {
                let columns = unchanged_columns(mentioned, procedure, layout)?;
                vars.extend(columns.iter().flat_map(|(entry, current)| [entry, current]));
                if same[procedure].is_none() {
                    let (entry, current): (Vec<Var>, Vec<Var>) = columns.into_iter().unzip();
                    same[procedure] = Some(agree(manager, &entry, &current)?);
                }
                if let Some(same) = &same[procedure] {
                    set = set.and(same)?;
                }
            }
            let mut existing = set.clone();
            if let Some(valid) = &mentioned.valid {
                existing = existing.and(valid)?;
                vars.extend(&mentioned.valid_vars);
            }
            vars.sort_unstable();
            vars.dedup();
            states[*location] = Some(States { set, existing, vars, is_diagram });
        }
        Ok(Self { states, mentioned })
    }
}

/// Finds the variables of diagrams, each node once per diagram.
struct Supports<'a> {
    dag: &'a Dag,
    slots: &'a FxHashMap<u32, u32>,
    seen: Vec<u32>,
    round: u32,
    found: Vec<Var>,
}

impl<'a> Supports<'a> {
    fn new(dag: &'a Dag, slots: &'a FxHashMap<u32, u32>) -> Self {
        Self { dag, slots, seen: vec![0; dag.nodes.len()], round: 0, found: Vec::new() }
    }

    fn add(&mut self, root: u32) {
        self.round += 1;
        let mut todo = vec![self.dag.roots[root as usize]];
        let mut numbers: Vec<u32> = Vec::new();
        while let Some(node) = todo.pop() {
            let Some(at) = (node as usize).checked_sub(2) else { continue };
            if std::mem::replace(&mut self.seen[at], self.round) != self.round {
                let (variable, low, high) = self.dag.nodes[at];
                numbers.push(variable.0);
                todo.extend([low, high]);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let place = |number: &u32| self.slots.get(number).map(|slot| Layout::var(*slot, Copy::Base));
        self.found.extend(numbers.iter().filter_map(place));
    }

    fn take(&mut self) -> Vec<Var> {
        std::mem::take(&mut self.found)
    }
}

/// The diagrams, with their variables put at the checker's places.
fn import(dag: &Dag, slots: &FxHashMap<u32, u32>, manager: &Manager) -> Result<Vec<Bdd>> {
    let place = |number: u32| slots.get(&number).map(|slot| Layout::var(*slot, Copy::Base));
    let mut placed = Dag { nodes: Vec::with_capacity(dag.nodes.len()), roots: dag.roots.clone() };
    for (variable, low, high) in &dag.nodes {
        let Some(variable) = place(variable.0) else { unreachable!("every node has been found to be of some column") };
        placed.nodes.push((variable, *low, *high));
    }
    match manager.import(&placed) {
        Ok(roots) => Ok(roots),
        Err(ImportError::Stopped(stop)) => Err(stop.into()),
        Err(other) => Err(Trouble::Rejected(other.to_string())),
    }
}

fn mentioned(
    program: &Program,
    certificate: &Certificate,
    layout: &Layout<'_>,
    manager: &Manager,
) -> Result<IdVec<ProcedureId, Mentioned>> {
    let mut all: IdVec<ProcedureId, Mentioned> = IdVec::filled(program.procedures.len(), Mentioned::default());
    for (procedure, frame) in &certificate.frames {
        let mentioned = &mut all[*procedure];
        for (_, column) in &frame.columns {
            match column.copy {
                Moment::Current => mentioned.current.push(column.variable),
                Moment::Entry => mentioned.entry.push((column.variable, column.bit)),
            }
        }
        mentioned.unchanged.clone_from(&frame.unchanged);
        mentioned.unchanged.sort_unstable();
        mentioned.unchanged.dedup();
        // The entry column of an unchanged variable speaks of its current value, too.
        let unchanged = |variable: &VariableId| mentioned.unchanged.binary_search(variable).is_ok();
        let entries = mentioned.entry.iter().map(|(variable, _)| *variable);
        mentioned.current.extend(entries.filter(unchanged));
    }
    for (location, set) in &certificate.sets {
        let (Set::Facts(facts) | Set::Diagram { facts, .. }) = set;
        let variables = facts.iter().map(|(variable, _)| *variable);
        all[program.locations[*location].procedure].current.extend(variables);
    }
    for procedure in program.procedures.ids() {
        let mentioned = &mut all[procedure];
        mentioned.current.sort_unstable();
        mentioned.current.dedup();
        add_validity(program, layout, manager, procedure, mentioned)?;
    }
    Ok(all)
}

fn add_validity(
    program: &Program,
    layout: &Layout<'_>,
    manager: &Manager,
    procedure: ProcedureId,
    mentioned: &mut Mentioned,
) -> Result<()> {
    let mut conjuncts = Vec::new();
    for variable in &mentioned.current {
        let bits = layout.bits(procedure, *variable, Copy::Base)?;
        if let Some(valid) = valid(program, manager, &bits, program.sort(*variable))? {
            mentioned.partial.push(*variable);
            mentioned.valid_vars.extend(bits.iter());
            conjuncts.push(valid);
        }
    }
    let mut entries: Vec<VariableId> = mentioned.entry.iter().map(|(variable, _)| *variable).collect();
    entries.sort_unstable();
    entries.dedup();
    for variable in entries {
        // Bits without a column may be anything that makes a value.
        let sort = program.sort(variable);
        let bits = layout.bits(procedure, variable, Copy::Exit)?;
        let entry = |bit: usize| layout.entry(procedure, variable, bit as u32).unwrap_or(bits[bit]);
        let entry: Vec<bdd::Var> = (0..bits.len()).map(entry).collect();
        if let Some(valid) = valid(program, manager, &entry, sort)? {
            let without: Vec<bdd::Var> = bits.iter().copied().filter(|bit| entry.contains(bit)).collect();
            mentioned.valid_vars.extend(entry.iter().filter(|bit| !without.contains(bit)));
            conjuncts.push(valid.exists(&manager.cube(&without))?);
        }
    }
    for valid in conjuncts {
        mentioned.valid = Some(match mentioned.valid.take() {
            Some(others) => others.and(&valid)?,
            None => valid,
        });
    }
    Ok(())
}

/// Entry and current bits of unchanged variables, as far as there are columns for the entry.
fn unchanged_columns(mentioned: &Mentioned, procedure: ProcedureId, layout: &Layout<'_>) -> Result<Vec<(Var, Var)>> {
    let mut columns = Vec::new();
    for (variable, bit) in &mentioned.entry {
        if mentioned.unchanged.binary_search(variable).is_ok() {
            let current = layout.bits(procedure, *variable, Copy::Base)?[*bit as usize];
            columns.extend(layout.entry(procedure, *variable, *bit).map(|entry| (entry, current)));
        }
    }
    Ok(columns)
}
