//! The codes of all diagnostics, explained.
//!
//! Codes below 20 are about syntax, from 20 about names and numbers, from 50 warnings. Every explanation shows an example
//! that has the fault; a test reads all of them.

use base::codes::{Code, code};

/// All codes of this front end, in order.
pub const CODES: &[Code] = &[
    code(
        "BP0001",
        "unknown character",
        "The source contains a character that belongs to no word of the language. Nothing is skipped silently, because a
lost character can turn a program into another one. All values are Boolean, so there is no arithmetic.

    decl x, y;
    void main() begin x := x + y; end

For exclusive or write `x ^ y`, for or `x | y`.",
    ),
    code(
        "BP0002",
        "comment without end",
        "A comment that begins with `/*` ends with `*/`, and such comments do not nest.

    void main() begin skip; end /* the end",
    ),
    code(
        "BP0003",
        "brace without partner",
        "Any text between `{` and `}` on one line is a name, such as `{x > 0}`. Blocks are written `begin ... end`.

    void main() {
      skip;
    }",
    ),
    code(
        "BP0004",
        "something else was expected",
        "The source does not continue as the language requires. The message says what was expected; often a `;` or a
bracket is missing just before.

    decl x;
    void main() begin x = 1; end

An assignment is written `x := 1`.",
    ),
    code(
        "BP0005",
        "construct not closed",
        "`if ... then` is closed by `fi`, `while ... do` by `od`, `begin` by `end`.

    void main() begin
      if (*) then skip;
    end",
    ),
    code(
        "BP0006",
        "nested too deeply",
        "Statements and expressions may nest a few thousand levels deep. Chains such as `a & b & c` and long lists of
statements or `elsif` arms do not nest and may be of any length. Deeper nesting is not read any further: split the
expression by assigning parts of it to variables, or the procedure into several ones.",
    ),
    code(
        "BP0007",
        "not a Boolean constant",
        "The constants are `0` and `1`; `F` and `T`, `false` and `true` mean the same. Other numbers are only labels.

    decl x;
    void main() begin x := 2; end",
    ),
    code(
        "BP0008",
        "conditional beside another operator",
        "Tools disagree on how far the condition and the last branch of `c ? a : b` extend, so parentheses are required
where it stands beside another operator.

    decl x, y, c;
    void main() begin x := c ? x : y | c; end

Write `(c ? x : y) | c` or `c ? x : (y | c)`.",
    ),
    code(
        "BP0009",
        "reserved word as a name",
        "Words of the language cannot be names.

    decl while;
    void main() begin skip; end

Choose another name, or write it in braces: `{while}`.",
    ),
    code(
        "BP0010",
        "call inside an expression",
        "A call is a statement: it can be the whole right side of an assignment, but not part of an expression.

    bool f() begin return *; end
    decl x;
    void main() begin x := !f(); end

Write `x := f(); x := !x;`.",
    ),
    code(
        "BP0011",
        "block inside a procedure",
        "A procedure has one `begin ... end`. Statements are grouped by `if` and `while` alone.

    void main() begin
      begin skip; end
    end",
    ),
    code(
        "BP0012",
        "primed variable where there is no new value",
        "`'x` is the value of `x` after the statement. It has a meaning only in `constrain`, behind an assignment or as a
statement of its own, and in `assume`.

    decl x;
    void main() begin if ('x) then skip; fi end",
    ),
    code("BP0013", "empty file", "The file contains no declarations and no procedures.\n\n    // nothing here"),
    code(
        "BP0014",
        "label before a declaration",
        "A label names a statement. Declarations and `enforce` are not executed and cannot carry one.

    void main() begin
      L: decl x;
      x := 1;
    end",
    ),
    code(
        "BP0015",
        "impossible number",
        "The number of results of a procedure and of copies of a thread is at least 1 and at most 10000.

    bool<0> p() begin return 1; end
    void main() begin p(); end",
    ),
    code(
        "BP0016",
        "thread inside a thread",
        "Threads are written one after the other.

    thread a begin
      thread b begin void main() begin skip; end end
      void main() begin skip; end
    end",
    ),
    code(
        "BP0017",
        "`enforce` directly in a thread",
        "`enforce` belongs to the whole program or to a procedure.

    thread a begin
      enforce 1;
      void main() begin skip; end
    end",
    ),
    code(
        "BP0020",
        "unknown variable",
        "Variables are declared with `decl`, outside of procedures for all of them, inside for one, or as parameters.

    decl lock;
    void main() begin lokc := 1; end",
    ),
    code(
        "BP0021",
        "unknown procedure",
        "A procedure may be called before it is defined, but it must be defined somewhere. Procedures inside a thread can
be called only in that thread.

    void main() begin lock(); end",
    ),
    code(
        "BP0022",
        "unknown label",
        "A label is known only in the procedure that contains it.

    void main() begin goto L; end
    void p() begin L: skip; end",
    ),
    code(
        "BP0023",
        "variable declared twice",
        "Two variables of the same procedure, or two outside of procedures, have the same name.

    decl x, x;
    void main() begin skip; end",
    ),
    code(
        "BP0024",
        "procedure defined twice",
        "Two procedures have the same name.

    void main() begin skip; end
    void main() begin skip; end",
    ),
    code(
        "BP0025",
        "label given twice",
        "Two statements of a procedure carry the same label, so that a `goto` could mean either.

    void main() begin
      L: skip;
      L: skip;
    end",
    ),
    code(
        "BP0026",
        "thread defined twice",
        "Two threads have the same name. For several copies of one thread write `thread name[2]`.

    thread t begin void main() begin skip; end end
    thread t begin void main() begin skip; end end",
    ),
    code(
        "BP0027",
        "more than one `init`",
        "What runs before all threads is written once, outside of threads, and has no parameters.

    init begin skip; end
    init begin skip; end
    void main() begin skip; end",
    ),
    code(
        "BP0028",
        "wrong number of results assigned",
        "All results of a call are assigned at once, or none. `_` stands for a result that is not wanted.

    bool<2> p() begin return 0, 1; end
    decl x;
    void main() begin x := p(); end

Write `x, _ := p()`.",
    ),
    code(
        "BP0029",
        "sides of different length",
        "An assignment gives one value to each variable.

    decl x, y;
    void main() begin x, y := 0; end",
    ),
    code(
        "BP0030",
        "variable assigned twice at once",
        "All variables on a left side change at the same moment, so each can stand there only once.

    decl x;
    void main() begin x, x := 0, 1; end",
    ),
    code(
        "BP0031",
        "no loop to leave",
        "`break` and `continue` belong to the innermost `while` around them.

    void main() begin break; end",
    ),
    code(
        "BP0032",
        "wrong number of arguments",
        "A call gives one argument to each parameter.

    void p(x, y) begin skip; end
    void main() begin p(1); end",
    ),
    code(
        "BP0033",
        "nowhere to start",
        "Execution starts in the procedure `main`, or in the one named with `--entry`.

    void start() begin skip; end",
    ),
    code(
        "BP0034",
        "thread without `main`",
        "A thread starts in its own procedure `main`.

    thread t begin void run() begin skip; end end",
    ),
    code(
        "BP0035",
        "`_` where a variable is needed",
        "`_` stands for a result of a call that is not wanted. It is not a variable.

    decl x;
    void main() begin x, _ := 0, 1; end",
    ),
    code(
        "BP0036",
        "wrong number of values returned",
        "A procedure returns as many values as it declares: none with `void`, one with `bool`, three with `bool<3>`.

    void p() begin return 1; end
    void main() begin p(); end",
    ),
    code(
        "BP0037",
        "results of a thread",
        "A call under a label `ASYNC_1`, `ASYNC_2`, ... starts a thread, which returns nothing to the one that started it.

    bool p() begin return 1; end
    decl x;
    void main() begin ASYNC_1: x := p(); end",
    ),
    code(
        "BP0038",
        "atomic sections do not match",
        "Wherever control can come from, the same number of atomic sections must be open, and none at the end of a
procedure.

    void main() begin
      if (*) then atomic_begin; fi
      atomic_end;
    end",
    ),
    code(
        "BP0039",
        "options that do not fit",
        "A program with threads says itself where each of them starts; `--entry` is for programs without threads. The text
form of the program model also says where execution starts, and it has no dialects.",
    ),
    code(
        "BP0050",
        "hidden variable (warning)",
        "A variable has the name of one outside, which cannot be used where the inner one is known.

    decl x;
    void main() begin decl x; x := 1; end",
    ),
    code(
        "BP0051",
        "hidden constant (warning)",
        "`T` and `F` are constants unless a variable of that name is declared. The constants can always be written `1`
and `0`.

    decl T;
    void main() begin T := 0; end",
    ),
    code(
        "BP0052",
        "comma without variable (warning)",
        "A list of declarations ends in a comma.

    decl x, y, ;
    void main() begin skip; end",
    ),
    code(
        "BP0053",
        "results left arbitrary (warning)",
        "A procedure with results can end without giving them values: by `return` without values, or at its `end`. They are
arbitrary then.

    bool p() begin skip; end
    void main() begin decl x; x := p(); end

If that is meant, write `return *;`.",
    ),
    code(
        "BP0054",
        "label repeated (warning)",
        "A statement carries the same label twice, which means the same as once.

    void main() begin L: L: skip; end",
    ),
    code(
        "BP0055",
        "early initial value (warning)",
        "The initial value of a local variable is assigned when its procedure is entered, also when the declaration stands
behind statements.

    void main() begin
      skip;
      decl x := 0;
    end",
    ),
    code(
        "BP0056",
        "variables left arbitrary by `constrain` (warning)",
        "In the dialect of Getafix, a statement `constrain(e)` relates all old and new values: variables whose new value
`e` does not mention are arbitrary afterwards. (Without `--dialect getafix` only the primed variables change.)

    decl x, y;
    void main() begin constrain('x = !x); end",
    ),
    code(
        "BP0057",
        "`enforce` among threads (warning)",
        "`enforce` in a procedure restricts the steps of the thread that executes it. Other threads can still change
variables in between so that the condition is false for a while. `enforce` outside of procedures holds everywhere.

    decl x;
    void p() begin enforce x; skip; end
    void main() begin start_thread p(); x := *; end",
    ),
    code(
        "BP0058",
        "name repeated (warning)",
        "A list of labels or variables contains the same name twice, which means the same as once.

    void main() begin goto L, L; L: skip; end",
    ),
    code(
        "BP0059",
        "another dialect (warning)",
        "In the dialect of Getafix the procedure `init` runs first, and `main` and every procedure whose name begins with
`thread` is a thread. Without `--dialect getafix` these are ordinary procedures, and execution starts in `main` alone.

    void init() begin skip; end
    void thread1() begin skip; end
    void main() begin skip; end",
    ),
    code(
        "BP0060",
        "`main` outside of threads (warning)",
        "In a program with threads each of them starts in its own `main`. One outside of threads is an ordinary procedure,
which is not started.

    thread t begin void main() begin skip; end end
    void main() begin skip; end",
    ),
    code(
        "BP0061",
        "`schoose` with arguments that can hold at once (warning, with `--lint`)",
        "`schoose[p, n]` is true if p holds, else false if n holds, else arbitrary. When both hold, other tools may decide
otherwise. Programs made by predicate abstraction never contain such a choice, so perhaps it is not meant.

    decl x, y;
    void main() begin x := schoose[x, y]; end

Make the arguments exclude each other: `schoose[x, !x & y]`.",
    ),
    code(
        "BP0099",
        "too many messages",
        "Only the first hundred errors and the first hundred warnings are listed. Often the later ones follow from the
first ones.",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::Source;

    use super::CODES;
    use crate::{Dialect, Options, lower, parse};

    /// All codes in the diagnostics of a text.
    fn codes_of(text: &str, options: &Options) -> BTreeSet<&'static str> {
        let source = Source::new("example", text);
        let (tree, mut diagnostics) = parse(&source);
        if let Some(Ok((_, found)) | Err(found)) = tree.map(|tree| lower(&tree, &source, options)) {
            diagnostics.extend(found);
        }
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn every_example_has_the_fault_it_explains() {
        for code in CODES {
            let lines = code.explanation.lines().filter_map(|line| line.strip_prefix("    "));
            let example = lines.collect::<Vec<_>>().join("\n");
            let dialect = if code.code == "BP0056" { Dialect::Getafix } else { Dialect::Standard };
            let found = codes_of(&example, &Options { dialect, entry: None, lint: true });
            let without_example = ["BP0006", "BP0039", "BP0099"].contains(&code.code);
            assert!(without_example == example.is_empty(), "{}", code.code);
            assert!(without_example || found == BTreeSet::from([code.code]), "{}: {found:?}", code.code);
        }
    }

    #[test]
    fn entry_and_threads_exclude_each_other() {
        let text = "thread t begin void main() begin skip; end end";
        let options = Options { entry: Some("main".into()), ..Options::default() };
        assert_eq!(codes_of(text, &options), BTreeSet::from(["BP0039"]));
    }

    #[test]
    fn codes_are_in_order_and_the_source_uses_no_others() {
        assert!(CODES.is_sorted_by(|earlier, later| earlier.code < later.code));
        let sources = [
            include_str!("token.rs"),
            include_str!("parse/mod.rs"),
            include_str!("parse/expression.rs"),
            include_str!("parse/item.rs"),
            include_str!("parse/recover.rs"),
            include_str!("parse/statement.rs"),
            include_str!("lower/body.rs"),
            include_str!("lower/declare.rs"),
            include_str!("lower/effect.rs"),
            include_str!("lower/flow.rs"),
            include_str!("lower/link.rs"),
            include_str!("lower/lint.rs"),
            include_str!("lower/scope.rs"),
        ];
        let quoted = sources.iter().flat_map(|source| source.split('"'));
        let used: BTreeSet<&str> = quoted.filter(|text| text.len() == 6 && text.starts_with("BP0")).collect();
        assert_eq!(used, CODES.iter().map(|code| code.code).collect());
    }
}
