//! Nanoseconds per operation; run with `cargo run --release --example speed`.
//!
//! Small: millions of operations on functions of ten to forty nodes, as summaries
//! of procedures are. Large: the closure of a relation and the queens problem.
#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use bdd::{Bdd, Config, Cube, Interrupt, Manager, Renaming, Stop, Var};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

/// A random relation between neighbouring variables of `vars`.
fn relation(manager: &Manager, vars: &[Var], random: &mut Random) -> Result<Bdd, Stop> {
    let mut f = manager.bdd_true();
    for pair in vars.windows(3).step_by(2) {
        let lit = |v: Var, bit: u64| manager.literal(v, bit & 1 == 1);
        let r = random.next();
        let clause = lit(pair[0], r)?.or(&lit(pair[1], r >> 1)?)?;
        let clause = clause.or(&lit(pair[2], r >> 2)?)?;
        let equal = lit(pair[0], r >> 3)?.iff(&lit(pair[1], r >> 4)?)?;
        f = f.and(if r & 32 == 0 { &clause } else { &equal })?;
    }
    Ok(f)
}

/// Relations between two copies of some variables, and between the next two.
struct Small {
    manager: Manager,
    xy: Vec<Bdd>,
    yz: Vec<Bdd>,
    /// Quantifies the common copy.
    middle: Cube,
    /// From the last copy to the middle one.
    back: Renaming,
    /// From the first two copies to the last two.
    next: Renaming,
}

impl Small {
    fn new(n_declared: usize, width: usize) -> Result<Self, Stop> {
        const RELATIONS: usize = 100;
        let manager = Manager::new(&Config::for_memory(1 << 30));
        let vars = manager.add_vars(n_declared);
        let place = n_declared / 2;
        let copies = |c: usize| vars[place + c..].iter().step_by(3).take(width).copied();
        let x_and_y: Vec<Var> = copies(0).zip(copies(1)).flat_map(|(x, y)| [x, y]).collect();
        let mut random = Random(1);
        let xy = (0..RELATIONS).map(|_| relation(&manager, &x_and_y, &mut random));
        let xy: Vec<Bdd> = xy.collect::<Result<_, _>>()?;
        let next: Vec<_> = copies(0).zip(copies(1)).chain(copies(1).zip(copies(2))).collect();
        let next = manager.renaming(&next);
        let yz = xy.iter().map(|f| f.rename(&next)).collect::<Result<_, _>>()?;
        let middle = manager.cube(&copies(1).collect::<Vec<_>>());
        let back = manager.renaming(&copies(2).zip(copies(1)).collect::<Vec<_>>());
        let nodes: usize = xy.iter().map(Bdd::node_count).sum();
        println!("-- {n_declared} declared variables, {} nodes on average", nodes / RELATIONS);
        Ok(Self { manager, xy, yz, middle, back, next })
    }

    /// Time `op` on pairs without repetition, when all is cached and when nothing is:
    /// the best of many rounds, so that a busy machine matters less.
    fn time(&self, name: &str, op: impl Fn(&Bdd, &Bdd) -> Result<Bdd, Stop>) -> Result<(), Stop> {
        let pairs = self.xy.iter().flat_map(|f| self.yz.iter().map(move |g| (f, g)));
        let pairs: Vec<_> = pairs.step_by(101).collect();
        let mut best = [Duration::MAX; 2];
        for _ in 0..50 {
            self.manager.collect();
            let mut kept = Vec::with_capacity(pairs.len());
            for best in &mut best {
                kept.clear();
                let start = Instant::now();
                for (f, g) in &pairs {
                    kept.push(op(f, g)?);
                }
                *best = start.elapsed().min(*best);
            }
        }
        let nodes = kept_nodes(&pairs, &op)?;
        let [cold, warm] = best.map(|best| best.as_nanos() as f64 / pairs.len() as f64);
        println!("{name:24} cold {cold:7.1} ns, cached {warm:6.1} ns, {nodes:5.1} nodes");
        Ok(())
    }

    fn run(&self) -> Result<(), Stop> {
        self.time("clone", |f, _| Ok(f.clone()))?;
        self.time("and", |f, g| f.and(g))?;
        self.time("or", |f, g| f.or(g))?;
        self.time("rename", |f, _| f.rename(&self.next))?;
        self.time("and_exists", |f, g| f.and_exists(g, &self.middle))?;
        self.time("and_exists, then rename", |f, g| f.and_exists(g, &self.middle)?.rename(&self.back))?;
        self.time("and_exists_rename", |f, g| f.and_exists_rename(g, &self.middle, &self.back))?;
        self.time("leq", |f, g| f.leq(g).map(|_| f.clone()))
    }
}

/// The average size of the results.
fn kept_nodes(pairs: &[(&Bdd, &Bdd)], op: impl Fn(&Bdd, &Bdd) -> Result<Bdd, Stop>) -> Result<f64, Stop> {
    let mut nodes = 0;
    for (f, g) in pairs {
        nodes += op(f, g)?.node_count();
    }
    Ok(nodes as f64 / pairs.len() as f64)
}

/// The transitive closure of a random sparse graph on `2^bits` points.
fn closure(bits: usize, edges: usize) -> Result<(), Stop> {
    let manager = Manager::new(&Config::for_memory(2 << 30));
    let start = Instant::now();
    let vars = manager.add_vars(3 * bits);
    let copy = |c: usize| -> Vec<Var> { (0..bits).map(|i| vars[3 * i + c]).collect() };
    let [x, y, z] = [copy(0), copy(1), copy(2)];
    let mut random = Random(3);
    let mut relation = manager.bdd_false();
    for _ in 0..edges {
        let r = random.next();
        let literals: Vec<(Var, bool)> =
            (0..bits).flat_map(|i| [(x[i], r >> i & 1 == 1), (z[i], r >> (32 + i) & 1 == 1)]).collect();
        relation = relation.or(&manager.conjunction(&literals)?)?;
    }
    let left = manager.renaming(&z.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>());
    let right = manager.renaming(&x.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>());
    let middle = manager.cube(&y);
    let mut closed = relation;
    loop {
        let product = closed.rename(&left)?.and_exists(&closed.rename(&right)?, &middle)?;
        let next = closed.or(&product)?;
        if next == closed {
            break;
        }
        closed = next;
        manager.collect_if_needed();
    }
    println!(
        "closure of {edges} edges on 2^{bits} points: {:.2} s, {} pairs, {} nodes, {:?}",
        start.elapsed().as_secs_f64(),
        closed.count(2 * bits),
        closed.node_count(),
        manager.stats()
    );
    Ok(())
}

fn queens(n: usize) -> Result<(), Stop> {
    let manager = Manager::new(&Config::for_memory(2 << 30));
    let start = Instant::now();
    let vars = manager.add_vars(n * n);
    let mut board = manager.bdd_true();
    for row in 0..n {
        let mut some = manager.bdd_false();
        for col in 0..n {
            some = some.or(&manager.literal(vars[row * n + col], true)?)?;
        }
        board = board.and(&some)?;
    }
    for row in 0..n {
        for col in 0..n {
            let mut literals = Vec::new();
            for r in 0..n {
                for c in 0..n {
                    let attacked = r == row || c == col || r + c == row + col || r + col == row + c;
                    if attacked && (r, c) != (row, col) {
                        literals.push((vars[r * n + c], false));
                    }
                }
            }
            let alone = manager.conjunction(&literals)?;
            board = board.and(&manager.literal(vars[row * n + col], true)?.implies(&alone)?)?;
        }
    }
    println!(
        "queens {n}: {:.2} s, {} solutions, {:?}",
        start.elapsed().as_secs_f64(),
        board.count(n * n),
        manager.stats()
    );
    Ok(())
}

/// The worst order for `x = y` on 14 bits, and a better one.
fn sifting() -> Result<(), Stop> {
    let manager = Manager::new(&Config::small());
    let vars = manager.add_vars(28);
    let mut f = manager.bdd_true();
    for i in 0..14 {
        let (x, y) = (manager.literal(vars[i], true)?, manager.literal(vars[14 + i], true)?);
        f = f.and(&x.iff(&y)?)?;
    }
    let before = f.node_count();
    let start = Instant::now();
    manager.sift(&[])?;
    let elapsed = start.elapsed().as_secs_f64();
    println!("sifting: {before} to {} nodes in {elapsed:.2} s", f.node_count());
    Ok(())
}

/// How long after the request an exponential operation ends, by the wall clock.
fn interrupt() -> Result<(), Stop> {
    let manager = Manager::new(&Config::for_memory(8 << 30));
    let vars = manager.add_vars(64);
    let mut halves = [manager.bdd_true(), manager.bdd_true()];
    for i in 0..20 {
        for (half, step) in halves.iter_mut().zip([7, 11]) {
            let (x, y) = (manager.literal(vars[i], true)?, manager.literal(vars[32 + i * step % 20], true)?);
            *half = half.and(&x.or(&y)?)?;
        }
    }
    let flag = Interrupt::new();
    manager.set_interrupt(flag.clone());
    let waiter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        flag.request();
        Instant::now()
    });
    let result = halves[0].xor(&halves[1]);
    let end = Instant::now();
    if let Ok(requested) = waiter.join() {
        println!("interrupt: {result:?} after {:?}", end.saturating_duration_since(requested));
    }
    Ok(())
}

fn start_up(name: &str, config: &Config) {
    let start = Instant::now();
    let manager = Manager::new(config);
    let vars = manager.add_vars(20);
    let f = manager.literal(vars[3], true);
    black_box(&f);
    println!("start with {name}: {:?}", start.elapsed());
}

fn main() -> Result<(), Stop> {
    for _ in 0..2 {
        start_up("Config::small", &Config::small());
        start_up("Config::default", &Config::default());
        start_up("16 GiB", &Config::for_memory(16 << 30));
    }
    Small::new(100, 4)?.run()?;
    Small::new(5000, 4)?.run()?;
    Small::new(100, 8)?.run()?;
    closure(10, 700)?;
    closure(11, 1700)?;
    queens(8)?;
    queens(9)?;
    sifting()?;
    interrupt()
}
