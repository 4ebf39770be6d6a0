//! What the fuzzers check: functions from bytes to nothing that panic when a promise is broken.

use std::collections::BTreeMap;

use base::{Diagnostics, Source};

use crate::fp;
use crate::print::Printer;
use crate::signature::{Domain, Input, ModelSort, Signature};
use crate::system::{Formula, RelationKind, SortKind, System, Term, VariableId};

/// `.fp` files: every text gets an answer; what is accepted is well formed, and its canonical form is canonical and
/// means the same.
pub fn fp(bytes: &[u8]) {
    let source = Source::new("fuzz.fp", String::from_utf8_lossy(bytes));
    let Some(formatted) = canonical(&source) else { return };
    let again = Source::new("fuzz.fp", formatted);
    assert_eq!(canonical(&again).as_deref(), Some(again.text()), "the canonical form is canonical");
    match (resolved(&source), resolved(&again)) {
        (Ok(before), Ok(after)) => {
            verify(&before);
            let printed = |system| Printer::new(system, &signature()).system();
            assert_eq!(printed(&before), printed(&after), "the canonical form means the same");
        }
        (Err(before), Err(after)) => {
            assert!(before.has_errors(), "what is rejected has errors");
            assert_eq!(before.len(), after.len(), "the canonical form is as wrong");
        }
        (before, after) => panic!("one form is accepted, the other not: {before:?} {after:?}"),
    }
}

/// The canonical form, if the text has no syntax errors.
fn canonical(source: &Source) -> Option<String> {
    let (tree, diagnostics) = fp::parse(source);
    assert!(tree.is_some() || diagnostics.has_errors(), "without a tree there is an error");
    tree.filter(|_| !diagnostics.has_errors()).map(|tree| fp::format(&tree))
}

fn resolved(source: &Source) -> Result<System, Diagnostics> {
    let (tree, diagnostics) = fp::parse(source);
    let tree = tree.ok_or(diagnostics)?;
    let bound = fp::parameters(&tree).into_iter().filter(|parameter| parameter.name == "k");
    let parameters: BTreeMap<String, u64> = bound.map(|parameter| (parameter.name, 2)).collect();
    fp::resolve(&tree, &signature(), &parameters).map(|(system, _)| system)
}

/// A model with a sort of each kind.
#[must_use]
pub fn signature() -> Signature {
    let listed = |names: &[&str]| Domain::Listed(names.iter().map(|name| (*name).to_owned()).collect());
    let sort = |name: &str, domain| ModelSort { name: name.to_owned(), domain };
    let input = |declaration: &str, columns: Vec<Option<usize>>| {
        let (name, _) = declaration.split_once('(').unwrap_or((declaration, ""));
        Input { name: name.to_owned(), declaration: declaration.to_owned(), columns }
    };
    let state = [Some(0), Some(2), Some(3)];
    Signature {
        sorts: vec![
            sort("Location", listed(&["main", "main.1", "end"])),
            sort("Procedure", listed(&["main", "p"])),
            sort("Local", Domain::Bits(3)),
            sort("Global", Domain::Bits(2)),
            sort("Thread", listed(&["t0", "t1"])),
        ],
        inputs: vec![
            input("Init(p: Location)", vec![Some(0)]),
            input("Entry(p: Location)", vec![Some(0)]),
            input("Exit(p: Location)", vec![Some(0)]),
            input("Target(p: Location)", vec![Some(0)]),
            input("Shared(g: Bool)", vec![None]),
            input("ProgramInt(u: State, v: State)", state.repeat(2)),
            input("IntoCall(u: State, v: State)", state.repeat(2)),
            input("Return(u: State, v: State, w: State)", state.repeat(3)),
        ],
    }
}

/// What every resolved system promises: terms have the sorts of their columns, values are in their sorts, and every
/// variable is a column, asked for, or bound where it is used.
///
/// # Panics
/// When a promise is broken.
pub fn verify(system: &System) {
    for relation in &system.relations {
        match &relation.kind {
            RelationKind::Input(_) => {}
            RelationKind::Define(body) | RelationKind::Fixpoint(_, body) => {
                check(system, body, &mut relation.columns.clone());
            }
        }
    }
    for query in &system.queries {
        check(system, &query.formula, &mut query.free.clone());
    }
}

fn check(system: &System, formula: &Formula, bound: &mut Vec<VariableId>) {
    match formula {
        Formula::Const(_) => {}
        Formula::Apply(relation, terms) => {
            let columns = &system.relations[*relation].columns;
            assert_eq!(columns.len(), terms.len(), "one term per column");
            for (column, term) in columns.iter().zip(terms) {
                let sort = check_term(system, *term, bound);
                assert_eq!(sort, system.variables[*column].sort, "a term of the sort of its column");
            }
        }
        Formula::Equal(a, b) | Formula::Less(a, b) => {
            let (a, b) = (check_term(system, *a, bound), check_term(system, *b, bound));
            assert_eq!(a, b, "only values of one sort are compared");
        }
        Formula::Not(inner) => check(system, inner, bound),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| check(system, part, bound)),
        Formula::Iff(a, b) | Formula::Cofactor(a, b) => {
            check(system, a, bound);
            check(system, b, bound);
        }
        Formula::Exists(variables, body) | Formula::Forall(variables, body) => {
            let n = bound.len();
            bound.extend(variables);
            check(system, body, bound);
            bound.truncate(n);
        }
    }
}

fn check_term(system: &System, term: Term, bound: &[VariableId]) -> crate::SortId {
    match term {
        Term::Variable(variable) | Term::Offset(variable, _) => {
            assert!(bound.contains(&variable), "a variable is bound where it is used");
            system.variables[variable].sort
        }
        Term::Value(sort, value) => {
            let n = match &system.sorts[sort].kind {
                SortKind::Bool => 2,
                SortKind::Enum(names) => names.len() as u64,
                SortKind::Range(low, high) => high - low + 1,
                SortKind::Model(_) => u64::MAX,
            };
            assert!(value < n, "a value is in its sort");
            sort
        }
    }
}
