//! What the atoms of a clause are in a witness, worked out once for each recipe.
//!
//! A witness has the values of the clause's keys and bits. Here stands which of them make up the tuple of an atom, so
//! that for each tuple only a few words are copied.

use super::packed::Packed;
use super::recipe::Recipe;
use super::table::Key;
use super::witness::Witness;
use crate::plan::clause::{Arg, Atom, Planned};
use crate::plan::{Kind, Plan};

/// Where some bits of a tuple are taken from.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// From a place among the clause's bits on.
    Bits { start: usize, width: usize },
    /// The bits of a number.
    Constant { value: u64, width: usize },
}

/// Where a listed value of a tuple is taken from.
#[derive(Clone, Copy, Debug)]
enum Listed {
    Value(u32),
    Variable(usize),
    /// Its bits stand among those of the clause.
    Bits(Piece),
}

/// An atom that is not negated.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Which atom of the clause it is.
    pub(crate) atom: usize,
    pub(crate) relation: Planned,
    /// The input that it is a tuple of, if it is one.
    pub(crate) input: Option<usize>,
    /// Of an input the columns of listed sorts, of others the key.
    key: Vec<Listed>,
    /// The bits of all others.
    bits: Vec<Piece>,
}

impl Part {
    fn new(plan: &Plan, recipe: &Recipe, at: usize, atom: &Atom) -> Self {
        let planned = &plan.relations[atom.relation];
        let input = if let Kind::Input(input) = planned.kind { Some(input) } else { None };
        let mut part = Self { atom: at, relation: atom.relation, input, key: Vec::new(), bits: Vec::new() };
        for (column, arg) in planned.columns.iter().zip(&atom.args) {
            let sort = &plan.sorts[column.sort];
            let is_listed = input.is_some() && sort.model.is_some() && sort.size.is_some();
            match *arg {
                Arg::Value(value) if column.is_key => part.key.push(Listed::Value(value as u32)),
                Arg::Variable(variable) if column.is_key => part.key.push(Listed::Variable(variable)),
                arg if is_listed => part.key.push(Listed::Bits(piece(recipe, arg, sort.width))),
                arg => part.add(piece(recipe, arg, sort.width)),
            }
        }
        part
    }

    /// Adds bits; what stands together is copied together.
    fn add(&mut self, piece: Piece) {
        match (self.bits.last_mut(), piece) {
            (Some(Piece::Bits { start, width }), Piece::Bits { start: next, width: more })
                if *start + *width == next =>
            {
                *width += more;
            }
            _ => self.bits.push(piece),
        }
    }

    /// The values of the key.
    pub(crate) fn key(&self, witness: &Witness) -> Key {
        super::table::key_of(self.key.iter().map(|listed| match *listed {
            Listed::Value(value) => value,
            Listed::Variable(variable) => witness.keys[variable],
            Listed::Bits(piece) => {
                let mut bits = Packed::default();
                add_piece(piece, witness, &mut bits);
                bits.iter().enumerate().map(|(at, bit)| u32::from(bit) << at).sum()
            }
        }))
    }

    /// The bits.
    pub(crate) fn bits(&self, witness: &Witness) -> Packed {
        let mut bits = Packed::default();
        self.bits.iter().for_each(|piece| add_piece(*piece, witness, &mut bits));
        bits
    }
}

fn piece(recipe: &Recipe, arg: Arg, width: usize) -> Piece {
    match arg {
        Arg::Value(value) => Piece::Constant { value, width },
        Arg::Variable(variable) => Piece::Bits { start: recipe.bits[variable].unwrap_or(0), width },
    }
}

fn add_piece(piece: Piece, witness: &Witness, bits: &mut Packed) {
    match piece {
        Piece::Bits { start, width } => bits.extend_from(&witness.bits, start, width),
        Piece::Constant { value, width } => bits.extend((0..width).map(|at| value >> at & 1 == 1)),
    }
}

/// The atoms of a recipe's clause that are not negated.
pub(crate) fn parts(plan: &Plan, recipe: &Recipe) -> Vec<Part> {
    let atoms = plan.relations[recipe.relation].clauses[recipe.clause].atoms.iter().enumerate();
    atoms.filter(|(_, atom)| !atom.negated).map(|(at, atom)| Part::new(plan, recipe, at, atom)).collect()
}
