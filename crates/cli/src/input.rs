//! Files as they come: each way in which one cannot be read has a message of its own.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use base::Source;

use crate::exit::Exit;
use crate::quantity::show_bytes;
use crate::talk::Failure;

/// The name under which the standard input appears in messages.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// Largest source file that is read. The program that it stands for takes a hundred times as much memory, which is what
/// an ordinary machine has.
const MAX_SOURCE_BYTES: u64 = 64_000_000;

/// Largest trace or certificate that is read.
const MAX_EVIDENCE_BYTES: u64 = 2_000_000_000;

/// Reads a source file, or the standard input for `-`.
pub(crate) fn source(path: &Path) -> Result<Source, Failure> {
    text(path, MAX_SOURCE_BYTES).map(|(name, text)| Source::new(name, text))
}

/// Reads a file that Cauldron wrote (a trace or a certificate), or the standard input for `-`.
pub(crate) fn evidence(path: &Path) -> Result<(String, String), Failure> {
    text(path, MAX_EVIDENCE_BYTES)
}

/// The name that messages show, and the content.
fn text(path: &Path, limit: u64) -> Result<(String, String), Failure> {
    let (name, bytes) = bytes(path, limit)?;
    if bytes.is_empty() {
        return Err(bad("CL0004", format!("`{name}` is empty")).help(smallest(path)));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(binary(&name, at, &bytes, "a NUL byte"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(binary(&name, at, error.as_bytes(), "a byte that is not UTF-8"))
        }
    }
}

/// What a file has at least, by what its name says that it is.
fn smallest(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("pds") => "a pushdown system has at least a start: `(q <main>)`",
        Some("rem") => "a program in Remopla has at least a module `main`: `module void main() { skip; }`",
        Some("fp") => "an algorithm has at least a query: `query always = true;`",
        Some("mu") => "a file for Mucke has at least a formula: `true;`",
        Some("json" | "cert" | "hoa" | "never") => "perhaps writing it was interrupted: write it again",
        _ => "a program has at least a procedure `main`: `void main() begin skip; end`",
    }
}

fn bytes(path: &Path, limit: u64) -> Result<(String, Vec<u8>), Failure> {
    if path == Path::new("-") {
        let bytes = read_all(std::io::stdin().lock(), STDIN_NAME, limit)?;
        return Ok((STDIN_NAME.to_owned(), bytes));
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| cannot_read(&name, path, &error))?;
    let metadata = file.metadata().map_err(|error| cannot_read(&name, path, &error))?;
    if metadata.is_dir() {
        return Err(is_directory(&name));
    }
    if metadata.is_file() && metadata.len() > limit {
        return Err(too_large(&name, &format!("is too large: {}", show_bytes(metadata.len())), limit));
    }
    let bytes = read_all(file, &name, limit)?;
    Ok((name, bytes))
}

fn read_all(reader: impl Read, name: &str, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = reader.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| cannot_read(name, Path::new(name), &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(name, "is too large", limit));
    }
    Ok(bytes)
}

fn bad(code: &'static str, message: String) -> Failure {
    Failure::new(Exit::BadInput, code, message)
}

fn is_directory(name: &str) -> Failure {
    bad("CL0002", format!("`{name}` is a directory, not a file"))
}

fn too_large(name: &str, how: &str, limit: u64) -> Failure {
    let failure = bad("CL0006", format!("`{name}` {how}"));
    failure.help(format!("files of up to {} are read", show_bytes(limit)))
}

fn binary(name: &str, at: usize, bytes: &[u8], what: &str) -> Failure {
    let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    let failure = bad("CL0005", format!("`{name}` is not a text file: {what} at offset {at}, in line {line}"));
    failure.help("source files are UTF-8 text")
}

fn cannot_read(name: &str, path: &Path, error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => {
            let failure = bad("CL0001", format!("there is no file `{name}`"));
            match neighbours(path).as_deref().and_then(crate::talk::did_you_mean) {
                Some(help) => failure.help(help),
                None => failure,
            }
        }
        ErrorKind::IsADirectory => is_directory(name),
        ErrorKind::PermissionDenied => bad("CL0003", format!("no permission to read `{name}`")),
        _ => bad("CL0001", format!("cannot read `{name}`: {error}")),
    }
}

/// Files in the same folder whose names look like the missing one's.
fn neighbours(path: &Path) -> Option<Vec<String>> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.take(10_000).flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let similar = driver::question::similar(wanted, names.iter().map(String::as_str));
    let in_folder = |name: &String| path.with_file_name(name).display().to_string();
    Some(similar.iter().map(in_folder).collect())
}
