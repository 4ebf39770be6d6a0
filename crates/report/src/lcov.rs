//! Coverage as an LCOV tracefile.
//!
//! A line counts as hit when some run reaches a statement on it. LCOV has no word for "not decided": lines about
//! which nothing is known are left out. Violated assertions are reached, so they count as hit.

use std::collections::BTreeMap;

use crate::json::coverage::{CoverageReport, Mark, Statement};
use crate::visible::visible;

/// The tracefile, with a record for each source file.
#[must_use]
pub fn render(report: &CoverageReport) -> String {
    let mut files: BTreeMap<Option<&str>, Vec<&Statement>> = BTreeMap::from([(None, Vec::new())]);
    for statement in &report.statements {
        files.entry(statement.file.as_deref()).or_default().push(statement);
    }
    let records = files.iter().map(|(file, statements)| record(file.unwrap_or(&report.input.file), statements));
    format!("TN:\n{}", records.collect::<String>())
}

fn record(file: &str, statements: &[&Statement]) -> String {
    let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
    let mut procedures: BTreeMap<&str, (u32, bool)> = BTreeMap::new();
    for statement in statements {
        if statement.mark == Mark::Undecided {
            continue;
        }
        let hit = statement.mark != Mark::Unreachable;
        *lines.entry(statement.line).or_default() |= hit;
        let procedure = procedures.entry(&statement.procedure).or_insert((statement.line, false));
        procedure.1 |= hit;
    }
    let hits = |flags: &mut dyn Iterator<Item = bool>| flags.filter(|hit| *hit).count();
    let mut text = format!("SF:{}\n", visible(file));
    for (name, (line, _)) in &procedures {
        text.push_str(&format!("FN:{line},{}\n", visible(name)));
    }
    for (name, (_, hit)) in &procedures {
        text.push_str(&format!("FNDA:{},{}\n", u8::from(*hit), visible(name)));
    }
    let n_hit = hits(&mut procedures.values().map(|(_, hit)| *hit));
    text.push_str(&format!("FNF:{}\nFNH:{n_hit}\n", procedures.len()));
    for (line, hit) in &lines {
        text.push_str(&format!("DA:{line},{}\n", u8::from(*hit)));
    }
    let n_hit = hits(&mut lines.values().copied());
    text.push_str(&format!("LF:{}\nLH:{n_hit}\nend_of_record\n", lines.len()));
    text
}
