//! Pushdown systems from elsewhere, against the rows of MANIFEST.md that name them.
//!
//! A row has the file (or several), the question and the answer: `state:symbol` with "reachable" or "not reachable", or
//! `LTL` and one or more formulae with "yes" or "no" for each; `N = 3..9` means that the define N takes these values. The
//! recorded answers to formulae are about runs without end.

use std::path::Path;
use std::time::Duration;

use base::{Budget, Silent, Source};
use driver::front::Given;
use driver::temporal::{Runs, Specification, TemporalQuestion, TemporalVerdict, check_temporal};
use driver::{FrontOptions, Loaded, Options, Question, Verdict};

/// Enough for every question that is asked here.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Engines that answer questions about reachability.
const ENGINES: [&str; 4] = ["summary", "saturation", "saturation-backward", "explicit"];

/// One question about one file.
struct Row {
    file: String,
    define: Option<i64>,
    question: String,
    is_temporal: bool,
    expected: bool,
}

/// Asks all questions; what failed, one line each.
pub(crate) fn run(folder: &Path, manifest: &str) -> Vec<String> {
    let mut failures = Vec::new();
    for row in manifest.lines().filter(|line| line.contains(".pds")).flat_map(rows) {
        let what = format!("{} {} {}", row.file, row.define.map_or(String::new(), |n| format!("N={n}")), row.question);
        match ask(folder, &row) {
            Ok(answer) if answer == row.expected => println!("{what:<60} {}", if answer { "yes" } else { "no" }),
            Ok(answer) => failures.push(format!("{what}: {answer}, but MANIFEST.md says {}", row.expected)),
            Err(why) => failures.push(format!("{what}: {why}")),
        }
    }
    failures
}

/// The questions of one row of a table.
fn rows(line: &str) -> Vec<Row> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
    let [files, question, expected] = cells.as_slice() else { return Vec::new() };
    let questions: Vec<&str> = question.split('`').skip(1).step_by(2).collect();
    let is_temporal = question.starts_with("LTL");
    let questions = if questions.is_empty() { vec![*question] } else { questions };
    let answers: Vec<bool> =
        expected.split('/').map(|it| it.trim() == "yes" || it.trim().starts_with("reachable")).collect();
    let mut rows = Vec::new();
    for file in files.split(',').map(str::trim) {
        let file = if file.contains('/') { file.to_owned() } else { format!("pds/{file}") };
        for define in defines(question) {
            for (question, expected) in questions.iter().zip(&answers) {
                let question = (*question).to_owned();
                rows.push(Row { file: file.clone(), define, question, is_temporal, expected: *expected });
            }
        }
    }
    rows
}

/// The values of N that a question names; none: the file's own.
fn defines(question: &str) -> Vec<Option<i64>> {
    let Some((_, values)) = question.split_once("N = ") else { return vec![None] };
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let listed: Vec<i64> = match values.split_once("..") {
        Some((first, last)) => (number(first).unwrap_or(1)..=number(last).unwrap_or(0)).collect(),
        None => values.split(',').filter_map(number).collect(),
    };
    listed.into_iter().map(Some).collect()
}

fn ask(folder: &Path, row: &Row) -> Result<bool, String> {
    let text = std::fs::read_to_string(folder.join(&row.file)).map_err(|error| error.to_string())?;
    let define = |options: FrontOptions, n| options.with("define", Given::Number("N".to_owned(), n));
    let options = row.define.into_iter().fold(FrontOptions::default(), define);
    let loaded = driver::load(Source::new(row.file.as_str(), text), &front_pds::PDS, &options)
        .map_err(|(_, diagnostics)| format!("rejected: {diagnostics:?}"))?;
    let budget = Budget::unlimited().with_time(Some(TIME_LIMIT));
    if row.is_temporal { holds(&loaded, row, &budget) } else { reached(loaded, row, &budget) }
}

fn holds(loaded: &Loaded, row: &Row, budget: &Budget) -> Result<bool, String> {
    let formula = Source::new("MANIFEST.md", row.question.as_str());
    let question = TemporalQuestion { runs: Runs::Infinite, ..TemporalQuestion::new(Specification::Formula(formula)) };
    let outcome = check_temporal(loaded, &question, &driver::Context::new(budget, &Silent));
    match outcome.map_err(|error| format!("{error:?}"))?.findings.verdict {
        TemporalVerdict::Holds => Ok(true),
        TemporalVerdict::Fails(_) => Ok(false),
        TemporalVerdict::Unknown(reason) => Err(reason.to_string()),
    }
}

fn reached(loaded: Loaded, row: &Row, budget: &Budget) -> Result<bool, String> {
    let labels = vec![row.question.clone()];
    let loaded = driver::watch(loaded, &labels);
    let question = Question { assertions: false, labels, statements: false };
    let mut answers = Vec::new();
    for engine in ENGINES {
        let options = Options { engine: Some(engine.to_owned()), ..Options::default() };
        let outcome = driver::check(&loaded, &question, &options, &driver::Context::new(budget, &Silent));
        let outcome = outcome.map_err(|error| format!("{engine}: {error:?}"))?;
        if outcome.findings.iter().any(|finding| matches!(finding.verdict, Verdict::Unknown(_))) {
            return Err(format!("{engine} did not answer"));
        }
        answers.push(outcome.is_violated());
    }
    let first = answers[0];
    if answers.iter().all(|answer| *answer == first) {
        Ok(first)
    } else {
        Err(format!("engines disagree: {answers:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_taken_apart() {
        let told = |line: &str| -> Vec<String> {
            let row =
                |it: Row| format!("{} {:?} {} {} {}", it.file, it.define, it.question, it.is_temporal, it.expected);
            rows(line).into_iter().map(row).collect()
        };
        assert_eq!(told("| pds/a.pds | q:err | not reachable |"), ["pds/a.pds None q:err false false"]);
        assert_eq!(told("| pds/a.pds, b.pds | LTL `[]p` / `<>q` | yes / no |").len(), 4);
        assert_eq!(
            told("| pds/a.pds | LTL `<>m`, N = 5..6 | no |"),
            ["pds/a.pds Some(5) <>m true false", "pds/a.pds Some(6) <>m true false"]
        );
        assert_eq!(told("| pds/a.pds | q1:err | reachable (others say no) |"), ["pds/a.pds None q1:err false true"]);
    }
}
