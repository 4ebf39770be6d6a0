//! The source with a mark before each line.

use std::collections::BTreeMap;

use base::{FileId, Source, Sources};

use crate::Paint;
use crate::json::common::{Evidence, within};
use crate::json::coverage::{CoverageEnd, CoverageReport, Mark, Statement};
use crate::visible::{abridged, counted, grouped, one_line, visible};

/// Characters of a source line that are shown.
const LONGEST_LINE: usize = 500;

/// Lines with several marks that are explained one by one.
const MOST_NOTES: usize = 20;

impl Mark {
    /// The mark in the gutter.
    #[must_use]
    pub fn symbol(self) -> char {
        match self {
            Self::Reachable => '+',
            Self::Unreachable => '-',
            Self::Undecided => '?',
            Self::Violated => '!',
        }
    }

    /// What the mark says.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Reachable => "reachable",
            Self::Unreachable => "unreachable",
            Self::Undecided => "not decided",
            Self::Violated => "violated assertion",
        }
    }

    fn painted(self, paint: Paint) -> String {
        let symbol = self.symbol().to_string();
        match self {
            Self::Reachable => paint.good(&symbol),
            Self::Unreachable => paint.faint(&symbol),
            Self::Undecided => paint.open(&symbol),
            Self::Violated => paint.bad(&symbol),
        }
    }

    /// Of several statements on a line the most remarkable one gives the mark.
    fn remarkable(self) -> u8 {
        match self {
            Self::Reachable => 0,
            Self::Unreachable => 1,
            Self::Undecided => 2,
            Self::Violated => 3,
        }
    }
}

/// The source files with their marks, notes on lines with several marks, and the counts. Of the files that the given one
/// includes, those with statements are shown, each under its name.
#[must_use]
pub fn render(report: &CoverageReport, sources: &Sources, paint: Paint) -> String {
    let mut text = String::new();
    for id in sources.ids() {
        let name = (id != FileId::default()).then(|| sources.name(id));
        let by_line = by_line(report.statements.iter().filter(|statement| statement.file.as_deref() == name));
        let Some(source) = sources.shown(id).filter(|_| name.is_none() || !by_line.is_empty()) else { continue };
        if let Some(name) = name {
            text.push_str(&format!("{}:\n", paint.strong(&visible(name))));
        }
        text.push_str(&marked(&by_line, source, paint));
    }
    text.push_str(&summary(report));
    text
}

/// The lines of a file with their marks, and notes.
fn marked(by_line: &BTreeMap<u32, Vec<&Statement>>, source: &Source, paint: Paint) -> String {
    let numbers = source.n_lines().to_string().len();
    let mut text = String::new();
    for line in 1..=source.n_lines() {
        let mark = by_line.get(&line).and_then(|statements| line_mark(statements));
        let gutter = mark.map_or(" ".to_owned(), |mark| mark.painted(paint));
        let shown = abridged(&source.line_text(line).replace('\t', "    "), LONGEST_LINE).into_owned();
        let row = format!("{gutter} {} | {shown}", paint.faint(&format!("{line:>numbers$}")));
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&notes(by_line));
    text
}

/// The last line, for scripts: `result: complete`, `result: bounded (2 rounds)`, `result: unvalidated (too large)` or
/// `result: partial (time)`.
#[must_use]
pub fn result_line(report: &CoverageReport) -> String {
    match report.end() {
        CoverageEnd::Complete if report.evidence == Some(Evidence::None) => {
            "result: complete (no certificate)\n".to_owned()
        }
        CoverageEnd::Complete => "result: complete\n".to_owned(),
        CoverageEnd::Bounded => {
            format!("result: bounded ({})\n", within(report.bound, report.max_threads).unwrap_or_default())
        }
        CoverageEnd::Unvalidated(reason) => format!("result: unvalidated ({})\n", reason.word()),
        CoverageEnd::Partial(reason) => format!("result: partial ({})\n", reason.word()),
    }
}

/// The counts.
#[must_use]
pub fn summary(report: &CoverageReport) -> String {
    let summary = &report.summary;
    let mut text = format!(
        "{}: {}: {} reachable (+), {} unreachable (-), {} not decided (?); {} (!)\n",
        visible(&report.input.file),
        counted(report.statements.len() as u64, "statement"),
        grouped(summary.reachable),
        grouped(summary.unreachable),
        grouped(summary.undecided),
        counted(summary.violated, "violated assertion"),
    );
    if let Some(bound) = within(report.bound, report.max_threads).filter(|_| summary.unreachable > 0) {
        text.push_str(&format!("unreachable means: within {bound}\n"));
    }
    if let Some(evidence) = report.evidence {
        let certificate = match evidence {
            Evidence::None => "none",
            Evidence::NotValidated => "NOT validated",
            Evidence::Validated => "validated",
        };
        text.push_str(&format!("certificate for what is unreachable: {certificate}\n"));
    }
    text
}

fn by_line<'a>(statements: impl Iterator<Item = &'a Statement>) -> BTreeMap<u32, Vec<&'a Statement>> {
    let mut by_line: BTreeMap<u32, Vec<&Statement>> = BTreeMap::new();
    for statement in statements {
        by_line.entry(statement.line).or_default().push(statement);
    }
    by_line
}

fn line_mark(statements: &[&Statement]) -> Option<Mark> {
    statements.iter().map(|statement| statement.mark).max_by_key(|mark| mark.remarkable())
}

/// Lines on which statements differ.
fn notes(by_line: &BTreeMap<u32, Vec<&Statement>>) -> String {
    let differs = |statements: &[&Statement]| statements.iter().any(|other| other.mark != statements[0].mark);
    let mixed: Vec<_> = by_line.iter().filter(|(_, statements)| differs(statements)).collect();
    let mut text = String::new();
    for (line, statements) in mixed.iter().take(MOST_NOTES) {
        let shown: Vec<String> = statements.iter().map(|statement| note(statement)).collect();
        text.push_str(&format!("line {line}: {}\n", shown.join(", ")));
    }
    if mixed.len() > MOST_NOTES {
        let rest = counted((mixed.len() - MOST_NOTES) as u64, "more line");
        text.push_str(&format!("... and {rest} with several marks\n"));
    }
    text
}

fn note(statement: &Statement) -> String {
    format!("`{}` {}", one_line(&statement.text, 40), statement.mark.word())
}
