//! The plan for people, in the author's names.

use std::fmt::Write;
use std::ops::Range;

use super::clause::{Arg, Atom, Clause, Comparison, Planned, Test};
use super::{Components, Control, Kind, Plan, uses};
use crate::print::Printer;
use crate::signature::Signature;
use crate::solve::order_of_atoms;
use crate::system::{Fixpoint, SortId, SortKind, System};

/// A view's clauses follow: its formula is only there to be recognised.
const MAX_TEXT: usize = 160;

impl Plan {
    /// How the system that this is the plan of will be solved: which columns are keys, the clauses of every equation, the order of their atoms,
    /// what is solved together and how.
    #[must_use]
    pub fn explain(&self, system: &System, signature: &Signature) -> String {
        // Views speak of variables that inlining has made.
        let names = System {
            sorts: system.sorts.clone(),
            relations: system.relations.clone(),
            variables: self.variables.clone(),
            ..System::default()
        };
        let printer = Printer::new(&names, signature);
        let mut out = String::new();
        let what = match self.control {
            Control::Explicit => "Columns marked # are keys; the others are bits of decision diagrams.",
            Control::Symbolic => "All columns are bits of decision diagrams.",
        };
        let _ = writeln!(out, "{what}\nRelations in the order in which they are solved.");
        let components = Components::of(self, &self.queries, &|relation| self.is_input(relation));
        for component in &components.list {
            let is_other = |member: &Planned| {
                matches!(self.relations[*member].kind, Kind::Fixpoint(Fixpoint::Greatest) | Kind::Cofactor(..))
            };
            let is_least = component.is_positive && !component.members.iter().any(is_other);
            let how = match (component.is_recursive, is_least) {
                (false, _) => "once",
                (true, true) => "by increments: positive, least",
                (true, false) if component.is_positive => "by rounds: positive, but not least",
                (true, false) => "by rounds: not positive",
            };
            let _ = writeln!(out, "\n{how}");
            for member in &component.members {
                let new = if component.is_recursive && is_least { component.members.as_slice() } else { &[] };
                self.explain_relation(&mut out, &printer, *member, new);
            }
        }
        let inputs = (0..self.relations.len()).filter(|at| self.is_input(*at) && self.is_used(*at));
        let heads: Vec<String> = inputs.map(|at| self.head(at)).collect();
        if !heads.is_empty() {
            let _ = writeln!(out, "\ninputs\n  {}", heads.join("\n  "));
        }
        out.push('\n');
        out
    }

    fn is_input(&self, relation: Planned) -> bool {
        matches!(self.relations[relation].kind, Kind::Input(_))
    }

    fn is_used(&self, relation: Planned) -> bool {
        (0..self.relations.len()).any(|user| uses(self, user).iter().any(|(used, _)| *used == relation))
    }

    /// `Reach(#u.loc, u.global)`
    fn head(&self, relation: Planned) -> String {
        let planned = &self.relations[relation];
        let mark = |key: bool| if key { "#" } else { "" };
        let column = |c: &super::Column| format!("{}{}", mark(c.is_key), self.variables[c.variable].name);
        let columns: Vec<String> = planned.columns.iter().map(column).collect();
        format!("{}({})", planned.name, columns.join(", "))
    }

    /// A relation; `growing` are those that it is solved together with, by increments.
    fn explain_relation(&self, out: &mut String, printer: &Printer<'_>, relation: Planned, growing: &[Planned]) {
        let planned = &self.relations[relation];
        let word = match planned.kind {
            Kind::Fixpoint(Fixpoint::Least) => "mu ",
            Kind::Fixpoint(Fixpoint::Greatest) => "nu ",
            Kind::View if self.queries.contains(&relation) => "query ",
            Kind::Input(_) | Kind::View | Kind::Cofactor(..) | Kind::Unused => "",
        };
        let _ = writeln!(out, "  {word}{}", self.head(relation));
        if let Some((formula, _)) = self.views.iter().find(|(_, view)| *view == relation) {
            let _ = writeln!(out, "    stands for {}", cut(&printer.formula(formula), MAX_TEXT));
        }
        if let Kind::Cofactor(function, care) = planned.kind {
            let (function, care) = (&self.relations[function].name, &self.relations[care].name);
            let _ = writeln!(out, "    the cofactor of {function} by {care}");
        }
        for (at, clause) in planned.clauses.iter().enumerate() {
            let _ = writeln!(out, "    {}. {}", at + 1, self.clause_text(relation, at));
            let recursive = |atom: &usize| growing.contains(&clause.atoms[*atom].relation);
            let new: Vec<usize> = (0..clause.atoms.len()).filter(recursive).collect();
            let orders: Vec<(Option<usize>, Vec<usize>)> = if new.is_empty() {
                vec![(None, order_of_atoms(self, relation, at, None))]
            } else {
                new.into_iter().map(|atom| (Some(atom), order_of_atoms(self, relation, at, Some(atom)))).collect()
            };
            for (new, order) in orders.into_iter().filter(|(_, order)| order.len() > 1) {
                let name = |atom: &usize| {
                    let prefix = if new == Some(*atom) { "new " } else { "" };
                    format!("{prefix}{}", self.atom_text(clause, &clause.atoms[*atom]))
                };
                let order: Vec<String> = order.iter().map(name).collect();
                let _ = writeln!(out, "       {}", order.join(", then "));
            }
        }
        if planned.clauses.is_empty() && !matches!(planned.kind, Kind::Cofactor(..)) {
            let _ = writeln!(out, "    never true");
        }
    }

    /// A clause in one line, its head left out where it is just the columns.
    pub(crate) fn clause_text(&self, relation: Planned, clause: usize) -> String {
        let clause = &self.relations[relation].clauses[clause];
        let columns = &self.relations[relation].columns;
        let own = |at: usize| match clause.head[at] {
            Arg::Variable(variable) => clause.variables[variable].origin == columns[at].variable,
            Arg::Value(_) => false,
        };
        let mut parts = Vec::new();
        for range in self.wholes(relation) {
            let names = self.column_names(relation, range.clone());
            let texts: Vec<String> =
                range.clone().map(|at| self.arg_text(clause, clause.head[at], columns[at].sort)).collect();
            match self.whole(relation, &texts, &names) {
                Some(text) if !range.clone().any(own) => parts.push(format!("{} = {text}", in_two(names[0]).0)),
                _ => {
                    let others = range.clone().zip(names.iter().zip(&texts)).filter(|(at, _)| !own(*at));
                    parts.extend(others.map(|(_, (name, text))| format!("{name} = {text}")));
                }
            }
        }
        parts.extend(clause.atoms.iter().map(|atom| self.atom_text(clause, atom)));
        parts.extend(clause.tests.iter().map(|test| self.test_text(clause, test)));
        if parts.is_empty() { "true".to_owned() } else { parts.join(" & ") }
    }

    fn atom_text(&self, clause: &Clause, atom: &Atom) -> String {
        let used = &self.relations[atom.relation];
        let mut args = Vec::new();
        for range in self.wholes(atom.relation) {
            let names = self.column_names(atom.relation, range.clone());
            let texts: Vec<String> =
                range.map(|at| self.arg_text(clause, atom.args[at], used.columns[at].sort)).collect();
            match self.whole(atom.relation, &texts, &names) {
                Some(text) => args.push(text),
                None => args.extend(texts),
            }
        }
        format!("{}{}({})", if atom.negated { "!" } else { "" }, used.name, args.join(", "))
    }

    /// What all these are the parts of. The columns of a view are not taken together: it need not have all parts.
    fn whole(&self, relation: Planned, texts: &[String], columns: &[&str]) -> Option<String> {
        let is_view = self.views.iter().any(|(_, view)| *view == relation);
        whole(texts, columns).filter(|_| !is_view)
    }

    fn column_names(&self, relation: Planned, range: Range<usize>) -> Vec<&str> {
        let columns = &self.relations[relation].columns[range];
        columns.iter().map(|column| self.variables[column.variable].name.as_str()).collect()
    }

    /// The columns in ranges that are one record or array each; other columns alone.
    fn wholes(&self, relation: Planned) -> Vec<Range<usize>> {
        let names = self.column_names(relation, 0..self.relations[relation].columns.len());
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let (record, part) = in_two(name);
            match ranges.last_mut() {
                Some(range) if !part.is_empty() && in_two(names[range.start]).0 == record => {
                    range.end = at + 1;
                }
                _ => ranges.push(at..at + 1),
            }
        }
        ranges
    }

    fn test_text(&self, clause: &Clause, test: &Test) -> String {
        let side = |(arg, offset): (Arg, i64)| {
            let text = self.arg_text(clause, arg, test.sort);
            match offset {
                0 => text,
                1.. => format!("{text} + {offset}"),
                _ => format!("{text} - {}", offset.unsigned_abs()),
            }
        };
        let (left, right) = (side(test.left), side(test.right));
        match (test.comparison, test.negated) {
            (Comparison::Equal, false) => format!("{left} = {right}"),
            (Comparison::Equal, true) => format!("{left} != {right}"),
            (Comparison::Less, false) => format!("{left} < {right}"),
            (Comparison::Less, true) => format!("!({left} < {right})"),
        }
    }

    fn arg_text(&self, clause: &Clause, arg: Arg, sort: SortId) -> String {
        match arg {
            Arg::Value(value) => self.sorts[sort].value(value),
            Arg::Variable(at) => {
                let name = &self.variables[clause.variables[at].origin].name;
                let same = |other: &usize| self.variables[clause.variables[*other].origin].name == *name;
                // Different variables may have the same name: inner ones, or copies made in passing.
                let before = (0..at).filter(same).count();
                format!("{name}{}", "'".repeat(before))
            }
        }
    }
}

/// The record or array, and the part of it: `u` and `.loc`, `g` and `[2]`, `x` and nothing.
fn in_two(name: &str) -> (&str, &str) {
    name.split_at(name.find(['.', '[']).unwrap_or(name.len()))
}

/// What these are the parts of, if it is the same for all, and they are the same parts as those of the columns: `x` for
/// `x.loc` and `x.local` in columns `u.loc` and `u.local`.
fn whole(texts: &[String], columns: &[&str]) -> Option<String> {
    let parts = |text: &str| {
        let bare = text.trim_end_matches('\'');
        let (record, part) = in_two(bare);
        (format!("{record}{}", &text[bare.len()..]), part.to_owned())
    };
    let (first, _) = parts(texts.first()?);
    let fits = |(text, column): (&String, &&str)| {
        let (record, part) = parts(text);
        record == first && part == in_two(column).1
    };
    texts.iter().zip(columns).all(fits).then_some(first)
}

/// The names of a sort's values, for people.
pub(super) fn names(sort: &SortKind) -> Names {
    match sort {
        SortKind::Bool => Names::Listed(["false", "true"].map(str::to_owned).to_vec()),
        SortKind::Enum(names) => Names::Listed(names.clone()),
        SortKind::Range(low, _) => Names::From(*low),
        // There may be very many of them.
        SortKind::Model(_) => Names::Listed(Vec::new()),
    }
}

/// How values are called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Names {
    /// By these names, as far as they go.
    Listed(Vec<String>),
    /// By number, the first as given.
    From(u64),
}

impl super::SortPlan {
    fn value(&self, value: u64) -> String {
        let name = match &self.names {
            Names::Listed(names) => names.get(value as usize).cloned(),
            Names::From(low) => Some((low + value).to_string()),
        };
        name.unwrap_or_else(|| format!("{}#{value}", self.name))
    }
}

/// A text, or so much of it as can be read at a glance.
pub(crate) fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}
