//! The variables of a sequential program: copies of the shared ones for each round, and what it keeps for itself.

use base::IdVec;
use program::{BinaryOp, Bound, EnumId, Enumeration, Expr, ProcedureId, Program, Scope, Sort, Value, VariableId, When};

use crate::edit::{free_name, shared_variable};

/// The variables that were added, and how to speak of them.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// How many there are.
    pub(super) n: usize,
    /// The shared variables that threads change, with their copies.
    pub(super) copied: Vec<Copied>,
    /// How many variables the original has.
    pub(super) n_variables: usize,
    /// The round of the thread that runs; none if there is only one.
    pub(super) now: Option<VariableId>,
    /// The thread that runs is being dropped.
    pub(super) over: VariableId,
    /// A caller keeps others from running.
    pub(super) held: VariableId,
    /// The target that was reached, if one was.
    pub(super) target: VariableId,
    /// By round: it belongs to a thread. Empty: it belongs to all.
    pub(super) owned: Vec<VariableId>,
    targets: EnumId,
    /// By variable of the original: its place among the copied ones.
    places: IdVec<VariableId, Option<usize>>,
}

/// A shared variable that threads change.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    /// By round: its value now. In the first round that is the variable itself.
    pub(super) now: Vec<VariableId>,
    /// By round but the first: its value at the beginning.
    guessed: Vec<VariableId>,
}

impl Rounds {
    pub(super) fn declare(
        plain: &Program,
        in_threads: &IdVec<ProcedureId, bool>,
        n_targets: usize,
        bound: Bound,
        program: &mut Program,
    ) -> Self {
        let n = match bound {
            Bound::Switches(most) => most as usize + 1,
            Bound::Rounds(most) => most as usize,
        };
        let name = free_name("target", |name| program.enums.iter().any(|other| other.name == name));
        let values = (0..=n_targets).map(|at| if at == 0 { "none".to_owned() } else { at.to_string() }).collect();
        let targets = program.enums.push(Enumeration { name, values });
        let now = (n > 1).then(|| shared_variable(program, "round", Sort::Bits(usize::BITS - (n - 1).leading_zeros())));
        let over = shared_variable(program, "over", Sort::Bool);
        let held = shared_variable(program, "held", Sort::Bool);
        let target = shared_variable(program, "target", Sort::Enum(targets));
        let n_owned = if matches!(bound, Bound::Switches(_)) { n } else { 0 };
        let owned = (0..n_owned).map(|round| shared_variable(program, &format!("owned{round}"), Sort::Bool)).collect();
        let mut places = IdVec::filled(plain.variables.len(), None);
        let mut copied = Vec::new();
        for variable in changed(plain, in_threads) {
            places[variable] = Some(copied.len());
            copied.push(Copied::declare(variable, n, program));
        }
        let n_variables = plain.variables.len();
        Self { n, copied, n_variables, now, over, held, target, owned, targets, places }
    }

    /// The copies of a variable, if it has any.
    pub(super) fn copies(&self, variable: VariableId) -> Option<&[VariableId]> {
        let place = self.places.get(variable).copied().flatten()?;
        Some(&self.copied[place].now)
    }

    /// The thread is in that round.
    pub(super) fn is(&self, round: usize) -> Expr {
        match self.now {
            None => Expr::bool(round == 0),
            Some(now) => Expr::before(now).eq(self.number(now, round)),
        }
    }

    fn number(&self, now: VariableId, round: usize) -> Expr {
        let width = usize::BITS - (self.n - 1).leading_zeros();
        debug_assert!(Some(now) == self.now, "there is one such variable");
        Expr::Const(Value::Bits(round as u64), Sort::Bits(width))
    }

    /// The thread is in an earlier round.
    pub(super) fn is_before(&self, round: usize) -> Expr {
        match self.now {
            None => Expr::FALSE,
            Some(now) => Expr::Binary(BinaryOp::Ult, Box::new(Expr::before(now)), Box::new(self.number(now, round))),
        }
    }

    /// What brings the thread into a round.
    pub(super) fn enter(&self, round: usize) -> Vec<program::Update> {
        let go = self.now.map(|now| program::Update::assign(now, self.number(now, round)));
        let own = self.owned.get(round).map(|owned| program::Update::assign(*owned, Expr::TRUE));
        go.into_iter().chain(own).collect()
    }

    /// The round belongs to no other thread.
    pub(super) fn is_open(&self, round: usize) -> Expr {
        self.owned.get(round).map_or(Expr::TRUE, |owned| Expr::before(*owned).not())
    }

    /// The value of a variable in the round of the thread.
    pub(super) fn read(&self, variable: VariableId, when: When) -> Expr {
        let Some(copies) = self.copies(variable) else { return Expr::Read(variable, when) };
        let mut value = Expr::Read(copies[0], when);
        for (round, copy) in copies.iter().enumerate().skip(1) {
            value = Expr::Ite(Box::new(self.is(round)), Box::new(Expr::Read(*copy, when)), Box::new(value));
        }
        value
    }

    /// A value of `target`: 0 is none.
    pub(super) fn target_is(&self, number: usize) -> Expr {
        Expr::before(self.target).eq(self.target_number(number))
    }

    pub(super) fn target_number(&self, number: usize) -> Expr {
        Expr::Const(Value::Enum(number as u32), Sort::Enum(self.targets))
    }

    /// What holds at the start, but for the values with which rounds begin.
    pub(super) fn at_start(&self) -> Expr {
        let flags = [self.over, self.held].into_iter().chain(self.owned.iter().copied());
        let mut all = flags.map(|flag| Expr::before(flag).not()).fold(Expr::TRUE, Expr::and);
        all = all.and(self.target_is(0));
        if self.now.is_some() {
            all = all.and(self.is(0));
        }
        all
    }

    /// Round by round, the variables with their guesses: what must be equal before the round begins.
    pub(super) fn beginnings(&self) -> Vec<(VariableId, VariableId)> {
        let of_round = |round: usize| {
            let pair = move |copied: &Copied| (copied.now[round], copied.guessed[round - 1]);
            self.copied.iter().map(pair)
        };
        (1..self.n).flat_map(of_round).collect()
    }

    /// Round by round, the variables with the guesses of the next: what must be equal at the end.
    pub(super) fn ends(&self) -> Vec<(VariableId, VariableId)> {
        let of_round = |round: usize| {
            let pair = move |copied: &Copied| (copied.now[round - 1], copied.guessed[round - 1]);
            self.copied.iter().map(pair)
        };
        (1..self.n).flat_map(of_round).collect()
    }
}

impl Copied {
    fn declare(variable: VariableId, n: usize, program: &mut Program) -> Self {
        let (name, sort) = (program.variables[variable].name.clone(), program.sort(variable).clone());
        let mut now = vec![variable];
        let mut guessed = Vec::new();
        for round in 1..n {
            now.push(shared_variable(program, &format!("{name}.{round}"), sort.clone()));
            guessed.push(shared_variable(program, &format!("{name}.{round}.guess"), sort.clone()));
        }
        Self { now, guessed }
    }
}

/// The shared variables that threads change, in order.
fn changed(program: &Program, in_threads: &IdVec<ProcedureId, bool>) -> Vec<VariableId> {
    let mut is_changed = IdVec::filled(program.variables.len(), false);
    for edge in program.edges.iter().filter(|edge| in_threads[program.locations[edge.source].procedure]) {
        for update in edge.kind.relations().flat_map(|relation| &relation.updates) {
            is_changed[update.variable] = true;
        }
    }
    program.variables_in(Scope::Shared).filter(|variable| is_changed[*variable]).collect()
}
