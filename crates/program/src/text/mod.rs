//! The text form of programs, read and printed.
//!
//! Printing a program that `verify` accepts and reading the text gives an equal program, ids included. The text is also
//! an input language; what it means is said with the types of the model, this page says how it is written.
//!
//! ```text
//! file      := item*
//! item      := "enum" id? name "{" name ("," name)* "}"
//!            | ("shared" | "private") id? name ":" sort ";"
//!            | "thread" name ":" name ";"                       the thread's name and its start procedure
//!            | "init" name ";"
//!            | "start" expr ";"
//!            | "uninterruptible" expr ";"
//!            | "procedure" id? name "(" variables ")" ("->" "(" variables ")")? "{" part* "}"
//! variables := (id? name ":" sort ("," id? name ":" sort)*)?      parameters, then results
//! part      := "local" id? name ":" sort ";"
//!            | "untouched" variable ("," variable)* ";"
//!            | "entry" nat ("," nat)* ";"
//!            | "exit" nat ("," nat)* ";"
//!            | nat id? ("(" name ("," name)* ")")? "atomic"? ("violation" | "between")? ":" edge*     a location with its labels
//! edge      := "->" id? nat effect ";"
//! effect    := clauses
//!            | "call" name "." nat ("enter" "{" clauses "}")? ("leave" "{" clauses "}")?
//!            | "spawn" name "." nat ("enter" "{" clauses "}")?
//! clauses   := ("when" expr)? ("do" update ("," update)*)? ("where" expr)?
//! update    := "saved"? place ":=" expr | "havoc" "saved"? place
//! place     := variable ("[" expr "]")?
//! sort      := "bool" | "bits" "<" nat ">" | "int" | name | "[" sort ";" nat "]"
//! expr      := loosest first: a "=>" b (right), a "|" b ..., a "^" b ..., a "&" b ..., a "=" b, a "!=" b, "!" a, a "[" i "]",
//!              "(" expr ")", "true", "false", "any", number, name "." name, "[" expr ("," expr)* "]", read, function
//! read      := variable "'"? | "saved" variable | "result" variable
//! function  := name "(" (expr ("," expr)*)? ")"
//! variable  := name | name "::" name | "::" name
//! id        := "#" nat
//! ```
//!
//! - A name is `[A-Za-z_$][A-Za-z0-9_$]*` and not a keyword, or any text in double quotes with the escapes `\"`, `\\`,
//!   `\n`, `\r`, `\t` and `\u{hex}`. Comments go from `//` to the end of the line.
//! - Locations are numbered in each procedure from 0, in order; `p.3` is a location of p.
//! - Ids count from 0 in order of appearance, for each kind of thing; `#n` says otherwise, and counting goes on from n.
//! - `x` is the value before the edge, `x'` the one after it, `saved x` the one in the caller's frame during a call,
//!   `result x` the one in the callee's frame at its exit. Names are looked up in the frame that is meant (after entering a
//!   call or starting a thread: the callee's), then among shared and private variables. `p::x` is a local of p, `::x` is
//!   never a local.
//! - `5u4` is a bit vector of four bits, `5` and `-5` are integers, `colour.red` a value of an enumeration, `[true, false]` a constant array.
//! - `any` is a Boolean choice; `havoc x` makes x arbitrary. `a & b & c` is one conjunction of three.
//! - Functions: `ite(c, a, b)`; `and(...)`, `or(...)`, `xor(...)` with any number of operands; `ult ule slt sle add sub mul udiv
//!   urem sdiv srem bitand bitor bitxor shl lshr ashr` with two; `bitnot neg toint signedtoint` with one; `resize(a, n)`, `signresize(a, n)` with
//!   a plain number as the new width.
//! - Expressions and sorts nest at most [`MAX_DEPTH`] deep.
//!
//! Modules in reading order:
//! - `token`: words, and how names are quoted;
//! - `syntax`: the syntax tree;
//! - `parse`: text to tree, `parse_expr`: its expressions;
//! - `names`: which variable a name means where;
//! - `resolve`: tree to program, `resolve_edges`: its edges and expressions;
//! - `print`: program to text, `value`: values to text and back;
//! - `codes`: the codes of all diagnostics, explained.

mod codes;
mod names;
mod parse;
mod parse_expr;
mod print;
mod resolve;
mod resolve_edges;
mod syntax;
mod token;
mod value;

use base::{Diagnostics, Source};

pub use codes::{CODES, OPTION};
pub use print::print;
pub use token::quote;
pub use value::{parse_value, print_value};

use crate::{Origins, Program};

/// How deeply expressions and sorts may nest.
pub const MAX_DEPTH: u32 = 5_000;

/// Reads a program and checks that it is well-formed. All errors come at once: those of the syntax, or, if there are
/// none, those of names and numbers, or, if there are none, those that `verify` finds.
pub fn parse(source: &Source) -> Result<(Program, Origins), Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let file = parse::parse(source, &mut diagnostics);
    if diagnostics.has_errors() {
        diagnostics.sort();
        return Err(diagnostics);
    }
    let resolved = resolve::resolve(file, &mut diagnostics);
    diagnostics.sort();
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(resolved) }
}

#[cfg(test)]
mod tests;
