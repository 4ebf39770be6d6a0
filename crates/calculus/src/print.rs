//! A resolved system as text, for people: single values, no records, no parameters.
//!
//! The text looks like an `.fp` file, but names with dots and brackets (`u.loc`, `g[2]`) are names of variables here.

use std::fmt::Write;

use crate::signature::{Domain, Signature};
use crate::system::{
    Fixpoint, Formula, Hint, HintKind, Relation, RelationId, RelationKind, SortId, SortKind, System, Term, VariableId,
};

/// Prints a system or parts of it.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'s> {
    system: &'s System,
    signature: &'s Signature,
}

/// How tightly the outermost operator of a formula binds.
fn level(formula: &Formula) -> u32 {
    match formula {
        Formula::Exists(..) | Formula::Forall(..) => 0,
        Formula::Iff(..) => 1,
        Formula::Or(parts) if !parts.is_empty() => 3,
        Formula::And(parts) if !parts.is_empty() => 4,
        Formula::Equal(..) | Formula::Less(..) => 5,
        Formula::Const(_)
        | Formula::Or(_)
        | Formula::And(_)
        | Formula::Apply(..)
        | Formula::Not(_)
        | Formula::Cofactor(..) => 8,
    }
}

impl<'s> Printer<'s> {
    /// For a system and the model that it was resolved for.
    #[must_use]
    pub fn new(system: &'s System, signature: &'s Signature) -> Self {
        Self { system, signature }
    }

    /// The whole system. Disjunctions at the top of a body have one line per part.
    #[must_use]
    pub fn system(&self) -> String {
        let mut out = String::new();
        for relation in &self.system.relations {
            self.relation(&mut out, relation);
        }
        for hint in &self.system.hints {
            self.hint(&mut out, hint);
        }
        for query in &self.system.queries {
            let head = format!("query {}{}", query.name, self.columns(&query.free));
            self.equation(&mut out, &head, &query.formula);
        }
        out
    }

    fn relation(&self, out: &mut String, relation: &Relation) {
        let head = format!("{}{}", relation.name, self.columns(&relation.columns));
        match &relation.kind {
            RelationKind::Input(_) => {
                let _ = writeln!(out, "input {head};");
            }
            RelationKind::Define(body) => self.equation(out, &format!("define {head}"), body),
            RelationKind::Fixpoint(Fixpoint::Least, body) => self.equation(out, &format!("mu {head}"), body),
            RelationKind::Fixpoint(Fixpoint::Greatest, body) => self.equation(out, &format!("nu {head}"), body),
        }
    }

    fn equation(&self, out: &mut String, head: &str, body: &Formula) {
        let mut separator = format!("{head} =\n    ");
        let parts = if let Formula::Or(parts) = body { parts.as_slice() } else { std::slice::from_ref(body) };
        for part in parts {
            out.push_str(&separator);
            self.operand(out, part, if parts.len() > 1 { 4 } else { 0 });
            "\n  | ".clone_into(&mut separator);
        }
        if parts.is_empty() {
            let _ = write!(out, "{separator}false");
        }
        out.push_str(";\n");
    }

    /// `(x: S, y: T)`; nothing for no columns.
    #[must_use]
    pub fn columns(&self, columns: &[VariableId]) -> String {
        if columns.is_empty() { String::new() } else { format!("({})", self.declared(columns)) }
    }

    fn declared(&self, variables: &[VariableId]) -> String {
        let declared = variables.iter().map(|id| {
            let variable = &self.system.variables[*id];
            format!("{}: {}", variable.name, self.system.sorts[variable.sort].name)
        });
        declared.collect::<Vec<_>>().join(", ")
    }

    fn hint(&self, out: &mut String, hint: &Hint) {
        let names = |ids: &[VariableId]| {
            ids.iter().map(|id| self.system.variables[*id].name.as_str()).collect::<Vec<_>>().join(" ")
        };
        let kind = match hint.kind {
            HintKind::Above => "above",
            HintKind::Interleave => "interleaved",
            HintKind::Separate => "apart",
        };
        let _ = writeln!(out, "order {} {kind} {};", names(&hint.first), names(&hint.second));
    }

    /// A formula in one line.
    #[must_use]
    pub fn formula(&self, formula: &Formula) -> String {
        let mut out = String::new();
        self.write(&mut out, formula);
        out
    }

    fn operand(&self, out: &mut String, formula: &Formula, least: u32) {
        // A quantifier reaches as far as it can: as an operand it always has parentheses.
        if level(formula) < least {
            out.push('(');
            self.write(out, formula);
            out.push(')');
        } else {
            self.write(out, formula);
        }
    }

    fn write(&self, out: &mut String, formula: &Formula) {
        match formula {
            Formula::Const(value) => out.push_str(if *value { "true" } else { "false" }),
            Formula::Apply(relation, terms) => self.application(out, *relation, terms),
            Formula::Equal(a, b) => out.push_str(&format!("{} = {}", self.term(*a), self.term(*b))),
            Formula::Less(a, b) => out.push_str(&format!("{} < {}", self.term(*a), self.term(*b))),
            Formula::Not(inner) => {
                out.push('!');
                self.operand(out, inner, 8);
            }
            Formula::And(parts) => self.joined(out, parts, " & ", ("true", 5)),
            Formula::Or(parts) => self.joined(out, parts, " | ", ("false", 4)),
            Formula::Iff(a, b) => {
                self.operand(out, a, 2);
                out.push_str(" <-> ");
                self.operand(out, b, 2);
            }
            Formula::Exists(variables, body) => self.quantified(out, "exists", variables, body),
            Formula::Forall(variables, body) => self.quantified(out, "forall", variables, body),
            Formula::Cofactor(a, b) => {
                out.push_str("cofactor(");
                self.write(out, a);
                out.push_str(", ");
                self.write(out, b);
                out.push(')');
            }
        }
    }

    fn joined(&self, out: &mut String, parts: &[Formula], operator: &str, (neutral, least): (&str, u32)) {
        if parts.is_empty() {
            out.push_str(neutral);
        }
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                out.push_str(operator);
            }
            self.operand(out, part, least);
        }
    }

    fn quantified(&self, out: &mut String, word: &str, variables: &[VariableId], body: &Formula) {
        let _ = write!(out, "{word} {}. ", self.declared(variables));
        self.write(out, body);
    }

    fn application(&self, out: &mut String, relation: RelationId, terms: &[Term]) {
        let terms: Vec<String> = terms.iter().map(|term| self.term(*term)).collect();
        let _ = write!(out, "{}({})", self.system.relations[relation].name, terms.join(", "));
    }

    /// A term.
    #[must_use]
    pub fn term(&self, term: Term) -> String {
        match term {
            Term::Variable(variable) => self.system.variables[variable].name.clone(),
            Term::Value(sort, value) => self.value(sort, value),
            Term::Offset(variable, offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                format!("{} {sign} {}", self.system.variables[variable].name, offset.unsigned_abs())
            }
        }
    }

    /// The n-th value of a sort.
    #[must_use]
    pub fn value(&self, sort: SortId, value: u64) -> String {
        let sort = &self.system.sorts[sort];
        let named = |names: &[String]| names.get(value as usize).cloned();
        let name = match &sort.kind {
            SortKind::Bool => Some((value == 1).to_string()),
            SortKind::Range(low, _) => Some((low + value).to_string()),
            SortKind::Enum(names) => named(names),
            SortKind::Model(position) => match self.signature.sorts.get(*position).map(|sort| &sort.domain) {
                Some(Domain::Listed(names)) => named(names),
                _ => None,
            },
        };
        name.unwrap_or_else(|| format!("{}#{value}", sort.name))
    }
}
