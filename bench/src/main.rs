//! Measures Cauldron and its peers in one run: `cargo run --release -p bench [-- --quick] [DIR]`.
//!
//! Modules in reading order:
//! - [`cases`]: what is measured;
//! - [`tools`]: what is measured with;
//! - [`horn`]: programs as Horn clauses, for one of the peers;
//! - [`measure`](mod@measure): one run;
//! - [`table`], [`plot`]: the results;
//! - [`threads`], [`quicksort`], [`integers`]: the cases and tables of one section each.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal of those who build the project"
)]

mod cases;
mod horn;
mod integers;
mod measure;
mod plot;
mod quicksort;
mod table;
mod threads;
mod tools;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use cases::{Case, Input, Section};
use measure::{Measurement, measure};
use table::{Outcome, Row};
use tools::{Answer, Kind, Tool};

const USAGE: &str = "\
usage: cargo run --release -p bench [-- [OPTIONS] [DIR]]

  --quick            small sizes only
  --section NAME     only this section: peers, solver, bluetooth, threads,
                     pushdown, quicksort or integers; may be repeated
  --timeout SECONDS  time limit for each run (60; quick: 10)
  --binary FILE      measure this cauldron; otherwise it is built
  --only TEXT        only cases and tools in whose name the text occurs; may be repeated
  DIR                also all Boolean programs below this folder";

/// What the user asks for.
struct Request {
    quick: bool,
    sections: Vec<Section>,
    limit: Duration,
    binary: Option<PathBuf>,
    only: Vec<String>,
    folder: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["prepare", kind, file, input @ ..] => prepare_here(kind, Path::new(file), input),
        _ => parse(&words).and_then(|request| run(&request)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn parse(words: &[&str]) -> Result<Request, String> {
    let mut request = Request {
        quick: false,
        sections: Vec::new(),
        limit: Duration::ZERO,
        binary: None,
        only: Vec::new(),
        folder: None,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match (*word, words.as_slice().first()) {
            ("--quick", _) => request.quick = true,
            ("--timeout", Some(seconds)) => {
                let seconds = seconds.parse().map_err(|_| format!("not a number of seconds: {seconds}"))?;
                request.limit = Duration::from_secs(seconds);
                words.next();
            }
            ("--binary", Some(file)) => {
                request.binary = Some(file.into());
                words.next();
            }
            ("--section", Some(name)) => {
                let section = Section::ALL.into_iter().find(|section| section.name() == *name);
                request.sections.push(section.ok_or_else(|| format!("there is no section `{name}`\n{USAGE}"))?);
                words.next();
            }
            ("--only", Some(text)) => {
                request.only.push((*text).to_owned());
                words.next();
            }
            (folder, _) if !folder.starts_with('-') => request.folder = Some(folder.into()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    if request.sections.is_empty() {
        request.sections = Section::ALL.to_vec();
    }
    if request.limit.is_zero() {
        request.limit = Duration::from_secs(if request.quick { 10 } else { 60 });
    }
    Ok(request)
}

fn run(request: &Request) -> Result<(), String> {
    let cauldron = request.binary.clone().map_or_else(build, Ok)?;
    let mut n_wrong = 0;
    for section in &request.sections {
        let rows = run_section(*section, request, &cauldron)?;
        let summary = match section {
            Section::Peers | Section::Pushdown => table::ratios(&rows),
            Section::Solver => format!("{}\n{}", table::side_by_side(&rows), table::ratios(&rows)),
            Section::Bluetooth => String::new(),
            Section::Threads => threads::tables(&rows),
            Section::Quicksort => quicksort::tables(&rows),
            Section::Integers => integers::table(&rows),
        };
        println!("\n{summary}");
        write_results(*section, &rows)?;
        n_wrong += rows.iter().filter(|row| matches!(row.result, Outcome::Wrong(_))).count();
    }
    if n_wrong == 0 { Ok(()) } else { Err(format!("{n_wrong} wrong answers")) }
}

fn run_section(section: Section, request: &Request, cauldron: &Path) -> Result<Vec<Row>, String> {
    let tools = tools::tools(section, cauldron);
    let cases = section.cases(request.quick, request.folder.as_deref()).map_err(|error| error.to_string())?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut rows: Vec<Row> = Vec::new();
    println!("{}\n{}", section.name(), table::head());
    for case in &cases {
        let first = rows.len();
        for tool in tools.iter().filter(|tool| tool.reads(&case.input) && wanted(request, case, tool)) {
            if out_of_time(&rows, case, tool) {
                continue;
            }
            match one(case, tool, request.limit, scratch.path()) {
                Ok(row) => {
                    println!("{}", table::line(&row, rows.get(first)));
                    rows.push(row);
                }
                Err(why) => println!("{:<38} {:<28} left out: {why}", case.to_string(), tool.name),
            }
        }
    }
    Ok(rows)
}

fn wanted(request: &Request, case: &Case, tool: &Tool) -> bool {
    let case = case.to_string();
    let named = |text: &String| case.contains(text.as_str()) || tool.name == text;
    request.only.is_empty() || request.only.iter().all(named)
}

/// Whether the tool has run out of time on a smaller case of the series.
fn out_of_time(rows: &[Row], case: &Case, tool: &Tool) -> bool {
    rows.iter().any(|row| {
        row.series == case.series && row.tool == tool.name && row.size < case.size && row.result == Outcome::TimeLimit
    })
}

/// One run of a tool on a case.
fn one(case: &Case, tool: &Tool, limit: Duration, scratch: &Path) -> Result<Row, String> {
    let file = match (&case.input, tool.kind) {
        (Input::File(path), Kind::Cauldron) => path.clone(),
        _ => prepared(case, tool, limit, scratch)?,
    };
    let run = best(tool, &case.input, &file, limit).map_err(|error| error.to_string())?;
    let answer = tool.answer(&case.input, &run);
    let result = match (answer, case.violated) {
        _ if run.timed_out => Outcome::TimeLimit,
        (Answer::None, _) => Outcome::NoAnswer(run.exit_code),
        (answer, Some(violated)) if violated != (answer == Answer::Violated) => Outcome::Wrong(answer),
        (answer, _) => Outcome::Answered(answer),
    };
    let told = if result.counts() && tool.kind == Kind::Cauldron {
        told(&mut tool.command(&case.input, &file), limit, &scratch.join("report.json"))
    } else {
        Told::default()
    };
    Ok(Row {
        series: case.series.clone(),
        size: case.size,
        case: case.to_string(),
        tool: tool.name,
        result,
        user_seconds: run.user.as_secs_f64(),
        wall_seconds: run.wall.as_secs_f64(),
        megabytes: run.bytes as f64 / 1e6,
        nodes: told.nodes,
        variables: told.variables,
        tuples: told.tuples,
        validated: told.validated,
    })
}

/// The least of three runs, as far as they are short: what takes milliseconds is easily disturbed.
fn best(tool: &Tool, input: &Input, file: &Path, limit: Duration) -> std::io::Result<Measurement> {
    let mut best = measure(&mut tool.command(input, file), limit)?;
    for _ in 0..2 {
        if best.wall < SHORT {
            let again = measure(&mut tool.command(input, file), limit)?;
            best = if again.user < best.user { again } else { best };
        }
    }
    Ok(best)
}

/// A run that is repeated takes less.
const SHORT: Duration = Duration::from_secs(1);

/// What a report says about the cost of an answer.
#[derive(Clone, Copy, Default)]
struct Told {
    /// Most nodes, and number of variables, of the decision diagrams.
    nodes: Option<u64>,
    variables: Option<u64>,
    /// View tuples; none where there were none.
    tuples: Option<u64>,
    /// Whether the proof was validated; none where there is no proof.
    validated: Option<bool>,
}

/// What a report says, from a second run: a report with a long trace in it takes time to write.
fn told(command: &mut Command, limit: Duration, report: &Path) -> Told {
    // An old report must not pass for a new one; there may be none.
    let _ = std::fs::remove_file(report);
    match measure(command.arg("--json").arg(report), limit) {
        Ok(_) => Told {
            nodes: number_in(report, "peak_nodes"),
            variables: number_in(report, "bdd_variables"),
            tuples: number_in(report, "view_tuples").filter(|tuples| *tuples > 0),
            validated: value_in(report, "validated", char::is_alphabetic).and_then(|word| word.parse().ok()),
        },
        Err(_) => Told::default(),
    }
}

/// Writes the tool's input, in a process of its own.
fn prepared(case: &Case, tool: &Tool, limit: Duration, scratch: &Path) -> Result<PathBuf, String> {
    let file = scratch.join(format!("{}.{}", tool.kind.name(), case.input.extension()));
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(this);
    command.arg("prepare").arg(tool.kind.name()).arg(&file).args(case.input.to_arguments());
    let run = measure(&mut command, limit).map_err(|error| error.to_string())?;
    match run.exit_code {
        Some(0) => Ok(file),
        Some(_) => Err(run.output.trim().to_owned()),
        None => Err("its input takes too long to write".to_owned()),
    }
}

fn prepare_here(kind: &str, file: &Path, input: &[&str]) -> Result<(), String> {
    let kind = Kind::from_name(kind).ok_or(USAGE)?;
    let input = Input::from_arguments(input).ok_or(USAGE)?;
    let write =
        |file: &Path, text: String| std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()));
    if let Some(goal) = input.goal() {
        write(&tools::claim_file(file), quicksort::claim(goal))?;
    }
    write(file, tools::prepare(kind, &input)?)
}

/// The first number with this name in a JSON file.
fn number_in(file: &Path, name: &str) -> Option<u64> {
    value_in(file, name, |digit| digit.is_ascii_digit())?.parse().ok()
}

/// The first value with this name in a JSON file, which may be large: as far as its characters are of the value.
fn value_in(file: &Path, name: &str, is_part: impl Fn(char) -> bool) -> Option<String> {
    let key = format!("\"{name}\":");
    for line in BufReader::new(std::fs::File::open(file).ok()?).lines() {
        let line = line.ok()?;
        if let Some((_, rest)) = line.split_once(&key) {
            return Some(rest.trim_start().chars().take_while(|c| is_part(*c)).collect());
        }
    }
    None
}

/// Builds the binary, as optimised as this one and beside it.
fn build() -> Result<PathBuf, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = this.parent().and_then(Path::parent).ok_or("this program is in no target folder")?;
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "--quiet", "--package", "cli", "--target-dir"]).arg(target);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().map_err(|error| format!("cargo: {error}"))?;
    let binary = this.with_file_name("cauldron");
    if built.success() && binary.is_file() { Ok(binary) } else { Err("cannot build cauldron".to_owned()) }
}

fn write_results(section: Section, rows: &[Row]) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let write = |extension: &str, text: String| {
        let file = folder.join(format!("{}.{extension}", section.name()));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|error| format!("{}: {error}", file.display()))?;
        println!("written: {}", file.display());
        Ok::<(), String>(())
    };
    write("csv", table::csv(rows))?;
    write("svg", plot::svg(rows, section.picture()))
}
