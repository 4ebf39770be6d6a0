//! Truth tables as the meaning of functions, and a deterministic source of
//! random numbers.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "an operation that stops is a failed test")]
#![allow(dead_code, reason = "every test binary uses its own part")]

use bdd::{Bdd, Manager, Var};

/// A function over at most six variables: bit `a` is its value where variable
/// `i` has the value of bit `i` of `a`.
pub(crate) type Table = u64;

/// The bits in use over `n` variables.
pub(crate) fn mask(n: usize) -> Table {
    if n == 6 { u64::MAX } else { (1 << (1 << n)) - 1 }
}

/// The table of variable `i`.
pub(crate) fn var_table(n: usize, i: usize) -> Table {
    table_of(n, |a| a >> i & 1 == 1)
}

pub(crate) fn table_of(n: usize, f: impl Fn(usize) -> bool) -> Table {
    (0..1_usize << n).filter(|&a| f(a)).map(|a| 1 << a).fold(0, |t, bit: u64| t | bit)
}

pub(crate) fn at(table: Table, a: usize) -> bool {
    table >> a & 1 == 1
}

/// `table` with variable `i` set.
pub(crate) fn set(n: usize, table: Table, i: usize, value: bool) -> Table {
    let fixed = |a: usize| (a & !(1 << i)) | usize::from(value) << i;
    table_of(n, |a| at(table, fixed(a)))
}

pub(crate) fn exists(n: usize, table: Table, i: usize) -> Table {
    set(n, table, i, false) | set(n, table, i, true)
}

pub(crate) fn forall(n: usize, table: Table, i: usize) -> Table {
    set(n, table, i, false) & set(n, table, i, true)
}

/// Simultaneous substitution of variable `i` by variable `image[i]`.
pub(crate) fn rename(n: usize, table: Table, image: &[usize]) -> Table {
    table_of(n, |a| {
        let b = (0..n).fold(0, |b, i| b | (a >> image[i] & 1) << i);
        at(table, b)
    })
}

/// The function with a given table, by Shannon expansion on `ite`.
pub(crate) fn build(manager: &Manager, vars: &[Var], table: Table) -> Bdd {
    fn go(manager: &Manager, vars: &[Var], table: Table, depth: usize, a: usize) -> Bdd {
        if depth == vars.len() {
            return manager.constant(at(table, a));
        }
        let lo = go(manager, vars, table, depth + 1, a);
        let hi = go(manager, vars, table, depth + 1, a | 1 << depth);
        let x = manager.literal(vars[depth], true).unwrap();
        x.ite(&hi, &lo).unwrap()
    }
    go(manager, vars, table, 0, 0)
}

/// The table of a function, by evaluation.
pub(crate) fn table(vars: &[Var], f: &Bdd) -> Table {
    table_of(vars.len(), |a| {
        f.eval(&|v| {
            let i = vars.iter().position(|&x| x == v).expect("a known variable");
            a >> i & 1 == 1
        })
    })
}

/// xorshift64*
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
}
