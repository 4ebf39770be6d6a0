//! What the parsers by recursive descent share.
//!
//! A language lists its tokens in an enumeration that derives [`logos::Logos`] and implements [`Token`]. Its parser holds
//! a [`Cursor`] and implements [`Descent`], whose methods then read as the grammar does.
//!
//! Modules in reading order:
//! - [`scanner`]: from text to tokens, one by one, with comments and text that belongs to no token;
//! - [`cursor`]: the next tokens and the nesting around them;
//! - [`descent`]: the methods of a parser.

pub mod cursor;
pub mod descent;
pub mod scanner;

pub use cursor::Cursor;
pub use descent::Descent;
pub use scanner::{Comment, Lexeme, Piece, Rules, Scanner, Token};

#[cfg(test)]
mod tests;
