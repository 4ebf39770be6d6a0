//! The languages of saturated automata: on small random systems they hold exactly the configurations that the textbook's
//! explicit algorithms give, forwards and backwards, from regular sets of configurations; and from finite sets those
//! that a search finds one by one.
//!
//! The systems are made of tables, so that their explicit form is known without evaluating anything.

mod explicit;

use std::collections::BTreeSet;

use base::{Budget, Silent};
use engine::Context;
use engine::saturation::{Configuration, Configurations, Saturation, prepare};
use explicit::{Dice, System, Word};
use program::{Program, Value};
use question::configuration::{ConfigurationSet, parse};

/// Most configurations that are compared.
const MOST: usize = 600;

fn boolean(value: &Value) -> bool {
    *value == Value::Bool(true)
}

/// A configuration in the form of the oracle: the shared value, and locations with the local value.
fn plain(configuration: &Configuration) -> Word {
    let shared = configuration.shared.first().is_some_and(|(_, value)| boolean(value));
    let frame = |frame: &engine::saturation::Frame| {
        (frame.location.0, frame.values.first().is_some_and(|(_, value)| boolean(value)))
    };
    (shared, configuration.frames.iter().map(frame).collect())
}

/// A random set of configurations.
fn random_set(dice: &mut Dice, program: &Program) -> (String, ConfigurationSet) {
    let n = program.locations.len();
    let name = |dice: &mut Dice| {
        let location = program::LocationId(dice.below(n) as u32);
        question::configuration::location_name(program, location)
    };
    let [a, b, c] = [(); 3].map(|()| name(dice));
    let of = |symbol: &str| symbol.split(':').next().unwrap_or_default().to_owned();
    let text = match dice.below(12) {
        0 => format!("<{a}>"),
        1 => format!("<{a} {b}>"),
        2 => format!("<{a} {b}*>"),
        3 => format!("<{a} ({b} | {c})* {b}>"),
        4 => format!("[g] <{a} .*>"),
        5 => format!("<{a}[{}::x] {b}[!{}::x]>", of(&a), of(&b)),
        6 => format!("[!g] <. {b}+>"),
        7 => "<>".to_owned(),
        8 => format!("<{a} ({b} {c})* > | [g] <{c}>"),
        9 => format!("[g & {}::x] <{a} .? {c}>", of(&a)),
        10 => format!("<({a} | {b}) .*>"),
        _ => format!("<{a}[{0}::x]* {b} {c}>", of(&a)),
    };
    let set = parse(program, &question::Writing::default(), &|_| None, &text)
        .unwrap_or_else(|error| panic!("{text}: {error:?}"));
    (text, set)
}

struct Checked {
    n_configurations: usize,
    n_deep: usize,
}

/// Compares the language of one saturation, up to the greatest height at which it is small.
fn check(system: &System, text: &str, set: &ConfigurationSet, direction: Saturation) -> Checked {
    let (budget, silent) = (Budget::unlimited(), Silent);
    let context = Context { budget: &budget, observer: &silent };
    let prepared = prepare(&system.program, &[set], &context).unwrap_or_else(|reason| panic!("{reason}"));
    let found = Configurations::saturate(&prepared, set, direction, None, &context);
    assert_eq!(found.stopped, None);
    for height in [6, 5, 4, 3, 2, 1] {
        let listed = found.enumerate(height, MOST, &context).unwrap_or_else(|stop| panic!("{stop}"));
        let Some(listed) = listed else { continue };
        let listed: BTreeSet<Word> = listed.iter().map(plain).collect();
        let automaton = match direction {
            Saturation::Forward => system.post_star(set),
            Saturation::Backward => system.pre_star(set),
        };
        let expected = system.words(&automaton, height);
        if listed != expected {
            let more: Vec<&Word> = listed.difference(&expected).take(3).collect();
            let less: Vec<&Word> = expected.difference(&listed).take(3).collect();
            panic!(
                "{direction:?} from {text}: too many {more:?}, missing {less:?}\n{}",
                program::text::print(&prepared.program)
            );
        }
        for word in listed.iter().step_by(listed.len() / 4 + 1) {
            let asked = system.singleton(word);
            let met = found.meets(&asked, &context).unwrap_or_else(|stop| panic!("{stop}"));
            assert_eq!(met.as_ref().map(plain).as_ref(), Some(word), "{direction:?} from {text}");
        }
        let n_deep = listed.iter().filter(|(_, frames)| frames.len() > 2).count();
        return Checked { n_configurations: listed.len(), n_deep };
    }
    Checked { n_configurations: 0, n_deep: 0 }
}

#[test]
fn languages_equal_those_of_the_textbook() {
    let (mut n_configurations, mut n_deep) = ([0, 0], [0, 0]);
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let system = System::random(&mut dice);
        for (at, direction) in [Saturation::Forward, Saturation::Backward].into_iter().enumerate() {
            let (text, set) = random_set(&mut dice, &system.program);
            let checked = check(&system, &format!("{text}, seed {seed}"), &set, direction);
            n_configurations[at] += checked.n_configurations;
            n_deep[at] += checked.n_deep;
        }
    }
    for at in [0, 1] {
        assert!(n_configurations[at] > 5_000 && n_deep[at] > 2_000, "{n_configurations:?} {n_deep:?}");
    }
}

#[test]
fn languages_equal_what_a_search_enumerates() {
    let (mut n_exact, mut n_configurations) = (0, 0);
    for seed in 1000..1150 {
        let mut dice = Dice(seed);
        let system = System::random(&mut dice);
        let set = ConfigurationSet::start(&system.program);
        check(&system, &format!("the start, seed {seed}"), &set, Saturation::Forward);
        let (budget, silent) = (Budget::unlimited(), Silent);
        let context = Context { budget: &budget, observer: &silent };
        let prepared = prepare(&system.program, &[&set], &context).unwrap_or_else(|reason| panic!("{reason}"));
        let found = Configurations::saturate(&prepared, &set, Saturation::Forward, None, &context);
        let Some(listed) = found.enumerate(6, MOST, &context).unwrap_or_else(|stop| panic!("{stop}")) else { continue };
        let listed: BTreeSet<Word> = listed.iter().map(plain).collect();
        let (seen, is_cut) = system.search(10);
        let low: BTreeSet<Word> = seen.into_iter().filter(|(_, frames)| frames.len() <= 6).collect();
        assert!(low.is_subset(&listed), "seed {seed}");
        // Higher stacks may come down again; from ten frames to six nothing new is to be expected.
        assert_eq!(low, listed, "seed {seed}, cut off: {is_cut}");
        n_exact += usize::from(!is_cut);
        n_configurations += low.len();
    }
    assert!(n_exact > 15 && n_configurations > 1_500, "{n_exact} {n_configurations}");
}
