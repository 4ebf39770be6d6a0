/// JSON traces: every text gets an answer; what is read is written as the same; and what replays reaches its target
/// for a good reason.
pub(crate) fn trace(bytes: &[u8]) {
    let example = workbench::fuzz::example();
    let Ok(replay) = serde_json::from_slice::<report::json::replay::Replay>(bytes) else { return };
    let Ok((trace, target)) = replay.rebuild(&example.program) else { return };
    let again = report::json::replay::Replay::of(&example.program, &trace, target);
    assert_eq!(again.rebuild(&example.program), Ok((trace.clone(), target)), "what is written reads as the same");
    if program::interp::replay(&example.program, &trace, target).is_ok() {
        assert!(example.reachable.contains(&target), "only what is reachable is reached: {trace:?}");
    }
}
