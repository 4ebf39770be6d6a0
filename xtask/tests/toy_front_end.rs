//! The recipe "a front end" of CONTRIBUTING.md, tried on a toy language: one value, and one line in a list.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use base::codes::code;
use base::{Budget, Context, Diagnostic, Diagnostics, FileId, IdVec, InMemory, Silent, Sources, Span};
use driver::front::{Content, FrontEnd, FrontOptions, LINT, Lowered, front_ends, recognise};
use driver::{Loaded, Options, Outcome, Question, check, load};
use program::{Expr, LocationId, Origins, ProcedureId, ProgramBuilder, Relation, Role, Sort, Update, VariableId};
use question::Writing;
use report::Paint;
use report::diagnostics::render;

/// Flags that are set and looked at; a file may use others.
static TOY: FrontEnd = FrontEnd {
    name: "toy",
    title: "toys",
    extensions: &["toy"],
    content: Content::Text,
    recognises: |bytes| bytes.starts_with(b"flag "),
    smallest: "a toy has at least a flag: `flag x`",
    options: &[LINT],
    foreign_option: "TY0001",
    codes: &[
        code("TY0001", "an option that has no meaning here", "Toys take no options."),
        code("TY0002", "not a statement", "Statements are `use FILE`, `flag X`, `set X` and `fail if X`."),
        code("TY0003", "no such flag", "A flag is declared before it is used: `flag x`."),
    ],
    read,
    format: None,
};

fn read(sources: &mut Sources, file: FileId, _: &FrontOptions) -> Result<Lowered, Diagnostics> {
    let mut builder = ProgramBuilder::new();
    let main = builder.procedure("main");
    builder.thread("main", main);
    let here = builder.location(main);
    builder.entry(here);
    let (flags, places, diagnostics) = (BTreeMap::new(), Vec::new(), Diagnostics::new());
    let mut toy = Toy { sources, builder, main, here, flags, places, diagnostics };
    toy.file(file);
    toy.finish()
}

struct Toy<'s> {
    sources: &'s mut Sources,
    builder: ProgramBuilder,
    main: ProcedureId,
    /// Where the next statement begins.
    here: LocationId,
    flags: BTreeMap<String, VariableId>,
    places: Vec<(LocationId, Span)>,
    diagnostics: Diagnostics,
}

impl Toy<'_> {
    fn file(&mut self, file: FileId) {
        let text = self.sources.text(file).text().to_owned();
        let mut start = 0;
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            self.statement(&words, Span::new(file, start, start + line.len()));
            start += line.len() + 1;
        }
    }

    fn statement(&mut self, words: &[&str], span: Span) {
        match words {
            ["use", name] => match self.sources.open_text(&self.sources.beside(span.file, name)) {
                Ok(used) => self.file(used),
                Err(error) => self.diagnostics.push(error.diagnostic().at(span, "used here")),
            },
            ["flag", name] => {
                let flag = self.builder.shared(*name, Sort::Bool);
                self.builder.start(Expr::before(flag).not());
                self.flags.insert((*name).to_owned(), flag);
            }
            ["set", name] => {
                let Some(flag) = self.flag(name, span) else { return };
                self.step(Relation::update(vec![Update::assign(flag, Expr::TRUE)]), span);
            }
            ["fail", "if", name] => {
                let Some(flag) = self.flag(name, span) else { return };
                let violated = self.builder.location_with(self.main, Role::Violation);
                self.places.push((violated, span));
                self.builder.step(self.here, violated, Relation::assume(Expr::before(flag)));
                self.step(Relation::assume(Expr::before(flag).not()), span);
            }
            _ => {
                let diagnostic = Diagnostic::error("TY0002", "this is not a statement").at(span, "not understood");
                self.diagnostics.push(diagnostic.help("write `use FILE`, `flag X`, `set X` or `fail if X`"));
            }
        }
    }

    fn flag(&mut self, name: &str, span: Span) -> Option<VariableId> {
        let flag = self.flags.get(name).copied();
        if flag.is_none() {
            self.diagnostics
                .push(Diagnostic::error("TY0003", format!("there is no flag `{name}`")).at(span, "used here"));
        }
        flag
    }

    fn step(&mut self, relation: Relation, span: Span) {
        let next = self.builder.location(self.main);
        self.builder.step(self.here, next, relation);
        self.places.push((self.here, span));
        self.here = next;
    }

    fn finish(mut self) -> Result<Lowered, Diagnostics> {
        if self.diagnostics.has_errors() {
            self.diagnostics.sort();
            return Err(self.diagnostics);
        }
        self.builder.exit(self.here);
        let program = self.builder.finish();
        let mut locations = IdVec::filled(program.locations.len(), None);
        self.places.iter().for_each(|(location, span)| locations[*location] = Some(*span));
        let edges = IdVec::filled(program.edges.len(), None);
        let variables = IdVec::filled(program.variables.len(), None);
        Ok(Lowered::new(program, Origins { locations, edges, variables }, Writing::default()))
    }
}

/// Reads `main.toy` with a list that has one line more than the real one.
fn loaded(files: InMemory) -> Result<Loaded, String> {
    let list = [front_ends(), &[&TOY]].concat();
    let path = Path::new("main.toy");
    let mut sources = Sources::new(files);
    let file = sources.open(path).expect("it is there");
    let front = recognise(&list, path, sources.bytes(file)).expect("the list is not empty");
    load(sources, front, &FrontOptions::default())
        .map_err(|(sources, diagnostics)| render(&diagnostics, &sources, Paint::PLAIN))
}

fn checked(loaded: &Loaded) -> Outcome {
    check(loaded, &Question::default(), &Options::default(), &Context::new(&Budget::unlimited(), &Silent))
        .expect("it is answered")
}

#[test]
fn a_toy_program_is_recognised_read_and_checked() {
    let files = InMemory::default().with("main.toy", "flag x\nuse lib/other.toy\nfail if x\n");
    let violated = loaded(files.clone().with("lib/other.toy", "set x\n")).expect("it is well formed");
    assert!(checked(&violated).is_violated());
    let correct = loaded(files.with("lib/other.toy", "flag y\nset y\n")).expect("it is well formed");
    assert!(!checked(&correct).is_violated());
    let names: Vec<&str> = correct.sources.ids().map(|file| correct.sources.name(file)).collect();
    assert_eq!((correct.front.name, names), ("toy", vec!["main.toy", "lib/other.toy"]));
}

#[test]
fn a_mistake_is_shown_in_the_file_that_has_it() {
    let files = InMemory::default()
        .with("main.toy", "flag x\nuse lib/other.toy\nuse lib/othr.toy\nset x\n")
        .with("lib/other.toy", "set x\nset y\n");
    let rendered = loaded(files).expect_err("it is rejected");
    assert_eq!(
        rendered,
        "\
error[CL0001]: there is no file `lib/othr.toy`
 --> main.toy:3:1
  |
3 | use lib/othr.toy
  | ^^^^^^^^^^^^^^^^ used here
  |
  = help: did you mean `lib/other.toy`?

error[TY0003]: there is no flag `y`
 --> lib/other.toy:2:1
  |
2 | set y
  | ^^^^^ used here

main.toy: 2 errors
"
    );
}
