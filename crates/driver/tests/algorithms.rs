//! Algorithm files given to `check` and `solve`: shipped ones, changed ones, wrong ones.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use std::path::Path;
use std::sync::Arc;

use base::{Budget, Silent, Source};
use driver::{Algorithm, CheckError, FrontOptions, Loaded, Options, Outcome, Question, Verdict, check, load, solve};
use engine::formula::{ALGORITHMS, Formula, Found};
use engine::init::WithoutInit;
use engine::{Asked, Context};
use program::{Bound, Unsupported};
use transform::Way;

fn program(text: &str) -> Loaded {
    let source = Source::new("test.bp", text);
    load(source, &front_bp::FRONT_END, &FrontOptions::default()).expect("the program is well formed")
}

fn corpus(name: &str) -> Loaded {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bp").join(name);
    program(&std::fs::read_to_string(file).expect("the corpus is part of the project"))
}

fn shipped(name: &str) -> &'static str {
    ALGORITHMS.iter().find(|(known, _)| *known == name).expect("it ships").1
}

fn own(text: impl Into<String>) -> Algorithm {
    Algorithm { text: Some(text.into()), ..Algorithm::built_in("own.fp") }
}

fn run(loaded: &Loaded, algorithm: Algorithm, bound: Option<Bound>) -> Result<Outcome, CheckError> {
    let options = Options { algorithm: Some(algorithm), bound, ..Options::default() };
    check(loaded, &Question::default(), &options, &Context::new(&Budget::unlimited(), &Silent))
}

/// The codes and the messages of a file that is rejected.
fn rejected(text: &str) -> Vec<(&'static str, String)> {
    match run(&program("void main() begin assert(T); end"), own(text), None) {
        Err(CheckError::Algorithm(source, diagnostics)) => {
            assert_eq!(source.name(), "own.fp");
            diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.message.clone())).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// `context-bounded.fp` with the clause for switching back as it is printed in the paper.
fn as_printed() -> String {
    let text = shipped("context-bounded");
    let ours = "Consecutive(c2, cs, t) & Yield(w) & w.global = g[c2 + 1]\n";
    assert_eq!(text.matches(ours).count(), 1, "the clause is where this test looks for it");
    text.replace(ours, "Consecutive(c2, cs, t)\n")
}

/// The assertions that an algorithm says are violated, on its word alone.
fn claimed(loaded: &Loaded, text: &str, k: u32) -> usize {
    let formula = Formula::parse("own.fp", text).expect("it is well formed");
    let targets: Vec<_> = loaded.program.assertion_targets().iter().map(|target| target.location).collect();
    let (budget, mut way) = (Budget::unlimited(), Way::new(Arc::new(loaded.program.clone()), targets));
    let context = Context::new(&budget, &Silent);
    way.take(&WithoutInit, &context).expect("`init` is removed");
    let asked = Asked { bound: Some(Bound::Switches(k)), traces: false, certificate: false };
    let (answer, _) = engine::answer(&formula, &way, asked, &context).expect("there is a way back");
    assert_eq!(answer.stopped, None);
    answer.reached.len()
}

#[test]
fn the_switch_back_clause_as_printed_answers_wrongly() {
    let resume = corpus("threads_resume.bp");
    let explicit =
        Options { engine: Some("explicit".to_owned()), bound: Some(Bound::Switches(2)), ..Options::default() };
    let oracle = check(&resume, &Question::default(), &explicit, &Context::new(&Budget::unlimited(), &Silent));
    assert!(!oracle.expect("it is supported").is_violated());
    assert_eq!(claimed(&resume, shipped("context-bounded"), 2), 0, "as shipped, nothing is reached");
    assert_eq!(claimed(&resume, &as_printed(), 2), 1, "as printed, the assertion is said to be violated");
    // With one switch nobody is switched back to.
    assert_eq!(claimed(&resume, &as_printed(), 1), 0);
}

#[test]
fn a_wrong_claim_does_not_become_a_verdict() {
    let resume = corpus("threads_resume.bp");
    let shipped = run(&resume, Algorithm::built_in("context-bounded"), Some(Bound::Switches(2)));
    assert!(!shipped.expect("it ships").is_violated());
    match run(&resume, own(as_printed()), Some(Bound::Switches(2))) {
        Err(CheckError::WrongAlgorithm(name, _)) => assert_eq!(name, "own.fp"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn threads_are_followed_by_a_network_unless_something_else_is_asked_for() {
    let resume = corpus("threads_resume.bp");
    let ran = |bound, engine: Option<&str>| {
        let options = Options { bound: Some(bound), engine: engine.map(str::to_owned), ..Options::default() };
        let outcome = check(&resume, &Question::default(), &options, &Context::new(&Budget::unlimited(), &Silent));
        let outcome = outcome.expect("it is supported");
        assert!(outcome.bound == Some(bound) || outcome.is_converged);
        (outcome.engine, outcome.algorithm.map(|ran| ran.name))
    };
    assert_eq!(ran(Bound::Switches(2), None), ("network", None));
    assert_eq!(ran(Bound::Rounds(2), None), ("network", None));
    assert_eq!(ran(Bound::Switches(2), Some("explicit")), ("explicit", None));
}

#[test]
fn what_an_algorithm_is_not_made_for_is_said() {
    let resume = corpus("threads_resume.bp");
    let wrong = |name: &str, bound| run(&resume, Algorithm::built_in(name), bound).expect_err("it does not fit");
    let several = wrong("entry-forward", Some(Bound::Switches(2)));
    assert_eq!(several, CheckError::Unsupported("entry-forward".to_owned(), Unsupported::SeveralThreads));
    assert!(matches!(wrong("context-bounded", None), CheckError::BoundNeeded(_)));
    assert!(matches!(wrong("context-bounded", Some(Bound::Rounds(2))), CheckError::OtherBound(..)));
    assert!(matches!(wrong("round-robin", Some(Bound::Switches(2))), CheckError::OtherBound(..)));
    assert!(matches!(wrong("context-bounded", Some(Bound::Switches(1 << 30))), CheckError::BoundTooLarge(_)));
    assert!(matches!(wrong("sumary", None), CheckError::UnknownAlgorithm(..)));
}

#[test]
fn wrong_files_are_rejected_with_their_places() {
    let of = |text: &str| rejected(text).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert!(!of("mu R(").is_empty());
    assert_eq!(of("query other = true;"), ["CL0016"]);
    assert_eq!(of("query reached(p: Bool) = p;"), ["CL0016"]);
    assert_eq!(of("param k; query reached(p: Location) = k = 1;"), ["FP0032"]);
    let signature = rejected("input Entry(p: Thread);\nquery reached(p: Location) = true;");
    assert_eq!(signature.len(), 1, "{signature:?}");
}

/// Its rounds are: nothing, everything, nothing, ...
const RESTLESS: &str = "input Target(p: Location);
    mu R(p: Location) = !R(p);
    query reached(p: Location) = Target(p) & R(p);";

#[test]
fn equations_that_do_not_settle_are_reported() {
    let outcome = run(&program("void main() begin assert(T); end"), own(RESTLESS), None).expect("it stops");
    assert_eq!(outcome.stopped, Some(base::StopReason::Oscillates));
    assert!(matches!(outcome.findings[0].verdict, Verdict::Unknown(base::StopReason::Oscillates)));
    assert!(outcome.detail.expect("it says which").contains("`R`"));
}

/// What nobody calls is no control point; the search must not end when all others are found, or the proof has holes.
#[test]
fn targets_in_procedures_that_nobody_calls_do_not_end_the_search() {
    let texts = [
        "void main() begin skip; end void p() begin L: skip; end",
        "void main() begin if (*) then assert(F); else skip; fi skip; end void p() begin main(); L: skip; end",
    ];
    for text in texts {
        let loaded = program(text);
        let question = Question { assertions: true, labels: vec!["L".to_owned()], statements: false };
        for name in ["summary", "entry-forward", "entry-forward-split", "entry-forward-opt", "backward"] {
            let algorithm = Some(Algorithm::built_in(name));
            let options = Options { algorithm, passes: Some(Vec::new()), ..Options::default() };
            let outcome =
                check(&loaded, &question, &options, &Context::new(&Budget::unlimited(), &Silent)).expect(name);
            assert!(matches!(outcome.findings[0].verdict, Verdict::Holds), "{name}: {text}");
            assert!(outcome.proof.is_some_and(|proof| proof.validated.is_yes()), "{name}: {text}");
        }
    }
}

/// Rounds to the letter find the same, with a trace.
#[test]
fn the_literal_semantics_has_traces_too() {
    let loaded = program("decl g; void main() begin f(); assert(!g); end void f() begin g := T; end");
    for name in ["summary", "entry-forward", "entry-forward-opt"] {
        let algorithm = Algorithm { literal: true, ..Algorithm::built_in(name) };
        assert!(run(&loaded, algorithm, None).expect(name).is_violated(), "{name}");
    }
}

/// An algorithm that finds nothing is not a proof.
#[test]
fn nothing_found_by_an_algorithm_of_ones_own_is_its_word_alone() {
    let loaded = program("void main() begin assert(F); end");
    let blind = "input Target(p: Location); query reached(p: Location) = Target(p) & false;";
    let outcome = run(&loaded, own(blind), None).expect("it is well formed");
    assert!(!outcome.is_violated());
    assert_eq!(outcome.on_the_word_of(), Some("own.fp"));
    let holds = program("void main() begin assert(T); end");
    let shipped = run(&holds, Algorithm::built_in("entry-forward"), None).expect("it ships");
    assert_eq!(shipped.on_the_word_of(), None);
    let options = Options { algorithm: Some(own(blind)), ..Options::default() };
    let refused = driver::coverage(&loaded, &options, &Context::new(&Budget::unlimited(), &Silent));
    assert!(matches!(refused, Err(CheckError::Unchecked(_))));
}

/// Without `Target(p)` in the query there are more solutions than targets; all of them have to be found.
#[test]
fn a_query_may_have_more_solutions_than_there_are_targets() {
    let text = shipped("entry-forward").replace("Target(p) & ", "");
    let loaded = program("decl g; void main() begin g := T; if (g) then g := F; fi assert(g); end");
    assert!(run(&loaded, own(text), None).expect("it is well formed").is_violated());
}

#[test]
fn queries_are_answered_as_they_are() {
    let loaded = program("decl g; void main() begin g := T; L: skip; end");
    let text = "sort State = { loc: Location, local: Local, global: Global };
        input Entry(p: Location), Init(p: Location), ProgramInt(u: State, v: State);
        mu Seen(v: State) = Entry(v.loc) & Init(v.loc) | (exists u: State. Seen(u) & ProgramInt(u, v));
        query begins = exists v: State. Seen(v);
        query never = exists v: State. Seen(v) & !Seen(v);
        query seen(v: State) = Seen(v);";
    let answer = |limit| {
        let budget = Budget::unlimited();
        let solution = solve(&loaded, &own(text), &Question::default(), None, limit, &Context::new(&budget, &Silent));
        solution.expect("it is well formed").findings.queries
    };
    let queries = answer(100);
    assert_eq!([&queries[0].found, &queries[1].found], [&Found::Closed(true), &Found::Closed(false)]);
    assert_eq!(queries[2].columns, ["v.loc", "v.local", "v.global"]);
    // Before the first location and at it with g = 0 and 1; afterwards, twice, with g = 1.
    let Found::Open { rows, total } = &queries[2].found else { panic!("{:?}", queries[2]) };
    assert_eq!((rows.len() as u128, *total), (total.expect("they can be counted"), Some(6)));
    let Found::Open { rows, total } = &answer(2)[2].found else { panic!("it is open") };
    assert_eq!((rows.len(), *total), (2, Some(6)));
}
