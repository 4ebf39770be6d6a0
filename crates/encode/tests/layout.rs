//! Slots and their order: what is shared, what stays together.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use base::Source;
use bdd::{Config, Manager};
use encode::{Copy, Slots};
use program::{Program, VariableId};

fn parse(text: &str) -> Program {
    program::text::parse(&Source::new("test", text)).unwrap_or_else(|e| panic!("{e:?}\n{text}")).0
}

fn slots(program: &Program) -> Slots {
    Slots::of(program, &Manager::new(&Config::small()))
}

/// The slots of a variable, least significant bit first.
fn bits(program: &Program, slots: &Slots, name: &str) -> Vec<u32> {
    let (id, _) = program.variables.iter_ids().find(|(_, variable)| variable.name == name).unwrap();
    slots.bits(id).iter().map(|slot| slot.0).collect()
}

fn n_slots(slots: &Slots) -> usize {
    slots.blocks().len()
}

#[test]
fn the_number_of_slots_follows_the_largest_procedure() {
    let procedure = |name: &str, n: usize| {
        let locals: String = (0..n).map(|at| format!("local {name}{at}: bits<8>; ")).collect();
        let sums: Vec<String> = (0..n).map(|at| format!("{name}{at} := add({name}{at}, 1u8)")).collect();
        format!(
            "procedure {name}() {{ {locals} local {name}: bool; entry 0; exit 1; 0: -> 1 when {name} do {}; 1: }} ",
            sums.join(", ")
        )
    };
    let program = parse(&format!("thread t: p; {}{}{}", procedure("p", 2), procedure("q", 3), procedure("r", 1)));
    let slots = slots(&program);
    assert_eq!(n_slots(&slots), 3 * 8 + 1);
    assert_eq!(bits(&program, &slots, "p0"), bits(&program, &slots, "q0"));
    assert_eq!(bits(&program, &slots, "p"), bits(&program, &slots, "r"));
}

#[test]
fn bits_share_slots_with_bits_of_the_same_level_only() {
    // In p a flag comes first: were slots simply counted, bit 0 of y would share one with bit 1 of x.
    let program = parse(
        "shared g: bits<4>; thread t: p;
         procedure p() { local f: bool; local x: bits<4>; entry 0; exit 1; 0: -> 1 when f & ult(x, g); 1: }
         procedure q() { local y: bits<4>; entry 0; exit 1; 0: -> 1 when ult(y, g); 1: }",
    );
    let slots = slots(&program);
    assert_eq!(bits(&program, &slots, "x"), bits(&program, &slots, "y"));
    assert_eq!(n_slots(&slots), 4 + 4 + 1);
}

#[test]
fn kinds_that_no_procedure_has_together_share_their_places() {
    let procedure = |name: &str| {
        format!(
            "procedure {name}() {{ local {name}x: bits<4>; local {name}y: bits<4>; local {name}z: bits<4>;
             entry 0; exit 1; 0: -> 1 when ult({name}x, {name}y) & ult({name}z, 3u4); 1: }} "
        )
    };
    let program = parse(&format!("thread t: p; {}{}", procedure("p"), procedure("q")));
    let slots = slots(&program);
    assert_eq!(n_slots(&slots), 12);
    for name in ["x", "y", "z"] {
        assert_eq!(bits(&program, &slots, &format!("p{name}")), bits(&program, &slots, &format!("q{name}")));
    }
}

#[test]
fn what_meets_is_interleaved() {
    for reader in ["x", "y", "z"] {
        let program = parse(&format!(
            "shared x: bits<6>; shared f: bool; shared y: bits<6>; shared other: bits<6>; shared z: bits<6>; thread t: main;
             procedure main() {{ entry 0; exit 1;
             0: -> 1 when f do z := add(x, y); -> 1 when ult({reader}, 3u6); -> 0 do other := add(other, 1u6); 1: }}"
        ));
        let slots = slots(&program);
        let [x, y, z] = ["x", "y", "z"].map(|name| bits(&program, &slots, name));
        for bit in 0..6 {
            let mut level = [x[bit], y[bit], z[bit]];
            level.sort_unstable();
            assert_eq!([level[0] + 1, level[0] + 2], [level[1], level[2]], "bit {bit}, guard on {reader}");
        }
        for column in [x, y, z, bits(&program, &slots, "other")] {
            assert!(column.is_sorted(), "{column:?}");
        }
    }
}

#[test]
fn shifted_operands_are_interleaved_where_they_meet() {
    let program = parse(
        "shared x: bits<8>; shared y: bits<8>; thread t: main;
         procedure main() { entry 0; exit 1; 0: -> 1 do x := shl(y, 3u8); 1: }",
    );
    let slots = slots(&program);
    let [x, y] = ["x", "y"].map(|name| bits(&program, &slots, name));
    for bit in 3..8 {
        assert_eq!(x[bit].abs_diff(y[bit - 3]), 1, "{x:?} {y:?}");
    }
}

#[test]
fn bits_that_select_are_above_elements_and_the_others_among_them() {
    let program = parse(
        "shared a: [bits<6>; 4]; shared i: bits<6>; shared x: bits<6>; thread t: main;
         procedure main() { entry 0; exit 1; 0: -> 1 when ult(i, x) do a[i] := add(i, x); 1: }",
    );
    let slots = slots(&program);
    let [a, i] = ["a", "i"].map(|name| bits(&program, &slots, name));
    let top = a.iter().min().unwrap();
    assert!(i[..2].iter().all(|slot| slot < top), "{i:?} {a:?}");
    // On its own level a bit may come before the elements.
    assert!(i[2..5].iter().all(|slot| slot > top) && i[5].abs_diff(*top) == 1, "{i:?} {a:?}");
    // Numbers in arrays are compared from their most significant bits on.
    assert!(a.chunks(6).all(|element| element.is_sorted_by(|low, high| low > high)), "{a:?}");
}

#[test]
fn copies_of_a_slot_are_neighbours() {
    let program = parse(
        "shared x: bits<3>; thread t: main;
         procedure main() { entry 0; exit 1; 0: -> 1 do x := add(x, 1u3); 1: }",
    );
    let slots = slots(&program);
    for slot in slots.bits(VariableId(0)) {
        let vars =
            [Copy::Entry, Copy::Current, Copy::Next, Copy::Exit, Copy::Saved].map(|copy| slots.var(*slot, copy).0);
        assert!(vars.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{vars:?}");
        for (at, copy) in [Copy::Entry, Copy::Current].into_iter().enumerate() {
            let var = slots.var(*slot, copy);
            assert_eq!((slots.copy_of(var), vars[at]), (Some(copy), var.0));
            assert_eq!(slots.sibling(var, Copy::Next), Some(slots.var(*slot, Copy::Next)));
        }
    }
}
