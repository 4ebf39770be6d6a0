//! The general simplex method for bounds on linear forms (Dutertre and de Moura, CAV 2006), without rationals.
//!
//! A column is a variable, or the name of a linear form. The columns are divided into basic and non-basic ones. Each
//! basic column has a row: `den * basic = sum of cells * non-basic`, with integers. Bounds are integers, and a non-basic
//! column lies at a bound or at an integer within its bounds; so only basic columns have values that are not integers,
//! and these are kept as numerators over `den`.
//!
//! Invariant: every non-basic column is within its bounds. [`Tableau::check`] moves basic columns into theirs by
//! pivoting. Where a row shows that this is impossible, the row is the proof: the bounds that block it, multiplied by
//! the cells of the row, add up to an absurdity.

use base::{Budget, StopReason};

use super::derivation::Reason;
use crate::Int;

/// Which bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Lower,
    Upper,
}

impl Side {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// True if a value is beyond a bound on this side.
    fn is_beyond(self, value: &Int, bound: &Int) -> bool {
        match self {
            Self::Lower => value < bound,
            Self::Upper => value > bound,
        }
    }
}

/// A bound and the constraint that says so: `column - value <= 0`, or `value - column <= 0` for a lower bound.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Int,
    pub(crate) reason: Reason,
}

/// Bounds that exclude each other, with their multiples.
pub(crate) type Conflict = Vec<(Reason, Int)>;

#[derive(Default, Debug)]
struct Row {
    basic: u32,
    /// Positive.
    den: Int,
    /// By column; no zeros.
    cells: Vec<(u32, Int)>,
    /// The value of the basic column, times `den`.
    value: Int,
}

#[derive(Default)]
pub(crate) struct Tableau {
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// Bounds that were replaced, the last one last.
    trail: Vec<(u32, Side, Option<Bound>)>,
    /// Room for a row that is being built.
    scratch: Vec<(u32, Int)>,
}

#[derive(Default)]
struct Column {
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// Of a non-basic column.
    value: Int,
    /// Of a basic column.
    row: Option<u32>,
}

impl Column {
    fn bound(&self, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.lower.as_ref(),
            Side::Upper => self.upper.as_ref(),
        }
    }

    fn is_free(&self) -> bool {
        self.lower.is_none() && self.upper.is_none()
    }

    /// True if the value of a non-basic column may move away from the bound on the opposite side.
    fn may_move(&self, towards: Side) -> bool {
        self.bound(towards).is_none_or(|bound| self.value != bound.value)
    }
}

impl Tableau {
    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// A new variable.
    pub(crate) fn add_variable(&mut self) -> u32 {
        self.columns.push(Column::default());
        (self.columns.len() - 1) as u32
    }

    /// A name for a linear form over columns that exist.
    pub(crate) fn add_form(&mut self, terms: &[(u32, Int)]) -> u32 {
        let basic = self.add_variable();
        let mut row = Row { basic, den: Int::ONE, cells: Vec::with_capacity(terms.len()), value: Int::ZERO };
        for (column, factor) in terms {
            match self.columns[*column as usize].row {
                None => {
                    let factor = factor * &row.den;
                    self.add_to(&mut row, &Int::ONE, &factor, &[(*column, Int::ONE)]);
                }
                Some(place) => {
                    // The column is cells / den, so the row is scaled by den first.
                    let other = std::mem::take(&mut self.rows[place as usize]);
                    let gcd = factor.gcd(&other.den);
                    let scale = other.den.div_floor(&gcd);
                    let factor = &factor.div_floor(&gcd) * &row.den;
                    row.den = &row.den * &scale;
                    self.add_to(&mut row, &scale, &factor, &other.cells);
                    row.reduce();
                    self.rows[place as usize] = other;
                }
            }
        }
        row.value = self.evaluate(&row);
        self.columns[basic as usize].row = Some(self.rows.len() as u32);
        self.rows.push(row);
        basic
    }

    /// `row.cells := scale * row.cells + factor * cells`.
    fn add_to(&mut self, row: &mut Row, scale: &Int, factor: &Int, cells: &[(u32, Int)]) {
        merge(&mut self.scratch, &row.cells, scale, cells, factor);
        std::mem::swap(&mut self.scratch, &mut row.cells);
    }

    fn evaluate(&self, row: &Row) -> Int {
        let mut value = Int::ZERO;
        for (column, factor) in &row.cells {
            value.add_product(factor, &self.columns[*column as usize].value);
        }
        value
    }

    /// The bound of a column.
    pub(crate) fn bound(&self, column: u32, side: Side) -> Option<&Bound> {
        self.columns[column as usize].bound(side)
    }

    /// How many bounds were set; for [`Self::undo_to`].
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all bounds set since a mark. Values stay: they satisfy what is left.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        for (column, side, old) in self.trail.drain(mark..).rev() {
            let column = &mut self.columns[column as usize];
            match side {
                Side::Lower => column.lower = old,
                Side::Upper => column.upper = old,
            }
        }
    }

    /// Sets a bound. A weaker one than is known changes nothing.
    pub(crate) fn set_bound(&mut self, index: u32, side: Side, bound: Bound) -> Result<(), Conflict> {
        let column = &mut self.columns[index as usize];
        if column.bound(side).is_some_and(|old| !side.is_beyond(&old.value, &bound.value)) {
            return Ok(());
        }
        if let Some(other) = column.bound(side.opposite())
            && side.is_beyond(&other.value, &bound.value)
        {
            return Err(vec![(bound.reason, Int::ONE), (other.reason.clone(), Int::ONE)]);
        }
        let moved = (column.row.is_none() && side.is_beyond(&column.value, &bound.value)).then(|| bound.value.clone());
        let slot = match side {
            Side::Lower => &mut column.lower,
            Side::Upper => &mut column.upper,
        };
        self.trail.push((index, side, slot.replace(bound)));
        if let Some(value) = moved {
            self.move_to(index, value);
        }
        Ok(())
    }

    /// Gives a non-basic column another value.
    fn move_to(&mut self, index: u32, value: Int) {
        let column = &mut self.columns[index as usize];
        let change = &value - &column.value;
        column.value = value;
        for row in &mut self.rows {
            if let Some(place) = row.find(index) {
                row.value.add_product(&row.cells[place].1, &change);
            }
        }
    }

    /// The value of a column, if it is an integer; otherwise the next integer below it.
    pub(crate) fn value(&self, index: u32) -> Result<Int, Int> {
        let column = &self.columns[index as usize];
        let Some(row) = column.row else { return Ok(column.value.clone()) };
        let Row { den, value, .. } = &self.rows[row as usize];
        let floor = value.div_floor(den);
        if &floor * den == *value { Ok(floor) } else { Err(floor) }
    }

    /// Moves all columns into their bounds, or says which bounds exclude each other.
    pub(crate) fn check(&mut self, budget: &Budget) -> Result<Option<Conflict>, StopReason> {
        while let Some((row, side)) = self.violated() {
            budget.step()?;
            match self.entering(row, side) {
                Some(entering) => self.pivot(row, entering, side),
                None => return Ok(Some(self.explain(row, side))),
            }
        }
        Ok(None)
    }

    /// The row of the first basic column that is out of its bounds, and the bound that it violates.
    fn violated(&self) -> Option<(usize, Side)> {
        let mut first: Option<(usize, Side)> = None;
        for (place, row) in self.rows.iter().enumerate() {
            if first.is_some_and(|(other, _)| self.rows[other].basic < row.basic) {
                continue;
            }
            let column = &self.columns[row.basic as usize];
            for side in [Side::Lower, Side::Upper] {
                if column.bound(side).is_some_and(|bound| row.is_beyond(side, &bound.value)) {
                    first = Some((place, side));
                }
            }
        }
        first
    }

    /// The non-basic column that changes places with the basic column of a row, which is beyond its bound on a side.
    ///
    /// A column without bounds is best: it never has to leave again. Otherwise the first one: with the first violated row,
    /// this is Bland's rule, so the method ends.
    fn entering(&self, row: usize, side: Side) -> Option<u32> {
        let mut first = None;
        for (index, factor) in &self.rows[row].cells {
            let column = &self.columns[*index as usize];
            if column.is_free() {
                return Some(*index);
            }
            if first.is_none() && column.may_move(direction(side, factor)) {
                first = Some(*index);
            }
        }
        first
    }

    /// The bounds that keep the basic column of a row beyond its bound.
    fn explain(&self, row: usize, side: Side) -> Conflict {
        let row = &self.rows[row];
        let reason = |index: u32, side: Side| {
            let bound = self.columns[index as usize].bound(side);
            assert!(bound.is_some(), "a column that cannot move is at a bound");
            bound.map(|bound| bound.reason.clone())
        };
        let own = reason(row.basic, side).map(|reason| (reason, row.den.clone()));
        let others = row
            .cells
            .iter()
            .map(|(index, factor)| reason(*index, direction(side, factor)).map(|reason| (reason, factor.abs())));
        std::iter::once(own).chain(others).flatten().collect()
    }

    /// Exchanges the basic column of a row with a non-basic one; the former goes to the bound that it violated.
    fn pivot(&mut self, place: usize, entering: u32, side: Side) {
        let mut row = std::mem::take(&mut self.rows[place]);
        let leaving = row.basic;
        row.exchange(entering);
        let target = self.columns[leaving as usize].bound(side).map(|bound| bound.value.clone());
        let column = &mut self.columns[leaving as usize];
        column.value = target.unwrap_or_default();
        column.row = None;
        self.columns[entering as usize].row = Some(place as u32);
        for other in 0..self.rows.len() {
            if other != place && self.rows[other].find(entering).is_some() {
                let mut target = std::mem::take(&mut self.rows[other]);
                self.substitute(&mut target, &row);
                target.value = self.evaluate(&target);
                self.rows[other] = target;
            }
        }
        row.value = self.evaluate(&row);
        self.rows[place] = row;
    }

    /// Replaces the basic column of `by` in a row.
    fn substitute(&mut self, row: &mut Row, by: &Row) {
        let Some(place) = row.find(by.basic) else { return };
        let (_, factor) = row.cells.remove(place);
        let gcd = factor.gcd(&by.den);
        let scale = by.den.div_floor(&gcd);
        row.den = &row.den * &scale;
        self.add_to(row, &scale, &factor.div_floor(&gcd), &by.cells);
        row.reduce();
    }
}

/// Where a non-basic column with this cell must move to bring the basic column back from beyond its bound.
fn direction(violated: Side, cell: &Int) -> Side {
    if cell.is_positive() { violated.opposite() } else { violated }
}

impl Row {
    fn find(&self, column: u32) -> Option<usize> {
        self.cells.binary_search_by_key(&column, |(column, _)| *column).ok()
    }

    fn is_beyond(&self, side: Side, bound: &Int) -> bool {
        if self.den.is_one() {
            side.is_beyond(&self.value, bound)
        } else {
            side.is_beyond(&self.value, &(bound * &self.den))
        }
    }

    /// Divides by what all numbers of the row have in common. With a denominator of 1, the usual one, that is nothing.
    fn reduce(&mut self) {
        let mut gcd = self.den.clone();
        for (_, factor) in &self.cells {
            if gcd.is_one() {
                return;
            }
            gcd = gcd.gcd(factor);
        }
        if gcd.is_one() {
            return;
        }
        self.den = self.den.div_floor(&gcd);
        for (_, factor) in &mut self.cells {
            *factor = factor.div_floor(&gcd);
        }
    }

    /// Solves the row for one of its non-basic columns.
    fn exchange(&mut self, entering: u32) {
        let Some(place) = self.find(entering) else { return };
        // den * basic = a * entering + rest, so |a| * entering = sign(a) * (den * basic - rest).
        let (_, pivot) = self.cells.remove(place);
        let flip = pivot.is_positive();
        if flip {
            self.cells.iter_mut().for_each(|(_, factor)| *factor = -&*factor);
        }
        let leaving = if flip { self.den.clone() } else { -&self.den };
        let at = self.cells.partition_point(|(column, _)| *column < self.basic);
        self.cells.insert(at, (self.basic, leaving));
        self.basic = entering;
        self.den = pivot.abs();
        self.reduce();
    }
}

/// `out := scale * a + factor * b` for lists of cells ordered by column.
fn merge(out: &mut Vec<(u32, Int)>, a: &[(u32, Int)], scale: &Int, b: &[(u32, Int)], factor: &Int) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let (left, right) = (a.get(i).map(|cell| cell.0), b.get(j).map(|cell| cell.0));
        let column = left.unwrap_or(u32::MAX).min(right.unwrap_or(u32::MAX));
        let mut cell = Int::ZERO;
        if left == Some(column) {
            cell = if scale.is_one() { a[i].1.clone() } else { &a[i].1 * scale };
            i += 1;
        }
        if right == Some(column) {
            cell.add_product(&b[j].1, factor);
            j += 1;
        }
        if !cell.is_zero() {
            out.push((column, cell));
        }
    }
}
