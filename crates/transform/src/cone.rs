//! The pass `cone`: only what can influence the targets is kept.
//!
//! Locations from which no path of the control graph leads to a target lose all edges, to them and from them
//! (sequential programs only: another thread may wait for what a thread does there). Paths go through calls and returns without regard to who
//! called, so that no edge leads from such a location to one that is kept.
//!
//! Of the variables, those matter that a guard, a constraint or an index reads, and those whose values flow into
//! variables that matter. The updates of all others are dropped, and conditions on their values at the start with
//! them.

use base::{Id, IdVec};
use program::{Edge, EdgeKind, Expr, Graph, LocationId, NaryOp, Program, Rhs, VariableId};

use crate::edit::{conjuncts, for_each_read, literal, relations_mut, retain_edges, update_may_block};
use crate::{LocationBack, Pass, WayBack};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Cone;

impl Pass for Cone {
    fn name(&self) -> &'static str {
        "cone"
    }

    fn description(&self) -> &'static str {
        "drops locations and variables that cannot influence whether a target is reached"
    }

    fn rewrite(&self, program: &mut Program, targets: &[LocationId]) -> Option<WayBack> {
        let mut way_back = WayBack::default();
        let cut = cut(program, targets, &mut way_back);
        let relevant = Relevance::of(program);
        let narrowed = drop_updates(program, &relevant) | drop_start(program, &relevant);
        if narrowed {
            let irrelevant = relevant.iter_ids().filter(|(_, relevant)| !**relevant);
            way_back.removed = irrelevant.map(|(id, _)| id).collect();
        }
        (cut || narrowed).then_some(way_back)
    }
}

/// Drops the edges to locations from which no target can be reached; true when there are some.
fn cut(program: &mut Program, targets: &[LocationId], way_back: &mut WayBack) -> bool {
    if program.sequential_start().is_none() {
        return false;
    }
    let leads = leads_to(program, targets);
    let matters = |edge: &Edge| match &edge.kind {
        EdgeKind::Step(_) | EdgeKind::Spawn(_) => leads[edge.target],
        EdgeKind::Call(call) => leads[call.entry] || leads[edge.target],
    };
    if program.edges.iter().all(matters) {
        return false;
    }
    let kept = program.edges.iter().map(matters).collect();
    way_back.edges = Some(retain_edges(program, &kept));
    let elsewhere = leads.iter_ids().filter(|(_, leads)| !**leads);
    way_back.locations = elsewhere.map(|(id, _)| (id, LocationBack::Everything)).collect();
    true
}

/// The locations from which a path of the control graph leads to a target.
fn leads_to(program: &Program, targets: &[LocationId]) -> IdVec<LocationId, bool> {
    let graph = Graph::of(program);
    let mut leads = IdVec::filled(program.locations.len(), false);
    let mut entries = leads.clone();
    for entry in program.procedures.iter().flat_map(|procedure| &procedure.entries) {
        entries[*entry] = true;
    }
    let mut work = Vec::new();
    let mut reach = |location: LocationId, work: &mut Vec<LocationId>| {
        if !std::mem::replace(&mut leads[location], true) {
            work.push(location);
        }
    };
    targets.iter().for_each(|target| reach(*target, &mut work));
    while let Some(location) = work.pop() {
        for edge in graph.incoming(location) {
            let edge = &program.edges[*edge];
            reach(edge.source, &mut work);
            if let EdgeKind::Call(call) = &edge.kind {
                program.procedures[call.callee].exits.iter().for_each(|exit| reach(*exit, &mut work));
            }
        }
        if entries[location] {
            let calls = graph.calls_of(program.locations[location].procedure);
            calls.iter().for_each(|call| reach(program.edges[*call].source, &mut work));
        }
    }
    leads
}

/// Which variables matter.
struct Relevance {
    relevant: IdVec<VariableId, bool>,
    work: Vec<VariableId>,
}

impl Relevance {
    fn of(program: &Program) -> IdVec<VariableId, bool> {
        let mut relevance = Self { relevant: IdVec::filled(program.variables.len(), false), work: Vec::new() };
        relevance.add_roots(program);
        let sources = Sources::of(program);
        while let Some(variable) = relevance.work.pop() {
            for source in sources.of_variable(variable) {
                relevance.add_reads(source);
            }
        }
        relevance.relevant
    }

    fn add(&mut self, variable: VariableId) {
        if !std::mem::replace(&mut self.relevant[variable], true) {
            self.work.push(variable);
        }
    }

    fn add_reads(&mut self, expr: &Expr) {
        for_each_read(expr, &mut |variable, _| self.add(variable));
    }

    /// What can make an edge or the start impossible, or decides who runs.
    fn add_roots(&mut self, program: &Program) {
        self.add_reads(&program.uninterruptible);
        for relation in program.edges.iter().flat_map(|edge| edge.kind.relations()) {
            self.add_reads(&relation.guard);
            self.add_reads(&relation.constraint);
            for update in relation.updates.iter().filter(|update| update_may_block(update)) {
                self.add(update.variable);
                update.exprs().for_each(|expr| self.add_reads(expr));
            }
        }
        let mut fixed: IdVec<VariableId, bool> = IdVec::filled(program.variables.len(), false);
        for condition in conjuncts(&program.start) {
            match literal(condition) {
                Some((variable, ..)) if !std::mem::replace(&mut fixed[variable], true) => {}
                _ => self.add_reads(condition),
            }
        }
    }
}

/// The right sides of the updates of each variable.
struct Sources<'p> {
    starts: Vec<u32>,
    exprs: Vec<&'p Expr>,
}

impl<'p> Sources<'p> {
    fn of(program: &'p Program) -> Self {
        let all = || {
            let updates = program.edges.iter().flat_map(|edge| edge.kind.relations()).flat_map(|it| &it.updates);
            updates.filter_map(|update| match &update.value {
                Rhs::Expr(expr) => Some((update.variable.index(), expr)),
                Rhs::Any => None,
            })
        };
        let mut starts = vec![0u32; program.variables.len() + 1];
        all().for_each(|(variable, _)| starts[variable + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut exprs = vec![&Expr::TRUE; starts[program.variables.len()] as usize];
        for (variable, expr) in all() {
            exprs[next[variable] as usize] = expr;
            next[variable] += 1;
        }
        Self { starts, exprs }
    }

    fn of_variable(&self, variable: VariableId) -> &[&'p Expr] {
        &self.exprs[self.starts[variable.index()] as usize..self.starts[variable.index() + 1] as usize]
    }
}

/// Drops the updates of variables that do not matter; true when there are some.
fn drop_updates(program: &mut Program, relevant: &IdVec<VariableId, bool>) -> bool {
    let mut dropped = false;
    for relation in program.edges.iter_mut().flat_map(|edge| relations_mut(&mut edge.kind)) {
        let n = relation.updates.len();
        relation.updates.retain(|update| relevant[update.variable]);
        dropped |= relation.updates.len() < n;
    }
    dropped
}

/// Drops conditions on the start about variables that do not matter; true when there are some.
fn drop_start(program: &mut Program, relevant: &IdVec<VariableId, bool>) -> bool {
    let matters = |condition: &Expr| {
        let mut matters = *condition == Expr::FALSE;
        for_each_read(condition, &mut |variable, _| matters |= relevant[variable]);
        matters || literal(condition).is_none()
    };
    let kept: Vec<Expr> = conjuncts(&program.start).iter().filter(|it| matters(it)).cloned().collect();
    if kept.len() == conjuncts(&program.start).len() {
        return false;
    }
    program.start = match <[Expr; 1]>::try_from(kept) {
        Ok([only]) => only,
        Err(kept) if kept.is_empty() => Expr::TRUE,
        Err(kept) => Expr::Nary(NaryOp::And, kept),
    };
    true
}

#[cfg(test)]
mod tests {
    use program::{Relation, Sort, Update};

    use super::*;
    use crate::sample::{chain, finish, set, with_main};

    #[test]
    fn variables_that_flow_nowhere_disappear() {
        let (mut builder, main, g) = with_main();
        let [x, y, z] = ["x", "y", "z"].map(|name| builder.local(main, name, Sort::Bool));
        let both = Relation::update(vec![Update::assign(x, Expr::before(y)), Update::assign(z, Expr::before(g))]);
        let at =
            chain(&mut builder, main, vec![both, set(z, Expr::before(z).not()), Relation::assume(Expr::before(x))]);
        builder.start(Expr::before(z));
        builder.start(Expr::before(y).not());
        let program = finish(builder);
        let (result, way_back) = Cone.apply(&program, &[at[3]]).unwrap();
        assert_eq!(way_back, WayBack { removed: vec![g, z], ..WayBack::default() });
        let updated: Vec<_> =
            result.edges.iter().flat_map(|edge| edge.kind.relations()).flat_map(|it| &it.updates).collect();
        assert_eq!(updated, [&Update::assign(x, Expr::before(y))]);
        assert_eq!(result.start, Expr::before(y).not());
    }

    #[test]
    fn contradictory_starts_are_kept() {
        let (mut builder, main, g) = with_main();
        let at = chain(&mut builder, main, vec![Relation::identity()]);
        builder.start(Expr::before(g));
        builder.start(Expr::before(g).not());
        assert_eq!(Cone.apply(&finish(builder), &[at[1]]), None);
    }

    #[test]
    fn an_update_that_can_block_is_kept_with_all_it_reads() {
        let (mut builder, main, _) = with_main();
        let array = builder.local(main, "array", Sort::Array(Box::new(Sort::Bool), 3));
        let (index, x) = (builder.local(main, "index", Sort::Bits(2)), builder.local(main, "x", Sort::Bool));
        let element = Expr::Index(Box::new(Expr::before(array)), Box::new(Expr::before(index)));
        let at = chain(&mut builder, main, vec![set(index, Expr::before(index)), set(x, element)]);
        assert_eq!(Cone.apply(&finish(builder), &[at[2]]), None);
    }

    #[test]
    fn what_leads_to_no_target_is_cut_unless_a_thread_may_wait_for_it() {
        let (mut builder, main, g) = with_main();
        let at = chain(&mut builder, main, vec![Relation::assume(Expr::before(g)), set(g, Expr::FALSE)]);
        let sequential = finish(builder.clone());
        let (result, way_back) = Cone.apply(&sequential, &[at[1]]).unwrap();
        assert_eq!(result.edges.len(), 1);
        assert_eq!(way_back.locations, [(at[2], LocationBack::Everything)]);
        builder.thread("other", main);
        assert_eq!(Cone.apply(&finish(builder), &[at[1]]), None);
    }
}
