//! What solving cost: per equation and clause, in the author's names.

use std::fmt;
use std::time::Duration;

use super::{Cost, Solver};
use crate::plan::{Kind, cut};
use crate::system::Fixpoint;

/// What solving cost.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Relations that were computed, in the order of the plan.
    pub relations: Vec<RelationProfile>,
    /// Whether time was measured.
    pub is_timed: bool,
}

/// What a relation cost.
#[derive(Clone, Debug, Default)]
pub struct RelationProfile {
    /// `mu Reach`, `view 1`, `query reached`.
    pub name: String,
    /// Rounds, where it was computed by rounds, over all evaluations.
    pub rounds: u64,
    /// Entries of its final value: keys.
    pub n_entries: usize,
    /// Nodes of its final value, those that entries share counted for each.
    pub n_nodes: usize,
    /// What its clauses cost.
    pub clauses: Vec<(String, Cost)>,
}

impl RelationProfile {
    /// The time of all clauses.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.clauses.iter().map(|(_, cost)| cost.time).sum()
    }
}

impl Solver<'_> {
    /// What solving has cost so far. Times are there if [`super::Options::profile`] asked for them.
    #[must_use]
    pub fn profile(&self) -> Profile {
        let mut relations = Vec::new();
        for (at, planned) in self.plan.relations.iter().enumerate() {
            let word = match planned.kind {
                Kind::Fixpoint(Fixpoint::Least) => "mu ",
                Kind::Fixpoint(Fixpoint::Greatest) => "nu ",
                Kind::View if self.plan.queries.contains(&at) => "query ",
                Kind::View | Kind::Cofactor(..) => "",
                Kind::Input(_) | Kind::Unused => continue,
            };
            let cost = |clause: usize| self.costs.get(&(at, clause)).cloned().unwrap_or_default();
            let clauses = (0..planned.clauses.len()).map(|clause| (self.plan.clause_text(at, clause), cost(clause)));
            let entries = &self.store.tables[at].entries;
            relations.push(RelationProfile {
                name: format!("{word}{}", planned.name),
                rounds: self.rounds[at],
                n_entries: entries.len(),
                n_nodes: entries.iter().map(|entry| entry.value.diagram.node_count()).sum(),
                clauses: clauses.collect(),
            });
        }
        Profile { relations, is_timed: self.options.profile }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longer clauses are cut: the plan shows them whole.
        const MAX_TEXT: usize = 100;
        let time = |time: Duration| if self.is_timed { format!("{:9.3} s", time.as_secs_f64()) } else { String::new() };
        for relation in &self.relations {
            write!(f, "{}: {} entries, {} nodes", relation.name, relation.n_entries, relation.n_nodes)?;
            if relation.rounds > 0 {
                write!(f, ", {} rounds", relation.rounds)?;
            }
            writeln!(f, "{}", if self.is_timed { format!(",{}", time(relation.time())) } else { String::new() })?;
            for (text, cost) in relation.clauses.iter().filter(|(_, cost)| cost.n_runs > 0) {
                let (runs, results, text) = (cost.n_runs, cost.n_results, cut(text, MAX_TEXT));
                writeln!(f, "  {runs:>9} runs {results:>9} results{}  {text}", time(cost.time))?;
            }
        }
        Ok(())
    }
}
