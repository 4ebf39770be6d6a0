//! The shrinker on whole programs.

use super::*;

const PROGRAM: &str = "\
// A program with much that does not matter.
decl g, h;
decl k := F;

void main()
begin
  decl x;
  g, h := T, F;
  if (g & (h | x)) then
    other(g, h);
  elsif (h) then
    skip;
  else
    while (*) do
      L: x := schoose[g, h];
      other(x & g, (h | !x));
    od
  fi
  assert(x | g);
end

void other(a, b)
begin
  h := a;
  print(b);
end
";

fn run(text: &str, max_tests: Option<u64>, mut interesting: impl FnMut(&str) -> bool) -> Result<Shrunk, ShrinkError> {
    let options = ShrinkOptions { max_tests, ..ShrinkOptions::default() };
    shrink(text, &options, &Budget::unlimited(), &mut interesting)
}

#[test]
fn only_what_matters_is_left() {
    let shrunk = run(PROGRAM, None, |text| text.contains("schoose")).unwrap();
    insta::assert_snapshot!(shrunk.text, @r"
    main() begin
      decl x := schoose[1, 1];
    end
    ");
    assert!(shrunk.complete);
}

#[test]
fn calls_keep_their_procedures() {
    let shrunk = run(PROGRAM, None, |text| text.matches("other").count() >= 2).unwrap();
    insta::assert_snapshot!(shrunk.text, @r"
    main() begin
      other()
    end
    other() begin
    end
    ");
}

#[test]
fn the_same_result_after_the_same_number_of_tests() {
    let once = || run(PROGRAM, None, |text| text.contains("while") && text.contains("assert")).unwrap();
    assert_eq!(once(), once());
}

#[test]
fn every_candidate_is_well_formed() {
    let mut seen = 0;
    let shrunk = run(PROGRAM, None, |text| {
        seen += 1;
        assert!(is_well_formed(text, &ShrinkOptions::default()), "{text}");
        text.contains('g')
    });
    assert_eq!(shrunk.unwrap().tests, seen);
}

#[test]
fn what_is_rejected_is_shrunk_as_text() {
    let broken = "decl a; void main( begin a := ; b := T; end";
    let shrunk = run(broken, None, |text| text.contains(":= ;") || text.contains(":=;")).unwrap();
    assert_eq!(shrunk.text.trim(), ":=;");
}

#[test]
fn limits_are_kept() {
    let shrunk = run(PROGRAM, Some(3), |_| true).unwrap();
    assert_eq!((shrunk.tests, shrunk.complete), (3, false));
}

#[test]
fn nothing_is_made_of_what_is_not_interesting() {
    assert_eq!(run(PROGRAM, None, |_| false), Err(ShrinkError::NotInteresting));
}
