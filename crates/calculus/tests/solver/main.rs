//! The solver against a literal transcription of the operational semantics, on random systems over random models.

mod derive;
mod dice;
mod evaluate;
mod explain;
mod literal;
mod model;
mod multiplied;
mod numbers;
mod random;
