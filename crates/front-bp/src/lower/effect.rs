//! What statements do to the data.

use base::{Diagnostic, Span};
use program::{Expr as Term, LocationId, Relation, Rhs, Update, VariableId, When};
use rustc_hash::FxHashSet;

use super::Dialect;
use super::body::{Action, BodyLowering, Target};
use super::declare::ProcedureIndex;
use super::scope::Reading;
use crate::syntax::{Call, Expr, Name, Statement, StatementKind};

impl<'t> BodyLowering<'_, 't> {
    /// A statement that goes on with the next one, or returns.
    pub(super) fn effect(&mut self, location: LocationId, statement: &'t Statement, follow: Target) {
        let head = statement.head;
        let relation = match &statement.kind {
            StatementKind::Call { targets, call } => return self.call(location, statement, targets, call, follow),
            StatementKind::Spawn(call) => return self.spawn(location, head, call, follow),
            StatementKind::Return(values) => {
                let relation = self.returned(head, values);
                return self.step(location, self.exit, head, relation);
            }
            StatementKind::Assign { targets, values, constraint } => {
                self.assignment(head, targets, values, constraint.as_ref())
            }
            StatementKind::Assume(condition) => self.assume(condition),
            StatementKind::Constrain(condition) if self.lowering.options.dialect == Dialect::Getafix => {
                self.constrain_everything(head, condition)
            }
            StatementKind::Constrain(condition) => self.assume(condition),
            StatementKind::Abortif(condition) => Relation::assume(self.expr(condition).not()),
            StatementKind::Dead(names) => self.dead(names),
            StatementKind::Print(values) => {
                values.iter().for_each(|value| drop(self.expr(value)));
                Relation::identity()
            }
            _ => Relation::identity(),
        };
        self.step(location, follow, head, relation);
    }

    /// Assignments of initial values before the first statement. Values that do not read what was just assigned are
    /// assigned in one step.
    pub(super) fn initial_values(&mut self) {
        let initial = std::mem::take(&mut self.lowering.symbols.procedures[self.index].initial);
        let mut group: Vec<Update> = Vec::new();
        let mut assigned = FxHashSet::default();
        let mut place: Option<Span> = None;
        for (variable, declarator) in &initial {
            let Some(value) = &declarator.value else { continue };
            let value = self.expr(value);
            let reads_assigned = value.reads().iter().any(|(read, _)| assigned.contains(read));
            if let (true, Some(origin)) = (reads_assigned, place) {
                self.initial_step(origin, std::mem::take(&mut group));
                assigned.clear();
                place = None;
            }
            assigned.insert(*variable);
            group.push(update(*variable, value));
            place = Some(place.map_or(declarator.span, |span| span.to(declarator.span)));
        }
        if let Some(origin) = place {
            self.initial_step(origin, group);
        }
    }

    fn initial_step(&mut self, origin: Span, updates: Vec<Update>) {
        let location = self.location(Some(origin));
        let next = self.target();
        self.step(location, next, origin, Relation::update(updates));
        self.place(next);
    }

    /// `x, y := e, f constrain (c)`
    fn assignment(&mut self, head: Span, targets: &[Name], values: &[Expr], constraint: Option<&Expr>) -> Relation {
        let variables = self.assigned(targets, false);
        if targets.len() != values.len() {
            let message =
                format!("{} cannot be assigned to {}", count(values.len(), "value"), count(targets.len(), "variable"));
            self.lowering.report.push(
                Diagnostic::error("BP0029", message)
                    .at(head, "")
                    .help("both sides of `:=` have the same number of items"),
            );
        }
        let values: Vec<Term> = values.iter().map(|value| self.expr(value)).collect();
        let pairs = variables.into_iter().zip(values);
        let relation = Relation::update(pairs.filter_map(|(variable, value)| Some(update(variable?, value))).collect());
        match constraint {
            Some(constraint) => {
                let reading = Reading::relation(self.here());
                relation.constrained(self.lowering.expr(reading, constraint))
            }
            None => relation,
        }
    }

    /// The variables of a left side; `None` for `_` and for mistakes.
    fn assigned(&mut self, targets: &[Name], of_call: bool) -> Vec<Option<VariableId>> {
        let mut seen = FxHashSet::default();
        targets.iter().map(|target| self.assigned_one(*target, of_call, &mut seen)).collect()
    }

    fn assigned_one(&mut self, target: Name, of_call: bool, seen: &mut FxHashSet<VariableId>) -> Option<VariableId> {
        let text = self.lowering.text(target);
        if text == "_" {
            if !of_call {
                self.lowering.report.push(
                    Diagnostic::error("BP0035", "`_` can only discard a result of a call")
                        .at(target.span, "")
                        .help("remove it together with its value"),
                );
            }
            return None;
        }
        let here = self.here();
        let variable = self.lowering.variable(here, target)?;
        if !seen.insert(variable) {
            self.lowering.report.push(
                Diagnostic::error("BP0030", format!("`{text}` is assigned twice in one statement"))
                    .at(target.span, "assigned again")
                    .help("an assignment is simultaneous: each variable can have only one new value"),
            );
            return None;
        }
        Some(variable)
    }

    /// Without primes a condition; with primes, those variables change so that it holds.
    fn assume(&mut self, condition: &Expr) -> Relation {
        let reading = Reading::relation(self.here());
        let condition = self.lowering.expr(reading, condition);
        let mut seen = FxHashSet::default();
        let primed =
            condition.reads().into_iter().filter(|(variable, when)| *when == When::After && seen.insert(*variable));
        let updates: Vec<Update> = primed.map(|(variable, _)| Update::havoc(variable)).collect();
        if updates.is_empty() { Relation::assume(condition) } else { Relation::update(updates).constrained(condition) }
    }

    /// Getafix: every variable that is visible changes so that the condition holds.
    fn constrain_everything(&mut self, head: Span, condition: &Expr) -> Relation {
        let reading = Reading::relation(self.here());
        let condition = self.lowering.expr(reading, condition);
        let variables = self.lowering.visible_variables(reading.place);
        let mentioned: FxHashSet<_> = condition.reads().into_iter().collect();
        let forgotten = variables.iter().find(|variable| !mentioned.contains(&(**variable, When::After)));
        if let Some(forgotten) = forgotten {
            let name = self.lowering.builder.program().variables[*forgotten].name.clone();
            self.lowering.report.push(
                Diagnostic::warning("BP0056", format!("this `constrain` leaves `{name}` arbitrary, among others"))
                    .at(head, "in the dialect of Getafix it relates all old and new values")
                    .help(format!("add `'{name} = {name}` to keep the value, or use `assume` for a mere condition")),
            );
        }
        Relation::update(variables.into_iter().map(Update::havoc).collect()).constrained(condition)
    }

    fn dead(&mut self, names: &[Name]) -> Relation {
        let (here, mut seen, mut updates) = (self.here(), FxHashSet::default(), Vec::new());
        for name in names {
            let Some(variable) = self.lowering.variable(here, *name) else { continue };
            if seen.insert(variable) {
                updates.push(Update::havoc(variable));
            } else {
                self.repeated(*name, "variable");
            }
        }
        Relation::update(updates)
    }

    fn returned(&mut self, head: Span, values: &[Expr]) -> Relation {
        let values: Vec<Term> = values.iter().map(|value| self.expr(value)).collect();
        let results = self.lowering.symbols.procedures[self.index].results.clone();
        if values.is_empty() && !results.is_empty() {
            self.lowering.report.push(
                Diagnostic::warning("BP0053", "`return` without values leaves the results arbitrary")
                    .at(head, format!("the procedure has {}", count(results.len(), "result")))
                    .help("write `return *` if that is meant"),
            );
            return Relation::update(results.into_iter().map(Update::havoc).collect());
        }
        if values.len() != results.len() {
            self.wrong_return(head, values.len(), results.len());
        }
        Relation::update(results.into_iter().zip(values).map(|(result, value)| update(result, value)).collect())
    }

    fn wrong_return(&mut self, head: Span, n_values: usize, n_results: usize) {
        let sort = if n_values == 1 { "bool".to_owned() } else { format!("bool<{n_values}>") };
        let help = match n_results {
            0 => format!("write `return` alone, or declare the procedure with `{sort}` in front of its name"),
            n => format!("return {}, or declare the procedure with `{sort}`", count(n, "value")),
        };
        let message =
            format!("{} returned, but the procedure has {}", count(n_values, "value"), count(n_results, "result"));
        self.lowering.report.push(Diagnostic::error("BP0036", message).at(head, "").help(help));
    }

    /// `x, y := p(e)` or `p(e)`; under a label `ASYNC_n` the start of a thread.
    fn call(&mut self, location: LocationId, statement: &Statement, targets: &[Name], call: &Call, follow: Target) {
        let is_async = |label: &Name| is_async_label(self.lowering.text(*label));
        if let Some(label) = statement.labels.iter().find(|label| is_async(label)).copied() {
            if !targets.is_empty() {
                self.lowering.report.push(
                    Diagnostic::error("BP0037", "a thread has no results to assign")
                        .at(statement.head, "")
                        .also(label.span, "this label makes the call the start of a thread")
                        .help("rename the label, or call without `:=`"),
                );
            }
            return self.spawn(location, statement.head, call, follow);
        }
        let variables = self.assigned(targets, true);
        let enter = self.enter(call);
        let Some((callee, enter)) = enter else { return };
        let results = self.lowering.symbols.procedures[callee].results.clone();
        if !targets.is_empty() && targets.len() != results.len() {
            self.wrong_results(statement.head, call.callee, targets.len(), results.len());
        }
        let pairs = variables.into_iter().zip(results);
        let assign = |(variable, result): (Option<VariableId>, VariableId)| {
            Some(Update::assign(variable?, Term::Read(result, When::Result)))
        };
        let leave = Relation::update(pairs.filter_map(assign).collect());
        self.edge(location, follow, statement.head, Action::Call(callee, Box::new([enter, leave])));
    }

    fn wrong_results(&mut self, head: Span, callee: Name, n_targets: usize, n_results: usize) {
        let text = self.lowering.text(callee);
        let message =
            format!("`{text}` has {}, but {} assigned", count(n_results, "result"), are(n_targets, "variable"));
        let place = self.lowering.find_procedure(self.here(), callee);
        let name = place.and_then(|index| self.lowering.symbols.procedures[index].name);
        let help = match n_results {
            0 => format!("call it without `:=`, or declare `bool {text}(...)`"),
            n if n < n_targets => "write one variable for each result".to_owned(),
            _ => "use `_` for a result that is not wanted".to_owned(),
        };
        let mut diagnostic = Diagnostic::error("BP0028", message).at(head, "").help(help);
        if let Some(name) = name {
            diagnostic = diagnostic.also(name.span, "declared here");
        }
        self.lowering.report.push(diagnostic);
    }

    fn spawn(&mut self, location: LocationId, head: Span, call: &Call, follow: Target) {
        if let Some((callee, enter)) = self.enter(call) {
            self.edge(location, follow, head, Action::Spawn(callee, enter));
        }
    }

    /// The callee, and its parameters set to the arguments.
    fn enter(&mut self, call: &Call) -> Option<(ProcedureIndex, Relation)> {
        let here = self.here();
        let callee = self.lowering.procedure(here, call.callee);
        let arguments: Vec<Term> = call.arguments.iter().map(|argument| self.expr(argument)).collect();
        let callee = callee?;
        let parameters = self.lowering.symbols.procedures[callee].parameters.clone();
        if parameters.len() != arguments.len() {
            self.wrong_arguments(call.callee, callee, arguments.len(), parameters.len());
        }
        let updates = parameters.into_iter().zip(arguments).map(|(parameter, value)| update(parameter, value));
        Some((callee, Relation::update(updates.collect())))
    }

    fn wrong_arguments(&mut self, name: Name, callee: ProcedureIndex, n_arguments: usize, n_parameters: usize) {
        let text = self.lowering.text(name);
        let message = format!(
            "`{text}` has {}, but is called with {}",
            count(n_parameters, "parameter"),
            count(n_arguments, "argument")
        );
        let mut diagnostic = Diagnostic::error("BP0032", message).at(name.span, "called here");
        if let Some(declared) = self.lowering.symbols.procedures[callee].name {
            diagnostic = diagnostic.also(declared.span, "declared here");
        }
        self.lowering.report.push(diagnostic.help("give one argument for each parameter"));
    }

    /// A new thread with the frame and the private values of this one.
    pub(super) fn copy_of_frame(&mut self) -> Relation {
        let procedure = &self.lowering.symbols.procedures[self.index];
        let privates = procedure.thread.map(|thread| self.lowering.symbols.threads[thread].privates.ids.as_slice());
        let frame = self.lowering.builder.program().procedures[procedure.id].frame();
        let copied = frame.chain(privates.unwrap_or_default().iter().copied());
        Relation::update(copied.map(|variable| Update::assign(variable, Term::before(variable))).collect())
    }
}

/// `variable := value`; an arbitrary value is no expression.
fn update(variable: VariableId, value: Term) -> Update {
    let value = if value == Term::Any { Rhs::Any } else { Rhs::Expr(value) };
    Update { variable, index: None, when: When::After, value }
}

/// `ASYNC_1`, as Boppo marks calls that start threads.
fn is_async_label(text: &str) -> bool {
    let number = text.strip_prefix("ASYNC_");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

fn are(n: usize, what: &str) -> String {
    let verb = if n == 1 { "is" } else { "are" };
    format!("{} {verb}", count(n, what))
}
