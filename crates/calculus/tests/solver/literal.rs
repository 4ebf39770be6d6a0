//! The paper's `Evaluate`, to the letter: relations are sets of tuples of numbers, nothing is remembered.
//!
//! Shares nothing with the solver but the system that it is given.

use std::collections::{BTreeMap, BTreeSet};

use calculus::{
    Domain, Fixpoint, Formula, RelationId, RelationKind, Signature, SortId, SortKind, System, Term, VariableId,
};

pub(crate) type Tuples = BTreeSet<Vec<u64>>;
type Values = BTreeMap<VariableId, u64>;

/// Why there is no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The values of a relation, round by round; the last one was there before.
    Oscillates(RelationId, Vec<Tuples>),
    /// This takes too long for a test.
    TooLong,
}

pub(crate) struct Literal<'a> {
    pub(crate) system: &'a System,
    pub(crate) signature: &'a Signature,
    pub(crate) inputs: &'a [Tuples],
    pub(crate) work: u64,
}

impl Literal<'_> {
    pub(crate) fn size(&self, sort: SortId) -> u64 {
        match &self.system.sorts[sort].kind {
            SortKind::Bool => 2,
            SortKind::Enum(names) => names.len() as u64,
            SortKind::Range(low, high) => high - low + 1,
            SortKind::Model(at) => match &self.signature.sorts[*at].domain {
                Domain::Listed(names) => names.len() as u64,
                Domain::Counted(n) => *n as u64,
                Domain::Bits(width) => 1 << width,
            },
        }
    }

    /// All tuples of values for some variables.
    pub(crate) fn all(&self, variables: &[VariableId]) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        for variable in variables {
            let size = self.size(self.system.variables[*variable].sort);
            all = all.into_iter().flat_map(|t| (0..size).map(move |v| [t.clone(), vec![v]].concat())).collect();
        }
        all
    }

    /// Evaluate (R, Eq), where the relations in `fixed` have been replaced by their values.
    pub(crate) fn evaluate(
        &mut self,
        relation: RelationId,
        fixed: &BTreeMap<RelationId, Tuples>,
    ) -> Result<Tuples, Trouble> {
        let declared = &self.system.relations[relation];
        let RelationKind::Fixpoint(fixpoint, body) = &declared.kind else { panic!("an equation") };
        let all = self.all(&declared.columns);
        let mut rounds = vec![match fixpoint {
            Fixpoint::Least => Tuples::new(),
            Fixpoint::Greatest => all.iter().cloned().collect(),
        }];
        loop {
            let last = rounds.last().cloned().unwrap_or_default();
            let mut inner = fixed.clone();
            inner.insert(relation, last.clone());
            let values = self.relations_of(body, &inner)?;
            let next = self.solutions(&declared.columns, body, &values)?;
            if next == last {
                return Ok(next);
            }
            let returned = rounds.contains(&next);
            rounds.push(next);
            if returned {
                return Err(Trouble::Oscillates(relation, rounds));
            }
        }
    }

    /// The values of all equations that a formula mentions, each evaluated afresh.
    pub(crate) fn relations_of(
        &mut self,
        body: &Formula,
        fixed: &BTreeMap<RelationId, Tuples>,
    ) -> Result<BTreeMap<RelationId, Tuples>, Trouble> {
        let mut mentioned = BTreeSet::new();
        self.mentioned(body, &mut mentioned);
        let mut values = fixed.clone();
        for other in mentioned {
            if !fixed.contains_key(&other) {
                values.insert(other, self.evaluate(other, fixed)?);
            }
        }
        Ok(values)
    }

    fn mentioned(&self, formula: &Formula, found: &mut BTreeSet<RelationId>) {
        formula.visit(&mut |part| {
            if let Formula::Apply(relation, _) = part {
                match &self.system.relations[*relation].kind {
                    RelationKind::Input(_) => {}
                    RelationKind::Define(body) => self.mentioned(body, found),
                    RelationKind::Fixpoint(..) => drop(found.insert(*relation)),
                }
            }
        });
    }

    pub(crate) fn solutions(
        &mut self,
        columns: &[VariableId],
        body: &Formula,
        relations: &BTreeMap<RelationId, Tuples>,
    ) -> Result<Tuples, Trouble> {
        let mut found = Tuples::new();
        for tuple in self.all(columns) {
            let mut values: Values = columns.iter().copied().zip(tuple.iter().copied()).collect();
            if self.holds(body, &mut values, relations)? {
                found.insert(tuple);
            }
        }
        Ok(found)
    }

    fn holds(
        &mut self,
        formula: &Formula,
        values: &mut Values,
        relations: &BTreeMap<RelationId, Tuples>,
    ) -> Result<bool, Trouble> {
        self.work = self.work.checked_sub(1).ok_or(Trouble::TooLong)?;
        Ok(match formula {
            Formula::Const(value) => *value,
            Formula::Apply(relation, args) => {
                let args: Option<Vec<u64>> = args.iter().map(|arg| self.term(*arg, values)).collect();
                let Some(args) = args else { return Ok(false) };
                let declared = &self.system.relations[*relation];
                match &declared.kind {
                    RelationKind::Input(input) => self.inputs[*input].contains(&args),
                    RelationKind::Fixpoint(..) => relations[relation].contains(&args),
                    RelationKind::Define(body) => {
                        let mut inner = declared.columns.iter().copied().zip(args).collect();
                        self.holds(body, &mut inner, relations)?
                    }
                }
            }
            Formula::Equal(a, b) => {
                let (a, b) = (self.term(*a, values), self.term(*b, values));
                a.is_some() && a == b
            }
            Formula::Less(a, b) => match (self.term(*a, values), self.term(*b, values)) {
                (Some(a), Some(b)) => a < b,
                _ => false,
            },
            Formula::Not(inner) => !self.holds(inner, values, relations)?,
            Formula::And(parts) => {
                for part in parts {
                    if !self.holds(part, values, relations)? {
                        return Ok(false);
                    }
                }
                true
            }
            Formula::Or(parts) => {
                for part in parts {
                    if self.holds(part, values, relations)? {
                        return Ok(true);
                    }
                }
                false
            }
            Formula::Iff(a, b) => self.holds(a, values, relations)? == self.holds(b, values, relations)?,
            Formula::Exists(bound, body) => self.some(bound, body, true, values, relations)?,
            Formula::Forall(bound, body) => !self.some(bound, body, false, values, relations)?,
            Formula::Cofactor(..) => panic!("not generated: its value is open outside of the care set"),
        })
    }

    /// Is there a tuple of values for which the formula is as wished?
    fn some(
        &mut self,
        bound: &[VariableId],
        body: &Formula,
        wished: bool,
        values: &mut Values,
        relations: &BTreeMap<RelationId, Tuples>,
    ) -> Result<bool, Trouble> {
        for tuple in self.all(bound) {
            values.extend(bound.iter().copied().zip(tuple));
            if self.holds(body, values, relations)? == wished {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn term(&self, term: Term, values: &Values) -> Option<u64> {
        let in_sort = |sort: SortId, value: u64| Some(value).filter(|value| *value < self.size(sort));
        match term {
            Term::Variable(variable) => Some(values[&variable]),
            Term::Value(sort, value) => in_sort(sort, value),
            Term::Offset(variable, offset) => {
                in_sort(self.system.variables[variable].sort, values[&variable].checked_add_signed(offset)?)
            }
        }
    }
}
