//! Programs whose states can be written with finitely many bits.

use std::fmt;
use std::ops::Deref;

use crate::{EdgeId, Expr, Program, Relation, Sort, UnaryOp, VariableId};

/// A program without integers: all that engines, diagrams and their certificates accept.
///
/// It stands for a borrowed program and is as cheap to pass on.
#[derive(Clone, Copy, Debug)]
pub struct FiniteProgram<'p>(&'p Program);

/// The first place at which a program has integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotFinite {
    /// A variable is one, or an array of them.
    Variable(VariableId),
    /// An edge computes with them.
    Edge(EdgeId),
    /// The condition on the start, or the one under which threads are not interrupted, computes with them.
    Condition,
}

impl<'p> FiniteProgram<'p> {
    /// Looks for integers: at variables first, then in expressions. Linear in the size of the program.
    pub fn new(program: &'p Program) -> Result<Self, NotFinite> {
        if let Some((id, _)) = program.variables.iter_ids().find(|(_, variable)| !variable.sort.is_finite()) {
            return Err(NotFinite::Variable(id));
        }
        let has_integers = |relation: &Relation| relation.exprs().any(has_integers);
        if let Some((id, _)) = program.edges.iter_ids().find(|(_, edge)| edge.kind.relations().any(has_integers)) {
            return Err(NotFinite::Edge(id));
        }
        if [&program.start, &program.uninterruptible].into_iter().any(self::has_integers) {
            return Err(NotFinite::Condition);
        }
        Ok(Self(program))
    }

    /// A program that was made from a finite one by steps that bring no integers in.
    #[must_use]
    pub fn derived<'q>(&self, program: &'q Program) -> FiniteProgram<'q> {
        debug_assert!(FiniteProgram::new(program).is_ok(), "what is made from a finite program is finite");
        FiniteProgram(program)
    }

    /// The program.
    #[must_use]
    pub fn get(self) -> &'p Program {
        self.0
    }
}

impl Deref for FiniteProgram<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        self.0
    }
}

/// Stands where an integer would be handled by something that is given finite programs only.
pub fn no_integers() -> ! {
    unreachable!("a finite program has no integers")
}

/// Integers come from variables, constants and conversions; variables are looked at elsewhere.
fn has_integers(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |expr| {
        found |= match expr {
            Expr::Const(_, sort) => !sort.is_finite(),
            Expr::Unary(op, _) => matches!(op, UnaryOp::ToInt | UnaryOp::SignedToInt),
            _ => false,
        };
    });
    found
}

impl NotFinite {
    /// Says it for a program, as a noun phrase: "mathematical integers (the variable `f::x`)".
    #[must_use]
    pub fn describe(&self, program: &Program) -> String {
        match self {
            Self::Variable(id) => {
                let what = if *program.sort(*id) == Sort::Int { "variable" } else { "array" };
                format!("mathematical integers (the {what} `{}`)", program.qualified_name(*id))
            }
            Self::Edge(id) => {
                let procedure = program.locations[program.edges[*id].source].procedure;
                format!("mathematical integers (in the procedure `{}`)", program.procedures[procedure].name)
            }
            Self::Condition => "mathematical integers (in the condition on the start)".to_owned(),
        }
    }
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(id) => write!(f, "variable {} is an integer", id.0),
            Self::Edge(id) => write!(f, "edge {} computes with integers", id.0),
            Self::Condition => f.write_str("a condition computes with integers"),
        }
    }
}

impl std::error::Error for NotFinite {}
