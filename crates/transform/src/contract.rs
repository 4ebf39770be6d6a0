//! The pass `contract`: steps without effect disappear.
//!
//! A location with nothing but a step without effect is merged into the step's target: edges that lead to the location
//! lead to the target instead. Targets, entries, exits, violations and locations on cycles of such steps stay; in
//! programs with threads also those that differ from the step's target in being atomic, and those behind the start of a
//! thread: a run to the first location of the new thread ends with its start, and no step of the old thread follows.

use base::IdVec;
use program::{Edge, EdgeId, EdgeKind, LocationId, Program, Role};

use crate::edit::retain_edges;
use crate::{LocationBack, Pass, Redirected, Skip, WayBack};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Contract;

impl Pass for Contract {
    fn name(&self) -> &'static str {
        "contract"
    }

    fn description(&self) -> &'static str {
        "merges locations that are joined by a step without effect"
    }

    fn rewrite(&self, program: &mut Program, targets: &[LocationId]) -> Option<WayBack> {
        let mut next = candidates(program, targets);
        let finals = resolve(program, &mut next);
        let skips: Vec<Skip> = next.iter_ids().filter_map(|(location, edge)| skip(program, location, *edge)).collect();
        if skips.is_empty() {
            return None;
        }
        let mut kept = IdVec::filled(program.edges.len(), true);
        skips.iter().for_each(|skip| kept[skip.edge] = false);
        let edges = retain_edges(program, &kept);
        let mut redirected = Vec::new();
        for (id, edge) in program.edges.ids().zip(program.edges.iter_mut()) {
            let Final { location, n_steps } = finals[edge.target];
            if n_steps > 0 {
                redirected.push(Redirected { edge: id, via: edge.target, n_steps });
                edge.target = location;
            }
        }
        let moved = |skip: &Skip| (skip.location, LocationBack::From(finals[skip.location].location));
        let locations = skips.iter().map(moved).collect();
        Some(WayBack { edges: Some(edges), redirected, skips, locations, ..WayBack::default() })
    }
}

fn skip(program: &Program, location: LocationId, edge: Option<EdgeId>) -> Option<Skip> {
    edge.map(|edge| Skip { location, edge, target: program.edges[edge].target })
}

/// The step of each location that could be merged into its successor.
fn candidates(program: &Program, targets: &[LocationId]) -> IdVec<LocationId, Option<EdgeId>> {
    let mut next: IdVec<LocationId, Option<EdgeId>> = IdVec::filled(program.locations.len(), None);
    let mut closed = fixed(program, targets);
    let threads = program.sequential_start().is_none();
    let atomic = |location: LocationId| program.locations[location].atomic;
    for (id, edge) in program.edges.iter_ids() {
        let only = !std::mem::replace(&mut closed[edge.source], true);
        let differs = threads && atomic(edge.source) != atomic(edge.target);
        next[edge.source] = (only && !differs && is_skip(edge)).then_some(id);
    }
    next
}

fn is_skip(edge: &Edge) -> bool {
    matches!(&edge.kind, EdgeKind::Step(relation) if relation.is_identity())
}

/// The locations that must stay.
fn fixed(program: &Program, targets: &[LocationId]) -> IdVec<LocationId, bool> {
    let violation = |id: LocationId| program.locations[id].role == Role::Violation;
    let mut fixed: IdVec<LocationId, bool> = program.locations.ids().map(violation).collect();
    let ends = program.procedures.iter().flat_map(|procedure| procedure.entries.iter().chain(&procedure.exits));
    let spawns = program.edges.iter().filter(|edge| matches!(edge.kind, EdgeKind::Spawn(_)));
    for location in ends.chain(targets).copied().chain(spawns.map(|edge| edge.target)) {
        fixed[location] = true;
    }
    fixed
}

/// Where a chain of steps ends, and how many steps it has.
#[derive(Clone, Copy)]
struct Final {
    location: LocationId,
    n_steps: u32,
}

/// Follows the chains; steps on a cycle are removed from `next`.
fn resolve(program: &Program, next: &mut IdVec<LocationId, Option<EdgeId>>) -> IdVec<LocationId, Final> {
    let mut finals: IdVec<LocationId, Option<Final>> = IdVec::filled(next.len(), None);
    let mut on_chain = IdVec::filled(next.len(), false);
    let mut chain = Vec::new();
    for start in program.locations.ids() {
        let mut location = start;
        while let (None, Some(edge), false) = (finals[location], next[location], on_chain[location]) {
            on_chain[location] = true;
            chain.push(location);
            location = program.edges[edge].target;
        }
        if on_chain[location] {
            while let Some(member) = chain.pop() {
                next[member] = None;
                on_chain[member] = false;
                finals[member] = Some(Final { location: member, n_steps: 0 });
                if member == location {
                    break;
                }
            }
        }
        let mut end = finals[location].unwrap_or(Final { location, n_steps: 0 });
        finals[location] = Some(end);
        while let Some(member) = chain.pop() {
            end.n_steps = end.n_steps.saturating_add(1);
            on_chain[member] = false;
            finals[member] = Some(end);
        }
    }
    let settled = |(location, end): (LocationId, &Option<Final>)| end.unwrap_or(Final { location, n_steps: 0 });
    finals.iter_ids().map(settled).collect()
}

#[cfg(test)]
mod tests {
    use program::{Action, Expr, Relation, Trace, TraceStep};

    use super::*;
    use crate::sample::{call, chain, finish, set, with_main};

    fn skip() -> Relation {
        Relation::identity()
    }

    #[test]
    fn chains_of_skips_become_part_of_the_edge_before() {
        let (mut builder, main, g) = with_main();
        let at = chain(&mut builder, main, vec![set(g, Expr::TRUE), skip(), skip(), set(g, Expr::FALSE), skip()]);
        let program = finish(builder);
        let (result, way_back) = Contract.apply(&program, &[]).unwrap();
        let ends: Vec<_> = result.edges.iter().map(|edge| (edge.source, edge.target)).collect();
        assert_eq!(ends, [(at[0], at[3]), (at[3], at[5])]);
        let paths = |edge: u32| way_back.steps_after(EdgeId(edge)).collect::<Vec<_>>();
        assert_eq!(paths(0), [EdgeId(1), EdgeId(2)]);
        assert_eq!(paths(1), [EdgeId(4)]);
        assert_eq!(way_back.lengths(&[]), [3, 2]);
        assert_eq!(way_back.lengths(&[1, 10, 100, 1000, 5]), [111, 1005], "lengths add up over several passes");
        let moved: Vec<_> = way_back.locations.clone();
        let from = LocationBack::From;
        assert_eq!(moved, [(at[1], from(at[3])), (at[2], from(at[3])), (at[4], from(at[5]))]);
    }

    #[test]
    fn targets_entries_and_cycles_stay() {
        let (mut builder, main, _) = with_main();
        let at = chain(&mut builder, main, vec![skip(), skip(), skip(), skip(), skip()]);
        let [first, second] = [builder.location(main), builder.location(main)];
        builder.step(first, second, skip());
        builder.step(second, first, skip());
        let lead = builder.location(main);
        builder.step(lead, second, skip());
        builder.step(at[0], lead, Relation::assume(Expr::Any));
        let program = finish(builder);
        let (result, way_back) = Contract.apply(&program, &[at[2]]).unwrap();
        let skipped: Vec<_> = way_back.skips.iter().map(|skip| skip.location).collect();
        assert_eq!(skipped, [at[1], at[3], at[4], lead]);
        let ends: Vec<_> = result.edges.iter().map(|edge| (edge.source, edge.target)).collect();
        assert_eq!(ends, [(at[0], at[2]), (at[2], at[5]), (first, second), (second, first), (at[0], second)]);
    }

    #[test]
    fn atomic_locations_are_not_merged_with_others() {
        let (mut builder, main, g) = with_main();
        let at = chain(&mut builder, main, vec![set(g, Expr::TRUE), skip(), skip(), set(g, Expr::FALSE)]);
        builder.atomic(at[1]);
        let sequential = finish(builder.clone());
        let n_skips = |program: &Program| Contract.apply(program, &[]).map_or(0, |(_, back)| back.skips.len());
        assert_eq!(n_skips(&sequential), 2);
        builder.thread("other", main);
        assert_eq!(n_skips(&finish(builder)), 1);
    }

    #[test]
    fn skips_after_a_call_come_after_its_return() {
        let (mut builder, main, g) = with_main();
        let callee = builder.procedure("callee");
        chain(&mut builder, callee, vec![set(g, Expr::TRUE)]);
        let at = chain(&mut builder, main, vec![skip(), skip(), set(g, Expr::FALSE)]);
        let start = builder.location(main);
        let to_callee = call(&builder, callee, Vec::new());
        let calling = builder.call(start, at[0], to_callee);
        let mut program = finish(builder);
        program.procedures[main].entries = vec![start];
        let (result, way_back) = Contract.apply(&program, &[]).unwrap();
        assert_eq!(result.edges.len(), 3);
        let step = |action| TraceStep { thread: 0, action, choices: Vec::new() };
        let [body, last, call] = [EdgeId(0), EdgeId(1), EdgeId(2)];
        let steps = [Action::Enter(call), Action::Take(body), Action::Return, Action::Take(last)].map(step).to_vec();
        let back = way_back.trace(Trace { steps, ..Trace::default() });
        let (skip, other) = (Action::Take(EdgeId(1)), Action::Take(EdgeId(2)));
        let expected =
            [Action::Enter(calling), Action::Take(body), Action::Return, skip, other, Action::Take(EdgeId(3))];
        assert_eq!(back.steps, expected.map(step));
    }
}
