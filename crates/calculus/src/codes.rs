//! The codes of all diagnostics about `.fp` files, explained.
//!
//! Codes below 20 are about syntax, from 20 about names,
//! sorts and sizes, from 50 warnings. Every explanation shows an example that has the fault; a test reads all of them.

use base::codes::{Code, code};

/// The code of what has too many single values.
pub const TOO_LARGE: &str = "FP0034";

/// All codes of this crate, in order.
pub const CODES: &[Code] = &[
    code(
        "FP0001",
        "unknown character",
        "The file contains a character that belongs to no word of the language. Nothing is skipped silently.

    query q = ~true;

Negation is written `!`.",
    ),
    code(
        "FP0002",
        "comment without end",
        "A comment that begins with `/*` ends with `*/`, and such comments do not nest.

    query q = true; /* the end",
    ),
    code(
        "FP0003",
        "something else was expected",
        "The file does not continue as the language requires. The message says what was expected; often a `;` or a bracket
is missing just before.

    query q = exists x: Bool x;

A quantifier is written `exists x: Bool. x`.",
    ),
    code(
        "FP0004",
        "nested too deeply",
        "Formulae may nest a few thousand levels deep. Chains such as `a & b & c` do not nest and may be of any length.
Deeper nesting is not read any further: give names to parts of the formula with `define`.",
    ),
    code(
        "FP0005",
        "not a possible number",
        "Numbers, values of parameters and the results of `+`, `-` and `*` on them must fit into a machine word, and a name
begins with a letter.

    query q = exists x: 0..99999999999. x = 0;",
    ),
    code(
        "FP0006",
        "record or enumeration without a name",
        "Two records written alike would be two sorts or one, depending on the reader. They are declared with a name.

    query q = exists u: { a: Bool }. u.a;

Write `sort U = { a: Bool };` and then `exists u: U. u.a`.",
    ),
    code(
        "FP0007",
        "chained comparison",
        "`a = b = c` means different things to different readers.

    query q = exists x, y, z: Bool. x = y = z;

Write `x = y & y = z`.",
    ),
    code(
        "FP0020",
        "unknown variable or constant",
        "A variable is a parameter of the relation or query, or bound by a quantifier around its use. A constant is a value of
an enumeration or of a listed sort of the model, or a parameter.

    query q = exists x: Bool. y;",
    ),
    code(
        "FP0021",
        "unknown sort",
        "Sorts are `Bool`, ranges such as `0..3`, arrays of sorts, the sorts that the file declares with `sort` and those
that the model supplies.

    query q = exists x: Stat. x = x;",
    ),
    code(
        "FP0022",
        "unknown relation",
        "A relation is declared with `input`, `define`, `mu` or `nu`, before or after its use.

    query q = Reach(true);",
    ),
    code(
        "FP0023",
        "declared twice",
        "A name has one meaning: it is declared once as a relation, sort, query, parameter, field or value, and once in a list
of variables.

    define A = true;
    define A = false;
    query q = A();",
    ),
    code(
        "FP0024",
        "sort used before its declaration",
        "Sorts are declared before they are used, which also keeps them from containing themselves.

    sort A = { b: B };
    sort B = { c: Bool };
    query q = exists a: A, b: B. a.b = b;",
    ),
    code(
        "FP0025",
        "wrong number of arguments",
        "A relation is applied to as many arguments as it has columns. A record or an array is one argument.

    define A(x: Bool, y: Bool) = x & y;
    query q = A(true);",
    ),
    code(
        "FP0026",
        "wrong sort",
        "Two values are compared, or an argument is given, only if their sorts agree: the same single sort, two ranges, or
records and arrays with the same parts. Only single values have an order.

    query q = exists x: 0..3, b: Bool. x = b;",
    ),
    code(
        "FP0027",
        "not a formula",
        "A formula is true or false: a comparison, an application, a variable of sort `Bool`, and what connectives and
quantifiers make of them.

    query q = exists x: 0..3. x;",
    ),
    code(
        "FP0028",
        "a formula where a value is expected",
        "The sides of `=` and the arguments of relations are variables, parts of variables and constants.

    query q = exists x: Bool, y: Bool. x = (y & y);

Write `x <-> y & y`.",
    ),
    code(
        "FP0029",
        "no such field",
        "The sort has no field of this name.

    sort U = { a: Bool };
    query q = exists u: U. u.b;",
    ),
    code(
        "FP0030",
        "no such element",
        "Only arrays have elements, their indices are numbers, and a constant index must lie in the array. A variable index, or
a sum such as `i + 1`, may lie outside: then the comparison or application is false.

    query q = exists g: Bool[1..3]. g[4];",
    ),
    code(
        "FP0031",
        "not a constant",
        "The bounds of ranges and arrays are numbers and parameters, joined by `+`, `-` and `*`.

    query q = exists x: 0..n. x = 0;

Declare the parameter: `param n;`.",
    ),
    code(
        "FP0032",
        "parameter without value",
        "A parameter has a default in the file or gets its value on the command line, `--param k=3`.

    param k;
    query q = exists x: 0..k. x = 0;",
    ),
    code(
        "FP0033",
        "impossible range",
        "A range begins at 0 or above and has at least one number, whatever the parameters are. An array may be empty.

    query q = exists x: 3..2. x = 3;",
    ),
    code(
        TOO_LARGE,
        "too large",
        "Records and arrays are taken apart into single values, and an element with a variable index into one case for every
index. That is possible only up to some thousands of parts.

    query q = exists g: Bool[1..1000000]. g[1];",
    ),
    code(
        "FP0035",
        "the model offers no such input",
        "Inputs come from the program under check, under fixed names.

    input Foo(x: Bool);
    query q = exists x: Bool. Foo(x);",
    ),
    code(
        "FP0036",
        "input with other columns",
        "An input must be declared with the columns that the model offers; the help shows the declaration. Records count as
their fields in order.

    input Entry(x: Bool);
    query q = exists x: Bool. Entry(x);",
    ),
    code(
        "FP0037",
        "abbreviation defined by itself",
        "A `define` stands for its formula and so cannot use itself, not even through other abbreviations.

    define A(x: Bool) = A(x);
    query q = A(true);

Write `mu` for the least and `nu` for the greatest relation that satisfies the equation.",
    ),
    code(
        "FP0038",
        "no query",
        "A file asks at least one question.

    mu A(x: Bool) = x | A(x);",
    ),
    code(
        "FP0039",
        "ambiguous constant",
        "Several values have this name, and the place does not say which of them is meant.

    sort A = enum { low, high };
    sort B = enum { low, high };
    query q = low = low;",
    ),
    code(
        "FP0040",
        "impossible sum",
        "A constant can be added to or subtracted from a variable of a range, of an enumeration or of a listed sort. With a
variable of a range the sum is a number, which may lie outside of the variable's range: a comparison compares numbers,
and an application or an element is false where the number does not fit the column or the array. In an enumeration or a
listed sort the sum is a value so many places further on; where there is none, the comparison or application is false.

    query q = exists x, y: 0..3. x + y = 3;",
    ),
    code(
        "FP0041",
        "not a column",
        "A wish about the order of variables names columns of the relation, or parts of them.

    mu A(g: Bool[1..2], i: 1..2) = g[i] | A(g, i);
    order A: g[i] above i;
    query q = exists g: Bool[1..2]. A(g, 1);",
    ),
    code(
        "FP0042",
        "no such parameter",
        "The command line gives a value, `--param n=3`, to a parameter that the file does not declare with `param`.",
    ),
    code(
        "FP0050",
        "not used",
        "Nothing needs this declaration; perhaps a name is misspelt. Names that begin with `_` are not reported.

    define A = true;
    query q = true;",
    ),
    code(
        "FP0051",
        "number out of range",
        "The variable, or the sum, is never this number: a comparison does not depend on it, an application is always false.

    query q = exists x: 0..3. x = 7;",
    ),
    code(
        "FP0052",
        "hidden column",
        "Inside this quantifier the name means another variable than the column.

    define A(x: Bool) = x & exists x: Bool. x;
    query q = A(true);",
    ),
    code(
        "FP0053",
        "wish not followed",
        "The order of diagram variables does not do what `order` wishes: a column of locations or numbers is a key and \
         has no place in it, variables of the program are placed by the program's own order, or wishes contradict each \
         other. Answers do not depend on it.",
    ),
    code("FP0099", "too many messages", "Only the first hundred errors and warnings are listed."),
];

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use base::{Diagnostics, Source};

    use super::{CODES, TOO_LARGE};
    use crate::{Domain, Input, ModelSort, Signature, fp};

    fn signature() -> Signature {
        let names = vec!["main".to_owned(), "end".to_owned()];
        Signature {
            sorts: vec![ModelSort { name: "Location".to_owned(), domain: Domain::Listed(names) }],
            inputs: vec![Input {
                name: "Entry".to_owned(),
                declaration: "Entry(p: Location)".to_owned(),
                columns: vec![Some(0)],
            }],
        }
    }

    fn diagnostics_of(text: &str) -> Diagnostics {
        let source = Source::new("example", text);
        let (tree, mut diagnostics) = fp::parse(&source);
        let resolved = tree.map(|tree| fp::resolve(&tree, &signature(), &BTreeMap::new()));
        if let Some(Ok((_, found)) | Err(found)) = resolved {
            diagnostics.extend(found);
        }
        diagnostics
    }

    #[test]
    fn every_example_has_the_fault_it_explains() {
        for code in CODES {
            let lines = code.explanation.lines().filter_map(|line| line.strip_prefix("    "));
            let example = lines.collect::<Vec<_>>().join("\n");
            let without_example = ["FP0004", "FP0042", "FP0053", "FP0099"].contains(&code.code);
            assert!(without_example == example.is_empty(), "{}", code.code);
            let diagnostics = diagnostics_of(&example);
            let found: BTreeSet<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
            assert!(without_example || found == BTreeSet::from([code.code]), "{}: {diagnostics:?}", code.code);
        }
    }

    #[test]
    fn codes_are_in_order_and_the_source_uses_no_others() {
        assert!(CODES.is_sorted_by(|earlier, later| earlier.code < later.code));
        let sources = [
            include_str!("fp/token.rs"),
            include_str!("fp/parse/mod.rs"),
            include_str!("fp/parse/expression.rs"),
            include_str!("fp/parse/item.rs"),
            include_str!("fp/parse/sort.rs"),
            include_str!("fp/resolve/mod.rs"),
            include_str!("fp/resolve/declare.rs"),
            include_str!("fp/resolve/formula.rs"),
            include_str!("fp/resolve/sort.rs"),
            include_str!("fp/resolve/term.rs"),
            include_str!("fp/resolve/used.rs"),
            include_str!("solve/layout.rs"),
        ];
        let quoted = sources.iter().flat_map(|source| source.split('"'));
        let is_code = |text: &&str| text.len() == 6 && text.starts_with("FP0");
        let used: BTreeSet<&str> = quoted.filter(is_code).chain([TOO_LARGE]).collect();
        assert_eq!(used, CODES.iter().map(|code| code.code).collect());
    }
}
