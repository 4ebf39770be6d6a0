//! Parameters, relations with their columns, queries and hints.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::Diagnostic;

use super::{Bound, Frame, Known, Local, ParameterValue, Resolver};
use crate::build::Place;
use crate::fp::syntax::{Binder, Expr, Head, ItemKind, Name, Wish};
use crate::signature::{Input, Signature};
use crate::system::{Fixpoint, Formula, Hint, Query, Relation, RelationId, RelationKind, SortKind, VariableId};
use base::names::suggest;

/// A relation whose body waits until all relations are known.
pub(super) struct Pending<'t> {
    id: RelationId,
    columns: Rc<[Bound<'t>]>,
    /// The body, and which fixed point it has if it is an equation.
    body: Option<(&'t Expr, Option<Fixpoint>)>,
}

impl<'t> Resolver<'t> {
    pub(super) fn declare_parameters(&mut self, given: &BTreeMap<String, u64>) {
        let tree = self.tree;
        for item in &tree.items {
            let ItemKind::Param(params) = &item.kind else { continue };
            for param in params {
                let name = &param.name;
                if let Some(before) = self.parameters.get(&*name.text) {
                    let before = before.span;
                    self.declared_twice::<()>("parameter", name, before);
                    continue;
                }
                let value = given.get(&*name.text).copied().or(param.default);
                let value = value.or_else(|| self.missing_parameter(name)).filter(|value| self.is_small(name, *value));
                self.parameters.insert(&name.text, ParameterValue { value, span: name.span, used: false });
            }
        }
    }

    /// A value for a parameter that the file does not declare would be ignored: most likely its name is misspelt.
    pub(super) fn check_given(&mut self, given: &BTreeMap<String, u64>) {
        let unknown = given.keys().filter(|name| !self.parameters.contains_key(name.as_str()));
        for name in unknown.collect::<Vec<_>>() {
            self.fail::<()>(|resolver| {
                let declared = super::parameters(resolver.tree);
                let names = || declared.iter().map(|parameter| parameter.name.as_str());
                let all = match declared.as_slice() {
                    [] => "the file has no parameters".to_owned(),
                    _ => format!("its parameters are `{}`", names().collect::<Vec<_>>().join("`, `")),
                };
                let diagnostic = Diagnostic::error("FP0042", format!("the file has no parameter `{name}`"));
                diagnostic.help(suggest(name, names(), &all))
            });
        }
    }

    fn missing_parameter(&mut self, name: &Name) -> Option<u64> {
        self.fail(|_| {
            let name_text = &name.text;
            let help =
                format!("give it on the command line, `--param {name_text}=3`, or here, `param {name_text} = 3;`");
            Diagnostic::error("FP0032", format!("parameter `{name_text}` has no value"))
                .at(name.span, "declared without a default")
                .help(help)
        })
    }

    /// Parameters are as small as the numbers of a file.
    fn is_small(&mut self, name: &Name, value: u64) -> bool {
        let small = value <= u64::from(u32::MAX);
        if !small {
            self.fail::<()>(|_| {
                Diagnostic::error("FP0005", format!("the value {value} of parameter `{}` is too large", name.text))
                    .at(name.span, "")
                    .help(format!("the largest number is {}", u32::MAX))
            });
        }
        small
    }

    /// Gives ids to all relations, and variables to their columns.
    pub(super) fn declare_relations(&mut self) -> Vec<Pending<'t>> {
        let tree = self.tree;
        let mut pending = Vec::new();
        for item in &tree.items {
            match &item.kind {
                ItemKind::Input(heads) => {
                    for head in heads {
                        pending.extend(self.declare_relation(head, None));
                    }
                }
                ItemKind::Define(head, body) => pending.extend(self.declare_relation(head, Some((body, None)))),
                ItemKind::Fixpoint(kind, head, body) => {
                    pending.extend(self.declare_relation(head, Some((body, Some(*kind)))));
                }
                ItemKind::Param(_) | ItemKind::Sort(..) | ItemKind::Order(..) | ItemKind::Query(..) => {}
            }
        }
        pending
    }

    fn declare_relation(&mut self, head: &'t Head, body: Option<(&'t Expr, Option<Fixpoint>)>) -> Option<Pending<'t>> {
        let name = &head.name;
        if let Some(before) = self.relations.get(&*name.text) {
            let before = before.span;
            return self.declared_twice("relation", name, before);
        }
        let columns: Rc<[Bound<'t>]> = self.bind(&head.binders).into();
        let kind = match body {
            None => RelationKind::Input(self.find_input(name, &columns).unwrap_or(0)),
            Some(_) => RelationKind::Define(Formula::Const(false)),
        };
        let relation =
            Relation { name: name.text.as_ref().to_owned(), columns: variables(&columns), kind, span: name.span };
        let id = self.builder.system.relations.push(relation);
        self.relations.insert(&name.text, Known { id, columns: Rc::clone(&columns), span: name.span });
        Some(Pending { id, columns, body })
    }

    /// New variables, in order.
    pub(super) fn bind(&mut self, binders: &'t [Binder]) -> Vec<Bound<'t>> {
        let mut bound: Vec<Bound<'t>> = Vec::new();
        let mut seen = rustc_hash::FxHashMap::default();
        for binder in binders {
            let shape = self.shape(&binder.sort);
            for name in &binder.names {
                if let Some(before) = seen.insert(&*name.text, name.span) {
                    self.declared_twice::<()>("variable", name, before);
                    continue;
                }
                let place = shape.as_ref().and_then(|shape| match self.builder.declare(&name.text, shape) {
                    Ok(place) => Some(place),
                    Err(_) => self.too_large(name.span),
                });
                bound.push(Bound { name, place });
            }
        }
        bound
    }

    /// Makes variables visible: those of a relation or query, or of a quantifier.
    pub(super) fn enter(&mut self, bound: &[Bound<'t>], is_head: bool) {
        let frame = self.frames.len();
        self.frames.push(Frame { is_head, touched: false });
        for Bound { name, place } in bound {
            let local = Local { place: place.clone(), span: name.span, used: false, frame };
            self.scope.entry(&name.text).or_default().push(local);
        }
    }

    /// Makes variables invisible again; those that were not used, in order.
    pub(super) fn leave(&mut self, bound: &[Bound<'t>]) -> Vec<&'t Name> {
        self.frames.pop();
        let mut unused = Vec::new();
        for Bound { name, .. } in bound {
            let local = self.scope.get_mut(&*name.text).and_then(Vec::pop);
            if local.is_some_and(|local| !local.used) {
                unused.push(*name);
            }
        }
        unused
    }

    /// The position of an input in the signature.
    fn find_input(&mut self, name: &Name, columns: &[Bound<'t>]) -> Option<usize> {
        let signature = self.signature;
        let places: Option<Vec<&Place>> = columns.iter().map(|column| column.place.as_ref()).collect();
        let leaves = places?.into_iter().flat_map(|place| place.shape.leaves());
        let column = |sort| match self.builder.system.sorts[sort].kind {
            SortKind::Bool => Some(None),
            SortKind::Model(position) => Some(Some(position)),
            SortKind::Enum(_) | SortKind::Range(..) => None,
        };
        let columns: Option<Vec<Option<usize>>> = leaves.map(column).collect();
        let of_name = || signature.inputs.iter().enumerate().filter(|(_, input)| *input.name == *name.text);
        let matching = |input: &Input| columns.as_ref() == Some(&input.columns);
        if let Some((position, _)) = of_name().find(|(_, input)| matching(input)) {
            return Some(position);
        }
        let declarations: Vec<String> = of_name().map(|(_, input)| offer(signature, input)).collect();
        if declarations.is_empty() { self.unknown_input(name) } else { self.wrong_input(name, &declarations) }
    }

    fn unknown_input(&mut self, name: &Name) -> Option<usize> {
        self.fail(|resolver| {
            // An input may be offered with several signatures.
            let mut names: Vec<&str> = Vec::new();
            for input in &resolver.signature.inputs {
                if !names.contains(&input.name.as_str()) {
                    names.push(&input.name);
                }
            }
            let all = names.join("`, `");
            let all = if all.is_empty() {
                "the model offers no inputs".to_owned()
            } else {
                format!("the model offers `{all}`")
            };
            Diagnostic::error("FP0035", format!("the model offers no input `{}`", name.text))
                .at(name.span, "not offered")
                .help(suggest(&name.text, names, &all))
        })
    }

    fn wrong_input(&mut self, name: &Name, declarations: &[String]) -> Option<usize> {
        self.fail(|_| {
            let offered = declarations.join(", or ");
            Diagnostic::error("FP0036", format!("the input `{}` has other columns", name.text))
                .at(name.span, "declared with the wrong sorts")
                .help(format!("the model offers {offered}"))
        })
    }

    /// Resolves the bodies.
    pub(super) fn define_relations(&mut self, pending: Vec<Pending<'t>>) {
        for Pending { id, columns, body } in pending {
            assert!(self.mentions.len() as u32 == id.0, "bodies come in the order of relations");
            if let Some((body, fixpoint)) = body {
                self.enter(&columns, true);
                let formula = self.formula(body).unwrap_or(Formula::Const(false));
                self.leave(&columns);
                self.builder.system.relations[id].kind = match fixpoint {
                    Some(fixpoint) => RelationKind::Fixpoint(fixpoint, formula),
                    None => RelationKind::Define(formula),
                };
            }
            self.mentions.push(std::mem::take(&mut self.mentioned));
        }
    }

    pub(super) fn answer_queries(&mut self) {
        let tree = self.tree;
        let mut seen = rustc_hash::FxHashMap::default();
        for item in &tree.items {
            let ItemKind::Query(head, body) = &item.kind else { continue };
            if let Some(before) = seen.insert(&head.name.text, head.name.span) {
                self.declared_twice::<()>("query", &head.name, before);
            }
            let bound = self.bind(&head.binders);
            self.enter(&bound, true);
            let formula = self.formula(body).unwrap_or(Formula::Const(false));
            self.leave(&bound);
            let (name, free) = (head.name.text.as_ref().to_owned(), variables(&bound));
            self.builder.system.queries.push(Query { name, free, formula, span: head.name.span });
        }
        if self.builder.system.queries.is_empty() {
            self.fail::<()>(|_| {
                Diagnostic::error("FP0038", "this file asks nothing")
                    .help("end it with a question: `query reachable = exists u: State. Reach(u);`")
            });
        }
        self.mentions.push(std::mem::take(&mut self.mentioned));
    }

    pub(super) fn follow_hints(&mut self) {
        let tree = self.tree;
        for item in &tree.items {
            let ItemKind::Order(name, wishes) = &item.kind else { continue };
            let Some(known) = self.relation(name) else { continue };
            self.enter(&known.columns, true);
            wishes.iter().for_each(|wish| self.hint(wish));
            self.leave(&known.columns);
        }
    }

    fn hint(&mut self, wish: &'t Wish) {
        let (first, second) = (self.column(&wish.first), self.column(&wish.second));
        if let (Some(first), Some(second)) = (first, second) {
            let span = wish.first.span.to(wish.second.span);
            self.builder.system.hints.push(Hint { kind: wish.kind, first, second, span });
        }
    }
}

/// The variables of single values, in order.
pub(super) fn variables(bound: &[Bound<'_>]) -> Vec<VariableId> {
    bound.iter().filter_map(|variable| variable.place.as_ref()?.variables()).flatten().collect()
}

/// What the model offers: the declaration, and its columns where records hide them.
fn offer(signature: &Signature, input: &Input) -> String {
    let has_records = input.declaration.matches(':').count() < input.columns.len();
    let column = |sort: &Option<usize>| sort.map_or("Bool", |sort| signature.sorts[sort].name.as_str());
    let columns: Vec<&str> = input.columns.iter().map(column).collect();
    let columns = if has_records { format!(", with columns {}", columns.join(", ")) } else { String::new() };
    format!("`{}`{columns}", input.declaration)
}
