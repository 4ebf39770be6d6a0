//! Strongly connected components of a graph.

use crate::{Id, IdVec};

/// The strongly connected components of a graph with `n` nodes, successors first (Tarjan, without recursion: how deep a
/// graph is, is for its maker to say). `successor(node, k)` is the k-th successor of a node.
#[must_use]
pub fn components<I: Id>(n: usize, successor: impl Fn(I, usize) -> Option<I>) -> Vec<Vec<I>> {
    let mut search = Search { low: IdVec::filled(n, UNSEEN), open: Vec::new(), path: Vec::new(), n_seen: 0 };
    let mut components = Vec::new();
    for root in (0..n).map(I::from_index) {
        if search.low[root] == UNSEEN {
            search.discover(root);
            search.explore(&successor, &mut components);
        }
    }
    components
}

const UNSEEN: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

struct Search<I: Id> {
    /// The smallest number of a node that is known to be in the same component.
    low: IdVec<I, u32>,
    /// Nodes whose component is not complete.
    open: Vec<I>,
    /// From the root to the node at hand: node, its number, the next successor.
    path: Vec<(I, u32, usize)>,
    n_seen: u32,
}

impl<I: Id> Search<I> {
    fn discover(&mut self, node: I) {
        self.low[node] = self.n_seen;
        self.open.push(node);
        self.path.push((node, self.n_seen, 0));
        self.n_seen += 1;
    }

    fn explore(&mut self, successor: &impl Fn(I, usize) -> Option<I>, components: &mut Vec<Vec<I>>) {
        while let Some((node, number, at)) = self.path.last_mut() {
            let (node, number) = (*node, *number);
            if let Some(next) = successor(node, *at) {
                *at += 1;
                match self.low[next] {
                    UNSEEN => self.discover(next),
                    DONE => {}
                    seen => self.low[node] = self.low[node].min(seen),
                }
                continue;
            }
            self.path.pop();
            if self.low[node] == number {
                components.push(self.close(node));
            } else if let Some((parent, ..)) = self.path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
        }
    }

    /// Takes the component whose first node is given.
    fn close(&mut self, first: I) -> Vec<I> {
        let start = self.open.iter().rposition(|member| *member == first).unwrap_or(0);
        let component = self.open.split_off(start);
        component.iter().for_each(|member| self.low[*member] = DONE);
        component
    }
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "ids are public wherever they are defined")]
mod tests {
    use super::*;

    crate::define_ids! {
        /// A node.
        Node,
    }

    #[test]
    fn components_come_successors_first() {
        let graph: [&[u32]; 6] = [&[1, 3], &[2], &[1, 4], &[3], &[], &[0, 5]];
        let found = components(6, |node: Node, at| graph[node.index()].get(at).map(|id| Node(*id)));
        let mut found: Vec<Vec<u32>> = found.iter().map(|one| one.iter().map(|node| node.0).collect()).collect();
        found.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(found, [vec![4], vec![1, 2], vec![3], vec![0], vec![5]]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let n = 1 << 20;
        let found = components(n, |node: Node, at| (at == 0).then(|| Node((node.0 + 1) % n as u32)));
        assert_eq!((found.len(), found[0].len()), (1, n));
    }
}
