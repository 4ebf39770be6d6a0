//! Diagnostics as rustc shows them: code, message, file and line, the text with carets, help.
//!
//! Only the lines that a diagnostic points at are handed to the renderer, cut around the place when they are long, so
//! that the cost does not depend on the size of the source.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet};
use base::{Diagnostic, Diagnostics, Label, Position, Severity, Source, Sources, Span};

use crate::Paint;
use crate::visible::{abridged, counted, grouped, visible};

/// No more diagnostics than this are shown; the rest is counted.
const MOST_SHOWN: usize = 50;

/// A message longer than this many characters is abridged.
const LONGEST_MESSAGE: usize = 1_000;

/// A place that spans more lines than this is shown by its first line.
const MOST_LINES: u32 = 12;

/// Places that are further apart than this many lines are shown in snippets of their own.
const NEAR: u32 = 8;

/// Bytes of a line that are kept before and after the place.
const KEPT_BEFORE: usize = 120;
const KEPT_AFTER: usize = 200;

/// All diagnostics about an input, each followed by an empty line, and a last line that counts them.
#[must_use]
pub fn render(diagnostics: &Diagnostics, sources: &Sources, paint: Paint) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        text.push_str(&render_one(diagnostic, sources, paint));
        text.push_str("\n\n");
    }
    text.push_str(&summary(diagnostics, sources, paint));
    text
}

/// One diagnostic about an input.
#[must_use]
pub fn render_one(diagnostic: &Diagnostic, sources: &Sources, paint: Paint) -> String {
    let labels: Vec<(bool, &Label)> = diagnostic
        .primary
        .iter()
        .map(|label| (true, label))
        .chain(diagnostic.secondary.iter().map(|label| (false, label)))
        .collect();
    let excerpts: Vec<Excerpt> = clusters(&labels, sources).into_iter().map(|c| Excerpt::of(&c, sources)).collect();
    let mut text = render_parts(diagnostic, sources, &excerpts, paint);
    for excerpt in &excerpts {
        excerpt.correct_column(&mut text);
    }
    text
}

/// A message without a source, in the same style.
#[must_use]
pub fn render_message(severity: Severity, code: &str, message: &str, help: Option<&str>, paint: Paint) -> String {
    let message = abridged(message, LONGEST_MESSAGE);
    let title = level(severity).primary_title(message);
    let title = if code.is_empty() { title } else { title.id(code.to_owned()) };
    let mut text = renderer(paint).render(&[Group::with_title(title)]);
    if let Some(help) = help {
        let indented = multi_line(help).replace('\n', "\n        ");
        text.push_str(&format!("\n  {}: {indented}", paint.value("help")));
    }
    text
}

fn render_parts(diagnostic: &Diagnostic, sources: &Sources, excerpts: &[Excerpt], paint: Paint) -> String {
    let message = abridged(&diagnostic.message, LONGEST_MESSAGE);
    let name = visible(sources.main_name());
    let mut group = level(diagnostic.severity).primary_title(message).id(diagnostic.code).elements([] as [Padding; 0]);
    for excerpt in excerpts {
        group = excerpt.show(group);
    }
    if excerpts.is_empty() {
        group = group.element(Origin::path(&*name));
    }
    let help = diagnostic.help.as_deref().map(multi_line);
    if let Some(help) = &help {
        group = group.element(Padding).element(Level::HELP.message(help.as_str()));
    }
    renderer(paint).render(&[group])
}

fn summary(diagnostics: &Diagnostics, sources: &Sources, paint: Paint) -> String {
    let count = |severity| diagnostics.iter().filter(|item| item.severity == severity).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(counted(errors, "error"));
    }
    if warnings > 0 {
        parts.push(counted(warnings, "warning"));
    }
    let hidden = diagnostics.len().saturating_sub(MOST_SHOWN) as u64;
    let hidden = if hidden > 0 { format!(" ({} more not shown)", grouped(hidden)) } else { String::new() };
    format!("{}: {}{hidden}\n", paint.strong(&visible(sources.main_name())), parts.join(", "))
}

fn renderer(paint: Paint) -> Renderer {
    if paint.is_enabled() { Renderer::styled().hyperlink(false) } else { Renderer::plain() }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

/// Help may have several lines; each is made visible.
fn multi_line(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| abridged(line, LONGEST_MESSAGE)).collect();
    lines.join("\n")
}

fn clamp(byte: u32, source: &Source) -> u32 {
    byte.min(source.text().len() as u32)
}

/// Labels in the same file whose lines are near each other, in order of lines.
type Cluster<'a> = Vec<(bool, &'a Label)>;

fn clusters<'a>(labels: &[(bool, &'a Label)], sources: &Sources) -> Vec<Cluster<'a>> {
    let mut ordered = labels.to_vec();
    ordered.sort_by_key(|(_, label)| label.span);
    let mut clusters: Vec<Cluster<'a>> = Vec::new();
    let (mut last_file, mut last_line) = (None, 0);
    for (is_primary, label) in ordered {
        let source = sources.shown(label.span.file);
        let (first, last) = source.map_or((0, 0), |source| lines_of(label.span, source));
        let is_near = source.is_some() && last_file == Some(label.span.file) && first <= last_line + NEAR;
        match clusters.last_mut() {
            Some(cluster) if is_near => cluster.push((is_primary, label)),
            _ => clusters.push(vec![(is_primary, label)]),
        }
        last_line = if last_file == Some(label.span.file) { last_line.max(last) } else { last };
        last_file = Some(label.span.file);
    }
    // The snippet with the primary place comes first: the line above it names that place.
    clusters.sort_by_key(|cluster| !cluster.iter().any(|(is_primary, _)| *is_primary));
    clusters
}

/// First and last line of a span; of a span with many lines only the first.
fn lines_of(span: Span, source: &Source) -> (u32, u32) {
    let first = source.line(clamp(span.start, source));
    let last = source.line(clamp(span.end.saturating_sub(1).max(span.start), source));
    if last - first > MOST_LINES { (first, first) } else { (first, last) }
}

/// What is shown of a file.
enum Excerpt {
    /// Some lines of a text.
    Lines(Lines),
    /// A place in a file that is no text, and what is to be said there.
    Byte(String, String),
}

impl Excerpt {
    fn of(cluster: &Cluster<'_>, sources: &Sources) -> Self {
        let (_, label) = cluster[0];
        match sources.shown(label.span.file) {
            Some(source) => Self::Lines(Lines::of(cluster, source)),
            None => {
                let place = format!("{} (byte {})", visible(sources.name(label.span.file)), label.span.start);
                Self::Byte(place, abridged(&label.text, LONGEST_MESSAGE).into_owned())
            }
        }
    }

    fn show<'a>(&'a self, group: Group<'a>) -> Group<'a> {
        match self {
            Self::Lines(lines) => group.element(lines.snippet()),
            Self::Byte(place, text) if text.is_empty() => group.element(Origin::path(place.as_str())),
            Self::Byte(place, text) => {
                group.element(Origin::path(place.as_str())).element(Padding).element(Level::NOTE.message(text.as_str()))
            }
        }
    }

    /// The renderer counts columns in what it is given; a column in a line that was cut is put right.
    fn correct_column(&self, text: &mut String) {
        let Self::Lines(Lines { name, cut: Some(position), .. }) = self else { return };
        let place = format!("{name}:{}:", position.line);
        let Some(at) = text.find(&place).map(|at| at + place.len()) else { return };
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        text.replace_range(at..at + digits, &position.column.to_string());
    }
}

/// Some lines of a source, cut to what is worth showing, and the places in them.
struct Lines {
    name: String,
    text: String,
    first_line: u32,
    places: Vec<(bool, std::ops::Range<usize>, String)>,
    /// The place that the renderer names, if the beginning of its line was cut off.
    cut: Option<Position>,
}

impl Lines {
    fn of(cluster: &Cluster<'_>, source: &Source) -> Self {
        let spans = || cluster.iter().map(|(_, label)| lines_of(label.span, source));
        let first_line = spans().map(|(first, _)| first).min().unwrap_or(1);
        let last_line = spans().map(|(_, last)| last).max().unwrap_or(first_line);
        let name = visible(source.name()).into_owned();
        let mut lines = Self { name, text: String::new(), first_line, places: Vec::new(), cut: None };
        let mut cuts = Vec::new();
        for line in first_line..=last_line {
            let interesting = cluster.iter().map(|(_, label)| label.span);
            cuts.push(Cut::of(source.line_text(line), source.line_start(line), interesting));
        }
        let mut shown_at = Vec::with_capacity(cuts.len());
        for cut in &cuts {
            shown_at.push(lines.text.len());
            lines.text.push_str(&cut.shown);
            lines.text.push('\n');
        }
        for (is_primary, label) in cluster {
            let (first, last) = lines_of(label.span, source);
            let (from, to) = ((first - first_line) as usize, (last - first_line) as usize);
            let start = shown_at[from] + cuts[from].offset(label.span.start);
            let end = shown_at[to] + cuts[to].offset(label.span.end);
            let text = abridged(&label.text, LONGEST_MESSAGE).into_owned();
            lines.places.push((*is_primary, start..end.max(start), text));
        }
        let named = cluster.iter().min_by_key(|(is_primary, label)| (!is_primary, label.span));
        let named = named.map(|(_, label)| label.span);
        let named = named.filter(|span| cuts[(lines_of(*span, source).0 - first_line) as usize].lead > 0);
        lines.cut = named.map(|span| source.position(clamp(span.start, source)));
        lines
    }

    fn snippet(&self) -> Snippet<'_, Annotation<'_>> {
        let places = self.places.iter().map(|(is_primary, range, text)| {
            let kind = if *is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!text.is_empty()).then_some(text.as_str());
            kind.span(range.clone()).label(label)
        });
        let snippet = Snippet::source(self.text.as_str()).line_start(self.first_line as usize).annotations(places);
        snippet.path(self.name.as_str())
    }
}

/// A line without what is far from any place.
struct Cut {
    shown: String,
    /// Byte of the source at which the kept part starts.
    from: u32,
    /// Bytes of `shown` before and after which nothing is kept.
    lead: usize,
    end: usize,
}

impl Cut {
    fn of(line: &str, start: u32, spans: impl Iterator<Item = Span> + Clone) -> Self {
        let end = start + line.len() as u32;
        let inside = |byte: &u32| (start..=end).contains(byte);
        let first = spans.clone().map(|span| span.start).filter(inside).min().unwrap_or(start) - start;
        let last = spans.map(|span| span.end).filter(inside).max().unwrap_or(start) - start;
        // Of a place that is itself very long the beginning is kept.
        let wanted = (last as usize).clamp(first as usize, first as usize + KEPT_AFTER) + KEPT_AFTER;
        let from = floor(line, (first as usize).saturating_sub(KEPT_BEFORE));
        let to = floor(line, wanted.min(line.len()));
        let lead = if from > 0 { "..." } else { "" };
        let tail = if to < line.len() { "..." } else { "" };
        let kept = &line[from..to];
        let shown = format!("{lead}{kept}{tail}");
        Self { shown, from: start + from as u32, lead: lead.len(), end: lead.len() + kept.len() }
    }

    /// Where a byte of the source is in what is shown.
    fn offset(&self, byte: u32) -> usize {
        let at = (byte.saturating_sub(self.from) as usize + self.lead).min(self.end);
        floor(&self.shown, at)
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    fn source() -> Source {
        Source::new("lock.bp", "decl g;\r\nvoid main() begin\r\n\tg := x;\r\n  g := y;\r\nend\r\n")
    }

    fn span(source: &Source, text: &str) -> Span {
        let start = source.text().find(text).unwrap();
        source.span(start..start + text.len())
    }

    fn shown(source: &Source, diagnostic: Diagnostic) -> String {
        render(&diagnostic.into(), &source.clone().into(), Paint::PLAIN)
    }

    #[test]
    fn an_error_shows_code_place_caret_labels_and_help() {
        let source = source();
        let diagnostic = Diagnostic::error("BP0012", "no variable `x` is in scope")
            .at(span(&source, "x"), "not found")
            .also(span(&source, "g"), "a similar name is declared here")
            .help("write `g`");
        assert_snapshot!(shown(&source, diagnostic), @r#"
        error[BP0012]: no variable `x` is in scope
         --> lock.bp:3:7
          |
        1 | decl g;
          |      - a similar name is declared here
        2 | void main() begin
        3 |     g := x;
          |          ^ not found
          |
          = help: write `g`

        lock.bp: 1 error
        "#);
    }

    #[test]
    fn places_far_apart_get_snippets_of_their_own() {
        let source = Source::new("far.bp", format!("decl g;\n{}decl g;\n", "skip;\n".repeat(1_000)));
        let second = source.text().rfind('g').unwrap();
        let diagnostic = Diagnostic::error("BP0007", "`g` is declared twice")
            .at(source.span(second..second + 1), "declared again here")
            .also(span(&source, "g"), "first declared here");
        assert_snapshot!(shown(&source, diagnostic), @r#"
        error[BP0007]: `g` is declared twice
            --> far.bp:1002:6
             |
        1002 | decl g;
             |      ^ declared again here
             |
            ::: far.bp:1:6
             |
           1 | decl g;
             |      - first declared here

        far.bp: 1 error
        "#);
    }

    #[test]
    fn each_place_is_shown_in_its_file() {
        let mut sources = Sources::default();
        let main = sources.add_text("main.x", "use other;\ncall f;\n");
        let other = sources.add_text("other.x", "proc g;\n");
        let raw = sources.add_bytes("Raw.class", [0xca, 0xfe]);
        let diagnostic = Diagnostic::error("XX0001", "no procedure `f`")
            .at(sources.text(main).span(16..17), "not found")
            .also(sources.text(other).span(5..6), "a similar name is declared here")
            .also(Span::new(raw, 1, 2), "and another one");
        assert_snapshot!(render(&diagnostic.into(), &sources, Paint::PLAIN), @r#"
        error[XX0001]: no procedure `f`
         --> main.x:2:6
          |
        2 | call f;
          |      ^ not found
          |
         ::: other.x:1:6
          |
        1 | proc g;
          |      - a similar name is declared here
         ::: Raw.class (byte 1)
          |
          = note: and another one

        main.x: 1 error
        "#);
    }

    #[test]
    fn the_end_of_the_file_is_a_place() {
        let source = source();
        let end = source.text().len();
        let diagnostic =
            Diagnostic::error("BP0002", "the file ends inside `main`").at(source.span(end..end), "expected `end`");
        assert_snapshot!(shown(&source, diagnostic), @r#"
        error[BP0002]: the file ends inside `main`
         --> lock.bp:6:1
          |
        6 |
          | ^ expected `end`

        lock.bp: 1 error
        "#);
    }

    #[test]
    fn a_place_of_many_lines_is_shown_by_its_first() {
        let source = Source::new("long.bp", format!("void main() begin\n{}end\n", "skip;\n".repeat(1_000)));
        let diagnostic = Diagnostic::warning("BP0100", "`main` is long").at(source.span(0..source.text().len()), "");
        assert_snapshot!(shown(&source, diagnostic), @r#"
        warning[BP0100]: `main` is long
         --> long.bp:1:1
          |
        1 | void main() begin
          | ^^^^^^^^^^^^^^^^^

        long.bp: 1 warning
        "#);
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_place() {
        let text = format!("{}x := y{}", "a ".repeat(300_000), " b".repeat(300_000));
        let source = Source::new("wide.bp", text);
        let rendered =
            shown(&source, Diagnostic::error("BP0012", "no variable `y`").at(span(&source, "y"), "not found"));
        assert!(rendered.len() < 2_000, "{} bytes", rendered.len());
        assert!(rendered.contains("wide.bp:1:600006"), "{rendered}");
        assert!(rendered.contains("x := y b"), "{rendered}");
    }

    #[test]
    fn nothing_hostile_reaches_the_terminal() {
        let name = "\u{1b}[2J\u{7}\u{202e}\0";
        let source = Source::new(name, format!("decl {{{name}}};"));
        let diagnostic = Diagnostic::error("BP0001", name).at(source.span(0..source.text().len()), name).help(name);
        let rendered = shown(&source, diagnostic);
        let hostile = rendered.chars().filter(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}').count();
        assert_eq!(hostile, 0, "{rendered:?}");
    }

    #[test]
    fn spans_out_of_range_or_inside_characters_do_no_harm() {
        let source = Source::new("x.bp", "ççç\n");
        for (start, end) in [(1, 2), (0, 3), (6, 90), (500, 900), (3, 1), (7, 7)] {
            let diagnostic = Diagnostic::error("BP0001", "odd").at(Span { start, end, ..source.end() }, "here");
            assert!(shown(&source, diagnostic).starts_with("error[BP0001]: odd"));
        }
    }

    #[test]
    fn a_flood_is_counted_but_not_shown() {
        let source = source();
        let mut flood = Diagnostics::new();
        for _ in 0..10_000 {
            flood.push(Diagnostic::error("BP0001", "odd").at(source.span(0..4), ""));
        }
        let rendered = render(&flood, &source.into(), Paint::PLAIN);
        assert_eq!(rendered.matches("error[").count(), MOST_SHOWN);
        assert!(rendered.ends_with("lock.bp: 10,000 errors (9,950 more not shown)\n"), "{rendered}");
    }

    #[test]
    fn a_message_needs_no_source() {
        let help = Some("did you mean `R`?\nits labels are: R");
        let rendered = render_message(Severity::Error, "CL0007", "there is no label `r`", help, Paint::PLAIN);
        assert_snapshot!(rendered, @r#"
        error[CL0007]: there is no label `r`
          help: did you mean `R`?
                its labels are: R
        "#);
    }

    #[test]
    fn colour_only_decorates() {
        let source = source();
        let diagnostic = Diagnostic::error("BP0012", "no variable `x`").at(span(&source, "x"), "not found");
        let sources = Sources::from(source);
        let plain = render_one(&diagnostic, &sources, Paint::PLAIN);
        let coloured = render_one(&diagnostic, &sources, Paint::new(true));
        assert!(coloured.contains('\u{1b}'));
        let mut stripped = String::new();
        let mut inside = false;
        for character in coloured.chars() {
            match character {
                '\u{1b}' => inside = true,
                'm' if inside => inside = false,
                _ if !inside => stripped.push(character),
                _ => {}
            }
        }
        assert_eq!(stripped, plain);
    }
}
