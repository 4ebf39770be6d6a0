//! Limits on time, memory and steps, checked in every loop that can run long.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why work stopped before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The limit on steps was reached.
    Steps,
    /// Calls are nested more deeply than was explored.
    Depth,
    /// More threads are started than were explored.
    Threads,
    /// Equations of an algorithm come back to earlier values and never settle.
    Oscillates,
    /// The automaton of a property becomes larger than any that could be worked with.
    Automaton,
    /// The user asked to stop.
    Cancelled,
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Time => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
            Self::Steps => "the step limit was reached",
            Self::Depth => "calls nest more deeply than the limit on depth",
            Self::Threads => "more threads are started than the limit on threads",
            Self::Oscillates => "the algorithm's equations do not settle",
            Self::Automaton => "the automaton of the property becomes too large",
            Self::Cancelled => "it was cancelled",
        })
    }
}

/// A flag that another thread or a signal raises to stop the work.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once the flag is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for code that must look at it in its innermost loop or set it from a signal.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// The limits of one piece of work. `check` is cheap enough for inner loops.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    max_steps: Option<u64>,
    max_depth: Option<u32>,
    jobs: usize,
    steps: Cell<u64>,
    until_memory_check: Cell<u32>,
    cancel: Cancel,
    interrupt: Cancel,
}

/// Resident memory is read from the system, so only once in so many checks.
const CHECKS_PER_MEMORY_CHECK: u32 = 256;

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Budget {
    /// No limits; time starts now.
    #[must_use]
    pub fn unlimited() -> Self {
        Self {
            started: Instant::now(),
            time: None,
            memory: None,
            max_steps: None,
            max_depth: None,
            jobs: 1,
            steps: Cell::new(0),
            until_memory_check: Cell::new(0),
            cancel: Cancel::new(),
            interrupt: Cancel::new(),
        }
    }

    /// Limits the time from the start of this budget.
    #[must_use]
    pub fn with_time(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    /// Limits the resident memory of the process, in bytes.
    #[must_use]
    pub fn with_memory(mut self, bytes: Option<u64>) -> Self {
        self.memory = bytes;
        self
    }

    /// Limits the number of steps: a limit that does not depend on the machine.
    #[must_use]
    pub fn with_max_steps(mut self, max_steps: Option<u64>) -> Self {
        self.max_steps = max_steps;
        self
    }

    /// Limits the frames of a stack, for engines that keep stacks as they are. Those that summarise calls have no use
    /// for it. None: the engine's own choice.
    #[must_use]
    pub fn with_max_depth(mut self, max_depth: Option<u32>) -> Self {
        self.max_depth = max_depth;
        self
    }

    /// Lets work that can be done in parallel use so many threads of the machine. The outcome does not depend on it.
    #[must_use]
    pub fn with_jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Uses the given flag for cancellation by the user.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// The flag raised by the user.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The flag that stops a single long operation: raised by [`Watch`] at the time limit or on cancellation.
    #[must_use]
    pub fn interrupt(&self) -> &Cancel {
        &self.interrupt
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time limit.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The memory limit in bytes.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The limit on the frames of a stack.
    #[must_use]
    pub fn max_depth(&self) -> Option<u32> {
        self.max_depth
    }

    /// The threads of the machine that may be used.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Steps counted so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// A budget with the same limits and at most `steps` further steps, for an attempt that may be given up.
    #[must_use]
    pub fn allowance(&self, steps: u64) -> Self {
        let most = self.steps().saturating_add(steps);
        self.clone().with_max_steps(Some(self.max_steps.map_or(most, |max| max.min(most))))
    }

    /// Counts the steps of an attempt that had an [`Self::allowance`] of this budget.
    pub fn charge(&self, attempt: &Self) {
        self.steps.set(self.steps().max(attempt.steps()));
    }

    /// Counts one step and checks every limit.
    pub fn step(&self) -> Result<(), StopReason> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if self.max_steps.is_some_and(|max| steps > max) {
            return Err(StopReason::Steps);
        }
        self.check()
    }

    /// Checks every limit but the number of steps.
    pub fn check(&self) -> Result<(), StopReason> {
        if self.cancel.is_cancelled() {
            return Err(StopReason::Cancelled);
        }
        if self.time.is_some_and(|time| self.started.elapsed() >= time) {
            return Err(StopReason::Time);
        }
        self.check_memory()
    }

    /// Why an operation that saw the interrupt flag was stopped.
    #[must_use]
    pub fn interruption(&self) -> StopReason {
        if self.cancel.is_cancelled() { StopReason::Cancelled } else { StopReason::Time }
    }

    fn check_memory(&self) -> Result<(), StopReason> {
        let Some(limit) = self.memory else { return Ok(()) };
        let left = self.until_memory_check.get();
        if left > 0 {
            self.until_memory_check.set(left - 1);
            return Ok(());
        }
        self.until_memory_check.set(CHECKS_PER_MEMORY_CHECK);
        if resident_bytes().is_some_and(|bytes| bytes > limit) {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    /// Starts a thread that raises [`Self::interrupt`] at the time limit or on cancellation, until the watch is dropped.
    #[must_use]
    pub fn watch(&self) -> Watch {
        Watch::start(self.started, self.time, self.cancel.clone(), self.interrupt.clone())
    }
}

/// Resident memory of this process, where the system tells.
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}

/// A number of bytes for people.
#[must_use]
pub fn show_bytes(bytes: u64) -> String {
    let number = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.0} kB", number / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", number / 1e6),
        _ => format!("{:.1} GB", number / 1e9),
    }
}

/// Watches a budget from a thread of its own, so that one long operation cannot outlive the limit.
#[derive(Debug)]
pub struct Watch {
    done: Cancel,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// How often the watch looks; also how late an interruption may be.
const WATCH_INTERVAL: Duration = Duration::from_millis(20);

impl Watch {
    fn start(started: Instant, time: Option<Duration>, cancel: Cancel, interrupt: Cancel) -> Self {
        let done = Cancel::new();
        let finished = done.clone();
        let look = move || {
            while !finished.is_cancelled() {
                if cancel.is_cancelled() || time.is_some_and(|time| started.elapsed() >= time) {
                    interrupt.cancel();
                    return;
                }
                std::thread::park_timeout(WATCH_INTERVAL);
            }
        };
        let thread = std::thread::Builder::new().name("watch".into()).spawn(look).ok();
        Self { done, thread }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.cancel();
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The watch thread does not panic; nothing is lost if it did.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_and_limited() {
        let budget = Budget::unlimited().with_max_steps(Some(2));
        assert_eq!([budget.step(), budget.step(), budget.step()], [Ok(()), Ok(()), Err(StopReason::Steps)]);
    }

    #[test]
    fn an_attempt_is_limited_and_charged() {
        let budget = Budget::unlimited().with_max_steps(Some(3));
        let attempt = budget.allowance(1);
        assert_eq!([attempt.step(), attempt.step()], [Ok(()), Err(StopReason::Steps)]);
        budget.charge(&attempt);
        assert_eq!(budget.steps(), 2);
        let attempt = budget.allowance(100);
        assert_eq!([attempt.step(), attempt.step()], [Ok(()), Err(StopReason::Steps)]);
    }

    #[test]
    fn cancellation_wins_over_time() {
        let budget = Budget::unlimited().with_time(Some(Duration::ZERO));
        assert_eq!(budget.check(), Err(StopReason::Time));
        budget.cancel().cancel();
        assert_eq!(budget.check(), Err(StopReason::Cancelled));
    }

    #[test]
    fn the_watch_raises_the_interrupt_at_the_limit() {
        let budget = Budget::unlimited().with_time(Some(Duration::from_millis(1)));
        let _watch = budget.watch();
        while !budget.interrupt().is_cancelled() {
            std::thread::yield_now();
        }
        assert_eq!(budget.interruption(), StopReason::Time);
    }

    #[test]
    fn memory_is_limited() {
        let budget = Budget::unlimited().with_memory(Some(1));
        assert_eq!(budget.check(), Err(StopReason::Memory));
    }

    #[test]
    fn bytes_are_shown_in_short() {
        let shown = [12, 45_000, 210_000_000, 4_000_000_000].map(show_bytes);
        assert_eq!(shown, ["12 B", "45 kB", "210 MB", "4.0 GB"]);
    }
}
