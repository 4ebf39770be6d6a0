//! What the readers of automata have in common.

use std::collections::BTreeMap;

use base::{Budget, Span, StopReason};

use crate::formula::{BinaryOp, Formula, NaryOp, UnaryOp};
use crate::graph::Graph;
use crate::label::{Label, Labels};
use crate::{Atom, Automaton, reduce};

/// An automaton that was read, and where its atoms stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonFile {
    /// The automaton, made small: its states are not those of the file.
    pub automaton: Automaton,
    /// The atoms of the automaton in the same order, each with the place of its first occurrence.
    pub atoms: Vec<(Atom, Span)>,
}

/// Atoms in order of their first occurrence.
#[derive(Debug, Default)]
pub(crate) struct AtomTable {
    pub(crate) atoms: Vec<(Atom, Span)>,
    numbers: BTreeMap<Atom, u32>,
}

impl AtomTable {
    /// The number of an atom.
    pub(crate) fn number(&mut self, atom: &Atom, span: Span) -> u32 {
        if let Some(number) = self.numbers.get(atom) {
            return *number;
        }
        let number = self.atoms.len() as u32;
        self.atoms.push((atom.clone(), span));
        self.numbers.insert(atom.clone(), number);
        number
    }
}

/// Makes the automaton small and its acceptance plain.
pub(crate) fn finish(
    mut graph: Graph,
    labels: &mut Labels,
    atoms: AtomTable,
    budget: &Budget,
) -> Result<AutomatonFile, StopReason> {
    graph.tidy(labels);
    labels.check()?;
    let graph = reduce::plain(graph, labels, budget)?;
    let names: Vec<Atom> = atoms.atoms.iter().map(|(atom, _)| atom.clone()).collect();
    Ok(AutomatonFile { automaton: graph.finish(labels, &names, budget)?, atoms: atoms.atoms })
}

/// The function that a formula without temporal operators is; None when it has some.
pub(crate) fn condition(formula: &Formula, atom: &dyn Fn(&Atom) -> u32, labels: &mut Labels) -> Option<Label> {
    Some(match formula {
        Formula::Const(value) => {
            if *value {
                Label::TRUE
            } else {
                Label::FALSE
            }
        }
        Formula::Atom(name) => labels.literal(atom(name), true),
        Formula::Unary(UnaryOp::Not, inner) => {
            let inner = condition(inner, atom, labels)?;
            labels.not(inner)
        }
        Formula::Unary(..) => return None,
        Formula::Binary(op, left, right) => {
            let (left, right) = (condition(left, atom, labels)?, condition(right, atom, labels)?);
            let forth = labels.minus(left, right);
            let back = match op {
                BinaryOp::Implies => Label::FALSE,
                BinaryOp::Iff => labels.minus(right, left),
                _ => return None,
            };
            let differ = labels.or(forth, back);
            labels.not(differ)
        }
        Formula::Nary(op, parts) => {
            let parts: Option<Vec<Label>> = parts.iter().map(|part| condition(part, atom, labels)).collect();
            match op {
                NaryOp::And => labels.all(parts?),
                NaryOp::Or => labels.any(parts?),
            }
        }
    })
}
