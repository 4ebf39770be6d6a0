//! Certificates that leave out what a single condition would have found: no other condition is violated.

use super::*;

/// A program from its text, with `everything` as its certificate but for facts at some locations.
fn with_facts(text: &str, facts: &[(&str, &str, bool)], targets: &[&str]) -> Result<(), String> {
    let source = base::Source::new("example", text);
    let (program, _) = program::text::parse(&source).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    let mut certificate = everything(&program);
    certificate.targets = targets.iter().map(|name| location(&program, name)).collect();
    certificate.sets.retain(|(place, _)| !certificate.targets.contains(place));
    for (at, name, value) in facts {
        let variable = program.variables.iter_ids().find(|(_, variable)| variable.name == **name).unwrap().0;
        for (place, set) in &mut certificate.sets {
            if *place == location(&program, at) {
                *set = Set::Facts(vec![(variable, Value::Bool(*value))]);
            }
        }
    }
    match check(&program, &certificate) {
        Err(ValidateError::Rejected(what)) => Err(what),
        Err(other) => panic!("{other}"),
        Ok(()) => Ok(()),
    }
}

const ASKS: &str = "\
shared g: bool;
thread main: main;
START
procedure main() {
  entry 0;
  0:
    -> 1 when g;
  1 violation:
}
";

#[test]
fn the_start_must_be_in_the_first_set() {
    // No edge contradicts "g is false at main.0": only the initial states do.
    let claim = |start: &str| with_facts(&ASKS.replace("START", start), &[("main.0", "g", false)], &["main.1"]);
    assert_eq!(claim("start !g;"), Ok(()));
    assert_eq!(claim(""), Err("some initial state is not in its set at main.0".into()));
    assert_eq!(claim("start g;"), Err("some initial state is not in its set at main.0".into()));
}

const RETURNS: &str = "\
shared g: bool;
thread main: main;
procedure main() {
  entry 0;
  0:
    -> 1 call p.0;
  1:
    -> 2 when g;
  2 violation:
}
procedure p() {
  entry 0;
  exit 1;
  exit 2;
  0:
    -> 1 do g := false;
    -> 2 do g := OTHER;
  1:
  2:
}
";

#[test]
fn what_returns_must_be_in_the_set_behind_the_call() {
    let claim =
        |other: &str, facts: &[(&str, &str, bool)]| with_facts(&RETURNS.replace("OTHER", other), facts, &["main.2"]);
    let all = [("main.1", "g", false), ("p.1", "g", false), ("p.2", "g", false)];
    assert_eq!(claim("false", &all), Ok(()));
    // All edges of p and main agree with the sets, but one of the exits says nothing.
    let outside = |exit: &str| {
        Err(format!("the return from {exit} to main.1, called at main.0, leads out of the set at its end"))
    };
    assert_eq!(claim("true", &all[..2]), outside("p.2"));
    assert_eq!(claim("false", &[all[0], all[2]]), outside("p.1"));
    // The set of an exit is too small.
    assert_eq!(claim("true", &all), Err("the step from p.0 to p.2 leads out of the set at its end".into()));
}

/// `p` is said to leave g alone, and main believes it. The claim has no columns: only the check of `unchanged` sees it.
fn unchanged(body: &str) -> Result<(), String> {
    let text = "\
shared g: bool;
thread main: main;
start !g;
procedure main() {
  entry 0;
  0:
    -> 1 call p.0;
  1:
    -> 2 when g;
  2 violation:
}
procedure p() {
  entry 0;
  exit 1;
  0:
    -> 1 BODY;
  1:
}
";
    let source = base::Source::new("example", text.replace("BODY", body));
    let (program, _) = program::text::parse(&source).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    let places = ["main.0", "main.1", "p.0", "p.1"].map(|name| location(&program, name));
    let set = |place: &LocationId| {
        let is_main = program.locations[*place].procedure == ProcedureId(0);
        let facts = if is_main { vec![(VariableId(0), Value::Bool(false))] } else { Vec::new() };
        (*place, Set::Diagram { root: 0, facts })
    };
    let frame = Frame { columns: Vec::new(), unchanged: vec![VariableId(0)] };
    let certificate = Certificate {
        targets: vec![location(&program, "main.2")],
        frames: vec![(ProcedureId(1), frame)],
        sets: places.iter().map(set).collect(),
        dag: bdd::Dag { nodes: Vec::new(), roots: vec![1] },
    };
    check(&program, &certificate).map_err(|error| error.to_string())
}

#[test]
fn what_a_callee_is_said_to_leave_alone_it_must() {
    assert_eq!(unchanged("do g := g"), Ok(()));
    assert_eq!(unchanged("when !g do g := false where g' = g"), Ok(()));
    let changes = "the certificate proves nothing: the step from p.0 to p.1 changes a variable that is said to be \
                   unchanged";
    assert_eq!(unchanged("do g := !g"), Err(changes.into()));
    assert_eq!(unchanged("do g := any"), Err(changes.into()));
    assert_eq!(unchanged("do havoc g"), Err(changes.into()));
}
