//! Conditions on the variables of a program, as users write them beside it: in temporal formulae and sets of
//! configurations.
//!
//! ```text
//! condition := loosest first: a "<->" b, a "->" b (right), a "||" b, a "&&" b, "!" a, comparison
//! comparison:= term (("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") term)?
//! term      := "+" and "-" over "*" over numbers, variables, elements `a[term]`, "-" term, "(" condition ")", "true",
//!              "false"
//! variable  := name | procedure "::" name
//! ```
//! `|` and `&` mean the same as `||` and `&&`. Numbers are whole: nothing wraps. A name without a procedure is a local of
//! the procedure that the condition is about, where that is known; a shared or private variable; or else the local of the
//! only procedure that has one of that name. Copies of a procedure ([`is_copy`]) are one. Names that programs write in
//! braces may be written so, and without where they are words: `{end}` and `end`. A value of an enumeration is written
//! by its name. An array element that does not exist is 0 or false; to ask for one by a constant is an error. Signs and
//! indices are those of the source ([`Writing`]).

use crate::{BinaryOp, Expr, NaryOp, ProcedureId, Program, Scope, Sort, UnaryOp, Value, VariableId, Writing, Written};

/// What is wrong with a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionError {
    /// The bytes of the text that it is about.
    pub range: std::ops::Range<usize>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

/// A condition: an expression over the values before a step, and whose locals it reads, if any.
pub type Condition = (Expr, Option<ProcedureId>);

/// Deepest nesting.
const MAX_DEPTH: u32 = 200;

/// Procedures with several entries are split into copies `p.2`, `p.3`, ...: all of them are p.
#[must_use]
pub fn is_copy(procedure: &str, name: &str) -> bool {
    let rest = procedure.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    procedure == name || rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads a condition on variables that are written in the way given; `inside` is the procedure that it is about, if that is
/// known.
pub fn parse(
    program: &Program,
    writing: &Writing,
    inside: Option<ProcedureId>,
    text: &str,
) -> Result<Condition, ConditionError> {
    let mut parser = Parser { program, writing, inside, text, at: 0, depth: 0, procedure: None };
    let term = parser.iff()?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.error_here("an operator or the end of the condition is expected here"));
    }
    let expr = parser.boolean(term, 0..text.len())?;
    Ok((expr, parser.procedure))
}

struct Parser<'a> {
    program: &'a Program,
    writing: &'a Writing,
    inside: Option<ProcedureId>,
    text: &'a str,
    at: usize,
    depth: u32,
    procedure: Option<ProcedureId>,
}

/// A part that has been read.
#[derive(Clone, Debug)]
enum Term {
    Boolean(Expr),
    /// A number with a sign, as a bit vector of this width.
    Number(Expr, u32),
    /// A value of another sort: compared only with its like.
    Other(Expr, Sort),
    /// A name that is no variable: perhaps a value of an enumeration.
    Name(String, std::ops::Range<usize>),
}

type Read<T> = Result<T, ConditionError>;

impl Parser<'_> {
    fn error_here(&self, message: &str) -> ConditionError {
        let end = self.text[self.at..].chars().next().map_or(self.at, |next| self.at + next.len_utf8());
        ConditionError { range: self.at..end, message: message.to_owned() }
    }

    fn skip_space(&mut self) {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
    }

    fn eat(&mut self, symbols: &[&str]) -> bool {
        self.skip_space();
        let found = symbols.iter().find(|symbol| self.text[self.at..].starts_with(**symbol));
        self.at += found.map_or(0, |symbol| symbol.len());
        found.is_some()
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error_here("the condition is nested too deeply"));
        }
        let read = inner(self);
        self.depth -= 1;
        read
    }

    fn boolean(&self, term: Term, range: std::ops::Range<usize>) -> Read<Expr> {
        match term {
            Term::Boolean(expr) => Ok(expr),
            Term::Name(name, range) => Err(self.unknown(&name, range)),
            Term::Number(..) | Term::Other(..) => {
                Err(ConditionError { range, message: "this is not a condition: compare it with something".to_owned() })
            }
        }
    }

    fn unknown(&self, name: &str, range: std::ops::Range<usize>) -> ConditionError {
        let mut known: Vec<String> =
            self.program.variables.ids().map(|variable| self.program.qualified_name(variable)).collect();
        known.sort();
        known.truncate(8);
        let message = match known.is_empty() {
            true => format!("there is no variable `{name}`: the program has none"),
            false => format!("there is no variable `{name}`; there are, for example: {}", known.join(", ")),
        };
        ConditionError { range, message }
    }

    /// A chain of Boolean operators of one kind.
    fn chain(&mut self, symbols: &[&str], op: NaryOp, inner: impl Fn(&mut Self) -> Read<Term>) -> Read<Term> {
        let start = self.at;
        let first = inner(self)?;
        let mut operands = Vec::new();
        while self.eat(symbols) {
            let from = self.at;
            let next = inner(self)?;
            operands.push(self.boolean(next, from..self.at)?);
        }
        if operands.is_empty() {
            return Ok(first);
        }
        operands.insert(0, self.boolean(first, start..self.at)?);
        Ok(Term::Boolean(Expr::Nary(op, operands)))
    }

    fn iff(&mut self) -> Read<Term> {
        let start = self.at;
        let mut left = self.implies()?;
        while self.eat(&["<->", "<=>"]) {
            let from = self.at;
            let right = self.implies()?;
            let right = self.boolean(right, from..self.at)?;
            left = Term::Boolean(self.boolean(left, start..from)?.eq(right));
        }
        Ok(left)
    }

    fn implies(&mut self) -> Read<Term> {
        let start = self.at;
        let left = self.or()?;
        if !self.eat(&["->", "=>"]) {
            return Ok(left);
        }
        let from = self.at;
        let right = self.deeper(Self::implies)?;
        let (left, right) = (self.boolean(left, start..from)?, self.boolean(right, from..self.at)?);
        Ok(Term::Boolean(Expr::Binary(BinaryOp::Implies, Box::new(left), Box::new(right))))
    }

    fn or(&mut self) -> Read<Term> {
        self.chain(&["||", "|"], NaryOp::Or, Self::and)
    }

    fn and(&mut self) -> Read<Term> {
        self.chain(&["&&", "&"], NaryOp::And, Self::not)
    }

    fn not(&mut self) -> Read<Term> {
        self.skip_space();
        let is_negation = self.text[self.at..].starts_with('!') && !self.text[self.at..].starts_with("!=");
        if !is_negation {
            return self.comparison();
        }
        self.at += 1;
        let from = self.at;
        let inner = self.deeper(Self::not)?;
        Ok(Term::Boolean(self.boolean(inner, from..self.at)?.not()))
    }

    fn comparison(&mut self) -> Read<Term> {
        let start = self.at;
        let left = self.sum()?;
        self.skip_space();
        if ["=>", "<->", "<=>"].iter().any(|arrow| self.text[self.at..].starts_with(arrow)) {
            return Ok(left);
        }
        const SYMBOLS: [&str; 7] = ["==", "!=", "<=", ">=", "<", ">", "="];
        let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.eat(&[symbol])) else { return Ok(left) };
        let right = self.sum()?;
        self.compare(symbol, left, right, start..self.at).map(Term::Boolean)
    }

    fn compare(&self, symbol: &str, left: Term, right: Term, range: std::ops::Range<usize>) -> Read<Expr> {
        let wrong = |message: &str| Err(ConditionError { range: range.clone(), message: message.to_owned() });
        let binary = |op, left: Expr, right: Expr| Expr::Binary(op, Box::new(left), Box::new(right));
        match (self.meant(left, &right)?, symbol, right) {
            (Term::Number(left, wide), _, Term::Number(right, other)) => {
                let width = wide.max(other);
                let [left, right] = [(left, wide), (right, other)].map(|(expr, from)| resized(expr, from, width));
                Ok(match symbol {
                    "!=" => binary(BinaryOp::Ne, left, right),
                    "<" => binary(BinaryOp::Slt, left, right),
                    "<=" => binary(BinaryOp::Sle, left, right),
                    ">" => binary(BinaryOp::Slt, right, left),
                    ">=" => binary(BinaryOp::Sle, right, left),
                    _ => binary(BinaryOp::Eq, left, right),
                })
            }
            (left, "=" | "==" | "!=", right) => {
                let op = if symbol == "!=" { BinaryOp::Ne } else { BinaryOp::Eq };
                let right = self.meant(right, &left)?;
                match (left, right) {
                    (Term::Boolean(left), Term::Boolean(right)) => Ok(binary(op, left, right)),
                    (Term::Other(left, sort), Term::Other(right, other)) if sort == other => {
                        Ok(binary(op, left, right))
                    }
                    (Term::Name(name, range), _) | (_, Term::Name(name, range)) => Err(self.unknown(&name, range)),
                    // Boolean programs write their values as 0 and 1.
                    (Term::Boolean(truth), Term::Number(Expr::Const(Value::Bits(number @ 0..=1), _), _))
                    | (Term::Number(Expr::Const(Value::Bits(number @ 0..=1), _), _), Term::Boolean(truth)) => {
                        Ok(binary(op, truth, Expr::bool(number == 1)))
                    }
                    _ => wrong("the two sides are not of one sort"),
                }
            }
            _ => wrong("only numbers are compared by size"),
        }
    }

    /// A name beside a value of an enumeration is one of its values.
    fn meant(&self, term: Term, beside: &Term) -> Read<Term> {
        let (Term::Name(name, range), Term::Other(_, sort @ Sort::Enum(id))) = (&term, beside) else { return Ok(term) };
        let values = &self.program.enums[*id].values;
        match values.iter().position(|value| value == name) {
            Some(at) => Ok(Term::Other(Expr::Const(Value::Enum(at as u32), sort.clone()), sort.clone())),
            None => {
                let message = format!("`{name}` is not one of the values: {}", values.join(", "));
                Err(ConditionError { range: range.clone(), message })
            }
        }
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
        while self.eat(&["*"]) {
            let right = self.atom()?;
            left = self.arithmetic(BinaryOp::Mul, left, right, start)?;
        }
        Ok(left)
    }

    fn arithmetic(&self, op: BinaryOp, left: Term, right: Term, start: usize) -> Read<Term> {
        let range = start..self.at;
        let (Term::Number(left, wide), Term::Number(right, other)) = (left, right) else {
            return Err(ConditionError { range, message: "only numbers are added and multiplied".to_owned() });
        };
        let width = if op == BinaryOp::Mul { wide + other } else { wide.max(other) + 1 };
        if width > Sort::MAX_BITS {
            return Err(ConditionError { range, message: "the numbers may get larger than 64 bits".to_owned() });
        }
        let [left, right] = [(left, wide), (right, other)].map(|(expr, from)| Box::new(resized(expr, from, width)));
        Ok(Term::Number(Expr::Binary(op, left, right), width))
    }

    fn atom(&mut self) -> Read<Term> {
        self.skip_space();
        if self.eat(&["("]) {
            let inner = self.deeper(Self::iff)?;
            if !self.eat(&[")"]) {
                return Err(self.error_here("a closing parenthesis is expected here"));
            }
            return Ok(inner);
        }
        let start = self.at;
        if self.text[start..].starts_with('-') && !self.text[start..].starts_with("->") {
            self.at += 1;
            let nothing = Term::Number(Expr::Const(Value::Bits(0), Sort::Bits(1)), 1);
            let negated = self.deeper(Self::atom)?;
            return self.arithmetic(BinaryOp::Sub, nothing, negated, start);
        }
        let length = word_length(&self.text[start..]);
        let word = &self.text[start..start + length];
        self.at += length;
        match word {
            "" => Err(self.error_here("a variable or a number is expected here")),
            "true" => Ok(Term::Boolean(Expr::TRUE)),
            "false" => Ok(Term::Boolean(Expr::FALSE)),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.number(word, start),
            _ => self.variable(word, start),
        }
    }

    fn number(&self, word: &str, start: usize) -> Read<Term> {
        let Some(value) = word.parse::<u64>().ok().filter(|value| *value < 1 << 62) else {
            return Err(ConditionError {
                range: start..self.at,
                message: "this is not a number below 2^62".to_owned(),
            });
        };
        // One bit more than the value needs: the sign.
        let width = (u64::BITS - value.leading_zeros()).max(1) + 1;
        Ok(Term::Number(Expr::Const(Value::Bits(value), Sort::Bits(width)), width))
    }

    fn variable(&mut self, word: &str, start: usize) -> Read<Term> {
        let Some(variable) = self.lookup(word, start)? else {
            return Ok(Term::Name(word.to_owned(), start..self.at));
        };
        let Some(written) = self.writing.of(&self.program.variables[variable].name) else {
            let message =
                format!("variables called `{word}` are declared in different ways: a condition cannot tell which");
            return Err(ConditionError { range: start..self.at, message });
        };
        let mut expr = Expr::before(variable);
        let mut sort = self.program.sort(variable).clone();
        if let Sort::Array(element, n) = &sort
            && self.eat(&["["])
        {
            let (element, n) = ((**element).clone(), *n);
            let all = [(0, n)];
            let indices = if written.indices.is_empty() { &all[..] } else { &written.indices };
            expr = self.element(&expr, indices, &element)?;
            sort = element;
        }
        Ok(number_or_other(expr, sort, &written))
    }

    /// The element of an array behind the first opening bracket.
    fn element(&mut self, array: &Expr, indices: &[(i64, u32)], sort: &Sort) -> Read<Expr> {
        let mut chosen = Vec::new();
        for (at, (first, n)) in indices.iter().enumerate() {
            if at > 0 && !self.eat(&["["]) {
                return Err(self.error_here(&format!("an element has {} indices: `[` is expected here", indices.len())));
            }
            chosen.push((self.index(*first, *n)?, *first, *n));
        }
        Ok(element_at(array, &chosen, sort))
    }

    /// An index and the closing bracket.
    fn index(&mut self, first: i64, n: u32) -> Read<(Expr, u32)> {
        self.skip_space();
        let from = self.at;
        let index = self.deeper(Self::sum)?;
        let range = from..from + self.text[from..self.at].trim_end().len();
        let Term::Number(index, width) = index else {
            return Err(ConditionError { range, message: "an index is a number".to_owned() });
        };
        if let Some(message) = never_there(&index, first, n) {
            return Err(ConditionError { range, message });
        }
        if !self.eat(&["]"]) {
            return Err(self.error_here("a closing bracket is expected here"));
        }
        Ok((index, width))
    }

    /// The variables that a word may mean.
    fn named(&self, word: &str) -> Vec<VariableId> {
        let (procedure, name) = qualified(word);
        let named = || self.program.variables.iter_ids().filter(|(_, variable)| variable.name == name);
        match procedure {
            Some(procedure) => {
                let is_meant = |scope: Scope| match scope {
                    Scope::Local(id) => is_copy(&self.program.procedures[id].name, procedure),
                    Scope::Shared | Scope::Private => procedure.is_empty(),
                };
                named().filter(|(_, variable)| is_meant(variable.scope)).map(|(id, _)| id).collect()
            }
            None => {
                let own = named().find(|(_, variable)| self.inside.map(Scope::Local) == Some(variable.scope));
                let global = named().find(|(_, variable)| !matches!(variable.scope, Scope::Local(_)));
                own.or(global).map_or_else(|| named().map(|(id, _)| id).collect(), |(id, _)| vec![id])
            }
        }
    }

    /// Of variables that belong to copies of one procedure, the one of the copy that the condition is about.
    fn of_copies(&self, found: Vec<VariableId>) -> Vec<VariableId> {
        let of = |id: VariableId| match self.program.variables[id].scope {
            Scope::Local(procedure) => Some(procedure),
            Scope::Shared | Scope::Private => None,
        };
        let name = |id: VariableId| of(id).map(|procedure| self.program.procedures[procedure].name.as_str());
        let Some(first) = found.first().copied() else { return found };
        // The copies come after the original.
        let is_one = |id: VariableId| name(first).zip(name(id)).is_some_and(|(first, other)| is_copy(other, first));
        if !found.iter().all(|id| is_one(*id)) {
            return found;
        }
        let wanted = self.inside.or(self.procedure);
        vec![found.iter().copied().find(|id| of(*id) == wanted).unwrap_or(first)]
    }

    fn lookup(&mut self, word: &str, start: usize) -> Read<Option<VariableId>> {
        let range = start..self.at;
        let mut found = self.named(word);
        if found.is_empty() {
            let (procedure, name) = qualified(word);
            let procedure = procedure.map_or(String::new(), |procedure| format!("{procedure}::"));
            found = self.named(&format!("{procedure}{{{name}}}"));
        }
        found = self.of_copies(found);
        if found.len() > 1 {
            let names: Vec<String> = found.iter().take(4).map(|id| self.program.qualified_name(*id)).collect();
            let message = format!("several procedures have a variable `{word}`: say which, as in `{}`", names[0]);
            return Err(ConditionError { range, message });
        }
        let Some(variable) = found.first().copied() else { return Ok(None) };
        if let Scope::Local(procedure) = self.program.variables[variable].scope {
            if self.procedure.is_some_and(|other| other != procedure) {
                let message = "a condition speaks of the locals of one procedure only".to_owned();
                return Err(ConditionError { range, message });
            }
            self.procedure = Some(procedure);
        }
        Ok(Some(variable))
    }
}

/// How long the word is with which a text begins. Text in braces is part of a word.
fn word_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || "_$.:".contains(c);
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let plain = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let braces = rest[plain..].find('}').filter(|_| rest[plain..].starts_with('{'));
        length += plain + braces.map_or(0, |end| end + 1);
        if braces.is_none() {
            return length;
        }
    }
}

/// The procedure of a word, if it names one, and the rest. What stands in braces is not taken apart.
fn qualified(word: &str) -> (Option<&str>, &str) {
    let braces = if word.ends_with('}') { word.rfind('{') } else { None };
    let split = match braces {
        Some(at) => word[..at].strip_suffix("::").map(|procedure| (procedure, &word[at..])),
        None => word.rsplit_once("::"),
    };
    split.map_or((None, word), |(procedure, name)| (Some(procedure), name))
}

/// A value as conditions see it. Numbers get a bit for the sign.
fn number_or_other(expr: Expr, sort: Sort, written: &Written) -> Term {
    match sort {
        Sort::Bool => Term::Boolean(expr),
        Sort::Bits(width) if written.signed => Term::Number(expr, width),
        Sort::Bits(width) if width < Sort::MAX_BITS => {
            Term::Number(Expr::Unary(UnaryOp::Resize(width + 1), Box::new(expr)), width + 1)
        }
        other => Term::Other(expr, other),
    }
}

/// Why there is no element at an index, whatever the values of the variables are.
fn never_there(index: &Expr, first: i64, n: u32) -> Option<String> {
    let first = i128::from(first);
    let at = constant(index).filter(|at| !(first..first + i128::from(n)).contains(at))?;
    Some(match n {
        1 => format!("there is no element {at}: the array has one, numbered {first}"),
        _ => format!(
            "there is no element {at}: the array has {n}, numbered from {first} to {}",
            first + i128::from(n) - 1
        ),
    })
}

/// The value of a number without variables. Numbers are as wide as they need to be, so widths do not matter; where even
/// whole numbers of this size do not suffice, there is no answer.
fn constant(number: &Expr) -> Option<i128> {
    match number {
        Expr::Const(Value::Bits(bits), _) => Some(i128::from(*bits)),
        Expr::Unary(UnaryOp::SignResize(_), inner) => constant(inner),
        Expr::Binary(op, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Sub => left.checked_sub(right),
                BinaryOp::Mul => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An index with its width; the first value that it may have, and how many there are.
type Index = ((Expr, u32), i64, u32);

/// The element at some indices; the smallest value where there is none, so that no configuration is without an answer.
fn element_at(array: &Expr, indices: &[Index], sort: &Sort) -> Expr {
    let smallest = Expr::Const(sort.smallest(), sort.clone());
    let n: u32 = indices.iter().map(|(_, _, n)| *n).product();
    let width = u32::BITS - n.leading_zeros() + 1;
    (0..n).rev().fold(smallest, |rest, at| {
        let position = Expr::Const(Value::Bits(u64::from(at)), Sort::Bits(width));
        let element = Expr::Index(Box::new(array.clone()), Box::new(position));
        Expr::Ite(Box::new(is_at(indices, at)), Box::new(element), Box::new(rest))
    })
}

/// Whether some indices are those of an element, by its position.
fn is_at(indices: &[Index], mut position: u32) -> Expr {
    let mut equal = Vec::new();
    for ((index, width), first, n) in indices.iter().rev() {
        let wanted = first + i64::from(position % n);
        position /= n;
        let needed = u64::BITS - wanted.unsigned_abs().leading_zeros() + 1;
        let wide = (*width).max(needed);
        let mask = if wide >= u64::BITS { u64::MAX } else { (1 << wide) - 1 };
        let wanted = Expr::Const(Value::Bits(wanted.cast_unsigned() & mask), Sort::Bits(wide));
        equal.push(resized(index.clone(), *width, wide).eq(wanted));
    }
    equal.reverse();
    Expr::all_of(equal)
}

fn resized(expr: Expr, from: u32, to: u32) -> Expr {
    if from == to { expr } else { Expr::Unary(UnaryOp::SignResize(to), Box::new(expr)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProgramBuilder;

    fn sample() -> Program {
        let mut builder = ProgramBuilder::new();
        let colours = builder.enumeration("colour", vec!["red".into(), "green".into()]);
        builder.shared("g", Sort::Bool);
        builder.shared("c", Sort::Enum(colours));
        builder.shared("a", Sort::Array(Box::new(Sort::Bits(2)), 3));
        let [main, other] = ["main", "other"].map(|name| builder.procedure(name));
        builder.local(main, "x", Sort::Bits(3));
        builder.local(main, "y", Sort::Bits(3));
        builder.local(other, "y", Sort::Bool);
        builder.shared("{end}", Sort::Bool);
        builder.shared("m", Sort::Array(Box::new(Sort::Bits(2)), 6));
        builder.shared("s", Sort::Bits(3));
        builder.shared("t", Sort::Bits(3));
        builder.local(main, "{a::b c}", Sort::Bool);
        builder.finish()
    }

    fn writing() -> Writing {
        let mut writing = Writing::default();
        writing.note("m", Written { signed: true, indices: vec![(1, 2), (-1, 3)] });
        writing.note("s", Written { signed: true, indices: Vec::new() });
        writing.note("t", Written { signed: true, indices: Vec::new() });
        writing.note("t", Written::default());
        writing
    }

    fn read(text: &str) -> Result<Option<ProcedureId>, String> {
        let program = sample();
        let parsed =
            parse(&program, &writing(), None, text).map_err(|error| format!("{:?} {}", error.range, error.message))?;
        let sort = crate::verify::sort_of(&program, &parsed.0);
        assert_eq!(sort, Ok(Sort::Bool), "{text}");
        Ok(parsed.1)
    }

    #[test]
    fn conditions_are_read() {
        for text in [
            "g",
            "!g && (g || g) -> g",
            "g <-> !g",
            "c = red",
            "green != c",
            "a[1] >= 2",
            "a[a[0] + 1] = 3",
            "a[1 + 1] = a[3 - 3]",
            "g = true",
            "g = 1 && 0 != g",
            "end & !{end}|::end",
            "s < 0 && s = -1 && s - 1 >= -5",
            "m[2][-1] = -2 | m[s][1] > s",
        ] {
            assert_eq!(read(text), Ok(None), "{text}");
        }
        for text in ["x - 1 < 3", "x * x + 1 > 5 & g", "main::x = main::y", "x=1|g", "{a::b c}&main::{a::b c}"] {
            assert_eq!(read(text), Ok(Some(ProcedureId(0))), "{text}");
        }
    }

    #[test]
    fn locals_are_those_of_the_procedure_and_copies_are_one() {
        let mut builder = ProgramBuilder::new();
        let shared = builder.shared("x", Sort::Bool);
        let [p, copy] = ["p", "p.2"].map(|name| builder.procedure(name));
        let locals = [p, copy].map(|procedure| builder.local(procedure, "x", Sort::Bool));
        let program = builder.finish();
        let read = |inside, text| parse(&program, &Writing::default(), inside, text).map(|(condition, _)| condition);
        assert_eq!(read(None, "x"), Ok(Expr::before(shared)));
        assert_eq!(read(Some(copy), "x"), Ok(Expr::before(locals[1])));
        assert_eq!(read(None, "p::x"), Ok(Expr::before(locals[0])));
        assert_eq!(read(Some(copy), "p::x"), Ok(Expr::before(locals[1])));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let wrong = |text: &str| read(text).unwrap_err();
        assert_eq!(wrong("g &"), "3..3 a variable or a number is expected here");
        assert_eq!(wrong("m[1] = 0"), "5..6 an element has 2 indices: `[` is expected here");
        assert_eq!(wrong("m[3][0] = 0"), "2..3 there is no element 3: the array has 2, numbered from 1 to 2");
        assert_eq!(
            wrong("t = 0"),
            "0..1 variables called `t` are declared in different ways: a condition cannot tell which"
        );
        assert_eq!(wrong("x"), "0..1 this is not a condition: compare it with something");
        assert_eq!(wrong("y = 1"), "0..1 several procedures have a variable `y`: say which, as in `main::y`");
        assert_eq!(wrong("c = blue"), "4..8 `blue` is not one of the values: red, green");
        assert_eq!(wrong("g = 2"), "0..5 the two sides are not of one sort");
        assert_eq!(wrong("g < g"), "0..5 only numbers are compared by size");
        assert_eq!(wrong("(g"), "2..2 a closing parenthesis is expected here");
        assert_eq!(wrong("g g"), "2..3 an operator or the end of the condition is expected here");
        assert_eq!(wrong("main::x = 1 & other::y"), "14..22 a condition speaks of the locals of one procedure only");
        let absent = |at: i32| format!("there is no element {at}: the array has 3, numbered from 0 to 2");
        assert_eq!(wrong("a[3] = 0"), format!("2..3 {}", absent(3)));
        assert_eq!(wrong("g & a[ 1 - 2 ] = 0"), format!("7..12 {}", absent(-1)));
        assert_eq!(wrong("a[2 * 2 - 1 + a[1]] = a[7]"), format!("24..25 {}", absent(7)));
        assert_eq!(wrong("{g"), "0..1 a variable or a number is expected here");
        assert!(wrong("{g}").contains("there is no variable `{g}`"));
        assert!(wrong("h").contains("there is no variable `h`"));
        assert!(wrong(&"(".repeat(10_000)).contains("nested too deeply"));
        assert!(wrong(&"!".repeat(10_000)).contains("nested too deeply"));
    }
}
