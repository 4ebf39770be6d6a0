//! Text to conditions, by recursive descent.

use std::ops::Range;

use super::names::Names;
use super::operators::{COMPARISONS, Connective, levels, operator};
use super::term::{Kind, Term, element_at, never_there, resized};
use super::{Condition, Read, wrong};
use crate::{BinaryOp, Expr, NaryOp, Notation, ProcedureId, Scope, Sort, Value, VariableId, Written};

/// Deepest nesting.
const MAX_DEPTH: u32 = 200;

/// Reads a whole condition.
pub(super) fn condition(names: Names<'_>, text: &str) -> Read<Condition> {
    let mut parser = Parser { names, text, at: 0, depth: 0, procedure: None };
    let term = parser.level(0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return parser.wrong_here("an operator or the end of the condition is expected here");
    }
    let expr = parser.boolean(term, 0..text.len())?;
    Ok((expr, parser.procedure))
}

pub(super) struct Parser<'a> {
    pub(super) names: Names<'a>,
    text: &'a str,
    at: usize,
    depth: u32,
    procedure: Option<ProcedureId>,
}

impl Parser<'_> {
    fn wrong_here<T>(&self, message: impl Into<String>) -> Read<T> {
        let end = self.text[self.at..].chars().next().map_or(self.at, |next| self.at + next.len_utf8());
        wrong(self.at..end, message)
    }

    fn skip_space(&mut self) {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
    }

    fn eat(&mut self, symbol: &str) -> bool {
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

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong_here("the condition is nested too deeply");
        }
        let read = inner(self);
        self.depth -= 1;
        read
    }

    /// A term as a condition; a Boolean element that does not exist is false.
    fn boolean(&self, term: Term, range: Range<usize>) -> Read<Expr> {
        match term.kind {
            Kind::Boolean(expr) => Ok(term.exists.and(expr)),
            Kind::Name(name, range) => self.unknown(&name, range),
            Kind::Number(..) | Kind::Other(..) | Kind::Array(..) | Kind::List(_) => {
                let by_source = matches!(self.names.writing.notation, Notation::PushdownSystem | Notation::Remopla);
                let hint = if by_source && self.text.contains("==") {
                    "; as in the source, `==` binds looser than `&`, `|` and `^`"
                } else {
                    ""
                };
                wrong(range, format!("this is not a condition: compare it with something{hint}"))
            }
        }
    }

    pub(super) fn unknown<T>(&self, name: &str, range: Range<usize>) -> Read<T> {
        wrong(range, self.names.unknown(name))
    }

    /// Conditions joined by the connective of a level, or of a tighter one.
    fn level(&mut self, at: usize) -> Read<Term> {
        let Some((connective, symbols)) = levels(self.names.writing.notation).get(at) else { return self.not() };
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

    fn chain(&mut self, at: usize, symbols: &[&'static str], op: NaryOp, first: Term, start: usize) -> Read<Term> {
        let end = self.end_of(start);
        let mut operands = Vec::new();
        while self.eat_operator(symbols).is_some() {
            if operands.is_empty() {
                operands.push(self.boolean(first.clone(), start..end)?);
            }
            let (next, range) = self.ranged(|parser| parser.level(at + 1))?;
            operands.push(self.boolean(next, range)?);
        }
        Ok(if operands.is_empty() { first } else { Term::boolean(Expr::Nary(op, operands)) })
    }

    fn iff(&mut self, at: usize, symbols: &[&'static str], first: Term, start: usize) -> Read<Term> {
        let mut left = first;
        loop {
            let end = self.end_of(start);
            let Some(symbol) = self.eat_operator(symbols) else { return Ok(left) };
            let (right, range) = self.ranged(|parser| parser.level(at + 1))?;
            let is_boolean = |term: &Term| matches!(term.kind, Kind::Boolean(_));
            let expr = match is_boolean(&left) && is_boolean(&right) || symbol == "<->" {
                true => self.boolean(left, start..end)?.eq(self.boolean(right, range)?),
                // Numbers are equal or not; what is Boolean may be written as one.
                false => self.compare("==", left, right, start..self.at)?,
            };
            left = Term::boolean(expr);
        }
    }

    fn implies(&mut self, at: usize, symbols: &[&'static str], first: Term, start: usize) -> Read<Term> {
        let end = self.end_of(start);
        if self.eat_operator(symbols).is_none() {
            return Ok(first);
        }
        let (right, range) = self.ranged(|parser| parser.deeper(|parser| parser.level(at)))?;
        let (left, right) = (self.boolean(first, start..end)?, self.boolean(right, range)?);
        Ok(Term::boolean(Expr::Binary(BinaryOp::Implies, Box::new(left), Box::new(right))))
    }

    /// A part with its place.
    fn ranged(&mut self, inner: impl FnOnce(&mut Self) -> Read<Term>) -> Read<(Term, Range<usize>)> {
        self.skip_space();
        let start = self.at;
        let term = inner(self)?;
        Ok((term, start..self.end_of(start)))
    }

    /// Where what began there has ended, without the space that follows it.
    fn end_of(&self, start: usize) -> usize {
        start + self.text[start..self.at].trim_end().len()
    }

    fn not(&mut self) -> Read<Term> {
        self.skip_space();
        if !self.text[self.at..].starts_with('!') || self.text[self.at..].starts_with("!=") {
            return self.comparison();
        }
        self.at += 1;
        let (inner, range) = self.ranged(|parser| parser.deeper(Self::not))?;
        Ok(Term::boolean(self.boolean(inner, range)?.not()))
    }

    fn comparison(&mut self) -> Read<Term> {
        let start = self.at;
        let left = self.sum()?;
        let is_connective = |symbol: &&'static str| {
            levels(self.names.writing.notation).iter().any(|(_, symbols)| symbols.contains(symbol))
        };
        let symbols: Vec<&'static str> = COMPARISONS.into_iter().filter(|symbol| !is_connective(symbol)).collect();
        let Some(symbol) = self.eat_operator(&symbols) else { return Ok(left) };
        let right = self.sum()?;
        self.compare(symbol, left, right, start..self.at).map(Term::boolean)
    }

    fn sum(&mut self) -> Read<Term> {
        let start = self.at;
        let mut left = self.product()?;
        loop {
            self.skip_space();
            let op = match &self.text.as_bytes()[self.at..] {
                [b'+', ..] => BinaryOp::Add,
                [b'-', next, ..] if *next != b'>' => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            left = self.arithmetic(op, left, right, start)?;
        }
    }

    fn product(&mut self) -> Read<Term> {
        let start = self.at;
        let mut left = self.atom()?;
        while self.eat("*") {
            let right = self.atom()?;
            left = self.arithmetic(BinaryOp::Mul, left, right, start)?;
        }
        Ok(left)
    }

    fn arithmetic(&self, op: BinaryOp, left: Term, right: Term, start: usize) -> Read<Term> {
        let range = start..self.at;
        let exists = left.exists.and(right.exists);
        let (Kind::Number(left, wide), Kind::Number(right, other)) = (left.kind, right.kind) else {
            return wrong(range, "only numbers are added and multiplied");
        };
        let width = if op == BinaryOp::Mul { wide + other } else { wide.max(other) + 1 };
        if width > Sort::MAX_BITS {
            return wrong(range, "the numbers may get larger than 64 bits");
        }
        let [left, right] = [(left, wide), (right, other)].map(|(expr, from)| Box::new(resized(expr, from, width)));
        Ok(Term { kind: Kind::Number(Expr::Binary(op, left, right), width), exists })
    }

    fn atom(&mut self) -> Read<Term> {
        self.skip_space();
        // Pushdown systems group terms by braces; names with braces are those of Boolean programs.
        let braces = matches!(self.names.writing.notation, Notation::PushdownSystem | Notation::Remopla);
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
            return self.arithmetic(BinaryOp::Sub, nothing(), negated, start);
        }
        let length = word_length(&self.text[start..], !braces);
        let word = &self.text[start..start + length];
        self.at += length;
        match word {
            "" => self.wrong_here("a variable or a number is expected here"),
            "true" => Ok(Term::boolean(Expr::TRUE)),
            "false" => Ok(Term::boolean(Expr::FALSE)),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.number(word, start),
            _ => self.variable(word, start),
        }
    }

    /// The values of the elements of an array, behind the opening bracket.
    fn list(&mut self) -> Read<Term> {
        let mut items = Vec::new();
        while !self.eat("]") {
            if !items.is_empty() && !self.eat(",") {
                return self.wrong_here("a comma or a closing bracket is expected here");
            }
            items.push(self.level(0)?);
        }
        let exists = Expr::all_of(items.iter().map(|item| item.exists.clone()));
        Ok(Term { kind: Kind::List(items), exists })
    }

    fn number(&self, word: &str, start: usize) -> Read<Term> {
        match word.parse::<u64>().ok().filter(|value| *value < 1 << 62) {
            Some(value) => Ok(Term::number(value)),
            None => wrong(start..self.at, "this is not a number below 2^62"),
        }
    }

    /// A variable, or an element of an array; fields of elements stand behind the index: `a[1].f` is `a.f[1]`.
    fn variable(&mut self, word: &str, start: usize) -> Read<Term> {
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
        let Some((variable, written)) = self.names.variable(&name, range.clone(), self.procedure)? else {
            return self.constant(name, range, indices.is_empty());
        };
        self.belongs(variable, range.clone())?;
        let (expr, sort) = (Expr::before(variable), self.names.program.sort(variable).clone());
        if indices.is_empty() {
            return Ok(Term::value(expr, sort, &written));
        }
        let Sort::Array(element, n) = sort else { return wrong(range, format!("`{name}` is not an array")) };
        self.element(&expr, indices, &element, n, &written)
    }

    /// A name that is no variable: a constant of the source, or something else.
    fn constant(&self, name: String, range: Range<usize>, is_plain: bool) -> Read<Term> {
        let constant = self.names.writing.constants.get(&name).filter(|_| is_plain);
        let Some(value) = constant.and_then(|value| Some((*value, u64::try_from(value.unsigned_abs()).ok()?))) else {
            return if is_plain { Ok(Kind::Name(name, range).into()) } else { self.unknown(&name, range) };
        };
        match value {
            (_, size) if size >= 1 << 62 => wrong(range, "this is not a number below 2^62"),
            (..0, size) => self.arithmetic(BinaryOp::Sub, nothing(), Term::number(size), range.start),
            (_, size) => Ok(Term::number(size)),
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
    fn index(&mut self) -> Read<(Term, Range<usize>)> {
        let index = self.ranged(Self::sum)?;
        if self.eat("]") { Ok(index) } else { self.wrong_here("a closing bracket is expected here") }
    }

    fn element(
        &mut self,
        array: &Expr,
        given: Vec<(Term, Range<usize>)>,
        sort: &Sort,
        n: u32,
        written: &Written,
    ) -> Read<Term> {
        let all = [(0, n)];
        let indices = if written.indices.is_empty() { &all[..] } else { &written.indices };
        let (mut chosen, mut exists) = (Vec::new(), Expr::TRUE);
        for (at, (index, range)) in given.into_iter().enumerate() {
            let Some((first, n)) = indices.get(at) else {
                let n = indices.len();
                return wrong(range, format!("an element has {n} {}", if n == 1 { "index" } else { "indices" }));
            };
            let Kind::Number(number, width) = index.kind else { return wrong(range, "an index is a number") };
            if let Some(message) = never_there(&number, *first, *n) {
                return wrong(range, message);
            }
            exists = exists.and(index.exists);
            chosen.push(((number, width), *first, *n));
        }
        if chosen.len() < indices.len() {
            return self.wrong_here(format!("an element has {} indices: `[` is expected here", indices.len()));
        }
        let (value, is_there) = element_at(array, &chosen, sort);
        let element = Term::value(value, sort.clone(), written);
        Ok(Term { exists: exists.and(is_there), ..element })
    }
}

fn nothing() -> Term {
    Kind::Number(Expr::Const(Value::Bits(0), Sort::Bits(1)), 1).into()
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
