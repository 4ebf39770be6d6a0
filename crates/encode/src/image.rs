//! Edges as images: from a set of states to the set of states after them.

use std::cell::OnceCell;

use bdd::{Bdd, Cube, Manager, Renaming, Stop, Var};
use smallvec::SmallVec;

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
    /// What the way back needs, once it was asked for.
    back: OnceCell<Back>,
}

/// An image against its direction.
#[derive(Clone, Debug)]
struct Back {
    /// Forgotten and not made anew.
    lost: Option<Cube>,
    rename: Renaming,
    /// The new values.
    made: Cube,
}

impl Back {
    fn of(image: &Image, manager: &Manager) -> Self {
        let pairs = image.rename.as_ref().map_or(&[][..], Renaming::pairs);
        let made: Vec<Var> = pairs.iter().map(|(_, to)| *to).collect();
        let forgotten = image.forget.as_ref().map_or(&[][..], Cube::vars);
        let lost: Vec<Var> = forgotten.iter().filter(|var| !made.contains(var)).copied().collect();
        let back: Vec<(Var, Var)> = pairs.iter().map(|(from, to)| (*to, *from)).collect();
        let new: Vec<Var> = pairs.iter().map(|(from, _)| *from).collect();
        Self {
            lost: (!lost.is_empty()).then(|| manager.cube(&lost)),
            rename: manager.renaming(&back),
            made: manager.cube(&new),
        }
    }
}

impl Image {
    /// An image of its parts.
    #[must_use]
    pub fn new(relation: Bdd, forget: Option<Cube>, rename: Option<Renaming>) -> Self {
        Self { relation, forget, rename, back: OnceCell::new() }
    }

    /// The same with another relation over the same copies.
    #[must_use]
    pub fn with_relation(&self, relation: Bdd) -> Self {
        Self { relation, ..self.clone() }
    }

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

    /// The states from which the image leads into a set. The set speaks of what the image makes: values that the image
    /// forgets and does not make anew may be anything.
    pub fn preimage(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let back = self.back.get_or_init(|| Back::of(self, &set.manager()));
        let kept = back.lost.as_ref().map(|lost| set.exists(lost)).transpose()?;
        kept.as_ref().unwrap_or(set).rename(&back.rename)?.and_exists(&self.relation, &back.made)
    }

    /// Whether another image forgets and makes the same.
    pub(crate) fn writes_like(&self, other: &Self) -> bool {
        let forgotten = |image: &Self| image.forget.as_ref().map(|forget| forget.vars().to_vec());
        let made = |image: &Self| image.rename.as_ref().map(|rename| rename.pairs().to_vec());
        forgotten(self) == forgotten(other) && made(self) == made(other)
    }

    /// The same image of the states in which a condition holds.
    pub fn guarded(&self, condition: &Bdd) -> Result<Self, Stop> {
        Ok(self.with_relation(self.relation.and(condition)?))
    }

    /// A state of a set from which the image leads to a given state, if there is one. States are values of variables in
    /// ascending order; `vars` are those of the state that is looked for.
    pub fn predecessor(
        &self,
        state: &[(Var, bool)],
        set: &Bdd,
        vars: &[Var],
    ) -> Result<Option<Vec<(Var, bool)>>, Stop> {
        if self.forget.is_none() && self.rename.is_none() && state.iter().map(|(var, _)| var).eq(vars) {
            return Ok(self.starts_at(state, set).then(|| state.to_vec()));
        }
        let mut values = self.values_before(state, vars);
        let value = |values: &[Option<bool>], var: Var| values[var.0 as usize];
        let mut free: SmallVec<[Var; 16]> = SmallVec::new();
        vars.iter().filter(|var| value(&values, **var).is_none()).for_each(|var| free.push(*var));
        let found = match free.len() {
            0..=MOST_TRIED => self.try_all(&mut values, &free, set),
            _ => self.solve(&mut values, &free, set)?,
        };
        let state = || vars.iter().map(|var| (*var, value(&values, *var).unwrap_or(false))).collect();
        Ok(found.then(state))
    }

    /// Whether a state is in a set and the relation holds in it.
    fn starts_at(&self, state: &[(Var, bool)], set: &Bdd) -> bool {
        let value = |var: Var| state.binary_search_by_key(&var, |(var, _)| *var).is_ok_and(|at| state[at].1);
        set.eval(&value) && (self.relation.is_true() || self.relation.eval(&value))
    }

    /// What a state after the image says about the variables that the relation and the set before it speak of, by
    /// variable: the new values, and the values of all that does not change. There is room for some others.
    fn values_before(&self, state: &[(Var, bool)], others: &[Var]) -> SmallVec<[Option<bool>; 64]> {
        let pairs = self.rename.as_ref().map_or(&[][..], Renaming::pairs);
        let forgotten = self.forget.as_ref().map_or(&[][..], Cube::vars);
        let ends = [state.last().map(|(var, _)| *var), pairs.last().map(|(from, _)| *from), others.last().copied()];
        let last = ends.into_iter().flatten().max();
        let mut values = SmallVec::from_elem(None, last.map_or(0, |var| var.0 as usize + 1));
        for (var, value) in state {
            values[var.0 as usize] = Some(*value);
        }
        let after = |(from, to): &(Var, Var)| (*from, values.get(to.0 as usize).copied().flatten());
        let mut new: SmallVec<[(Var, Option<bool>); 16]> = SmallVec::new();
        pairs.iter().for_each(|pair| new.push(after(pair)));
        for var in forgotten.iter().chain(pairs.iter().map(|(_, to)| to)) {
            if let Some(value) = values.get_mut(var.0 as usize) {
                *value = None;
            }
        }
        for (from, value) in new {
            values[from.0 as usize] = value.or(values[from.0 as usize]);
        }
        values
    }

    /// Tries all values of a few variables: much cheaper than building diagrams for one state.
    fn try_all(&self, values: &mut [Option<bool>], free: &[Var], set: &Bdd) -> bool {
        (0..1 << free.len()).any(|number| {
            for (bit, var) in free.iter().enumerate() {
                values[var.0 as usize] = Some(number >> bit & 1 == 1);
            }
            let value = |var: Var| values.get(var.0 as usize).copied().flatten().unwrap_or(false);
            set.eval(&value) && (self.relation.is_true() || self.relation.eval(&value))
        })
    }

    fn solve(&self, values: &mut [Option<bool>], free: &[Var], set: &Bdd) -> Result<bool, Stop> {
        let literal = |(var, value): (usize, &Option<bool>)| value.map(|value| (Var(var as u32), value));
        let fixed: Vec<(Var, bool)> = values.iter().enumerate().filter_map(literal).collect();
        let Some(picked) = set.cofactor(&fixed)?.and(&self.relation.cofactor(&fixed)?)?.pick_total(free) else {
            return Ok(false);
        };
        for (var, value) in picked {
            values[var.0 as usize] = Some(value);
        }
        Ok(true)
    }
}

/// Most variables whose values are simply tried.
const MOST_TRIED: usize = 4;
