//! The cross-checker: every engine and every algorithm, with and without passes, against the others on random programs.
//!
//! Each program is asked about all of its assertions and labels. All settings have to agree on every target that they
//! decide, every trace has to replay and every certificate to validate. What does not is shrunk and reported. The
//! report depends on the options alone, not on the number of threads, as long as no time limit is hit.
//!
//! Modules in reading order:
//! - `setting`: with which engines and passes a program is checked;
//! - `examine`: one program, all settings;
//! - [`temporal`]: temporal properties.

mod examine;
mod setting;
pub mod temporal;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{Budget, Cancel};
use program::Bound;

use crate::generate::{Family, RandomOptions, generate};
use crate::shrink::{ShrinkOptions, shrink};
use examine::{Examination, How, examine};
use setting::Setting;

/// What to compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossOptions {
    /// How many programs.
    pub programs: u64,
    /// Program `i` is the random program of this number plus `i`.
    pub seed: u64,
    /// The sizes of the programs; the seed in here is not used.
    pub sizes: RandomOptions,
    /// How far several threads are followed at most; every program has a bound of its own up to this one.
    pub bound: Bound,
    /// Programs that are examined at the same time; zero: as many as there are processors.
    pub jobs: usize,
    /// Limit on the steps of each check. An engine that stops there has not disagreed.
    pub max_steps: u64,
    /// Whether programs that show a disagreement are made small.
    pub shrink: bool,
}

impl Default for CrossOptions {
    fn default() -> Self {
        Self {
            programs: 1_000,
            seed: 1,
            sizes: RandomOptions::default(),
            bound: Bound::Switches(4),
            jobs: 0,
            max_steps: 1_000_000,
            shrink: true,
        }
    }
}

impl CrossOptions {
    /// For programs with so many threads. Few of their searches are long, and those are not worth the time.
    #[must_use]
    pub fn with_threads(threads: u32) -> Self {
        let max_steps = if threads > 1 { 100_000 } else { Self::default().max_steps };
        Self { sizes: RandomOptions::with_threads(threads), max_steps, ..Self::default() }
    }
}

/// How far the comparison is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CrossProgress {
    /// Programs that have been examined.
    pub programs: u64,
    /// Programs in all.
    pub of: u64,
    /// Programs with a disagreement so far.
    pub disagreements: u64,
}

/// What the comparison found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrossReport {
    /// Programs examined.
    pub programs: u64,
    /// Programs in which an assertion is violated.
    pub violated: u64,
    /// Assertions and labels that were asked about.
    pub targets: u64,
    /// Those of them that are reached.
    pub reached: u64,
    /// Those of them that the oracle left undecided, at a limit: nobody is compared with it there.
    pub undecided: u64,
    /// Checks run: programs times settings.
    pub checks: u64,
    /// Traces replayed.
    pub traces: u64,
    /// Certificates validated.
    pub certificates: u64,
    /// Per engine or algorithm, checks that ended at a limit.
    pub unknown: BTreeMap<String, u64>,
    /// Per algorithm, checks of programs that it is not made for.
    pub unsupported: BTreeMap<String, u64>,
    /// Programs on which something differed, in order of their seeds. After [`MAX_DISAGREEMENTS`] the comparison ends.
    pub disagreements: Vec<Disagreement>,
    /// Whether it was cancelled before all programs were examined.
    pub cancelled: bool,
}

/// A program on which something differed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The seed of the program.
    pub seed: u64,
    /// What differs, one line each.
    pub differences: Vec<String>,
    /// The program as generated.
    pub text: String,
    /// A smaller program with a difference of the same kind, if one was looked for.
    pub shrunk: Option<String>,
    /// How many programs were tried while shrinking.
    pub tests: u64,
}

/// The comparison ends when it has found so many programs with a disagreement.
pub const MAX_DISAGREEMENTS: usize = 10;

/// Programs between two looks at whether to go on; independent of the number of threads.
const BATCH: u64 = 256;

/// Nobody waits longer for the shrinking of one program.
const MAX_SHRINK_TESTS: u64 = 20_000;

/// Syntax trees are walked recursively.
const STACK_BYTES: usize = 256 << 20;

/// Compares. `progress` is called from several threads, after every program.
pub fn cross(options: &CrossOptions, cancel: &Cancel, progress: &(dyn Fn(&CrossProgress) + Sync)) -> CrossReport {
    let mut report = CrossReport::default();
    let mut next = 0;
    while next < options.programs && report.disagreements.len() < MAX_DISAGREEMENTS {
        let end = options.programs.min(next + BATCH);
        let reporter = Reporter { progress, of: options.programs, done: AtomicU64::new(next), report: &report };
        let examined = batch(options, cancel, next..end, &reporter);
        report.cancelled = examined.len() < (end - next) as usize;
        for (seed, examination) in examined {
            report.add(options, cancel, seed, &examination);
        }
        if report.cancelled {
            break;
        }
        next = end;
    }
    report
}

/// Tells about progress from several threads.
struct Reporter<'a> {
    progress: &'a (dyn Fn(&CrossProgress) + Sync),
    of: u64,
    done: AtomicU64,
    report: &'a CrossReport,
}

impl Reporter<'_> {
    fn one_more(&self) {
        let programs = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let disagreements = self.report.disagreements.len() as u64;
        (self.progress)(&CrossProgress { programs, of: self.of, disagreements });
    }
}

/// Examines some programs on several threads; in order of their seeds, without those that were cancelled.
fn batch(
    options: &CrossOptions,
    cancel: &Cancel,
    range: std::ops::Range<u64>,
    reporter: &Reporter<'_>,
) -> Vec<(u64, Examination)> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let n_threads = if options.jobs == 0 { cores } else { options.jobs };
    let next = AtomicU64::new(range.start);
    let work = || {
        let mut examined = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= range.end || cancel.is_cancelled() {
                return examined;
            }
            let seed = options.seed.wrapping_add(i);
            let examination = examine(&text(options, seed), &how(options, seed), cancel);
            if !cancel.is_cancelled() {
                examined.push((i, (seed, examination)));
                reporter.one_more();
            }
        }
    };
    let mut examined = std::thread::scope(|scope| {
        let thread = || std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok();
        let threads: Vec<_> = (0..n_threads).filter_map(|_| thread()).collect();
        assert!(!threads.is_empty(), "the system lets the process start a thread");
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    examined.sort_by_key(|(i, _)| *i);
    examined.into_iter().map(|(_, examined)| examined).collect()
}

/// How the program of a seed is examined. The bounds take turns.
fn how(options: &CrossOptions, seed: u64) -> How {
    let up_to = |low: u32, high: u32| low + (seed % (u64::from(high.saturating_sub(low)) + 1)) as u32;
    let is_concurrent = options.sizes.threads > 1;
    let is_rounds = matches!(options.bound, Bound::Rounds(_));
    let bound = match options.bound {
        Bound::Switches(most) => Bound::Switches(up_to(0, most)),
        Bound::Rounds(most) => Bound::Rounds(up_to(1, most)),
    };
    let mut settings = if is_concurrent { Setting::for_threads(seed, is_rounds) } else { Setting::for_seed(seed) };
    // Copies of the shared variables for many rounds cost minutes, and for two of them seconds.
    let (Bound::Switches(most) | Bound::Rounds(most)) = bound;
    let is_small = most <= 1 + u32::from(seed.is_multiple_of(8));
    settings.retain(|setting| is_small || !setting.how.is_sequentialized());
    How { settings, bound: Some(bound).filter(|_| is_concurrent), max_steps: options.max_steps }
}

fn text(options: &CrossOptions, seed: u64) -> String {
    // Every third program with threads starts further ones.
    let spawns = options.sizes.threads > 1 && seed.is_multiple_of(3);
    generate(&Family::Random(RandomOptions { seed, spawns, ..options.sizes.clone() }))
}

impl CrossReport {
    fn add(&mut self, options: &CrossOptions, cancel: &Cancel, seed: u64, examination: &Examination) {
        self.programs += 1;
        self.violated += u64::from(examination.violated);
        self.targets += examination.targets;
        self.reached += examination.reached;
        self.undecided += examination.undecided;
        self.checks += examination.checks;
        self.traces += examination.traces;
        self.certificates += examination.certificates;
        for engine in &examination.unknown {
            *self.unknown.entry(engine.clone()).or_default() += 1;
        }
        for algorithm in &examination.unsupported {
            *self.unsupported.entry(algorithm.clone()).or_default() += 1;
        }
        if !examination.differences.is_empty() && self.disagreements.len() < MAX_DISAGREEMENTS {
            self.disagreements.push(disagreement(options, cancel, seed, examination));
        }
    }
}

fn disagreement(options: &CrossOptions, cancel: &Cancel, seed: u64, examination: &Examination) -> Disagreement {
    let text = text(options, seed);
    let how = how(options, seed);
    let kind = examination.differences.first().map(|difference| difference.kind);
    let mut same_kind = |candidate: &str| {
        let examination = examine(candidate, &how, cancel);
        examination.differences.first().map(|difference| difference.kind) == kind
    };
    let shrink_options = ShrinkOptions { max_tests: Some(MAX_SHRINK_TESTS), ..ShrinkOptions::default() };
    let budget = Budget::unlimited().with_cancel(cancel.clone());
    let shrunk = if options.shrink { shrink(&text, &shrink_options, &budget, &mut same_kind).ok() } else { None };
    Disagreement {
        seed,
        differences: examination.differences.iter().map(ToString::to_string).collect(),
        text,
        tests: shrunk.as_ref().map_or(0, |shrunk| shrunk.tests),
        shrunk: shrunk.map(|shrunk| shrunk.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(programs: u64, jobs: usize) -> CrossReport {
        cross(&CrossOptions { programs, jobs, ..CrossOptions::default() }, &Cancel::new(), &|_| {})
    }

    #[test]
    fn engines_agree_on_random_programs() {
        let report = run(500, 0);
        assert_eq!(report.disagreements, []);
        assert_eq!((report.programs, report.checks, report.cancelled), (500, 7_000, false));
        let unsupported: u64 = report.unsupported.values().sum();
        assert!(unsupported < 250, "most programs are for all algorithms: {:?}", report.unsupported);
        assert!(report.unknown.is_empty(), "random programs are small: {:?}", report.unknown);
        assert!((150..350).contains(&report.violated), "about half are violated: {}", report.violated);
    }

    #[test]
    fn engines_agree_on_random_concurrent_programs() {
        for (threads, bound) in [(2, Bound::Switches(4)), (3, Bound::Switches(3)), (2, Bound::Rounds(3))] {
            let options = CrossOptions { programs: 40, bound, ..CrossOptions::with_threads(threads) };
            let report = cross(&options, &Cancel::new(), &|_| {});
            assert_eq!(report.disagreements, []);
            assert_eq!(report.programs, 40);
            assert!(report.violated >= 8, "some are violated: {}", report.violated);
            assert!(
                report.undecided * 6 < report.targets,
                "few of {} are left out: {}",
                report.targets,
                report.undecided
            );
        }
    }

    #[test]
    fn the_report_does_not_depend_on_jobs() {
        assert_eq!(run(30, 1), run(30, 3));
    }

    #[test]
    fn limits_are_not_disagreements() {
        let options = CrossOptions { programs: 20, max_steps: 3, ..CrossOptions::default() };
        let report = cross(&options, &Cancel::new(), &|_| {});
        assert_eq!(report.disagreements, []);
        assert!(report.unknown.contains_key("explicit") && report.unknown.contains_key("summary"));
    }

    #[test]
    fn cancelling_ends_it() {
        let cancel = Cancel::new();
        let stop_after = |progress: &CrossProgress| {
            if progress.programs == 5 {
                cancel.cancel();
            }
        };
        let options = CrossOptions { programs: 1_000_000, jobs: 1, ..CrossOptions::default() };
        let report = cross(&options, &cancel, &stop_after);
        assert_eq!((report.programs, report.cancelled), (5, true));
    }
}
