//! What a model offers to formulae: sorts and input relations.

/// Sorts and inputs that a file may use without defining them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// Sorts, by name.
    pub sorts: Vec<ModelSort>,
    /// Inputs, by name. Several of the same name differ in their columns.
    pub inputs: Vec<Input>,
}

/// A sort of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelSort {
    /// `Location`, `Thread`, `Local`, ...
    pub name: String,
    /// Its values.
    pub domain: Domain,
}

/// The values of a model's sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// One by one, with names for people. Formulae may name them as constants if the name is an identifier.
    Listed(Vec<String>),
    /// One by one, so many: no formula can name them, and nobody needs their names to solve it.
    Counted(usize),
    /// All words of so many bits.
    Bits(usize),
}

impl Domain {
    /// How many values there are, where they can be listed.
    #[must_use]
    pub fn n_listed(&self) -> Option<usize> {
        match self {
            Self::Listed(names) => Some(names.len()),
            Self::Counted(n) => Some(*n),
            Self::Bits(_) => None,
        }
    }
}

/// An input relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// `ProgramInt`, `Entry`, ...
    pub name: String,
    /// For people: the declaration to write, such as `ProgramInt(u: State, v: State)`.
    pub declaration: String,
    /// Its columns, records taken apart: positions in [`Signature::sorts`]. A column of a Boolean is `None`.
    pub columns: Vec<Option<usize>>,
}
