//! Recorded questions with the answers that Z3 5.4 gave.
//!
//! One question per line: `sat` or `unsat`, the number of conditions, then the conditions in prefix form. `<= c n v1 a1 ...`
//! is `c + a1 v1 + ... <= 0` with `n` terms; likewise `=` and `!=`; `d k ...` and `n k ...` say that `k` divides the form,
//! or does not; `& n ...` and `| n ...` join `n` conditions.

mod common;

use arith::{Answer, Constraint, Formula, Int, Linear, Relation, Var};
use base::Budget;
use common::solve_checked;

const QUESTIONS: &str = include_str!("data/questions.txt");

struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> &'a str {
        let Some(word) = self.0.next() else { panic!("the line is too short") };
        word
    }

    fn number<T: std::str::FromStr>(&mut self) -> T {
        let word = self.word();
        let Ok(number) = word.parse() else { panic!("`{word}` is no number") };
        number
    }

    fn linear(&mut self) -> Linear {
        let constant: Int = self.number();
        let n_terms: usize = self.number();
        let terms: Vec<(Var, Int)> = (0..n_terms).map(|_| (Var(self.number()), self.number())).collect();
        Linear::new(terms, constant)
    }

    fn formulas(&mut self) -> Vec<Formula> {
        let n: usize = self.number();
        (0..n).map(|_| self.formula()).collect()
    }

    fn formula(&mut self) -> Formula {
        match self.word() {
            "<=" => Constraint::new(self.linear(), Relation::AtMost).into(),
            "=" => Constraint::new(self.linear(), Relation::Equal).into(),
            "!=" => Constraint::new(self.linear(), Relation::Different).into(),
            "d" => Formula::divides(&self.number(), self.linear()),
            "n" => Formula::divides(&self.number(), self.linear()).negated(),
            "&" => Formula::All(self.formulas()),
            "|" => Formula::Any(self.formulas()),
            other => panic!("`{other}` is no connective"),
        }
    }
}

#[test]
fn answers_agree() {
    for line in QUESTIONS.lines() {
        let mut words = Words(line.split_whitespace());
        let expected = words.word();
        let answer = match solve_checked(&words.formulas(), &Budget::unlimited().with_max_steps(Some(100_000))) {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        assert_eq!(answer, expected, "{line}");
    }
    assert!(QUESTIONS.lines().count() > 1_000, "the questions are there");
}
