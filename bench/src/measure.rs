//! Runs a command and says what it cost: user time, wall-clock time, most memory.

use std::io::{Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use wait4::Wait4;

/// What a run cost and what it said.
pub(crate) struct Measurement {
    /// User time of the process and its children.
    pub(crate) user: Duration,
    pub(crate) wall: Duration,
    /// Most resident memory of the process or one of its children.
    pub(crate) bytes: u64,
    /// None: ended by a signal.
    pub(crate) exit_code: Option<i32>,
    /// The time limit was reached.
    pub(crate) timed_out: bool,
    /// Standard output and standard error.
    pub(crate) output: String,
}

/// Runs the command in a process group of its own, which is killed at the time limit.
///
/// A process that is about to run another program counts with the memory of its parent, so this process stays small:
/// it never reads a program itself.
pub(crate) fn measure(command: &mut Command, limit: Duration) -> std::io::Result<Measurement> {
    let mut file = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file.try_clone()?).process_group(0);
    let started = Instant::now();
    let mut child = command.spawn()?;
    let (done, wait_for_done) = mpsc::channel::<()>();
    let group = Pid::from_child(&child);
    let watch = std::thread::spawn(move || {
        let timed_out = wait_for_done.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        // The group may have ended in this moment; then there is nothing to kill.
        timed_out && kill_process_group(group, Signal::KILL).is_ok()
    });
    let used = child.wait4()?;
    let wall = started.elapsed();
    drop(done);
    let timed_out = watch.join().unwrap_or(false);
    let mut output = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut output)?;
    Ok(Measurement {
        user: used.rusage.utime,
        wall,
        bytes: used.rusage.maxrss,
        exit_code: used.status.code(),
        timed_out,
        output: String::from_utf8_lossy(&output).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_exit_code() {
        let run = measure(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 7"]), Duration::from_secs(20));
        let run = run.unwrap();
        assert_eq!((run.exit_code, run.timed_out), (Some(7), false));
        assert!(run.output.contains("out") && run.output.contains("err") && run.bytes > 100_000);
    }

    #[test]
    fn what_runs_too_long_is_killed_with_its_children() {
        let run = measure(Command::new("sh").args(["-c", "sleep 60 & wait"]), Duration::from_millis(100)).unwrap();
        assert!(run.timed_out && run.exit_code.is_none() && run.wall < Duration::from_secs(30));
    }
}
