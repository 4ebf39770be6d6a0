//! The canonical text of `.fp` files.

use crate::common::formatted;
use crate::fp_resolve::SUMMARY;

/// The canonical text, which must be its own canonical text.
fn check(text: &str) -> String {
    let once = formatted(text);
    assert_eq!(formatted(&once), once);
    once
}

#[test]
fn the_canonical_text_of_a_well_written_file_is_the_file() {
    assert_eq!(formatted(SUMMARY), SUMMARY);
}

#[test]
fn declarations() {
    insta::assert_snapshot!(check("param k,n=3;sort A=0..k*2;sort B=(0 .. 1)[1..k-(1-n)][0..3];
        sort E=enum{a,b};sort R={x,y:A,z:Bool};input Entry(p:Location),Init(p:Location);
        order M:x above y,x.a[1]interleaved y;query q=true;;query r(x:A,y:B)=x=1;
        sort LongRecord = { first_field, second_field: Location, third_field: Global, fourth_field: Global, fifth: Bool };"), @r#"
    param k, n = 3;
    sort A = 0..k * 2;
    sort B = (0..1)[1..k - (1 - n)][0..3];
    sort E = enum { a, b };
    sort R = { x, y: A, z: Bool };
    input Entry(p: Location), Init(p: Location);
    order M: x above y, x.a[1] interleaved y;
    query q = true;
    query r(x: A, y: B) = x = 1;
    sort LongRecord = { first_field, second_field: Location, third_field: Global, fourth_field: Global,
        fifth: Bool };
    "#);
}

#[test]
fn parentheses() {
    insta::assert_snapshot!(check("query q = ((a & b) & c) | (a | b) & !(c = d) & !(!x) & (exists x: S. (y)) & (a -> b) -> (c -> d);"), @r#"query q = (a & b) & c | (a | b) & !(c = d) & !!x & (exists x: S. y) & (a -> b) -> c -> d;"#);
    insta::assert_snapshot!(check("query q = (a <-> b) <-> (c <-> d); query r = (a -> b) -> c && d || e == f; query s = x - (y - 1) * 2 = 3;"), @r#"
    query q = a <-> b <-> (c <-> d);
    query r = (a -> b) -> c & d | e = f;
    query s = x - (y - 1) * 2 = 3;
    "#);
    insta::assert_snapshot!(check("query q = !exists x: 0..k. x = 1 | x = 2; query r = (!exists x: S. x) & y;"), @r#"
    query q = !exists x: 0..k. (x = 1 | x = 2);
    query r = !(exists x: S. x) & y;
    "#);
}

#[test]
fn long_formulae_have_several_lines() {
    insta::assert_snapshot!(check("mu Reach(u: State) = Entry(u.loc) & Init(u.loc) | exists a_rather_long_name: State, another_name: State. Reach(a_rather_long_name) & (ProgramInt(a_rather_long_name, u) | IntoCall(another_name, u) | Return(a_rather_long_name, another_name, u)) & !(Target(u.loc) & Target(a_rather_long_name.loc) & Target(another_name.loc) & Entry(u.loc) & Exit(u.loc)) | exists x: State. (Reach(x) | x = u);"), @r#"
    mu Reach(u: State) =
        Entry(u.loc) & Init(u.loc)
      | exists a_rather_long_name: State, another_name: State.
          Reach(a_rather_long_name)
        & ( ProgramInt(a_rather_long_name, u)
          | IntoCall(another_name, u)
          | Return(a_rather_long_name, another_name, u) )
        & !( Target(u.loc)
           & Target(a_rather_long_name.loc)
           & Target(another_name.loc)
           & Entry(u.loc)
           & Exit(u.loc) )
      | exists x: State. (Reach(x) | x = u);
    "#);
    insta::assert_snapshot!(check("define Invariant(u: State, v: State) = forall xxxxxxxxxx: State. (Reachable(u, xxxxxxxxxx) -> Reachable(v, xxxxxxxxxx) & Reachable(xxxxxxxxxx, v)) -> Target(u.loc) <-> Target(v.loc);"), @r#"
    define Invariant(u: State, v: State) =
        forall xxxxxxxxxx: State.
          (Reachable(u, xxxxxxxxxx) -> Reachable(v, xxxxxxxxxx) & Reachable(xxxxxxxxxx, v))
          -> Target(u.loc)
          <-> Target(v.loc);
    "#);
}

#[test]
fn comments_stay() {
    insta::assert_snapshot!(check("// head

// about A
define A = true; // behind A
/* a block
   comment */ define B = // odd
  // first
  A() // behind first
  // second
  | A()
  ; // end of B


// before q

query q = B() & /* inside */ A();
// last"), @r#"
    // head

    // about A
    define A = true; // behind A

    /* a block
       comment */
    define B =
        // odd
        // first
        A() // behind first
      // second
      | A(); // end of B

    // before q

    query q =
        B() /* inside */
      & A();
    // last
    "#);
}
