//! The series as an SVG picture: two panels each, for two measures of the same runs, upwards always logarithmic.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::table::Row;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 60.0;
/// Room for the legend at the right.
const LEGEND: f64 = 230.0;
/// Colours that people with any colour vision tell apart, each with a mark of its own.
const STYLES: &[(&str, Mark)] = &[
    ("#0072b2", Mark::Circle),
    ("#d55e00", Mark::Square),
    ("#009e73", Mark::Diamond),
    ("#cc79a7", Mark::Cross),
    ("#e69f00", Mark::Circle),
    ("#56b4e9", Mark::Square),
    ("#000000", Mark::Diamond),
];

#[derive(Clone, Copy)]
enum Mark {
    Circle,
    Square,
    Diamond,
    Cross,
}

/// What the panels of a picture show.
#[derive(Clone, Copy)]
pub(crate) struct Picture {
    /// How sizes are spread from left to right.
    pub(crate) across: Scale,
    pub(crate) panels: [Measure; 2],
}

/// How an axis spreads its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

/// What is measured from bottom to top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measure {
    Seconds,
    Megabytes,
    Tuples,
}

impl Measure {
    fn title(self) -> &'static str {
        match self {
            Self::Seconds => "user time in seconds",
            Self::Megabytes => "peak memory in MB",
            Self::Tuples => "view tuples",
        }
    }

    /// The value of a run, at least the smallest that is told from nothing.
    fn value(self, row: &Row) -> Option<f64> {
        match self {
            Self::Seconds => Some(row.user_seconds.max(0.001)),
            Self::Megabytes => Some(row.megabytes.max(0.1)),
            Self::Tuples => row.tuples.map(|tuples| tuples as f64),
        }
    }
}

/// The points of each tool, in the order in which tools appear.
type Lines<'a> = Vec<(&'a str, Vec<(f64, f64)>)>;

/// One row of panels for each series with at least two sizes.
pub(crate) fn svg(rows: &[Row], picture: Picture) -> String {
    let mut series: Vec<&str> = Vec::new();
    let mut sizes: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for row in rows {
        if !series.contains(&row.series.as_str()) {
            series.push(&row.series);
        }
        sizes.entry(&row.series).or_default().push(row.size);
    }
    series.retain(|name| sizes[name].iter().any(|size| *size != sizes[name][0]));
    let height = series.len() as f64 * (HEIGHT + 2.0 * MARGIN);
    let width = 2.0 * (WIDTH + 2.0 * MARGIN) + LEGEND;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, name) in series.iter().enumerate() {
        let top = i as f64 * (HEIGHT + 2.0 * MARGIN) + MARGIN;
        for (measure, left) in picture.panels.into_iter().zip([MARGIN, WIDTH + 3.0 * MARGIN]) {
            // The last word of a series is what grows.
            let (what, grows) = name.rsplit_once(' ').unwrap_or((name, ""));
            let titles = (format!("{what}: {}", measure.title()), grows);
            text.push_str(&panel(&lines(rows, name, measure), picture.across, titles, (left, top)));
        }
        let all = lines(rows, name, Measure::Seconds);
        text.push_str(&legend(&all, (2.0 * (WIDTH + 2.0 * MARGIN), top)));
    }
    text.push_str("</svg>\n");
    text
}

fn lines<'a>(rows: &'a [Row], series: &str, measure: Measure) -> Lines<'a> {
    let mut lines: Lines<'a> = Vec::new();
    for row in rows.iter().filter(|row| row.series == series) {
        let at = lines.iter().position(|(tool, _)| *tool == row.tool).unwrap_or_else(|| {
            lines.push((row.tool, Vec::new()));
            lines.len() - 1
        });
        if let Some(value) = measure.value(row).filter(|_| row.result.counts()) {
            lines[at].1.push((f64::from(row.size), value));
        }
    }
    lines
}

/// From the smallest value to the largest, with the values at which there is a line.
struct Axis {
    scale: Scale,
    ticks: Vec<f64>,
    start: f64,
    end: f64,
}

impl Axis {
    /// From the power of `base` below all values to the one above them.
    fn powers(values: impl Iterator<Item = f64> + Clone, base: f64, start: f64, end: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(0.0, f64::max);
        let low = if low.is_finite() { low.log(base).floor() } else { 0.0 };
        let high = if high > 0.0 { high.log(base).ceil() } else { 1.0 };
        let ticks = (low as i32..=high.max(low + 1.0) as i32).map(|power| base.powi(power)).collect();
        Self { scale: Scale::Logarithmic, ticks, start, end }
    }

    /// From the smallest whole number to the largest, which are few.
    fn numbers(values: impl Iterator<Item = f64> + Clone, start: f64, end: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let low = if low.is_finite() { low as i32 } else { 0 };
        let high = values.fold(f64::from(low + 1), f64::max) as i32;
        Self { scale: Scale::Linear, ticks: (low..=high).map(f64::from).collect(), start, end }
    }

    fn place(&self, value: f64) -> f64 {
        let (low, high) = (self.ticks[0], self.ticks[self.ticks.len() - 1]);
        let share = match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Logarithmic => (value / low).ln() / (high / low).ln(),
        };
        self.start + share * (self.end - self.start)
    }
}

/// One panel, with a title and the name of what grows.
fn panel(lines: &Lines<'_>, across: Scale, (title, grows): (String, &str), (left, top): (f64, f64)) -> String {
    let points = || lines.iter().flat_map(|(_, points)| points.iter());
    let sizes = points().map(|point| point.0);
    let x = match across {
        Scale::Linear => Axis::numbers(sizes, left, left + WIDTH),
        Scale::Logarithmic => Axis::powers(sizes, 2.0, left, left + WIDTH),
    };
    let y = Axis::powers(points().map(|point| point.1), 10.0, top + HEIGHT, top);
    let mut text = format!("<text x=\"{left}\" y=\"{}\">{}</text>\n", top - 10.0, escaped(&title));
    let (middle, below) = (left + WIDTH / 2.0, top + HEIGHT + 36.0);
    let _ = writeln!(text, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>", escaped(grows));
    text.push_str(&grid(&x, &y));
    for (i, (_, points)) in lines.iter().enumerate() {
        let (colour, symbol) = STYLES[i % STYLES.len()];
        let path: Vec<String> = points.iter().map(|(a, b)| format!("{:.1},{:.1}", x.place(*a), y.place(*b))).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            path.join(" ")
        );
        for (a, b) in points {
            text.push_str(&mark(symbol, colour, (x.place(*a), y.place(*b))));
        }
    }
    text
}

/// The lines behind the points, with their values.
fn grid(x: &Axis, y: &Axis) -> String {
    let mut text = String::new();
    let (left, right, top, bottom) = (x.start, x.end, y.end, y.start);
    for tick in &x.ticks {
        let at = x.place(*tick);
        let _ = writeln!(text, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/>");
        let _ = writeln!(text, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>", bottom + 18.0);
    }
    for tick in &y.ticks {
        let at = y.place(*tick);
        let _ = writeln!(text, "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/>");
        let label = (tick * 1000.0).round() / 1000.0;
        let _ = writeln!(text, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0, at + 4.0);
    }
    text
}

fn legend(lines: &Lines<'_>, (left, top): (f64, f64)) -> String {
    let mut text = String::new();
    for (i, (tool, _)) in lines.iter().enumerate() {
        let (colour, symbol) = STYLES[i % STYLES.len()];
        let at = top + 20.0 * i as f64 + 10.0;
        text.push_str(&mark(symbol, colour, (left, at)));
        let _ = writeln!(text, "<text x=\"{}\" y=\"{}\">{}</text>", left + 12.0, at + 4.0, escaped(tool));
    }
    text
}

fn mark(symbol: Mark, colour: &str, (x, y): (f64, f64)) -> String {
    let path = match symbol {
        Mark::Circle => format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", x - 4.0),
        Mark::Square => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        Mark::Diamond => format!("M{x:.1} {:.1}l5 5l-5 5l-5 -5z", y - 5.0),
        Mark::Cross => format!("M{:.1} {:.1}l8 8m0 -8l-8 8", x - 4.0, y - 4.0),
    };
    format!("<path d=\"{path}\" fill=\"{colour}\" stroke=\"{colour}\"/>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_spans_its_values() {
        let axis = Axis::powers([0.02, 3.0].into_iter(), 10.0, 100.0, 0.0);
        assert_eq!(axis.ticks.len(), 4);
        assert!((axis.place(0.01) - 100.0).abs() < 1e-9 && (axis.place(10.0)).abs() < 1e-9);
        assert_eq!(Axis::powers(std::iter::empty(), 10.0, 0.0, 1.0).ticks, [1.0, 10.0]);
        let axis = Axis::numbers([2.0, 5.0, 3.0].into_iter(), 0.0, 30.0);
        assert_eq!(axis.ticks, [2.0, 3.0, 4.0, 5.0]);
        assert!((axis.place(4.0) - 20.0).abs() < 1e-9);
        assert_eq!(Axis::numbers(std::iter::empty(), 0.0, 1.0).ticks, [0.0, 1.0]);
        assert_eq!(Axis::numbers([4.0].into_iter(), 0.0, 1.0).ticks, [4.0, 5.0]);
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a<b & c>"), "a&lt;b &amp; c&gt;");
    }
}
