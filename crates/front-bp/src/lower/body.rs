//! Locations and control flow of a procedure.

use base::{Diagnostic, Span};
use program::{Expr as Term, LocationId, Relation, Role};
use rustc_hash::FxHashMap;

use super::Lowering;
use super::declare::ProcedureIndex;
use super::scope::{Place, Reading};
use crate::syntax::{Block, Expr, If, Name, Statement, StatementKind, While};
use base::names::{Symbol, similar};

/// A place in a procedure that has no location yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Target(u32);

/// What an edge does, before calls know the entries of their callees.
pub(super) enum Action {
    Step(Relation),
    /// To enter and to leave the callee.
    Call(ProcedureIndex, Box<[Relation; 2]>),
    Spawn(ProcedureIndex, Relation),
    /// A thread that starts at a label of the same procedure.
    SpawnAt(Target, Relation),
}

pub(super) struct Edge {
    pub(super) source: LocationId,
    pub(super) target: Target,
    pub(super) action: Action,
    pub(super) origin: Span,
}

/// Whether a statement begins or ends an atomic section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Begin,
    End,
}

/// A procedure with locations and without edges.
pub(super) struct Body {
    pub(super) index: ProcedureIndex,
    pub(super) edges: Vec<Edge>,
    /// Where the targets are.
    pub(super) targets: Vec<Option<LocationId>>,
    pub(super) entry: LocationId,
    pub(super) exit: LocationId,
    /// The exit, reached without `return`.
    pub(super) fall_off: Target,
    /// Statements that begin or end an atomic section, in order of locations.
    pub(super) sections: Vec<(LocationId, Section, Span)>,
}

impl Body {
    /// The location of a target.
    pub(super) fn location(&self, target: Target) -> LocationId {
        let location = self.targets[target.0 as usize];
        assert!(location.is_some(), "every target of a lowered body has been placed");
        location.unwrap_or(self.exit)
    }
}

/// Lowers one body.
pub(super) struct BodyLowering<'a, 't> {
    pub(super) lowering: &'a mut Lowering<'t>,
    pub(super) index: ProcedureIndex,
    edges: Vec<Edge>,
    targets: Vec<Option<LocationId>>,
    /// Targets that are where the next location will be.
    unplaced: Vec<Target>,
    /// With the place where each is first given.
    labels: FxHashMap<Symbol, (Target, Span)>,
    /// In order of the source, for suggestions.
    label_names: Vec<Symbol>,
    loops: Vec<Loop>,
    pub(super) exit: Target,
    stop: Option<Target>,
    sections: Vec<(LocationId, Section, Span)>,
}

#[derive(Clone, Copy)]
struct Loop {
    head: Target,
    follow: Target,
}

impl<'t> Lowering<'t> {
    /// Locations and edges of all procedures.
    pub(super) fn bodies(&mut self) -> Vec<Body> {
        (0..self.symbols.procedures.len()).map(|index| BodyLowering::new(self, index).lower()).collect()
    }
}

impl<'a, 't> BodyLowering<'a, 't> {
    fn new(lowering: &'a mut Lowering<'t>, index: ProcedureIndex) -> Self {
        Self {
            lowering,
            index,
            edges: Vec::new(),
            targets: vec![None],
            unplaced: Vec::new(),
            labels: FxHashMap::default(),
            label_names: Vec::new(),
            loops: Vec::new(),
            exit: Target(0),
            stop: None,
            sections: Vec::new(),
        }
    }

    fn lower(mut self) -> Body {
        let body = self.lowering.symbols.procedures[self.index].body;
        let (begin, fall_off) = (self.target(), self.target());
        self.place(begin);
        self.collect_labels(&body.statements);
        self.initial_values();
        self.block(&body.statements, fall_off);
        if let Some(stop) = self.stop {
            let reached_by_falling = std::mem::take(&mut self.unplaced);
            self.place(stop);
            self.location(None);
            self.unplaced = reached_by_falling;
        }
        self.place(fall_off);
        self.place(self.exit);
        let exit = self.location(None);
        self.lowering.builder.exit(exit);
        let entry = self.targets[begin.0 as usize].unwrap_or(exit);
        self.lowering.builder.entry(entry);
        let Self { index, edges, targets, sections, .. } = self;
        Body { index, edges, targets, entry, exit, fall_off, sections }
    }

    pub(super) fn target(&mut self) -> Target {
        self.targets.push(None);
        Target(self.targets.len() as u32 - 1)
    }

    /// The target is where the next location will be.
    pub(super) fn place(&mut self, target: Target) {
        self.unplaced.push(target);
    }

    pub(super) fn location(&mut self, origin: Option<Span>) -> LocationId {
        let id = self.new_location(origin, Role::Plain);
        for target in self.unplaced.drain(..) {
            self.targets[target.0 as usize] = Some(id);
        }
        id
    }

    fn new_location(&mut self, origin: Option<Span>, role: Role) -> LocationId {
        let procedure = self.lowering.symbols.procedures[self.index].id;
        self.lowering.origins.locations.push(origin);
        self.lowering.builder.location_with(procedure, role)
    }

    pub(super) fn edge(&mut self, source: LocationId, target: Target, origin: Span, action: Action) {
        self.edges.push(Edge { source, target, action, origin });
    }

    pub(super) fn step(&mut self, source: LocationId, target: Target, origin: Span, relation: Relation) {
        self.edge(source, target, origin, Action::Step(relation));
    }

    pub(super) fn here(&self) -> Place {
        Place::Inside(self.index)
    }

    /// An expression over the state before the statement.
    pub(super) fn expr(&mut self, expr: &Expr) -> Term {
        let reading = Reading::before(self.here());
        self.lowering.expr(reading, expr)
    }

    fn collect_labels(&mut self, block: &'t Block) {
        for statement in block {
            for label in &statement.labels {
                self.declare_label(*label, statement);
            }
            match &statement.kind {
                StatementKind::If(branches) => {
                    for arm in &branches.arms {
                        self.collect_labels(&arm.block);
                    }
                    if let Some(otherwise) = &branches.otherwise {
                        self.collect_labels(&otherwise.block);
                    }
                }
                StatementKind::While(repeated) => self.collect_labels(&repeated.block),
                _ => {}
            }
        }
    }

    fn declare_label(&mut self, label: Name, statement: &Statement) {
        let Some((_, first)) = self.labels.get(&label.symbol).copied() else {
            let target = self.target();
            self.labels.insert(label.symbol, (target, label.span));
            self.label_names.push(label.symbol);
            return;
        };
        if first.start >= statement.start {
            let text = self.lowering.text(label);
            self.lowering.report.push(
                Diagnostic::warning("BP0054", format!("the label `{text}` is given twice to the same statement"))
                    .at(label.span, "once is enough")
                    .help("remove one of them"),
            );
        } else {
            self.lowering.duplicate("BP0025", "label", label, first);
        }
    }

    /// The target that a label names, or an error.
    pub(super) fn label(&mut self, label: Name) -> Option<Target> {
        if let Some((target, _)) = self.labels.get(&label.symbol) {
            return Some(*target);
        }
        if self.lowering.tree.lost.statements || self.lowering.report.only_counts() {
            return None;
        }
        let names = &self.lowering.tree.names;
        let text = names.text(label.symbol);
        let near = similar(text, self.label_names.iter().map(|symbol| names.text(*symbol)));
        let help = near.map_or_else(
            || "a label is known only in its own procedure".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        self.lowering.report.push(
            Diagnostic::error("BP0022", format!("unknown label `{text}`"))
                .at(label.span, "no such label in this procedure")
                .help(help),
        );
        None
    }

    fn block(&mut self, block: &'t Block, follow: Target) {
        let has_location = |statement: &&Statement| {
            !matches!(statement.kind, StatementKind::Declaration(_) | StatementKind::Enforce(_))
        };
        let mut statements = block.iter().filter(has_location).peekable();
        while let Some(statement) = statements.next() {
            if statements.peek().is_none() {
                self.statement(statement, follow);
                return;
            }
            let next = self.target();
            self.statement(statement, next);
            self.place(next);
        }
    }

    /// Where a branch begins: at its first statement, or behind it when it is empty.
    fn branch(&mut self, block: &'t Block, follow: Target) -> Target {
        let is_empty =
            block.iter().all(|s| matches!(s.kind, StatementKind::Declaration(_) | StatementKind::Enforce(_)));
        if is_empty { follow } else { self.target() }
    }

    fn statement(&mut self, statement: &'t Statement, follow: Target) {
        let location = self.labelled_location(statement);
        match &statement.kind {
            StatementKind::If(branches) => self.if_statement(location, branches, follow),
            StatementKind::While(repeated) => self.while_statement(location, statement.head, repeated, follow),
            _ => self.simple(location, statement, follow),
        }
    }

    /// The location of a statement, with its labels, each once.
    #[inline(never)]
    fn labelled_location(&mut self, statement: &Statement) -> LocationId {
        let mut names = Vec::new();
        for label in &statement.labels {
            let declared = self.labels.get(&label.symbol).copied().filter(|(_, place)| *place == label.span);
            if let Some((target, _)) = declared {
                self.place(target);
                names.push(*label);
            }
        }
        let location = self.location(Some(statement.head));
        for label in names {
            let text = self.lowering.text(label);
            self.lowering.builder.label(location, text);
        }
        location
    }

    #[inline(never)]
    fn simple(&mut self, location: LocationId, statement: &'t Statement, follow: Target) {
        let head = statement.head;
        match &statement.kind {
            StatementKind::Goto(labels) => self.goto(location, head, labels),
            StatementKind::Assert(condition) => self.assert(location, head, condition, follow),
            StatementKind::EndThread => {
                let stop = self.stop_target();
                self.step(location, stop, head, Relation::identity());
            }
            StatementKind::Break | StatementKind::Continue => self.leave_loop(location, statement, follow),
            StatementKind::AtomicBegin => self.section(location, head, Section::Begin, follow),
            StatementKind::AtomicEnd => self.section(location, head, Section::End, follow),
            StatementKind::SpawnGoto(label) => self.spawn_goto(location, head, *label, follow),
            _ => self.effect(location, statement, follow),
        }
    }

    /// The location of threads that have ended: not an exit, and no edge leaves it.
    fn stop_target(&mut self) -> Target {
        if let Some(stop) = self.stop {
            return stop;
        }
        let stop = self.target();
        self.stop = Some(stop);
        stop
    }

    fn section(&mut self, location: LocationId, head: Span, section: Section, follow: Target) {
        self.sections.push((location, section, head));
        self.step(location, follow, head, Relation::identity());
    }

    /// Two edges: the condition can be true, or false.
    #[inline(never)]
    fn decide(&mut self, location: LocationId, head: Span, condition: &Expr, yes: Target, no: Target) {
        let condition = self.expr(condition);
        self.step(location, yes, head, Relation::assume(condition.clone()));
        self.step(location, no, head, Relation::assume(condition.not()));
    }

    #[inline(never)]
    fn if_statement(&mut self, first: LocationId, branches: &'t If, follow: Target) {
        let mut location = first;
        for (at, arm) in branches.arms.iter().enumerate() {
            let then = self.branch(&arm.block, follow);
            let is_last = at + 1 == branches.arms.len();
            let otherwise = match &branches.otherwise {
                Some(otherwise) if is_last => self.branch(&otherwise.block, follow),
                None if is_last => follow,
                _ => self.target(),
            };
            self.decide(location, arm.head, &arm.condition, then, otherwise);
            if then != follow {
                self.place(then);
            }
            self.block(&arm.block, follow);
            if !is_last {
                self.place(otherwise);
                location = self.location(Some(branches.arms[at + 1].head));
            } else if let Some(last) = &branches.otherwise {
                if otherwise != follow {
                    self.place(otherwise);
                }
                self.block(&last.block, follow);
            }
        }
    }

    #[inline(never)]
    fn while_statement(&mut self, location: LocationId, head: Span, repeated: &'t While, follow: Target) {
        let again = self.target();
        self.targets[again.0 as usize] = Some(location);
        let inside = self.branch(&repeated.block, again);
        self.decide(location, head, &repeated.condition, inside, follow);
        if inside != again {
            self.place(inside);
        }
        self.loops.push(Loop { head: again, follow });
        self.block(&repeated.block, again);
        self.loops.pop();
    }

    fn leave_loop(&mut self, location: LocationId, statement: &Statement, follow: Target) {
        let is_break = matches!(statement.kind, StatementKind::Break);
        let target = match self.loops.last() {
            Some(innermost) if is_break => innermost.follow,
            Some(innermost) => innermost.head,
            None => {
                let word = if is_break { "break" } else { "continue" };
                self.lowering.report.push(
                    Diagnostic::error("BP0031", format!("`{word}` outside of a loop"))
                        .at(statement.head, "no `while` around it")
                        .help("use `goto` or `return` to leave other constructs"),
                );
                follow
            }
        };
        self.step(location, target, statement.head, Relation::identity());
    }

    fn goto(&mut self, location: LocationId, head: Span, labels: &[Name]) {
        let mut seen = rustc_hash::FxHashSet::default();
        for label in labels {
            let Some(target) = self.label(*label) else { continue };
            if seen.insert(label.symbol) {
                self.step(location, target, head, Relation::identity());
            } else {
                self.repeated(*label, "label");
            }
        }
    }

    /// Warns about a name that stands twice in a list where once is enough.
    pub(super) fn repeated(&mut self, name: Name, what: &str) {
        let text = self.lowering.text(name);
        self.lowering.report.push(
            Diagnostic::warning("BP0058", format!("the {what} `{text}` is named twice"))
                .at(name.span, "once is enough")
                .help("remove one of them"),
        );
    }

    fn assert(&mut self, location: LocationId, head: Span, condition: &Expr, follow: Target) {
        let violation = self.new_location(Some(head), Role::Violation);
        let violated = self.target();
        self.targets[violated.0 as usize] = Some(violation);
        self.decide(location, head, condition, follow, violated);
    }

    fn spawn_goto(&mut self, location: LocationId, head: Span, label: Name, follow: Target) {
        let Some(label) = self.label(label) else { return };
        let enter = self.copy_of_frame();
        self.edge(location, follow, head, Action::SpawnAt(label, enter));
    }
}
