//! What all formats share.

use base::{Diagnostics, FileId, Severity, Sources, Span, StopReason};
use driver::{Checked, FrontEnd, Proof};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who wrote the document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Always `cauldron`.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Tool {
    /// This program.
    #[must_use]
    pub fn this() -> Self {
        Self { name: "cauldron".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// Path as it was given; `<stdin>` for the standard input.
    pub file: String,
    /// Language, as `--language` names it, such as `bp`.
    pub language: String,
    /// Convention for threads and initial states: `standard` or `getafix`.
    pub dialect: String,
    /// Procedure in which execution starts, if it was named.
    pub entry: Option<String>,
}

impl Input {
    /// The input, with the language of the front end that has recognised it.
    pub(crate) fn read_by(&self, front: &FrontEnd) -> Self {
        Self { language: front.name.to_owned(), ..self.clone() }
    }
}

/// Why something is not decided, or why its evidence was not checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The limit on steps was reached.
    Steps,
    /// Calls nest more deeply than the limit on depth.
    Depth,
    /// More threads are started than the limit on threads.
    Threads,
    /// The equations of the algorithm do not settle.
    Oscillates,
    /// The automaton of the property becomes too large.
    Automaton,
    /// Stopped by a signal.
    Cancelled,
    /// Checking evidence was not asked for (`--no-validate`).
    NotAsked,
    /// The evidence is beyond the checker.
    TooLarge,
}

impl Reason {
    /// The word that scripts read.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Steps => "steps",
            Self::Depth => "depth",
            Self::Threads => "threads",
            Self::Oscillates => "oscillates",
            Self::Automaton => "automaton",
            Self::Cancelled => "cancelled",
            Self::NotAsked => "not asked",
            Self::TooLarge => "too large",
        }
    }

    /// Why evidence was not checked; none: it was.
    #[must_use]
    pub fn unchecked(checked: &Checked) -> Option<Self> {
        match checked {
            Checked::Yes => None,
            Checked::NotAsked => Some(Self::NotAsked),
            Checked::Stopped(reason) => Some((*reason).into()),
            Checked::TooLarge(_) => Some(Self::TooLarge),
        }
    }
}

/// What stands behind an answer, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Nothing but the word of the engine: it gives no certificate for this.
    None,
    /// A certificate or a trace that was not checked.
    NotValidated,
    /// A certificate that the independent checker accepted, or a trace that the interpreter replayed.
    Validated,
}

impl Evidence {
    /// What stands behind everything that holds. Without validating, an engine is not asked for a certificate.
    #[must_use]
    pub fn of_proof(proof: Option<&Proof>, validate: bool) -> Self {
        match proof {
            Some(proof) if proof.validated.is_yes() => Self::Validated,
            None if validate => Self::None,
            Some(_) | None => Self::NotValidated,
        }
    }

    /// What stands behind a violation.
    #[must_use]
    pub fn of_run(replayed: bool) -> Self {
        if replayed { Self::Validated } else { Self::NotValidated }
    }
}

impl From<StopReason> for Reason {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Time => Self::Time,
            StopReason::Memory => Self::Memory,
            StopReason::Steps => Self::Steps,
            StopReason::Depth => Self::Depth,
            StopReason::Threads => Self::Threads,
            StopReason::Oscillates => Self::Oscillates,
            StopReason::Automaton => Self::Automaton,
            StopReason::Cancelled => Self::Cancelled,
        }
    }
}

/// The limits under which the answer was sought; null: none.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Seconds.
    pub seconds: Option<f64>,
    /// Bytes of resident memory.
    pub memory_bytes: Option<u64>,
    /// Steps of the engine.
    pub steps: Option<u64>,
    /// Frames of a stack, for engines that keep stacks as they are; null: the engine's own choice.
    pub depth: Option<u32>,
}

/// How far the threads of a concurrent program were followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Bound {
    /// What was counted.
    pub kind: BoundKind,
    /// The most of it.
    pub k: u32,
}

/// What a bound counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoundKind {
    /// Context switches: changes of the active thread.
    Switches,
    /// Rounds, in each of which every thread has one turn.
    Rounds,
}

/// A bound on the interleavings and one on the number of threads, in words; none: there is neither.
#[must_use]
pub fn within(bound: Option<Bound>, max_threads: Option<u32>) -> Option<String> {
    let threads = max_threads.map(|n| crate::visible::counted(u64::from(n), "thread"));
    let parts: Vec<String> = bound.map(|bound| bound.to_string()).into_iter().chain(threads).collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

impl From<program::Bound> for Bound {
    fn from(bound: program::Bound) -> Self {
        match bound {
            program::Bound::Switches(k) => Self { kind: BoundKind::Switches, k },
            program::Bound::Rounds(k) => Self { kind: BoundKind::Rounds, k },
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            BoundKind::Switches => program::Bound::Switches(self.k).fmt(f),
            BoundKind::Rounds => program::Bound::Rounds(self.k).fmt(f),
        }
    }
}

/// What solving did; the same on every machine as long as no limit on time or memory is hit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Statistics {
    /// Steps of the engine.
    pub steps: u64,
    /// Variables of the decision diagrams.
    pub bdd_variables: u64,
    /// Most nodes of decision diagrams alive at once.
    pub peak_nodes: u64,
    /// Bytes held by the decision diagrams at their peak.
    pub bdd_bytes: u64,
    /// Explicit states stored.
    pub states: u64,
    /// View tuples that were expanded: sets of configurations of all threads, in the engine `network`.
    #[serde(default)]
    pub view_tuples: u64,
}

/// What it cost; differs from run to run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Resources {
    /// Seconds from start to answer.
    pub seconds: f64,
    /// Most resident memory in bytes, where the system tells.
    pub peak_memory_bytes: Option<u64>,
}

/// The certificate behind everything that holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Certificate {
    /// Whether the independent checker accepted it.
    pub validated: bool,
    /// Why it was not checked; null: it was.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Number of locations to which it gives a set of states.
    pub locations: u64,
    /// The file to which it was written, if it was.
    pub file: Option<String>,
}

/// A message about the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Stable code, explained by `cauldron explain`.
    pub code: String,
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// The file, if it is not the one that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line, from one.
    pub line: Option<u32>,
    /// Column in characters, from one.
    pub column: Option<u32>,
    /// What to write instead.
    pub help: Option<String>,
}

/// No more messages than this are listed.
const MOST_MESSAGES: usize = 1_000;

/// The messages about an input.
#[must_use]
pub fn messages(diagnostics: &Diagnostics, sources: &Sources) -> Vec<Message> {
    let message = |diagnostic: &base::Diagnostic| {
        let place = diagnostic.primary.as_ref().map(|label| label.span);
        let position = place.and_then(|span| sources.position(span));
        Message {
            code: diagnostic.code.to_owned(),
            severity: match diagnostic.severity {
                Severity::Error => "error".to_owned(),
                Severity::Warning => "warning".to_owned(),
            },
            message: diagnostic.message.clone(),
            file: place.and_then(|span| other_file(sources, span)),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            help: diagnostic.help.clone(),
        }
    };
    diagnostics.iter().take(MOST_MESSAGES).map(message).collect()
}

/// The name of the file that a place is in, unless it is the one that was given.
pub(crate) fn other_file(sources: &Sources, span: Span) -> Option<String> {
    (span.file != FileId::default()).then(|| sources.name(span.file).to_owned())
}
