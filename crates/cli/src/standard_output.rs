//! Whether the standard output was closed when the process began.
//!
//! The runtime opens `/dev/null` in the place of a standard stream that is closed, before `main`. A result would then be
//! written to nowhere and the exit code would say that it arrived. So the look comes earlier.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// True if nobody can get what is written to the standard output.
pub(crate) fn is_closed() -> bool {
    IS_CLOSED.load(Ordering::SeqCst)
}

/// Lets the process that replaces this one find the standard output as this one found it.
#[cfg(target_os = "linux")]
pub(crate) fn hand_over() {
    if is_closed() {
        // If this fails, what is printed goes to `/dev/null`.
        let _ = rustix::io::fcntl_setfd(std::io::stdout(), rustix::io::FdFlags::CLOEXEC);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn hand_over() {}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let is_closed = rustix::io::fcntl_getfd(std::io::stdout()).is_err();
    IS_CLOSED.store(is_closed, Ordering::SeqCst);
}

/// The loader calls what is listed in this section, before the runtime begins. [`look`] takes no argument that it could
/// misread, and needs nothing of the runtime: it asks the system about one descriptor.
#[cfg(target_os = "linux")]
#[used]
#[expect(unsafe_code, reason = "no safe code runs before the runtime has replaced closed streams")]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
