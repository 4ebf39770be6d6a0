//! Binary decision diagrams, made for model checking.
//!
//! This crate wraps one library, [OxiDD](https://oxidd.net), behind a small
//! vocabulary: a [`Manager`] owns the nodes, a [`Bdd`] is a Boolean function, a
//! [`Var`] is a variable whatever its place in the order, a [`Cube`] is a set of
//! variables to quantify and a [`Renaming`] maps variables to variables. Every
//! operation that may be long returns `Result<_, Stop>`: running out of nodes
//! and being interrupted are values, never a panic.
//!
//! What is not here: programs, relations between program variables, the choice
//! of a variable order. No other crate names the BDD library.
//!
//! ```
//! use bdd::{Config, Manager, Stop};
//!
//! # fn main() -> Result<(), Stop> {
//! let manager = Manager::new(&Config::small());
//! let [x, y, z] = manager.add_vars(3)[..] else { unreachable!() };
//! let f = manager.literal(x, true)?.and(&manager.literal(y, true)?)?;
//! let exists_x = f.exists(&manager.cube(&[x]))?;
//! assert_eq!(exists_x, manager.literal(y, true)?);
//! let renamed = f.rename(&manager.renaming(&[(x, z)]))?;
//! assert_eq!(renamed.support(), vec![y, z]);
//! assert_eq!(renamed.count(3), 2.0);
//! # Ok(())
//! # }
//! ```
//!
//! Reading order: `manager`, `handle`, then one module per operation, all
//! of them recursions on the `session` with the library. `unsafe` is denied but
//! for one statement in `cache`.

mod apply;
mod cache;
mod cofactor;
mod compare;
mod config;
mod cube;
mod dag;
mod handle;
mod inspect;
mod manager;
mod order;
mod quantify;
mod rename;
mod session;
mod stop;

pub use config::{BYTES_PER_NODE, Config};
pub use cube::{Cube, Renaming};
pub use dag::{Dag, ImportError};
pub use handle::Bdd;
pub use inspect::Cubes;
pub use manager::{Manager, Stats, Var};
pub use stop::{Interrupt, Stop};

/// Handles may cross threads.
const _: () = {
    const fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<(Manager, Bdd, Cube, Renaming, Interrupt)>();
};
