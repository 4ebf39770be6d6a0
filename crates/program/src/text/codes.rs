//! The codes of all diagnostics, explained.

use base::codes::{Code, code};

/// A character that belongs to no word.
pub(super) const CHARACTER: &str = "PM0001";
/// Something else is expected.
pub(super) const SYNTAX: &str = "PM0002";
/// A quoted name with an escape that does not exist.
pub(super) const ESCAPE: &str = "PM0003";
/// A number that is too large for its place.
pub(super) const NUMBER: &str = "PM0004";
/// Nesting that is too deep.
pub(super) const DEPTH: &str = "PM0005";
/// A name that means nothing.
pub(super) const UNKNOWN: &str = "PM0006";
/// A name or clause that is given twice.
pub(super) const TWICE: &str = "PM0007";
/// Ids that leave gaps or collide.
pub(super) const IDS: &str = "PM0008";
/// Locations that are not numbered in order.
pub(super) const LOCATIONS: &str = "PM0009";
/// A function with the wrong operands.
pub(super) const OPERANDS: &str = "PM0010";
/// A program that is not well-formed.
pub(super) const DEFECT: &str = "PM0011";
/// An option of another language.
pub const OPTION: &str = "PM0012";

/// Each code with a title and an explanation. A code is never given another meaning.
pub const CODES: &[Code] = &[
    code(
        CHARACTER,
        "a character that belongs to no word",
        "Names that contain other characters than letters, digits, `_` and `$` are written in double quotes: `shared \"x.y\": \
         bool;`. A quoted name ends on the line on which it begins.",
    ),
    code(SYNTAX, "something else is expected here", "The text does not follow the grammar of the text form."),
    code(
        ESCAPE,
        "an escape that does not exist",
        "Inside double quotes, `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t` and `\\u{hex}` stand for characters; no other letter follows a \
         backslash.",
    ),
    code(
        NUMBER,
        "a number that is too large",
        "Widths, lengths, locations and ids have at most 32 bits. A constant such as `5u4` must fit into its width, and \
         widths go from 1 to 64.",
    ),
    code(
        DEPTH,
        "nesting that is too deep",
        "Expressions and sorts nest at most 5,000 deep. Long chains need no nesting: `a & b & c`.",
    ),
    code(
        UNKNOWN,
        "a name that means nothing here",
        "Variables are looked up in the frame that is meant, then among shared and private variables. `p::x` names a local \
         of another procedure, for example in the start condition.",
    ),
    code(
        TWICE,
        "something that is given twice",
        "Names are unique: those of enumerations, of procedures, of shared and private variables together, and of the locals \
         of one procedure. `init`, `start` and `uninterruptible` occur at most once.",
    ),
    code(
        IDS,
        "ids that leave gaps or collide",
        "Ids count from 0 in order of appearance; `#n` sets the id of one thing, and counting goes on from there. In the end \
         every number below the count must be used once.",
    ),
    code(
        LOCATIONS,
        "locations out of order",
        "The locations of a procedure are numbered 0, 1, 2, ... in the order in which they stand.",
    ),
    code(
        OPERANDS,
        "a function with the wrong operands",
        "`ite` takes three operands, `bitnot` and `neg` one, `resize` and `signresize` an expression and a plain number, `and`, \
         `or` and `xor` any number, all other functions two.",
    ),
    code(
        DEFECT,
        "a program that is not well-formed",
        "The text can be read, but the program breaks a rule of the program model: a wrong sort, a variable that is read or \
         written where it does not exist, a call that does not enter at an entry, and the like. The message says which.",
    ),
    code(
        OPTION,
        "an option that has no meaning here",
        "The text form says by itself where execution starts and which values are meant, so it takes no options but `--lint`.",
    ),
];
