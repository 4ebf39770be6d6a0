#![no_main]

#[path = "../checks/trace.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::trace(bytes));
