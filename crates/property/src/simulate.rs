//! Direct simulation: a state goes when another can do whatever it can do, with at least the same marks.
//!
//! `p` is simulated by `q` when each arc of `p`, letter by letter, is matched by an arc of `q` with at least its marks and
//! a target that simulates its target (the greatest such relation). States that simulate each other become one; an arc
//! goes where another arc of the same state has more marks or a target that simulates. The same holds backwards, over
//! arcs that come in (Etessami and Holzmann, CONCUR 2000; Clemente and Mayr, POPL 2013).

use base::{Budget, StopReason};

use crate::graph::{Arc, Graph};
use crate::label::{Label, Labels};

/// Larger automata are left alone: the relation is quadratic.
const MAX_ARCS: usize = 1_500;

/// Without what other states do as well from there on.
pub(crate) fn forward(graph: Graph, labels: &mut Labels, budget: &Budget) -> Result<Graph, StopReason> {
    reduced(graph, labels, budget, |_, _| true)
}

/// Without what other states are reached by as well.
pub(crate) fn backward(graph: &Graph, labels: &mut Labels, budget: &Budget) -> Result<Graph, StopReason> {
    let is_initial: Vec<bool> = (0..graph.n_states()).map(|state| graph.initial.contains(&state)).collect();
    let reversed = reduced(reversed(graph), labels, budget, |p, q| !is_initial[p] || is_initial[q])?;
    let mut graph = self::reversed(&reversed);
    graph.tidy(labels);
    Ok(graph)
}

fn reversed(graph: &Graph) -> Graph {
    let mut arcs = vec![Vec::new(); graph.n_states()];
    for (state, leaving) in graph.arcs.iter().enumerate() {
        for arc in leaving {
            arcs[arc.target].push(Arc { target: state, ..arc.clone() });
        }
    }
    Graph { n_sets: graph.n_sets, initial: graph.initial.clone(), arcs }
}

fn reduced(
    graph: Graph,
    labels: &mut Labels,
    budget: &Budget,
    possible: impl Fn(usize, usize) -> bool,
) -> Result<Graph, StopReason> {
    if graph.n_arcs() > MAX_ARCS {
        return Ok(graph);
    }
    let simulated = relation(&graph, labels, budget, possible)?;
    // The first of those that simulate each other stands for all.
    let first = |state: usize| (0..=state).find(|other| simulated[*other][state] && simulated[state][*other]);
    let chosen: Vec<usize> = (0..graph.n_states()).map(|state| first(state).unwrap_or(state)).collect();
    let kept: Vec<usize> = (0..graph.n_states()).filter(|state| chosen[*state] == *state).collect();
    let class: Vec<Option<usize>> = chosen.iter().map(|first| kept.binary_search(first).ok()).collect();
    let mut merged = graph.quotient(&class, kept.len());
    merged.tidy(labels);
    for arcs in &mut merged.arcs {
        prune(arcs, labels, |p, q| simulated[kept[p]][kept[q]]);
    }
    Ok(merged)
}

/// For each state which others simulate it.
fn relation(
    graph: &Graph,
    labels: &mut Labels,
    budget: &Budget,
    possible: impl Fn(usize, usize) -> bool,
) -> Result<Vec<Vec<bool>>, StopReason> {
    let n = graph.n_states();
    let mut simulated: Vec<Vec<bool>> = (0..n).map(|p| (0..n).map(|q| possible(p, q)).collect()).collect();
    let mut order: Vec<usize> = (0..n).collect();
    loop {
        let mut changed = false;
        // Back and forth, so that news travels along a chain in one round, whichever way the chain goes.
        order.reverse();
        for p in order.iter().copied() {
            for q in order.iter().copied().filter(|q| *q != p) {
                budget.check()?;
                if simulated[p][q] && !matched(&graph.arcs[p], &graph.arcs[q], &simulated, labels) {
                    simulated[p][q] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(simulated);
        }
    }
}

fn matched(arcs: &[Arc], others: &[Arc], simulated: &[Vec<bool>], labels: &mut Labels) -> bool {
    arcs.iter().all(|arc| {
        let good =
            others.iter().filter(|other| simulated[arc.target][other.target] && arc.marks.is_subset(&other.marks));
        let covered = labels.any(good.map(|other| other.guard));
        labels.implies(arc.guard, covered)
    })
}

/// Takes from each arc the letters for which another arc is at least as good. No two arcs have the same target and
/// marks, and no two states simulate each other, so "at least as good" is an order and the best arcs stay.
fn prune(arcs: &mut Vec<Arc>, labels: &mut Labels, simulated: impl Fn(usize, usize) -> bool) {
    let before = arcs.clone();
    for (at, arc) in arcs.iter_mut().enumerate() {
        let better = |other: &Arc| simulated(arc.target, other.target) && arc.marks.is_subset(&other.marks);
        let others = before.iter().enumerate().filter(|(index, other)| *index != at && better(other));
        let covered = labels.any(others.map(|(_, other)| other.guard).collect::<Vec<Label>>());
        arc.guard = labels.minus(arc.guard, covered);
    }
    arcs.retain(|arc| arc.guard != Label::FALSE);
}
