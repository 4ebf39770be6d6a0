//! Known values: environments from the variables in scope to constants.

use std::rc::Rc;

use program::{ProcedureId, Program, Sort, Value, VariableId};

use crate::slots::Slots;

/// Known values of globals and of one frame.
///
/// Booleans, of which there may be many, are bits at their slots; other sorts are listed. Most environments fit into
/// one word of bits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Env {
    first: Word,
    more: Option<Rc<More>>,
}

/// What does not fit into one word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct More {
    /// The words after the first, as far as there was something to write.
    words: Vec<Word>,
    /// Variables of other sorts, in order.
    others: Vec<(VariableId, Value)>,
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
    /// The known value of a Boolean variable.
    pub(super) fn truth(&self, scope: Scope<'_>, variable: VariableId) -> Option<bool> {
        let slot = scope.slots.of_variable(variable)?;
        self.word(slot / 64).get(slot % 64)
    }

    /// The known value of a variable.
    pub(super) fn get(&self, scope: Scope<'_>, variable: VariableId) -> Option<Value> {
        if *scope.program.sort(variable) == Sort::Bool {
            return self.truth(scope, variable).map(Value::Bool);
        }
        let others = self.others();
        let at = others.binary_search_by_key(&variable, |(id, _)| *id).ok()?;
        Some(others[at].1.clone())
    }

    fn word(&self, at: usize) -> Word {
        match (at.checked_sub(1), &self.more) {
            (None, _) => self.first,
            (Some(at), Some(more)) => more.words.get(at).copied().unwrap_or_default(),
            (Some(_), None) => Word::default(),
        }
    }

    fn n_words(&self) -> usize {
        1 + self.more.as_ref().map_or(0, |more| more.words.len())
    }

    fn others(&self) -> &[(VariableId, Value)] {
        self.more.as_ref().map_or(&[], |more| &more.others)
    }

    fn more_mut(&mut self) -> &mut More {
        Rc::make_mut(self.more.get_or_insert_default())
    }

    /// Whether no value is known.
    pub(super) fn is_empty(&self) -> bool {
        let is_known = |word: &Word| word.known != 0;
        self.first.known == 0
            && self.more.as_ref().is_none_or(|more| more.others.is_empty() && !more.words.iter().any(is_known))
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
            let words = &mut self.more_mut().words;
            words.resize(words.len().max(at), Word::default());
            words[at - 1].set(bit, truth);
        }
    }

    fn set_other(&mut self, variable: VariableId, value: Option<Value>) {
        match (self.others().binary_search_by_key(&variable, |(id, _)| *id), value) {
            (Ok(at), Some(value)) => self.more_mut().others[at].1 = value,
            (Ok(at), None) => drop(self.more_mut().others.remove(at)),
            (Err(at), Some(value)) => self.more_mut().others.insert(at, (variable, value)),
            (Err(_), None) => {}
        }
    }

    /// Keeps what the other environment knows as well; true when something was lost.
    pub(super) fn meet(&mut self, other: &Self) -> bool {
        let mut lost = self.first.meet(other.first);
        for at in 1..self.n_words() {
            let mut word = self.word(at);
            if word.meet(other.word(at)) {
                self.more_mut().words[at - 1] = word;
                lost = true;
            }
        }
        let agrees = |entry: &(VariableId, Value)| other.others().binary_search(entry).is_ok();
        if !self.others().iter().all(agrees) {
            self.more_mut().others.retain(agrees);
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
        let more = (self.more.is_some() || frame.more.is_some()).then(|| {
            let is_global = |entry: &&(VariableId, Value)| scope.slots.globals.position(entry.0).is_some();
            let theirs = frame.others().iter().filter(|entry| !is_global(entry));
            let mut others: Vec<_> = self.others().iter().filter(is_global).chain(theirs).cloned().collect();
            others.sort_unstable();
            Rc::new(More { words: (1..self.n_words().max(frame.n_words())).map(select).collect(), others })
        });
        Self { first: select(0), more }
    }

    /// All that is known in the procedure, in order of variables.
    pub(super) fn iter(&self, scope: Scope<'_>, procedure: ProcedureId) -> Vec<(VariableId, Value)> {
        let mut all = self.others().to_vec();
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
