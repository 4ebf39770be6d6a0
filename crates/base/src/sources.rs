//! The files of one input: a program with what it includes, an algorithm, a specification.
//!
//! Files are read on demand through a [`Reader`] and stay in memory, so that every message can show the place it is
//! about. A file is bytes until somebody wants to have it as text.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::names::nearest;
use crate::read::{InMemory, ReadError, Reader, Unreadable, text};
use crate::{FileId, Position, Source, Span};

/// The files of one input, each with its [`FileId`].
#[derive(Clone)]
pub struct Sources {
    files: Vec<File>,
    reader: Arc<dyn Reader>,
}

#[derive(Clone, Debug)]
struct File {
    /// Where it was read from; nothing for texts and bytes that were made.
    path: Option<PathBuf>,
    name: String,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Text(Arc<Source>),
    Bytes(Arc<Vec<u8>>),
}

impl Sources {
    /// No files yet.
    #[must_use]
    pub fn new(reader: impl Reader + 'static) -> Self {
        Self { files: Vec::new(), reader: Arc::new(reader) }
    }

    /// Adds a text that was not read from a file.
    pub fn add_text(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let (id, name) = (self.next_id(), name.into());
        let source = Source::numbered(id, name.clone(), text.into());
        self.add(None, name, Content::Text(Arc::new(source)))
    }

    /// Adds bytes that were not read from a file, such as a member of an archive.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> FileId {
        self.add(None, name.into(), Content::Bytes(Arc::new(bytes.into())))
    }

    /// Reads a file as bytes. A file that was read before is not read again.
    pub fn open(&mut self, path: &Path) -> Result<FileId, ReadError> {
        let known = self.files.iter().position(|file| file.path.as_deref() == Some(path));
        if let Some(at) = known {
            return Ok(FileId(at as u32));
        }
        let name = self.reader.name(path);
        match self.reader.read(path) {
            Ok(bytes) => Ok(self.add(Some(path.to_owned()), name, Content::Bytes(Arc::new(bytes)))),
            Err(reason) => Err(ReadError { name, reason: self.with_similar(reason, path) }),
        }
    }

    /// Reads a file as text.
    pub fn open_text(&mut self, path: &Path) -> Result<FileId, ReadError> {
        let file = self.open(path)?;
        self.decode(file).map(|_| file)
    }

    /// Takes a file as text from now on.
    pub fn decode(&mut self, id: FileId) -> Result<&Source, ReadError> {
        let File { name, content, .. } = &mut self.files[id.0 as usize];
        if let Content::Bytes(bytes) = content {
            match text(Arc::unwrap_or_clone(std::mem::take(bytes))) {
                Ok(text) => *content = Content::Text(Arc::new(Source::numbered(id, name.clone(), text))),
                Err((reason, as_before)) => {
                    *bytes = Arc::new(as_before);
                    return Err(ReadError { name: name.clone(), reason });
                }
            }
        }
        Ok(self.text(id))
    }

    /// The name and the text of a file, without an index of its lines.
    pub fn into_text(mut self, id: FileId) -> Result<(String, String), ReadError> {
        let File { name, content, .. } = self.files.swap_remove(id.0 as usize);
        let bytes = match content {
            Content::Text(source) => return Ok((name, source.text().to_owned())),
            Content::Bytes(bytes) => Arc::unwrap_or_clone(bytes),
        };
        match text(bytes) {
            Ok(text) => Ok((name, text)),
            Err((reason, _)) => Err(ReadError { name, reason }),
        }
    }

    /// The path of a file that another one names, relative to the folder of that one.
    #[must_use]
    pub fn beside(&self, file: FileId, name: &str) -> PathBuf {
        let folder = self.files[file.0 as usize].path.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).join(name)
    }

    /// A file as text. It must have been added or read as text.
    #[must_use]
    pub fn text(&self, file: FileId) -> &Source {
        match &self.files[file.0 as usize].content {
            Content::Text(source) => source,
            Content::Bytes(_) => panic!("a file is taken as text before its text is asked for"),
        }
    }

    /// The content of a file.
    #[must_use]
    pub fn bytes(&self, file: FileId) -> &[u8] {
        match &self.files[file.0 as usize].content {
            Content::Text(source) => source.text().as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }

    /// The name that messages show.
    #[must_use]
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].name
    }

    /// The name of the first file, which is the one that the user gave.
    #[must_use]
    pub fn main_name(&self) -> &str {
        self.files.first().map_or("", |file| &file.name)
    }

    /// A file as text, if there is one and it is text: what messages can show.
    #[must_use]
    pub fn shown(&self, file: FileId) -> Option<&Source> {
        match &self.files.get(file.0 as usize)?.content {
            Content::Text(source) => Some(source),
            Content::Bytes(_) => None,
        }
    }

    /// Line and column of the beginning of a span; none in bytes. A span that is out of range begins at the end.
    #[must_use]
    pub fn position(&self, span: Span) -> Option<Position> {
        let source = self.shown(span.file)?;
        Some(source.position(span.start.min(source.text().len() as u32)))
    }

    /// The text of a span; empty where there is none.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.shown(span.file).map_or("", |source| source.slice(span))
    }

    /// All files, in the order in which they were opened.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    fn next_id(&self) -> FileId {
        FileId(self.files.len() as u32)
    }

    fn add(&mut self, path: Option<PathBuf>, name: String, content: Content) -> FileId {
        let id = self.next_id();
        self.files.push(File { path, name, content });
        id
    }

    /// Of a file that does not exist: which ones look like it.
    fn with_similar(&self, reason: Unreadable, path: &Path) -> Unreadable {
        let (Unreadable::NotFound { .. }, Some(wanted)) = (&reason, path.file_name().and_then(|it| it.to_str())) else {
            return reason;
        };
        let names = self.reader.beside(path);
        let similar = nearest(wanted, names.iter().map(String::as_str));
        let in_folder = |name: &String| self.reader.name(&path.with_file_name(name));
        Unreadable::NotFound { similar: similar.iter().map(in_folder).collect() }
    }
}

impl Default for Sources {
    /// No files, and none can be read.
    fn default() -> Self {
        Self::new(InMemory::default())
    }
}

/// A text that includes nothing.
impl From<Source> for Sources {
    fn from(source: Source) -> Self {
        assert!(source.id() == FileId::default(), "a text of its own is the first file of its input");
        let mut sources = Self::default();
        sources.add(None, source.name().to_owned(), Content::Text(Arc::new(source)));
        sources
    }
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.files.iter().map(|file| &file.name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Sources {
        let files =
            InMemory::default().with("a/main.x", "one\ntwo\n").with("a/other.x", "three").with("b/raw", [0, 255]);
        Sources::new(files)
    }

    #[test]
    fn files_are_read_once_and_spans_name_them() {
        let mut sources = sources();
        let main = sources.open_text(Path::new("a/main.x")).unwrap();
        let other = sources.open_text(&sources.beside(main, "other.x")).unwrap();
        assert_eq!(sources.open(Path::new("a/main.x")), Ok(main));
        assert_eq!((sources.name(main), sources.name(other)), ("a/main.x", "a/other.x"));
        let span = sources.text(other).span(0..3);
        assert_eq!((sources.slice(span), sources.text(main).slice(span)), ("thr", ""));
        assert_eq!(sources.position(sources.text(main).span(4..5)), Some(Position { line: 2, column: 1 }));
        assert_eq!(sources.ids().collect::<Vec<_>>(), [main, other]);
    }

    #[test]
    fn bytes_are_no_text() {
        let mut sources = sources();
        let raw = sources.open(Path::new("b/raw")).unwrap();
        assert_eq!(sources.bytes(raw), [0, 255]);
        assert_eq!((sources.position(Span::new(raw, 1, 2)), sources.slice(Span::new(raw, 1, 2))), (None, ""));
        let error = sources.decode(raw).unwrap_err();
        assert_eq!(error.diagnostic().code, "CL0005");
        let made = sources.add_bytes("Main.class", [1, 2]);
        assert_eq!((sources.bytes(made), sources.name(made)), (&[1, 2][..], "Main.class"));
    }

    #[test]
    fn a_missing_file_has_similar_ones_in_its_folder() {
        let error = sources().open(Path::new("a/mian.x")).unwrap_err();
        assert_eq!(error.diagnostic().message, "there is no file `a/mian.x`");
        assert_eq!(error.diagnostic().help.as_deref(), Some("did you mean `a/main.x`?"));
        let error = Sources::default().open(Path::new("x")).unwrap_err();
        assert_eq!(error.reason, Unreadable::NotFound { similar: Vec::new() });
    }
}
