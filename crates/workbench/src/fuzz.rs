//! What the fuzzers check: functions from bytes to nothing that panic when a promise is broken.
//!
//! The fuzz targets call them with whatever the fuzzer thinks of, the tests with damaged versions of good inputs.

use base::{Diagnostics, Source};
use front_bp::{Dialect, Options};
use program::Program;

/// Boolean programs: every text gets an answer; what is accepted lowers to a program that `verify` accepts, in every
/// dialect, and its canonical form is canonical and lowers to the same program.
pub fn boolean_program(bytes: &[u8]) {
    let source = Source::new("fuzz.bp", String::from_utf8_lossy(bytes));
    let Some(formatted) = formatted(&source) else { return };
    let again = Source::new("fuzz.bp", formatted);
    assert_eq!(self::formatted(&again).as_deref(), Some(again.text()), "the canonical form is canonical");
    for dialect in [Dialect::Standard, Dialect::Getafix] {
        let options = Options { dialect, ..Options::default() };
        let (before, after) = (lowered(&source, &options), lowered(&again, &options));
        match (before, after) {
            (Ok(before), Ok(after)) => {
                assert_eq!(program::verify(&before), Ok(()), "what is lowered is well formed");
                assert_eq!(before, after, "the canonical form means the same");
            }
            (Err(before), Err(after)) => {
                let codes = |errors: &Diagnostics| errors.iter().map(|error| error.code).collect::<Vec<_>>();
                assert!(before.has_errors(), "what is rejected has errors");
                assert_eq!(codes(&before).len(), codes(&after).len(), "the canonical form is as wrong");
            }
            (before, after) => panic!("one form is accepted, the other not: {before:?} {after:?}"),
        }
    }
}

/// The canonical form, if the text has no syntax errors.
fn formatted(source: &Source) -> Option<String> {
    let (tree, diagnostics) = front_bp::parse(source);
    assert!(tree.is_some() || diagnostics.has_errors(), "without a tree there is an error");
    tree.filter(|_| !diagnostics.has_errors()).map(|tree| front_bp::format(&tree))
}

fn lowered(source: &Source, options: &Options) -> Result<Program, Diagnostics> {
    let (tree, diagnostics) = front_bp::parse(source);
    let tree = tree.ok_or(diagnostics)?;
    front_bp::lower(&tree, source, options).map(|(lowered, _)| lowered.program)
}

/// The text form of the model: every text gets an answer; what is accepted prints as a text that reads as the same.
pub fn model(bytes: &[u8]) {
    let source = Source::new("fuzz.cauldron", String::from_utf8_lossy(bytes));
    let program = match program::text::parse(&source) {
        Ok((program, _)) => program,
        Err(diagnostics) => {
            assert!(diagnostics.has_errors(), "what is rejected has errors");
            return;
        }
    };
    let printed = Source::new("printed.cauldron", program::text::print(&program));
    match program::text::parse(&printed) {
        Ok((again, _)) => assert_eq!(program, again, "what is printed reads as the same"),
        Err(diagnostics) => panic!("what is printed is not read: {diagnostics:?}\n{}", printed.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::generate::{Family, RandomOptions, generate};

    /// Inputs made by damaging good ones: bytes change, go, or are moved from elsewhere.
    fn damaged(dice: &mut Dice, seeds: &[String]) -> Vec<u8> {
        let mut bytes = dice.pick(seeds).clone().into_bytes();
        for _ in 0..dice.between(0, 4) {
            let at = dice.below(bytes.len() as u32 + 1) as usize;
            let end = (at + dice.between(1, 12) as usize).min(bytes.len());
            let from = dice.pick(seeds).as_bytes();
            let start = dice.below(from.len() as u32) as usize;
            let piece = &from[start..(start + dice.between(1, 30) as usize).min(from.len())];
            match dice.below(4) {
                0 => bytes.splice(at..end, std::iter::empty()).for_each(drop),
                1 => bytes.splice(at..end, piece.iter().copied()).for_each(drop),
                2 => bytes.splice(at..at, piece.iter().copied()).for_each(drop),
                _ => bytes.splice(at..at, [dice.bits() as u8]).for_each(drop),
            }
        }
        bytes
    }

    fn programs() -> Vec<String> {
        let random = |seed| generate(&Family::Random(RandomOptions { seed, ..RandomOptions::default() }));
        let threads = "init begin g := F; end decl g; thread a[2] begin decl p; void main() begin atomic_begin; \
                       p := g; atomic_end; start_thread b(p); end end void b(x) begin L: goto L, M; M: end_thread; end";
        (0..40).map(random).chain([threads.to_owned()]).collect()
    }

    #[test]
    fn boolean_programs_survive_damage() {
        let (mut dice, seeds) = (Dice::new(1), programs());
        (0..1_000).for_each(|_| boolean_program(&damaged(&mut dice, &seeds)));
    }

    #[test]
    fn models_survive_damage() {
        let print = |text: String| {
            let source = Source::new("seed.bp", text);
            program::text::print(&lowered(&source, &Options::default()).expect("seeds are well formed"))
        };
        let seeds: Vec<String> = programs().into_iter().map(print).collect();
        let mut dice = Dice::new(2);
        (0..1_000).for_each(|_| model(&damaged(&mut dice, &seeds)));
    }
}
