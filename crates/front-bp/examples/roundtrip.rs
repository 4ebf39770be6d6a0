//! Reads Boolean programs and checks that their canonical text means the same: `roundtrip [--getafix] FILE...`

use std::process::ExitCode;

use base::Source;
use front_bp::{Dialect, Lowered, Options, format, lower, parse};

/// Deep nesting needs a deep stack.
const STACK_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    let check = || {
        let mut arguments: Vec<String> = std::env::args().skip(1).collect();
        let getafix = arguments.iter().any(|argument| argument == "--getafix");
        arguments.retain(|argument| argument != "--getafix");
        let dialect = if getafix { Dialect::Getafix } else { Dialect::Standard };
        let options = Options { dialect, ..Options::default() };
        arguments.iter().filter(|path| !check_file(path, &options)).count()
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(check);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(0)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

#[expect(clippy::print_stdout, reason = "this is a command of its own")]
fn check_file(path: &str, options: &Options) -> bool {
    let result = std::fs::read_to_string(path).map_err(|error| error.to_string());
    match result.and_then(|text| check_text(path, text, options)) {
        Ok(n_warnings) => println!("{path}: ok, {n_warnings} warnings"),
        Err(message) => {
            println!("{path}: {message}");
            return false;
        }
    }
    true
}

fn check_text(path: &str, text: String, options: &Options) -> Result<usize, String> {
    let (first, canonical, n_warnings) = read(&Source::new(path, text), options)?;
    let (second, again, _) = read(&Source::new("canonical text", canonical.clone()), options)?;
    if canonical != again {
        return Err("formatting twice is not formatting once".to_owned());
    }
    if first.program != second.program {
        return Err("the canonical text means something else".to_owned());
    }
    if let Err(defects) = program::verify(&first.program) {
        return Err(format!("not well-formed: {}", defects[0]));
    }
    Ok(n_warnings)
}

/// The program, its canonical text and the number of warnings.
fn read(source: &Source, options: &Options) -> Result<(Lowered, String, usize), String> {
    let (tree, mut diagnostics) = parse(source);
    let show = |diagnostics: &base::Diagnostics| {
        let lines = diagnostics.iter().map(|diagnostic| {
            let line = diagnostic.primary.as_ref().map_or(0, |label| source.line(label.span.start));
            format!("\n  {}:{line}: {} {}", source.name(), diagnostic.code, diagnostic.message)
        });
        lines.collect::<String>()
    };
    let Some(tree) = tree.filter(|_| !diagnostics.has_errors()) else { return Err(show(&diagnostics)) };
    let (lowered, warnings) = lower(&tree, source, options).map_err(|errors| show(&errors))?;
    diagnostics.extend(warnings);
    Ok((lowered, format(&tree), diagnostics.len()))
}
