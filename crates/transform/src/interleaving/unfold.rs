//! Where a thread that does not recurse can be.

use std::collections::BTreeMap;

use program::{EdgeId, EdgeKind, Graph, LocationId, ProcedureId, Program, Unsupported};

/// A thread with its calls unfolded.
#[derive(Clone, Debug)]
pub(super) struct Unfolded {
    /// The outermost frame comes first.
    pub(super) frames: Vec<Frame>,
    /// Where it can be, the beginning first: a frame, and a location of it.
    pub(super) places: Vec<(usize, LocationId)>,
    /// How many of its moves start a thread.
    pub(super) n_spawns: usize,
    numbers: BTreeMap<(usize, LocationId), usize>,
    calls: BTreeMap<(usize, EdgeId), usize>,
}

/// A procedure on a certain stack.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) procedure: ProcedureId,
    pub(super) depth: usize,
    /// The frame that waits for it, and the call.
    pub(super) caller: Option<(usize, EdgeId)>,
    /// Whether a frame below is at an atomic location.
    pub(super) is_held: bool,
}

impl Unfolded {
    /// The number of a place; none: the thread is never there.
    pub(super) fn place(&self, frame: usize, location: LocationId) -> Option<usize> {
        self.numbers.get(&(frame, location)).copied()
    }

    /// The frame that a call from a frame leads to.
    pub(super) fn callee(&self, frame: usize, call: EdgeId) -> Option<usize> {
        self.calls.get(&(frame, call)).copied()
    }

    /// Whether no other thread runs while this one is at the place.
    pub(super) fn is_atomic(&self, program: &Program, place: usize) -> bool {
        let (frame, location) = self.places[place];
        program.locations[location].atomic || self.frames[frame].is_held
    }

    fn add(&mut self, frame: usize, location: LocationId) {
        if !self.numbers.contains_key(&(frame, location)) {
            self.numbers.insert((frame, location), self.places.len());
            self.places.push((frame, location));
        }
    }

    /// Whether a procedure waits for a frame, or is the frame's own.
    fn is_on_stack(&self, mut frame: usize, procedure: ProcedureId) -> bool {
        loop {
            if self.frames[frame].procedure == procedure {
                return true;
            }
            match self.frames[frame].caller {
                Some((caller, _)) => frame = caller,
                None => return false,
            }
        }
    }
}

/// Unfolds the calls of a thread. A thread does not go on behind the start of another unless there is a slot for it.
pub(super) fn unfold(
    program: &Program,
    start: ProcedureId,
    entry: Option<LocationId>,
    max_places: usize,
    has_slots: bool,
) -> Result<Unfolded, Unsupported> {
    let graph = Graph::of(program);
    let first = Frame { procedure: start, depth: 0, caller: None, is_held: false };
    let mut unfolded = Unfolded {
        frames: vec![first],
        places: Vec::new(),
        n_spawns: 0,
        numbers: BTreeMap::new(),
        calls: BTreeMap::new(),
    };
    if let Some(entry) = entry {
        unfolded.add(0, entry);
    }
    let mut next = 0;
    while let Some((frame, location)) = unfolded.places.get(next).copied() {
        next += 1;
        if unfolded.places.len() > max_places {
            return Err(Unsupported::ManyPlaces);
        }
        for edge in graph.outgoing(location) {
            let target = program.edges[*edge].target;
            if let EdgeKind::Spawn(_) = program.edges[*edge].kind {
                unfolded.n_spawns += 1;
                if !has_slots {
                    continue;
                }
            }
            let EdgeKind::Call(call) = &program.edges[*edge].kind else {
                unfolded.add(frame, target);
                continue;
            };
            if unfolded.is_on_stack(frame, call.callee) {
                return Err(Unsupported::RecursiveThreads);
            }
            let is_held = unfolded.frames[frame].is_held || program.locations[location].atomic;
            let (depth, caller) = (unfolded.frames[frame].depth + 1, Some((frame, *edge)));
            let callee = unfolded.frames.len();
            unfolded.frames.push(Frame { procedure: call.callee, depth, caller, is_held });
            unfolded.calls.insert((frame, *edge), callee);
            unfolded.add(callee, call.entry);
            unfolded.add(frame, target);
        }
    }
    Ok(unfolded)
}
