//! Work on a thread with a deep stack, watched from the main thread: progress, signals, limits, panics.
//!
//! The work looks at its budget by itself. The watch here is the second line of defence: work that does not react (a
//! parser, one long operation) is left behind, and the process ends with what is known without it.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use base::{Budget, Cancel, StopReason};
use driver::deep::Panicked;

use crate::progress::{Display, Status};

/// How often the main thread looks.
const LOOK: Duration = Duration::from_millis(10);

/// How the work ended.
#[derive(Debug)]
pub(crate) enum Ended<T> {
    /// With a result.
    Done(T),
    /// By a panic.
    Panicked,
    /// It did not stop at a limit and was left behind.
    Overdue(StopReason),
}

/// The limits that the watch enforces.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Time from `started`.
    pub(crate) time: Option<Duration>,
    /// Resident memory in bytes.
    pub(crate) memory: Option<u64>,
    /// Steps.
    pub(crate) steps: Option<u64>,
    /// Frames of a stack.
    pub(crate) depth: Option<u32>,
    /// Raised by a signal.
    pub(crate) cancel: Cancel,
    /// When the clock started.
    pub(crate) started: Instant,
    /// Resident memory in bytes at which the work is left behind in any case.
    ceiling: Option<u64>,
}

impl Limits {
    /// Limits that start now and react to signals.
    pub(crate) fn start(time: Option<Duration>, memory: Option<u64>, steps: Option<u64>, depth: Option<u32>) -> Self {
        let cancel = crate::signals::cancel();
        // What the system would refuse is a limit as well: better to stop than to be refused.
        let memory = memory.into_iter().chain(crate::memory::promised()).min();
        let ceiling = match memory {
            // With some patience, because the work's own answer is better.
            Some(memory) => Some(memory.saturating_add(memory / 25)),
            // Without a limit the system's memory is one: better to stop than to be stopped.
            None => crate::memory::available().map(|bytes| bytes / 100 * 95),
        };
        Self { time, memory, steps, depth, cancel, started: Instant::now(), ceiling }
    }

    /// The same limits as a budget for the work.
    pub(crate) fn budget(&self) -> Budget {
        let left = self.time.map(|time| time.saturating_sub(self.started.elapsed()));
        Budget::unlimited()
            .with_time(left)
            .with_memory(self.memory)
            .with_max_steps(self.steps)
            .with_max_depth(self.depth)
            .with_cancel(self.cancel.clone())
    }

    /// The limit that the work has left behind, if any.
    fn overdue(&self, cancelled_at: Option<Instant>) -> Option<StopReason> {
        if let Some(time) = self.time {
            let patience = Duration::from_millis(800).max(time / 25);
            if self.started.elapsed() > time.saturating_add(patience) {
                return Some(StopReason::Time);
            }
        }
        if let Some(ceiling) = self.ceiling
            && base::budget::resident_bytes().is_some_and(|bytes| bytes > ceiling)
        {
            return Some(StopReason::Memory);
        }
        let patience = Duration::from_secs(2);
        cancelled_at.filter(|at| at.elapsed() > patience).map(|_| StopReason::Cancelled)
    }
}

/// Runs the work and waits for its end, or for the end of patience.
pub(crate) fn run<T: Send + 'static>(
    limits: &Limits,
    status: &Status,
    display: &mut Display,
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    // A large part of a limited address space is not for the stack.
    let most = crate::memory::address_space().map_or(u64::MAX, |limit| limit / 8);
    let Ok(receiver) = driver::deep::spawn(most, work) else { return Ended::Overdue(StopReason::Memory) };
    let mut cancelled_at = None;
    let ended = loop {
        match receiver.recv_timeout(LOOK) {
            Ok(Ok(result)) => break Ended::Done(result),
            Ok(Err(Panicked)) | Err(RecvTimeoutError::Disconnected) => break Ended::Panicked,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limits.cancel.is_cancelled() && cancelled_at.is_none() {
            cancelled_at = Some(Instant::now());
        }
        if let Some(reason) = limits.overdue(cancelled_at) {
            break Ended::Overdue(reason);
        }
        display.tick(status);
    };
    display.finish();
    ended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::ProgressChoice;
    use crate::talk::Talk;
    use report::Paint;

    fn display() -> Display {
        let progress = ProgressChoice::Never;
        Display::new(&Talk { out: Paint::PLAIN, err: Paint::PLAIN, quiet: true, verbose: false, progress }, None)
    }

    fn limits(time: Option<Duration>, memory: Option<u64>) -> Limits {
        Limits {
            time,
            memory,
            steps: None,
            depth: None,
            cancel: Cancel::new(),
            started: Instant::now(),
            ceiling: memory,
        }
    }

    #[test]
    fn work_that_ignores_its_limits_is_left_behind() {
        let stuck = || loop {
            std::thread::sleep(Duration::from_secs(1));
        };
        let timed = limits(Some(Duration::ZERO), None);
        let ended: Ended<()> = run(&timed, &Status::default(), &mut display(), stuck);
        assert!(matches!(ended, Ended::Overdue(StopReason::Time)));
        let small = limits(None, Some(1));
        let ended: Ended<()> = run(&small, &Status::default(), &mut display(), stuck);
        assert!(matches!(ended, Ended::Overdue(StopReason::Memory)));
    }

    #[test]
    fn a_panic_is_caught() {
        let ended: Ended<()> = run(&limits(None, None), &Status::default(), &mut display(), || panic!("on purpose"));
        assert!(matches!(ended, Ended::Panicked));
    }
}
