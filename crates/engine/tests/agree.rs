//! The symbolic engine and the oracle on small programs: same answers, traces that replay.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use base::{Budget, Silent, Source};
use engine::{Answer, Context, Engine, Task};
use program::{LocationId, Program, interp};

fn load(text: &str) -> Program {
    let source = Source::new("test.bp", text);
    let (tree, diagnostics) = front_bp::parse(&source);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let options = front_bp::Options::default();
    let lowered = front_bp::lower(&tree.expect("a tree"), &source, &options);
    lowered.expect("it lowers").0.program
}

fn solve(engine: &dyn Engine, program: &Program, targets: &[LocationId]) -> Answer {
    let task = Task { program, targets, lengths: &[], bound: None, traces: true, certificate: true };
    engine.solve(&task, &Context { budget: &Budget::unlimited(), observer: &Silent })
}

/// Both engines find exactly these labels, and every trace replays.
fn check(text: &str, labels: &[&str], reachable: &[&str]) {
    let program = load(text);
    let targets: Vec<LocationId> =
        labels.iter().flat_map(|label| program.label_targets(label)).map(|target| target.location).collect();
    assert_eq!(targets.len(), labels.len(), "every label names one location");
    let wanted: Vec<LocationId> =
        reachable.iter().flat_map(|label| program.label_targets(label)).map(|target| target.location).collect();
    for engine in engine::engines() {
        let answer = solve(engine, &program, &targets);
        assert_eq!(answer.reached, wanted, "{}", engine.name());
        assert_eq!(answer.traces.len(), wanted.len(), "{}", engine.name());
        for (target, trace) in &answer.traces {
            interp::replay(&program, trace, *target).unwrap_or_else(|error| panic!("{}: {error}", engine.name()));
        }
    }
}

#[test]
fn figure_one_of_the_bebop_paper() {
    let text = |first: &str| {
        format!(
            "decl g;
             main() begin decl h; {first}
               h := !g; A(g,h); skip; A(g,h); skip;
               if (g) then R: skip; else N: skip; fi
             end
             A(a1,a2) begin
               if (a1) then A(a2,a1); skip; else g := a2; fi
             end"
        )
    };
    check(&text(""), &["R", "N"], &["R"]);
    // With g = 0 at the start the second call of A recurs for ever.
    check(&text("g := 0;"), &["R", "N"], &[]);
}

#[test]
fn results_are_assigned_together_and_frames_are_restored() {
    let text = "decl g;
        bool<2> swap(a, b) begin decl c; c := a; a := b; b := c; g := !g; return a, b; end
        void main() begin
          decl x, y;
          x, y, g := T, F, F;
          x, y := swap(x, y);
          if (x | !y | !g) then BAD: skip; fi
          g, x := swap(g, y);
          if (!g | !x) then WORSE: skip; fi
          GOOD: skip;
        end";
    check(text, &["BAD", "WORSE", "GOOD"], &["GOOD"]);
}

#[test]
fn recursion_that_only_ends_by_its_base_case() {
    let text = "decl g;
        void p() begin if (*) then p(); p(); g := !g; else g := T; fi end
        void main() begin g := F; p(); if (g) then ODD: skip; else EVEN: skip; fi end";
    check(text, &["ODD", "EVEN"], &["ODD", "EVEN"]);
}

#[test]
fn a_call_that_never_returns_blocks_its_caller() {
    let text = "void p() begin L: goto L; end
        void main() begin p(); AFTER: skip; end";
    check(text, &["L", "AFTER"], &["L"]);
}

#[test]
fn uninitialised_locals_are_arbitrary_and_found() {
    let text = "decl g;
        bool p(a) begin decl x, y; assume(x & !y); return x & a; end
        void main() begin decl r; r := p(T); if (r) then YES: skip; else NO: skip; fi end";
    check(text, &["YES", "NO"], &["YES"]);
}
