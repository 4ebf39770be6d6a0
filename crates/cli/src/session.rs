//! What all commands that read a program have in common.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Budget, Severity, Sources, StopReason};
use driver::front::{front_ends, recognise};
use driver::{Algorithm, CheckError, Control, Loaded, Options, QuestionError};
use program::{Bound, Program, Unsupported};
use report::diagnostics::{render, render_message};
use report::json::common::{Input, Limits as JsonLimits, Message, Resources};
use report::visible::abridged;

use crate::args::{CalculusArgs, ControlChoice, LimitArgs, SolveArgs, SplitChoice};
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::progress::{Display, Status};
use crate::source_args::SourceArgs;
use crate::supervise::{self, Ended, Limits};
use crate::talk::{Failure, Talk, did_you_mean};

/// Why a program could not be read or a question not be answered.
#[derive(Clone, Debug)]
pub(crate) struct Rejection {
    /// What the user is told.
    pub(crate) failure: Failure,
    /// The same for programs.
    pub(crate) messages: Vec<Message>,
}

impl From<Failure> for Rejection {
    fn from(failure: Failure) -> Self {
        let message = Message {
            code: failure.code.to_owned(),
            severity: "error".to_owned(),
            message: failure.message.clone(),
            file: None,
            line: None,
            column: None,
            help: failure.help.clone(),
        };
        Self { failure, messages: vec![message] }
    }
}

/// What a command works with: on the worker's side.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) talk: Talk,
    pub(crate) limits: Limits,
    pub(crate) status: Arc<Status>,
}

/// Cores that are used unless the user says otherwise; 0: all.
const DEFAULT_JOBS: usize = 1;

impl Session {
    /// Starts the clock and listens to signals.
    pub(crate) fn start(talk: &Talk, limits: &LimitArgs) -> Self {
        let limits = Limits::start(limits.timeout, limits.memory, limits.max_steps, limits.max_depth);
        Self { talk: *talk, limits, status: Arc::default() }
    }

    /// Runs the work on a thread of its own.
    pub(crate) fn run<T: Send + 'static>(&self, work: impl FnOnce(&Self) -> T + Send + 'static) -> Ended<T> {
        let mut display = Display::new(&self.talk, self.limits.time);
        let inside = self.clone();
        supervise::run(&self.limits, &self.status, &mut display, move || work(&inside))
    }

    /// Runs work whose product is delivered as it is; work that is overdue has no product.
    pub(crate) fn deliver(
        &self,
        work: impl FnOnce(&Self) -> Result<Product, Failure> + Send + 'static,
    ) -> Result<Exit, Failure> {
        self.deliver_or(work, |reason| Err(Failure::new(Exit::from(reason), "", format!("stopped: {reason}"))))
    }

    /// The same for work whose product ends with a result: overdue, the result is unknown.
    pub(crate) fn conclude(
        &self,
        work: impl FnOnce(&Self) -> Result<Product, Failure> + Send + 'static,
    ) -> Result<Exit, Failure> {
        self.deliver_or(work, |reason| undecided(reason).deliver())
    }

    fn deliver_or(
        &self,
        work: impl FnOnce(&Self) -> Result<Product, Failure> + Send + 'static,
        overdue: impl FnOnce(StopReason) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        match self.run(work) {
            Ended::Done(product) => product?.deliver(),
            Ended::Panicked => Err(crate::panicked()),
            Ended::Overdue(reason) => overdue(reason),
        }
    }

    /// Reads a program. Its warnings are told at once, unless the user wants quiet.
    pub(crate) fn load(&self, file: &Path, args: &SourceArgs) -> Result<Loaded, Rejection> {
        self.status.enter("read");
        let (sources, front) = input::program(file, args)?;
        self.status.enter("parse");
        match driver::load(sources, front, &args.options) {
            Ok(loaded) => {
                self.warn(&loaded.warnings, &loaded.sources);
                Ok(loaded)
            }
            Err((sources, diagnostics)) => Err(rejected(&sources, &diagnostics, &self.talk)),
        }
    }

    /// Tells the warnings about an algorithm, unless the user wants quiet.
    pub(crate) fn warn_of(&self, ran: Option<&driver::Ran>) {
        if let Some(ran) = ran {
            self.warn(&ran.warnings, &ran.source.clone().into());
        }
    }

    /// The limits of solving, and how many cores it may use.
    pub(crate) fn solving(&self, args: &SolveArgs) -> Budget {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = args.jobs.unwrap_or(DEFAULT_JOBS);
        self.limits.budget().with_jobs(if jobs == 0 { cores() } else { jobs })
    }

    /// Says that `--jobs` made no difference, if it was given and did not.
    pub(crate) fn note_jobs(&self, args: &SolveArgs, engine: &str) {
        let is_parallel = matches!(engine, "network" | "network-eager");
        if args.jobs.is_some_and(|jobs| jobs != 1) && !is_parallel && !self.talk.quiet {
            crate::talk::say(&format!(
                "note: `--jobs` makes no difference to the engine `{engine}`, which uses one core\n"
            ));
        }
    }

    /// Tells warnings, unless the user wants quiet.
    pub(crate) fn warn(&self, warnings: &base::Diagnostics, sources: &Sources) {
        if !warnings.is_empty() && !self.talk.quiet {
            crate::talk::say(&render(warnings, sources, self.talk.err));
        }
    }

    /// What it has cost so far.
    pub(crate) fn resources(&self) -> Resources {
        let seconds = self.limits.started.elapsed().as_secs_f64();
        Resources { seconds: (seconds * 1e6).round() / 1e6, peak_memory_bytes: crate::memory::peak() }
    }

    /// The limits for the report.
    pub(crate) fn json_limits(&self) -> JsonLimits {
        JsonLimits {
            seconds: self.limits.time.map(|time| time.as_secs_f64()),
            memory_bytes: self.limits.memory,
            steps: self.limits.steps,
            depth: self.limits.depth,
        }
    }
}

fn rejected(sources: &Sources, diagnostics: &base::Diagnostics, talk: &Talk) -> Rejection {
    let failure = Failure::rendered(Exit::BadInput, render(diagnostics, sources, talk.err));
    Rejection { failure, messages: report::json::common::messages(diagnostics, sources) }
}

/// What was read, for the report.
pub(crate) fn json_input(file: &Path, args: &SourceArgs) -> Input {
    let is_stdin = file == Path::new("-");
    Input {
        file: if is_stdin { input::STDIN_NAME.to_owned() } else { file.display().to_string() },
        language: args
            .language
            .or_else(|| recognise(front_ends(), file, &[]))
            .map_or("", |front| front.name)
            .to_owned(),
        dialect: args.options.word("dialect").unwrap_or("standard").to_owned(),
        entry: args.options.word("entry").map(str::to_owned),
    }
}

/// The result line of work that a limit ended.
pub(crate) fn undecided(reason: StopReason) -> Product {
    let word = report::json::common::Reason::from(reason).word();
    Product::text(Exit::from(reason), format!("stopped: {reason}\nresult: unknown ({word})\n"))
}

/// Evidence that is refused: the result line for scripts, the reason for people.
pub(crate) fn refusal(failure: &Failure, text: &str, talk: &Talk) -> Product {
    let why = render_message(Severity::Error, failure.code, &failure.message, failure.help.as_deref(), talk.err);
    Product { talk: format!("{why}\n"), ..Product::text(failure.exit, text) }
}

/// How to solve, as the driver wants to know it.
pub(crate) fn options(args: &SolveArgs, certificate: bool) -> Result<Options, Failure> {
    let passes = match args.passes.as_slice() {
        [only] if only == "all" => None,
        [only] if only == "none" => Some(Vec::new()),
        names => Some(names.to_vec()),
    };
    let validate = !args.no_validate;
    let certificate = certificate || validate;
    let algorithm = args.algorithm.as_deref().map(|named| algorithm(named, &args.calculus)).transpose()?;
    if let Some(option) = args.calculus.given().filter(|_| algorithm.is_none()) {
        return Err(Failure::usage(format!("`{option}` has no meaning without `--algorithm`")));
    }
    one_bound(bound(args), &args.calculus)?;
    let engine = engine(args)?;
    let SolveArgs { increase, max_threads, sequentialize, .. } = *args;
    let bound = bound(args);
    Ok(Options { engine, algorithm, bound, increase, max_threads, sequentialize, passes, certificate, validate })
}

/// The engine that the user names; how `network` splits is part of its name.
fn engine(args: &SolveArgs) -> Result<Option<String>, Failure> {
    let Some(split) = args.split else { return Ok(args.engine.clone()) };
    let (split, word) = match split {
        SplitChoice::Eager => ("network-eager", "eager"),
        SplitChoice::Lazy => ("network", "lazy"),
    };
    match args.engine.as_deref() {
        None | Some("network") => Ok(Some(split.to_owned())),
        Some(engine) if engine == split => Ok(Some(split.to_owned())),
        Some(engine) => Err(Failure::usage(format!("`--split {word}` does not go with `--engine {engine}`"))
            .help("it is about the engine `network`")),
    }
}

/// A bound on threads is the parameter `k` of an algorithm, which then has no other value.
pub(crate) fn one_bound(bound: Option<Bound>, args: &CalculusArgs) -> Result<(), Failure> {
    if bound.is_some() && args.parameters.iter().any(|(name, _)| name == "k") {
        return Err(Failure::usage("the bound on threads is the parameter `k`: leave out `--param k=...`"));
    }
    Ok(())
}

/// An algorithm: a file if the name looks like one, else a built-in one.
pub(crate) fn algorithm(named: &str, args: &CalculusArgs) -> Result<Algorithm, Failure> {
    let path = Path::new(named);
    let is_file = named == "-" || path.extension().is_some() || path.components().count() > 1;
    let source = if is_file { Some(input::source(path)?) } else { None };
    let mut parameters = std::collections::BTreeMap::new();
    for (name, value) in &args.parameters {
        if parameters.insert(name.clone(), *value).is_some_and(|before| before != *value) {
            return Err(Failure::usage(format!("the parameter `{name}` is given two values")));
        }
    }
    let control = match args.control {
        ControlChoice::Explicit => Control::Explicit,
        ControlChoice::Symbolic => Control::Symbolic,
    };
    let name = source.as_ref().map_or(named, |source| source.name()).to_owned();
    let text = source.map(|source| source.text().to_owned());
    let CalculusArgs { literal, explain, profile, .. } = *args;
    Ok(Algorithm { name, text, parameters, control, literal, explain, profile })
}

/// How far threads are followed, as the user says.
pub(crate) fn bound(args: &SolveArgs) -> Option<Bound> {
    bound_of(args.switches, args.rounds)
}

/// The bound, if one of the two is given.
pub(crate) fn bound_of(switches: Option<u32>, rounds: Option<u32>) -> Option<Bound> {
    switches.map(Bound::Switches).or(rounds.map(Bound::Rounds))
}

/// Results must not overwrite the input or each other, and at most one goes to the standard output.
pub(crate) fn distinct(input: &Path, results: &[Option<&PathBuf>]) -> Result<(), Failure> {
    // A file that does not exist yet is the same as another only under the same name.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let results: Vec<&PathBuf> = results.iter().copied().flatten().collect();
    for (at, result) in results.iter().enumerate() {
        let is_stdout = result.as_path() == Path::new("-");
        if !is_stdout && real(result) == real(input) {
            return Err(Failure::usage(format!("`{}` would overwrite the input", result.display())));
        }
        if results[..at].iter().any(|other| real(other) == real(result)) {
            let name =
                if is_stdout { "`-`, the standard output".to_owned() } else { format!("`{}`", result.display()) };
            return Err(Failure::usage(format!("only one result can be written to {name}")));
        }
    }
    Ok(())
}

/// What the user chose to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    Engine,
    Algorithm,
    None,
}

impl Choice {
    /// As the command line says.
    pub(crate) fn of(args: &SolveArgs) -> Self {
        match (&args.engine, &args.algorithm) {
            (Some(_), _) => Self::Engine,
            (None, Some(_)) => Self::Algorithm,
            (None, None) => Self::None,
        }
    }
}

fn unsupported_message(who: &str, what: &Unsupported, chosen: Choice) -> String {
    match chosen {
        Choice::Engine => format!("the engine `{who}` does not support {what}"),
        Choice::Algorithm => format!("the algorithm `{who}` does not support {what}"),
        Choice::None => format!("no engine supports {what}"),
    }
}

/// What to do instead.
fn unsupported_help(what: &Unsupported, chosen: Choice) -> Option<&'static str> {
    match (what, chosen) {
        (Unsupported::SeveralThreads, Choice::Algorithm) => Some(
            "the algorithms for threads have a parameter `k`: `context-bounded` (--switches K), `round-robin` (--rounds K)",
        ),
        (Unsupported::SeveralThreads, Choice::Engine) => {
            Some("`network` and `explicit` follow threads; with `--sequentialize` and a bound this engine can as well")
        }
        (Unsupported::StartedThreads, Choice::Algorithm) => {
            Some("formulae speak of a fixed number of threads; take `--engine explicit`")
        }
        _ => None,
    }
}

/// Why the driver gave no answer.
pub(crate) fn check_failure(error: &CheckError, loaded: &Loaded, chosen: Choice, talk: &Talk) -> Rejection {
    match error {
        CheckError::Question(errors) => question_failure(errors, loaded, talk),
        CheckError::UnknownEngine(name, known) => unknown("engine", name, known).into(),
        CheckError::UnknownPass(name, known) => unknown("pass", name, known).into(),
        CheckError::UnknownAlgorithm(name, known) => {
            let failure = unknown("algorithm", name, known);
            let help = failure.help.clone().unwrap_or_default();
            failure.help(format!("{help}; a file of your own is given with its extension: `{name}.fp`")).into()
        }
        CheckError::Algorithm(source, diagnostics) => rejected(&source.clone().into(), diagnostics, talk),
        CheckError::OtherBound(algorithm, what) => {
            Failure::usage(format!("the algorithm `{algorithm}` is about a number of {what}")).into()
        }
        CheckError::BoundTooLarge(algorithm) => Failure::usage(format!(
            "the algorithm `{algorithm}` records values for every part of the bound, and for this bound they are too many"
        ))
        .help("give a smaller bound, or leave the algorithm out: the engine `network` needs no such record")
        .into(),
        CheckError::Unsupported(who, unsupported) => {
            let failure =
                Failure::new(Exit::Unsupported, "CL0009", unsupported_message(who, unsupported, chosen));
            match unsupported_help(unsupported, chosen) {
                Some(help) => failure.help(help).into(),
                None => failure.into(),
            }
        }
        CheckError::BoundNeeded(who) => {
            let message = match chosen {
                Choice::Engine => format!("the engine `{who}` follows threads up to a bound only, and none was given"),
                Choice::Algorithm => format!("the algorithm `{who}` follows threads up to a bound, and none was given"),
                Choice::None => "threads are followed up to a bound only, and none was given".to_owned(),
            };
            let failure = Failure::new(Exit::Usage, "CL0015", message);
            let how = match who.as_str() {
                "context-bounded" => "`--switches K` (context switches)",
                "round-robin" => "`--rounds K` (round-robin rounds)",
                _ => "`--switches K` (context switches) or `--rounds K` (round-robin rounds)",
            };
            failure.help(format!("say how far: {how}; `--increase` tries one bound after the other")).into()
        }
        CheckError::Unchecked(who) => {
            let failure = Failure::usage(format!("what `{who}` says about every statement would not be checked"));
            failure.help("`coverage` takes built-in algorithms; `cauldron solve` answers the queries of a file").into()
        }
        CheckError::WrongAlgorithm(who, what) => {
            let message = format!("the answer of the algorithm `{who}` does not check, so there is no answer: {what}");
            let failure = Failure::new(Exit::BadInput, "CL0017", message);
            failure.help("the equations of the file do not fit the program: `cauldron explain CL0017`").into()
        }
        CheckError::Evidence(what) => {
            let message = format!("the evidence did not check, so there is no answer: {what}");
            let failure = Failure::new(Exit::Internal, "CL0011", message);
            failure.help("this is a defect of Cauldron: please report it with the input and the command line").into()
        }
    }
}

fn unknown(what: &str, name: &str, known: &[&'static str]) -> Failure {
    let similar = driver::question::similar(name, known.iter().copied());
    let suggestion = did_you_mean(&similar).map(|help| format!("{help} ")).unwrap_or_default();
    let plural = if what == "pass" { "passes".to_owned() } else { format!("{what}s") };
    let failure = Failure::usage(format!("there is no {what} `{}`", abridged(name, 80)));
    failure.help(format!("{suggestion}The {plural} are: {}", known.join(", ")))
}

pub(crate) fn question_failure(errors: &[QuestionError], loaded: &Loaded, talk: &Talk) -> Rejection {
    let failures: Vec<Failure> = errors.iter().map(|error| question_error(error, loaded)).collect();
    let mut text = String::new();
    for failure in &failures {
        let help = failure.help.as_deref();
        text.push_str(&render_message(Severity::Error, failure.code, &failure.message, help, talk.err));
        text.push('\n');
    }
    let messages = failures.into_iter().flat_map(|failure| Rejection::from(failure).messages).collect();
    Rejection { failure: Failure::rendered(Exit::BadInput, text), messages }
}

fn question_error(error: &QuestionError, loaded: &Loaded) -> Failure {
    let (program, file) = (&loaded.program, loaded.sources.main_name());
    match error {
        QuestionError::UnknownLabel { label, similar } => {
            let message = format!("there is no label `{}` in `{file}`", abridged(label, 200));
            let failure = Failure::new(Exit::BadInput, "CL0007", message);
            failure.help(did_you_mean(similar).unwrap_or_else(|| known_labels(program)))
        }
        QuestionError::NothingToCheck => {
            let failure = Failure::new(Exit::BadInput, "CL0008", format!("there is nothing to check in `{file}`"));
            let labels = known_labels(program);
            failure.help(format!("the program has no assertion; name a label with `--reach LABEL`\n{labels}"))
        }
    }
}

/// Labels that are listed.
const MOST_LABELS: usize = 10;

fn known_labels(program: &Program) -> String {
    let all = program.locations.iter().flat_map(|location| &location.labels);
    let mut labels: Vec<&str> = all.map(String::as_str).take(1_000).collect();
    labels.sort_unstable();
    labels.dedup();
    if labels.is_empty() {
        return "the program has no labels".to_owned();
    }
    let more = if labels.len() > MOST_LABELS { ", ..." } else { "" };
    let listed: Vec<_> = labels.into_iter().take(MOST_LABELS).map(|label| abridged(label, 40)).collect();
    format!("its labels are: {}{more}", listed.join(", "))
}
