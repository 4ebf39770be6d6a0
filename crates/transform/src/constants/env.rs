//! Known values: environments from the variables in scope to constants.

use std::rc::Rc;

use program::{ProcedureId, Program, Sort, Value, VariableId};

use crate::slots::Slots;

/// Known values of globals and of one frame.
///
/// Booleans, of which there may be many, are bits at their slots; other sorts are listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Env {
    first: Word,
    /// The words after the first, when there was something to write there.
    rest: Option<Rc<Vec<Word>>>,
    others: Option<Rc<Vec<(VariableId, Value)>>>,
}

/// 64 slots. Bits of values that are not known are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Word {
    known: u64,
    values: u64,
}

impl Word {
    fn get(self, bit: usize) -> Option<bool> {
        (self.known >> bit & 1 == 1).then_some(self.values >> bit & 1 == 1)
    }

    fn set(&mut self, bit: usize, value: Option<bool>) {
        self.keep(!(1 << bit));
        if let Some(value) = value {
            self.known |= 1 << bit;
            self.values |= u64::from(value) << bit;
        }
    }

    fn keep(&mut self, slots: u64) {
        self.known &= slots;
        self.values &= slots;
    }

    fn meet(&mut self, other: Self) -> bool {
        let agreed = self.known & other.known & !(self.values ^ other.values);
        let lost = agreed != self.known;
        self.keep(agreed);
        lost
    }
}

impl Env {
    pub(super) fn get(&self, scope: Scope<'_>, variable: VariableId) -> Option<Value> {
        if *scope.program.sort(variable) != Sort::Bool {
            let others = self.others.as_deref()?;
            let at = others.binary_search_by_key(&variable, |(id, _)| *id).ok()?;
            return Some(others[at].1.clone());
        }
        let slot = scope.slots.of_variable(variable)?;
        self.word(slot / 64).get(slot % 64).map(Value::Bool)
    }

    fn word(&self, at: usize) -> Word {
        match (at.checked_sub(1), &self.rest) {
            (None, _) => self.first,
            (Some(at), Some(rest)) => rest.get(at).copied().unwrap_or_default(),
            (Some(_), None) => Word::default(),
        }
    }

    /// Sets the value of a variable; none: it is not known.
    pub(super) fn set(&mut self, scope: Scope<'_>, variable: VariableId, value: Option<Value>) {
        let Some(slot) = scope.slots.of_variable(variable) else { return };
        if *scope.program.sort(variable) != Sort::Bool {
            return self.set_other(variable, value);
        }
        let truth = value.map(|value| value == Value::Bool(true));
        let (at, bit) = (slot / 64, slot % 64);
        if at == 0 {
            self.first.set(bit, truth);
        } else if self.word(at).get(bit) != truth {
            let rest = Rc::make_mut(self.rest.get_or_insert_default());
            rest.resize(rest.len().max(at), Word::default());
            rest[at - 1].set(bit, truth);
        }
    }

    fn set_other(&mut self, variable: VariableId, value: Option<Value>) {
        if value.is_none() && self.others.is_none() {
            return;
        }
        let others = Rc::make_mut(self.others.get_or_insert_default());
        match (others.binary_search_by_key(&variable, |(id, _)| *id), value) {
            (Ok(at), Some(value)) => others[at].1 = value,
            (Ok(at), None) => drop(others.remove(at)),
            (Err(at), Some(value)) => others.insert(at, (variable, value)),
            (Err(_), None) => {}
        }
    }

    /// Keeps what the other environment knows as well; true when something was lost.
    pub(super) fn meet(&mut self, other: &Self) -> bool {
        let mut lost = self.first.meet(other.first);
        for at in 1..self.n_words() {
            let mut word = self.word(at);
            if word.meet(other.word(at))
                && let Some(rest) = &mut self.rest
            {
                Rc::make_mut(rest)[at - 1] = word;
                lost = true;
            }
        }
        let theirs = other.others.as_deref().map_or(&[][..], Vec::as_slice);
        let agrees = |entry: &(VariableId, Value)| theirs.binary_search(entry).is_ok();
        if let Some(others) = &mut self.others
            && !others.iter().all(agrees)
        {
            Rc::make_mut(others).retain(agrees);
            lost = true;
        }
        lost
    }

    /// What is known of globals here and of the frame there.
    pub(super) fn with_frame(&self, scope: Scope<'_>, frame: &Self) -> Self {
        let n_globals = scope.slots.globals.variables.len();
        let select = |at: usize| {
            let globals = match n_globals.saturating_sub(at * 64) {
                64.. => u64::MAX,
                n => (1 << n) - 1,
            };
            let (mut mine, mut theirs) = (self.word(at), frame.word(at));
            mine.keep(globals);
            theirs.keep(!globals);
            Word { known: mine.known | theirs.known, values: mine.values | theirs.values }
        };
        let n_words = self.n_words().max(frame.n_words());
        let rest = (n_words > 1).then(|| Rc::new((1..n_words).map(select).collect()));
        let others = (self.others.is_some() || frame.others.is_some()).then(|| {
            let is_global = |entry: &&(VariableId, Value)| scope.slots.globals.position(entry.0).is_some();
            let mine = self.others.iter().flat_map(|others| others.iter()).filter(is_global);
            let theirs = frame.others.iter().flat_map(|others| others.iter()).filter(|entry| !is_global(entry));
            let mut merged: Vec<_> = mine.chain(theirs).cloned().collect();
            merged.sort_unstable();
            Rc::new(merged)
        });
        Self { first: select(0), rest, others }
    }

    fn n_words(&self) -> usize {
        1 + self.rest.as_ref().map_or(0, |rest| rest.len())
    }

    /// All that is known in the procedure, in order of variables.
    pub(super) fn iter(&self, scope: Scope<'_>, procedure: ProcedureId) -> Vec<(VariableId, Value)> {
        let mut all = self.others.as_deref().cloned().unwrap_or_default();
        for at in 0..self.n_words() {
            let word = self.word(at);
            let mut known = word.known;
            while known != 0 {
                let bit = known.trailing_zeros() as usize;
                known &= known - 1;
                let variable = scope.slots.variable(scope.program, procedure, at * 64 + bit);
                all.push((variable, Value::Bool(word.values >> bit & 1 == 1)));
            }
        }
        all.sort_unstable();
        all
    }
}

/// What gives environments their meaning.
#[derive(Clone, Copy)]
pub(super) struct Scope<'p> {
    pub(super) program: &'p Program,
    pub(super) slots: &'p Slots,
}
