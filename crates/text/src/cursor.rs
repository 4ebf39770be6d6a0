//! The next tokens and the nesting around them.

use base::{Diagnostic, Diagnostics, Source, Span};

use crate::scanner::{Comment, Lexeme, Scanner, Token};

/// A place in a source, with the tokens behind it.
pub struct Cursor<'s, T: Token<'s>> {
    scanner: Scanner<'s, T>,
    ahead: [Lexeme<T>; 3],
    /// The token before them.
    previous: Span,
    /// Constructs and parentheses around the current token.
    depth: u32,
    /// Nesting was too deep: nothing more is read.
    stopped: bool,
}

impl<'s, T: Token<'s>> Cursor<'s, T> {
    /// The beginning of a source.
    #[must_use]
    pub fn new(source: &'s Source) -> Self {
        let mut scanner = Scanner::new(source);
        let ahead = std::array::from_fn(|_| scanner.next());
        Self { scanner, ahead, previous: source.span(0..0), depth: 0, stopped: false }
    }

    /// What reading found: nothing when it had to stop, else the given tree and the comments; and all mistakes.
    #[must_use]
    pub fn finish<X>(self, tree: impl FnOnce(Vec<Comment>) -> X) -> (Option<X>, Diagnostics) {
        let Scanner { comments, report, .. } = self.scanner;
        ((!self.stopped).then(|| tree(comments)), report.finish())
    }

    pub(crate) fn ahead(&self) -> [Lexeme<T>; 3] {
        self.ahead
    }

    pub(crate) fn previous(&self) -> Span {
        self.previous
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.scanner.report.has_errors()
    }

    pub(crate) fn source(&self) -> &'s Source {
        self.scanner.source()
    }

    #[inline(never)]
    pub(crate) fn advance(&mut self) -> Span {
        self.previous = self.ahead[0].span;
        let next = if self.stopped { self.end_of_file() } else { self.scanner.next() };
        self.ahead = [self.ahead[1], self.ahead[2], next];
        self.previous
    }

    pub(crate) fn diagnose(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.scanner.report(diagnostic);
        }
    }

    pub(crate) fn check_depth(&mut self, height: u32) -> Option<()> {
        if self.stopped {
            return None;
        }
        if self.depth.saturating_add(height) <= T::RULES.max_depth {
            return Some(());
        }
        self.stop()
    }

    #[inline(never)]
    fn stop(&mut self) -> Option<()> {
        let rules = T::RULES;
        let message = format!("nested more than {} levels deep", rules.max_depth);
        let diagnostic = Diagnostic::error(rules.too_deep, message)
            .at(self.ahead[0].span, "nothing beyond this place is read")
            .help(rules.too_deep_help);
        self.diagnose(diagnostic);
        self.stopped = true;
        self.ahead = [self.end_of_file(); 3];
        None
    }

    fn end_of_file(&self) -> Lexeme<T> {
        Lexeme {
            token: T::END_OF_FILE,
            span: self.scanner.end(),
            first_on_line: true,
            blank_before: false,
            after_mistake: false,
        }
    }
}
