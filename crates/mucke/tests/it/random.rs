//! Random and damaged texts: nothing panics, and what is accepted keeps its promises.

use mucke::fuzz;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::language::EXAMPLE;
use crate::shared::{WORDS, damaged};

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files(text in damaged(EXAMPLE)) {
        fuzz::mucke(text.as_bytes());
    }

    #[test]
    fn random_words(words in vec(select(WORDS), 0..40)) {
        fuzz::mucke(words.join(" ").as_bytes());
    }
}
