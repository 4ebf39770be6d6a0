//! Somebody who takes turns for the search, with a diagram manager and an encoding of its own.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;

use base::{Budget, Silent};
use bdd::{Config, Interrupt, Manager};
use encode::{Detail, Encoding, Transfers};
use program::{Graph, Program};

use super::Network;
use super::context::Runner;
use super::crew::Order;
use super::parcel::{Map, Packer, Parcel};
use super::space::Space;
use super::turn::{Ask, Done, Turns};
use super::view::{Stacks, View};
use crate::Context;
use crate::halt::Halt;
use crate::limits::Limits;
use crate::saturation::post::Post;

/// What everybody works on.
#[derive(Clone, Copy)]
pub(super) struct Workplace<'a> {
    pub(super) program: &'a Program,
    pub(super) graph: &'a Graph,
    pub(super) config: Config,
    pub(super) split: Network,
}

/// Takes turns until there are no more orders, or nobody takes the reports.
pub(super) fn work(
    workplace: &Workplace<'_>,
    budget: &Budget,
    is_cut: &AtomicBool,
    orders: &Receiver<Order>,
    report: &dyn Fn(usize, Result<Parcel<Done<u32>>, Halt>) -> bool,
) {
    let context = Context { budget, observer: &Silent };
    let manager = Manager::new(&workplace.config);
    manager.set_interrupt(Interrupt::from(budget.interrupt().flag()));
    let encoding = Encoding::with_origins(workplace.program, manager);
    let transfers = Transfers::new(&encoding, Detail::Full);
    let space = Space::new(&transfers);
    let mut hand = match &space {
        Ok(space) => {
            let limits = Limits::new(&context, workplace.program.procedures.len()).without_reordering();
            let runner = Runner::new(space, Post::new(workplace.graph, &transfers, limits, false));
            let turns = Turns { context: &context, runner, split: workplace.split };
            Ok(Hand { turns, stacks: Stacks::new(), is_cut })
        }
        Err(halt) => Err(*halt),
    };
    while let Ok(order) = orders.recv() {
        let done = match &mut hand {
            Ok(hand) => hand.take(&order, encoding.manager()),
            Err(halt) => Err(*halt),
        };
        if !report(order.number, done) {
            return;
        }
    }
}

/// What somebody has at hand.
struct Hand<'t, 's, 'p> {
    turns: Turns<'t, 's, 'p>,
    /// Those states that were needed so far.
    stacks: Stacks,
    is_cut: &'t AtomicBool,
}

impl Hand<'_, '_, '_> {
    fn take(&mut self, order: &Order, manager: &Manager) -> Result<Parcel<Done<u32>>, Halt> {
        let stacks = &mut self.stacks;
        let views: Vec<Rc<View>> = order.tuple.unpack(manager, |copied, set| {
            for (state, place) in &copied.places {
                stacks.put(*state, place.map(set));
            }
            copied.views.iter().map(|view| Rc::new(view.map(set))).collect()
        })?;
        let job = order.job;
        let wants_more = || job.left > 0 || !self.is_cut.load(Ordering::Relaxed);
        let ask = Ask { thread: job.thread, open: &order.open, is_exact: job.left > 1, wants_more: &wants_more };
        let done = self.turns.take(&self.stacks, &views, &ask)?;
        let mut packer = Packer::default();
        let numbered = done.map(&mut |set| packer.number(set));
        Ok(packer.pack(numbered, manager))
    }
}
