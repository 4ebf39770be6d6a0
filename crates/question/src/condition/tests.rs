use super::*;
use crate::{Notation, Seen, Written};
use program::{ProgramBuilder, Sort, Value, VariableId};

fn sample() -> Program {
    let mut builder = ProgramBuilder::new();
    let colours = builder.enumeration("colour", vec!["red".into(), "green".into()]);
    builder.shared("g", Sort::Bool);
    builder.shared("c", Sort::Enum(colours));
    builder.shared("a", Sort::Array(Box::new(Sort::Bits(2)), 3));
    let [main, other] = ["main", "other"].map(|name| builder.procedure(name));
    builder.local(main, "x", Sort::Bits(3));
    builder.local(main, "y", Sort::Bits(3));
    builder.local(other, "y", Sort::Bool);
    builder.shared("{end}", Sort::Bool);
    builder.shared("m", Sort::Array(Box::new(Sort::Bits(2)), 6));
    builder.shared("s", Sort::Bits(3));
    builder.shared("t", Sort::Bits(3));
    builder.local(main, "{a::b c}", Sort::Bool);
    builder.finish()
}

fn writing() -> Writing {
    let mut writing = Writing::default();
    let program = sample();
    let mut note = |name: &str, written| {
        let of_name = |id: &VariableId| program.variables[*id].name == name;
        writing.note(program.variables.ids().find(of_name).unwrap(), written);
    };
    note("m", Written { signed: true, indices: vec![(1, 2), (-1, 3)] });
    note("s", Written { signed: true, indices: Vec::new() });
    note("t", Written { signed: true, indices: Vec::new() });
    note("t", Written::default());
    writing
}

fn read(text: &str) -> Result<Option<ProcedureId>, String> {
    let program = sample();
    let parsed = parse(&program, &writing(), About::Anything, text)
        .map_err(|error| format!("{:?} {}", error.range, error.message))?;
    let sort = program::verify::sort_of(&program, &parsed.0);
    assert_eq!(sort, Ok(Sort::Bool), "{text}");
    Ok(parsed.1)
}

#[test]
fn conditions_are_read() {
    for text in [
        "g",
        "!g && (g || g) -> g",
        "g <-> !g",
        "c = red",
        "green != c",
        "a[1] >= 2",
        "a[a[0] + 1] = 3",
        "a[1 + 1] = a[3 - 3]",
        "g = true",
        "g = 1 && 0 != g",
        "end & !{end}|::end",
        "s < 0 && s = -1 && s - 1 >= -5",
        "m[2][-1] = -2 | m[s][1] > s",
    ] {
        assert_eq!(read(text), Ok(None), "{text}");
    }
    for text in ["x - 1 < 3", "x * x + 1 > 5 & g", "main::x = main::y", "x=1|g", "{a::b c}&main::{a::b c}"] {
        assert_eq!(read(text), Ok(Some(ProcedureId(0))), "{text}");
    }
}

#[test]
fn locals_are_those_of_the_procedure_and_copies_are_one() {
    let mut builder = ProgramBuilder::new();
    let shared = builder.shared("x", Sort::Bool);
    let [p, copy] = ["p", "p.2"].map(|name| builder.procedure(name));
    let locals = [p, copy].map(|procedure| builder.local(procedure, "x", Sort::Bool));
    let program = builder.finish();
    let read = |about, text| parse(&program, &Writing::default(), about, text).map(|(condition, _)| condition);
    assert_eq!(read(About::Anything, "x"), Ok(Expr::before(shared)));
    assert_eq!(read(About::Procedure(copy), "x"), Ok(Expr::before(locals[1])));
    assert_eq!(read(About::Anything, "p::x"), Ok(Expr::before(locals[0])));
    assert_eq!(read(About::Procedure(copy), "p::x"), Ok(Expr::before(locals[1])));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let wrong = |text: &str| read(text).unwrap_err();
    assert_eq!(wrong("g &"), "3..3 a variable or a number is expected here");
    assert_eq!(wrong("m[1] = 0"), "5..6 an element has 2 indices: `[` is expected here");
    assert_eq!(wrong("m[3][0] = 0"), "2..3 there is no element 3: the array has 2, numbered from 1 to 2");
    assert_eq!(
        wrong("t = 0"),
        "0..1 variables called `t` are declared in different ways: a condition cannot tell which"
    );
    assert_eq!(wrong("x"), "0..1 this is not a condition: compare it with something");
    assert_eq!(wrong("y = 1"), "0..1 several procedures have a variable `y`: say which, as in `main::y`");
    assert_eq!(wrong("c = blue"), "4..8 `blue` is not one of the values: red, green");
    assert_eq!(wrong("g = 2"), "0..5 the two sides are not of one sort");
    assert_eq!(wrong("g < g"), "0..5 only numbers are compared by size");
    assert_eq!(wrong("(g"), "2..2 a closing parenthesis is expected here");
    assert_eq!(wrong("g g"), "2..3 an operator or the end of the condition is expected here");
    assert_eq!(wrong("main::x = 1 & other::y"), "14..22 a condition speaks of the locals of one procedure only");
    let absent = |at: i32| format!("there is no element {at}: the array has 3, numbered from 0 to 2");
    assert_eq!(wrong("a[3] = 0"), format!("2..3 {}", absent(3)));
    assert_eq!(wrong("g & a[ 1 - 2 ] = 0"), format!("7..12 {}", absent(-1)));
    assert_eq!(wrong("a[2 * 2 - 1 + a[1]] = a[7]"), format!("24..25 {}", absent(7)));
    assert_eq!(wrong("{g"), "0..1 a variable or a number is expected here");
    assert!(wrong("{g}").contains("there is no variable `{g}`"));
    assert!(wrong("h").contains("there is no variable `h`"));
    assert!(wrong(&"(".repeat(10_000)).contains("nested too deeply"));
    assert!(wrong(&"!".repeat(10_000)).contains("nested too deeply"));
}

#[test]
fn quantifiers_are_read_and_their_mistakes_are_marked() {
    let wrong = |text: &str| read(text).unwrap_err();
    assert_eq!(read("A i (0, 2) a[i] < 3 & E j (i, 2) a[j] = a[i]"), Ok(None));
    assert_eq!(read("E A (1, 0) g"), Ok(None));
    assert_eq!(
        wrong("g & A i (0, 2) a[i + 1] = 0"),
        "17..22 there is no element 3: the array has 3, numbered from 0 to 2, where `i` is 2"
    );
    assert_eq!(wrong("E i (0, s) g"), "8..9 the range of a quantifier is made of numbers");
    assert_eq!(wrong("E i (0 1) g"), "7..8 a comma and the end of the range are expected here");
    assert_eq!(wrong("E i (0, 1 g"), "10..11 a closing parenthesis is expected here");
    assert_eq!(wrong("E i (1, 0) h").split(';').next(), Some("11..12 there is no variable `h`"));
    assert_eq!(wrong("E i (0, 1) i"), "11..12 this is not a condition: compare it with something");
    assert_eq!(wrong("E i (0, 1) i[0] = 0"), "11..12 `i` is a number here");
    let many = "the quantifiers of this condition stand for too many cases";
    for text in ["A i (0, 9999999) i >= 0", "A i (0, 999) A j (0, 999) i >= j"] {
        assert!(wrong(text).ends_with(many), "{text}");
    }
    assert!(wrong(&"A i (0, 1) ".repeat(300)).ends_with("nested too deeply"));
    assert!(wrong(&format!("s{} = 0", " + s".repeat(2_000))).ends_with("too long a chain of operators"));
    // Without a range these are variables.
    assert_eq!(wrong("A").split(';').next(), Some("0..1 there is no variable `A`"));
}

#[test]
fn arithmetic_means_what_it_means_in_the_source() {
    let mut builder = ProgramBuilder::new();
    for name in ["x", "y"] {
        builder.shared(name, Sort::Bits(3));
    }
    builder.shared("v", Sort::Array(Box::new(Sort::Bits(3)), 3));
    let program = builder.finish();
    let holds = |notation, (x, y), text: &str| {
        let v = Value::Array([1, 4, 6].map(Value::Bits).to_vec());
        holds(&program, &Writing::new(notation), &[Value::Bits(x), Value::Bits(y), v], text)
    };
    for text in [
        "x / y = 3 & y / x = 0",
        "(0 - x) / y = -3",
        "x << y = 28 && x >> 1 = 3",
        "x * x - y * y = 45",
        "x - y - y = 3",
        "A i (0, 1) v[i] < v[i + 1]",
        "E i (0, 2) v[i] / y = y",
        "!A i (0, 2) E j (0, 2) v[i] + v[j] = x",
        "A i (3, 2) false",
        "!E i (3, 2) true",
        "v[y] = v[x / 3] && v[2 * y - 2] = 6",
        "18446744073709551615 > x",
    ] {
        for notation in [Notation::MODEL, Notation::PUSHDOWN_SYSTEM, Notation::REMOPLA] {
            assert!(holds(notation, (7, 2), text), "{notation:?}: {text}");
        }
    }
    for text in ["x / y = 0", "x / y != 0", "x / y < 9", "x << y - 1 > 0", "x >> y - 1 >= 0"] {
        assert!(!holds(Notation::MODEL, (7, 0), text), "{text}");
    }
    assert!(
        holds(Notation::MODEL, (1, 2), "1 + x << y = 8") && holds(Notation::PUSHDOWN_SYSTEM, (1, 2), "1 + x << y = 5")
    );
    for text in ["(x & 6) == 4", "x & 6 == 4", "(x | y) > 6 && (x ^ y) == 7", "x & y | 3 == 3"] {
        assert!(holds(Notation::REMOPLA, (5, 2), text), "{text}");
    }
}

/// The value of a condition when variables have the values given, by their order in the program.
fn holds(program: &Program, writing: &Writing, values: &[Value], text: &str) -> bool {
    let (condition, _) =
        parse(program, writing, About::Anything, text).unwrap_or_else(|error| panic!("{text}: {}", error.message));
    value_of(program, values, &condition) == Value::Bool(true)
}

fn value_of(program: &Program, values: &[Value], expr: &Expr) -> Value {
    use program::semantics::{apply_binary, apply_index, apply_nary, apply_unary};
    let value = |expr: &Expr| value_of(program, values, expr);
    let sort = |expr: &Expr| program::verify::sort_of(program, expr).unwrap();
    match expr {
        Expr::Const(value, _) => value.clone(),
        Expr::Read(variable, _) => values[variable.0 as usize].clone(),
        Expr::Unary(op, inner) => apply_unary(*op, &value(inner), &sort(inner)),
        Expr::Binary(op, left, right) => apply_binary(*op, &value(left), &value(right), &sort(left)),
        Expr::Nary(op, operands) => {
            Value::Bool(apply_nary(*op, operands.iter().map(|operand| value(operand) == Value::Bool(true))))
        }
        Expr::Ite(condition, yes, no) => value(if value(condition) == Value::Bool(true) { yes } else { no }),
        Expr::Index(array, index) => apply_index(&value(array), &value(index)).unwrap().clone(),
        other => panic!("conditions have no {other:?}"),
    }
}

/// Which of all values of three Booleans satisfy a condition.
fn table(notation: Notation, text: &str) -> Vec<bool> {
    let mut builder = ProgramBuilder::new();
    for name in ["a", "b", "c"] {
        builder.shared(name, Sort::Bool);
    }
    let program = builder.finish();
    let values = |row: u32| [0, 1, 2].map(|bit| Value::Bool(row >> bit & 1 == 1));
    (0..8).map(|row| holds(&program, &Writing::new(notation), &values(row), text)).collect()
}

#[test]
fn operators_bind_as_in_the_source() {
    let cases = [
        (Notation::PUSHDOWN_SYSTEM, "a == b & c", "a == (b & c)"),
        (Notation::PUSHDOWN_SYSTEM, "a | b == c", "(a | b) == c"),
        (Notation::PUSHDOWN_SYSTEM, "a ^ b | c", "a ^ (b | c)"),
        (Notation::PUSHDOWN_SYSTEM, "a <=> b ^ c", "a <=> (b ^ c)"),
        (Notation::PUSHDOWN_SYSTEM, "a == b == c", "(a == b) == c"),
        (Notation::BOOLEAN_PROGRAM, "a == b & c", "(a == b) & c"),
        (Notation::BOOLEAN_PROGRAM, "a => b <=> c", "a => (b <=> c)"),
        (Notation::BOOLEAN_PROGRAM, "a ^ b | c", "(a ^ b) | c"),
        (Notation::MODEL, "a -> b <-> c", "(a -> b) <-> c"),
        (Notation::MODEL, "a | b == c", "a | (b == c)"),
        (Notation::REMOPLA, "a == b && c", "(a == b) && c"),
        (Notation::REMOPLA, "a <=> b || c", "(a <=> b) || c"),
        (Notation::REMOPLA, "a == b & c", "a == (b & c)"),
        (Notation::REMOPLA, "a ^^ b || c", "(a ^^ b) || c"),
        (Notation::REMOPLA, "a = b & c", "(a = b) & c"),
    ];
    for (notation, text, meaning) in cases {
        assert_eq!(table(notation, text), table(notation, meaning), "{notation:?}: {text}");
    }
    assert_ne!(table(Notation::MODEL, "a == b & c"), table(Notation::PUSHDOWN_SYSTEM, "a == b & c"));
}

#[test]
fn comparisons_with_elements_that_do_not_exist_are_false() {
    let mut builder = ProgramBuilder::new();
    builder.shared("i", Sort::Bits(2));
    builder.shared("v", Sort::Array(Box::new(Sort::Bits(2)), 2));
    builder.shared("b", Sort::Array(Box::new(Sort::Bool), 2));
    let program = builder.finish();
    let holds = |i, text: &str| {
        let v = Value::Array(vec![Value::Bits(0), Value::Bits(3)]);
        let b = Value::Array(vec![Value::Bool(true), Value::Bool(false)]);
        holds(&program, &Writing::default(), &[Value::Bits(i), v, b], text)
    };
    for text in ["v[i] = 0", "v[i] != 0", "v[i] < 1", "v[i] + 1 > 0", "b[i]", "b[i] = 0", "v[v[i]] = 0", "b[v[i]]"] {
        assert!(!holds(3, text), "{text}");
        assert!(holds(3, &format!("!({text})")), "{text}");
    }
    for text in ["v[i] = 0", "v[i] < 1", "b[i]", "b[i] = 1", "v[v[i]] = 0", "b[v[i]]"] {
        assert!(holds(0, text), "{text}");
    }
    // The inner element exists, the outer one does not.
    assert!(!holds(1, "v[v[i]] = 0") && !holds(1, "b[v[i]]"));
}

#[test]
fn arrays_are_compared_with_lists() {
    let program = sample();
    let value = |id: VariableId| match program.variables[id].name.as_str() {
        "a" => Value::Array([1, 0, 3].map(Value::Bits).to_vec()),
        "m" => Value::Array([0, 1, 2, 3, 0, 1].map(Value::Bits).to_vec()),
        _ => program.sort(id).smallest(),
    };
    let values: Vec<Value> = program.variables.ids().map(value).collect();
    for text in [
        "a = [1, 0, 3]",
        "a=[1,0,3]",
        "[1,0,1+2] == a",
        "a != [1, 0, 2]",
        "m = [0, 1, -2, -1, 0, 1]",
        "m = [[0,1,-2],[-1,0,1]]",
    ] {
        assert!(holds(&program, &writing(), &values, text), "{text}");
    }
    assert!(!holds(&program, &writing(), &values, "a = [1, 1, 3]"));
    let wrong = |text: &str| read(text).unwrap_err();
    assert_eq!(wrong("a = [1, 0]"), "0..10 the array has 3 elements, and the list 2");
    assert_eq!(wrong("a < [1, 0, 3]"), "0..13 only numbers are compared by size");
    assert_eq!(wrong("a = [1 0]"), "7..8 a comma or a closing bracket is expected here");
    assert_eq!(wrong("a"), "0..1 this is not a condition: compare it with something");
}

#[test]
fn fields_of_elements_and_constants_are_those_of_the_source() {
    let mut builder = ProgramBuilder::new();
    builder.shared("g.f", Sort::Array(Box::new(Sort::Bits(2)), 2));
    let program = builder.finish();
    let mut writing = Writing::new(Notation::REMOPLA);
    writing.constants.extend([("N".to_owned(), 3), ("LOW".to_owned(), -1)]);
    let values = [Value::Array(vec![Value::Bits(0), Value::Bits(3)])];
    for text in ["g[1].f = 3", "g.f[1] = N", "g[0].f > LOW", "g[N - 2].f == N", "{N + LOW} * 2 = 4"] {
        assert!(holds(&program, &writing, &values, text), "{text}");
    }
    for (text, message) in [
        ("g[1].h = 3", "there is no variable `g.h`; there are, for example: g.f"),
        ("g[N].f = 3", "there is no element 3: the array has 2, numbered from 0 to 1"),
        ("g.f[0][1] = 3", "an element has 1 index"),
        ("M = 3", "there is no variable `M`; there are, for example: g.f"),
    ] {
        let error = parse(&program, &writing, About::Anything, text).expect_err(text);
        assert_eq!(error.message, message, "{text}");
    }
}

/// Stack symbols `a`, `b` and `d` in one frame; `a` and `b` have an `x` each, and there is a shared `g`, which `b` hides.
fn symbols() -> (Program, Writing) {
    let mut builder = ProgramBuilder::new();
    let mut writing = Writing::new(Notation::PUSHDOWN_SYSTEM);
    builder.shared("g", Sort::Bool);
    let p = builder.procedure("p");
    let locations = ["a", "b", "d"].map(|name| {
        let location = builder.location(p);
        builder.label(location, name);
        location
    });
    let seen = |name: &str, variable| Seen { name: name.to_owned(), variable, written: Written::default() };
    let [x, other, g] = [("x", Sort::Bits(2)), ("x_", Sort::Bits(3)), ("g_", Sort::Bits(1))]
        .map(|(name, sort)| builder.local(p, name, sort));
    writing.note_seen([locations[0]], vec![seen("x", x)]);
    writing.note_seen([locations[1]], vec![seen("x", other), seen("g", g)]);
    (builder.finish(), writing)
}

#[test]
fn names_are_those_of_the_stack_symbol() {
    let (program, writing) = symbols();
    let reads = |text: &str| -> Vec<(u32, u32)> {
        let groups = parse_everywhere(&program, &writing, text).unwrap_or_else(|error| panic!("{}", error.message));
        let one = |(locations, (condition, _)): (Vec<LocationId>, Condition)| {
            let variable = condition.reads().first().map_or(u32::MAX, |(variable, _)| variable.0);
            locations.into_iter().map(move |location| (location.0, variable))
        };
        groups.into_iter().flat_map(one).collect()
    };
    assert_eq!(reads("x = 1"), [(0, 1), (1, 2)]);
    assert_eq!(reads("b::x = 1"), [(1, 2)]);
    assert_eq!(reads("p::x = 1"), [(0, 1), (1, 2)]);
    assert_eq!(reads("::g"), [(0, 0), (1, 0), (2, 0)]);
    let at = |location, text: &str| {
        parse(&program, &writing, About::Location(LocationId(location)), text).map_err(|error| error.message)
    };
    assert!(at(0, "g").is_ok() && at(1, "g = 1").is_ok() && at(2, "::g").is_ok());
    for (location, text, message) in [
        (2, "x = 1", "the stack symbol `d` has no variable `x`: it is a local of `a`, `b`"),
        (0, "b::x = 1", "`b::x` is a local of `b`, and this is about `a`"),
        (0, "d::x = 1", "the stack symbol `d` has no variable `x`: it is a local of `a`, `b`"),
        (0, "x_ = 1", "there is no variable `x_`; there are, for example: g, x"),
        (0, "::x = 1", "there is no variable `::x`; there are, for example: g, x"),
    ] {
        assert_eq!(at(location, text), Err(message.to_owned()), "{text}");
    }
    let nowhere = parse_everywhere(&program, &writing, "a::x = 1 & b::x = 1").expect_err("no symbol is both");
    assert_eq!(nowhere.message, "no stack symbol has all the variables of this condition: `x` is a local of `a`, `b`");
}
