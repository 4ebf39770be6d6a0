//! Running out of nodes and being interrupted are values; the manager lives on.
#![allow(clippy::unwrap_used, reason = "an operation that stops is a failed test")]

mod common;

use std::time::Duration;

use bdd::{Bdd, Config, Interrupt, Manager, Stop, Var};
use common::Random;

/// A function of exponential size: the middle bit of a sum of products, roughly.
fn hard(manager: &Manager, vars: &[Var]) -> Result<Bdd, Stop> {
    let half = vars.len() / 2;
    let mut f = manager.bdd_false();
    for i in 0..half {
        let x = manager.literal(vars[i], true)?;
        let y = manager.literal(vars[half + (i * 7 + 3) % half], true)?;
        f = f.xor(&x.and(&y)?)?;
    }
    Ok(f)
}

#[test]
fn out_of_nodes_is_an_error_and_the_manager_lives_on() {
    let manager = Manager::new(&Config { memory: 8 << 20, cache_entries: 1 << 12 });
    let vars = manager.add_vars(60);
    assert_eq!(hard(&manager, &vars), Err(Stop::OutOfNodes));
    let full = manager.stats();
    assert!(full.nodes > 100_000);
    // The limit is kept up to the slack that the configuration promises.
    assert!(full.nodes < (8 << 20) / 34 + (1 << 17));
    manager.collect();
    assert_eq!(manager.stats().nodes, 0);
    assert!(manager.stats().peak_nodes >= full.nodes);
    let f = hard(&manager, &vars[..20]).unwrap();
    assert_eq!(f.support(), vars[..20]);
}

#[test]
fn retrying_collects_once() {
    let manager = Manager::new(&Config { memory: 8 << 20, cache_entries: 1 << 12 });
    let vars = manager.add_vars(60);
    hard(&manager, &vars).unwrap_err();
    // The store is full of garbage: the first try fails, the second succeeds.
    let mut tries = 0;
    let result = manager.retrying(|| {
        tries += 1;
        hard(&manager, &vars[..22])
    });
    assert!(result.is_ok());
    assert_eq!(tries, 2);
    let mut tries = 0;
    let result = manager.retrying(|| {
        tries += 1;
        hard(&manager, &vars)
    });
    assert_eq!((result, tries), (Err(Stop::OutOfNodes), 2));
}

#[test]
fn an_interrupt_ends_a_long_operation() {
    let manager = Manager::new(&Config::for_memory(4 << 30));
    let vars = manager.add_vars(64);
    let interrupt = Interrupt::new();
    manager.set_interrupt(interrupt.clone());
    let later = interrupt.clone();
    let requester = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        later.request();
    });
    // Without the interrupt, this would run out of nodes in the end.
    assert_eq!(hard(&manager, &vars), Err(Stop::Interrupted));
    requester.join().unwrap();
    interrupt.clear();
    assert!(hard(&manager, &vars[..16]).is_ok());
}

#[test]
fn many_short_operations_notice_the_interrupt_too() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(40);
    let interrupt = Interrupt::new();
    manager.set_interrupt(interrupt.clone());
    interrupt.request();
    let mut random = Random(5);
    let stopped = (0..10_000).find_map(|_| {
        let literals: Vec<_> = vars.iter().map(|&v| (v, random.next() & 1 == 1)).collect();
        manager.conjunction(&literals).err()
    });
    assert_eq!(stopped, Some(Stop::Interrupted));
}

#[test]
fn comparisons_can_be_interrupted() {
    let manager = Manager::new(&Config::for_memory(1 << 30));
    let vars = manager.add_vars(32);
    let f = hard(&manager, &vars).unwrap();
    let g = f.or(&hard(&manager, &vars[1..31]).unwrap()).unwrap();
    manager.collect();
    let interrupt = Interrupt::new();
    manager.set_interrupt(interrupt.clone());
    interrupt.request();
    assert_eq!(f.leq(&g), Err(Stop::Interrupted));
    interrupt.clear();
    assert_eq!(f.leq(&g), Ok(true));
    assert_eq!(g.leq(&f), Ok(false));
}

#[test]
fn thousands_of_levels_fit_on_a_small_stack() {
    let run = || {
        let manager = Manager::new(&Config::for_memory(256 << 20));
        let vars = manager.add_vars(20_000);
        let even: Vec<(Var, bool)> = vars.iter().step_by(2).map(|&v| (v, true)).collect();
        let f = manager.conjunction(&even).unwrap();
        let not_f = f.not().unwrap();
        assert!(f.and(&not_f).unwrap().is_false());
        let down = manager.renaming(&[(vars[0], vars[19_999])]);
        let mut moved = even.clone();
        moved[0].0 = vars[19_999];
        assert_eq!(f.rename(&down).unwrap(), manager.conjunction(&moved).unwrap());
        let shift: Vec<(Var, Var)> = even.iter().map(|&(v, _)| (v, Var(v.0 + 1))).collect();
        let g = f.rename(&manager.renaming(&shift)).unwrap();
        assert_eq!(g.support().len(), 10_000);
        let cube = manager.cube(&g.support());
        assert_eq!(f.and_exists(&g, &cube).unwrap(), f);
        assert_eq!(f.count(10_000), 1.0);
        assert_eq!(not_f.count(20_000), f64::INFINITY);
        assert_eq!(g.cubes().next().unwrap().len(), 10_000);
        let dag = manager.export(&[f.clone(), not_f]);
        assert_eq!(manager.import(&dag).unwrap()[0], f);
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    thread.spawn(run).unwrap().join().unwrap();
}

#[test]
fn collection_keeps_what_is_alive_and_frees_the_rest() {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(24);
    let f = hard(&manager, &vars[..20]).unwrap();
    let size = f.node_count();
    let before = manager.stats().nodes;
    assert!(before > size);
    assert!(!manager.collect_if_needed(), "too few nodes to be worth it");
    manager.collect();
    assert_eq!(manager.stats().nodes, size);
    assert_eq!(f, hard(&manager, &vars[..20]).unwrap());
    drop(f);
    manager.collect();
    assert_eq!(manager.stats().nodes, 0);
    assert_eq!(manager.stats().collections, 2);
}

#[test]
fn collect_if_needed_collects_when_nodes_doubled() {
    let manager = Manager::new(&Config::for_memory(1 << 30));
    let vars = manager.add_vars(60);
    let mut random = Random(8);
    let mut kept = manager.bdd_false();
    let mut collections = 0;
    let mut most = 1 << 23;
    while collections < 2 {
        let literals: Vec<_> = vars.iter().map(|&v| (v, random.next() & 1 == 1)).collect();
        kept = kept.or(&manager.conjunction(&literals).unwrap()).unwrap();
        let nodes = manager.stats().nodes;
        if manager.collect_if_needed() {
            collections += 1;
            assert!(nodes > most);
            most = most.max(2 * kept.node_count());
            assert_eq!(manager.stats().nodes, kept.node_count());
        } else {
            assert!(nodes <= most);
        }
    }
}

#[test]
fn the_same_calls_give_the_same_results() {
    let run = || {
        let manager = Manager::new(&Config::small());
        let vars = manager.add_vars(24);
        let f = hard(&manager, &vars).unwrap();
        let g = hard(&manager, &vars[2..22]).unwrap();
        manager.collect();
        let h = f.or(&g).unwrap();
        let dag = manager.export(&[f.clone(), g, h.clone()]);
        (dag, h.pick(), format!("{f:?} {h:?}"), manager.stats())
    };
    assert_eq!(run(), run());
}

#[test]
fn the_cache_grows_with_the_work() {
    let manager = Manager::new(&Config::for_memory(1 << 30));
    let vars = manager.add_vars(32);
    let cache_bytes = || {
        let stats = manager.stats();
        stats.bytes - 34 * stats.nodes as u64
    };
    assert_eq!(cache_bytes(), 20 << 16);
    let f = hard(&manager, &vars).unwrap();
    assert_eq!(cache_bytes(), 20 << 16, "a little work is done with a small cache");
    for rotate in 1..24 {
        let mut vars = vars.clone();
        vars.rotate_left(rotate);
        hard(&manager, &vars).unwrap();
    }
    assert_eq!(f, hard(&manager, &vars).unwrap());
    let grown = cache_bytes();
    assert!(grown >= 20 << 18, "grew to {grown} bytes");
    manager.collect();
    assert_eq!(cache_bytes(), grown);
    assert_eq!(f, hard(&manager, &vars).unwrap());
}

#[test]
fn threads_may_share_a_manager() {
    let manager = Manager::new(&Config::for_memory(1 << 30));
    let vars = manager.add_vars(28);
    let work = |rotate: usize| {
        let manager = manager.clone();
        let mut vars = vars.clone();
        move || {
            vars.rotate_left(rotate);
            let f = hard(&manager, &vars).unwrap();
            manager.collect_if_needed();
            f
        }
    };
    let threads = [0, 1, 2].map(|rotate| std::thread::spawn(work(rotate)));
    let parallel = threads.map(|thread| thread.join().unwrap());
    let alone = [0, 1, 2].map(|rotate| work(rotate)());
    assert_eq!(parallel, alone);
}
