//! What selects and what is selected, in programs with arrays.
//!
//! Moped's advice for orders: indices above elements. A diagram that has read the indices knows which elements matter.
//! Variables are of one kind when values pass between them or they are compared: `i < n`, `i := n + 1`. A kind selects
//! when an index is made of one of its variables. A scalar of the same kind as elements (a pivot) is read with them, bit
//! by bit, so it belongs among them.

use base::IdVec;
use program::{BinaryOp, Expr, Program, Relation, Rhs, Scope, Sort, UnaryOp, VariableId};

use crate::slots::relations;

/// By variable: whether its place is below those that select.
pub(crate) fn selected(program: &Program) -> IdVec<VariableId, bool> {
    let mut kinds = Kinds::of(program);
    let n = program.variables.len();
    let (mut selects, mut has_elements) = (IdVec::filled(n, false), IdVec::filled(n, false));
    let is_array = |variable: VariableId| matches!(program.sort(variable), Sort::Array(..));
    for variable in program.variables.ids() {
        let kind = kinds.of_variable(variable);
        selects[kind] |= kinds.makes_index[variable];
        has_elements[kind] |= is_array(variable);
    }
    let mut selected = IdVec::filled(n, false);
    for (id, variable) in program.variables.iter_ids() {
        let kind = kinds.of_variable(id);
        let is_local = matches!(variable.scope, Scope::Local(_));
        // What has nothing to do with arrays: flags of the procedure decide about the way.
        selected[id] = is_array(id) || !selects[kind] && (has_elements[kind] || !is_local);
    }
    selected
}

/// Variables by kind: a forest in which the root stands for the kind.
struct Kinds {
    parent: IdVec<VariableId, VariableId>,
    makes_index: IdVec<VariableId, bool>,
}

impl Kinds {
    fn of(program: &Program) -> Self {
        let parent = program.variables.ids().collect();
        let mut kinds = Self { parent, makes_index: IdVec::filled(program.variables.len(), false) };
        program.edges.iter().flat_map(relations).for_each(|relation| kinds.read(relation));
        kinds
    }

    fn of_variable(&mut self, mut variable: VariableId) -> VariableId {
        while self.parent[variable] != variable {
            let above = self.parent[self.parent[variable]];
            self.parent[variable] = above;
            variable = above;
        }
        variable
    }

    fn read(&mut self, relation: &Relation) {
        self.apart(&relation.guard);
        self.apart(&relation.constraint);
        for update in &relation.updates {
            let mut together = vec![update.variable];
            if let Rhs::Expr(value) = &update.value {
                self.value(value, &mut together);
            }
            self.link(&together);
            update.index.iter().for_each(|index| self.index(index));
        }
    }

    /// Reads an expression and collects the variables whose values pass into its own.
    fn value(&mut self, expr: &Expr, passing: &mut Vec<VariableId>) {
        match expr {
            Expr::Const(..) | Expr::Any => {}
            Expr::Read(variable, _) => passing.push(*variable),
            Expr::Unary(UnaryOp::Not, operand) => self.apart(operand),
            Expr::Unary(_, operand) => self.value(operand, passing),
            Expr::Binary(op, left, right) if is_comparison(*op) => {
                let mut together = Vec::new();
                self.value(left, &mut together);
                self.value(right, &mut together);
                self.link(&together);
            }
            Expr::Binary(_, left, right) => {
                self.value(left, passing);
                self.value(right, passing);
            }
            Expr::Nary(_, operands) => operands.iter().for_each(|operand| self.apart(operand)),
            Expr::Ite(condition, then, otherwise) => {
                self.apart(condition);
                self.value(then, passing);
                self.value(otherwise, passing);
            }
            Expr::Index(array, index) => {
                self.value(array, passing);
                self.index(index);
            }
        }
    }

    /// Reads an expression whose value is of no kind.
    fn apart(&mut self, expr: &Expr) {
        self.value(expr, &mut Vec::new());
    }

    fn index(&mut self, index: &Expr) {
        let mut together = Vec::new();
        self.value(index, &mut together);
        together.iter().for_each(|variable| self.makes_index[*variable] = true);
        self.link(&together);
    }

    fn link(&mut self, together: &[VariableId]) {
        for pair in together.windows(2) {
            let (one, other) = (self.of_variable(pair[0]), self.of_variable(pair[1]));
            self.parent[one.max(other)] = one.min(other);
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Implies, Ne, Sle, Slt, Ule, Ult};
    matches!(op, Eq | Ne | Implies | Ult | Ule | Slt | Sle)
}

#[cfg(test)]
mod tests {
    use base::Source;

    use super::*;

    /// The names of the variables that are placed below.
    fn below(text: &str) -> Vec<String> {
        let (program, _) = program::text::parse(&Source::new("test", text)).unwrap();
        let selected = selected(&program);
        let names = program.variables.iter_ids().filter(|(id, _)| selected[*id]);
        names.map(|(_, variable)| variable.name.clone()).collect()
    }

    #[test]
    fn what_is_compared_with_elements_is_below_and_what_is_compared_with_indices_is_not() {
        let names = below(
            "shared a: [bits<2>; 4]; shared flag: bool; shared first: bits<2>; thread t: main;
             procedure main() { local left: bits<2>; local i: bits<2>; local pivot: bits<2>; local done: bool;
             entry 0; exit 1;
             0: -> 0 when ult(left, i) & done do pivot := a[i];
                -> 0 when ult(a[left], pivot) do a[first] := pivot, flag := ult(left, pivot);
             1: }",
        );
        // The last comparison makes one kind of all numbers; then arrays alone are below, and what has no kind.
        assert_eq!(names, ["a", "flag"]);
        let names = below(
            "shared a: [bits<2>; 4]; shared flag: bool; shared first: bits<2>; thread t: main;
             procedure main() { local left: bits<2>; local i: bits<2>; local pivot: bits<2>; local done: bool;
             entry 0; exit 1;
             0: -> 0 when ult(left, i) & done do pivot := a[i];
                -> 0 when ult(a[i], pivot) do a[first] := pivot, left := first;
             1: }",
        );
        assert_eq!(names, ["a", "flag", "pivot"]);
    }
}
