//! Tables of all relations and the diagrams behind them: what every way of solving works on.

use std::cell::RefCell;
use std::rc::Rc;

use bdd::{Bdd, Manager, Stop, Var};
use rustc_hash::FxHashMap;

use super::pattern::{PatternId, Patterns, Value, Weakening, common, weaken};
use super::recipe::{Recipe, Step};
use super::space::Space;
use super::table::{Addition, Key, Reason, Table};
use crate::model::{Cell, Model, Row};
use crate::plan::clause::Planned;
use crate::plan::{FamilyId, Kind, Plan, PlannedRelation};

/// How two values of different patterns become one.
#[derive(Debug)]
struct Merge {
    pattern: PatternId,
    left: Weakening,
    right: Weakening,
}

/// All relations' values.
pub(crate) struct Store<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) manager: Manager,
    pub(crate) space: Space,
    pub(crate) patterns: Patterns,
    pub(crate) tables: Vec<Table>,
    /// The variables of every relation's bits.
    pub(crate) stored: Vec<Rc<[Var]>>,
    /// By relation: the pattern of all its values, if they have no other.
    open: Vec<Option<PatternId>>,
    merges: FxHashMap<(Planned, PatternId, PatternId), Rc<Merge>>,
    /// How values lose their patterns.
    openings: RefCell<FxHashMap<(Planned, PatternId), Rc<Weakening>>>,
    /// Counts additions; what was found with the help of something has a later stamp than that.
    pub(crate) stamp: u64,
    /// Keep what was added when.
    pub(crate) keep_history: bool,
}

impl<'a> Store<'a> {
    /// Lays out the variables and reads the inputs.
    pub(crate) fn new(plan: &'a Plan, model: &mut dyn Model, manager: Manager, history: bool) -> Result<Self, Stop> {
        let space = Space::new(plan, model, &manager);
        let stored = |relation: Planned| -> Rc<[Var]> {
            let columns = plan.relations[relation].columns.iter().enumerate().filter(|(_, column)| !column.is_key);
            columns.flat_map(|(at, _)| space.stored(plan, relation, at)).collect()
        };
        let stored = (0..plan.relations.len()).map(stored).collect();
        let mut store = Self {
            plan,
            manager,
            space,
            patterns: Patterns::default(),
            tables: vec![Table::default(); plan.relations.len()],
            stored,
            open: vec![None; plan.relations.len()],
            merges: FxHashMap::default(),
            openings: RefCell::default(),
            stamp: 0,
            keep_history: history,
        };
        for relation in (0..plan.relations.len()).filter(|relation| is_open(plan, *relation)) {
            store.open[relation] = Some(store.open_pattern(relation));
        }
        for (relation, planned) in plan.relations.iter().enumerate() {
            if let Kind::Input(input) = planned.kind {
                store.read(relation, input, model)?;
            }
        }
        Ok(store)
    }

    fn read(&mut self, relation: Planned, input: usize, model: &dyn Model) -> Result<(), Stop> {
        let columns = &self.plan.relations[relation].columns;
        let is_bits = |sort| self.plan.sorts[sort].size.is_none() || self.plan.sorts[sort].model.is_none();
        let vars: Vec<Vec<Var>> = (columns.iter().enumerate())
            .map(|(at, c)| if is_bits(c.sort) { self.space.stored(self.plan, relation, at) } else { Vec::new() })
            .collect();
        let columns: Vec<(bool, bool, usize)> =
            columns.iter().map(|c| (is_bits(c.sort), c.is_key, self.plan.sorts[c.sort].width)).collect();
        let all_keys = columns.iter().all(|(is_bits, is_key, _)| *is_bits || *is_key);
        // Rows that say the same about their bits share the list; it is kept, so that no other has its address.
        let mut lists: FxHashMap<*const Cell, (Rc<[Cell]>, PatternId)> = FxHashMap::default();
        model.rows(input, &vars, &mut |row: Row| {
            if let Some((_, pattern)) = lists.get(&row.cells.as_ptr()) {
                let value = Value { pattern: *pattern, diagram: row.diagram };
                return self.insert(relation, &Key::from_slice(&row.key), &value, None).map(drop);
            }
            let (mut key, mut cells) = (Key::new(), Vec::new());
            let (mut listed, mut bits) = (row.key.iter(), row.cells.iter().copied());
            for (is_bits, is_key, width) in &columns {
                if *is_bits {
                    cells.extend(bits.by_ref().take(*width));
                } else if let Some(value) = listed.next() {
                    if *is_key {
                        key.push(*value);
                    } else {
                        cells.extend((0..*width).map(|bit| Cell::constant(value >> bit & 1 == 1)));
                    }
                }
            }
            let pattern = self.patterns.intern(cells);
            if all_keys && !row.cells.is_empty() {
                lists.insert(row.cells.as_ptr(), (row.cells, pattern));
            }
            self.insert(relation, &key, &Value { pattern, diagram: row.diagram }, None).map(drop)
        })
    }

    /// Adds a value; what is new about it, if anything is.
    pub(crate) fn insert(
        &mut self,
        relation: Planned,
        key: &Key,
        value: &Value,
        reason: Option<Reason>,
    ) -> Result<Option<(usize, Value)>, Stop> {
        if value.diagram.is_false() {
            return Ok(None);
        }
        let opened = self.opened(relation, value)?;
        let value = opened.as_ref().unwrap_or(value);
        let found = self.tables[relation].find(key);
        let (entry, new) = match found {
            None => (self.tables[relation].push(Key::from_slice(key), value.clone()), value.clone()),
            Some(entry) => match self.extend(relation, entry, value)? {
                Some(new) => (entry, new),
                None => return Ok(None),
            },
        };
        self.stamp += 1;
        // Inputs are there from the start.
        if self.keep_history && !matches!(self.plan.relations[relation].kind, Kind::Input(_)) {
            self.tables[relation].note(entry, Addition { stamp: self.stamp, value: new.clone(), reason });
        }
        Ok(Some((entry, new)))
    }

    /// The value without its pattern, where the relation keeps no patterns; none: it is as the relation keeps it.
    fn opened(&self, relation: Planned, value: &Value) -> Result<Option<Value>, Stop> {
        match self.open[relation] {
            Some(pattern) if pattern != value.pattern => {
                Ok(Some(Value { pattern, diagram: self.whole(relation, value)? }))
            }
            _ => Ok(None),
        }
    }

    fn extend(&mut self, relation: Planned, entry: usize, value: &Value) -> Result<Option<Value>, Stop> {
        let known = &self.tables[relation].entries[entry].value;
        if known.pattern == value.pattern {
            if known.diagram == value.diagram {
                return Ok(None);
            }
            let new = value.diagram.diff(&known.diagram)?;
            if new.is_false() {
                return Ok(None);
            }
            let diagram = known.diagram.or(&new)?;
            self.tables[relation].entries[entry].value.diagram = diagram;
            return Ok(Some(Value { pattern: value.pattern, diagram: new }));
        }
        let known = known.clone();
        let merge = self.merge(relation, known.pattern, value.pattern)?;
        let old = merge.left.apply(&known.diagram)?;
        let more = merge.right.apply(&value.diagram)?;
        let new = more.diff(&old)?;
        if new.is_false() {
            return Ok(None);
        }
        let merged = Value { pattern: merge.pattern, diagram: old.or(&new)? };
        self.tables[relation].entries[entry].value = merged;
        // In the pattern of the whole, so that few patterns meet each other.
        Ok(Some(Value { pattern: merge.pattern, diagram: new }))
    }

    /// Makes the indices that a recipe's atoms are looked up by.
    pub(crate) fn make_indices(&mut self, recipe: &Recipe) {
        let clause = &self.plan.relations[recipe.relation].clauses[recipe.clause];
        for step in &recipe.steps {
            if let Step::Join(lookup) = step {
                let relation = clause.atoms[lookup.atom].relation;
                let n_keys = self.plan.relations[relation].keys().count();
                self.tables[relation].make_index(&lookup.columns, n_keys);
            }
        }
    }

    /// The union of two values of one key.
    pub(crate) fn unite(&mut self, relation: Planned, a: &Value, b: &Value) -> Result<Value, Stop> {
        if a.pattern == b.pattern {
            return Ok(Value { pattern: a.pattern, diagram: a.diagram.or(&b.diagram)? });
        }
        let merge = self.merge(relation, a.pattern, b.pattern)?;
        let diagram = merge.left.apply(&a.diagram)?.or(&merge.right.apply(&b.diagram)?)?;
        Ok(Value { pattern: merge.pattern, diagram })
    }

    fn merge(&mut self, relation: Planned, left: PatternId, right: PatternId) -> Result<Rc<Merge>, Stop> {
        if let Some(merge) = self.merges.get(&(relation, left, right)) {
            return Ok(Rc::clone(merge));
        }
        let (a, b) = (self.patterns.cells(left), self.patterns.cells(right));
        let cells = common(&a, &b, &self.stored[relation]);
        let merge = Rc::new(Merge {
            left: weaken(&self.manager, &a, &cells)?,
            right: weaken(&self.manager, &b, &cells)?,
            pattern: self.patterns.intern(cells),
        });
        self.merges.insert((relation, left, right), Rc::clone(&merge));
        Ok(merge)
    }

    /// The diagram of a value over all bits of its relation, nothing left to a pattern.
    pub(crate) fn whole(&self, relation: Planned, value: &Value) -> Result<Bdd, Stop> {
        self.opening(relation, value.pattern)?.apply(&value.diagram)
    }

    fn opening(&self, relation: Planned, pattern: PatternId) -> Result<Rc<Weakening>, Stop> {
        if let Some(opening) = self.openings.borrow().get(&(relation, pattern)) {
            return Ok(Rc::clone(opening));
        }
        let open: Vec<Cell> = self.stored[relation].iter().map(|var| Cell::variable(*var)).collect();
        let opening = Rc::new(weaken(&self.manager, &self.patterns.cells(pattern), &open)?);
        self.openings.borrow_mut().insert((relation, pattern), Rc::clone(&opening));
        Ok(opening)
    }

    /// The pattern in which every bit is its own.
    pub(crate) fn open_pattern(&mut self, relation: Planned) -> PatternId {
        let cells = self.space.open_pattern(self.plan, relation);
        self.patterns.intern(cells)
    }

    /// Are two tables the same relation?
    pub(crate) fn same(&self, relation: Planned, a: &Table, b: &Table) -> Result<bool, Stop> {
        if a.entries.len() != b.entries.len() {
            return Ok(false);
        }
        for entry in &a.entries {
            let Some(other) = b.find(&entry.key) else { return Ok(false) };
            let other = &b.entries[other].value;
            let equal = if entry.value.pattern == other.pattern {
                entry.value.diagram == other.diagram
            } else {
                self.whole(relation, &entry.value)? == self.whole(relation, other)?
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether the values of a relation are kept without patterns.
///
/// A pattern saves the diagram of an equality, at the price that sets with different patterns share no nodes. That is a
/// good bargain for pairs of states, where equalities are most of what there is to say. An equation that also records
/// the shared variables at every switch says much that is the same whatever a single step has left alone: there, sets
/// without patterns are half as large, and several times faster to work with.
fn is_open(plan: &Plan, relation: Planned) -> bool {
    let PlannedRelation { kind, columns, .. } = &plan.relations[relation];
    let of_family = |family: FamilyId| columns.iter().filter(|column| column.family == family).count();
    let records = |family: FamilyId| plan.is_supplied(plan.families[family].sort) && of_family(family) > 2;
    matches!(kind, Kind::Fixpoint(_)) && (0..plan.families.len()).any(records)
}
