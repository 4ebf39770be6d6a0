//! How files are read: through a trait, because only the command line touches the disk; and why one cannot be read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Diagnostic;
use crate::budget::show_bytes;
use crate::names::did_you_mean;

/// Whoever can read files by their paths.
pub trait Reader: Send + Sync {
    /// The content of a file.
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable>;

    /// The names of the files in the same folder, without the folder.
    fn beside(&self, path: &Path) -> Vec<String>;

    /// The name under which messages show the file.
    fn name(&self, path: &Path) -> String {
        path.display().to_string()
    }
}

/// Files in memory, for tests and for programs that use Cauldron as a library.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InMemory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl InMemory {
    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.into(), content.into());
        self
    }
}

impl Reader for InMemory {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        self.files.get(path).cloned().ok_or(Unreadable::NotFound { similar: Vec::new() })
    }

    fn beside(&self, path: &Path) -> Vec<String> {
        let same_folder = self.files.keys().filter(|other| other.parent() == path.parent());
        same_folder.filter_map(|other| Some(other.file_name()?.to_str()?.to_owned())).collect()
    }
}

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// There is no such file.
    NotFound {
        /// Paths of existing files that look like it.
        similar: Vec<String>,
    },
    /// It is a directory.
    Directory,
    /// The user may not read it.
    Forbidden,
    /// It is larger than what is read.
    TooLarge {
        /// Its size, if that is known.
        bytes: Option<u64>,
        /// Largest size that is read.
        limit: u64,
    },
    /// It has no content.
    Empty,
    /// It is not UTF-8 text.
    NotText {
        /// What is there instead.
        found: &'static str,
        /// Where, in bytes.
        offset: usize,
        /// In which line, from one.
        line: usize,
    },
    /// Whatever else the system says.
    Other(String),
}

/// A file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The name that messages show.
    pub name: String,
    /// Why it cannot be read.
    pub reason: Unreadable,
}

impl ReadError {
    /// The message about it, without a place: whoever asked for the file knows where it is named.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let name = &self.name;
        match &self.reason {
            Unreadable::NotFound { similar } => {
                let diagnostic = Diagnostic::error("CL0001", format!("there is no file `{name}`"));
                Diagnostic { help: did_you_mean(similar), ..diagnostic }
            }
            Unreadable::Directory => Diagnostic::error("CL0002", format!("`{name}` is a directory, not a file")),
            Unreadable::Forbidden => Diagnostic::error("CL0003", format!("no permission to read `{name}`")),
            Unreadable::Empty => Diagnostic::error("CL0004", format!("`{name}` is empty")),
            Unreadable::NotText { found, offset, line } => {
                let place = format!("{found} at offset {offset}, in line {line}");
                Diagnostic::error("CL0005", format!("`{name}` is not a text file: {place}"))
                    .help("source files are UTF-8 text")
            }
            Unreadable::TooLarge { bytes, limit } => {
                let size = bytes.map_or_else(String::new, |bytes| format!(": {}", show_bytes(bytes)));
                Diagnostic::error("CL0006", format!("`{name}` is too large{size}"))
                    .help(format!("files of up to {} are read", show_bytes(*limit)))
            }
            Unreadable::Other(error) => Diagnostic::error("CL0001", format!("cannot read `{name}`: {error}")),
        }
    }
}

/// The text that a file holds; what is not text comes back.
pub fn text(bytes: Vec<u8>) -> Result<String, (Unreadable, Vec<u8>)> {
    if bytes.is_empty() {
        return Err((Unreadable::Empty, bytes));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err((not_text(&bytes, at, "a NUL byte"), bytes));
    }
    String::from_utf8(bytes).map_err(|error| {
        let reason = not_text(error.as_bytes(), error.utf8_error().valid_up_to(), "a byte that is not UTF-8");
        (reason, error.into_bytes())
    })
}

fn not_text(bytes: &[u8], offset: usize, found: &'static str) -> Unreadable {
    let line = 1 + bytes[..offset].iter().filter(|byte| **byte == b'\n').count();
    Unreadable::NotText { found, offset, line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_said_with_its_place() {
        assert_eq!(text(b"ab\n".to_vec()), Ok("ab\n".to_owned()));
        assert_eq!(text(Vec::new()), Err((Unreadable::Empty, Vec::new())));
        let (reason, bytes) = text(b"a\nb\xff".to_vec()).unwrap_err();
        assert_eq!(bytes, b"a\nb\xff");
        let error = ReadError { name: "x".into(), reason };
        assert_eq!(
            error.diagnostic().message,
            "`x` is not a text file: a byte that is not UTF-8 at offset 3, in line 2"
        );
        let error = ReadError { name: "x".into(), reason: text(b"\0".to_vec()).unwrap_err().0 };
        assert_eq!((error.diagnostic().code, error.diagnostic().message.contains("a NUL byte")), ("CL0005", true));
    }
}
