//! What long work shows while it runs.
//!
//! The worker only stores numbers ([`Status`] is its observer); the main thread looks at them a few times a second and
//! draws. So the work pays a handful of stores per report, however often it reports.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::{Observer, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::visible::grouped;

use crate::args::ProgressChoice;
use crate::quantity::show_duration;
use crate::talk::{Talk, say};

/// The numbers that the worker stores and the display reads.
#[derive(Debug, Default)]
pub(crate) struct Status {
    phase: Mutex<String>,
    steps: AtomicU64,
    procedures: AtomicU64,
    n_procedures: AtomicU64,
    nodes: AtomicU64,
}

impl Status {
    /// Names what is being done, for phases that do not report by themselves.
    pub(crate) fn enter(&self, phase: &str) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase.to_owned();
    }

    /// What is being done.
    pub(crate) fn phase(&self) -> String {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the numbers of a phase that counts something of its own.
    pub(crate) fn count(&self, done: u64, of: u64) {
        self.procedures.store(done, Relaxed);
        self.n_procedures.store(of, Relaxed);
    }
}

/// An observer that stores what it is told.
#[derive(Debug)]
pub(crate) struct Recorder {
    status: Arc<Status>,
    /// Spares the lock while the phase stays the same.
    phase: RefCell<String>,
}

impl Recorder {
    /// Stores into the given status.
    pub(crate) fn new(status: &Arc<Status>) -> Self {
        Self { status: Arc::clone(status), phase: RefCell::new(String::new()) }
    }
}

impl Observer for Recorder {
    fn progress(&self, progress: &Progress<'_>) {
        if *self.phase.borrow() != progress.phase {
            progress.phase.clone_into(&mut self.phase.borrow_mut());
            self.status.enter(progress.phase);
        }
        self.status.steps.store(progress.steps, Relaxed);
        self.status.nodes.store(progress.nodes, Relaxed);
        self.status.count(progress.procedures, progress.n_procedures);
    }
}

/// Nothing is shown before this: short work needs no words.
const PATIENCE: Duration = Duration::from_secs(1);

/// Draws the status in the way the user wants it.
pub(crate) struct Display {
    how: How,
    started: Instant,
    next: Duration,
    limit: Option<Duration>,
}

enum How {
    Silent,
    Line(ProgressBar),
    Plain,
    Json,
}

impl Display {
    /// A display that shows nothing yet.
    pub(crate) fn new(talk: &Talk, limit: Option<Duration>) -> Self {
        let how = match talk.progress {
            ProgressChoice::Auto if talk.quiet || !std::io::stderr().is_terminal() => How::Silent,
            ProgressChoice::Auto => How::Line(line()),
            ProgressChoice::Never => How::Silent,
            ProgressChoice::Plain => How::Plain,
            ProgressChoice::Json => How::Json,
        };
        Self { how, started: Instant::now(), next: PATIENCE, limit }
    }

    /// Shows the status if it is time to.
    pub(crate) fn tick(&mut self, status: &Status) {
        let elapsed = self.started.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + self.interval();
        match &self.how {
            How::Silent => {}
            How::Line(bar) => bar.set_message(self.describe(status, elapsed)),
            How::Plain => say(&format!("{}\n", self.describe(status, elapsed))),
            How::Json => say(&format!("{}\n", self.json(status, elapsed))),
        }
    }

    /// Removes the line.
    pub(crate) fn finish(&mut self) {
        if let How::Line(bar) = &self.how {
            bar.finish_and_clear();
        }
        self.how = How::Silent;
    }

    fn interval(&self) -> Duration {
        match self.how {
            How::Silent => Duration::MAX / 2,
            How::Line(_) => Duration::from_millis(100),
            How::Plain => Duration::from_secs(5),
            How::Json => Duration::from_millis(500),
        }
    }

    fn describe(&self, status: &Status, elapsed: Duration) -> String {
        let mut parts = vec![status.phase()];
        let (done, of) = (status.procedures.load(Relaxed), status.n_procedures.load(Relaxed));
        if done > 0 || of > 0 {
            let of = if of > 0 { format!(" of {}", grouped(of)) } else { String::new() };
            parts.push(format!("{}{of} {}", grouped(done), noun(&parts[0])));
        }
        let number = |count: &AtomicU64, noun: &str| {
            let count = count.load(Relaxed);
            (count > 0).then(|| format!("{} {noun}", grouped(count)))
        };
        parts.extend(number(&status.steps, "steps"));
        parts.extend(number(&status.nodes, "nodes"));
        parts.extend(base::budget::resident_bytes().map(base::budget::show_bytes));
        parts.push(match self.limit {
            Some(limit) => format!("{}, {} left", show_duration(elapsed), show_duration(limit.saturating_sub(elapsed))),
            None => show_duration(elapsed),
        });
        parts.join(" | ")
    }

    fn json(&self, status: &Status, elapsed: Duration) -> String {
        let left = self.limit.map(|limit| limit.saturating_sub(elapsed).as_secs_f64());
        let value = serde_json::json!({
            "phase": status.phase(),
            "steps": status.steps.load(Relaxed),
            "procedures": status.procedures.load(Relaxed),
            "procedures_total": status.n_procedures.load(Relaxed),
            "nodes": status.nodes.load(Relaxed),
            "memory_bytes": base::budget::resident_bytes(),
            "seconds": elapsed.as_secs_f64(),
            "seconds_left": left,
        });
        value.to_string()
    }
}

/// What a phase counts.
fn noun(phase: &str) -> &'static str {
    match phase {
        "cross" => "programs",
        "shrink" => "tests",
        _ => "procedures",
    }
}

fn line() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    // The template is a constant of ours; should it ever be wrong, the default style will do.
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_what_was_last_reported() {
        let status = Arc::new(Status::default());
        status.enter("read");
        let recorder = Recorder::new(&status);
        recorder.progress(&Progress { phase: "solve", steps: 1_234, procedures: 3, n_procedures: 10, nodes: 99 });
        let talk = Talk {
            out: report::Paint::PLAIN,
            err: report::Paint::PLAIN,
            quiet: false,
            verbose: false,
            progress: ProgressChoice::Plain,
        };
        let display = Display::new(&talk, Some(Duration::from_secs(10)));
        let text = display.describe(&status, Duration::from_secs(4));
        assert!(text.starts_with("solve | 3 of 10 procedures | 1,234 steps | 99 nodes | "), "{text}");
        assert!(text.ends_with(" | 4.0 s, 6.0 s left"), "{text}");
        let json: serde_json::Value = serde_json::from_str(&display.json(&status, Duration::from_secs(4))).unwrap();
        assert_eq!((&json["phase"], &json["seconds_left"]), (&"solve".into(), &6.0.into()));
    }
}
