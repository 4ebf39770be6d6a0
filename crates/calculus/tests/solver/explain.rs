//! The plan for people, of a file for programs.

use std::collections::BTreeMap;

use base::{Budget, Silent, Source};
use bdd::{Config, Manager};
use calculus::{Control, Options, Plan, Signature, Solver, System, fp};

use crate::dice::Dice;
use crate::model::Small;

const REACH: &str = "
    sort State = { at: Place, word: Word };
    input I0(p: Place), I1(p: Place, q: Place), I3(p: Place, v: Word, w: Word);
    mu Reach(s: State, fresh: Bool, depth: 0..2) =
        I0(s.at) & depth = 0 & fresh
      | exists t: State. Reach(t, true, depth) & I3(t.at, t.word, s.word) & I1(t.at, s.at) & !fresh
      | exists t: State, b: Bool. Reach(t, b, depth - 1) & (forall w: Word. I3(t.at, w, t.word)) & s = t & fresh;
    order Reach: fresh above s.word, depth above fresh;
    query reached(p: Place) = exists s: State, b: Bool, d: 0..2. Reach(s, b, d) & s.at = p;
";

fn system(signature: &Signature) -> System {
    let (tree, diagnostics) = fp::parse(&Source::new("reach.fp", REACH));
    match tree.map(|tree| fp::resolve(&tree, signature, &BTreeMap::new())) {
        Some(Ok((system, _))) if !diagnostics.has_errors() => system,
        other => panic!("{diagnostics:?} {other:?}"),
    }
}

fn model() -> Small {
    let mut model = Small::new(&mut Dice::new(1));
    model.signature.inputs[0].columns = vec![Some(0)];
    model
}

#[test]
fn keys_and_increments() {
    let model = model();
    let system = system(&model.signature);
    insta::assert_snapshot!(Plan::new(&system, &model.signature, Control::Explicit).explain(&system, &model.signature));
}

#[test]
fn wishes_that_are_not_followed_are_reported() {
    let mut model = model();
    let system = system(&model.signature);
    for (control, expected) in [(Control::Explicit, &["depth above fresh"][..]), (Control::Symbolic, &[])] {
        let plan = Plan::new(&system, &model.signature, control);
        let (budget, manager) = (Budget::unlimited(), Manager::new(&Config::small()));
        let Ok(solver) = Solver::new(&plan, &mut model, manager, Options::default(), &budget, &Silent) else {
            panic!()
        };
        let warnings = solver.hint_warnings(&system);
        assert_eq!(warnings.len(), solver.unfollowed_hints().len());
        let spans: Vec<&str> = warnings
            .iter()
            .filter_map(|warning| warning.primary.as_ref())
            .map(|label| &REACH[label.span.range()])
            .collect();
        assert_eq!(spans, expected, "{control:?}");
    }
}
