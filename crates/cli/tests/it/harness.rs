//! A folder of its own for each test, and what a run of `cauldron` left behind.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A scratch folder in which `cauldron` runs.
pub(crate) struct Lab {
    folder: tempfile::TempDir,
}

/// What a run left behind.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A lab with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let lab = Self::new();
        lab.write(name, content);
        lab
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names of all files, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command, ready to run in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cauldron"));
        command.args(arguments).current_dir(self.folder.path());
        command.env_remove("RUST_BACKTRACE").env_remove("NO_COLOR").env("COLUMNS", "100");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Done {
        self.command(arguments).output().unwrap().into()
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Done {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap().into()
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Done {
    /// Everything, with what differs from run to run left out.
    pub(crate) fn transcript(&self) -> String {
        let mut text = String::new();
        for (name, stream) in [("stdout", &self.out), ("stderr", &self.err)] {
            if !stream.is_empty() {
                text.push_str(&format!("--- {name}\n{}", without_costs(stream)));
            }
        }
        text.push_str(&format!("--- exit {}", self.code.map_or("by signal".to_owned(), |code| code.to_string())));
        text
    }

    pub(crate) fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }
}

/// Time and nodes at the end of a headline, and times in a profile.
pub(crate) fn without_costs(text: &str) -> String {
    let line = |line: &str| {
        let is_cost = |tail: &str| {
            let number = tail.split(' ').next().unwrap_or("").replace(',', "");
            let unit = tail.split(' ').nth(1).unwrap_or("").trim_end_matches(',');
            number.parse::<u64>().is_ok() && matches!(unit, "ms" | "s")
        };
        match line.rsplit_once("  ") {
            Some((head, tail)) if is_cost(tail) => format!("{}  [cost]\n", head.trim_end()),
            _ => format!("{}\n", without_seconds(line)),
        }
    };
    text.lines().map(line).collect()
}

/// `0.014 s  mu Reach` is `[time]  mu Reach`.
fn without_seconds(line: &str) -> String {
    let Some((before, after)) = line.split_once(" s  ") else { return line.to_owned() };
    match before.rsplit_once(' ') {
        Some((head, seconds)) if seconds.contains('.') && seconds.parse::<f64>().is_ok() => {
            format!("{} [time]  {after}", head.trim_end())
        }
        _ => line.to_owned(),
    }
}
