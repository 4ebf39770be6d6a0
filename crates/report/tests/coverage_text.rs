//! Coverage as text and as LCOV.

use base::{Source, Sources};
use insta::assert_snapshot;
use report::Paint;
use report::json::common::{Input, Limits, Resources};
use report::json::coverage::{CoverageReport, Mark, Statement, Summary};
use report::json::outcome::{AskedQuestion, Job};

const TEXT: &str = "\
void main() begin
  decl x;
  if (x) then goto L; fi
  assert(x);
  L: skip;
end
void dead() begin
  skip;
end
";

fn report() -> CoverageReport {
    let statement = |line, column, procedure: &str, text: &str, mark| Statement {
        file: None,
        line,
        column,
        procedure: procedure.to_owned(),
        text: text.to_owned(),
        mark,
    };
    let job = Job {
        input: Input { file: "c.bp".into(), language: "bp".into(), dialect: "standard".into(), entry: None },
        question: AskedQuestion { assertions: true, labels: vec![] },
        limits: Limits::default(),
        bound: None,
        validate: true,
        temporal: None,
    };
    let statements = vec![
        statement(3, 3, "main", "if (x)", Mark::Reachable),
        statement(3, 15, "main", "goto L", Mark::Unreachable),
        statement(4, 3, "main", "assert(x)", Mark::Violated),
        statement(5, 6, "main", "skip", Mark::Undecided),
        statement(8, 3, "dead", "skip", Mark::Unreachable),
    ];
    let summary = Summary { reachable: 2, unreachable: 2, violated: 1, undecided: 1 };
    let empty = CoverageReport::rejected(&job, vec![], Resources::default());
    CoverageReport { statements, summary, ..empty }
}

#[test]
fn marks_stand_in_the_gutter() {
    let source = Source::new("c.bp", TEXT);
    assert_snapshot!(report::text::coverage::render(&report(), &source.into(), Paint::PLAIN), @r#"
      1 | void main() begin
      2 |   decl x;
    - 3 |   if (x) then goto L; fi
    ! 4 |   assert(x);
    ? 5 |   L: skip;
      6 | end
      7 | void dead() begin
    - 8 |   skip;
      9 | end

    line 3: `if (x)` reachable, `goto L` unreachable
    c.bp: 5 statements: 2 reachable (+), 2 unreachable (-), 1 not decided (?); 1 violated assertion (!)
    "#);
}

#[test]
fn lcov_knows_what_is_decided() {
    assert_snapshot!(report::lcov::render(&report()), @r#"
    TN:
    SF:c.bp
    FN:8,dead
    FN:3,main
    FNDA:0,dead
    FNDA:1,main
    FNF:2
    FNH:1
    DA:3,1
    DA:4,1
    DA:8,0
    LF:3
    LH:2
    end_of_record
    "#);
}

#[test]
fn statements_of_an_included_file_are_shown_in_it() {
    let mut sources = Sources::from(Source::new("c.bp", "use d;\n"));
    sources.add_text("d.bp", "skip;\n");
    sources.add_text("nothing.bp", "\n");
    let mut report = report();
    report.statements.retain(|statement| statement.procedure == "dead");
    report.statements[0].file = Some("d.bp".to_owned());
    report.statements[0].line = 1;
    assert_snapshot!(report::text::coverage::render(&report, &sources, Paint::PLAIN), @r#"
      1 | use d;

    d.bp:
    - 1 | skip;

    c.bp: 1 statement: 2 reachable (+), 2 unreachable (-), 1 not decided (?); 1 violated assertion (!)
    "#);
    assert_snapshot!(report::lcov::render(&report), @r#"
    TN:
    SF:c.bp
    FNF:0
    FNH:0
    LF:0
    LH:0
    end_of_record
    SF:d.bp
    FN:1,dead
    FNDA:0,dead
    FNF:1
    FNH:0
    DA:1,0
    LF:1
    LH:0
    end_of_record
    "#);
}

#[test]
fn colour_only_decorates() {
    let source = Source::new("c.bp", TEXT);
    let coloured = report::text::coverage::render(&report(), &source.into(), Paint::new(true));
    assert!(coloured.contains("\u{1b}["));
    for symbol in ["+", "-", "?", "!"] {
        assert!(coloured.contains(symbol), "the mark {symbol} is there without colour");
    }
}
