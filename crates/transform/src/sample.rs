//! Small programs for the tests of the passes.

use program::{
    Call, Expr, LocationId, ProcedureId, Program, ProgramBuilder, Relation, Sort, Update, VariableId, verify,
};

/// A program with a procedure `main` that consists of the relations in a row, and the locations between them.
pub(crate) fn chain(builder: &mut ProgramBuilder, procedure: ProcedureId, relations: Vec<Relation>) -> Vec<LocationId> {
    let locations: Vec<LocationId> = (0..=relations.len()).map(|_| builder.location(procedure)).collect();
    for (at, relation) in relations.into_iter().enumerate() {
        builder.step(locations[at], locations[at + 1], relation);
    }
    builder.entry(locations[0]);
    builder.exit(locations[locations.len() - 1]);
    locations
}

/// `variable := value`.
pub(crate) fn set(variable: VariableId, value: Expr) -> Relation {
    Relation::update(vec![Update::assign(variable, value)])
}

/// A call that passes these arguments to the first parameters and does nothing when it returns.
pub(crate) fn call(builder: &ProgramBuilder, callee: ProcedureId, arguments: Vec<Expr>) -> Call {
    let procedure = &builder.program().procedures[callee];
    let updates = procedure.parameters.iter().zip(arguments).map(|(it, value)| Update::assign(*it, value)).collect();
    Call { callee, entry: procedure.entries[0], enter: Relation::update(updates), leave: Relation::identity() }
}

/// A builder with an empty `main`, which is the only thread, and a shared Boolean `g`.
pub(crate) fn with_main() -> (ProgramBuilder, ProcedureId, VariableId) {
    let mut builder = ProgramBuilder::new();
    let g = builder.shared("g", Sort::Bool);
    let main = builder.procedure("main");
    builder.thread("main", main);
    (builder, main, g)
}

/// The finished program, which is well formed.
pub(crate) fn finish(builder: ProgramBuilder) -> Program {
    let program = builder.finish();
    assert_eq!(verify(&program), Ok(()));
    program
}
