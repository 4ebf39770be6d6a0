//! The template T(N) of the Bebop paper, Figure 4.
//!
//! Every procedure negates `g`: with `g` it counts to seven and then negates; without, it calls the next level twice,
//! which changes nothing, and then negates. `main` calls the first level twice, so `g` is as it was at the start, and
//! `reach` is reached by exactly the runs that start with `g` false.

/// The text of T(n), with `n` at least one.
pub(super) fn write(n: u32, unreachable: bool) -> String {
    let n = n.max(1);
    let mut text = main(unreachable);
    for i in 1..=n {
        let statement = if i < n { format!("level{}()", i + 1) } else { "skip".to_owned() };
        text.push_str(&level(i, &statement));
    }
    text
}

fn main(unreachable: bool) -> String {
    let first = if unreachable { "  g := 1;\n" } else { "" };
    format!(
        "\
decl g;

void main()
begin
{first}  level1();
  level1();
  if (!g) then
    reach: skip;
  else
    skip;
  fi
end
"
    )
}

fn level(i: u32, statement: &str) -> String {
    format!(
        "
void level{i}()
begin
  decl a, b, c;
  if (g) then
    a, b, c := 0, 0, 0;
    while (!a | !b | !c) do
      if (!a) then
        a := 1;
      elsif (!b) then
        a, b := 0, 1;
      elsif (!c) then
        a, b, c := 0, 0, 1;
      fi
    od
  else
    {statement}; {statement};
  fi
  g := !g;
end
"
    )
}
