//! What the system says about memory, where it says anything.

/// Most memory of this process that was resident at once; else what is resident now.
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    kilobytes(&status, "VmHWM:").or_else(base::budget::resident_bytes)
}

/// Memory that this process could use without pushing others out.
pub(crate) fn available() -> Option<u64> {
    let system = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let system = kilobytes(&system, "MemAvailable:");
    // A container may have less than the machine.
    let number = |file: &str| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let limit = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    let container = limit.map(|limit| limit.saturating_sub(used));
    system.into_iter().chain(container).min()
}

/// Memory that can be promised under the limit on this process's address space (`ulimit -v`), if there is one. Stacks and
/// tables reserve more of that than they ever use: some of it in any case, and what is promised twice.
pub(crate) fn promised() -> Option<u64> {
    let limit = address_space()?;
    Some((limit.saturating_sub(5 << 29) / 2).max(limit / 16))
}

/// The limit on the address space, if there is one.
pub(crate) fn address_space() -> Option<u64> {
    max_address_space(&std::fs::read_to_string("/proc/self/limits").unwrap_or_default())
}

/// How large the stacks are of threads that the library of decision diagrams keeps, and hardly uses; it reads that from the
/// environment, and takes a gigabyte for each where it finds nothing.
const LIBRARY_STACK: (&str, &str) = ("OXIDD_STACK_SIZE", "16777216");

/// Where the address space is limited, replaces this process by one that reserves less of it.
pub(crate) fn begin_anew_if_scarce() {
    let (name, bytes) = LIBRARY_STACK;
    // A signal that has come would be lost together with its handler.
    let is_cancelled = crate::signals::cancel().is_cancelled();
    if address_space().is_none() || std::env::var_os(name).is_some() || is_cancelled {
        return;
    }
    crate::standard_output::hand_over();
    #[cfg(unix)]
    if let Ok(program) = std::env::current_exe() {
        use std::os::unix::process::CommandExt as _;
        let mut arguments = std::env::args_os();
        let own_name = arguments.next().unwrap_or_else(|| program.clone().into());
        // It returns only if that is not possible; then this process does what it can.
        let _ = std::process::Command::new(program).arg0(own_name).args(arguments).env(name, bytes).exec();
    }
}

fn max_address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The number of bytes on the line that begins with `name`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(number.saturating_mul(1_024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text = "VmPeak:\t  10 kB\nVmHWM:\t  2048 kB\n";
        assert_eq!(kilobytes(text, "VmHWM:"), Some(2 << 20));
        assert_eq!(kilobytes(text, "VmRSS:"), None);
        assert_eq!(kilobytes("VmHWM: many", "VmHWM:"), None);
    }

    #[test]
    fn a_limit_on_the_address_space_is_read() {
        let line =
            |soft: &str| format!("Max file size  unlimited  unlimited  bytes\nMax address space  {soft}  9  bytes\n");
        assert_eq!(max_address_space(&line("6144000000")), Some(6_144_000_000));
        assert_eq!(max_address_space(&line("unlimited")), None);
    }

    #[test]
    fn this_process_has_a_peak() {
        assert!(peak().is_some_and(|bytes| bytes > 100_000));
    }
}
