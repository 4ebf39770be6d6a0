//! How a source writes the values of variables, where that differs from the model.
//!
//! The model has bit vectors without a sign and arrays that begin at 0. A condition that a user writes beside a program
//! speaks the language of the source: there numbers may have a sign, and arrays several indices that begin elsewhere;
//! operators bind as the source has it, and constants have names. Where locals are those of single locations, as the
//! stack symbols of a pushdown system have them, a name means what the source means by it at a location.

use std::collections::BTreeMap;

use base::IdVec;

use program::{LocationId, Program, Scope, Sort, VariableId};

/// How the values of a variable are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Numbers have a sign.
    pub signed: bool,
    /// The indices of an array, outermost first: the first one and how many there are. Elements lie in the order of the
    /// last index. Empty: as in the model.
    pub indices: Vec<(i64, u32)>,
}

impl Written {
    /// The number that a bit vector of a width stands for.
    #[must_use]
    pub fn number(&self, bits: u64, width: u32) -> i128 {
        let is_negative = self.signed && width > 0 && bits >> (width.min(Sort::MAX_BITS) - 1) & 1 == 1;
        i128::from(bits) - if is_negative { 1i128 << width } else { 0 }
    }

    /// The indices of an element of an array, in brackets.
    #[must_use]
    pub fn index(&self, position: u32) -> String {
        if self.indices.is_empty() {
            return format!("[{position}]");
        }
        let mut rest = position;
        let mut text = String::new();
        for (first, n) in self.indices.iter().rev() {
            text.insert_str(0, &format!("[{}]", first + i64::from(rest % n)));
            rest /= n;
        }
        text
    }
}

/// What joins two conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connective {
    /// Equivalence; also equality of what is not Boolean.
    Iff,
    /// Implication.
    Implies,
    /// Disjunction.
    Or,
    /// Exclusive disjunction.
    Xor,
    /// Conjunction.
    And,
}

/// How a source writes conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notation {
    /// The connectives with their symbols, loosest first. What the language does not have stands outside.
    pub connectives: &'static [(Connective, &'static [&'static str])],
    /// The operators of arithmetic, loosest first.
    pub arithmetic: &'static [&'static [&'static str]],
    /// Braces group terms; otherwise they are parts of names.
    pub braces_group: bool,
    /// Connectives of one character are also for integers, bit by bit.
    pub bitwise: bool,
}

/// As in C.
const ARITHMETIC: &[&[&str]] = &[&["<<", ">>"], &["+", "-"], &["*", "/"]];

impl Notation {
    /// As the text form of the model.
    pub const MODEL: Self = Self {
        connectives: &[
            (Connective::Iff, &["<->", "<=>"]),
            (Connective::Implies, &["->", "=>"]),
            (Connective::Or, &["||", "|"]),
            (Connective::Xor, &["^^", "^"]),
            (Connective::And, &["&&", "&"]),
        ],
        arithmetic: ARITHMETIC,
        braces_group: false,
        bitwise: false,
    };

    /// As Boolean programs.
    pub const BOOLEAN_PROGRAM: Self = Self {
        connectives: &[
            (Connective::Implies, &["->", "=>"]),
            (Connective::Iff, &["<->", "<=>"]),
            (Connective::Or, &["||", "|"]),
            (Connective::Xor, &["^^", "^"]),
            (Connective::And, &["&&", "&"]),
        ],
        ..Self::MODEL
    };

    /// As pushdown systems, in which shifts bind tightest.
    pub const PUSHDOWN_SYSTEM: Self = Self {
        connectives: &[
            (Connective::Iff, &["<->"]),
            (Connective::Implies, &["->", "=>"]),
            (Connective::Iff, &["==", "<=>"]),
            (Connective::Xor, &["^^", "^"]),
            (Connective::Or, &["||", "|"]),
            (Connective::And, &["&&", "&"]),
        ],
        arithmetic: &[&["+", "-"], &["*", "/"], &["<<", ">>"]],
        braces_group: true,
        bitwise: false,
    };

    /// As Remopla: `^`, `|` and `&` are for the integers of statements and the Booleans of rules, and bind tighter than
    /// `==` in both.
    pub const REMOPLA: Self = Self {
        connectives: &[
            (Connective::Iff, &["<->"]),
            (Connective::Implies, &["->", "=>"]),
            (Connective::Or, &["||"]),
            (Connective::Xor, &["^^"]),
            (Connective::And, &["&&"]),
            (Connective::Iff, &["==", "<=>"]),
            (Connective::Xor, &["^"]),
            (Connective::Or, &["|"]),
            (Connective::And, &["&"]),
        ],
        arithmetic: ARITHMETIC,
        braces_group: true,
        bitwise: true,
    };

    /// True if `==` is a connective, and so may bind looser than others.
    #[must_use]
    pub fn joins_by_equality(&self) -> bool {
        self.connectives.iter().any(|(_, symbols)| symbols.contains(&"=="))
    }
}

impl Default for Notation {
    fn default() -> Self {
        Self::MODEL
    }
}

/// A local as a location sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// What the source calls it there.
    pub name: String,
    /// What it is in the model.
    pub variable: VariableId,
    /// How its values are written there.
    pub written: Written,
}

/// The same for all variables of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Writing {
    /// How conditions are written.
    pub notation: Notation,
    /// Names that the source gives to numbers.
    pub constants: BTreeMap<String, i128>,
    /// None: the variable stands for several of the source that are written in different ways.
    of: BTreeMap<VariableId, Option<Written>>,
    /// What locations see, each list once; empty: a procedure's locals are seen in all of it.
    sights: Vec<Vec<Seen>>,
    /// The list of a location; those without one see no locals.
    sight_of: BTreeMap<LocationId, usize>,
}

impl Writing {
    /// For a source that writes conditions in a way.
    #[must_use]
    pub fn new(notation: Notation) -> Self {
        Self { notation, ..Self::default() }
    }

    /// Notes how a variable is written.
    pub fn note(&mut self, variable: VariableId, written: Written) {
        match self.of.get_mut(&variable) {
            None => drop(self.of.insert(variable, Some(written))),
            Some(known) if known.as_ref() == Some(&written) => {}
            Some(known) => *known = None,
        }
    }

    /// Notes what some locations see. From then on, locals are those of single locations.
    pub fn note_seen(&mut self, locations: impl IntoIterator<Item = LocationId>, seen: Vec<Seen>) {
        let at = self.sights.len();
        self.sights.push(seen);
        self.sight_of.extend(locations.into_iter().map(|location| (location, at)));
    }

    /// How a variable is written; none: it stands for several that are written in different ways.
    #[must_use]
    pub fn of(&self, variable: VariableId) -> Option<Written> {
        self.of.get(&variable).map_or_else(|| Some(Written::default()), Clone::clone)
    }

    /// Whether locals are those of single locations rather than of procedures.
    #[must_use]
    pub fn is_by_location(&self) -> bool {
        !self.sights.is_empty()
    }

    /// What a location sees, where locals are those of single locations.
    #[must_use]
    pub fn seen_at(&self, location: LocationId) -> &[Seen] {
        self.sight_of.get(&location).map_or(&[], |at| self.sights[*at].as_slice())
    }

    /// All lists of what locations see.
    pub fn sights(&self) -> impl Iterator<Item = &[Seen]> {
        self.sights.iter().map(Vec::as_slice)
    }

    /// Which list is that of a location; the same number for all that see the same in the same frame.
    pub(crate) fn sight(&self, location: LocationId) -> Option<usize> {
        self.sight_of.get(&location).copied()
    }

    /// What the source calls a variable at a location; none: it has no such variable there.
    #[must_use]
    pub fn name_at<'a>(&'a self, program: &'a Program, location: LocationId, variable: VariableId) -> Option<&'a str> {
        let known = &program.variables[variable];
        if !self.is_by_location() || !matches!(known.scope, Scope::Local(_)) {
            return Some(&known.name);
        }
        let seen = self.seen_at(location).iter().find(|seen| seen.variable == variable);
        seen.map(|seen| seen.name.as_str())
    }

    /// Takes over what is known of variables and locations to their copies in a program; `locals` are pairs of an original
    /// and a copy, and `locations` has for every original all that stand for it.
    pub fn note_copies(
        &mut self,
        program: &Program,
        locations: &IdVec<LocationId, Vec<LocationId>>,
        locals: &[(VariableId, VariableId)],
    ) {
        let mut copy_in = BTreeMap::new();
        for (original, copy) in locals {
            copy_in.insert((*original, program.variables[*copy].scope), *copy);
            if let Some(written) = self.of.get(original).cloned() {
                self.of.insert(*copy, written);
            }
        }
        let mut copied: BTreeMap<(usize, Scope), usize> = BTreeMap::new();
        for (original, copies) in locations.iter_ids() {
            let Some(at) = self.sight_of.get(&original).copied() else { continue };
            for copy in copies.iter().filter(|copy| **copy != original) {
                let home = Scope::Local(program.locations[*copy].procedure);
                let sight = *copied.entry((at, home)).or_insert_with(|| {
                    let new = |seen: &Seen| copy_in.get(&(seen.variable, home)).copied().unwrap_or(seen.variable);
                    let all = self.sights[at].iter().map(|seen| Seen { variable: new(seen), ..seen.clone() }).collect();
                    self.sights.push(all);
                    self.sights.len() - 1
                });
                self.sight_of.insert(*copy, sight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_bit_is_the_sign() {
        let numbers = |signed| {
            let written = Written { signed, indices: Vec::new() };
            [(5, 3), (3, 3), (1, 1), (u64::MAX, 64)].map(|(bits, width)| written.number(bits, width))
        };
        assert_eq!(numbers(true), [-3, 3, -1, -1]);
        assert_eq!(numbers(false), [5, 3, 1, i128::from(u64::MAX)]);
    }

    #[test]
    fn elements_lie_in_the_order_of_the_last_index() {
        let index = |indices: &[(i64, u32)], at| Written { signed: false, indices: indices.to_vec() }.index(at);
        assert_eq!(index(&[], 7), "[7]");
        assert_eq!(index(&[(1, 2), (-1, 3)], 4), "[2][0]");
        assert_eq!(index(&[(1, 2), (-1, 3)], 0), "[1][-1]");
    }
}
