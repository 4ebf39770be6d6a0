use base::{Budget, Source};
use insta::assert_snapshot;
use property::{Atom, Formula, parse, random, translate};

use crate::listed;

fn read(text: &str) -> Formula {
    let source = Source::new("formula", text);
    let (parsed, diagnostics) = parse(&source);
    parsed.unwrap_or_else(|| panic!("{}", listed(&source, &diagnostics))).formula
}

/// The formula as it was understood, or what is wrong with it.
fn understood(text: &str) -> String {
    let source = Source::new("formula", text);
    let (parsed, diagnostics) = parse(&source);
    assert_eq!(parsed.is_none(), diagnostics.has_errors());
    let parsed = parsed.map_or(String::new(), |parsed| parsed.formula.to_string());
    format!("{}{parsed}", listed(&source, &diagnostics))
}

#[test]
fn both_spellings_of_every_operator() {
    assert_eq!(understood("[]<>p"), "G F p");
    assert_eq!(understood("GF p"), "G F p");
    assert_eq!(understood("GF"), "GF");
    assert_eq!(understood("!p&q&&r|s||t"), "(!p && q && r) || s || t".replace(['(', ')'], ""));
    assert_eq!(understood("p=>q<=>r->s"), "p -> q <-> r -> s");
    assert_eq!(understood("p V q"), understood("p R q"));
    assert_eq!(understood("a /\\ b \\/ c"), "a && b || c");
    assert_eq!(understood("X1 U F 0"), "X1 U F false");
    assert_eq!(understood("X 1 U <>false"), "X true U F false");
    assert_eq!(understood("main::L W in(p.q) M \"x > 3\"").lines().last().unwrap(), "main::L W (in(p.q) M \"x > 3\")");
    assert_eq!(understood("in & in( G )"), "in && in(G)");
}

#[test]
fn operators_bind_as_usual() {
    assert_eq!(understood("!p U q && X r U s -> t || u"), "!p U q && X r U s -> t || u");
    assert_eq!(understood("(!(p U q)) && (r -> s)"), "!(p U q) && (r -> s)");
    assert_eq!(understood("(p && q) && r"), "(p && q) && r");
    assert_eq!(understood("(p U q) U (r U s)"), "(p U q) U (r U s)");
}

#[test]
fn all_faults_are_found_at_once() {
    assert_snapshot!(understood("(p ~ ?? q) && && U r) -> F 7 s in(3) (in() "));
}

#[test]
fn faults_are_explained() {
    let texts = [
        "",
        "x > 3",
        "p U \"x > 3",
        "p U q U r -> a -> b",
        "p q",
        "()",
        "(p",
        "p ^ q",
        "G",
        "U",
        "F () p) q r",
        "<> M",
        "<> main::M",
    ];
    let all = texts.map(|text| format!("{text}\n{}\n\n", understood(text).trim_end()));
    assert_snapshot!(all.concat());
}

#[test]
fn atoms_know_their_places() {
    let source = Source::new("formula", "p U (in(q) && \"x>3\") R p");
    let (parsed, _) = parse(&source);
    let places: Vec<(Atom, &str)> =
        parsed.unwrap().atoms.into_iter().map(|(atom, span)| (atom, source.slice(span))).collect();
    let atom = |text| Atom::read(text);
    assert_eq!(places, [(atom("p"), "p"), (atom("in(q)"), "q"), (atom("\"x>3\""), "x>3"), (atom("p"), "p")]);
}

#[test]
fn what_is_printed_is_read_again() {
    let atoms = ["p", "q:r", "in(main)", "\"x > 3\""].map(Atom::read);
    for seed in 0..5_000 {
        let formula = random::formula(seed, &atoms, 1 + (seed % 30) as u32);
        assert_eq!(read(&formula.to_string()), formula, "{formula}");
    }
}

/// Depth is the front end's limit, so the thread has the stack that the tool has.
#[test]
fn deep_formulae_are_read_or_refused() {
    let check = || {
        for (open, close) in [("(", ")"), ("p U ", ""), ("!", ""), ("X ", ""), ("(q M ", ") W p"), ("p -> (q && ", ")")]
        {
            for (n, expected) in [(2_400, true), (5_002, false)] {
                let text = format!("{}p{}", open.repeat(n), close.repeat(n));
                let (parsed, diagnostics) = parse(&Source::new("formula", text));
                assert_eq!(parsed.is_some(), expected);
                let errors = diagnostics.iter().filter(|it| it.code != "LT0050");
                assert_eq!(
                    errors.map(|it| it.code).collect::<Vec<_>>(),
                    if expected { vec![] } else { vec!["LT0004"] }
                );
                if let Some(parsed) = parsed {
                    assert_eq!(read(&parsed.formula.to_string()), parsed.formula);
                    // Whether it ends within the limit is not the question.
                    let _ = translate(&parsed.formula, &Budget::unlimited().with_max_steps(Some(1_000)));
                }
            }
        }
        assert!(parse(&Source::new("formula", format!("{} p", "G".repeat(100_000)))).0.is_none());
        assert!(parse(&Source::new("formula", vec!["p"; 100_000].join(" && "))).0.is_some());
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn simplification_is_as_expected() {
    let simplified = |text: &str| read(text).simplified().to_string();
    assert_eq!(simplified("F F p"), "F p");
    assert_eq!(simplified("G F (p && G F q)"), "G (F q && F p)");
    assert_eq!(simplified("p U (q U p)"), "q U p");
    assert_eq!(simplified("(p U q) || G p"), "p W q");
    assert_eq!(simplified("X p U X q"), "X (p U q)");
    assert_eq!(simplified("F p && F (p && q)"), "F (p && q)");
    assert_eq!(simplified("G p && !p"), "false");
    assert_eq!(simplified("(p <-> q) || (p <-> !q)"), "p && q || !p && !q || p && !q || q && !p");
    assert_eq!(simplified("G X F X p"), "G F p");
    assert_eq!(simplified("!(p -> F q) || F q"), "p || F q");
}
