//! The codes of messages, explained: those of the front ends and those of the command line.

use std::collections::BTreeMap;

use base::codes::Code;

/// What the command line itself complains about.
const OWN: &[Code] = &[
    Code {
        code: "CL0001",
        title: "a file does not exist or cannot be read",
        explanation: "\
The file was not found, or the system refused to read it. If a file with a similar name exists in the same
folder, the message names it. `-` in the place of a file reads the standard input.",
    },
    Code {
        code: "CL0002",
        title: "a directory was given where a file is expected",
        explanation: "Cauldron reads one file at a time. Name the file inside the directory.",
    },
    Code {
        code: "CL0003",
        title: "no permission to read a file",
        explanation: "The file exists, but this user may not read it. `ls -l FILE` shows who may.",
    },
    Code {
        code: "CL0004",
        title: "a file is empty",
        explanation: "\
An empty file is not a program: there is nothing to run and nothing to check. The smallest ones are

    void main() begin skip; end        a Boolean program
    (q <main>)                         a pushdown system
    module void main() { skip; }       a program in Remopla",
    },
    Code {
        code: "CL0005",
        title: "a file is not text",
        explanation: "\
The file contains a NUL byte or bytes that are not UTF-8. The message says where the first one is. Perhaps the file
is compressed or compiled, or was saved in another encoding: `file FILE` tells, `iconv` converts.",
    },
    Code {
        code: "CL0006",
        title: "a file is too large",
        explanation: "\
Source files are read up to a fixed size, which the message states, so that a wrong file cannot exhaust the
machine's memory. A program of 64 MB has millions of statements; if it was generated, generate less of it.",
    },
    Code {
        code: "CL0007",
        title: "a label does not exist",
        explanation: "\
`--reach LABEL` asks whether a run reaches a statement that carries the label. A label that does not exist cannot
be reached, but saying \"holds\" would be wrong: most probably the name is misspelt. `LABEL` means every procedure
that has it, `PROCEDURE::LABEL` only one. Upper and lower case differ.",
    },
    Code {
        code: "CL0008",
        title: "there is nothing to check",
        explanation: "\
Without `--reach`, all assertions are checked; this program has none. A program without a question has no answer,
so this is an error and not \"holds\". Either name a label:

    cauldron check FILE --reach ERROR

or put an assertion into the program: `assert(condition);`. `cauldron coverage FILE` needs neither.",
    },
    Code {
        code: "CL0009",
        title: "the program is beyond the engine",
        explanation: "\
The program is well formed, but contains something that the engine cannot work on, such as threads for a sequential
engine. `--engine` chooses another one; without it the best engine that supports the program is taken.",
    },
    Code {
        code: "CL0010",
        title: "a result could not be written",
        explanation: "\
The disk may be full, the folder missing or read-only. Files are written beside their final place and renamed, so an
old file is still whole. The exit code is 74, because the answer did not arrive; the result line on the standard output
says what it was.",
    },
    Code {
        code: "CL0011",
        title: "the evidence did not check",
        explanation: "\
Every trace is replayed by an interpreter and every certificate is checked by code that no engine uses. Here this
failed, so the answer of the engine is not to be trusted and is not given. This is a defect of Cauldron: please
report it with the program and the command line. `cauldron shrink` makes the program smaller first:

    cauldron shrink FILE --expect 70 -- cauldron check -q",
    },
    Code {
        code: "CL0012",
        title: "a file is not a certificate for this program",
        explanation: "\
The file is not in the format that `check --certificate` writes, or it was written for another program. A certificate
belongs to one program: after a change, check again and write a new one. `--entry` and `--dialect` must be the same.",
    },
    Code {
        code: "CL0013",
        title: "a file is not a trace for this program",
        explanation: "\
`replay` reads what `check --trace` or `check --json` has written, for the same program, `--entry` and `--dialect`.",
    },
    Code {
        code: "CL0014",
        title: "the command of `shrink` does not succeed on the original",
        explanation: "\
`shrink` removes parts of a program as long as the command gives the expected exit code (0, or `--expect CODE`). It
must do so on the program as it is. The command gets the file's name in the place of `{}`, or as its last word.",
    },
    Code {
        code: "CL0015",
        title: "a bound is needed to follow the threads",
        explanation: "\
Whether a label is reached in a program with threads and recursion is undecidable in general, so engines follow the
threads up to a bound and say so in their answer. Name one:

    cauldron check FILE --switches 4    at most 4 changes of the active thread; the first thread to run is free
    cauldron check FILE --rounds 3      at most 3 rounds; in a round every thread has one turn, in order

Most defects need few switches: begin with 2 and go up. A violation is a violation whatever the bound; \"no violation
within 4 context switches\" says nothing about runs with more, and has an exit code of its own (11). A program with
one thread needs no bound.",
    },
    Code {
        code: "CL0016",
        title: "an algorithm does not say which locations are reached",
        explanation: "\
`check` asks an algorithm file which locations a run reaches, by its query `reached(p: Location)`. A file without it, or
with other columns, may still be useful: `cauldron solve FILE.fp --program PROGRAM` answers the queries that it has. To
use it with `check`, add for instance

    query reached(p: Location) = Target(p) & (exists u: State, v: State. Summary(u, v) & v.loc = p);",
    },
    Code {
        code: "CL0017",
        title: "the answer of an algorithm does not check",
        explanation: "\
The algorithm says that something is reached, but no run among the steps behind its answer reaches it; or the
invariant that it found does not prove what it says is not reached. The algorithm is one of your own, so its equations
are wrong: a clause that forgets a condition reaches too much, a missing clause too little. Compare with a shipped one
(`cauldron algorithms NAME`), and ask for single relations with `cauldron solve`.",
    },
    Code {
        code: "CL0018",
        title: "a trace claims what its run does not show",
        explanation: "\
`replay` executes the choices in the file and derives everything else from the run: what is reached (label, line, kind and
text), the steps with their lines and values, their number, the threads and their switches. Here the file says something
else about a run that is one, so it was edited, or made by another version. The message names the first difference. Ask
again: `cauldron check FILE --trace trace.json` writes a trace that is confirmed.",
    },
    Code {
        code: "CL0019",
        title: "a certificate proves less than was asked",
        explanation: "\
The certificate is valid, but some of what was asked is not among its targets, so nothing is known about that. `validate`
asks what `check` would ask: all assertions, or the labels that `--reach` names. A certificate that `check` wrote for a
label is validated with the same `--reach`; one that was written when another target was violated says nothing about that
target, and never will.",
    },
];

fn tables() -> impl Iterator<Item = &'static [Code]> {
    let fronts = driver::front_ends().iter().map(|front| front.codes);
    fronts.chain([OWN]).chain(driver::CODES)
}

/// Code, title and explanation of everything that a message can be about, in the order of the codes. Front ends may share
/// a table.
fn all() -> impl Iterator<Item = Code> {
    let codes: BTreeMap<&str, Code> = tables().flatten().map(|code| (code.code, *code)).collect();
    codes.into_values()
}

/// All codes.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    all().map(|code| code.code)
}

/// All codes with their titles, one per line.
pub(crate) fn list() -> String {
    all().map(|code| format!("{}  {}\n", code.code, code.title)).collect()
}

/// The explanation of a code, whatever its case.
pub(crate) fn find(wanted: &str) -> Option<String> {
    let code = all().find(|code| code.code.eq_ignore_ascii_case(wanted.trim()))?;
    Some(format!("{}: {}\n\n{}\n", code.code, code.title, code.explanation.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let known: BTreeMap<&str, Code> = all().map(|code| (code.code, code)).collect();
        for code in tables().flatten() {
            assert_eq!(known[code.code], *code, "a code means one thing");
            assert!(code.code.len() == 6 && !code.title.is_empty() && !code.explanation.is_empty(), "{}", code.code);
        }
    }

    /// Every code that a message of this crate carries can be looked up.
    #[test]
    fn codes_in_use_are_explained() {
        let sources = [
            include_str!("../../base/src/read.rs"),
            include_str!("output.rs"),
            include_str!("session.rs"),
            include_str!("../../engine/src/formula/ready.rs"),
        ];
        let commands = [
            include_str!("commands/replay.rs"),
            include_str!("commands/claims.rs"),
            include_str!("commands/validate.rs"),
            include_str!("commands/shrink.rs"),
        ];
        for source in sources.iter().chain(&commands) {
            for (at, _) in source.match_indices("\"CL") {
                let code = &source[at + 1..at + 7];
                assert!(find(code).is_some(), "{code} is not explained");
            }
        }
    }
}
