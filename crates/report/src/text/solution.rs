//! The answers to the queries of an algorithm file, as text.

use std::fmt::Write;

use driver::solve::{Cell, Found, QueryAnswer};
use driver::{Loaded, Outcome, Solution};
use program::{LocationId, Value};

use crate::visible::visible;

/// One paragraph for each query: `name: true`, or its solutions.
#[must_use]
pub fn render(solution: &Outcome<Solution>, loaded: Option<&Loaded>) -> String {
    let mut text = String::new();
    for query in &solution.findings.queries {
        answer(&mut text, query, loaded);
    }
    text
}

fn answer(text: &mut String, query: &QueryAnswer, loaded: Option<&Loaded>) {
    match &query.found {
        Found::Closed(value) => {
            let _ = writeln!(text, "{}: {value}", query.name);
        }
        Found::Unanswered => {
            let columns =
                if query.columns.is_empty() { String::new() } else { format!("({})", query.columns.join(", ")) };
            let _ = writeln!(text, "{}{columns}: not answered", query.name);
        }
        Found::Open { rows, total } => {
            let count = match total {
                Some(1) => "1 solution".to_owned(),
                Some(total) => format!("{total} solutions"),
                None => "more solutions than can be counted".to_owned(),
            };
            let _ = writeln!(text, "{}({}): {count}", query.name, query.columns.join(", "));
            for row in rows {
                let cells: Vec<String> =
                    row.iter().map(|value| cell(value, loaded)).filter(|it| !it.is_empty()).collect();
                let _ = writeln!(text, "  {}", cells.join("  "));
            }
            let hidden = match total.map(|total| total.saturating_sub(rows.len() as u128)) {
                Some(0) => return,
                Some(hidden) => format!("{hidden} more"),
                None => "more".to_owned(),
            };
            let _ = writeln!(text, "  ... and {hidden} (--list N lists more of them)");
        }
    }
}

fn cell(value: &Cell, loaded: Option<&Loaded>) -> String {
    match value {
        Cell::Location(location, name) => place(*location, name, loaded),
        Cell::Number(number) => number.to_string(),
        Cell::Name(name) => visible(name).into_owned(),
        Cell::Variables(values) => {
            let name = |id| loaded.map(|loaded| loaded.program.variables[id].name.clone()).unwrap_or_default();
            let show = |(id, value): &(_, Value)| format!("{}={}", visible(&name(*id)), number(value));
            values.iter().map(show).collect::<Vec<_>>().join(" ")
        }
        Cell::Bits(bits) => bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect(),
    }
}

fn place(location: Option<LocationId>, name: &str, loaded: Option<&Loaded>) -> String {
    let line = location.zip(loaded).and_then(|(location, loaded)| {
        let span = loaded.origins.locations[location]?;
        loaded.sources.position(span).map(|position| position.line)
    });
    let name = visible(name);
    line.map_or_else(|| name.to_string(), |line| format!("{name} (line {line})"))
}

fn number(value: &Value) -> String {
    match value {
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Bits(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Enum(value) => value.to_string(),
        Value::Array(elements) => format!("[{}]", elements.iter().map(number).collect::<Vec<_>>().join(" ")),
    }
}
