//! Snippets and the programs they lower to.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{read, show_diagnostics, show_program};
use front_bp::{Dialect, Options};

fn check(text: &str) -> String {
    check_with(text, &Options::default())
}

fn check_getafix(text: &str) -> String {
    check_with(text, &Options { dialect: Dialect::Getafix, ..Options::default() })
}

fn check_with(text: &str, options: &Options) -> String {
    let (program, diagnostics) = match read(text, options) {
        Ok((lowered, warnings)) => {
            program::verify(&lowered.program).unwrap();
            (show_program(&lowered, text), warnings)
        }
        Err(diagnostics) => (String::new(), diagnostics),
    };
    format!("{text}\n\n{program}{}", show_diagnostics(text, &diagnostics))
}

#[test]
fn figure_one_of_the_bebop_paper() {
    let shown = check(include_str!("../../../corpus/bp/figure1.bp"));
    insta::assert_snapshot!(shown);
}

#[test]
fn expressions() {
    let shown = check(
        "decl a, b, c, {x > 0};
void main() begin
  a := 0 | 1 | T & F | true ^ false;
  a := a => b -> c <=> a;
  a := a = b == c != !~a;
  a := a | b ^ c & a = b || (a && b);
  a := (a & b) & c;
  a := {x > 0} ? a : b ? c : *;
  a := schoose[a, b];
  a := choose[?, T];
  a, b := *, ? & a;
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn assignments() {
    let shown = check(
        "decl g, h;
void main(x) begin
  decl y, z := 0, w := *; decl v := z & x;
  g, y := y, g;
  g := h constrain ('g => g & 'y);
  g, h := *, * constrain 'g | 'h;
  dead y, g;
  print(g, y & h);
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn conditions() {
    let shown = check(
        "decl g, h;
void main() begin
  assume(g);
  assume *;
  constrain(h);
  constrain('g = h & 'h = g);
  abortif(g | h);
  assert(g = !h);
  assert !(*);
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn branches_and_loops() {
    let shown = check(
        "decl g;
void main() begin
  if g then fi
  if (g) then skip; elsif (!g) then elsif * then goto L; else M: fi;
  while (g) do
    if (*) then break; fi
    if (*) then continue; fi
    while * do od
    L: g := !g;
  od
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn labels_and_gotos() {
    let shown = check(
        "void main() begin
  goto 1, L, END;
  1: skip;
  L: 2: skip;
  if * then goto 1; END: fi
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn calls_and_results() {
    let shown = check(
        "decl g;
bool<2> swap(x, y) begin return y, x; end
bool negate(x) begin return !x; end
void main() begin
  decl a, b;
  a, b := swap(a, *);
  _, g := swap(g, 1);
  a := call negate(schoose[a, b]);
  negate(a & b);
  call nothing();
  nothing();
end
void nothing() begin end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn ends_of_procedures() {
    let shown = check(
        "bool a() begin if (*) then return 1; fi end
bool b() begin while (*) do return; od end
bool c() begin a(); end
bool d() begin start_thread e(); end
void e() begin return; end
void main() begin if (*) then return; fi skip; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn assertions() {
    let shown = check("decl g; void main() begin assert(g); L: assert(!g | *); end");
    insta::assert_snapshot!(shown);
}

#[test]
fn enforce() {
    let shown = check(
        "decl g, h;
enforce g | h;
void main() begin
  decl l;
  enforce l = g;
  if (*) then skip; fi
  l := *;
  p(l);
  h := !h;
end
void p(x) begin enforce 1; skip; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn enforce_with_threads() {
    let shown = check(
        "decl g;
void main() begin
  decl l;
  enforce l;
  start_thread p(g);
  skip;
end
void p(x) begin enforce g; skip; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn initial_values() {
    let shown = check(
        "decl a := 1, b := !a, c := *, d := F;
thread t begin
  decl p := a;
  void main() begin skip; end
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn thread_blocks() {
    let shown = check(
        "decl g, p;
init begin decl l; l := g; g, p := F, l; end
thread adder[2] begin
  decl p;
  void main() begin inc(); reset(); end
  void inc() begin p := g; end
end
thread stopper begin
  decl p;
  void main() begin L: reset(); p := 0; end
end
void reset() begin g := 0; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn dynamic_threads() {
    let shown = check(
        "decl g;
void main() begin
  decl l;
  start_thread run(l);
  async run(g);
  ASYNC_1: C: run(1);
  start_thread goto L;
  goto E;
  L: l := g;
  end_thread;
  E: skip;
end
void run(x) begin if (x) then end_thread; fi end_thread; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn atomic_sections() {
    let shown = check(
        "decl g;
void main() begin
  atomic_begin;
  while (g) do
    atomic_begin;
    assert(g);
    atomic_end;
  od
  if (*) then end_thread; fi
  atomic_end;
  skip;
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn shadowing_and_constants_as_names() {
    let shown = check(
        "decl g, T;
void main(T) begin decl g; g := T & F; p(g); end
void p(x) begin g := T; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn words_as_names() {
    let shown = check(
        "decl dead, print, thread;
void init() begin call: dead, print := print, dead; end
void call(choose) begin async := choose; end
decl async;
void main() begin init(); call call(dead); dead print; thread := 1; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn getafix() {
    let shown = check_getafix(
        "decl atomic, g;
void init() begin g := F; end
void thread0() begin decl l; constrain('g = !g & 'atomic = atomic); helper(); end
void helper() begin skip; end
void threadB() begin assume(g); end
void main() begin L: skip; end",
    );
    insta::assert_snapshot!(shown);
    let shown = check_getafix("decl g; void main() begin constrain(g); end");
    insta::assert_snapshot!(shown);
    let shown = check_getafix("decl g; void init() begin g := 0; end void main() begin assert(!g); end");
    insta::assert_snapshot!(shown);
}

#[test]
fn entry() {
    let options = Options { entry: Some("p".into()), ..Options::default() };
    let shown = check_with("void p(x) begin enforce x; skip; end", &options);
    insta::assert_snapshot!(shown);
}

#[test]
fn conventions_of_other_tools() {
    let shown = check(
        "# a comment of another tool
bool b0, {a[i]<b};  /* two
lines */ decl $x.y@z;;
main() begin
  10: if b0 then goto 20; fi;
  b0 := !{a[i]<b} constrain ('b0 | {a[i]<b});
  20:
  assert($x.y@z) ;
end;",
    );
    insta::assert_snapshot!(shown);
}
