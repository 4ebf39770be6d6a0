//! Programs that several tests use.

/// The first figure of the Bebop paper: R is reached with g = 1.
pub(crate) const FIGURE: &str = "\
decl g;

void main()
begin
  decl h;
  h := !g;
  A(g, h);
  skip;
  A(g, h);
  skip;
  if (g) then
    R: skip;
  fi
end

void A(a1, a2)
begin


  if (a1) then
    A(a2, a1);
    skip;
  else
    g := a2;
  fi
end
";

/// The same, but g is 0 from the start, so that R is not reached.
pub(crate) fn safe_figure() -> String {
    FIGURE.replace("  h := !g;", "  g := 0; h := !g;")
}

/// One assertion that holds, one that does not, one behind a loop that never ends.
pub(crate) const ASSERTIONS: &str = "\
void main() begin
  decl x, y;
  x := *;
  y := !x;
  assert(x | y);
  if (*) then
    assert(x & !y);
  fi
  while (T) do skip; od
  assert(F);
end
";

/// A counter of 40 bits: no engine counts that far.
pub(crate) fn endless() -> String {
    let bits: Vec<String> = (0..40).map(|bit| format!("b{bit}")).collect();
    let mut text = format!("decl {};\nvoid main() begin\n", bits.join(", "));
    text.push_str(&format!("  {} := {};\n", bits.join(", "), vec!["F"; 40].join(", ")));
    text.push_str("  while (T) do\n");
    // The next number: each bit changes when all lower ones are set.
    let next: Vec<String> = (0..40)
        .map(|bit| {
            let lower: Vec<&str> = bits[..bit].iter().map(String::as_str).collect();
            if lower.is_empty() {
                format!("!{}", bits[bit])
            } else {
                format!("{} ^ ({})", bits[bit], lower.join(" & "))
            }
        })
        .collect();
    text.push_str(&format!("    {} := {};\n  od\n  DONE: skip;\n", bits.join(", "), next.join(", ")));
    text.push_str(&format!("  assert(!({}));\nend\n", bits.join(" & ")));
    text.replace("while (T)", &format!("while (!({}))", bits.join(" & ")))
}

/// Two threads.
pub(crate) const THREADS: &str = "\
decl g;
thread one begin
  void main() begin g := T; end
end
thread two begin
  void main() begin assert(!g); end
end
";
