//! Saturation in both directions reaches what the oracle reaches, with evidence that holds.

use base::{Budget, Silent};
use engine::{Answer, Context, Engine, Task};
use program::random::Shape;
use program::{LocationId, Program, interp};

fn solve(engine: &dyn Engine, program: &Program, targets: &[LocationId]) -> Answer {
    let task = Task { program, targets, lengths: &[], bound: None, traces: true, certificate: true };
    engine.solve(&task, &Context { budget: &Budget::unlimited(), observer: &Silent })
}

fn named(name: &str) -> &'static dyn Engine {
    let found = engine::engines().into_iter().find(|engine| engine.name() == name);
    found.unwrap_or_else(|| panic!("{name} is an engine"))
}

/// Checks both directions against the oracle; says how many locations are reached, and how many proofs there were.
fn check(program: &Program, what: &dyn std::fmt::Display) -> (usize, usize) {
    let targets: Vec<LocationId> = program.locations.ids().collect();
    let expected = solve(named("explicit"), program, &targets).reached;
    let mut n_proofs = 0;
    for name in ["saturation", "saturation-backward"] {
        let answer = solve(named(name), program, &targets);
        assert_eq!(answer.stopped, None, "{what}, {name}");
        assert_eq!(answer.reached, expected, "{what}, {name}");
        assert_eq!(answer.traces.len(), expected.len(), "{what}, {name}");
        for (target, trace) in &answer.traces {
            interp::replay(program, trace, *target).unwrap_or_else(|e| panic!("{what}, {name}, {target:?}: {e}"));
        }
        if let Some(certificate) = &answer.certificate {
            n_proofs += 1;
            let checked = witness::validate(program, certificate, &Budget::unlimited());
            assert!(checked.is_ok(), "{what}, {name}: {checked:?}");
        }
    }
    (expected.len(), n_proofs)
}

#[test]
fn random_programs() {
    let (mut n_reached, mut n_all, mut n_proofs) = (0, 0, 0);
    for seed in 0..400 {
        let shape = Shape { seed, procedures: 3, booleans: seed % 2 == 0, ..Shape::default() };
        let program = program::random::program(&shape);
        let (reached, proofs) = check(&program, &format_args!("{shape:?}"));
        n_reached += reached;
        n_all += program.locations.len();
        n_proofs += proofs;
    }
    assert!(n_reached * 5 > n_all && n_reached * 10 < n_all * 9, "a fair mix: {n_reached} of {n_all}");
    assert!(n_proofs > 300, "{n_proofs}");
}

/// A pushdown system whose calls return in several control states, found one after the other: the second return of `f` is
/// only possible through a call of `f` itself, and only then does the way to `err` open. An algorithm that forgets to join
/// a later return with what already waits for it says that `err` is not reached.
const LATE_RETURNS: &str = "
    enum state { q0, q1, q2 }
    shared state: state;
    thread main: m;
    start state = state.q0;
    procedure m() {
      entry 0; exit 4;
      0: -> 1 call f.0;
      1: -> 2 call f.0 enter { when state = state.q2 };
         -> 4 when state = state.q1;
      2: -> 3 when state = state.q0;
      3 (err): -> 3;
      4:
    }
    procedure f() {
      entry 0, 1; exit 3;
      0: -> 3 when state = state.q0 do state := state.q1;
         -> 2 call f.0 enter { when state = state.q0 };
         -> 3 when state = state.q2 do state := state.q0;
      1: -> 3 when state = state.q1 do state := state.q2;
      2: -> 3 call f.1;
      3:
    }";

#[test]
fn returns_that_are_found_late_are_joined() {
    let source = base::Source::new("late.cauldron", LATE_RETURNS);
    let (program, _) = program::text::parse(&source).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (reached, _) = check(&program, &"late returns");
    let err = program.label_targets("err")[0].location;
    for name in ["explicit", "saturation", "saturation-backward"] {
        assert_eq!(solve(named(name), &program, &[err]).reached, [err], "{name}, {reached}");
    }
}
