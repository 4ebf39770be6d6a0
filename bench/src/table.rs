//! The results as a table for people and as one for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::tools::Answer;

/// One run.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) series: String,
    pub(crate) size: u32,
    pub(crate) case: String,
    pub(crate) tool: &'static str,
    pub(crate) result: Outcome,
    pub(crate) user_seconds: f64,
    pub(crate) wall_seconds: f64,
    pub(crate) megabytes: f64,
    /// Peak nodes and number of variables of the decision diagrams, and number of view tuples, where the tool says so.
    pub(crate) nodes: Option<u64>,
    pub(crate) variables: Option<u64>,
    pub(crate) tuples: Option<u64>,
    /// Whether the proof was validated, where there is one.
    pub(crate) validated: Option<bool>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Answered(Answer),
    /// Answered, but not as it should be.
    Wrong(Answer),
    TimeLimit,
    /// Ended without an answer, with this exit code.
    NoAnswer(Option<i32>),
}

impl Outcome {
    pub(crate) fn word(self) -> String {
        match self {
            Self::Answered(Answer::Holds) => "holds".into(),
            Self::Answered(Answer::Bounded) => "bounded".into(),
            Self::Answered(Answer::Violated) => "violated".into(),
            Self::Answered(Answer::None) => "-".into(),
            Self::Wrong(_) => "WRONG".into(),
            Self::TimeLimit => "time".into(),
            Self::NoAnswer(Some(code)) => format!("exit {code}"),
            Self::NoAnswer(None) => "killed".into(),
        }
    }

    /// Whether the costs of the run say something.
    pub(crate) fn counts(self) -> bool {
        matches!(self, Self::Answered(_))
    }
}

/// The head of the table for people.
pub(crate) fn head() -> String {
    format!(
        "{:<38} {:<28} {:>9} {:>9} {:>9} {:>9} {:>10} {:>6} {:>7}",
        "case", "tool", "answer", "user s", "wall s", "MB", "nodes", "vars", "ratio"
    )
}

/// A line of the table for people. The ratio is that of the user time to the reference's.
pub(crate) fn line(row: &Row, reference: Option<&Row>) -> String {
    let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let ratio = reference.filter(|reference| reference.result.counts() && row.result.counts()).map_or_else(
        || "-".to_owned(),
        // User time comes in ticks: below one tick a ratio says nothing.
        |reference| format!("{:.1}", row.user_seconds.max(TICK) / reference.user_seconds.max(TICK)),
    );
    format!(
        "{:<38} {:<28} {:>9} {:>9.3} {:>9.3} {:>9.1} {:>10} {:>6} {:>7}",
        row.case,
        row.tool,
        row.result.word(),
        row.user_seconds,
        row.wall_seconds,
        row.megabytes,
        count(row.nodes),
        count(row.variables),
        ratio
    )
}

/// The least user time that is told from none.
pub(crate) const TICK: f64 = 0.001;

/// The table for programs.
pub(crate) fn csv(rows: &[Row]) -> String {
    let mut text = String::from("series,size,tool,result,user_seconds,wall_seconds,megabytes,nodes,variables,tuples\n");
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let count = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    for row in rows {
        let _ = writeln!(
            text,
            "{},{},{},{},{:.4},{:.4},{:.2},{},{},{}",
            quoted(&row.series),
            row.size,
            quoted(row.tool),
            row.result.word(),
            row.user_seconds,
            row.wall_seconds,
            row.megabytes,
            count(row.nodes),
            count(row.variables),
            count(row.tuples),
        );
    }
    text
}

/// For each tool but the first: on how many cases both answered, and the median and range of the ratios.
pub(crate) fn ratios(rows: &[Row]) -> String {
    let Some(reference) = rows.first().map(|row| row.tool) else { return String::new() };
    let counted = || rows.iter().filter(|row| row.result.counts());
    let ours: BTreeMap<&str, f64> =
        counted().filter(|row| row.tool == reference).map(|row| (row.case.as_str(), row.user_seconds)).collect();
    let mut of_tool: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in counted().filter(|row| row.tool != reference) {
        if let Some(seconds) = ours.get(row.case.as_str()) {
            of_tool.entry(row.tool).or_default().push(row.user_seconds.max(TICK) / seconds.max(TICK));
        }
    }
    let mut text = format!("User time as a multiple of that of `{reference}`, on cases that both answered:\n");
    for (tool, mut ratios) in of_tool {
        ratios.sort_by(f64::total_cmp);
        let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
        let median = ratios[ratios.len() / 2];
        let _ =
            writeln!(text, "  {tool:<28} {:>4} cases, median {median:.2}, from {least:.2} to {most:.2}", ratios.len());
    }
    text
}

/// Below this, both times of a ratio say nothing about each other.
const SHORT: f64 = 0.01;

/// One line for each case that some tool answered: the first tool, and the others as multiples of it, in user time and
/// in nodes.
pub(crate) fn side_by_side(rows: &[Row]) -> String {
    let mut tools: Vec<&str> = Vec::new();
    let mut cases: Vec<&str> = Vec::new();
    for row in rows {
        if !tools.contains(&row.tool) {
            tools.push(row.tool);
        }
        if !cases.contains(&row.case.as_str()) && rows.iter().any(|r| r.case == row.case && r.result.counts()) {
            cases.push(&row.case);
        }
    }
    let width = tools.iter().map(|tool| tool.len() + 2).max().unwrap_or(0).max(15);
    let mut text = format!("{:<38} {:>9}", "case", "answer");
    for (at, tool) in tools.iter().enumerate() {
        let ratio = |what| if at == 0 { String::new() } else { format!(" {what:>7}") };
        let _ = write!(text, " | {:>width$}{} {:>10}{}", format!("{tool} s"), ratio("ratio"), "nodes", ratio("ratio"));
    }
    text.push('\n');
    for case in cases {
        let of = |tool: &str| rows.iter().find(|row| row.case == case && row.tool == tool);
        let answered = rows.iter().find(|row| row.case == case && row.result.counts());
        let answer = answered.map_or_else(String::new, |row| row.result.word());
        let _ = write!(text, "{case:<38} {answer:>9}");
        for (at, tool) in tools.iter().enumerate() {
            text.push_str(&cells(of(tool), (at > 0).then(|| of(tools[0])), width));
        }
        text.push('\n');
    }
    text
}

/// The cells of one tool: time and nodes, with ratios to a reference if there is to be one.
fn cells(row: Option<&Row>, reference: Option<Option<&Row>>, width: usize) -> String {
    let seconds = match row {
        Some(row) if row.result.counts() => format!("{:.3}", row.user_seconds),
        Some(row) => row.result.word(),
        None => "-".to_owned(),
    };
    let counted = |row: Option<&Row>| row.filter(|row| row.result.counts()).cloned();
    let (row, own) = (counted(row), reference.map(counted));
    let nodes = row.as_ref().and_then(|row| row.nodes).map_or_else(|| "-".to_owned(), |nodes| nodes.to_string());
    let ratio = |value: &dyn Fn(&Row) -> Option<f64>, least: f64| match &own {
        None => String::new(),
        Some(own) => {
            let both = row.as_ref().and_then(value).zip(own.as_ref().and_then(value));
            let ratio = both.filter(|(a, b)| a.max(*b) >= least).map(|(a, b)| a / b);
            format!(" {:>7}", ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")))
        }
    };
    let time_ratio = ratio(&|row| Some(row.user_seconds.max(TICK)), SHORT);
    let node_ratio = ratio(&|row| row.nodes.filter(|nodes| *nodes > 0).map(|nodes| nodes as f64), 1.0);
    format!(" | {seconds:>width$}{time_ratio} {nodes:>10}{node_ratio}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(case: &str, tool: &'static str, result: Outcome, user_seconds: f64) -> Row {
        Row {
            series: "s \"n\"".into(),
            size: 1,
            case: case.into(),
            tool,
            result,
            user_seconds,
            wall_seconds: 1.0,
            megabytes: 2.0,
            nodes: Some(3),
            variables: None,
            tuples: None,
            validated: None,
        }
    }

    #[test]
    fn ratios_are_of_cases_that_both_answered() {
        let holds = Outcome::Answered(Answer::Holds);
        let rows = [
            row("a", "ours", holds, 1.0),
            row("a", "peer", holds, 3.0),
            row("b", "ours", holds, 2.0),
            row("b", "peer", Outcome::TimeLimit, 60.0),
            row("c", "peer", holds, 5.0),
            row("d", "ours", holds, 0.0),
            row("d", "peer", holds, 0.002),
        ];
        let text = ratios(&rows);
        assert!(text.contains("peer                            2 cases, median 3.00, from 2.00 to 3.00"), "{text}");
        assert!(line(&rows[1], Some(&rows[0])).ends_with(" 3.0"));
        assert!(line(&rows[3], Some(&rows[2])).ends_with(" -"));
    }

    #[test]
    fn one_line_per_case_with_ratios() {
        let holds = Outcome::Answered(Answer::Holds);
        let mut doubled = row("a", "peer", holds, 3.0);
        doubled.nodes = Some(6);
        let rows = [
            row("a", "ours", holds, 1.5),
            doubled,
            row("b", "ours", Outcome::TimeLimit, 9.0),
            row("b", "peer", holds, 3.0),
            row("c", "ours", Outcome::NoAnswer(Some(3)), 0.0),
            row("d", "ours", holds, 0.001),
            row("d", "peer", holds, 0.004),
        ];
        let text = side_by_side(&rows);
        let squeezed: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(squeezed[0], "case answer | ours s nodes | peer s ratio nodes ratio");
        assert_eq!(squeezed[1], "a holds | 1.500 3 | 3.000 2.00 6 2.00");
        assert_eq!(squeezed[2], "b holds | time - | 3.000 - 3 -");
        assert_eq!(squeezed[3..], ["d holds | 0.001 3 | 0.004 - 3 1.00"]);
    }

    #[test]
    fn csv_quotes_names() {
        let text = csv(&[row("a", "ours", Outcome::Wrong(Answer::Holds), 1.0)]);
        assert_eq!(text.lines().nth(1), Some("\"s \"\"n\"\"\",1,\"ours\",WRONG,1.0000,1.0000,2.00,3,,"));
    }
}
