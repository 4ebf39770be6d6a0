//! Text to tokens and back.
//!
//! Only as much of the language as is needed to cut texts in sensible places: every text has tokens.

/// The tokens of a text, without comments.
pub(super) type Tokens<'t> = Vec<&'t str>;

/// Symbols of more than one character, longest first.
const SYMBOLS: &[&str] = &["<=>", ":=", "=>", "->", "==", "!=", "&&", "||"];

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line_start = true;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            line_start |= first == '\n';
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (length, is_comment) = token_length(rest, first, line_start);
        if !is_comment {
            tokens.push(&rest[..length]);
        }
        line_start = false;
        rest = &rest[length..];
    }
    tokens
}

/// Length of the token at the start of the text, and whether it is a comment.
fn token_length(text: &str, first: char, line_start: bool) -> (usize, bool) {
    let line = text.find('\n').unwrap_or(text.len());
    if text.starts_with("//") || line_start && first == '#' {
        return (line, true);
    }
    if text.starts_with("/*") {
        return (text.find("*/").map_or(text.len(), |end| end + 2), true);
    }
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| text.starts_with(**symbol)) {
        return (symbol.len(), false);
    }
    // A prime belongs to the name after it.
    let prime = usize::from(first == '\'');
    (prime + name_length(&text[prime..], line - prime).max(if prime > 0 { 0 } else { first.len_utf8() }), false)
}

/// Length of the name or number at the start of the text; zero if there is none.
fn name_length(text: &str, line: usize) -> usize {
    if text.starts_with('{') {
        return text[..line].find('}').map_or(0, |end| end + 1);
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$.@".contains(c);
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// A readable text with the given tokens.
pub(super) fn layout(tokens: &[&str]) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    let mut line_start = true;
    let mut parentheses = 0_usize;
    let mut previous = "";
    for (i, token) in tokens.iter().enumerate() {
        if matches!(*token, "end" | "fi" | "od" | "else" | "elsif") {
            depth = depth.saturating_sub(1);
            line_start = true;
        }
        separate(&mut text, line_start, depth, (previous, token));
        text.push_str(token);
        previous = token;
        match *token {
            "(" | "[" => parentheses += 1,
            ")" | "]" => parentheses = parentheses.saturating_sub(1),
            "begin" | "then" | "do" | "else" => depth += 1,
            _ => {}
        }
        let closes = matches!(*token, "end" | "fi" | "od") && tokens.get(i + 1) != Some(&";");
        line_start = closes || matches!(*token, "begin" | "then" | "do" | "else") || *token == ";" && parentheses == 0;
    }
    text.push('\n');
    text
}

/// What stands before a token: a new line, a space or nothing.
fn separate(text: &mut String, line_start: bool, depth: usize, (previous, token): (&str, &str)) {
    let is_name = name_length(previous, previous.len()) == previous.len();
    let is_keyword = matches!(previous, "if" | "elsif" | "while" | "constrain" | "return" | "enforce");
    let tight = matches!(token, ";" | "," | ")" | "]" | ":" | "<" | ">")
        || matches!(previous, "(" | "[" | "!" | "~" | "<")
        || matches!(token, "(" | "[") && is_name && !is_keyword;
    if text.is_empty() {
    } else if line_start {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    } else if !tight {
        text.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_token() {
        let text = "# line\ndecl {x # y}, a.b; // c\nL1: 'a, '{p q} := schoose[x<=>*,!b] /* d\n */ bool<2> \u{e9} ' {";
        assert_eq!(
            tokens(text),
            [
                "decl", "{x # y}", ",", "a.b", ";", "L1", ":", "'a", ",", "'{p q}", ":=", "schoose", "[", "x", "<=>",
                "*", ",", "!", "b", "]", "bool", "<", "2", ">", "\u{e9}", "'", "{"
            ]
        );
    }

    #[test]
    fn comments_and_names_without_an_end() {
        assert_eq!(tokens("a /* b"), ["a"]);
        assert_eq!(tokens("{a\nb}"), ["{", "a", "b", "}"]);
    }

    #[test]
    fn layout_keeps_the_tokens() {
        let text = "decl g; bool<2> p(a, b) begin L: if (!a) then g := T; elsif * then skip; else p(g, g); fi; while (g) do skip; od return g; end";
        insta::assert_snapshot!(layout(&tokens(text)), @r"
        decl g;
        bool<2> p(a, b) begin
          L: if (!a) then
            g := T;
          elsif * then
            skip;
          else
            p(g, g);
          fi;
          while (g) do
            skip;
          od
          return g;
        end
        ");
        assert_eq!(tokens(&layout(&tokens(text))), tokens(text));
    }
}
