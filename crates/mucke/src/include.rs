//! `#load NAME;`: another file takes the place of the directive.

use base::Source;

use super::parse::parse;
use super::syntax::Item;

/// How many rounds of `#load` are followed: files that load themselves end here.
const MAX_ROUNDS: usize = 16;
/// Largest text that is made.
const MAX_BYTES: usize = 1 << 28;

/// Replaces every `#load` by the text that `load` gives for its name; a `#load` that gets none stays. The text is the
/// source itself if there is nothing to replace, so that places in it stay what they are.
#[must_use]
pub fn include(source: Source, load: &mut dyn FnMut(&str) -> Option<String>) -> Source {
    let mut source = source;
    for _ in 0..MAX_ROUNDS {
        let Some(text) = replaced(&source, load) else { break };
        source = Source::new(source.name().to_owned(), text);
    }
    source
}

/// The text with every `#load` replaced; `None` if there is none, or the text would become too large.
fn replaced(source: &Source, load: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let (tree, _) = parse(source);
    let mut text = String::new();
    let mut end = 0;
    let mut found = false;
    for item in tree?.items {
        let Item::Directive(directive) = item else { continue };
        if &*directive.word.text != "#load" {
            continue;
        }
        let named = directive.exprs.first().map(|expr| source.slice(expr.span));
        let Some(loaded) = directive.texts.first().map(|text| &**text).or(named).and_then(&mut *load) else { continue };
        let place = directive.span.range();
        text.push_str(source.text().get(end..place.start)?);
        text.push_str(&loaded);
        // What follows is the `;` of the directive.
        end = place.end;
        found = true;
        if text.len() > MAX_BYTES {
            return None;
        }
    }
    text.push_str(source.text().get(end..)?);
    found.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loaded_files_take_the_place_of_the_directive() {
        let mut load = |name: &str| match name {
            "a" => Some("#load \"b\"; bool A(bool x) B(x);".to_owned()),
            "b" => Some("bool B(bool x) x;".to_owned()),
            _ => None,
        };
        let source = include(Source::new("test", "#load a; A(1); #load c;"), &mut load);
        assert_eq!(source.text(), "bool B(bool x) x;; bool A(bool x) B(x);; A(1); #load c;");
    }

    #[test]
    fn a_file_that_loads_itself_ends() {
        let source = include(Source::new("test", "#load a; 1;"), &mut |_| Some("#load a; 1;".to_owned()));
        assert!(source.text().len() < 1_000);
    }
}
