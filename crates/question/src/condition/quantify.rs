//! Quantifiers: `A i (0, 3) a[i] = 0` is the condition for each value, `E i (0, 3) ...` for one of them.

use std::ops::RangeInclusive;

use super::parse::Parser;
use super::part::{Kind, Part};
use super::{Read, wrong};
use crate::term::Term;
use program::Expr;

/// Most words that are read under quantifiers; a word counts once for each value.
const MOST_WORDS: u32 = 1 << 16;

/// Names that stand for numbers, innermost last, and the words that were read while there were any.
#[derive(Default)]
pub(super) struct Bound {
    values: Vec<(String, i128)>,
    n_words: u32,
}

impl Bound {
    /// The number that a name stands for.
    pub(super) fn value(&self, name: &str) -> Option<i128> {
        self.values.iter().rev().find(|(bound, _)| bound == name).map(|(_, value)| *value)
    }

    /// For which values a condition is read, as the end of a message.
    pub(super) fn described(&self) -> String {
        let one = |(name, value): &(String, i128)| format!("`{name}` is {value}");
        let all: Vec<String> = self.values.iter().map(one).collect();
        if all.is_empty() { String::new() } else { format!(", where {}", all.join(" and ")) }
    }

    /// Counts a word; false when there are too many.
    pub(super) fn afford(&mut self) -> bool {
        self.n_words += u32::from(!self.values.is_empty());
        self.n_words <= MOST_WORDS
    }
}

impl Parser<'_> {
    /// A quantified condition, if one begins here. What is quantified extends as far as it can.
    pub(super) fn quantified(&mut self) -> Read<Option<Part>> {
        let start = self.at;
        let Some((all, name)) = self.quantifier() else {
            self.at = start;
            return Ok(None);
        };
        let values = self.values()?;
        let body = self.at;
        let mut operands = Vec::new();
        // Without any value it is read for its mistakes, and for where it ends.
        let read = if values.is_empty() { *values.start()..=*values.start() } else { values.clone() };
        for value in read {
            self.at = body;
            self.bound.values.push((name.clone(), value));
            let (part, range) = self.ranged(|parser| parser.deeper(|parser| parser.level(0)))?;
            operands.push(self.boolean(part, range)?);
            self.bound.values.pop();
        }
        operands.truncate(if values.is_empty() { 0 } else { operands.len() });
        Ok(Some(Part::boolean(if all { Expr::all_of(operands) } else { Expr::any_of(operands) })))
    }

    /// `A i` or `E i`, if `(` follows. Otherwise these are variables.
    fn quantifier(&mut self) -> Option<(bool, String)> {
        let all = match self.word() {
            "A" => true,
            "E" => false,
            _ => return None,
        };
        self.skip_space();
        let name = self.word().to_owned();
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !name.contains(':');
        (is_name && self.eat("(")).then_some((all, name))
    }

    /// The range of a quantifier, behind the opening parenthesis.
    fn values(&mut self) -> Read<RangeInclusive<i128>> {
        let from = self.constant_number()?;
        if !self.eat(",") {
            return self.wrong_here("a comma and the end of the range are expected here");
        }
        let to = self.constant_number()?;
        if !self.eat(")") {
            return self.wrong_here("a closing parenthesis is expected here");
        }
        Ok(from..=to)
    }

    fn constant_number(&mut self) -> Read<i128> {
        let (part, range) = self.ranged(|parser| parser.term(0))?;
        match part.kind {
            Kind::Number(term) if term.as_constant().is_some() => Ok(term.as_constant().unwrap_or_default()),
            Kind::Name(name, range) => self.unknown(&name, range),
            _ => wrong(range, "the range of a quantifier is made of numbers"),
        }
    }

    /// The number that a name stands for, as a part.
    pub(super) fn bound_number(&self, name: &str) -> Option<Part> {
        Term::constant(self.bound.value(name)?).ok().map(Part::number)
    }
}
