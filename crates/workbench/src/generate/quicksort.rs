//! Quicksort as a pushdown system, after the Moped paper (Esparza and Schwoon, CAV 2001, section 5.1, Figures 2 and 3).
//!
//! Without the array, comparisons of elements are left open, and the question is whether every run ends (`<> main1`): the
//! variants `Faulty` and `Corrected`. With the array, which may hold anything at the start, the question is whether every
//! run ends with the elements in order (`<> ok`): the variants `Sorting` and `RandomPivot`.
//!
//! Indices run from 1 to 2^n - 2 at most, so that the neighbours of the first and the last one are numbers as well. No run
//! is stuck: all answers are the same for all runs and for those without end.

/// Which Quicksort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quicksort {
    /// Figure 2: does not end where no element is above the pivot. No array.
    Faulty,
    /// Elements equal to the pivot are set apart, so that both parts are smaller than the whole. No array.
    Corrected,
    /// The corrected one with the array; the last element of a part is its pivot.
    Sorting,
    /// The same, with any element of a part as its pivot.
    RandomPivot,
}

/// The most elements whose indices, and the two numbers beside them, have so many bits.
#[must_use]
pub fn most_elements(n: u32) -> u32 {
    1_u32.checked_shl(n).map_or(u32::MAX, |numbers| numbers.saturating_sub(2))
}

/// The text, with numbers of `n` bits, at least two, and `m` elements, at least two and as many as `n` allows.
pub(super) fn write(variant: Quicksort, n: u32, m: u32) -> String {
    let n = n.max(2);
    let m = m.clamp(2, most_elements(n));
    match variant {
        Quicksort::Faulty => faulty(n),
        Quicksort::Corrected => corrected(n),
        Quicksort::Sorting => sorting(n, m, "piv' = a[right]"),
        Quicksort::RandomPivot => sorting(n, m, "(E k (1,M) (left <= k & k <= right & piv' = a[k]))"),
    }
}

/// What both variants without array have in common: any part of the array is sorted.
const START: &str = "
(q <main0>)

q <main0> --> q <sort main1> (left' >= 1 & right' <= M)
q <main1> --> q <main1>
";

fn faulty(n: u32) -> String {
    format!(
        "\
# Quicksort without the array: `<> main1` says that every run ends. It is violated: where no element is above the pivot,
# hi stays at right, and the left part is the whole again.
#
# At <split> left..lo-1 is at most the pivot a[right], hi+1..right is above it.

define N {n}
define M (1<<N)-2

local (sort, split, second, leave) int left(N), lo(N), hi(N), right(N);
{START}
q <sort>   --> q <> \"nothing to sort\" (right <= left)
q <sort>   --> q <split> \"begin\"
  (right > left & left' = left & lo' = left & hi' = right & right' = right)
q <split>  --> q <split> \"a[hi] is above the pivot: not so at first, when it is the pivot\"
  (hi >= lo & !(lo = left & hi = right) & left' = left & lo' = lo & hi' = hi - 1 & right' = right)
q <split>  --> q <split> \"a[hi] is not above the pivot: swap it with a[lo]\"
  (hi >= lo & left' = left & lo' = lo + 1 & hi' = hi & right' = right)
q <split>  --> q <sort second> \"sort the left part\"
  (hi < lo & left' = left & right' = hi & lo'' = lo & right'' = right)
q <second> --> q <sort leave> \"sort the right part\"
  (left' = lo & right' = right)
q <leave>  --> q <>
"
    )
}

fn corrected(n: u32) -> String {
    format!(
        "\
# Quicksort without the array: `<> main1` says that every run ends. It holds.
#
# At <split> left..mid-1 is below the pivot a[right], mid..lo-1 is equal to it, hi+1..right is above it.

define N {n}
define M (1<<N)-2

local (sort, split, second, leave) int left(N), mid(N), lo(N), hi(N), right(N);
{START}
q <sort>   --> q <> \"nothing to sort\" (right <= left)
q <sort>   --> q <split> \"begin\"
  (right > left & left' = left & mid' = left & lo' = left & hi' = right & right' = right)
q <split>  --> q <split> \"a[hi] is above the pivot: not so at first, when it is the pivot\"
  (hi >= lo & !(lo = left & hi = right)
    & left' = left & mid' = mid & lo' = lo & hi' = hi - 1 & right' = right)
q <split>  --> q <split> \"a[hi] is below the pivot: nor this\"
  (hi >= lo & !(lo = left & hi = right)
    & left' = left & mid' = mid + 1 & lo' = lo + 1 & hi' = hi & right' = right)
q <split>  --> q <split> \"a[hi] is equal to the pivot: swap it with a[lo]\"
  (hi >= lo & left' = left & mid' = mid & lo' = lo + 1 & hi' = hi & right' = right)
q <split>  --> q <sort second> \"sort the left part\"
  (lo = hi + 1 & left' = left & right' = mid - 1 & lo'' = lo & right'' = right)
q <second> --> q <sort leave> \"sort the right part\"
  (left' = lo & right' = right)
q <leave>  --> q <>
"
    )
}

/// With the array; `pivot` says what the pivot of left..right may be.
fn sorting(n: u32, m: u32, pivot: &str) -> String {
    format!(
        "\
# Quicksort of M elements of N bits: `<> ok` says that every run ends with a sorted array. It holds.
#
# At <split> left..mid-1 is below the pivot, mid..lo-1 is equal to it, hi+1..right is above it.

define N {n}
define M {m}

global int a[1,M](N);
local (sort, split, second, leave) int left(N), right(N), mid(N), lo(N), hi(N), piv(N);

(q <main0>)

q <main0>  --> q <sort main1> (left' = 1 & right' = M)
q <main1>  --> q <ok>    (A i (1,M-1) a[i] <= a[i+1])
q <main1>  --> q <error> (E i (1,M-1) a[i] > a[i+1])
q <ok>     --> q <ok>
q <error>  --> q <error>

q <sort>   --> q <> \"nothing to sort\"
  (right <= left & A i (1,M) a'[i] = a[i])
q <sort>   --> q <split> \"begin\"
  (right > left & left' = left & right' = right & mid' = left & lo' = left & hi' = right
    & {pivot}
    & A i (1,M) a'[i] = a[i])
q <split>  --> q <split> \"a[hi] is above the pivot\"
  (hi >= lo & a[hi] > piv
    & left' = left & right' = right & mid' = mid & lo' = lo & hi' = hi - 1 & piv' = piv
    & A i (1,M) a'[i] = a[i])
# From a[hi] to a[mid], from there to a[lo], from there to a[hi]. Of mid <= lo <= hi any two may be equal: as in two swaps,
# of a[lo] with a[hi] and then of a[mid] with a[lo], what comes to mid stays there, and lo keeps what came from mid. The
# original model of the paper has no such alternatives, and is stuck where two values would come to one place.
q <split>  --> q <split> \"a[hi] is below the pivot: rotate\"
  (hi >= lo & a[hi] < piv
    & left' = left & right' = right & mid' = mid + 1 & lo' = lo + 1 & hi' = hi & piv' = piv
    & a'[mid] = a[hi] & (lo = mid | a'[lo] = a[mid]) & (hi = lo | a'[hi] = a[lo])
    & (A i (1,M) (i = mid | i = lo | i = hi | a'[i] = a[i])))
q <split>  --> q <split> \"a[hi] is equal to the pivot: swap it with a[lo]\"
  (hi >= lo & a[hi] = piv
    & left' = left & right' = right & mid' = mid & lo' = lo + 1 & hi' = hi & piv' = piv
    & a'[lo] = a[hi] & a'[hi] = a[lo]
    & (A i (1,M) (i = lo | i = hi | a'[i] = a[i])))
q <split>  --> q <sort second> \"sort the left part\"
  (lo = hi + 1 & left' = left & right' = mid - 1 & lo'' = lo & right'' = right
    & A i (1,M) a'[i] = a[i])
q <second> --> q <sort leave> \"sort the right part\"
  (left' = lo & right' = right & A i (1,M) a'[i] = a[i])
q <leave>  --> q <> (A i (1,M) a'[i] = a[i])
"
    )
}

#[cfg(test)]
mod tests {
    use driver::temporal::{Runs, Specification, TemporalQuestion, TemporalVerdict, check_temporal};

    use super::*;

    fn holds(text: &str, formula: &str, runs: Runs) -> bool {
        let source = base::Source::new("quicksort.pds", text);
        let loaded = driver::load(source, &front_pds::PDS, &driver::FrontOptions::default()).unwrap();
        let question =
            TemporalQuestion { runs, ..TemporalQuestion::new(Specification::Formula(base::Source::new("f", formula))) };
        let outcome =
            check_temporal(&loaded, &question, &base::Context::new(&base::Budget::unlimited(), &base::Silent)).unwrap();
        match outcome.findings.verdict {
            TemporalVerdict::Holds => true,
            TemporalVerdict::Fails(_) => false,
            TemporalVerdict::Unknown(why) => panic!("{why:?}"),
        }
    }

    #[test]
    fn the_answers_are_those_of_the_paper() {
        for runs in [Runs::All, Runs::Infinite] {
            for n in [2, 3] {
                assert!(!holds(&write(Quicksort::Faulty, n, 2), "<> main1", runs));
                assert!(holds(&write(Quicksort::Corrected, n, 2), "<> main1", runs));
            }
            for (variant, m) in [(Quicksort::Sorting, 4), (Quicksort::RandomPivot, 3)] {
                let text = write(variant, 3, m);
                assert!(holds(&text, "<> ok", runs));
                assert!(!holds(&text, "<> error", runs));
            }
        }
    }

    #[test]
    fn without_the_swap_of_equal_elements_the_array_is_not_sorted() {
        let text = write(Quicksort::Sorting, 2, 2);
        let changed = text.replace("a'[lo] = a[hi] & a'[hi] = a[lo]", "a'[lo] = a[lo] & a'[hi] = a[hi]");
        assert!(text != changed && holds(&text, "<> ok", Runs::All) && !holds(&changed, "<> ok", Runs::All));
    }

    #[test]
    fn sizes_that_make_no_sense_are_made_to_fit() {
        insta::assert_snapshot!(write(Quicksort::Sorting, 3, 4));
        assert_eq!(write(Quicksort::Faulty, 0, 0), write(Quicksort::Faulty, 2, 9));
        assert_eq!(write(Quicksort::Sorting, 3, 99), write(Quicksort::Sorting, 3, 6));
        assert_eq!(write(Quicksort::Sorting, 3, 0), write(Quicksort::Sorting, 3, 2));
        assert_eq!((most_elements(4), most_elements(0), most_elements(32)), (14, 0, u32::MAX));
    }
}
