//! Conditions on the variables of a program, as users write them beside it: in temporal formulae and sets of
//! configurations.
//!
//! ```text
//! condition := loosest first: a "<->" b, a "->" b (right), a "||" b, a "&&" b, "!" a, comparison
//! comparison:= term (("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") term)?
//! term      := "+" and "-" over "*" over numbers, variables, elements `a[term]`, "(" condition ")", "true", "false"
//! variable  := name | procedure "::" name
//! ```
//! `|` and `&` mean the same as `||` and `&&`. Numbers are whole: nothing wraps. A name without a procedure is a shared or
//! private variable, or else the local of the only procedure that has one of that name. A value of an enumeration is
//! written by its name. An array element that does not exist is 0 or false.

use crate::{BinaryOp, Expr, NaryOp, ProcedureId, Program, Scope, Sort, UnaryOp, Value, VariableId};

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

/// Reads a condition.
pub fn parse(program: &Program, text: &str) -> Result<Condition, ConditionError> {
    let mut parser = Parser { program, text, at: 0, depth: 0, procedure: None };
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
        let is_part = |c: char| c.is_alphanumeric() || "_$.:".contains(c);
        let length = self.text[start..].find(|c: char| !is_part(c)).unwrap_or(self.text.len() - start);
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
        let mut expr = Expr::before(variable);
        let mut sort = self.program.sort(variable).clone();
        while let Sort::Array(element, n) = &sort
            && self.eat(&["["])
        {
            let (element, n) = ((**element).clone(), *n);
            let from = self.at;
            let index = self.deeper(Self::sum)?;
            let Term::Number(index, width) = index else {
                return Err(ConditionError { range: from..self.at, message: "an index is a number".to_owned() });
            };
            if !self.eat(&["]"]) {
                return Err(self.error_here("a closing bracket is expected here"));
            }
            expr = element_at(&expr, n, (index, width), &element);
            sort = element;
        }
        Ok(match sort {
            Sort::Bool => Term::Boolean(expr),
            Sort::Bits(width) if width < Sort::MAX_BITS => {
                Term::Number(Expr::Unary(UnaryOp::Resize(width + 1), Box::new(expr)), width + 1)
            }
            other => Term::Other(expr, other),
        })
    }

    fn lookup(&mut self, word: &str, start: usize) -> Read<Option<VariableId>> {
        let range = start..self.at;
        let variables = || self.program.variables.iter_ids();
        let found: Vec<VariableId> = match word.rsplit_once("::") {
            Some((procedure, name)) => {
                let is_meant = |scope: Scope| match scope {
                    Scope::Local(id) => self.program.procedures[id].name == procedure,
                    Scope::Shared | Scope::Private => procedure.is_empty(),
                };
                variables().filter(|(_, v)| v.name == name && is_meant(v.scope)).map(|(id, _)| id).collect()
            }
            None => {
                let named = || variables().filter(|(_, variable)| variable.name == word);
                let global = named().find(|(_, variable)| !matches!(variable.scope, Scope::Local(_)));
                global.map_or_else(|| named().map(|(id, _)| id).collect(), |(id, _)| vec![id])
            }
        };
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

/// The element at an index; the smallest value where there is none, so that no configuration is without an answer.
fn element_at(array: &Expr, n: u32, (index, width): (Expr, u32), sort: &Sort) -> Expr {
    let smallest = Expr::Const(sort.smallest(), sort.clone());
    let bits = u32::BITS - n.leading_zeros();
    let wide = width.max(bits + 1);
    let index = resized(index, width, wide);
    let constant = |at: u32| Expr::Const(Value::Bits(u64::from(at)), Sort::Bits(wide));
    (0..n).rev().fold(smallest, |rest, at| {
        let element = Expr::Index(Box::new(array.clone()), Box::new(constant(at)));
        Expr::Ite(Box::new(index.clone().eq(constant(at))), Box::new(element), Box::new(rest))
    })
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
        builder.finish()
    }

    fn read(text: &str) -> Result<Option<ProcedureId>, String> {
        let program = sample();
        let parsed = parse(&program, text).map_err(|error| format!("{:?} {}", error.range, error.message))?;
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
            "g = true",
            "g = 1 && 0 != g",
        ] {
            assert_eq!(read(text), Ok(None), "{text}");
        }
        for text in ["x - 1 < 3", "x * x + 1 > 5 & g", "main::x = main::y", "x=1|g"] {
            assert_eq!(read(text), Ok(Some(ProcedureId(0))), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let wrong = |text: &str| read(text).unwrap_err();
        assert_eq!(wrong("g &"), "3..3 a variable or a number is expected here");
        assert_eq!(wrong("x"), "0..1 this is not a condition: compare it with something");
        assert_eq!(wrong("y = 1"), "0..1 several procedures have a variable `y`: say which, as in `main::y`");
        assert_eq!(wrong("c = blue"), "4..8 `blue` is not one of the values: red, green");
        assert_eq!(wrong("g = 2"), "0..5 the two sides are not of one sort");
        assert_eq!(wrong("g < g"), "0..5 only numbers are compared by size");
        assert_eq!(wrong("(g"), "2..2 a closing parenthesis is expected here");
        assert_eq!(wrong("g g"), "2..3 an operator or the end of the condition is expected here");
        assert_eq!(wrong("main::x = 1 & other::y"), "14..22 a condition speaks of the locals of one procedure only");
        assert!(wrong("h").contains("there is no variable `h`"));
        assert!(wrong(&"(".repeat(10_000)).contains("nested too deeply"));
        assert!(wrong(&"!".repeat(10_000)).contains("nested too deeply"));
    }
}
