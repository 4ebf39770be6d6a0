//! Whether an algorithm file fits a program and a question, before anything is solved.

use base::{Diagnostic, Diagnostics};
use calculus::{RelationKind, Signature, SortKind, System, Term};
use encode::Supply;
use program::{Bound, LocationId, Program};

use super::certificate::INVARIANT;
use super::{ALGORITHMS, Formula, REACHED};
use crate::Unsupported;

/// Why an algorithm file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unready {
    /// The file is wrong, or has no answer to the question.
    Rejected(Diagnostics),
    /// The program is beyond it.
    Unsupported(Unsupported),
}

impl Formula {
    /// Says whether the file answers which locations of a program are reached, whichever they are; warnings about it.
    pub fn prepare(
        &self,
        program: &Program,
        _targets: &[LocationId],
        bound: Option<Bound>,
    ) -> Result<Diagnostics, Unready> {
        let signature = Supply::outline(program);
        let (system, warnings) = self.resolve_with_warnings(&signature, bound).map_err(Unready::Rejected)?;
        answers_reachability(&system, &signature).map_err(|diagnostic| Unready::Rejected((*diagnostic).into()))?;
        invariant_is_one(&system, &signature).map_err(|diagnostic| Unready::Rejected((*diagnostic).into()))?;
        split_is_exact(&system, &signature, program)?;
        Ok(warnings)
    }

    /// Says whether the file's queries can be answered for a program; warnings about it. A file of the user's own may
    /// speak of several threads without following them: it needs no bound, but the inputs that there are for threads.
    pub(super) fn prepare_queries(&self, program: &Program, bound: Option<Bound>) -> Result<Diagnostics, Unready> {
        can_be_supplied(program).map_err(Unready::Unsupported)?;
        let mut signature = Supply::outline(program);
        if program.threads.len() > 1 {
            if !self.needs_bound() && ALGORITHMS.iter().any(|(_, text)| *text == self.source.text()) {
                return Err(Unready::Unsupported(Unsupported::SeveralThreads));
            }
            // There is no one place where such a program begins.
            signature.inputs.retain(|input| input.name != "Init" || input.columns.len() > 1);
        }
        self.resolve_with_warnings(&signature, bound).map(|(_, warnings)| warnings).map_err(Unready::Rejected)
    }
}

/// Whether there are relations for everything that a program does.
pub(super) fn can_be_supplied(program: &Program) -> Result<(), Unsupported> {
    crate::require_finite(program)?;
    if program.edges.iter().any(|edge| matches!(edge.kind, program::EdgeKind::Spawn(_))) {
        return Err(Unsupported::StartedThreads);
    }
    crate::init::supports(program)
}

/// There is a query for the locations that are reached.
fn answers_reachability(system: &System, signature: &Signature) -> Result<(), Box<Diagnostic>> {
    let help = "`cauldron solve FILE.fp --program PROGRAM` answers the queries that a file has";
    let Some(query) = system.queries.iter().find(|query| query.name == REACHED) else {
        let message = "the file does not say which locations are reached: it has no query `reached(p: Location)`";
        let diagnostic = Diagnostic::error("CL0016", message).help(help);
        return Err(Box::new(match system.queries.last() {
            Some(last) => diagnostic.at(last.span, "this query asks for something else"),
            None => diagnostic,
        }));
    };
    let is_location = |sort| match system.sorts[sort].kind {
        SortKind::Model(at) => signature.sorts.get(at).is_some_and(|sort| sort.name == "Location"),
        SortKind::Bool | SortKind::Enum(_) | SortKind::Range(..) => false,
    };
    match query.free.as_slice() {
        [only] if is_location(system.variables[*only].sort) => Ok(()),
        _ => {
            let message = "the query `reached` does not ask for locations";
            let diagnostic = Diagnostic::error("CL0016", message).at(query.span, "expected `reached(p: Location)`");
            Err(Box::new(diagnostic.help(help)))
        }
    }
}

/// If there is a query `invariant`, it is about pairs of states, and no relation has its name.
fn invariant_is_one(system: &System, signature: &Signature) -> Result<(), Box<Diagnostic>> {
    let Some(query) = system.queries.iter().find(|query| query.name == INVARIANT) else { return Ok(()) };
    if let Some(relation) = system.relations.iter().find(|relation| relation.name == INVARIANT) {
        let message = "a relation has the name of the query `invariant`";
        return Err(Box::new(Diagnostic::error("CL0016", message).at(relation.span, "give it another name")));
    }
    let name = |id: &calculus::VariableId| match system.sorts[system.variables[*id].sort].kind {
        SortKind::Model(at) => signature.sorts.get(at).map(|sort| sort.name.as_str()),
        SortKind::Bool | SortKind::Enum(_) | SortKind::Range(..) => None,
    };
    let state = ["Location", "Local", "Global"].map(Some);
    if query.free.iter().map(name).eq(state.into_iter().chain(state)) {
        return Ok(());
    }
    let diagnostic = Diagnostic::error("CL0016", "the query `invariant` is not about pairs of states");
    let diagnostic = diagnostic
        .at(query.span, "expected `invariant(u: State, v: State)`")
        .help("it is taken as the proof of what is not reached; a query for something else needs another name");
    Err(Box::new(diagnostic))
}

/// Whether a query says in so many words that its solutions are targets, so that it is done when it has them all.
pub(super) fn asks_for_targets_only(system: &System, signature: &Signature, query: usize) -> bool {
    let query = &system.queries[query];
    let is_target = |part: &calculus::Formula| match part {
        calculus::Formula::Apply(relation, terms) => {
            let is_input = match system.relations[*relation].kind {
                RelationKind::Input(input) => signature.inputs[input].name == "Target",
                RelationKind::Define(_) | RelationKind::Fixpoint(..) => false,
            };
            is_input && matches!((terms.as_slice(), query.free.as_slice()), ([Term::Variable(a)], [b]) if a == b)
        }
        _ => false,
    };
    matches!(&query.formula, calculus::Formula::And(parts) if parts.iter().any(is_target))
}

/// The two halves of a return mean the same as the whole, if the file uses them.
fn split_is_exact(system: &System, signature: &Signature, program: &Program) -> Result<(), Unready> {
    let is_half = |input: usize| matches!(signature.inputs[input].name.as_str(), "ReturnA" | "ReturnB");
    let uses_halves = system.relations.iter().any(|relation| match relation.kind {
        RelationKind::Input(input) => is_half(input),
        RelationKind::Define(_) | RelationKind::Fixpoint(..) => false,
    });
    if !uses_halves || Supply::splits(program) {
        return Ok(());
    }
    Err(Unready::Unsupported(Unsupported::UnsplitReturns))
}
