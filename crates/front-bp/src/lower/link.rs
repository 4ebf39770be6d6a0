//! Edges, `enforce`, threads and the start of the program.

use base::Diagnostic;
use program::{Call, EdgeKind, Expr as Term, LocationId, Relation, Scope, Spawn, Update, VariableId, When};
use rustc_hash::FxHashSet;

use super::body::{Action, Body, Edge};
use super::declare::ProcedureIndex;
use super::scope::{Place, Reading};
use super::{Dialect, Lowering};
use base::names::similar;

/// What must hold in every state inside a procedure.
struct Invariant {
    before: Term,
    after: Term,
    variables: FxHashSet<VariableId>,
}

/// What edges need to know of all procedures.
struct Link {
    entries: Vec<LocationId>,
    invariants: Vec<Option<Invariant>>,
    /// Other threads may run between two steps.
    concurrent: bool,
}

impl Lowering<'_> {
    /// Completes the program: edges, threads, start.
    pub(super) fn link(&mut self, bodies: Vec<Body>) {
        for body in &bodies {
            self.check_flow(body);
        }
        let starts = self.threads();
        let spawns =
            |body: &Body| body.edges.iter().any(|edge| matches!(edge.action, Action::Spawn(..) | Action::SpawnAt(..)));
        let concurrent = starts.len() != 1 || self.builder.program().init.is_some() || bodies.iter().any(spawns);
        let everywhere = self.enforced_everywhere();
        let invariants: Vec<_> =
            (0..bodies.len()).map(|index| self.invariant(index, &everywhere, concurrent)).collect();
        self.initial_values_outside();
        match starts.as_slice() {
            [start] if self.builder.program().init.is_none() => {
                let invariant = invariants[*start].as_ref();
                self.builder.start(invariant.map_or(Term::TRUE, |invariant| invariant.before.clone()));
            }
            _ => self.builder.start(everywhere),
        }
        let link = Link { entries: bodies.iter().map(|body| body.entry).collect(), invariants, concurrent };
        for body in bodies {
            self.edges(body, &link);
        }
    }

    /// What the program enforces everywhere.
    fn enforced_everywhere(&mut self) -> Term {
        let conditions = std::mem::take(&mut self.symbols.enforced);
        let reading = Reading::before(Place::Outside(None));
        conditions.into_iter().fold(Term::TRUE, |all, condition| all.and(self.expr(reading, condition)))
    }

    /// The conjunction of what the program and the procedure enforce; none when that is nothing.
    fn invariant(&mut self, index: ProcedureIndex, everywhere: &Term, concurrent: bool) -> Option<Invariant> {
        let reading = Reading::before(Place::Inside(index));
        let conditions = std::mem::take(&mut self.symbols.procedures[index].enforced);
        let own = conditions.into_iter().fold(Term::TRUE, |all, condition| all.and(self.expr(reading, condition)));
        let variables = &self.builder.program().variables;
        let reads_shared = own.reads().iter().any(|(variable, _)| variables[*variable].scope == Scope::Shared);
        if concurrent && reads_shared {
            self.warn_concurrent_enforce(index);
        }
        let before = everywhere.clone().and(own);
        let variables = before.reads().into_iter().map(|(variable, _)| variable).collect();
        let after = before.clone().map(&mut |term| match term {
            Term::Read(variable, _) => Term::after(variable),
            other => other,
        });
        (before != Term::TRUE).then_some(Invariant { before, after, variables })
    }

    fn warn_concurrent_enforce(&mut self, index: ProcedureIndex) {
        let Some(name) = self.symbols.procedures[index].name else { return };
        let text = self.text(name);
        self.report.push(
            Diagnostic::warning(
                "BP0057",
                format!("`enforce` in `{text}` restricts its own steps, not those of other threads"),
            )
            .at(name.span, "other threads may run while this procedure is active")
            .help("use `enforce` outside of procedures for what must hold in all threads"),
        );
    }

    /// Initial values of shared and private variables are conditions on the start.
    fn initial_values_outside(&mut self) {
        for (variable, value, thread) in std::mem::take(&mut self.symbols.initial) {
            let value = self.expr(Reading::before(Place::Outside(thread)), value);
            let condition = match value {
                Term::Any => continue,
                value if value == Term::TRUE => Term::before(variable),
                value if value == Term::FALSE => Term::before(variable).not(),
                value => Term::before(variable).eq(value),
            };
            self.builder.start(condition);
        }
    }

    /// Threads and `init`; returns where the threads start.
    fn threads(&mut self) -> Vec<ProcedureIndex> {
        if let Some(init) = self.symbols.init {
            self.builder.init(self.symbols.procedures[init].id);
        }
        let getafix = self.options.dialect == Dialect::Getafix;
        let mut starts = if getafix { self.getafix_threads() } else { Vec::new() };
        for thread in 0..self.symbols.threads.len() {
            starts.extend(self.thread_copies(thread));
        }
        let is_concurrent = !self.symbols.threads.is_empty() || !starts.is_empty();
        if !getafix {
            self.warn_unstarted();
        }
        if let (true, Some(_)) = (is_concurrent, &self.options.entry) {
            self.report.push(
                Diagnostic::error("BP0039", "`--entry` has no meaning for a program with threads")
                    .help("leave it out: each thread starts where the program says"),
            );
        } else if !is_concurrent {
            starts.extend(self.sequential_start());
        }
        starts
    }

    /// Warns about procedures that look as if they were meant to be started, but are not.
    fn warn_unstarted(&mut self) {
        let outside = |text: &str| self.tree.names.find(text).and_then(|name| self.symbols.by_name.get(&name));
        let (main, init) = (outside("main"), outside("init"));
        let name = |index: &ProcedureIndex| self.symbols.procedures[*index].name;
        let has_threads = !self.symbols.threads.is_empty();
        let diagnostic = match (main.and_then(name), init.and_then(name)) {
            (Some(main), _) if has_threads => Diagnostic::warning("BP0060", "`main` outside of threads is not started")
                .at(main.span, "called by threads, if at all")
                .help("move it into a thread of its own"),
            (Some(_), Some(init)) if self.first_getafix_thread().is_some() => {
                Diagnostic::warning("BP0059", "`init` and `thread...` are ordinary procedures here")
                    .at(init.span, "does not run first")
                    .help("to start them as Getafix does, add `--dialect getafix`")
            }
            _ => return,
        };
        self.report.push(diagnostic);
    }

    /// A procedure that the dialect of Getafix would start as a thread.
    fn first_getafix_thread(&self) -> Option<crate::syntax::Name> {
        let mut names = self.symbols.procedures.iter().filter_map(|procedure| procedure.name);
        names.find(|name| self.text(*name).starts_with("thread"))
    }

    fn thread_copies(&mut self, thread: usize) -> Vec<ProcedureIndex> {
        let symbols = &self.symbols.threads[thread];
        let (name, copies) = (symbols.name, symbols.copies);
        let main = self.tree.names.find("main").and_then(|main| symbols.by_name.get(&main)).copied();
        let text = self.text(name);
        let Some(main) = main else {
            self.report.push(
                Diagnostic::error("BP0034", format!("the thread `{text}` has no procedure `main`"))
                    .at(name.span, "nothing to start")
                    .help("write `void main() begin ... end` inside the thread"),
            );
            return Vec::new();
        };
        let start = self.symbols.procedures[main].id;
        for copy in 1..=copies {
            let name = if copies == 1 { text.to_owned() } else { format!("{text}[{copy}]") };
            self.builder.thread(name, start);
        }
        vec![main; copies as usize]
    }

    /// Getafix: `init` runs first; `main` and every procedure whose name begins with `thread` is a thread.
    fn getafix_threads(&mut self) -> Vec<ProcedureIndex> {
        let atomic = self.tree.names.find("atomic").and_then(|name| self.symbols.globals.get(name));
        if let Some(atomic) = atomic {
            self.builder.uninterruptible(Term::before(atomic));
        }
        let mut starts = Vec::new();
        for index in 0..self.symbols.procedures.len() {
            let procedure = &self.symbols.procedures[index];
            let (Some(name), None) = (procedure.name, procedure.thread) else { continue };
            match self.text(name) {
                "init" => self.getafix_init(index, name),
                text if text == "main" || text.starts_with("thread") => {
                    self.builder.thread(text, procedure.id);
                    starts.push(index);
                }
                _ => {}
            }
        }
        starts
    }

    fn getafix_init(&mut self, index: ProcedureIndex, name: crate::syntax::Name) {
        let procedure = &self.symbols.procedures[index];
        if self.symbols.init.is_some() || !procedure.parameters.is_empty() {
            self.report.push(
                Diagnostic::error("BP0027", "there can be only one `init`, without parameters")
                    .at(name.span, "")
                    .help("in the dialect of Getafix the procedure `init` runs before all threads"),
            );
            return;
        }
        self.builder.init(procedure.id);
    }

    fn sequential_start(&mut self) -> Option<ProcedureIndex> {
        let name = self.options.entry.as_deref().unwrap_or("main");
        let index = self.tree.names.find(name).and_then(|symbol| self.symbols.by_name.get(&symbol)).copied();
        let Some(index) = index else {
            self.no_start(name);
            return None;
        };
        self.builder.thread(name, self.symbols.procedures[index].id);
        Some(index)
    }

    fn no_start(&mut self, name: &str) {
        let procedures = || self.symbols.procedures.iter().filter_map(|procedure| procedure.name);
        let near = similar(name, procedures().map(|other| self.text(other)));
        let near = near.or_else(|| procedures().next().map(|first| self.text(first)));
        let help = match near {
            _ if self.first_getafix_thread().is_some() => {
                "if procedures named `thread...` are threads, add `--dialect getafix`".to_owned()
            }
            Some(near) => format!("to start elsewhere, name the procedure: `--entry {near}`"),
            None => "write `void main() begin ... end`".to_owned(),
        };
        self.report.push(Diagnostic::error("BP0033", format!("there is no procedure `{name}` to start in")).help(help));
    }

    fn edges(&mut self, mut body: Body, link: &Link) {
        for edge in std::mem::take(&mut body.edges) {
            let Edge { source, target, mut action, origin } = edge;
            if target == body.fall_off {
                self.forget_results(body.index, &mut action);
            }
            let kind = self.kind(action, &body, link);
            let target = body.location(target);
            match kind {
                EdgeKind::Step(relation) => self.builder.step(source, target, relation),
                EdgeKind::Call(call) => self.builder.call(source, target, *call),
                EdgeKind::Spawn(spawn) => self.builder.spawn(source, target, *spawn),
            };
            self.origins.edges.push(Some(origin));
        }
    }

    /// The end of a procedure without `return`: results are arbitrary. A new thread's edge cannot change the frame of
    /// the spawning one, whose results have been arbitrary since it was entered.
    fn forget_results(&self, index: ProcedureIndex, action: &mut Action) {
        let results = &self.symbols.procedures[index].results;
        let last = match action {
            Action::Step(relation) => relation,
            Action::Call(_, relations) => &mut relations[1],
            Action::Spawn(..) | Action::SpawnAt(..) => return,
        };
        last.updates.extend(results.iter().map(|result| Update::havoc(*result)));
    }

    fn kind(&mut self, action: Action, body: &Body, link: &Link) -> EdgeKind {
        let own = link.invariants[body.index].as_ref();
        match action {
            Action::Step(relation) => EdgeKind::Step(link.step(relation, own)),
            Action::Call(callee, relations) => {
                let [enter, leave] = *relations;
                let enter = link.guarded(entering(enter, link.invariants[callee].as_ref()), own);
                let leave = entering(leave, own);
                let id = self.symbols.procedures[callee].id;
                EdgeKind::Call(Box::new(Call { callee: id, entry: link.entries[callee], enter, leave }))
            }
            Action::Spawn(callee, enter) => {
                let enter = link.guarded(entering(enter, link.invariants[callee].as_ref()), own);
                let id = self.symbols.procedures[callee].id;
                EdgeKind::Spawn(Box::new(Spawn { callee: id, entry: link.entries[callee], enter }))
            }
            Action::SpawnAt(label, enter) => {
                let enter = link.guarded(entering(enter, own), own);
                let entry = body.location(label);
                self.builder.entry(entry);
                let callee = self.symbols.procedures[body.index].id;
                EdgeKind::Spawn(Box::new(Spawn { callee, entry, enter }))
            }
        }
    }
}

/// A relation whose outcome lies inside a procedure with the invariant.
fn entering(relation: Relation, invariant: Option<&Invariant>) -> Relation {
    match invariant {
        Some(invariant) => relation.constrained(invariant.after.clone()),
        None => relation,
    }
}

impl Link {
    /// A step inside a procedure. In a sequential program a step that changes no variable of the invariant keeps it.
    fn step(&self, relation: Relation, own: Option<&Invariant>) -> Relation {
        let Some(invariant) = own else { return relation };
        let writes = |update: &Update| update.when == When::After && invariant.variables.contains(&update.variable);
        if !self.concurrent && !relation.updates.iter().any(writes) && !invariant.before.has_any() {
            return relation;
        }
        self.guarded(relation.constrained(invariant.after.clone()), own)
    }

    /// When other threads may have run since the last step, the invariant is required before a step as well.
    fn guarded(&self, mut relation: Relation, own: Option<&Invariant>) -> Relation {
        if let (true, Some(invariant)) = (self.concurrent, own) {
            relation.guard = relation.guard.and(invariant.before.clone());
        }
        relation
    }
}
