//! Sifting: functions keep their meaning, cubes and renamings stay right, blocks
//! stay together, and a bad order becomes a good one.
#![allow(clippy::unwrap_used, reason = "an operation that stops is a failed test")]

mod common;

use bdd::{Bdd, Config, Interrupt, Manager, Stop, Var};
use common::{Random, build, table};

/// `x0 = y0 & x1 = y1 & ...` with all `x` above all `y`: exponential.
fn equality(manager: &Manager, xs: &[Var], ys: &[Var]) -> Bdd {
    xs.iter().zip(ys).fold(manager.bdd_true(), |f, (&x, &y)| {
        let (x, y) = (manager.literal(x, true), manager.literal(y, true));
        f.and(&x.unwrap().iff(&y.unwrap()).unwrap()).unwrap()
    })
}

#[test]
fn a_bad_order_becomes_a_good_one() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(28);
    let (xs, ys) = vars.split_at(14);
    let f = equality(&manager, xs, ys);
    assert_eq!(f.node_count(), 3 * (1 << 14) - 3);
    manager.sift(&[]).unwrap();
    assert_eq!(f.node_count(), 3 * 14);
    for a in [0_u32, 5, 0x3fff, 0x2aaa] {
        for b in [0_u32, 5, 0x3fff, 0x1555] {
            let value = |v: Var| (u64::from(a) | u64::from(b) << 14) >> v.0 & 1 == 1;
            assert_eq!(f.eval(&value), a == b);
        }
    }
    let stats = manager.stats();
    assert_eq!((stats.nodes, stats.reorderings), (3 * 14, 1));
    assert!(stats.peak_nodes > 40_000);
}

#[test]
fn an_order_can_be_asked_for() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(8);
    let (xs, ys) = vars.split_at(4);
    let f = equality(&manager, xs, ys);
    let wanted: Vec<Var> = xs.iter().zip(ys).flat_map(|(x, y)| [*y, *x]).rev().collect();
    manager.arrange(&wanted);
    assert_eq!(manager.order(), wanted);
    assert_eq!(f.node_count(), 3 * 4);
    assert_eq!(f, equality(&manager, xs, ys));
    manager.arrange(&[vars[6], vars[1]]);
    assert!(manager.level_of(vars[6]) < manager.level_of(vars[1]));
    assert_eq!(f, equality(&manager, xs, ys));
}

#[test]
fn functions_cubes_and_renamings_survive_random_sifting() {
    let mut random = Random(11);
    for _ in 0..20 {
        let manager = Manager::new(&Config::small());
        let vars = manager.add_vars(6);
        let functions: Vec<(u64, Bdd)> =
            (0..6).map(|_| random.next() & random.next()).map(|t| (t, build(&manager, &vars, t))).collect();
        let cube = manager.cube(&[vars[1], vars[4]]);
        let renaming = manager.renaming(&[(vars[0], vars[1]), (vars[2], vars[3]), (vars[5], vars[4])]);
        let check = || -> Vec<u64> {
            let mut tables = Vec::new();
            for (t, f) in &functions {
                assert_eq!(table(&vars, f), *t);
                assert_eq!(*f, build(&manager, &vars, *t));
                let g = &functions[0].1;
                tables.push(table(&vars, &f.exists(&cube).unwrap()));
                tables.push(table(&vars, &f.rename(&renaming).unwrap()));
                let fused = f.and_exists_rename(g, &cube, &renaming).unwrap();
                let naive = f.and(g).unwrap().exists(&cube).unwrap();
                assert_eq!(fused, naive.rename(&renaming).unwrap());
                tables.push(table(&vars, &fused));
            }
            tables
        };
        let before = check();
        let nodes = |m: &Manager| {
            m.collect();
            m.stats().nodes
        };
        let nodes_before = nodes(&manager);
        manager.sift(&[vec![vars[0], vars[1]], vec![vars[2], vars[3]]]).unwrap();
        assert!(nodes(&manager) <= nodes_before);
        assert_eq!(manager.level_of(vars[1]), manager.level_of(vars[0]) + 1);
        assert_eq!(manager.level_of(vars[3]), manager.level_of(vars[2]) + 1);
        let order = manager.order();
        for (level, &var) in order.iter().enumerate() {
            assert_eq!(manager.level_of(var), level);
        }
        assert_eq!(check(), before);
    }
}

#[test]
fn scattered_blocks_are_brought_together() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(12);
    let (xs, ys) = vars.split_at(6);
    let f = equality(&manager, xs, ys);
    let blocks: Vec<Vec<Var>> = xs.iter().zip(ys).map(|(&x, &y)| vec![y, x]).collect();
    manager.sift(&blocks).unwrap();
    for block in &blocks {
        // In a block, the order of before stays: x above y.
        assert_eq!(manager.level_of(block[0]), manager.level_of(block[1]) + 1);
    }
    assert_eq!(f.node_count(), 18);
    // New variables are below all, whatever the order.
    let new = manager.add_vars(1)[0];
    assert_eq!(manager.level_of(new), 12);
}

#[test]
fn an_interrupted_sifting_leaves_functions_intact() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(20);
    let (xs, ys) = vars.split_at(10);
    let f = equality(&manager, xs, ys);
    let interrupt = Interrupt::new();
    manager.set_interrupt(interrupt.clone());
    interrupt.request();
    assert_eq!(manager.sift(&[]), Err(Stop::Interrupted));
    assert_eq!(manager.order(), vars);
    interrupt.clear();
    assert_eq!(f, equality(&manager, xs, ys));
    manager.sift(&[]).unwrap();
    assert_eq!(f.node_count(), 30);
    assert_eq!(f, equality(&manager, xs, ys));
}

#[test]
fn sifting_without_room_changes_nothing_or_little_and_never_aborts() {
    // Room for 2^20 nodes, more than half of it taken.
    let manager = Manager::new(&Config { memory: 34 << 20, cache_entries: 1 });
    let vars = manager.add_vars(40);
    let mut random = Random(3);
    let mut kept = Vec::new();
    while manager.stats().nodes < 700_000 {
        let literals: Vec<_> = vars.iter().map(|&v| (v, random.next() & 1 == 1)).collect();
        kept.push((literals.clone(), manager.conjunction(&literals).unwrap()));
    }
    let order = manager.order();
    manager.sift(&[]).unwrap();
    assert_eq!(manager.order(), order);
    for (literals, f) in &kept {
        assert_eq!(f.pick().as_deref(), Some(&literals[..]));
    }
}
