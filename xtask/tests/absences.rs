//! What is never there: words that only some crates may say.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

/// A word, who may say it, and why nobody else does.
struct Absence {
    word: &'static str,
    allowed: &'static [&'static str],
    why: &'static str,
}

const ABSENCES: &[Absence] = &[
    Absence {
        word: "std::fs",
        allowed: &["cli"],
        why: "files are read through `base::Reader`, and written at the edge",
    },
    Absence { word: "std::process", allowed: &["cli"], why: "processes are the business of the edge" },
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

/// The lines of a source file that are not tests: a module of tests ends a file.
fn said<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let code = text.lines().take_while(|line| *line != "#[cfg(test)]");
    code.filter(move |line| !line.trim_start().starts_with("//") && line.contains(word))
}

#[test]
fn only_the_edge_touches_files_and_processes() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut faults = Vec::new();
    let mut n_files = 0;
    for package in std::fs::read_dir(&crates).expect("a folder of the project") {
        let package = package.expect("it is readable").path();
        let name = package.file_name().and_then(|it| it.to_str()).expect("a name").to_owned();
        let mut files = Vec::new();
        rust_files(&package.join("src"), &mut files);
        n_files += files.len();
        for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = std::fs::read_to_string(file).expect("it is text");
            for Absence { word, allowed, why } in ABSENCES {
                if !allowed.contains(&name.as_str()) && said(&text, word).next().is_some() {
                    faults.push(format!("{} says `{word}`, but {why}", file.display()));
                }
            }
        }
    }
    assert!(n_files > 100, "the crates were read");
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn a_word_is_found_in_code_and_not_in_comments_or_tests() {
    let found = |text| said(text, "std::fs").count();
    assert_eq!(found("use std::fs::File;\n"), 1);
    assert_eq!(found("// std::fs\n/// std::fs\n#[cfg(test)]\nmod tests { use std::fs; }\n"), 0);
}
