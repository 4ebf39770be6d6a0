//! Questions about a stack symbol together with a control state: `state:symbol`.
//!
//! Engines answer questions about locations. So a location of its own is added for each such question, with a step to it
//! from the symbol that is possible in that control state only. What was there before keeps its number.

use program::property::Proposition;
use program::{Edge, EdgeKind, EnumId, Expr, Location, LocationId, Relation, Role, Sort, Value, VariableId};

use crate::Loaded;

/// Adds what is needed to ask for `state:symbol` as for a label. Names that mean nothing are left to the question.
#[must_use]
pub fn watch(mut loaded: Loaded, labels: &[String]) -> Loaded {
    for label in labels {
        let Some((state, symbol)) = label.split_once(':').filter(|(_, symbol)| !symbol.starts_with(':')) else {
            continue;
        };
        let Some(meaning) = loaded.propositions.get(state).and_then(|meanings| meanings.first()).copied() else {
            continue;
        };
        if !loaded.program.label_targets(label).is_empty() {
            continue;
        }
        let targets = loaded.program.label_targets(symbol);
        for target in targets {
            match meaning {
                Proposition::Everywhere => loaded.program.locations[target.location].labels.push(label.clone()),
                Proposition::Value(variable, value) => add(&mut loaded, target.location, label, variable, value),
                Proposition::Location(_) => {}
            }
        }
    }
    loaded
}

fn add(loaded: &mut Loaded, symbol: LocationId, label: &str, variable: VariableId, value: u32) {
    let program = &mut loaded.program;
    let sort = match program.sort(variable) {
        Sort::Enum(id) => Sort::Enum(*id),
        Sort::Bool | Sort::Bits(_) | Sort::Int | Sort::Array(..) => Sort::Enum(EnumId(0)),
    };
    let procedure = program.locations[symbol].procedure;
    let location = Location { procedure, labels: vec![label.to_owned()], role: Role::Plain, atomic: false };
    let target = program.locations.push(location);
    program.procedures[procedure].locations.push(target);
    let guard = Expr::before(variable).eq(Expr::Const(Value::Enum(value), sort));
    program.edges.push(Edge { source: symbol, target, kind: EdgeKind::Step(Relation::assume(guard)) });
    let span = loaded.origins.locations.get(symbol).copied().flatten();
    loaded.origins.locations.push(span);
    loaded.origins.edges.push(None);
}
