//! Steps between the same two locations, taken together.
//!
//! A pushdown system has a rule for each control state, so its locations have many edges that lead to the same place. What
//! such steps do to a set is the union of what each does; where they write the same variables it is one image.

use std::rc::Rc;

use bdd::Stop;
use program::{EdgeId, EdgeKind, Program};
use rustc_hash::FxHashMap;

use crate::encoding::Encoding;
use crate::image::Image;

/// What steps taken together do, by the first of them and their number.
pub(crate) type Together = FxHashMap<(EdgeId, usize), Rc<[Rc<Image>]>>;

/// Runs of edges that are alone, or steps between the same two locations.
pub fn parallel<'e>(program: &'e Program, edges: &'e [EdgeId]) -> impl Iterator<Item = &'e [EdgeId]> {
    let ends = |edge: &EdgeId| {
        let edge = &program.edges[*edge];
        matches!(edge.kind, EdgeKind::Step(_)).then_some((edge.source, edge.target))
    };
    edges.chunk_by(move |first, second| ends(first).is_some_and(|these| ends(second) == Some(these)))
}

impl Encoding<'_> {
    /// Steps between the same two locations as few images.
    pub fn steps(&self, edges: &[EdgeId]) -> Result<Rc<[Rc<Image>]>, Stop> {
        let key = edges.first().map(|first| (*first, edges.len()));
        if let Some(images) = key.and_then(|key| self.together.borrow().get(&key).cloned()) {
            return Ok(images);
        }
        let mut images: Vec<Rc<Image>> = Vec::new();
        for edge in edges {
            let EdgeKind::Step(relation) = &self.program().edges[*edge].kind else { continue };
            let image = self.step(*edge, relation)?;
            match images.iter_mut().find(|other| other.writes_like(&image)) {
                Some(other) => {
                    let relation = other.relation.or(&image.relation)?;
                    *other = Rc::new(other.with_relation(relation));
                }
                None => images.push(image),
            }
        }
        let images: Rc<[Rc<Image>]> = images.into();
        if let Some(key) = key {
            self.together.borrow_mut().insert(key, Rc::clone(&images));
        }
        Ok(images)
    }
}
