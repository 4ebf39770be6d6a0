//! The text of every kind of error and warning.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fmt::Write;

use common::{read, show_diagnostics};
use front_bp::{Dialect, Options};

/// All snippets with their diagnostics.
fn check(snippets: &[&str]) -> String {
    check_with(snippets, &Options::default())
}

fn check_with(snippets: &[&str], options: &Options) -> String {
    let mut out = String::new();
    for text in snippets {
        let shown = text.replace('\0', "<NUL>").replace('\u{FEFF}', "<BOM>");
        let diagnostics = match read(text, options) {
            Ok((_, warnings)) => warnings,
            Err(diagnostics) => diagnostics,
        };
        assert!(!diagnostics.is_empty(), "no diagnostics: {text}");
        writeln!(out, "{shown}\n{}", show_diagnostics(text, &diagnostics)).unwrap();
    }
    out
}

#[test]
fn words() {
    let shown = check(&[
        "decl a; void main() begin a := a + 1; skip end",
        "decl a; void main() begin a := a %% a; a := @; end",
        "decl a; void main() begin a := a + a + a - a; a := a / a; end",
        "void main() begin skip; # no comment here\nend",
        "void main() begin skip; \0\0 end",
        "void main() begin skip;\u{00A0}é; end",
        "void main() begin skip; end /* no end",
        "decl {x > 0; void main() begin skip; end",
        "decl a; void main() begin a := 2; a := 0x1; end",
        "void main() {\n  if (*) {\n    skip;\n  }\n}",
        "decl while; void main() begin skip; end",
        "",
        "\u{FEFF}# only a comment",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn expressions() {
    let contents = [
        "a := a b;",
        "a := (a | b;",
        "a := a |;",
        "a := schoose[a b];",
        "a := schoose[a, b);",
        "a := a ? b;",
        "a := a | b ? a : b;",
        "a := a ? b : a & b;",
        "a := !f(b);",
        "a := f(f(b));",
        "a := 'b;",
        "assert('a);",
        "a := b';",
        "a := ;",
        "a := fi;",
    ];
    let wrap = |content: &str| format!("decl a, b; bool f(x) begin return x; end void main() begin {content} end");
    let texts = contents.map(wrap);
    let shown = check(&texts.each_ref().map(String::as_str));
    insta::assert_snapshot!(shown);
}

#[test]
fn statements() {
    let shown = check(&[
        "decl a; void main() begin a = 1; end",
        "decl a; void main() begin a; end",
        "decl a; void main() begin a := 1\n  a := 0; end",
        "decl a; void main() begin a := 1 a := 0; skip end",
        "void main() begin sikp; gotoo L; L: skip; end",
        "void main() begin if (*) skip; fi skip; end",
        "void main() begin if (* then skip; fi skip; end",
        "void main() begin while (*) skip; od skip; end",
        "void main() begin if (*) then skip; end",
        "void main() begin while (*) do if (*) then skip; od end",
        "void main() begin skip; fi skip; od; skip; end",
        "void main() begin if (*) then skip; else skip; else skip; fi end",
        "void main() begin skip;",
        "void main() begin skip; void p() begin skip; end",
        "void main() begin begin skip; end skip; end",
        "void main() begin L: decl x; M: enforce 1; goto L; end",
        "void main() begin goto; print 1; dead; return ,; end",
        "void main() begin start_thread main; call main; async goto; end",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn items() {
    let shown = check(&[
        "decl a b; void main() begin skip; end",
        "decl a, b,; void main() begin skip; end",
        "decl ; void main() begin skip; end",
        "void main begin skip; end void p() begin x := 1; end",
        "void main( begin skip; end",
        "void main(a, ) begin skip; end",
        "void main() skip; end",
        "int main() begin skip; end",
        "bool<x> p() begin return 1; end void main() begin skip; end",
        "bool<0> p() begin return 1; end void main() begin skip; end",
        "end void main() begin skip; end",
        "skip; void main() begin skip; end",
        "thread t[0] begin void main() begin skip; end end",
        "thread t begin thread u begin void main() begin skip; end end void main() begin skip; end end",
        "thread t begin enforce 1; void main() begin skip; end end",
        "init begin skip; end init begin skip; end void main() begin skip; end",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn names() {
    let shown = check(&[
        "decl lock, unlock; void main() begin lokc := zzz; print(Lock); end",
        "bool p() begin return 1; end void main() begin decl x; x := p; end",
        "void lock() begin skip; end void main() begin lokc(); zzz(); end",
        "void main() begin LOOP: goto LOP, zzz; end",
        "void main() begin goto L; end void p() begin L: skip; end",
        "decl a, b, a; void main() begin skip; end",
        "void main() begin decl x; decl y, x; skip; end",
        "void p(x, x) begin decl x; skip; end void main() begin skip; end",
        "void main() begin skip; end void main() begin skip; end",
        "void main() begin L: skip; M: L: skip; end",
        "decl _; void main() begin skip; end",
        "thread t begin void main() begin u(); end end thread u begin void main() begin skip; end void u() begin skip; end end",
        "thread t begin void run() begin skip; end end thread t begin void main() begin skip; end end",
        "void Main() begin skip; end",
        "void start() begin skip; end",
        "decl a;",
        "void init() begin skip; end void thread1() begin skip; end",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn numbers() {
    let contents = [
        "p(1);",
        "q(1, 0, 1);",
        "a := r(1);",
        "a, b := r();",
        "a := two();",
        "a := q(1, 0);",
        "_, _, _ := two();",
        "a, b := 1;",
        "a := 1, 0;",
        "a, b, a := 0, 1, 0;",
        "a, a := two();",
        "_ := 1;",
        "return 1;",
        "break;",
        "continue;",
        "while (*) do skip; od break;",
        "ASYNC_1: a := r();",
    ];
    let procedures = "void p() begin skip; end void q(x, y) begin skip; end bool r() begin return 1; end \
                      bool<2> two() begin return 1, 0; end";
    let texts = contents.map(|content| format!("decl a, b; {procedures} void main() begin {content} end"));
    let shown = check(&texts.each_ref().map(String::as_str));
    insta::assert_snapshot!(shown);
    let shown = check(&[
        "bool p() begin return 1, 0; end void main() begin p(); end",
        "bool<2> p() begin return 1; end void main() begin p(); end",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn atomic_sections() {
    let shown = check(&[
        "void main() begin atomic_end; end",
        "void main() begin atomic_begin; end",
        "void main() begin if (*) then atomic_begin; fi\n skip; atomic_end; end",
        "void main() begin while (*) do\n atomic_begin; od end",
        "void main() begin atomic_begin; if (*) then return; fi atomic_end; end",
    ]);
    insta::assert_snapshot!(shown);
}

#[test]
fn warnings() {
    let shown = check(&[
        "decl g; void main(g) begin skip; end",
        "decl g; thread t begin decl g; void main() begin decl g; g := 1; end end",
        "decl T; void main() begin decl F; T := F; end",
        "bool p() begin skip; end void main() begin p(); end",
        "bool p() begin if (*) then return 1; fi end void main() begin p(); end",
        "bool p() begin if (*) then return 1; else return; fi end void main() begin p(); end",
        "bool p() begin end void main() begin p(); end",
        "void main() begin L: L: skip; goto L, L; end",
        "void main() begin decl x; skip; decl y := x; dead x, y, x; end",
        "decl g; void p() begin enforce g; skip; end void main() begin start_thread p(); end",
        "void init() begin skip; end void thread1() begin skip; end void main() begin skip; end",
        "thread t begin void main() begin skip; end end void main() begin skip; end",
    ]);
    insta::assert_snapshot!(shown);
    let getafix = Options { dialect: Dialect::Getafix, ..Options::default() };
    let shown = check_with(&["decl g, h; void main() begin constrain('g = g); end"], &getafix);
    insta::assert_snapshot!(shown);
}

#[test]
fn getafix() {
    let getafix = Options { dialect: Dialect::Getafix, ..Options::default() };
    let shown = check_with(
        &[
            "void init(x) begin skip; end void thread1() begin skip; end",
            "init begin skip; end void init() begin skip; end void thread1() begin skip; end",
            "void run() begin skip; end",
        ],
        &getafix,
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn entries() {
    let options = |entry: &str| Options { entry: Some(entry.to_owned()), ..Options::default() };
    let text = "void main() begin skip; end void other() begin skip; end";
    assert!(read(text, &options("other")).is_ok());
    let shown = check_with(&[text], &options("othr"));
    insta::assert_snapshot!(shown);
    let shown = check_with(&["thread t begin void main() begin skip; end end"], &options("main"));
    insta::assert_snapshot!(shown);
}

#[test]
fn syntax_and_name_errors_come_together() {
    let shown =
        check(&["decl a;\nvoid main()\nbegin\n  a := ;\n  b := a;\n  goto L;\n  if (a then skip; fi\n  p(a);\nend\n"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn only_a_hundred_errors_are_listed() {
    let text = format!("void main() begin {} end", "x := 1;\n".repeat(1000));
    let diagnostics = read(&text, &Options::default()).unwrap_err();
    assert_eq!(diagnostics.len(), 101);
    assert_eq!(diagnostics.iter().last().map(|last| last.message.as_str()), Some("and 900 more errors"));
}
