//! Sorts of values, and the values.

use arith::Int;

use crate::EnumId;

/// The sort of a variable or expression. All are finite but the integers, and arrays of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// `false` and `true`.
    Bool,
    /// Bit vectors of 1 to 64 bits; whether they are signed is the operator's choice.
    Bits(u32),
    /// The integers, without bounds. Engines and diagrams know none of them: they accept a
    /// [`FiniteProgram`](crate::FiniteProgram).
    Int,
    /// One of the names of an enumeration.
    Enum(EnumId),
    /// An array with elements `0..n`, at least one.
    Array(Box<Sort>, u32),
}

impl Sort {
    /// Widest bit vector.
    pub const MAX_BITS: u32 = 64;
    /// Most bits of an array in all.
    pub const MAX_ARRAY_BITS: u64 = 1 << 20;

    /// Whether the sort has finitely many values.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Bool | Self::Bits(_) | Self::Enum(_) => true,
            Self::Int => false,
            Self::Array(element, _) => element.is_finite(),
        }
    }
}

/// A value. Which sort it has follows from where it stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit vector, as an unsigned number below two to the power of its width.
    Bits(u64),
    /// An integer.
    Int(Int),
    /// The position of a name in its enumeration.
    Enum(u32),
    /// The elements of an array.
    Array(Vec<Value>),
}

impl From<Int> for Value {
    fn from(value: Int) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
