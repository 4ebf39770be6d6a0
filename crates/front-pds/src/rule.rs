//! Rules of pushdown systems, as both languages write them.

use base::names::Symbol;
use base::{Diagnostic, Span};
use smallvec::SmallVec;
use text::{Descent, Scanner};

/// A name with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
}

/// `p <a> --> q <b c> "name" (expr)`. Conditions are those of the language.
#[derive(Clone, Debug)]
pub(crate) struct Rule<C> {
    pub(crate) from: Name,
    pub(crate) top: Name,
    pub(crate) to: Name,
    pub(crate) pushed: SmallVec<[Name; 2]>,
    pub(crate) condition: Option<Box<C>>,
    /// From the left side to the name, without the condition.
    pub(crate) span: Span,
}

impl<C> Rule<C> {
    /// The stack symbols, the one on the left side first.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Name> + '_ {
        std::iter::once(self.top).chain(self.pushed.iter().copied())
    }
}

/// The tokens of which rules are made.
pub(crate) struct RuleTokens<T> {
    pub(crate) less: T,
    pub(crate) greater: T,
    pub(crate) arrow: T,
    pub(crate) text: T,
    pub(crate) name: T,
}

/// A parser that reads rules.
pub(crate) trait RuleParser<'s>: Descent<'s> {
    type Condition;
    const TOKENS: RuleTokens<Self::Token>;

    /// Consumes a name or reports that it is missing.
    fn name(&mut self, what: &str) -> Option<Name>;

    /// `(expr)`, or nothing.
    #[expect(clippy::option_option, reason = "a mistake, nothing, or a condition")]
    fn condition(&mut self) -> Option<Option<Self::Condition>>;

    fn rule(&mut self) -> Option<Rule<Self::Condition>> {
        let from = self.name("a control state")?;
        let less = self.expect(Self::TOKENS.less, "`<` and a stack symbol")?;
        let top = self.name("a stack symbol")?;
        self.close(less, Self::TOKENS.greater, "`>` after one stack symbol")?;
        self.expect(Self::TOKENS.arrow, "`-->`")?;
        let to = self.name("a control state")?;
        let less = self.expect(Self::TOKENS.less, "`<` and the new stack symbols")?;
        let mut pushed = SmallVec::new();
        while self.token() == Self::TOKENS.name {
            pushed.push(self.name("a stack symbol")?);
        }
        self.close(less, Self::TOKENS.greater, "a stack symbol or `>`")?;
        self.eat(Self::TOKENS.text);
        let span = from.span.to(self.previous());
        let condition = self.condition()?.map(Box::new);
        Some(Rule { from, top, to, pushed, condition, span })
    }
}

/// Passes over a rule's name that does not end on its line; none: the text is something else.
pub(crate) fn endless_name<'s, T: text::Token<'s>>(scanner: &mut Scanner<'s, T>) -> Option<Diagnostic> {
    let place = scanner.span();
    if !scanner.slice().starts_with('"') {
        return None;
    }
    scanner.take_line();
    let diagnostic = Diagnostic::error("PD0002", "this name of a rule does not end").at(place, "it begins here");
    Some(diagnostic.help("end it with `\"` on the same line"))
}

/// Sets of symbols that are merged.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    /// Every symbol by itself.
    pub(crate) fn singletons(n: usize) -> Self {
        Self((0..n as u32).collect())
    }

    pub(crate) fn find(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            let above = self.0[self.0[of as usize] as usize];
            self.0[of as usize] = above;
            of = above;
        }
        of
    }

    /// Merges two sets; the earlier representative stays.
    pub(crate) fn merge(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
