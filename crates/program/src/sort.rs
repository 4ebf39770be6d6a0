//! Sorts of values, and the values.

use crate::EnumId;

/// The sort of a variable or expression. All sorts are finite.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// `false` and `true`.
    Bool,
    /// Bit vectors of 1 to 64 bits; whether they are signed is the operator's choice.
    Bits(u32),
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
}

/// A value. Which sort it has follows from where it stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit vector, as an unsigned number below two to the power of its width.
    Bits(u64),
    /// The position of a name in its enumeration.
    Enum(u32),
    /// The elements of an array.
    Array(Vec<Value>),
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
