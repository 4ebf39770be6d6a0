//! Colour as decoration: every function returns its text unchanged when colour is off, and nothing is ever said by
//! colour alone.

use annotate_snippets::renderer::{AnsiColor, Effects, Style};

/// Decorates text, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paint {
    enabled: bool,
}

impl Paint {
    /// No colour.
    pub const PLAIN: Self = Self { enabled: false };

    /// With or without colour.
    #[must_use]
    pub fn new(enabled: bool) -> Self {
        Self { enabled }
    }

    /// Whether colour is on.
    #[must_use]
    pub fn is_enabled(self) -> bool {
        self.enabled
    }

    /// What matters most.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.with(Style::new().effects(Effects::BOLD), text)
    }

    /// What matters least.
    #[must_use]
    pub fn faint(self, text: &str) -> String {
        self.with(Style::new().effects(Effects::DIMMED), text)
    }

    /// Bad news.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.with(AnsiColor::BrightRed.on_default().effects(Effects::BOLD), text)
    }

    /// Good news.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::BrightGreen.on_default().effects(Effects::BOLD), text)
    }

    /// No news.
    #[must_use]
    pub fn open(self, text: &str) -> String {
        self.with(AnsiColor::BrightYellow.on_default().effects(Effects::BOLD), text)
    }

    /// Names and values.
    #[must_use]
    pub fn value(self, text: &str) -> String {
        self.with(AnsiColor::Cyan.on_default(), text)
    }

    fn with(self, style: Style, text: &str) -> String {
        if self.enabled && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_optional_and_ends() {
        assert_eq!(Paint::PLAIN.bad("x"), "x");
        assert_eq!(Paint::new(true).strong("x"), "\u{1b}[1mx\u{1b}[0m");
        assert_eq!(Paint::new(true).strong(""), "");
    }
}
