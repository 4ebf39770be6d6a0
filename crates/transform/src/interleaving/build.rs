//! The program of all interleavings.

use std::sync::Arc;

use base::IdVec;
use program::{
    Call, Edge, EdgeId, EdgeKind, Expr, Graph, LocationId, Program, ProgramBuilder, Relation, Rhs, Scope, Sort, Update,
    VariableId, When,
};

use super::frames::Actor;
use super::unfold::Unfolded;
use super::{Interleaving, MoveKind, Origin};

pub(super) fn build(plain: &Arc<Program>, targets: &[LocationId], unfolded: Vec<Unfolded>) -> Interleaving {
    let mut builder = ProgramBuilder::new();
    for enumeration in &plain.enums {
        builder.enumeration(enumeration.name.clone(), enumeration.values.clone());
    }
    let declare = |variable: VariableId| {
        let declared = &plain.variables[variable];
        (variable, builder.shared(declared.name.clone(), declared.sort.clone()))
    };
    let shared: Vec<(VariableId, VariableId)> = plain.variables_in(Scope::Shared).map(declare).collect();
    let procedure = builder.procedure("run");
    let run = builder.location(procedure);
    builder.entry(run);
    builder.thread("run", procedure);
    let mut program = builder.finish();
    let actors = unfolded.into_iter().enumerate();
    let actors: Vec<Actor> = actors.map(|(at, it)| Actor::declare(plain, it, at, &mut program)).collect();
    let active = (plain.uninterruptible != Expr::FALSE).then(|| {
        let width = usize::BITS - actors.len().leading_zeros();
        crate::edit::shared_variable(&mut program, "active", Sort::Bits(width))
    });
    let mut product = Product { plain, program, run, actors, shared, active, origins: IdVec::new() };
    product.start();
    product.moves();
    let goals = targets.iter().map(|target| product.goal(*target)).collect();
    let Product { program, actors, shared, origins, .. } = product;
    let (original, program, targets) = (Arc::clone(plain), Arc::new(program), targets.to_vec());
    Interleaving { original, program, targets, goals, origins, actors, shared }
}

struct Product<'p> {
    plain: &'p Program,
    program: Program,
    run: LocationId,
    actors: Vec<Actor>,
    shared: Vec<(VariableId, VariableId)>,
    /// The thread that moved last, from one; needed only if it may go on although others may not begin.
    active: Option<VariableId>,
    origins: IdVec<EdgeId, Origin>,
}

impl Product<'_> {
    fn n_threads(&self) -> usize {
        self.plain.threads.len()
    }

    /// The start condition holds for each thread; whoever is not there has the smallest values.
    fn start(&mut self) {
        let mut start = Expr::TRUE;
        for (number, actor) in self.actors.iter().enumerate() {
            if number < self.n_threads() {
                start = start.and(self.rename(&self.plain.start, actor, (0, 0)));
            }
            start = start.and(actor.is_at(0));
            for cell in actor.by_depth.iter().skip(1).flatten() {
                start = start.and(Expr::before(*cell).eq(smallest(self.program.sort(*cell))));
            }
            if let Some(flag) = actor.is_atomic {
                let holds = actor.unfolded.is_atomic(self.plain, 0);
                start = start.and(Expr::before(flag).eq(Expr::bool(holds)));
            }
        }
        if let Some(active) = self.active {
            start = start.and(Expr::before(active).eq(self.thread_number(active, 0)));
        }
        self.program.start = start;
    }

    fn thread_number(&self, active: VariableId, number: usize) -> Expr {
        Expr::Const(program::Value::Bits(number as u64), self.program.sort(active).clone())
    }

    fn variable(&self, actor: &Actor, frame: usize, variable: VariableId) -> VariableId {
        let shared = self.shared.iter().find(|(shared, _)| *shared == variable).map(|(_, own)| *own);
        let Some(own) = shared.or_else(|| actor.own(frame, variable)) else {
            unreachable!("edges speak of shared and private variables and of frames that are there")
        };
        own
    }

    /// The expression about the variables of an actor. Those read before are of the first frame; others of the second;
    /// results of a call are of the frame that is left, which is the second as well.
    fn rename(&self, expr: &Expr, actor: &Actor, (before, after): (usize, usize)) -> Expr {
        expr.clone().map(&mut |expr| match expr {
            Expr::Read(variable, When::Before) => Expr::before(self.variable(actor, before, variable)),
            Expr::Read(variable, When::After) => Expr::after(self.variable(actor, after, variable)),
            Expr::Read(variable, When::Saved) => Expr::after(self.variable(actor, before, variable)),
            Expr::Read(variable, When::Result) => Expr::before(self.variable(actor, after, variable)),
            other => other,
        })
    }

    fn relation(&self, relation: &Relation, actor: &Actor, (before, after): (usize, usize)) -> Relation {
        let rename = |expr: &Expr| self.rename(expr, actor, (before, after));
        let update = |update: &Update| Update {
            variable: self.variable(actor, if update.when == When::Saved { before } else { after }, update.variable),
            index: update.index.as_ref().map(rename),
            when: When::After,
            value: match &update.value {
                Rhs::Expr(value) => Rhs::Expr(rename(value)),
                Rhs::Any => Rhs::Any,
            },
        };
        Relation {
            guard: rename(&relation.guard),
            updates: relation.updates.iter().map(update).collect(),
            constraint: rename(&relation.constraint),
        }
    }

    /// Leaving a call: what the callee has is read, what the caller has is read and written.
    fn leaving(&self, relation: &Relation, actor: &Actor, (callee, caller): (usize, usize)) -> Relation {
        let rename = |expr: &Expr| {
            expr.clone().map(&mut |expr| match expr {
                Expr::Read(variable, When::Result) => Expr::before(self.variable(actor, callee, variable)),
                Expr::Read(variable, When::After) => Expr::after(self.variable(actor, caller, variable)),
                Expr::Read(variable, _) => Expr::before(self.variable(actor, caller, variable)),
                other => other,
            })
        };
        let update = |update: &Update| Update {
            variable: self.variable(actor, caller, update.variable),
            index: update.index.as_ref().map(rename),
            when: When::After,
            value: match &update.value {
                Rhs::Expr(value) => Rhs::Expr(rename(value)),
                Rhs::Any => Rhs::Any,
            },
        };
        let mut left = Relation {
            guard: rename(&relation.guard),
            updates: relation.updates.iter().map(update).collect(),
            constraint: rename(&relation.constraint),
        };
        let depth = actor.unfolded.frames[callee].depth;
        for cell in &actor.by_depth[depth] {
            left.updates.push(Update::assign(*cell, smallest(self.program.sort(*cell))));
        }
        left
    }

    fn moves(&mut self) {
        let graph = Graph::of(self.plain);
        for number in 0..self.actors.len() {
            let actor = self.actors[number].clone();
            for (place, (frame, location)) in actor.unfolded.places.iter().copied().enumerate() {
                self.returns(number, &actor, place);
                for id in graph.outgoing(location) {
                    let Edge { target, kind, .. } = &self.plain.edges[*id];
                    match kind {
                        EdgeKind::Step(relation) => {
                            let relation = self.relation(relation, &actor, (frame, frame));
                            let to = actor.unfolded.place(frame, *target);
                            self.add(number, (MoveKind::Step, *id), relation, (place, to));
                        }
                        EdgeKind::Call(call) => self.enter(number, &actor, (place, *id), call),
                        EdgeKind::Spawn(_) => {}
                    }
                }
            }
        }
    }

    /// Enters a call. What the new frame is not given is arbitrary.
    fn enter(&mut self, number: usize, actor: &Actor, (place, edge): (usize, EdgeId), call: &Call) {
        let (frame, _) = actor.unfolded.places[place];
        let Some(callee) = actor.unfolded.callee(frame, edge) else { return };
        let mut relation = self.relation(&call.enter, actor, (frame, callee));
        for local in self.plain.procedures[call.callee].frame() {
            if !call.enter.writes(local, When::After) {
                relation.updates.push(Update::havoc(self.variable(actor, callee, local)));
            }
        }
        let to = actor.unfolded.place(callee, call.entry);
        self.add(number, (MoveKind::Enter, edge), relation, (place, to));
    }

    /// Leaves the call that the frame was entered by, if the place is an exit.
    fn returns(&mut self, number: usize, actor: &Actor, place: usize) {
        let (frame, location) = actor.unfolded.places[place];
        let Some((caller, edge)) = actor.unfolded.frames[frame].caller else { return };
        let procedure = actor.unfolded.frames[frame].procedure;
        if !self.plain.procedures[procedure].exits.contains(&location) {
            return;
        }
        let Edge { target, kind: EdgeKind::Call(call), .. } = &self.plain.edges[edge] else { return };
        let relation = self.leaving(&call.leave, actor, (frame, caller));
        let to = actor.unfolded.place(caller, *target);
        self.add(number, (MoveKind::Leave, edge), relation, (place, to));
    }

    /// Adds a move from a place to another.
    fn add(
        &mut self,
        number: usize,
        (kind, edge): (MoveKind, EdgeId),
        mut relation: Relation,
        (from, to): (usize, Option<usize>),
    ) {
        let Some(to) = to else { return };
        let actor = &self.actors[number];
        relation.guard = actor.is_at(from).and(self.may_move(number)).and(relation.guard);
        relation.updates.push(Update::assign(actor.place, actor.number(to)));
        let (was, is) = (actor.unfolded.is_atomic(self.plain, from), actor.unfolded.is_atomic(self.plain, to));
        if let Some(flag) = actor.is_atomic.filter(|_| was != is) {
            relation.updates.push(Update::assign(flag, Expr::bool(is)));
        }
        if let Some(active) = self.active.filter(|_| number < self.n_threads()) {
            relation.updates.push(Update::assign(active, self.thread_number(active, number + 1)));
        }
        let places = &actor.unfolded.places;
        let origin = Origin::Move { actor: number, kind, edge, from: places[from].0, to: places[to].0 };
        self.program.edges.push(Edge { source: self.run, target: self.run, kind: EdgeKind::Step(relation) });
        self.origins.push(origin);
    }

    /// Whose turn it may be: `init` comes first, no other thread is in an atomic section, none keeps running.
    fn may_move(&self, number: usize) -> Expr {
        if number >= self.n_threads() {
            return Expr::TRUE;
        }
        let mut may = self.init_is_over();
        for other in (0..self.n_threads()).filter(|other| *other != number) {
            if let Some(flag) = self.actors[other].is_atomic {
                may = may.and(Expr::before(flag).not());
            }
        }
        if let Some(active) = self.active {
            let is = |number: usize| Expr::before(active).eq(self.thread_number(active, number));
            let frames = (0, 0);
            let runs_on = self.rename(&self.plain.uninterruptible, &self.actors[number], frames);
            may = may.and(Expr::any_of([is(0), is(number + 1), runs_on.not()]));
        }
        may
    }

    /// `init` is at an exit of its outermost frame.
    fn init_is_over(&self) -> Expr {
        let Some(init) = self.actors.get(self.n_threads()) else { return Expr::TRUE };
        let exits = &self.plain.procedures[init.unfolded.frames[0].procedure].exits;
        let over = exits.iter().filter_map(|exit| init.unfolded.place(0, *exit));
        Expr::any_of(over.map(|place| init.is_at(place)))
    }

    /// A location for a target, and the steps that lead there.
    fn goal(&mut self, target: LocationId) -> LocationId {
        let procedure = self.program.locations[self.run].procedure;
        let location = self.program.locations[self.run].clone();
        let goal = self.program.locations.push(location);
        self.program.procedures[procedure].locations.push(goal);
        for number in 0..self.actors.len() {
            let actor = &self.actors[number];
            let places = actor.unfolded.places.iter().enumerate().filter(|(_, (_, at))| *at == target);
            let mut guard = Expr::any_of(places.map(|(place, _)| actor.is_at(place)));
            if guard == Expr::FALSE {
                continue;
            }
            if number < self.n_threads() {
                guard = guard.and(self.init_is_over());
            }
            let kind = EdgeKind::Step(Relation::assume(guard));
            self.program.edges.push(Edge { source: self.run, target: goal, kind });
            self.origins.push(Origin::Arrive(number));
        }
        goal
    }
}

fn smallest(sort: &Sort) -> Expr {
    Expr::Const(sort.smallest(), sort.clone())
}
