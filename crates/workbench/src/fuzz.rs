//! What the fuzzers check: functions from bytes to nothing that panic when a promise is broken.
//!
//! The fuzz targets call them with whatever the fuzzer thinks of, the tests with damaged versions of good inputs.

use std::sync::OnceLock;

use base::{Budget, Diagnostics, Silent, Source};
use driver::Verdict;
use front_bp::{Dialect, Options};
use program::{LocationId, Program};
use question::condition::{self, About};
use question::front::Lowered;

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

/// Pushdown systems and Remopla: every text gets an answer from both readers; what is accepted is a program that
/// `verify` accepts.
pub fn pushdown_system(bytes: &[u8]) {
    let source = Source::new("fuzz.pds", String::from_utf8_lossy(bytes));
    for read in [front_pds::read_pds, front_pds::read_remopla] {
        let (lowered, diagnostics) = read(&source, &front_pds::Options::default());
        assert_eq!(lowered.is_none(), diagnostics.has_errors(), "there is a program or there are errors");
        if let Some(lowered) = lowered {
            assert_eq!(program::verify(&lowered.program), Ok(()), "what is lowered is well formed");
            assert_eq!(lowered.origins.edges.len(), lowered.program.edges.len(), "every edge has an origin");
            assert_eq!(lowered.origins.locations.len(), lowered.program.locations.len(), "so has every location");
        }
    }
}

/// A front end for pushdown systems.
type Reader = fn(&Source, &front_pds::Options) -> (Option<Lowered>, Diagnostics);

/// Programs beside which conditions and sets are read: their locals are those of symbols, or of procedures.
const ASKED: [(&str, Reader); 2] = [
    (
        "define N 2 global bool g; int a[1,3](N); local (s, t) int x(N); local (u) bool x; int y(64);
         (p <s>) p <s> --> p <s t> p <t> --> q <u> (x') q <u> --> q <>",
        front_pds::read_pds,
    ),
    (
        "enum colour { red, green }; struct pair { bool f; int i(3); }; signed int s(4); enum colour c; struct pair z[2]; int m[2][3](2);
         module int f(int x) { L: return x; } module void main() { int x(2); s = f(x); M: skip; }",
        front_pds::read_remopla,
    ),
];

/// Conditions and sets of configurations, beside fixed programs: every text gets an answer; what is accepted is a
/// condition, and what is wrong has its place in the text.
///
/// # Panics
/// When a promise is broken.
pub fn question(bytes: &[u8]) {
    static PROGRAMS: OnceLock<Vec<Lowered>> = OnceLock::new();
    let read = |(text, read): (&str, Reader)| {
        let (lowered, errors) = read(&Source::new("asked", text), &front_pds::Options::default());
        lowered.unwrap_or_else(|| panic!("the programs are well formed: {errors:?}"))
    };
    let text = &*String::from_utf8_lossy(bytes);
    let is_place = |range: &std::ops::Range<usize>| text.get(range.clone()).is_some();
    for Lowered { program, writing, .. } in PROGRAMS.get_or_init(|| ASKED.map(read).into()) {
        let about = [About::Anything].into_iter().chain(program.procedures.ids().map(About::Procedure));
        let one = about.map(|about| condition::parse(program, writing, about, text).map(|read| vec![read]));
        let groups = condition::parse_everywhere(program, writing, text);
        for read in one.chain([groups.map(|groups| groups.into_iter().map(|(_, read)| read).collect())]) {
            match read {
                Ok(conditions) => conditions.iter().for_each(|(condition, _)| {
                    assert_eq!(program::verify::sort_of(program, condition), Ok(program::Sort::Bool), "it is one");
                }),
                Err(error) => assert!(is_place(&error.range), "{error:?}"),
            }
        }
        let state = |name: &str| (name == "p" || name == "q").then_some(program::Expr::TRUE);
        if let Err(error) = question::configuration::parse(program, writing, &state, text) {
            assert!(is_place(&error.range), "{error:?}");
        }
    }
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

/// A program that certificates and traces are read for, and what is reachable in it.
#[derive(Debug)]
pub struct Example {
    /// The program.
    pub program: Program,
    /// The locations that some run reaches, in order.
    pub reachable: Vec<LocationId>,
}

/// Recursive, with parameters, results and nondeterminism; some of it is unreachable.
const EXAMPLE: &str = "\
decl g, h;
void main() begin
  decl x;
  g, h := F, *;
  x := flip(h, T);
  assert(x != h);
  if (g) then BAD: skip; fi
  if (x) then GOOD: assert(!h); else assert(g); fi
end
bool flip(a, again) begin
  decl r;
  if (again) then r := flip(!a, F); return r; fi
  return a;
end
";

/// The same example each time.
///
/// # Panics
/// When the checker cannot answer for it.
pub fn example() -> &'static Example {
    static EXAMPLE_ONCE: OnceLock<Example> = OnceLock::new();
    EXAMPLE_ONCE.get_or_init(|| {
        let source = Source::new("example.bp", EXAMPLE);
        let loaded = driver::load(source, &front_bp::FRONT_END, &driver::FrontOptions::default());
        let Ok(loaded) = loaded else { panic!("the example is well formed") };
        let question = driver::Question { statements: true, assertions: true, ..driver::Question::default() };
        let options = driver::Options { engine: Some("explicit".to_owned()), ..driver::Options::default() };
        let outcome = driver::check(&loaded, &question, &options, &driver::Context::new(&Budget::unlimited(), &Silent));
        let Ok(outcome) = outcome else { panic!("the example is checked: {outcome:?}") };
        let reached = outcome.findings.iter().filter(|finding| matches!(finding.verdict, Verdict::Fails(_)));
        let mut reachable: Vec<LocationId> = reached.map(|finding| finding.target.location).collect();
        reachable.extend(loaded.program.procedures.iter().flat_map(|procedure| &procedure.exits));
        reachable.sort();
        Example { program: loaded.program, reachable }
    })
}

/// Certificates for the example: every text gets an answer; what is read is written as the same; and what is accepted
/// is true.
pub fn certificate(bytes: &[u8]) {
    let example = example();
    let text = String::from_utf8_lossy(bytes);
    let Ok(certificate) = witness::format::parse(&example.program, &text) else { return };
    let written = witness::format::to_text(&example.program, &certificate);
    assert_eq!(
        witness::format::parse(&example.program, &written),
        Ok(certificate.clone()),
        "what is written reads as the same"
    );
    let budget = Budget::unlimited().with_max_steps(Some(10_000));
    if witness::validate(&example.program, &certificate, &budget).is_ok() {
        let wrong = certificate.targets.iter().find(|target| example.reachable.contains(target));
        assert_eq!(wrong, None, "nothing reachable is certified as unreachable:\n{written}");
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
    fn pushdown_systems_survive_damage() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pds");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<std::path::PathBuf> = files.collect();
        files.sort();
        let seeds: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        let mut dice = Dice::new(4);
        (0..3_000).for_each(|_| pushdown_system(&damaged(&mut dice, &seeds)));
    }

    #[test]
    fn questions_survive_damage() {
        let seeds = [
            "g & !(a[1] = 2 | a[x + 1] > 0 -> x = 1) <-> A i (1, N) a[i] / 2 <= a[i + 1] << 1",
            "c = green && z[1].f || s < -3 ^^ (m[1][2] & 3) == z[0].i",
            "E i (0, 1) E j (0, 2) m[i][j] = 0 && m = [[0, 1, 2], [3, 0, 1]] || f::x >> 1 != main::x * 2",
            "p <s(x = 1) (t | u)* .> | q(g & a[2] = 1) <.* u(x)>",
            "s::x = t::x && u::x == ::g && {x + 1} * 3 > 18446744073709551615",
        ];
        let seeds = seeds.map(str::to_owned);
        let mut dice = Dice::new(5);
        (0..5_000).for_each(|_| question(&damaged(&mut dice, &seeds)));
    }

    /// The certificate for what is unreachable in the example.
    fn genuine() -> String {
        let source = Source::new("example.bp", EXAMPLE);
        let loaded = driver::load(source, &front_bp::FRONT_END, &driver::FrontOptions::default()).unwrap();
        let question = driver::Question { labels: vec!["BAD".to_owned()], ..driver::Question::default() };
        let options = driver::Options::default();
        let outcome =
            driver::check(&loaded, &question, &options, &driver::Context::new(&Budget::unlimited(), &Silent)).unwrap();
        witness::format::to_text(&loaded.program, &outcome.proof.unwrap().certificate)
    }

    #[test]
    fn the_example_has_both_kinds_of_locations() {
        let example = example();
        let is_reachable = |label: &str| example.reachable.contains(&example.program.label_targets(label)[0].location);
        assert!(is_reachable("GOOD") && !is_reachable("BAD"));
        assert!(example.program.assertion_targets().iter().any(|target| !example.reachable.contains(&target.location)));
        certificate(genuine().as_bytes());
    }

    #[test]
    fn certificates_survive_damage() {
        let (mut dice, seeds) = (Dice::new(3), [genuine()]);
        (0..1_000).for_each(|_| certificate(&damaged(&mut dice, &seeds)));
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
