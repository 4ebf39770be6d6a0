//! Examples and tables below the help of each command.

use crate::exit::Exit;

/// Below `cauldron --help`.
pub(crate) fn top() -> String {
    format!(
        "\
Start here:
  $ cauldron check program.bp                 are all assertions true?
  $ cauldron check program.bp --reach ERROR   does a run reach the label ERROR?
  $ cauldron coverage program.bp              which statements can be reached at all?

Exit codes:
{}",
        Exit::table()
    )
}

pub(crate) const CHECK: &str = "\
Examples:
  $ cauldron check lock.bp
  $ cauldron check lock.bp --reach ERROR --reach main::DONE
  $ cauldron check lock.bp --timeout 10m --memory 4G --json report.json
  $ cauldron check lock.bp --certificate lock.cert
  $ cauldron check - --reach R -q
  $ cauldron check threads.bp --switches 4
  $ cauldron check lock.bp --algorithm entry-forward-split
  $ cauldron check lock.bp --algorithm my.fp --param d=2 --profile
  $ cauldron check lock.bp --terminates
  $ cauldron check lock.bp --ltl 'G(LOCK-><>UNLOCK)'
  $ cauldron check lock.bp --hoa claim.hoa --runs infinite
  $ cauldron check lock.bp --terminates --algorithm recurrence

The last line on standard output is one of:
  result: holds                     no run violates anything; a certificate was validated
  result: holds (no certificate)    the engine gives none, as for temporal properties
  result: violated                  a run violates something; it was replayed
  result: bounded (BOUND)           threads were followed up to a bound, and nothing was found
  result: bounded (says FILE.fp)    an algorithm of your own found nothing, and nothing proves it
  result: unvalidated (REASON)      no violation was found, but the certificate was not validated
  result: unreplayed (REASON)       a violation was found, but its run was not replayed
  result: unknown (REASON)          a limit was hit; `finished BOUND` says how far the threads were followed
Exit code: 0 holds, 10 violated, 11 bounded, 12 unvalidated, 13 unreplayed, 20 to 22 unknown; `cauldron --help` lists all.
Ctrl-C and SIGTERM end with what is known so far; a second Ctrl-C ends at once.";

pub(crate) const COVERAGE: &str = "\
Examples:
  $ cauldron coverage lock.bp
  $ cauldron coverage lock.bp --lcov lock.info
  $ cauldron coverage lock.bp --json - --timeout 30s

Marks: `+` some run gets here, `-` no run gets here, `!` some run violates this assertion, `?` not decided.
The last line on standard output is `result: complete` (exit 0), `result: bounded (BOUND)` (exit 11: threads were
followed up to a bound), `result: unvalidated (REASON)` (exit 12: the certificate for what is unreachable was not validated)
or `result: partial (REASON)` (exit 20 to 22).";

pub(crate) const CONFIGURATIONS: &str = "\
Examples:
  $ cauldron configurations lock.bp
  $ cauldron configurations lock.bp --ask '<acquire main:2>' --ask '[locked] <main:exit>'
  $ cauldron configurations lock.bp --from '<main:3>' --to '<ERROR .*>'
  $ cauldron configurations lock.bp --direction backward --to '<ERROR .*>' --dot - | dot -Tsvg > error.svg

A configuration is the values of the shared variables and the stack. A set is written STATE [CONDITION] <STACK>, where STATE (of
a pushdown system) and [CONDITION] may be missing, and STACK is a regular expression over locations, from the top down, with
`.` for any location, `*`, `+`, `?`, `|` and ( ). A location is a label, `procedure::label`, `procedure:n`, `procedure:exit`,
or `procedure` for where it is entered; a location may be followed by a [CONDITION] on the locals of its frame. A frame that
waits for a call is where it goes on; <> is the end of the run. A condition is written as in the source: `x = 1 & !b`,
`p::x` for a local of a procedure or stack symbol, `::x` for a shared variable, `a[1]` or `a = [0, 1]`.

The table has one row for each transition of an automaton that reads stacks from the top down. It begins at `top`; at
a state with `(end)` the stack may end. A state `called p` holds the values that p was called with, `returned p` those that p
returns with; `to.x` is the value of x that the next state holds, `from.x` the one that the state has. States `set:n` are places
of the set that was given, or of the start.
The last line on standard output is `result: complete`, `result: reached` or `result: unreachable` (with `--to`; backwards, with
`--to` and `--from`), or `result: unknown (REASON)`. Exit code: 10 reached, 20 to 22 unknown, otherwise 0.";

pub(crate) const SOLVE: &str = "\
Examples:
  $ cauldron solve my.fp --program lock.bp
  $ cauldron solve my.fp --program lock.bp --reach ERROR --param d=2
  $ cauldron solve non-termination --program lock.bp
  $ cauldron solve my.mu

A closed query is answered by `NAME: true` or `NAME: false`, an open one by its solutions. The last line on standard
output is `result: solved` (exit 0) or `result: unknown (REASON)` (exit 20 to 22). For a file of Mucke's language (.mu) it is
`true` or `false`, the value of its last formula, if it has one.";

pub(crate) const AUTOMATON: &str = "\
Examples:
  $ cauldron automaton 'G(LOCK-><>UNLOCK)'
  $ cauldron automaton 'G(LOCK-><>UNLOCK)' --negate > claim.hoa
  $ cauldron automaton --never claim.pml
  $ cauldron automaton '<>[]p' --format dot | dot -Tsvg > in-the-end.svg

A run accepts when it takes accepting edges infinitely often. `check --hoa FILE` asks whether no run of a program is accepted, so
the automaton for `check --ltl FORMULA` is that of the negation.";

pub(crate) const ALGORITHMS: &str = "\
Examples:
  $ cauldron algorithms
  $ cauldron algorithms entry-forward > my.fp";

pub(crate) const FMT: &str = "\
Examples:
  $ cauldron fmt lock.bp
  $ cauldron fmt lock.bp --write
  $ cauldron fmt lock.bp --check
  $ cauldron fmt lock.bp --model
  $ cauldron fmt my.fp --write
  $ cauldron fmt - < lock.bp";

pub(crate) const VALIDATE: &str = "\
Examples:
  $ cauldron validate lock.bp lock.cert
  $ cauldron validate lock.bp lock.cert --reach ERROR --assertions

The question is asked as for `check`: without labels, all assertions. A certificate that says nothing about some of it proves
less than was asked.
The last line on standard output is `result: valid (WHAT)` (exit 0), `result: invalid` (exit 10), `result: refused (N of M
targets proved)` (exit 5) or `result: unknown (REASON)` (exit 20 to 22).";

pub(crate) const REPLAY: &str = "\
Examples:
  $ cauldron replay lock.bp trace.json
  $ cauldron replay lock.bp report.json --nth 2 --expand
  $ cauldron replay lock.bp report.json --never claim.pml

A report about a temporal property has one run without end: it is executed for three rounds and judged by the property. An
automaton is read from the file that you name here, never from one that only the report names.
Nothing is taken from the trace but the choices of the run. A file that says of the run what is not so (another target, other
values, lines or counts) is refused. That no run is shorter is not checked, and not repeated.
The last line on standard output is `result: replayed` (exit 0), `result: not a run` or `result: not a violation` (exit 10),
`result: refused` (exit 5) or `result: unknown (REASON)` (exit 20 to 22).";

pub(crate) const GEN: &str = "\
Examples:
  $ cauldron gen --seed 7 --procedures 3
  $ cauldron gen --family bebop -n 800 > t800.bp
  $ cauldron gen --family terminator -n 10 -m 20 --bug -o t.bp
  $ cauldron gen --family bluetooth --variant 2 --adders 2 --stoppers 1
  $ cauldron gen --family vector -n 8 --bug
  $ cauldron gen --family quicksort --variant sorting -n 3 -m 4 -o sort.pds
  $ cauldron gen --seed 7 --threads 3";

pub(crate) const SHRINK: &str = "\
Examples:
  $ cauldron shrink big.bp --expect 10 -- cauldron check -q
  $ cauldron shrink big.bp -o small.bp -- ./fails.sh {}

The command must give the expected exit code on the original; the result is a smaller program on which it still does.";

pub(crate) const CROSS: &str = "\
Examples:
  $ cauldron cross
  $ cauldron cross --programs 20000 --seed 1
  $ cauldron cross --procedures 5 --statements 12 --jobs 2
  $ cauldron cross --threads 3 --switches 4 --programs 5000

The last line on standard output is `result: agree` (exit 0) or `result: disagree` (exit 10).";

pub(crate) const EXPLAIN: &str = "\
Examples:
  $ cauldron explain
  $ cauldron explain CL0008";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  $ cauldron completions bash > ~/.local/share/bash-completion/completions/cauldron
  $ cauldron completions zsh > ~/.zfunc/_cauldron
  $ cauldron completions fish > ~/.config/fish/completions/cauldron.fish";

pub(crate) const MAN: &str = "\
Examples:
  $ cauldron man > cauldron.1
  $ cauldron man check > cauldron-check.1";

pub(crate) const SCHEMA: &str = "\
Examples:
  $ cauldron schema report > cauldron-report-1.json";

pub(crate) const INTERNAL_ERROR: &str = "\
Examples:
  $ cauldron internal-error";
