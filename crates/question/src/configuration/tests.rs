use super::*;
use crate::Writing;
use program::{Call, ProgramBuilder, Relation, Sort};

/// `main` calls `p` twice; `p` has a label.
fn sample() -> Program {
    let mut builder = ProgramBuilder::new();
    builder.shared("g", Sort::Bool);
    let [main, p] = ["main", "p"].map(|name| builder.procedure(name));
    builder.local(p, "x", Sort::Bits(2));
    let [start, middle, end] = [main; 3].map(|procedure| builder.location(procedure));
    let [enter, leave] = [p; 2].map(|procedure| builder.location(procedure));
    builder.label(enter, "L");
    builder.entry(start);
    builder.entry(enter);
    builder.exit(end);
    builder.exit(leave);
    for (from, to) in [(start, middle), (middle, end)] {
        let nothing = Relation::identity();
        builder.call(from, to, Call { callee: p, entry: enter, enter: nothing.clone(), leave: nothing });
    }
    builder.step(enter, leave, Relation::identity());
    builder.thread("main", main);
    builder.finish()
}

/// Whether a stack (of locations) is in a set, conditions aside.
fn contains(set: &ConfigurationSet, stack: &[u32]) -> bool {
    let mut places: Vec<usize> = set.first.iter().map(|(place, _)| *place).collect();
    for (at, location) in stack.iter().enumerate() {
        places.retain(|place| set.places[*place].locations.contains(&LocationId(*location)));
        if at + 1 < stack.len() {
            places = places.iter().flat_map(|place| set.places[*place].next.clone()).collect();
        }
    }
    places.iter().any(|place| set.places[*place].is_last)
}

fn read(text: &str) -> ConfigurationSet {
    parse(&sample(), &Writing::default(), &|name| (name == "q").then_some(Expr::TRUE), text)
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// A set, stacks in it, and stacks that are not.
type Case = (&'static str, &'static [&'static [u32]], &'static [&'static [u32]]);

#[test]
fn regular_expressions_over_locations() {
    // 0, 1, 2: main; 3, 4: p. Stacks from the top.
    let cases: [Case; 11] = [
        ("<L main:1>", &[&[3, 1]], &[&[3], &[3, 2], &[3, 1, 1]]),
        ("<p::L .>", &[&[3, 0], &[3, 4]], &[&[3], &[3, 0, 0]]),
        ("<L .*>", &[&[3], &[3, 1], &[3, 2, 2, 2]], &[&[4, 1]]),
        ("<(L | p:exit) main:1 | main>", &[&[3, 1], &[4, 1], &[0]], &[&[3], &[1]]),
        ("<L+ main:1?>", &[&[3], &[3, 3, 1], &[3, 3]], &[&[1], &[3, 1, 1]]),
        ("<(L main:1)* main:2>", &[&[2], &[3, 1, 2], &[3, 1, 3, 1, 2]], &[&[3, 2], &[3, 1]]),
        ("<>", &[&[2], &[4]], &[&[3], &[2, 2]]),
        ("<L*>", &[&[3, 3], &[2], &[4]], &[&[4, 3]]),
        ("<L> | q [g] <main:1>", &[&[3], &[1]], &[&[2]]),
        ("<. .>", &[&[3, 1], &[3, 2], &[0, 4]], &[&[4, 1], &[3], &[2]]),
        ("<.+>", &[&[3], &[3, 2, 2]], &[&[4, 1], &[2]]),
    ];
    for (text, inside, outside) in cases {
        let set = read(text);
        for stack in inside {
            assert!(contains(&set, stack), "{text} has {stack:?}");
        }
        for stack in outside {
            assert!(!contains(&set, stack), "{text} has not {stack:?}");
        }
    }
}

#[test]
fn conditions_are_about_the_frames_they_stand_at() {
    let set = read("[g & p::x = 1] <L [x < 2] p:exit[x != 0]>");
    assert_ne!(set.first[0].1, Expr::TRUE);
    assert!(set.places.iter().all(|place| place.condition != Expr::TRUE));
}

#[test]
fn what_is_wrong_is_said_where() {
    let cases = [
        ("<M>", "M", "there is no location `M`; there are, for example: L, main:0, p:0"),
        ("<L", "", "a location, `.`, `(` or `>` is expected here"),
        ("q", "", "`<` is expected here: the stack is written between `<` and `>`"),
        ("<L> <L>", "<", "`|` and another pattern, or the end, is expected here"),
        ("<(L>", ">", "a closing parenthesis is expected here"),
        ("<L . [x = 1]>", "x = 1", "the condition speaks of locals that not all of these locations have"),
        ("[x] <main>", "x", "this is not a condition: compare it with something"),
        ("<L main:1[g]>", "main:1[g]", "shared variables have values at the top of the stack only"),
        ("[h] <L>", "h", "there is no variable `h`; there are, for example: g, p::x"),
        ("[x = 1] <main>", "x = 1", "the condition speaks of locals that not all of these locations have"),
        ("r <L>", "r", "there is no control state `r`"),
        ("<L [g>", "g", "the closing `]` is missing"),
    ];
    for (text, place, message) in cases {
        let error =
            parse(&sample(), &Writing::default(), &|name| (name == "q").then_some(Expr::TRUE), text).expect_err(text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!(text[error.range].trim(), place, "{text}");
    }
    let deep = format!("<{}L{}>", "(".repeat(1000), ")".repeat(1000));
    assert!(parse(&sample(), &Writing::default(), &|_| None, &deep).is_err());
}

#[test]
fn names_are_read_back() {
    let program = sample();
    for location in program.locations.ids() {
        let name = location_name(&program, location);
        let set = parse(&program, &Writing::default(), &|_| None, &format!("<{name}>")).expect("it is a name");
        assert_eq!(set.places[0].locations, [location], "{name}");
    }
}
