//! Pushdown systems against a naive search on their own terms: stack symbols with values, no procedures, no diagrams.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(unreachable_pub, reason = "the parts of a test")]

mod model;

use std::collections::{BTreeMap, BTreeSet};

use base::{Budget, Silent, Source};
use driver::{CheckError, FrontOptions, Options, Question, Verdict};
use model::{Model, Moment, Variable};

/// Control state and globals; a stack symbol and its locals.
type Global = (usize, Vec<i64>);
type Cell = (usize, Vec<i64>);
type Head = (Global, Cell);

/// All values of some variables.
fn values(variables: &[Variable]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for variable in variables {
        for _ in 0..variable.n_cells() {
            let extended = all
                .iter()
                .flat_map(|cells| (0..variable.n_values()).map(move |value| [cells.as_slice(), &[value]].concat()));
            all = extended.collect();
        }
    }
    all
}

/// What the rules do to a head: new global state and what is pushed.
fn successors(model: &Model, (global, top): &Head) -> BTreeSet<(Global, Vec<Cell>)> {
    let mut found = BTreeSet::new();
    for rule in model.rules.iter().filter(|rule| rule.from == global.0 && rule.top == top.0) {
        let symbols: Vec<usize> = std::iter::once(rule.top).chain(rule.pushed.iter().copied()).collect();
        for after in values(&model.globals) {
            for pushed in frames(model, &rule.pushed) {
                let locals: Vec<&[i64]> =
                    std::iter::once(top.1.as_slice()).chain(pushed.iter().map(|cell| cell.1.as_slice())).collect();
                let moment = Moment { globals: [&global.1, &after], locals: &locals };
                let holds = |it| model.holds(it, &symbols, &moment, &mut Vec::new());
                if rule.condition.as_ref().is_none_or(holds) {
                    found.insert(((rule.to, after.clone()), pushed));
                }
            }
        }
    }
    found
}

/// All stacks of some symbols.
fn frames(model: &Model, symbols: &[usize]) -> Vec<Vec<Cell>> {
    let mut all = vec![Vec::new()];
    for symbol in symbols {
        let locals = values(model.locals(*symbol));
        let extend = |stack: &Vec<Cell>| {
            let extended = locals.iter().map(|cells| [stack.as_slice(), &[(*symbol, cells.clone())]].concat());
            extended.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

/// A search over heads. A place is where a symbol was pushed: all that matters of it is which head came there first and
/// what waits below.
#[derive(Default)]
struct Search {
    /// Heads reached, with their places.
    reached: BTreeSet<(Head, usize)>,
    work: Vec<(Head, usize)>,
    places: BTreeMap<Head, usize>,
    /// What waits below a place: symbols, and the place of the last of them.
    waiting: Vec<BTreeSet<(Vec<Cell>, usize)>>,
    /// Global states in which a place was popped.
    popped: Vec<BTreeSet<Global>>,
}

impl Search {
    fn new_place(&mut self) -> usize {
        self.waiting.push(BTreeSet::new());
        self.popped.push(BTreeSet::new());
        self.waiting.len() - 1
    }

    fn add(&mut self, head: Head, place: usize) {
        if self.reached.insert((head.clone(), place)) {
            self.work.push((head, place));
        }
    }

    /// Puts symbols where a place is; the last of them takes it.
    fn put(&mut self, global: Global, stack: &[Cell], place: usize) {
        match stack {
            [] => {
                if self.popped[place].insert(global.clone()) {
                    for (rest, below) in self.waiting[place].clone() {
                        self.put(global.clone(), &rest, below);
                    }
                }
            }
            [only] => self.add((global, only.clone()), place),
            [first, rest @ ..] => {
                let head = (global, first.clone());
                let above = match self.places.get(&head) {
                    Some(above) => *above,
                    None => {
                        let above = self.new_place();
                        self.places.insert(head.clone(), above);
                        above
                    }
                };
                self.add(head, above);
                if self.waiting[above].insert((rest.to_vec(), place)) {
                    for global in self.popped[above].clone() {
                        self.put(global, rest, place);
                    }
                }
            }
        }
    }
}

/// All control states with the stack symbols that are on top in them.
fn reachable(model: &Model) -> BTreeSet<(usize, usize)> {
    let mut search = Search::default();
    let bottom = search.new_place();
    for globals in values(&model.globals) {
        let moment = Moment { globals: [&globals, &[]], locals: &[] };
        if model.start_condition.as_ref().is_none_or(|it| model.holds(it, &[], &moment, &mut Vec::new())) {
            for stack in frames(model, &model.start) {
                search.put((0, globals.clone()), &stack, bottom);
            }
        }
    }
    let mut known: BTreeMap<Head, BTreeSet<(Global, Vec<Cell>)>> = BTreeMap::new();
    while let Some((head, place)) = search.work.pop() {
        let next = known.entry(head.clone()).or_insert_with(|| successors(model, &head));
        for (global, stack) in next.iter() {
            search.put(global.clone(), stack, place);
        }
    }
    search.reached.iter().map(|((global, top), _)| (global.0, top.0)).collect()
}

/// The control states with stack symbols that an engine says are reached; none when it does not support the system.
fn answered(model: &Model, engine: &str, passes: Option<Vec<String>>) -> Option<BTreeSet<(usize, usize)>> {
    let text = model.text();
    let source = Source::new("random.pds", text.clone());
    let loaded = match driver::load(source, &front_pds::PDS, &FrontOptions::default()) {
        Ok(loaded) => loaded,
        // The only system that is rejected although it means something: one without any run.
        Err((_, diagnostics)) => {
            let codes: Vec<&str> = diagnostics.iter().map(|it| it.code).filter(|code| *code < "PD0050").collect();
            assert_eq!(codes, ["PD0041"], "{text}\n{diagnostics:#?}");
            return Some(BTreeSet::new());
        }
    };
    let pairs = (0..model.n_states).flat_map(|state| (0..model.n_symbols).map(move |symbol| (state, symbol)));
    let labels: Vec<String> = pairs.map(|(state, symbol)| format!("q{state}:s{symbol}")).collect();
    let loaded = driver::watch(loaded, &labels);
    assert_eq!(program::verify(&loaded.program), Ok(()), "{text}");
    let labels: Vec<String> =
        labels.into_iter().filter(|label| !loaded.program.label_targets(label).is_empty()).collect();
    if labels.is_empty() {
        return Some(BTreeSet::new());
    }
    let question = Question { labels, ..Question::default() };
    let options = Options { engine: Some(engine.to_owned()), passes, ..Options::default() };
    let outcome =
        match driver::check(&loaded, &question, &options, &driver::Context::new(&Budget::unlimited(), &Silent)) {
            Ok(outcome) => outcome,
            Err(CheckError::Unsupported(..)) => return None,
            Err(error) => panic!("{error:?}\n{text}"),
        };
    let mut reached = BTreeSet::new();
    for finding in &outcome.findings {
        match &finding.verdict {
            Verdict::Fails(_) => reached.extend(pairs_of(&loaded, finding.target.location)),
            Verdict::Holds => {}
            Verdict::Unknown(reason) => panic!("{reason}\n{text}"),
        }
    }
    Some(reached)
}

/// The states and symbols that a location stands for.
fn pairs_of(loaded: &driver::Loaded, location: program::LocationId) -> Vec<(usize, usize)> {
    let labels = loaded.program.locations[location].labels.iter();
    let number = |name: &str| name[1..].parse().expect("names are q0, s1 and so on");
    labels.filter_map(|label| label.split_once(':')).map(|(state, symbol)| (number(state), number(symbol))).collect()
}

#[test]
fn random_systems_mean_what_their_rules_say() {
    let modes = [("explicit", Some(Vec::new())), ("explicit", None), ("summary", Some(Vec::new())), ("summary", None)];
    let mut n_answered = BTreeMap::new();
    for seed in 0..300 {
        let model = Model::random(seed);
        let expected = reachable(&model);
        for (engine, passes) in modes.clone() {
            if let Some(found) = answered(&model, engine, passes) {
                assert_eq!(found, expected, "seed {seed}, {engine}\n{}", model.text());
                *n_answered.entry(engine).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(n_answered["explicit"], 600, "the oracle supports all of them");
    assert!(n_answered["summary"] > 150, "{n_answered:?}");
}
