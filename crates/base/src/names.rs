//! Names as numbers, and the search for the name that was meant.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A name: equal names have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// Position in tables of all names.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names of a source.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    index: FxHashMap<Arc<str>, Symbol>,
}

impl Names {
    /// The symbol of a name, new or old.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.index.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.index.insert(text, symbol);
        symbol
    }

    /// The symbol of a name that occurs in the source.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.index.get(text).copied()
    }

    /// Number of names.
    #[must_use]
    pub fn n_names(&self) -> usize {
        self.texts.len()
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

/// The candidates similar enough to a misspelt name to be what was meant, the nearest first, without repetitions: a third
/// of the characters may be wrong, and upper and lower case may be mixed up.
#[must_use]
pub fn all_similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// A suggestion is not worth a search through a huge program.
    const MAX_CANDIDATES: usize = 5_000;
    /// Longer names are not compared: the comparison costs the product of the lengths.
    const MAX_LENGTH: usize = 120;
    let lower = name.to_lowercase();
    let allowed = lower.chars().count() / 3;
    let comparable = |candidate: &&str| {
        let longest = candidate.len().max(name.len());
        *candidate != name && longest <= MAX_LENGTH && candidate.len().abs_diff(lower.len()) <= 4 * allowed
    };
    let distance = |candidate: &str| strsim::osa_distance(&lower, &candidate.to_lowercase());
    let compared = candidates.into_iter().take(MAX_CANDIDATES).filter(comparable);
    let near = compared.map(|candidate| (distance(candidate), candidate)).filter(|(distance, _)| *distance <= allowed);
    let ranked: BTreeSet<(usize, &str)> = near.collect();
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The candidate most similar to a misspelt name, if one is similar enough to be what was meant.
#[must_use]
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    all_similar(name, candidates).first().copied()
}

/// The candidates that look like `name`, best first, at most three.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    /// More would not be read.
    const MOST: usize = 3;
    all_similar(name, candidates).into_iter().take(MOST).map(str::to_owned).collect()
}

/// "did you mean `a`, `b` or `c`?", or nothing.
#[must_use]
pub fn did_you_mean(similar: &[String]) -> Option<String> {
    let quoted: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
    let (last, rest) = quoted.split_last()?;
    if rest.is_empty() {
        return Some(format!("did you mean {last}?"));
    }
    Some(format!("did you mean {} or {last}?", rest.join(", ")))
}

/// `did you mean ...?`, or other advice when no name is near.
#[must_use]
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    similar(name, candidates).map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_have_equal_symbols() {
        let mut names = Names::default();
        let (a, b) = (names.intern("a"), names.intern("b"));
        assert_ne!(a, b);
        assert_eq!(names.intern("a"), a);
        assert_eq!((names.text(b), names.find("c")), ("b", None));
    }

    #[test]
    fn suggestions_read_as_a_question() {
        let ask = |names: &[&str]| did_you_mean(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(ask(&[]), None);
        assert_eq!(ask(&["a"]).unwrap(), "did you mean `a`?");
        assert_eq!(ask(&["a", "b", "c"]).unwrap(), "did you mean `a`, `b` or `c`?");
    }

    #[test]
    fn the_nearest_name_is_suggested_and_a_distant_one_is_not() {
        let candidates = ["lock", "unlock", "counter"];
        assert_eq!(similar("lokc", candidates.into_iter()), Some("lock"));
        assert_eq!(similar("Counter", candidates.into_iter()), Some("counter"));
        assert_eq!(similar("zzz", candidates.into_iter()), None);
        assert_eq!(similar("x", ["y", "X"].into_iter()), Some("X"));
        assert_eq!(similar("x", ["y"].into_iter()), None);
        assert_eq!(suggest("lokc", candidates.into_iter(), "none"), "did you mean `lock`?");
        assert_eq!(suggest("zzz", candidates.into_iter(), "none"), "none");
    }
}
