//! Types, and predicates with their columns.

use std::rc::Rc;

use base::Diagnostic;
use rustc_hash::FxHashMap;

use super::{Bound, Known, Resolver, Type};
use crate::syntax::{Declaration, Definition, Item, Name, Wish};
use base::names::suggest;
use calculus::build::{Builder, Shape};
use calculus::system::{Formula, Relation, RelationId, RelationKind, Sort, SortKind, VariableId};

/// A predicate whose body waits until all predicates are known.
pub(super) struct Pending<'t> {
    id: RelationId,
    columns: Rc<[Bound<'t>]>,
    definition: &'t Definition,
}

impl<'t> Resolver<'t> {
    pub(super) fn declare_types(&mut self) {
        let tree = self.tree;
        for item in &tree.items {
            match item {
                Item::Enum(name, values) => {
                    let shape = self.enumeration(name, values);
                    self.declare_type(name, shape, &[]);
                }
                Item::Range(name, low, high) => {
                    let shape = self.range(name, *low, *high);
                    self.declare_type(name, shape, &[]);
                }
                Item::Class(name, parts, wishes) => {
                    let shape = self.class(name, parts);
                    self.declare_type(name, shape, wishes);
                }
                Item::Definition(_) | Item::Query(..) | Item::Directive(_) => {}
            }
        }
    }

    fn declare_type(&mut self, name: &'t Name, shape: Option<Shape>, wishes: &'t [Wish]) {
        if let Some(before) = self.types.get(&*name.text) {
            let before = before.span;
            self.declared_twice::<()>("type", name, before);
        } else if &*name.text == "bool" {
            self.declared_twice::<()>("type", name, name.span);
        } else {
            self.types.insert(&name.text, Type { shape, wishes, span: name.span });
        }
    }

    fn enumeration(&mut self, name: &Name, values: &'t [Name]) -> Option<Shape> {
        let names = values.iter().map(|value| value.text.as_ref().to_owned()).collect();
        let sort = Sort { name: name.text.as_ref().to_owned(), kind: SortKind::Enum(names) };
        let id = self.builder.system.sorts.push(sort);
        let mut seen = FxHashMap::default();
        for (at, value) in values.iter().enumerate() {
            if let Some(before) = seen.insert(&*value.text, value.span) {
                self.declared_twice::<()>("value", value, before);
                continue;
            }
            self.constants.entry(&value.text).or_default().push((id, at as u64));
        }
        Some(Shape::Single(id))
    }

    fn range(&mut self, name: &Name, low: u64, high: u64) -> Option<Shape> {
        if low <= high {
            return Some(Shape::Single(self.builder.range(low, high)));
        }
        self.fail(|_| {
            Diagnostic::error("MU0033", format!("the range {low}..{high} is empty"))
                .at(name.span, "declared here")
                .help("the first number is not greater than the last")
        })
    }

    fn class(&mut self, name: &Name, parts: &'t [Declaration]) -> Option<Shape> {
        let mut seen = FxHashMap::default();
        let mut fields = Some(Vec::new());
        for part in parts {
            let shape = self.shape(part);
            if let Some(before) = seen.insert(&*part.name.text, part.name.span) {
                self.declared_twice::<()>("component", &part.name, before);
                continue;
            }
            match (&mut fields, shape) {
                (Some(fields), Some(shape)) => fields.push((part.name.text.as_ref().to_owned(), shape)),
                _ => fields = None,
            }
        }
        match Shape::record(&name.text, fields?) {
            Ok(shape) => Some(shape),
            Err(_) => self.too_large(name.span),
        }
    }

    /// What a declared variable or component consists of.
    fn shape(&mut self, declaration: &'t Declaration) -> Option<Shape> {
        let of = self.named_type(&declaration.of)?;
        let Some(size) = declaration.size else { return Some(of) };
        match Shape::array(of, 0, size) {
            Ok(shape) => Some(shape),
            Err(_) => self.too_large(declaration.name.span),
        }
    }

    fn named_type(&mut self, name: &'t Name) -> Option<Shape> {
        if &*name.text == "bool" {
            return Some(Shape::Single(Builder::BOOL));
        }
        if let Some(known) = self.types.get(&*name.text) {
            return known.shape.clone();
        }
        self.fail(|resolver| {
            let mut names: Vec<&str> = resolver.types.keys().copied().chain(["bool"]).collect();
            names.sort_unstable();
            Diagnostic::error("MU0021", format!("there is no type `{}`", name.text))
                .at(name.span, "not declared before")
                .help(suggest(&name.text, names, "declare it with `enum` or `class`"))
        })
    }

    /// New variables, in order.
    pub(super) fn bind(&mut self, declarations: &'t [Declaration]) -> Vec<Bound<'t>> {
        let mut bound = Vec::new();
        let mut seen = FxHashMap::default();
        for declaration in declarations {
            let name = &declaration.name;
            if let Some(before) = seen.insert(&*name.text, name.span) {
                self.declared_twice::<()>("variable", name, before);
                continue;
            }
            let shape = self.shape(declaration);
            let place = shape.and_then(|shape| match self.builder.declare(&name.text, &shape) {
                Ok(place) => Some(place),
                Err(_) => self.too_large(name.span),
            });
            bound.push(Bound { name, place });
        }
        bound
    }

    /// Makes variables visible.
    pub(super) fn enter(&mut self, bound: &[Bound<'t>]) {
        for Bound { name, place } in bound {
            self.scope.entry(&name.text).or_default().push(place.clone());
        }
    }

    /// Makes variables invisible again.
    pub(super) fn leave(&mut self, bound: &[Bound<'t>]) {
        for Bound { name, .. } in bound {
            self.scope.get_mut(&*name.text).and_then(Vec::pop);
        }
    }

    /// Gives ids to all predicates that have a body. A prototype only says that one will come.
    pub(super) fn declare_predicates(&mut self) -> Vec<Pending<'t>> {
        let tree = self.tree;
        let mut pending = Vec::new();
        let definitions = || {
            tree.items.iter().filter_map(|item| match item {
                Item::Definition(definition) => Some(&**definition),
                _ => None,
            })
        };
        for definition in definitions().filter(|definition| definition.body.is_some()) {
            pending.extend(self.declare_predicate(definition));
        }
        for prototype in definitions().filter(|definition| definition.body.is_none()) {
            self.check_prototype(prototype);
        }
        pending
    }

    fn declare_predicate(&mut self, definition: &'t Definition) -> Option<Pending<'t>> {
        let name = &definition.name;
        if let Some(before) = self.predicates.get(&*name.text) {
            let before = before.span;
            return self.declared_twice("predicate", name, before);
        }
        let columns: Rc<[Bound<'t>]> = self.bind(&definition.parameters).into();
        let relation = Relation {
            name: name.text.as_ref().to_owned(),
            columns: variables(&columns),
            kind: RelationKind::Define(Formula::Const(false)),
            span: name.span,
        };
        let id = self.builder.system.relations.push(relation);
        self.predicates.insert(&name.text, Known { id, columns: Rc::clone(&columns), span: name.span });
        self.hints(definition, &columns);
        Some(Pending { id, columns, definition })
    }

    /// A prototype has the columns of the definition.
    fn check_prototype(&mut self, prototype: &'t Definition) {
        let name = &prototype.name;
        let Some(known) = self.predicates.get(&*name.text).cloned() else {
            return self.never_defined(name);
        };
        let shapes: Vec<Option<Shape>> = prototype.parameters.iter().map(|parameter| self.shape(parameter)).collect();
        let same = |(shape, column): (&Option<Shape>, &Bound<'_>)| match (shape, &column.place) {
            (Some(shape), Some(place)) => *shape == place.shape,
            _ => true,
        };
        if shapes.len() != known.columns.len() || !shapes.iter().zip(&*known.columns).all(same) {
            self.fail::<()>(|_| {
                Diagnostic::error("MU0036", format!("the definition of `{}` has other parameters", name.text))
                    .at(name.span, "declared here")
                    .also(known.span, "defined here")
            });
        }
    }

    fn never_defined(&mut self, name: &Name) {
        self.fail::<()>(|_| {
            Diagnostic::error("MU0032", format!("`{}` is declared but not defined", name.text))
                .at(name.span, "a prototype")
                .help("define it further below, with a formula behind its parameters")
        });
    }

    /// Resolves the bodies.
    pub(super) fn define_predicates(&mut self, pending: Vec<Pending<'t>>) {
        for Pending { id, columns, definition } in pending {
            assert!(self.mentions.len() as u32 == id.0, "bodies come in the order of predicates");
            if let Some(body) = &definition.body {
                self.enter(&columns);
                let formula = self.formula(body).unwrap_or(Formula::Const(false));
                self.leave(&columns);
                self.builder.system.relations[id].kind = match definition.fixpoint {
                    Some(fixpoint) => RelationKind::Fixpoint(fixpoint, formula),
                    None => RelationKind::Define(formula),
                };
            }
            self.mentions.push(std::mem::take(&mut self.mentioned));
        }
    }
}

/// The variables of single values, in order.
pub(super) fn variables(bound: &[Bound<'_>]) -> Vec<VariableId> {
    bound.iter().filter_map(|variable| variable.place.as_ref()?.variables()).flatten().collect()
}
