//! The codes of all diagnostics about files in Mucke's language, explained.
//!
//! Codes below 20 are about syntax, from 20 about names, sorts and sizes, from 50 warnings. Every explanation shows an
//! example that has the fault; a test reads all of them.

use base::codes::{Code, code};

/// All codes of this crate, in order.
pub const CODES: &[Code] = &[
    code(
        "MU0001",
        "unknown character",
        "The file contains a character that belongs to no word of the language.

    bool P(bool a) a % a;",
    ),
    code(
        "MU0002",
        "comment without end",
        "A comment that begins with `/*` ends with `*/`, and such comments do not nest.

    true; /* the end",
    ),
    code(
        "MU0003",
        "something else was expected",
        "The file does not continue as the language requires. The message says what was expected.

    bool P(bool a) a | ;",
    ),
    code(
        "MU0004",
        "nested too deeply",
        "Formulae may nest a few thousand levels deep. Chains such as `a & b & c` do not nest and may be of any length.",
    ),
    code(
        "MU0005",
        "number too large",
        "Numbers must fit into 32 bits.

    enum R {0..99999999999};",
    ),
    code(
        "MU0007",
        "parentheses needed",
        "`->`, `<-`, `<->` and `<+>` do not associate.

    true -> true -> true;",
    ),
    code(
        "MU0008",
        "text without end",
        "A text begins and ends with a quotation mark.

    #print \"the end;",
    ),
    code(
        "MU0020",
        "unknown variable or value",
        "A variable is a parameter of the predicate or bound by a quantifier around its use; a value belongs to an `enum`.

    exists bool x. y;",
    ),
    code(
        "MU0021",
        "unknown type",
        "Types are `bool` and those declared before with `enum` and `class`.

    exists Stat x. x = x;",
    ),
    code(
        "MU0022",
        "unknown predicate",
        "A predicate is defined somewhere in the file.

    Reach(true);",
    ),
    code(
        "MU0023",
        "declared twice",
        "A name is declared once as a type, predicate, component or value, and once in a list of variables.

    bool P(bool a) a;
    bool P(bool a) !a;",
    ),
    code(
        "MU0025",
        "wrong number of arguments",
        "A predicate is applied to as many arguments as it has parameters.

    bool P(bool a, bool b) a & b;
    P(true);",
    ),
    code(
        "MU0026",
        "wrong type",
        "Two values are compared, or an argument is given, only if their types agree.

    enum E {a, b};
    exists E x, bool y. x = y;",
    ),
    code(
        "MU0027",
        "not a formula",
        "A formula is true or false.

    enum R {0..3};
    exists R x. x;",
    ),
    code(
        "MU0028",
        "a formula where a value is expected",
        "Arguments of predicates are variables, components and constants.

    bool P(bool a) a;
    exists bool x. P(x & x);",
    ),
    code(
        "MU0029",
        "no such component",
        "The class has no component of this name.

    class C { bool a; };
    exists C c. c.b;",
    ),
    code(
        "MU0030",
        "no such element",
        "Only arrays have elements, and they are counted from 0. Of an enumeration or a range `x[0]` is the least significant
bit, and it has as many as its values need.

    class C { bool a[2]; };
    exists C c. c.a[2];",
    ),
    code(
        "MU0031",
        "unknown directive",
        "A word that begins with `#` is a directive.

    #sizes;",
    ),
    code(
        "MU0032",
        "prototype without definition",
        "A prototype says that a definition follows further below.

    mu bool P(bool a);",
    ),
    code(
        "MU0033",
        "number out of range",
        "A range has at least one number, and a number that is compared with a variable must be a value of its type.

    enum R {0..3};
    exists R x. x = 7;",
    ),
    code(
        "MU0034",
        "too large",
        "Classes and arrays are taken apart into single values. That is possible only up to some thousands of parts.

    exists bool x[1000000]. x[1];",
    ),
    code(
        "MU0036",
        "prototype with other parameters",
        "The prototype and the definition of a predicate have the same types of parameters.

    mu bool P(bool a);
    mu bool P(bool a, bool b) a & b;",
    ),
    code(
        "MU0037",
        "predicate defined by itself",
        "Only a definition with `mu` or `nu` may use itself.

    bool P(bool a) P(a);",
    ),
    code(
        "MU0038",
        "not supported",
        "Variables outside of definitions, and definitions of another type than `bool`, are not read.

    bool x;",
    ),
    code(
        "MU0050",
        "directive ignored",
        "The directive changes no answer here.

    #frontier;",
    ),
    code(
        "MU0051",
        "attribute ignored",
        "Attributes other than `assume` and `cofactor` are about witnesses and change no answer.

    bool P(bool a) (a { show a });",
    ),
    code(
        "MU0052",
        "constraint ignored",
        "An allocation constraint speaks of parameters of its predicate, or of components of its class.

    bool P(bool a) a < b (a);",
    ),
    code(
        "MU0053",
        "constraints not followed",
        "The order of diagram variables does not do what some allocation constraints wish. Parts of the same kind \
         alternate in it. Answers do not depend on it.",
    ),
    code("MU0099", "too many messages", "Only the first hundred errors and warnings are listed."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::{Diagnostics, Source};

    use super::CODES;

    fn diagnostics_of(text: &str) -> Diagnostics {
        let (tree, mut diagnostics) = crate::parse(&Source::new("example", text));
        if let Some(Ok((_, found)) | Err(found)) = tree.map(|tree| crate::resolve(&tree)) {
            diagnostics.extend(found);
        }
        diagnostics
    }

    #[test]
    fn every_example_has_the_fault_it_explains() {
        for code in CODES {
            let lines = code.explanation.lines().filter_map(|line| line.strip_prefix("    "));
            let example = lines.collect::<Vec<_>>().join("\n");
            let without_example = ["MU0004", "MU0053", "MU0099"].contains(&code.code);
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
            include_str!("token.rs"),
            include_str!("parse/mod.rs"),
            include_str!("parse/expression.rs"),
            include_str!("parse/item.rs"),
            include_str!("resolve/mod.rs"),
            include_str!("resolve/declare.rs"),
            include_str!("resolve/formula.rs"),
            include_str!("resolve/step.rs"),
            include_str!("resolve/term.rs"),
            include_str!("run.rs"),
        ];
        let quoted = sources.iter().flat_map(|source| source.split('"'));
        let is_code = |text: &&str| text.len() == 6 && text.starts_with("MU0");
        let used: BTreeSet<&str> = quoted.filter(is_code).collect();
        assert_eq!(used, CODES.iter().map(|code| code.code).collect());
    }
}
