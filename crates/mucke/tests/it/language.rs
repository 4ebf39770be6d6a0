//! Mucke's language: what is read, and what is said about mistakes.

use std::fmt::Write;

use base::Source;
use calculus::print::Printer;
use calculus::{Signature, fuzz};
use mucke::{parse, resolve};

use crate::shared::show_diagnostics;

pub(crate) const EXAMPLE: &str = "
/* A lift with three floors. */
enum Floor {0..2};
enum Door { open, shut };
class State { Floor at; Door door; bool called[3]; } at < door, door ~+ called;

bool Start(State s) s.at = 0 & s.door = shut & !s.called[0] & !s.called[1] & !s.called[2];

bool Up(Floor f, Floor f') f ~+ f' (f = 0 & f' = 1 | f = 1 & f' = 2);

bool Step(State s, State t) s ~+ t
  case s.door = open: t.at = s.at & t.door = shut;
       s.called[0]: Up(t.at, s.at) | t.door = open;
       1: t.called = s.called & if (s.at != 2) Up(s.at, t.at) else t.at = 0; esac;

mu bool Odd(State s);
mu bool Even(State s) Start(s) | (exists State t. Odd(t) & Step(t, s));
mu bool Odd(State s) exists State t. Even(t) & Step(t, s);
nu bool Stay(State s) (Even(s) <+> Odd(s)) & (forall State t: Step(s, t) -> Stay(t)) assume Even(s);

#print \"lift\"; #timer reset;
#size Even; #ons Odd;
exists State s. Even(s) & s.door = open;
Up(0, 1) <- Up(1, 1);
#quit
nonsense ?? \"no end
";

/// The resolved system and its steps, or what is wrong.
fn show(text: &str) -> String {
    let source = Source::new("test.mu", text);
    let (tree, mut diagnostics) = parse(&source);
    let mut out = String::new();
    match tree.map(|tree| resolve(&tree)) {
        Some(Ok((resolved, warnings))) => {
            diagnostics.extend(warnings);
            fuzz::verify(&resolved.system);
            out.push_str(&Printer::new(&resolved.system, &Signature::default()).system());
            writeln!(out, "{:?}", resolved.steps).unwrap();
        }
        Some(Err(errors)) => diagnostics.extend(errors),
        None => {}
    }
    out + &show_diagnostics(text, &diagnostics)
}

#[test]
fn a_whole_file() {
    insta::assert_snapshot!(show(EXAMPLE));
}

#[test]
fn expressions() {
    insta::assert_snapshot!(show("bool P(bool a, bool b) !a = b & (a | b) & (a <-> b) & (a = (b & b)) & a != b;"), @r#"
    define P(a: bool, b: bool) =
        !(a = b) & (a = true | b = true) & (a = true <-> b = true) & (a = true <-> b = true & b = true) & !(a = b);
    []
    "#);
    insta::assert_snapshot!(show("enum E {a, b, c}; exists E x, bool y. x = 1 & x != c & y = 1 & b = x;"), @r#"
    query formula 1 =
        exists x: E, y: bool. x = b & !(x = c) & y = true & b = x;
    [Query(0)]
    "#);
    insta::assert_snapshot!(show("bool P(bool x[2]) x[1]; exists bool y[2]. P(y) & y = y; true <+> 1; 1; if (1) 0;"), @r#"
    define P(x[0]: bool, x[1]: bool) =
        x[1] = true;
    query formula 1 =
        exists y[0]: bool, y[1]: bool. P(y[0], y[1]) & y[0] = y[0] & y[1] = y[1];
    query formula 2 =
        !(true <-> true);
    query formula 3 =
        true;
    query formula 4 =
        false;
    [Query(0), Query(1), Query(2), Query(3)]
    "#);
    insta::assert_snapshot!(show("bool P(bool x) x; P(0) = 1; P(1) != (1 & 1); 2 = 2; EXISTS bool x: FORALL bool y. x = y;"), @r#"
    define P(x: bool) =
        x = true;
    query formula 1 =
        P(false) <-> true;
    query formula 2 =
        !(P(true) <-> true);
    query formula 3 =
        true;
    query formula 4 =
        exists x: bool. forall y: bool. x = y;
    [Query(0), Query(1), Query(2), Query(3)]
    "#);
    insta::assert_snapshot!(show("bool P(bool a) a{assume !a}; bool Q(bool a) P(a) cofactor (a & a); #wit Q(1); #cex P(0);"), @r#"
    define P(a: bool) =
        cofactor(a = true, !(a = true));
    define Q(a: bool) =
        cofactor(P(a), a = true & a = true);
    query formula 1 =
        Q(true);
    query formula 2 =
        P(false);
    [Witness(0), Counterexample(1)]
    "#);
}

#[test]
fn a_predicate_alone_stands_for_its_tuples() {
    insta::assert_snapshot!(show("enum E {a, b}; bool P(E e, bool x[2]) x[1]; bool Q() 1; #vis P; #cex P; #wit Q;"), @r#"
    define P(e: E, x[0]: bool, x[1]: bool) =
        x[1] = true;
    define Q =
        true;
    query formula 1 =
        exists e: E, x[0]: bool, x[1]: bool. P(e, x[0], x[1]);
    query formula 2 =
        forall e: E, x[0]: bool, x[1]: bool. P(e, x[0], x[1]);
    query formula 3 =
        Q();
    [Witness(0), Counterexample(1), Witness(2)]
    "#);
}

#[test]
fn bits_of_enumerations_and_ranges() {
    insta::assert_snapshot!(show("enum E {a, b, c}; enum R {0..5}; class C { R r; };
        bool P(E e, R r) e[0] & r[2]; exists C c, E e. c.r[1] = e[1] & c.r[0] != 1;"), @r#"
    define P(e: E, r: 0..5) =
        e = b & (r = 4 | r = 5);
    query formula 1 =
        exists c.r: 0..5, e: E. (c.r = 2 | c.r = 3 <-> e = c) & !(c.r = 1 | c.r = 3 | c.r = 5 <-> true);
    [Query(0)]
    "#);
}

#[test]
fn mistakes() {
    let mut out = String::new();
    for text in [
        "bool P(bool a) a",
        "bool P(bool a) (a; true;",
        "bool P(boole a) a; enum F {3..2};",
        "enum E {};",
        "bool P(bool a) b; Q(1); P(1, 0);",
        "enum E {a, b}; class C { E e; bool f[2]; }; exists C c. c.e & c.g & c.f[2] & c.e = 2 & c.f = c.e & a.x;",
        "class C { bool a, a; }; class C { bool b; }; bool P(bool a, bool a) a; bool P(bool a) a;",
        "mu bool P(bool a); mu bool Q(bool a); mu bool P(bool a, bool b) a; bool R(bool a) R(a);",
        "int f(bool a) a; bool x;",
        "#sizes P; #load other; #size true & true; #reset P;",
        "#load \"some file\"; #load;",
        "enum E {0..2}; bool P(bool a) a; exists E e. e[2] | P(e[1]) | e[1] = 2; exists bool b. b[0];",
        "bool P(bool a) a < c, ~+ a (a { witcs 1, a });",
        "true -> true -> true; 1 @ 2; \"text",
        "bool P(bool a) a; exists bool x. P(x & x) & P(2) & x = 3 & 7;",
    ] {
        writeln!(out, "{text}\n{}", show(text)).unwrap();
    }
    insta::assert_snapshot!(out);
}
