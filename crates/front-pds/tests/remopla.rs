//! Remopla: what programs become, and what is wrong with those that are wrong.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use base::Source;
use common::show;
use front_pds::Options;

fn model(text: &str) -> String {
    let (lowered, diagnostics) = front_pds::read_remopla(&Source::new("test.rem", text), &Options::default());
    assert!(diagnostics.is_empty(), "{}", show(text, &diagnostics));
    let lowered = lowered.expect("there are no errors");
    assert_eq!(program::verify(&lowered.program), Ok(()), "{text}");
    assert_eq!(lowered.origins.locations.len(), lowered.program.locations.len());
    assert_eq!(lowered.origins.edges.len(), lowered.program.edges.len());
    assert_eq!(lowered.origins.variables.len(), lowered.program.variables.len());
    program::text::print(&lowered.program)
}

fn check(snippets: &[&str]) -> String {
    let mut out = String::new();
    for text in snippets {
        let (_, diagnostics) = front_pds::read_remopla(&Source::new("test.rem", *text), &Options::default());
        assert!(diagnostics.has_errors(), "{text}");
        out += &format!("{text}\n{}\n", show(text, &diagnostics));
    }
    out
}

#[test]
fn statements() {
    insta::assert_snapshot!(model(
        "int x(2); bool b;\n\
         module int(2) inc(int n(2)) { return n + 1; }\n\
         module void main() {\n  x = 0, b = undef;\n  AGAIN: do :: x < 3 && b -> x = inc(x), b = true; :: else -> break; od\n  \
         if :: !b -> x != 1; :: b -> skip(x == 2); fi\n  goto AGAIN, x = x - 1;\n}\n"
    ));
}

#[test]
fn structures_and_arrays_are_taken_apart() {
    insta::assert_snapshot!(model(
        "enum colour { red, green };\nstruct point { signed int x(3); enum colour c[2]; };\nstruct point p[2], q;\nint m[2][1,3](2);\n\
         module struct point id(struct point it) { return it; }\n\
         module void main() {\n  q = p[1];\n  p[0] = id(q);\n  m[1][2] = m[0][1];\n  A i (0,1) m[i][3] = i;\n  \
         E i (0,1) q.c[i] = red;\n}\n"
    ));
}

#[test]
fn threads_and_starts() {
    insta::assert_snapshot!(model(
        "shared bool s; bool own;\ninit worker L;\nmodule void worker() { own = s; fork worker(); }\nL: s = true;\n"
    ));
}

#[test]
fn several_mistakes_at_once() {
    insta::assert_snapshot!(check(&[
        "int x;\nmodule void main() {\n  y = 1;\n  x = ;\n  x = true;\n  goto L;\n  f(x);\n  break;\n  return 1;\n}\n",
        "module void main() { if :: true -> skip; }",
        "module void main( { skip; }\nmodule void f() { skip; }",
        "int x;\nmodule void main() { x == 1; x = (1; x = 1 }",
        "struct s { int x; };\nstruct s a[2], b;\nmodule void main() { a.x = 1; b[0] = a[0]; b = 1; a = b; b.x.y = 2; }",
        "define N 2\nint N; enum e { N, m }; int m;\nmodule void main() { L: skip; L: skip; }",
    ]));
}
