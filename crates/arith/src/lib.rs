//! Exact linear integer arithmetic: is there a solution, and if not, why not?
//!
//! A [`Linear`] form is a sum of multiples of variables and a constant, a [`Constraint`] compares a form with 0, and a
//! [`Formula`] joins constraints, and statements on divisibility, by conjunction and disjunction. [`solve`] finds an
//! integer [`Model`], which is evaluated before it is returned, or a [`Proof`] that there is none, which
//! [`proof::check`] accepts without knowing how it was found. A [`Context`] answers many related questions. Numbers are
//! exact whatever their size ([`Int`]), the same question has the same answer, and a limit of the [`base::Budget`] is
//! an answer, too.
//!
//! ```
//! use arith::{Answer, Formula, Linear, Var, proof, solve};
//! use base::Budget;
//!
//! let [x, y] = [Var(0), Var(1)].map(Linear::from);
//! let conditions: Vec<Formula> = vec![
//!     Linear::new([(Var(0), 2)], 0).equal(&(&y + &1.into())).into(), // 2x = y + 1
//!     Linear::from(1).at_most(&y).into(),                            // 1 <= y
//!     y.at_most(&x).into(),                                          // y <= x
//! ];
//! let Answer::Sat(model) = solve(&conditions, &Budget::unlimited()) else { unreachable!() };
//! assert_eq!([model.get(Var(0)), model.get(Var(1))].map(|value| value.to_i64()), [Some(1), Some(1)]);
//!
//! let more = [&conditions[..], &[y.different(&x).into()]].concat();
//! let Answer::Unsat(refuted) = solve(&more, &Budget::unlimited()) else { unreachable!() };
//! assert_eq!(proof::check(&more, &refuted), Ok(()));
//! ```
//!
//! # The mathematics
//!
//! Over the rationals, `A x <= b` has no solution if and only if some `y >= 0` has `y A = 0` and `y b < 0` (Farkas'
//! lemma: Schrijver, *Theory of Linear and Integer Programming*, 1986, section 7.3). The simplex method finds `x` or `y`;
//! here in the form of Dutertre and de Moura (*A fast linear-arithmetic solver for DPLL(T)*, CAV 2006), in which the rows
//! stay and only bounds come and go. Over the integers, valid inequalities may be rounded (cuts: Schrijver, chapter 23),
//! and cases may be distinguished. A few nodes of branch and bound decide nearly every question from programs. The
//! Omega test (Pugh, *A practical algorithm for exact array dependence analysis*, CACM 1992) decides the rest.
//!
//! A proof also says what one part of a system tells another ([`interpolate`]). A variable is eliminated exactly
//! ([`eliminate`]): the result is a condition on the others, with divisibility where it is needed.
//!
//! What is not here: programs, optimisation, quantifier alternation, products of variables.
//!
//! Modules in reading order: `int`, `linear`, `constraint`, `model`; [`proof`]; `context`, which is the front door;
//! `presolve`, `solver`; [`interpolate`] and `eliminate` stand beside it.

mod constraint;
mod context;
mod eliminate;
mod int;
pub mod interpolate;
mod linear;
mod model;
mod presolve;
pub mod proof;
mod solver;

pub use constraint::{Constraint, Formula, Relation};
pub use context::{Answer, Condition, Context, entails, equivalent, solve};
pub use eliminate::eliminate;
pub use int::Int;
pub use linear::{Linear, Var};
pub use model::Model;
pub use proof::Proof;
