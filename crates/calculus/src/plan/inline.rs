//! Abbreviations replaced by what they stand for.
//!
//! Every copy of a body gets bound variables of its own, so that a variable is bound at most once in what results.

use base::{Id, IdVec};
use rustc_hash::FxHashMap;

use super::SortPlan;
use crate::system::{Formula, RelationId, RelationKind, SortId, System, Term, Variable, VariableId};

type Substitution = FxHashMap<VariableId, Term>;

/// Longest abbreviation, with those in it replaced, that is put in its place: abbreviations that use others several times
/// are soon longer than anything that can be written.
const MAX_REPLACED: usize = 1 << 13;

/// How long abbreviations become when those in them are replaced.
struct Lengths<'s> {
    system: &'s System,
    longest: usize,
    known: IdVec<RelationId, Option<usize>>,
}

impl Lengths<'_> {
    /// In connectives and atoms; 0 for a relation that stays.
    fn of(&mut self, relation: RelationId) -> usize {
        let RelationKind::Define(body) = &self.system.relations[relation].kind else { return 0 };
        if let Some(known) = self.known[relation] {
            return known;
        }
        let (mut own, mut used) = (0usize, Vec::new());
        body.visit(&mut |part| {
            own += 1;
            if let Formula::Apply(relation, _) = part {
                used.push(*relation);
            }
        });
        let length = used.into_iter().fold(own, |length, used| length.saturating_add(self.of(used)));
        let length = if own > self.longest || length > MAX_REPLACED { 0 } else { length };
        self.known[relation] = Some(length);
        length
    }
}

/// Replaces abbreviations, making new variables as it goes.
pub(crate) struct Inliner<'s> {
    system: &'s System,
    sorts: &'s IdVec<SortId, SortPlan>,
    /// By relation: an abbreviation that stays what it is.
    kept: IdVec<RelationId, bool>,
    pub(crate) variables: IdVec<VariableId, Variable>,
}

impl<'s> Inliner<'s> {
    /// Abbreviations that are longer than `longest` themselves stay what they are.
    pub(crate) fn new(system: &'s System, sorts: &'s IdVec<SortId, SortPlan>, longest: usize) -> Self {
        let mut lengths = Lengths { system, longest, known: system.relations.iter().map(|_| None).collect() };
        let kept = system.relations.ids().map(|relation| lengths.of(relation) == 0).collect();
        Self { system, sorts, kept, variables: system.variables.clone() }
    }

    /// Does an abbreviation stay, as a relation of its own?
    pub(crate) fn keeps(&self, relation: RelationId) -> bool {
        self.kept[relation]
    }

    /// The formula without abbreviations.
    pub(crate) fn inline(&mut self, formula: &Formula) -> Formula {
        self.rewrite(formula, &Substitution::default())
    }

    fn rewrite(&mut self, formula: &Formula, map: &Substitution) -> Formula {
        match formula {
            Formula::Const(value) => Formula::Const(*value),
            Formula::Apply(relation, args) => self.apply(*relation, args, map),
            Formula::Equal(a, b) => self.atom(&[*a, *b], map, |terms| Formula::Equal(terms[0], terms[1])),
            Formula::Less(a, b) => self.atom(&[*a, *b], map, |terms| Formula::Less(terms[0], terms[1])),
            Formula::Not(inner) => Formula::Not(Box::new(self.rewrite(inner, map))),
            Formula::And(parts) => Formula::And(parts.iter().map(|part| self.rewrite(part, map)).collect()),
            Formula::Or(parts) => Formula::Or(parts.iter().map(|part| self.rewrite(part, map)).collect()),
            Formula::Iff(a, b) => Formula::Iff(Box::new(self.rewrite(a, map)), Box::new(self.rewrite(b, map))),
            Formula::Cofactor(a, b) => {
                Formula::Cofactor(Box::new(self.rewrite(a, map)), Box::new(self.rewrite(b, map)))
            }
            Formula::Exists(bound, body) => {
                let (bound, body) = self.quantified(bound, body, map);
                Formula::Exists(bound, Box::new(body))
            }
            Formula::Forall(bound, body) => {
                let (bound, body) = self.quantified(bound, body, map);
                Formula::Forall(bound, Box::new(body))
            }
        }
    }

    fn quantified(&mut self, bound: &[VariableId], body: &Formula, map: &Substitution) -> (Vec<VariableId>, Formula) {
        let mut map = map.clone();
        let fresh: Vec<VariableId> = bound.iter().map(|id| self.copy(*id)).collect();
        map.extend(bound.iter().zip(&fresh).map(|(old, new)| (*old, Term::Variable(*new))));
        let body = self.rewrite(body, &map);
        (fresh, body)
    }

    fn copy(&mut self, id: VariableId) -> VariableId {
        let variable = self.variables[id].clone();
        self.fresh(variable)
    }

    fn fresh(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId::from_index(self.variables.len() - 1)
    }

    fn apply(&mut self, relation: RelationId, args: &[Term], map: &Substitution) -> Formula {
        let declared = &self.system.relations[relation];
        let body = match &declared.kind {
            RelationKind::Define(body) if !self.keeps(relation) => body,
            _ => return self.atom(args, map, |terms| Formula::Apply(relation, terms.to_vec())),
        };
        // An offset is named first, so that only variables and values are put in the place of parameters.
        self.atom_with(args, map, |inliner, terms| {
            let inner: Substitution = declared.columns.iter().copied().zip(terms.iter().copied()).collect();
            inliner.rewrite(body, &inner)
        })
    }

    fn atom(&mut self, terms: &[Term], map: &Substitution, build: impl FnOnce(&[Term]) -> Formula) -> Formula {
        let comparison = terms.iter().map(|term| self.substitute(*term, map)).collect::<Option<Vec<Term>>>();
        match comparison {
            Some(terms) => build(&terms),
            None => Formula::Const(false),
        }
    }

    /// Like `atom`, with every offset replaced by a new variable that is equal to it.
    fn atom_with(
        &mut self,
        terms: &[Term],
        map: &Substitution,
        build: impl FnOnce(&mut Self, &[Term]) -> Formula,
    ) -> Formula {
        let (mut bound, mut parts, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        for term in terms {
            match self.substitute(*term, map) {
                None => return Formula::Const(false),
                Some(Term::Offset(variable, offset)) => {
                    let fresh = self.copy(variable);
                    bound.push(fresh);
                    parts.push(Formula::Equal(Term::Variable(fresh), Term::Offset(variable, offset)));
                    plain.push(Term::Variable(fresh));
                }
                Some(term) => plain.push(term),
            }
        }
        let body = build(self, &plain);
        if bound.is_empty() {
            return body;
        }
        parts.push(body);
        Formula::Exists(bound, Box::new(Formula::And(parts)))
    }

    /// None: the term has no value.
    fn substitute(&self, term: Term, map: &Substitution) -> Option<Term> {
        let term = match term {
            Term::Value(..) => term,
            Term::Variable(id) => map.get(&id).copied().unwrap_or(term),
            Term::Offset(id, offset) => match map.get(&id) {
                None => term,
                Some(Term::Variable(new)) => Term::Offset(*new, offset),
                Some(Term::Offset(new, more)) => Term::Offset(*new, offset + more),
                Some(Term::Value(sort, value)) => Term::Value(*sort, value.checked_add_signed(offset)?),
            },
        };
        let exists = |sort: SortId, value: u64| self.sorts[sort].size.is_none_or(|size| value < size);
        Some(term).filter(|term| !matches!(*term, Term::Value(sort, value) if !exists(sort, value)))
    }
}
