//! The canonical text of a syntax tree.
//!
//! The text parses back to the same program, and formatting it again changes nothing. Comments are kept: those on lines
//! of their own before what follows them, those behind something on its line. Comments inside a statement come behind
//! it; in a declaration each stays with its variable.

mod expression;
mod statement;

use crate::syntax::{Body, Declaration, Item, ItemKind, Name, Procedure, SyntaxTree, Thread};

/// Lists are filled up to this column.
const WIDTH: usize = 100;
/// Deeper nesting is not indented further, so that the text stays linear in the size of the program.
const MAX_INDENTED: usize = 40;

/// The canonical text of a tree that was parsed without errors.
#[must_use]
pub fn format(tree: &SyntaxTree) -> String {
    let mut printer = Printer { tree, out: String::new(), level: 0, n_comments: 0, fresh: true, commented: false };
    printer.items(&tree.items);
    printer.comments_before(u32::MAX, false);
    printer.out.push('\n');
    printer.out
}

struct Printer<'t> {
    tree: &'t SyntaxTree,
    out: String,
    level: usize,
    /// Comments already printed.
    n_comments: usize,
    /// Nothing has been printed yet in the current block.
    fresh: bool,
    /// The current line ends in a comment.
    commented: bool,
}

impl<'t> Printer<'t> {
    fn name(&mut self, name: Name) {
        self.out.push_str(self.tree.names.text(name.symbol));
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            print(self, item);
        }
    }

    fn names(&mut self, names: &[Name]) {
        self.list(names, |printer, name| printer.name(*name));
    }

    /// Begins a line, after an empty one if wanted; a block does not begin with an empty line.
    fn new_line(&mut self, blank: bool) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if blank && !self.fresh {
                self.out.push('\n');
            }
        }
        self.indent();
        (self.fresh, self.commented) = (false, false);
    }

    fn indent(&mut self) {
        for _ in 0..self.level.min(MAX_INDENTED) {
            self.out.push_str("  ");
        }
    }

    /// Begins the line of something that starts at a place of the source, after the comments before it. A `separate`
    /// part is set off by an empty line.
    fn part(&mut self, start: u32, blank_before: bool, separate: bool) {
        let separated = self.comments_before(start, separate);
        self.new_line(blank_before || (separate && !separated));
    }

    /// Prints the comments before a place of the source; true if an empty line was put before the first of those that
    /// have lines of their own.
    fn comments_before(&mut self, place: u32, separate: bool) -> bool {
        let mut separated = false;
        let tree = self.tree;
        while let Some(comment) = tree.comments.get(self.n_comments).filter(|comment| comment.start < place) {
            self.n_comments += 1;
            if comment.first_on_line || self.out.is_empty() || self.commented {
                self.new_line(comment.blank_before || (separate && !separated));
                separated = true;
                if comment.text.starts_with('#') {
                    self.out.truncate(self.out.trim_end_matches(' ').len());
                }
            } else {
                self.out.push(' ');
            }
            self.out.push_str(&comment.text);
            self.commented = !comment.text.starts_with("/*");
        }
        separated
    }

    fn items(&mut self, items: &'t [Item]) {
        let is_long = |item: &Item| !matches!(item.kind, ItemKind::Declaration(_) | ItemKind::Enforce(..));
        for (at, item) in items.iter().enumerate() {
            let separate = is_long(item) || at.checked_sub(1).is_some_and(|before| is_long(&items[before]));
            self.part(item.start, item.blank_before, separate);
            match &item.kind {
                ItemKind::Declaration(declaration) => self.declaration(declaration, item.start),
                ItemKind::Enforce(condition, _) => {
                    self.out.push_str("enforce ");
                    self.expr(condition);
                    self.out.push(';');
                }
                ItemKind::Procedure(procedure) => self.procedure(procedure),
                ItemKind::Thread(thread) => self.thread(thread),
                ItemKind::Init(_, body) => {
                    self.out.push_str("init");
                    self.body(body);
                }
            }
        }
    }

    /// `decl a, b;`, on one line if it fits and contains no comment.
    fn declaration(&mut self, declaration: &Declaration, start: u32) {
        self.out.push_str("decl");
        // A comment inside the last declarator comes behind all of it.
        let last = declaration.declarators.last().map_or(start, |last| last.span.start);
        let comment = self.tree.comments.get(self.n_comments);
        let one_per_line = comment.is_some_and(|comment| comment.start < last);
        let mut line = self.out.rfind('\n').map_or(0, |at| at + 1);
        self.level += 1;
        for (at, declarator) in declaration.declarators.iter().enumerate() {
            if at > 0 {
                self.out.push(',');
            }
            if one_per_line {
                self.part(declarator.span.start, false, false);
            } else if self.out.len() - line > WIDTH {
                line = self.out.len() + 1;
                self.new_line(false);
            } else {
                self.out.push(' ');
            }
            self.name(declarator.name);
            if let Some(value) = &declarator.value {
                self.out.push_str(" := ");
                self.expr(value);
            }
        }
        self.level -= 1;
        self.out.push(';');
    }

    fn procedure(&mut self, procedure: &'t Procedure) {
        match procedure.n_results {
            0 => self.out.push_str("void "),
            1 => self.out.push_str("bool "),
            n => self.out.push_str(&format!("bool<{n}> ")),
        }
        self.name(procedure.name);
        self.out.push('(');
        self.names(&procedure.parameters);
        self.out.push(')');
        self.body(&procedure.body);
    }

    fn body(&mut self, body: &'t Body) {
        self.part(body.begin, false, false);
        self.out.push_str("begin");
        self.block(&body.statements, body.end.start);
        self.new_line(false);
        self.out.push_str("end");
    }

    fn thread(&mut self, thread: &'t Thread) {
        self.out.push_str("thread ");
        self.name(thread.name);
        if thread.copies != 1 {
            self.out.push_str(&format!("[{}]", thread.copies));
        }
        self.part(thread.begin, false, false);
        self.out.push_str("begin");
        self.level += 1;
        self.fresh = true;
        self.items(&thread.items);
        self.comments_before(thread.end.start, false);
        self.level -= 1;
        self.fresh = false;
        self.new_line(false);
        self.out.push_str("end");
    }
}
