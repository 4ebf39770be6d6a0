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

    /// A state of a set from which the image leads to a given state, if there is one. States are values of variables in
    /// ascending order; `vars` are those of the state that is looked for.
    pub fn predecessor(
        &self,
        state: &[(Var, bool)],
        set: &Bdd,
        vars: &[Var],
    ) -> Result<Option<Vec<(Var, bool)>>, Stop> {
        let pairs = self.rename.as_ref().map_or(&[][..], Renaming::pairs);
        let value = |var: Var| state.binary_search_by_key(&var, |(var, _)| *var).ok().map(|at| state[at].1);
        let new = pairs.iter().filter_map(|(from, to)| value(*to).map(|value| (*from, value)));
        let forgotten = self.forget.as_ref().map_or(&[][..], Cube::vars);
        let is_kept = |var: Var| forgotten.binary_search(&var).is_err() && !pairs.iter().any(|(_, to)| *to == var);
        let kept = state.iter().filter(|(var, _)| is_kept(*var)).copied();
        let mut fixed: Vec<(Var, bool)> = new.chain(kept).collect();
        fixed.sort_unstable();
        let is_fixed = |var: &Var| fixed.binary_search_by_key(var, |(var, _)| *var).is_ok();
        let free: Vec<Var> = vars.iter().filter(|var| !is_fixed(var)).copied().collect();
        let found = match free.len() {
            0..=MOST_TRIED => self.try_all(&fixed, &free, set),
            _ => self.solve(&fixed, &free, set)?,
        };
        let Some(found) = found else { return Ok(None) };
        let known = |var: &Var| fixed.binary_search_by_key(var, |(var, _)| *var).ok().map(|at| fixed[at].1);
        let picked = |var: &Var| found.iter().find(|(free, _)| free == var).is_some_and(|(_, value)| *value);
        Ok(Some(vars.iter().map(|var| (*var, known(var).unwrap_or_else(|| picked(var)))).collect()))
    }

    /// Tries all values of a few variables: much cheaper than building diagrams for one state.
    fn try_all(&self, fixed: &[(Var, bool)], free: &[Var], set: &Bdd) -> Option<Vec<(Var, bool)>> {
        let candidate = |number: usize| -> Vec<(Var, bool)> {
            free.iter().enumerate().map(|(bit, var)| (*var, number >> bit & 1 == 1)).collect()
        };
        let fits = |tried: &Vec<(Var, bool)>| {
            let value = |var: Var| match tried.iter().find(|(free, _)| *free == var) {
                Some((_, value)) => *value,
                None => fixed.binary_search_by_key(&var, |(var, _)| *var).is_ok_and(|at| fixed[at].1),
            };
            set.eval(&value) && self.relation.eval(&value)
        };
        (0..1 << free.len()).map(candidate).find(fits)
    }

    fn solve(&self, fixed: &[(Var, bool)], free: &[Var], set: &Bdd) -> Result<Option<Vec<(Var, bool)>>, Stop> {
        Ok(set.cofactor(fixed)?.and(&self.relation.cofactor(fixed)?)?.pick_total(free))
    }
}

/// Most variables whose values are simply tried.
const MOST_TRIED: usize = 4;
