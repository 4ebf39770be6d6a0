//! Certificates from explicit sets, and their checking state by state.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bdd::{Dag, Var};
use program::{EdgeKind, LocationId, ProcedureId, Program, Scope, VariableId};
use witness::{Certificate, Column, Copy, Frame, Set};

use super::search::Search;
use super::states::{State, States};

/// The variables of which an engine keeps track in a procedure, and those that it knows not to change.
struct Tracked {
    both: Vec<VariableId>,
    unchanged: Vec<VariableId>,
}

/// What an engine would say: the reached pairs, without variables that occur nowhere, and with one copy of those that
/// a procedure does not change.
pub(crate) fn certificate(program: &Program, search: &Search<'_>, targets: &[LocationId]) -> Certificate {
    let states = States::new(program);
    let mut sets: BTreeMap<LocationId, BTreeSet<(State, State)>> = BTreeMap::new();
    for ((entry, entered), location, state) in search.points() {
        let _ = entry;
        sets.entry(location).or_default().insert((entered, state));
    }
    let mut certificate = Certificate { targets: targets.to_vec(), ..Certificate::default() };
    let mut builder = Builder { dag: Dag::default(), unique: HashMap::new() };
    let mut columns_of = BTreeMap::new();
    for procedure in program.procedures.ids() {
        let tracked = tracked(program, procedure);
        let copies = |variable: &VariableId| {
            let entry = (!tracked.unchanged.contains(variable)).then_some(Copy::Entry);
            let columns = entry.into_iter().chain([Copy::Current]);
            columns.map(|copy| Column { variable: *variable, bit: 0, copy }).collect::<Vec<_>>()
        };
        let untouched = &program.procedures[procedure].untouched;
        let columns: Vec<Column> = tracked.both.iter().filter(|it| !untouched.contains(it)).flat_map(copies).collect();
        columns_of.insert(procedure, columns.clone());
        let columns = columns.into_iter().enumerate().map(|(at, column)| (at as u32, column)).collect();
        certificate.frames.push((procedure, Frame { columns, unchanged: tracked.unchanged }));
    }
    for (location, pairs) in sets {
        let columns = &columns_of[&program.locations[location].procedure];
        let row = |(entered, state): &(State, State)| -> Vec<bool> {
            let value = |column: &Column| match column.copy {
                Copy::Entry => states.get(*entered, column.variable),
                Copy::Current => states.get(*state, column.variable),
            };
            columns.iter().map(value).collect()
        };
        let rows: BTreeSet<Vec<bool>> = pairs.iter().map(row).collect();
        let root = builder.build(&rows.into_iter().collect::<Vec<_>>(), 0);
        builder.dag.roots.push(root);
        let root = builder.dag.roots.len() as u32 - 1;
        certificate.sets.push((location, Set::Diagram { root, facts: Vec::new() }));
    }
    certificate.dag = builder.dag;
    certificate
}

fn tracked(program: &Program, procedure: ProcedureId) -> Tracked {
    let mut occurs = BTreeSet::new();
    let mut written = BTreeSet::new();
    let mut below = BTreeSet::from([procedure]);
    loop {
        let n = below.len();
        for edge in &program.edges {
            if let (true, EdgeKind::Call(call)) =
                (below.contains(&program.locations[edge.source].procedure), &edge.kind)
            {
                below.insert(call.callee);
            }
        }
        if below.len() == n {
            break;
        }
    }
    for edge in &program.edges {
        let source = program.locations[edge.source].procedure;
        let relations = match &edge.kind {
            EdgeKind::Step(relation) => vec![relation],
            EdgeKind::Call(call) => vec![&call.enter, &call.leave],
            EdgeKind::Spawn(_) => unreachable!("sequential programs only"),
        };
        for (at, relation) in relations.iter().enumerate() {
            occurs.extend(relation.exprs().flat_map(|expr| expr.reads()).map(|(variable, _)| variable));
            for update in &relation.updates {
                occurs.insert(update.variable);
                let entering = at == 0 && matches!(edge.kind, EdgeKind::Call(_));
                let own = match program.variables[update.variable].scope {
                    Scope::Local(owner) => {
                        owner == procedure && source == procedure && (!entering || update.when == program::When::Saved)
                    }
                    _ => below.contains(&source),
                };
                if own {
                    written.insert(update.variable);
                }
            }
        }
    }
    let globals = program.variables_in(Scope::Shared);
    let both: Vec<VariableId> =
        globals.chain(program.procedures[procedure].frame()).filter(|it| occurs.contains(it)).collect();
    let unchanged = both.iter().copied().filter(|it| !written.contains(it)).collect();
    Tracked { both, unchanged }
}

struct Builder {
    dag: Dag,
    unique: HashMap<(u32, u32, u32), u32>,
}

impl Builder {
    /// The diagram of a set of rows, sorted, from a column on.
    fn build(&mut self, rows: &[Vec<bool>], column: usize) -> u32 {
        let Some(first) = rows.first() else { return 0 };
        if column == first.len() {
            return 1;
        }
        let middle = rows.partition_point(|row| !row[column]);
        let low = self.build(&rows[..middle], column + 1);
        let high = self.build(&rows[middle..], column + 1);
        if low == high {
            return low;
        }
        let dag = &mut self.dag;
        *self.unique.entry((column as u32, low, high)).or_insert_with(|| {
            dag.nodes.push((Var(column as u32), low, high));
            dag.nodes.len() as u32 + 1
        })
    }
}

/// Checks the five conditions on all states.
pub(crate) fn validate(program: &Program, certificate: &Certificate) -> Result<(), String> {
    let checker = Checker { program, states: States::new(program), certificate };
    let locations = program.locations.ids();
    let sets: Vec<BTreeSet<(State, State)>> = locations.map(|location| checker.set(location)).collect();
    checker.check(&sets)
}

struct Checker<'p> {
    program: &'p Program,
    states: States<'p>,
    certificate: &'p Certificate,
}

impl Checker<'_> {
    fn set(&self, location: LocationId) -> BTreeSet<(State, State)> {
        let Ok(at) = self.certificate.sets.binary_search_by_key(&location, |(id, _)| *id) else {
            return BTreeSet::new();
        };
        let procedure = self.program.locations[location].procedure;
        let all = self.states.all(procedure);
        let pairs = all.iter().flat_map(|entered| all.iter().map(move |state| (*entered, *state)));
        pairs
            .filter(|(entered, state)| self.contains(&self.certificate.sets[at].1, procedure, *entered, *state))
            .collect()
    }

    fn contains(&self, set: &Set, procedure: ProcedureId, entered: State, state: State) -> bool {
        let (facts, root) = match set {
            Set::Facts(facts) => (facts, None),
            Set::Diagram { root, facts } => (facts, Some(*root)),
        };
        let known = facts.iter().all(|(variable, value)| *value == self.states.get(state, *variable).into());
        let Some(root) = root else { return known };
        let frame = self.certificate.frames.iter().find(|(id, _)| *id == procedure).map(|(_, frame)| frame);
        let unchanged = frame.is_none_or(|frame| {
            frame.unchanged.iter().all(|it| self.states.get(entered, *it) == self.states.get(state, *it))
        });
        known && unchanged && self.evaluate(root, frame, entered, state)
    }

    fn evaluate(&self, root: u32, frame: Option<&Frame>, entered: State, state: State) -> bool {
        let mut at = self.certificate.dag.roots[root as usize];
        while at >= 2 {
            let (var, low, high) = self.certificate.dag.nodes[at as usize - 2];
            let column = frame.and_then(|frame| frame.columns.iter().find(|(number, _)| *number == var.0));
            let Some((_, column)) = column else { panic!("a column for every variable") };
            let value = match column.copy {
                Copy::Entry => self.states.get(entered, column.variable),
                Copy::Current => self.states.get(state, column.variable),
            };
            at = if value { high } else { low };
        }
        at == 1
    }

    fn check(&self, sets: &[BTreeSet<(State, State)>]) -> Result<(), String> {
        let set = |location: LocationId| &sets[location.0 as usize];
        let start = self.program.procedures[self.program.threads[0].start].entries[0];
        if !self.states.starts().iter().all(|state| set(start).contains(&(*state, *state))) {
            return Err("start".to_owned());
        }
        if let Some(target) = self.certificate.targets.iter().find(|target| !set(**target).is_empty()) {
            return Err(format!("target {target:?}"));
        }
        for (id, edge) in self.program.edges.iter_ids() {
            for (entered, state) in set(edge.source) {
                match &edge.kind {
                    EdgeKind::Step(relation) => {
                        let outcomes = self.states.step(relation, *state);
                        if !outcomes.iter().all(|it| set(edge.target).contains(&(*entered, it.after))) {
                            return Err(format!("step {id:?} from {entered:?} {state:?}"));
                        }
                    }
                    EdgeKind::Call(call) => {
                        for outcome in self.states.enter(&call.enter, *state, call.callee) {
                            if !set(call.entry).contains(&(outcome.after, outcome.after)) {
                                return Err(format!("enter {id:?} from {entered:?} {state:?}"));
                            }
                            for exit in &self.program.procedures[call.callee].exits {
                                let inside = set(*exit).iter().filter(|(from, _)| *from == outcome.after);
                                for (_, exit) in inside {
                                    let outcomes = self.states.leave(&call.leave, outcome.saved, *exit);
                                    if !outcomes.iter().all(|it| set(edge.target).contains(&(*entered, it.after))) {
                                        return Err(format!("leave {id:?} from {entered:?} {state:?} by {exit:?}"));
                                    }
                                }
                            }
                        }
                    }
                    EdgeKind::Spawn(_) => unreachable!("sequential programs only"),
                }
            }
        }
        Ok(())
    }
}
