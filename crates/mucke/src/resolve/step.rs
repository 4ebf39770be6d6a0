//! Formulae to be evaluated, directives, and hints.

use base::{Diagnostic, Span};

use super::formula::quantify;
use super::{Bound, Known, Resolver, Step};
use crate::syntax::{Definition, Directive, Expr, ExprKind, Item, Name, Quantifier, Wish};
use base::names::suggest;
use calculus::build::{Place, Shape};
use calculus::system::{Formula, Hint, Query, RelationId, Term};

/// Hints from allocation constraints; more would cost more than they give.
const MAX_HINTS: usize = 100_000;

/// All directives and what they are.
const DIRECTIVES: [&str; 17] = [
    "#size",
    "#ons",
    "#onsetsize",
    "#print",
    "#timer",
    "#wit",
    "#witness",
    "#cex",
    "#counterexample",
    "#vis",
    "#visualize",
    "#reset",
    "#frontier",
    "#dump",
    "#undump",
    "#load",
    "#verbose",
];

impl<'t> Resolver<'t> {
    pub(super) fn steps(&mut self) -> Vec<Step> {
        let tree = self.tree;
        let mut steps = Vec::new();
        for item in &tree.items {
            match item {
                Item::Query(expr, span) => steps.extend(self.query(expr, *span).map(Step::Query)),
                Item::Directive(directive) if &*directive.word.text == "#print" => steps.extend(printed(directive)),
                Item::Directive(directive) => steps.extend(self.directive(directive)),
                Item::Enum(..) | Item::Range(..) | Item::Class(..) | Item::Definition(_) => {}
            }
        }
        steps
    }

    /// A formula to be evaluated, by its position in the queries.
    fn query(&mut self, expr: &'t Expr, span: Span) -> Option<usize> {
        let formula = self.formula(expr)?;
        self.ask(formula, span)
    }

    fn ask(&mut self, formula: Formula, span: Span) -> Option<usize> {
        let position = self.builder.system.queries.len();
        let name = format!("formula {}", position + 1);
        self.builder.system.queries.push(Query { name, free: Vec::new(), formula, span });
        Some(position)
    }

    fn directive(&mut self, directive: &'t Directive) -> Option<Step> {
        let Directive { word, exprs, .. } = directive;
        let first = exprs.first();
        match (&*word.text, first) {
            ("#timer", _) => {
                Some(Step::Timer(first.and_then(plain_name).map_or_else(String::new, |n| n.text.to_string())))
            }
            ("#size", Some(expr)) => self.named_predicate(word, expr).map(Step::Size),
            ("#ons" | "#onsetsize", Some(expr)) => self.named_predicate(word, expr).map(Step::OnSet),
            ("#wit" | "#witness" | "#vis" | "#visualize", Some(expr)) => {
                self.values_of(expr, Quantifier::Exists).map(Step::Witness)
            }
            ("#cex" | "#counterexample", Some(expr)) => {
                self.values_of(expr, Quantifier::Forall).map(Step::Counterexample)
            }
            ("#load", _) => self.not_loaded(directive),
            (text, _) if DIRECTIVES.contains(&text) => self.ignored(word),
            _ => self.unknown_directive(word),
        }
    }

    /// A formula, or a predicate by its name alone: its tuples, or those that are not in it.
    fn values_of(&mut self, expr: &'t Expr, quantifier: Quantifier) -> Option<usize> {
        let named = plain_name(expr).and_then(|name| self.predicates.get(&*name.text)).cloned();
        let formula = match named {
            Some(known) => self.quantified_predicate(&known, quantifier, expr.span),
            None => self.formula(expr),
        };
        self.ask(formula?, expr.span)
    }

    fn quantified_predicate(&mut self, known: &Known<'t>, quantifier: Quantifier, span: Span) -> Option<Formula> {
        let mut all = Vec::new();
        for column in &*known.columns {
            let Ok(place) = self.builder.declare(&column.name.text, &column.place.as_ref()?.shape) else {
                return self.too_large(span);
            };
            all.extend(place.variables()?);
        }
        self.mentioned.push(known.id);
        let applied = Formula::Apply(known.id, all.iter().copied().map(Term::Variable).collect());
        Some(quantify(quantifier, all, applied))
    }

    fn ignored(&mut self, word: &Name) -> Option<Step> {
        let warning = Diagnostic::warning("MU0050", format!("`{}` is ignored", word.text));
        self.report.push(warning.at(word.span, "").help("it changes no answer"));
        Some(Step::Ignored(word.text.to_string()))
    }

    /// A `#load` that no file has taken the place of.
    fn not_loaded(&mut self, directive: &'t Directive) -> Option<Step> {
        let Directive { word, texts, exprs, span } = directive;
        let name = texts.first().map(|text| &**text).or(exprs.first().and_then(plain_name).map(|name| &*name.text));
        let message = match name {
            Some(name) => format!("`#load` is ignored: the file `{name}` is not found, or loads itself"),
            None => "`#load` is ignored: it names no file".to_owned(),
        };
        let help = "files are looked for beside this one, by their name and with `.mu` behind it";
        self.report.push(Diagnostic::warning("MU0050", message).at(*span, "not loaded").help(help));
        Some(Step::Ignored(word.text.to_string()))
    }

    fn unknown_directive(&mut self, word: &Name) -> Option<Step> {
        self.fail(|_| {
            let all = format!("the directives are `{}` and `#quit`", DIRECTIVES.join("`, `"));
            Diagnostic::error("MU0031", format!("there is no directive `{}`", word.text))
                .at(word.span, "not known")
                .help(suggest(&word.text, DIRECTIVES, &all))
        })
    }

    /// The predicate that `#size` or `#ons` speaks of; of other formulae nothing is said.
    fn named_predicate(&mut self, word: &'t Name, expr: &'t Expr) -> Option<RelationId> {
        let Some(name) = plain_name(expr) else {
            self.ignored(word);
            return None;
        };
        self.predicate(name).map(|known| known.id)
    }

    /// Allocation constraints of a definition, and of the classes of its columns.
    pub(super) fn hints(&mut self, definition: &'t Definition, columns: &[Bound<'t>]) {
        let place = |name: &Name| {
            let column = columns.iter().find(|column| column.name.text == name.text);
            column.and_then(|column| column.place.clone())
        };
        self.wishes(&definition.wishes, &place);
        for column in columns {
            if let Some(place) = &column.place {
                self.class_hints(place);
            }
        }
    }

    fn wishes(&mut self, wishes: &[Wish], place: &dyn Fn(&Name) -> Option<Place>) {
        for wish in wishes {
            let variables = |name: &Name| place(name).and_then(|place| place.variables());
            let (first, second) = (variables(&wish.first), variables(&wish.second));
            match (first, second) {
                (Some(first), Some(second)) if self.builder.system.hints.len() < MAX_HINTS => {
                    let span = wish.first.span.to(wish.second.span);
                    self.builder.system.hints.push(Hint { kind: wish.kind, first, second, span });
                }
                (Some(_), Some(_)) => {}
                (first, _) => self.no_column(if first.is_some() { &wish.second } else { &wish.first }),
            }
        }
    }

    fn no_column(&mut self, name: &Name) {
        let message = format!("the constraint about `{}` is ignored", name.text);
        self.report.push(Diagnostic::warning("MU0052", message).at(name.span, "no such parameter or component"));
    }

    /// Allocation constraints between the components of a class, for a variable of it and for its parts.
    fn class_hints(&mut self, place: &Place) {
        match &place.shape {
            Shape::Single(_) => {}
            Shape::Array(array) => {
                let elements = (0..array.n).filter_map(|at| place.clone().element(at as i64));
                let elements: Vec<Place> = elements.collect();
                elements.iter().for_each(|element| self.class_hints(element));
            }
            Shape::Record(record) => {
                let wishes = self.types.get(record.name.as_str()).map_or(&[][..], |known| known.wishes);
                self.wishes(wishes, &|name| place.clone().field(&name.text));
                for field in &record.fields {
                    if let Some(part) = place.clone().field(&field.name) {
                        self.class_hints(&part);
                    }
                }
            }
        }
    }
}

/// A name without index and components.
fn plain_name(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Path(parts) => match parts.as_slice() {
            [only] if only.index.is_none() => Some(&only.name),
            _ => None,
        },
        _ => None,
    }
}

/// What `#print` prints, line by line.
fn printed(directive: &Directive) -> Vec<Step> {
    let text = directive.texts.join(" ");
    let lines = text.lines().map(|line| Step::Print(line.to_owned()));
    if text.is_empty() { vec![Step::Print(text)] } else { lines.collect() }
}
