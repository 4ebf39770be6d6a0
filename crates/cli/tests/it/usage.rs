//! Wrong command lines: exit code 2, with a suggestion.

use crate::harness::Lab;
use crate::programs::FIGURE;
use insta::assert_snapshot;

fn wrong(arguments: &[&str]) -> String {
    let done = Lab::with("x.bp", FIGURE).run(arguments);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.out.is_empty(), "{done:?}");
    done.err
}

#[test]
fn misspelt_names_get_suggestions() {
    assert_snapshot!(wrong(&["check", "x.bp", "--reach", "R", "--engine", "sumary"]), @r#"
    error: there is no engine `sumary`
      help: did you mean `summary`? The engines are: summary, explicit, saturation, saturation-backward, network, network-eager, product
    "#);
    assert_snapshot!(wrong(&["check", "x.bp", "--reach", "R", "--passes", "constants,cones"]), @r#"
    error: there is no pass `cones`
      help: did you mean `cone`? The passes are: unreachable, constants, cone, live, modref, contract
    "#);
    assert!(wrong(&["chek", "x.bp"]).contains("'check'"));
    assert!(wrong(&["check", "x.bp", "--assertion"]).contains("'--assertions'"));
    assert!(wrong(&["explain", "CL0099"]).contains("did you mean `CL0009`"));
    assert!(wrong(&["man", "chekc"]).contains("did you mean `check`"));
}

#[test]
fn limits_have_to_be_readable() {
    assert!(wrong(&["check", "x.bp", "--timeout", "soon"]).contains("expected a duration such as"));
    assert!(wrong(&["check", "x.bp", "--memory", "lots"]).contains("expected a size such as"));
}

#[test]
fn results_do_not_overwrite_each_other() {
    assert!(wrong(&["check", "x.bp", "--json", "-", "--trace", "-"]).contains("only one result"));
    assert!(wrong(&["check", "x.bp", "--json", "r.json", "--trace", "r.json"]).contains("only one result"));
    assert!(wrong(&["check", "x.bp", "--json", "./x.bp"]).contains("would overwrite the input"));
    assert!(wrong(&["coverage", "x.bp", "--lcov", "x.bp"]).contains("would overwrite the input"));
    assert!(wrong(&["fmt", "-", "--write"]).contains("cannot be replaced"));
}

#[test]
fn help_and_version_are_no_errors() {
    let lab = Lab::new();
    let version = lab.run(&["--version"]);
    assert_eq!((version.code, version.out), (Some(0), format!("cauldron {}\n", env!("CARGO_PKG_VERSION"))));
    let help = lab.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for code in ["0", "2", "3", "4", "10", "20", "21", "22", "70", "74", "130"] {
        assert!(help.out.contains(&format!(" {code}  ")), "exit code {code} is in the help");
    }
}
