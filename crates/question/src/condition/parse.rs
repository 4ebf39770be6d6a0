//! Text to conditions, by recursive descent.

use std::ops::Range;

use super::names::Names;
use super::operators::{COMPARISONS, operator};
use super::part::{Kind, Part, element_at, never_there};
use super::quantify::Bound;
use super::{Condition, Read, wrong};
use crate::term::{Term, TooWide};
use crate::{Connective, Written};
use program::{BinaryOp, Expr, NaryOp, ProcedureId, Scope, Sort, VariableId};

/// Deepest nesting.
const MAX_DEPTH: u32 = 200;

/// Longest chain of operators whose outcome is as deep as the chain is long.
const MAX_CHAIN: usize = 1_000;

/// Reads a whole condition.
pub(super) fn condition(names: Names<'_>, text: &str) -> Read<Condition> {
    let mut parser = Parser { names, text, at: 0, depth: 0, procedure: None, bound: Bound::default() };
    let part = parser.level(0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return parser.wrong_here("an operator or the end of the condition is expected here");
    }
    let expr = parser.boolean(part, 0..text.len())?;
    Ok((expr, parser.procedure))
}

pub(super) struct Parser<'a> {
    pub(super) names: Names<'a>,
    text: &'a str,
    pub(super) at: usize,
    depth: u32,
    procedure: Option<ProcedureId>,
    pub(super) bound: Bound,
}

impl<'a> Parser<'a> {
    pub(super) fn wrong_here<T>(&self, message: impl Into<String>) -> Read<T> {
        let end = self.text[self.at..].chars().next().map_or(self.at, |next| self.at + next.len_utf8());
        wrong(self.at..end, message)
    }

    pub(super) fn skip_space(&mut self) {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(symbol);
        self.at += if found { symbol.len() } else { 0 };
        found
    }

    /// The next operator, if it is one of these.
    fn eat_operator(&mut self, symbols: &[&'static str]) -> Option<&'static str> {
        self.skip_space();
        let found = operator(&self.text[self.at..]).filter(|symbol| symbols.contains(symbol))?;
        self.at += found.len();
        Some(found)
    }

    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong_here("the condition is nested too deeply");
        }
        let read = inner(self);
        self.depth -= 1;
        read
    }

    /// A part as a condition; a Boolean element that does not exist is false.
    pub(super) fn boolean(&self, part: Part, range: Range<usize>) -> Read<Expr> {
        let exists = part.exists();
        match part.kind {
            Kind::Boolean(expr) => Ok(exists.and(expr)),
            Kind::Name(name, range) => self.unknown(&name, range),
            Kind::Number(..) | Kind::Other(..) | Kind::Array(..) | Kind::List(_) => {
                let by_source = self.names.writing.notation.joins_by_equality();
                let hint = if by_source && self.text.contains("==") {
                    "; as in the source, `==` binds looser than `&`, `|` and `^`"
                } else {
                    ""
                };
                wrong(range, format!("this is not a condition: compare it with something{hint}"))
            }
        }
    }

    /// The word that is next; nothing if there is none.
    pub(super) fn word(&mut self) -> &'a str {
        let braces = !self.names.writing.notation.braces_group;
        let start = self.at;
        self.at += word_length(&self.text[start..], braces);
        &self.text[start..self.at]
    }

    pub(super) fn unknown<T>(&self, name: &str, range: Range<usize>) -> Read<T> {
        wrong(range, self.names.unknown(name))
    }

    /// Conditions joined by the connective of a level, or of a tighter one.
    pub(super) fn level(&mut self, at: usize) -> Read<Part> {
        let Some((connective, symbols)) = self.names.writing.notation.connectives.get(at) else { return self.not() };
        self.skip_space();
        let start = self.at;
        let first = self.level(at + 1)?;
        match connective {
            Connective::Iff => self.iff(at, symbols, first, start),
            Connective::Implies => self.implies(at, symbols, first, start),
            Connective::Or => self.chain(at, symbols, NaryOp::Or, first, start),
            Connective::Xor => self.chain(at, symbols, NaryOp::Xor, first, start),
            Connective::And => self.chain(at, symbols, NaryOp::And, first, start),
        }
    }

    fn chain(&mut self, at: usize, symbols: &[&'static str], op: NaryOp, first: Part, start: usize) -> Read<Part> {
        if self.names.writing.notation.bitwise && symbols[0].len() == 1 && matches!(first.kind, Kind::Number(_)) {
            return self.bitwise(at, symbols, op, first, start);
        }
        let end = self.end_of(start);
        let mut operands = Vec::new();
        while self.eat_operator(symbols).is_some() {
            if operands.is_empty() {
                operands.push(self.boolean(first.clone(), start..end)?);
            }
            let (next, range) = self.ranged(|parser| parser.level(at + 1))?;
            operands.push(self.boolean(next, range)?);
        }
        Ok(if operands.is_empty() { first } else { Part::boolean(Expr::Nary(op, operands)) })
    }

    /// In Remopla, what joins conditions also joins the bits of numbers.
    fn bitwise(&mut self, at: usize, symbols: &[&'static str], op: NaryOp, first: Part, start: usize) -> Read<Part> {
        let op = match op {
            NaryOp::And => BinaryOp::BitAnd,
            NaryOp::Or => BinaryOp::BitOr,
            NaryOp::Xor => BinaryOp::BitXor,
        };
        let mut left = first;
        let mut length = 0;
        while self.eat_operator(symbols).is_some() {
            self.check_chain(&mut length)?;
            let right = self.level(at + 1)?;
            left = self.number(left, right, start, |left, right| left.bitwise(op, right))?;
        }
        Ok(left)
    }

    /// Counts an operator of a chain.
    fn check_chain(&self, length: &mut usize) -> Read<()> {
        *length += 1;
        if *length > MAX_CHAIN { self.wrong_here("the condition has too long a chain of operators") } else { Ok(()) }
    }

    fn iff(&mut self, at: usize, symbols: &[&'static str], first: Part, start: usize) -> Read<Part> {
        let mut left = first;
        let mut length = 0;
        loop {
            let end = self.end_of(start);
            let Some(symbol) = self.eat_operator(symbols) else { return Ok(left) };
            self.check_chain(&mut length)?;
            let (right, range) = self.ranged(|parser| parser.level(at + 1))?;
            let is_boolean = |part: &Part| matches!(part.kind, Kind::Boolean(_));
            let expr = match is_boolean(&left) && is_boolean(&right) || symbol == "<->" {
                true => self.boolean(left, start..end)?.eq(self.boolean(right, range)?),
                // Numbers are equal or not; what is Boolean may be written as one.
                false => self.compare("==", left, right, start..self.at)?,
            };
            left = Part::boolean(expr);
        }
    }

    fn implies(&mut self, at: usize, symbols: &[&'static str], first: Part, start: usize) -> Read<Part> {
        let end = self.end_of(start);
        if self.eat_operator(symbols).is_none() {
            return Ok(first);
        }
        let (right, range) = self.ranged(|parser| parser.deeper(|parser| parser.level(at)))?;
        let (left, right) = (self.boolean(first, start..end)?, self.boolean(right, range)?);
        Ok(Part::boolean(Expr::Binary(BinaryOp::Implies, Box::new(left), Box::new(right))))
    }

    /// A part with its place.
    pub(super) fn ranged(&mut self, inner: impl FnOnce(&mut Self) -> Read<Part>) -> Read<(Part, Range<usize>)> {
        self.skip_space();
        let start = self.at;
        let part = inner(self)?;
        Ok((part, start..self.end_of(start)))
    }

    /// Where what began there has ended, without the space that follows it.
    fn end_of(&self, start: usize) -> usize {
        start + self.text[start..self.at].trim_end().len()
    }

    fn not(&mut self) -> Read<Part> {
        self.skip_space();
        if !self.text[self.at..].starts_with('!') || self.text[self.at..].starts_with("!=") {
            return self.quantified()?.map_or_else(|| self.comparison(), Ok);
        }
        self.at += 1;
        let (inner, range) = self.ranged(|parser| parser.deeper(Self::not))?;
        Ok(Part::boolean(self.boolean(inner, range)?.not()))
    }

    fn comparison(&mut self) -> Read<Part> {
        let start = self.at;
        let left = self.term(0)?;
        let is_connective = |symbol: &&'static str| {
            self.names.writing.notation.connectives.iter().any(|(_, symbols)| symbols.contains(symbol))
        };
        let symbols: Vec<&'static str> = COMPARISONS.into_iter().filter(|symbol| !is_connective(symbol)).collect();
        let Some(symbol) = self.eat_operator(&symbols) else { return Ok(left) };
        let right = self.term(0)?;
        self.compare(symbol, left, right, start..self.at).map(Part::boolean)
    }

    /// Operands joined by the arithmetic of a level, or of a tighter one.
    pub(super) fn term(&mut self, at: usize) -> Read<Part> {
        let Some(symbols) = self.names.writing.notation.arithmetic.get(at) else { return self.atom() };
        self.skip_space();
        let start = self.at;
        let mut left = self.term(at + 1)?;
        let mut length = 0;
        while let Some(symbol) = self.eat_operator(symbols) {
            self.check_chain(&mut length)?;
            let right = self.term(at + 1)?;
            let make = match symbol {
                "+" => Term::plus,
                "-" => Term::minus,
                "*" => Term::times,
                "/" => Term::divided_by,
                "<<" => Term::shifted_left,
                _ => Term::shifted_right,
            };
            left = self.number(left, right, start, make)?;
        }
        Ok(left)
    }

    /// A number made of two others.
    fn number(
        &self,
        left: Part,
        right: Part,
        start: usize,
        make: impl FnOnce(&Term, &Term) -> Result<Term, TooWide>,
    ) -> Read<Part> {
        let range = start..self.end_of(start);
        match (left.kind, right.kind) {
            (Kind::Number(left), Kind::Number(right)) => self.fit(make(&left, &right), range).map(Part::number),
            (Kind::Name(name, range), _) | (_, Kind::Name(name, range)) => self.unknown(&name, range),
            _ => wrong(range, "arithmetic is for numbers"),
        }
    }

    /// What was made of numbers, if they are not too large.
    pub(super) fn fit<T>(&self, made: Result<T, TooWide>, range: Range<usize>) -> Read<T> {
        made.or_else(|TooWide| wrong(range, "the numbers may get larger than 64 bits"))
    }

    fn atom(&mut self) -> Read<Part> {
        self.skip_space();
        // Pushdown systems group terms by braces; names with braces are those of Boolean programs.
        let braces = self.names.writing.notation.braces_group;
        for (open, close, what) in [("(", ")", "a closing parenthesis"), ("{", "}", "a closing brace")] {
            if (open == "(" || braces) && self.eat(open) {
                let inner = self.deeper(|parser| parser.level(0))?;
                return if self.eat(close) { Ok(inner) } else { self.wrong_here(format!("{what} is expected here")) };
            }
        }
        if self.eat("[") {
            return self.deeper(Self::list);
        }
        let start = self.at;
        if self.text[start..].starts_with('-') && !self.text[start..].starts_with("->") {
            self.at += 1;
            let negated = self.deeper(Self::atom)?;
            let nothing = self.constant_part(0, start..start)?;
            return self.number(nothing, negated, start, Term::minus);
        }
        if !self.bound.afford() {
            return self.wrong_here("the quantifiers of this condition stand for too many cases");
        }
        match self.word() {
            "" => self.wrong_here("a variable or a number is expected here"),
            "true" => Ok(Part::boolean(Expr::TRUE)),
            "false" => Ok(Part::boolean(Expr::FALSE)),
            word if word.starts_with(|c: char| c.is_ascii_digit()) => self.numeral(word, start),
            word => self.variable(word, start),
        }
    }

    /// The values of the elements of an array, behind the opening bracket.
    fn list(&mut self) -> Read<Part> {
        let mut items = Vec::new();
        while !self.eat("]") {
            if !items.is_empty() && !self.eat(",") {
                return self.wrong_here("a comma or a closing bracket is expected here");
            }
            items.push(self.level(0)?);
        }
        Ok(Part::list(items))
    }

    fn numeral(&self, word: &str, start: usize) -> Read<Part> {
        match word.parse::<u64>() {
            Ok(value) => self.constant_part(i128::from(value), start..self.at),
            Err(_) => wrong(start..self.at, "this is not a number below 2^64"),
        }
    }

    fn constant_part(&self, value: i128, range: Range<usize>) -> Read<Part> {
        self.fit(Term::constant(value), range).map(Part::number)
    }

    /// A variable, or an element of an array; fields of elements stand behind the index: `a[1].f` is `a.f[1]`.
    fn variable(&mut self, word: &str, start: usize) -> Read<Part> {
        let mut name = word.to_owned();
        let mut end = self.at;
        let mut indices = Vec::new();
        while self.eat("[") {
            indices.push(self.deeper(Self::index)?);
            let field = &self.text[self.at..];
            if field.starts_with('.') {
                let field = &field[..word_length(field, false)];
                name.push_str(field);
                self.at += field.len();
                end = self.at;
            }
        }
        let range = start..end;
        if let Some(number) = self.bound_number(&name) {
            return if indices.is_empty() { Ok(number) } else { wrong(range, format!("`{name}` is a number here")) };
        }
        let Some((variable, written)) = self.names.variable(&name, range.clone(), self.procedure)? else {
            return self.constant(name, range, indices.is_empty());
        };
        self.belongs(variable, range.clone())?;
        let (expr, sort) = (Expr::before(variable), self.names.program.sort(variable).clone());
        if indices.is_empty() {
            return Ok(Part::value(expr, sort, &written));
        }
        let Sort::Array(element, n) = sort else { return wrong(range, format!("`{name}` is not an array")) };
        self.element(&expr, indices, &element, n, &written)
    }

    /// A name that is no variable: a constant of the source, or something else.
    fn constant(&self, name: String, range: Range<usize>, is_plain: bool) -> Read<Part> {
        match self.names.writing.constants.get(&name).filter(|_| is_plain) {
            Some(value) => self.constant_part(*value, range),
            None if is_plain => Ok(Kind::Name(name, range).into()),
            None => self.unknown(&name, range),
        }
    }

    /// A condition speaks of the locals of one procedure only.
    fn belongs(&mut self, variable: VariableId, range: Range<usize>) -> Read<()> {
        if let Scope::Local(procedure) = self.names.program.variables[variable].scope {
            if self.procedure.is_some_and(|other| other != procedure) {
                return wrong(range, "a condition speaks of the locals of one procedure only");
            }
            self.procedure = Some(procedure);
        }
        Ok(())
    }

    /// An index and the closing bracket.
    fn index(&mut self) -> Read<(Part, Range<usize>)> {
        let index = self.ranged(|parser| parser.term(0))?;
        if self.eat("]") { Ok(index) } else { self.wrong_here("a closing bracket is expected here") }
    }

    fn element(
        &mut self,
        array: &Expr,
        given: Vec<(Part, Range<usize>)>,
        sort: &Sort,
        n: u32,
        written: &Written,
    ) -> Read<Part> {
        let all = [(0, n)];
        let indices = if written.indices.is_empty() { &all[..] } else { &written.indices };
        let mut chosen = Vec::new();
        let mut all = self.at..self.at;
        for (at, (index, range)) in given.into_iter().enumerate() {
            let Some((first, n)) = indices.get(at) else {
                let n = indices.len();
                return wrong(range, format!("an element has {n} {}", if n == 1 { "index" } else { "indices" }));
            };
            let Kind::Number(number) = index.kind else { return wrong(range, "an index is a number") };
            if let Some(message) = never_there(&number, *first, *n) {
                return wrong(range, format!("{message}{}", self.bound.described()));
            }
            all.start = all.start.min(range.start);
            chosen.push((number, *first, *n));
        }
        if chosen.len() < indices.len() {
            return self.wrong_here(format!("an element has {} indices: `[` is expected here", indices.len()));
        }
        self.fit(element_at(array, &chosen, sort, written), all)
    }
}

/// How long the word is with which a text begins. Text in braces may be part of a word.
fn word_length(text: &str, with_braces: bool) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || "_$.:".contains(c);
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let plain = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let braces = rest[plain..].find('}').filter(|_| with_braces && rest[plain..].starts_with('{'));
        length += plain + braces.map_or(0, |end| end + 1);
        if braces.is_none() {
            return length;
        }
    }
}
