//! Source text and places in it.

/// A range of bytes in a source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As a byte range.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Line and column, both counted from one; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
}

/// A named source text with an index of its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// Largest text that spans can address.
    pub const MAX_BYTES: usize = u32::MAX as usize - 1;

    /// Indexes the lines of `text`, which must not exceed [`Self::MAX_BYTES`].
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        assert!(text.len() <= Self::MAX_BYTES, "a source text has less than 4 GiB");
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Self { name: name.into(), text, line_starts }
    }

    /// The name shown to the user, usually the path as given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Number of lines; a text that ends in a newline does not have an empty last line.
    #[must_use]
    pub fn n_lines(&self) -> u32 {
        let n = self.line_starts.len() as u32;
        if self.text.ends_with('\n') { n - 1 } else { n }
    }

    /// The text of a span; out of range or inside a character gives an empty text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line of a byte, counted from one.
    #[must_use]
    pub fn line(&self, byte: u32) -> u32 {
        self.line_starts.partition_point(|start| *start <= byte) as u32
    }

    /// Line and column of a byte.
    #[must_use]
    pub fn position(&self, byte: u32) -> Position {
        let line = self.line(byte);
        let start = self.line_starts[line as usize - 1];
        let column = self.slice(Span { start, end: byte }).chars().count() as u32 + 1;
        Position { line, column }
    }

    /// First byte of a line (counted from one); of a line that does not exist: the end of the text.
    #[must_use]
    pub fn line_start(&self, line: u32) -> u32 {
        let start = self.line_starts.get((line as usize).wrapping_sub(1)).copied();
        start.unwrap_or(self.text.len() as u32)
    }

    /// The text of a line (counted from one), without its end.
    #[must_use]
    pub fn line_text(&self, line: u32) -> &str {
        let Some(start) = self.line_starts.get((line as usize).wrapping_sub(1)) else { return "" };
        let rest = &self.text[*start as usize..];
        let end = rest.find('\n').unwrap_or(rest.len());
        rest[..end].trim_end_matches('\r')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("x", "ab\nçd\n");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(3), Position { line: 2, column: 1 });
        assert_eq!(source.position(5), Position { line: 2, column: 2 });
        assert_eq!(source.n_lines(), 2);
        assert_eq!(source.line_text(2), "çd");
        assert_eq!(source.line_text(9), "");
        assert_eq!(source.line_text(0), "");
        assert_eq!([source.line_start(1), source.line_start(2), source.line_start(9)], [0, 3, 7]);
    }
}
