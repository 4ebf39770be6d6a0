//! Traces: the shared values at every switch, then a run of each thread between them.
//!
//! The tuples on the way to a target say who ran when. Going back from the target, the shared values at each switch are
//! chosen such that every thread can still do what is left for it to do: for that, the thread runs once more from its
//! view in the tuple, which now remembers with which shared values it began, through the contexts that have been fixed
//! already. With a tuple, what threads do is independent of each other once the shared values are known, so values
//! that suit each thread suit all. Then [`super::lane`] finds a run of each thread by itself.

use std::rc::Rc;

use bdd::{Bdd, Var};
use program::{Action, Choice, LocationId, RunId, Scope, Trace, TraceStep, Value, VariableId, When};

use super::context::Part;
use super::lane::{self, Lane, Leg, Route};
use super::search::{Found, Search};
use super::turn::remembering;
use super::view::{Stacks, Top, View};
use crate::halt::Halt;
use crate::state;

/// Values of diagram variables, in ascending order.
type Literals = Vec<(Var, bool)>;

/// How a context ends.
#[derive(Clone, Debug)]
enum End {
    /// At the target.
    Target(LocationId),
    /// With these shared values (current copies).
    Values(Literals),
}

/// A context of a thread that has been fixed.
#[derive(Clone, Debug)]
struct Fixed {
    begins: Literals,
    end: End,
}

/// What has been fixed about a thread.
#[derive(Clone, Debug, Default)]
struct Plan {
    contexts: Vec<Fixed>,
    /// Where its last context leaves it.
    last: Option<LocationId>,
}

/// Finds a trace to each of the reached targets.
pub(super) fn find(
    search: &mut Search<'_, '_, '_, '_>,
    reached: &[LocationId],
    traces: &mut Vec<(LocationId, Trace)>,
) -> Result<(), Halt> {
    for target in reached {
        let trace = match search.found.get(target) {
            Some(Found::After(at, thread)) => search.trace_to(*target, *at, *thread)?,
            Some(Found::AtStart) => Some(search.trace_of_start()?),
            None => None,
        };
        traces.extend(trace.map(|trace| (*target, trace)));
    }
    Ok(())
}

impl Search<'_, '_, '_, '_> {
    /// No step at all.
    fn trace_of_start(&self) -> Result<Trace, Halt> {
        let mut start = Vec::new();
        let space = self.turns.runner.space;
        let first = self.tuples.first().map(|tuple| tuple.views.clone()).unwrap_or_default();
        let shared =
            first.first().and_then(|view| view.tops.first()).and_then(|top| top.set.pick_total(&space.current));
        let shared = shared.unwrap_or_default();
        start.extend(self.values(&shared).into_iter().map(|(variable, value)| Choice::after(variable, value)));
        for thread in 0..first.len() {
            start.extend(self.beginning(&first, thread, &shared)?);
        }
        Ok(Trace { start, ..Trace::default() })
    }

    fn trace_to(&mut self, target: LocationId, at: usize, thread: usize) -> Result<Option<Trace>, Halt> {
        let mut chain = vec![at];
        while let Some(parent) = chain.last().and_then(|at| self.tuples[*at].parent) {
            chain.push(parent);
        }
        chain.reverse();
        // Who runs after each tuple of the chain.
        let mut turns: Vec<usize> = chain[1..].iter().filter_map(|at| self.tuples[*at].active).collect();
        turns.push(thread);
        let Some((first, plans)) = self.choose(&chain, &turns, target)? else { return Ok(None) };
        let views = self.tuples[chain[0]].views.clone();
        let mut lanes: Vec<Option<Lane>> = Vec::new();
        for (thread, plan) in plans.iter().enumerate() {
            lanes.push(match plan.last {
                Some(last) => {
                    let Some(lane) = self.lane(thread, &first, plan, last)? else { return Ok(None) };
                    Some(lane)
                }
                None => None,
            });
        }
        self.write(&views, &first, &turns, lanes).map(Some)
    }

    /// The shared values at the start, and what every thread is to do.
    fn choose(
        &mut self,
        chain: &[usize],
        turns: &[usize],
        target: LocationId,
    ) -> Result<Option<(Literals, Vec<Plan>)>, Halt> {
        let space = self.turns.runner.space;
        let mut plans = vec![Plan::default(); self.task.program.threads.len()];
        let mut end = End::Target(target);
        for (at, turn) in chain.iter().zip(turns).rev() {
            let views = self.tuples[*at].views.clone();
            let mut possible = space.everything();
            let mut ends = Vec::new();
            for (thread, plan) in plans.iter().enumerate() {
                let next = (thread == *turn).then_some(&end);
                let survivors = self.survivors(&views[thread], next, plan)?;
                let mut origins = space.nothing();
                for (_, some) in &survivors {
                    origins = origins.or(some)?;
                }
                possible = possible.and(&origins)?;
                if thread == *turn {
                    ends = survivors;
                }
            }
            let Some(mut picked) = possible.pick_total(&space.origin) else { return Ok(None) };
            picked.sort_unstable();
            let chosen = space.encoding().manager().conjunction(&picked)?;
            if plans[*turn].last.is_none() {
                for (location, origins) in ends {
                    if !origins.disjoint(&chosen)? {
                        plans[*turn].last = Some(location);
                        break;
                    }
                }
            }
            let begins: Literals = space.current.iter().copied().zip(picked.iter().map(|(_, value)| *value)).collect();
            plans[*turn].contexts.insert(0, Fixed { begins: begins.clone(), end });
            end = End::Values(begins);
        }
        let End::Values(first) = end else { return Ok(None) };
        Ok(Some((first, plans)))
    }

    /// The shared values (in the origin copies) with which a thread in a view can do what is fixed about it, and where it
    /// ends up; `next` is the context that comes first if the thread runs at once.
    fn survivors(&mut self, view: &View, next: Option<&End>, plan: &Plan) -> Result<Vec<(LocationId, Bdd)>, Halt> {
        let space = self.turns.runner.space;
        let mut view = remembering(view, &space.diagonal)?;
        let fixed = plan.contexts.iter().map(|fixed| (Some(&fixed.begins), &fixed.end));
        for (begins, end) in next.map(|end| (None, end)).into_iter().chain(fixed) {
            if let Some(begins) = begins {
                view = self.resumed(&view, begins)?;
            }
            self.turns.runner.run(&self.stacks, &view, &mut |_| Ok(false))?;
            match end {
                End::Target(target) => return Ok(vec![(*target, self.turns.runner.origins_of(*target)?)]),
                End::Values(values) => {
                    let all = Part { origins: &space.everything(), forgets: false };
                    let after = self.after(&all)?;
                    view = remembering(&after, &space.encoding().manager().conjunction(values)?)?;
                }
            }
        }
        let mut survivors = Vec::new();
        for top in view.tops.iter().filter(|top| plan.last.is_none_or(|last| last == top.location)) {
            survivors.push((top.location, top.set.exists(&space.forget_all)?));
        }
        Ok(survivors)
    }

    /// The view of the thread whose context is over.
    fn after(&mut self, part: &Part<'_>) -> Result<View, Halt> {
        let (rows, draft) = self.turns.runner.ended()?.draft(self.turns.runner.space, part)?;
        Ok(Stacks::settle(draft, self.stacks.add(rows)))
    }

    /// A view after others have changed the shared values.
    fn resumed(&self, view: &View, values: &Literals) -> Result<View, Halt> {
        let space = self.turns.runner.space;
        let values = space.encoding().manager().conjunction(values)?;
        let mut tops = Vec::new();
        for top in &view.tops {
            let set = top.set.exists(&space.forget_current)?.and(&values)?;
            tops.push(Top { set, ..top.clone() });
        }
        Ok(View { tops })
    }

    /// A run of a thread through its contexts.
    fn lane(&self, thread: usize, first: &Literals, plan: &Plan, last: LocationId) -> Result<Option<Lane>, Halt> {
        let leg = |fixed: &Fixed| Leg {
            begins: self.values(&fixed.begins),
            ends: match &fixed.end {
                End::Target(_) => None,
                End::Values(values) => Some(self.values(values)),
            },
        };
        let legs = plan.contexts.iter().map(leg).collect();
        let route = Route { thread, first: self.values(first), legs, last };
        lane::find(self.task, self.context, &route)
    }

    /// The values of the shared variables.
    fn values(&self, literals: &Literals) -> Vec<(VariableId, Value)> {
        let encoding = self.turns.runner.space.encoding();
        let shared = self.turns.runner.space.shared.iter();
        shared.filter_map(|id| Some((*id, state::value(encoding, literals, *id)?))).collect()
    }

    /// Some private values and first frame of a thread.
    fn beginning(&self, views: &[Rc<View>], thread: usize, shared: &Literals) -> Result<Vec<Choice>, Halt> {
        let encoding = self.turns.runner.space.encoding();
        let procedure = self.task.program.threads[thread].start;
        let set = match views[thread].tops.first() {
            Some(top) => top.set.and(&encoding.manager().conjunction(shared)?)?,
            None => self.turns.runner.space.nothing(),
        };
        let picked = state::pick(encoding, procedure, &set).unwrap_or_default();
        let own = state::choices(encoding, &picked, self.own(thread).into_iter(), When::After);
        Ok(self.completed(thread, &own))
    }

    /// Private variables and those of the first frame.
    fn own(&self, thread: usize) -> Vec<VariableId> {
        let program = self.task.program;
        let private = program.variables_in(Scope::Private);
        private.chain(program.procedures[program.threads[thread].start].frame()).collect()
    }

    /// All that a thread owns at its start: where several threads have a variable, each says what its value is.
    fn completed(&self, thread: usize, chosen: &[Choice]) -> Vec<Choice> {
        let choice = |id: VariableId| {
            let known = chosen.iter().find(|choice| choice.variable == id).cloned();
            known.unwrap_or_else(|| Choice::after(id, self.task.program.sort(id).smallest()))
        };
        self.own(thread).into_iter().map(choice).collect()
    }

    /// The lanes put together.
    fn write(
        &self,
        views: &[Rc<View>],
        first: &Literals,
        turns: &[usize],
        mut lanes: Vec<Option<Lane>>,
    ) -> Result<Trace, Halt> {
        let shared = self.values(first).into_iter();
        let mut trace =
            Trace { start: shared.map(|(id, value)| Choice::after(id, value)).collect(), ..Trace::default() };
        for (thread, lane) in lanes.iter_mut().enumerate() {
            let own = match lane {
                Some(lane) => {
                    let shift = trace.runs.len() as u32;
                    trace.runs.append(&mut lane.runs);
                    let steps = lane.contexts.iter_mut().flatten();
                    let inner = trace.runs[shift as usize..].iter_mut().flat_map(|run| &mut run.steps);
                    steps.chain(inner).for_each(|step| shift_run(step, shift));
                    self.completed(thread, &lane.start)
                }
                None => self.beginning(views, thread, first)?,
            };
            trace.start.extend(own);
        }
        let mut contexts: Vec<_> =
            lanes.into_iter().map(|lane| lane.map_or_else(Vec::new, |lane| lane.contexts)).collect();
        contexts.iter_mut().for_each(|contexts| contexts.reverse());
        for turn in turns {
            trace.steps.extend(contexts[*turn].pop().unwrap_or_default());
        }
        Ok(trace)
    }
}

fn shift_run(step: &mut TraceStep, shift: u32) {
    if let Action::Across(_, run) = &mut step.action {
        *run = RunId(run.0 + shift);
    }
}
