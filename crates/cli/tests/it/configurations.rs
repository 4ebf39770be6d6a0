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

/// Numbers with a sign, elements by their indices, and the few values of which bits are open.
#[test]
fn values_are_those_of_the_source() {
    let text = "signed int s(3), t[1,2](3); enum e { red, green, blue } c;\n\
                module void f(signed int x(3)) { s = x; }\n\
                module void main() { s = 0 - 2, t[1] = 0 - 1, c = red; f(s - 1); c = undef; L: skip; }\n";
    let lab = Lab::with("signs.rem", text);
    let table = lab.run(&["configurations", "signs.rem"]).out;
    let rows: Vec<&str> = table.lines().filter(|line| line.contains("set:0")).collect();
    assert_snapshot!(rows.join("\n"), @r"
    top       main       set:0 (end)  c=blue | c in {red, green}
    top       main:1     set:0 (end)  s=-2 t[1]=-1 c=red
    top       main:2     set:0 (end)  s=-3 t[1]=-1 c=red
    top       L          set:0 (end)  s=-3 t[1]=-1 c=blue | s=-3 t[1]=-1 c in {red, green}
    top       main:exit  set:0 (end)  s=-3 t[1]=-1 c=blue | s=-3 t[1]=-1 c in {red, green}
    called f  main:2     set:0 (end)  from.s=-2 from.t[1]=-1 from.c=red from.x=-3
    ");
    let trace = lab.run(&["check", "signs.rem", "--reach", "L", "--trace", "t.json"]).out;
    for shown in ["s=-2 c=red\n", " x=-3\n", " s=-3\n"] {
        assert!(trace.contains(shown), "{trace}");
    }
    let replayed = lab.run(&["replay", "signs.rem", "t.json"]);
    assert_eq!(replayed.last_line(), "result: replayed");
    assert!(replayed.out.contains(" x=-3\n"), "{}", replayed.out);
}

/// The answers to sets that are asked about, in order.
fn answers(lab: &Lab, file: &str, sets: &[&str]) -> Vec<String> {
    let mut arguments = vec!["configurations", file, "-q"];
    arguments.extend(sets.iter().flat_map(|set| ["--ask", set]));
    let done = lab.run(&arguments);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let answer = |set: &&str| {
        let line = done.out.lines().find_map(|line| line.strip_prefix(&format!("{set}: ")));
        line.unwrap_or("no answer").to_owned()
    };
    sets.iter().map(answer).collect()
}

/// Two symbols of one frame, each with an `x` of its own.
#[test]
fn locals_are_those_of_the_stack_symbol() {
    let text = "local (a) int x(2);\nlocal (b) int x(3);\n(q <a (x = 1)>)\nq <a> --> q <b> (x' = 2)\n\
                q <b> --> q <b> (x' = x)\n";
    let lab = Lab::with("own.pds", text);
    let found = answers(&lab, "own.pds", &["<b[x = 2]>", "<b[x = 1]>", "<a[x = 1]>", "[x = 2] <.>"]);
    assert_eq!(found, ["yes, for example <b[x=2]>", "no", "yes, for example <a[x=1]>", "yes, for example <b[x=2]>"]);
}

/// `d` has no locals, and nothing is shown or answered about any.
#[test]
fn a_stack_symbol_has_only_its_own_locals() {
    let text = "local (a, b) bool x;\n(q1 <a (x)>)\nq1 <a> --> q1 <b a> (x' & x'')\nq1 <b> --> q2 <d>\n\
                q2 <d> --> q2 <>\nq2 <a> --> q2 <d>\n";
    let lab = Lab::with("own.pds", text);
    assert_snapshot!(lab.run(&["configurations", "own.pds"]).out, @r"
    state     frame     next state   values
    top       a         set:0 (end)  x
    top       d         set:0 (end)  state=q2
    top       a:exit    set:0 (end)  state=q2
    top       b         called b     state=q1 x to.state=q1 to.x
    top       d         called b     state=q2 to.state=q1 to.x
    top       a.2:exit  called b     state=q2 to.state=q1 to.x
    called b  a         set:0 (end)  x from.state=q1 from.x
    2 states, 7 transitions
    result: complete
    ");
    let found = answers(&lab, "own.pds", &["<d a[x]>", "<d a[a::x]>", "q1 <d .*>"]);
    assert_eq!(found, ["yes, for example q2 <d a[x]>", "yes, for example q2 <d a[x]>", "no"]);
    let wrong = |set: &&str| {
        let done = lab.run(&["configurations", "own.pds", "--ask", set]);
        assert_eq!(done.code, Some(2));
        done.err.lines().next().unwrap_or_default().to_owned()
    };
    let errors: Vec<String> = ["<d[x]>", "[x] <.*>", "<d[b::x]>", "<d[d::x]>", "<d[y]>"].iter().map(wrong).collect();
    assert_snapshot!(errors.join("\n"), @r"
    error: the stack symbol `d` has no variable `x`: it is a local of `a`, `b` (at `x` in `<d[x]>`)
    error: the stack symbol `d` has no variable `x`: it is a local of `a`, `b` (at `x` in `[x] <.*>`)
    error: `b::x` is a local of `b`, and this is about `d` (at `b::x` in `<d[b::x]>`)
    error: the stack symbol `d` has no variable `x`: it is a local of `a`, `b` (at `d::x` in `<d[d::x]>`)
    error: there is no variable `y`; there are, for example: state, x (at `y` in `<d[y]>`)
    ");
}

#[test]
fn a_shared_variable_may_be_called_like_a_local() {
    let text = "global bool g; local (b) bool g[2];\n(q <a (g)>)\nq <a> --> q <b> (g'[0])\n\
                q <b> --> q <b> (A i (0,1) g'[i] == g[i])\n";
    let lab = Lab::with("hidden.pds", text);
    let found = answers(&lab, "hidden.pds", &["[g] <a>", "[::g] <b>", "[!::g] <b[g = [1,0]]>", "<b[!g[0]]>"]);
    let yes =
        ["yes, for example [g] <a>", "yes, for example [::g] <b[g=[1,0]]>", "yes, for example [!::g] <b[g=[1,0]]>"];
    assert_eq!(found[..3], yes);
    assert_eq!(found[3], "no");
    let text = "module void f() { int z[2](1); z[0] = 1; FA: skip; }\n\
                module void main() { int z(2); z = 3; f(); LA: skip; }\n";
    let lab = Lab::with("same.rem", text);
    let found = answers(&lab, "same.rem", &["<LA[z = 3]>", "<FA[f::z[0] = 1] LA[main::z != 3]>"]);
    assert_eq!(found, ["yes, for example <LA[z=3]>", "no"]);
}

/// What is shown as an example is a set that holds it.
#[test]
fn examples_are_read_back() {
    let system = "global int v[1,2](2); global bool g; local (b) bool w[2];\n(q1 <a (v[1] = 3 & v[2] = 0 & g)>)\n\
                  q1 <a> --> q2 <b a> (w'[0] & !w'[1] & (A k (1,2) v'[k] = v[k]) & (g' == g))\nq2 <b> --> q2 <b>\n";
    let program = "struct s { signed int f(2); bool h; }; struct s g[2]; enum e { red, green } c[2];\n\
                   module void main() { int g(2); g = 2; c[0] = green; ONE: skip; }\n";
    for (file, text, set) in [("a.pds", system, "<b .>"), ("a.rem", program, "<ONE>")] {
        let lab = Lab::with(file, text);
        let first = answers(&lab, file, &[set]).concat();
        let example = first.strip_prefix("yes, for example ").expect("there is one");
        assert_eq!(answers(&lab, file, &[example]), std::slice::from_ref(&first), "{example}");
    }
}

#[test]
fn conditions_have_the_arithmetic_and_the_quantifiers_of_the_source() {
    let text = "define M 3 global int a[1,M](2); int x(3); (q (x = 6 & A i (1,M) a[i] = i) <s>) \
                q <s> --> q <t> (x' = x / 4 & A i (1,M) a'[i] = a[i]) q <t> --> q <t> (A i (1,M) a'[i] = a[i])";
    let lab = Lab::with("array.pds", text);
    let sets = [
        "[A i (1, M - 1) a[i] < a[i + 1]] <t>",
        "[E i (1, M) a[i] << 1 > 6] <.>",
        "[7 / x = 7] <t>",
        "[x / 4 = 0] <s>",
    ];
    let example = |x: u32| format!("yes, for example [a=[1,2,3] & x={x}] <t>");
    assert_eq!(answers(&lab, "array.pds", &sets), [example(0), "no".to_owned(), example(1), "no".to_owned()]);
    let sorted = |n: &str| format!("[] \"A i (1, M - {n}) a[i] < a[i + 1]\"");
    let done = lab.run(&["check", "array.pds", "-q", "--ltl", &sorted("1")]);
    assert_eq!((done.code, done.last_line()), (Some(0), "result: holds (no certificate)"));
    let done = lab.run(&["check", "array.pds", "--ltl", &sorted("0")]);
    assert_eq!(done.code, Some(3));
    assert!(done.err.contains("there is no element 4: the array has 3, numbered from 1 to 3, where `i` is 3"));
}
