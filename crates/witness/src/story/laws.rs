//! Laws on random programs and random runs.
//!
//! The law of relevance: when everything that a story does not need gets other values, the run still takes the same
//! edges, and everything that the story knows is still so.

use program::interp::{Machine, MoveKind, Player};
use program::random::{self, Shape};
use program::{Choice, EdgeKind, Run, RunId, Scope, VariableId, When};

use super::record::{Definition, DefinitionId};
use super::*;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // The constants are those of splitmix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    fn value(&mut self, program: &Program, variable: VariableId) -> Value {
        let mut values = program.sort(variable).first_values(program, 64);
        values.swap_remove(self.below(values.len()))
    }
}

/// Whatever is tried, in a random order.
fn attempt(machine: &Machine<'_>, program: &Program, random: &mut Random) -> TraceStep {
    let threads = &machine.configuration().threads;
    let waiting = machine.configuration().waiting.as_ref();
    let thread = random.below(threads.len().max(waiting.map_or(0, Vec::len)));
    let source = threads.get(thread).map(|state| state.top().location);
    let is_fitting = |edge: &EdgeId| Some(program.edges[*edge].source) == source;
    let fitting: Vec<EdgeId> = program.edges.ids().filter(is_fitting).collect();
    // Steps to an exit are preferred: else few calls would return.
    let last = fitting.iter().position(|edge| machine.is_exit(program.edges[*edge].target));
    let at = last.filter(|_| random.below(2) == 0).unwrap_or_else(|| random.below(fitting.len()));
    let edge = fitting.get(at).copied().unwrap_or_else(|| EdgeId(random.below(program.edges.len()) as u32));
    let is_over = source.is_some_and(|source| machine.is_exit(source));
    let action = match random.below(6) {
        _ if is_over && random.below(3) > 0 => Action::Return,
        0..3 => Action::Enter(edge),
        _ => Action::Take(edge),
    };
    let mut choices = Vec::new();
    for variable in program.variables.ids() {
        if random.below(6) == 0 {
            choices.push(Choice::after(variable, random.value(program, variable)));
        }
    }
    TraceStep { thread: thread as u32, action, choices }
}

/// A random run; every start and every step is tried until some are possible.
fn random_run(program: &Program, random: &mut Random) -> Option<Trace> {
    let start: Vec<Choice> = program
        .variables_in(Scope::Shared)
        .filter(|_| random.below(2) == 0)
        .collect::<Vec<_>>()
        .into_iter()
        .map(|variable| Choice::after(variable, random.value(program, variable)))
        .collect();
    let mut machine = Machine::start(program, &start).ok()?;
    let mut steps = Vec::new();
    for _ in 0..200 {
        let mut step = attempt(&machine, program, random);
        if machine.step(&step).is_err() {
            step.choices.clear();
            if machine.step(&step).is_err() {
                continue;
            }
        }
        steps.push(step);
        if steps.len() == 14 {
            break;
        }
    }
    Some(Trace { start, steps, runs: Vec::new() })
}

/// The trace with the calls that return as runs of their own.
fn folded(trace: &Trace) -> Trace {
    let mut runs: Vec<Run> = Vec::new();
    let mut steps: Vec<TraceStep> = Vec::new();
    for step in &trace.steps {
        let opened = steps.iter().rposition(|before| before.thread == step.thread && is_enter(before));
        let alone = |from: usize| steps[from..].iter().all(|inside| inside.thread == step.thread);
        match (step.action, opened) {
            (Action::Return, Some(from)) if alone(from) => {
                let mut inside = steps.split_off(from);
                let call = inside.remove(0);
                let Action::Enter(edge) = call.action else { unreachable!("found by its action") };
                let action = Action::Across(edge, RunId(runs.len() as u32));
                runs.push(Run { entry: call.choices, steps: inside });
                steps.push(TraceStep { action, ..step.clone() });
            }
            _ => steps.push(step.clone()),
        }
    }
    Trace { start: trace.start.clone(), steps, runs }
}

fn is_enter(step: &TraceStep) -> bool {
    matches!(step.action, Action::Enter(_))
}

/// The run without what it does not need: arbitrary values are others, and other choices are not made.
struct Other<'a> {
    record: &'a Record<'a>,
    needed: &'a [bool],
}

impl Other<'_> {
    /// A choice for a definition that the run needs or leaves open.
    fn choice(&self, id: usize, when: When, random: &mut Random) -> Option<Choice> {
        let Definition { variable, value, scene, .. } = &self.record.definitions[id];
        let chosen = |value: Value| Choice { variable: *variable, when, value };
        if self.needed[id] {
            return Some(chosen(value.clone()));
        }
        // What satisfies a constraint is left to the interpreter.
        let is_constrained = !self.record.template(&self.record.scenes[*scene as usize]).constraint.is_empty();
        let is_open = *self.record.source(id as DefinitionId) == template::Source::Open;
        (is_open && !is_constrained).then(|| chosen(random.value(self.record.program, *variable)))
    }

    /// Choices for the start, and the number of its definitions.
    fn start(&self, machine: &Machine<'_>, random: &mut Random) -> (Vec<Choice>, usize) {
        let configuration = machine.configuration();
        let has_init = configuration.waiting.is_some();
        let mut choices = Vec::new();
        let mut id = 0;
        let mut add = |n: usize, is_choice: bool| {
            for at in id..id + n {
                let Definition { variable, value, .. } = &self.record.definitions[at];
                let choice = self.choice(at, When::After, random);
                // The choices for the same variable of several threads are told apart by their number.
                let is_counted = self.record.n_start > 1 || has_init;
                let same = is_counted.then(|| Choice::after(*variable, value.clone()));
                choices.extend(choice.or(same).filter(|_| is_choice));
            }
            id += n;
        };
        add(configuration.shared.len(), true);
        for thread in configuration.threads.iter().chain(configuration.waiting.iter().flatten()) {
            let is_init = has_init && std::ptr::eq(thread, &configuration.threads[0]);
            add(thread.private.len(), !is_init);
            add(thread.top().values.len(), true);
        }
        (choices, id)
    }
}

fn check_relevance(program: &Program, trace: &Trace, random: &mut Random) {
    let record = Record::of(program, trace, &Watched::default()).unwrap();
    let known = relevance::known(&record);
    let needed = relevance::needed(&record);
    let other = Other { record: &record, needed: &needed };
    let mut player = Player::new(program, trace).unwrap();
    let (start, mut id) = other.start(player.machine(), random);
    let mut steps = Vec::new();
    while let Some(played) = player.next_move().unwrap() {
        let moved = played.moved;
        let mut choices = Vec::new();
        for assigned in &moved.assigned {
            choices.extend(other.choice(id, assigned.when, random));
            id += 1;
        }
        let action = match moved.kind {
            MoveKind::Step | MoveKind::Spawn => Action::Take(moved.edge),
            MoveKind::Enter => Action::Enter(moved.edge),
            MoveKind::Leave => Action::Return,
        };
        steps.push(TraceStep { thread: moved.thread, action, choices });
    }
    let varied = Trace { start, steps, runs: Vec::new() };
    let again = match Record::of(program, &varied, &Watched::default()) {
        Ok(again) => again,
        Err(error) => panic!("{error}\n{}\n{trace:?}\n{varied:?}\n{needed:?}", program::text::print(program)),
    };
    assert_eq!(again.definitions.len(), record.definitions.len());
    for (id, known) in known.iter().enumerate() {
        if *known {
            let [one, other] = [&record, &again].map(|record| &record.definitions[id].value);
            assert_eq!(one, other, "definition {id}\n{}\n{trace:?}\n{varied:?}", program::text::print(program));
        }
    }
}

/// What a story says, with its bodies written out; but not what calls write to the frame that waits for them, which is
/// said when they begin or, of calls that are folded, when they end.
fn said(program: &Program, story: &Story) -> Vec<Values> {
    fn go_on(program: &Program, story: &Story, events: &[Event], said: &mut Vec<Values>) {
        for event in events {
            match &event.kind {
                EventKind::Call(body) => {
                    let body = &story.bodies[*body];
                    said.push(body.values.clone());
                    go_on(program, story, &body.events, said);
                    let EdgeKind::Call(call) = &program.edges[event.edge].kind else { panic!("{event:?}") };
                    let returned =
                        event.changed.iter().filter(|(variable, _)| call.leave.writes(*variable, When::After));
                    said.push(returned.cloned().collect());
                }
                EventKind::Enter { values, .. } => said.push(values.clone()),
                EventKind::Spawn { values, .. } => said.push([values.clone(), event.changed.clone()].concat()),
                EventKind::Step | EventKind::Return => said.push(event.changed.clone()),
            }
        }
    }
    let mut all = Vec::new();
    go_on(program, story, &story.events, &mut all);
    all
}

/// Folding calls changes neither what is said nor how much.
fn check_folding(program: &Program, trace: &Trace) -> bool {
    let folded = folded(trace);
    let story = tell(program, &folded).unwrap();
    let flat = tell(program, trace).unwrap();
    assert_eq!((flat.n_steps, flat.max_depth), (story.n_steps, story.max_depth));
    assert_eq!(flat.n_steps, trace.n_steps());
    assert_eq!((&flat.opening, &flat.later), (&story.opening, &story.later));
    assert_eq!(said(program, &flat), said(program, &story), "{}", program::text::print(program));
    let all = narrate::narrate_all(program, &folded).unwrap();
    assert_eq!((all.n_steps, all.max_depth), (story.n_steps, story.max_depth));
    let (some, all) = (said(program, &story), said(program, &all));
    assert_eq!(some.len(), all.len());
    for (some, all) in some.iter().zip(&all) {
        assert!(some.iter().all(|known| all.contains(known)), "{some:?} {all:?}");
    }
    !story.bodies.is_empty()
}

#[test]
fn what_is_not_needed_may_have_any_value() {
    let (mut n_runs, mut n_steps, mut n_bodies) = (0, 0, 0);
    let mut n_known = [0; 2];
    for seed in 0..2400 {
        let (booleans, threads) = [(true, false), (false, false), (false, true)][seed as usize % 3];
        let locations = 2 + (seed as u32 / 3) % 3;
        let shape = Shape { seed, booleans, threads, locations, ..Shape::default() };
        let program = random::program(&shape);
        let mut random = Random(seed);
        let Some(trace) = random_run(&program, &mut random) else { continue };
        for _ in 0..3 {
            check_relevance(&program, &trace, &mut random);
        }
        n_bodies += usize::from(check_folding(&program, &trace));
        n_runs += 1;
        n_steps += trace.steps.len();
        for known in relevance::known(&Record::of(&program, &trace, &Watched::default()).unwrap()) {
            n_known[usize::from(known)] += 1;
        }
    }
    // The runs are worth something.
    assert!(n_runs > 1000 && n_steps > 4 * n_runs && n_bodies > 100, "{n_runs} {n_steps} {n_bodies}");
    assert!(n_known.iter().all(|n| *n > 1000), "{n_known:?}");
}
