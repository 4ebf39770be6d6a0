//! Certificates in, text out, and the same certificates again.

use program::random::{self, Shape};
use program::{LocationId, ProcedureId, Program, ProgramBuilder, Relation, Sort, Value, VariableId};

use super::*;
use crate::{Certificate, Column, Copy, Frame, Set};

fn sample() -> (Program, Certificate) {
    let mut b = ProgramBuilder::new();
    let colour = b.enumeration("the colour", ["red", "light blue"].map(String::from).to_vec());
    b.shared("g", Sort::Bool);
    b.shared("c", Sort::Array(Box::new(Sort::Enum(colour)), 2));
    let main = b.procedure("main");
    let odd = b.procedure("p.0 \"::");
    b.local(odd, "g", Sort::Bits(3));
    b.local(odd, "a b\n", Sort::Bool);
    let locations: Vec<LocationId> = (0..4).map(|at| b.location([main, odd][at / 2])).collect();
    b.entry(locations[0]);
    b.step(locations[0], locations[1], Relation::identity());
    b.thread("main", main);
    let column = |variable: u32, bit, copy| Column { variable: VariableId(variable), bit, copy };
    let colours = Value::Array(vec![Value::Enum(1), Value::Enum(0)]);
    let certificate = Certificate {
        targets: vec![locations[3], locations[1]],
        frames: vec![
            (main, Frame { columns: vec![(0, column(0, 0, Copy::Entry))], unchanged: vec![VariableId(1)] }),
            (
                odd,
                Frame {
                    columns: vec![(0, column(3, 0, Copy::Current)), (7, column(2, 2, Copy::Current))],
                    unchanged: vec![],
                },
            ),
        ],
        sets: vec![
            (
                locations[0],
                Set::Diagram { root: 0, facts: vec![(VariableId(0), Value::Bool(true)), (VariableId(1), colours)] },
            ),
            (locations[2], Set::Facts(vec![(VariableId(2), Value::Bits(5))])),
            (locations[3], Set::Diagram { root: 1, facts: vec![] }),
        ],
        dag: bdd::Dag { nodes: vec![(bdd::Var(7), 0, 1), (bdd::Var(0), 1, 2)], roots: vec![1, 3] },
    };
    (b.finish(), certificate)
}

#[test]
fn certificates_are_written_in_plain_lines() {
    let (program, certificate) = sample();
    insta::assert_snapshot!(to_text(&program, &certificate), @r#"
    cauldron-certificate 1
    program 29e68b68142a6377
    targets 2
    "p.0 \"::".1
    main.1
    frames 2
    main 1 1
    0 entry g 0
    c
    "p.0 \"::" 2 0
    0 now "p.0 \"::"::"a b\n" 0
    7 now "p.0 \"::"::g 2
    nodes 2
    7 0 1
    0 1 2
    roots 2
    1
    3
    sets 3
    main.0 diagram 0 2
    g true
    c ["the colour"."light blue", "the colour".red]
    "p.0 \"::".0 facts 1
    "p.0 \"::"::g 5u3
    "p.0 \"::".1 diagram 1 0
    end
    "#);
}

#[test]
fn what_is_written_is_read_back() {
    let (program, certificate) = sample();
    assert_eq!(parse(&program, &to_text(&program, &certificate)), Ok(certificate));
    let empty = Certificate::default();
    assert_eq!(parse(&program, &to_text(&program, &empty)), Ok(empty));
}

#[test]
fn a_certificate_is_read_for_its_own_program_only() {
    let (program, certificate) = sample();
    let mut other = program.clone();
    other.locations[LocationId(0)].labels.push("L".into());
    let error = parse(&other, &to_text(&program, &certificate)).expect_err("another program");
    assert_eq!(error.to_string(), "line 2: the certificate is about another program");
}

#[test]
fn fingerprints_tell_programs_apart_and_never_change() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let program = random::program(&Shape { seed, ..Shape::default() });
        assert_eq!(fingerprint(&program), fingerprint(&program.clone()));
        assert!(seen.insert(fingerprint(&program)));
    }
    assert_eq!(fingerprint(&ProgramBuilder::new().finish()), 0xcbf2_9ce4_8422_2325);
}

#[test]
fn every_wrong_line_is_refused_with_its_number() {
    let (program, certificate) = sample();
    let text = to_text(&program, &certificate);
    let lines: Vec<&str> = text.lines().collect();
    for at in 0..lines.len() {
        for replacement in
            ["", "x", "4294967295", "end", "targets 4294967295", "-1 -1 -1", "main.9 facts 0", "main 0 0 0"]
        {
            let mut changed = lines.clone();
            changed[at] = replacement;
            if let Err(error) = parse(&program, &changed.join("\n")) {
                assert!(error.line >= 1 && error.line as usize <= lines.len() + 1, "{error}");
            } else {
                // A number may stand for another number; whether that makes sense is for the checker to say.
                let same = replacement == lines[at];
                assert!(
                    same || replacement == "4294967295" && lines[at].parse::<u32>().is_ok(),
                    "line {at} as {replacement}"
                );
            }
        }
        let shorter = lines[..at].join("\n");
        assert!(parse(&program, &shorter).is_err());
    }
    assert!(parse(&program, &format!("{text}more")).is_err());
    assert!(parse(&program, "").is_err());
    for end in 0..text.len() {
        if text.is_char_boundary(end) && end + 1 < text.len() {
            assert!(parse(&program, &text[..end]).is_err());
        }
    }
}

#[test]
fn messages_say_what_is_expected() {
    let (program, certificate) = sample();
    let text = to_text(&program, &certificate);
    let change = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        parse(&program, &changed).map_err(|error| error.to_string())
    };
    let errors = [
        change("certificate 1", "certificate 2"),
        change("main.1", "main.2"),
        change("entry g 0", "exit g 0"),
        change("entry g 0", "entry nobody 0"),
        change("g 5u3", "g 5u3 5"),
        change("g true", "g 1"),
        change("diagram 0 2", "diagram 0 1"),
        change("nodes 2", "nodes 3"),
        change("main 1 1", "main 1"),
    ];
    let errors: Vec<String> = errors.into_iter().map(|error| error.err().unwrap_or_else(|| "nothing".into())).collect();
    insta::assert_snapshot!(errors.join("\n"), @r#"
    line 1: expected `cauldron-certificate 1`
    line 5: expected a location, found `main.2`
    line 8: expected `entry` or `now`, found `exit`
    line 8: expected a variable, found `nobody`
    line 24: `5u3 5` is not a value of the variable
    line 21: `1` is not a value of the variable
    line 22: expected a location, found `c`
    line 16: expected a variable, found `roots`
    line 7: the line ends too early
    "#);
}

#[test]
fn large_certificates_are_read_and_written_in_time_that_follows_their_size() {
    let mut b = ProgramBuilder::new();
    b.shared("g", Sort::Bool);
    for at in 0..20_000 {
        let p = b.procedure(format!("p{at}"));
        for _ in 0..5 {
            b.location(p);
        }
    }
    b.thread("main", ProcedureId(0));
    let program = b.finish();
    let column = Column { variable: VariableId(0), bit: 0, copy: Copy::Current };
    let frame = Frame { columns: vec![(0, column)], unchanged: Vec::new() };
    let certificate = Certificate {
        frames: program.procedures.ids().map(|id| (id, frame.clone())).collect(),
        sets: program.locations.ids().map(|id| (id, Set::Diagram { root: 0, facts: Vec::new() })).collect(),
        dag: bdd::Dag { nodes: vec![(bdd::Var(0), 0, 1)], roots: vec![2] },
        ..Certificate::default()
    };
    assert_eq!(parse(&program, &to_text(&program, &certificate)), Ok(certificate));
}
