//! Signals, from the first line of `main` on.
//!
//! The first SIGINT or SIGTERM cancels the work, which ends with what is known so far; a later one ends the process at
//! once. Commands that only print or generate something have nothing to cancel, and end at the first one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use base::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::exit::Exit;

/// Signals that come so close together are one wish: `timeout` sends one to the process and one to its group.
const ONE_WISH: Duration = Duration::from_millis(500);

/// Waiting for signals takes no room.
const STACK: usize = 1 << 18;

/// Raised by the first signal.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::new);

/// Whether nobody looks at [`CANCEL`].
static IS_UNATTENDED: AtomicBool = AtomicBool::new(false);

/// Handles signals from now on.
pub(crate) fn listen() {
    // With a handler, whatever it does, a file that becomes too large is an error of writing and not the end.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    // Without a handler a signal ends the process without a result: worse, but no reason not to work.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let watch = move || {
        let mut first: Option<Instant> = None;
        for _ in signals.forever() {
            CANCEL.cancel();
            let at = *first.get_or_insert_with(Instant::now);
            if at.elapsed() > ONE_WISH || IS_UNATTENDED.load(Ordering::SeqCst) {
                end();
            }
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).stack_size(STACK).spawn(watch);
}

/// The flag that the first signal raises.
pub(crate) fn cancel() -> Cancel {
    CANCEL.clone()
}

/// Says that there is nothing to cancel: the first signal ends the process.
pub(crate) fn end_at_the_first() {
    IS_UNATTENDED.store(true, Ordering::SeqCst);
    if CANCEL.is_cancelled() {
        end();
    }
}

fn end() -> ! {
    signal_hook::low_level::exit(i32::from(Exit::Interrupted.code()))
}
