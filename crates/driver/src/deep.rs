//! Work on a thread with a deep stack, with panics as values.
//!
//! Programs, expressions and diagrams nest as deeply as their authors like, and recursion over them needs room.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// The stack is address space, not memory; where even that is scarce, smaller stacks do for ordinary programs.
const STACK_SIZES: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// The work has panicked. What it said went to the panic hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Panicked;

/// Starts work on a thread with a deep stack: the largest one that the system grants, of at most `most` bytes unless that is
/// less than the smallest. The result comes through the channel.
pub fn spawn<T: Send + 'static>(
    most: u64,
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<Receiver<Result<T, Panicked>>> {
    let (sender, receiver) = sync_channel(1);
    let body = move || {
        let outcome = catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked);
        // The receiver is gone only when nobody waits for the result any more.
        let _ = sender.send(outcome);
    };
    // `Builder::spawn` takes the closure even when it fails; the cell lets the next size try again.
    let body = Arc::new(Mutex::new(Some(body)));
    let smallest = STACK_SIZES[STACK_SIZES.len() - 1];
    let mut refused = None;
    for size in STACK_SIZES.into_iter().filter(|size| *size as u64 <= most || *size == smallest) {
        let body = Arc::clone(&body);
        let run = move || {
            let body = body.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(body) = body {
                body();
            }
        };
        match std::thread::Builder::new().name("work".into()).stack_size(size).spawn(run) {
            Ok(_) => return Ok(receiver),
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.unwrap_or_else(|| std::io::ErrorKind::OutOfMemory.into()))
}

/// Runs work on a thread with a deep stack to its end.
pub fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::io::Result<Result<T, Panicked>> {
    let receiver = spawn(u64::MAX, work)?;
    Ok(receiver.recv().unwrap_or(Err(Panicked)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_recursion_has_room() {
        fn deep(n: u32) -> u32 {
            let room = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { 1 + deep(n - 1).min(u32::MAX - room[0]) }
        }
        assert_eq!(run(|| deep(200_000)).unwrap(), Ok(200_000));
    }

    #[test]
    fn a_panic_is_a_value() {
        assert_eq!(run(|| assert!(std::hint::black_box(false), "on purpose")).unwrap(), Err(Panicked));
    }
}
