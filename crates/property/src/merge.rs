//! Parts of a conjunction or disjunction that are one formula together: `G a && G b` is `G (a && b)`.

use crate::term::{Node, Term, Terms};

/// Longer conjunctions and disjunctions are not searched for pairs.
const MAX_PAIRED: usize = 24;

impl Terms {
    /// The parts with some of them made one; None when there is nothing to merge.
    pub(crate) fn merged(&mut self, parts: &[Term], and: bool) -> Option<Vec<Term>> {
        self.merged_kind(parts, and).or_else(|| self.merged_pair(parts, and))
    }

    /// All parts of a kind that distributes over the operator, and what goes with them.
    ///
    /// What all ends of a word agree about may be put off to the next moment, so that there is less to remember now; and
    /// what is true as soon as it is true of an end may be part of what is waited for.
    fn merged_kind(&mut self, parts: &[Term], and: bool) -> Option<Vec<Term>> {
        type Kind = (fn(&Terms, Term, bool) -> Option<Term>, fn(&Terms, Term) -> bool, fn(&mut Terms, Term) -> Term);
        let kinds: [Kind; 3] = [
            (Self::under_next, Self::is_lasting, Self::next),
            (Self::under_globally, if and { |_, _| false } else { Self::is_lasting }, Self::globally),
            (Self::under_finally, if and { |_, _| false } else { Self::is_eventual }, Self::finally),
        ];
        for (inside, goes_with, operator) in kinds {
            let mut inner: Vec<Term> = parts.iter().filter_map(|part| inside(self, *part, and)).collect();
            let others = parts.iter().copied().filter(|part| inside(self, *part, and).is_none());
            let (along, mut rest): (Vec<Term>, Vec<Term>) = others.partition(|part| goes_with(self, *part));
            if inner.is_empty() || inner.len() + along.len() < 2 {
                continue;
            }
            inner.extend(along);
            let inner = if and { self.and(inner) } else { self.or(inner) };
            rest.push(operator(self, inner));
            return Some(rest);
        }
        None
    }

    fn under_next(&self, term: Term, _and: bool) -> Option<Term> {
        match self.node(term) {
            Node::Next(inner) => Some(*inner),
            _ => None,
        }
    }

    /// `G` distributes over conjunction, and over the disjunction of eventual formulae.
    fn under_globally(&self, term: Term, and: bool) -> Option<Term> {
        match self.node(term) {
            Node::Globally(inner) if and || self.is_eventual(*inner) => Some(*inner),
            _ => None,
        }
    }

    /// `F` distributes over disjunction, and over the conjunction of universal formulae.
    pub(crate) fn under_finally(&self, term: Term, and: bool) -> Option<Term> {
        match self.node(term) {
            Node::Finally(inner) if !and || self.is_universal(*inner) => Some(*inner),
            _ => None,
        }
    }

    fn merged_pair(&mut self, parts: &[Term], and: bool) -> Option<Vec<Term>> {
        if parts.len() > MAX_PAIRED {
            return None;
        }
        for (index, first) in parts.iter().enumerate() {
            for second in &parts[index + 1..] {
                let merged = self.pair(*first, *second, and).or_else(|| self.pair(*second, *first, and));
                if let Some(merged) = merged {
                    let others = parts.iter().copied().filter(|part| part != first && part != second);
                    return Some(others.chain(merged).collect());
                }
            }
        }
        None
    }

    /// What can stand in the place of both.
    fn pair(&mut self, first: Term, second: Term, and: bool) -> Option<Vec<Term>> {
        self.one(first, second, and).map(|one| vec![one]).or_else(|| self.shorter(first, second, and))
    }

    /// Within `a && (b || c)` whatever contradicts `a` may go, and dually.
    fn shorter(&mut self, first: Term, second: Term, and: bool) -> Option<Vec<Term>> {
        let shorter = match self.node(first).clone() {
            Node::Or(parts) if and => {
                let left = self.without(&parts, second, Self::exclude)?;
                self.or(left)
            }
            Node::And(parts) if !and => {
                let left = self.without(&parts, second, Self::exhaust)?;
                self.and(left)
            }
            _ => return None,
        };
        Some(vec![shorter, second])
    }

    /// One formula for both.
    fn one(&mut self, first: Term, second: Term, and: bool) -> Option<Term> {
        use Node::{Finally, Globally, Release, StrongRelease, Until, WeakUntil};
        let join = if and { Self::and } else { Self::or };
        Some(match (self.node(first).clone(), self.node(second).clone()) {
            (Until(a, b), Until(c, d)) if and && b == d => self.both_left(a, c, b, Self::and, Self::until),
            (WeakUntil(a, b), WeakUntil(c, d)) if and && b == d => self.both_left(a, c, b, Self::and, Self::weak_until),
            (Until(a, b), WeakUntil(c, d)) if and && b == d => self.both_left(a, c, b, Self::and, Self::until),
            (Release(a, b), Release(c, d)) if !and && b == d => self.both_left(a, c, b, Self::or, Self::release),
            (StrongRelease(a, b), StrongRelease(c, d)) if !and && b == d => {
                self.both_left(a, c, b, Self::or, Self::strong_release)
            }
            (Release(a, b), StrongRelease(c, d)) if !and && b == d => self.both_left(a, c, b, Self::or, Self::release),
            (Until(a, b), Until(c, d)) if !and && a == c => self.both_right(a, b, d, join, Self::until),
            (WeakUntil(a, b), WeakUntil(c, d) | Until(c, d)) if !and && a == c => {
                self.both_right(a, b, d, join, Self::weak_until)
            }
            (Release(a, b), Release(c, d)) if and && a == c => self.both_right(a, b, d, join, Self::release),
            (StrongRelease(a, b), StrongRelease(c, d) | Release(c, d)) if and && a == c => {
                self.both_right(a, b, d, join, Self::strong_release)
            }
            // The strong form is the weak one and that it happens.
            (WeakUntil(a, b), Finally(c)) if and && b == c => self.until(a, b),
            (Release(a, b), Finally(c)) if and && a == c => self.strong_release(a, b),
            (Until(a, b), Globally(c)) if !and && a == c => self.weak_until(a, b),
            (StrongRelease(a, b), Globally(c)) if !and && b == c => self.release(a, b),
            (Until(a, b), _) if !and && self.is_eventual(second) => self.both_right(a, b, second, join, Self::until),
            (WeakUntil(a, b), _) if !and && self.is_eventual(second) => {
                self.both_right(a, b, second, join, Self::weak_until)
            }
            (Until(a, b), _) if and && self.is_lasting(second) => self.both_right(a, b, second, join, Self::until),
            (Finally(a), _) if and && self.is_lasting(second) => {
                let both = self.and(vec![a, second]);
                self.finally(both)
            }
            _ => return None,
        })
    }

    /// The parts without those that another formula makes superfluous; None when there are none.
    fn without(&mut self, parts: &[Term], other: Term, idle: fn(&mut Self, Term, Term) -> bool) -> Option<Vec<Term>> {
        if parts.len() > MAX_PAIRED {
            return None;
        }
        let left: Vec<Term> = parts.iter().copied().filter(|part| !idle(self, other, *part)).collect();
        (left.len() < parts.len()).then_some(left)
    }

    fn both_left(
        &mut self,
        a: Term,
        c: Term,
        right: Term,
        join: fn(&mut Self, Vec<Term>) -> Term,
        operator: fn(&mut Self, Term, Term) -> Term,
    ) -> Term {
        let left = join(self, vec![a, c]);
        operator(self, left, right)
    }

    fn both_right(
        &mut self,
        left: Term,
        b: Term,
        d: Term,
        join: fn(&mut Self, Vec<Term>) -> Term,
        operator: fn(&mut Self, Term, Term) -> Term,
    ) -> Term {
        let right = join(self, vec![b, d]);
        operator(self, left, right)
    }
}
