//! What selects and what is selected, in programs with arrays.
//!
//! Moped's advice for orders: indices above elements. A diagram that has read the indices knows which elements matter.
//! A kind (`kinds`) selects when an index is made of one of its variables. A scalar of the same kind as elements (a pivot) is read with them, bit
//! by bit, so it belongs among them.

use base::IdVec;
use program::{Program, Scope, Sort, VariableId};

use crate::kinds::Kinds;
use crate::slots::width;

/// By variable: how many of its low bits stand above what is selected.
///
/// A kind that selects and has elements, like pointers or the `int` of a language, has to be in both places. Pointers are
/// no wider than it takes to tell the elements of an array apart: they are above. Of wider numbers only the bits that tell
/// elements apart are above, and only where an index is made of them: to have all bits there would tear sums apart.
pub(crate) fn bits_above(program: &Program, kinds: &Kinds) -> IdVec<VariableId, u32> {
    let n = program.variables.len();
    let (mut index_bits, mut has_elements) = (IdVec::filled(n, 0), IdVec::filled(n, false));
    let is_array = |variable: VariableId| matches!(program.sort(variable), Sort::Array(..));
    for variable in program.variables.ids() {
        let kind = kinds.of_variable(variable).0;
        index_bits[kind] = kinds.index_bits[variable].max(index_bits[kind]);
        has_elements[kind] |= is_array(variable);
    }
    let above = |id: VariableId| {
        let kind = kinds.of_variable(id).0;
        let is_local = matches!(program.variables[id].scope, Scope::Local(_));
        match (index_bits[kind], has_elements[kind]) {
            _ if is_array(id) => 0,
            // What has nothing to do with arrays: flags of the procedure decide about the way.
            (0, has_elements) => {
                if has_elements || !is_local {
                    0
                } else {
                    u32::MAX
                }
            }
            (_, false) => u32::MAX,
            (bits, true) if width(program, program.sort(id)) <= bits as usize => u32::MAX,
            (_, true) => kinds.index_bits[id],
        }
    };
    program.variables.ids().map(above).collect()
}

#[cfg(test)]
mod tests {
    use base::Source;

    use super::*;

    /// The names of the variables that are placed below.
    fn below(text: &str) -> Vec<String> {
        let (program, _) = program::text::parse(&Source::new("test", text)).unwrap();
        let above = bits_above(&program, &Kinds::of(&program));
        let names = program.variables.iter_ids().filter(|(id, _)| above[*id] == 0);
        names.map(|(_, variable)| variable.name.clone()).collect()
    }

    #[test]
    fn what_is_compared_with_elements_is_below_and_what_is_compared_with_indices_is_not() {
        let names = below(
            "shared a: [bits<2>; 4]; shared flag: bool; shared first: bits<2>; thread t: main;
             procedure main() { local left: bits<2>; local i: bits<2>; local pivot: bits<2>; local done: bool;
             entry 0; exit 1;
             0: -> 0 when ult(left, i) & done do pivot := a[i];
                -> 0 when ult(a[left], pivot) do a[first] := pivot, flag := ult(left, pivot);
             1: }",
        );
        // The last comparison makes one kind of all numbers; then arrays alone are below, and what has no kind.
        assert_eq!(names, ["a", "flag"]);
        let names = below(
            "shared a: [bits<2>; 4]; shared flag: bool; shared first: bits<2>; thread t: main;
             procedure main() { local left: bits<2>; local i: bits<2>; local pivot: bits<2>; local done: bool;
             entry 0; exit 1;
             0: -> 0 when ult(left, i) & done do pivot := a[i];
                -> 0 when ult(a[i], pivot) do a[first] := pivot, left := first;
             1: }",
        );
        assert_eq!(names, ["a", "flag", "pivot"]);
    }
}
