//! The candidates for a smaller text. Each function gives those that change something at one position, best first.

use std::ops::Range;

use super::structure::{closing, comma_parts};
use super::token::Tokens;

/// Longest run of tokens that is removed without regard to structure.
const MAX_WINDOW: usize = 6;

/// In place of an `if` or `while`: one of its blocks.
pub(super) fn unwrapped<'t>(tokens: &Tokens<'t>, at: usize) -> Vec<Tokens<'t>> {
    let Some(end) = closing(tokens, at).filter(|_| matches!(tokens[at], "if" | "while")) else { return Vec::new() };
    let after = end + usize::from(tokens.get(end) == Some(&";"));
    blocks(tokens, at..end).into_iter().map(|block| spliced(tokens, at..after, &tokens[block])).collect()
}

/// The blocks of the `if` or `while` that is the range.
fn blocks(tokens: &[&str], range: Range<usize>) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut depth = 0_usize;
    let mut start = None;
    for i in range {
        let opens = matches!(tokens[i], "if" | "while");
        let closes = matches!(tokens[i], "fi" | "od");
        if depth == 1 && (closes || matches!(tokens[i], "elsif" | "else")) {
            blocks.extend(start.take().map(|start| start..i));
        }
        depth = if opens { depth + 1 } else { depth.saturating_sub(usize::from(closes)) };
        if depth == 1 && matches!(tokens[i], "then" | "else" | "do") {
            start = Some(i + 1);
        }
    }
    blocks
}

/// A parallel assignment with one target less, or a list of names with one less.
pub(super) fn without_list_items<'t>(tokens: &Tokens<'t>, at: usize) -> Vec<Tokens<'t>> {
    if tokens[at] != ":=" {
        return Vec::new();
    }
    let is_edge = |token: &str| matches!(token, ";" | "begin" | "then" | "else" | "do" | ":" | "decl" | "fi" | "od");
    let start = tokens[..at].iter().rposition(|token| is_edge(token)).map_or(0, |edge| edge + 1);
    let end =
        tokens[at..].iter().position(|token| matches!(*token, ";" | "constrain")).map_or(tokens.len(), |i| at + i);
    let left = comma_parts(tokens, start..at);
    let right = comma_parts(tokens, at + 1..end);
    if left.len() != right.len() || left.len() < 2 {
        return Vec::new();
    }
    let without = |i: usize| {
        let shorter = spliced(tokens, with_comma(&right, i), &[]);
        spliced(&shorter, with_comma(&left, i), &[])
    };
    (0..left.len()).map(without).collect()
}

/// The part and the comma that goes with it.
fn with_comma(parts: &[Range<usize>], i: usize) -> Range<usize> {
    match parts.get(i + 1) {
        Some(next) => parts[i].start..next.start,
        None if i > 0 => parts[i - 1].end..parts[i].end,
        None => parts[i].clone(),
    }
}

/// A procedure with one parameter less, and all of its calls with one argument less.
pub(super) fn without_parameters<'t>(tokens: &Tokens<'t>, at: usize) -> Vec<Tokens<'t>> {
    let head = closing(tokens, at + 1).filter(|end| tokens.get(*end) == Some(&"begin") && tokens[at + 1] == "(");
    let Some(end) = head else { return Vec::new() };
    let n_parameters = comma_parts(tokens, at + 2..end - 1).len();
    (0..n_parameters).map(|i| without_argument(tokens, tokens[at], n_parameters, i)).collect()
}

fn without_argument<'t>(tokens: &Tokens<'t>, procedure: &str, n: usize, i: usize) -> Tokens<'t> {
    let mut result = tokens.clone();
    for at in (0..tokens.len()).rev().filter(|at| tokens[*at] == procedure) {
        // What stands behind has been shortened already, so that positions up to here are still right.
        let Some(end) = closing(&result, at + 1).filter(|_| result[at + 1] == "(") else { continue };
        let parts = comma_parts(&result, at + 2..end - 1);
        if parts.len() == n {
            result.drain(with_comma(&parts, i));
        }
    }
    result
}

/// In place of a name, or of a bracket with all that is inside: a constant.
pub(super) fn with_constants<'t>(tokens: &Tokens<'t>, at: usize) -> Vec<Tokens<'t>> {
    // Not `T` and `F`, which could be declared.
    let constants: [&'static str; 2] = ["1", "0"];
    if is_name(tokens[at]) {
        return constants.into_iter().map(|value| spliced(tokens, at..at + 1, &[value])).collect();
    }
    let Some(end) = closing(tokens, at).filter(|end| matches!(tokens[at], "(" | "[") && *end > at + 3) else {
        return Vec::new();
    };
    let start = at - usize::from(at > 0 && tokens[at] == "[");
    let constant = |value: &'static str| {
        let brackets: &[&str] = if tokens[at] == "(" { &["(", value, ")"] } else { &[value] };
        spliced(tokens, start..end, brackets)
    };
    constants.into_iter().map(constant).collect()
}

/// Names and keywords, primed or not.
fn is_name(token: &str) -> bool {
    token.trim_start_matches('\'').starts_with(|c: char| c.is_ascii_alphabetic() || "_${".contains(c))
}

/// Without some tokens in a row, long runs first, or with `skip` in place of a statement.
pub(super) fn without_windows<'t>(tokens: &Tokens<'t>, at: usize) -> Vec<Tokens<'t>> {
    let longest = MAX_WINDOW.min(tokens.len() - at);
    let mut candidates: Vec<_> = (1..=longest).rev().map(|n| spliced(tokens, at..at + n, &[])).collect();
    if matches!(tokens[at], "(" | "[") {
        candidates.extend(closing(tokens, at).map(|end| spliced(tokens, at..end, &[])));
        // Only the brackets themselves.
        candidates.extend(closing(tokens, at).map(|end| spliced(tokens, at..end, &tokens[at + 1..end - 1])));
    }
    candidates
}

/// The tokens with a range replaced.
fn spliced<'t>(tokens: &[&'t str], range: Range<usize>, by: &[&'t str]) -> Tokens<'t> {
    [&tokens[..range.start], by, &tokens[range.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shrink::token::tokens;

    fn all(text: &str, edit: for<'t> fn(&Tokens<'t>, usize) -> Vec<Tokens<'t>>) -> Vec<String> {
        let tokens = tokens(text);
        (0..tokens.len()).flat_map(|at| edit(&tokens, at)).map(|candidate| candidate.join(" ")).collect()
    }

    #[test]
    fn bodies_replace_statements() {
        let candidates = all("if a then if b then x; fi y; else z; fi while c do w; od", unwrapped);
        assert_eq!(
            candidates,
            [
                "if b then x ; fi y ; while c do w ; od",
                "z ; while c do w ; od",
                "if a then x ; y ; else z ; fi while c do w ; od",
                "if a then if b then x ; fi y ; else z ; fi w ;",
            ]
        );
    }

    #[test]
    fn assignments_lose_targets_with_their_values() {
        assert_eq!(all("L: a, b := f[1, 2], c;", without_list_items), ["L : b := c ;", "L : a := f [ 1 , 2 ] ;"]);
        assert_eq!(all("a, b := p(1, 2);", without_list_items), Vec::<String>::new());
    }

    #[test]
    fn parameters_go_with_the_arguments() {
        let text = "void p(a, b) begin p(b, f(a, c)); end";
        assert_eq!(
            all(text, without_parameters),
            ["void p ( b ) begin p ( f ( a , c ) ) ; end", "void p ( a ) begin p ( b ) ; end"]
        );
    }

    #[test]
    fn names_and_brackets_become_constants() {
        assert_eq!(
            all("[a, b] & (1 | 0);", with_constants),
            [
                "1 & ( 1 | 0 ) ;",
                "0 & ( 1 | 0 ) ;",
                "[ 1 , b ] & ( 1 | 0 ) ;",
                "[ 0 , b ] & ( 1 | 0 ) ;",
                "[ a , 1 ] & ( 1 | 0 ) ;",
                "[ a , 0 ] & ( 1 | 0 ) ;",
                "[ a , b ] & ( 1 ) ;",
                "[ a , b ] & ( 0 ) ;",
            ]
        );
    }
}
