//! Certificate to text.

use std::io::{self, Write};

use program::text::{print_value, quote};
use program::{LocationId, Program, Scope, Value, VariableId};

use super::{HEADER, fingerprint};
use crate::{Certificate, Copy, Set};

/// Writes a certificate of the program.
pub fn write(program: &Program, certificate: &Certificate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    writeln!(out, "program {:016x}", fingerprint(program))?;
    writeln!(out, "targets {}", certificate.targets.len())?;
    for target in &certificate.targets {
        writeln!(out, "{}", location(program, *target))?;
    }
    frames(program, certificate, out)?;
    writeln!(out, "nodes {}", certificate.dag.nodes.len())?;
    for (variable, low, high) in &certificate.dag.nodes {
        writeln!(out, "{} {low} {high}", variable.0)?;
    }
    writeln!(out, "roots {}", certificate.dag.roots.len())?;
    for root in &certificate.dag.roots {
        writeln!(out, "{root}")?;
    }
    sets(program, certificate, out)?;
    writeln!(out, "end")
}

/// The certificate as text.
#[must_use]
pub fn to_text(program: &Program, certificate: &Certificate) -> String {
    let mut bytes = Vec::new();
    let written = write(program, certificate, &mut bytes);
    assert!(written.is_ok(), "writing to memory does not fail");
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => unreachable!("only text is written"),
    }
}

fn frames(program: &Program, certificate: &Certificate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "frames {}", certificate.frames.len())?;
    for (procedure, frame) in &certificate.frames {
        let name = quote(&program.procedures[*procedure].name);
        writeln!(out, "{name} {} {}", frame.columns.len(), frame.unchanged.len())?;
        for (number, column) in &frame.columns {
            let copy = match column.copy {
                Copy::Entry => "entry",
                Copy::Current => "now",
            };
            writeln!(out, "{number} {copy} {} {}", variable(program, column.variable), column.bit)?;
        }
        for unchanged in &frame.unchanged {
            writeln!(out, "{}", variable(program, *unchanged))?;
        }
    }
    Ok(())
}

fn sets(program: &Program, certificate: &Certificate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "sets {}", certificate.sets.len())?;
    for (place, set) in &certificate.sets {
        let name = location(program, *place);
        let facts: &[(VariableId, Value)] = match set {
            Set::Facts(facts) => {
                writeln!(out, "{name} facts {}", facts.len())?;
                facts
            }
            Set::Diagram { root, facts } => {
                writeln!(out, "{name} diagram {root} {}", facts.len())?;
                facts
            }
        };
        for (fact, value) in facts {
            writeln!(out, "{} {}", variable(program, *fact), print_value(program, value, program.sort(*fact)))?;
        }
    }
    Ok(())
}

/// A variable by its name, one of a procedure with that procedure's.
pub(super) fn variable(program: &Program, id: VariableId) -> String {
    let variable = &program.variables[id];
    match variable.scope {
        Scope::Local(procedure) => format!("{}::{}", quote(&program.procedures[procedure].name), quote(&variable.name)),
        Scope::Shared | Scope::Private => quote(&variable.name),
    }
}

/// A location by its procedure and its number there.
fn location(program: &Program, id: LocationId) -> String {
    let procedure = &program.procedures[program.locations[id].procedure];
    let number = procedure.locations.binary_search(&id).unwrap_or(usize::MAX);
    format!("{}.{number}", quote(&procedure.name))
}
