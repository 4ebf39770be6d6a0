//! Pushdown networks, split lazily and eagerly: the answers of the explicit search, and what it does not say.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use std::sync::Arc;

use base::{Budget, Silent, Source};
use engine::explicit::Explicit;
use engine::init::WithoutInit;
use engine::network::Network;
use engine::{Answer, Asked, Context, Engine};
use program::{Bound, LocationId, Program, interp};
use transform::Way;

const BOTH: [Network; 2] = [Network::Lazy, Network::Eager];

fn load(text: &str) -> Program {
    let source = Source::new("test.bp", text);
    let (tree, diagnostics) = front_bp::parse(&source);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    front_bp::lower(&tree.expect("a tree"), &source, &front_bp::Options::default()).expect("it lowers").0.program
}

fn solve(engine: &dyn Engine, program: &Program, targets: &[LocationId], bound: Bound) -> Answer {
    let (budget, mut way) = (Budget::unlimited(), Way::new(Arc::new(program.clone()), targets.to_vec()));
    let context = Context::new(&budget, &Silent);
    if !engine.follows_init() {
        way.take(&WithoutInit, &context).expect("`init` is removed");
    }
    let asked = Asked { bound: Some(bound), traces: true, certificate: false };
    let (answer, _) = engine::answer(engine, &way, asked, &context).expect("there is a way back");
    assert_eq!(answer.traces.len(), answer.reached.len(), "{}, {bound}", engine.name());
    for (target, trace) in &answer.traces {
        interp::replay(program, trace, *target).unwrap_or_else(|error| panic!("{}, {bound}: {error}", engine.name()));
        let mut turns: Vec<u32> = trace.steps.iter().map(|step| step.thread).collect();
        turns.dedup();
        if let (Bound::Switches(most), None) = (bound, program.init) {
            assert!(turns.len() <= most as usize + 1, "{}, {bound}: {turns:?}", engine.name());
        }
    }
    answer
}

fn labels(program: &Program, labels: &[&str]) -> Vec<LocationId> {
    let locations = |label: &&str| program.label_targets(label).into_iter().map(|target| target.location);
    labels.iter().flat_map(locations).collect()
}

/// All bounds up to four: both ways to split agree with the explicit search.
fn agree(text: &str, names: &[&str]) {
    let program = load(text);
    let targets = labels(&program, names);
    for bound in (0..5).flat_map(|k| [Bound::Switches(k), Bound::Rounds(k)]) {
        let expected = solve(&Explicit, &program, &targets, bound);
        for engine in BOTH {
            let answer = solve(&engine, &program, &targets, bound);
            assert_eq!(answer.reached, expected.reached, "{}, {bound}", engine.name());
            assert_eq!(answer.stopped, None);
        }
    }
}

#[test]
fn switches_and_rounds_are_counted_as_by_the_oracle() {
    agree(
        "decl turn, n;
         init begin turn, n := F, F; end
         thread a begin void main() begin
           assume(!turn); turn := T; assume(!turn); A: turn := T; assume(!turn); END: skip; end end
         thread b begin void main() begin assume(turn); turn := F; assume(turn); B: turn := F; end end",
        &["A", "B", "END"],
    );
}

#[test]
fn stacks_persist_while_others_run() {
    // The second thread changes the variable while the first one is two calls deep; both frames remember what they saw.
    agree(
        "decl g;
         init begin g := F; end
         thread a begin
           void main() begin decl x, y; x := g; y := below(x); if (x = y) then SAME: skip; else OTHER: skip; fi end
           bool below(p) begin decl r; r := further(); if (r != p) then SEEN: skip; fi return r; end
           bool further() begin decl s; s := g; if (s != g) then INSIDE: skip; fi return g; end
         end
         thread b begin void main() begin g := !g; g := !g; g := !g; end end",
        &["SAME", "OTHER", "SEEN", "INSIDE"],
    );
}

#[test]
fn atomic_sections_hold_through_calls() {
    agree(
        "decl g;
         init begin g := F; end
         void set() begin g := T; MID: g := F; end
         thread a begin void main() begin atomic_begin; set(); atomic_end; g := g; set(); end end
         thread b begin void main() begin if (g) then L: skip; fi if (g) then M: skip; fi end end",
        &["L", "M", "MID"],
    );
}

#[test]
fn private_variables_belong_to_their_thread() {
    agree(
        "decl g;
         init begin g := F; end
         thread a[2] begin decl own := *;
           void main() begin g := own; if (g != own) then OTHER: skip; fi flip(); if (g = own) then L: skip; fi end
           void flip() begin own := !own; end
         end",
        &["OTHER", "L"],
    );
}

/// Endless recursion is beyond the explicit search, but not beyond automata.
#[test]
fn recursion_has_no_height() {
    let program = load(
        "decl g, h;
         init begin g, h := F, F; end
         thread a begin void main() begin down(); if (h) then BACK: skip; fi NOT: skip; end
           void down() begin if (*) then down(); assume(g); h := T; else assume(h); fi end end
         thread b begin void main() begin g := T; if (h) then SEEN: skip; fi end end",
    );
    let targets = labels(&program, &["BACK", "NOT", "SEEN"]);
    for engine in BOTH {
        let answer = solve(&engine, &program, &targets, Bound::Switches(3));
        assert_eq!((answer.reached.len(), answer.stopped), (0, None), "nobody sets h before somebody has seen it");
        assert!(answer.unbounded, "another switch adds nothing");
    }
}

#[test]
fn an_answer_is_unbounded_only_when_nothing_is_left() {
    let text = |steps: usize| {
        format!(
            "decl turn, done;
             init begin turn, done := F, F; end
             thread a begin void main() begin {} done := T; DONE: skip; NEVER: assume(F); LEFT: skip; end end
             thread b begin void main() begin while (T) do assume(turn); turn := F; od end end",
            "assume(!turn); turn := T; ".repeat(steps)
        )
    };
    let program = load(&text(3));
    let targets = labels(&program, &["LEFT"]);
    for engine in BOTH {
        let bounded = |k| solve(&engine, &program, &targets, Bound::Switches(k)).unbounded;
        assert_eq!((0..9).map(bounded).position(|unbounded| unbounded), Some(6), "{}", engine.name());
        assert!((6..9).all(bounded), "a larger bound does not lose it");
    }
}

/// The number of tuples does not depend on variables that only pass through.
#[test]
fn lazy_splitting_does_not_enumerate_what_does_not_matter() {
    let text = |bits: usize| {
        let names: Vec<String> = (0..bits).map(|i| format!("x{i}")).collect();
        let names = names.join(", ");
        format!(
            "decl {names}; decl g;
             thread a begin void main() begin g := F; if (g) then L: skip; fi end end
             thread b begin void main() begin {names} := {names}; g := T; end end"
        )
    };
    let tuples = |engine: Network, bits: usize| {
        let program = load(&text(bits));
        let answer = solve(&engine, &program, &labels(&program, &["L"]), Bound::Switches(2));
        assert_eq!(answer.reached.len(), 1);
        answer.statistics.view_tuples
    };
    assert_eq!(tuples(Network::Lazy, 1), tuples(Network::Lazy, 6));
    assert!(tuples(Network::Eager, 6) > 8 * tuples(Network::Eager, 1));
}

/// The driver of the jMoped paper: no more tuples than in its table 2.
#[test]
fn bluetooth_needs_few_tuples() {
    let files = ["bluetooth_v1", "bluetooth_v2", "bluetooth_v3"];
    for ((file, switches), most) in files.into_iter().zip([2, 4, 3]).zip([4, 154, 16]) {
        let path = format!("{}/../../corpus/bp/{file}.bp", env!("CARGO_MANIFEST_DIR"));
        let mut text = std::fs::read_to_string(path).expect("it is part of the project");
        if file == "bluetooth_v2" {
            // As in the paper: two adders and one stopper.
            text = text.replace("thread adder", "thread adder[2]").replace("thread stopper[2]", "thread stopper");
        }
        let program = load(&text);
        let targets: Vec<LocationId> = program.assertion_targets().iter().map(|target| target.location).collect();
        let [lazy, eager] = BOTH.map(|engine| solve(&engine, &program, &targets, Bound::Switches(switches)));
        assert_eq!((lazy.reached.len(), eager.reached.len()), (1, 1), "{file}");
        let tuples = lazy.statistics.view_tuples;
        assert!(tuples <= most && tuples <= eager.statistics.view_tuples, "{file}: {tuples}");
        for engine in BOTH {
            let below = solve(&engine, &program, &targets, Bound::Switches(switches - 1));
            assert_eq!((below.reached.len(), below.unbounded), (0, false), "{file}");
        }
    }
}
