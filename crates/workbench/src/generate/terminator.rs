//! A loop over an n-bit counter, in the manner of the Boolean programs that Terminator writes.
//!
//! In every iteration m further locals are chosen by `schoose` from the counter's bits, looked at, and killed by
//! `dead`. Whoever keeps dead values multiplies the states by two to the power of m. `d` follows the bit `c` of the
//! counter: `schoose[c, !c & e]` is true with `c`, false with `e` alone and otherwise arbitrary, so `c => d` holds.
//! With the bug the last local may be false although all bits are set, which happens only in the last iteration.

use std::fmt::Write;

/// The text of the program, with `n` and `m` at least one.
pub(super) fn write(n: u32, m: u32, bug: bool) -> String {
    let (n, m) = (n.max(1), m.max(1));
    let bits = names("c", n);
    let chosen = names("d", m);
    format!(
        "\
void main()
begin
  decl {counter};
  decl {locals};
  decl carry, ok;
  {counter} := {zeros};
  carry, ok := F, T;
  while (!carry) do
{choices}    ok := ok{checks};
    dead {locals};
    carry := T;
{increment}  od
  assert(ok);
end
",
        counter = bits.join(", "),
        locals = chosen.join(", "),
        zeros = vec!["F"; bits.len()].join(", "),
        choices = choices(&bits, &chosen, bug),
        checks = checks(&bits, &chosen),
        increment = increment(&bits),
    )
}

fn names(prefix: &str, n: u32) -> Vec<String> {
    (0..n).map(|i| format!("{prefix}{i}")).collect()
}

/// The bit that the `i`-th local follows, and the one after it.
fn followed(bits: &[String], i: usize) -> (&str, &str) {
    (&bits[i % bits.len()], &bits[(i + 1) % bits.len()])
}

fn choices(bits: &[String], chosen: &[String], bug: bool) -> String {
    let mut text = String::new();
    for (i, local) in chosen.iter().enumerate() {
        let (bit, next) = followed(bits, i);
        let forget = if bug && i + 1 == chosen.len() { format!(" & !({})", bits.join(" & ")) } else { String::new() };
        let _ = writeln!(text, "    {local} := schoose[{bit}{forget}, !{bit} & {next}];");
    }
    text
}

fn checks(bits: &[String], chosen: &[String]) -> String {
    let check = |(i, local)| format!(" & (!{} | {local})", followed(bits, i).0);
    chosen.iter().enumerate().map(check).collect()
}

/// Adds the carry bit by bit; it is left true when the counter starts again from zero.
fn increment(bits: &[String]) -> String {
    let add = |bit: &String| format!("    {bit}, carry := {bit} ^ carry, {bit} & carry;\n");
    bits.iter().map(add).collect()
}
