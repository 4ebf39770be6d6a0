//! Configurations: shared values and, for each thread, its private values and its stack.

use base::IdVec;

use crate::{EdgeId, LocationId, ProcedureId, Program, Scope, Value, VariableId};

/// Where the values of variables are kept: each scope counts its variables from zero, in order of their ids.
#[derive(Clone, Debug)]
pub struct Layout {
    slots: IdVec<VariableId, u32>,
    shared: Vec<VariableId>,
    private: Vec<VariableId>,
    frames: IdVec<ProcedureId, Vec<VariableId>>,
}

impl Layout {
    /// The layout of a program's configurations.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut layout = Self {
            slots: IdVec::new(),
            shared: Vec::new(),
            private: Vec::new(),
            frames: IdVec::filled(program.procedures.len(), Vec::new()),
        };
        for (id, variable) in program.variables.iter_ids() {
            let group = match variable.scope {
                Scope::Shared => &mut layout.shared,
                Scope::Private => &mut layout.private,
                Scope::Local(procedure) => &mut layout.frames[procedure],
            };
            layout.slots.push(group.len() as u32);
            group.push(id);
        }
        layout
    }

    /// Position of a variable among those of its scope.
    #[must_use]
    pub fn slot(&self, variable: VariableId) -> usize {
        self.slots[variable] as usize
    }

    /// Shared variables, by slot.
    #[must_use]
    pub fn shared(&self) -> &[VariableId] {
        &self.shared
    }

    /// Private variables, by slot.
    #[must_use]
    pub fn private(&self) -> &[VariableId] {
        &self.private
    }

    /// Locals of a procedure, by slot.
    #[must_use]
    pub fn frame(&self, procedure: ProcedureId) -> &[VariableId] {
        &self.frames[procedure]
    }
}

/// All that a program remembers at one moment. Values are in the order of the [`Layout`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// Values of the shared variables.
    pub shared: Vec<Value>,
    /// The threads; while `init` runs, only it.
    pub threads: Vec<ThreadState>,
    /// The thread that moved last.
    pub active: Option<u32>,
    /// Threads that begin when `init` has ended, those that it has started last; none when there is no `init` or it has
    /// ended.
    pub waiting: Option<Vec<ThreadState>>,
}

/// One thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadState {
    /// Values of its private variables.
    pub private: Vec<Value>,
    /// Its stack, innermost frame last; never empty.
    pub frames: Vec<Frame>,
}

/// One frame of a stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// Where it is; while it waits for a call: where the call started.
    pub location: LocationId,
    /// Values of the procedure's locals.
    pub values: Vec<Value>,
    /// The call that it waits for.
    pub call: Option<EdgeId>,
}

impl ThreadState {
    /// The innermost frame.
    #[must_use]
    pub fn top(&self) -> &Frame {
        let Some(top) = self.frames.last() else { unreachable!("a thread keeps its outermost frame for ever") };
        top
    }

    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        let Some(top) = self.frames.last_mut() else { unreachable!("a thread keeps its outermost frame for ever") };
        top
    }
}

impl Configuration {
    /// The location of each thread's innermost frame.
    pub fn locations(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.threads.iter().map(|thread| thread.top().location)
    }
}
