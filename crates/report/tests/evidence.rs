//! What a report says about evidence that was not checked.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use base::{Budget, Context, Silent, Source, StopReason};
use driver::{Checked, FrontOptions, Loaded, Options, Outcome, Question, Verdict};
use report::json::common::{Evidence, Input, Limits, Reason, Resources};
use report::json::outcome::{Answer, AskedQuestion, Job, Report};
use report::json::trace::Telling;
use report::text::verdict::{VerdictStyle, render, result_line};

const TEXT: &str = "decl g; void main() begin g := T; assert(g); if (g) then R: skip; fi end";

fn outcome(question: &Question) -> (Loaded, Outcome) {
    let source = Source::new("x.bp", TEXT);
    let loaded = driver::load(source, driver::front_end("bp").unwrap(), &FrontOptions::default()).unwrap();
    let outcome =
        driver::check(&loaded, question, &Options::default(), &Context::new(&Budget::unlimited(), &Silent)).unwrap();
    (loaded, outcome)
}

fn report(loaded: &Loaded, outcome: &Outcome) -> Report {
    let input = Input { file: "x.bp".into(), language: "bp".into(), dialect: "standard".into(), entry: None };
    let question = AskedQuestion { assertions: true, labels: Vec::new() };
    let job = Job { input, question, limits: Limits::default(), bound: None, validate: true, temporal: None };
    Report::of(&job, loaded, outcome, Telling::Mention, Resources::default())
}

#[test]
fn a_certificate_that_was_not_validated_is_not_plain() {
    let (loaded, mut outcome) = outcome(&Question::default());
    let good = report(&loaded, &outcome);
    assert_eq!((good.result, good.evidence, good.complete), (Answer::Holds, Some(Evidence::Validated), true));
    for (checked, reason, line, complete) in [
        (Checked::Stopped(StopReason::Time), Reason::Time, "result: unvalidated (time)\n", false),
        (Checked::Stopped(StopReason::Cancelled), Reason::Cancelled, "result: unvalidated (cancelled)\n", false),
        (Checked::TooLarge("sums".into()), Reason::TooLarge, "result: unvalidated (too large)\n", true),
        (Checked::NotAsked, Reason::NotAsked, "result: unvalidated (not asked)\n", true),
    ] {
        outcome.proof.as_mut().unwrap().validated = checked;
        let bad = report(&loaded, &outcome);
        assert_eq!((bad.result, bad.reason, bad.complete), (Answer::Unvalidated, Some(reason), complete));
        assert_eq!(
            (bad.evidence, bad.targets[0].evidence),
            (Some(Evidence::NotValidated), Some(Evidence::NotValidated))
        );
        assert_eq!(result_line(&bad), line);
        let text = render(&bad, VerdictStyle::default());
        assert!(text.contains("holds, NOT VALIDATED") && text.contains("certificate NOT validated"), "{text}");
    }
    outcome.proof = None;
    let none = report(&loaded, &outcome);
    assert_eq!((none.result, none.evidence), (Answer::Holds, Some(Evidence::None)));
    assert_eq!(result_line(&none), "result: holds (no certificate)\n");
}

#[test]
fn a_run_that_was_not_replayed_is_not_plain() {
    let (loaded, mut outcome) = outcome(&Question { labels: vec!["R".into()], ..Question::default() });
    assert_eq!(report(&loaded, &outcome).result, Answer::Violated);
    let Verdict::Fails(found) = &mut outcome.findings[0].verdict else { panic!("R is reached") };
    found.replayed = Checked::NotAsked;
    let bad = report(&loaded, &outcome);
    assert_eq!((bad.result, bad.evidence), (Answer::Unreplayed, Some(Evidence::NotValidated)));
    assert_eq!(result_line(&bad), "result: unreplayed (not asked)\n");
}
