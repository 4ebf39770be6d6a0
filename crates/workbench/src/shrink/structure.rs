//! Which tokens belong together.

use std::ops::Range;

/// Parts of a text that stand side by side and can be removed without the others: procedures and declarations at the
/// outermost level, the statements of each block, the branches of each `if`. Outer groups come first.
pub(super) fn groups(tokens: &[&str]) -> Vec<Vec<Range<usize>>> {
    let mut scan =
        Scan { groups: vec![Vec::new()], open: vec![Open { group: 0, item: 0, arms: None }], parentheses: 0 };
    for (i, token) in tokens.iter().enumerate() {
        scan.token(i, token, tokens.get(i + 1).copied());
    }
    scan.groups.retain(|group| !group.is_empty());
    scan.groups
}

struct Scan {
    groups: Vec<Vec<Range<usize>>>,
    /// The blocks that are open, outermost first; the first one is the whole text and never closed.
    open: Vec<Open>,
    parentheses: usize,
}

struct Open {
    /// The group of the block's items.
    group: usize,
    /// Where the current item starts.
    item: usize,
    /// Of a block that is a branch: the group of the later branches and where the current one starts, if it is one.
    arms: Option<(usize, Option<usize>)>,
}

impl Scan {
    fn token(&mut self, i: usize, token: &str, next: Option<&str>) {
        match token {
            "(" | "[" => self.parentheses += 1,
            ")" | "]" => self.parentheses = self.parentheses.saturating_sub(1),
            "begin" | "do" => self.begin(i + 1, None),
            "then" => self.then(i + 1),
            "elsif" | "else" => self.next_arm(i, token),
            "end" | "fi" | "od" => self.close(i, next),
            ";" if self.parentheses == 0 => self.end_item(i + 1),
            _ => {}
        }
    }

    fn begin(&mut self, start: usize, arms: Option<(usize, Option<usize>)>) {
        self.parentheses = 0;
        self.groups.push(Vec::new());
        self.open.push(Open { group: self.groups.len() - 1, item: start, arms });
    }

    /// After `if c` a branch with a new group of later branches begins; after `elsif c` the branch has begun already.
    fn then(&mut self, start: usize) {
        let waiting = self.open.last().is_some_and(|open| open.item == usize::MAX);
        match self.open.last_mut().filter(|_| waiting) {
            Some(open) => open.item = start,
            None => {
                self.groups.push(Vec::new());
                let arms = self.groups.len() - 1;
                self.begin(start, Some((arms, None)));
            }
        }
    }

    /// The branch ends, and a later one of the same `if` begins.
    fn next_arm(&mut self, i: usize, token: &str) {
        let Some((arms, start)) = self.open.last().and_then(|open| open.arms) else { return };
        self.groups[arms].extend(start.map(|start| start..i));
        self.open.pop();
        let items = if token == "else" { i + 1 } else { usize::MAX };
        self.begin(items, Some((arms, Some(i))));
    }

    fn close(&mut self, i: usize, next: Option<&str>) {
        if self.open.len() < 2 {
            return;
        }
        if let Some(Open { arms: Some((arms, Some(start))), .. }) = self.open.pop() {
            self.groups[arms].push(start..i);
        }
        if next != Some(";") {
            self.end_item(i + 1);
        }
    }

    fn end_item(&mut self, end: usize) {
        if let Some(open) = self.open.last_mut().filter(|open| open.item < end) {
            self.groups[open.group].push(open.item..end);
            open.item = end;
        }
    }
}

/// The position after the bracket that closes the one at `open`; none: there is no bracket, or it stays open.
pub(super) fn closing(tokens: &[&str], open: usize) -> Option<usize> {
    let (left, right): (&[&str], &[&str]) = match *tokens.get(open)? {
        "(" | "[" => (&["(", "["], &[")", "]"]),
        "if" => (&["if"], &["fi"]),
        "while" => (&["while"], &["od"]),
        "begin" => (&["begin"], &["end"]),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        if left.contains(token) {
            depth += 1;
        } else if right.contains(token) {
            depth -= 1;
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

/// The parts between the commas of a range, brackets inside aside.
pub(super) fn comma_parts(tokens: &[&str], range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    let mut depth = 0_usize;
    for i in range.clone() {
        match tokens[i] {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                parts.push(start..i);
                start = i + 1;
            }
            _ => {}
        }
    }
    if !range.is_empty() {
        parts.push(start..range.end);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shrink::token::tokens;

    fn check(text: &str) -> Vec<Vec<String>> {
        let tokens = tokens(text);
        let groups = groups(&tokens);
        groups.into_iter().map(|group| group.into_iter().map(|range| tokens[range].join(" ")).collect()).collect()
    }

    #[test]
    fn items_statements_and_branches() {
        insta::assert_debug_snapshot!(check(
            "decl a; void p() begin x := f(a); if a then skip; skip; elsif b then goto L; else a := T; fi while * do skip; od; end"
        ), @r#"
        [
            [
                "decl a ;",
                "void p ( ) begin x := f ( a ) ; if a then skip ; skip ; elsif b then goto L ; else a := T ; fi while * do skip ; od ; end",
            ],
            [
                "x := f ( a ) ;",
                "if a then skip ; skip ; elsif b then goto L ; else a := T ; fi",
                "while * do skip ; od ;",
            ],
            [
                "elsif b then goto L ;",
                "else a := T ;",
            ],
            [
                "skip ;",
                "skip ;",
            ],
            [
                "goto L ;",
            ],
            [
                "a := T ;",
            ],
            [
                "skip ;",
            ],
        ]
        "#);
    }

    #[test]
    fn broken_texts_have_groups() {
        assert_eq!(check("end fi ; else begin"), [["end fi ;"]]);
    }

    #[test]
    fn brackets() {
        let tokens = tokens("( a [ b ] ( ) ) if if fi");
        assert_eq!([closing(&tokens, 0), closing(&tokens, 1), closing(&tokens, 8)], [Some(8), None, None]);
        assert_eq!(comma_parts(&["a", ",", "(", ",", ")"], 0..5), [0..1, 2..5]);
        assert!(comma_parts(&[], 0..0).is_empty());
    }
}
