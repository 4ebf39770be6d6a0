//! Expressions on bits mean what `program::semantics` says: in every state, the symbolic value is the set of values that
//! the interpreter lists, and there is none where it lists none.

use std::cell::Cell;
use std::collections::BTreeMap;

use bdd::{Bdd, Config, Manager, Var};
use program::interp::{Possible, Reader, possible_values};
use program::random::{self, Shape};
use program::{
    BinaryOp, EdgeKind, Expr, NaryOp, ProcedureId, Program, ProgramBuilder, Sort, UnaryOp, Value, VariableId, When,
};

use super::Dice;
use super::oracle::{self, State};
use crate::validate::Trouble;
use crate::validate::layout::Bits;
use crate::validate::symbolic::{Evaluator, Scene, Symbolic};

/// Bits of the variables, whatever the moment, and choices without end.
struct Fixed {
    bits: BTreeMap<VariableId, Bits>,
    manager: Manager,
    n_choices: Cell<usize>,
}

impl Scene for Fixed {
    fn bits(&self, variable: VariableId, _: When) -> Result<Bits, Trouble> {
        Ok(self.bits[&variable].clone())
    }

    fn choice(&self) -> Var {
        self.n_choices.set(self.n_choices.get() + 1);
        self.manager.add_vars(1)[0]
    }
}

impl Fixed {
    /// Variables one below the other.
    fn new(program: &Program, variables: Vec<VariableId>) -> Self {
        let manager = Manager::new(&Config::small());
        let bits = |variable: VariableId| {
            let n_bits = program.sort(variable).n_bits(program) as usize;
            (variable, manager.add_vars(n_bits).into())
        };
        Self { bits: variables.into_iter().map(bits).collect(), manager: manager.clone(), n_choices: Cell::new(0) }
    }

    /// Variables of one width whose bits alternate.
    fn interleaved(width: u32, variables: &[VariableId]) -> Self {
        let manager = Manager::new(&Config::for_memory(1 << 28));
        let n = variables.len();
        let vars = manager.add_vars(n * width as usize);
        let bits = |(at, variable): (usize, &VariableId)| {
            (*variable, (0..width as usize).map(|bit| vars[bit * n + at]).collect())
        };
        Self { bits: variables.iter().enumerate().map(bits).collect(), manager, n_choices: Cell::new(0) }
    }
}

struct At<'a>(&'a State);

impl Reader for At<'_> {
    fn read(&self, variable: VariableId, _: When) -> Possible {
        Possible::one(self.0[&variable].clone())
    }
}

/// The values that a symbolic value takes for the given bits of the state.
fn values_at(program: &Program, symbolic: &Symbolic, sort: &Sort, assignment: &BTreeMap<Var, bool>) -> Vec<Value> {
    let vector = match symbolic {
        Symbolic::Bool(truth) => {
            let holds = |condition: &Bdd| condition.eval(&|var| assignment[&var]);
            let sides = [(false, holds(&truth.falsity().unwrap())), (true, holds(truth.truth()))];
            return sides.into_iter().filter(|(_, can)| *can).map(|(value, _)| Value::Bool(value)).collect();
        }
        Symbolic::Bits(vector) => vector,
    };
    let mut values = Vec::new();
    for choices in 0..1usize << vector.rest.choices.len() {
        let chosen = |var: Var| vector.rest.choices.iter().position(|choice| *choice == var);
        let value = |var: Var| chosen(var).map_or_else(|| assignment[&var], |at| choices >> at & 1 == 1);
        if vector.rest.defined.eval(&value) {
            let bits: Vec<bool> = vector.bits.iter().map(|bit| bit.eval(&value)).collect();
            values.push(sort.value_of_bits(program, &bits).unwrap());
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}

fn assignment(program: &Program, scene: &Fixed, state: &State) -> BTreeMap<Var, bool> {
    let of = |(variable, bits): (&VariableId, &Bits)| {
        let values = program.sort(*variable).bits_of(program, &state[variable]);
        bits.iter().copied().zip(values).collect::<Vec<_>>()
    };
    scene.bits.iter().flat_map(of).collect()
}

fn check(program: &Program, expr: &Expr, scene: &Fixed, states: &[State]) {
    let symbolic = Evaluator::new(program, &scene.manager, scene).eval(expr).unwrap();
    let sort = program::verify::sort_of(program, expr).unwrap();
    for state in states {
        let expected = possible_values(program, expr, &At(state)).unwrap();
        let got = values_at(program, &symbolic, &sort, &assignment(program, scene, state));
        assert_eq!(got, *expected.list().unwrap(), "{expr:?} at {state:?}");
    }
}

#[test]
fn symbolic_values_are_the_possible_values_of_every_state() {
    for seed in 0..200 {
        let shape = Shape { seed, shared: 2, locals: 2, booleans: seed % 3 == 0, ..Shape::default() };
        let program = random::program(&shape);
        for procedure in program.procedures.ids() {
            let states = oracle::states(&program, procedure);
            if states.len() > 64 {
                continue;
            }
            let scene = Fixed::new(&program, oracle::visible(&program, procedure));
            let own = program.edges.iter().filter(|edge| program.locations[edge.source].procedure == procedure);
            for edge in own {
                if let EdgeKind::Step(relation) = &edge.kind {
                    relation.exprs().for_each(|expr| check(&program, expr, &scene, &states));
                }
            }
        }
    }
}

/// Shared variables of the given sorts, and all states.
fn with_variables(sorts: &[Sort]) -> (Program, Vec<VariableId>, Vec<State>) {
    let mut builder = ProgramBuilder::new();
    builder.enumeration("colour", ["red", "green", "blue"].map(String::from).to_vec());
    let variables = (0..).zip(sorts).map(|(at, sort)| builder.shared(format!("v{at}"), sort.clone())).collect();
    builder.procedure("main");
    let program = builder.finish();
    let states = oracle::states(&program, ProcedureId(0));
    (program, variables, states)
}

fn unary(op: UnaryOp, operand: Expr) -> Expr {
    Expr::Unary(op, Box::new(operand))
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

fn ite(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise))
}

fn index(array: Expr, index: Expr) -> Expr {
    Expr::Index(Box::new(array), Box::new(index))
}

fn number(value: u64, width: u32) -> Expr {
    Expr::Const(Value::Bits(value), Sort::Bits(width))
}

fn all_operators() -> impl Iterator<Item = BinaryOp> {
    [BinaryOp::Eq, BinaryOp::Ne].into_iter().chain(BinaryOp::ORDER).chain(BinaryOp::ARITHMETIC)
}

#[test]
fn every_operator_on_all_numbers_of_one_to_three_bits() {
    for width in 1..=3 {
        let (program, variables, states) = with_variables(&[Sort::Bits(width), Sort::Bits(width)]);
        let scene = Fixed::new(&program, variables.clone());
        let [x, y] = [0, 1].map(|at| Expr::before(variables[at]));
        for op in all_operators() {
            check(&program, &binary(op, x.clone(), y.clone()), &scene, &states);
            check(&program, &binary(op, x.clone(), x.clone()), &scene, &states);
            for constant in 0..1 << width {
                check(&program, &binary(op, x.clone(), number(constant, width)), &scene, &states);
                check(&program, &binary(op, number(constant, width), y.clone()), &scene, &states);
            }
        }
        for op in [UnaryOp::BitNot, UnaryOp::Neg] {
            check(&program, &unary(op, x.clone()), &scene, &states);
        }
        for to in 1..=5 {
            check(&program, &unary(UnaryOp::Resize(to), x.clone()), &scene, &states);
            check(&program, &unary(UnaryOp::SignResize(to), x.clone()), &scene, &states);
        }
    }
}

#[test]
fn every_operator_on_booleans_enumerations_and_choices() {
    let colour = Sort::Enum(program::EnumId(0));
    let (program, variables, states) = with_variables(&[Sort::Bool, Sort::Bool, colour.clone(), colour, Sort::Bits(2)]);
    let scene = Fixed::new(&program, variables.clone());
    let [a, b, c, d, n] = [0, 1, 2, 3, 4].map(|at| Expr::before(variables[at]));
    let either = ite(Expr::Any, n.clone(), number(1, 2));
    let booleans = [a.clone(), b.clone(), Expr::Any, ite(a.clone(), Expr::Any, b.clone()), a.not()];
    for (left, right) in booleans.iter().flat_map(|left| booleans.iter().map(move |right| (left, right))) {
        for op in [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Implies] {
            check(&program, &binary(op, left.clone(), right.clone()), &scene, &states);
        }
        for op in [NaryOp::And, NaryOp::Or, NaryOp::Xor] {
            check(&program, &Expr::Nary(op, vec![left.clone(), right.clone(), b.clone()]), &scene, &states);
        }
        check(&program, &ite(left.clone(), right.clone(), c.clone().eq(d.clone())), &scene, &states);
        check(&program, &ite(left.clone(), c.clone(), d.clone()), &scene, &states);
        check(&program, &ite(left.clone(), either.clone(), n.clone()), &scene, &states);
        check(&program, &unary(UnaryOp::Resize(2), left.clone()), &scene, &states);
        check(&program, &unary(UnaryOp::Resize(2), left.clone()).eq(either.clone()), &scene, &states);
    }
    for op in [BinaryOp::Eq, BinaryOp::Ne] {
        check(&program, &binary(op, c.clone(), d.clone()), &scene, &states);
    }
    for op in all_operators() {
        check(&program, &binary(op, either.clone(), either.clone()), &scene, &states);
    }
}

#[test]
fn arrays_are_read_by_index_and_compared_and_have_no_value_out_of_range() {
    let colour = Sort::Enum(program::EnumId(0));
    for (element, n) in [(Sort::Bool, 3), (Sort::Bits(2), 2), (colour, 2), (Sort::Bits(1), 1)] {
        let array = Sort::Array(Box::new(element.clone()), n);
        let (program, variables, states) = with_variables(&[array.clone(), array, Sort::Bits(2)]);
        let scene = Fixed::new(&program, variables.clone());
        let [a, b, i] = [0, 1, 2].map(|at| Expr::before(variables[at]));
        let perhaps = ite(Expr::Any, i.clone(), number(0, 2));
        let whole = ite(i.clone().eq(number(1, 2)), a.clone(), b.clone());
        let first = Expr::Const(element.smallest(), element.clone());
        for at in [i.clone(), number(0, 2), number(3, 2), perhaps, binary(BinaryOp::Add, i.clone(), number(1, 2))] {
            check(&program, &index(a.clone(), at.clone()), &scene, &states);
            check(&program, &index(whole.clone(), at.clone()), &scene, &states);
            let read = index(a.clone(), at.clone()).eq(index(b.clone(), at.clone()));
            check(&program, &read, &scene, &states);
            let alternatives = vec![Expr::TRUE, read.clone()];
            check(&program, &Expr::Nary(NaryOp::Or, alternatives), &scene, &states);
            check(&program, &ite(read.clone(), i.clone(), number(2, 2)), &scene, &states);
            check(&program, &ite(Expr::TRUE, first.clone(), index(b.clone(), at)), &scene, &states);
        }
        check(&program, &a.clone().eq(b.clone()), &scene, &states);
        check(&program, &binary(BinaryOp::Ne, whole, b), &scene, &states);
    }
}

/// A random number of a width from two variables of that width.
fn expression(dice: &mut Dice, depth: usize, width: u32, variables: &[VariableId]) -> Expr {
    if depth == 0 || dice.once_in(6) {
        return match dice.below(3) {
            0 => number(dice.below(1 << width) as u64, width),
            at => Expr::before(variables[at - 1]),
        };
    }
    let mut operand = || expression(dice, depth - 1, width, variables);
    let (left, right) = (operand(), operand());
    match dice.below(8) {
        0 => unary(UnaryOp::Neg, left),
        1 => unary(UnaryOp::SignResize(width), unary(UnaryOp::Resize(width / 2), left)),
        2 => ite(binary(BinaryOp::ORDER[dice.below(4)], left.clone(), right.clone()), right, left),
        3 => ite(left.clone().eq(right), number(1, width), left),
        _ => binary(BinaryOp::ARITHMETIC[dice.below(13)], left, right),
    }
}

#[test]
fn random_expressions_of_four_to_eight_bits() {
    let mut dice = Dice(7);
    for round in 0..120 {
        let width = 4 + round % 5;
        let (program, variables, _) = with_variables(&[Sort::Bits(width), Sort::Bits(width)]);
        let scene = Fixed::interleaved(width, &variables);
        let expr = expression(&mut dice, 3, width, &variables);
        let mut value = || Value::Bits(dice.below(1 << width) as u64);
        let states: Vec<State> = (0..40).map(|_| variables.iter().map(|at| (*at, value())).collect()).collect();
        check(&program, &expr, &scene, &states);
    }
}

/// Nodes of the equation of a third variable with an expression over two.
fn nodes_of(width: u32, expr: impl Fn(Expr, Expr) -> Expr) -> usize {
    let (program, variables, _) = {
        let mut builder = ProgramBuilder::new();
        let variables = ["x", "y", "z"].map(|name| builder.shared(name, Sort::Bits(width)));
        builder.procedure("main");
        (builder.finish(), variables, ())
    };
    let scene = Fixed::interleaved(width, &variables);
    let expr = expr(Expr::before(variables[0]), Expr::before(variables[1]));
    let whole = match program::verify::sort_of(&program, &expr).unwrap() {
        Sort::Bool => expr,
        _ => expr.eq(Expr::before(variables[2])),
    };
    Evaluator::new(&program, &scene.manager, &scene).truth(&whole).unwrap().node_count()
}

#[test]
fn what_passes_one_carry_is_linear_in_the_width() {
    let constant = |value: u64, width: u32| number(value & (u64::MAX >> (64 - width)), width);
    for width in [8, 16, 32, 64] {
        let at_most = |n: u32, name: &str, expr: &dyn Fn(Expr, Expr) -> Expr| {
            let nodes = nodes_of(width, expr);
            assert!(nodes <= (n * width) as usize, "{name} of {width} bits has {nodes} nodes");
        };
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor] {
            at_most(9, &format!("{op:?}"), &|x, y| binary(op, x, y));
            at_most(9, &format!("{op:?}"), &|x, _| binary(op, x, constant(0x1234_5678_9ABC_DEF1, width)));
        }
        for op in [BinaryOp::Eq, BinaryOp::Ne].into_iter().chain(BinaryOp::ORDER) {
            at_most(4, &format!("{op:?}"), &|x, y| binary(op, x, y));
            at_most(4, &format!("{op:?}"), &|x, _| binary(op, x, constant(0x1234_5678_9ABC_DEF1, width)));
        }
        for op in [BinaryOp::Shl, BinaryOp::Lshr, BinaryOp::Ashr] {
            at_most(12, &format!("{op:?}"), &|x, _| binary(op, x, number(1, width)));
        }
        at_most(12, "product by three", &|x, _| binary(BinaryOp::Mul, x, number(3, width)));
        at_most(3, "negative", &|x, _| unary(UnaryOp::Neg, x).eq(number(1, width)));
        at_most(8, "difference from zero", &|x, _| unary(UnaryOp::Neg, x));
        at_most(8, "multiplexer", &|x, y| ite(x.clone().eq(y.clone()), x, y));
    }
}
