//! The disk, as a [`Reader`], and the messages about files that cannot be read.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use base::{ReadError, Reader, Source, Sources, Unreadable};
use driver::front::{Content, FrontEnd, front_ends, recognise};

use crate::exit::Exit;
use crate::source_args::SourceArgs;
use crate::talk::Failure;

/// The name under which the standard input appears in messages.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// Largest source file that is read. The program that it stands for takes a hundred times as much memory, which is what
/// an ordinary machine has.
const MAX_SOURCE_BYTES: u64 = 64_000_000;

/// Largest trace or certificate that is read.
const MAX_EVIDENCE_BYTES: u64 = 2_000_000_000;

/// Files up to a size; `-` is the standard input.
#[derive(Clone, Copy, Debug)]
struct Disk {
    limit: u64,
}

impl Reader for Disk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        let limit = self.limit;
        if is_stdin(path) {
            return read_all(std::io::stdin().lock(), limit);
        }
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(Unreadable::Directory);
        }
        if metadata.is_file() && metadata.len() > limit {
            return Err(Unreadable::TooLarge { bytes: Some(metadata.len()), limit });
        }
        read_all(file, limit)
    }

    fn beside(&self, path: &Path) -> Vec<String> {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        entries.take(10_000).flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    fn name(&self, path: &Path) -> String {
        if is_stdin(path) { STDIN_NAME.to_owned() } else { path.display().to_string() }
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn read_all(reader: impl Read, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(Unreadable::TooLarge { bytes: None, limit });
    }
    Ok(bytes)
}

#[expect(clippy::needless_pass_by_value, reason = "an argument of map_err")]
fn unreadable(error: std::io::Error) -> Unreadable {
    match error.kind() {
        ErrorKind::NotFound => Unreadable::NotFound { similar: Vec::new() },
        ErrorKind::IsADirectory => Unreadable::Directory,
        ErrorKind::PermissionDenied => Unreadable::Forbidden,
        _ => Unreadable::Other(error.to_string()),
    }
}

/// Opens a program, or the standard input for `-`, and says who reads it: the front end that the user names, else the one
/// that recognises the file. Files that it includes are read when they are asked for.
pub(crate) fn program(path: &Path, args: &SourceArgs) -> Result<(Sources, &'static FrontEnd), Failure> {
    let mut sources = Sources::new(Disk { limit: MAX_SOURCE_BYTES });
    let file = sources.open(path).map_err(|error| failure(&error, ""))?;
    let recognised = || recognise(front_ends(), path, sources.bytes(file));
    let front = args.language.or_else(recognised).ok_or_else(|| Failure::usage("there is no front end"))?;
    if front.content == Content::Text {
        sources.decode(file).map_err(|error| failure(&error, front.smallest))?;
    }
    Ok((sources, front))
}

/// Reads a file that may name others, which are read when they are asked for; or the standard input for `-`.
pub(crate) fn sources(path: &Path) -> Result<Sources, Failure> {
    let mut sources = Sources::new(Disk { limit: MAX_SOURCE_BYTES });
    sources.open_text(path).map_err(|error| failure(&error, smallest(path)))?;
    Ok(sources)
}

/// Reads a source file that includes nothing, or the standard input for `-`.
pub(crate) fn source(path: &Path) -> Result<Source, Failure> {
    text(path, MAX_SOURCE_BYTES).map(|(name, text)| Source::new(name, text))
}

/// Reads a file that Cauldron wrote (a trace or a certificate), or the standard input for `-`.
pub(crate) fn evidence(path: &Path) -> Result<(String, String), Failure> {
    text(path, MAX_EVIDENCE_BYTES)
}

/// The name that messages show, and the content.
fn text(path: &Path, limit: u64) -> Result<(String, String), Failure> {
    let mut sources = Sources::new(Disk { limit });
    let file = sources.open(path).map_err(|error| failure(&error, ""))?;
    sources.into_text(file).map_err(|error| failure(&error, smallest(path)))
}

/// The message about a file that the command line names, with what it has at least.
fn failure(error: &ReadError, smallest: &str) -> Failure {
    let diagnostic = error.diagnostic();
    let failure = Failure::new(Exit::BadInput, diagnostic.code, diagnostic.message);
    match (&error.reason, diagnostic.help) {
        (Unreadable::Empty, _) => failure.help(smallest),
        (_, Some(help)) => failure.help(help),
        (_, None) => failure,
    }
}

/// What a file that is no program has at least, by what its name says that it is.
fn smallest(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("fp") => "an algorithm has at least a query: `query always = true;`",
        Some("mu") => "a file for Mucke has at least a formula: `true;`",
        _ => "perhaps writing it was interrupted: write it again",
    }
}
