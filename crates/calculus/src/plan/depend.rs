//! Who depends on whom: strongly connected components of the equations.

use super::clause::Planned;
use super::{Kind, Plan};

/// The relations that a relation's value is computed from, and whether only positively.
pub(crate) fn uses(plan: &Plan, relation: Planned) -> Vec<(Planned, bool)> {
    let planned = &plan.relations[relation];
    if let Kind::Cofactor(function, care) = planned.kind {
        return vec![(function, false), (care, false)];
    }
    let atoms = planned.clauses.iter().flat_map(|clause| &clause.atoms);
    atoms.map(|atom| (atom.relation, !atom.negated)).collect()
}

/// A set of relations that depend on each other.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) members: Vec<Planned>,
    /// Some member depends on itself, directly or through others.
    pub(crate) is_recursive: bool,
    /// Every use of a member within the component is positive.
    pub(crate) is_positive: bool,
}

/// Components of the relations that are reachable from some roots, when others are fixed; what is used comes first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    pub(crate) list: Vec<Component>,
}

impl Components {
    /// Tarjan's algorithm. Its depth is the number of relations, which is a matter of the file's length; a file that
    /// long would not be a page.
    pub(crate) fn of(plan: &Plan, roots: &[Planned], is_fixed: &dyn Fn(Planned) -> bool) -> Self {
        let n = plan.relations.len();
        let mut search = Search {
            plan,
            is_fixed,
            number: vec![0; n],
            low: vec![0; n],
            on_stack: vec![false; n],
            next: 1,
            stack: Vec::new(),
            found: Self::default(),
        };
        for root in roots {
            if search.number[*root] == 0 && !is_fixed(*root) {
                search.visit(*root);
            }
        }
        search.found
    }
}

struct Search<'a> {
    plan: &'a Plan,
    is_fixed: &'a dyn Fn(Planned) -> bool,
    number: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    next: usize,
    stack: Vec<Planned>,
    found: Components,
}

impl Search<'_> {
    fn visit(&mut self, relation: Planned) {
        self.number[relation] = self.next;
        self.low[relation] = self.next;
        self.next += 1;
        self.stack.push(relation);
        self.on_stack[relation] = true;
        for (used, _) in uses(self.plan, relation) {
            if (self.is_fixed)(used) {
                continue;
            }
            if self.number[used] == 0 {
                self.visit(used);
                self.low[relation] = self.low[relation].min(self.low[used]);
            } else if self.on_stack[used] {
                self.low[relation] = self.low[relation].min(self.number[used]);
            }
        }
        if self.low[relation] == self.number[relation] {
            self.close(relation);
        }
    }

    fn close(&mut self, root: Planned) {
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            members.push(member);
            if member == root {
                break;
            }
        }
        members.sort_unstable();
        let inner = |member: &Planned| {
            let within = uses(self.plan, *member).into_iter().filter(|(used, _)| members.contains(used));
            within.collect::<Vec<_>>()
        };
        let inside: Vec<(Planned, bool)> = members.iter().flat_map(inner).collect();
        let component = Component {
            is_recursive: !inside.is_empty(),
            is_positive: inside.iter().all(|(_, positive)| *positive),
            members,
        };
        self.found.list.push(component);
    }
}
