//! Remopla: what programs become, and what is wrong with those that are wrong.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use base::Source;
use common::show;
use front_pds::Options;

fn model(text: &str) -> String {
    let (lowered, diagnostics) = front_pds::read_remopla(&Source::new("test.rem", text), &Options::default());
    assert!(!diagnostics.has_errors(), "{}", show(text, &diagnostics));
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

#[test]
fn rules_of_pushdown_systems() {
    insta::assert_snapshot!(model(
        "int x(2), a[2](1); bool b; enum e { m, n } c;\n\
         module int(2) f(int k(2)) {\n  int t(2);\n  F: return k;\n  q <F> --> q <> \"any\" (x' = k)\n}\n\
         module void only() {\n  q <only> --> q <ONLY>\n  q <ONLY> --> q <> ((b' ^ b) & c' = m & a' = a | b & a = a')\n}\n\
         module void main() {\n  bool h;\n  only();\n  L: goto M;\n\
           q <L> --> q <M> (x' = x + 1 & a'[1] = x & h' & !b');\n\
           q <L> --> q <f M> (k' = x & h'' == h & A i (0,1) a'[i] = a[i] & x' < k')\n\
           q <M> --> q <F L>\n}\n\
         q <M> --> q <M> (b == b' | E i (0,1) a[i] = 1)\n"
    ));
}

/// Operators bind in rules as they do in pushdown systems, and elsewhere as in Remopla.
#[test]
fn operators_of_rules() {
    let guard = |condition: &str| {
        let text =
            format!("int x(2), y(2); bool a, b, c;\nmodule void main() {{ L: skip; q <L> --> q <L> ({condition}) }}\n");
        model(&text)
    };
    for (one, other) in [
        ("x = 1 & a | b ^ c == a", "(((((x = 1) & a) | b) ^ c) == a)"),
        ("x = y + 1 * 1 << 1", "x = {y + {1 * {1 << 1}}}"),
        ("a <=> b", "a == b"),
    ] {
        assert_eq!(guard(one), guard(other), "{one}");
    }
    assert_ne!(guard("a | b ^ c"), guard("a | (b ^ c)"));
}

#[test]
fn labels_of_rules_outside_of_modules() {
    insta::assert_snapshot!(model(
        "bool b;\ninit one;\nq <one> --> q <f two> (b')\nq <two> --> q <> (b)\nmodule void f() {\n  q <f> --> q <g>\n  q <g> --> q <> (b' == b)\n}\n"
    ));
}

#[test]
fn mistakes_in_rules() {
    let declarations = "define N 2\nint x(2), a[2](2); bool b;\nmodule void f(int n(2)) { F: skip; }\n";
    let texts: Vec<String> = [
        "q <L> --> q <F>",
        "q <L> --> q <NOWHERE L>",
        "q <L> --> q <f f L>",
        "q <L> --> r <L>\ns <L> --> q <L>",
        "q <L> --> q <L> (n' = 1)",
        "q <L> --> q <f L> (n'' = 1)",
        "q <L> --> q <f L> (x'' = 1)",
        "q <L> --> q <> (l' = 1)",
        "q <L> --> q <L> (N' = 2 & l'' = 1)",
        "q <L> --> q <L> (E i (0,1) i' = x)",
        "q <L> --> q <L> (ll' = 1)",
        "q <L> --> q <L> (x' == x)",
        "q <L> --> q <L> (b' = b)",
        "q <L> --> q <L> (a' = b | x)",
        "q <L> --> q <L> (a' = x)",
        "q <L> --> q <L> (a'[2] = 1)\nq <LL> --> q <L> (x' = 4)",
        "q <L> --> q <L> (b && b)",
        "q <L> --> q <L> (b",
        "q <L> -> q <L>;\nq <L --> q <L>;\nq <L> --> <L>;\nq <L> --> q <L> \"name\n",
        "K: q <L> --> q <L>;",
        "do :: true -> q <L> --> q <L>; od",
        "x' = 1;",
        "if :: a == a -> skip; fi\nq <L> --> q <L> (a = x)",
    ]
    .iter()
    .map(|rules| format!("{declarations}module void main() {{ int l(2);\nL: skip;\n{rules}\n}}\n"))
    .collect();
    let shown = texts.iter().map(|text| {
        let (_, diagnostics) = front_pds::read_remopla(&Source::new("test.rem", text), &Options::default());
        assert!(!diagnostics.is_empty(), "{text}");
        format!("{}\n{}\n", text.replace(declarations, ""), show(text, &diagnostics))
    });
    insta::assert_snapshot!(shown.collect::<String>());
}

/// Where there is no element there is no successor; as a condition it is false.
#[test]
fn elements_of_booleans_that_do_not_exist() {
    insta::assert_snapshot!(model(
        "bool a[2], b, m[2][2], r[2]; int i(2), k[2](2); enum e { red, green } c[2];\n\
         module void f(bool p) { skip; }\n\
         module bool g() { return a[i]; }\n\
         module void main() {\n  b = a[i];\n  b = !a[i];\n  b = b || a[i];\n  b = b == a[i];\n  b = E j (1,2) a[j];\n  \
         b = k[i] == 1;\n  b = c[i] != red;\n  f(a[i]);\n  fork f(!a[i]);\n  r = m[i];\n  r = m[5];\n  \
         skip(a[i]);\n  if :: !a[i] -> skip; fi\n  q <main> --> q <L> (b' == a[i])\n  L: skip;\n}\n"
    ));
}

/// Elements that may be the same one have the same new value, or there is no successor.
#[test]
fn elements_that_may_be_the_same() {
    insta::assert_snapshot!(model(
        "int a[3](2), m[2][2](1), i(2), x(2);\n\
         module void main() {\n  a[i] = 1, a[x] = 2;\n  a[0] = 1, a[x] = 2, a[1] = 3;\n  a[0] = 1, a[1] = 2;\n  \
         a[i] = 1, a[x] = undef;\n  A j (1,2) E k (1,2) a[k] = j;\n  A j (0,1) m[i][j] = 0;\n  m[i] = m[x], m[0][1] = 1;\n}\n"
    ));
}

#[test]
fn what_is_given_twice() {
    let declarations = "int a[2](2), b[2](2), m[2][2](1), i(1);\n";
    let texts: Vec<String> = [
        "a[0] = 1, a[0] = 2;",
        "a[1] = undef, a[1] = 2;",
        "a = b, a[i] = 1;",
        "a[i] = 1, a = b;",
        "A j (0,1) a[1] = j;",
        "m[1] = b, m[1][0] = 1;",
        "m[1] = m[0], m[1][0] = 1;",
    ]
    .iter()
    .map(|statement| format!("{declarations}module void main() {{ {statement} }}\n"))
    .chain(["init a; init b;\nmodule void a() { skip; }\nmodule void b() { skip; }\n".to_owned()])
    .collect();
    insta::assert_snapshot!(check(&texts.iter().map(String::as_str).collect::<Vec<_>>()).replace(declarations, ""));
}

/// Choices that multiply are noticed before they have been made.
#[test]
fn too_many_choices() {
    for statement in [
        "A i (0,500) E j (0,1) a[j] = 1;",
        "E j (0,999999999) a[j] = 1;",
        "E j (0,9) A i (0,999999999) a[i] = 1;",
        "A i (0,999999999) a[x] = 1;",
    ] {
        let text = format!("int a[2](1), x;\nmodule void main() {{ {statement} L: skip; }}\n");
        let shown = check(&[&text]);
        assert!(shown.contains("error[PD0140]"), "{shown}");
    }
}

/// What is only counted costs no search for what was meant.
#[test]
fn many_unknown_names() {
    let lines: String = (0..10_000).map(|n| format!("Label{n}: goto Lbael{n};\n")).collect();
    let text = format!("module void main() {{\n{lines}}}\n");
    let (_, diagnostics) = front_pds::read_remopla(&Source::new("test.rem", &text), &Options::default());
    let shown = show(&text, &diagnostics);
    assert!(shown.contains("help: did you mean `Label0`?"), "{shown}");
    assert!(shown.contains("and 9900 more errors"), "{shown}");
}

#[test]
fn declared_otherwise_than_defined() {
    insta::assert_snapshot!(check(&[
        "module void f(int a);\nmodule void f(bool a) { skip; }\nmodule void main() { f(true); }",
        "module int f();\nmodule bool f() { return true; }\nmodule void main() { skip; }",
        "module void f(int a, bool b);\nmodule void f(int a) { skip; }\nmodule void main() { f(1); }",
        "module void f(int a(2));\nmodule void f(int a) { skip; }\nmodule void main() { f(1); }",
    ]));
    let same = "module int(8) f(bool a[0,1]);\nmodule int f(bool b[2]) { return 1; }\nmodule void main() { skip; }";
    model(same);
}

/// One mistake in a guard is one error.
#[test]
fn mistakes_in_guards() {
    let texts: Vec<String> = [
        "if :: x == -1 -> A1: skip; :: else -> B1: skip; fi goto A1;",
        "do :: x = 1 -> skip; :: else -> break; od",
        "if :: x == 1 skip; :: else skip; fi",
        "if :: x == -1; skip; :: x == 2 -> if :: x == + -> skip; fi :: else -> skip; fi",
        "if :: x == (1 -> skip; fi x = true;",
    ]
    .iter()
    .map(|statement| format!("int x; module void main() {{ {statement} }}\n"))
    .collect();
    insta::assert_snapshot!(check(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
}

#[test]
fn mistakes_in_calls() {
    let declarations = "int x; module int f(int a) { return a; } module int g(int a, int b) { return a; }\n";
    let texts: Vec<String> = ["x = f(1) + 1;", "x = 1 + f(1);", "x = f(1) == 1, x = 2;", "f();", "g(1);"]
        .iter()
        .map(|statement| format!("{declarations}module void main() {{ {statement} }}\n"))
        .collect();
    insta::assert_snapshot!(check(&texts.iter().map(String::as_str).collect::<Vec<_>>()).replace(declarations, ""));
}

/// Statements that no run gets past.
#[test]
fn statements_that_are_never_possible() {
    let declarations = "int x(2), a[2](2);\n";
    let statements = ["x = 4;", "a[2] = 1;", "skip (x == 5);", "E i (2,1) a[0] = 1;", "x = 1, a[0] = 7;", "f(9);"];
    let shown = statements.iter().map(|statement| {
        let text = format!("{declarations}module void f(int n(3)) {{ skip; }}\nmodule void main() {{ {statement} }}\n");
        let (lowered, diagnostics) = front_pds::read_remopla(&Source::new("test.rem", &text), &Options::default());
        assert!(lowered.is_some() && !diagnostics.is_empty(), "{text}");
        show(&text, &diagnostics)
    });
    insta::assert_snapshot!(shown.collect::<String>());
    let meant = "int x(2);\nmodule void main() { x = 3; if :: x == 5 -> skip; :: else -> skip; fi skip (false); }\n";
    let (_, diagnostics) = front_pds::read_remopla(&Source::new("test.rem", meant), &Options::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
}
