//! Rows of several threads as lines: one lane per thread, switches across all of them.

use super::rows::{Row, RowKind};
use super::trace::{TraceStyle, shown_text};
use crate::visible::visible;

/// Widths of a lane.
const NARROWEST: usize = 10;
const WIDEST: usize = 60;

/// Width of all lanes together, unless everything is to be expanded.
const ALL: usize = 96;

/// Between two lanes.
const BETWEEN: &str = " | ";

/// Where the lanes are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lanes {
    names: Vec<String>,
    widths: Vec<usize>,
    /// Width of the column of line numbers.
    numbers: usize,
}

impl Lanes {
    /// Lanes for the threads, as wide as the rows need, as far as there is room.
    pub(super) fn of(rows: &[Row], threads: &[String], numbers: usize, style: TraceStyle) -> Self {
        let names: Vec<String> = threads.iter().map(|name| visible(name).into_owned()).collect();
        let widest = if style.expand { WIDEST } else { (ALL / names.len().max(1)).clamp(NARROWEST, WIDEST) };
        let needed = |lane: usize| {
            let own = rows.iter().filter(|row| row.lane == Some(lane as u32));
            own.map(|row| shown_text(row).chars().count()).max().unwrap_or(0)
        };
        let width = |(lane, name): (usize, &String)| needed(lane).max(name.chars().count()).clamp(NARROWEST, widest);
        let widths = names.iter().enumerate().map(width).collect();
        Self { names, widths, numbers }
    }

    /// One row, with its newline.
    pub(super) fn line(&self, row: &Row, style: TraceStyle) -> String {
        let paint = style.paint;
        let number = row.line.map(|line| line.to_string()).unwrap_or_default();
        let number = paint.faint(&format!("{number:<0$} ", self.numbers));
        let painted = |text: &str| match row.kind {
            RowKind::Statement => text.to_owned(),
            RowKind::Procedure | RowKind::Lanes | RowKind::Round => paint.strong(text),
            RowKind::Remark | RowKind::Switch => paint.faint(text),
            RowKind::Target => paint.bad(text),
        };
        let (text, width) = match (row.kind, row.lane) {
            (RowKind::Lanes, _) => (self.cells(|lane| self.names[lane].clone(), painted), self.width()),
            (_, Some(own)) => {
                let cell = |lane| if lane == own as usize { shown_text(row) } else { String::new() };
                (self.cells(cell, painted), self.width())
            }
            (_, None) => (painted(&shown_text(row)), shown_text(row).chars().count()),
        };
        let note = if row.kind == RowKind::Target { paint.bad(&row.note) } else { paint.value(&row.note) };
        // At a switch, values stand in the middle: they are not what a thread just wrote.
        let gap = if row.kind == RowKind::Switch { 0 } else { self.width().saturating_sub(width) };
        format!("{}\n", format!("  {number}{text}{}  {note}", " ".repeat(gap)).trim_end())
    }

    /// Width of all lanes with what is between them.
    fn width(&self) -> usize {
        self.widths.iter().sum::<usize>() + BETWEEN.len() * self.widths.len().saturating_sub(1)
    }

    /// All lanes side by side. Colour has no width, so it comes last.
    fn cells(&self, cell: impl Fn(usize) -> String, painted: impl Fn(&str) -> String) -> String {
        let padded = |(lane, width): (usize, &usize)| {
            let text = cut(cell(lane), *width);
            format!("{}{}", painted(&text), " ".repeat(width - text.chars().count()))
        };
        self.widths.iter().enumerate().map(padded).collect::<Vec<String>>().join(BETWEEN)
    }
}

/// What fits into a lane: the beginning, as it shows how deep the calls are.
fn cut(text: String, width: usize) -> String {
    if text.chars().count() <= width {
        return text;
    }
    let kept: String = text.chars().take(width.saturating_sub(3)).collect();
    format!("{kept}...")
}
