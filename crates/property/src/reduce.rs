//! Smaller automata with the same language, and plain acceptance.
//!
//! What is not on a way to acceptance goes; marks are kept only where they decide; equal states become one; what another
//! state or arc can do as well (`simulate`) goes too. Generalised acceptance becomes plain by counting the marks in turn,
//! anew in every component.

use std::collections::BTreeMap;

use base::{Budget, StopReason};

use crate::graph::{Arc, Graph, Marks};
use crate::label::{Label, Labels};
use crate::simulate;

/// Beyond this many states all orders of counting marks are not tried.
const MAX_TRIED: usize = 60;

/// Beyond this many states not all equal states are looked for.
const MAX_REFINED: usize = 1_000;

/// A small automaton with one set of marks and the same language, its states numbered from the initial ones on.
pub(crate) fn plain(graph: Graph, labels: &mut Labels, budget: &Budget) -> Result<Graph, StopReason> {
    let graph = shrink(graph, labels, budget)?;
    let mut best: Option<Graph> = None;
    for order in orders(&graph) {
        let counted = shrink(counted(&graph, &order, budget)?, labels, budget)?;
        let size = |graph: &Graph| (graph.n_states(), graph.n_arcs());
        if best.as_ref().is_none_or(|best| size(&counted) < size(best)) {
            best = Some(counted);
        }
    }
    let mut graph = best.unwrap_or(graph);
    if graph.initial.is_empty() {
        // The empty language is a state that leads nowhere.
        graph = Graph { n_sets: 1, initial: vec![0], arcs: vec![Vec::new()] };
    }
    Ok(graph.renumbered())
}

/// The orders in which marks are counted.
fn orders(graph: &Graph) -> Vec<Vec<usize>> {
    match graph.n_sets {
        1 => vec![vec![0]],
        2 => vec![vec![0, 1], vec![1, 0]],
        3 if graph.n_states() <= MAX_TRIED => {
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            orders.iter().map(|order| order.to_vec()).collect()
        }
        n => vec![(0..n).collect()],
    }
}

/// What marks an arc from one component to another has. No run takes it twice, so they do not matter; but whether two
/// states look alike depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Between {
    None,
    All,
}

fn shrink(mut graph: Graph, labels: &mut Labels, budget: &Budget) -> Result<Graph, StopReason> {
    loop {
        let before = (graph.n_states(), graph.n_arcs());
        for between in [Between::All, Between::None] {
            graph = remark(&trim(&graph), between, budget)?;
            graph.tidy(labels);
            labels.check()?;
            graph = merge_equal(&graph, labels, budget)?;
            graph = simulate::forward(graph, labels, budget)?;
            graph = simulate::backward(&graph, labels, budget)?;
        }
        labels.check()?;
        if (graph.n_states(), graph.n_arcs()) == before {
            let mut graph = remark(&trim(&graph), Between::None, budget)?.renumbered();
            graph.tidy(labels);
            return Ok(graph);
        }
    }
}

/// The components in which a run can accept, by number.
fn accepting(graph: &Graph, component: &[usize]) -> Vec<bool> {
    let n = component.iter().max().map_or(0, |max| max + 1);
    let mut inner: Vec<Option<Vec<bool>>> = vec![None; n];
    for (state, arcs) in graph.arcs.iter().enumerate() {
        for arc in arcs.iter().filter(|arc| component[arc.target] == component[state]) {
            let met = inner[component[state]].get_or_insert_with(|| vec![false; graph.n_sets]);
            (0..graph.n_sets).for_each(|mark| met[mark] |= arc.marks.contains(mark));
        }
    }
    inner.into_iter().map(|met| met.is_some_and(|met| met.into_iter().all(|met| met))).collect()
}

/// Without states that no run meets, or from which none accepts.
fn trim(graph: &Graph) -> Graph {
    let graph = graph.renumbered();
    let component = graph.components();
    let mut live = accepting(&graph, &component);
    let mut by_component: Vec<usize> = (0..graph.n_states()).collect();
    by_component.sort_by_key(|state| component[*state]);
    // Arcs lead to smaller numbers, so those are known already.
    for state in by_component {
        live[component[state]] |= graph.arcs[state].iter().any(|arc| live[component[arc.target]]);
    }
    let mut n = 0;
    let class: Vec<Option<usize>> = (0..graph.n_states())
        .map(|state| {
            live[component[state]].then(|| {
                n += 1;
                n - 1
            })
        })
        .collect();
    graph.quotient(&class, n)
}

/// Gives each component in which a run can accept as few marks as it needs, numbered from zero; the others get none.
fn remark(graph: &Graph, between: Between, budget: &Budget) -> Result<Graph, StopReason> {
    let component = graph.components();
    let accepting = accepting(graph, &component);
    let mut inner: Vec<Vec<&Arc>> = vec![Vec::new(); accepting.len()];
    for (state, arcs) in graph.arcs.iter().enumerate() {
        inner[component[state]].extend(arcs.iter().filter(|arc| component[arc.target] == component[state]));
    }
    let needed: Result<Vec<Vec<usize>>, StopReason> =
        inner.iter().map(|arcs| needed(arcs, graph.n_sets, budget)).collect();
    let needed = needed?;
    let of_accepting = needed.iter().zip(&accepting).filter(|(_, accepting)| **accepting);
    let n_sets = of_accepting.map(|(needed, _)| needed.len()).max().unwrap_or(0).max(1);
    let marks = |from: usize, arc: &Arc| {
        if component[arc.target] != from {
            return if between == Between::All { Marks::all(n_sets) } else { Marks::default() };
        }
        if !accepting[from] {
            return Marks::default();
        }
        let needed = &needed[from];
        (0..n_sets).filter(|mark| needed.get(*mark).is_none_or(|old| arc.marks.contains(*old))).collect()
    };
    let arcs = graph.arcs.iter().enumerate().map(|(state, arcs)| {
        let arc = |arc: &Arc| Arc { marks: marks(component[state], arc), ..arc.clone() };
        arcs.iter().map(arc).collect()
    });
    Ok(Graph { n_sets, initial: graph.initial.clone(), arcs: arcs.collect() })
}

/// The marks that decide: not those that every arc has, nor those that come with another one.
fn needed(arcs: &[&Arc], n_sets: usize, budget: &Budget) -> Result<Vec<usize>, StopReason> {
    let comes_with =
        |mark: usize, other: usize| arcs.iter().all(|arc| !arc.marks.contains(other) || arc.marks.contains(mark));
    let mut needed: Vec<usize> = (0..n_sets).filter(|mark| !arcs.iter().all(|arc| arc.marks.contains(*mark))).collect();
    let mut at = 0;
    while at < needed.len() {
        budget.check()?;
        let mark = needed[at];
        if needed.iter().any(|other| *other != mark && comes_with(mark, *other)) {
            needed.remove(at);
        } else {
            at += 1;
        }
    }
    Ok(needed)
}

/// The arcs of a state, to classes of states.
type Signature = Vec<(usize, Marks, Label)>;

fn signature(arcs: &[Arc], class: &[usize], labels: &mut Labels) -> Signature {
    let mut merged: BTreeMap<(usize, &Marks), Label> = BTreeMap::new();
    for arc in arcs {
        let guard = merged.entry((class[arc.target], &arc.marks)).or_insert(Label::FALSE);
        *guard = labels.or(*guard, arc.guard);
    }
    merged.into_iter().map(|((target, marks), guard)| (target, marks.clone(), guard)).collect()
}

/// One state for all that have the same arcs to the same classes of states.
fn merge_equal(graph: &Graph, labels: &mut Labels, budget: &Budget) -> Result<Graph, StopReason> {
    let classes =
        if graph.n_states() <= MAX_REFINED { refined(graph, labels, budget) } else { joined(graph, labels, budget) };
    let classes = classes?;
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let class: Vec<Option<usize>> = classes
        .iter()
        .map(|class| {
            let next = numbers.len();
            Some(*numbers.entry(*class).or_insert(next))
        })
        .collect();
    let mut merged = graph.quotient(&class, numbers.len());
    merged.tidy(labels);
    Ok(merged)
}

/// The coarsest classes: all states are equal until something tells them apart. Takes as many rounds as the automaton is
/// long.
fn refined(graph: &Graph, labels: &mut Labels, budget: &Budget) -> Result<Vec<usize>, StopReason> {
    let mut class = vec![0; graph.n_states()];
    let mut n_classes = usize::from(graph.n_states() > 0);
    loop {
        let mut numbers: BTreeMap<(usize, Signature), usize> = BTreeMap::new();
        let mut finer = Vec::with_capacity(class.len());
        for (state, arcs) in graph.arcs.iter().enumerate() {
            budget.step()?;
            let key = (class[state], signature(arcs, &class, labels));
            let next = numbers.len();
            finer.push(*numbers.entry(key).or_insert(next));
        }
        let stable = numbers.len() == n_classes;
        (class, n_classes) = (finer, numbers.len());
        if stable {
            return Ok(class);
        }
    }
}

/// Classes found in one round: all states are different until they have the same arcs, targets first.
fn joined(graph: &Graph, labels: &mut Labels, budget: &Budget) -> Result<Vec<usize>, StopReason> {
    let component = graph.components();
    let mut order: Vec<usize> = (0..graph.n_states()).collect();
    order.sort_by_key(|state| component[*state]);
    let mut class: Vec<usize> = (0..graph.n_states()).collect();
    let mut first: BTreeMap<Signature, usize> = BTreeMap::new();
    for state in order {
        budget.step()?;
        let signature = signature(&graph.arcs[state], &class, labels);
        class[state] = *first.entry(signature).or_insert(state);
    }
    Ok(class)
}

/// An automaton with one set of marks: states remember which mark they wait for, in the given order.
fn counted(graph: &Graph, order: &[usize], budget: &Budget) -> Result<Graph, StopReason> {
    let component = graph.components();
    let accepting = accepting(graph, &component);
    let n = order.len();
    // The first mark from `level` on that the arc does not have; n when it has all.
    let advance = |arc: &Arc, level: usize| (level..n).find(|at| !arc.marks.contains(order[*at])).unwrap_or(n);
    let step = |from: usize, level: usize, arc: &Arc| {
        let inside = component[arc.target] == component[from] && accepting[component[from]];
        let reached = if inside { advance(arc, level) } else { 0 };
        let round = inside && reached == n;
        let level = if round { advance(arc, 0) % n } else { reached };
        let marks = if round { Marks::all(1) } else { Marks::default() };
        Arc { target: arc.target * n + level, marks, guard: arc.guard }
    };
    let mut arcs = Vec::with_capacity(graph.n_states() * n);
    for (state, leaving) in graph.arcs.iter().enumerate() {
        for level in 0..n {
            budget.check()?;
            arcs.push(leaving.iter().map(|arc| step(state, level, arc)).collect());
        }
    }
    Ok(Graph { n_sets: 1, initial: graph.initial.iter().map(|state| state * n).collect(), arcs })
}
