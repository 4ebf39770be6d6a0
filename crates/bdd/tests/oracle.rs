//! Random operations on up to twelve variables, next to another library.
#![allow(clippy::unwrap_used, reason = "an operation that stops is a failed test")]

mod common;

use bdd::{Bdd, Config, Manager, Var};
use biodivine_lib_bdd::{Bdd as Other, BddVariable, BddVariableSet, op_function};
use common::Random;

struct Pair {
    ours: Bdd,
    theirs: Other,
}

struct Worlds {
    manager: Manager,
    vars: Vec<Var>,
    set: BddVariableSet,
    their_vars: Vec<BddVariable>,
    pool: Vec<Pair>,
}

impl Worlds {
    fn new(n: usize) -> Self {
        let manager = Manager::new(&Config::small());
        let vars = manager.add_vars(n);
        let set = BddVariableSet::new_anonymous(n as u16);
        let their_vars = set.variables();
        let pool = (0..n)
            .map(|i| Pair { ours: manager.literal(vars[i], true).unwrap(), theirs: set.mk_var(their_vars[i]) })
            .collect();
        Self { manager, vars, set, their_vars, pool }
    }

    /// Our function as theirs, node by node.
    fn translate(&self, f: &Bdd) -> Other {
        let dag = self.manager.export(std::slice::from_ref(f));
        let mut values = vec![self.set.mk_false(), self.set.mk_true()];
        for &(var, lo, hi) in &dag.nodes {
            let x = self.set.mk_var(self.their_vars[var.0 as usize]);
            let value = Other::if_then_else(&x, &values[hi as usize], &values[lo as usize]);
            values.push(value);
        }
        values[dag.roots[0] as usize].clone()
    }

    fn check(&mut self, ours: Bdd, theirs: Other) {
        assert_eq!(self.translate(&ours), theirs);
        // Same size when both orders are the order of declaration; they count
        // the constants, one for false and two otherwise.
        if !ours.is_true() && !ours.is_false() {
            assert_eq!(ours.node_count() + 2, theirs.size());
        }
        let n = self.vars.len();
        assert_eq!(ours.count(n), theirs.cardinality());
        if self.pool.len() < 60 {
            self.pool.push(Pair { ours, theirs });
        } else {
            let n = self.pool.len();
            let place = ours.support().iter().map(|v| v.0 as usize + 7).sum::<usize>() % n;
            self.pool[place] = Pair { ours, theirs };
        }
    }

    fn step(&mut self, random: &mut Random) {
        let n = self.vars.len();
        let [f, g, h] = [(); 3].map(|()| random.below(self.pool.len()));
        let some: Vec<usize> = (0..n).filter(|_| random.below(3) == 0).collect();
        let cube: Vec<Var> = some.iter().map(|&i| self.vars[i]).collect();
        let cube = self.manager.cube(&cube);
        let theirs_cube: Vec<BddVariable> = some.iter().map(|&i| self.their_vars[i]).collect();
        let [f, g, h] = [f, g, h].map(|i| &self.pool[i]);
        let (ours, theirs) = match random.below(11) {
            0 => (f.ours.and(&g.ours), f.theirs.and(&g.theirs)),
            1 => (f.ours.or(&g.ours), f.theirs.or(&g.theirs)),
            2 => (f.ours.xor(&g.ours), f.theirs.xor(&g.theirs)),
            3 => (f.ours.iff(&g.ours), f.theirs.iff(&g.theirs)),
            4 => (f.ours.implies(&g.ours), f.theirs.imp(&g.theirs)),
            5 => (f.ours.diff(&g.ours), f.theirs.and_not(&g.theirs)),
            6 => (f.ours.not(), f.theirs.not()),
            7 => (f.ours.ite(&g.ours, &h.ours), Other::if_then_else(&f.theirs, &g.theirs, &h.theirs)),
            8 => (f.ours.exists(&cube), f.theirs.exists(&theirs_cube)),
            9 => (f.ours.forall(&cube), f.theirs.for_all(&theirs_cube)),
            _ => (
                f.ours.and_exists(&g.ours, &cube),
                Other::binary_op_with_exists(&f.theirs, &g.theirs, op_function::and, &theirs_cube),
            ),
        };
        self.check(ours.unwrap(), theirs);
    }
}

#[test]
fn random_operations_agree_with_another_library() {
    for n in [4, 8, 12] {
        let mut random = Random(n as u64);
        let mut worlds = Worlds::new(n);
        for step in 0..2000 {
            worlds.step(&mut random);
            if step % 100 == 99 {
                worlds.manager.collect();
            }
        }
    }
}

/// A map that keeps the order of most variables, as copies do, or none.
fn random_map(random: &mut Random, n: usize) -> Vec<usize> {
    match random.below(3) {
        0 => (0..n).map(|i| if i % 2 == 0 { (i + 1).min(n - 1) } else { i }).collect(),
        1 => (0..n).map(|i| i ^ 1).map(|i| i.min(n - 1)).collect(),
        _ => (0..n).map(|_| random.below(n)).collect(),
    }
}

#[test]
fn rename_and_fused_product_agree_with_composition() {
    let mut random = Random(99);
    for n in [6, 12] {
        let mut worlds = Worlds::new(n);
        for _ in 0..100 {
            worlds.step(&mut random);
        }
        for _ in 0..150 {
            let image = random_map(&mut random, n);
            let pairs: Vec<(Var, Var)> = (0..n).map(|i| (worlds.vars[i], worlds.vars[image[i]])).collect();
            let renaming = worlds.manager.renaming(&pairs);
            let cube: Vec<Var> = worlds.vars.iter().copied().filter(|_| random.below(2) == 0).collect();
            let cube = worlds.manager.cube(&cube);
            let f = worlds.pool[random.below(60)].ours.clone();
            let g = worlds.pool[random.below(60)].ours.clone();
            let product = f.and(&g).unwrap().exists(&cube).unwrap();
            let fused = f.and_exists_rename(&g, &cube, &renaming).unwrap();
            assert_eq!(fused, product.rename(&renaming).unwrap());
            assert_eq!(fused, compose(&worlds, &product, &image));
        }
    }
}

/// Simultaneous substitution, node by node with ite.
fn compose(worlds: &Worlds, f: &Bdd, image: &[usize]) -> Bdd {
    let Some((var, lo, hi)) = f.branches() else {
        return f.clone();
    };
    let [lo, hi] = [lo, hi].map(|child| compose(worlds, &child, image));
    let x = worlds.manager.literal(worlds.vars[image[var.0 as usize]], true).unwrap();
    x.ite(&hi, &lo).unwrap()
}

#[test]
fn the_fused_product_is_right_beyond_the_numbers_that_fit_its_key() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(17);
    let subset = |s: usize| -> Vec<Var> { vars.iter().copied().filter(|v| s >> v.0 & 1 == 1).collect() };
    let cubes: Vec<_> = (0..1 << 17).map(|s| manager.cube(&subset(s))).collect();
    let pairs: Vec<(Var, Var)> = (0..8).map(|i| (vars[2 * i], vars[2 * i + 1])).collect();
    let renaming = manager.renaming(&pairs);
    let equal = |a: usize, b: usize| {
        let [x, y] = [a, b].map(|i| manager.literal(vars[i], true).unwrap());
        x.iff(&y).unwrap()
    };
    let (f, g) = (equal(0, 3).or(&equal(2, 5)).unwrap(), equal(3, 6));
    for s in (0..1 << 17).step_by(1021) {
        let fused = f.and_exists_rename(&g, &cubes[s], &renaming).unwrap();
        let naive = f.and(&g).unwrap().exists(&cubes[s]).unwrap();
        assert_eq!(fused, naive.rename(&renaming).unwrap());
    }
}

#[test]
#[should_panic(expected = "its own manager")]
fn a_cube_of_another_manager_is_refused() {
    let [one, two] = [(); 2].map(|()| Manager::new(&Config::small()));
    let x = one.add_vars(1)[0];
    let y = two.add_vars(1)[0];
    let _ = one.literal(x, true).unwrap().exists(&two.cube(&[y]));
}
