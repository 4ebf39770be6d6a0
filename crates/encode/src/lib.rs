//! Program to decision diagrams: what every symbolic engine works with.
//!
//! Everything that decides the size of the diagrams is decided here: which bits exist, which copies they have, in
//! which order they stand. No search, no fixed points.
//!
//! Modules in reading order:
//! - `effects`: what each procedure may change and what its callers see;
//! - `slots`: where bits live, each with five copies;
//! - `kinds`: variables whose values meet bit by bit;
//! - `columns`: locals of different procedures share slots;
//! - `order`: slots that occur together become neighbours;
//! - `select`: with arrays, what selects and what is selected;
//! - `arrangement`: the static order of slots, made of all these;
//! - `circuit`: arithmetic on vectors of diagrams;
//! - `blast`: expressions and relations to diagrams;
//! - `image`: steps as images of sets;
//! - `call`: calls as images, and summaries lifted to call edges;
//! - `transfer`: calls as pushes and pops of symbolic automata;
//! - `parallel`: steps between the same two locations, taken together;
//! - `alike`: edges that have the same diagrams;
//! - `encoding`: all of it for one program, built on demand;
//! - `supply`: a program as the model of the fixed-point calculus.

mod alike;
mod arrangement;
mod blast;
mod call;
mod circuit;
mod columns;
mod effects;
mod encoding;
mod image;
mod kinds;
mod order;
mod parallel;
mod select;
mod slots;
mod supply;
mod transfer;

pub use call::{CallImages, Crossing};
pub use effects::Effects;
pub use encoding::Encoding;
pub use image::Image;
pub use parallel::parallel;
pub use slots::{Copy, Slot, Slots};
pub use supply::{Event, Point, Points, State, Supply};
pub use transfer::{Detail, Transfers};
