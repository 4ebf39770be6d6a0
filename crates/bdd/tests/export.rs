//! Export and import: a round trip, also between different orders; bad values
//! are refused.
#![allow(clippy::unwrap_used, reason = "an operation that stops is a failed test")]

mod common;

use bdd::{Bdd, Config, Dag, ImportError, Manager, Var};
use common::{Random, build, table};

fn functions(manager: &Manager, vars: &[Var], tables: &[u64]) -> Vec<Bdd> {
    tables.iter().map(|&t| build(manager, vars, t)).collect()
}

#[test]
fn a_round_trip_gives_the_same_functions() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(6);
    let mut random = Random(21);
    let tables: Vec<u64> = [0, u64::MAX].into_iter().chain((0..20).map(|_| random.next())).collect();
    let all = functions(&manager, &vars, &tables);
    let dag = manager.export(&all);
    assert_eq!(&dag.roots[..2], &[0, 1]);
    assert_eq!(manager.import(&dag).unwrap(), all);
    // Children come first, and no node is there twice.
    for (n, &(_, lo, hi)) in dag.nodes.iter().enumerate() {
        assert!(lo < n as u32 + 2 && hi < n as u32 + 2 && lo != hi);
    }
    let mut nodes = dag.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes.len(), dag.nodes.len());
    assert_eq!(manager.export(&all), dag);
}

#[test]
fn a_dag_of_another_order_means_the_same() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(6);
    let mut random = Random(22);
    for _ in 0..30 {
        let tables: Vec<u64> = (0..4).map(|_| random.next()).collect();
        let dag = manager.export(&functions(&manager, &vars, &tables));
        // Turn the order around by renaming in the plain value.
        let turned = Dag {
            nodes: dag.nodes.iter().map(|&(v, lo, hi)| (Var(5 - v.0), lo, hi)).collect(),
            roots: dag.roots.clone(),
        };
        let turned_vars: Vec<Var> = vars.iter().rev().copied().collect();
        for (f, t) in manager.import(&turned).unwrap().iter().zip(&tables) {
            assert_eq!(table(&turned_vars, f), *t);
        }
    }
}

#[test]
fn bad_values_are_refused() {
    let manager = Manager::new(&Config::small());
    let x = manager.add_vars(1)[0];
    let import = |nodes: &[(Var, u32, u32)], roots: &[u32]| {
        let (nodes, roots) = (nodes.to_vec(), roots.to_vec());
        manager.import(&Dag { nodes, roots })
    };
    assert_eq!(import(&[(x, 0, 2)], &[2]), Err(ImportError::BadChild(0)));
    assert_eq!(import(&[(x, 7, 1)], &[2]), Err(ImportError::BadChild(0)));
    assert_eq!(import(&[(Var(1), 0, 1)], &[2]), Err(ImportError::UnknownVariable(0)));
    assert_eq!(import(&[(x, 0, 1)], &[2, 3]), Err(ImportError::BadRoot(1)));
    let x_twice = import(&[(x, 0, 1), (x, 1, 2)], &[2, 3]).unwrap();
    assert_eq!(x_twice[0], manager.literal(x, true).unwrap());
    assert!(x_twice[1].is_true(), "a repeated test is decided by the first");
}
