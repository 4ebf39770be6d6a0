//! Random expressions, as text.

use crate::dice::Dice;

/// What an expression may contain.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    /// Values that are chosen when the expression is evaluated.
    pub(super) choice: bool,
    /// The new values of variables.
    pub(super) primes: bool,
}

impl Allowed {
    /// Neither choices nor new values.
    pub(super) const PLAIN: Self = Self { choice: false, primes: false };
    /// Choices.
    pub(super) const CHOICE: Self = Self { choice: true, primes: false };
    /// New values.
    pub(super) const PRIMES: Self = Self { choice: false, primes: true };
}

#[derive(Clone, Copy)]
enum Kind {
    Binary,
    Not,
    Ternary,
    Choose,
}

/// An expression over the variables, of which there is at least one.
pub(super) fn expr(dice: &mut Dice, variables: &[String], depth: u32, allowed: Allowed) -> String {
    if depth == 0 || dice.chance(45) {
        return atom(dice, variables, allowed);
    }
    let choose = if allowed.choice { 12 } else { 0 };
    let operand = |dice: &mut Dice| expr(dice, variables, depth - 1, allowed);
    match dice.weighted(&[(70, Kind::Binary), (10, Kind::Not), (8, Kind::Ternary), (choose, Kind::Choose)]) {
        Kind::Binary => {
            let (left, right) = (operand(dice), operand(dice));
            // Without parentheses the operators of neighbours decide what belongs together.
            let (open, close) = if dice.chance(75) { ("(", ")") } else { ("", "") };
            format!("{open}{left} {} {right}{close}", operator(dice))
        }
        Kind::Not => format!("{}({})", dice.pick(&["!", "~"]), operand(dice)),
        Kind::Ternary => {
            let condition = atom(dice, variables, Allowed::PLAIN);
            format!("({condition} ? ({}) : ({}))", operand(dice), operand(dice))
        }
        Kind::Choose => format!("{}[{}, {}]", dice.pick(&["schoose", "choose"]), operand(dice), operand(dice)),
    }
}

fn operator(dice: &mut Dice) -> &'static str {
    dice.pick::<&str>(&["&", "&", "&&", "|", "|", "||", "^", "=", "==", "!=", "!=", "=>", "->", "<=>"])
}

fn atom(dice: &mut Dice, variables: &[String], allowed: Allowed) -> String {
    match dice.below(100) {
        0..8 => (*dice.pick(&["T", "F", "0", "1", "true", "false"])).to_owned(),
        8..18 if allowed.choice => "*".to_owned(),
        _ => {
            let prime = if allowed.primes && dice.chance(50) { "'" } else { "" };
            let not = if dice.chance(35) { "!" } else { "" };
            format!("{not}{prime}{}", dice.pick(variables))
        }
    }
}
