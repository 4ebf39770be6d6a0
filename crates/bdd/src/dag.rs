//! BDDs as plain values, for certificates and for looking at them.
//!
//! A [`Dag`] stands alone: it names variables and no manager. Writing it to text
//! or files is not done here.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::handle::Bdd;
use crate::manager::{Manager, Var};
use crate::session::{FALSE, Session, TRUE};
use crate::stop::Stop;

/// Functions as a list of nodes, children before parents.
///
/// Number 0 is false, 1 is true, and `n + 2` is `nodes[n]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dag {
    /// Variable, child where it is false, child where it is true.
    pub nodes: Vec<(Var, u32, u32)>,
    /// The numbers of the functions.
    pub roots: Vec<u32>,
}

/// Why a [`Dag`] could not be turned into BDDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportError {
    /// The node at this index names a child that does not come before it.
    BadChild(usize),
    /// The node at this index names a variable that is not declared.
    UnknownVariable(usize),
    /// The root at this index names no node.
    BadRoot(usize),
    /// The operation was stopped.
    Stopped(Stop),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadChild(n) => write!(f, "node {n} names a child that does not come before it"),
            Self::UnknownVariable(n) => write!(f, "node {n} names an undeclared variable"),
            Self::BadRoot(n) => write!(f, "root {n} names no node"),
            Self::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for ImportError {}

impl From<Stop> for ImportError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl Dag {
    /// Check that every number means something.
    fn validate(&self, n_vars: usize) -> Result<(), ImportError> {
        for (n, &(var, lo, hi)) in self.nodes.iter().enumerate() {
            if lo as usize >= n + 2 || hi as usize >= n + 2 {
                return Err(ImportError::BadChild(n));
            }
            if var.0 as usize >= n_vars {
                return Err(ImportError::UnknownVariable(n));
            }
        }
        let end = self.nodes.len() + 2;
        match self.roots.iter().position(|&root| root as usize >= end) {
            Some(n) => Err(ImportError::BadRoot(n)),
            None => Ok(()),
        }
    }
}

fn export(session: &Session<'_, '_>, roots: &[Bdd]) -> Dag {
    let mut dag = Dag::default();
    let mut numbers = FxHashMap::default();
    numbers.insert(FALSE, 0_u32);
    numbers.insert(TRUE, 1_u32);
    let mut todo = Vec::new();
    for root in roots {
        todo.push((root.edge(session), false));
        while let Some((f, children_done)) = todo.pop() {
            if numbers.contains_key(&f.node_id()) {
                continue;
            }
            let view = session.view(f);
            if children_done {
                let var = Var(session.var_at(view.level));
                let [lo, hi] = [view.lo, view.hi].map(|child| numbers[&child.node_id()]);
                dag.nodes.push((var, lo, hi));
                numbers.insert(f.node_id(), dag.nodes.len() as u32 + 1);
            } else {
                todo.extend([(f, true), (view.hi, false), (view.lo, false)]);
            }
        }
        dag.roots.push(numbers[&(root.id as usize)]);
    }
    dag
}

fn import(session: &Session<'_, '_>, dag: &Dag, manager: &Manager) -> Result<Vec<Bdd>, Stop> {
    let mut edges = vec![session.hold(session.constant(false)), session.hold(session.constant(true))];
    for &(var, lo, hi) in &dag.nodes {
        session.tick()?;
        let [hi, lo] = [hi, lo].map(|n| session.clone(edges[n as usize].borrowed()));
        let edge = session.branch(var.0, hi, lo)?;
        edges.push(session.hold(edge));
    }
    let root = |&n: &u32| {
        let edge = session.clone(edges[n as usize].borrowed());
        Bdd::new(session, edge, &manager.shared)
    };
    Ok(dag.roots.iter().map(root).collect())
}

impl Manager {
    /// The functions as plain values; the same functions give the same values.
    #[must_use]
    pub fn export(&self, functions: &[Bdd]) -> Dag {
        self.with(|s| export(s, functions))
    }

    /// How many nodes the functions have together, constants not counted.
    #[must_use]
    pub fn count_nodes<'f>(&self, functions: impl IntoIterator<Item = &'f Bdd>) -> usize {
        self.with(|session| {
            let mut seen: FxHashSet<usize> = FxHashSet::default();
            let mut todo = Vec::new();
            for function in functions {
                todo.push(function.edge(session));
                while let Some(edge) = todo.pop() {
                    if edge.node_id() > TRUE && seen.insert(edge.node_id()) {
                        let view = session.view(edge);
                        todo.extend([view.lo, view.hi]);
                    }
                }
            }
            seen.len()
        })
    }

    /// The functions of a [`Dag`], which may come from another variable order.
    pub fn import(&self, dag: &Dag) -> Result<Vec<Bdd>, ImportError> {
        dag.validate(self.n_vars())?;
        let functions = self.with(|s| s.deep(|| import(s, dag, self)))?;
        Ok(functions)
    }
}
