//! Relations and views as they come up while bodies are taken apart.

use base::IdVec;

use super::clause::Planned;
use super::expand::{Surroundings, expand};
use super::{Column, Control, Family, FamilyId, Kind, PlannedRelation, SortPlan};
use crate::system::{Formula, SortId, Term, Variable, VariableId};

/// Most values of a sort of the file that are listed one by one; a diagram has no trouble with larger ranges.
const MAX_LISTED: u64 = 1 << 16;

/// A plan in the making.
pub(super) struct Planner {
    control: Control,
    /// Most clauses of a body that is multiplied out.
    most: usize,
    pub(super) sorts: IdVec<SortId, SortPlan>,
    pub(super) families: Vec<Family>,
    pub(super) variables: IdVec<VariableId, Variable>,
    pub(super) relations: Vec<PlannedRelation>,
    pub(super) views: Vec<(Formula, Planned)>,
}

impl Planner {
    pub(super) fn new(
        control: Control,
        most: usize,
        sorts: IdVec<SortId, SortPlan>,
        variables: IdVec<VariableId, Variable>,
    ) -> Self {
        Self { control, most, sorts, families: Vec::new(), variables, relations: Vec::new(), views: Vec::new() }
    }

    /// A new relation; `in_diagrams`: none of its columns is a key.
    pub(super) fn declare(&mut self, name: String, kind: Kind, columns: &[VariableId], in_diagrams: bool) -> Planned {
        let columns = columns.iter().map(|variable| self.column(*variable, in_diagrams)).collect();
        self.relations.push(PlannedRelation { name, kind, columns, clauses: Vec::new() });
        self.relations.len() - 1
    }

    fn column(&mut self, variable: VariableId, in_diagrams: bool) -> Column {
        let sort = self.variables[variable].sort;
        let family = self.family(variable);
        let SortPlan { size, model, .. } = self.sorts[sort];
        let is_listed = size.is_some_and(|size| model.is_some() || (size != 2 && size <= MAX_LISTED));
        let may_be_key = self.control == Control::Explicit && !in_diagrams;
        let is_key = may_be_key && is_listed && !self.variables[variable].is_element();
        Column { variable, sort, family, is_key, is_listed }
    }

    /// The first family of a sort, made if there is none.
    pub(super) fn base(&mut self, sort: SortId) -> FamilyId {
        let known = self.families.iter().position(|family| family.sort == sort);
        known.unwrap_or_else(|| {
            self.families.push(Family { sort, part: String::new() });
            self.families.len() - 1
        })
    }

    fn family(&mut self, variable: VariableId) -> FamilyId {
        let Variable { sort, part, .. } = &self.variables[variable];
        let part = if self.sorts[*sort].model.is_some() { "" } else { part };
        let known = self.families.iter().position(|family| family.sort == *sort && family.part == part);
        known.unwrap_or_else(|| {
            self.families.push(Family { sort: *sort, part: part.to_owned() });
            self.families.len() - 1
        })
    }

    /// Gives a relation its clauses.
    pub(super) fn fill(&mut self, relation: Planned, body: &Formula) {
        let head: Vec<VariableId> = self.relations[relation].columns.iter().map(|column| column.variable).collect();
        self.relations[relation].clauses = expand(self, &head, body);
    }
}

impl Surroundings for Planner {
    fn sort(&self, variable: VariableId) -> SortId {
        self.variables[variable].sort
    }

    fn size(&self, sort: SortId) -> Option<u64> {
        self.sorts[sort].size
    }

    fn fresh(&mut self, like: VariableId) -> VariableId {
        let variable = self.variables[like].clone();
        self.variables.push(variable)
    }

    fn view(&mut self, formula: &Formula, in_diagrams: bool) -> (Planned, Vec<VariableId>) {
        let columns = free_variables(formula);
        if let Some((_, view)) = self.views.iter().find(|(known, _)| known == formula) {
            return (*view, columns);
        }
        let name = format!("view {}", self.views.len() + 1);
        let view = self.declare(name, Kind::View, &columns, in_diagrams);
        self.views.push((formula.clone(), view));
        if let Formula::Cofactor(function, care) = formula {
            let parts = [function, care].map(|part| {
                let name = format!("{} part", self.relations[view].name);
                let part_view = self.declare(name, Kind::View, &columns, in_diagrams);
                self.fill(part_view, part);
                part_view
            });
            self.relations[view].kind = Kind::Cofactor(parts[0], parts[1]);
        } else {
            self.fill(view, formula);
        }
        (view, columns)
    }

    fn max_clauses(&self) -> usize {
        match self.control {
            // A view lists all its keys, clauses only those that they meet.
            Control::Explicit => 1 << 16,
            Control::Symbolic => 32,
        }
    }

    fn most_clauses(&self) -> usize {
        self.most
    }

    fn is_recursive(&self, formula: &Formula) -> bool {
        let mut found = false;
        formula.visit(&mut |part| {
            if let Formula::Apply(relation, _) = part {
                found |= matches!(self.relations[relation.0 as usize].kind, Kind::Fixpoint(_));
            }
        });
        found
    }
}

/// Variables that a formula does not bind, in order of occurrence.
fn free_variables(formula: &Formula) -> Vec<VariableId> {
    let (mut bound, mut used) = (Vec::new(), Vec::new());
    let mut term = |term: &Term| match term {
        Term::Variable(variable) | Term::Offset(variable, _) => used.push(*variable),
        Term::Value(..) => {}
    };
    formula.visit(&mut |part| match part {
        Formula::Apply(_, args) => args.iter().for_each(&mut term),
        Formula::Equal(a, b) | Formula::Less(a, b) => [a, b].into_iter().for_each(&mut term),
        Formula::Exists(variables, _) | Formula::Forall(variables, _) => bound.extend(variables.iter().copied()),
        _ => {}
    });
    // A variable is bound at most once, so it is either bound or free everywhere.
    let mut free: Vec<VariableId> = Vec::new();
    for variable in used {
        if !bound.contains(&variable) && !free.contains(&variable) {
            free.push(variable);
        }
    }
    free
}
