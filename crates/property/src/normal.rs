//! Formulae to terms and back.

use std::collections::BTreeMap;

use crate::formula::{BinaryOp, NaryOp, UnaryOp};
use crate::term::{Node, Term, Terms};
use crate::{Atom, Formula};

/// A simplified formula that would be larger than this is not worth having.
const MAX_SIZE: usize = 100_000;

impl Formula {
    /// An equal formula, in most cases a smaller one: negations only at atoms, no `->` and `<->`.
    #[must_use]
    pub fn simplified(&self) -> Self {
        let atoms = self.atoms();
        let mut terms = Terms::new();
        let term = Reader::new(&atoms).read(self, &mut terms);
        let mut size = 0;
        // What is shared among terms is not shared here, so the result could be far larger.
        Writer { terms: &terms, atoms: &atoms }.write(term, &mut size).unwrap_or_else(|| self.clone())
    }
}

/// Turns formulae into terms.
pub(crate) struct Reader<'a> {
    ids: BTreeMap<&'a Atom, u32>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(atoms: &'a [Atom]) -> Self {
        Self { ids: atoms.iter().zip(0..).collect() }
    }

    pub(crate) fn read(&self, formula: &Formula, terms: &mut Terms) -> Term {
        match formula {
            Formula::Const(value) => terms.intern(Node::Const(*value)),
            Formula::Atom(atom) => terms.literal(self.ids[atom], true),
            Formula::Unary(op, inner) => {
                let inner = self.read(inner, terms);
                match op {
                    UnaryOp::Not => terms.not(inner),
                    UnaryOp::Next => terms.next(inner),
                    UnaryOp::Finally => terms.finally(inner),
                    UnaryOp::Globally => terms.globally(inner),
                }
            }
            Formula::Binary(op, left, right) => {
                let (left, right) = (self.read(left, terms), self.read(right, terms));
                binary(*op, left, right, terms)
            }
            Formula::Nary(op, parts) => {
                let parts = parts.iter().map(|part| self.read(part, terms)).collect();
                match op {
                    NaryOp::And => terms.and(parts),
                    NaryOp::Or => terms.or(parts),
                }
            }
        }
    }
}

fn binary(op: BinaryOp, left: Term, right: Term, terms: &mut Terms) -> Term {
    match op {
        BinaryOp::Implies => {
            let not_left = terms.not(left);
            terms.or(vec![not_left, right])
        }
        BinaryOp::Iff => {
            let (not_left, not_right) = (terms.not(left), terms.not(right));
            let both = terms.and(vec![left, right]);
            let neither = terms.and(vec![not_left, not_right]);
            terms.or(vec![both, neither])
        }
        BinaryOp::Until => terms.until(left, right),
        BinaryOp::WeakUntil => terms.weak_until(left, right),
        BinaryOp::Release => terms.release(left, right),
        BinaryOp::StrongRelease => terms.strong_release(left, right),
    }
}

struct Writer<'a> {
    terms: &'a Terms,
    atoms: &'a [Atom],
}

impl Writer<'_> {
    fn write(&self, term: Term, size: &mut usize) -> Option<Formula> {
        *size += 1;
        if *size > MAX_SIZE {
            return None;
        }
        let mut unary = |op, inner| Some(Formula::unary(op, self.write(inner, size)?));
        Some(match self.terms.node(term) {
            Node::Const(value) => Formula::Const(*value),
            Node::Literal(atom, positive) => {
                let atom = Formula::Atom(self.atoms[*atom as usize].clone());
                if *positive { atom } else { atom.negated() }
            }
            Node::And(parts) => Formula::Nary(NaryOp::And, self.parts(parts, size)?),
            Node::Or(parts) => Formula::Nary(NaryOp::Or, self.parts(parts, size)?),
            Node::Next(inner) => unary(UnaryOp::Next, *inner)?,
            Node::Finally(inner) => unary(UnaryOp::Finally, *inner)?,
            Node::Globally(inner) => unary(UnaryOp::Globally, *inner)?,
            Node::Until(a, b) => self.binary(BinaryOp::Until, *a, *b, size)?,
            Node::WeakUntil(a, b) => self.binary(BinaryOp::WeakUntil, *a, *b, size)?,
            Node::Release(a, b) => self.binary(BinaryOp::Release, *a, *b, size)?,
            Node::StrongRelease(a, b) => self.binary(BinaryOp::StrongRelease, *a, *b, size)?,
        })
    }

    fn parts(&self, parts: &[Term], size: &mut usize) -> Option<Vec<Formula>> {
        parts.iter().map(|part| self.write(*part, size)).collect()
    }

    fn binary(&self, op: BinaryOp, a: Term, b: Term, size: &mut usize) -> Option<Formula> {
        Some(Formula::binary(op, self.write(a, size)?, self.write(b, size)?))
    }
}
