//! A vector that is copied while another thread empties it, after `java.util.Vector` in the jMoped paper
//! (Suwimonteerabuth, Esparza, Schwoon, SPIN 2008, section 5.1 and Table 1).
//!
//! The vector holds one element `x` of `n` bits. One thread copies it and then wants the copy to be empty or to hold `x`;
//! the other removes all elements. With the bug (the constructor of Java 5.0) the size and the elements are read one
//! after the other, so the copy may have a size and no element. Without it (Java 6.0) they are read in one piece.
//!
//! Nobody looks at the value of `x` before the end, but it is shared: whoever splits by shared values makes two to the
//! power of `n` cases of what is one.

/// The text of the program, with at least one bit.
pub(super) fn write(n: u32, bug: bool) -> String {
    let n = n.max(1);
    let (value, element, copy) = (names("x", n), names("element", n), names("copy", n));
    let same: Vec<String> = (0..n).map(|i| format!("(copy{i} = x{i})")).collect();
    format!(
        "\
{shared}
void test()
begin
  decl copySize, copyIsNull;
  decl {copy};
  copySize, copyIsNull, {copy} := construct();
  assert(!copySize | (!copyIsNull & {same}));
end

{construct}
bool<{n_array}> toArray()
begin
  return isNull, {element};
end

void removeAllElements()
begin
  atomic_begin;
  isNull := T;
  size := F;
  atomic_end;
end
",
        shared = shared(&value, &element),
        same = same.join(" & "),
        construct = construct(n, &copy, bug),
        n_array = n + 1,
    )
}

fn names(prefix: &str, n: u32) -> String {
    (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ")
}

/// The vector with its one element, and the two threads.
fn shared(value: &str, element: &str) -> String {
    format!(
        "\
decl {value};
decl {element};
decl isNull, size;

init
begin
  {element} := {value};
  isNull, size := F, T;
end

thread copier
begin
  void main()
  begin
    test();
  end
end

thread remover
begin
  void main()
  begin
    removeAllElements();
  end
end
"
    )
}

/// The constructor: the size of the copy, whether its element is missing, and the element.
fn construct(n: u32, copy: &str, bug: bool) -> String {
    let (begin, end) = if bug { ("", "") } else { ("  atomic_begin;\n", "  atomic_end;\n") };
    format!(
        "\
bool<{n_results}> construct()
begin
  decl copySize, copyIsNull;
  decl {copy};
{begin}  copySize := size;
  copyIsNull, {copy} := toArray();
{end}  return copySize, copyIsNull, {copy};
end
",
        n_results = n + 2,
    )
}
