//! The algorithms that ship, against `summary`: same answers, traces that replay.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use std::sync::Arc;

use base::{Budget, Silent, Source};
use calculus::Control;
use engine::formula::{ALGORITHMS, Formula};
use engine::init::WithoutInit;
use engine::{Answer, Asked, Context, Engine, summary};
use program::{LocationId, Program, interp};
use transform::Way;

const SEQUENTIAL: [&str; 5] = ["summary", "entry-forward", "entry-forward-split", "entry-forward-opt", "backward"];

fn load(text: &str) -> Option<Program> {
    let source = Source::new("test.bp", text);
    let (tree, diagnostics) = front_bp::parse(&source);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let options = front_bp::Options::default();
    let lowered = front_bp::lower(&tree?, &source, &options);
    lowered.ok().map(|lowered| lowered.0.program)
}

fn algorithm(name: &str) -> Formula {
    let text = ALGORITHMS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text).expect("it ships");
    Formula::parse(name, text).unwrap_or_else(|(_, diagnostics)| panic!("{name}: {diagnostics:?}"))
}

fn solve(engine: &dyn Engine, program: &Program, targets: &[LocationId]) -> Answer {
    ask(engine, program, targets, Asked { bound: None, traces: true, certificate: true })
}

/// The certificate is that of the first program, if it has one.
fn ask(engine: &dyn Engine, program: &Program, targets: &[LocationId], asked: Asked) -> Answer {
    let (budget, mut way) = (Budget::unlimited(), Way::new(Arc::new(program.clone()), targets.to_vec()));
    let context = Context::new(&budget, &Silent);
    way.take(&WithoutInit, &context).expect("`init` is removed");
    let (answer, certified) = engine::answer(engine, &way, asked, &context).expect("there is a way back");
    Answer { certificate: certified.map(|certified| certified.certificate), ..answer }
}

/// Every location is asked about.
fn agree(name: &str, program: &Program, formula: &Formula) {
    let targets: Vec<LocationId> = program.locations.ids().collect();
    let expected = solve(&summary::Summary, program, &targets);
    let answer = solve(formula, program, &targets);
    assert_eq!(answer.stopped, None, "{name}");
    assert_eq!(answer.reached, expected.reached, "{name}");
    assert_eq!(answer.traces.len(), answer.reached.len(), "{name}: every reached target has a trace");
    if answer.reached.len() < targets.len() && program.init.is_none() {
        let certificate = answer.certificate.unwrap_or_else(|| panic!("{name}: a proof"));
        witness::validate(program, &certificate, &Budget::unlimited()).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    for (target, trace) in &answer.traces {
        interp::replay(program, trace, *target).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/bp");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a corpus").map(|f| f.expect("a file").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "bp")) {
        let text = std::fs::read_to_string(file).expect("text");
        let Some(program) = load(&text) else { continue };
        if summary::Summary.supports(&program).is_err() || program.locations.len() > 400 {
            continue;
        }
        for name in SEQUENTIAL {
            agree(&format!("{name} {file:?}"), &program, &algorithm(name));
        }
        let mut symbolic = algorithm("entry-forward");
        symbolic.control = Control::Symbolic;
        agree(&format!("symbolic {file:?}"), &program, &symbolic);
    }
}

#[test]
fn files_that_ship_fit_programs() {
    let program = load("decl g; void main() begin g := T; end").expect("a program");
    let supply = encode::Supply::new(&program, &[], |_| 0);
    for (name, _) in ALGORITHMS {
        let bound = Some(program::Bound::Switches(2));
        algorithm(name).resolve(&supply, bound).unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:?}"));
    }
}

/// Figure 3 of the Getafix paper has 7.0 thousand nodes for an adder, a stopper and four switches. Without an order
/// learnt from two switches there are a third more; with patterns as well, twice as many.
#[test]
fn sets_with_recorded_values_are_small() {
    let program = load(include_str!("../../../corpus/bp/bluetooth_v2_safe.bp")).expect("a program");
    let targets: Vec<LocationId> = program.assertion_targets().iter().map(|target| target.location).collect();
    let asked = Asked { bound: Some(program::Bound::Switches(4)), traces: false, certificate: false };
    let mut formula = algorithm("context-bounded");
    formula.profile = true;
    let answer = ask(&formula, &program, &targets, asked);
    assert_eq!((answer.reached.len(), answer.stopped), (0, None));
    let line = answer.account.lines().find(|line| line.contains("mu Reach:")).expect("what it cost");
    let nodes = line.split_once('(').and_then(|(_, rest)| rest.split_once(" distinct)")).expect("nodes").0;
    assert!(nodes.parse().is_ok_and(|nodes: usize| nodes < 7_000), "{line}");
}
