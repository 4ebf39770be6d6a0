//! Operators on numbers of all widths: diagrams against what the model says that operators mean.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use base::Source;
use bdd::{Bdd, Config, Manager, Var};
use encode::{Copy, Encoding};
use program::semantics::{apply_binary, apply_unary};
use program::{BinaryOp, Expr, Program, Relation, Sort, UnaryOp, Update, Value, VariableId};

const WIDTHS: [u32; 8] = [1, 2, 7, 8, 31, 32, 63, 64];

/// Two numbers of three bits, one that takes the result of an operator, and one that takes the outcome of a comparison.
fn program(width: u32) -> Program {
    let text = format!(
        "shared x: bits<3>; shared y: bits<3>; shared z: bits<{width}>; shared b: bool; thread t: main;
         procedure main() {{ entry 0; exit 1;
         0: -> 1 when ult(x, y) & ult(0u{width}, z) & b do z := 0u{width}; 1: }}"
    );
    program::text::parse(&Source::new("test", text.as_str())).unwrap().0
}

const X: VariableId = VariableId(0);
const Y: VariableId = VariableId(1);
const Z: VariableId = VariableId(2);
const B: VariableId = VariableId(3);

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// A number of the width that takes eight values: the bits of a small one change those of a constant.
fn spread(variable: VariableId, width: u32, constant: u64) -> Expr {
    let small = Expr::Unary(UnaryOp::Resize(width), Box::new(Expr::before(variable)));
    let constant = Expr::Const(Value::Bits(constant & mask(width)), Sort::Bits(width));
    Expr::Binary(BinaryOp::BitXor, Box::new(small), Box::new(constant))
}

fn spread_value(small: u64, width: u32, constant: u64) -> Value {
    Value::Bits((small ^ constant) & mask(width))
}

struct Bench<'p> {
    encoding: Encoding<'p>,
    program: &'p Program,
}

impl Bench<'_> {
    /// The value that an update gives to its variable, for values of the two small numbers.
    fn outcome(&self, variable: VariableId, relation: &Bdd, small: [u64; 2]) -> Value {
        let slots = self.encoding.slots();
        let mut fixed: Vec<(Var, bool)> = Vec::new();
        for (id, value) in [X, Y].into_iter().zip(small) {
            let bits = self.program.sort(id).bits_of(self.program, &Value::Bits(value));
            fixed.extend(slots.vars(id, Copy::Current).zip(bits));
        }
        fixed.sort_unstable();
        let rest = relation.cofactor(&fixed).unwrap();
        let vars: Vec<Var> = slots.vars(variable, Copy::Next).collect();
        let mut sorted = vars.clone();
        sorted.sort_unstable();
        assert_eq!(rest.count_exact(sorted.len()), Some(1), "one outcome");
        let picked = rest.pick_total(&sorted).expect("there is an outcome");
        let bit = |var: &Var| picked[picked.binary_search_by_key(var, |(var, _)| *var).unwrap()].1;
        let bits: Vec<bool> = vars.iter().map(bit).collect();
        self.program.sort(variable).value_of_bits(self.program, &bits).unwrap()
    }

    fn check(&self, variable: VariableId, value: Expr, expected: impl Fn([u64; 2]) -> Value) {
        let what = format!("{value:?}");
        let relation = Relation { updates: vec![Update::assign(variable, value)], ..Relation::identity() };
        let edge = program::EdgeId(0);
        let all = self.encoding.manager().bdd_true();
        self.encoding.guard_step(edge, &relation, &all).unwrap();
        let image = self.encoding.step(edge, &relation).unwrap();
        for small in (0..8).flat_map(|x| (0..8).map(move |y| [x, y])) {
            assert_eq!(self.outcome(variable, &image.relation, small), expected(small), "{small:?}: {what}");
        }
    }
}

/// Numbers at the ends, in the middle, and in between.
const CONSTANTS: [u64; 4] = [0, u64::MAX, 0x9E37_79B9_7F4A_7C15, 0x8000_0001_8000_0020];

fn for_all_widths(check: impl Fn(&Bench<'_>, u32, [u64; 2])) {
    for width in WIDTHS {
        let program = program(width);
        for pair in CONSTANTS.into_iter().flat_map(|one| CONSTANTS.map(|other| [one, other])) {
            let encoding = Encoding::new(&program, Manager::new(&Config::small()));
            check(&Bench { encoding, program: &program }, width, pair);
        }
    }
}

#[test]
fn operators_with_two_operands() {
    for_all_widths(|bench, width, [one, other]| {
        let sort = Sort::Bits(width);
        let operands = || [Box::new(spread(X, width, one)), Box::new(spread(Y, width, other))];
        let expected = |op: BinaryOp, [x, y]: [u64; 2]| {
            apply_binary(op, &spread_value(x, width, one), &spread_value(y, width, other), &sort)
        };
        for op in BinaryOp::ARITHMETIC {
            let [left, right] = operands();
            bench.check(Z, Expr::Binary(op, left, right), |small| expected(op, small));
        }
        for op in BinaryOp::ORDER.into_iter().chain([BinaryOp::Eq, BinaryOp::Ne]) {
            let [left, right] = operands();
            bench.check(B, Expr::Binary(op, left, right), |small| expected(op, small));
        }
    });
}

#[test]
fn operators_with_one_operand() {
    for_all_widths(|bench, width, [constant, _]| {
        for op in [UnaryOp::BitNot, UnaryOp::Neg] {
            let expr = Expr::Unary(op, Box::new(spread(X, width, constant)));
            bench.check(Z, expr, |[x, _]| apply_unary(op, &spread_value(x, width, constant), &Sort::Bits(width)));
        }
        for from in WIDTHS {
            for op in [UnaryOp::Resize(width), UnaryOp::SignResize(width)] {
                let expr = Expr::Unary(op, Box::new(spread(X, from, constant)));
                bench.check(Z, expr, |[x, _]| apply_unary(op, &spread_value(x, from, constant), &Sort::Bits(from)));
            }
        }
    });
}
