//! The documents: files that a chapter shows are written, commands that it shows are run, and what they print is what
//! it says.
//!
//! A chapter is run in a folder of its own that looks like the project's: `examples/`, `algorithms/` and `corpus/bp/` are
//! there. Its fenced blocks, in order:
//! - ` ```fp file=NAME ` (or `bp`, `mu`, `pds`, `text`): a file;
//! - ` ```console `: lines `$ cauldron ...`, each followed by what it prints; `$ echo $?` shows the last exit code;
//! - ` ```text `: not run.
//!
//! A new chapter is found by its being there.

use std::path::{Path, PathBuf};

use crate::harness::{Lab, without_costs};

/// What a chapter shows.
#[derive(PartialEq, Eq, Debug)]
enum Block {
    File { name: String, text: String },
    Command { command: String, output: String },
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder with an extension, in order.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(project().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|other| other == extension));
    files.sort();
    files
}

fn name_of(file: &Path) -> &str {
    file.file_name().and_then(|name| name.to_str()).unwrap()
}

fn chapters() -> Vec<PathBuf> {
    let mut chapters = files("book/src", "md");
    chapters.push(project().join("algorithms/README.md"));
    chapters
}

/// The fenced blocks of a chapter, or the words behind a fence that mean nothing.
fn blocks(chapter: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        let Some(words) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match words.split_once(" file=") {
            Some(("fp" | "bp" | "mu" | "pds" | "text", name)) => {
                blocks.push(Block::File { name: name.to_owned(), text: inside.join("\n") + "\n" });
            }
            None if words == "console" => blocks.extend(commands(&inside)?),
            None if words == "text" => {}
            _ => return Err(format!("a block that is neither written nor run: ```{words}")),
        }
    }
    Ok(blocks)
}

/// The commands of a block, each with the lines up to the next one.
fn commands(lines: &[&str]) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    for line in lines {
        match (line.strip_prefix("$ "), blocks.last_mut()) {
            (Some(command), _) => {
                blocks.push(Block::Command { command: command.to_owned(), output: String::new() });
            }
            (None, Some(Block::Command { output, .. })) => {
                output.push_str(line);
                output.push('\n');
            }
            (None, _) => return Err(format!("a console that begins without a command: {line}")),
        }
    }
    Ok(blocks)
}

/// The words of a command line; a word between single quotes may contain blanks.
fn words(arguments: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, part) in arguments.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split(' ').filter(|word| !word.is_empty()));
        }
    }
    words
}

/// A folder that looks like the project's.
fn lab() -> Lab {
    let lab = Lab::new();
    for (folder, extension) in [("examples", "bp"), ("algorithms", "fp"), ("corpus/bp", "bp")] {
        std::fs::create_dir_all(lab.path(folder)).unwrap();
        for file in files(folder, extension) {
            std::fs::copy(&file, lab.path(folder).join(name_of(&file))).unwrap();
        }
    }
    lab
}

/// Runs a chapter; says what differs, and counts the commands.
fn run(chapter: &str) -> Result<usize, String> {
    let lab = lab();
    let (mut n_commands, mut code) = (0, None);
    for block in blocks(chapter)? {
        let (command, expected) = match block {
            Block::File { name, text } => {
                lab.write(&name, text);
                continue;
            }
            Block::Command { command, output } => (command, output),
        };
        let printed = if command == "echo $?" {
            code.map_or("by signal".to_owned(), |code: i32| code.to_string())
        } else {
            let arguments = command.strip_prefix("cauldron ").ok_or_else(|| format!("not ours to run: {command}"))?;
            let done = lab.run(&words(arguments));
            code = done.code;
            format!("{}{}", done.out, done.err)
        };
        let same = |text: &str| without_costs(text).trim_end().to_owned();
        if same(&printed) != same(&expected) {
            return Err(format!("$ {command}\n{printed}\nbut the chapter says:\n{expected}"));
        }
        n_commands += 1;
    }
    Ok(n_commands)
}

#[test]
fn every_chapter_is_true() {
    let mut n_commands = 0;
    for chapter in chapters() {
        match run(&std::fs::read_to_string(&chapter).unwrap()) {
            Ok(n) => n_commands += n,
            Err(why) => panic!("{}: {why}", chapter.display()),
        }
    }
    assert!(n_commands >= 10, "the chapters show commands: {n_commands}");
}

#[test]
fn a_chapter_that_is_not_true_is_noticed() {
    let file = "```bp file=a.bp\ndecl g;\nvoid main() begin\n  assert(g | !g);\nend\n```\n";
    let holds = "```console\n$ cauldron check a.bp -q\nresult: holds\n$ echo $?\n0\n```\n";
    assert_eq!(run(&format!("{file}text\n{holds}")), Ok(2));
    assert!(run(&format!("{file}{}", holds.replace("holds", "violated"))).is_err());
    assert!(run(&format!("{file}{}", holds.replace("\n0\n", "\n10\n"))).is_err());
    assert!(run("```console\n$ rm a.bp\n```\n").is_err() && run("```console\nlost\n```\n").is_err());
    assert!(run("```rust\nfn main() {}\n```\n").is_err());
}

#[test]
fn the_summary_lists_all_chapters() {
    let summary = std::fs::read_to_string(project().join("book/src/SUMMARY.md")).unwrap();
    let listed = summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(')'));
    let mut listed: Vec<&str> = listed.collect();
    listed.sort_unstable();
    let chapters = files("book/src", "md");
    let there: Vec<&str> = chapters.iter().map(|file| name_of(file)).filter(|name| *name != "SUMMARY.md").collect();
    assert_eq!(listed, there);
}

#[test]
fn algorithms_fit_on_a_page() {
    for (name, text) in driver::algorithm::ALGORITHMS {
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(text.lines().count() <= 60 && longest <= Some(120), "{name}");
    }
}

/// Every clause that the tables of a chapter quote is in the file that its section is about.
#[test]
fn the_tables_quote_the_files() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chapter = std::fs::read_to_string(project().join("book/src/algorithms-as-formulae.md")).unwrap();
    let mut n_quoted = 0;
    for section in chapter.split("\n## `").skip(1) {
        let name = section.split('`').next().unwrap();
        let (_, text) =
            driver::algorithm::ALGORITHMS.iter().find(|(known, _)| Some(*known) == name.strip_suffix(".fp")).unwrap();
        let text = squeezed(text);
        for row in section.lines().filter_map(|line| line.strip_prefix("| `")) {
            let cell = row.replace("\\|", "\u{1}").split(" | ").next().unwrap().replace('\u{1}', "|");
            // `Relation`: `clause`; several parts of a clause are joined by dots in the table.
            let quoted = cell.rsplit(": `").next().unwrap().trim_end_matches(['`', ' ', '|']);
            for part in quoted.split(" & ... & ").filter(|part| part.contains(" & ") && !part.contains('`')) {
                let part = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')).unwrap_or(part);
                assert!(text.contains(part.trim_matches(['(', ')'])), "{name} does not say: {part}");
                n_quoted += 1;
            }
        }
    }
    assert!(n_quoted > 25, "the tables quote clauses: {n_quoted}");
}
