//! Random well-formed programs, for tests of whatever works on programs.
//!
//! The programs use everything that the model has, in small amounts, so that all of their states can be listed. The
//! same shape gives the same program.

use crate::{
    BinaryOp, Call, Expr, Int, LocationId, NaryOp, ProcedureId, Program, ProgramBuilder, Relation, Rhs, Role, Scope,
    Sort, Spawn, UnaryOp, Update, Value, VariableId, When,
};

/// What a random program is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Selects one of the programs of this shape.
    pub seed: u64,
    /// Procedures, at least one.
    pub procedures: u32,
    /// Shared variables.
    pub shared: u32,
    /// Parameters, results and other locals per procedure, at most.
    pub locals: u32,
    /// Locations per procedure, at least two.
    pub locations: u32,
    /// Only Booleans.
    pub booleans: bool,
    /// Mathematical integers as well.
    pub integers: bool,
    /// Private variables, several threads, `init`, spawns, atomic locations.
    pub threads: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            seed: 0,
            procedures: 2,
            shared: 2,
            locals: 2,
            locations: 4,
            booleans: false,
            integers: false,
            threads: false,
        }
    }
}

/// A random program that `verify` accepts.
#[must_use]
pub fn program(shape: &Shape) -> Program {
    let mut generator = Generator { shape: *shape, state: shape.seed, builder: ProgramBuilder::new() };
    generator.declare();
    for procedure in generator.builder.program().procedures.ids().collect::<Vec<_>>() {
        generator.edges(procedure);
    }
    generator.threads();
    generator.builder.finish()
}

struct Generator {
    shape: Shape,
    state: u64,
    builder: ProgramBuilder,
}

/// What can be read where: variables with the moment.
type Readable = Vec<(VariableId, When)>;

const DEPTH: u32 = 3;

/// Operators that compare integers.
const INTEGER_TESTS: [BinaryOp; 4] = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Slt, BinaryOp::Sle];

/// Arrays of integers.
fn integers() -> Sort {
    Sort::Array(Box::new(Sort::Int), 2)
}

impl Generator {
    /// The next number of a splitmix64 sequence, below `n`.
    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(n.max(1))) as u32
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let at = self.below(items.len() as u32) as usize;
        items.get(at).copied()
    }

    fn sort(&mut self) -> Sort {
        if self.shape.booleans {
            return Sort::Bool;
        }
        if self.shape.integers && self.once_in(2) {
            return if self.once_in(3) { integers() } else { Sort::Int };
        }
        match self.below(6) {
            0 => Sort::Bits(1 + self.below(2)),
            1 => Sort::Enum(crate::EnumId(0)),
            2 => Sort::Array(Box::new(Sort::Bool), 2),
            _ => Sort::Bool,
        }
    }

    fn declare(&mut self) {
        if !self.shape.booleans {
            self.builder.enumeration("colour", ["red", "green", "blue"].map(String::from).to_vec());
        }
        for at in 0..self.shape.shared {
            let sort = self.sort();
            self.builder.shared(format!("g{at}"), sort);
        }
        if self.shape.threads {
            let sort = self.sort();
            self.builder.private("own", sort);
        }
        for at in 0..self.shape.procedures.max(1) {
            let procedure = self.builder.procedure(format!("p{at}"));
            // Locals may have the names of shared variables.
            for local in 0..self.below(self.shape.locals + 1) {
                let sort = self.sort();
                match self.below(3) {
                    0 => self.builder.parameter(procedure, format!("g{local}"), sort),
                    1 => self.builder.result(procedure, format!("r{local}"), sort),
                    _ => self.builder.local(procedure, format!("l{local}"), sort),
                };
            }
            let n = self.shape.locations.max(2);
            let locations: Vec<LocationId> = (0..n).map(|_| self.location(procedure)).collect();
            self.builder.entry(locations[0]);
            if self.once_in(3) {
                self.builder.entry(locations[1]);
            }
            self.builder.exit(locations[n as usize - 1]);
        }
    }

    fn location(&mut self, procedure: ProcedureId) -> LocationId {
        let role = if self.once_in(8) { Role::Violation } else { Role::Plain };
        let location = self.builder.location_with(procedure, role);
        if self.once_in(4) {
            self.builder.label(location, format!("L{}", location.0));
        }
        if self.shape.threads && self.once_in(8) {
            self.builder.atomic(location);
        }
        location
    }

    /// Shared and private variables and the locals of a procedure, at a moment.
    fn visible(&self, procedure: Option<ProcedureId>, when: When) -> Readable {
        let sees = |scope: Scope| match scope {
            Scope::Shared | Scope::Private => true,
            Scope::Local(other) => Some(other) == procedure,
        };
        let variables = self.builder.program().variables.iter_ids();
        variables.filter(|(_, variable)| sees(variable.scope)).map(|(id, _)| (id, when)).collect()
    }

    fn locals(&self, variables: &[VariableId], when: When) -> Readable {
        variables.iter().map(|id| (*id, when)).collect()
    }

    fn edges(&mut self, procedure: ProcedureId) {
        let locations = self.builder.program().procedures[procedure].locations.clone();
        for source in &locations[..locations.len() - 1] {
            for _ in 0..1 + self.below(2) {
                let target = self.pick(&locations).unwrap_or(*source);
                match self.below(6) {
                    0 | 1 => self.call(procedure, *source, target),
                    2 if self.shape.threads => self.spawn(procedure, *source, target),
                    _ => {
                        let (before, after) =
                            (self.visible(Some(procedure), When::Before), self.visible(Some(procedure), When::After));
                        let relation = self.relation(&before, &after);
                        self.builder.step(*source, target, relation);
                    }
                }
            }
        }
    }

    fn callee(&mut self) -> (ProcedureId, LocationId) {
        let procedures: Vec<ProcedureId> = self.builder.program().procedures.ids().collect();
        let callee = self.pick(&procedures).unwrap_or(ProcedureId(0));
        let entries = self.builder.program().procedures[callee].entries.clone();
        (callee, self.pick(&entries).unwrap_or(entries[0]))
    }

    fn call(&mut self, own: ProcedureId, source: LocationId, target: LocationId) {
        let (callee, entry) = self.callee();
        let mut before = self.visible(Some(own), When::Before);
        let frame: Vec<VariableId> = self.builder.program().procedures[own].frame().collect();
        let mut after = self.visible(Some(callee), When::After);
        after.extend(self.locals(&frame, When::Saved));
        let enter = self.relation(&before, &after);
        let results = self.builder.program().procedures[callee].results.clone();
        before.extend(self.locals(&results, When::Result));
        let leave = self.relation(&before, &self.visible(Some(own), When::After));
        self.builder.call(source, target, Call { callee, entry, enter, leave });
    }

    fn spawn(&mut self, own: ProcedureId, source: LocationId, target: LocationId) {
        let (callee, entry) = self.callee();
        let enter = self.relation(&self.visible(Some(own), When::Before), &self.visible(Some(callee), When::After));
        self.builder.spawn(source, target, Spawn { callee, entry, enter });
    }

    fn relation(&mut self, before: &Readable, after: &Readable) -> Relation {
        let guard = if self.once_in(2) { Expr::TRUE } else { self.expr(&Sort::Bool, before, DEPTH) };
        let mut updates: Vec<Update> = Vec::new();
        for (variable, when) in after {
            if self.once_in(3) {
                updates.push(self.update(*variable, *when, before));
            }
        }
        let mut constraint = Expr::TRUE;
        if self.once_in(4) {
            let both: Readable = before.iter().chain(after).copied().collect();
            constraint = self.expr(&Sort::Bool, &both, DEPTH);
        }
        Relation { guard, updates, constraint }
    }

    fn update(&mut self, variable: VariableId, when: When, before: &Readable) -> Update {
        let mut sort = self.builder.program().sort(variable).clone();
        let mut index = None;
        if let Sort::Array(element, _) = &sort
            && self.once_in(2)
        {
            sort = (**element).clone();
            index = Some(self.expr(&Sort::Bits(2), before, 1));
        }
        let value = if self.once_in(4) { Rhs::Any } else { Rhs::Expr(self.expr(&sort, before, DEPTH)) };
        Update { variable, index, when, value }
    }

    fn expr(&mut self, sort: &Sort, readable: &Readable, depth: u32) -> Expr {
        let program = self.builder.program();
        let fitting: Readable = readable.iter().copied().filter(|(id, _)| program.sort(*id) == sort).collect();
        if depth == 0 || self.once_in(4) {
            return match self.pick(&fitting) {
                Some((variable, when)) if !self.once_in(5) => Expr::Read(variable, when),
                _ => self.constant(sort),
            };
        }
        let depth = depth - 1;
        if self.shape.integers && self.once_in(2) {
            match sort {
                Sort::Bool => return self.binary_of(&INTEGER_TESTS, &Sort::Int, readable, depth),
                Sort::Bits(width) => return self.unary(UnaryOp::Resize(*width), &Sort::Int, readable, depth),
                _ => {}
            }
        }
        match (sort, self.below(6)) {
            (Sort::Bool, 0) => self.expr(&Sort::Bool, readable, depth).not(),
            (Sort::Bool, 1) => {
                let op = self.pick(&[NaryOp::And, NaryOp::Or, NaryOp::Xor]).unwrap_or(NaryOp::And);
                let n = 1 + self.below(3);
                Expr::Nary(op, (0..n).map(|_| self.expr(&Sort::Bool, readable, depth)).collect())
            }
            (Sort::Bool, 2) => {
                let op = self.pick(&[BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Ult, BinaryOp::Sle, BinaryOp::Implies]);
                let op = op.unwrap_or(BinaryOp::Eq);
                let sort = match op {
                    BinaryOp::Eq | BinaryOp::Ne => self.sort(),
                    BinaryOp::Implies => Sort::Bool,
                    _ => Sort::Bits(2),
                };
                self.binary(op, &sort, readable, depth)
            }
            (Sort::Bool, 3) => Expr::Any,
            (Sort::Bool, 4) => self.element(readable, depth),
            (Sort::Bits(_), 0 | 1) => self.binary_of(&BinaryOp::ARITHMETIC, sort, readable, depth),
            (Sort::Bits(width), 2 | 3) => self.unary_bits(*width, readable, depth),
            (Sort::Int, 0 | 1) => self.binary_of(&BinaryOp::INTEGER, sort, readable, depth),
            (Sort::Int, 2) => self.unary(UnaryOp::Neg, sort, readable, depth),
            (Sort::Int, 3) => self.an_integer_of_bits(readable, depth),
            (Sort::Int, 4) => {
                let array = self.expr(&integers(), readable, depth);
                Expr::Index(Box::new(array), Box::new(self.expr(&Sort::Int, readable, depth)))
            }
            _ => {
                let [then, otherwise] = [(); 2].map(|()| Box::new(self.expr(sort, readable, depth)));
                Expr::Ite(Box::new(self.expr(&Sort::Bool, readable, depth)), then, otherwise)
            }
        }
    }

    fn constant(&mut self, sort: &Sort) -> Expr {
        if *sort == Sort::Int {
            return Expr::Const(Value::Int(self.integer()), Sort::Int);
        }
        let values = sort.first_values(self.builder.program(), 16);
        let at = self.below(values.len() as u32) as usize;
        let value = values.into_iter().nth(at).unwrap_or(Value::Bool(false));
        Expr::Const(value, sort.clone())
    }

    fn binary(&mut self, op: BinaryOp, sort: &Sort, readable: &Readable, depth: u32) -> Expr {
        let [left, right] = [(); 2].map(|()| Box::new(self.expr(sort, readable, depth)));
        Expr::Binary(op, left, right)
    }

    fn binary_of(&mut self, ops: &[BinaryOp], sort: &Sort, readable: &Readable, depth: u32) -> Expr {
        let op = self.pick(ops).unwrap_or(BinaryOp::Eq);
        self.binary(op, sort, readable, depth)
    }

    fn unary(&mut self, op: UnaryOp, sort: &Sort, readable: &Readable, depth: u32) -> Expr {
        Expr::Unary(op, Box::new(self.expr(sort, readable, depth)))
    }

    /// Mostly a small integer, sometimes one that fits into no machine word.
    fn integer(&mut self) -> Int {
        let small = Int::from(i64::from(self.below(7)) - 3);
        match self.below(6) {
            0 => &Int::from(i64::MAX) + &small,
            1 => &Int::from(-(1i128 << 100)) - &small,
            _ => small,
        }
    }

    fn an_integer_of_bits(&mut self, readable: &Readable, depth: u32) -> Expr {
        let sort = Sort::Bits(1 + self.below(2));
        match self.below(3) {
            0 => self.unary(UnaryOp::ToInt, &Sort::Bool, readable, depth),
            1 => self.unary(UnaryOp::ToInt, &sort, readable, depth),
            _ => self.unary(UnaryOp::SignedToInt, &sort, readable, depth),
        }
    }

    fn unary_bits(&mut self, width: u32, readable: &Readable, depth: u32) -> Expr {
        let (op, sort) = match self.below(5) {
            0 => (UnaryOp::BitNot, Sort::Bits(width)),
            1 => (UnaryOp::Neg, Sort::Bits(width)),
            2 => (UnaryOp::Resize(width), Sort::Bits(3 - width.min(2))),
            3 => (UnaryOp::SignResize(width), Sort::Bits(3 - width.min(2))),
            _ => (UnaryOp::Resize(width), Sort::Bool),
        };
        self.unary(op, &sort, readable, depth)
    }

    /// An element of an array, with an index that may be out of range.
    fn element(&mut self, readable: &Readable, depth: u32) -> Expr {
        if self.shape.booleans {
            return Expr::Any;
        }
        let array = self.expr(&Sort::Array(Box::new(Sort::Bool), 2), readable, depth);
        Expr::Index(Box::new(array), Box::new(self.expr(&Sort::Bits(1 + depth % 2), readable, depth)))
    }

    fn threads(&mut self) {
        let main = ProcedureId(0);
        self.builder.thread("main", main);
        if self.shape.threads && self.once_in(2) {
            let (other, _) = self.callee();
            self.builder.thread("other", other);
            if self.once_in(2) {
                let flags: Vec<VariableId> = self.builder.program().variables_in(Scope::Shared).collect();
                let lock = self.pick(&flags).filter(|flag| *self.builder.program().sort(*flag) == Sort::Bool);
                lock.into_iter().for_each(|lock| self.builder.uninterruptible(Expr::before(lock)));
            }
        }
        if self.shape.threads && self.once_in(3) {
            self.init();
        }
        if self.once_in(2) {
            let program = self.builder.program();
            let frame = (program.threads.len() == 1 && program.init.is_none()).then_some(main);
            let condition = self.expr(&Sort::Bool, &self.visible(frame, When::Before), DEPTH);
            self.builder.start(condition);
        }
    }

    /// A procedure that sets some shared variables before the threads begin.
    fn init(&mut self) {
        let init = self.builder.procedure("init");
        let [first, last] = [init; 2].map(|init| self.builder.location(init));
        self.builder.entry(first);
        self.builder.exit(last);
        let shared: Vec<VariableId> = self.builder.program().variables_in(Scope::Shared).collect();
        let relation = self.relation(&self.locals(&shared, When::Before), &self.locals(&shared, When::After));
        self.builder.step(first, last, relation);
        self.builder.init(init);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify;

    #[test]
    fn random_programs_are_well_formed_and_the_same_every_time() {
        for seed in 0..500 {
            for (booleans, integers, threads) in
                [(true, false, false), (false, false, false), (false, false, true), (false, true, true)]
            {
                let shape = Shape { seed, booleans, integers, threads, ..Shape::default() };
                let first = program(&shape);
                assert_eq!(verify(&first), Ok(()), "{shape:?}");
                assert_eq!(first, program(&shape));
            }
        }
    }
}
