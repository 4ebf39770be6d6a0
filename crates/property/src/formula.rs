//! Formulae of linear temporal logic as plain values, and their text.
//!
//! Nothing here knows what an atom means or how a formula is checked.

use std::collections::BTreeSet;
use std::fmt;

use crate::Atom;

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `X`: at the next moment.
    Next,
    /// `F`, `<>`: now or at some later moment.
    Finally,
    /// `G`, `[]`: now and at every later moment.
    Globally,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    /// `->`, `=>`
    Implies,
    /// `<->`, `<=>`
    Iff,
    /// `U`: the right side holds at some moment, the left side at all moments before it.
    Until,
    /// `W`: as `U`, or the left side holds for ever.
    WeakUntil,
    /// `R`, `V`: the right side holds up to and including the first moment of the left side, or for ever.
    Release,
    /// `M`: as `R`, and the left side does hold at some moment.
    StrongRelease,
}

/// Operators with any number of operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NaryOp {
    /// `&&`, `&`, `/\`
    And,
    /// `||`, `|`, `\/`
    Or,
}

/// A formula of linear temporal logic, about an infinite sequence of moments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// `true` or `false`.
    Const(bool),
    /// A statement about the current moment.
    Atom(Atom),
    /// One operand.
    Unary(UnaryOp, Box<Self>),
    /// Two operands.
    Binary(BinaryOp, Box<Self>, Box<Self>),
    /// Any number of operands; the reader makes two or more.
    Nary(NaryOp, Vec<Self>),
}

impl Formula {
    /// An atom that is a name.
    #[must_use]
    pub fn name(name: &str) -> Self {
        Self::Atom(Atom::Name(name.to_owned()))
    }

    /// An operator with one operand.
    #[must_use]
    pub fn unary(op: UnaryOp, operand: Self) -> Self {
        Self::Unary(op, Box::new(operand))
    }

    /// An operator with two operands.
    #[must_use]
    pub fn binary(op: BinaryOp, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new(left), Box::new(right))
    }

    /// The opposite. Nothing is rewritten, but a negation is not negated twice.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Self::Unary(UnaryOp::Not, inner) => (**inner).clone(),
            Self::Const(value) => Self::Const(!value),
            _ => Self::unary(UnaryOp::Not, self.clone()),
        }
    }

    /// The atoms, each once, in the order of their first occurrence.
    #[must_use]
    pub fn atoms(&self) -> Vec<Atom> {
        let (mut atoms, mut seen) = (Vec::new(), BTreeSet::new());
        self.visit(&mut |part| {
            if let Self::Atom(atom) = part
                && seen.insert(atom)
            {
                atoms.push(atom.clone());
            }
        });
        atoms
    }

    /// True when no operator speaks of other moments than the current one.
    #[must_use]
    pub fn is_propositional(&self) -> bool {
        let mut found = true;
        self.visit(&mut |part| {
            found &= match part {
                Self::Unary(op, _) => *op == UnaryOp::Not,
                Self::Binary(op, ..) => matches!(op, BinaryOp::Implies | BinaryOp::Iff),
                Self::Const(_) | Self::Atom(_) | Self::Nary(..) => true,
            };
        });
        found
    }

    /// Number of operators, atoms and constants.
    #[must_use]
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.visit(&mut |_| size += 1);
        size
    }

    /// Calls back with every part, from left to right, operators before their operands.
    fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Self)) {
        let mut rest = vec![self];
        while let Some(formula) = rest.pop() {
            see(formula);
            match formula {
                Self::Const(_) | Self::Atom(_) => {}
                Self::Unary(_, inner) => rest.push(inner),
                Self::Binary(_, left, right) => rest.extend([&**right, &**left]),
                Self::Nary(_, parts) => rest.extend(parts.iter().rev()),
            }
        }
    }

    /// How tightly the outermost operator binds; atoms bind tightest.
    fn strength(&self) -> u32 {
        match self {
            Self::Binary(BinaryOp::Iff, ..) => 0,
            Self::Binary(BinaryOp::Implies, ..) => 1,
            // No operand or one: printed as an equal formula without the operator.
            Self::Nary(_, parts) if parts.len() < 2 => parts.first().map_or(6, Self::strength),
            Self::Nary(NaryOp::Or, _) => 2,
            Self::Nary(NaryOp::And, _) => 3,
            Self::Binary(..) => 4,
            Self::Unary(..) => 5,
            Self::Const(_) | Self::Atom(_) => 6,
        }
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(value) => write!(f, "{value}"),
            Self::Atom(atom) => write!(f, "{atom}"),
            Self::Unary(op, inner) => {
                f.write_str(match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Next => "X ",
                    UnaryOp::Finally => "F ",
                    UnaryOp::Globally => "G ",
                })?;
                inner.print_within(f, 5)
            }
            Self::Binary(op, left, right) => {
                // Chains are printed with brackets: tools differ in how they read them.
                let least = self.strength() + 1;
                left.print_within(f, least)?;
                write!(f, " {op} ")?;
                right.print_within(f, least)
            }
            Self::Nary(op, parts) if parts.is_empty() => write!(f, "{}", *op == NaryOp::And),
            Self::Nary(op, parts) => {
                let least = if parts.len() == 1 { 0 } else { self.strength() + 1 };
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        write!(f, " {op} ")?;
                    }
                    part.print_within(f, least)?;
                }
                Ok(())
            }
        }
    }

    fn print_within(&self, f: &mut fmt::Formatter<'_>, least: u32) -> fmt::Result {
        if self.strength() >= least {
            return self.print(f);
        }
        f.write_str("(")?;
        self.print(f)?;
        f.write_str(")")
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Implies => "->",
            Self::Iff => "<->",
            Self::Until => "U",
            Self::WeakUntil => "W",
            Self::Release => "R",
            Self::StrongRelease => "M",
        })
    }
}

impl fmt::Display for NaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::And => "&&",
            Self::Or => "||",
        })
    }
}
