//! What the names of a condition mean.
//!
//! Conditions are resolved once, before quantifiers are expanded, so that every mistake is reported once.

use base::{Diagnostic, Span};
use program::{LocationId, VariableId, When};

use super::super::syntax::{self, Comparison, Connective, Formula, Operator, Quantified, Term};
use super::Lowering;
use super::declare::Shape;
use base::names::{Symbol, similar};

/// A variable at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Read {
    pub(super) variable: VariableId,
    pub(super) when: When,
    pub(super) shape: Shape,
}

/// A Boolean expression whose names are resolved.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Flag(Read, Option<Box<Number>>, Span),
    Compare(Comparison, Box<[Number; 2]>, Span),
    Not(Box<Condition>),
    Chain(Connective, Vec<Condition>),
    /// For all, or for some, values of the next slot.
    Quantified {
        all: bool,
        from: i128,
        to: i128,
        body: Box<Condition>,
        span: Span,
    },
    /// An error has been reported.
    Wrong,
}

/// An integer expression whose names are resolved.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Constant(i128),
    /// The value of an enclosing quantifier, counted from the outermost.
    Slot(usize),
    Read(Read, Option<Box<Number>>),
    Chain(Vec<(Operator, Number)>),
}

/// One of the stack symbols that a condition speaks of.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) location: LocationId,
    /// At which moment its locals are read.
    pub(super) when: When,
    /// Variables that stand for its locals, if not those of the symbol itself.
    pub(super) copies: Option<Vec<VariableId>>,
}

/// Where a condition stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// The symbol on the left side, then the new ones.
    pub(super) levels: Vec<Level>,
    /// The level whose locals are read without a prime.
    pub(super) base: Option<usize>,
    /// Whether there is a state after.
    pub(super) primes: bool,
    slots: Vec<Symbol>,
}

impl Context {
    pub(super) fn new(levels: Vec<Level>, base: Option<usize>, primes: bool) -> Self {
        Self { levels, base, primes, slots: Vec::new() }
    }
}

impl Lowering<'_> {
    pub(super) fn condition(&mut self, formula: &Formula, context: &mut Context) -> Condition {
        match formula {
            Formula::Variable(variable) => self.flag(variable, context).unwrap_or(Condition::Wrong),
            Formula::Compare(op, operands, span) => {
                let [left, right] = operands.as_ref();
                let (left, right) = (self.number(left, context), self.number(right, context));
                match (left, right) {
                    (Some(left), Some(right)) => Condition::Compare(*op, Box::new([left, right]), *span),
                    _ => Condition::Wrong,
                }
            }
            Formula::Not(inner) => Condition::Not(Box::new(self.condition(inner, context))),
            Formula::Chain(connective, operands) => {
                let operands = operands.iter().map(|operand| self.condition(operand, context)).collect();
                Condition::Chain(*connective, operands)
            }
            Formula::Quantified(quantified) => self.quantified(quantified, context),
        }
    }

    fn quantified(&mut self, quantified: &Quantified, context: &mut Context) -> Condition {
        let Quantified { all, name, range: [from, to], body, span } = quantified;
        let (from, to) = (self.constant(from), self.constant(to));
        context.slots.push(name.symbol);
        let body = Box::new(self.condition(body, context));
        context.slots.pop();
        let (Some(from), Some(to)) = (from, to) else { return Condition::Wrong };
        if from > to {
            let always = if *all { "true" } else { "false" };
            let message = format!("there are no numbers from {from} to {to}: this is always {always}");
            self.report.push(Diagnostic::warning("PD0055", message).at(*span, "an empty range"));
        }
        Condition::Quantified { all: *all, from, to, body, span: *span }
    }

    fn flag(&mut self, variable: &syntax::Variable, context: &mut Context) -> Option<Condition> {
        let name = variable.name.symbol;
        if context.slots.contains(&name) || self.constants.contains_key(&name) {
            return self.not_boolean(variable, "a number");
        }
        let read = self.lookup(variable, context)?;
        let index = self.index(variable, read, context)?;
        if read.shape.bits.is_some() {
            return self.not_boolean(variable, "an integer");
        }
        Some(Condition::Flag(read, index.map(Box::new), variable.span))
    }

    fn not_boolean<T>(&mut self, variable: &syntax::Variable, what: &str) -> Option<T> {
        let text = self.source.slice(variable.span);
        self.report.push(
            Diagnostic::error("PD0032", format!("`{text}` is {what}, not a condition"))
                .at(variable.span, "a Boolean is expected here")
                .help(format!("compare it: `{text} = 1`")),
        );
        None
    }

    fn number(&mut self, term: &Term, context: &mut Context) -> Option<Number> {
        match term {
            Term::Number(value, _) => Some(Number::Constant(*value)),
            Term::Variable(variable) => self.number_name(variable, context),
            Term::Chain(operands, _) => {
                let resolved: Vec<_> =
                    operands.iter().map(|(op, operand)| Some((*op, self.number(operand, context)?))).collect();
                resolved.into_iter().collect::<Option<Vec<_>>>().map(Number::Chain)
            }
        }
    }

    fn number_name(&mut self, variable: &syntax::Variable, context: &mut Context) -> Option<Number> {
        let name = variable.name.symbol;
        if let Some(slot) = context.slots.iter().rposition(|slot| *slot == name) {
            return self.plain(variable, "a quantified name").then_some(Number::Slot(slot));
        }
        let is_variable = self.knows(name, context);
        if let Some((value, _)) = self.constants.get(&name).filter(|_| !is_variable) {
            let value = *value;
            return self.plain(variable, "a constant").then_some(Number::Constant(value));
        }
        let read = self.lookup(variable, context)?;
        let index = self.index(variable, read, context)?;
        if read.shape.bits.is_none() {
            let text = self.source.slice(variable.span);
            self.report.push(
                Diagnostic::error("PD0033", format!("`{text}` is Boolean, not an integer"))
                    .at(variable.span, "an integer is expected here")
                    .help("Booleans are compared by `==`, not by `=`"),
            );
            return None;
        }
        Some(Number::Read(read, index.map(Box::new)))
    }

    /// Whether the name is a variable of some symbol of the rule or a global.
    fn knows(&self, name: Symbol, context: &Context) -> bool {
        let local = |level: &Level| self.local_at(level, name).is_some();
        context.levels.iter().any(local) || self.declared.global.contains_key(&name)
    }

    /// Names that are not variables have neither primes nor indices.
    fn plain(&mut self, variable: &syntax::Variable, what: &str) -> bool {
        let plain = variable.primes == 0 && variable.index.is_none();
        if !plain {
            let text = self.text(variable.name);
            self.report.push(
                Diagnostic::error("PD0034", format!("`{text}` is {what}: it has neither primes nor elements"))
                    .at(variable.span, "not a variable")
                    .help(format!("write `{text}`")),
            );
        }
        plain
    }

    fn local_at(&self, level: &Level, name: Symbol) -> Option<Read> {
        let locals = self.control.locals.get(base::Id::index(level.location))?;
        let at = locals.iter().position(|local| local.field.name.symbol == name)?;
        let variable = level.copies.as_ref().map_or(locals[at].variable, |copies| copies[at]);
        Some(Read { variable, when: level.when, shape: locals[at].field.shape })
    }

    /// The variable, or nothing after an error has been reported.
    fn lookup(&mut self, variable: &syntax::Variable, context: &Context) -> Option<Read> {
        let (name, primes) = (variable.name.symbol, variable.primes as usize);
        if primes > 0 && !context.primes {
            self.report.push(
                Diagnostic::error("PD0036", "the start has no state after it")
                    .at(variable.span, "a primed variable")
                    .help("leave out the prime"),
            );
            return None;
        }
        let level = if primes == 0 { context.base } else { Some(primes) };
        let local = level.and_then(|level| context.levels.get(level)).and_then(|level| self.local_at(level, name));
        let global = self.declared.global.get(&name).filter(|_| primes < 2).map(|(id, shape, _)| {
            let when = if primes == 0 { When::Before } else { When::After };
            Read { variable: *id, when, shape: *shape }
        });
        let found = local.or(global);
        if found.is_none() && !self.report.only_counts() {
            let diagnostic = self.unknown(variable, context);
            self.report.push(diagnostic);
        }
        found
    }

    /// Why a name means nothing here.
    fn unknown(&self, variable: &syntax::Variable, context: &Context) -> Diagnostic {
        let (name, primes) = (variable.name, variable.primes as usize);
        let text = self.text(name);
        let written = self.source.slice(name.span).to_owned() + &"'".repeat(primes);
        let is_field =
            |fields: &Vec<super::declare::Field>| fields.iter().any(|field| field.name.symbol == name.symbol);
        let is_local = self.declared.groups.iter().any(is_field);
        let is_global = self.declared.global.contains_key(&name.symbol);
        if primes > 0 && primes >= context.levels.len() && (is_local || is_global) {
            let n_new = context.levels.len().saturating_sub(1);
            let message = format!("`{written}` speaks of new stack symbol {primes}, but the rule has {n_new}");
            let help = match n_new {
                0 => "a rule that pops has no new stack symbol; `x'` means a global after it",
                _ => "one prime for the first new symbol and the globals, two for the second, and so on",
            };
            return Diagnostic::error("PD0023", message).at(variable.span, "there is no such symbol").help(help);
        }
        if is_global {
            let message = format!("`{text}` is global: after the rule it is `{text}'`, not `{written}`");
            return Diagnostic::error("PD0024", message).at(variable.span, "too many primes").help("write one prime");
        }
        if is_local {
            return self.elsewhere(variable, context, &written);
        }
        let globals = self.tree.globals.iter().map(|declaration| declaration.name);
        let locals = self.declared.groups.iter().flatten().map(|field| field.name);
        let names = globals.chain(locals).map(|name| self.text(name));
        let mut diagnostic =
            Diagnostic::error("PD0025", format!("there is no variable `{text}`")).at(name.span, "not declared");
        diagnostic.help = Some(match similar(text, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "declare it in `global` or `local`".to_owned(),
        });
        diagnostic
    }

    /// A local of other symbols than the one that is meant.
    fn elsewhere(&self, variable: &syntax::Variable, context: &Context, written: &str) -> Diagnostic {
        let name = variable.name.symbol;
        let level = if variable.primes == 0 { context.base } else { Some(variable.primes as usize) };
        let symbol = level.and_then(|level| context.levels.get(level)).map(|level| level.location);
        let symbol = symbol.and_then(|location| self.control.symbols.get(base::Id::index(location)));
        let whose = symbol.map_or("the control state".to_owned(), |symbol| format!("`{}`", self.text(*symbol)));
        let diagnostic =
            Diagnostic::error("PD0026", format!("`{written}`: {whose} has no variable `{}`", self.text(variable.name)))
                .at(variable.span, "it is a local of other stack symbols");
        let other = context.levels.iter().position(|level| self.local_at(level, name).is_some());
        match other.filter(|_| context.primes) {
            Some(level) => {
                let text = self.text(variable.name).to_owned() + &"'".repeat(level);
                diagnostic.help(format!("did you mean `{text}`?"))
            }
            None => diagnostic.help("list the stack symbol in the `local` declaration of the variable"),
        }
    }

    /// The index of a variable, which an array has and nothing else.
    #[expect(clippy::option_option, reason = "a mistake, nothing, or an index")]
    fn index(&mut self, variable: &syntax::Variable, read: Read, context: &mut Context) -> Option<Option<Number>> {
        let text = self.text(variable.name);
        match (&variable.index, read.shape.array) {
            (Some(index), Some(_)) => self.number(index, context).map(Some),
            (None, None) => Some(None),
            (None, Some((first, n))) => {
                let last = first + i64::from(n) - 1;
                self.report.push(
                    Diagnostic::error("PD0037", format!("`{text}` is an array: an index is missing"))
                        .at(variable.span, format!("its indices are {first} to {last}"))
                        .help(format!("for all elements write `A i ({first},{last}) ... {text}[i] ...`")),
                );
                None
            }
            (Some(index), None) => {
                self.report.push(
                    Diagnostic::error("PD0038", format!("`{text}` is not an array"))
                        .at(index.span(), "an index")
                        .help(format!("leave it out, or declare `{text}` with indices")),
                );
                None
            }
        }
    }
}
