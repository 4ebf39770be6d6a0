//! Where threads are at a switch, as text: `one stops in main:3 > work:9 > lock:20`.
//!
//! Only stacks with a call in them are told: a thread without one is where its lane says.

use crate::json::threads::{StackFrame, Switch};
use crate::json::trace::Story;
use crate::visible::{counted, visible};

/// Frames at the bottom and at the top of a deep stack that are told.
const OUTERMOST: usize = 2;
const INNERMOST: usize = 4;

/// One line each for the thread that stops and for the one that goes on, as far as they are in calls.
pub(super) fn lines(story: &Story, switch: &Switch, stopped: Option<u32>, expand: bool) -> Vec<String> {
    let stack = |thread: u32| switch.stacks.iter().find(|stack| stack.thread == thread);
    let line = |thread: u32, verb: &str| {
        let frames = &stack(thread).filter(|stack| stack.frames.len() > 1)?.frames;
        let name = story.threads.get(thread as usize).map(|name| visible(name)).unwrap_or_default();
        Some(format!("{name} {verb} in {}", path(frames, expand)))
    };
    let stops = stopped.and_then(|thread| line(thread, "stops"));
    stops.into_iter().chain(line(switch.thread, "goes on")).collect()
}

/// The frames, outermost first as they are indented in a lane; of a deep stack only the two ends.
fn path(frames: &[StackFrame], expand: bool) -> String {
    let hidden = if expand { 0 } else { frames.len().saturating_sub(OUTERMOST + INNERMOST) };
    // To leave out a single frame saves nothing.
    if hidden <= 1 {
        return joined(frames);
    }
    let (outer, inner) = (&frames[..OUTERMOST], &frames[OUTERMOST + hidden..]);
    format!("{} > ... {} ... > {}", joined(outer), counted(hidden as u64, "frame"), joined(inner))
}

fn joined(frames: &[StackFrame]) -> String {
    frames.iter().map(frame).collect::<Vec<_>>().join(" > ")
}

/// `work:9`; a frame without a next statement is at the end of its procedure.
fn frame(frame: &StackFrame) -> String {
    let line = frame.line.map_or_else(|| "end".to_owned(), |line| line.to_string());
    format!("{}:{line}", visible(&frame.procedure))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(n: u32) -> Vec<StackFrame> {
        (1..=n).map(|line| StackFrame { procedure: "p".to_owned(), line: Some(line) }).collect()
    }

    #[test]
    fn of_deep_stacks_both_ends_are_told() {
        assert_eq!(path(&frames(7), false), "p:1 > p:2 > p:3 > p:4 > p:5 > p:6 > p:7");
        assert_eq!(path(&frames(8), false), "p:1 > p:2 > ... 2 frames ... > p:5 > p:6 > p:7 > p:8");
        assert_eq!(path(&frames(1_000), true).matches('>').count(), 999);
    }
}
