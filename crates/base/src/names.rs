//! Names as numbers, and the search for the name that was meant.

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

/// The candidate most similar to a misspelt name, if one is similar enough to be what was meant: a third of its
/// characters may be wrong, and upper and lower case may be mixed up.
#[must_use]
pub fn similar<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// A suggestion is not worth a search through a huge program.
    const MAX_CANDIDATES: usize = 5_000;
    let lower = name.to_lowercase();
    let allowed = lower.chars().count() / 3;
    let about_as_long = |candidate: &&str| *candidate != name && candidate.len().abs_diff(lower.len()) <= 4 * allowed;
    let distance = |candidate: &str| strsim::osa_distance(&lower, &candidate.to_lowercase());
    let near = candidates.take(MAX_CANDIDATES).filter(about_as_long).map(|candidate| (distance(candidate), candidate));
    near.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, near)| near)
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
    fn the_nearest_name_is_suggested_and_a_distant_one_is_not() {
        let candidates = ["lock", "unlock", "counter"];
        assert_eq!(similar("lokc", candidates.into_iter()), Some("lock"));
        assert_eq!(similar("Counter", candidates.into_iter()), Some("counter"));
        assert_eq!(similar("zzz", candidates.into_iter()), None);
        assert_eq!(similar("x", ["y", "X"].into_iter()), Some("X"));
        assert_eq!(similar("x", ["y"].into_iter()), None);
    }
}
