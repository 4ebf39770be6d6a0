//! Expressions of the model.

use base::Span;
use program::{BinaryOp, EnumId, Expr as Model, NaryOp, Sort, Value};
use question::term::{self, Array, Order, Term, TooWide};

use super::super::syntax::{Expr, Operator, Quantifier};
use super::Lowering;
use super::place::{Part, Place};
use super::types::Scalar;
use crate::allowance::Spent;

/// The quantifiers of a statement may make so many parts.
const MOST_PARTS: usize = 1_000_000;

/// A value of any type.
#[derive(Clone, Debug)]
pub(super) enum Typed {
    /// As a condition, in which an element that does not exist is false, and so is a comparison with one; then whether
    /// everything that is read exists.
    Bool(Model, Model),
    Int(Term),
    /// With the condition under which there is a value.
    Enum(EnumId, Model, Model),
    /// An array or a structure.
    Whole(Place),
}

impl Typed {
    fn describe(&self) -> &'static str {
        match self {
            Self::Bool(..) => "a Boolean",
            Self::Int(_) => "an integer",
            Self::Enum(..) => "a value of an enumeration",
            Self::Whole(_) => "an array or a structure",
        }
    }
}

impl Lowering<'_> {
    /// A value of any type, or nothing after an error has been reported.
    pub(super) fn typed(&mut self, expr: &Expr) -> Option<Typed> {
        match expr {
            Expr::Number(value, span) => self.fit(Term::constant(*value), *span).map(Typed::Int),
            Expr::Bool(value, _) => Some(Typed::Bool(Model::bool(*value), Model::TRUE)),
            Expr::Name(name) => {
                if let Some((_, value)) = self.slots.iter().rev().find(|(slot, _)| *slot == name.symbol) {
                    return self.fit(Term::constant(*value), name.span).map(Typed::Int);
                }
                if let Some((value, _)) = self.constants.get(&name.symbol) {
                    return self.fit(Term::constant(*value), name.span).map(Typed::Int);
                }
                if let Some((id, position, _)) = self.types.values.get(&name.symbol) {
                    let value = Model::Const(Value::Enum(*position), Sort::Enum(*id));
                    return Some(Typed::Enum(*id, value, Model::TRUE));
                }
                let place = self.place(expr)?;
                self.read(place, expr.span())
            }
            Expr::Primed(..) | Expr::Index(..) | Expr::Field(..) => {
                let place = self.place(expr)?;
                self.read(place, expr.span())
            }
            Expr::Not(inner, _) => self.flag(inner).map(|(inner, defined)| Typed::Bool(inner.not(), defined)),
            Expr::Chain(operands, span) => self.chain(operands, *span),
            Expr::Quantified(quantifier, body, span) => self.quantified(quantifier, body, *span),
        }
    }

    /// The value of a place.
    pub(super) fn read(&mut self, place: Place, span: Span) -> Option<Typed> {
        let Some((part, scalar)) = place.scalar() else { return Some(Typed::Whole(place)) };
        let read = self::read(part, scalar);
        self.fit(read, span)
    }

    /// Reports a term that is too wide.
    pub(super) fn fit<T>(&mut self, result: Result<T, TooWide>, span: Span) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(TooWide) => {
                let message = "the values of this term may need more than 64 bits".to_owned();
                self.error("PD0142", message, span, "too large", "make the variables narrower")
            }
        }
    }

    /// Counts a part of a quantified statement or expression.
    pub(super) fn afford(&mut self, span: Span) -> Option<()> {
        match self.allowance.spend(&mut self.n_parts, MOST_PARTS) {
            Spent::Well => Some(()),
            Spent::TooMuch(what) => {
                let message = "the quantifiers of this statement stand for too many cases".to_owned();
                self.error("PD0140", message, span, &what, "make the ranges smaller")
            }
            Spent::InVain => None,
        }
    }

    fn wrong<T>(&mut self, expected: &str, found: &str, span: Span) -> Option<T> {
        let text = self.source.slice(span);
        let message = format!("`{text}` is {found}, not {expected}");
        self.error("PD0127", message, span, &format!("{expected} is expected here"), "")
    }

    /// A condition.
    pub(super) fn bool(&mut self, expr: &Expr) -> Option<Model> {
        self.flag(expr).map(|(value, _)| value)
    }

    /// A Boolean, as a condition, and whether everything that is read exists.
    fn flag(&mut self, expr: &Expr) -> Option<(Model, Model)> {
        match self.typed(expr)? {
            Typed::Bool(value, defined) => Some((value, defined)),
            other => self.wrong("a Boolean", other.describe(), expr.span()),
        }
    }

    /// An integer.
    pub(super) fn int(&mut self, expr: &Expr) -> Option<Term> {
        match self.typed(expr)? {
            Typed::Int(value) => Some(value),
            other => self.wrong("an integer", other.describe(), expr.span()),
        }
    }

    fn quantified(&mut self, quantifier: &Quantifier, body: &Expr, span: Span) -> Option<Typed> {
        let [from, to] = &quantifier.range;
        let (from, to) = (self.constant(from)?, self.constant(to)?);
        let mut operands = Vec::new();
        for value in from..=to {
            self.afford(span)?;
            self.slots.push((quantifier.name.symbol, value));
            let operand = self.flag(body);
            self.slots.pop();
            operands.push(operand?);
        }
        Some(if quantifier.all { conjunction(operands) } else { disjunction(operands) })
    }

    fn chain(&mut self, operands: &[(Operator, Expr)], span: Span) -> Option<Typed> {
        let (operator, _) = operands.get(1)?;
        if matches!(operator, Operator::Or | Operator::Xor | Operator::And) {
            let all: Vec<Option<(Model, Model)>> = operands.iter().map(|(_, operand)| self.flag(operand)).collect();
            let all: Vec<(Model, Model)> = all.into_iter().collect::<Option<_>>()?;
            return Some(match operator {
                Operator::Or => disjunction(all),
                Operator::And => conjunction(all),
                _ => {
                    let (all, defined): (_, Vec<Model>) = all.into_iter().unzip();
                    Typed::Bool(Model::Nary(NaryOp::Xor, all), Model::all_of(defined))
                }
            });
        }
        let mut operands = operands.iter();
        let (_, first) = operands.next()?;
        let mut result = self.typed(first)?;
        for (operator, operand) in operands {
            let right = self.typed(operand)?;
            result = self.binary(*operator, result, right, span)?;
        }
        Some(result)
    }

    /// Operands of the wrong type; in rules, equality of integers is not that of Booleans.
    fn other_equality<T>(&mut self, what: &str, write: &str, span: Span) -> Option<T> {
        if !self.in_rule {
            return self.wrong("a Boolean", "an integer", span);
        }
        let message = format!("`{}`: the operator is not for {what}", self.source.slice(span));
        self.error(
            "PD0127",
            message,
            span,
            &format!("two {what}"),
            &format!("in rules, {what} are compared by `{write}`"),
        )
    }

    pub(super) fn binary(&mut self, operator: Operator, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        match (left, right) {
            (Typed::Int(left), Typed::Int(right)) => {
                let result = integers(operator, &left, &right);
                self.fit(result, span)?.or_else(|| self.other_equality("integers", "=", span))
            }
            (Typed::Bool(..), Typed::Bool(..)) if self.in_rule && operator != Operator::Iff => {
                self.other_equality("Booleans", "==", span)
            }
            (Typed::Bool(left, defined), Typed::Bool(right, also)) => {
                let equal = left.eq(right);
                let value = match operator {
                    Operator::Iff | Operator::Equal => equal,
                    Operator::NotEqual => equal.not(),
                    _ => return self.wrong("made of integers", "made of Booleans", span),
                };
                Some(Typed::Bool(value, Model::all_of(vec![defined, also])))
            }
            (Typed::Enum(a, left, defined), Typed::Enum(b, right, also)) if a == b => {
                let equal = left.eq(right);
                let value = match operator {
                    Operator::Equal => equal,
                    Operator::NotEqual => equal.not(),
                    _ => return self.wrong("made of integers", "made of values of an enumeration", span),
                };
                let defined = Model::all_of(vec![defined, also]);
                Some(Typed::Bool(Model::all_of(vec![defined.clone(), value]), defined))
            }
            (Typed::Whole(left), Typed::Whole(right))
                if self.in_rule && matches!(operator, Operator::Equal | Operator::NotEqual) =>
            {
                let equal = self.equal(&left, &right, span)?;
                let value = if operator == Operator::Equal { equal } else { equal.not() };
                Some(Typed::Bool(value, Model::TRUE))
            }
            (left, right) => {
                let text = self.source.slice(span);
                let (left, right) = (left.describe(), right.describe());
                let message = format!("`{text}`: {left} and {right} do not go together");
                self.error("PD0127", message, span, "of different types", "")
            }
        }
    }
}

/// All of them; decided as soon as one is false, whatever becomes of the others.
fn conjunction(operands: Vec<(Model, Model)>) -> Typed {
    let decided = decided(&operands, |value| value.clone().not());
    Typed::Bool(Model::all_of(operands.into_iter().map(|(value, _)| value)), decided)
}

/// One of them; decided as soon as one is true, whatever becomes of the others.
fn disjunction(operands: Vec<(Model, Model)>) -> Typed {
    let decided = decided(&operands, Model::clone);
    Typed::Bool(Model::any_of(operands.into_iter().map(|(value, _)| value)), decided)
}

/// Whether everything that is read exists, or one operand decides alone.
fn decided(operands: &[(Model, Model)], decides: impl Fn(&Model) -> Model) -> Model {
    let all: Vec<Model> = operands.iter().map(|(_, defined)| defined.clone()).collect();
    if all.iter().all(|defined| *defined == Model::TRUE) {
        return Model::TRUE;
    }
    let alone = operands.iter().map(|(value, defined)| Model::all_of(vec![defined.clone(), decides(value)]));
    Model::any_of(alone.chain([Model::all_of(all)]))
}

/// An operation on integers; none when the operator is for Booleans.
fn integers(operator: Operator, left: &Term, right: &Term) -> Result<Option<Typed>, TooWide> {
    let compare = |order, left: &Term, right: &Term| {
        let defined = Model::all_of(vec![left.defined(), right.defined()]);
        term::compare(order, left, right).map(|value| Some(Typed::Bool(value, defined)))
    };
    let number = |term: Result<Term, TooWide>| term.map(|term| Some(Typed::Int(term)));
    match operator {
        Operator::Less => compare(Order::Less, left, right),
        Operator::LessEqual => compare(Order::LessEqual, left, right),
        Operator::Equal => compare(Order::Equal, left, right),
        Operator::NotEqual => compare(Order::NotEqual, left, right),
        Operator::GreaterEqual => compare(Order::LessEqual, right, left),
        Operator::Greater => compare(Order::Less, right, left),
        Operator::BitOr => number(left.bitwise(BinaryOp::BitOr, right)),
        Operator::BitXor => number(left.bitwise(BinaryOp::BitXor, right)),
        Operator::BitAnd => number(left.bitwise(BinaryOp::BitAnd, right)),
        Operator::ShiftLeft => number(left.shifted_left(right)),
        Operator::ShiftRight => number(left.shifted_right(right)),
        Operator::Plus => number(left.plus(right)),
        Operator::Minus => number(left.minus(right)),
        Operator::Times => number(left.times(right)),
        Operator::Divide => number(left.divided_by(right)),
        Operator::Or | Operator::Xor | Operator::And | Operator::Iff => Ok(None),
    }
}

/// A single value with all its indices.
pub(super) fn read(part: &Part, scalar: Scalar) -> Result<Typed, TooWide> {
    let of_int = |expr: Model| match scalar {
        Scalar::Int { bits, signed: true } => Term::signed(expr, bits),
        Scalar::Int { bits, signed: false } => Term::unsigned(expr, bits),
        Scalar::Bool | Scalar::Enum(_) => Term::unsigned(expr, 1),
    };
    let expr = part.read();
    if part.leaf.dims.is_empty() {
        return Ok(match scalar {
            Scalar::Bool => Typed::Bool(expr, Model::TRUE),
            Scalar::Int { .. } => Typed::Int(of_int(expr)),
            Scalar::Enum(id) => Typed::Enum(id, expr, Model::TRUE),
        });
    }
    let array = Array { array: expr, first: 0, n: part.leaf.n() as u32 };
    let position = part.position()?;
    Ok(match scalar {
        Scalar::Bool => {
            let (value, defined) = position.pick(array)?;
            Typed::Bool(Model::all_of(vec![defined.clone(), value]), defined)
        }
        Scalar::Int { .. } => Typed::Int(position.element(array, of_int)?),
        Scalar::Enum(id) => {
            let (value, defined) = position.pick(array)?;
            Typed::Enum(id, value, defined)
        }
    })
}
