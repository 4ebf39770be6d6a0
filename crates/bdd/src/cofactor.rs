//! Generalized cofactors: a function simplified where only a care set matters.
//!
//! `constrain` and `restrict` after Coudert and Madre (ICCAD 1990): both agree
//! with `f` wherever `care` holds and choose freely elsewhere. `constrain` maps
//! each point to the nearest one in the care set, so it distributes over every
//! connective, and it may bring in variables of the care set; `restrict` never
//! does. On a conjunction of literals both are the cofactor.

use crate::apply::OR;
use crate::manager::Var;
use crate::session::{Edge, Owned, Session, tag, value};
use crate::stop::Stop;

impl<'id> Session<'_, 'id> {
    /// `constrain` or, if `RESTRICT`, `restrict`; false on an empty care set.
    pub(crate) fn simplify_under<const RESTRICT: bool>(
        &self,
        f: Edge<'_, 'id>,
        care: Edge<'_, 'id>,
    ) -> Result<Owned<'id>, Stop> {
        match (value(f), value(care)) {
            (_, Some(false)) => return Ok(self.constant(false)),
            (Some(_), _) | (_, Some(true)) => return Ok(self.clone(f)),
            (None, None) => {}
        }
        if f == care {
            return Ok(self.constant(true));
        }
        let tag = if RESTRICT { tag::RESTRICT } else { tag::CONSTRAIN };
        if let Some(result) = self.cached(tag, &[f, care], &[]) {
            return Ok(result);
        }
        self.tick()?;
        let (fv, cv) = (self.view(f), self.view(care));
        let level = fv.level.min(cv.level);
        let (f1, f0) = fv.cofactors(level);
        let (c1, c0) = cv.cofactors(level);
        let result = if value(c1) == Some(false) {
            self.simplify_under::<RESTRICT>(f0, c0)?
        } else if value(c0) == Some(false) {
            self.simplify_under::<RESTRICT>(f1, c1)?
        } else if RESTRICT && cv.level < fv.level {
            let wider = self.hold(self.binary::<OR>(c1, c0)?);
            self.simplify_under::<RESTRICT>(f, wider.borrowed())?
        } else {
            let hi = self.hold(self.simplify_under::<RESTRICT>(f1, c1)?);
            let lo = self.simplify_under::<RESTRICT>(f0, c0)?;
            self.node(level, hi.into_edge(), lo)?
        };
        self.remember(tag, &[f, care], &[], &result);
        Ok(result)
    }

    /// The conjunction of `literals`, built from the lowest one up.
    pub(crate) fn conjunction(&self, literals: &[(Var, bool)]) -> Result<Owned<'id>, Stop> {
        let mut literals: Vec<_> = literals.iter().map(|&(var, value)| (self.level_of(var.0), value)).collect();
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Ok(self.constant(false));
        }
        let mut result = self.hold(self.constant(true));
        for (level, value) in literals.into_iter().rev() {
            self.tick()?;
            let (rest, otherwise) = (result.into_edge(), self.constant(false));
            let node = if value { self.node(level, rest, otherwise) } else { self.node(level, otherwise, rest) };
            result = self.hold(node?);
        }
        Ok(result.into_edge())
    }
}
