//! Whether one term implies another, as far as their shapes show, after Somenzi and Bloem (CAV 2000).

use crate::term::{Node, Term, Terms};

/// How many comparisons one question may cost; beyond it the answer is that nothing is known.
const PATIENCE: u32 = 500;

impl Terms {
    /// True when every word that satisfies `a` satisfies `b`, and this can be seen.
    pub(crate) fn implies(&mut self, a: Term, b: Term) -> bool {
        self.patience = PATIENCE;
        self.leads_to(a, b)
    }

    /// True when no word satisfies both, and this can be seen.
    pub(crate) fn exclude(&mut self, a: Term, b: Term) -> bool {
        let not_b = self.not(b);
        self.implies(a, not_b)
    }

    /// True when every word satisfies one of them, and this can be seen.
    pub(crate) fn exhaust(&mut self, a: Term, b: Term) -> bool {
        let not_a = self.not(a);
        self.implies(not_a, b)
    }

    fn leads_to(&mut self, a: Term, b: Term) -> bool {
        if a == b || a == Self::FALSE || b == Self::TRUE {
            return true;
        }
        if a == Self::TRUE || b == Self::FALSE || self.patience == 0 {
            return false;
        }
        if let Some(known) = self.implications.get(&(a, b)) {
            return *known;
        }
        self.patience -= 1;
        let answer = self.by_parts(a, b) || self.by_shape(a, b);
        if answer || self.patience > 0 {
            self.implications.insert((a, b), answer);
        }
        answer
    }

    /// Conjunctions and disjunctions, and what holds at every moment.
    fn by_parts(&mut self, a: Term, b: Term) -> bool {
        match (self.node(a).clone(), self.node(b).clone()) {
            (_, Node::And(parts)) => return parts.into_iter().all(|part| self.leads_to(a, part)),
            (Node::Or(parts), _) => return parts.into_iter().all(|part| self.leads_to(part, b)),
            (Node::And(parts), Node::Or(others)) => {
                return parts.into_iter().any(|part| self.leads_to(part, b))
                    || others.into_iter().any(|other| self.leads_to(a, other));
            }
            (Node::And(parts), _) if parts.iter().any(|part| self.leads_to(*part, b)) => return true,
            (_, Node::Or(parts)) if parts.iter().any(|part| self.leads_to(a, *part)) => return true,
            _ => {}
        }
        false
    }

    fn by_shape(&mut self, a: Term, b: Term) -> bool {
        self.weakened(a, b) || self.strengthened(a, b) || self.alike(a, b)
    }

    /// Something that `a` implies implies `b`.
    fn weakened(&mut self, a: Term, b: Term) -> bool {
        let eventual = self.is_eventual(b);
        match *self.node(a) {
            Node::Globally(inner) => self.leads_to(inner, b),
            Node::Next(inner) | Node::Finally(inner) => eventual && self.leads_to(inner, b),
            Node::Until(left, right) => self.leads_to(right, b) && (eventual || self.leads_to(left, b)),
            Node::WeakUntil(left, right) => self.leads_to(left, b) && self.leads_to(right, b),
            Node::Release(_, right) => self.leads_to(right, b),
            Node::StrongRelease(left, right) => self.leads_to(right, b) || (eventual && self.leads_to(left, b)),
            _ => false,
        }
    }

    /// `a` implies something that implies `b`.
    fn strengthened(&mut self, a: Term, b: Term) -> bool {
        let universal = self.is_universal(a);
        match *self.node(b) {
            Node::Finally(inner) => self.leads_to(a, inner),
            Node::Next(inner) | Node::Globally(inner) => universal && self.leads_to(a, inner),
            Node::Release(left, right) => self.leads_to(a, right) && (universal || self.leads_to(a, left)),
            Node::StrongRelease(left, right) => self.leads_to(a, left) && self.leads_to(a, right),
            Node::Until(_, right) => self.leads_to(a, right),
            Node::WeakUntil(left, right) => self.leads_to(a, right) || (universal && self.leads_to(a, left)),
            _ => false,
        }
    }

    /// Both have operators of which one is at least as strong as the other, and so are the operands.
    fn alike(&mut self, a: Term, b: Term) -> bool {
        use Node::{Next, Release, StrongRelease, Until, WeakUntil};
        match (self.node(a).clone(), self.node(b).clone()) {
            (Next(a), Next(b)) => self.leads_to(a, b),
            (Until(a, c), Until(b, d) | WeakUntil(b, d)) | (WeakUntil(a, c), WeakUntil(b, d)) => {
                self.leads_to(a, b) && self.leads_to(c, d)
            }
            (StrongRelease(a, c), StrongRelease(b, d) | Release(b, d)) | (Release(a, c), Release(b, d)) => {
                self.leads_to(a, b) && self.leads_to(c, d)
            }
            // Read from the other side: `a M c` is `c U (a && c)`, `a R c` is `c W (a && c)`.
            (StrongRelease(a, c), Until(b, d) | WeakUntil(b, d)) | (Release(a, c), WeakUntil(b, d)) => {
                self.leads_to(c, b) && self.leads_to(a, d)
            }
            _ => false,
        }
    }
}
