//! Small systems made of tables, and the textbook's algorithms on their explicit form.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use program::{
    Call, EdgeId, EdgeKind, Expr, LocationId, NaryOp, ProcedureId, Program, ProgramBuilder, Relation, Sort, UnaryOp,
    Update, VariableId, When,
};
use question::configuration::{ConfigurationSet, Place};

/// A small generator of numbers (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Some rows of bits, each with some chance.
    fn table(&mut self, width: u32, percent: usize) -> Vec<u32> {
        (0..1 << width).filter(|_| self.chance(percent)).collect()
    }
}

/// A configuration: the shared value and the frames, each a location and the local value.
pub(crate) type Word = (bool, Vec<(u32, bool)>);

/// A control state of the explicit system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum State {
    Run(bool),
    /// A procedure has returned, with this shared and this local value.
    Returned(u32, bool, bool),
    /// Of the given automaton.
    Place(usize),
    /// Made by a push: the control state and the symbol on top.
    Pushed(bool, Symbol),
}

/// A stack symbol of the explicit system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Symbol {
    Top(u32, bool),
    At(u32, bool),
    In(u32, bool),
}

type Rule = (State, Symbol, State, Vec<Symbol>);

/// An explicit automaton; no symbol: nothing is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automaton {
    transitions: BTreeSet<(State, Option<Symbol>, State)>,
    finals: BTreeSet<State>,
}

/// A program over one shared and one local Boolean, and its rules.
pub(crate) struct System {
    pub(crate) program: Program,
    shared: VariableId,
    locals: Vec<VariableId>,
    rules: Vec<Rule>,
}

fn bit(row: u32, at: u32) -> bool {
    row >> at & 1 == 1
}

/// The disjunction of the rows of a table over some reads.
fn condition(rows: &[u32], reads: &[(VariableId, When)]) -> Expr {
    let literal = |row: u32, (at, (variable, when)): (usize, &(VariableId, When))| {
        let read = Expr::Read(*variable, *when);
        if bit(row, at as u32) { read } else { read.not() }
    };
    let row = |row: &u32| Expr::Nary(NaryOp::And, reads.iter().enumerate().map(|read| literal(*row, read)).collect());
    Expr::Nary(NaryOp::Or, rows.iter().map(row).collect())
}

fn relation(rows: &[u32], reads: &[(VariableId, When)], writes: &[(VariableId, When)]) -> Relation {
    let havoc = |(variable, when): &(VariableId, When)| Update { when: *when, ..Update::havoc(*variable) };
    let updates = writes.iter().map(havoc).collect();
    Relation { guard: Expr::TRUE, updates, constraint: condition(rows, &[reads, writes].concat()) }
}

impl System {
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let mut builder = ProgramBuilder::new();
        let shared = builder.shared("g", Sort::Bool);
        let n_procedures = 1 + dice.below(3);
        let procedures: Vec<ProcedureId> = (0..n_procedures).map(|at| builder.procedure(format!("p{at}"))).collect();
        let mut locals = Vec::new();
        let mut locations: Vec<Vec<LocationId>> = Vec::new();
        for procedure in &procedures {
            locals.push(builder.result(*procedure, "x", Sort::Bool));
            let n = 2 + dice.below(2);
            let own: Vec<LocationId> = (0..n).map(|_| builder.location(*procedure)).collect();
            builder.entry(own[0]);
            if dice.chance(30) {
                builder.entry(own[1]);
            }
            builder.exit(own[n - 1]);
            locations.push(own);
        }
        builder.thread("main", procedures[0]);
        let mut system = Self { program: builder.program().clone(), shared, locals, rules: Vec::new() };
        for (procedure, own) in locations.iter().enumerate() {
            for source in &own[..own.len() - 1] {
                for _ in 0..1 + dice.below(2) {
                    let target = own[dice.below(own.len())];
                    if dice.chance(50) {
                        system.step(dice, &mut builder, procedure, (*source, target));
                    } else {
                        system.call(dice, &mut builder, procedure, (*source, target));
                    }
                }
            }
            let exit = own[own.len() - 1].0;
            for (g, x) in pairs() {
                system.rules.push((
                    State::Run(g),
                    Symbol::Top(exit, x),
                    State::Returned(procedure as u32, g, x),
                    Vec::new(),
                ));
            }
        }
        system.program = builder.finish();
        let n = system.program.locations.len() as u32;
        for (procedure, location) in (0..n_procedures as u32).flat_map(|p| (0..n).map(move |l| (p, l))) {
            // Where all calls take something from their callees, no frame waits for nothing.
            if !system.waiting(location).contains(&Symbol::At(location, false)) {
                continue;
            }
            for ((g, y), x) in pairs().flat_map(|pair| [(pair, false), (pair, true)]) {
                let returned = State::Returned(procedure, g, y);
                system.rules.push((returned, Symbol::At(location, x), State::Run(g), vec![Symbol::Top(location, x)]));
            }
        }
        assert_eq!(program::verify(&system.program), Ok(()));
        system
    }

    fn step(
        &mut self,
        dice: &mut Dice,
        builder: &mut ProgramBuilder,
        procedure: usize,
        (source, target): (LocationId, LocationId),
    ) {
        let rows = dice.table(4, 30);
        let own = [self.shared, self.locals[procedure]];
        let relation = relation(&rows, &own.map(|v| (v, When::Before)), &own.map(|v| (v, When::After)));
        builder.step(source, target, relation);
        for row in rows {
            let (before, after) = (Symbol::Top(source.0, bit(row, 1)), Symbol::Top(target.0, bit(row, 3)));
            self.rules.push((State::Run(bit(row, 0)), before, State::Run(bit(row, 2)), vec![after]));
        }
    }

    fn call(
        &mut self,
        dice: &mut Dice,
        builder: &mut ProgramBuilder,
        procedure: usize,
        (source, target): (LocationId, LocationId),
    ) {
        let callee = dice.below(self.locals.len());
        let entries = &builder.program().procedures[ProcedureId(callee as u32)].entries;
        let entry = entries[dice.below(entries.len())];
        let (g, x, y) = (self.shared, self.locals[procedure], self.locals[callee]);
        let enters = dice.table(5, 20);
        let before = [(g, When::Before), (x, When::Before)];
        let enter = relation(&enters, &before, &[(g, When::After), (y, When::After), (x, When::Saved)]);
        // Before leaving: the shared value, the result, the saved value.
        let leaves = dice.chance(50).then(|| dice.table(5, 20));
        let leave = leaves.as_ref().map_or_else(Relation::identity, |rows| {
            let before = [(g, When::Before), (y, When::Result), (x, When::Before)];
            relation(rows, &before, &[(g, When::After), (x, When::After)])
        });
        let callee_id = ProcedureId(callee as u32);
        let edge = builder.call(source, target, Call { callee: callee_id, entry, enter, leave });
        let waiting = |x: bool| if leaves.is_some() { Symbol::In(edge.0, x) } else { Symbol::At(target.0, x) };
        for row in enters {
            self.rules.push((
                State::Run(bit(row, 0)),
                Symbol::Top(source.0, bit(row, 1)),
                State::Run(bit(row, 2)),
                vec![Symbol::Top(entry.0, bit(row, 3)), waiting(bit(row, 4))],
            ));
        }
        for row in leaves.into_iter().flatten() {
            self.rules.push((
                State::Returned(callee as u32, bit(row, 0), bit(row, 1)),
                Symbol::In(edge.0, bit(row, 2)),
                State::Run(bit(row, 3)),
                vec![Symbol::Top(target.0, bit(row, 4))],
            ));
        }
    }

    /// The frames that go on at a location.
    fn waiting(&self, location: u32) -> Vec<Symbol> {
        let calls = self.program.edges.iter_ids().filter(|(_, edge)| edge.target.0 == location);
        let symbol = |(id, edge): (EdgeId, &program::Edge)| match &edge.kind {
            EdgeKind::Call(call) if call.leave.is_identity() => Some(None),
            EdgeKind::Call(_) => Some(Some(id.0)),
            _ => None,
        };
        let mut found: BTreeSet<Option<u32>> = calls.filter_map(symbol).collect();
        if found.is_empty() {
            found.insert(None);
        }
        let both = found.into_iter().flat_map(|edge| [false, true].map(|x| (edge, x)));
        both.map(|(edge, x)| edge.map_or(Symbol::At(location, x), |edge| Symbol::In(edge, x))).collect()
    }

    fn location(&self, symbol: Symbol) -> (u32, bool) {
        match symbol {
            Symbol::Top(location, x) | Symbol::At(location, x) => (location, x),
            Symbol::In(edge, x) => (self.program.edges[EdgeId(edge)].target.0, x),
        }
    }

    fn holds(&self, condition: &Expr, g: bool, x: bool) -> bool {
        match condition {
            Expr::Const(value, _) => *value == program::Value::Bool(true),
            Expr::Read(variable, _) => {
                if *variable == self.shared {
                    g
                } else {
                    x
                }
            }
            Expr::Unary(UnaryOp::Not, inner) => !self.holds(inner, g, x),
            Expr::Nary(NaryOp::And, parts) => parts.iter().all(|part| self.holds(part, g, x)),
            other => panic!("{other:?} is not used here"),
        }
    }

    /// The automaton of a set.
    fn given(&self, set: &ConfigurationSet) -> Automaton {
        let mut automaton = Automaton::default();
        for (first, condition) in &set.first {
            for location in &set.places[*first].locations {
                for (g, x) in pairs() {
                    if self.holds(condition, g, x) && self.holds(&set.places[*first].condition, g, x) {
                        let symbol = Symbol::Top(location.0, x);
                        automaton.transitions.insert((State::Run(g), Some(symbol), State::Place(*first)));
                    }
                }
            }
        }
        for (at, place) in set.places.iter().enumerate() {
            if place.is_last {
                automaton.finals.insert(State::Place(at));
            }
            for next in &place.next {
                for location in &set.places[*next].locations {
                    for symbol in self.waiting(location.0) {
                        if self.holds(&set.places[*next].condition, false, self.location(symbol).1) {
                            automaton.transitions.insert((State::Place(at), Some(symbol), State::Place(*next)));
                        }
                    }
                }
            }
        }
        automaton
    }

    /// Bouajjani, Esparza and Maler: rule by rule until nothing changes.
    pub(crate) fn pre_star(&self, set: &ConfigurationSet) -> Automaton {
        let mut automaton = self.given(set);
        loop {
            let mut new = BTreeSet::new();
            for (state, symbol, after, word) in &self.rules {
                for end in automaton.read(&BTreeSet::from([*after]), word) {
                    new.insert((*state, Some(*symbol), end));
                }
            }
            let before = automaton.transitions.len();
            automaton.transitions.extend(new);
            if automaton.transitions.len() == before {
                return automaton;
            }
        }
    }

    /// Esparza, Hansel, Rossmanith and Schwoon: likewise, with transitions that read nothing.
    pub(crate) fn post_star(&self, set: &ConfigurationSet) -> Automaton {
        let mut automaton = self.given(set);
        loop {
            let mut new = BTreeSet::new();
            for (state, symbol, after, word) in &self.rules {
                for end in automaton.read(&BTreeSet::from([*state]), &[*symbol]) {
                    match (word.as_slice(), *after) {
                        ([], after) => {
                            new.insert((after, None, end));
                        }
                        ([only], after) => {
                            new.insert((after, Some(*only), end));
                        }
                        ([top, below], State::Run(g)) => {
                            let pushed = State::Pushed(g, *top);
                            new.insert((State::Run(g), Some(*top), pushed));
                            new.insert((pushed, Some(*below), end));
                        }
                        other => panic!("{other:?} is no rule"),
                    }
                }
            }
            let before = automaton.transitions.len();
            automaton.transitions.extend(new);
            if automaton.transitions.len() == before {
                return automaton;
            }
        }
    }

    /// All configurations that an automaton accepts, up to a height of the stack.
    pub(crate) fn words(&self, automaton: &Automaton, height: usize) -> BTreeSet<Word> {
        let mut found = BTreeSet::new();
        let mut open: Vec<(Word, BTreeSet<State>)> =
            [false, true].map(|g| ((g, Vec::new()), BTreeSet::from([State::Run(g)]))).to_vec();
        while let Some((word, states)) = open.pop() {
            let is_accepted = states.iter().any(|state| automaton.finals.contains(state));
            if is_accepted && !word.1.is_empty() {
                found.insert(word.clone());
            }
            if word.1.len() == height {
                continue;
            }
            let mut next: BTreeMap<(u32, bool), BTreeSet<State>> = BTreeMap::new();
            for state in automaton.closed(&states) {
                for (_, symbol, to) in automaton.of(state) {
                    let Some(symbol) = *symbol else { continue };
                    if matches!(symbol, Symbol::Top(..)) == word.1.is_empty() {
                        next.entry(self.location(symbol)).or_default().insert(*to);
                    }
                }
            }
            for (frame, states) in next {
                let mut longer = word.clone();
                longer.1.push(frame);
                open.push((longer, automaton.closed(&states)));
            }
        }
        found
    }

    /// All configurations that a search from the start finds, with stacks up to a height; and whether some were higher.
    pub(crate) fn search(&self, height: usize) -> (BTreeSet<Word>, bool) {
        let entry = self.program.procedures[self.program.threads[0].start].entries[0].0;
        let starts = pairs().map(|(g, x)| (State::Run(g), vec![Symbol::Top(entry, x)]));
        let mut seen: BTreeSet<(State, Vec<Symbol>)> = starts.collect();
        let mut open: VecDeque<(State, Vec<Symbol>)> = seen.iter().cloned().collect();
        let mut is_cut = false;
        while let Some((state, stack)) = open.pop_front() {
            let Some((top, rest)) = stack.split_first() else { continue };
            for (_, _, after, word) in self.rules.iter().filter(|rule| rule.0 == state && rule.1 == *top) {
                let next = (*after, [word.as_slice(), rest].concat());
                if next.1.len() > height {
                    is_cut = true;
                } else if seen.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
        let word = |(state, stack): &(State, Vec<Symbol>)| match state {
            State::Run(g) => Some((*g, stack.iter().map(|symbol| self.location(*symbol)).collect())),
            _ => None,
        };
        (seen.iter().filter_map(word).collect(), is_cut)
    }

    /// The set that holds one configuration.
    pub(crate) fn singleton(&self, word: &Word) -> ConfigurationSet {
        let is = |variable: VariableId, value: bool| {
            let read = Expr::before(variable);
            if value { read } else { read.not() }
        };
        let n = word.1.len();
        let place = |(at, (location, x)): (usize, &(u32, bool))| Place {
            locations: vec![LocationId(*location)],
            condition: is(self.locals[self.program.locations[LocationId(*location)].procedure.0 as usize], *x),
            next: if at + 1 < n { vec![at + 1] } else { Vec::new() },
            is_last: at + 1 == n,
        };
        ConfigurationSet {
            places: word.1.iter().enumerate().map(place).collect(),
            first: vec![(0, is(self.shared, word.0))],
        }
    }
}

fn pairs() -> impl Iterator<Item = (bool, bool)> {
    [(false, false), (false, true), (true, false), (true, true)].into_iter()
}

impl Automaton {
    fn of(&self, state: State) -> impl Iterator<Item = &(State, Option<Symbol>, State)> {
        self.transitions.range((state, None, State::Run(false))..).take_while(move |transition| transition.0 == state)
    }

    /// With all states that follow without reading.
    fn closed(&self, states: &BTreeSet<State>) -> BTreeSet<State> {
        let mut all = states.clone();
        let mut open: Vec<State> = states.iter().copied().collect();
        while let Some(state) = open.pop() {
            for (_, symbol, to) in self.of(state) {
                if symbol.is_none() && all.insert(*to) {
                    open.push(*to);
                }
            }
        }
        all
    }

    /// The states after reading a word.
    fn read(&self, from: &BTreeSet<State>, word: &[Symbol]) -> BTreeSet<State> {
        let mut states = self.closed(from);
        for symbol in word {
            let next = states.iter().flat_map(|state| self.of(*state)).filter(|(_, read, _)| *read == Some(*symbol));
            states = self.closed(&next.map(|(_, _, to)| *to).collect());
        }
        states
    }
}
