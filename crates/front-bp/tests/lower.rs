//! Snippets and the programs they lower to.

mod common;

use common::{read, show_diagnostics, show_program};
use front_bp::{Dialect, Options};

fn check(text: &str) -> String {
    check_with(text, &Options::default())
}

fn check_with(text: &str, options: &Options) -> String {
    match read(text, options) {
        Ok((lowered, warnings)) => show_program(&lowered, text) + &show_diagnostics(text, &warnings),
        Err(diagnostics) => show_diagnostics(text, &diagnostics),
    }
}

#[test]
fn figure_one_of_the_bebop_paper() {
    let text = "decl g;
main() begin decl h;
  h := !g;
  A(g,h);
  skip;
  A(g,h);
  skip;
  if (g) then
    R: skip;
  else
    skip;
  fi
end
A(a1,a2) begin
  if (a1) then
    A(a2,a1);
    skip;
  else
    g := a2;
  fi
end";
    insta::assert_snapshot!(check(text), @"");
}
