//! Certificates of programs with wide numbers and arrays.

use bdd::Bdd;
use program::{Scope, Sort, When};

use super::*;
use crate::validate::layout::Bits;
use crate::validate::symbolic::{Evaluator, Scene};

/// Variables whose bits alternate, least significant first: the columns of a certificate.
struct Alternating {
    bits: Vec<(VariableId, Bits)>,
}

impl Scene for Alternating {
    fn bits(&self, variable: VariableId, _: When) -> Result<Bits, Trouble> {
        let found = self.bits.iter().find(|(own, _)| *own == variable);
        Ok(found.unwrap_or_else(|| panic!("{variable:?} has no columns")).1.clone())
    }

    fn choice(&self) -> Var {
        panic!("sets have no choices")
    }
}

/// A program of one procedure over shared variables, and sets of its locations: conditions on the shared variables with
/// columns. Location n of `main` has the n-th set, and those without one are targets.
fn claim(text: &str, columns: &[&str], sets: &[&str]) -> (Program, Certificate) {
    // The conditions are read as guards of a further procedure.
    let conditions: String = sets.iter().map(|set| format!("    -> 0 when {set};\n")).collect();
    let whole = format!("{text}procedure conditions() {{\n  entry 0;\n  0:\n{conditions}}}\n");
    let parsed = program::text::parse(&base::Source::new("example", whole.as_str()));
    let (program, _) = parsed.unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    let variable = |name: &&str| program.variables.iter_ids().find(|(_, own)| own.name == **name).unwrap().0;
    let variables: Vec<VariableId> = columns.iter().map(variable).collect();
    assert!(variables.iter().all(|variable| program.variables[*variable].scope == Scope::Shared));
    let manager = Manager::new(&Config::for_memory(1 << 28));
    let scene = alternating(&program, &variables, &manager);
    let mut certificate = Certificate::default();
    let mut frame: Vec<(u32, Column)> = Vec::new();
    for (variable, bits) in &scene.bits {
        let column = |(bit, var): (u32, &Var)| (var.0, Column { variable: *variable, bit, copy: Copy::Current });
        frame.extend((0..).zip(bits.iter()).map(column));
    }
    frame.sort_by_key(|(number, _)| *number);
    certificate.frames.push((ProcedureId(0), Frame { columns: frame, unchanged: Vec::new() }));
    let guards = program.edges.iter().filter(|edge| program.locations[edge.source].procedure == ProcedureId(1));
    let mut roots: Vec<Bdd> = Vec::new();
    for (root, edge) in (0..).zip(guards) {
        let program::EdgeKind::Step(relation) = &edge.kind else { panic!("not a guard") };
        roots.push(Evaluator::new(&program, &manager, &scene).truth(&relation.guard).unwrap());
        certificate.sets.push((LocationId(root), Set::Diagram { root, facts: Vec::new() }));
    }
    certificate.dag = manager.export(&roots);
    let n_locations = program.procedures[ProcedureId(0)].locations.len();
    certificate.targets = (sets.len()..n_locations).map(|at| LocationId(at as u32)).collect();
    assert!(!certificate.targets.is_empty(), "something is claimed");
    (program, certificate)
}

/// Bits of equal weight are neighbours, also those of an array's elements.
fn alternating(program: &Program, variables: &[VariableId], manager: &Manager) -> Alternating {
    let widths = |variable: VariableId| {
        let sort = program.sort(variable);
        let element = if let Sort::Array(element, _) = sort { element } else { sort };
        (element.n_bits(program) as usize, sort.n_bits(program) as usize)
    };
    let widest = variables.iter().map(|variable| widths(*variable).0).max().unwrap_or(0);
    let mut bits: Vec<(VariableId, Vec<Var>)> = Vec::new();
    bits.extend(variables.iter().map(|variable| (*variable, vec![Var(0); widths(*variable).1])));
    for weight in 0..widest {
        for (variable, own) in &mut bits {
            let (width, whole) = widths(*variable);
            for bit in (weight..whole).step_by(width).filter(|_| weight < width) {
                own[bit] = manager.add_vars(1)[0];
            }
        }
    }
    Alternating { bits: bits.into_iter().map(|(variable, bits)| (variable, bits.into())).collect() }
}

/// One step from 0 to 1, and a violation at 2 that is reached from 1 under a condition.
fn one_step(width: u32, step: &str, violation: &str) -> String {
    let text = "\
shared x: bits<W>;
shared y: bits<W>;
shared z: bits<W>;
shared a: [bits<W>; 4];
shared i: bits<3>;
thread main: main;
procedure main() {
  entry 0;
  0:
    -> 1 STEP;
  1:
    -> 2 when VIOLATION;
  2 violation:
}
";
    let text = text.replace("STEP", step).replace("VIOLATION", violation);
    text.replace("uW", &format!("u{width}")).replace("<W>", &format!("<{width}>"))
}

/// Accepted at all widths with the sets, and rejected if the second is replaced.
fn check_step(columns: &[&str], step: &str, violation: &str, set: &str, too_small: &str) {
    for width in [9, 16, 32, 64] {
        let text = one_step(width, step, violation);
        let with = |set: &str| {
            let set = set.replace("uW", &format!("u{width}"));
            let (program, certificate) = claim(&text, columns, &["true", &set]);
            check(&program, &certificate)
        };
        assert_eq!(with(set), Ok(()), "{step} of {width} bits");
        let rejected = with(too_small);
        assert!(matches!(rejected, Err(ValidateError::Rejected(_))), "{step} of {width} bits: {rejected:?}");
    }
}

#[test]
fn sums_and_differences() {
    let all = ["x", "y", "z"];
    check_step(&all, "do z := add(x, y)", "sub(z, y) != x", "z = add(x, y)", "z = add(x, y) & z != 5uW");
    check_step(&all, "do z := sub(x, y)", "add(z, y) != x", "z = sub(x, y)", "z = sub(y, x)");
    check_step(&all, "do x := add(x, y), y := x", "sub(x, y) != z & z = 0uW & false", "true", "ule(y, x)");
    check_step(&["x", "z"], "do z := add(x, 1uW)", "z = x", "z = add(x, 1uW)", "z = add(x, 2uW)");
}

#[test]
fn variables_without_columns_lie_beside_those_that_they_meet() {
    let step = "when ult(x, 100uW) & ult(y, 100uW) do z := add(x, y)";
    check_step(&["z"], step, "ult(198uW, z)", "ule(z, 198uW)", "ule(z, 197uW)");
    let step = "when ult(x, y) do z := sub(y, x)";
    check_step(&["z"], step, "z = 0uW", "z != 0uW", "z != 0uW & z != 7uW");
    let step = "when x = add(y, 1uW) & z = add(x, 1uW) where z' = z";
    check_step(&["z"], step, "false", "true", "z != 9uW");
}

#[test]
fn comparisons_of_both_kinds() {
    check_step(&["x", "y"], "when ult(x, y)", "ule(y, x)", "ult(x, y)", "ult(x, y) & x != 3uW");
    check_step(&["x", "y"], "when slt(x, y)", "sle(y, x)", "slt(x, y)", "ult(x, y)");
    check_step(&["x"], "when sle(0uW, x)", "slt(x, 0uW)", "sle(0uW, x)", "slt(0uW, x)");
}

#[test]
fn shifts_and_products_by_constants() {
    check_step(&["x", "z"], "do z := shl(x, 3uW)", "bitand(z, 7uW) != 0uW", "bitand(z, 7uW) = 0uW", "z = 0uW");
    let step = "when ult(x, 6uW) do z := shl(x, 5uW)";
    check_step(&["x", "z"], step, "lshr(z, 5uW) != x", "ult(x, 6uW) & z = shl(x, 5uW)", "z = 0uW");
    check_step(&["z"], "when ult(x, 10uW) do z := mul(x, 50uW)", "ult(450uW, z)", "ule(z, 450uW)", "ule(z, 449uW)");
    check_step(&["z"], "do z := udiv(x, 2uW)", "slt(z, 0uW)", "sle(0uW, z)", "ult(z, 100uW)");
    check_step(&["z"], "do z := urem(x, 3uW)", "ult(2uW, z)", "ult(z, 3uW)", "ult(z, 2uW)");
    check_step(&["y", "z"], "when ult(y, 3uW) do z := shl(1uW, y)", "ult(4uW, z)", "ule(z, 4uW)", "ule(z, 3uW)");
}

#[test]
fn a_relation_that_is_large_by_itself_may_be_small_within_a_set() {
    // Bits of equal weight alternate, so `z = x << 32` alone would have to remember 32 bits.
    let text = one_step(64, "when ult(x, 6u64) do z := shl(x, 32u64)", "ult(5u64, lshr(z, 32u64))");
    let with = |set: &str| {
        let (program, certificate) = claim(&text, &["x", "z"], &["true", set]);
        check(&program, &certificate)
    };
    assert_eq!(
        with("ult(x, 6u64) & z = bitand(z, 30064771072u64) & bitand(lshr(z, 32u64), 7u64) = bitand(x, 7u64)"),
        Ok(())
    );
    assert!(matches!(with("ult(x, 6u64) & z = 0u64"), Err(ValidateError::Rejected(_))));
}

#[test]
fn arrays_of_wide_numbers() {
    let step = "do a[i] := 7uW, a[1u3] := 9uW";
    check_step(&["a", "i"], step, "a[1u3] != 9uW", "a[1u3] = 9uW", "a[i] = 7uW");
    check_step(&["a", "i"], step, "i = 2u3 & a[2u3] != 7uW", "a[i] = 7uW | i = 1u3", "a[i] = 7uW & i = 1u3");
    check_step(&["a", "i"], "do havoc a[i]", "ult(3u3, i)", "ult(i, 4u3)", "ult(i, 3u3)");
    check_step(&["z"], "when ult(a[i], 5uW) do z := a[i]", "ule(5uW, z)", "ult(z, 5uW)", "ult(z, 4uW)");
    check_step(&["a", "z"], "do z := a[3u3], a[0u3] := z", "z != a[3u3]", "z = a[3u3]", "z = a[0u3]");
}

#[test]
fn products_of_wide_variables_end_at_the_limit() {
    let text = one_step(64, "do z := mul(x, y)", "z = 12345u64");
    let (program, certificate) = claim(&text, &["z"], &["true", "z != 12345u64"]);
    let budget = Budget::unlimited().with_memory(Some(32 << 20));
    let stopped = validate(&program, &certificate, &budget);
    assert_eq!(stopped, Err(ValidateError::Stopped(base::StopReason::Memory)));
    // At five bits there is no such trouble.
    let text = one_step(5, "do z := mul(x, y)", "z = 12u5 & x = 0u5");
    let (program, certificate) = claim(&text, &["x", "y", "z"], &["true", "z = mul(y, x)"]);
    assert_eq!(check(&program, &certificate), Ok(()));
}

#[test]
fn arrays_that_nobody_speaks_of_may_have_any_size() {
    let text = one_step(64, "do a[i] := x, z := 3u64", "z != 3u64").replace("; 4]", "; 16384]");
    let (program, certificate) = claim(&text, &["z"], &["true", "z = 3u64"]);
    assert_eq!(check(&program, &certificate), Ok(()));
    let read = text.replace("z := 3u64", "z := a[i]");
    let (program, certificate) = claim(&read, &["z"], &["true", "z = 3u64"]);
    assert!(matches!(check(&program, &certificate), Err(ValidateError::TooLarge(_))));
}
