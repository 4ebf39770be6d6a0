//! How long it takes to read a pushdown system or a Remopla program: `cargo run --release --example time FILE.pds`.

#![allow(clippy::print_stdout, reason = "an example")]

use std::time::Instant;

fn main() -> std::io::Result<()> {
    for file in std::env::args().skip(1) {
        let source = base::Source::new(file.as_str(), std::fs::read_to_string(&file)?);
        let read = if file.ends_with(".rem") { front_pds::read_remopla } else { front_pds::read_pds };
        let start = Instant::now();
        let (lowered, diagnostics) = read(&source, &front_pds::Options::default());
        let took = start.elapsed();
        let edges = lowered.as_ref().map(|lowered| lowered.program.edges.len());
        println!("{file}: {took:?}, {edges:?} edges, {} messages", diagnostics.len());
        std::mem::forget(lowered);
    }
    Ok(())
}
