//! Plain reachability by pre\*.
//!
//! Every target is a state of its own that accepts all stacks below it; what procedures return with is shared by all of
//! them. A reached target gets its trace from a search forwards that crosses calls by what pre\* knows about returns.
//!
//! The proof that targets are not reached is the complement. A frame that was entered with e and is now at c cannot
//! lead to a target, and c can return with nothing that e cannot return with:
//!
//!   R(e, c) = !bad(c) & forall x. returns(c, x) -> returns(e, x).
//!
//! Steps only take possibilities away, so R is closed under them. Where somebody waits for x because going on with it
//! leads to a target (or to a return), x counts among the returns; so a callee that obeys R and returns with such
//! an x could have done so from its entry on, and the call itself would have been bad (or been able to return so).

use base::IdVec;
use bdd::{Bdd, Stop};
use encode::{Copy, Detail, Encoding, Transfers};
use program::{EdgeKind, LocationId, ProcedureId, Program, VariableId};

use super::automaton::{Automaton, State};
use super::pre::Pre;
use crate::Answer;
use crate::evidence::{certificate, trace};
use crate::guide::Guide;
use crate::halt::Halt;
use crate::limits::Limits;
use crate::problem::{Histories, Problem, require_one_entry};

/// Decides the problem's task, with its encoding.
pub(super) fn solve(mut problem: Problem<'_>) -> Answer {
    let Search { is_reached, automaton, history, failed, steps } = search(&problem);
    let targets = problem.task.targets;
    let reached: Vec<LocationId> =
        targets.iter().zip(&is_reached).filter(|(_, is_reached)| **is_reached).map(|(target, _)| *target).collect();
    let mut stopped = failed.map(|halt| problem.reason(halt));
    let mut traces = Vec::new();
    if problem.task.traces && !reached.is_empty() {
        let found = summaries(&problem, history).map(|found| problem.histories = found);
        let failed = found.and_then(|()| trace::find(&problem, &reached, &mut traces)).err();
        stopped = stopped.or(failed.map(|halt| problem.reason(halt)));
    }
    let is_wanted = problem.task.certificate && stopped.is_none() && reached.len() < targets.len();
    let mut certificate = None;
    if let Some(automaton) = automaton.as_ref().filter(|_| is_wanted && require_one_entry(problem.task.program).is_ok())
    {
        let unreached: Vec<LocationId> = targets.iter().copied().filter(|target| !reached.contains(target)).collect();
        let is_bad = |to: State| matches!(to, State::Given(target) if !is_reached[target as usize]);
        match (Complement { problem: &problem, automaton, is_bad: &is_bad }).sets() {
            Ok(sets) => certificate = Some(certificate::export(&problem.encoding, &unreached, &sets)),
            Err(stop) => stopped = Some(problem.reason(Halt::Diagram(stop))),
        }
    }
    let statistics = problem.statistics(steps);
    Answer { reached, traces, certificate, stopped, statistics, ..Answer::default() }
}

/// What the search backwards found.
struct Search {
    /// By position of the target.
    is_reached: Vec<bool>,
    automaton: Option<Automaton>,
    history: Histories,
    failed: Option<Halt>,
    steps: u64,
}

fn search(problem: &Problem<'_>) -> Search {
    let targets = problem.task.targets;
    let mut is_reached = vec![false; targets.len()];
    let transfers = Transfers::new(&problem.encoding, Detail::Seen);
    let limits = Limits::new(problem.context, problem.task.program.procedures.len());
    let mut pre = match Pre::new(problem.graph, &transfers, limits, true) {
        Ok(pre) => pre,
        Err(halt) => {
            let history = Histories::default();
            return Search { is_reached, automaton: None, history, failed: Some(halt), steps: 0 };
        }
    };
    let failed = run(problem, &mut pre, &mut is_reached).err();
    Search { is_reached, automaton: Some(pre.automaton), history: pre.history, failed, steps: pre.limits.steps }
}

fn run(problem: &Problem<'_>, pre: &mut Pre<'_, '_>, is_reached: &mut [bool]) -> Result<(), Halt> {
    let (program, encoding) = (problem.task.program, &problem.encoding);
    let Some(entry) = program.procedures[problem.start].entries.first().copied() else { return Ok(()) };
    let start = encoding.start_states(problem.start)?;
    pre.follow(Guide::from_start(program, problem.graph, entry, problem.task.targets.len()));
    for (position, target) in (0..).zip(problem.task.targets) {
        let frame = encoding.in_scope(program.locations[*target].procedure);
        let anything = encoding.and_in_range(encoding.manager().bdd_true(), frame, Copy::Current)?;
        pre.automaton.add_loop(State::Given(position));
        pre.add(*target, State::Given(position), &anything)?;
    }
    let mut n_seen = 0;
    let mut n_unreached = is_reached.len();
    let mut is_enough = |automaton: &Automaton| {
        // Only growth at the entry can tell anything.
        let n_grown = automaton.growth_at(entry);
        if n_grown == std::mem::replace(&mut n_seen, n_grown) {
            return Ok(n_unreached == 0);
        }
        for top in automaton.tops_at(entry) {
            if let State::Given(position) = top.to
                && !is_reached[position as usize]
                && !top.all.disjoint(&start)?
            {
                is_reached[position as usize] = true;
                n_unreached -= 1;
            }
        }
        Ok(n_unreached == 0)
    };
    pre.run(&mut is_enough)
}

/// What leads from entries to returns, as summaries.
fn summaries(problem: &Problem<'_>, history: Histories) -> Result<Histories, Halt> {
    let transfers = Transfers::new(&problem.encoding, Detail::Seen);
    let of_entry = |(entry, grown): (LocationId, Vec<(u64, Bdd)>)| {
        let procedure = problem.task.program.locations[entry].procedure;
        let turned = grown.iter().map(|(stamp, all)| Ok((*stamp, transfers.summary_of_entry(procedure, all)?)));
        Ok((entry, turned.collect::<Result<_, Halt>>()?))
    };
    history.into_iter().map(of_entry).collect()
}

/// What cannot lead to some targets.
struct Complement<'s> {
    problem: &'s Problem<'s>,
    automaton: &'s Automaton,
    is_bad: &'s dyn Fn(State) -> bool,
}

impl Complement<'_> {
    fn sets(&self) -> Result<IdVec<LocationId, Bdd>, Stop> {
        let program = self.problem.task.program;
        let nothing = self.problem.encoding.manager().bdd_false();
        let mut sets = IdVec::filled(program.locations.len(), nothing);
        for (procedure, entry) in entries(program, self.problem.start) {
            let from_entry = self.returns_of_entry(procedure, entry)?;
            for location in &program.procedures[procedure].locations {
                sets[*location] = self.set(procedure, *location, &from_entry)?;
            }
        }
        Ok(sets)
    }

    fn set(&self, procedure: ProcedureId, location: LocationId, from_entry: &Bdd) -> Result<Bdd, Stop> {
        let encoding = &self.problem.encoding;
        let mut good = encoding.manager().bdd_true();
        for top in self.automaton.tops_at(location).filter(|top| (self.is_bad)(top.to)) {
            good = good.diff(&top.all)?;
        }
        let returns = self.automaton.top_to(location, State::Returned(procedure));
        if !returns.is_false() {
            let all: Vec<VariableId> = encoding.in_scope(procedure).collect();
            let more = returns.rename(&encoding.renaming(all.iter().copied(), Copy::Entry, Copy::Exit))?;
            let exit = encoding.manager().cube(&encoding.copies(all.iter().copied(), Copy::Exit));
            good = good.diff(&more.diff(from_entry)?.exists(&exit)?)?;
        }
        let hidden: Vec<VariableId> = hidden(encoding, procedure).collect();
        good = encoding.and_in_range(good, hidden.iter().copied(), Copy::Entry)?;
        good = good.exists(&encoding.manager().cube(&encoding.copies(hidden.into_iter(), Copy::Entry)))?;
        good = encoding.and_in_range(good, encoding.entry_copied(procedure), Copy::Entry)?;
        encoding.and_in_range(good, encoding.in_scope(procedure), Copy::Current)
    }

    /// What the procedure can return with (in the exit copies) from its entry (in the entry copies, where the procedure
    /// may change it).
    fn returns_of_entry(&self, procedure: ProcedureId, entry: LocationId) -> Result<Bdd, Stop> {
        let encoding = &self.problem.encoding;
        let returns = self.automaton.top_to(entry, State::Returned(procedure));
        let returned: Vec<VariableId> = encoding.in_scope(procedure).collect();
        let moved = returns.rename(&encoding.renaming(returned.into_iter(), Copy::Entry, Copy::Exit))?;
        let first = encoding.entry_copied(procedure).chain(hidden(encoding, procedure));
        moved.rename(&encoding.renaming(first, Copy::Current, Copy::Entry))
    }
}

/// Locals of which no caller sees what they start with.
fn hidden<'e>(encoding: &'e Encoding<'_>, procedure: ProcedureId) -> impl Iterator<Item = VariableId> + 'e {
    encoding.frame(procedure).filter(|local| !encoding.effects().is_visible(*local))
}

/// The procedures that are called or started, and where they are entered.
fn entries(program: &Program, start: ProcedureId) -> Vec<(ProcedureId, LocationId)> {
    let calls = program.edges.iter().filter_map(|edge| match &edge.kind {
        EdgeKind::Call(call) => Some((call.callee, call.entry)),
        EdgeKind::Step(_) | EdgeKind::Spawn(_) => None,
    });
    let first = program.procedures[start].entries.first().map(|entry| (start, *entry));
    let mut entries: Vec<(ProcedureId, LocationId)> = calls.chain(first).collect();
    entries.sort_unstable();
    entries.dedup();
    entries
}
