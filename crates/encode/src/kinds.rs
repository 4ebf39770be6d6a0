//! Kinds of variables: those whose values meet, bit by bit.
//!
//! Values meet when one passes into the other (`x := y + 1`), when they are operands of the same operator (`x + y`,
//! `x < y`), and when they may be elements of the same array. Kinds are the classes of the transitive closure.
//!
//! A sum or a comparison has a small diagram if the operands are interleaved: bits that meet are neighbours, and the
//! carry is all that has to be remembered between one level and the next. Operands that stand one after the other need
//! a node for every value of the first. So every variable has an *offset*: bit `b` of it meets the bits of its kind at
//! level `b + offset`. Offsets differ behind shifts by a constant: in `x := y << 3`, bit 0 of `y` meets bit 3 of `x`.

use base::IdVec;
use program::{BinaryOp, Expr, Program, Relation, Rhs, Sort, UnaryOp, Value, VariableId};

use crate::slots::{bits_for, length, n_elements, relations};

/// Variables by kind, with offsets: a forest in which the root stands for the kind.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// The variable above, and the offset relative to it.
    parent: IdVec<VariableId, (VariableId, i64)>,
    /// By variable: how many low bits select an element where an index is made of it; 0 if none is.
    pub(crate) index_bits: IdVec<VariableId, u32>,
}

/// A variable whose value passes into another value, so many bits further up.
type Passing = (VariableId, i64);

/// Two variables that meet, and how much larger the offset of the second is.
type Link = (VariableId, VariableId, i64);

impl Kinds {
    /// Reads the kinds off all edges.
    pub(crate) fn of(program: &Program) -> Self {
        let n = program.variables.len();
        let mut reader = Reader { program, links: Vec::new(), index_bits: IdVec::filled(n, 0) };
        program.edges.iter().flat_map(relations).for_each(|relation| reader.read(relation));
        reader.apart(&program.start);
        let parent = program.variables.ids().map(|variable| (variable, 0)).collect();
        let mut kinds = Self { parent, index_bits: reader.index_bits };
        // Where bits meet at several distances, the sums and comparisons win: a shift remembers a few bits.
        let (straight, shifted): (Vec<Link>, Vec<Link>) = reader.links.into_iter().partition(|link| link.2 == 0);
        straight.into_iter().chain(shifted).for_each(|link| kinds.link(link));
        for variable in program.variables.ids() {
            kinds.find(variable);
        }
        kinds
    }

    /// The kind of a variable, and its offset.
    pub(crate) fn of_variable(&self, variable: VariableId) -> (VariableId, i64) {
        self.parent[variable]
    }

    fn link(&mut self, (one, other, distance): Link) {
        let (first, first_offset) = self.find(one);
        let (second, second_offset) = self.find(other);
        let distance = first_offset + distance - second_offset;
        // The smaller id is the root, so that kinds do not depend on the order of the edges.
        if first < second {
            self.parent[second] = (first, distance);
        } else if second < first {
            self.parent[first] = (second, -distance);
        }
    }

    /// The root and the offset relative to it; all variables on the way there point to it afterwards.
    fn find(&mut self, variable: VariableId) -> (VariableId, i64) {
        let mut path = vec![variable];
        let mut root = self.parent[variable].0;
        while self.parent[root].0 != root {
            path.push(root);
            root = self.parent[root].0;
        }
        let mut offset = 0;
        for below in path.into_iter().rev() {
            offset += self.parent[below].1;
            self.parent[below] = (root, offset);
        }
        (root, offset)
    }
}

/// Walks over expressions.
struct Reader<'p> {
    program: &'p Program,
    links: Vec<Link>,
    index_bits: IdVec<VariableId, u32>,
}

impl Reader<'_> {
    fn read(&mut self, relation: &Relation) {
        self.apart(&relation.guard);
        self.apart(&relation.constraint);
        for update in &relation.updates {
            let mut together = vec![(update.variable, 0)];
            if let Rhs::Expr(value) = &update.value {
                self.value(value, &mut together);
            }
            self.link(&together);
            let n = length(self.program.sort(update.variable));
            update.index.iter().for_each(|index| self.index(index, n));
        }
    }

    /// Reads an expression and collects the variables whose values pass into its own.
    fn value(&mut self, expr: &Expr, passing: &mut Vec<Passing>) {
        match expr {
            Expr::Const(..) | Expr::Any => {}
            Expr::Read(variable, _) => passing.push((*variable, 0)),
            Expr::Unary(UnaryOp::Not, operand) => self.apart(operand),
            Expr::Unary(_, operand) => self.value(operand, passing),
            Expr::Binary(op, left, right) => self.binary(*op, left, right, passing),
            Expr::Nary(_, operands) => operands.iter().for_each(|operand| self.apart(operand)),
            Expr::Ite(condition, then, otherwise) => {
                self.apart(condition);
                self.value(then, passing);
                self.value(otherwise, passing);
            }
            Expr::Index(array, index) => {
                let n = n_elements(self.program, array);
                self.value(array, passing);
                self.index(index, n);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, passing: &mut Vec<Passing>) {
        use BinaryOp::{Ashr, Eq, Implies, Lshr, Mul, Ne, Shl, Sle, Slt, Udiv, Ule, Ult};
        match (op, constant(left), constant(right)) {
            (Eq | Ne | Implies | Ult | Ule | Slt | Sle, ..) => {
                let mut together = Vec::new();
                self.value(left, &mut together);
                self.value(right, &mut together);
                self.link(&together);
            }
            (Shl, _, Some(by)) => self.moved(left, distance(by), passing),
            (Lshr | Ashr, _, Some(by)) => self.moved(left, -distance(by), passing),
            // The amount decides about the distance and meets nothing itself.
            (Shl | Lshr | Ashr, ..) => {
                self.apart(right);
                self.value(left, passing);
            }
            (Mul, _, Some(by)) => self.moved(left, zeros(by), passing),
            (Mul, Some(by), _) => self.moved(right, zeros(by), passing),
            (Udiv, _, Some(by)) => self.moved(left, -zeros(by), passing),
            _ => {
                self.value(left, passing);
                self.value(right, passing);
            }
        }
    }

    /// Reads an expression whose value passes on so many bits further up.
    fn moved(&mut self, expr: &Expr, by: i64, passing: &mut Vec<Passing>) {
        let first = passing.len();
        self.value(expr, passing);
        passing[first..].iter_mut().for_each(|(_, offset)| *offset += by);
    }

    /// Reads an expression whose value meets nothing.
    fn apart(&mut self, expr: &Expr) {
        self.value(expr, &mut Vec::new());
    }

    fn index(&mut self, index: &Expr, n_elements: usize) {
        let mut together = Vec::new();
        self.value(index, &mut together);
        let bits = bits_for(n_elements) as u32;
        together.iter().for_each(|(variable, _)| {
            let known = &mut self.index_bits[*variable];
            *known = bits.max(*known).max(1);
        });
        self.link(&together);
    }

    fn link(&mut self, together: &[Passing]) {
        // Bit b of a variable is bit b + offset of the value: offsets of the value are offsets in the kind.
        self.links.extend(together.windows(2).map(|pair| (pair[0].0, pair[1].0, pair[1].1 - pair[0].1)));
    }
}

fn constant(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Const(Value::Bits(value), _) => Some(*value),
        _ => None,
    }
}

/// The distance of a shift; further than the widest value is as far.
fn distance(by: u64) -> i64 {
    by.min(u64::from(Sort::MAX_BITS)) as i64
}

/// Zeros at the end of a factor: so far the product is shifted.
fn zeros(factor: u64) -> i64 {
    if factor == 0 { 0 } else { i64::from(factor.trailing_zeros()) }
}
