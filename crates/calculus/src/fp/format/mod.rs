//! The canonical text of a syntax tree.
//!
//! The text parses back to the same tree, and formatting it again changes nothing. Comments are kept: those on lines of
//! their own before what follows them, those behind something on its line. A declaration stays on one line if it fits;
//! otherwise the operands of its outermost operators have lines of their own.

mod flat;
mod formula;
mod slot;

use flat::Flat;

use text::Comment;

use super::syntax::{Binder, Expr, Head, Item, ItemKind, Name, SortBody, SyntaxTree, Wish};
use crate::system::{Fixpoint, HintKind};

/// Lines are filled up to this column.
const WIDTH: usize = 100;
/// Deeper nesting is not indented further, so that the text stays linear in the size of the file.
const MAX_INDENT: usize = 60;

/// The canonical text of a tree that was parsed without errors.
#[must_use]
pub fn format(tree: &SyntaxTree) -> String {
    let comments = slot::comments(tree);
    let mut printer = Printer {
        comments: &comments,
        out: String::new(),
        line: 0,
        n_comments: 0,
        open_comment: false,
        courtesy: true,
    };
    for (at, item) in tree.items.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &tree.items[before]);
        printer.item(item, before);
    }
    printer.comments_before(u32::MAX, 0);
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'t> {
    comments: &'t [Comment],
    out: String,
    /// Where the current line begins.
    line: usize,
    /// Comments already printed.
    n_comments: usize,
    /// The current line ends in a comment that only its end closes.
    open_comment: bool,
    /// The current formula does not nest deeply: parentheses may be added for readers.
    courtesy: bool,
}

/// How deeply a formula may nest that gets parentheses which it does not need.
const MAX_COURTESY: u32 = crate::MAX_DEPTH / 4;

impl<'t> Printer<'t> {
    fn column(&self) -> usize {
        self.out.len() - self.line
    }

    /// Begins a line with so many blanks.
    fn new_line(&mut self, indent: usize) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent.min(MAX_INDENT)));
        self.open_comment = false;
    }

    /// True when nothing but blanks is on the current line.
    fn is_fresh(&self) -> bool {
        self.out[self.line..].trim_ascii().is_empty()
    }

    /// Prints the comments before a place of the source.
    fn comments_before(&mut self, place: u32, indent: usize) {
        while let Some(comment) = self.next_comment(place) {
            self.comment(comment, indent);
        }
    }

    /// Prints the next comment: behind what is printed if it stood there, else on a line of its own.
    fn comment(&mut self, comment: &Comment, indent: usize) {
        self.n_comments += 1;
        let own_line = comment.first_on_line || self.open_comment || self.is_fresh();
        if own_line && !(self.is_fresh() && self.line < self.out.len()) {
            self.blank_line_if(comment.blank_before && indent == 0);
            self.new_line(indent);
        } else if !own_line {
            self.out.push(' ');
        }
        self.out.push_str(&comment.text);
        if let Some(at) = comment.text.rfind('\n') {
            self.line = self.out.len() - (comment.text.len() - at - 1);
        }
        self.open_comment = comment.text.starts_with("//");
    }

    /// True when the source has a comment that is not yet printed before a place.
    fn has_comment_before(&self, place: u32) -> bool {
        self.next_comment(place).is_some()
    }

    /// A declaration, after the comments before it. Equations are set off by empty lines.
    fn item(&mut self, item: &'t Item, before: Option<&Item>) {
        let is_long = |item: &Item| matches!(item.kind, ItemKind::Define(..) | ItemKind::Fixpoint(..));
        let place = item.span.start;
        let is_behind = |printer: &Self, comment: &Comment| !comment.first_on_line && !printer.open_comment;
        while let Some(behind) = self.next_comment(place).filter(|comment| before.is_some() && is_behind(self, comment))
        {
            self.comment(behind, 0);
        }
        let blank = self.next_comment(place).map_or(item.blank_before, |comment| comment.blank_before);
        let separate = before.is_some_and(|before| blank || is_long(before) || is_long(item));
        self.blank_line_if(separate);
        let mut first = true;
        while let Some(comment) = self.next_comment(place) {
            self.n_comments += 1;
            self.blank_line_if(!first && comment.blank_before);
            self.new_line(0);
            self.out.push_str(&comment.text);
            first = false;
        }
        self.blank_line_if(!first && item.blank_before);
        self.new_line(0);
        self.declaration(item);
    }

    /// The next comment that is not yet printed, if it lies before a place.
    fn next_comment(&self, place: u32) -> Option<&'t Comment> {
        self.comments.get(self.n_comments).filter(|comment| comment.start < place)
    }

    fn blank_line_if(&mut self, wanted: bool) {
        if wanted && !self.out.is_empty() {
            self.out.push('\n');
            self.line = self.out.len();
        }
    }

    fn declaration(&mut self, item: &'t Item) {
        match &item.kind {
            ItemKind::Param(params) => {
                let param = |param: &super::syntax::Param| match param.default {
                    Some(value) => format!("{} = {value}", param.name.text),
                    None => param.name.text.as_ref().to_owned(),
                };
                let params: Vec<String> = params.iter().map(param).collect();
                self.out.push_str(&format!("param {}", params.join(", ")));
            }
            ItemKind::Sort(name, body) => self.sort(name, body),
            ItemKind::Input(heads) => {
                self.out.push_str("input ");
                let heads: Vec<String> = heads.iter().map(head_text).collect();
                self.filled(&heads, 4);
            }
            ItemKind::Define(head, body) => self.equation("define", head, body),
            ItemKind::Fixpoint(Fixpoint::Least, head, body) => self.equation("mu", head, body),
            ItemKind::Fixpoint(Fixpoint::Greatest, head, body) => self.equation("nu", head, body),
            ItemKind::Order(name, wishes) => {
                self.out.push_str(&format!("order {}: ", name.text));
                let wishes: Vec<String> = wishes.iter().map(wish_text).collect();
                self.filled(&wishes, 4);
            }
            ItemKind::Query(head, body) => self.equation("query", head, body),
        }
        self.out.push(';');
    }

    /// Parts with commas between them, on several lines if they do not fit.
    fn filled(&mut self, parts: &[String], indent: usize) {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.out.push(',');
                if self.column() + part.len() + 2 > WIDTH {
                    self.new_line(indent);
                } else {
                    self.out.push(' ');
                }
            }
            self.out.push_str(part);
        }
    }

    fn sort(&mut self, name: &Name, body: &SortBody) {
        self.out.push_str(&format!("sort {} = ", name.text));
        match body {
            SortBody::Alias(sort) => Flat::unlimited(&mut self.out).sort(sort, false),
            SortBody::Enum(values) => {
                self.out.push_str("enum { ");
                let values: Vec<String> = values.iter().map(|value| value.text.as_ref().to_owned()).collect();
                self.filled(&values, 4);
                self.out.push_str(" }");
            }
            SortBody::Record(fields) => {
                self.out.push_str("{ ");
                let fields: Vec<String> = fields.iter().map(binder_text).collect();
                self.filled(&fields, 4);
                self.out.push_str(" }");
            }
        }
    }

    fn equation(&mut self, word: &str, head: &Head, body: &'t Expr) {
        self.out.push_str(word);
        self.out.push(' ');
        self.out.push_str(&head.name.text);
        if !head.binders.is_empty() {
            self.out.push('(');
            let binders: Vec<String> = head.binders.iter().map(binder_text).collect();
            self.filled(&binders, 4);
            self.out.push(')');
        }
        self.out.push_str(" =");
        self.courtesy = flat::height(body) <= MAX_COURTESY;
        if !self.flat_body(body) {
            self.new_line(4);
            self.comments_before(body.span.start, 4);
            if !self.is_fresh() {
                self.new_line(4);
            }
            self.formula(body, 4, 0, true);
        }
    }

    /// The text of an expression if it is not longer than `room`.
    fn fitting(&self, expr: &Expr, room: usize, least: u32, tail: bool) -> Option<String> {
        flat::fitting(expr, room, self.courtesy, (least, tail))
    }

    /// ` body` on the current line, if it fits.
    fn flat_body(&mut self, body: &Expr) -> bool {
        let room = WIDTH.saturating_sub(self.column() + 2);
        let text = if self.has_comment_before(body.span.end) { None } else { self.fitting(body, room, 0, true) };
        let Some(text) = text else { return false };
        self.out.push(' ');
        self.out.push_str(&text);
        true
    }
}

fn head_text(head: &Head) -> String {
    let binders: Vec<String> = head.binders.iter().map(binder_text).collect();
    format!("{}({})", head.name.text, binders.join(", "))
}

fn binder_text(binder: &Binder) -> String {
    let mut out = String::new();
    Flat::unlimited(&mut out).binder(binder);
    out
}

fn wish_text(wish: &Wish) -> String {
    let kind = match wish.kind {
        HintKind::Above => "above",
        HintKind::Interleave => "interleaved",
        HintKind::Separate => "apart",
    };
    let column = |expr: &Expr| {
        let mut out = String::new();
        Flat::unlimited(&mut out).expr(expr, 0, true);
        out
    };
    format!("{} {kind} {}", column(&wish.first), column(&wish.second))
}
