//! Small random models: two listed sorts, two sorts of bits, inputs over all of them.

use std::collections::BTreeMap;

use base::Source;
use bdd::{Manager, Stop, Var};
use calculus::{Cell, Domain, Input, Model, ModelSort, Row, Signature, System, fp};

use crate::dice::Dice;
use crate::literal::Tuples;

pub(crate) struct Small {
    pub(crate) signature: Signature,
    pub(crate) inputs: Vec<Tuples>,
    /// Whether rows say by their cells what is constant and what is equal.
    pub(crate) uses_cells: bool,
    manager: Option<Manager>,
}

/// Columns of the inputs: positions of sorts, none for truth values.
const COLUMNS: [&[Option<usize>]; 7] = [
    &[Some(0)],
    &[Some(0), Some(0)],
    &[Some(1)],
    &[Some(0), Some(1), Some(1)],
    &[None, Some(1)],
    &[Some(2), Some(0), Some(3)],
    &[Some(3), Some(1)],
];

impl Small {
    pub(crate) fn new(dice: &mut Dice) -> Self {
        let sort = |name: &str, domain| ModelSort { name: name.to_owned(), domain };
        let listed = |n: usize| Domain::Listed((0..n).map(|at| format!("v{at}")).collect());
        let sorts = vec![
            sort("Place", listed(3)),
            sort("Word", Domain::Bits(2)),
            sort("Thread", listed(if dice.once_in(8) { dice.below(2) } else { 2 })),
            sort("Bit", Domain::Bits(dice.below(2))),
        ];
        let name = |at: usize| format!("I{at}");
        let input = |at: usize| Input { name: name(at), declaration: name(at), columns: COLUMNS[at].to_vec() };
        let signature = Signature { sorts, inputs: (0..COLUMNS.len()).map(input).collect() };
        let mut small = Self { signature, inputs: Vec::new(), uses_cells: dice.once_in(2), manager: None };
        small.inputs = COLUMNS.iter().map(|columns| small.tuples(columns, dice)).collect();
        small
    }

    /// A file that speaks of this model.
    pub(crate) fn system(&self, text: &str, parameters: &[(&str, u64)]) -> System {
        let (tree, diagnostics) = fp::parse(&Source::new("test.fp", text));
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        match tree.map(|tree| fp::resolve(&tree, &self.signature, &parameters)) {
            Some(Ok((system, _))) if !diagnostics.has_errors() => system,
            other => panic!("{diagnostics:?} {other:?}"),
        }
    }

    fn size(&self, column: Option<usize>) -> u64 {
        column.map_or(2, |sort| match &self.signature.sorts[sort].domain {
            Domain::Listed(names) => names.len() as u64,
            Domain::Counted(n) => *n as u64,
            Domain::Bits(width) => 1 << width,
        })
    }

    fn width(&self, column: Option<usize>) -> Option<usize> {
        column.map_or(Some(1), |sort| match self.signature.sorts[sort].domain {
            Domain::Listed(_) | Domain::Counted(_) => None,
            Domain::Bits(width) => Some(width),
        })
    }

    fn tuples(&self, columns: &[Option<usize>], dice: &mut Dice) -> Tuples {
        let mut all = vec![Vec::new()];
        for column in columns {
            let size = self.size(*column);
            all = all.into_iter().flat_map(|t| (0..size).map(move |v| [t.clone(), vec![v]].concat())).collect();
        }
        let rare = 2 + dice.below(3);
        all.into_iter().filter(|_| dice.once_in(rare)).collect()
    }

    /// One row: the tuples of a key, over the given variables.
    fn row(&self, key: Vec<u32>, tuples: &[Vec<bool>], columns: &[Vec<Var>], manager: &Manager) -> Result<Row, Stop> {
        let vars: Vec<Var> = columns.iter().flatten().copied().collect();
        let mut cells: Vec<Cell> = vars.iter().map(|var| Cell::variable(*var)).collect();
        let mut is_own = vec![true; vars.len()];
        for at in 0..if self.uses_cells { vars.len() } else { 0 } {
            let equals = |other: &usize| tuples.iter().all(|bits| bits[*other] == bits[at]);
            if tuples.iter().all(|bits| bits[at] == tuples[0][at]) {
                (cells[at], is_own[at]) = (Cell::constant(tuples[0][at]), false);
            } else if let Some(other) = (0..at).filter(|other| is_own[*other]).find(equals) {
                (cells[at], is_own[at]) = (cells[other], false);
            }
        }
        let mut diagram = manager.bdd_false();
        for bits in tuples {
            let own = (0..vars.len()).filter(|at| is_own[*at]).map(|at| (vars[at], bits[at]));
            diagram = diagram.or(&manager.conjunction(&own.collect::<Vec<_>>())?)?;
        }
        Ok(Row { key, cells: cells.into(), diagram })
    }
}

impl Model for Small {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn allocate(&mut self, manager: &Manager, n_copies: usize) -> Vec<Vec<Vec<Var>>> {
        self.manager = Some(manager.clone());
        let sort = |sort: &ModelSort| match sort.domain {
            Domain::Listed(_) | Domain::Counted(_) => Vec::new(),
            Domain::Bits(width) => (0..width).map(|_| manager.add_vars(n_copies)).collect(),
        };
        self.signature.sorts.iter().map(sort).collect()
    }

    fn rank(&self, _sort: usize, value: u32) -> u32 {
        value
    }

    fn rows(
        &self,
        input: usize,
        columns: &[Vec<Var>],
        take: &mut dyn FnMut(Row) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some(manager) = &self.manager else { panic!("variables are made before rows are asked for") };
        let mut rows: BTreeMap<Vec<u32>, Vec<Vec<bool>>> = BTreeMap::new();
        for tuple in &self.inputs[input] {
            let (mut key, mut bits) = (Vec::new(), Vec::new());
            for (column, value) in COLUMNS[input].iter().zip(tuple) {
                match self.width(*column) {
                    None => key.push(*value as u32),
                    Some(width) => bits.extend((0..width).map(|bit| value >> bit & 1 == 1)),
                }
            }
            rows.entry(key).or_default().push(bits);
        }
        rows.into_iter().try_for_each(|(key, tuples)| take(self.row(key, &tuples, columns, manager)?))
    }
}
