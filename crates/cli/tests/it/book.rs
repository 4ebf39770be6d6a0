//! The book: files that a chapter shows are written, commands that it shows are run, and what they print is what it says.

use crate::harness::{Done, Lab, without_costs};

const CHAPTER: &str = include_str!("../../../../book/src/own-algorithm.md");

/// The fenced blocks of a chapter: the words behind the fence, and the lines within.
fn blocks(chapter: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in chapter.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(words), None) => open = Some((words.to_owned(), String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

fn printed(done: &Done) -> String {
    without_costs(&format!("{}{}", done.out, done.err)).trim_end().to_owned()
}

#[test]
fn the_chapter_on_own_algorithms_is_true() {
    let lab = Lab::with("figure1.bp", include_str!("../../../../examples/figure1.bp"));
    let (mut n_files, mut n_commands) = (0, 0);
    for (words, text) in blocks(CHAPTER) {
        if let Some(name) = words.strip_prefix("fp file=") {
            lab.write(name, &text);
            n_files += 1;
        } else if words == "console" {
            let (command, output) = text.split_once('\n').unwrap();
            let arguments: Vec<&str> = command.strip_prefix("$ cauldron ").unwrap().split(' ').collect();
            assert_eq!(printed(&lab.run(&arguments)), without_costs(output).trim_end(), "{command}");
            n_commands += 1;
        } else {
            panic!("the chapter has a block that is not run: {words}");
        }
    }
    assert_eq!((n_files, n_commands), (2, 4));
}

/// Every clause that the other chapter quotes is in the file that its section is about.
#[test]
fn the_tables_quote_the_files() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chapter = include_str!("../../../../book/src/algorithms-as-formulae.md");
    let mut n_quoted = 0;
    for section in chapter.split("\n## `").skip(1) {
        let name = section.split('`').next().unwrap();
        let (_, text) =
            engine::formula::ALGORITHMS.iter().find(|(known, _)| Some(*known) == name.strip_suffix(".fp")).unwrap();
        let text = squeezed(text);
        for row in section.lines().filter_map(|line| line.strip_prefix("| `")) {
            let cell = row.replace("\\|", "\u{1}").split(" | ").next().unwrap().replace('\u{1}', "|");
            // `Relation`: `clause`; several parts of a clause are joined by dots in the table.
            let quoted = cell.rsplit(": `").next().unwrap().trim_end_matches(['`', ' ', '|']);
            for part in quoted.split(" & ... & ").filter(|part| part.contains(" & ")) {
                let part =
                    part.trim_matches(['(', ')']).trim_start_matches("exists x. ").trim_start_matches("exists z. ");
                assert!(text.contains(part), "{name} does not say: {part}");
                n_quoted += 1;
            }
        }
    }
    assert!(n_quoted > 25, "the tables quote clauses: {n_quoted}");
}
