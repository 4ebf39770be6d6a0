//! Automata of other tools.

use base::{Budget, Source};
use insta::assert_snapshot;
use property::{Automaton, hoa, never};

use crate::listed;

fn from_hoa(text: &str) -> Result<Automaton, String> {
    let source = Source::new("automaton.hoa", text);
    let read = hoa::read(&source, &Budget::unlimited()).unwrap();
    read.map(|file| file.automaton).map_err(|diagnostics| listed(&source, &diagnostics))
}

fn from_never(text: &str) -> Result<Automaton, String> {
    let source = Source::new("claim.never", text);
    let read = never::read(&source, &Budget::unlimited()).unwrap();
    read.map(|file| file.automaton).map_err(|diagnostics| listed(&source, &diagnostics))
}

/// The automaton as lines, or what is wrong.
fn shown(read: Result<Automaton, String>) -> String {
    read.map_or_else(|faults| faults, |automaton| automaton.to_string())
}

/// The same language in all the ways of writing it: G F p && G F q.
#[test]
fn all_ways_of_writing_an_automaton_are_read() {
    let explicit = r#"HOA: v1
name: "GFp & GFq" /* a comment /* in a comment */ */
States: 1
Start: 0
AP: 2 "p" "q"
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0)&Inf(1)
properties: trans-labels explicit-labels trans-acc deterministic
--BODY--
State: 0 "all"
[!0&!1] 0
[0&!1] 0 {0}
[!0&1] 0 {1}
[0&1] 0 {0 1}
--END--
"#;
    let implicit = r#"HOA: v1 States: 1 Start: 0 AP: 2 "p" "q" Acceptance: 2 Inf(0)&Inf(1)
--BODY-- State: 0 0 0 {0} 0 {1} 0 {0 1} --END--"#;
    let aliases = r#"HOA: v1 Start: 0 AP: 2 "p" "q" Alias: @p 0 Alias: @no-q !1 Acceptance: 2 (Inf(0))&Inf(1)
--BODY-- State: 0 [@p & @no-q] 0 {0} [!@p & !@no-q] 0 {1} [@p&!@no-q] 0 {0 1} [!(@p | !@no-q)] 0 --END--"#;
    let by_state = r#"HOA: v1 States: 4 Start: 0 Start: 1 Start: 2 Start: 3 AP: 2 "p" "q" Acceptance: 2 Inf(0)&Inf(1)
--BODY-- State: [!0&!1] 0 0 1 2 3 State: [0&!1] 1 {0} 0 1 2 3 State: [!0&1] 2 {1} 0 1 2 3
State: [0&1] 3 {0 1} 0 1 2 3 --END--"#;
    let complements = r#"HOA: v1 States: 1 Start: 0 AP: 2 "p" "q" Acceptance: 3 Inf(!0)&(Inf(1)|Inf(2))
--BODY-- State: 0 [!0&!1] 0 {0} [0&!1] 0 [!0&1] 0 {0 1} [0&1] 0 {2} --END--"#;
    assert_snapshot!(shown(from_hoa(explicit)));
    // Headers may come in any order.
    let aliases_first =
        aliases.replace("AP: 2 \"p\" \"q\"", "").replace("Acceptance:", "AP: 2 \"p\" \"q\" Acceptance:");
    for other in [implicit, aliases, &aliases_first, complements] {
        assert_eq!(shown(from_hoa(other)), shown(from_hoa(explicit)));
    }
    // One initial state for each first letter: simulation makes them one.
    assert_snapshot!(shown(from_hoa(by_state)));
}

#[test]
fn special_conditions() {
    let with = |condition: &str| {
        format!("HOA: v1 States: 1 Start: 0 AP: 1 \"x > 3\" Acceptance: {condition} --BODY-- State: 0 [0] 0 --END--")
    };
    assert_snapshot!(["0 t", "0 f", "1 Inf(0)", "1 Inf(!0)"].map(|it| shown(from_hoa(&with(it)))).join("\n"));
    assert_eq!(shown(from_hoa("HOA: v1 Acceptance: 0 t --BODY-- --END--")), "1 states, initial: 0\n");
}

#[test]
fn faults_of_automata() {
    let texts = [
        "",
        "never { }",
        "HOA: v2 States: x",
        "HOA: v1 States: 1 States: 2 Weird: 3 strange: 4 AP: 2 \"p\" --BODY-- --END--",
        "HOA: v1 Acceptance: 2 Inf(2)&Fin(0) --BODY-- --END--",
        "HOA: v1 Start: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0&1 --END--",
        "HOA: v1 States: 1 Start: 7 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY--
            State: 0 [3] 2 {4} [@a] 0 State: 0 [t] 0 --END-- HOA: v1",
        "HOA: v1 AP: 2 \"p\" \"q\" Acceptance: 1 Inf(0) --BODY-- State: 0 0 0 0 State: [t] 1 [t] 0 State: 2 [t] 0 0 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [t] 1",
        "HOA: v1 Alias: @a 0 & 2 Alias: @b @c Alias: @a t AP: 1 \"p\" Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 Alias: @a 0 0 Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 name: \"x",
        "HOA: v1 /* /* */",
    ];
    assert_snapshot!(texts.map(|text| format!("{text}\n{}\n", shown(from_hoa(text)))).concat());
}

/// As written by Spin 6, by ltl2ba, and by Spot.
#[test]
fn never_claims_of_all_tools_are_read() {
    let spin = "never  {    /* !([] (p -> <> q)) */
T0_init:
	do
	:: (! ((q)) && (p)) -> goto accept_S4
	:: (1) -> goto T0_init
	od;
accept_S4:
	do
	:: (! ((q))) -> goto accept_S4
	od;
}";
    let ltl2ba = "never { /* !([](p -> <>q)) */
T0_init :    /* init */
	if
	:: (1) -> goto T0_init
	:: (!q && p) -> goto accept_S2
	fi;
accept_S2 :    /* 1 */
	if
	:: (!q) -> goto accept_S2
	fi;
}";
    assert_snapshot!(shown(from_never(spin)));
    assert_eq!(shown(from_never(ltl2ba)).lines().count(), shown(from_never(spin)).lines().count());
    let safety = "never { /* !G p */
T0_init:
  do
  :: atomic { (!(p)) -> assert(!(!(p))) }
  :: (1) -> goto T0_init
  od;
accept_all:
  skip
}";
    let with_end = "never { T0_init: if :: (!p) -> goto accept_all :: (1) -> goto T0_init fi; accept_all: skip }";
    assert_snapshot!(shown(from_never(safety)));
    assert_eq!(shown(from_never(with_end)), shown(from_never(safety)));
    assert_eq!(shown(from_never("never { accept_init: if :: false fi; }")), "1 states, initial: 0\n");
    assert_snapshot!(shown(from_never("never { p; skip; in(f) && \"x > 3\"; accept: do :: q od }")));
}

/// Spin's claims take one step with each step of the system, and `skip` is one, wherever it stands.
#[test]
fn skip_is_a_step() {
    let again = "never { accept_init: do :: (x) -> skip od }";
    assert_eq!(shown(from_never(again)), "2 states, initial: 0\n0 -[x]-> 1 *\n1 -[true]-> 0\n");
    let by_hand = "never { accept_init: if :: (x) -> goto T1 fi; T1: if :: (1) -> goto accept_init fi }";
    let atomic = "never { accept_init: do :: atomic { x -> skip } od }";
    for other in [by_hand, atomic] {
        assert_eq!(shown(from_never(other)), shown(from_never(again)));
    }
    let in_turn = "never { p; skip; q; accept: do :: r od }";
    for other in ["if :: (p) -> skip fi", "do :: p -> goto T1 od; T1: if :: skip fi"] {
        let claim = format!("never {{ {other}; q; accept: do :: r od }}");
        assert_eq!(shown(from_never(&claim)), shown(from_never(in_turn)), "{claim}");
    }
    let left = "never { do :: (p) -> break :: break :: goto T1 od; T1: q; accept: do :: r od }";
    assert_eq!(shown(from_never(left)), shown(from_never("never { skip; q; accept: do :: r od }")));
}

#[test]
fn else_is_what_no_other_option_reads() {
    let claim =
        "never { T0: if :: (p && q) -> goto T0 :: else -> goto T1 :: (!p) -> goto T0 fi; T1: q; accept: do :: r od }";
    let plain = claim.replace("else", "(p && !q)");
    assert_eq!(shown(from_never(claim)), shown(from_never(&plain)));
    let nothing = "never { T0: do :: (p) -> goto T0 :: goto T0 :: else -> break od }";
    assert_eq!(shown(from_never(nothing)), "1 states, initial: 0\n");
    let alone = "never { accept: do :: else od }";
    assert_eq!(shown(from_never(alone)), shown(from_never("never { accept: do :: skip od }")));
}

#[test]
fn faults_of_claims() {
    let texts = [
        "",
        "never { }",
        "never { T0: if :: (p ~ q) -> goto T1 :: (F q) -> goto T0 :: (1) -> goto T0 fi; T0: skip }",
        "never { T0: if :: (p) -> x fi }",
        "never { T0: do :: (p) -> goto T0 fi }",
        "never { T0: if :: ((p) -> goto T0 fi }",
        "never { skip } never { skip }",
        "never { skip",
        "never { T0: do :: d_step { (p) -> goto T0 } od }",
        "never { T0: do :: printf(\"x\") -> goto T0 od }",
        "never { T0: do :: (p) -> printf(\"x\") od; }",
        "never { d_step { p } }",
        "never { T0: do :: else -> goto T0 :: else -> skip od }",
        "never { T0: do :: (p && else) -> skip od }",
        "never { T0: do :: F (p) -> goto T0 od }",
    ];
    assert_snapshot!(texts.map(|text| format!("{text}\n{}\n", shown(from_never(text)))).concat());
}
