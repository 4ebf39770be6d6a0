//! Sizes: what arithmetic costs in nodes, at 8, 16, 32 and 64 bits and whatever else reads the operands.
//!
//! Each program has one step that computes and several that read. The bounds are formulae in the width, so a diagram that
//! grows faster fails at 64 bits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use base::Source;
use bdd::{Config, Manager};
use encode::Encoding;
use program::{EdgeKind, Program};

const WIDTHS: [u64; 4] = [8, 16, 32, 64];

/// Nodes of the first step of a program, and most nodes that lived while all of its steps were encoded.
fn nodes(text: &str) -> (u64, u64) {
    let program = parse(text);
    let encoding = Encoding::new(&program, Manager::new(&Config::small()));
    let mut first = None;
    for (id, edge) in program.edges.iter_ids() {
        let EdgeKind::Step(relation) = &edge.kind else { panic!("only steps here") };
        let image = encoding.step(id, relation).unwrap_or_else(|stop| panic!("{stop:?}: {text}"));
        first.get_or_insert(image.relation.node_count() as u64);
    }
    (first.unwrap(), encoding.manager().stats().peak_nodes as u64)
}

fn parse(text: &str) -> Program {
    let (program, _) = program::text::parse(&Source::new("test", text)).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    program::verify(&program).unwrap_or_else(|defects| panic!("{defects:?}\n{text}"));
    program
}

/// Three numbers, each shared or local, and a step; further steps have a guard on one of the numbers each.
fn with_readers(width: u64, local: u32, read: u32, step: &str) -> String {
    let names = ["x", "y", "z"];
    let declare = |which: bool| {
        let names = names.iter().enumerate().filter(move |(at, _)| (local >> at & 1 == 1) == which);
        let word = if which { "local" } else { "shared" };
        names.map(|(_, name)| format!("{word} {name}: bits<{width}>; ")).collect::<String>()
    };
    let readers = names.iter().enumerate().filter(|(at, _)| read >> at & 1 == 1);
    let readers: String = readers.map(|(_, name)| format!("-> 0 when ult(3u{width}, {name}); ")).collect();
    format!(
        "{}thread t: main; procedure main() {{ {}entry 0; exit 1; 0: -> 1 {step}; {readers} 1: }}",
        declare(false),
        declare(true)
    )
}

/// A step is within its bound for every scope and every choice of readers. On the way to it each bit is a diagram of its
/// own, so the peak may be a square.
fn check(step: impl Fn(u64) -> String, bound: impl Fn(u64) -> u64) {
    check_with_peak(&ALL, step, &bound, |width| 16 * width * width + 8 * bound(width) + 1000);
}

fn check_with_peak(
    choices: &[u32],
    step: impl Fn(u64) -> String,
    bound: impl Fn(u64) -> u64,
    most: impl Fn(u64) -> u64,
) {
    for width in WIDTHS {
        for choice in choices {
            let text = with_readers(width, choice & 7, choice >> 3, &step(width));
            let (nodes, peak) = nodes(&text);
            assert!(nodes <= bound(width), "{nodes} nodes instead of {} at most: {text}", bound(width));
            assert!(peak <= most(width), "{peak} nodes at the peak instead of {} at most: {text}", most(width));
        }
    }
}

/// All scopes and readers.
const ALL: [u32; 64] = {
    let mut all = [0; 64];
    let mut choice = 0;
    while choice < 64 {
        all[choice] = choice as u32;
        choice += 1;
    }
    all
};

/// Nothing but the step reads the numbers, or one reader of each.
const FEW: [u32; 4] = [0, 1 << 3, 2 << 3, 4 << 3];

#[test]
fn sums() {
    check(|_| "do z := add(x, y)".to_owned(), |width| 9 * width);
    check(|_| "do z := sub(x, y)".to_owned(), |width| 9 * width);
    check(|_| "do x := add(x, y), z := sub(z, y)".to_owned(), |width| 36 * width);
}

#[test]
fn sums_of_what_comes_after() {
    let sum = |width: u64| {
        let wide = width + 1;
        let resized = |name: &str| format!("resize({name}, {wide})");
        if width == 64 {
            return "do havoc x, havoc y where add(x', y') = z".to_owned();
        }
        format!("do havoc x, havoc y where add({}, {}) = {}", resized("x'"), resized("y'"), resized("z"))
    };
    check(sum, |width| 9 * width);
}

#[test]
fn comparisons() {
    for comparison in ["ult", "ule", "slt", "sle"] {
        check(|_| format!("when {comparison}(x, y) & {comparison}(y, z)"), |width| 16 * width);
    }
    check(|_| "when x = y & y != z".to_owned(), |width| 9 * width);
}

#[test]
fn increments() {
    check(|width| format!("when ult(x, y) do x := add(x, 1u{width})"), |width| 16 * width);
    check(|width| format!("when ult(x, 100u{width}) do x := sub(x, 1u{width})"), |width| 9 * width);
    check(|width| format!("do x := neg(y), z := add(z, {}u{width})", u64::MAX >> (64 - width)), |width| 24 * width);
}

#[test]
fn shifts_by_constants() {
    // No bits have to be remembered: those that meet are neighbours, however far the shift goes.
    for (at, of) in [(1, 8), (1, 2), (7, 8)] {
        let by = |width: u64| width * at / of;
        for shift in ["shl", "lshr", "ashr"] {
            check(|width| format!("do x := {shift}(y, {}u{width})", by(width)), |width| 6 * width);
        }
        check(|width| format!("do x := mul(y, {}u{width})", 1u64 << by(width)), |width| 6 * width);
        check(|width| format!("do x := udiv(y, {}u{width})", 1u64 << by(width)), |width| 6 * width);
    }
}

#[test]
fn bitwise_operators_and_choices() {
    for op in ["bitand", "bitor", "bitxor"] {
        check(|_| format!("do z := {op}(x, y)"), |width| 6 * width);
    }
    // Each bit of the choice knows the whole comparison as long as it stands alone.
    let choice = |_| "do z := ite(ult(x, y), x, y)".to_owned();
    check_with_peak(&ALL, choice, |width| 24 * width, |width| 24 * width * width + 1000);
}

#[test]
fn products_and_quotients_by_constants() {
    // As many carries as the factor is large, at each bit.
    for factor in [3, 10, 100] {
        let product = |width| format!("do x := mul(y, {factor}u{width})");
        check_with_peak(&FEW, product, |width| 6 * factor * width, |width| 4 * factor * width * width + 1000);
    }
    let division = |width| format!("do x := urem(y, 10u{width}), z := udiv(y, 10u{width})");
    check_with_peak(&FEW, division, |width| 400 * width, |width| 40 * width * width + 500);
}

/// An array of 8 elements, with an index of its own or of the elements' width that is also counted with.
fn with_array(width: u64, index: u64, step: &str) -> String {
    format!(
        "shared a: [bits<{width}>; 8]; shared x: bits<{width}>; shared i: bits<{index}>; thread t: main;
         procedure main() {{ entry 0; exit 1; 0: -> 1 {step}; -> 0 when ult(3u{index}, i); 1: }}"
    )
}

#[test]
fn multiplexers() {
    // Eight cases, and in each of them a copy.
    for width in WIDTHS {
        for index in [3, width] {
            let (read, _) = nodes(&with_array(width, index, "do x := a[i]"));
            assert!(read <= 40 * width, "{read} nodes to read an element of {width} bits, index of {index}");
            // All elements but one keep their values: eight cases with eight copies each, of three or four nodes a bit.
            let (write, _) = nodes(&with_array(width, index, "do a[i] := x"));
            assert!(write <= 8 * 8 * 5 * width, "{write} nodes to write an element of {width} bits, index of {index}");
        }
        let (mixed, _) = nodes(&with_array(width, width, "when ult(i, a[i]) do a[i] := add(i, x)"));
        assert!(mixed <= 8 * 8 * 16 * width, "{mixed} nodes where indices are counted with");
    }
}
