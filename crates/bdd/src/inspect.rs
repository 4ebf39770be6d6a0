//! Questions about one function: its variables, size and satisfying assignments.
//!
//! These copy the function out as a [`Dag`] first, so each costs its size. They
//! are for reports, traces and tests, not for inner loops.

use crate::dag::Dag;
use crate::handle::Bdd;
use crate::manager::Var;
use crate::session::value;

impl Bdd {
    fn to_dag(&self) -> Dag {
        self.manager().export(std::slice::from_ref(self))
    }

    /// The variables that the function depends on, in ascending order.
    #[must_use]
    pub fn support(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.to_dag().nodes.iter().map(|node| node.0).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// How many nodes the function has, constants not counted.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.to_dag().nodes.len()
    }

    /// How many assignments to `n_vars` variables, among them the support,
    /// satisfy the function; rounded, infinite beyond `f64`.
    #[must_use]
    pub fn count(&self, n_vars: usize) -> f64 {
        let half_sum = |a: Scaled, b: Scaled| a.plus(b).times_power_of_two(-1);
        self.fold(Scaled::ZERO, Scaled::ONE, half_sum).times_power_of_two(n_vars as i64).to_f64()
    }

    /// Like [`count`](Self::count), but exact; at most 127 variables.
    #[must_use]
    pub fn count_exact(&self, n_vars: usize) -> Option<u128> {
        let all = (n_vars < 128).then(|| 1_u128 << n_vars)?;
        Some(self.fold(0, all, |a, b| (a + b) / 2))
    }

    /// The value at the root when constants and nodes have these values.
    fn fold<T: Copy>(&self, when_false: T, when_true: T, node: impl Fn(T, T) -> T) -> T {
        let dag = self.to_dag();
        let mut values = vec![when_false, when_true];
        for &(_, lo, hi) in &dag.nodes {
            values.push(node(values[lo as usize], values[hi as usize]));
        }
        values[dag.roots[0] as usize]
    }

    /// The value under an assignment, which must not itself use the manager.
    #[must_use]
    pub fn eval(&self, assignment: &dyn Fn(Var) -> bool) -> bool {
        self.with(|s, f| {
            let mut f = f;
            loop {
                if let Some(value) = value(f) {
                    return value;
                }
                let view = s.view(f);
                f = if assignment(Var(s.var_at(view.level))) { view.hi } else { view.lo };
            }
        })
    }

    /// Where a way through the diagram ends: at each node the choice is asked which branch to take, given whether the
    /// branch for false is false itself; none: stop here. The choice must not itself use the manager.
    #[must_use]
    pub fn walk(&self, choose: &mut dyn FnMut(Var, bool) -> Option<bool>) -> Self {
        self.with(|s, f| {
            let mut at = f;
            while value(at).is_none() {
                let view = s.view(at);
                match choose(Var(s.var_at(view.level)), value(view.lo) == Some(false)) {
                    Some(true) => at = view.hi,
                    Some(false) => at = view.lo,
                    None => break,
                }
            }
            Self::new(s, s.clone(at), &self.shared)
        })
    }

    /// Literals, in the variable order, that make the function true; the least
    /// such choice, false before true. `None` if the function is false.
    #[must_use]
    pub fn pick(&self) -> Option<Vec<(Var, bool)>> {
        if self.is_false() {
            return None;
        }
        Some(self.with(|s, f| {
            let mut f = f;
            let mut literals = Vec::new();
            while value(f).is_none() {
                let view = s.view(f);
                let var = Var(s.var_at(view.level));
                let choice = value(view.lo) == Some(false);
                literals.push((var, choice));
                f = if choice { view.hi } else { view.lo };
            }
            literals
        }))
    }

    /// The values of `vars`, in their order, in the assignment that
    /// [`pick`](Self::pick) chooses; false where it does not matter.
    #[must_use]
    pub fn pick_total(&self, vars: &[Var]) -> Option<Vec<(Var, bool)>> {
        let mut chosen = self.pick()?;
        chosen.sort_unstable();
        let value = |var: Var| chosen.binary_search(&(var, true)).is_ok();
        Some(vars.iter().map(|&var| (var, value(var))).collect())
    }

    /// All paths to true, in ascending order: disjoint sets of literals that
    /// together are the function. There may be exponentially many.
    #[must_use]
    pub fn cubes(&self) -> Cubes {
        let dag = self.to_dag();
        let todo = dag.roots.iter().map(|&root| Visit { node: root, keep: 0, then: None }).collect();
        Cubes { dag, path: Vec::new(), todo }
    }
}

/// Iterator over the paths to true, see [`Bdd::cubes`].
#[derive(Clone, Debug)]
pub struct Cubes {
    dag: Dag,
    path: Vec<(Var, bool)>,
    todo: Vec<Visit>,
}

/// A node to visit and how the path to it differs from the present one.
#[derive(Clone, Copy, Debug)]
struct Visit {
    node: u32,
    /// Length of the path to the parent.
    keep: usize,
    /// The literal from the parent.
    then: Option<(Var, bool)>,
}

impl Iterator for Cubes {
    type Item = Vec<(Var, bool)>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(Visit { node, keep, then }) = self.todo.pop() {
            self.path.truncate(keep);
            self.path.extend(then);
            match node {
                0 => {}
                1 => return Some(self.path.clone()),
                _ => {
                    let (var, lo, hi) = self.dag.nodes[node as usize - 2];
                    let keep = self.path.len();
                    let visit = |node, value| Visit { node, keep, then: Some((var, value)) };
                    self.todo.extend([visit(hi, true), visit(lo, false)]);
                }
            }
        }
        None
    }
}

/// `mantissa * 2^exponent`, so that sparse functions over thousands of variables
/// do not vanish on the way. The mantissa is 0 or in `[1, 2)`.
#[derive(Clone, Copy)]
struct Scaled {
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    const ZERO: Self = Self { mantissa: 0.0, exponent: i64::MIN / 2 };
    const ONE: Self = Self { mantissa: 1.0, exponent: 0 };

    fn times_power_of_two(self, power: i64) -> Self {
        Self { exponent: self.exponent + power, ..self }
    }

    fn plus(self, other: Self) -> Self {
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let shift = (small.exponent - large.exponent).max(-1000) as i32;
        let mantissa = large.mantissa + small.mantissa * 2_f64.powi(shift);
        if mantissa >= 2.0 {
            return Self { mantissa: mantissa / 2.0, exponent: large.exponent + 1 };
        }
        Self { mantissa, exponent: large.exponent }
    }

    fn to_f64(self) -> f64 {
        let exponent = self.exponent.clamp(-1100, 1100) as i32;
        // In two steps: the power alone may be beyond f64 where the product is not.
        self.mantissa * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2)
    }
}
