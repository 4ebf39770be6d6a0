//! Mathematical integers: written, checked, executed, and refused where only finite programs are accepted.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use base::Source;
use program::interp::{Fault, Possible, Reader, possible_values, replay};
use program::text::{parse, parse_value, print, print_value};
use program::{
    Action, BinaryOp, Choice, EdgeId, Expr, FiniteProgram, Int, LocationId, NotFinite, Program, ProgramBuilder, Sort,
    Trace, TraceStep, UnaryOp, Value, VariableId, When,
};
use proptest::prelude::*;

fn read(text: &str) -> Result<Program, Vec<String>> {
    let read = parse(&Source::new("test.cauldron", text));
    read.map(|(program, _)| program).map_err(|errors| errors.iter().map(|error| error.message.clone()).collect())
}

/// Squares `x` until it is no longer below a bound that fits into no machine word.
const SQUARES: &str = "\
shared x: int;
shared a: [int; 2];
shared b: bits<8>;
thread main: main;
start x = -3 & a = [0, -36893488147419103232];

procedure main() {
  entry 0;
  0:
    -> 0 when slt(x, 340282366920938463463374607431768211456) do x := mul(x, x);
    -> 1 when !slt(x, 340282366920938463463374607431768211456) do b := resize(neg(x), 8);
  1:
    -> 2 when b = 255u8 & toint(b) = 255 & signedtoint(b) = -1 do a[sub(1, 0)] := neg(x);
  2:
    -> 3 when slt(a[1], a[0]) & srem(-7, 2) = -1 do havoc x where sle(x', -5) & sle(-5, x');
  3 violation:
}
";

fn steps(edges: &[u32]) -> Vec<TraceStep> {
    let step = |edge: &u32| TraceStep { thread: 0, action: Action::Take(EdgeId(*edge)), choices: Vec::new() };
    edges.iter().map(step).collect()
}

#[test]
fn a_program_with_integers_is_printed_as_it_is_written() {
    let program = read(SQUARES).unwrap();
    assert_eq!(print(&program), SQUARES);
}

#[test]
fn runs_with_values_beyond_machine_words_are_replayed() {
    let program = read(SQUARES).unwrap();
    let run = |edges: &[u32], start: Vec<Choice>| {
        let trace = Trace { start, steps: steps(edges), runs: Vec::new() };
        replay(&program, &trace, LocationId(3)).map(|_| ()).map_err(|error| error.fault)
    };
    // The squares of -3: 9, 81, ..., 3 to the power of 128 after seven rounds, which is below 2 to the power of 203.
    let edges = [vec![0; 7], vec![1, 2, 3]].concat();
    assert_eq!(run(&edges, Vec::new()), Ok(()));
    assert_eq!(run(&[&[0], &edges[..]].concat(), Vec::new()), Err(Fault::Impossible), "one square too many");
    assert_eq!(run(&edges[1..], Vec::new()), Err(Fault::Impossible), "one square too few");
    let wrong = Choice::after(VariableId(0), Value::Int(Int::from(3)));
    assert_eq!(run(&edges, vec![wrong]), Err(Fault::StartCondition), "the start says -3");
}

#[test]
fn sorts_are_not_mixed() {
    let with = |guard: &str| {
        let text = format!(
            "shared x: int; shared b: bits<8>; shared a: [int; 2]; shared t: bool; thread main: main;
             procedure main() {{ entry 0; 0: -> 1 when {guard}; 1: }}"
        );
        read(&text).map(|_| ()).map_err(|errors| errors.join("; "))
    };
    for right in ["slt(x, 5)", "a[x] = a[b]", "x = toint(t)", "resize(x, 8) = b", "sdiv(x, 0) = 0", "a = [1, -2]"] {
        assert_eq!(with(right), Ok(()), "{right}");
    }
    for (wrong, why) in [
        ("x = b", "Eq is not defined on int and bits<8>"),
        ("ult(x, 5)", "Ult is not defined on int and int"),
        ("udiv(x, 5) = x", "Udiv is not defined on int and int"),
        ("bitand(x, x) = x", "BitAnd is not defined on int and int"),
        ("bitnot(x) = x", "BitNot is not defined on int"),
        ("toint(x) = x", "ToInt is not defined on int"),
        ("signedtoint(t) = x", "SignedToInt is not defined on bool"),
        ("signresize(x, 8) = b", "SignResize(8) is not defined on int"),
        ("x", "the guard is of sort int, not bool"),
        ("a[t] = x", "an index is a bit vector or an integer, not bool"),
    ] {
        assert_eq!(with(wrong), Err(why.to_owned()), "{wrong}");
    }
}

#[test]
fn only_programs_without_integers_are_finite() {
    let program = read(SQUARES).unwrap();
    let refused = FiniteProgram::new(&program).unwrap_err();
    assert_eq!(refused, NotFinite::Variable(VariableId(0)));
    assert_eq!(refused.describe(&program), "mathematical integers (the variable `x`)");
    let hidden = |declaration: &str, rest: &str| {
        let text = format!("{declaration} shared b: bits<8>; thread p: p; procedure p() {{ entry 0; 0: {rest} 1: }}");
        let program = read(&text).unwrap();
        FiniteProgram::new(&program).map(|_| ()).map_err(|refused| refused.describe(&program))
    };
    assert_eq!(hidden("", "-> 1 when b = 3u8;"), Ok(()));
    let in_procedure = Err("mathematical integers (in the procedure `p`)".to_owned());
    assert_eq!(hidden("", "-> 1 when toint(b) = toint(b);"), in_procedure);
    assert_eq!(hidden("", "-> 1 do b := resize(7, 8);"), in_procedure);
    assert_eq!(hidden("start slt(1, 2);", ""), Err("mathematical integers (in the condition on the start)".to_owned()));
    let array = Err("mathematical integers (the array `t`)".to_owned());
    assert_eq!(hidden("shared t: [[int; 2]; 2];", ""), array);
}

#[test]
fn values_are_read_as_they_are_printed_and_not_otherwise() {
    let program = ProgramBuilder::new().finish();
    let row = Sort::Array(Box::new(Sort::Int), 2);
    let parse_int = |text: &str| parse_value(&program, &Sort::Int, text);
    for text in
        ["0", "-1", "12345678901234567890123456789012345678901234567890", "-340282366920938463463374607431768211457"]
    {
        let value = parse_int(text).unwrap();
        assert_eq!(print_value(&program, &value, &Sort::Int), text);
        let pair = Value::Array(vec![value.clone(), value]);
        let printed = print_value(&program, &pair, &row);
        assert_eq!(parse_value(&program, &row, &printed), Some(pair));
    }
    for text in ["", "-", "01", "-0", "--1", "1 ", "+1", "1u8", "1.0"] {
        assert_eq!(parse_int(text), None, "{text}");
    }
}

/// The values of two variables.
struct Values([Value; 2]);

impl Reader for Values {
    fn read(&self, variable: VariableId, _: When) -> Possible {
        Possible::one(self.0[variable.0 as usize].clone())
    }
}

/// An expression over two variables, and its value in machine arithmetic; none: it does not fit.
fn expressions(x: i128, y: i128) -> impl Strategy<Value = (Expr, Option<i128>)> {
    let constant = |value: i128| (Expr::Const(Value::Int(Int::from(value)), Sort::Int), Some(value));
    let leaf = prop_oneof![
        Just((Expr::before(VariableId(0)), Some(x))),
        Just((Expr::before(VariableId(1)), Some(y))),
        (-4i128..5).prop_map(constant),
        any::<i64>().prop_map(move |value| constant(value.into())),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let three = (0..8u8, inner.clone(), inner.clone(), inner);
        three.prop_map(|(op, (a, l), (b, r), (c, z))| {
            let both = l.zip(r);
            let binary = |op, a: Expr, b: Expr| Expr::Binary(op, Box::new(a), Box::new(b));
            match op {
                0 => (binary(BinaryOp::Add, a, b), both.and_then(|(l, r)| l.checked_add(r))),
                1 => (binary(BinaryOp::Sub, a, b), both.and_then(|(l, r)| l.checked_sub(r))),
                2 => (binary(BinaryOp::Mul, a, b), both.and_then(|(l, r)| l.checked_mul(r))),
                3 => (
                    binary(BinaryOp::Sdiv, a, b),
                    both.and_then(|(l, r)| if r == 0 { Some(0) } else { l.checked_div(r) }),
                ),
                4 => (
                    binary(BinaryOp::Srem, a, b),
                    both.and_then(|(l, r)| if r == 0 { Some(l) } else { l.checked_rem(r) }),
                ),
                5 => (Expr::Unary(UnaryOp::Neg, Box::new(a)), l.and_then(i128::checked_neg)),
                6 => {
                    let test = binary(BinaryOp::Slt, a, b);
                    let value = both.and_then(|(l, r)| z.map(|z| if l < r { z } else { l }));
                    (Expr::Ite(Box::new(test.clone()), Box::new(c), Box::new(left_of(&test))), value)
                }
                _ => {
                    let cut = Expr::Unary(UnaryOp::Resize(16), Box::new(a));
                    (Expr::Unary(UnaryOp::SignedToInt, Box::new(cut)), l.map(|l| i128::from(l as i16)))
                }
            }
        })
    })
}

fn left_of(test: &Expr) -> Expr {
    test.children()[0].clone()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn expressions_have_the_values_of_machine_arithmetic(
        (x, y, (expr, expected)) in (any::<i64>(), -9i64..9)
            .prop_flat_map(|(x, y)| (Just(x), Just(y), expressions(x.into(), y.into())))
    ) {
        let mut builder = ProgramBuilder::new();
        for name in ["x", "y"] {
            builder.shared(name, Sort::Int);
        }
        let program = builder.finish();
        let values = Values([x, y].map(|value| Value::Int(Int::from(value))));
        let found = possible_values(&program, &expr, &values).unwrap();
        if let Some(expected) = expected {
            prop_assert_eq!(found, Possible::one(Value::Int(Int::from(expected))));
        }
    }
}
