//! Random and damaged texts: nothing panics, and what is accepted keeps its promises.

use calculus::fuzz;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::fp_resolve::SUMMARY;
use crate::shared::{WORDS, damaged};

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_fp_files(text in select(vec![SUMMARY, BOUNDED]).prop_flat_map(damaged)) {
        fuzz::fp(text.as_bytes());
    }

    #[test]
    fn random_words(words in vec(select(WORDS), 0..40)) {
        let text = words.join(" ");
        fuzz::fp(text.as_bytes());
        fuzz::fp(format!("query q = {text};").as_bytes());
    }
}

#[test]
fn the_undamaged_files_are_accepted() {
    assert!(crate::common::read_fp(SUMMARY, &[]).is_ok());
    assert!(crate::common::read_fp(BOUNDED, &[("k", 2)]).is_ok(), "{}", crate::common::show_fp(BOUNDED, &[("k", 2)]));
}
