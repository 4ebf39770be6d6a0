//! Random statements, as text.

use std::fmt::Write;

use super::expr::{Allowed, expr};
use super::{RandomOptions, Shape, Signature};
use crate::dice::Dice;

/// Writes the statements of one procedure.
pub(super) struct Body<'a> {
    dice: &'a mut Dice,
    shape: &'a Shape,
    signature: &'a Signature,
    depth: u32,
    /// Statements that may still be written.
    room: u32,
    assertions_left: u32,
    /// Labels that no statement carries yet.
    unplaced: Vec<String>,
    /// Conditions that held somewhere before; an assertion of one of them has a chance to hold.
    facts: Vec<String>,
    loops: u32,
    /// Whether there are threads, so that atomic sections mean something.
    threads: bool,
    /// Threads that may still be started here.
    spawns_left: u32,
    /// Whether this is inside an atomic section: no jump leads into it or out of it.
    atomic: bool,
    indent: usize,
    text: String,
}

#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Call,
    If,
    While,
    Jump,
    LeaveLoop,
    Assume,
    Constrain,
    Assert,
    Dead,
    Return,
    Skip,
    Atomic,
    Spawn,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        dice: &'a mut Dice,
        shape: &'a Shape,
        signature: &'a Signature,
        options: &RandomOptions,
        assertions_left: u32,
    ) -> Self {
        let room = dice.between(options.statements.min(2), options.statements);
        Self {
            dice,
            shape,
            signature,
            depth: options.depth,
            room,
            assertions_left,
            unplaced: signature.labels.clone(),
            facts: Vec::new(),
            loops: 0,
            threads: options.threads > 1,
            // A thread that is started starts none, so that there is an end to it.
            spawns_left: if options.spawns && signature.name == "main" { 2 } else { 0 },
            atomic: false,
            indent: 1,
            text: String::new(),
        }
    }

    pub(super) fn assertions_left(&self) -> u32 {
        self.assertions_left
    }

    /// The whole procedure. Called once.
    pub(super) fn procedure(&mut self) -> String {
        self.declarations();
        self.block(self.depth);
        while self.room > 0 {
            self.statement(self.depth);
        }
        for label in std::mem::take(&mut self.unplaced) {
            self.line(&format!("{label}: skip;"));
        }
        if self.signature.name == "main" && self.assertions_left > 0 {
            self.assert();
        }
        if self.signature.n_results > 0 && self.dice.chance(85) {
            self.return_();
        }
        format!("{}\nbegin\n{}end\n", self.signature.head(), self.text)
    }

    fn declarations(&mut self) {
        for name in &self.signature.locals {
            let start =
                if self.dice.chance(40) { format!(" := {}", self.dice.pick(&["F", "T", "*"])) } else { String::new() };
            self.line(&format!("decl {name}{start};"));
        }
        if self.dice.chance(8) {
            let condition = self.weak_condition();
            self.line(&format!("enforce {condition};"));
        }
    }

    /// At least one statement, indented.
    fn block(&mut self, depth: u32) {
        self.statement(depth);
        while self.room > 0 && self.dice.chance(55) {
            self.statement(depth);
        }
    }

    fn nested(&mut self, depth: u32) {
        self.indent += 1;
        let known = self.facts.len();
        self.block(depth);
        // What held inside a branch usually does not hold after it.
        self.facts.truncate(known);
        self.indent -= 1;
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * self.indent);
    }

    /// A line that begins with the labels which this statement is to carry.
    fn start(&mut self, text: &str) {
        let mut labels = String::new();
        while !self.atomic && !self.unplaced.is_empty() && self.dice.chance(18) {
            let at = self.dice.below(self.unplaced.len() as u32) as usize;
            let _ = write!(labels, "{}: ", self.unplaced.swap_remove(at));
        }
        self.line(&format!("{labels}{text}"));
    }

    fn statement(&mut self, depth: u32) {
        self.room = self.room.saturating_sub(1);
        match self.kind(depth) {
            Kind::Assign => self.assign(),
            Kind::Call => self.call(),
            Kind::If => self.if_(depth),
            Kind::While => self.while_(depth),
            Kind::Jump => self.jump(),
            Kind::LeaveLoop => self.leave_loop(),
            Kind::Assume => self.assume(),
            Kind::Constrain => self.constrain(),
            Kind::Assert => self.assert(),
            Kind::Dead => self.dead(),
            Kind::Return => self.return_(),
            Kind::Skip => self.skip(),
            Kind::Atomic => self.atomic(depth),
            Kind::Spawn => self.spawn(),
        }
    }

    fn kind(&mut self, depth: u32) -> Kind {
        let when = |possible: bool, weight: u32| if possible { weight } else { 0 };
        let nested = depth < self.depth;
        let weights = [
            (30, Kind::Assign),
            (when(self.may_call(), 14), Kind::Call),
            (when(depth > 0, 14), Kind::If),
            (when(depth > 0, 8), Kind::While),
            (when(!self.signature.labels.is_empty() && !self.atomic, 6), Kind::Jump),
            (when(self.loops > 0 && !self.atomic, 6), Kind::LeaveLoop),
            (5, Kind::Assume),
            (5, Kind::Constrain),
            (when(self.assertions_left > 0, 6), Kind::Assert),
            (4, Kind::Dead),
            (when(nested && !self.atomic, 3), Kind::Return),
            (4, Kind::Skip),
            (when(self.threads && !self.atomic, 10), Kind::Atomic),
            (when(self.may_spawn(), 25), Kind::Spawn),
        ];
        self.dice.weighted(&weights)
    }

    fn expr(&mut self, allowed: Allowed) -> String {
        expr(self.dice, &self.signature.visible, self.depth, allowed)
    }

    /// Usually without choices.
    fn condition(&mut self) -> String {
        let allowed = if self.dice.chance(15) { Allowed::CHOICE } else { Allowed::PLAIN };
        self.expr(allowed)
    }

    /// True in most states.
    fn weak_condition(&mut self) -> String {
        let literals: Vec<String> =
            (0..3).map(|_| expr(self.dice, &self.signature.visible, 0, Allowed::PLAIN)).collect();
        literals.join(" | ")
    }

    fn assign(&mut self) {
        let n = self.dice.weighted(&[(70, 1), (30, 2)]);
        let targets = self.dice.some(&self.signature.visible, n);
        let allowed = if self.dice.chance(50) { Allowed::CHOICE } else { Allowed::PLAIN };
        let values: Vec<String> = targets.iter().map(|_| self.expr(allowed)).collect();
        let mut constraint = String::new();
        if self.dice.chance(8) {
            constraint = format!(" constrain ({})", self.expr(Allowed::PRIMES));
        }
        self.start(&format!("{} := {}{constraint};", targets.join(", "), values.join(", ")));
        if !allowed.choice {
            self.facts.extend(targets.iter().zip(&values).map(|(target, value)| format!("{target} = ({value})")));
        }
    }

    fn call(&mut self) {
        let callee = self.callee();
        let arguments: Vec<String> = callee.parameters.iter().map(|_| self.expr(Allowed::CHOICE)).collect();
        let call = if self.dice.chance(20) { "call " } else { "" };
        let mut results = String::new();
        if callee.n_results > 0 && self.dice.chance(90) {
            let mut targets = self.dice.some(&self.signature.visible, callee.n_results as usize);
            targets.resize(callee.n_results as usize, "_".to_owned());
            if self.dice.chance(10) {
                targets[0] = "_".to_owned();
            }
            results = format!("{} := ", targets.join(", "));
        }
        let statement = format!("{results}{call}{}({});", callee.name, arguments.join(", "));
        if callee.index > self.signature.index { self.start(&statement) } else { self.guarded(&statement) }
    }

    /// Not in a loop: a search of all interleavings has to end.
    fn may_spawn(&self) -> bool {
        self.spawns_left > 0 && self.loops == 0 && self.signature.index + 1 < self.shape.procedures.len()
    }

    fn spawn(&mut self) {
        self.spawns_left -= 1;
        let callee = self.dice.pick(&self.shape.procedures[self.signature.index + 1..]);
        let arguments: Vec<String> = callee.parameters.iter().map(|_| self.expr(Allowed::CHOICE)).collect();
        self.start(&format!("start_thread {}({});", callee.name, arguments.join(", ")));
    }

    fn may_call(&self) -> bool {
        self.shape.recursive || self.signature.index + 1 < self.shape.procedures.len()
    }

    /// Usually a procedure that comes later: recursion without a way out makes what follows it unreachable.
    fn callee(&mut self) -> &'a Signature {
        let procedures = &self.shape.procedures;
        let later = &procedures[self.signature.index + 1..];
        if later.is_empty() || (self.shape.recursive && self.dice.chance(20)) {
            self.dice.pick(procedures)
        } else {
            self.dice.pick(later)
        }
    }

    /// A condition for `if` or `while`, with or without parentheses. It is remembered.
    fn guard(&mut self) -> String {
        match self.dice.below(10) {
            0 => "(*)".to_owned(),
            1 => "?".to_owned(),
            2 => self.condition(),
            _ => {
                let condition = self.expr(Allowed::PLAIN);
                self.facts.push(condition.clone());
                format!("({condition})")
            }
        }
    }

    fn if_(&mut self, depth: u32) {
        let known = self.facts.len();
        let guard = self.guard();
        self.start(&format!("if {guard} then"));
        self.nested(depth - 1);
        self.facts.truncate(known);
        if self.dice.chance(20) {
            let guard = self.guard();
            self.line(&format!("elsif {guard} then"));
            self.nested(depth - 1);
            self.facts.truncate(known);
        }
        if self.dice.chance(50) {
            self.line("else");
            self.nested(depth - 1);
        }
        let end = self.dice.pick(&["fi", "fi;"]);
        self.line(end);
    }

    fn while_(&mut self, depth: u32) {
        let known = self.facts.len();
        let guard = self.guard();
        self.start(&format!("while {guard} do"));
        self.loops += 1;
        self.nested(depth - 1);
        self.loops -= 1;
        self.facts.truncate(known);
        let end = self.dice.pick(&["od", "od;"]);
        self.line(end);
    }

    /// A section in which no other thread runs.
    fn atomic(&mut self, depth: u32) {
        self.start("atomic_begin;");
        let loops = std::mem::take(&mut self.loops);
        self.atomic = true;
        self.nested(depth);
        self.atomic = false;
        self.loops = loops;
        self.line("atomic_end;");
    }

    /// Usually under a condition, or most of the procedure would be unreachable.
    fn guarded(&mut self, statement: &str) {
        if self.dice.chance(80) {
            let guard = self.guard();
            self.facts.pop();
            self.start(&format!("if {guard} then"));
            self.indent += 1;
            self.line(statement);
            self.indent -= 1;
            self.line("fi");
        } else {
            self.start(statement);
        }
    }

    fn jump(&mut self) {
        let n = self.dice.between(1, 2) as usize;
        let targets = self.dice.some(&self.signature.labels, n);
        self.guarded(&format!("goto {};", targets.join(", ")));
    }

    fn leave_loop(&mut self) {
        let statement = *self.dice.pick(&["break;", "continue;"]);
        self.guarded(statement);
    }

    fn assume(&mut self) {
        let condition = if self.dice.chance(60) { self.weak_condition() } else { self.condition() };
        match self.dice.below(5) {
            0 => self.start(&format!("abortif(!({condition}));")),
            1 => self.start(&format!("constrain({condition});")),
            2 => self.start(&format!("assume {condition};")),
            _ => self.start(&format!("assume({condition});")),
        }
        self.facts.push(condition);
    }

    /// A relation between old and new values.
    fn constrain(&mut self) {
        let condition = self.expr(Allowed::PRIMES);
        self.start(&format!("constrain({condition});"));
    }

    fn assert(&mut self) {
        self.assertions_left = self.assertions_left.saturating_sub(1);
        let condition = match self.dice.below(100) {
            0..35 if !self.facts.is_empty() => self.dice.pick(&self.facts).clone(),
            0..45 => self.weak_condition(),
            45..49 => self.expr(Allowed::CHOICE),
            _ => self.expr(Allowed::PLAIN),
        };
        self.start(&format!("assert({condition});"));
    }

    fn dead(&mut self) {
        let n = self.dice.between(1, 2) as usize;
        let variables = self.dice.some(&self.signature.visible, n);
        self.start(&format!("dead {};", variables.join(", ")));
    }

    fn return_(&mut self) {
        let values: Vec<String> = (0..self.signature.n_results).map(|_| self.expr(Allowed::CHOICE)).collect();
        let space = if values.is_empty() { "" } else { " " };
        self.start(&format!("return{space}{};", values.join(", ")));
    }

    fn skip(&mut self) {
        let shown = self.expr(Allowed::PLAIN);
        match self.dice.below(3) {
            0 => self.start(&format!("print({shown});")),
            _ => self.start("skip;"),
        }
    }
}
