//! Abbreviations that use one another in a circle.

use base::Id;

use crate::system::{RelationId, RelationKind, System};

/// The first abbreviation that uses itself, perhaps through others, given which relations each body mentions.
pub fn find_circle(system: &System, mentions: &[Vec<RelationId>]) -> Option<RelationId> {
    let relations = &system.relations;
    let is_define = |id: &RelationId| matches!(relations[*id].kind, RelationKind::Define(_));
    let mut n_uses = vec![0_usize; relations.len()];
    let mut users = vec![Vec::new(); relations.len()];
    for id in relations.ids().filter(is_define) {
        for used in mentions[id.index()].iter().filter(|used| is_define(used)) {
            n_uses[id.index()] += 1;
            users[used.index()].push(id);
        }
    }
    // Takes away, again and again, those that use no others.
    let mut free: Vec<RelationId> = relations.ids().filter(|id| n_uses[id.index()] == 0).collect();
    while let Some(id) = free.pop() {
        for user in &users[id.index()] {
            n_uses[user.index()] -= 1;
            if n_uses[user.index()] == 0 {
                free.push(*user);
            }
        }
    }
    let stuck: Vec<bool> = n_uses.iter().map(|n| *n > 0).collect();
    let start = relations.ids().find(|id| stuck[id.index()])?;
    on_circle(start, &stuck, mentions)
}

/// Among relations that all use another one of them, one that lies on a circle: going from user to used comes back.
fn on_circle(start: RelationId, stuck: &[bool], mentions: &[Vec<RelationId>]) -> Option<RelationId> {
    let mut seen = vec![false; stuck.len()];
    let mut id = start;
    while !std::mem::replace(&mut seen[id.index()], true) {
        id = *mentions[id.index()].iter().find(|used| stuck[used.index()])?;
    }
    Some(id)
}
