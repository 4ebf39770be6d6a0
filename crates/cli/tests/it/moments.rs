//! Temporal properties: which moments a run has, and what is true of them.

use crate::harness::Lab;

/// Names, operators and elements in conditions mean what they mean in the source.
#[test]
fn conditions_mean_what_the_source_means() {
    let own = "local (a) int x(2);\nlocal (b) int x(3);\n(q <a (x = 1)>)\nq <a> --> q <b> (x' = 2)\n\
               q <b> --> q <b> (x' = x)\n";
    let lab = Lab::with("own.pds", own);
    let booleans = "define N 3\nglobal int v[2](2); int i(2); bool p; bool r; bool s;\n\
                    (q <a (v[0] = 1 & v[1] = 0 & i = N & !p & r & !s)>)\n\
                    q <a> --> q <a> (i' = i & (A k (0,1) v'[k] = v[k]) & (p' == p) & (r' == r) & (s' == s))\n";
    lab.write("booleans.pds", booleans);
    let hidden = "global bool g; local (b) bool g[2];\n(q <a (g)>)\nq <a> --> q <b> (g'[0])\nq <b> --> q <b>\n";
    lab.write("hidden.pds", hidden);
    let entries =
        "local (a, b) bool x;\n(q <a (x)>)\nq <a> --> q <b a> (x' & x'')\nq <b> --> q <a> (!x')\nq <a> --> q <>\n";
    lab.write("entries.pds", entries);
    lab.write(
        "same.rem",
        "module void f() { int z[2](1); z[0] = 1; FA: skip; }\nmodule void main() { int z(2); z = 3; f(); LA: skip; }\n",
    );
    lab.write(
        "fields.rem",
        "define N 3\nstruct s { int f(2); bool h; };\nstruct s g[2];\nmodule void main() { g[1].f = N; L: skip; }\n",
    );
    let expected = [
        ("own.pds", "[] (b -> \"x = 2\")", 0),
        ("own.pds", "\"x = 1\" && X [] \"b::x = 2\"", 0),
        ("own.pds", "[] \"x = 2\"", 10),
        ("own.pds", "[] \"d::x = 2\"", 3),
        ("entries.pds", "[] (b -> \"x\")", 0),
        ("entries.pds", "[] (b -> \"a::x\")", 10),
        ("entries.pds", "[] (end || \"a::x || b::x\")", 3),
        ("entries.pds", "[] (a -> \"x\")", 10),
        ("booleans.pds", "[] \"v[i] = 0\"", 10),
        ("booleans.pds", "[] (!\"v[i] = 0\" && !\"v[i] != 0\")", 0),
        ("booleans.pds", "[] \"p == r & s\"", 0),
        ("booleans.pds", "[] \"i == N\"", 0),
        ("booleans.pds", "[] \"i == 3 & r\"", 3),
        ("booleans.pds", "[] \"v = [1, 0]\"", 0),
        ("booleans.pds", "[] \"v[5] = 0\"", 3),
        ("hidden.pds", "\"::g\"", 0),
        ("hidden.pds", "[] \"::g\"", 10),
        ("hidden.pds", "[] \"g\"", 3),
        ("same.rem", "<> \"main::z = 3\"", 0),
        ("same.rem", "<> \"f::z[0] = 1\"", 0),
        ("fields.rem", "<> \"g[1].f = N\"", 0),
        ("fields.rem", "[] \"g[1].f = N\"", 10),
    ];
    for (file, formula, code) in expected {
        let done = lab.run(&["check", file, "--ltl", formula]);
        assert_eq!(done.code, Some(code), "{file} {formula}: {}{}", done.out, done.err);
    }
}

/// What is returned does not fit: the run stays behind the call.
#[test]
fn a_return_that_fails() {
    let text = "int x(1);\n\
                module int(2) f(int n(2)) { RET: return n; }\n\
                module void main() { x = 0; C: x = f(1);\n  LAST: x = f(x + 1);\n  D: skip; }\n";
    let lab = Lab::with("fail.rem", text);
    insta::assert_snapshot!(lab.run(&["check", "fail.rem", "--ltl", "<> D"]).transcript(), @r"
    --- stdout
    fail.rem: <> D is VIOLATED  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state

      main
      3    main: x = 0                     x=0
      3    C: x = f(1)
           f                               n=1
      2      RET: f: return n              return=1
           (returned)                      f()=1
      3    x = f(1)                        x=1
      4    LAST: x = f(x + 1)
           f                               n=2
      2      RET: f: return n              return=2
           (returned)                      f()=2
      4    x = f(x + 1)                    <-- cannot go on here

      6 steps, 1 call deep. Replayed: yes, the formula is false on it. Not shown: values that do not matter.

    result: violated
    --- exit 10
    ");
    let ask = |formula: &str, more: &[&str]| {
        let arguments = [&["check", "fail.rem", "-q", "--ltl", formula], more].concat();
        lab.run(&arguments).last_line().to_owned()
    };
    for more in [&[][..], &["--algorithm", "recurrence"], &["--cycles", "closure"], &["--no-reachable-first"]] {
        assert_eq!(ask("false", more), "result: violated", "{more:?}");
        assert_eq!(ask("<> [] (in(main) && !C && !LAST && !end)", more), "result: holds (no certificate)", "{more:?}");
        // Where it succeeds, storing what is returned is no moment.
        assert_eq!(ask("[] (C -> X (RET && X LAST))", more), "result: holds (no certificate)", "{more:?}");
    }
    assert_eq!(ask("false", &["--runs", "infinite"]), "result: holds (no certificate)");
    let enforced = "decl x; bool f() begin return 1; end\n\
                    void main() begin decl l; enforce !l; l := f(); LAST: skip; end\n";
    let done = Lab::with("enforced.bp", enforced).run(&["check", "enforced.bp", "-q", "--ltl", "<> LAST"]);
    assert_eq!(done.last_line(), "result: violated");
}

/// A start with several frames, and a module without statements.
#[test]
fn moments_of_remopla() {
    let text = "init f g;\nint n(2);\nmodule void f() { n = 1; FF: e(); }\nmodule void e() { }\n\
                module void g() { GG: n = n + 1; }\n";
    let lab = Lab::with("several.rem", text);
    for formula in ["f", "in(f)", "X FF", "X X e", "X X X GG", "[] (in(f) || in(e) || in(g) || end)"] {
        let done = lab.run(&["check", "several.rem", "-q", "--ltl", formula]);
        assert_eq!(done.last_line(), "result: holds (no certificate)", "{formula}");
    }
    let asked = lab.run(&["configurations", "several.rem", "--ask", "<f g>", "--ask", "<f>", "--ask", "<e . GG>"]).out;
    let answers: Vec<&str> = asked.lines().filter(|line| line.contains(">: ")).collect();
    insta::assert_snapshot!(answers.join("\n"), @r"
    <f g>: yes, for example [n=0] <f GG>
    <f>: no
    <e . GG>: yes, for example [n=1] <e f:exit GG>
    ");
    let inside = Lab::with("label.rem", "init L;\nmodule void f() { skip; L: skip; }\n");
    for formula in ["L", "X end"] {
        assert_eq!(
            inside.run(&["check", "label.rem", "-q", "--ltl", formula]).last_line(),
            "result: holds (no certificate)",
            "{formula}"
        );
    }
}
