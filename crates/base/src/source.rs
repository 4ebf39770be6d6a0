//! Source text and places in it.

/// A file among the [`Sources`](crate::Sources) of an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub(crate) u32);

/// A range of bytes in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes of a file from `start` up to `end`.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that contains both. Of a span in another file nothing can be added.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { start: self.start.min(other.start), end: self.end.max(other.end), ..self }
    }

    /// The place before the first byte.
    #[must_use]
    pub fn before(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The place behind the last byte.
    #[must_use]
    pub fn behind(self) -> Self {
        Self { start: self.end, ..self }
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
    id: FileId,
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// Largest text that spans can address.
    pub const MAX_BYTES: usize = u32::MAX as usize - 1;

    /// A text that is the only file of its input. It must not exceed [`Self::MAX_BYTES`].
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::numbered(FileId::default(), name.into(), text.into())
    }

    /// Indexes the lines of a text.
    pub(crate) fn numbered(id: FileId, name: String, text: String) -> Self {
        assert!(text.len() <= Self::MAX_BYTES, "a source text has less than 4 GiB");
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Self { id, name, text, line_starts }
    }

    /// Which file it is.
    #[must_use]
    pub fn id(&self) -> FileId {
        self.id
    }

    /// A place in this text.
    #[must_use]
    pub fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.id, range.start, range.end)
    }

    /// The place behind the whole text.
    #[must_use]
    pub fn end(&self) -> Span {
        self.span(self.text.len()..self.text.len())
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

    /// The text of a span; out of range, inside a character or in another file gives an empty text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        if span.file != self.id {
            return "";
        }
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
        let before = self.text.get(start as usize..byte as usize).unwrap_or("");
        let column = before.chars().count() as u32 + 1;
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

    #[test]
    fn spans_of_different_files_do_not_mix() {
        let (first, second) = (Source::new("x", "ab"), Source::numbered(FileId(1), "y".into(), "cd".into()));
        assert_eq!((first.slice(first.span(0..1)), first.slice(second.span(0..1))), ("a", ""));
        assert_eq!(first.span(0..1).to(first.end()), first.span(0..2));
        assert_eq!(first.span(0..1).to(second.end()), first.span(0..1));
        assert!(first.end() < second.span(0..1));
    }
}
