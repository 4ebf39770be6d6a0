//! Variables with indices and fields.

use program::{Expr as Model, VariableId, When};
use question::term::{Term, TooWide};

use super::super::syntax::{Expr, Name};
use super::Lowering;
use super::declare::Entry;
use super::types::{Kind, Leaf, Range, Scalar, Shape};
use base::names::Symbol;

/// A variable or a part of it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// What it is.
    pub(super) shape: Shape,
    pub(super) parts: Vec<Part>,
}

/// One of the variables that a place consists of, perhaps only some of its elements.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) variable: VariableId,
    pub(super) when: When,
    pub(super) leaf: Leaf,
    /// Indices of the outer dimensions.
    pub(super) indices: Vec<Term>,
}

impl Place {
    /// A whole variable.
    pub(super) fn whole(entry: &Entry, when: When) -> Self {
        let part = |(variable, leaf): &(VariableId, Leaf)| Part {
            variable: *variable,
            when,
            leaf: leaf.clone(),
            indices: Vec::new(),
        };
        Self { shape: entry.shape.clone(), parts: entry.leaves.iter().map(part).collect() }
    }

    /// Whether the values of one can be those of the other.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.shape.kind == other.shape.kind
            && lengths(&self.shape.dims) == lengths(&other.shape.dims)
            && self.parts.len() == other.parts.len()
    }

    /// The only part of a single value.
    pub(super) fn scalar(&self) -> Option<(&Part, Scalar)> {
        match (self.shape.kind, self.parts.as_slice()) {
            (Kind::Scalar(scalar), [only]) if self.shape.dims.is_empty() => Some((only, scalar)),
            _ => None,
        }
    }
}

impl Part {
    /// All elements, in order: each with the indices of all dimensions.
    pub(super) fn elements(&self) -> Result<Vec<Self>, TooWide> {
        let mut all = vec![self.clone()];
        for (first, n) in self.leaf.dims.iter().skip(self.indices.len()) {
            let mut more = Vec::with_capacity(all.len() * *n as usize);
            for part in all {
                for at in 0..*n {
                    let mut part = part.clone();
                    part.indices.push(Term::constant(i128::from(*first) + i128::from(at))?);
                    more.push(part);
                }
            }
            all = more;
        }
        Ok(all)
    }

    /// The position of an element that has all its indices; undefined when one of them is out of range.
    pub(super) fn position(&self) -> Result<Term, TooWide> {
        let mut position = Term::constant(0)?;
        let mut in_range = Vec::new();
        for (index, (first, n)) in self.indices.iter().zip(&self.leaf.dims) {
            let first = i128::from(*first);
            in_range.push(index.fits(first, first + i128::from(*n) - 1)?);
            let inner = index.minus(&Term::constant(first)?)?;
            position = position.times(&Term::constant(i128::from(*n))?)?.plus(&inner)?;
        }
        Ok(position.when(Model::all_of(in_range)))
    }

    pub(super) fn read(&self) -> Model {
        Model::Read(self.variable, self.when)
    }
}

impl Lowering<'_> {
    /// What a name with indices and fields stands for.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Place> {
        match expr {
            Expr::Name(name) => self.variable(*name),
            Expr::Primed(name, primes, span) => self.after(*name, *primes, *span),
            Expr::Index(of, index, span) => {
                let mut place = self.place(of)?;
                let index = self.int(index)?;
                if place.shape.dims.is_empty() {
                    let text = self.source.slice(of.span());
                    return self.error(
                        "PD0137",
                        format!("`{text}` is not an array"),
                        *span,
                        "an index",
                        "leave it out",
                    );
                }
                place.shape.dims.remove(0);
                place.parts.iter_mut().for_each(|part| part.indices.push(index.clone()));
                Some(place)
            }
            Expr::Field(of, field) => {
                let place = self.place(of)?;
                self.field(place, of, *field)
            }
            other => {
                let help = "a variable, an element or a field can be assigned";
                self.error("PD0127", "this is not a variable".to_owned(), other.span(), "a value", help)
            }
        }
    }

    fn variable(&mut self, name: Name) -> Option<Place> {
        let local = self.modules.get(self.current).and_then(|module| module.locals.get(&name.symbol));
        if let Some(entry) = local.or_else(|| self.globals.get(&name.symbol)) {
            return Some(Place::whole(entry, When::Before));
        }
        let known = |it: &Self| {
            let locals = it.modules.get(it.current).into_iter().flat_map(|module| module.locals.keys());
            let mut known: Vec<Symbol> = locals.copied().collect();
            known.sort_unstable();
            known.extend(it.tree.globals.iter().map(|global| global.name.symbol));
            known
        };
        self.unknown("PD0121", "variable", name, known, "declare it before the statements")
    }

    fn field(&mut self, place: Place, of: &Expr, field: Name) -> Option<Place> {
        let text = self.source.slice(of.span());
        let (Kind::Struct(at), true) = (place.shape.kind, place.shape.dims.is_empty()) else {
            let help = if place.shape.dims.is_empty() { "only structures have fields" } else { "an index is missing" };
            return self.error("PD0136", format!("`{text}` has no fields"), field.span, "a field", help);
        };
        let fields = self.types.fields[at].clone();
        let Some((_, shape)) = fields.iter().find(|(name, _)| *name == field.symbol) else {
            let known = |_: &Self| fields.iter().map(|(name, _)| *name).collect();
            return self.unknown("PD0136", "field", field, known, "the structure does not have it");
        };
        let depth = |part: &Part| part.leaf.path.first() == Some(&field.symbol);
        let mut parts: Vec<Part> = place.parts.into_iter().filter(depth).collect();
        for part in &mut parts {
            part.leaf.path.remove(0);
        }
        Some(Place { shape: shape.clone(), parts })
    }
}

/// The dimensions without their first indices: what matters when a whole array is copied.
fn lengths(dims: &[Range]) -> Vec<u32> {
    dims.iter().map(|(_, n)| *n).collect()
}
