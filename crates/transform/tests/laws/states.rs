//! What relations do to concrete Boolean states, written without regard to speed.

use base::IdVec;
use program::{BinaryOp, Expr, NaryOp, ProcedureId, Program, Relation, Rhs, Scope, UnaryOp, Value, VariableId, When};

/// Values of some Boolean variables, one bit each.
pub(crate) type Bits = u16;

/// Shared variables and one frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct State {
    pub(crate) globals: Bits,
    pub(crate) frame: Bits,
}

/// An outcome of a relation; `saved` is the caller's frame while a callee runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Outcome {
    pub(crate) after: State,
    pub(crate) saved: Bits,
}

pub(crate) struct States<'p> {
    pub(crate) program: &'p Program,
    positions: IdVec<VariableId, u32>,
    pub(crate) n_globals: u32,
}

/// The states at the moments of a relation.
struct Moments {
    before: State,
    result: Bits,
    outcome: Outcome,
}

impl<'p> States<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut positions = IdVec::filled(program.variables.len(), 0);
        let mut n_globals = 0;
        for global in program.variables_in(Scope::Shared) {
            positions[global] = n_globals;
            n_globals += 1;
        }
        for procedure in &program.procedures {
            for (at, variable) in procedure.frame().enumerate() {
                positions[variable] = at as u32;
            }
        }
        Self { program, positions, n_globals }
    }

    pub(crate) fn is_global(&self, variable: VariableId) -> bool {
        self.program.variables[variable].scope == Scope::Shared
    }

    pub(crate) fn frame_size(&self, procedure: ProcedureId) -> u32 {
        self.program.procedures[procedure].frame().count() as u32
    }

    pub(crate) fn all(&self, procedure: ProcedureId) -> Vec<State> {
        let frames = 0..1 << self.frame_size(procedure);
        (0..1 << self.n_globals).flat_map(|globals| frames.clone().map(move |frame| State { globals, frame })).collect()
    }

    pub(crate) fn get(&self, state: State, variable: VariableId) -> bool {
        let bits = if self.is_global(variable) { state.globals } else { state.frame };
        bits >> self.positions[variable] & 1 == 1
    }

    fn set(&self, state: &mut State, variable: VariableId, value: bool) {
        let bits = if self.is_global(variable) { &mut state.globals } else { &mut state.frame };
        put(bits, self.positions[variable], value);
    }

    pub(crate) fn saved(&self, saved: Bits, variable: VariableId) -> bool {
        saved >> self.positions[variable] & 1 == 1
    }

    /// The states in which the program starts.
    pub(crate) fn starts(&self) -> Vec<State> {
        let all = self.all(self.program.threads[0].start);
        all.into_iter().filter(|state| self.may_be(&self.program.start, &Moments::at(*state), true)).collect()
    }

    /// True when a condition on shared variables alone holds.
    pub(crate) fn holds(&self, condition: &Expr, globals: Bits) -> bool {
        self.may_be(condition, &Moments::at(State { globals, frame: 0 }), true)
    }

    /// The outcomes of a step.
    pub(crate) fn step(&self, relation: &Relation, before: State) -> Vec<Outcome> {
        self.outcomes(relation, before, 0, vec![Outcome { after: before, saved: 0 }])
    }

    /// The outcomes of entering a procedure.
    pub(crate) fn enter(&self, relation: &Relation, before: State, callee: ProcedureId) -> Vec<Outcome> {
        let frames = 0..1 << self.frame_size(callee);
        let after = frames.map(|frame| State { globals: before.globals, frame });
        self.outcomes(relation, before, 0, after.map(|after| Outcome { after, saved: before.frame }).collect())
    }

    /// The outcomes of leaving a procedure at `exit` with the saved frame.
    pub(crate) fn leave(&self, relation: &Relation, saved: Bits, exit: State) -> Vec<Outcome> {
        let before = State { globals: exit.globals, frame: saved };
        self.outcomes(relation, before, exit.frame, vec![Outcome { after: before, saved: 0 }])
    }

    fn outcomes(&self, relation: &Relation, before: State, result: Bits, kept: Vec<Outcome>) -> Vec<Outcome> {
        let mut moments = Moments { before, result, ..Moments::at(before) };
        if !self.may_be(&relation.guard, &moments, true) {
            return Vec::new();
        }
        let mut outcomes = kept;
        for update in &relation.updates {
            let may_be = |value: bool| match &update.value {
                Rhs::Any => true,
                Rhs::Expr(expr) => self.may_be(expr, &moments, value),
            };
            let values: Vec<bool> = [false, true].into_iter().filter(|value| may_be(*value)).collect();
            let written = |outcome: Outcome, value: bool| {
                let mut outcome = outcome;
                match update.when {
                    When::Saved => put(&mut outcome.saved, self.positions[update.variable], value),
                    _ => self.set(&mut outcome.after, update.variable, value),
                }
                outcome
            };
            outcomes = outcomes.iter().flat_map(|it| values.iter().map(|value| written(*it, *value))).collect();
        }
        outcomes.sort_unstable();
        outcomes.dedup();
        outcomes.retain(|outcome| {
            moments.outcome = *outcome;
            self.may_be(&relation.constraint, &moments, true)
        });
        outcomes
    }

    fn may_be(&self, expr: &Expr, at: &Moments, value: bool) -> bool {
        let pair = |left: &Expr, right: &Expr, holds: fn(bool, bool) -> bool| {
            [(false, false), (false, true), (true, false), (true, true)]
                .into_iter()
                .any(|(l, r)| holds(l, r) == value && self.may_be(left, at, l) && self.may_be(right, at, r))
        };
        match expr {
            Expr::Const(constant, _) => *constant == Value::Bool(value),
            Expr::Any => true,
            Expr::Read(variable, when) => self.read(*variable, *when, at) == value,
            Expr::Unary(UnaryOp::Not, operand) => self.may_be(operand, at, !value),
            Expr::Binary(BinaryOp::Eq, left, right) => pair(left, right, |l, r| l == r),
            Expr::Binary(BinaryOp::Ne, left, right) => pair(left, right, |l, r| l != r),
            Expr::Binary(BinaryOp::Implies, left, right) => pair(left, right, |l, r| !l || r),
            Expr::Ite(condition, then, otherwise) => {
                (self.may_be(condition, at, true) && self.may_be(then, at, value))
                    || (self.may_be(condition, at, false) && self.may_be(otherwise, at, value))
            }
            Expr::Nary(op, operands) => self.nary(*op, operands, at, value),
            _ => unreachable!("Boolean programs only"),
        }
    }

    fn nary(&self, op: NaryOp, operands: &[Expr], at: &Moments, value: bool) -> bool {
        match (op, value) {
            (NaryOp::And, true) | (NaryOp::Or, false) => operands.iter().all(|it| self.may_be(it, at, value)),
            (NaryOp::And, false) | (NaryOp::Or, true) => operands.iter().any(|it| self.may_be(it, at, value)),
            (NaryOp::Xor, _) => {
                let mut parities = [true, false];
                for operand in operands {
                    let [even, odd] = parities;
                    let [no, yes] = [false, true].map(|value| self.may_be(operand, at, value));
                    parities = [even && no || odd && yes, odd && no || even && yes];
                }
                parities[usize::from(value)]
            }
        }
    }

    fn read(&self, variable: VariableId, when: When, at: &Moments) -> bool {
        match when {
            When::Before => self.get(at.before, variable),
            When::After => self.get(at.outcome.after, variable),
            When::Saved => self.saved(at.outcome.saved, variable),
            When::Result => self.saved(at.result, variable),
        }
    }
}

impl Moments {
    fn at(state: State) -> Self {
        Self { before: state, result: 0, outcome: Outcome { after: state, saved: 0 } }
    }
}

fn put(bits: &mut Bits, at: u32, value: bool) {
    *bits = *bits & !(1 << at) | Bits::from(value) << at;
}
