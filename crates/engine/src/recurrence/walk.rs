//! One run, walked state by state: the quick way to find out that a program has a run without end.
//!
//! Wherever there is a choice the first one is taken, so a walk that ends, or goes on for too long without coming back to
//! where it was, says nothing.

use base::StopReason;
use bdd::Bdd;
use encode::{Copy, Encoding};
use program::{Call, EdgeId, EdgeKind, Graph, LocationId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Context;
use crate::halt::Halt;
use crate::problem::manager;
use crate::state::{self, State};

/// Most moves of a walk: few programs count further before they repeat themselves, and they are searched instead.
const LONGEST: usize = 1 << 12;

/// Whether a walk through a sequential program comes back to a configuration, which it then does for ever.
pub fn walks_for_ever(program: &Program, context: &Context<'_>) -> Result<bool, StopReason> {
    let Some(start) = program.sequential_start() else { return Ok(false) };
    let Some(entry) = program.procedures[start].entries.first().copied() else { return Ok(false) };
    let graph = Graph::of(program);
    let encoding = Encoding::new(program, manager(program, context));
    let first = encoding.start_states(start).map_err(|stop| Halt::Diagram(stop).reason(context))?;
    let Some(state) = state::pick(&encoding, start, &first) else { return Ok(false) };
    let mut walk =
        Walk { program, graph: &graph, encoding: &encoding, stack: Vec::new(), numbers: FxHashMap::default() };
    walk.comes_back((entry, state), context).map_err(|halt| halt.reason(context))
}

/// A frame that waits for its callee.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    edge: EdgeId,
    state: State,
    /// What the callee was entered with.
    entered: State,
}

type Head = (LocationId, State);

struct Walk<'w, 'p> {
    program: &'p Program,
    graph: &'w Graph,
    encoding: &'w Encoding<'p>,
    /// Waiting frames, each with the number of the stack that it ends.
    stack: Vec<(Frame, usize)>,
    /// Numbers of stacks, by the number of the stack below and the frame above it.
    numbers: FxHashMap<(usize, Frame), usize>,
}

impl Walk<'_, '_> {
    fn comes_back(&mut self, start: Head, context: &Context<'_>) -> Result<bool, Halt> {
        let mut seen: FxHashSet<(usize, Head)> = FxHashSet::default();
        let mut next = Some(start);
        while let Some(head) = next
            && seen.len() < LONGEST
        {
            context.budget.check()?;
            if !seen.insert((self.number(), head.clone())) {
                return Ok(true);
            }
            self.encoding.manager().collect_if_needed();
            next = self.go_on(head)?;
        }
        Ok(false)
    }

    /// The number of the stack; an empty one has none.
    fn number(&self) -> usize {
        self.stack.last().map_or(0, |(_, number)| *number)
    }

    fn go_on(&mut self, (location, state): Head) -> Result<Option<Head>, Halt> {
        let (program, graph) = (self.program, self.graph);
        let procedure = program.locations[location].procedure;
        if program.procedures[procedure].exits.contains(&location) {
            return self.go_back(&state);
        }
        let here = self.encoding.manager().conjunction(&state)?;
        for edge in graph.outgoing(location) {
            let found = match &program.edges[*edge].kind {
                EdgeKind::Step(relation) => {
                    let after = self.encoding.step(*edge, relation)?.apply(&here)?;
                    self.head(program.edges[*edge].target, &after)
                }
                EdgeKind::Call(call) => self.enter(*edge, call, &state, &here)?,
                EdgeKind::Spawn(_) => None,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn head(&self, location: LocationId, states: &Bdd) -> Option<Head> {
        let procedure = self.program.locations[location].procedure;
        state::pick(self.encoding, procedure, states).map(|state| (location, state))
    }

    fn enter(&mut self, edge: EdgeId, call: &Call, state: &State, here: &Bdd) -> Result<Option<Head>, Halt> {
        let entered = self.encoding.call(edge, call)?.first_states(here)?;
        let head = self.head(call.entry, &entered);
        if let Some((_, entered)) = &head {
            let frame = Frame { edge, state: state.clone(), entered: entered.clone() };
            let next = self.numbers.len() + 1;
            let number = *self.numbers.entry((self.number(), frame.clone())).or_insert(next);
            self.stack.push((frame, number));
        }
        Ok(head)
    }

    /// What the callee did is a summary with one entry and one exit.
    fn go_back(&mut self, state: &State) -> Result<Option<Head>, Halt> {
        let Some((frame, _)) = self.stack.pop() else { return Ok(None) };
        let edge = &self.program.edges[frame.edge];
        let EdgeKind::Call(call) = &edge.kind else { return Ok(None) };
        let (encoding, manager) = (self.encoding, self.encoding.manager());
        let last = manager.conjunction(state)?.exists(&encoding.forgotten_at_exit(call.callee))?;
        let kept = encoding.copies(encoding.entry_copied(call.callee), Copy::Current);
        let entered = frame.entered.iter().filter(|(var, _)| kept.contains(var)).copied();
        let first = manager.conjunction(&entered.collect::<State>())?;
        let first = first.rename(&encoding.renaming(encoding.entry_copied(call.callee), Copy::Current, Copy::Entry))?;
        let across = encoding.call(frame.edge, call)?.lift(&first.and(&last)?)?;
        Ok(self.head(edge.target, &across.apply(&manager.conjunction(&frame.state)?)?))
    }
}

#[cfg(test)]
mod tests {
    use base::{Budget, Silent, Source};

    use super::*;

    fn walks(text: &str) -> bool {
        let source = Source::new("test.bp", text);
        let tree = front_bp::parse(&source).0.unwrap_or_else(|| panic!("it parses"));
        let lowered = front_bp::lower(&tree, &source, &front_bp::Options::default());
        let (lowered, _) = lowered.unwrap_or_else(|errors| panic!("it lowers: {errors:?}"));
        let context = Context { budget: &Budget::unlimited(), observer: &Silent };
        walks_for_ever(&lowered.program, &context) == Ok(true)
    }

    #[test]
    fn a_loop_after_a_call_is_found_by_what_the_call_returns() {
        let text = |answer: &str| {
            format!(
                "decl g; void main() begin decl x; g := 0; x := 1; x := not(x); while (x) do skip; od
                 while (g) do skip; od end
                 bool not(a) begin g := a; return {answer}; end"
            )
        };
        assert!(walks(&text("!a")), "the second loop: the call has set g");
        assert!(walks(&text("a")), "the first loop");
        assert!(!walks(&text("!a").replace("g := a;", "skip;")), "both loops are passed by");
    }

    #[test]
    fn a_stack_that_only_grows_is_left_to_the_search() {
        assert!(!walks("void main() begin f(); end void f() begin f(); end"));
    }
}
