//! One defect at a time.

use super::*;
use crate::{
    BinaryOp, Call, EdgeKind, Expr, Program, ProgramBuilder, Relation, Rhs, Scope, Sort, Spawn, Update, Value, When,
};

/// A well-formed program with something of everything.
///
/// Variables: 0 g, 1 n, 2 t (private), 3 main::l, 4 p::a, 5 p::r, 6 array.
/// Locations: 0, 1, 2 of main; 3, 4 of p. Edges: 0 call, 1 step in main, 2 step in p, 3 spawn.
fn sample() -> Program {
    let mut b = ProgramBuilder::new();
    let colour = b.enumeration("colour", vec!["red".into(), "green".into()]);
    let [g, n, t] = [b.shared("g", Sort::Bool), b.shared("n", Sort::Bits(4)), b.private("t", Sort::Enum(colour))];
    let [main, p] = ["main", "p"].map(|name| b.procedure(name));
    let l = b.local(main, "l", Sort::Bool);
    let [a, r] = [b.parameter(p, "a", Sort::Bool), b.result(p, "r", Sort::Bool)];
    b.shared("array", Sort::Array(Box::new(Sort::Bool), 3));
    let [m0, m1, m2] = [main; 3].map(|main| b.location(main));
    let [p0, p1] = [p; 2].map(|p| b.location(p));
    b.entry(m0);
    b.entry(p0);
    b.exit(p1);
    let saved = Update { when: When::Saved, ..Update::havoc(l) };
    let enter = Relation::update(vec![Update::assign(a, Expr::before(g)), saved])
        .constrained(Expr::after(a).eq(Expr::Read(l, When::Saved)));
    let leave = Relation::update(vec![Update::assign(l, Expr::Read(r, When::Result))]);
    b.call(m0, m1, Call { callee: p, entry: p0, enter, leave });
    b.step(m1, m2, Relation::assume(Expr::before(t).eq(Expr::Const(Value::Enum(1), Sort::Enum(colour)))));
    b.step(p0, p1, Relation::update(vec![Update::assign(r, Expr::before(a)), Update::havoc(t)]));
    let enter = Relation::update(vec![Update::assign(a, Expr::before(l))]);
    b.spawn(m2, m0, Spawn { callee: p, entry: p0, enter });
    b.thread("main", main);
    b.start(Expr::before(n).eq(Expr::Const(Value::Bits(3), Sort::Bits(4))).and(Expr::before(l)));
    let mut program = b.finish();
    program.procedures[p].untouched = vec![g, n];
    program.procedures[main].untouched = vec![n];
    program
}

/// What `verify` says about the sample after a change.
fn defects(change: impl FnOnce(&mut Program)) -> Vec<String> {
    let mut program = sample();
    change(&mut program);
    match verify(&program) {
        Ok(()) => Vec::new(),
        Err(defects) => defects.iter().map(ToString::to_string).collect(),
    }
}

fn step(program: &mut Program) -> &mut Relation {
    match &mut program.edges[EdgeId(1)].kind {
        EdgeKind::Step(relation) => relation,
        _ => unreachable!("edge 1 is a step"),
    }
}

fn call(program: &mut Program) -> &mut Call {
    match &mut program.edges[EdgeId(0)].kind {
        EdgeKind::Call(call) => call,
        _ => unreachable!("edge 0 is a call"),
    }
}

fn after_step(change: impl FnOnce(&mut Relation)) -> Vec<String> {
    defects(|program| {
        program.procedures[MAIN].untouched.clear();
        change(step(program));
    })
}

const G: VariableId = VariableId(0);
const N: VariableId = VariableId(1);
const T: VariableId = VariableId(2);
const L: VariableId = VariableId(3);
const A: VariableId = VariableId(4);
const R: VariableId = VariableId(5);
const ARRAY: VariableId = VariableId(6);
const MAIN: ProcedureId = ProcedureId(0);
const P: ProcedureId = ProcedureId(1);

#[test]
fn the_sample_is_well_formed() {
    assert_eq!(defects(|_| ()), [""; 0]);
}

#[test]
fn ids_out_of_range_are_found_before_they_are_used() {
    let wrong: [&dyn Fn(&mut Program); 14] = [
        &|program| program.variables[G].scope = Scope::Local(ProcedureId(9)),
        &|program| program.variables[G].sort = Sort::Array(Box::new(Sort::Enum(EnumId(9))), 2),
        &|program| program.procedures[P].locals.push(VariableId(9)),
        &|program| program.procedures[P].untouched.push(VariableId(9)),
        &|program| program.procedures[P].exits.push(LocationId(9)),
        &|program| program.locations[LocationId(0)].procedure = ProcedureId(9),
        &|program| program.edges[EdgeId(1)].source = LocationId(9),
        &|program| call(program).callee = ProcedureId(9),
        &|program| call(program).entry = LocationId(9),
        &|program| step(program).guard = Expr::before(VariableId(9)),
        &|program| step(program).updates.push(Update::havoc(VariableId(9))),
        &|program| program.start = Expr::Const(Value::Enum(0), Sort::Enum(EnumId(9))),
        &|program| program.init = Some(ProcedureId(9)),
        &|program| program.threads[0].start = ProcedureId(9),
    ];
    for (at, wrong) in wrong.iter().enumerate() {
        let found = defects(wrong);
        assert_eq!(found.len(), 1, "{at}: {found:?}");
        assert!(found[0].ends_with(" 9, which does not exist"), "{at}: {found:?}");
    }
}

#[test]
fn names_are_unique_in_their_scopes() {
    let renamed = |variable, name: &str| defects(|program| program.variables[variable].name = name.into());
    assert_eq!(renamed(N, "g"), ["variable 1: there is another variable g in the same scope"]);
    assert_eq!(renamed(T, "g"), ["variable 2: there is another variable g in the same scope"]);
    assert_eq!(renamed(R, "a"), ["variable 5: there is another variable a in the same scope"]);
    assert_eq!(renamed(L, "a"), [""; 0]);
    assert_eq!(renamed(L, "g"), [""; 0]);
    let found = defects(|program| program.procedures[P].name = "main".into());
    assert_eq!(found, ["procedure 1: there is another procedure main"]);
    let found = defects(|program| program.enums[EnumId(0)].values.push("red".into()));
    assert_eq!(found, ["enumeration 0: colour has the value red twice"]);
}

#[test]
fn sorts_must_exist() {
    let sorted = |sort: Sort| defects(|program| program.variables[ARRAY].sort = sort);
    assert_eq!(sorted(Sort::Bits(0)), ["variable 6: array: a bit vector has 1 to 64 bits, not 0"]);
    assert_eq!(sorted(Sort::Bits(65)), ["variable 6: array: a bit vector has 1 to 64 bits, not 65"]);
    assert_eq!(sorted(Sort::Bits(64)), [""; 0]);
    let array = |element, n| Sort::Array(Box::new(element), n);
    assert_eq!(sorted(array(Sort::Bool, 0)), ["variable 6: array: an array has at least one element"]);
    let huge = array(array(Sort::Bits(64), u32::MAX), u32::MAX);
    assert_eq!(sorted(huge).len(), 1);
    let found = defects(|program| program.enums[EnumId(0)].values.clear());
    assert!(found.contains(&"enumeration 0: colour has no values".into()), "{found:?}");
}

#[test]
fn frames_and_locations_are_listed_once_and_in_order() {
    let found = defects(|program| program.procedures[P].locals.push(R));
    assert_eq!(found, ["procedure 1: lists r, which is listed already"]);
    let found = defects(|program| program.procedures[P].locals.push(G));
    assert_eq!(found, ["procedure 1: lists g, which is not one of its locals"]);
    let found = defects(|program| program.procedures[MAIN].locals.clear());
    assert_eq!(found, ["variable 3: l is missing in its procedure's lists"]);
    let found = defects(|program| program.procedures[MAIN].locations.swap(0, 1));
    assert_eq!(found, ["procedure 0: its locations are not in ascending order, each once"]);
    let found = defects(|program| program.procedures[MAIN].locations.truncate(2));
    assert_eq!(found, ["program: some locations are missing in their procedure's lists"]);
}

#[test]
fn edges_stay_in_their_procedure_and_calls_enter_at_entries() {
    let found = defects(|program| program.edges[EdgeId(1)].target = LocationId(3));
    assert_eq!(found, ["edge 1: leads into another procedure"]);
    let found = defects(|program| program.procedures[MAIN].exits.push(LocationId(1)));
    assert_eq!(found, ["edge 1: leaves an exit"]);
    let found = defects(|program| call(program).entry = LocationId(4));
    assert_eq!(found, ["edge 0: enters p at a location that is none of its entries"]);
    let found = defects(|program| call(program).entry = LocationId(0));
    assert_eq!(found, ["edge 0: enters p at a location that is none of its entries"]);
    let found = defects(|program| program.procedures[MAIN].entries.push(LocationId(4)));
    assert_eq!(found, ["procedure 0: the entry 4 belongs to another procedure"]);
}

#[test]
fn guards_and_updates_read_the_state_before() {
    for expr in [Expr::after(G), Expr::before(A), Expr::Read(L, When::Saved), Expr::Read(R, When::Result)] {
        let found = after_step(|step| step.guard = expr.clone());
        assert!(found[0].starts_with("edge 1: the guard reads "), "{found:?}");
        let found = after_step(|step| step.updates.push(Update::assign(G, expr)));
        assert!(found[0].starts_with("edge 1: an update reads "), "{found:?}");
    }
    assert_eq!(after_step(|step| step.constraint = Expr::after(G)), [""; 0]);
    let found = after_step(|step| step.constraint = Expr::after(A));
    assert_eq!(found, ["edge 1: the constraint reads p::a (After), which it must not"]);
}

#[test]
fn calls_use_each_moment_as_documented() {
    let entering = |expr: Expr| defects(|program| call(program).enter.constraint = expr);
    assert_eq!(entering(Expr::after(A).and(Expr::before(L)).and(Expr::after(G))), [""; 0]);
    assert_eq!(entering(Expr::after(L)), ["edge 0: the constraint reads main::l (After), which it must not"]);
    assert_eq!(entering(Expr::Read(G, When::Saved)), ["edge 0: the constraint reads g (Saved), which it must not"]);
    assert_eq!(
        entering(Expr::Read(R, When::Result)),
        ["edge 0: the constraint reads p::r (Result), which it must not"]
    );
    let leaving = |expr: Expr| defects(|program| call(program).leave.guard = expr);
    assert_eq!(leaving(Expr::Read(R, When::Result).and(Expr::before(L))), [""; 0]);
    assert_eq!(leaving(Expr::Read(A, When::Result)), ["edge 0: the guard reads p::a (Result), which it must not"]);
    assert_eq!(leaving(Expr::before(A)), ["edge 0: the guard reads p::a (Before), which it must not"]);
    let found = defects(|program| call(program).leave.updates.push(Update::havoc(A)));
    assert_eq!(found, ["edge 0: writes p::a (After), which it must not"]);
    let found = defects(|program| call(program).enter.updates.push(Update::havoc(L)));
    assert_eq!(found, ["edge 0: writes main::l (After), which it must not"]);
}

#[test]
fn no_variable_is_written_twice() {
    let element =
        |at| Update { index: Some(Expr::Const(Value::Bits(at), Sort::Bits(2))), ..Update::assign(ARRAY, Expr::TRUE) };
    assert_eq!(after_step(|step| step.updates = vec![element(1), element(1)]), [""; 0]);
    let twice = ["edge 1: writes array twice"];
    assert_eq!(after_step(|step| step.updates = vec![element(1), Update::havoc(ARRAY)]), twice);
    assert_eq!(after_step(|step| step.updates = vec![Update::havoc(ARRAY), Update::havoc(ARRAY)]), twice);
}

#[test]
fn expressions_are_well_sorted() {
    let bits = |value| Box::new(Expr::Const(Value::Bits(value), Sort::Bits(4)));
    let guarded = |guard: Expr| after_step(|step| step.guard = guard);
    assert_eq!(guarded(Expr::before(N)), ["edge 1: the guard is of sort bits<4>, not bool"]);
    assert_eq!(guarded(Expr::before(N).eq(Expr::before(G))), ["edge 1: Eq is not defined on bits<4> and bool"]);
    assert_eq!(guarded(Expr::before(T).not()), ["edge 1: Not is not defined on colour"]);
    assert_eq!(
        guarded(Expr::before(N).and(Expr::TRUE.not())),
        ["edge 1: an operand of And is of sort bits<4>, not bool"]
    );
    let index = |array, index| Expr::Index(Box::new(Expr::before(array)), index);
    assert_eq!(guarded(index(ARRAY, bits(2))), [""; 0]);
    assert_eq!(guarded(index(G, bits(2))), ["edge 1: bool is no array and has no elements"]);
    assert_eq!(
        guarded(index(ARRAY, Box::new(Expr::Any))),
        ["edge 1: an index is a bit vector or an integer, not bool"]
    );
    let ite = Expr::Ite(Box::new(Expr::Any), Box::new(Expr::before(G)), bits(1));
    assert_eq!(guarded(ite), ["edge 1: the other outcome of a condition is of sort bits<4>, not bool"]);
    let found = guarded(Expr::Const(Value::Bits(1), Sort::Bool));
    assert_eq!(found, ["edge 1: the constant Bits(1) is not of sort bool"]);
    let add = Expr::Binary(BinaryOp::Add, bits(1), bits(2));
    assert_eq!(sort_of(&sample(), &add), Ok(Sort::Bits(4)));
    let updated = |update: Update| after_step(|step| step.updates = vec![update]);
    assert_eq!(updated(Update::assign(G, add)), ["edge 1: the new value of g is of sort bits<4>, not bool"]);
    let element = Update { variable: G, index: Some(*bits(0)), when: When::After, value: Rhs::Any };
    assert_eq!(updated(element), ["edge 1: g is of sort bool and has no elements"]);
}

#[test]
fn claims_about_untouched_variables_are_checked_through_calls() {
    let claims = |procedure: ProcedureId, variable| {
        defects(|program| {
            program.procedures[procedure].untouched.push(variable);
            program.procedures[procedure].untouched.sort_unstable();
        })
    };
    assert_eq!(claims(P, T), ["procedure 1: lists t as untouched, but touches it"]);
    assert_eq!(claims(MAIN, G), ["procedure 0: lists g as untouched, but touches it"]);
    assert_eq!(claims(P, L), ["procedure 1: lists the local main::l as untouched"]);
    // main reads t itself; without that it still calls p, which writes it.
    let found = defects(|program| {
        *step(program) = Relation::identity();
        program.procedures[MAIN].untouched.push(T);
    });
    assert_eq!(found, ["procedure 0: lists t as untouched, but touches it"]);
}

#[test]
fn claims_hold_through_long_and_circular_chains_of_calls() {
    const LENGTH: usize = 20_000;
    let mut b = ProgramBuilder::new();
    let x: Vec<VariableId> = (0..100).map(|n| b.shared(format!("x{n}"), Sort::Bool)).collect();
    let entries: Vec<LocationId> = (0..LENGTH)
        .map(|n| {
            let p = b.procedure(format!("p{n}"));
            let entry = b.location(p);
            b.entry(entry);
            entry
        })
        .collect();
    for at in 0..LENGTH {
        let callee = (at + 1) % LENGTH;
        let (enter, leave) = (Relation::identity(), Relation::identity());
        let call = Call { callee: ProcedureId(callee as u32), entry: entries[callee], enter, leave };
        b.call(entries[at], entries[at], call);
    }
    b.step(entries[7], entries[7], Relation::update(vec![Update::havoc(x[70])]));
    b.thread("main", ProcedureId(0));
    let mut program = b.finish();
    let claimed: Vec<VariableId> = x.iter().copied().filter(|variable| *variable != x[70]).collect();
    program.procedures.iter_mut().for_each(|procedure| procedure.untouched.clone_from(&claimed));
    assert_eq!(verify(&program), Ok(()));
    program.procedures[ProcedureId(9)].untouched.reverse();
    program.procedures[ProcedureId(8)].untouched.clone_from(&x);
    assert_eq!(verify(&program).map_err(|defects| defects.len()), Err(2));
}

#[test]
fn threads_and_init_have_somewhere_to_start() {
    let found = defects(|program| program.threads.clear());
    assert!(found.contains(&"program: there is no thread".into()), "{found:?}");
    let found = defects(|program| program.procedures[MAIN].entries.clear());
    assert_eq!(found, ["thread 0: starts in main, which has no entry"]);
    let found = defects(|program| program.init = Some(P));
    assert_eq!(
        found,
        [
            "procedure 1: runs first, but has parameters",
            "start condition: reads main::l (Before), which it must not",
            "procedure 1: touches the private variable t, but runs before there are threads",
        ]
    );
}

#[test]
fn conditions_read_what_exists() {
    let start = |expr: Expr| defects(|program| program.start = expr);
    assert_eq!(start(Expr::before(L)), [""; 0]);
    assert_eq!(start(Expr::before(A)), ["start condition: reads p::a (Before), which it must not"]);
    assert_eq!(start(Expr::after(G)), ["start condition: reads g (After), which it must not"]);
    assert_eq!(start(Expr::before(N)), ["start condition: the condition is of sort bits<4>, not bool"]);
    let two = defects(|program| program.threads.push(program.threads[0].clone()));
    assert_eq!(two, ["start condition: reads main::l (Before), which it must not"]);
    let uninterruptible = |expr: Expr| defects(|program| program.uninterruptible = expr);
    assert_eq!(uninterruptible(Expr::before(G)), [""; 0]);
    assert_eq!(uninterruptible(Expr::Any), ["condition `uninterruptible`: contains a choice"]);
    assert_eq!(
        uninterruptible(Expr::before(L)),
        ["condition `uninterruptible`: reads main::l (Before), which it must not"]
    );
}
