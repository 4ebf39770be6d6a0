//! Temporal verdicts against a search that lists configurations, on random programs and formulae.
//!
//! Every program comes with a formula and its negation, and is checked by every way to look for cycles and by the formula
//! `recurrence` of the fixed-point calculus. What a search
//! through all configurations up to a height of the stack finds, they have to find; where no stack was cut off, what it
//! does not find they must not find either. Every run that is found is executed and judged by the driver.

use base::{Budget, Cancel, Context, Silent, Source, StopReason};
use driver::front::Lowered;
use driver::temporal::{
    Method, Runs, Search, Specification, TemporalQuestion, TemporalVerdict, check_temporal, holds_by_formula,
};
use driver::{Loaded, Outcome};
use engine::explicit::recurrence::{Accepted, accepts};
use program::random::{self, Shape};
use program::{Expr, LocationId, Observation, Origins, Program, Scope, Sort};
use property::{Atom, Formula};
use question::Writing;

/// Frames up to which configurations are listed.
const MAX_FRAMES: usize = 4;
/// Configurations that are listed at most.
const MAX_STEPS: u64 = 20_000;

/// What the comparison found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TemporalReport {
    /// Programs, each with two formulae.
    pub programs: u64,
    /// Checks run.
    pub checks: u64,
    /// Checks that found a run, all of them executed.
    pub violated: u64,
    /// Checks that found none.
    pub holds: u64,
    /// Checks that were not compared, because the list of configurations was cut off.
    pub cut: u64,
    /// What differed, with the program.
    pub disagreements: Vec<String>,
    /// Whether it was cancelled before all programs were examined.
    pub cancelled: bool,
}

/// All ways to look for cycles.
const SEARCHES: [Search; 8] = [
    Search { method: Method::Owcty, arranged: true, reachable_first: true, components: true },
    Search { method: Method::EmersonLei, arranged: true, reachable_first: true, components: true },
    Search { method: Method::Closure, arranged: true, reachable_first: true, components: true },
    Search { method: Method::Owcty, arranged: false, reachable_first: true, components: true },
    Search { method: Method::Owcty, arranged: true, reachable_first: false, components: true },
    Search { method: Method::Owcty, arranged: true, reachable_first: true, components: false },
    Search { method: Method::EmersonLei, arranged: false, reachable_first: false, components: false },
    Search { method: Method::Closure, arranged: true, reachable_first: false, components: false },
];

/// Compares on the programs of some seeds. `progress` hears how many are done.
pub fn cross_temporal(seed: u64, programs: u64, cancel: &Cancel, progress: &dyn Fn(u64)) -> TemporalReport {
    let mut report = TemporalReport::default();
    for seed in seed..seed + programs {
        if cancel.is_cancelled() || report.disagreements.len() >= super::MAX_DISAGREEMENTS {
            report.cancelled = cancel.is_cancelled();
            break;
        }
        compare(seed, &mut report);
        report.programs += 1;
        progress(report.programs);
    }
    report
}

fn compare(seed: u64, report: &mut TemporalReport) {
    // Of numbers and arrays there are many more values, so that fewer lists end.
    let booleans = seed % 4 != 3;
    let shape = Shape { seed, procedures: 1 + (seed % 3) as u32, locations: 4, booleans, ..Shape::default() };
    let program = random::program(&shape);
    let split = transform::entries::split_entries(&program, &Origins::default());
    let program = split.map_or(program, |split| split.program);
    let split = transform::returns::split_returns(&program, &Origins::default());
    let loaded = loaded(split.map_or(program, |split| split.program));
    let formula = property::random::formula(seed, &atoms(&loaded.program), 2 + (seed % 7) as u32);
    let runs = if seed.is_multiple_of(2) { Runs::All } else { Runs::Infinite };
    for formula in [formula.clone(), formula.negated()] {
        let found = match listed(&loaded.program, &formula, runs) {
            Ok(Accepted::Yes) => Some(true),
            Ok(Accepted::No) => Some(false),
            Ok(Accepted::Cut) | Err(_) => None,
        };
        // Where the list was cut off, all ways must still agree with the first one.
        let mut agreed = found;
        for (name, fails) in ways(&loaded, &formula, runs) {
            report.checks += 1;
            report.cut += u64::from(found.is_none());
            match fails {
                Ok(fails) if *agreed.get_or_insert(fails) == fails => {
                    *(if fails { &mut report.violated } else { &mut report.holds }) += 1;
                }
                Ok(fails) => report.disagreements.push(told(seed, &formula, &loaded, &format!("{name}: {fails}"))),
                Err(why) => report.disagreements.push(told(seed, &formula, &loaded, &format!("{name}: {why}"))),
            }
        }
    }
}

fn told(seed: u64, formula: &Formula, loaded: &Loaded, what: &str) -> String {
    format!("seed {seed}, {formula}\n  {what}\n\n{}", program::text::print(&loaded.program))
}

fn loaded(program: Program) -> Loaded {
    let lowered = Lowered::new(program, Origins::default(), Writing::default());
    Loaded::new(Source::new("random", "").into(), &driver::front::MODEL, lowered)
}

/// What formulae about a program speak of.
fn atoms(program: &Program) -> Vec<Atom> {
    let shared = program.variables_in(Scope::Shared).filter(|id| *program.sort(*id) == Sort::Bool);
    let mut atoms: Vec<Atom> = shared.map(|id| Atom::Name(program.variables[id].name.clone())).collect();
    atoms.extend(program.procedures.iter().map(|procedure| Atom::In(procedure.name.clone())));
    atoms.push(Atom::Name("end".to_owned()));
    atoms
}

/// What an atom means, found in another way than the driver does it.
fn meaning(program: &Program, atom: &Atom) -> Option<Observation> {
    let shared = |name: &str| program.variables_in(Scope::Shared).find(|id| program.variables[*id].name == name);
    match atom {
        Atom::In(name) => {
            let of_procedure = |procedure: &&program::Procedure| {
                procedure.name == *name || procedure.name.starts_with(&format!("{name}."))
            };
            let all = program.procedures.iter().filter(of_procedure);
            let mut locations: Vec<LocationId> = all.flat_map(|procedure| procedure.locations.clone()).collect();
            locations.sort_unstable();
            Some(Observation::At(locations))
        }
        Atom::Name(name) if name == "end" => Some(Observation::Ended),
        Atom::Name(name) | Atom::Text(name) => {
            shared(name).map(|id| Observation::Holds { condition: Expr::before(id), procedure: None })
        }
    }
}

fn listed(program: &Program, formula: &Formula, runs: Runs) -> Result<Accepted, StopReason> {
    let automaton = property::translate(&formula.negated(), &Budget::unlimited())?;
    let meanings: Vec<Observation> = automaton.atoms.iter().filter_map(|atom| meaning(program, atom)).collect();
    let budget = Budget::unlimited().with_max_steps(Some(MAX_STEPS));
    accepts(program, &automaton, &meanings, runs == Runs::All, MAX_FRAMES, &budget)
}

/// Whether some run does not have the property, by all searches and by the formula `recurrence`.
fn ways<'l>(
    loaded: &'l Loaded,
    formula: &Formula,
    runs: Runs,
) -> impl Iterator<Item = (String, Result<bool, String>)> + 'l {
    let specification = Specification::Formula(Source::new("formula", formula.to_string()));
    let question = TemporalQuestion { specification, runs, ..TemporalQuestion::new(Specification::terminates()) };
    let asked = question.clone();
    let searches = SEARCHES.into_iter().map(move |search| {
        let question = TemporalQuestion { search, ..asked.clone() };
        (format!("{search:?}"), fails(loaded, &question))
    });
    searches.chain(std::iter::once_with(move || ("recurrence.fp".to_owned(), fails_by_formula(loaded, &question))))
}

fn fails_by_formula(loaded: &Loaded, question: &TemporalQuestion) -> Result<bool, String> {
    match holds_by_formula(loaded, question, &Context::new(&Budget::unlimited(), &Silent)) {
        Ok(Outcome { findings: Some(holds), .. }) => Ok(!holds),
        Ok(outcome) => Err(outcome.stopped.map(|reason| reason.to_string()).unwrap_or_default()),
        Err(error) => Err(format!("{error:?}")),
    }
}

fn fails(loaded: &Loaded, question: &TemporalQuestion) -> Result<bool, String> {
    match check_temporal(loaded, question, &Context::new(&Budget::unlimited(), &Silent)) {
        Ok(outcome) => match outcome.findings.verdict {
            TemporalVerdict::Fails(_) => Ok(true),
            TemporalVerdict::Holds => Ok(false),
            TemporalVerdict::Unknown(reason) => Err(reason.to_string()),
        },
        Err(error) => Err(format!("{error:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_those_of_a_search_through_all_configurations() {
        let report = cross_temporal(0, 60, &Cancel::new(), &|_| {});
        assert_eq!(report.disagreements, Vec::<String>::new());
        assert!(report.violated > 50 && report.holds > 50 && report.cut < report.checks / 2, "{report:?}");
    }
}
