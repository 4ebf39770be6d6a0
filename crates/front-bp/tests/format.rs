//! The canonical text of sources.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{formatted, read};
use front_bp::Options;

/// The canonical text, which must be stable and mean the same.
fn check(text: &str) -> String {
    let canonical = formatted(text);
    assert_eq!(canonical, formatted(&canonical), "formatting twice is formatting once");
    let meaning = |text: &str| read(text, &Options::default()).map(|(lowered, _)| lowered.program);
    assert_eq!(meaning(text), meaning(&canonical));
    canonical
}

#[test]
fn statements() {
    let shown = check(
        "decl a,b,{x>0}:=0;bool c;enforce a|b;
p(x) begin return;end; bool<1> q(x,y) begin return x; end bool <2> r() begin return 0,T;end
void main() begin decl l,m:=F;;enforce l;
L:M:10:skip;a,b:=b,a;a:=*constrain 'a=a;b:=q(a,*);a:=call q(T,F);_,a:=r();call p(1);p(0);
if a then skip;elsif b then else goto L,M;fi;while * do break;continue;od
assume a;assert(a);constrain('a=b);abortif a|b;dead a,l;print(a,b);N:
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn threads() {
    let shown = check(
        "decl g; init begin g:=0; end
thread t[2] begin decl p; void main() begin start_thread run(p); async run(g); start_thread goto L; atomic_begin;
atomic_end; ASYNC_1:run(1); L: end_thread; end end thread u begin void main() begin skip; end end
void run(x) begin skip; end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn expressions() {
    let shown = check(
        "decl a,b,c; void main() begin
a:=(((a)));a:=!(!(a));a:=!(a&b);a:=(a&b)|c;a:=a&(b|c);a:=(a|b)|c;a:=a|(b|c);a:=a||b||c;
a:=(a=>b)=>c;a:=a=>(b=>c);a:=(a=b)=c;a:=a=(b=c);a:=(a<=>b)<=>c;a:=a<=>(b<=>c);a:=!a=b;a:=!(a=b);
a:=a?b:c;a:=(a?b:c)?b:c;a:=a?(b?a:c):c;a:=a?b:(a?b:c);a:=(a|b)?a&b:(a^b);a:=a&(b?a:c);a:=!(a?b:c);
a:=choose[a|b,!a];a:=~a^b^(a^c);a:=T;a:=true&F|?;
end",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn constants_that_a_variable_hides_are_not_rewritten() {
    let shown = check("decl T, x; void main() begin x := T & F & true; end");
    insta::assert_snapshot!(shown);
}

#[test]
fn words_as_names_are_called_with_call() {
    let shown = check("void dead(x) begin skip; end void main() begin call dead(1); start_thread dead(0); end");
    insta::assert_snapshot!(shown);
}

#[test]
fn comments_and_empty_lines() {
    let shown = check(
        "// The first line.


// Globals.
decl a, // first
  b,    // second
  // third:
  c;    /* behind */ // twice
# preprocessor
decl d; decl e; // e


decl f;
/* about main,
   two lines */
void main() // head
// before begin
begin // begin

  // locals
  decl x;


  // one
  a := /* inside */ b; // two
  // before if

  if (a) then // then
    // in then
  // last in then
  elsif (b) then skip; // elsif
  else // else
    skip;

    // last in else
  fi // fi
  while ( // condition
    a) do
  od

  // at the end
end // end

// the last one",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn comments_between_a_variable_and_its_value() {
    insta::assert_snapshot!(check("decl a, b // of b\n := 1;\nvoid main() begin skip; end"), @"
    decl a, b := 1; // of b

    void main()
    begin
      skip;
    end
    ");
    insta::assert_snapshot!(check("decl a // of a\n := 1, b := 0;\nvoid main() begin skip; end"), @"
    decl
      a := 1, // of a
      b := 0;

    void main()
    begin
      skip;
    end
    ");
}

#[test]
fn long_lists_are_filled() {
    let names: Vec<String> = (0..60).map(|at| format!("variable_{at}")).collect();
    let shown = check(&format!("decl {}; void main() begin skip; end", names.join(",")));
    insta::assert_snapshot!(shown);
}
