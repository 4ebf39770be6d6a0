//! Random systems: equations that use each other, positively and not, over every kind of sort.

use base::{Id, Span};
use calculus::{
    Fixpoint, Formula, Query, Relation, RelationId, RelationKind, Sort, SortId, SortKind, System, Term, Variable,
    VariableId,
};

use crate::dice::Dice;
use crate::model::Small;

/// What systems may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Everything.
    Any,
    /// Only `mu`, and equations only under an even number of negations.
    Positive,
    /// No relation below a negation or `forall` at all.
    Monotone,
}

struct Generator<'a> {
    dice: &'a mut Dice,
    model: &'a Small,
    system: System,
    style: Style,
}

/// A random system. Every equation is asked for by a query of its own; the last queries are others.
pub(crate) fn system(dice: &mut Dice, model: &Small, style: Style) -> System {
    let mut generator = Generator { dice, model, system: System::default(), style };
    generator.sorts();
    generator.inputs();
    generator.equations();
    generator.queries();
    generator.system
}

impl Generator<'_> {
    /// The sign at the top of a formula, if it matters.
    fn sign(&self) -> Option<bool> {
        (self.style != Style::Any).then_some(true)
    }

    fn sorts(&mut self) {
        let mut sort = |name: &str, kind| _ = self.system.sorts.push(Sort { name: name.to_owned(), kind });
        sort("Bool", SortKind::Bool);
        sort("Color", SortKind::Enum(["red", "green", "blue"].map(str::to_owned).to_vec()));
        sort("2..5", SortKind::Range(2, 5));
        sort("7..7", SortKind::Range(7, 7));
        for (at, of_model) in self.model.signature.sorts.iter().enumerate() {
            sort(&of_model.name, SortKind::Model(at));
        }
    }

    fn variable(&mut self, sort: SortId) -> VariableId {
        let n = self.system.variables.len();
        // Elements of arrays are never keys.
        let name = if self.dice.once_in(6) { format!("x[{n}]") } else { format!("x{n}") };
        let part = if self.dice.once_in(3) { "Record.part" } else { "" };
        self.system.variables.push(Variable { name, sort, part: part.to_owned() })
    }

    fn any_sort(&mut self) -> SortId {
        let sorts = [0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 7];
        SortId(self.dice.of(&sorts))
    }

    fn relation(&mut self, name: String, sorts: &[SortId], kind: RelationKind) -> RelationId {
        let columns = sorts.iter().map(|sort| self.variable(*sort)).collect();
        self.system.relations.push(Relation { name, columns, kind, span: Span::default() })
    }

    fn inputs(&mut self) {
        let model = self.model;
        for (at, input) in model.signature.inputs.iter().enumerate() {
            let sort = |column: &Option<usize>| SortId(column.map_or(0, |at| at as u32 + 4));
            let sorts: Vec<SortId> = input.columns.iter().map(sort).collect();
            self.relation(input.name.clone(), &sorts, RelationKind::Input(at));
        }
    }

    fn equations(&mut self) {
        let n = 1 + self.dice.below(3);
        let mut equations = Vec::new();
        for at in 0..n {
            let sorts: Vec<SortId> = (0..self.dice.below(4)).map(|_| self.any_sort()).collect();
            let is_least = self.style != Style::Any || self.dice.below(3) > 0;
            let fixpoint = if is_least { Fixpoint::Least } else { Fixpoint::Greatest };
            let kind = RelationKind::Fixpoint(fixpoint, Formula::Const(false));
            equations.push(self.relation(format!("R{at}"), &sorts, kind));
        }
        if self.dice.once_in(3) {
            let sorts: Vec<SortId> = (0..self.dice.below(3)).map(|_| self.any_sort()).collect();
            let define = self.relation("D".to_owned(), &sorts, RelationKind::Define(Formula::Const(true)));
            let mut scope = self.system.relations[define].columns.clone();
            // An abbreviation does not use itself: here it uses nothing that comes after the equations.
            let body = self.formula(2, &mut scope, self.sign(), define.index());
            self.system.relations[define].kind = RelationKind::Define(body);
        }
        let all = self.system.relations.len();
        for equation in equations {
            let mut scope = self.system.relations[equation].columns.clone();
            let depth = 2 + self.dice.below(3);
            let body = self.formula(depth, &mut scope, self.sign(), all);
            if let RelationKind::Fixpoint(_, place) = &mut self.system.relations[equation].kind {
                *place = body;
            }
        }
    }

    fn queries(&mut self) {
        for at in 0..self.system.relations.len() {
            let relation = RelationId::from_index(at);
            let Relation { name, columns, kind, .. } = self.system.relations[relation].clone();
            if matches!(kind, RelationKind::Fixpoint(..)) {
                let free: Vec<VariableId> =
                    columns.iter().map(|column| self.variable(self.system.variables[*column].sort)).collect();
                let args = free.iter().map(|variable| Term::Variable(*variable)).collect();
                let formula = Formula::Apply(relation, args);
                self.system.queries.push(Query { name: format!("all {name}"), free, formula, span: Span::default() });
            }
        }
        for at in 0..2 {
            let sorts: Vec<SortId> = (0..self.dice.below(3)).map(|_| self.any_sort()).collect();
            let free: Vec<VariableId> = sorts.iter().map(|sort| self.variable(*sort)).collect();
            let n = self.system.relations.len();
            let formula = self.formula(2, &mut free.clone(), self.sign(), n);
            self.system.queries.push(Query { name: format!("q{at}"), free, formula, span: Span::default() });
        }
    }

    /// A formula over the variables in scope and the first relations. The sign, if it matters: whether equations may
    /// be used here (`Some(false)`: under an odd number of negations).
    fn formula(&mut self, depth: usize, scope: &mut Vec<VariableId>, sign: Option<bool>, n: usize) -> Formula {
        if depth == 0 || self.dice.once_in(5) {
            return self.atom(scope, sign, n);
        }
        match self.dice.below(12) {
            0..3 => Formula::And(self.parts(depth, scope, sign, n)),
            3..6 => Formula::Or(self.parts(depth, scope, sign, n)),
            6 | 7 => {
                let sign = sign.map(|sign| self.style == Style::Positive && !sign);
                Formula::Not(Box::new(self.formula(depth - 1, scope, sign, n)))
            }
            8 if sign.is_none() => {
                let [a, b] = [0, 1].map(|_| Box::new(self.formula(depth - 1, scope, None, n)));
                Formula::Iff(a, b)
            }
            8..12 if self.dice.below(4) > 0 || (self.style == Style::Monotone && sign == Some(true)) => {
                let (bound, body) = self.quantified(depth, scope, sign, n);
                Formula::Exists(bound, Box::new(body))
            }
            _ => {
                let (bound, body) = self.quantified(depth, scope, sign, n);
                Formula::Forall(bound, Box::new(body))
            }
        }
    }

    fn quantified(
        &mut self,
        depth: usize,
        scope: &mut Vec<VariableId>,
        sign: Option<bool>,
        n: usize,
    ) -> (Vec<VariableId>, Formula) {
        let sorts: Vec<SortId> = (0..=self.dice.below(2)).map(|_| self.any_sort()).collect();
        let bound: Vec<VariableId> = sorts.iter().map(|sort| self.variable(*sort)).collect();
        let n_outer = scope.len();
        scope.extend(&bound);
        let body = self.formula(depth - 1, scope, sign, n);
        scope.truncate(n_outer);
        (bound, body)
    }

    fn parts(&mut self, depth: usize, scope: &mut Vec<VariableId>, sign: Option<bool>, n: usize) -> Vec<Formula> {
        let n_parts = if self.dice.once_in(15) { 0 } else { 2 + self.dice.below(2) };
        (0..n_parts).map(|_| self.formula(depth - 1, scope, sign, n)).collect()
    }

    fn atom(&mut self, scope: &[VariableId], sign: Option<bool>, n: usize) -> Formula {
        match self.dice.below(10) {
            0 if self.dice.once_in(3) => Formula::Const(self.dice.once_in(2)),
            0..3 => {
                let sort = self.sort_in(scope);
                let [a, b] = [0, 1].map(|_| self.term(sort, scope));
                if self.dice.once_in(3) && self.is_counted(sort) { Formula::Less(a, b) } else { Formula::Equal(a, b) }
            }
            _ => {
                let n_inputs = self.model.inputs.len();
                let is_input = n == n_inputs || self.dice.below(5) < 2;
                let at = if is_input { self.dice.below(n_inputs) } else { n_inputs + self.dice.below(n - n_inputs) };
                let relation = RelationId::from_index(at);
                let is_input = matches!(self.system.relations[relation].kind, RelationKind::Input(_));
                if sign == Some(false) && (self.style == Style::Monotone || !is_input) {
                    return self.atom(scope, sign, n);
                }
                let columns = self.system.relations[relation].columns.clone();
                let sorts: Vec<SortId> = columns.iter().map(|column| self.system.variables[*column].sort).collect();
                Formula::Apply(relation, sorts.into_iter().map(|sort| self.term(sort, scope)).collect())
            }
        }
    }

    fn sort_in(&mut self, scope: &[VariableId]) -> SortId {
        if scope.is_empty() { self.any_sort() } else { self.system.variables[self.dice.of(scope)].sort }
    }

    fn is_counted(&self, sort: SortId) -> bool {
        !matches!(self.system.sorts[sort].kind, SortKind::Model(1 | 3))
    }

    fn term(&mut self, sort: SortId, scope: &[VariableId]) -> Term {
        let fitting: Vec<VariableId> =
            scope.iter().copied().filter(|variable| self.system.variables[*variable].sort == sort).collect();
        if !fitting.is_empty() && !self.dice.once_in(6) {
            let variable = self.dice.of(&fitting);
            if self.is_counted(sort) && sort != SortId(0) && self.dice.once_in(4) {
                return Term::Offset(variable, self.dice.of(&[1, 1, -1, 2]));
            }
            return Term::Variable(variable);
        }
        // The number of values of sorts of the model varies; values beyond them are allowed in terms.
        Term::Value(sort, self.dice.below([2, 3, 4, 1, 3, 4, 2, 1][sort.index()]) as u64)
    }
}
