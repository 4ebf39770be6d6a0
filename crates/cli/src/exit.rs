//! The one table of exit codes.

use base::StopReason;
use report::json::common::Reason;

/// How the process ends. Each variant has a code of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Every target holds; for other commands: done.
    Holds = 0,
    /// The command line is wrong.
    Usage = 2,
    /// The input is wrong.
    BadInput = 3,
    /// The input is right, but beyond the engine.
    Unsupported = 4,
    /// A trace or certificate is refused: it claims what it does not show, or shows less than was asked.
    Refused = 5,
    /// A target is violated; for other commands: the answer is no.
    Violated = 10,
    /// No target is violated within the bound on threads, or on the word of an algorithm of the user's own; for coverage:
    /// what is unreachable is so within the bound.
    Bounded = 11,
    /// No target is violated, but the certificate was not validated.
    Unvalidated = 12,
    /// A target is violated, but the trace was not replayed.
    Unreplayed = 13,
    /// Undecided for another reason than time or memory.
    Unknown = 20,
    /// Undecided: the time limit was reached.
    Time = 21,
    /// Undecided: the memory limit was reached.
    Memory = 22,
    /// A defect of Cauldron.
    Internal = 70,
    /// A result could not be written.
    Output = 74,
    /// Interrupted a second time, or before there was anything to report.
    Interrupted = 130,
}

impl Exit {
    /// All of them, in order of their codes.
    pub(crate) const ALL: [Self; 15] = [
        Self::Holds,
        Self::Usage,
        Self::BadInput,
        Self::Unsupported,
        Self::Refused,
        Self::Violated,
        Self::Bounded,
        Self::Unvalidated,
        Self::Unreplayed,
        Self::Unknown,
        Self::Time,
        Self::Memory,
        Self::Internal,
        Self::Output,
        Self::Interrupted,
    ];

    /// The number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    /// What the code means.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Holds => "every target holds (other commands: done)",
            Self::Usage => "the command line is wrong",
            Self::BadInput => "bad input: syntax, unknown label, nothing to check, unreadable file",
            Self::Unsupported => "the input is right, but the engine cannot work on it",
            Self::Refused => "a trace or certificate claims what it does not show, or shows less than was asked",
            Self::Violated => "a target is violated (other commands: the answer is no)",
            Self::Bounded => {
                "no violation within the bound on threads, or as claimed by your own --algorithm without a checked certificate"
            }
            Self::Unvalidated => {
                "no violation, but the certificate was not validated: --no-validate, too large, or a limit"
            }
            Self::Unreplayed => "a violation, but its run was not replayed: --no-validate",
            Self::Unknown => {
                "not decided: limit on steps, depth or threads, equations that do not settle, or Ctrl-C or SIGTERM"
            }
            Self::Time => "not decided: the time limit was reached",
            Self::Memory => "not decided: the memory limit was reached",
            Self::Internal => "internal error: please report it",
            Self::Output => "a result could not be written",
            Self::Interrupted => "interrupted twice, or with nothing to report: stopped at once, without a result",
        }
    }

    /// The table as text, one code per line.
    pub(crate) fn table() -> String {
        let rows = Self::ALL.iter().map(|exit| format!("  {:>3}  {}\n", exit.code(), exit.meaning()));
        rows.collect()
    }
}

impl From<StopReason> for Exit {
    fn from(reason: StopReason) -> Self {
        Self::from(Reason::from(reason))
    }
}

/// How the process ends when something is undecided for a reason.
impl From<Reason> for Exit {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Time => Self::Time,
            Reason::Memory => Self::Memory,
            Reason::Steps
            | Reason::Depth
            | Reason::Threads
            | Reason::Oscillates
            | Reason::Automaton
            | Reason::Cancelled
            | Reason::NotAsked
            | Reason::TooLarge => Self::Unknown,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_as_published() {
        insta::assert_snapshot!(Exit::table(), @r#"
          0  every target holds (other commands: done)
          2  the command line is wrong
          3  bad input: syntax, unknown label, nothing to check, unreadable file
          4  the input is right, but the engine cannot work on it
          5  a trace or certificate claims what it does not show, or shows less than was asked
         10  a target is violated (other commands: the answer is no)
         11  no violation within the bound on threads, or as claimed by your own --algorithm without a checked certificate
         12  no violation, but the certificate was not validated: --no-validate, too large, or a limit
         13  a violation, but its run was not replayed: --no-validate
         20  not decided: limit on steps, depth or threads, equations that do not settle, or Ctrl-C or SIGTERM
         21  not decided: the time limit was reached
         22  not decided: the memory limit was reached
         70  internal error: please report it
         74  a result could not be written
        130  interrupted twice, or with nothing to report: stopped at once, without a result
        "#);
    }

    #[test]
    fn codes_are_distinct_and_in_order() {
        let codes: Vec<u8> = Exit::ALL.iter().map(|exit| exit.code()).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
    }

    #[test]
    fn limits_have_codes_of_their_own() {
        use StopReason::{Cancelled, Depth, Memory, Oscillates, Steps, Threads, Time};
        let reasons = [Time, Memory, Steps, Depth, Threads, Oscillates, Cancelled];
        assert_eq!(reasons.map(|reason| Exit::from(reason).code()), [21, 22, 20, 20, 20, 20, 20]);
    }
}
