#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mucke::fuzz::mucke(bytes));
