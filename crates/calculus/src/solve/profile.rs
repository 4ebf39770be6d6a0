//! What solving cost: per equation, clause and round, in the author's names.

use std::fmt;
use std::time::Duration;

use bdd::Bdd;

use super::table::Table;
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
    /// Nodes of its final value, all counted once.
    pub n_distinct: usize,
    /// What its clauses cost.
    pub clauses: Vec<(String, Cost)>,
    /// What its rounds cost, where it was computed by rounds of its own and time was measured.
    pub round_costs: Vec<RoundCost>,
}

/// What a round cost, and what it left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundCost {
    /// Entries of the value after the round: keys.
    pub n_entries: usize,
    /// Nodes of that value, those that entries share counted for each.
    pub n_nodes: usize,
    /// How long it took, with all that was evaluated within it.
    pub time: Duration,
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
            let costs = self.costs[at].iter().enumerate();
            let clauses = costs.map(|(clause, cost)| (self.plan.clause_text(at, clause), cost.clone()));
            let table = &self.store.tables[at];
            relations.push(RelationProfile {
                name: format!("{word}{}", planned.name),
                rounds: self.rounds[at],
                n_entries: table.entries.len(),
                n_nodes: n_nodes(table),
                n_distinct: self.n_distinct(table),
                clauses: clauses.collect(),
                round_costs: self.round_costs.get(&at).cloned().unwrap_or_default(),
            });
        }
        Profile { relations, is_timed: self.options.profile }
    }

    fn n_distinct(&self, table: &Table) -> usize {
        let diagrams: Vec<Bdd> = table.entries.iter().map(|entry| entry.value.diagram.clone()).collect();
        self.store.manager.export(&diagrams).nodes.len()
    }
}

/// Nodes of a value, those that entries share counted for each.
pub(super) fn n_nodes(table: &Table) -> usize {
    table.entries.iter().map(|entry| entry.value.diagram.node_count()).sum()
}

/// Longer clauses are cut: the plan shows them whole.
const MAX_TEXT: usize = 100;

/// Of more rounds than this, the first and the last are shown.
const MAX_ROUNDS: usize = 20;

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time =
            |time: Duration| if self.is_timed { format!(" {:>9.3} s", time.as_secs_f64()) } else { String::new() };
        writeln!(f, "     runs   results{}", if self.is_timed { "        time" } else { "" })?;
        for relation in &self.relations {
            let mut size = size_of(relation.n_entries, relation.n_nodes);
            if relation.n_distinct < relation.n_nodes {
                size.push_str(&format!(" ({} distinct)", relation.n_distinct));
            }
            let rounds = match relation.rounds {
                0 => String::new(),
                rounds => format!(", {}", counted(rounds as usize, "round", "rounds")),
            };
            writeln!(f, "{:19}{}  {}: {size}{rounds}", "", time(relation.time()), relation.name)?;
            for (at, (text, cost)) in relation.clauses.iter().enumerate().filter(|(_, (_, cost))| cost.n_runs > 0) {
                let (runs, results, text) = (cost.n_runs, cost.n_results, cut(text, MAX_TEXT));
                writeln!(f, "{runs:>9} {results:>9}{}    {}. {text}", time(cost.time), at + 1)?;
            }
            let last = relation.round_costs.len();
            let is_shown = |at: usize| at < MAX_ROUNDS / 2 || at + MAX_ROUNDS / 2 >= last;
            for (at, cost) in relation.round_costs.iter().enumerate().filter(|(at, _)| is_shown(*at)) {
                let size = size_of(cost.n_entries, cost.n_nodes);
                writeln!(f, "{:19}{}    round {}: {size}", "", time(cost.time), at + 1)?;
            }
        }
        writeln!(f)
    }
}

fn size_of(n_entries: usize, n_nodes: usize) -> String {
    format!("{}, {}", counted(n_entries, "entry", "entries"), counted(n_nodes, "node", "nodes"))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
