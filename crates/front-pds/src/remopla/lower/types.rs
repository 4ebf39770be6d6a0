//! What kinds of values there are.

use base::Span;
use program::{EnumId, Sort};
use question::Written;
use rustc_hash::FxHashMap;

use super::super::syntax::{self, Declaration, Dim, Type};
use super::Lowering;
use base::names::Symbol;

/// A structure may consist of so many variables.
const MOST_LEAVES: usize = 4_096;

/// Structures may nest so deeply.
const DEEPEST: usize = 64;

/// A single value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Scalar {
    Bool,
    Int { bits: u32, signed: bool },
    Enum(EnumId),
}

impl Scalar {
    fn sort(self) -> Sort {
        match self {
            Self::Bool => Sort::Bool,
            Self::Int { bits, .. } => Sort::Bits(bits),
            Self::Enum(id) => Sort::Enum(id),
        }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Bool => "a Boolean",
            Self::Int { .. } => "an integer",
            Self::Enum(_) => "a value of an enumeration",
        }
    }
}

/// First index and number of elements.
pub(super) type Range = (i64, u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Scalar(Scalar),
    /// Position among the structures.
    Struct(usize),
}

/// The kind of a variable, and its dimensions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) dims: Vec<Range>,
}

/// One of the variables that a variable consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Leaf {
    /// Fields, from the outside in.
    pub(super) path: Vec<Symbol>,
    pub(super) scalar: Scalar,
    /// All dimensions, from the outside in.
    pub(super) dims: Vec<Range>,
}

impl Leaf {
    /// Number of elements in all.
    pub(super) fn n(&self) -> u64 {
        self.dims.iter().fold(1, |n, (_, more)| n.saturating_mul(u64::from(*more)))
    }

    pub(super) fn sort(&self) -> Sort {
        let element = self.scalar.sort();
        if self.dims.is_empty() { element } else { Sort::Array(Box::new(element), self.n() as u32) }
    }

    /// How values are written.
    pub(super) fn written(&self) -> Written {
        let signed = matches!(self.scalar, Scalar::Int { signed: true, .. });
        Written { signed, indices: self.dims.clone() }
    }

    fn n_bits(&self) -> u64 {
        let bits = match self.scalar {
            Scalar::Int { bits, .. } => u64::from(bits),
            Scalar::Bool | Scalar::Enum(_) => 32,
        };
        self.n().saturating_mul(bits)
    }
}

/// All types.
#[derive(Debug, Default)]
pub(super) struct Types {
    enums: FxHashMap<Symbol, EnumId>,
    structs: FxHashMap<Symbol, usize>,
    /// By position in the tree.
    pub(super) enum_ids: Vec<EnumId>,
    pub(super) fields: Vec<Vec<(Symbol, Shape)>>,
    leaves: Vec<Vec<Leaf>>,
    /// The names of values.
    pub(super) values: FxHashMap<Symbol, (EnumId, u32, Span)>,
}

impl Lowering<'_> {
    pub(super) fn types(&mut self) {
        let tree = self.tree;
        for (at, enumeration) in tree.enums.iter().enumerate() {
            self.enumeration(at, enumeration);
        }
        for (at, structure) in tree.structs.iter().enumerate() {
            let (fields, leaves) = self.structure(structure);
            self.types.fields.push(fields);
            self.types.leaves.push(leaves);
            if let Some(name) = structure.name {
                self.types.structs.insert(name.symbol, at);
            }
        }
    }

    fn enumeration(&mut self, at: usize, enumeration: &syntax::Enumeration) {
        let text = enumeration.name.map_or_else(|| format!("enum{at}"), |name| self.text(name).to_owned());
        let values = enumeration.values.iter().map(|value| self.text(*value).to_owned()).collect();
        let id = self.builder.enumeration(text, values);
        self.types.enum_ids.push(id);
        if let Some(name) = enumeration.name
            && self.types.enums.insert(name.symbol, id).is_some()
        {
            let first = self.tree.enums.iter().find_map(|other| other.name.filter(|it| it.symbol == name.symbol));
            self.twice::<()>(name, first.map_or(name.span, |first| first.span));
        }
        for (position, value) in enumeration.values.iter().enumerate() {
            match self.types.values.get(&value.symbol) {
                Some((_, _, first)) => {
                    let first = *first;
                    self.twice::<()>(*value, first);
                }
                None => drop(self.types.values.insert(value.symbol, (id, position as u32, value.span))),
            }
        }
    }

    fn structure(&mut self, structure: &syntax::Structure) -> (Vec<(Symbol, Shape)>, Vec<Leaf>) {
        let (mut fields, mut leaves): (Vec<(Symbol, Shape)>, Vec<Leaf>) = (Vec::new(), Vec::new());
        for field in &structure.fields {
            if fields.iter().any(|(name, _)| *name == field.name.symbol) {
                self.twice::<()>(field.name, field.name.span);
                continue;
            }
            let shape = self.shape_or_wrong(field);
            for leaf in self.leaves(&shape) {
                let path = std::iter::once(field.name.symbol).chain(leaf.path).collect();
                leaves.push(Leaf { path, ..leaf });
            }
            fields.push((field.name.symbol, shape));
        }
        let too_deep = leaves.iter().any(|leaf| leaf.path.len() > DEEPEST);
        if leaves.len() > MOST_LEAVES || too_deep {
            let place = structure.fields.first().map_or(self.source.end(), |field| field.name.span);
            let message = format!("a structure consists of more than {MOST_LEAVES} variables, or nests too deeply");
            self.error::<()>("PD0126", message, place, "in this structure", "use arrays, or fewer fields");
            leaves.truncate(1);
            leaves.iter_mut().for_each(|leaf| leaf.path.truncate(1));
        }
        (fields, leaves)
    }

    /// The variables that a variable of a shape consists of.
    pub(super) fn leaves(&self, shape: &Shape) -> Vec<Leaf> {
        match shape.kind {
            Kind::Scalar(scalar) => vec![Leaf { path: Vec::new(), scalar, dims: shape.dims.clone() }],
            Kind::Struct(at) => {
                let inner = self.types.leaves.get(at).map_or(&[][..], Vec::as_slice);
                let within =
                    |leaf: &Leaf| Leaf { dims: shape.dims.iter().chain(&leaf.dims).copied().collect(), ..leaf.clone() };
                inner.iter().map(within).collect()
            }
        }
    }

    /// The shape, or one that serves as well after an error.
    pub(super) fn shape_or_wrong(&mut self, declaration: &Declaration) -> Shape {
        let wrong = Shape { kind: Kind::Scalar(Scalar::Bool), dims: Vec::new() };
        self.shape(declaration).unwrap_or(wrong)
    }

    /// The shape, or nothing after an error has been reported.
    pub(super) fn shape(&mut self, declaration: &Declaration) -> Option<Shape> {
        let kind = match declaration.ty {
            Type::Bool => Kind::Scalar(Scalar::Bool),
            Type::Int { signed } => Kind::Scalar(self.int_scalar(declaration, signed)?),
            Type::Enum(at) => Kind::Scalar(Scalar::Enum(*self.types.enum_ids.get(at)?)),
            Type::Struct(at) => Kind::Struct(at),
            Type::Named(name) => {
                let of_enum = self.types.enums.get(&name.symbol).map(|id| Kind::Scalar(Scalar::Enum(*id)));
                match of_enum.or(self.types.structs.get(&name.symbol).map(|at| Kind::Struct(*at))) {
                    Some(kind) => kind,
                    None => {
                        let known = |it: &Self| {
                            let enums = it.tree.enums.iter().filter_map(|it| it.name);
                            let structs = it.tree.structs.iter().filter_map(|it| it.name);
                            enums.chain(structs).map(|name| name.symbol).collect()
                        };
                        return self.unknown("PD0135", "type", name, known, "declare it before its use");
                    }
                }
            }
        };
        if let (Some(bits), false) = (&declaration.bits, matches!(declaration.ty, Type::Int { .. })) {
            let help = "only integers have a number of bits";
            return self.error("PD0124", "this type has no width".to_owned(), bits.span(), "a width", help);
        }
        let dims: Vec<Option<Range>> = declaration.dims.iter().map(|dim| self.dim(dim)).collect();
        let dims = dims.into_iter().collect::<Option<Vec<Range>>>()?;
        let shape = Shape { kind, dims };
        if self.leaves(&shape).iter().any(|leaf| leaf.n_bits() > Sort::MAX_ARRAY_BITS) {
            let message = format!("the array `{}` is too large", self.text(declaration.name));
            let help = format!("an array has at most {} bits", Sort::MAX_ARRAY_BITS);
            return self.error("PD0126", message, declaration.name.span, "too large", &help);
        }
        Some(shape)
    }

    fn int_scalar(&mut self, declaration: &Declaration, signed: bool) -> Option<Scalar> {
        let default = if signed { "DEFAULT_SIGNED_INT_BITS" } else { "DEFAULT_INT_BITS" };
        let (value, span) = match &declaration.bits {
            Some(bits) => (self.constant(bits)?, bits.span()),
            // The width of Moped 2 when nothing is said.
            None => (self.define(default).unwrap_or(8), declaration.name.span),
        };
        let bits = u32::try_from(value).ok().filter(|bits| (1..=Sort::MAX_BITS).contains(bits));
        let Some(bits) = bits else {
            let message = format!("`{}` cannot have {value} bits", self.text(declaration.name));
            let help = format!("an integer has 1 to {} bits", Sort::MAX_BITS);
            return self.error("PD0124", message, span, "the width", &help);
        };
        Some(Scalar::Int { bits, signed })
    }

    fn dim(&mut self, dim: &Dim) -> Option<Range> {
        let (first, last, span) = match &dim.last {
            None => (0, self.constant(&dim.first)? - 1, dim.first.span()),
            Some(last) => (self.constant(&dim.first)?, self.constant(last)?, dim.first.span().to(last.span())),
        };
        let n = u32::try_from(last - first + 1).ok().filter(|n| *n > 0);
        match (u32::try_from(first), n) {
            (Ok(first), Some(n)) => Some((i64::from(first), n)),
            _ => {
                let help = "an array has at least one element, and its indices are not negative";
                self.error(
                    "PD0125",
                    format!("an array cannot have the indices {first} to {last}"),
                    span,
                    "the indices",
                    help,
                )
            }
        }
    }
}
