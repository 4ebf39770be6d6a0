//! Results as they leave: the standard output, and files that are either whole or not there.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::talk::Failure;

/// Writes to the standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if text.is_empty() {
        return Ok(());
    }
    writable()?;
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| unwritable(&error))
}

/// The standard output is open.
pub(crate) fn writable() -> Result<(), Failure> {
    if crate::standard_output::is_closed() {
        return Err(Failure::new(Exit::Output, "CL0010", "cannot write the standard output: it is closed"));
    }
    Ok(())
}

/// The standard output cannot be written.
pub(crate) fn unwritable(error: &std::io::Error) -> Failure {
    cannot_write("the standard output", error)
}

/// Writes a file, or the standard output for `-`. A regular file is replaced as a whole: whoever looks sees the old
/// content or the new, never a part. A symbolic link stays what it is: the file behind it is written.
pub(crate) fn write(path: &Path, content: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        return print(content);
    }
    let failed = |error: &std::io::Error| cannot_write(&format!("`{}`", path.display()), error);
    let written = match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            return Err(Failure::new(Exit::Output, "CL0010", format!("`{}` is a directory", path.display())));
        }
        // Devices and pipes cannot be replaced.
        Ok(metadata) if !metadata.is_file() => write_through(path, content),
        Ok(metadata) => {
            std::fs::canonicalize(path).and_then(|behind| replace(&behind, content, Some(metadata.permissions())))
        }
        Err(_) => behind_links(path).and_then(|behind| replace(&behind, content, None)),
    };
    written.map_err(|error| failed(&error))
}

/// Links that are followed, as many as the system follows.
const MOST_LINKS: usize = 40;

/// The file that does not exist yet and that symbolic links lead to.
fn behind_links(path: &Path) -> std::io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = std::fs::read_link(&path) else { return Ok(path) };
        path = path.parent().map_or(target.clone(), |folder| folder.join(&target));
    }
    Err(std::io::Error::other("too many symbolic links"))
}

fn write_through(path: &Path, content: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(content.as_bytes())?;
    file.flush()
}

fn replace(path: &Path, content: &str, permissions: Option<std::fs::Permissions>) -> std::io::Result<()> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = new_file(folder)?;
    file.write_all(content.as_bytes())?;
    file.as_file().sync_all()?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A temporary file beside the final one, with the permissions that a new file gets.
fn new_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cauldron-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// A reader that went away is no reason to talk.
fn cannot_write(what: &str, error: &std::io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        return Failure::new(Exit::Output, "", "");
    }
    Failure::new(Exit::Output, "CL0010", format!("cannot write {what}: {error}"))
}

/// What a command leaves behind, written in this order: files, talk, standard output.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    /// Files with their contents; `-` is the standard output.
    pub(crate) files: Vec<(PathBuf, String)>,
    /// For the standard error stream.
    pub(crate) talk: String,
    /// For the standard output.
    pub(crate) text: String,
    /// How the process ends if all of this could be written.
    pub(crate) exit: Exit,
}

impl Product {
    /// A product that is only text.
    pub(crate) fn text(exit: Exit, text: impl Into<String>) -> Self {
        Self { files: Vec::new(), talk: String::new(), text: text.into(), exit }
    }

    /// Writes everything. A file that cannot be written does not keep the rest from being written.
    pub(crate) fn deliver(self) -> Result<Exit, Failure> {
        let mut outcome = Ok(self.exit);
        for (path, content) in &self.files {
            if let Err(failure) = write(path, content) {
                outcome = outcome.and(Err(failure));
            }
        }
        crate::talk::say(&self.talk);
        let printed = print(&self.text);
        outcome.and_then(|exit| printed.map(|()| exit))
    }
}
