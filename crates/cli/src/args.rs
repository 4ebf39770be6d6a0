//! The command line as a value. Nothing is read, checked against the file system or printed here.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::quantity;
use crate::source_args::SourceArgs;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::BrightGreen.on_default().bold())
    .usage(AnsiColor::BrightGreen.on_default().bold())
    .literal(AnsiColor::BrightCyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Checks recursive and concurrent programs, and shows its evidence.
///
/// Every violation comes with a run that reaches it, replayed by an interpreter; every "holds" comes with a certificate,
/// checked by code that no engine uses, or says that there is none.
#[derive(Clone, Debug, Parser)]
#[command(name = "cauldron", version, styles = STYLES, propagate_version = true, after_help = crate::help::top())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Check assertions and labels of a program
    #[command(after_help = crate::help::CHECK)]
    Check(CheckArgs),
    /// Say for every statement whether some run reaches it
    #[command(after_help = crate::help::COVERAGE)]
    Coverage(CoverageArgs),
    /// Show all configurations that are reached, stacks included
    #[command(after_help = crate::help::CONFIGURATIONS)]
    Configurations(ConfigurationsArgs),
    /// Print the automaton of a temporal formula
    #[command(after_help = crate::help::AUTOMATON)]
    Automaton(AutomatonArgs),
    /// Answer the queries of a file of the fixed-point calculus
    #[command(after_help = crate::help::SOLVE)]
    Solve(SolveFileArgs),
    /// List the built-in algorithms, or print one
    #[command(after_help = crate::help::ALGORITHMS)]
    Algorithms(AlgorithmsArgs),
    /// Print a program or an algorithm in its canonical form
    #[command(after_help = crate::help::FMT)]
    Fmt(FmtArgs),
    /// Check a certificate against a program
    #[command(after_help = crate::help::VALIDATE)]
    Validate(ValidateArgs),
    /// Run a trace again, step by step, and print it
    #[command(after_help = crate::help::REPLAY)]
    Replay(ReplayArgs),
    /// Generate a program
    #[command(after_help = crate::help::GEN)]
    Gen(GenArgs),
    /// Make a program smaller while a command still succeeds on it
    #[command(after_help = crate::help::SHRINK)]
    Shrink(ShrinkArgs),
    /// Compare all engines with each other on random programs
    #[command(after_help = crate::help::CROSS)]
    Cross(CrossArgs),
    /// Explain an error code
    #[command(after_help = crate::help::EXPLAIN)]
    Explain(ExplainArgs),
    /// Print completions for a shell
    #[command(after_help = crate::help::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page
    #[command(after_help = crate::help::MAN)]
    Man(ManArgs),
    /// Print the JSON schema of a format that Cauldron writes
    #[command(after_help = crate::help::SCHEMA)]
    Schema(SchemaArgs),
    /// Fail on purpose, to see how a failure is reported
    #[command(hide = true, after_help = crate::help::INTERNAL_ERROR)]
    InternalError,
}

/// How the user wants to be talked to.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Talk")]
pub(crate) struct TalkArgs {
    /// Print only the result line
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more about how the answer was found
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colour; `auto` respects NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = false)]
    pub(crate) color: ColorChoice,
    /// How long work shows itself on standard error: `auto` draws a line on a terminal
    #[arg(long, global = true, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) progress: ProgressChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Not at all
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum ProgressChoice {
    /// A line that is redrawn, on a terminal, after one second
    #[default]
    Auto,
    /// Nothing
    Never,
    /// A line of text now and then
    Plain,
    /// A line of JSON twice a second
    Json,
}

/// When to give up.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Time limit, such as 2s, 10m or 1h30m
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
    /// Memory limit, such as 200M (millions of bytes), 4G or 4GiB; without it: what the system has to give
    #[arg(long, value_name = "SIZE", value_parser = quantity::bytes)]
    pub(crate) memory: Option<u64>,
    /// Limit on the engine's steps: the same result on every machine
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// Limit on the frames of a stack, for engines that keep the stacks of threads as they are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_depth: Option<u32>,
}

/// How to solve.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solving")]
pub(crate) struct SolveArgs {
    /// The engine, such as `summary`, `saturation`, `network`, `product` or `explicit`; by default the best one
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// An algorithm in the place of an engine: a built-in one (`cauldron algorithms` lists them) or a file FILE.fp
    #[arg(long, value_name = "NAME|FILE.fp", conflicts_with = "engine")]
    pub(crate) algorithm: Option<String>,
    #[command(flatten)]
    pub(crate) calculus: CalculusArgs,
    /// Passes to apply before solving, separated by commas; also `all` and `none`
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all")]
    pub(crate) passes: Vec<String>,
    /// Follow threads up to K context switches: changes of the active thread, the first one is free
    #[arg(long, value_name = "K", conflicts_with = "rounds")]
    pub(crate) switches: Option<u32>,
    /// Follow threads up to K rounds, in each of which every thread has one turn, in order
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: Option<u32>,
    /// Grow the bound from nothing until a violation, a proof or a limit; with `--switches` or `--rounds`: up to that. Between
    /// the bounds, what is done without a bound gets a chance
    #[arg(long)]
    pub(crate) increase: bool,
    /// Let at most N threads live at the same time, in programs that start threads; by default 3 more than from the start
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_threads: Option<u32>,
    /// How the engine `network` splits sets of configurations: one part per shared state, or as few as possible
    #[arg(long, value_enum, conflicts_with_all = ["algorithm", "sequentialize"])]
    pub(crate) split: Option<SplitChoice>,
    /// Turn threads into a sequential program, up to the bound, and give that to the engine
    #[arg(long)]
    pub(crate) sequentialize: bool,
    /// Let the engine `network` use N cores, 0: all of them; the output does not depend on it. Other engines use one
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Neither replay traces nor validate certificates: the result is then `unvalidated` or `unreplayed`
    #[arg(long)]
    pub(crate) no_validate: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SplitChoice {
    /// One part for each value of the shared variables
    Eager,
    /// Only what a thread mixes up is kept apart
    Lazy,
}

/// How to run an algorithm of the fixed-point calculus.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Algorithms")]
pub(crate) struct CalculusArgs {
    /// The value of a parameter of the algorithm, such as k=3; may be repeated
    #[arg(long = "param", value_name = "NAME=N", value_parser = quantity::parameter)]
    pub(crate) parameters: Vec<(String, u64)>,
    /// What is in decision diagrams: only data, or locations and threads as well
    #[arg(long, value_enum, default_value_t)]
    pub(crate) control: ControlChoice,
    /// Follow the rounds of the operational semantics to the letter, without shortcuts
    #[arg(long)]
    pub(crate) literal: bool,
    /// Print the plan: the order in which each clause is evaluated
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print what each equation and each clause cost
    #[arg(long)]
    pub(crate) profile: bool,
}

impl CalculusArgs {
    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (!self.parameters.is_empty(), "--param"),
            (self.control != ControlChoice::default(), "--control"),
            (self.literal, "--literal"),
            (self.explain, "--explain"),
            (self.profile, "--profile"),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum ControlChoice {
    /// Locations, threads and numbers are listed one by one
    #[default]
    Explicit,
    /// Everything is in decision diagrams
    Symbolic,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    /// The program; `-` reads the standard input
    pub(crate) file: PathBuf,
    /// Ask whether a label is reached: LABEL, PROCEDURE::LABEL, or STATE:SYMBOL of a pushdown system; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub(crate) reach: Vec<String>,
    /// Ask for assertions as well as for labels (without labels they are asked for anyway)
    #[arg(long)]
    pub(crate) assertions: bool,
    #[command(flatten)]
    pub(crate) temporal: TemporalArgs,
    /// Write a JSON report; `-` prints it instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) json: Option<PathBuf>,
    /// Write the certificate for what holds
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) certificate: Option<PathBuf>,
    /// Write the first trace, for `replay`
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) trace: Option<PathBuf>,
    /// Show every call and every step of traces
    #[arg(long, help_heading = "Results")]
    pub(crate) expand: bool,
    #[command(flatten)]
    pub(crate) solve: SolveArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

/// Questions about whole runs, and how to answer them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Temporal properties")]
#[group(skip)]
#[command(group = clap::ArgGroup::new("property").args(["ltl", "hoa", "never", "terminates"]).multiple(false))]
pub(crate) struct TemporalArgs {
    /// Ask whether all runs satisfy a formula: `! && || -> <-> [] <> G F X U W R V M`; an atom is a label, `in(PROCEDURE)`,
    /// `end`, a Boolean variable, or a condition such as "x = 1" in double quotes
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) ltl: Option<String>,
    /// Ask whether no run is accepted by an automaton in the Hanoi format
    #[arg(long, value_name = "FILE")]
    pub(crate) hoa: Option<PathBuf>,
    /// Ask whether no run is accepted by a never claim of Spin
    #[arg(long, value_name = "FILE")]
    pub(crate) never: Option<PathBuf>,
    /// Ask whether every run ends: the same as `--ltl '<> end'`
    #[arg(long)]
    pub(crate) terminates: bool,
    /// Which runs count
    #[arg(long, value_enum, default_value_t, requires = "property")]
    pub(crate) runs: RunsChoice,
    /// How to find cycles
    #[arg(long, value_enum, default_value_t, requires = "property")]
    pub(crate) cycles: CyclesChoice,
    /// Look for cycles everywhere at once, not in one component of the control graph after the other
    #[arg(long, requires = "property")]
    pub(crate) no_components: bool,
    /// Look for cycles also where no run comes
    #[arg(long, requires = "property")]
    pub(crate) no_reachable_first: bool,
    /// Leave the variables of the decision diagrams in the order in which they occur
    #[arg(long, requires = "property")]
    pub(crate) no_arrangement: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum RunsChoice {
    /// All runs: one that ends, or cannot go on, stays in its last state
    #[default]
    All,
    /// Only runs without end
    Infinite,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum CyclesChoice {
    /// Backwards: what can reach an accepting step again and again
    EmersonLei,
    /// Forwards: one way catch them young
    #[default]
    Owcty,
    /// By the transitive closure
    Closure,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct CoverageArgs {
    /// The program; `-` reads the standard input
    pub(crate) file: PathBuf,
    /// Write a JSON report; `-` prints it instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) json: Option<PathBuf>,
    /// Write LCOV tracefile; `-` prints it instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) lcov: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solve: SolveArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ConfigurationsArgs {
    /// The program; `-` reads the standard input
    pub(crate) file: PathBuf,
    /// Where runs begin, instead of the start of the program
    #[arg(long, value_name = "SET")]
    pub(crate) from: Option<String>,
    /// Where runs lead: say whether they do
    #[arg(long, value_name = "SET")]
    pub(crate) to: Option<String>,
    /// From where to look: what is reached, or what leads to the set of `--to`
    #[arg(long, value_enum, default_value_t)]
    pub(crate) direction: DirectionChoice,
    /// Ask whether a configuration of this set was found; may be repeated
    #[arg(long, value_name = "SET")]
    pub(crate) ask: Vec<String>,
    /// Write a JSON report with the automaton; `-` prints it instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) json: Option<PathBuf>,
    /// Write the automaton for Graphviz; `-` prints it instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) dot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum DirectionChoice {
    /// What is reached
    #[default]
    Forward,
    /// What leads there
    Backward,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct SolveFileArgs {
    /// The file (.fp, or .mu for Mucke's language), or the name of a built-in algorithm
    pub(crate) file: PathBuf,
    /// The program that the file's inputs speak of; a file that speaks of none needs none
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<PathBuf>,
    /// What `Target` holds for: LABEL or PROCEDURE::LABEL; may be repeated; without it, the assertions
    #[arg(long, value_name = "LABEL")]
    pub(crate) reach: Vec<String>,
    /// The parameter `k`, for algorithms that follow threads up to K context switches
    #[arg(long, value_name = "K", conflicts_with = "rounds")]
    pub(crate) switches: Option<u32>,
    /// The parameter `k`, for algorithms that follow threads up to K rounds
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: Option<u32>,
    /// Solutions of an open query that are listed at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) list: usize,
    #[command(flatten)]
    pub(crate) calculus: CalculusArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct AlgorithmsArgs {
    /// The algorithm to print; without it, all are listed
    pub(crate) name: Option<String>,
}

#[derive(Clone, Debug, Args)]
#[command(group = clap::ArgGroup::new("specification").args(["formula", "hoa", "never"]).required(true))]
pub(crate) struct AutomatonArgs {
    /// The formula, as for `check --ltl`; its automaton accepts the runs that satisfy it
    #[arg(allow_hyphen_values = true)]
    pub(crate) formula: Option<String>,
    /// Read an automaton in the Hanoi format instead, and make it small
    #[arg(long, value_name = "FILE")]
    pub(crate) hoa: Option<PathBuf>,
    /// Read a never claim of Spin instead
    #[arg(long, value_name = "FILE")]
    pub(crate) never: Option<PathBuf>,
    /// The runs that do not satisfy the formula: what `check --ltl` searches for
    #[arg(long, conflicts_with_all = ["hoa", "never"])]
    pub(crate) negate: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: AutomatonFormat,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum AutomatonFormat {
    /// The Hanoi format, which `check --hoa` and other tools read
    #[default]
    Hoa,
    /// A drawing for Graphviz
    Dot,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct FmtArgs {
    /// The program, or the algorithm (.fp); `-` reads the standard input
    pub(crate) file: PathBuf,
    /// Only say whether the file is in canonical form (exit 0) or not (exit 10)
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Replace the file
    #[arg(long)]
    pub(crate) write: bool,
    /// Print the program model that the file lowers to, in its text form
    #[arg(long, conflicts_with_all = ["check", "write"])]
    pub(crate) model: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ValidateArgs {
    /// The program; `-` reads the standard input
    pub(crate) program: PathBuf,
    /// The certificate, as written by `check --certificate`
    pub(crate) certificate: PathBuf,
    /// Ask for a proof that a label is not reached, as `check --reach` does; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub(crate) reach: Vec<String>,
    /// Ask for assertions as well as for labels (without labels they are asked for anyway)
    #[arg(long)]
    pub(crate) assertions: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The program; `-` reads the standard input
    pub(crate) file: PathBuf,
    /// The trace, as written by `check --trace`, or a report, as written by `check --json`
    pub(crate) trace: PathBuf,
    /// Which trace of a report, counted from one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) nth: usize,
    /// Insist that the run reaches this label, or one of several; needed for a STATE:SYMBOL of a pushdown system
    #[arg(long, value_name = "LABEL")]
    pub(crate) reach: Vec<String>,
    /// The automaton by which a run without end is judged, for a report of `check --hoa`
    #[arg(long, value_name = "FILE")]
    pub(crate) hoa: Option<PathBuf>,
    /// The never claim by which a run without end is judged, for a report of `check --never`
    #[arg(long, value_name = "FILE")]
    pub(crate) never: Option<PathBuf>,
    /// Show every call and every step
    #[arg(long)]
    pub(crate) expand: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct GenArgs {
    /// What kind of program
    #[arg(long, value_enum, default_value_t)]
    pub(crate) family: FamilyChoice,
    /// Size: procedures (bebop), bits of the counter (terminator), of the element (vector) or of every number (quicksort),
    /// stack symbols (pds)
    #[arg(short, long = "symbols", value_name = "N", default_value_t = 4)]
    pub(crate) n: u32,
    /// Further locals (terminator), elements of the array (quicksort)
    #[arg(short, value_name = "M", default_value_t = 4)]
    pub(crate) m: u32,
    /// Rules (pds); by default three for every two pairs of a symbol and a control state
    #[arg(long, value_name = "N")]
    pub(crate) rules: Option<u32>,
    /// Control states (pds)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) states: u32,
    /// As a Boolean program, as a pushdown system (bebop) or in Remopla (bluetooth)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: FormatChoice,
    /// Make the label unreachable (bebop)
    #[arg(long)]
    pub(crate) unreachable: bool,
    /// Make the assertion fail (terminator, vector; search-tree with two inserters)
    #[arg(long)]
    pub(crate) bug: bool,
    /// Which version of the driver, by default 2 (bluetooth), or which Quicksort, by default `corrected`
    #[arg(long, value_enum, value_name = "V")]
    pub(crate) variant: Option<VariantChoice>,
    /// Threads that use the driver (bluetooth)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) adders: u32,
    /// Threads that stop the driver (bluetooth)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) stoppers: u32,
    /// Threads that insert a value (search-tree)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) inserters: u32,
    /// Threads that search for a value that is inserted (search-tree)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) searchers: u32,
    /// Threads (random)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: u32,
    /// Write to a file
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Seed (random)
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) sizes: SizeArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum FamilyChoice {
    /// Random programs from a seed
    #[default]
    Random,
    /// The template T(N) of the Bebop paper: N procedures, each calling the next one twice
    Bebop,
    /// A loop over an N-bit counter with M further locals
    Terminator,
    /// The Bluetooth driver of the jMoped paper, with adders and stoppers as threads
    Bluetooth,
    /// A vector of the jMoped paper, with an element of N bits, that one thread copies and another empties
    Vector,
    /// Concurrent binary search trees of the jMoped paper, with inserters and searchers as threads
    SearchTree,
    /// Random explicit pushdown systems: no data, the symbol `err` is asked for
    Pds,
    /// Quicksort of the Moped paper as a pushdown system with numbers of N bits
    Quicksort,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum VariantChoice {
    /// A driver that is violated with one adder and one stopper
    #[value(name = "1")]
    First,
    /// A driver that is violated with two adders and one stopper
    #[value(name = "2")]
    Second,
    /// A driver that is violated with one adder and two stoppers
    #[value(name = "3")]
    Third,
    /// Quicksort without its array that does not always end: `<> main1` is violated
    Faulty,
    /// Quicksort without its array that always ends: `<> main1` holds
    Corrected,
    /// Quicksort of M elements, the last of a part as pivot: `<> ok` says that it ends with a sorted array
    Sorting,
    /// The same with any element of a part as pivot
    RandomPivot,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum FormatChoice {
    /// A Boolean program
    #[default]
    Bp,
    /// A pushdown system
    Pds,
    /// Remopla
    Remopla,
}

/// How large random programs are.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Sizes of random programs")]
pub(crate) struct SizeArgs {
    /// Procedures besides `main`
    #[arg(long, value_name = "N")]
    pub(crate) procedures: Option<u32>,
    /// Global variables
    #[arg(long, value_name = "N")]
    pub(crate) globals: Option<u32>,
    /// Local variables per procedure
    #[arg(long, value_name = "N")]
    pub(crate) locals: Option<u32>,
    /// Statements per procedure
    #[arg(long, value_name = "N")]
    pub(crate) statements: Option<u32>,
    /// Nesting of statements and expressions
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ShrinkArgs {
    /// The program; `-` reads the standard input
    pub(crate) file: PathBuf,
    /// Write to a file
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Run the command at most so often
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,
    /// Expect this exit code of the command
    #[arg(long, value_name = "CODE", default_value_t = 0)]
    pub(crate) expect: i32,
    /// Stop after this time, with the smallest program so far
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The command; `{}` stands for the file with the candidate (added at the end if it does not occur)
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct CrossArgs {
    /// Number of programs
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) programs: u64,
    /// Seed of the first program; the next ones follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Programs checked at once; 0: as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
    /// Compare temporal verdicts, on random programs with random formulae; sizes and limits are fixed
    #[arg(long, conflicts_with_all = ["threads", "max_steps", "no_shrink"])]
    pub(crate) temporal: bool,
    /// Threads of each program; 1: sequential programs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: u32,
    /// Follow threads up to K context switches; every program draws its own number up to K
    #[arg(long, value_name = "K", default_value_t = 4)]
    pub(crate) switches: u32,
    /// Follow threads up to K rounds instead
    #[arg(long, value_name = "K", conflicts_with = "switches", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: Option<u32>,
    /// Limit on an engine's steps per check
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// Do not make programs smaller on which engines disagree
    #[arg(long)]
    pub(crate) no_shrink: bool,
    #[command(flatten)]
    pub(crate) sizes: SizeArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The code, such as BP0012; without it, all codes are listed
    pub(crate) code: Option<String>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ManArgs {
    /// The page of a subcommand
    pub(crate) command: Option<String>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The format
    pub(crate) name: SchemaChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SchemaChoice {
    /// What `check --json` writes
    Report,
    /// What `check --trace` writes
    Trace,
    /// What `coverage --json` writes
    Coverage,
    /// What `configurations --json` writes
    Configurations,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_subcommand_has_examples_and_they_parse() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix("$ ")).collect();
            assert!(!examples.is_empty(), "{} has no example", command.get_name());
            for example in examples {
                let words = example.split(['|', '<', '>', '#']).next().unwrap_or("").split_whitespace();
                let words: Vec<&str> = words.collect();
                let parsed = Cli::try_parse_from(&words);
                assert!(parsed.is_ok() && words[1] == command.get_name(), "{example}: {parsed:?}");
            }
        }
    }
}
