//! Which procedures a random program has, with which variables and labels.

use super::{MAX_BITS, RandomOptions};
use crate::dice::Dice;

/// Globals and procedures; `main` comes first.
pub(super) struct Shape {
    pub(super) globals: Vec<String>,
    pub(super) procedures: Vec<Signature>,
    /// Whether procedures may call those before them and themselves.
    pub(super) recursive: bool,
}

/// What is known about a procedure before its statements are drawn.
#[derive(Clone)]
pub(super) struct Signature {
    /// Position in the shape.
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) n_results: u32,
    pub(super) locals: Vec<String>,
    /// All names that can be read and written, each once.
    pub(super) visible: Vec<String>,
    /// Labels that its statements will carry.
    pub(super) labels: Vec<String>,
}

impl Shape {
    pub(super) fn draw(dice: &mut Dice, options: &RandomOptions) -> Self {
        let globals = globals(dice, options);
        let n_callees = if dice.chance(10) { 0 } else { dice.between(1, options.procedures).min(options.procedures) };
        let procedures = (0..=n_callees).map(|i| Signature::draw(dice, options, &globals, i)).collect();
        Self { globals, procedures, recursive: true }
    }
}

/// The names of the globals.
pub(super) fn globals(dice: &mut Dice, options: &RandomOptions) -> Vec<String> {
    let n_globals = dice.between(1, options.globals.min(MAX_BITS / 2));
    (0..n_globals).map(|i| global(dice, i)).collect()
}

fn global(dice: &mut Dice, i: u32) -> String {
    if dice.chance(10) { format!("{{x == {i}}}") } else { format!("g{i}") }
}

impl Signature {
    pub(super) fn draw(dice: &mut Dice, options: &RandomOptions, globals: &[String], i: u32) -> Self {
        let is_main = i == 0;
        // The values of every frame multiply with those of the other threads.
        let most = if options.threads > 1 { 1 } else { 2 };
        let n_parameters = if is_main { 0 } else { dice.between(0, most) };
        let n_results = if is_main { 0 } else { dice.between(0, most) };
        let room = MAX_BITS.saturating_sub(globals.len() as u32 + n_parameters + n_results);
        let n_locals = dice.between(0, options.locals.min(room));
        let mut taken: Vec<String> = Vec::new();
        let parameters = names(dice, "a", n_parameters, globals, &mut taken);
        let locals = names(dice, "x", n_locals, globals, &mut taken);
        let mut visible = taken;
        visible.extend(globals.iter().filter(|name| !visible.contains(name)).cloned().collect::<Vec<_>>());
        let n_labels = dice.between(0, 3);
        Self {
            index: i as usize,
            name: if is_main { "main".to_owned() } else { format!("p{i}") },
            parameters,
            n_results,
            locals,
            visible,
            labels: (0..n_labels).map(|label| label_name(dice, label)).collect(),
        }
    }
}

/// Fresh names, a few of which shadow a global.
fn names(dice: &mut Dice, prefix: &str, n: u32, globals: &[String], taken: &mut Vec<String>) -> Vec<String> {
    let mut drawn = Vec::new();
    for i in 0..n {
        let shadowed = dice.pick(globals);
        let shadows = dice.chance(12) && !taken.contains(shadowed);
        let name = if shadows { shadowed.clone() } else { format!("{prefix}{i}") };
        taken.push(name.clone());
        drawn.push(name);
    }
    drawn
}

fn label_name(dice: &mut Dice, i: u32) -> String {
    if dice.chance(15) { format!("{}", 10 + i) } else { format!("L{i}") }
}
