//! Acceptance conditions: those that are a conjunction of "again and again one of these".

use super::token::Token;
use super::{Reader, Stop};

/// Some set is met again and again: each with whether its complement is meant. None: never.
pub(super) type Clause = Vec<(u32, bool)>;

/// A condition with more clauses is refused.
const MAX_CLAUSES: usize = 64;

impl Reader<'_> {
    /// A condition over so many sets, as a conjunction.
    pub(super) fn condition(&mut self, n_sets: u32) -> Result<Vec<Clause>, Stop> {
        let mut any = self.all_of(n_sets)?;
        while self.tape.take_if(Token::Or) {
            let next = self.all_of(n_sets)?;
            if any.len() * next.len() > MAX_CLAUSES {
                self.error("LT0103", "this acceptance condition is too large", self.tape.span());
                return Err(Stop);
            }
            // Some set again and again, or some other one: one of both again and again.
            any = any.iter().flat_map(|a| next.iter().map(|b| [a.as_slice(), b].concat())).collect();
        }
        Ok(any)
    }

    fn all_of(&mut self, n_sets: u32) -> Result<Vec<Clause>, Stop> {
        let mut all = self.single(n_sets)?;
        while self.tape.take_if(Token::And) {
            all.extend(self.single(n_sets)?);
        }
        if all.len() > MAX_CLAUSES {
            self.error("LT0103", "this acceptance condition is too large", self.tape.span());
            return Err(Stop);
        }
        Ok(all)
    }

    fn single(&mut self, n_sets: u32) -> Result<Vec<Clause>, Stop> {
        if self.tape.take_if(Token::Open) {
            let inner = self.nested(|reader| reader.condition(n_sets))?;
            self.expect(Token::Close, "`)`")?;
            return Ok(inner);
        }
        let span = self.expect(Token::Word, "an acceptance condition")?;
        match self.text(span) {
            "t" => Ok(Vec::new()),
            "f" => Ok(vec![Vec::new()]),
            "Inf" => {
                self.expect(Token::Open, "`(`")?;
                let complement = self.tape.take_if(Token::Not);
                let (set, span) = self.number("the number of a set")?;
                self.expect(Token::Close, "`)`")?;
                if set >= n_sets {
                    self.error("LT0105", format!("there are {n_sets} acceptance sets, counted from 0"), span);
                }
                Ok(vec![vec![(set, complement)]])
            }
            "Fin" => {
                let message = "this acceptance condition asks for something to happen only finitely often";
                let help = "use a Büchi or generalised Büchi automaton: `Inf(0)`, `Inf(0)&Inf(1)`, ...";
                let diagnostic = base::Diagnostic::error("LT0103", message).at(span, "").help(help);
                self.diagnostics.push(diagnostic);
                Err(Stop)
            }
            other => {
                self.error("LT0101", format!("expected `Inf`, `t` or `f`, found `{other}`"), span);
                Err(Stop)
            }
        }
    }
}
