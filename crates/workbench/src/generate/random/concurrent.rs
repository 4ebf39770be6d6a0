//! Random concurrent programs: shared and private variables, procedures of threads and of all, atomic sections.
//!
//! They are small on purpose: an explicit search of all interleavings has to end within milliseconds.

use std::fmt::Write;

use super::body::Body;
use super::shape::{Shape, Signature};
use super::{RandomOptions, globals, shape};
use crate::dice::Dice;

/// The text of a program with at least two threads.
pub(super) fn write(options: &RandomOptions) -> String {
    let mut dice = Dice::new(options.seed);
    let dice = &mut dice;
    let shared = shape::globals(dice, options);
    // An explicit search cannot follow endless recursion, so it is rare.
    let recursive = dice.chance(20);
    let common = Shape { procedures: common(dice, options, &shared), globals: shared, recursive };
    let mut text = globals(dice, &common);
    if dice.chance(85) {
        text.push_str(&init(dice, &common, options.spawns));
    }
    let mut assertions = dice.between(1, 3);
    for block in blocks(dice, options.threads) {
        text.push_str(&thread(dice, options, &common, &block, &mut assertions));
    }
    for signature in &common.procedures {
        let mut body = Body::new(dice, &common, signature, options, assertions);
        let _ = write!(text, "\n{}", body.procedure());
        assertions = body.assertions_left();
    }
    text
}

/// A block of the program: so many threads with the same procedures.
struct Block {
    name: String,
    copies: u32,
}

/// Blocks for so many threads in all; now and then two of them are copies.
fn blocks(dice: &mut Dice, threads: u32) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut left = threads.max(2);
    while left > 0 {
        let copies = if left > 1 && dice.chance(25) { 2 } else { 1 };
        blocks.push(Block { name: format!("t{}", blocks.len()), copies });
        left -= copies;
    }
    blocks
}

/// Procedures that all threads may call; their names differ from those of threads.
fn common(dice: &mut Dice, options: &RandomOptions, shared: &[String]) -> Vec<Signature> {
    let n = dice.between(0, options.procedures);
    let draw = |i: u32, dice: &mut Dice| {
        let drawn = Signature::draw(dice, options, shared, i + 1);
        Signature { index: i as usize, name: format!("all{i}"), ..drawn }
    };
    (0..n).map(|i| draw(i, dice)).collect()
}

fn init(dice: &mut Dice, common: &Shape, spawns: bool) -> String {
    let mut statements = Vec::new();
    for name in &common.globals {
        if dice.chance(90) {
            statements.push(format!("{name} := {}", dice.pick(&["F", "F", "F", "T", "*"])));
        }
    }
    if spawns && !common.procedures.is_empty() && dice.chance(40) {
        let callee = dice.pick(&common.procedures);
        let arguments: Vec<&str> = callee.parameters.iter().map(|_| *dice.pick(&["F", "T", "*"])).collect();
        let at = dice.between(0, statements.len() as u32) as usize;
        statements.insert(at, format!("start_thread {}({})", callee.name, arguments.join(", ")));
    }
    statements.push("skip".to_owned());
    format!("\ninit\nbegin\n  {};\nend\n", statements.join(";\n  "))
}

fn thread(dice: &mut Dice, options: &RandomOptions, common: &Shape, block: &Block, assertions: &mut u32) -> String {
    let private: Vec<String> = (0..dice.between(0, 1)).map(|i| format!("own{i}")).collect();
    let seen = [common.globals.as_slice(), &private].concat();
    let n_own = 1 + u32::from(options.procedures > 0 && dice.chance(40));
    let mut procedures: Vec<Signature> = (0..n_own).map(|i| Signature::draw(dice, options, &seen, i)).collect();
    for signature in &common.procedures {
        procedures.push(Signature { index: procedures.len(), ..signature.clone() });
    }
    let shape = Shape { globals: seen, procedures, recursive: common.recursive };
    let copies = if block.copies > 1 { format!("[{}]", block.copies) } else { String::new() };
    let mut text = format!("\nthread {}{copies}\nbegin\n", block.name);
    for name in &private {
        let start = if dice.chance(60) { format!(" := {}", dice.pick(&["F", "T", "*"])) } else { String::new() };
        let _ = writeln!(text, "decl {name}{start};");
    }
    for signature in shape.procedures.iter().take(n_own as usize) {
        let mut body = Body::new(dice, &shape, signature, options, *assertions);
        text.push_str(&body.procedure());
        *assertions = body.assertions_left();
    }
    text.push_str("end\n");
    text
}
