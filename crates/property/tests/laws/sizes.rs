//! Sizes of automata for formulae that the literature uses. A number that grows is a step back.

use base::{Budget, Source};
use insta::assert_snapshot;
use property::{parse, translate};

/// Etessami and Holzmann (CONCUR 2000), Somenzi and Bloem (CAV 2000), Gastin and Oddoux (CAV 2001), and common patterns.
const FORMULAE: &[&str] = &[
    "p U q",
    "p U (q U r)",
    "!(p U (q U r))",
    "G F p -> G F q",
    "F p U G q",
    "G p U q",
    "!(F F p <-> F p)",
    "!(G F p -> G F q)",
    "!(G F p <-> G F q)",
    "p R (p || q)",
    "(X p U X q) || !X(p U q)",
    "(X p U q) || !X(p U (p && q))",
    "G(p -> F q) && ((X p U q) || !X(p U (p && q)))",
    "G(p -> F q) && ((X p U X q) || !X(p U q))",
    "G(p -> F q)",
    "!G(p -> X(q R r))",
    "!(G F p || F G q)",
    "G(F p && F q)",
    "F p && F !p",
    "(X q && r) R X(((s U p) R r) U (s R r))",
    "(G(q || G F p) && G(r || G F !p)) || G q || G r",
    "(G(q || F G p) && G(r || F G !p)) || G q || G r",
    "!((G(q || G F p) && G(r || G F !p)) || G q || G r)",
    "G(q || X G p) && G(r || X G !p)",
    "G(q || (X p && X !p))",
    "(p U p) || (q U p)",
    "p U (q && X(r U s))",
    "p U (q && X(r && F(s && X F(t && X F(u && X F v)))))",
    "F(p && X G q)",
    "F(p && X(q && X F r))",
    "F(q && X(p U r))",
    "F G q || G F p",
    "G(p -> q U r)",
    "!G(p -> X q)",
    "G(F p && F q && F r)",
    "!(G F p && G F q && G F r -> G(s -> F t))",
    "!(G F p1 && G F p2 && G F p3 && G F p4 -> G(s -> F t))",
    "F(p1 && F(p2 && F(p3 && F(p4 && F(p5 && F p6)))))",
    "F p1 && F p2 && F p3 && F p4",
    "G(p && !q -> (!q W r))",
    "G((q && !r && F r) -> (p -> (!r U (s && !r))) U r)",
    "F q -> (!q U (q && F p))",
    "(p W q) && (q W r)",
    "G F (p && X p) -> F G q",
    "p U q U r U s U t",
];

fn size(text: &str) -> String {
    let (parsed, _) = parse(&Source::new("formula", text));
    let automaton = translate(&parsed.unwrap().formula, &Budget::unlimited()).unwrap();
    let mark = if automaton.is_deterministic() { " d" } else { "" };
    format!("{}/{}{mark}", automaton.n_states, automaton.edges.len())
}

/// States and edges of the formula's automaton and of its negation's; `d`: deterministic.
#[test]
fn well_known_formulae_have_small_automata() {
    let line = |text: &&str| format!("{:8} {:8} {text}\n", size(text), size(&format!("!({text})")));
    assert_snapshot!(FORMULAE.iter().map(line).collect::<String>());
}

fn automaton(text: &str) -> String {
    let (parsed, _) = parse(&Source::new("formula", text));
    translate(&parsed.unwrap().formula, &Budget::unlimited()).unwrap().to_string()
}

#[test]
fn automata_look_as_expected() {
    let texts = ["p U q", "G F p", "F G p", "G(p -> F q)", "X (p <-> q)", "true", "p && !p"];
    assert_snapshot!(texts.map(|text| format!("{text}\n{}\n", automaton(text))).concat());
}
