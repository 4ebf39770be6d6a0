//! Sorts exist, and every expression has one.

use std::borrow::Cow;
use std::fmt;

use super::{Defects, Part};
use crate::{Expr, Program, Sort, semantics};

/// Why an expression has no sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError {
    /// What does not fit, in words.
    pub message: String,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SortError {}

/// The sort of an expression whose ids are in range.
pub fn sort_of(program: &Program, expr: &Expr) -> Result<Sort, SortError> {
    sort_in(program, expr).map(Cow::into_owned)
}

const BOOL: Cow<'static, Sort> = Cow::Borrowed(&Sort::Bool);

pub(super) fn sort_in<'a>(program: &'a Program, expr: &'a Expr) -> Result<Cow<'a, Sort>, SortError> {
    match expr {
        Expr::Const(value, sort) => {
            check_sort(program, sort)?;
            if !sort.contains(program, value) {
                return Err(error(format!("the constant {value:?} is not of sort {}", name(program, sort))));
            }
            Ok(Cow::Borrowed(sort))
        }
        Expr::Read(variable, _) => Ok(Cow::Borrowed(program.sort(*variable))),
        Expr::Any => Ok(BOOL),
        Expr::Unary(op, operand) => {
            let sort = sort_in(program, operand)?;
            let result = semantics::unary_sort(*op, &sort);
            result.map(Cow::Owned).ok_or_else(|| error(format!("{op:?} is not defined on {}", name(program, &sort))))
        }
        Expr::Binary(op, left, right) => {
            let (left, right) = (sort_in(program, left)?, sort_in(program, right)?);
            let result = semantics::binary_sort(*op, &left, &right);
            result.map(Cow::Owned).ok_or_else(|| {
                error(format!("{op:?} is not defined on {} and {}", name(program, &left), name(program, &right)))
            })
        }
        Expr::Nary(op, operands) => {
            for operand in operands {
                expect(program, operand, &Sort::Bool, &format!("an operand of {op:?}"))?;
            }
            Ok(BOOL)
        }
        Expr::Ite(condition, then, otherwise) => {
            expect(program, condition, &Sort::Bool, "a condition")?;
            let sort = sort_in(program, then)?;
            expect(program, otherwise, &sort, "the other outcome of a condition")?;
            Ok(sort)
        }
        Expr::Index(array, index) => sort_of_element(program, array, index),
    }
}

fn sort_of_element<'a>(program: &'a Program, array: &'a Expr, index: &'a Expr) -> Result<Cow<'a, Sort>, SortError> {
    check_index(program, index)?;
    match sort_in(program, array)? {
        Cow::Borrowed(Sort::Array(element, _)) => Ok(Cow::Borrowed(element)),
        Cow::Owned(Sort::Array(element, _)) => Ok(Cow::Owned(*element)),
        other => Err(error(format!("{} is no array and has no elements", name(program, &other)))),
    }
}

pub(super) fn check_index(program: &Program, index: &Expr) -> Result<(), SortError> {
    match sort_in(program, index)?.as_ref() {
        Sort::Bits(_) | Sort::Int => Ok(()),
        other => Err(error(format!("an index is a bit vector or an integer, not {}", name(program, other)))),
    }
}

/// Checks that an expression has the sort that its place asks for.
pub(super) fn expect(program: &Program, expr: &Expr, sort: &Sort, what: &str) -> Result<(), SortError> {
    let found = sort_in(program, expr)?;
    if *found == *sort {
        return Ok(());
    }
    Err(error(format!("{what} is of sort {}, not {}", name(program, &found), name(program, sort))))
}

fn error(message: String) -> SortError {
    SortError { message }
}

/// A sort in words.
pub(super) fn name(program: &Program, sort: &Sort) -> String {
    match sort {
        Sort::Bool => "bool".into(),
        Sort::Bits(width) => format!("bits<{width}>"),
        Sort::Int => "int".into(),
        Sort::Enum(id) => program.enums.get(*id).map_or_else(|| format!("enum {}", id.0), |names| names.name.clone()),
        Sort::Array(element, n) => format!("[{}; {n}]", name(program, element)),
    }
}

fn check_sort(program: &Program, sort: &Sort) -> Result<(), SortError> {
    match sort {
        Sort::Bool | Sort::Int | Sort::Enum(_) => {}
        Sort::Bits(width) if (1..=Sort::MAX_BITS).contains(width) => {}
        Sort::Bits(width) => {
            return Err(error(format!("a bit vector has 1 to {} bits, not {width}", Sort::MAX_BITS)));
        }
        Sort::Array(_, 0) => return Err(error("an array has at least one element".into())),
        Sort::Array(element, _) => check_sort(program, element)?,
    }
    let n_bits = sort.n_bits(program);
    if n_bits > Sort::MAX_ARRAY_BITS {
        return Err(error(format!("an array has at most {} bits, not {n_bits}", Sort::MAX_ARRAY_BITS)));
    }
    Ok(())
}

pub(super) fn check(program: &Program, defects: &mut Defects) {
    for (id, enumeration) in program.enums.iter_ids() {
        let empty = enumeration.values.is_empty();
        defects.add_if(empty, Part::Enum(id), || format!("{} has no values", enumeration.name));
    }
    for (id, variable) in program.variables.iter_ids() {
        if let Err(error) = check_sort(program, &variable.sort) {
            defects.add(Part::Variable(id), format!("{}: {error}", variable.name));
        }
    }
}
