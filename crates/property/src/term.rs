//! Formulae in negation normal form, shared: equal formulae are the same term.
//!
//! Terms are built by the functions of [`crate::rewrite`], which simplify as they go.

use rustc_hash::FxHashMap;

/// A formula in a [`Terms`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Term(u32);

/// What a term is. Operands of `And` and `Or` are in order, at least two, and none is of the same kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    Const(bool),
    Literal(u32, bool),
    And(Vec<Term>),
    Or(Vec<Term>),
    Next(Term),
    Finally(Term),
    Globally(Term),
    Until(Term, Term),
    WeakUntil(Term, Term),
    Release(Term, Term),
    StrongRelease(Term, Term),
}

/// All terms of one piece of work.
#[derive(Debug)]
pub(crate) struct Terms {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Term>,
    /// A word satisfies the term if one of its ends does.
    eventual: Vec<bool>,
    /// If a word satisfies the term, all of its ends do.
    universal: Vec<bool>,
    pub(crate) negations: FxHashMap<Term, Term>,
    pub(crate) implications: FxHashMap<(Term, Term), bool>,
    /// How many more comparisons the current question may make.
    pub(crate) patience: u32,
}

impl Terms {
    pub(crate) const FALSE: Term = Term(0);
    pub(crate) const TRUE: Term = Term(1);

    pub(crate) fn new() -> Self {
        let mut terms = Self {
            nodes: Vec::new(),
            unique: FxHashMap::default(),
            eventual: Vec::new(),
            universal: Vec::new(),
            negations: FxHashMap::default(),
            implications: FxHashMap::default(),
            patience: 0,
        };
        for value in [false, true] {
            terms.intern(Node::Const(value));
        }
        terms
    }

    pub(crate) fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    pub(crate) fn is_eventual(&self, term: Term) -> bool {
        self.eventual[term.0 as usize]
    }

    pub(crate) fn is_universal(&self, term: Term) -> bool {
        self.universal[term.0 as usize]
    }

    /// True when all ends of a word agree about the term.
    pub(crate) fn is_lasting(&self, term: Term) -> bool {
        self.is_eventual(term) && self.is_universal(term)
    }

    /// The term that is this node, as it stands.
    pub(crate) fn intern(&mut self, node: Node) -> Term {
        if let Some(term) = self.unique.get(&node) {
            return *term;
        }
        let term = Term(self.nodes.len() as u32);
        self.eventual.push(self.eventual_node(&node));
        self.universal.push(self.universal_node(&node));
        self.nodes.push(node.clone());
        self.unique.insert(node, term);
        term
    }

    fn eventual_node(&self, node: &Node) -> bool {
        let is = |term: &Term| self.is_eventual(*term);
        match node {
            Node::Const(_) | Node::Finally(_) => true,
            Node::Literal(..) => false,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(is),
            Node::Next(a) | Node::Globally(a) => is(a),
            Node::Until(_, b) | Node::Release(_, b) | Node::StrongRelease(_, b) => is(b),
            Node::WeakUntil(a, b) => is(a) && is(b),
        }
    }

    fn universal_node(&self, node: &Node) -> bool {
        let is = |term: &Term| self.is_universal(*term);
        match node {
            Node::Const(_) | Node::Globally(_) => true,
            Node::Literal(..) => false,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(is),
            Node::Next(a) | Node::Finally(a) => is(a),
            Node::Until(_, b) | Node::Release(_, b) | Node::WeakUntil(_, b) => is(b),
            Node::StrongRelease(a, b) => is(a) && is(b),
        }
    }
}
