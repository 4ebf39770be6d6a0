//! Every operation against truth tables: on all functions over two variables,
//! on all over three where that is feasible, on random ones over six.
#![allow(clippy::unwrap_used, reason = "an operation that stops is a failed test")]

mod common;

use bdd::{Bdd, Config, Manager, Stop, Var};
use common::{Random, Table, at, build, exists, forall, mask, rename, set, table, table_of};

struct World {
    manager: Manager,
    vars: Vec<Var>,
}

impl World {
    fn new(n: usize) -> Self {
        let manager = Manager::new(&Config::small());
        let vars = manager.add_vars(n);
        Self { manager, vars }
    }

    fn n(&self) -> usize {
        self.vars.len()
    }

    fn build(&self, table: Table) -> Bdd {
        build(&self.manager, &self.vars, table)
    }

    /// Canonicity makes equality with the expected function the whole check.
    #[track_caller]
    fn expect(&self, result: Result<Bdd, Stop>, expected: Table) {
        let result = result.unwrap();
        assert_eq!(table(&self.vars, &result), expected);
        assert_eq!(result, self.build(expected));
    }

    fn subsets(&self) -> impl Iterator<Item = Vec<usize>> {
        let n = self.n();
        (0..1_usize << n).map(move |s| (0..n).filter(|i| s >> i & 1 == 1).collect())
    }

    fn vars_of(&self, subset: &[usize]) -> Vec<Var> {
        subset.iter().map(|&i| self.vars[i]).collect()
    }
}

fn check_unary(w: &World, f: Table) {
    let n = w.n();
    let b = w.build(f);
    assert_eq!(table(&w.vars, &b), f);
    assert_eq!(b.is_true(), f == mask(n));
    assert_eq!(b.is_false(), f == 0);
    w.expect(b.not(), !f & mask(n));
    assert_eq!(b.count(n), f64::from(f.count_ones()));
    assert_eq!(b.count_exact(n), Some(u128::from(f.count_ones())));
    let support: Vec<Var> = (0..n).filter(|&i| set(n, f, i, false) != set(n, f, i, true)).map(|i| w.vars[i]).collect();
    assert_eq!(b.support(), support);
    for subset in w.subsets() {
        let cube = w.manager.cube(&w.vars_of(&subset));
        w.expect(b.exists(&cube), subset.iter().fold(f, |t, &i| exists(n, t, i)));
        w.expect(b.forall(&cube), subset.iter().fold(f, |t, &i| forall(n, t, i)));
    }
    check_picks(w, f, &b);
}

fn check_picks(w: &World, f: Table, b: &Bdd) {
    let literals_table = |literals: &[(Var, bool)]| {
        table_of(w.n(), |a| {
            let holds = |&(v, value): &(Var, bool)| (a >> v.0 & 1 == 1) == value;
            literals.iter().all(holds)
        })
    };
    let mut union = 0;
    for cube in b.cubes() {
        let cube = literals_table(&cube);
        assert_eq!(union & cube, 0, "cubes are disjoint");
        union |= cube;
    }
    assert_eq!(union, f);
    assert_eq!(b.pick(), b.cubes().next());
    let total = b.pick_total(&w.vars);
    let Some(total) = total else {
        return assert_eq!(f, 0);
    };
    // Least where variable 0, the top one, weighs most.
    let a = total.iter().fold(0, |a, &(v, value)| a | usize::from(value) << v.0);
    let weight = |a: usize| (0..w.n()).fold(0, |x, i| x << 1 | (a >> i & 1));
    let least = (0..1 << w.n()).filter(|&a| at(f, a)).min_by_key(|&a| weight(a));
    assert_eq!(Some(a), least);
}

fn check_binary(w: &World, f: Table, g: Table) {
    let n = w.n();
    let (bf, bg) = (w.build(f), w.build(g));
    w.expect(bf.and(&bg), f & g);
    w.expect(bf.or(&bg), f | g);
    w.expect(bf.xor(&bg), f ^ g);
    w.expect(bf.iff(&bg), !(f ^ g) & mask(n));
    w.expect(bf.implies(&bg), (!f | g) & mask(n));
    w.expect(bf.diff(&bg), f & !g);
    assert_eq!(bf.leq(&bg), Ok(f & !g == 0));
    assert_eq!(bf.disjoint(&bg), Ok(f & g == 0));
    assert_eq!(bf == bg, f == g);
    for subset in w.subsets() {
        let cube = w.manager.cube(&w.vars_of(&subset));
        let expected = subset.iter().fold(f & g, |t, &i| exists(n, t, i));
        w.expect(bf.and_exists(&bg, &cube), expected);
    }
    check_care(w, (f, &bf), (g, &bg));
}

fn check_care(w: &World, (f, bf): (Table, &Bdd), (care, bcare): (Table, &Bdd)) {
    for restricted in [false, true] {
        let result = if restricted { bf.restrict(bcare) } else { bf.constrain(bcare) };
        let result = result.unwrap();
        assert_eq!(table(&w.vars, &result) & care, f & care);
        assert!(care != 0 || result.is_false());
        let support = bf.support();
        assert!(!restricted || result.support().iter().all(|v| support.contains(v)));
    }
    // The property that defines constrain: f at the image of each point.
    let negated = bf.not().unwrap().constrain(bcare).unwrap();
    if care != 0 {
        assert_eq!(negated, bf.constrain(bcare).unwrap().not().unwrap());
    }
}

#[test]
fn unary_operations_on_all_functions_of_three_variables() {
    let w = World::new(3);
    for f in 0..=mask(3) {
        check_unary(&w, f);
    }
}

#[test]
fn binary_operations_on_all_functions_of_two_variables() {
    let w = World::new(2);
    for f in 0..=mask(2) {
        for g in 0..=mask(2) {
            check_binary(&w, f, g);
        }
    }
}

#[test]
fn connectives_on_all_functions_of_three_variables() {
    let w = World::new(3);
    let all: Vec<Bdd> = (0..=mask(3)).map(|f| w.build(f)).collect();
    let full = mask(3) as usize;
    for f in 0..=full {
        for g in 0..=full {
            let (bf, bg) = (&all[f], &all[g]);
            assert_eq!(bf.and(bg).unwrap(), all[f & g]);
            assert_eq!(bf.or(bg).unwrap(), all[f | g]);
            assert_eq!(bf.xor(bg).unwrap(), all[f ^ g]);
            assert_eq!(bf.iff(bg).unwrap(), all[!(f ^ g) & full]);
            assert_eq!(bf.implies(bg).unwrap(), all[(!f | g) & full]);
            assert_eq!(bf.diff(bg).unwrap(), all[f & !g]);
        }
    }
}

#[test]
fn ite_on_all_functions_of_two_variables() {
    let w = World::new(2);
    let full = mask(2);
    for f in 0..=full {
        for g in 0..=full {
            for h in 0..=full {
                let [bf, bg, bh] = [f, g, h].map(|t| w.build(t));
                w.expect(bf.ite(&bg, &bh), f & g | !f & h);
            }
        }
    }
}

/// All maps from three variables to three, order-preserving or not.
fn all_images() -> impl Iterator<Item = [usize; 3]> {
    (0..27).map(|m| [m % 3, m / 3 % 3, m / 9])
}

#[test]
fn rename_on_all_functions_and_all_maps_of_three_variables() {
    let w = World::new(3);
    for image in all_images() {
        let pairs: Vec<_> = (0..3).map(|i| (w.vars[i], w.vars[image[i]])).collect();
        let renaming = w.manager.renaming(&pairs);
        for f in 0..=mask(3) {
            w.expect(w.build(f).rename(&renaming), rename(3, f, &image));
        }
    }
}

#[test]
fn fused_product_on_all_maps_and_cubes_of_three_variables() {
    let w = World::new(3);
    let mut random = Random(7);
    for image in all_images() {
        let pairs: Vec<_> = (0..3).map(|i| (w.vars[i], w.vars[image[i]])).collect();
        let renaming = w.manager.renaming(&pairs);
        for subset in w.subsets() {
            let cube = w.manager.cube(&w.vars_of(&subset));
            for _ in 0..64 {
                let [f, g] = [random.next() & mask(3), random.next() & mask(3)];
                let product = subset.iter().fold(f & g, |t, &i| exists(3, t, i));
                let (bf, bg) = (w.build(f), w.build(g));
                let result = bf.and_exists_rename(&bg, &cube, &renaming);
                w.expect(result, rename(3, product, &image));
            }
        }
    }
}

#[test]
fn cofactor_by_all_literals_of_three_variables() {
    let w = World::new(3);
    for f in 0..=mask(3) {
        let b = w.build(f);
        for choice in 0..27 {
            let values = [choice % 3, choice / 3 % 3, choice / 9];
            let fixed = || (0..3).filter(|&i| values[i] < 2);
            let literals: Vec<_> = fixed().map(|i| (w.vars[i], values[i] == 1)).collect();
            let expected = fixed().fold(f, |t, i| set(3, t, i, values[i] == 1));
            w.expect(b.cofactor(&literals), expected);
        }
    }
    let contradiction = [(w.vars[0], true), (w.vars[0], false)];
    w.expect(w.build(mask(3)).cofactor(&contradiction), 0);
}

#[test]
fn random_functions_of_six_variables() {
    let w = World::new(6);
    let mut random = Random(42);
    for _ in 0..60 {
        let f = random.next() & random.next();
        let g = random.next() | random.next();
        check_unary(&w, f);
        check_binary(&w, f, g);
        check_binary(&w, g, f & g);
    }
}
