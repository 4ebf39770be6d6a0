//! `cauldron configurations`.

use crate::harness::Lab;
use crate::json::valid;
use insta::assert_snapshot;

/// The recursion flips `a` on its way down, so `main` gets what it gave or the opposite.
const FLIP: &str = "\
decl g;
void main() begin
  decl h;
  g := F;
  h := T;
  g := flip(h);
  if (g) then R: skip; fi
end
bool flip(a) begin
  if (*) then a := flip(!a); fi
  return a;
end
";

#[test]
fn the_automaton_is_a_table() {
    assert_snapshot!(Lab::with("flip.bp", FLIP).run(&["configurations", "flip.bp"]).transcript(), @r"
    --- stdout
    state          frame      next state     values
    top            main:0     set:0 (end)    any
    top            main:1     set:0 (end)    !g
    top            main:2     set:0 (end)    !g h
    top            main:3     set:0 (end)    h
    top            R          set:0 (end)    g h
    top            main:exit  set:0 (end)    h
    top            flip:0     called flip:0  !g a !to.g to.a | !g !a !to.g !to.a
    top            flip:1     called flip:0  !g a !to.g to.a | !g !a !to.g !to.a
    top            flip:2     called flip:0  !g !to.g
    top            flip:exit  called flip:0  !g a return !to.g | !g !a !return !to.g
    called flip:0  main:3     set:0 (end)    h !from.g from.a
    called flip:0  flip:2     called flip:0  a !from.g !from.a !to.g to.a | !a !from.g from.a !to.g !to.a
    2 states, 12 transitions
    result: complete
    --- exit 0
    ");
}

#[test]
fn stacks_are_asked_for() {
    let lab = Lab::with("flip.bp", FLIP);
    let ask = ["<flip flip:2* main:3>", "<flip flip:2>", "<flip:exit flip:2[!a] flip:2[!a] .*>", "[!g] <R>"];
    let mut arguments = vec!["configurations", "flip.bp"];
    arguments.extend(ask.iter().flat_map(|set| ["--ask", set]));
    let done = lab.run(&arguments);
    let answers: Vec<&str> = done.out.lines().filter(|line| line.contains(">: ")).collect();
    assert_snapshot!(answers.join("\n"), @r"
    <flip flip:2* main:3>: yes, for example [!g] <flip:0[a & !return] main:3[h]>
    <flip flip:2>: no
    <flip:exit flip:2[!a] flip:2[!a] .*>: no
    [!g] <R>: no
    ");
}

#[test]
fn from_one_set_to_another() {
    let lab = Lab::with("flip.bp", FLIP);
    for direction in ["forward", "backward"] {
        let ask = |from: &str, to: &str| {
            let arguments = ["configurations", "flip.bp", "-q", "--direction", direction, "--from", from, "--to", to];
            let done = lab.run(&arguments);
            (done.code, done.last_line().to_owned())
        };
        let reached = (Some(10), "result: reached".to_owned());
        let unreachable = (Some(0), "result: unreachable".to_owned());
        assert_eq!(ask("[g] <flip:2 main:3>", "<R>"), reached, "{direction}");
        assert_eq!(ask("<flip:2[!a] main:3>", "<R .*>"), unreachable, "{direction}");
        assert_eq!(ask("<flip flip:2* main:3>", "<>"), reached, "{direction}");
        assert_eq!(ask("<flip flip:2*>", "<R .*>"), unreachable, "{direction}");
    }
}

#[test]
fn everything_that_leads_to_a_set() {
    let lab = Lab::with("flip.bp", FLIP);
    let done = lab.run(&[
        "configurations",
        "flip.bp",
        "--direction",
        "backward",
        "--to",
        "<R .*>",
        "--ask",
        "<flip:2[a] main:3>",
    ]);
    assert_eq!(done.code, Some(0));
    assert!(done.out.contains("<flip:2[a] main:3>: yes"), "{}", done.out);
    let done = lab.run(&["configurations", "flip.bp", "--direction", "backward"]);
    assert_snapshot!(done.transcript(), @r"
    --- stderr
    error: `--direction backward` needs a set to start from
      help: say which configurations are to be reached: `--to SET`
    --- exit 2
    ");
}

#[test]
fn automata_for_programs_and_for_graphviz() {
    let lab = Lab::with("flip.bp", FLIP);
    let done = lab.run(&["configurations", "flip.bp", "--json", "c.json", "--dot", "c.dot", "--ask", "<R>"]);
    assert_eq!(done.code, Some(0));
    let report = valid(&lab.read("c.json"), "configurations");
    assert_eq!(report["result"], "complete");
    assert_eq!(report["asked"][0]["found"]["stack"][0]["location"], "R");
    assert_eq!(report["automaton"]["states"].as_array().map(Vec::len), Some(2));
    assert_snapshot!(lab.read("c.dot"), @r#"
    digraph configurations {
      rankdir=LR;
      top [shape=point];
      s0 [shape=doublecircle, label="set:0"];
      s1 [shape=circle, label="called flip:0"];
      top -> s0 [label="main:0"];
      top -> s0 [label="main:1 [!g]"];
      top -> s0 [label="main:2 [!g h]"];
      top -> s0 [label="main:3 [h]"];
      top -> s0 [label="R [g h]"];
      top -> s0 [label="main:exit [h]"];
      top -> s1 [label="flip:0 [!g a !to.g to.a | !g !a !to.g !to.a]"];
      top -> s1 [label="flip:1 [!g a !to.g to.a | !g !a !to.g !to.a]"];
      top -> s1 [label="flip:2 [!g !to.g]"];
      top -> s1 [label="flip:exit [!g a return !to.g | !g !a !return !to.g]"];
      s1 -> s0 [label="main:3 [h !from.g from.a]"];
      s1 -> s1 [label="flip:2 [a !from.g !from.a !to.g to.a | !a !from.g from.a !to.g !to.a]"];
    }
    "#);
}

#[test]
fn sets_that_cannot_be_read() {
    let lab = Lab::with("flip.bp", FLIP);
    let done = |set: &&str| lab.run(&["configurations", "flip.bp", "--ask", set]).err;
    let errors: Vec<String> = ["<X>", "<flip", "<flip[b]>"].iter().map(done).collect();
    assert_snapshot!(errors.concat(), @r"
    error: there is no location `X`; there are, for example: R, main:0, flip:0 (at `X` in `<X>`)
      help: a set is written as in `<main:2 .*>`: locations from the top of the stack down; see `cauldron configurations --help`
    error: a location, `.`, `(` or `>` is expected here (at the end of `<flip`)
      help: a set is written as in `<main:2 .*>`: locations from the top of the stack down; see `cauldron configurations --help`
    error: there is no variable `b`; there are, for example: flip::a, flip::return, g, main::h (at `b` in `<flip[b]>`)
      help: a set is written as in `<main:2 .*>`: locations from the top of the stack down; see `cauldron configurations --help`
    ");
}
