//! An order of diagram variables that is learnt from a solution.
//!
//! Which order is good is hard to tell from a program, but easy to find out once there is a set to look at: sifting
//! tries it. That is slow where sets are large, so it is done with a question that is like the real one, only smaller
//! (a lower bound), and the real one is then solved in the order that was best for the small one.

use bdd::{Bdd, Config, Dag, ImportError, Interrupt, Manager, Stop, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::pattern::Home;
use super::{Halt, Solver, halt};
use crate::plan::{Kind, Plan};

/// The bits of all families, from the top of the order to the bottom. The copies of a bit stay together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order(Vec<Home>);

/// Sifting more nodes than this takes longer than most questions.
const MAX_NODES: usize = 8_000;

/// What one pass moves makes other places better for others; after a few, hardly anything moves any more.
const MAX_PASSES: usize = 3;

impl Plan {
    /// Solvers shall begin with this order. It was learnt with another plan of the same file; bits that this plan does
    /// not have are left out of it.
    pub fn set_order(&mut self, order: Order) {
        self.order = Some(order);
    }
}

impl Order {
    /// The variables in this order.
    pub(super) fn vars(&self, at_home: impl Fn(Home) -> Vec<Var>) -> Vec<Var> {
        let mut seen = FxHashSet::default();
        self.0.iter().flat_map(|home| at_home(*home)).filter(|var| seen.insert(*var)).collect()
    }
}

impl Solver<'_> {
    /// The best order that sifting finds for what the equations hold now; none if that is too much to try.
    pub fn learn_order(&self) -> Result<Option<Order>, Halt> {
        self.sifted().map_err(|stop| halt(stop, self.budget))
    }

    fn sifted(&self) -> Result<Option<Order>, Stop> {
        let mut values: Vec<Bdd> = Vec::new();
        for (relation, planned) in self.plan.relations.iter().enumerate() {
            if matches!(planned.kind, Kind::Fixpoint(_)) {
                for entry in &self.store.tables[relation].entries {
                    values.push(self.store.whole(relation, &entry.value)?);
                }
            }
        }
        let dag = self.store.manager.export(&values);
        if dag.nodes.len() > MAX_NODES {
            return Ok(None);
        }
        let (dag, places) = self.gathered(dag);
        // Elsewhere, so that nothing but these sets counts.
        let manager = Manager::new(&Config::small());
        manager.set_interrupt(Interrupt::from(self.budget.interrupt().flag()));
        manager.add_vars(places.len());
        let kept = manager.import(&dag).map_err(|error| match error {
            ImportError::Stopped(stop) => stop,
            ImportError::BadChild(_) | ImportError::UnknownVariable(_) | ImportError::BadRoot(_) => {
                unreachable!("what one manager exports, one with its variables can import")
            }
        })?;
        let place = |vars: &[Var]| -> Vec<Var> { vars.iter().filter_map(|var| places.get(var)).copied().collect() };
        let blocks: Vec<(Vec<Home>, Vec<Var>)> =
            self.blocks().into_iter().map(|(homes, vars)| (homes, place(&vars))).collect();
        let together: Vec<Vec<Var>> = blocks.iter().map(|(_, vars)| vars.clone()).collect();
        for _ in 0..MAX_PASSES {
            let before = manager.count_nodes(&kept);
            manager.sift(&together)?;
            if manager.count_nodes(&kept) > before - before / 50 {
                break;
            }
        }
        // What does not occur comes last.
        let level = |(at, (_, vars)): (usize, &(Vec<Home>, Vec<Var>))| {
            (vars.first().map_or(usize::MAX, |var| manager.level_of(*var)), at)
        };
        let mut order: Vec<(usize, usize)> = blocks.iter().enumerate().map(level).collect();
        order.sort_unstable();
        Ok(Some(Order(order.into_iter().flat_map(|(_, at)| blocks[at].0.clone()).collect())))
    }

    /// The same diagrams with variables numbered from the top, only those that occur: moving past others takes time.
    fn gathered(&self, mut dag: Dag) -> (Dag, FxHashMap<Var, Var>) {
        let occurs: FxHashSet<Var> = dag.nodes.iter().map(|node| node.0).collect();
        let order = self.store.manager.order().into_iter().filter(|var| occurs.contains(var));
        let places: FxHashMap<Var, Var> = order.zip((0..).map(Var)).collect();
        dag.nodes.iter_mut().for_each(|node| node.0 = places[&node.0]);
        (dag, places)
    }

    /// What stays together: the copies of a bit of the model, and all bits of any other family; each variable once.
    fn blocks(&self) -> Vec<(Vec<Home>, Vec<Var>)> {
        let mut seen = FxHashSet::default();
        let mut blocks: Vec<(Vec<Home>, Vec<Var>)> = Vec::new();
        for (family, content) in self.plan.families.iter().enumerate() {
            let mut is_new = true;
            for bit in 0..self.store.space.n_bits(family) {
                let vars = self.store.space.at_home((family, bit));
                // Two sorts can stand for the same bits of the model.
                if !vars.iter().all(|var| seen.insert(*var)) {
                    continue;
                }
                match blocks.last_mut().filter(|_| !is_new && !self.plan.is_supplied(content.sort)) {
                    Some((homes, all)) => {
                        homes.push((family, bit));
                        all.extend_from_slice(vars);
                    }
                    None => blocks.push((vec![(family, bit)], vars.to_vec())),
                }
                is_new = false;
            }
        }
        blocks
    }
}
