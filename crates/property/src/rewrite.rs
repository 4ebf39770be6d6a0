//! Terms that simplify as they are built, by equations of the logic.
//!
//! The equations are those that every translator uses: Somenzi and Bloem (CAV 2000), Etessami and Holzmann (CONCUR
//! 2000), and what follows for eventual formulae (which a word satisfies as soon as one of its ends does) and universal
//! ones (the dual).

use crate::term::{Node, Term, Terms};

/// Longer conjunctions and disjunctions are not searched for parts that follow from other parts.
const MAX_COMPARED: usize = 24;

impl Terms {
    pub(crate) fn literal(&mut self, atom: u32, positive: bool) -> Term {
        self.intern(Node::Literal(atom, positive))
    }

    /// The negation, pushed down to the atoms.
    pub(crate) fn not(&mut self, term: Term) -> Term {
        if let Some(known) = self.negations.get(&term) {
            return *known;
        }
        let negated = match self.node(term).clone() {
            Node::Const(value) => self.intern(Node::Const(!value)),
            Node::Literal(atom, positive) => self.literal(atom, !positive),
            Node::And(parts) => {
                let parts = parts.into_iter().map(|part| self.not(part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.not(part)).collect();
                self.and(parts)
            }
            Node::Next(inner) => self.of_not(inner, Self::next),
            Node::Finally(inner) => self.of_not(inner, Self::globally),
            Node::Globally(inner) => self.of_not(inner, Self::finally),
            Node::Until(a, b) => self.of_nots(a, b, Self::release),
            Node::WeakUntil(a, b) => self.of_nots(a, b, Self::strong_release),
            Node::Release(a, b) => self.of_nots(a, b, Self::until),
            Node::StrongRelease(a, b) => self.of_nots(a, b, Self::weak_until),
        };
        self.negations.insert(term, negated);
        self.negations.entry(negated).or_insert(term);
        negated
    }

    fn of_not(&mut self, inner: Term, operator: fn(&mut Self, Term) -> Term) -> Term {
        let inner = self.not(inner);
        operator(self, inner)
    }

    fn of_nots(&mut self, a: Term, b: Term, operator: fn(&mut Self, Term, Term) -> Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        operator(self, a, b)
    }

    pub(crate) fn next(&mut self, a: Term) -> Term {
        if self.is_lasting(a) {
            return a;
        }
        self.intern(Node::Next(a))
    }

    pub(crate) fn finally(&mut self, a: Term) -> Term {
        if self.is_eventual(a) {
            return a;
        }
        let plain = match self.node(a).clone() {
            Node::Next(inner) => {
                let inner = self.finally(inner);
                return self.next(inner);
            }
            Node::Until(_, right) => return self.finally(right),
            Node::StrongRelease(left, right) => {
                let both = self.and(vec![left, right]);
                return self.finally(both);
            }
            Node::Or(parts) if parts.iter().any(|part| matches!(self.node(*part), Node::Finally(_))) => {
                let parts = parts.into_iter().map(|part| self.under_finally(part, false).unwrap_or(part)).collect();
                let either = self.or(parts);
                return self.finally(either);
            }
            // Some time for ever `a || u` with universal `u` is `a` or `u` for ever.
            Node::Globally(inner) => match self.node(inner).clone() {
                Node::Or(parts) => {
                    let (universal, others) = self.part(parts, Self::is_universal);
                    let always = |terms: &mut Self, inner| {
                        let always = terms.globally(inner);
                        terms.finally(always)
                    };
                    let universal = universal.into_iter().map(|part| self.finally(part)).collect();
                    self.apart(universal, others, Self::or, always)
                }
                _ => None,
            },
            _ => None,
        };
        plain.unwrap_or_else(|| self.intern(Node::Finally(a)))
    }

    pub(crate) fn globally(&mut self, a: Term) -> Term {
        if self.is_universal(a) {
            return a;
        }
        let plain = match self.node(a).clone() {
            Node::Next(inner) => {
                let inner = self.globally(inner);
                return self.next(inner);
            }
            Node::Release(_, right) => return self.globally(right),
            Node::WeakUntil(left, right) => {
                let either = self.or(vec![left, right]);
                return self.globally(either);
            }
            Node::And(parts) => {
                let (universal, others) = self.part(parts, Self::is_universal);
                self.apart(universal, others, Self::and, Self::globally)
            }
            Node::Or(parts) => {
                let (lasting, others) = self.part(parts, Self::is_lasting);
                // What comes again and again is better waited for together.
                let again = others.iter().all(|part| self.is_eventual(*part));
                if again { None } else { self.apart(lasting, others, Self::or, Self::globally) }
            }
            // Again and again `a && e` with eventual `e` is again and again `a`, and again and again `e`.
            Node::Finally(inner) => match self.node(inner).clone() {
                Node::And(parts) => {
                    let (eventual, others) = self.part(parts, Self::is_eventual);
                    let again = |terms: &mut Self, inner| {
                        let again = terms.finally(inner);
                        terms.globally(again)
                    };
                    let eventual = eventual.into_iter().map(|part| self.globally(part)).collect();
                    self.apart(eventual, others, Self::and, again)
                }
                _ => None,
            },
            _ => None,
        };
        plain.unwrap_or_else(|| self.intern(Node::Globally(a)))
    }

    /// The parts with a quality, and the others.
    fn part(&self, parts: Vec<Term>, quality: fn(&Self, Term) -> bool) -> (Vec<Term>, Vec<Term>) {
        parts.into_iter().partition(|part| quality(self, *part))
    }

    /// Some parts as they are, joined with the operator applied to the others; None when there are none to take apart.
    fn apart(
        &mut self,
        mut plain: Vec<Term>,
        others: Vec<Term>,
        join: fn(&mut Self, Vec<Term>) -> Term,
        operator: impl FnOnce(&mut Self, Term) -> Term,
    ) -> Option<Term> {
        if plain.is_empty() {
            return None;
        }
        let others = join(self, others);
        plain.push(operator(self, others));
        Some(join(self, plain))
    }

    pub(crate) fn until(&mut self, a: Term, b: Term) -> Term {
        if self.is_eventual(b) || a == Self::FALSE || self.implies(a, b) {
            return b;
        }
        if a == Self::TRUE || self.exhaust(a, b) {
            return self.finally(b);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inner = self.until(a, b);
                self.next(inner)
            }
            (_, Node::Until(c, _)) if self.implies(a, c) => b,
            (Node::Until(_, c), _) if c == b => a,
            (Node::WeakUntil(c, d), _) if d == b => self.until(c, b),
            _ => self.intern(Node::Until(a, b)),
        }
    }

    pub(crate) fn release(&mut self, a: Term, b: Term) -> Term {
        if self.is_universal(b) || a == Self::TRUE || self.implies(b, a) {
            return b;
        }
        if a == Self::FALSE || self.exclude(a, b) {
            return self.globally(b);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inner = self.release(a, b);
                self.next(inner)
            }
            (_, Node::Release(c, _)) if self.implies(c, a) => b,
            (Node::Release(_, c), _) if c == b => a,
            (Node::StrongRelease(c, d), _) if d == b => self.release(c, b),
            (_, Node::And(parts)) => {
                let (universal, others) = self.part(parts, Self::is_universal);
                let plain = self.apart(universal, others, Self::and, |terms, b| terms.release(a, b));
                plain.unwrap_or_else(|| self.intern(Node::Release(a, b)))
            }
            (_, Node::Or(parts)) => {
                let (lasting, others) = self.part(parts, Self::is_lasting);
                let plain = self.apart(lasting, others, Self::or, |terms, b| terms.release(a, b));
                plain.unwrap_or_else(|| self.intern(Node::Release(a, b)))
            }
            _ => self.intern(Node::Release(a, b)),
        }
    }

    pub(crate) fn weak_until(&mut self, a: Term, b: Term) -> Term {
        if a == Self::FALSE || b == Self::TRUE || self.implies(a, b) {
            return b;
        }
        if a == Self::TRUE || self.exhaust(a, b) {
            return Self::TRUE;
        }
        if self.is_universal(a) {
            return self.or(vec![a, b]);
        }
        if self.is_eventual(b) {
            let always = self.globally(a);
            return self.or(vec![always, b]);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inner = self.weak_until(a, b);
                self.next(inner)
            }
            (_, Node::WeakUntil(c, _)) if self.implies(a, c) => b,
            (Node::WeakUntil(_, c), _) if c == b => a,
            _ => self.intern(Node::WeakUntil(a, b)),
        }
    }

    pub(crate) fn strong_release(&mut self, a: Term, b: Term) -> Term {
        if a == Self::TRUE || b == Self::FALSE || self.implies(b, a) {
            return b;
        }
        if a == Self::FALSE || self.exclude(a, b) {
            return Self::FALSE;
        }
        if self.is_eventual(a) {
            return self.and(vec![a, b]);
        }
        if self.is_universal(b) {
            let some_time = self.finally(a);
            return self.and(vec![some_time, b]);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inner = self.strong_release(a, b);
                self.next(inner)
            }
            (_, Node::StrongRelease(c, _)) if self.implies(c, a) => b,
            (Node::StrongRelease(_, c), _) if c == b => a,
            _ => self.intern(Node::StrongRelease(a, b)),
        }
    }

    pub(crate) fn and(&mut self, parts: Vec<Term>) -> Term {
        let parts = self.flat(parts, true);
        if parts.contains(&Self::FALSE) {
            return Self::FALSE;
        }
        if let Some(merged) = self.merged(&parts, true) {
            return self.and(merged);
        }
        let Some(mut parts) = self.absorbed(parts, true) else { return Self::FALSE };
        match parts.len() {
            0 => Self::TRUE,
            1 => parts.swap_remove(0),
            _ => self.intern(Node::And(parts)),
        }
    }

    pub(crate) fn or(&mut self, parts: Vec<Term>) -> Term {
        let parts = self.flat(parts, false);
        if parts.contains(&Self::TRUE) {
            return Self::TRUE;
        }
        if let Some(merged) = self.merged(&parts, false) {
            return self.or(merged);
        }
        let Some(mut parts) = self.absorbed(parts, false) else { return Self::TRUE };
        match parts.len() {
            0 => Self::FALSE,
            1 => parts.swap_remove(0),
            _ => self.intern(Node::Or(parts)),
        }
    }

    /// The operands of nested operators of the same kind, in order, each once, without the neutral one.
    fn flat(&self, parts: Vec<Term>, and: bool) -> Vec<Term> {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Const(value) if *value == and => {}
                Node::And(inner) if and => flat.extend(inner),
                Node::Or(inner) if !and => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Without parts that follow from others; None when two of them contradict each other (or, for a disjunction, when
    /// two of them cover everything).
    fn absorbed(&mut self, parts: Vec<Term>, and: bool) -> Option<Vec<Term>> {
        for part in &parts {
            let opposite = self.not(*part);
            if parts.binary_search(&opposite).is_ok() {
                return None;
            }
        }
        if parts.len() > MAX_COMPARED {
            return Some(parts);
        }
        let mut kept: Vec<Term> = Vec::new();
        for part in parts {
            let other = |terms: &mut Self, a, b| if and { terms.exclude(a, b) } else { terms.exhaust(a, b) };
            if kept.iter().any(|kept| other(self, *kept, part)) {
                return None;
            }
            let stronger = |terms: &mut Self, a, b| if and { terms.implies(a, b) } else { terms.implies(b, a) };
            if kept.iter().any(|kept| stronger(self, *kept, part)) {
                continue;
            }
            kept.retain(|kept| !stronger(self, part, *kept));
            kept.push(part);
        }
        Some(kept)
    }
}
