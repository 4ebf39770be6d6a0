//! The fuzzer's check of JSON traces, on damaged traces. The other checks are tested in `workbench`.

#[path = "../../fuzz/checks/trace.rs"]
mod check;

use program::{Trace, TraceStep};

/// Genuine traces, as JSON: one step after the other from the start, as long as the interpreter follows.
fn genuine() -> Vec<String> {
    let example = workbench::fuzz::example();
    let program = &example.program;
    let mut traces = vec![Trace::default()];
    for _ in 0..4 {
        let edges = || program.edges.iter_ids().map(|(edge, _)| edge);
        let moves = edges().flat_map(|edge| [program::Action::Take(edge), program::Action::Enter(edge)]);
        let longer: Vec<Trace> = moves
            .flat_map(|action| {
                traces.iter().map(move |trace| {
                    let mut trace = trace.clone();
                    trace.steps.push(TraceStep { thread: 0, action, choices: Vec::new() });
                    trace
                })
            })
            .filter(|trace| program.locations.ids().any(|at| program::interp::replay(program, trace, at).is_ok()))
            .collect();
        traces.extend(longer);
    }
    let json = |trace: &Trace| {
        let reached = program.locations.ids().find(|at| program::interp::replay(program, trace, *at).is_ok())?;
        Some(report::json::to_text(&report::json::replay::Replay::of(program, trace, reached), 2))
    };
    traces.iter().filter_map(json).collect()
}

#[test]
fn traces_survive_damage() {
    let seeds = genuine();
    assert!(seeds.len() > 10, "the interpreter follows: {}", seeds.len());
    for seed in &seeds {
        check::trace(seed.as_bytes());
        for (at, byte) in seed.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
            let mut damaged = seed.clone().into_bytes();
            damaged[at] = b'0' + (byte - b'0' + 1) % 10;
            check::trace(&damaged);
            damaged.truncate(at);
            check::trace(&damaged);
        }
    }
}
