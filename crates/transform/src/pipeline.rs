//! Passes one after the other, and the way back through all of them.

use std::borrow::Cow;
use std::fmt;

use base::{Observer, Progress};
use program::{EdgeId, LocationId, Program, Trace};
use witness::Certificate;

use crate::{Pass, WayBack, passes};

/// A program after some passes, with the way back to the original.
#[derive(Clone, Debug)]
pub struct Pipeline<'p> {
    /// The result of the last pass.
    pub program: Cow<'p, Program>,
    /// The names of the passes that found something to do, in order.
    pub applied: Vec<&'static str>,
    way_backs: Vec<WayBack>,
    lengths: Vec<u32>,
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

/// Applies the named passes, or all of them, in their own order. The targets are the locations that are asked about. The
/// observer hears the name of each pass when it begins.
pub fn pipeline<'p>(
    program: &'p Program,
    targets: &[LocationId],
    names: Option<&[String]>,
    observer: &dyn Observer,
) -> Result<Pipeline<'p>, UnknownPass> {
    let selected = selected(names)?;
    let mut pipeline =
        Pipeline { program: Cow::Borrowed(program), applied: Vec::new(), way_backs: Vec::new(), lengths: Vec::new() };
    let n_procedures = program.procedures.len() as u64;
    for pass in selected {
        let phase = format!("pass {}", pass.name());
        observer.progress(&Progress { phase: &phase, n_procedures, ..Progress::default() });
        if let Some(way_back) = pass.rewrite(pipeline.program.to_mut(), targets) {
            pipeline.lengths = way_back.lengths(&pipeline.lengths);
            pipeline.way_backs.push(way_back);
            pipeline.applied.push(pass.name());
        }
    }
    Ok(pipeline)
}

fn selected(names: Option<&[String]>) -> Result<Vec<&'static dyn Pass>, UnknownPass> {
    let all = passes().iter().copied();
    let Some(names) = names else {
        return Ok(all.collect());
    };
    let known = || all.clone().map(Pass::name);
    match names.iter().find(|name| !known().any(|known| known == name.as_str())) {
        Some(unknown) => Err(UnknownPass { name: unknown.clone(), known: known().collect() }),
        None => Ok(all.filter(|pass| names.iter().any(|name| name == pass.name())).collect()),
    }
}

impl Pipeline<'_> {
    /// A trace of the result as one of the original.
    #[must_use]
    pub fn trace_back(&self, trace: Trace) -> Trace {
        self.way_backs.iter().rev().fold(trace, |trace, way_back| way_back.trace(trace))
    }

    /// A certificate of the result as one of the original.
    #[must_use]
    pub fn certificate_back(&self, certificate: Certificate) -> Certificate {
        self.way_backs.iter().rev().fold(certificate, |certificate, way_back| way_back.certificate(certificate))
    }

    /// How many edges of the original an edge of the result stands for. Entering a call counts one of them, leaving
    /// it the others.
    #[must_use]
    pub fn length(&self, edge: EdgeId) -> u32 {
        self.lengths.get(edge.0 as usize).copied().unwrap_or(1)
    }

    /// The same for all edges, by position; empty: one each.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }
}

#[cfg(test)]
mod tests {
    use base::Silent;
    use program::{Expr, Relation};

    use super::*;
    use crate::sample::{chain, finish, set, with_main};

    #[test]
    fn passes_are_applied_in_their_own_order_and_only_when_named() {
        let (mut builder, main, g) = with_main();
        let relations = vec![set(g, Expr::TRUE), Relation::assume(Expr::before(g)), Relation::identity()];
        let at = chain(&mut builder, main, relations);
        let program = finish(builder);
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let some = pipeline(&program, &[at[3]], Some(&names(&["contract", "constants"])), &Silent).unwrap();
        assert_eq!(some.applied, ["constants", "contract"]);
        assert_eq!(some.lengths(), [3]);
        assert_eq!(some.length(EdgeId(0)), 3);
        let none = pipeline(&program, &[at[3]], Some(&[]), &Silent).unwrap();
        assert!(matches!(none.program, Cow::Borrowed(_)));
        assert_eq!(none.length(EdgeId(1)), 1);
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let (builder, ..) = with_main();
        let error = pipeline(builder.program(), &[], Some(&["cones".to_owned()]), &Silent).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no pass `cones`; passes are: unreachable, constants, cone, live, modref, contract"
        );
    }
}
