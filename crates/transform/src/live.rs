//! The pass `live`: values that are never read again become arbitrary.
//!
//! A variable is live at a location if, on some path from there, its value can flow into a guard, a constraint or an
//! index before it is set. (The value of a variable that is itself dead afterwards flows nowhere.) On an edge from
//! where a variable is live to where it is not, and on one that sets a variable that is dead afterwards, the variable
//! becomes arbitrary: engines then need not track it. The result has more outcomes than the original, never fewer, so
//! its certificates are certificates of the original as they are.
//!
//! What a procedure never changes (parameters that it does not assign, shared variables that nothing below it writes)
//! is left alone inside it: an engine can use one copy for the value at the entry and now, and a change would cost it
//! the second. Shared and private variables are looked at in sequential programs only.

mod analysis;
mod rewrite;

use program::{EdgeId, LocationId, Program};

use crate::{Forgotten, Pass, WayBack};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Live;

impl Pass for Live {
    fn name(&self) -> &'static str {
        "live"
    }

    fn description(&self) -> &'static str {
        "makes values arbitrary that are never read again"
    }

    fn rewrite(&self, program: &mut Program, _: &[LocationId]) -> Option<WayBack> {
        let live = analysis::Liveness::of(program);
        let found: Vec<(EdgeId, rewrite::Dead)> = {
            let finder = rewrite::Finder::new(program, &live);
            program.edges.ids().filter_map(|id| Some((id, finder.dead_after(id)?))).collect()
        };
        if found.is_empty() {
            return None;
        }
        let forget = |(id, dead): (EdgeId, rewrite::Dead)| -> (EdgeId, Forgotten) {
            let forgotten = dead.forget(&mut program.edges[id].kind);
            (id, forgotten)
        };
        let forgotten = found.into_iter().map(forget).collect();
        Some(WayBack { forgotten, ..WayBack::default() })
    }
}
