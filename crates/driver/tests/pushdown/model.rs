//! Random pushdown systems as values, as text, and what their conditions mean, value by value.
//!
//! Shares nothing with the front end: the meaning is that of the language's description.

use std::fmt::Write;

/// A small source of numbers: the same seed gives the same system.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A variable: its name, its width (0: Boolean) and the indices of its elements.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub bits: u32,
    pub indices: Option<(i64, i64)>,
}

impl Variable {
    pub fn n_cells(&self) -> usize {
        self.indices.map_or(1, |(lo, hi)| (hi - lo + 1) as usize)
    }

    pub fn n_values(&self) -> i64 {
        1 << self.bits.max(1)
    }
}

#[derive(Clone, Debug)]
pub enum Term {
    Number(i64),
    /// Variable, primes, index.
    Read(Variable, usize, Option<Box<Term>>),
    Slot(usize),
    /// One of `+ - * / <<`; the printer puts braces around everything.
    Binary(&'static str, Box<Term>, Box<Term>),
}

#[derive(Clone, Debug)]
pub enum Formula {
    Flag(Variable, usize, Option<Box<Term>>),
    Compare(&'static str, Term, Term),
    Not(Box<Formula>),
    Binary(&'static str, Box<Formula>, Box<Formula>),
    /// Whether for all, the slot's number, from, to.
    Quantified(bool, usize, i64, i64, Box<Formula>),
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub from: usize,
    pub top: usize,
    pub to: usize,
    pub pushed: Vec<usize>,
    pub condition: Option<Formula>,
}

#[derive(Clone, Debug)]
pub struct Model {
    pub n_states: usize,
    pub n_symbols: usize,
    pub globals: Vec<Variable>,
    /// Locals of each group, and the group of each symbol.
    pub groups: Vec<Vec<Variable>>,
    pub group_of: Vec<Option<usize>>,
    pub start: Vec<usize>,
    pub start_condition: Option<Formula>,
    pub rules: Vec<Rule>,
}

/// Cells of the globals and of the locals of the symbols that a condition speaks of.
pub struct Moment<'a> {
    pub globals: [&'a [i64]; 2],
    pub locals: &'a [&'a [i64]],
}

impl Model {
    pub fn locals(&self, symbol: usize) -> &[Variable] {
        self.group_of[symbol].map_or(&[], |group| &self.groups[group])
    }

    /// A random system.
    pub fn random(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let variables = |prefix: &str, most: usize, dice: &mut Dice| {
            let mut bits_left = most as u32;
            let mut variables = Vec::new();
            while bits_left > 0 && dice.chance(75) {
                let bits = [0, 1, 2, 0][dice.below(4)];
                let lo = dice.below(2) as i64;
                let indices = dice.chance(25).then_some((lo, lo + 1));
                let n = bits.max(1) * if indices.is_some() { 2 } else { 1 };
                if n <= bits_left {
                    bits_left -= n;
                    variables.push(Variable { name: format!("{prefix}{}", variables.len()), bits, indices });
                }
            }
            variables
        };
        let globals = variables("g", 2, &mut dice);
        // Sometimes a local hides a global.
        let groups: Vec<Vec<Variable>> = (0..dice.below(3))
            .map(|at| variables(["x", "x", "g"][at + dice.below(2)], 2, &mut dice))
            .filter(|group| !group.is_empty())
            .collect();
        let (n_states, n_symbols) = (1 + dice.below(2), 2 + dice.below(4));
        let group_of = (0..n_symbols)
            .map(|_| (!groups.is_empty()).then(|| dice.below(groups.len() + 1)).filter(|at| *at < groups.len()));
        let group_of = group_of.collect();
        let mut model = Self {
            n_states,
            n_symbols,
            globals,
            groups,
            group_of,
            start: Vec::new(),
            start_condition: None,
            rules: Vec::new(),
        };
        model.fill(&mut dice);
        model
    }

    fn fill(&mut self, dice: &mut Dice) {
        let depth = if dice.chance(80) { 1 } else { dice.below(4) };
        self.start = (0..depth).map(|_| dice.below(self.n_symbols)).collect();
        if dice.chance(30) {
            self.start_condition = Some(self.formula(&[], false, 1, &mut Vec::new(), dice));
        }
        for _ in 0..2 + dice.below(7) {
            let n = [0, 0, 1, 1, 1, 2, 2, 2, 2, 3][dice.below(if self.locals_are_few() { 10 } else { 9 })];
            let mut rule = Rule {
                from: dice.below(self.n_states),
                top: dice.below(self.n_symbols),
                to: dice.below(self.n_states),
                pushed: (0..n).map(|_| dice.below(self.n_symbols)).collect(),
                condition: None,
            };
            // What is looked at value by value must stay small.
            let locals = |symbol: &usize| self.locals(*symbol).iter().map(cells).sum::<u32>();
            if rule.pushed.iter().map(locals).sum::<u32>() > 4 {
                rule.pushed.truncate(1);
            }
            if dice.chance(85) {
                let symbols: Vec<usize> = std::iter::once(rule.top).chain(rule.pushed.iter().copied()).collect();
                rule.condition = Some(self.conjunction(&symbols, dice));
            }
            self.rules.push(rule);
        }
    }

    /// Whether long right sides can be looked at value by value.
    fn locals_are_few(&self) -> bool {
        self.groups.iter().flatten().map(cells).sum::<u32>() < 3
    }

    /// Mostly what people write: equations for the new values, and something else.
    fn conjunction(&self, symbols: &[usize], dice: &mut Dice) -> Formula {
        let mut parts = vec![self.formula(symbols, true, 2, &mut Vec::new(), dice)];
        for _ in 0..dice.below(3) {
            let Some((variable, primes)) = self.variable(symbols, true, None, dice) else { continue };
            let index = variable.indices.map(|(lo, _)| Box::new(Term::Number(lo + dice.below(2) as i64)));
            parts.push(if variable.bits == 0 {
                let value = self.formula(symbols, true, 1, &mut Vec::new(), dice);
                let flag = Formula::Flag(variable, primes, index);
                Formula::Binary(["==", "^"][dice.below(2)], Box::new(flag), Box::new(value))
            } else {
                let value = self.term(symbols, true, 1, &[], dice);
                let read = Term::Read(variable, primes, index);
                if dice.chance(50) { Formula::Compare("=", read, value) } else { Formula::Compare("=", value, read) }
            });
        }
        let all = |left, right| Formula::Binary("&", Box::new(left), Box::new(right));
        parts.into_iter().reduce(all).expect("there is one part")
    }

    /// A variable that may be named, with its primes.
    fn variable(
        &self,
        symbols: &[usize],
        primes: bool,
        boolean: Option<bool>,
        dice: &mut Dice,
    ) -> Option<(Variable, usize)> {
        let mut candidates: Vec<(Variable, usize)> = Vec::new();
        for prime in 0..if primes { symbols.len().max(2) } else { 1 } {
            let locals = symbols.get(prime).map_or(&[][..], |symbol| self.locals(*symbol));
            candidates.extend(locals.iter().map(|local| (local.clone(), prime)));
            if prime < 2 {
                let hidden = |name: &str| locals.iter().any(|local| local.name == name);
                let seen = self.globals.iter().filter(|global| !hidden(&global.name));
                candidates.extend(seen.map(|global| (global.clone(), prime)));
            }
        }
        candidates.retain(|(variable, _)| boolean.is_none_or(|boolean| boolean == (variable.bits == 0)));
        (!candidates.is_empty()).then(|| candidates.swap_remove(dice.below(candidates.len())))
    }

    fn formula(
        &self,
        symbols: &[usize],
        primes: bool,
        depth: usize,
        slots: &mut Vec<usize>,
        dice: &mut Dice,
    ) -> Formula {
        let boxed = |formula| Box::new(formula);
        match dice.below(if depth == 0 { 4 } else { 10 }) {
            0 | 1 | 4 => {
                let operator = ["=", "!=", "<", "<=", ">", ">="][dice.below(6)];
                let left = self.term(symbols, primes, 1, slots, dice);
                Formula::Compare(operator, left, self.term(symbols, primes, 2, slots, dice))
            }
            2 | 3 => match self.variable(symbols, primes, Some(true), dice) {
                Some((variable, prime)) => {
                    let index = variable.indices.map(|_| Box::new(self.term(symbols, primes, 1, slots, dice)));
                    Formula::Flag(variable, prime, index)
                }
                None => Formula::Compare("=", Term::Number(1), Term::Number(dice.below(3) as i64)),
            },
            5 => Formula::Not(boxed(self.formula(symbols, primes, depth - 1, slots, dice))),
            6..=8 => {
                let operator = ["&", "|", "^", "=="][dice.below(4)];
                let left = self.formula(symbols, primes, depth - 1, slots, dice);
                Formula::Binary(operator, boxed(left), boxed(self.formula(symbols, primes, depth - 1, slots, dice)))
            }
            _ => {
                let (slot, from) = (slots.len(), dice.below(2) as i64);
                slots.push(slot);
                let body = self.formula(symbols, primes, depth - 1, slots, dice);
                slots.pop();
                Formula::Quantified(dice.chance(60), slot, from, from + dice.below(3) as i64 - 1, boxed(body))
            }
        }
    }

    fn term(&self, symbols: &[usize], primes: bool, depth: usize, slots: &[usize], dice: &mut Dice) -> Term {
        match dice.below(if depth == 0 { 4 } else { 7 }) {
            0 => Term::Number(dice.below(5) as i64),
            1 if !slots.is_empty() => Term::Slot(slots[dice.below(slots.len())]),
            1..=3 => match self.variable(symbols, primes, Some(false), dice) {
                Some((variable, prime)) => {
                    let index = variable.indices.map(|(lo, _)| match depth {
                        0 => Box::new(Term::Number(lo + dice.below(2) as i64)),
                        _ => Box::new(self.term(symbols, primes, depth - 1, slots, dice)),
                    });
                    Term::Read(variable, prime, index)
                }
                None => Term::Number(dice.below(4) as i64),
            },
            _ => {
                let operator = ["+", "-", "*", "/", "<<"][dice.below(5)];
                let left = self.term(symbols, primes, depth - 1, slots, dice);
                Term::Binary(operator, Box::new(left), Box::new(self.term(symbols, primes, depth - 1, slots, dice)))
            }
        }
    }

    /// The system as its users write it.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if !self.globals.is_empty() {
            writeln!(out, "global {}", declarations(&self.globals)).unwrap();
        }
        for (at, group) in self.groups.iter().enumerate() {
            let symbols: Vec<String> =
                (0..self.n_symbols).filter(|s| self.group_of[*s] == Some(at)).map(|s| format!("s{s}")).collect();
            if !symbols.is_empty() {
                writeln!(out, "local ({}) {}", symbols.join(", "), declarations(group)).unwrap();
            }
        }
        let condition = self.start_condition.as_ref().map(|it| format!(" ({})", show(it))).unwrap_or_default();
        let stack: Vec<String> = self.start.iter().map(|symbol| format!("s{symbol}")).collect();
        writeln!(out, "(q0{condition} <{}>)", stack.join(" ")).unwrap();
        for (at, rule) in self.rules.iter().enumerate() {
            let Rule { from, top, to, pushed, condition } = rule;
            let pushed: Vec<String> = pushed.iter().map(|symbol| format!("s{symbol}")).collect();
            write!(out, "q{from} <s{top}> --> q{to} <{}> \"rule {at}\"", pushed.join(" ")).unwrap();
            match condition {
                Some(condition) => writeln!(out, " ({})", show(condition)).unwrap(),
                None => out.push('\n'),
            }
        }
        out
    }
}

fn cells(variable: &Variable) -> u32 {
    variable.n_cells() as u32 * variable.bits.max(1)
}

fn declarations(variables: &[Variable]) -> String {
    let show = |Variable { name, bits, indices }: &Variable| {
        let indices = match indices {
            Some((0, hi)) => format!("[{}]", hi + 1),
            Some((lo, hi)) => format!("[{lo},{hi}]"),
            None => String::new(),
        };
        if *bits == 0 { format!("bool {name}{indices};") } else { format!("int {name}{indices}({bits});") }
    };
    variables.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn show_read(variable: &Variable, primes: usize, index: Option<&Term>) -> String {
    let index = index.map(|index| format!("[{}]", show_term(index))).unwrap_or_default();
    format!("{}{}{index}", variable.name, "'".repeat(primes))
}

fn show_term(term: &Term) -> String {
    match term {
        Term::Number(value) => value.to_string(),
        Term::Read(variable, primes, index) => show_read(variable, *primes, index.as_deref()),
        Term::Slot(slot) => format!("i{slot}"),
        Term::Binary(op, left, right) => format!("{{{} {op} {}}}", show_term(left), show_term(right)),
    }
}

fn show(formula: &Formula) -> String {
    match formula {
        Formula::Flag(variable, primes, index) => show_read(variable, *primes, index.as_deref()),
        Formula::Compare(op, left, right) => format!("{} {op} {}", show_term(left), show_term(right)),
        Formula::Not(inner) => format!("!({})", show(inner)),
        Formula::Binary(op, left, right) => format!("(({}) {op} ({}))", show(left), show(right)),
        Formula::Quantified(all, slot, from, to, body) => {
            // There are no signs.
            let to = if *to < 0 { format!("0-{}", -to) } else { to.to_string() };
            format!("({} i{slot} ({from},{to}) {})", if *all { "A" } else { "E" }, show(body))
        }
    }
}

impl Model {
    /// The value of a cell; none when the index is out of range.
    fn read(
        &self,
        variable: &Variable,
        primes: usize,
        index: Option<i64>,
        symbols: &[usize],
        moment: &Moment<'_>,
    ) -> Option<i64> {
        let local = symbols.get(primes).map_or(&[][..], |symbol| self.locals(*symbol));
        let (variables, cells) = if local.iter().any(|it| it.name == variable.name) {
            (local, moment.locals[primes])
        } else {
            (self.globals.as_slice(), moment.globals[primes])
        };
        let before: usize = variables.iter().take_while(|it| it.name != variable.name).map(Variable::n_cells).sum();
        let at = match (index, variable.indices) {
            (Some(index), Some((lo, hi))) => (lo..=hi).contains(&index).then(|| (index - lo) as usize)?,
            _ => 0,
        };
        Some(cells[before + at])
    }

    fn value(&self, term: &Term, symbols: &[usize], moment: &Moment<'_>, slots: &[i64]) -> Option<i64> {
        match term {
            Term::Number(value) => Some(*value),
            Term::Slot(slot) => Some(slots[*slot]),
            Term::Read(variable, primes, index) => {
                let index = match index {
                    Some(index) => Some(self.value(index, symbols, moment, slots)?),
                    None => None,
                };
                self.read(variable, *primes, index, symbols, moment)
            }
            Term::Binary(op, left, right) => {
                let left = self.value(left, symbols, moment, slots)?;
                let right = self.value(right, symbols, moment, slots)?;
                match *op {
                    "+" => Some(left + right),
                    "-" => Some(left - right),
                    "*" => Some(left * right),
                    "/" => left.checked_div(right),
                    _ => (right >= 0).then(|| left << right),
                }
            }
        }
    }

    /// Whether a condition holds.
    pub fn holds(&self, formula: &Formula, symbols: &[usize], moment: &Moment<'_>, slots: &mut Vec<i64>) -> bool {
        match formula {
            Formula::Flag(variable, primes, index) => {
                let index = index.as_ref().map(|index| self.value(index, symbols, moment, slots));
                match index {
                    Some(None) => false,
                    index => self.read(variable, *primes, index.flatten(), symbols, moment) == Some(1),
                }
            }
            Formula::Compare(op, left, right) => {
                let left = self.value(left, symbols, moment, slots);
                let right = self.value(right, symbols, moment, slots);
                let (Some(left), Some(right)) = (left, right) else { return false };
                match *op {
                    "=" => left == right,
                    "!=" => left != right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    _ => left >= right,
                }
            }
            Formula::Not(inner) => !self.holds(inner, symbols, moment, slots),
            Formula::Binary(op, left, right) => {
                let left = self.holds(left, symbols, moment, slots);
                let right = self.holds(right, symbols, moment, slots);
                match *op {
                    "&" => left && right,
                    "|" => left || right,
                    "^" => left != right,
                    _ => left == right,
                }
            }
            Formula::Quantified(all, _, from, to, body) => {
                let mut holds = |value: i64| {
                    slots.push(value);
                    let holds = self.holds(body, symbols, moment, slots);
                    slots.pop();
                    holds
                };
                let mut range = *from..=*to;
                if *all { range.all(&mut holds) } else { range.any(&mut holds) }
            }
        }
    }
}
