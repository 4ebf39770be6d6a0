#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| workbench::fuzz::question(bytes));
