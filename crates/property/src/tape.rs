//! Tokens one after the other, for the readers of this crate.

use base::Span;

/// A list of tokens that ends with one for the end, and a place in it.
pub(crate) struct Tape<T> {
    tokens: Vec<(T, Span)>,
    at: usize,
}

impl<T: Copy + Eq> Tape<T> {
    /// The last token stands for the end.
    pub(crate) fn new(tokens: Vec<(T, Span)>) -> Self {
        assert!(!tokens.is_empty(), "a tape has an end");
        Self { tokens, at: 0 }
    }

    /// True when there is nothing but the end.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.len() == 1
    }

    pub(crate) fn peek(&self) -> T {
        self.tokens[self.at].0
    }

    /// The token after the current one.
    pub(crate) fn second(&self) -> T {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The place of the token before the current one.
    pub(crate) fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    /// Takes a token; the end stays.
    pub(crate) fn take(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    pub(crate) fn take_if(&mut self, token: T) -> bool {
        let found = self.peek() == token;
        if found {
            self.take();
        }
        found
    }

    /// Where the current token is, for [`Self::go_to`].
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn go_to(&mut self, position: usize) {
        self.at = position.min(self.tokens.len() - 1);
    }

    /// Goes to the end.
    pub(crate) fn skip_all(&mut self) {
        self.at = self.tokens.len() - 1;
    }
}
