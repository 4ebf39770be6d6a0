//! `#load NAME;`: what another file says takes the place of the directive.

use base::{Diagnostics, FileId, ReadError, Sources};

use super::parse::parse;
use super::syntax::{Directive, Item, SyntaxTree};

/// How deeply files may load each other.
const MAX_DEPTH: usize = 64;
/// Bytes that are read in all: a file that is loaded twice counts twice.
const MAX_BYTES: usize = 1 << 28;

/// Reads a file and all that it loads. Files are looked for beside the one that loads them, under their name or with the
/// extension `.mu`. A `#load` whose file cannot be read, or is being loaded already, stays: resolving warns of it.
#[must_use]
pub fn read(sources: &mut Sources, file: FileId) -> (Option<SyntaxTree>, Diagnostics) {
    let mut loader =
        Loader { sources, open: Vec::new(), n_bytes: 0, lost: false, stopped: false, diagnostics: Diagnostics::new() };
    let items = loader.items(file);
    let Loader { lost, stopped, diagnostics, .. } = loader;
    ((!stopped).then_some(SyntaxTree { items, lost }), diagnostics)
}

struct Loader<'s> {
    sources: &'s mut Sources,
    /// The files that are being read, each loaded by the one before.
    open: Vec<FileId>,
    n_bytes: usize,
    lost: bool,
    stopped: bool,
    diagnostics: Diagnostics,
}

impl Loader<'_> {
    /// What a file says, with all that it loads.
    fn items(&mut self, file: FileId) -> Vec<Item> {
        let (tree, found) = parse(self.sources.text(file));
        self.diagnostics.extend(found);
        let Some(tree) = tree else {
            self.stopped = true;
            return Vec::new();
        };
        self.n_bytes += self.sources.bytes(file).len();
        self.lost |= tree.lost;
        self.open.push(file);
        let mut items = Vec::new();
        for item in tree.items {
            match self.loaded(&item) {
                Some(loaded) => items.extend(loaded),
                None => items.push(item),
            }
        }
        self.open.pop();
        items
    }

    /// What takes the place of an item, if it is a `#load` that can be followed.
    fn loaded(&mut self, item: &Item) -> Option<Vec<Item>> {
        let Item::Directive(directive) = item else { return None };
        if &*directive.word.text != "#load" || self.open.len() >= MAX_DEPTH || self.n_bytes > MAX_BYTES {
            return None;
        }
        let name = self.name(directive)?;
        let by = *self.open.last()?;
        let file = self.find(by, &name).or_else(|_| self.find(by, &format!("{name}.mu"))).ok()?;
        (!self.open.contains(&file)).then(|| self.items(file))
    }

    /// The name that a directive gives, with or without quotation marks.
    fn name(&self, directive: &Directive) -> Option<String> {
        let word = directive.exprs.first().map(|expr| self.sources.slice(expr.span));
        directive.texts.first().map(|text| &**text).or(word).map(str::to_owned)
    }

    fn find(&mut self, by: FileId, name: &str) -> Result<FileId, ReadError> {
        self.sources.open_text(&self.sources.beside(by, name))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use base::InMemory;

    use super::*;
    use crate::resolve::resolve;

    /// What comes of the file `main.mu`: errors and warnings with their files and lines.
    fn told(files: InMemory) -> Vec<String> {
        let mut sources = Sources::new(files);
        let main = sources.open_text(Path::new("d/main.mu")).unwrap();
        let (tree, mut diagnostics) = read(&mut sources, main);
        match resolve(&tree.unwrap()) {
            Ok((_, found)) | Err(found) => diagnostics.extend(found),
        }
        diagnostics.sort();
        let show = |diagnostic: &base::Diagnostic| {
            let span = diagnostic.primary.as_ref().unwrap().span;
            let line = sources.position(span).unwrap().line;
            format!("{}:{line}: {}", sources.name(span.file), diagnostic.code)
        };
        diagnostics.iter().map(show).collect()
    }

    #[test]
    fn loaded_files_take_the_place_of_the_directive() {
        let files = InMemory::default()
            .with("d/main.mu", "#load a; A(1); #load \"e/c\";")
            .with("d/a.mu", "#load \"b.mu\"; bool A(bool x) B(x);")
            .with("d/b.mu", "bool B(bool x) x;")
            .with("d/e/c.mu", "#load d; B(0);")
            .with("d/e/d.mu", "A(0);");
        assert_eq!(told(files), Vec::<String>::new());
    }

    #[test]
    fn a_mistake_is_shown_in_its_file() {
        let files =
            InMemory::default().with("d/main.mu", "true;\n#load a;\n#load b;\nC(1);").with("d/a.mu", "true;\nB(1);");
        assert_eq!(told(files), ["d/main.mu:3: MU0050", "d/main.mu:4: MU0022", "d/a.mu:2: MU0022"]);
    }

    #[test]
    fn a_file_that_loads_itself_ends() {
        let files = InMemory::default().with("d/main.mu", "#load a; true;").with("d/a.mu", "#load main; true;");
        assert_eq!(told(files), ["d/a.mu:1: MU0050"]);
    }
}
