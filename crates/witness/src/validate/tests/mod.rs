//! Certificates that prove something are accepted, all others are not.
//!
//! The law: on small random programs, the checker and the definition (`oracle`) agree about certificates that are made
//! from the smallest sets and then written down in different ways and damaged at random.

mod oracle;

use std::collections::BTreeMap;

use base::Budget;
use bdd::{Config, Manager, Var};
use program::random::{self, Shape};
use program::{LocationId, ProcedureId, Program, Value, VariableId};

use super::*;
use crate::{Column, Copy, Frame, Set};
use oracle::{Pairs, State};

/// A splitmix64 sequence.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A certificate under construction.
struct Draft<'a> {
    program: &'a Program,
    sets: BTreeMap<LocationId, Pairs>,
    /// Locations of which nothing is said but facts.
    loose: Vec<LocationId>,
    facts: BTreeMap<LocationId, Vec<(VariableId, Value)>>,
    unchanged: BTreeMap<ProcedureId, Vec<VariableId>>,
    targets: Vec<LocationId>,
}

impl<'a> Draft<'a> {
    fn new(program: &'a Program, sets: &BTreeMap<LocationId, Pairs>) -> Self {
        let targets = sets.iter().filter(|(_, pairs)| pairs.is_empty()).map(|(location, _)| *location).collect();
        let sets = sets.clone().into_iter().filter(|(_, pairs)| !pairs.is_empty()).collect();
        let (loose, facts, unchanged) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { program, sets, loose, facts, unchanged, targets }
    }

    /// Variables that have the same value at entry and now, in all pairs of the procedure's diagrams.
    fn really_unchanged(&self, procedure: ProcedureId) -> Vec<VariableId> {
        let own = |location: &LocationId| self.program.locations[*location].procedure == procedure;
        let tight = self.sets.iter().filter(|(location, _)| own(location) && !self.loose.contains(location));
        let pairs: Vec<&(State, State)> = tight.flat_map(|(_, pairs)| pairs).collect();
        let mut variables = oracle::visible(self.program, procedure);
        variables.retain(|variable| pairs.iter().all(|(entry, current)| entry[variable] == current[variable]));
        variables
    }

    /// Writes true things down in another way.
    fn rephrase(&mut self, dice: &mut Dice) {
        for procedure in self.program.procedures.ids() {
            let mut unchanged = self.really_unchanged(procedure);
            unchanged.retain(|_| !dice.once_in(3));
            self.unchanged.insert(procedure, unchanged);
        }
        for (location, pairs) in &self.sets {
            for variable in oracle::visible(self.program, self.program.locations[*location].procedure) {
                let value = pairs.first().map(|(_, current)| current[&variable].clone());
                let same = pairs.iter().all(|(_, current)| Some(&current[&variable]) == value.as_ref());
                if let (Some(value), true, true) = (value, same, dice.once_in(2)) {
                    self.facts.entry(*location).or_default().push((variable, value));
                }
            }
        }
    }

    /// Says something else, which may or may not still be a proof.
    fn damage(&mut self, dice: &mut Dice) {
        let locations: Vec<LocationId> = self.program.locations.ids().collect();
        let location = locations[dice.below(locations.len())];
        let procedure = self.program.locations[location].procedure;
        let variables = oracle::visible(self.program, procedure);
        let states = oracle::states(self.program, procedure);
        let any_state = |dice: &mut Dice| states[dice.below(states.len())].clone();
        match dice.below(8) {
            0 => drop(self.sets.remove(&location)),
            1 => {
                if let Some(pairs) = self.sets.get_mut(&location) {
                    let at = dice.below(pairs.len());
                    let pair = pairs.iter().nth(at).cloned();
                    pairs.retain(|other| Some(other) != pair.as_ref());
                }
            }
            2 => drop(self.sets.entry(location).or_default().insert((any_state(dice), any_state(dice)))),
            3 if !variables.is_empty() => {
                let variable = variables[dice.below(variables.len())];
                let values = oracle::all_values(self.program, self.program.sort(variable));
                let value = values[dice.below(values.len())].clone();
                self.facts.entry(location).or_default().push((variable, value));
            }
            4 if !variables.is_empty() => {
                let variable = variables[dice.below(variables.len())];
                self.unchanged.entry(procedure).or_default().push(variable);
            }
            5 => self.targets.push(location),
            _ => {
                self.sets.entry(location).or_default();
                self.loose.push(location);
            }
        }
    }

    /// The bits of a procedure: shared ones first, so that procedures share their numbers.
    fn bits(&self, procedure: ProcedureId) -> Vec<(VariableId, u32)> {
        let mut bits = Vec::new();
        for local in [false, true] {
            for variable in oracle::visible(self.program, procedure) {
                if matches!(self.program.variables[variable].scope, program::Scope::Local(_)) == local {
                    let n_bits = self.program.sort(variable).n_bits(self.program) as u32;
                    bits.extend((0..n_bits).map(|bit| (variable, bit)));
                }
            }
        }
        bits
    }

    fn certificate(&self) -> Certificate {
        let program = self.program;
        let manager = Manager::new(&Config::small());
        let n_bits = program.procedures.ids().map(|procedure| self.bits(procedure).len()).max().unwrap_or(0);
        manager.add_vars(2 * n_bits);
        let mut certificate = Certificate { targets: self.targets.clone(), ..Certificate::default() };
        for procedure in program.procedures.ids() {
            let unchanged = self.unchanged.get(&procedure).cloned().unwrap_or_default();
            let mut columns = Vec::new();
            for (number, (variable, bit)) in (0..).zip(self.bits(procedure)) {
                columns.push((2 * number, Column { variable, bit, copy: Copy::Entry }));
                columns.push((2 * number + 1, Column { variable, bit, copy: Copy::Current }));
            }
            certificate.frames.push((procedure, Frame { columns, unchanged }));
        }
        let mut roots = Vec::new();
        for (location, pairs) in &self.sets {
            let facts = self.facts.get(location).cloned().unwrap_or_default();
            let set = if self.loose.contains(location) {
                Set::Facts(facts)
            } else {
                roots.push(self.diagram(&manager, program.locations[*location].procedure, pairs));
                Set::Diagram { root: roots.len() as u32 - 1, facts }
            };
            certificate.sets.push((*location, set));
        }
        certificate.dag = manager.export(&roots);
        certificate.drop_unused_columns(program);
        certificate
    }

    fn diagram(&self, manager: &Manager, procedure: ProcedureId, pairs: &Pairs) -> bdd::Bdd {
        let bits = self.bits(procedure);
        let value = |state: &State, (variable, bit): (VariableId, u32)| {
            self.program.sort(variable).bits_of(self.program, &state[&variable])[bit as usize]
        };
        let mut sum = manager.bdd_false();
        for (entry, current) in pairs {
            let literal = |(number, bit): (u32, &(VariableId, u32))| {
                [(Var(2 * number), value(entry, *bit)), (Var(2 * number + 1), value(current, *bit))]
            };
            let literals: Vec<(Var, bool)> = (0..).zip(&bits).flat_map(literal).collect();
            sum = sum.or(&manager.conjunction(&literals).unwrap()).unwrap();
        }
        // What is said elsewhere need not be said by the diagram.
        let unchanged = self.unchanged.get(&procedure).cloned().unwrap_or_default();
        let said = |(number, (variable, _)): (u32, &(VariableId, u32))| {
            unchanged.contains(variable).then_some(Var(2 * number))
        };
        let said: Vec<Var> = (0..).zip(&bits).filter_map(said).collect();
        sum.exists(&manager.cube(&said)).unwrap()
    }
}

impl Certificate {
    /// Leaves out columns that no diagram of the procedure mentions.
    fn drop_unused_columns(&mut self, program: &Program) {
        for (procedure, frame) in &mut self.frames {
            let mut used: Vec<u32> = Vec::new();
            for (location, set) in &self.sets {
                let Set::Diagram { root, .. } = set else { continue };
                let mut todo = vec![self.dag.roots[*root as usize]];
                while let Some(node) = todo.pop() {
                    if program.locations[*location].procedure == *procedure && node >= 2 {
                        let (variable, low, high) = self.dag.nodes[node as usize - 2];
                        if !used.contains(&variable.0) {
                            used.push(variable.0);
                        }
                        todo.extend([low, high]);
                    }
                }
            }
            frame.columns.retain(|(number, _)| used.contains(number));
        }
        let all: Vec<u32> =
            self.frames.iter().flat_map(|(_, frame)| &frame.columns).map(|(number, _)| *number).collect();
        assert!(self.dag.nodes.iter().all(|(variable, ..)| all.contains(&variable.0)));
    }
}

fn check(program: &Program, certificate: &Certificate) -> Result<(), ValidateError> {
    validate(program, certificate, &Budget::unlimited())
}

fn small_program(seed: u64, booleans: bool) -> Program {
    let (shared, locals) = if booleans { (2, 2) } else { (1, 1) };
    random::program(&Shape { seed, booleans, shared, locals, locations: 3, ..Shape::default() })
}

fn n_states(program: &Program) -> usize {
    program.procedures.ids().map(|procedure| oracle::states(program, procedure).len()).max().unwrap_or(0)
}

#[test]
fn the_checker_agrees_with_the_definition() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..120 {
        let program = small_program(seed, seed % 2 == 0);
        if n_states(&program) > 24 {
            continue;
        }
        let sets = oracle::least(&program);
        let mut dice = Dice(seed);
        for round in 0..8 {
            let mut draft = Draft::new(&program, &sets);
            if round % 2 == 1 {
                draft.rephrase(&mut dice);
            }
            for _ in 0..round / 2 {
                draft.damage(&mut dice);
            }
            let certificate = draft.certificate();
            let expected = oracle::holds(&program, &certificate);
            assert!(expected || round >= 2, "seed {seed}: the smallest sets are a proof");
            match check(&program, &certificate) {
                Ok(()) => accepted += 1,
                Err(ValidateError::Rejected(_)) => rejected += 1,
                Err(other) => panic!("seed {seed} round {round}: {other}"),
            }
            let got = check(&program, &certificate);
            assert_eq!(got.is_ok(), expected, "seed {seed} round {round}: {got:?}\n{}", program::text::print(&program));
        }
    }
    assert!(accepted > 150 && rejected > 150, "{accepted} {rejected}");
}
