//! Certificates that prove something are accepted, all others are not.
//!
//! The law: on small random programs, the checker and the definition (`oracle`) agree about certificates that are made
//! from the smallest sets and then written down in different ways and damaged at random.

mod forged;
mod oracle;
mod values;
mod wide;

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
    /// Whether diagrams speak of the entry value of an unchanged variable, and not of its current one.
    by_entry: bool,
    targets: Vec<LocationId>,
}

impl<'a> Draft<'a> {
    fn new(program: &'a Program, sets: &BTreeMap<LocationId, Pairs>) -> Self {
        let targets = sets.iter().filter(|(_, pairs)| pairs.is_empty()).map(|(location, _)| *location).collect();
        let sets = sets.clone().into_iter().filter(|(_, pairs)| !pairs.is_empty()).collect();
        let (loose, facts, unchanged) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { program, sets, loose, facts, unchanged, by_entry: false, targets }
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
        self.by_entry = dice.once_in(2);
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
            unchanged.contains(variable).then_some(Var(2 * number + u32::from(self.by_entry)))
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

/// A program whose target is unreachable, with a certificate of its smallest sets.
fn example(text: &str) -> (Program, Certificate) {
    let source = base::Source::new("example", text);
    let program = match program::text::parse(&source) {
        Ok((program, _)) => program,
        Err(diagnostics) => panic!("{diagnostics:#?}"),
    };
    let certificate = Draft::new(&program, &oracle::least(&program)).certificate();
    assert_eq!(check(&program, &certificate), Ok(()));
    (program, certificate)
}

/// `flip` negates g and tells the old value; main calls it twice, so g is as before at location 2.
const TWICE: &str = "\
shared g: bool;
thread main: main;
procedure main() {
  local old: bool;
  local last: bool;
  entry 0;
  0:
    -> 1 do old := g;
  1:
    -> 2 call flip.0;
  2:
    -> 3 call flip.0 leave { do last := result was };
  3:
    -> 4 when g != old;
    -> 5 when g = last;
  4 violation:
  5 violation:
}
procedure flip() -> (was: bool) {
  entry 0;
  exit 1;
  0:
    -> 1 do g := !g, was := g;
  1:
}
";

fn location(program: &Program, name: &str) -> LocationId {
    let found = program.locations.ids().find(|id| program.location_name(*id) == name);
    found.unwrap_or_else(|| panic!("there is no location {name}"))
}

fn rejection(program: &Program, certificate: &Certificate) -> String {
    match check(program, certificate) {
        Err(ValidateError::Rejected(what)) => what,
        other => panic!("not rejected: {other:?}"),
    }
}

#[test]
fn a_proof_through_calls_is_accepted() {
    let (program, certificate) = example(TWICE);
    assert_eq!(certificate.targets, [location(&program, "main.4"), location(&program, "main.5")]);
}

#[test]
fn a_location_that_is_left_out_is_missed_by_the_edges_that_lead_there() {
    let (program, certificate) = example(TWICE);
    let without = |name: &str| {
        let mut certificate = certificate.clone();
        certificate.sets.retain(|(place, _)| *place != location(&program, name));
        rejection(&program, &certificate)
    };
    assert_eq!(without("main.0"), "some initial state is not in its set at main.0");
    assert_eq!(without("main.1"), "the step from main.0 to main.1 is possible, but there is no set at its end");
    assert_eq!(without("flip.0"), "the call at main.1 enters flip.0 outside of its set");
    assert_eq!(without("flip.1"), "the step from flip.0 to flip.1 is possible, but there is no set at its end");
    let returns = "the return from flip.1 to main.2, called at main.1, is possible, but there is no set at its end";
    assert_eq!(without("main.2"), returns);
}

#[test]
fn a_set_that_is_too_small_is_left_by_some_edge() {
    let (program, certificate) = example(TWICE);
    let with = |name: &str, fact: (u32, bool)| {
        let mut certificate = certificate.clone();
        for (place, set) in &mut certificate.sets {
            if let (true, Set::Diagram { facts, .. }) = (*place == location(&program, name), set) {
                facts.push((VariableId(fact.0), Value::Bool(fact.1)));
            }
        }
        rejection(&program, &certificate)
    };
    assert_eq!(with("main.0", (0, true)), "some initial state is not in its set at main.0");
    assert_eq!(with("main.1", (0, true)), "the step from main.0 to main.1 leads out of the set at its end");
    assert_eq!(with("flip.0", (0, false)), "the call at main.1 enters flip.0 outside of its set");
    assert_eq!(with("flip.1", (0, false)), "the step from flip.0 to flip.1 leads out of the set at its end");
    let returns = "the return from flip.1 to main.2, called at main.1, leads out of the set at its end";
    assert_eq!(with("main.2", (0, true)), returns);
}

#[test]
fn a_target_must_have_no_states() {
    let (program, mut certificate) = example(TWICE);
    certificate.targets.push(location(&program, "main.2"));
    assert_eq!(rejection(&program, &certificate), "its set of states at the target main.2 is not empty");
    let (program, mut certificate) = example(TWICE);
    certificate.sets.push((location(&program, "main.4"), Set::Facts(Vec::new())));
    certificate.sets.sort_by_key(|(place, _)| *place);
    assert_eq!(rejection(&program, &certificate), "its set of states at the target main.4 is not empty");
}

#[test]
fn what_is_said_to_be_unchanged_must_be() {
    let (program, certificate) = example(TWICE);
    let claiming = |procedure: u32, variable: u32| {
        let mut certificate = certificate.clone();
        certificate.frames[procedure as usize].1.unchanged.push(VariableId(variable));
        check(&program, &certificate)
    };
    // With the claim, the set at flip.1 has fewer states than there are.
    assert!(matches!(claiming(1, 0), Err(ValidateError::Rejected(_))));
    assert!(matches!(claiming(0, 1), Err(ValidateError::Rejected(_))));
    assert!(matches!(claiming(0, 0), Err(ValidateError::Rejected(_))));
}

#[test]
fn an_unchanged_claim_without_columns_is_checked_at_every_edge() {
    let text = "\
shared g: bool;
thread main: main;
procedure main() {
  entry 0;
  0:
    -> 1 call p.0;
  1:
    -> 2 do g := g;
  2:
    -> 3 do g := any where g' = g;
  3:
    -> 0 when false do g := !g;
}
procedure p() {
  entry 0;
  exit 1;
  0:
    -> 1;
  1:
}
";
    let claims = |text: &str, procedures: &[u32]| {
        let source = base::Source::new("example", text);
        let (program, _) = program::text::parse(&source).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
        let everywhere = |place: LocationId| (place, Set::Diagram { root: 0, facts: Vec::new() });
        let unchanged =
            |procedure: &u32| (ProcedureId(*procedure), Frame { columns: Vec::new(), unchanged: vec![VariableId(0)] });
        let certificate = Certificate {
            frames: procedures.iter().map(unchanged).collect(),
            sets: program.locations.ids().map(everywhere).collect(),
            dag: bdd::Dag { nodes: Vec::new(), roots: vec![1] },
            ..Certificate::default()
        };
        check(&program, &certificate).map_err(|error| error.to_string())
    };
    assert_eq!(claims(text, &[0, 1]), Ok(()));
    let changes = |what: &str| {
        Err(format!("the certificate proves nothing: {what} changes a variable that is said to be unchanged"))
    };
    // Without the claim about p, nothing is known about g when it returns.
    assert_eq!(claims(text, &[0]), changes("the return from p.1 to main.1, called at main.0,"));
    assert_eq!(claims(&text.replace("when false ", ""), &[0, 1]), changes("the step from main.3 to main.0"));
    assert_eq!(claims(&text.replace("g := g;", "g := any;"), &[0, 1]), changes("the step from main.1 to main.2"));
    let in_callee = text.replace("    -> 1;\n  1:\n", "    -> 1 do havoc g;\n  1:\n");
    assert_eq!(claims(&in_callee, &[0, 1]), changes("the step from p.0 to p.1"));
    let entering = text.replace("call p.0;", "call p.0 enter { do g := !g };");
    assert_eq!(claims(&entering, &[0, 1]), changes("the return from p.1 to main.1, called at main.0,"));
    let leaving = text.replace("call p.0;", "call p.0 leave { do g := !g };");
    assert_eq!(claims(&leaving, &[0, 1]), changes("the return from p.1 to main.1, called at main.0,"));
}

#[test]
fn certificates_of_other_shapes_are_malformed() {
    let (program, certificate) = example(TWICE);
    let changed = |change: &dyn Fn(&mut Certificate)| {
        let mut certificate = certificate.clone();
        change(&mut certificate);
        match check(&program, &certificate) {
            Err(ValidateError::Malformed(_)) => true,
            other => panic!("not malformed: {other:?}"),
        }
    };
    let column = |variable, bit| Column { variable: VariableId(variable), bit, copy: Copy::Current };
    assert!(changed(&|certificate| certificate.targets.push(LocationId(99))));
    assert!(changed(&|certificate| certificate.frames.reverse()));
    assert!(changed(&|certificate| certificate.frames.push((ProcedureId(9), Frame::default()))));
    assert!(changed(&|certificate| certificate.frames[0].1.columns.push((99, column(9, 0)))));
    assert!(changed(&|certificate| certificate.frames[0].1.columns.push((99, column(3, 0)))));
    assert!(changed(&|certificate| certificate.frames[0].1.columns.push((99, column(0, 1)))));
    assert!(changed(&|certificate| certificate.frames[0].1.columns.push((99, column(0, 0)))));
    assert!(changed(&|certificate| certificate.frames[0].1.columns.reverse()));
    assert!(changed(&|certificate| certificate.frames[1].1.columns.truncate(1)));
    assert!(changed(&|certificate| certificate.frames[1].1.unchanged.push(VariableId(1))));
    assert!(changed(&|certificate| certificate.sets.reverse()));
    assert!(changed(&|certificate| certificate.sets.push((LocationId(99), Set::Facts(Vec::new())))));
    assert!(changed(&|certificate| certificate.sets[0].1 = Set::Diagram { root: 99, facts: Vec::new() }));
    assert!(changed(&|certificate| certificate.sets[0].1 = Set::Facts(vec![(VariableId(0), Value::Bits(1))])));
    assert!(changed(&|certificate| certificate.sets[0].1 = Set::Facts(vec![(VariableId(3), Value::Bool(true))])));
    assert!(changed(&|certificate| certificate.dag.nodes[0].1 = 2));
    assert!(changed(&|certificate| certificate.dag.nodes[0].0 = Var(1 << 30)));
    assert!(changed(&|certificate| certificate.dag.roots[0] = 1 << 30));
}

/// A certificate that says nothing but that everything is possible everywhere, and claims no targets.
fn everything(program: &Program) -> Certificate {
    let sets = program.locations.ids().map(|place| (place, Set::Facts(Vec::new()))).collect();
    Certificate { sets, ..Certificate::default() }
}

#[test]
fn enumerations_have_no_further_values() {
    let text = "\
enum colour { red, green, blue }
shared c: colour;
shared row: [colour; 2];
thread main: main;
procedure main() {
  entry 0;
  0:
    -> 1 when c != colour.red & c != colour.green & c != colour.blue;
    -> 1 when !(c = colour.red | c = colour.green | c = colour.blue) = true;
    -> 2 do row[0u1] := c;
  1:
  2:
    -> 1 when !(row[0u1] = c) & row[1u1] != colour.red & row[1u1] != colour.green & row[1u1] != colour.blue;
}
";
    let source = base::Source::new("example", text);
    let (program, _) = program::text::parse(&source).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    let mut certificate = everything(&program);
    certificate.targets = vec![LocationId(1)];
    certificate.sets.remove(1);
    assert_eq!(check(&program, &certificate), Ok(()));
}

#[test]
fn programs_with_threads_have_no_certificates() {
    let (mut program, certificate) = example(TWICE);
    program.threads.push(program.threads[0].clone());
    assert!(matches!(check(&program, &certificate), Err(ValidateError::Unsupported(_))));
}

#[test]
fn limits_stop_the_check() {
    let (program, certificate) = example(TWICE);
    let budget = Budget::unlimited();
    budget.cancel().cancel();
    let stopped = validate(&program, &certificate, &budget);
    assert_eq!(stopped, Err(ValidateError::Stopped(base::StopReason::Cancelled)));
}
