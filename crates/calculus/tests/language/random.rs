//! Random and damaged texts: nothing panics, and what is accepted keeps its promises.

use calculus::fuzz;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::fp_resolve::SUMMARY;
use crate::mucke::EXAMPLE;

const BOUNDED: &str = "
param k;
sort State = { loc: Location, local: Local, global: Global };
sort Mode = enum { idle, busy };
sort Globals = Global[1..k];
input Init(p: Location), ProgramInt(u, v: State); // offered
define Same(u, v: State) = u.loc = v.loc & (u = v | !(u.local = v.local));

/* contexts */
mu Reach(u: State, cs: 0..k, g: Globals, m: Mode) =
    Init(u.loc) & cs = 0 & m = idle
  | exists v: State. Reach(v, cs, g, m) & ProgramInt(v, u) & Same(v, v)
  | (exists v: State, c: 0..k. Reach(v, c, g, m) & cs = c + 1 & g[cs] = v.global -> u.global = g[c]);

nu Safe(u: State) = forall v: State. (ProgramInt(u, v) -> Safe(v)) & u.loc != end;
order Reach: u above g, g[1] interleaved u.global;
query reach(u: State) = exists g: Globals, cs: 0..k. Reach(u, cs, g, busy) <-> k <= 2;
query safe = forall u: State. Init(u.loc) -> Safe(u);
";

const WORDS: &[&str] = &[
    "param",
    "sort",
    "input",
    "define",
    "mu",
    "nu",
    "order",
    "query",
    "enum",
    "exists",
    "forall",
    "true",
    "false",
    "x",
    "y",
    "k",
    "Reach",
    "State",
    "Bool",
    "Global",
    "Location",
    "bool",
    "class",
    "if",
    "else",
    "case",
    "esac",
    "assume",
    "#size",
    "#print",
    "#load",
    "above",
    "apart",
    "0",
    "1",
    "7",
    "99999999999",
    "1x",
    ":",
    ";",
    ";",
    ",",
    ".",
    "..",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "!",
    "&",
    "|",
    "->",
    "<-",
    "<->",
    "<+>",
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "~+",
    "~-",
    "\"",
    "// c\n",
    "/* c */",
    "/*",
    "\n",
    "\n\n",
    "@",
    "\u{e9}",
    "\0",
    "'",
    "x: Bool",
    "exists x: Bool. ",
    "x = y",
    "x[1]",
    "u.loc",
    "0..k",
];

/// A text with some of its words replaced, removed or added.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    let n = text.split(' ').count();
    vec((0..n, 0..3_u8, select(WORDS)), 1..4).prop_map(move |changes| {
        let mut words: Vec<&str> = text.split(' ').collect();
        for (at, how, word) in changes {
            match how {
                0 => words[at] = word,
                1 => words[at] = "",
                _ => words.insert(at, word),
            }
        }
        words.join(" ")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_fp_files(text in select(vec![SUMMARY, BOUNDED]).prop_flat_map(damaged)) {
        fuzz::fp(text.as_bytes());
    }

    #[test]
    fn damaged_mucke_files(text in damaged(EXAMPLE)) {
        fuzz::mucke(text.as_bytes());
    }

    #[test]
    fn random_words(words in vec(select(WORDS), 0..40)) {
        let text = words.join(" ");
        fuzz::fp(text.as_bytes());
        fuzz::mucke(text.as_bytes());
        fuzz::fp(format!("query q = {text};").as_bytes());
    }
}

#[test]
fn the_undamaged_files_are_accepted() {
    assert!(crate::common::read_fp(SUMMARY, &[]).is_ok());
    assert!(crate::common::read_fp(BOUNDED, &[("k", 2)]).is_ok(), "{}", crate::common::show_fp(BOUNDED, &[("k", 2)]));
}
