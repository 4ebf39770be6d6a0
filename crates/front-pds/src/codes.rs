//! The codes of all diagnostics, explained.
//!
//! Codes below 20 are about syntax, from 20 about names and numbers, from 50 warnings. Every explanation shows an example
//! that has the fault; a test reads all of them.

use base::codes::{Code, code};

/// All codes of this front end, in order.
pub const CODES: &[Code] = &[
    code(
        "PD0001",
        "unknown character",
        "The source contains a character that belongs to no word of the language. Comments begin with `#` or `%`.

    (q <a>)
    q <a> --> q <a> ; $",
    ),
    code(
        "PD0002",
        "name of a rule without end",
        "A rule may have a name between double quotes, on one line.

    (q <a>)
    q <a> --> q <a> \"loop",
    ),
    code(
        "PD0003",
        "something else was expected",
        "The source does not continue as the language requires. A rule is `state <symbol> --> state <symbols>`, with a
name and a condition in parentheses if wanted.

    (q <a>)
    q <a> -> q <a>",
    ),
    code(
        "PD0004",
        "nested too deeply",
        "Expressions may nest a few thousand levels deep, and chains of arithmetic may be as long. Chains of `&`, `|`, `^`
and `==` do not nest and may be of any length. What follows something that is nested too deeply is not read.",
    ),
    code("PD0005", "empty file", "The file contains no start configuration and no rules.\n\n    # nothing here"),
    code(
        "PD0006",
        "bad number",
        "Numbers are decimal and below two to the power of 63; names do not begin with a digit.

    global int x(3);
    (q <a>)
    q <a> --> q <a> (x = 99999999999999999999)",
    ),
    code(
        "PD0007",
        "second start configuration",
        "A system has one start configuration. To start in one of several, add a symbol with a rule to each of them.

    (q <a>)
    (q <b>)
    q <a> --> q <b>",
    ),
    code(
        "PD0008",
        "parentheses around an integer",
        "In conditions `( )` groups Boolean expressions and `{ }` groups integer terms, so that a condition can be read
without looking ahead. In constant expressions, such as those of `define`, `( )` groups numbers.

    global int x(3);
    (q <a>)
    q <a> --> q <a> (x = 2 * (x + 1))

Write `x = 2 * {x + 1}`.",
    ),
    code(
        "PD0009",
        "chain of comparisons",
        "A comparison is Boolean and cannot be compared by `<` or `=`. Booleans are compared by `==`.

    global int x(3);
    (q <a>)
    q <a> --> q <a> (0 < x < 3)

Write `0 < x & x < 3`.",
    ),
    code(
        "PD0020",
        "no start configuration",
        "The start is written before the rules: a control state and a stack, each with a condition on its variables if
wanted. What is not given is arbitrary.

    q <a> --> q <a>

Write for instance `(q <a>)` or `(q (x=1) <a (y=2)>)`.",
    ),
    code(
        "PD0021",
        "declared twice",
        "A name is declared once among the defines and globals, and once in a `local` declaration. A local may have the
name of a global, which is then not seen by its stack symbols.

    define N 3
    global int N(3);
    (q <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0022",
        "stack symbol listed twice",
        "All locals of a stack symbol are declared in one `local` declaration.

    local (a) int x(2);
    local (a) int y(2);
    (q <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0023",
        "primed variable of a symbol that is not there",
        "`x'` is a global after the rule or a local of the first new stack symbol, `x''` a local of the second, and so on.
A rule with fewer new symbols has no such variable.

    local (a) int x(2);
    (q <a>)
    q <a> --> q <a> (x'' = x)

Write `x' = x`.",
    ),
    code(
        "PD0024",
        "global with several primes",
        "Globals have one value after a rule, written with one prime. More primes mean locals of further stack symbols.

    global int x(2);
    (q <a>)
    q <a> --> q <a b> (x'' = x)",
    ),
    code(
        "PD0025",
        "unknown variable",
        "The name is neither a global nor a local of any stack symbol, nor a define or a quantified name.

    global int count(2);
    (q <a>)
    q <a> --> q <a> (cuont = 1)",
    ),
    code(
        "PD0026",
        "variable of another stack symbol",
        "The variable exists, but not for the stack symbol that is meant here: without primes the one on the left side,
with one prime the first new one.

    local (b) int x(2);
    (q <a>)
    q <a> --> q <b> (x = 1)

Here `x' = 1` is meant; or list `a` in the `local` declaration as well.",
    ),
    code(
        "PD0027",
        "not a constant",
        "Widths, indices of declarations, ranges of quantifiers and values of defines are made of numbers and earlier
defines.

    global int x(N);
    (q <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0028",
        "constant without value",
        "A constant expression divides by zero, shifts by a negative number, or is too large.

    define N 1 << 64
    (q <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0029",
        "impossible width",
        "An integer has 1 to 64 bits. If the width comes from a define, the message shows it.

    define N 70
    global int x(N);
    (q <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0030",
        "impossible indices",
        "`a[n]` has the indices 0 to n-1, and `a[lo,hi]` has lo to hi. There is at least one, and none is negative.

    global int a[3,1](2);
    (q <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0031",
        "array too large",
        "Arrays have at most about a million bits in all.

    global int a[100000](64);
    (q <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0032",
        "number where a condition is expected",
        "A condition is a comparison or a Boolean variable.

    global int x(2);
    (q <a>)
    q <a> --> q <a> (x)",
    ),
    code(
        "PD0033",
        "Boolean where a number is expected",
        "`=` and the other comparisons are for integers. Booleans are compared by `==`, and are conditions by themselves.

    global bool b;
    (q <a>)
    q <a> --> q <a> (b = 1)

Write `b`.",
    ),
    code(
        "PD0034",
        "constant with primes or an index",
        "Defined and quantified names stand for numbers. They do not change and have no elements.

    define N 3
    (q <a>)
    q <a> --> q <a> (N' = 3)",
    ),
    code(
        "PD0035",
        "value for an unknown define",
        "`--define NAME=N` gives a define of the file another value. The file has no define of this name.",
    ),
    code(
        "PD0036",
        "primed variable in the start",
        "The conditions of the start speak of one moment: there is nothing after it.

    global int x(2);
    (q (x' = 1) <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0037",
        "array without index",
        "Arrays are compared element by element, with a quantifier over the indices.

    global int a[3](2);
    (q <a>)
    q <a> --> q <a> (a' = a)

Write `A i (0,2) a'[i] = a[i]`.",
    ),
    code(
        "PD0038",
        "index of something that is no array",
        "Only variables that are declared with indices have elements.

    global int x(2);
    (q <a>)
    q <a> --> q <a> (x[1] = 0)",
    ),
    code(
        "PD0039",
        "quantifiers over too many cases",
        "Quantifiers are expanded: `A i (1,3) e` is e for 1, for 2 and for 3. Nested ones multiply.

    global int a[3](2);
    (q <a>)
    q <a> --> q <a> (E i (0,9999999) a[0] < i)",
    ),
    code(
        "PD0040",
        "term too wide",
        "Arithmetic inside an expression has no overflow, so every term must be able to hold all values that it may have;
the largest have 64 bits.

    global int x(64);
    (q <a>)
    q <a> --> q <a> (x * x = 1)",
    ),
    code(
        "PD0041",
        "impossible start",
        "The condition of the start configuration is never true, so there is no run at all.

    global int x(2);
    (q (x = 4) <a>)
    q <a> --> q <a>",
    ),
    code(
        "PD0042",
        "atoms of an unknown symbol",
        "`atoms ID p, q` says that the stack symbol or control state ID satisfies the propositions p and q. It must occur
in the start or in a rule.

    (q <a>)
    atoms b p
    q <a> --> q <a>",
    ),
    code(
        "PD0043",
        "option without meaning",
        "A pushdown system says by itself where it starts, and knows no dialects: `--entry` and `--dialect` have no meaning
for it.",
    ),
    code(
        "PD0044",
        "terms too large",
        "An index out of range and a division by zero make a comparison false, so that what a comparison becomes speaks of
every index and divisor a second time. Indices in indices and divisors in divisors, hundreds of them, become too large;
so do terms of many parts that quantifiers repeat many times. Keep a part in a variable, by a rule of its own.",
    ),
    code(
        "PD0050",
        "line hidden by a brace",
        "A `{` that begins a line makes the line a comment, as it does in Moped. If a group `{ ... }` was meant, it must
not be the first thing on its line; comments are better begun with `#`.

    (q <a>)
    { a comment
    q <a> --> q <a>",
    ),
    code(
        "PD0051",
        "comparison that is never true",
        "The values that both sides can have do not meet. A value that does not fit its variable has no successor: there
is no wrap-around.

    global int x(2);
    (q <a>)
    q <a> --> q <a> (x' = 4)",
    ),
    code(
        "PD0052",
        "index always out of range",
        "A comparison is false when an index in it is out of range or a divisor is zero.

    global int a[3](2);
    (q <a>)
    q <a> --> q <a> (a[3] = 1)",
    ),
    code(
        "PD0053",
        "empty start stack",
        "No rule applies when the stack is empty, so the only run ends at once.

    (q <>)
    q <a> --> q <a>",
    ),
    code(
        "PD0054",
        "stack symbol in no rule",
        "A `local` declaration lists a stack symbol that occurs neither in the start nor in any rule. Perhaps it is
misspelt.

    local (a, mian) int x(2);
    (q <a>)
    q <a> --> q <main>",
    ),
    code(
        "PD0055",
        "empty range",
        "A quantifier ranges over no number at all: then `A` is true and `E` is false.

    global int x(2);
    (q <a>)
    q <a> --> q <a> (A i (3,1) x = i)",
    ),
    code(
        "PD0056",
        "no rule applies to the start",
        "The start configuration is on the left side of no rule, so nothing can happen.

    (q <a>)
    p <a> --> p <b>",
    ),
    code("PD0099", "more messages", "Only the first hundred errors and the first hundred warnings are listed."),
    code(
        "PD0101",
        "unknown character (Remopla)",
        "The source contains a character that belongs to no word of the language. Comments begin with `#` or `//`.

    module void main() { skip; } $",
    ),
    code(
        "PD0102",
        "comment without end (Remopla)",
        "A comment that begins with `/*` ends with `*/`, and such comments do not nest.

    module void main() { skip; } /* the end",
    ),
    code(
        "PD0103",
        "something else was expected (Remopla)",
        "The source does not continue as the language requires. The message says what was expected.

    bool x;
    module void main() { x == true; }

An assignment is written `x = true;`.",
    ),
    code(
        "PD0104",
        "nested too deeply (Remopla)",
        "Statements and expressions may nest a few thousand levels deep, and chains of arithmetic may be as long.",
    ),
    code(
        "PD0105",
        "bad number (Remopla)",
        "Numbers are decimal and below two to the power of 63; names do not begin with a digit.

    int x;
    module void main() { x = 3y; }",
    ),
    code("PD0106", "empty file (Remopla)", "The file contains no module and no statement.\n\n    # nothing here"),
    code(
        "PD0107",
        "misplaced rule (Remopla)",
        "A rule `state <label> --> state <labels>` applies wherever its label is on top of the stack. It has no label of its
own, and it does not belong to an alternative of `if` or `do`; control passes it by.

    module void main() {
      L: if :: true -> q <L> --> q <L>; fi
    }

Write it before or after the `if`.",
    ),
    code(
        "PD0108",
        "call inside an expression (Remopla)",
        "A call is a statement: it can be the whole right side of an assignment, but not part of an expression.

    int x;
    module int f() { return 1; }
    module void main() { x = 1 + f(); }

Write `x = f(); x = 1 + x;`.",
    ),
    code(
        "PD0120",
        "declared twice (Remopla)",
        "A name has one meaning among defines, globals, values of enumerations and labels; a local may hide a global.
There is one `init`.

    int x;
    bool x;
    module void main() { skip; }",
    ),
    code(
        "PD0121",
        "unknown variable (Remopla)",
        "The name is neither a local of the module nor a global, nor a define, a value or a quantified name.

    int count;
    module void main() { cuont = 1; }",
    ),
    code(
        "PD0122",
        "not a constant (Remopla)",
        "Widths, dimensions, ranges of quantifiers and values of defines are made of numbers and earlier defines.

    int x(N);
    module void main() { skip; }",
    ),
    code(
        "PD0123",
        "constant without value (Remopla)",
        "A constant expression divides by zero, shifts by a negative number, or is too large.

    define N 1 / 0
    module void main() { skip; }",
    ),
    code(
        "PD0124",
        "impossible width (Remopla)",
        "An integer has 1 to 64 bits; nothing else has a width. Without a width it has `DEFAULT_INT_BITS`, or 8.

    int x(70);
    module void main() { skip; }",
    ),
    code(
        "PD0125",
        "impossible dimensions (Remopla)",
        "`a[n]` has the indices 0 to n-1, and `a[lo,hi]` has lo to hi. There is at least one, and none is negative.

    int a[0];
    module void main() { skip; }",
    ),
    code(
        "PD0126",
        "array or structure too large (Remopla)",
        "Arrays have at most about a million bits in all, and structures a few thousand parts.

    int a[1000][1000](8);
    module void main() { skip; }",
    ),
    code(
        "PD0127",
        "value of another type (Remopla)",
        "Booleans, integers, values of enumerations, arrays and structures do not mix.

    int x;
    module void main() { x = true; }",
    ),
    code(
        "PD0128",
        "unknown module (Remopla)",
        "No module has the name that is called.

    module void main() { helper(); }",
    ),
    code(
        "PD0129",
        "wrong number of arguments (Remopla)",
        "A call gives every parameter of the module a value.

    module void f(int x) { skip; }
    module void main() { f(); }",
    ),
    code(
        "PD0130",
        "unknown label (Remopla)",
        "No statement has the label that `goto` names. In a rule: no statement has the label, no rule starts from it, and
no rule puts it in the place of another one, so that it belongs to no module.

    module void main() { goto L; }",
    ),
    code(
        "PD0131",
        "label of another module (Remopla)",
        "Labels have global names, but a jump cannot leave its module. Nor can a rule: the last of its new labels is in the
module of the label on its left side.

    module void f() { L: skip; }
    module void main() { goto L; }",
    ),
    code("PD0132", "break outside of a loop (Remopla)", "`break` leaves the innermost `do`.\n\n    module void main() { break; }"),
    code(
        "PD0133",
        "wrong return (Remopla)",
        "A module with a type returns a value of that type, and a `void` module returns nothing.

    module int f() { return; }
    module void main() { f(); }",
    ),
    code(
        "PD0134",
        "nowhere to start (Remopla)",
        "Execution starts in the module or at the label that `init` names, else in `main`.

    module void f() { skip; }",
    ),
    code(
        "PD0135",
        "unknown type (Remopla)",
        "An enumeration or structure is declared before its use.

    enum colour c;
    module void main() { skip; }",
    ),
    code(
        "PD0136",
        "unknown field (Remopla)",
        "Only structures have fields, and only those that they declare.

    struct point { int x; } p;
    module void main() { p.y = 1; }",
    ),
    code(
        "PD0137",
        "index of something that is no array (Remopla)",
        "Only variables that are declared with dimensions have elements.

    int x;
    module void main() { x[1] = 0; }",
    ),
    code(
        "PD0138",
        "value of a void module (Remopla)",
        "A `void` module returns nothing that could be assigned.

    int x;
    module void f() { skip; }
    module void main() { x = f(); }",
    ),
    code(
        "PD0139",
        "assigned twice in one statement (Remopla)",
        "All assignments of a statement happen at once, so a variable or an element can have only one new value. Where
indices turn out to be equal only when the program runs, as in `a[i] = 1, a[j] = 2`, the statement is possible only if
the values are equal, too.

    int x;
    module void main() { x = 1, x = 2; }",
    ),
    code(
        "PD0140",
        "quantifiers over too many cases (Remopla)",
        "Quantifiers are expanded: `A i (1,3) a[i] = 0` is three assignments, and `E` is a choice between three.

    int a[2];
    module void main() { E i (0,9999) a[0] = i; }",
    ),
    code(
        "PD0142",
        "term too wide (Remopla)",
        "Arithmetic inside an expression has no overflow, so every term must be able to hold all values that it may have;
the largest have 64 bits.

    int x(64);
    module void main() { skip (x * x == 1); }",
    ),
    code(
        "PD0143",
        "module without body (Remopla)",
        "A module that is declared is also defined.

    module void f();
    module void main() { f(); }",
    ),
    code(
        "PD0144",
        "second control state (Remopla)",
        "Rules name a control state on both sides, as in `.pds` files. A program has only one, so all rules name the same.

    bool locked;
    module void main() {
      q <main> --> locked <L>
      locked <L> --> q <>
    }

Keep the difference in a variable: `q <main> --> q <L> (locked')` and `q <L> --> q <> (locked)`.",
    ),
    code(
        "PD0145",
        "rule with too many new labels (Remopla)",
        "A rule returns, goes on at a label, or enters a module and comes back to a label.

    module void f() { skip; }
    module void main() {
      q <main> --> q <f f L>
      q <L> --> q <>
    }

Write two rules, with a label h of the module f that is entered first: `q <main> --> q <h L>` and `q <h> --> q <f f>`.",
    ),
    code(
        "PD0146",
        "primed name that means nothing (Remopla)",
        "In a rule, `x'` is a global afterwards or a local of the module of the first new label, and `x''` a local of the
module of the second. Constants have no primes.

    int x(2);
    module void f(int n(2)) { skip; }
    module void main() {
      q <main> --> q <f L> (x' = x & n'' = x)
      q <L> --> q <>
    }

Write `n' = x`.",
    ),
    code(
        "PD0147",
        "declared otherwise than defined (Remopla)",
        "A module that is declared before its definition has the same result and the same types of parameters in both.

    module int f(int n);
    module bool f(int n) { return n == 0; }
    module void main() { skip; }",
    ),
    code(
        "PD0150",
        "rule that starts from a label that is never reached (Remopla)",
        "The label is on left sides of rules only. No statement has it, no rule, `goto` or `init` leads to it. Perhaps it is
misspelt.

    module void main() {
      LOOP: skip;
      q <LOPO> --> q <LOOP>
    }",
    ),
    code(
        "PD0151",
        "rule that never applies (Remopla)",
        "The condition of the rule is never true. A value that does not fit its variable has no successor: there is no
wrap-around.

    int x(2);
    module void main() {
      L: skip;
      q <L> --> q <L> (x' = 4)
    }",
    ),
    code(
        "PD0152",
        "statement that is never possible (Remopla)",
        "A value does not fit its variable whatever the state is, an element with a constant index does not exist, a range is
empty, or a condition is never true. A run that comes to the statement cannot go on; there is no wrap-around. If that is
meant, `skip (false)` says it without a warning.

    int x(2);
    module void main() { x = 4; }",
    ),
];
