//! Text in, program out, and the same text again.

use base::{Diagnostics, Source};

use super::*;
use crate::random::{self, Shape};
use crate::{Expr, LocationId, ProgramBuilder, Relation, Role, Sort, Update};

fn read(text: &str) -> Result<Program, Diagnostics> {
    parse(&Source::new("test", text)).map(|(program, _)| program)
}

fn round_trip(program: &Program) -> String {
    let text = print(program);
    match read(&text) {
        Ok(back) => assert_eq!(back, *program, "{text}"),
        Err(diagnostics) => panic!("{diagnostics:#?}\n{text}"),
    }
    text
}

/// What is said about a text: code, place and message.
fn complaints(text: &str) -> String {
    let Err(diagnostics) = read(text) else { return "nothing".into() };
    let source = Source::new("test", text);
    let line = |diagnostic: &base::Diagnostic| {
        let place = diagnostic.primary.as_ref().map_or_else(String::new, |label| {
            let position = source.position(label.span.start);
            format!("{}:{} `{}`", position.line, position.column, source.slice(label.span))
        });
        format!("{} {place}: {}\n", diagnostic.code, diagnostic.message)
    };
    diagnostics.iter().map(line).collect()
}

const SAMPLE: &str = "\
enum colour { red, green, \"light blue\" }
shared g: bool;
shared n: bits<4>;
shared table: [[bool; 2]; 3];
private mood: colour;
thread main: main;
start n = 3u4 & !main::h;

procedure main() {
  local h: bool;
  entry 0;
  exit 3;
  0:
    -> 1 do h := !g, g := any;
  1 (again, \"two words\") atomic:
    -> 2 call A.0 enter { do a1 := g, a2 := h, havoc saved h where a1' = saved h } leave { when result r do h := result r };
    -> 2 spawn A.0 enter { do a1 := true };
  2 violation:
    -> 3 when g & (h | any) => mood = colour.\"light blue\" do n := add(n, 1u4), table[resize(g, 2)] := [true, false];
    -> 3 when table[1u2][0u1] where n' != n;
  3:
}

procedure A(a1: bool, a2: bool) -> (r: bool) {
  local g: bits<64>;
  entry 0;
  exit 1;
  untouched n, table, mood;
  0:
    -> 1 when ::g & ult(g, 18446744073709551615u64) do havoc r, ::g := ite(a1, a2, xor());
  1:
}
";

#[test]
fn the_sample_reads_and_prints_back_byte_for_byte() {
    match read(SAMPLE) {
        Ok(program) => assert_eq!(round_trip(&program), SAMPLE),
        Err(_) => panic!("{}", complaints(SAMPLE)),
    }
}

#[test]
fn random_programs_round_trip() {
    for seed in 0..300 {
        for (booleans, integers, threads) in
            [(true, false, false), (false, false, false), (false, false, true), (false, true, true)]
        {
            round_trip(&random::program(&Shape { seed, booleans, integers, threads, ..Shape::default() }));
        }
    }
}

#[test]
fn ids_that_are_out_of_order_are_written_down() {
    let mut b = ProgramBuilder::new();
    let [p, q] = ["p", "q"].map(|name| b.procedure(name));
    let l = b.local(q, "l", Sort::Bool);
    let x = b.shared("x", Sort::Bool);
    let locations: Vec<LocationId> = (0..4).map(|at| b.location([p, q][at % 2])).collect();
    b.entry(locations[2]);
    b.entry(locations[0]);
    b.step(locations[1], locations[3], Relation::update(vec![Update::assign(l, Expr::before(x))]));
    b.step(locations[0], locations[2], Relation::identity());
    b.step(locations[0], locations[0], Relation::identity());
    b.thread("p", p);
    let mut program = b.finish();
    program.locations[LocationId(3)].role = Role::Violation;
    program.locations[LocationId(2)].role = Role::Between;
    insta::assert_snapshot!(round_trip(&program), @r#"
    shared #1 x: bool;
    thread p: p;

    procedure p() {
      entry 1, 0;
      0:
        -> #1 1;
        -> 0;
      1 #2 between:
    }

    procedure q() {
      local #0 l: bool;
      0 #1:
        -> #0 1 do l := x;
      1 #3 violation:
    }
    "#);
}

#[test]
fn hostile_names_survive() {
    let hostile = ["", "true", "a b", "\"", "\\", "x'", "::", "\n", "\u{202e}", "p.0", "//", "é", "#1", "0"];
    let mut b = ProgramBuilder::new();
    b.enumeration("bool", hostile.map(String::from).to_vec());
    let shared: Vec<_> = hostile.iter().map(|name| b.shared(*name, Sort::Enum(crate::EnumId(0)))).collect();
    for name in hostile {
        let p = b.procedure(name);
        let location = b.location(p);
        b.entry(location);
        let local = b.local(p, name, Sort::Bool);
        hostile.iter().for_each(|label| b.label(location, *label));
        b.thread(name, p);
        let value = Expr::Const(crate::Value::Enum(3), Sort::Enum(crate::EnumId(0)));
        let updates = shared.iter().map(|variable| Update::assign(*variable, value.clone())).collect();
        b.step(location, location, Relation { guard: Expr::before(local), ..Relation::update(updates) });
    }
    round_trip(&b.finish());
}

#[test]
fn nested_operators_keep_their_shape() {
    for condition in [
        "a & b & c",
        "(a & b) & c",
        "a & (b & c)",
        "and(a)",
        "or()",
        "a => b => c",
        "(a => b) => c",
        "!(a = b) = c",
        "(a = b) != (b = c)",
        "!!a ^ b | c & a",
        "(a | b) & (c ^ a)",
        "ite(a, b, c) & xor(a)",
    ] {
        let text = format!(
            "shared a: bool;\nshared b: bool;\nshared c: bool;\nthread p: p;\nstart {condition};\n\nprocedure p() {{\n  \
             entry 0;\n  0:\n}}\n"
        );
        match read(&text) {
            Ok(program) => assert_eq!(round_trip(&program), text),
            Err(_) => panic!("{}", complaints(&text)),
        }
    }
}

#[test]
fn all_errors_come_at_once_with_their_places() {
    let text = "\
shared a: bool;
shared a: bits<65>;
shared 7: bool;
private é: bool;
thread t: nobody;
init p; init p;
start b & 9u3;
procedure p(x: bool) -> (y: colour) {
  entry 0, 5;
  0:
    -> 1 do y := frob(x), z := 1u2;
    -> 1 when add(x) where ite(a);
    -> 1 call q.0;
  2:
    -> 0 do \"a\\q\" := true;
}
procedure p() { local #4 l: bool; -> 0; }
";
    insta::assert_snapshot!(complaints(text), @r#"
    PM0002 3:8 `7`: expected the name of a variable, found `7`
    PM0001 4:9 `é`: "é" belongs to no word
    PM0002 4:10 `:`: expected the name of a variable, found `:`
    PM0004 7:11 `9u3`: 9 does not fit into 3 bits, or the width is not from 1 to 64
    PM0006 11:18 `frob`: there is no function `frob`
    PM0010 12:15 `add`: `add` does not take 1 operands
    PM0003 15:15 `\q`: there is no such escape
    PM0002 17:35 `->`: expected a location, found `->`
    "#);
}

#[test]
fn names_are_resolved_and_ids_counted() {
    let text = "\
shared a: bool;
shared #7 b: bool;
shared #0 c: colour;
thread t: nobody;
start b & d & main::e & nobody::f & col.red;
init p; init p;
procedure p() {
  entry 0, 5;
  0:
    -> 1 do a := result x, z := [a];
    -> 0 call q.0;
    -> 0 call p.3 leave { do a := result y };
  2:
}
procedure p() {}
";
    insta::assert_snapshot!(complaints(text), @r#"
    PM0008 2:11 `b`: the id 7 leaves a gap: there are 3 things of this kind
    PM0008 3:11 `c`: the id 0 is used already
    PM0006 3:14 `colour`: there is no enumeration "colour"
    PM0006 4:11 `nobody`: there is no procedure "nobody"
    PM0006 5:11 `d`: there is no variable "d" here
    PM0006 5:15 `main`: there is no procedure "main"
    PM0006 5:25 `nobody`: there is no procedure "nobody"
    PM0006 5:37 `col`: there is no enumeration "col" here
    PM0007 6:14 `p`: this is given twice
    PM0006 8:12 `5`: there is no location 5 in this procedure
    PM0006 10:25 `x`: there is no variable "x" here
    PM0006 10:28 `z`: there is no variable "z" here
    PM0010 10:33 `[`: an array is written as constants of one sort, at least one
    PM0006 11:15 `q`: there is no procedure "q"
    PM0006 12:17 `3`: there is no location 3 in this procedure
    PM0006 12:42 `y`: there is no variable "y" here
    PM0009 13:3 `2`: expected the location number 1
    PM0007 15:11 `p`: the name "p" is given twice
    "#);
}

#[test]
fn defects_are_reported_at_their_places() {
    let text = "\
shared a: bits<65>;
shared b: bool;
thread p: p;
procedure p(x: bool) {
  entry 0;
  exit 1;
  untouched b;
  0:
    -> 1 when x = 1u2;
  1:
    -> 0 do b := true, b := false;
}
";
    insta::assert_snapshot!(complaints(text), @r#"
    PM0011 1:8 `a`: a: a bit vector has 1 to 64 bits, not 65
    PM0011 4:11 `p`: lists b as untouched, but touches it
    PM0011 9:5 `-> 1 when x = 1u2`: Eq is not defined on bool and bits<2>
    PM0011 11:5 `-> 0 do b := true, b := false`: leaves an exit
    PM0011 11:5 `-> 0 do b := true, b := false`: writes b twice
    "#);
}

/// Runs on a stack like the tool's own.
fn on_a_large_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).unwrap();
    assert!(thread.join().is_ok());
}

#[test]
fn deep_nesting_is_a_diagnostic_and_long_chains_are_not() {
    on_a_large_stack(|| {
        let within = |condition: &str| {
            format!("shared a: bool; thread p: p; start {condition}; procedure p() {{ entry 0; 0: }}")
        };
        let nested = |n: usize, open: &str, close: &str| within(&format!("{}a{}", open.repeat(n), close.repeat(n)));
        for (open, close) in [("(", ")"), ("!", ""), ("ite(a, ", ", a)"), ("a => ", ""), ("and(", ")")] {
            let deep = read(&nested(4_900, open, close)).expect("4,900 levels are fine");
            round_trip(&deep);
            for n in [5_100, 1_000_000] {
                assert!(complaints(&nested(n, open, close)).starts_with("PM0005"), "{open}");
            }
        }
        let indices = within(&format!("a{}", "[0u1]".repeat(1_000_000)));
        assert!(complaints(&indices).starts_with("PM0005"));
        let sorts = format!("shared a: {}bool{};", "[".repeat(1_000_000), "; 1]".repeat(1_000_000));
        assert!(complaints(&sorts).starts_with("PM0005"));
        assert!(read(&within(&vec!["a"; 200_000].join(" & "))).is_ok());
    });
}

#[test]
fn every_beginning_and_every_change_of_a_text_is_read_or_refused() {
    for end in (0..SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
        drop(read(&SAMPLE[..end]));
    }
    for at in 0..SAMPLE.len() {
        for replacement in ["", "#", "\"", "9", "}", "'", "\u{0}", " x "] {
            let text = [&SAMPLE[..at], replacement, &SAMPLE[at + 1..]].concat();
            if let Ok(program) = read(&text) {
                round_trip(&program);
            }
        }
    }
}

#[test]
fn every_code_is_explained_once_and_in_order() {
    assert!(CODES.is_sorted_by(|earlier, later| earlier.code < later.code));
    assert!(
        CODES.iter().all(|it| { it.code.starts_with("PM00") && !it.title.is_empty() && it.explanation.ends_with('.') })
    );
}

#[test]
fn large_programs_are_read_in_time_that_follows_their_size() {
    let mut b = ProgramBuilder::new();
    let x = b.shared("x", Sort::Bool);
    for at in 0..20_000 {
        let p = b.procedure(format!("p{at}"));
        let l = b.local(p, "l", Sort::Bool);
        let locations: Vec<LocationId> = (0..5).map(|_| b.location(p)).collect();
        b.entry(locations[0]);
        for ends in locations.windows(2) {
            b.step(ends[0], ends[1], Relation::update(vec![Update::assign(l, Expr::before(x))]));
        }
    }
    b.thread("main", crate::ProcedureId(0));
    round_trip(&b.finish());
}
