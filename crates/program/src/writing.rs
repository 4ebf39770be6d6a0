//! How a source writes the values of variables, where that differs from the model.
//!
//! The model has bit vectors without a sign and arrays that begin at 0. A condition that a user writes beside a program
//! speaks the language of the source: there numbers may have a sign, and arrays several indices that begin elsewhere.

use std::collections::BTreeMap;

/// How the values of a variable are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Numbers have a sign.
    pub signed: bool,
    /// The indices of an array, outermost first: the first one and how many there are. Elements lie in the order of the
    /// last index. Empty: as in the model.
    pub indices: Vec<(i64, u32)>,
}

/// The same for all variables of a program, by their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Writing {
    /// None: variables of this name are written in different ways.
    by_name: BTreeMap<String, Option<Written>>,
}

impl Writing {
    /// Notes how a variable is written.
    pub fn note(&mut self, name: &str, written: Written) {
        match self.by_name.get_mut(name) {
            None => drop(self.by_name.insert(name.to_owned(), Some(written))),
            Some(known) if known.as_ref() == Some(&written) => {}
            Some(known) => *known = None,
        }
    }

    /// How variables of a name are written; none: it is not the same for all of them.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<Written> {
        self.by_name.get(name).map_or_else(|| Some(Written::default()), Clone::clone)
    }
}
