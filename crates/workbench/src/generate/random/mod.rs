//! Random programs: recursive, nondeterministic, well formed, and small enough for an explicit oracle.
//!
//! The aim is variety of meaning, not of layout: every statement of the language, jumps into and out of everything,
//! names that shadow others. Assertions are drawn so that about half of the programs violate one.
//!
//! Modules in reading order:
//! - [`shape`]: which procedures there are, with which variables and labels;
//! - [`expr`](mod@expr): expressions;
//! - [`body`](mod@body): statements;
//! - [`concurrent`]: several threads.

mod body;
mod concurrent;
mod expr;
mod shape;

use std::fmt::Write;

use crate::dice::Dice;
use body::Body;
use shape::{Shape, Signature};

/// The most variables that one procedure sees, parameters and results included: the oracle stores pairs of states.
const MAX_BITS: u32 = 8;

/// What random programs look like. The sizes are upper bounds; what a program has is drawn from its seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RandomOptions {
    /// The program depends on this number and the sizes alone.
    pub seed: u64,
    /// Procedures besides `main`.
    pub procedures: u32,
    /// Global variables.
    pub globals: u32,
    /// Locals per procedure.
    pub locals: u32,
    /// Statements per procedure.
    pub statements: u32,
    /// Nesting of statements and expressions.
    pub depth: u32,
    /// Threads; fewer than two: a sequential program.
    pub threads: u32,
    /// Whether threads start further ones; only with several threads.
    pub spawns: bool,
}

impl RandomOptions {
    /// Sizes for programs with so many threads, small enough for a search of all interleavings.
    #[must_use]
    pub fn with_threads(threads: u32) -> Self {
        match threads {
            0 | 1 => Self::default(),
            _ => Self {
                seed: 1,
                procedures: 1,
                globals: 2,
                locals: 1,
                statements: if threads == 2 { 5 } else { 4 },
                depth: 1,
                threads,
                spawns: false,
            },
        }
    }
}

impl Default for RandomOptions {
    fn default() -> Self {
        Self { seed: 1, procedures: 2, globals: 2, locals: 2, statements: 9, depth: 2, threads: 1, spawns: false }
    }
}

/// The text of the program.
pub(super) fn write(options: &RandomOptions) -> String {
    if options.threads > 1 {
        return concurrent::write(options);
    }
    let mut dice = Dice::new(options.seed);
    let shape = Shape::draw(&mut dice, options);
    let mut text = globals(&mut dice, &shape);
    let mut n_assertions = dice.between(1, 3);
    let mut procedures = Vec::new();
    for signature in &shape.procedures {
        let mut body = Body::new(&mut dice, &shape, signature, options, n_assertions);
        procedures.push(body.procedure());
        n_assertions = body.assertions_left();
    }
    let first = dice.below(procedures.len() as u32) as usize;
    procedures.rotate_left(first);
    for procedure in procedures {
        let _ = write!(text, "\n{procedure}");
    }
    text
}

fn globals(dice: &mut Dice, shape: &Shape) -> String {
    let mut text = String::new();
    for name in &shape.globals {
        let start =
            if dice.chance(60) { format!(" := {}", dice.pick(&["F", "F", "T", "1", "*"])) } else { String::new() };
        let _ = writeln!(text, "decl {name}{start};");
    }
    text
}

impl Signature {
    /// `bool<2> p1(a, b)`.
    fn head(&self) -> String {
        let results = match self.n_results {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            n => format!("bool<{n}>"),
        };
        format!("{results} {}({})", self.name, self.parameters.join(", "))
    }
}
