//! Expressions over the state before and after an edge.

use crate::{Sort, Value, VariableId};

/// At which moment of an edge a variable is read or written.
///
/// | edge | `Before` | `After` | `Saved` | `Result` |
/// |---|---|---|---|---|
/// | step | state at the source | state at the target | | |
/// | enter (of a call) | state of the caller | shared and private state, frame of the callee | the caller's frame while the callee runs | |
/// | leave (of a call) | shared and private state at the exit, saved frame of the caller | state at the target | | results of the callee at its exit |
/// | spawn | state of the spawning thread | shared state, the new thread's private state and frame | | |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum When {
    /// Before the edge is taken.
    Before,
    /// After the edge is taken.
    After,
    /// In the caller's frame while the callee runs.
    Saved,
    /// In the callee's frame at its exit.
    Result,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// Boolean negation.
    Not,
    /// Bitwise complement.
    BitNot,
    /// Two's complement; of an integer: the opposite.
    Neg,
    /// Zero-extension or truncation to the given width; of a Boolean: 0 or 1; of an integer: its remainder modulo two to
    /// the power of the width.
    Resize(u32),
    /// Sign-extension or truncation to the given width.
    SignResize(u32),
    /// The integer that an unsigned bit vector stands for; of a Boolean: 0 or 1.
    ToInt,
    /// The integer that a bit vector in two's complement stands for.
    SignedToInt,
}

/// Operators with two operands.
///
/// On bit vectors both operands have the same width, which is also the result's; arithmetic wraps. Division by zero
/// gives all ones and the remainder by zero the dividend; a shift by the width or more gives zeros
/// (or copies of the sign).
///
/// Of these, integers have `Eq`, `Ne`, `Slt`, `Sle`, `Add`, `Sub`, `Mul`, `Sdiv` and `Srem`; nothing wraps. The quotient is
/// rounded towards zero, as in C. By zero, the quotient is 0 and the remainder the dividend, so that always
/// `a = b * sdiv(a, b) + srem(a, b)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    /// Equality, on any sort.
    Eq,
    /// Inequality, on any sort.
    Ne,
    /// Boolean implication.
    Implies,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient.
    Udiv,
    /// Unsigned remainder.
    Urem,
    /// Signed quotient, rounded towards zero.
    Sdiv,
    /// Signed remainder, with the sign of the dividend.
    Srem,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift left.
    Shl,
    /// Shift right, filling with zeros.
    Lshr,
    /// Shift right, filling with the sign.
    Ashr,
}

impl BinaryOp {
    /// The operators that compare bit vectors by size.
    pub const ORDER: [Self; 4] = [Self::Ult, Self::Ule, Self::Slt, Self::Sle];
    /// The operators on integers that give an integer.
    pub const INTEGER: [Self; 5] = [Self::Add, Self::Sub, Self::Mul, Self::Sdiv, Self::Srem];
    /// The operators on bit vectors that give a bit vector.
    pub const ARITHMETIC: [Self; 13] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Udiv,
        Self::Urem,
        Self::Sdiv,
        Self::Srem,
        Self::BitAnd,
        Self::BitOr,
        Self::BitXor,
        Self::Shl,
        Self::Lshr,
        Self::Ashr,
    ];
}

/// Boolean operators with any number of operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NaryOp {
    /// Conjunction; of nothing: true.
    And,
    /// Disjunction; of nothing: false.
    Or,
    /// Exclusive or; of nothing: false.
    Xor,
}

/// An expression. Long chains are wide, not deep, so that the depth of an expression is bounded by the front end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Expr {
    /// A value, with its sort.
    Const(Value, Sort),
    /// The value of a variable at a moment.
    Read(VariableId, When),
    /// An arbitrary Boolean; each occurrence is a choice of its own.
    Any,
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A Boolean operator with any number of operands.
    Nary(NaryOp, Vec<Expr>),
    /// `condition ? then : otherwise`.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An array element; an index out of range, wherever it stands, makes the edge impossible.
    Index(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The constant true.
    pub const TRUE: Self = Self::Const(Value::Bool(true), Sort::Bool);
    /// The constant false.
    pub const FALSE: Self = Self::Const(Value::Bool(false), Sort::Bool);

    /// A Boolean constant.
    #[must_use]
    pub fn bool(value: bool) -> Self {
        Self::Const(Value::Bool(value), Sort::Bool)
    }

    /// The variable before the edge.
    #[must_use]
    pub fn before(variable: VariableId) -> Self {
        Self::Read(variable, When::Before)
    }

    /// The variable after the edge.
    #[must_use]
    pub fn after(variable: VariableId) -> Self {
        Self::Read(variable, When::After)
    }

    /// Negation, without building a double one.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "called as a method everywhere, like `and` and `eq`")]
    pub fn not(self) -> Self {
        match self {
            Self::Unary(UnaryOp::Not, inner) => *inner,
            Self::Const(Value::Bool(value), _) => Self::bool(!value),
            other => Self::Unary(UnaryOp::Not, Box::new(other)),
        }
    }

    /// Conjunction of two, flat and without units.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == Self::TRUE {
            return other;
        }
        if other == Self::TRUE {
            return self;
        }
        let mut operands = match self {
            Self::Nary(NaryOp::And, operands) => operands,
            single => vec![single],
        };
        match other {
            Self::Nary(NaryOp::And, more) => operands.extend(more),
            single => operands.push(single),
        }
        Self::Nary(NaryOp::And, operands)
    }

    /// Disjunction of any number, without units.
    #[must_use]
    pub fn any_of(operands: impl IntoIterator<Item = Self>) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for operand in operands {
            match operand {
                Self::Const(Value::Bool(true), _) => return Self::TRUE,
                Self::Const(Value::Bool(false), _) => {}
                Self::Nary(NaryOp::Or, more) => kept.extend(more),
                single => kept.push(single),
            }
        }
        match kept.len() {
            0 => Self::FALSE,
            1 => kept.swap_remove(0),
            _ => Self::Nary(NaryOp::Or, kept),
        }
    }

    /// Conjunction of any number, without units.
    #[must_use]
    pub fn all_of(operands: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::TRUE;
        for operand in operands {
            if operand == Self::FALSE {
                return Self::FALSE;
            }
            all = all.and(operand);
        }
        all
    }

    /// Equality.
    #[must_use]
    pub fn eq(self, other: Self) -> Self {
        Self::Binary(BinaryOp::Eq, Box::new(self), Box::new(other))
    }

    /// Calls `visit` on this expression and all below it, outermost first.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        self.for_each_child(&mut |child| child.visit(visit));
    }

    /// Calls `visit` on the operands, in order.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        match self {
            Self::Const(..) | Self::Read(..) | Self::Any => {}
            Self::Unary(_, operand) => visit(operand),
            Self::Binary(_, left, right) | Self::Index(left, right) => {
                visit(left);
                visit(right);
            }
            Self::Nary(_, operands) => operands.iter().for_each(visit),
            Self::Ite(condition, then, otherwise) => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
        }
    }

    /// The operands, in order.
    #[must_use]
    pub fn children(&self) -> Vec<&Self> {
        let mut children = Vec::new();
        self.for_each_child(&mut |child| children.push(child));
        children
    }

    /// Rebuilds the expression, bottom up, replacing each node by what `f` makes of it.
    #[must_use]
    pub fn map(self, f: &mut impl FnMut(Self) -> Self) -> Self {
        let mut boxed = |child: Box<Self>| Box::new(child.map(f));
        let rebuilt = match self {
            Self::Const(..) | Self::Read(..) | Self::Any => self,
            Self::Unary(op, operand) => Self::Unary(op, boxed(operand)),
            Self::Binary(op, left, right) => Self::Binary(op, boxed(left), boxed(right)),
            Self::Index(array, index) => Self::Index(boxed(array), boxed(index)),
            Self::Ite(condition, then, otherwise) => Self::Ite(boxed(condition), boxed(then), boxed(otherwise)),
            Self::Nary(op, operands) => Self::Nary(op, operands.into_iter().map(|operand| operand.map(f)).collect()),
        };
        f(rebuilt)
    }

    /// All reads in the expression, left to right, with repetitions.
    #[must_use]
    pub fn reads(&self) -> Vec<(VariableId, When)> {
        let mut reads = Vec::new();
        self.visit(&mut |expr| {
            if let Self::Read(variable, when) = expr {
                reads.push((*variable, *when));
            }
        });
        reads
    }

    /// True when the expression contains a choice of its own.
    #[must_use]
    pub fn has_any(&self) -> bool {
        let mut found = false;
        self.visit(&mut |expr| found |= matches!(expr, Self::Any));
        found
    }
}
