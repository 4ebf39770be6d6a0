//! Foreign text made fit to be shown: no control characters, no endless lines.

use std::borrow::Cow;

/// The text with every character that could move the cursor, hide text or reverse its order written as an escape.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hostile(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The same on one line of at most `limit` characters: runs of white space become one space, and what is cut is
/// shown as `...`.
#[must_use]
pub fn one_line(text: &str, limit: usize) -> String {
    // Most statements are as they should be.
    let is_printable = text.len() <= limit && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let is_squeezed = || text.trim_ascii().len() == text.len() && !text.as_bytes().windows(2).any(|two| two == b"  ");
    if is_printable && is_squeezed() {
        return text.to_owned();
    }
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_ascii_whitespace() {
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        for character in word.chars() {
            if length >= limit {
                return shortened(&line, limit);
            }
            line.push(character);
            length += 1;
        }
    }
    visible(&line).into_owned()
}

/// The text, escaped, with its middle left out when it is longer than `limit` characters.
#[must_use]
pub fn abridged(text: &str, limit: usize) -> Cow<'_, str> {
    // Counting stops early: the text may be very long.
    if text.chars().nth(limit).is_none() {
        return visible(text);
    }
    let half = limit / 2;
    let head: String = text.chars().take(half).collect();
    let mut tail: Vec<char> = text.chars().rev().take(half).collect();
    tail.reverse();
    let tail: String = tail.into_iter().collect();
    Cow::Owned(format!("{}...{}", visible(&head), visible(&tail)))
}

fn shortened(line: &str, limit: usize) -> String {
    let kept: String = line.chars().take(limit.saturating_sub(3)).collect();
    format!("{}...", visible(kept.trim_end()))
}

/// Control characters, and the characters that change the direction of text or have no width.
fn is_hostile(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A number with separators between groups of three digits.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A number with its noun, in the plural when there is not exactly one.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_are_escaped_and_others_kept() {
        assert_eq!(visible("plain ç 漢"), "plain ç 漢");
        assert_eq!(visible("a\u{1b}[2Jb\r\n\u{202e}c"), "a\\u{1b}[2Jb\\r\\n\\u{202e}c");
    }

    #[test]
    fn one_line_squeezes_and_cuts() {
        assert_eq!(one_line("if  (a\n   & b)", 40), "if (a & b)");
        assert_eq!(one_line("abcdefghij", 10), "abcdefghij");
        assert_eq!(one_line("abcdefghijk", 10), "abcdefg...");
        assert_eq!(one_line(&"x".repeat(1 << 20), 10), "xxxxxxx...");
        assert_eq!(one_line("a\u{7}b", 10), "a\\u{7}b");
    }

    #[test]
    fn abridging_keeps_both_ends() {
        assert_eq!(abridged("abcdef", 6), "abcdef");
        assert_eq!(abridged("abcdefg", 6), "abc...efg");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([grouped(7), grouped(1000), grouped(1_234_567)], ["7", "1,000", "1,234,567"]);
        assert_eq!([counted(1, "step"), counted(2000, "step")], ["1 step", "2,000 steps"]);
    }
}
