//! Edges as images: from a set of states to the set of states after them.

use bdd::{Bdd, Cube, Renaming, Stop, Var};

/// An image: conjoin with a relation, forget the old values of what changes, and let the new values take their place.
///
/// The set may hold further variables (entry copies, variables that do not change); they stay as they are.
#[derive(Clone, Debug)]
pub struct Image {
    /// Over the copies that the image reads and the `Next` copies (or others) that it writes.
    pub relation: Bdd,
    /// What is forgotten; none when nothing changes.
    pub forget: Option<Cube>,
    /// New values to current ones; none when all that changes becomes arbitrary.
    pub rename: Option<Renaming>,
}

impl Image {
    /// The image of a set.
    pub fn apply(&self, set: &Bdd) -> Result<Bdd, Stop> {
        match (&self.forget, &self.rename) {
            (None, None) if self.relation.is_true() => Ok(set.clone()),
            (None, None) => set.and(&self.relation),
            (None, Some(rename)) => set.and(&self.relation)?.rename(rename),
            (Some(forget), None) if self.relation.is_true() => set.exists(forget),
            (Some(forget), None) => set.and_exists(&self.relation, forget),
            (Some(forget), Some(rename)) => set.and_exists_rename(&self.relation, forget, rename),
        }
    }

    /// The states from which the image leads to one state, given as values of variables in ascending order.
    pub fn before(&self, state: &[(Var, bool)]) -> Result<Bdd, Stop> {
        let manager = self.relation.manager();
        let pairs = self.rename.as_ref().map_or(&[][..], Renaming::pairs);
        let value = |var: Var| state.binary_search_by_key(&var, |(var, _)| *var).ok().map(|at| state[at].1);
        let new: Vec<(Var, bool)> =
            pairs.iter().filter_map(|(from, to)| value(*to).map(|value| (*from, value))).collect();
        let forgotten = self.forget.as_ref().map_or(&[][..], Cube::vars);
        let is_kept = |var: Var| forgotten.binary_search(&var).is_err() && !pairs.iter().any(|(_, to)| *to == var);
        let kept: Vec<(Var, bool)> = state.iter().filter(|(var, _)| is_kept(*var)).copied().collect();
        self.relation.cofactor(&new)?.and(&manager.conjunction(&kept)?)
    }
}
