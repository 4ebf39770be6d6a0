//! Turns taken by others: threads of the machine, each with a diagram manager of its own.
//!
//! Tuples and stacks belong to the search and its manager. Whoever is to take a turn gets a copy of the tuple, and of the
//! states of the stack below the thread that it does not have yet; what comes back are plain values as well. Reports are
//! asked for in the order of the turns, so it does not matter who is how fast.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use base::budget::Watch;
use base::{Budget, Cancel, Progress};
use bdd::Manager;
use program::LocationId;

use super::parcel::{Map, Packer, Parcel};
use super::search::Job;
use super::turn::Done;
use super::view::{Place, Stacks, StateId, Tuple, View};
use super::worker::{Workplace, work};
use crate::Context;
use crate::halt::Halt;

/// A turn to be taken by somebody else.
pub(super) struct Order {
    pub(super) number: usize,
    pub(super) job: Job,
    pub(super) open: Arc<[LocationId]>,
    pub(super) tuple: Parcel<Copied>,
}

/// A tuple, and states of stacks, on their way.
pub(super) struct Copied {
    pub(super) views: Vec<View<u32>>,
    pub(super) places: Vec<(StateId, Place<u32>)>,
}

/// What came of an order.
pub(super) struct Report {
    pub(super) worker: usize,
    pub(super) number: usize,
    pub(super) done: Result<Parcel<Done<u32>>, Halt>,
}

/// What the search knows.
pub(super) struct Known<'a> {
    pub(super) tuples: &'a [Tuple],
    pub(super) stacks: &'a Stacks,
    pub(super) manager: &'a Manager,
}

/// Which turn is waited for.
pub(super) struct Wait<'a> {
    /// All turns of the layer.
    pub(super) jobs: &'a [Job],
    pub(super) number: usize,
    pub(super) open: &'a Arc<[LocationId]>,
    pub(super) is_cut: bool,
    pub(super) context: &'a Context<'a>,
}

/// Orders that somebody has at the same time, so that nobody waits for the search.
const ORDERS_AHEAD: usize = 2;

/// A turn that takes less than this part of the patience costs more on its way than it is worth.
const TURNS_PER_PATIENCE: u32 = 50;

/// How often the search looks around while it waits.
const LOOK: Duration = Duration::from_millis(50);

/// Recursion moves to a larger stack by itself where it must.
const STACK_SIZE: usize = 1 << 26;

/// Those who take turns.
pub(super) struct Crew<'c> {
    members: Vec<Member<'c>>,
    inbox: Receiver<Report>,
    reports: BTreeMap<usize, Result<Parcel<Done<u32>>, Halt>>,
    /// The turn of the layer that is handed out next; none between layers.
    next: Option<usize>,
    is_cut: Arc<AtomicBool>,
    interrupt: Cancel,
    _watch: Watch,
}

struct Member<'c> {
    orders: Sender<Order>,
    n_open: usize,
    /// States of stacks that it has.
    has: BTreeSet<StateId>,
    thread: ScopedJoinHandle<'c, ()>,
}

impl<'c> Crew<'c> {
    /// Starts threads; none if the system has none to give.
    fn hire<'env>(scope: &'c Scope<'c, 'env>, workplace: Workplace<'env>, context: &Context<'_>) -> Option<Self> {
        let given = context.budget;
        let left = given.time().map(|time| time.saturating_sub(given.elapsed()));
        // With an interrupt of their own, so that they can be sent home.
        let budget =
            Budget::unlimited().with_time(left).with_memory(given.memory()).with_cancel(given.cancel().clone());
        let (is_cut, (outbox, inbox)) = (Arc::new(AtomicBool::new(false)), channel());
        let mut members = Vec::new();
        for worker in 0..given.jobs() {
            let (orders, todo) = channel();
            let (budget, is_cut, outbox) = (budget.clone(), Arc::clone(&is_cut), outbox.clone());
            let body = move || {
                work(&workplace, &budget, &is_cut, &todo, &|number, done| {
                    outbox.send(Report { worker, number, done }).is_ok()
                })
            };
            let thread = Builder::new().name(format!("turns {worker}")).stack_size(STACK_SIZE);
            let Ok(thread) = thread.spawn_scoped(scope, body) else { break };
            members.push(Member { orders, n_open: 0, has: BTreeSet::new(), thread });
        }
        let (interrupt, watch) = (budget.interrupt().clone(), budget.watch());
        let crew = Self { members, inbox, reports: BTreeMap::new(), next: None, is_cut, interrupt, _watch: watch };
        (!crew.members.is_empty()).then_some(crew)
    }

    /// The outcome of a turn. Turns of a layer are asked for one after the other.
    pub(super) fn done(&mut self, wait: &Wait<'_>, known: &Known<'_>) -> Result<Done, Halt> {
        self.is_cut.store(wait.is_cut, Ordering::Relaxed);
        self.next.get_or_insert(wait.number);
        let report = loop {
            while let Ok(report) = self.inbox.try_recv() {
                self.note(report);
            }
            self.hand_out(wait, known);
            match self.reports.remove(&wait.number) {
                Some(report) => break report,
                None => self.look(wait, known)?,
            }
        };
        if wait.number + 1 == wait.jobs.len() {
            self.next = None;
        }
        report?.unpack(known.manager, |done, set| done.map(set))
    }

    fn note(&mut self, report: Report) {
        self.members[report.worker].n_open -= 1;
        self.reports.insert(report.number, report.done);
    }

    /// Gives everybody something to do.
    fn hand_out(&mut self, wait: &Wait<'_>, known: &Known<'_>) {
        for _ in 0..ORDERS_AHEAD {
            for member in self.members.iter_mut().filter(|member| member.n_open < ORDERS_AHEAD) {
                let Some(number) = self.next.filter(|number| *number < wait.jobs.len()) else { return };
                let job = wait.jobs[number];
                let tuple = known.copy(job, &mut member.has);
                if member.orders.send(Order { number, job, open: Arc::clone(wait.open), tuple }).is_ok() {
                    member.n_open += 1;
                    self.next = Some(number + 1);
                }
            }
        }
    }

    /// Waits for a report.
    fn look(&mut self, wait: &Wait<'_>, known: &Known<'_>) -> Result<(), Halt> {
        match self.inbox.recv_timeout(LOOK) {
            Ok(report) => self.note(report),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                wait.context.budget.check()?;
                self.pass_on_panics();
            }
        }
        wait.context.observer.progress(&Progress {
            phase: "solve",
            steps: wait.context.budget.steps(),
            nodes: known.manager.stats().nodes as u64,
            ..Progress::default()
        });
        Ok(())
    }

    /// Nobody leaves before they are sent home, but by a panic.
    fn pass_on_panics(&mut self) {
        if let Some(at) = self.members.iter().position(|member| member.thread.is_finished())
            && let Err(panic) = self.members.swap_remove(at).thread.join()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        self.interrupt.cancel();
    }
}

impl Known<'_> {
    /// What somebody needs for a turn who has some of the states.
    fn copy(&self, job: Job, has: &mut BTreeSet<StateId>) -> Parcel<Copied> {
        let mut packer = Packer::default();
        let mut number = |set: &bdd::Bdd| packer.number(set);
        let views = &self.tuples[job.at].views;
        let copied = views.iter().map(|view| view.map(&mut number)).collect();
        let below = self.stacks.below(&views[job.thread].tops).into_iter();
        let missing = below.filter(|state| has.insert(*state));
        let places = missing.map(|state| (state, self.stacks.place(state).map(&mut number))).collect();
        packer.pack(Copied { views: copied, places }, self.manager)
    }
}

/// Who else may take turns, and from when on.
pub(super) struct Office<'c> {
    hire: Box<dyn Fn() -> Option<Crew<'c>> + 'c>,
    /// None: nobody else.
    patience: Option<Duration>,
    started: Instant,
    crew: Option<Crew<'c>>,
}

impl<'c> Office<'c> {
    /// Others are asked, if they may be, when the search has taken longer than `patience`, and turns are long enough.
    pub(super) fn new<'env>(
        scope: &'c Scope<'c, 'env>,
        workplace: Workplace<'env>,
        context: &'c Context<'c>,
        patience: Duration,
    ) -> Self {
        let hire = Box::new(move || Crew::hire(scope, workplace, context));
        let patience = Some(patience).filter(|_| context.budget.jobs() > 1);
        Self { hire, patience, started: Instant::now(), crew: None }
    }

    /// The crew, if it is worth its cost for so many turns of the layer, when so many have been taken in all.
    pub(super) fn crew(&mut self, n_left: usize, n_taken: u64) -> Option<&mut Crew<'c>> {
        let is_busy = self.crew.as_ref().is_some_and(|crew| crew.next.is_some());
        if !is_busy && n_left < 2 {
            return None;
        }
        let is_long = |patience: Duration| {
            let turn = (patience / TURNS_PER_PATIENCE).saturating_mul(u32::try_from(n_taken).unwrap_or(u32::MAX));
            self.started.elapsed() >= patience.max(turn)
        };
        if self.crew.is_none() && self.patience.is_some_and(is_long) {
            self.crew = (self.hire)();
            // Who was not to be had is not asked again.
            self.patience = None;
        }
        self.crew.as_mut()
    }
}
