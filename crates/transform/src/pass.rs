//! Passes: rewritings in place, which keep the numbers of variables, procedures and locations.

use std::fmt;
use std::sync::Arc;

use base::Context;
use program::{LocationId, Program, Trace};

use crate::rewriting::{BackError, Certified, Refused, Rewriting, Rewritten, Subject};
use crate::{WayBack, passes};

/// A transformation of programs that changes them in place.
pub trait Pass: Sync {
    /// The name that users give.
    fn name(&self) -> &'static str;

    /// What it does, in one line for users.
    fn description(&self) -> &'static str;

    /// Changes the program in place; none: there is nothing to do, and the program is as it was.
    fn rewrite(&self, program: &mut Program, targets: &[LocationId]) -> Option<WayBack>;

    /// Changes a copy of the program.
    fn apply(&self, program: &Program, targets: &[LocationId]) -> Option<(Program, WayBack)> {
        let mut result = program.clone();
        let way_back = self.rewrite(&mut result, targets)?;
        Some((result, way_back))
    }
}

/// A pass as a rewriting.
#[derive(Clone, Copy)]
pub struct InPlace(pub &'static dyn Pass);

impl fmt::Debug for InPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InPlace").field(&self.0.name()).finish()
    }
}

impl Rewriting for InPlace {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn phase(&self) -> String {
        format!("pass {}", self.0.name())
    }

    fn rewrite(&self, subject: &mut Subject, _context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused> {
        let Some(way_back) = self.0.rewrite(Arc::make_mut(&mut subject.program), &subject.targets) else {
            return Ok(None);
        };
        subject.lengths = way_back.lengths(&subject.lengths);
        Ok(Some(Box::new(way_back)))
    }
}

impl Rewritten for WayBack {
    fn trace_back(&self, trace: Trace, _context: &Context<'_>) -> Result<Trace, BackError> {
        Ok(self.trace(trace))
    }

    fn certificate_back(&self, certified: Certified) -> Option<Certified> {
        let Certified { certificate, about } = certified;
        // What is about a later program does not speak of this one.
        let certificate = if about.is_none() { self.certificate(certificate) } else { certificate };
        Some(Certified { certificate, about })
    }

    fn keeps_lengths(&self) -> bool {
        true
    }
}

/// There is no pass of that name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPass {
    /// As the user gave it.
    pub name: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
}

impl fmt::Display for UnknownPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no pass `{}`; passes are: {}", self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownPass {}

/// The named passes, or all of them, in their own order.
pub fn selected(names: Option<&[String]>) -> Result<Vec<InPlace>, UnknownPass> {
    let all = passes().iter().copied();
    let known = || all.clone().map(Pass::name);
    let names = names.map(|names| names.iter().map(String::as_str).collect::<Vec<&str>>());
    let is_named = |name: &str| names.as_ref().is_none_or(|names| names.contains(&name));
    match names.iter().flatten().find(|name| !known().any(|known| known == **name)) {
        Some(unknown) => Err(UnknownPass { name: (*unknown).to_owned(), known: known().collect() }),
        None => Ok(all.filter(|pass| is_named(pass.name())).map(InPlace).collect()),
    }
}

#[cfg(test)]
mod tests {
    use base::{Budget, Silent};
    use program::{Expr, Relation};

    use super::*;
    use crate::Way;
    use crate::sample::{chain, finish, set, with_main};

    #[test]
    fn passes_are_applied_in_their_own_order_and_only_when_named() {
        let (mut builder, main, g) = with_main();
        let relations = vec![set(g, Expr::TRUE), Relation::assume(Expr::before(g)), Relation::identity()];
        let at = chain(&mut builder, main, relations);
        let program = Arc::new(finish(builder));
        let budget = Budget::unlimited();
        let after = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let mut way = Way::new(Arc::clone(&program), vec![at[3]]);
            for pass in selected(Some(&names)).unwrap() {
                way.take(&pass, &Context::new(&budget, &Silent)).unwrap();
            }
            way
        };
        let some = after(&["contract", "constants"]);
        assert_eq!(some.names(), ["constants", "contract"]);
        assert_eq!(some.subject.lengths, [3]);
        let none = after(&[]);
        assert!(Arc::ptr_eq(&none.subject.program, &program));
        assert!(none.subject.lengths.is_empty());
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let error = selected(Some(&["cones".to_owned()])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no pass `cones`; passes are: unreachable, constants, cone, live, modref, contract"
        );
    }
}
