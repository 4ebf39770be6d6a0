//! Atoms: what a property says about a single moment. What they mean is decided by whoever has the program.

use std::fmt;

base::define_ids! {
    /// An atom of an automaton.
    AtomId,
}

/// A statement about one moment of a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A name: a label, a stack symbol, a proposition. Written `err`, `main::L`, `q:err`.
    Name(String),
    /// The run is in this procedure. Written `in(p)`.
    In(String),
    /// An expression over variables, kept as its text. Written `"x > 3"`.
    Text(String),
}

/// Operators that look like names.
pub(crate) const OPERATORS: &[&str] = &["G", "F", "X", "U", "W", "V", "R", "M"];

impl Atom {
    /// Reads the text of an atom: what a formula would contain in its place. Text that is no atom of a formula is an
    /// expression over variables, so that automata of other tools may use expressions as names.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        if is_name(text) {
            return Self::Name(text.to_owned());
        }
        if let Some(name) = inside(text, "in", '(', ')').map(str::trim).filter(|name| is_word(name)) {
            return Self::In(name.to_owned());
        }
        match inside(text, "", '"', '"').filter(|inner| !inner.contains('"')) {
            Some(inner) => Self::Text(inner.to_owned()),
            None => Self::Text(text.replace('"', "'")),
        }
    }
}

/// What stands between the brackets after a word.
fn inside<'a>(text: &'a str, word: &str, open: char, close: char) -> Option<&'a str> {
    text.strip_prefix(word)?.trim_start().strip_prefix(open)?.strip_suffix(close)
}

/// A word that may be the name of an atom.
fn is_name(text: &str) -> bool {
    is_word(text) && !OPERATORS.contains(&text) && !matches!(text, "true" | "false")
}

fn is_word(text: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(part) && !text.ends_with(':')
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::In(procedure) => write!(f, "in({procedure})"),
            Self::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_read_as_they_are_written() {
        let name = |text: &str| Atom::Name(text.to_owned());
        let text = |text: &str| Atom::Text(text.to_owned());
        assert_eq!(Atom::read(" main::L "), name("main::L"));
        assert_eq!(Atom::read("in ( p )"), Atom::In("p".to_owned()));
        assert_eq!(Atom::read("\"x > 3\""), text("x > 3"));
        assert_eq!(Atom::read("x > 3"), text("x > 3"));
        assert_eq!(Atom::read("G"), text("G"));
        assert_eq!(Atom::read("a\"b"), text("a'b"));
        assert_eq!(Atom::read(""), text(""));
        for atom in [name("q:err"), Atom::In("p".to_owned()), text("G"), text("x > 3"), text("")] {
            assert_eq!(Atom::read(&atom.to_string()), atom);
        }
    }
}
