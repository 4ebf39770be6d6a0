//! Sets of configurations for people: a table, and a drawing for Graphviz.

use std::fmt::Write as _;

use driver::configurations::{ListedTransition, Listing};
use driver::{FoundConfigurations, Loaded, Outcome};

use crate::automaton::Names;
use crate::visible::{counted, visible};

/// Most alternatives of a condition that are shown.
const MOST_SHOWN: usize = 4;

/// The automaton.
#[must_use]
pub fn render(found: &Outcome<FoundConfigurations>, loaded: &Loaded) -> String {
    found.findings.listing.as_ref().map_or_else(String::new, |listing| table(listing, &Names::new(loaded)))
}

/// What was asked about it, with the answers.
#[must_use]
pub fn answers(found: &Outcome<FoundConfigurations>, asks: &[String], loaded: &Loaded) -> String {
    let names = Names::new(loaded);
    let mut text = String::new();
    for (set, met) in asks.iter().zip(&found.findings.asked) {
        let answer = match met {
            Some(configuration) => format!("yes, for example {}", names.configuration(configuration)),
            None if found.stopped.is_some() => "not found so far".to_owned(),
            None => "no".to_owned(),
        };
        let _ = writeln!(text, "{}: {}", visible(set), visible(&answer));
    }
    if let Some(Some(met)) = &found.findings.met {
        let _ = writeln!(text, "found: {}", visible(&names.configuration(met)));
    }
    text
}

/// The row of a transition.
fn row(listing: &Listing, transition: &ListedTransition, names: &Names<'_>) -> [String; 4] {
    let from = transition.from.map_or_else(|| "top".to_owned(), |at| names.state(listing.states[at as usize].state));
    let to = &listing.states[transition.to as usize];
    let end = if to.is_final { " (end)" } else { "" };
    let (alternatives, n) = names.condition(listing, transition, MOST_SHOWN);
    let more = match n - alternatives.len() {
        0 => String::new(),
        more => format!(" | {more} more"),
    };
    let condition = format!("{}{more}", alternatives.join(" | "));
    [from, names.symbol(transition.location), format!("{}{end}", names.state(to.state)), condition]
}

fn table(listing: &Listing, names: &Names<'_>) -> String {
    let heads = ["state", "frame", "next state", "values"].map(str::to_owned);
    let rows: Vec<[String; 4]> =
        std::iter::once(heads).chain(listing.transitions.iter().map(|t| row(listing, t, names))).collect();
    let rows: Vec<[String; 4]> = rows.into_iter().map(|row| row.map(|cell| visible(&cell).into_owned())).collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for [from, symbol, to, condition] in &rows {
        let [first, second, third] = widths;
        let line = format!("{from:first$}  {symbol:second$}  {to:third$}  {condition}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let states = counted(listing.states.len() as u64, "state");
    let transitions = counted(listing.transitions.len() as u64, "transition");
    let _ = writeln!(text, "{states}, {transitions}");
    text
}

/// A text as Graphviz reads it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// The automaton as Graphviz draws it.
#[must_use]
pub fn dot(listing: &Listing, loaded: &Loaded) -> String {
    let names = Names::new(loaded);
    let mut text = "digraph configurations {\n  rankdir=LR;\n  top [shape=point];\n".to_owned();
    for (at, state) in listing.states.iter().enumerate() {
        let shape = if state.is_final { "doublecircle" } else { "circle" };
        let _ = writeln!(text, "  s{at} [shape={shape}, label={}];", quoted(&names.state(state.state)));
    }
    for transition in &listing.transitions {
        let [_, symbol, _, condition] = row(listing, transition, &names);
        let from = transition.from.map_or_else(|| "top".to_owned(), |at| format!("s{at}"));
        let label = if condition == "any" { symbol } else { format!("{symbol} [{condition}]") };
        let _ = writeln!(text, "  {from} -> s{} [label={}];", transition.to, quoted(&label));
    }
    text.push_str("}\n");
    text
}
