//! The handle to a Boolean function and its operations.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use oxidd_core::function::Function as _;

use crate::apply::{AND, DIFF, IFF, IMPLIES, OR, XOR};
use crate::cube::{Cube, Renaming};
use crate::manager::{Manager, Var};
use crate::rename::pair_id;
use crate::session::{Edge, FALSE, Function, Owned, Session, Shared, TRUE};
use crate::stop::Stop;

/// A Boolean function. Equal functions of one manager are equal values.
///
/// Operations on handles of different managers panic. Where an operand that is constant decides the result, there is no
/// need to enter the manager, and operations do not.
#[derive(Clone)]
pub struct Bdd {
    pub(crate) function: Function,
    /// The number of the root node.
    pub(crate) id: u32,
    pub(crate) shared: Arc<Shared>,
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id as usize {
            FALSE => f.write_str("Bdd(false)"),
            TRUE => f.write_str("Bdd(true)"),
            id => write!(f, "Bdd(#{id})"),
        }
    }
}

impl Bdd {
    #[inline]
    pub(crate) fn new<'id>(session: &Session<'_, 'id>, edge: Owned<'id>, shared: &Arc<Shared>) -> Self {
        Self { id: edge.node_id() as u32, function: Function::from_edge(session.raw, edge), shared: Arc::clone(shared) }
    }

    #[inline]
    pub(crate) fn edge<'id>(&self, session: &Session<'_, 'id>) -> Edge<'_, 'id> {
        self.function.as_edge(session.raw)
    }

    #[inline]
    pub(crate) fn with<T>(&self, op: impl for<'id> FnOnce(&Session<'_, 'id>, Edge<'_, 'id>) -> T) -> T {
        if self.shared.cache.is_too_small() {
            self.manager().grow_cache();
        }
        self.function.with_manager_shared(|raw, f| {
            let session = Session::new(raw, &self.shared);
            session.deep(|| op(&session, f))
        })
    }

    #[inline]
    fn build(
        &self,
        op: impl for<'id> FnOnce(&Session<'_, 'id>, Edge<'_, 'id>) -> Result<Owned<'id>, Stop>,
    ) -> Result<Self, Stop> {
        self.with(|s, f| Ok(Self::new(s, op(s, f)?, &self.shared)))
    }

    /// The manager that this function lives in.
    #[must_use]
    pub fn manager(&self) -> Manager {
        Manager { store: self.function.manager_ref(), shared: Arc::clone(&self.shared) }
    }

    /// Is this the constant true?
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.id as usize == TRUE
    }

    /// Is this the constant false?
    #[must_use]
    pub fn is_false(&self) -> bool {
        self.id as usize == FALSE
    }

    /// The variable at the root and the functions where it is false and where it
    /// is true; `None` if the function is constant.
    #[must_use]
    pub fn branches(&self) -> Option<(Var, Self, Self)> {
        if self.is_true() || self.is_false() {
            return None;
        }
        Some(self.with(|s, f| {
            let view = s.view(f);
            let [lo, hi] = [view.lo, view.hi].map(|child| Self::new(s, s.clone(child), &self.shared));
            (Var(s.var_at(view.level)), lo, hi)
        }))
    }

    /// `!f`
    pub fn not(&self) -> Result<Self, Stop> {
        self.build(|s, f| s.not(f))
    }

    /// `f & g`
    pub fn and(&self, g: &Self) -> Result<Self, Stop> {
        if self == g || self.is_false() || g.is_true() {
            return Ok(self.clone());
        }
        if self.is_true() || g.is_false() {
            return Ok(g.clone());
        }
        self.build(|s, f| s.binary::<AND>(f, g.edge(s)))
    }

    /// `f | g`
    pub fn or(&self, g: &Self) -> Result<Self, Stop> {
        if self == g || self.is_true() || g.is_false() {
            return Ok(self.clone());
        }
        if self.is_false() || g.is_true() {
            return Ok(g.clone());
        }
        self.build(|s, f| s.binary::<OR>(f, g.edge(s)))
    }

    /// `f ^ g`
    pub fn xor(&self, g: &Self) -> Result<Self, Stop> {
        self.build(|s, f| s.binary::<XOR>(f, g.edge(s)))
    }

    /// `f <-> g`
    pub fn iff(&self, g: &Self) -> Result<Self, Stop> {
        self.build(|s, f| s.binary::<IFF>(f, g.edge(s)))
    }

    /// `f -> g`
    pub fn implies(&self, g: &Self) -> Result<Self, Stop> {
        self.build(|s, f| s.binary::<IMPLIES>(f, g.edge(s)))
    }

    /// `f & !g`
    pub fn diff(&self, g: &Self) -> Result<Self, Stop> {
        if self.is_false() || g.is_false() {
            return Ok(self.clone());
        }
        self.build(|s, f| s.binary::<DIFF>(f, g.edge(s)))
    }

    /// If `f` then `g` else `h`.
    pub fn ite(&self, g: &Self, h: &Self) -> Result<Self, Stop> {
        self.build(|s, f| s.ite(f, g.edge(s), h.edge(s)))
    }

    /// `exists cube. f`
    pub fn exists(&self, cube: &Cube) -> Result<Self, Stop> {
        self.build(|s, f| s.quantify::<true>(f, s.quantified(&cube.0)))
    }

    /// `forall cube. f`
    pub fn forall(&self, cube: &Cube) -> Result<Self, Stop> {
        self.build(|s, f| s.quantify::<false>(f, s.quantified(&cube.0)))
    }

    /// `exists cube. f & g`, without building the conjunction.
    pub fn and_exists(&self, g: &Self, cube: &Cube) -> Result<Self, Stop> {
        self.build(|s, f| s.and_exists(f, g.edge(s), s.quantified(&cube.0)))
    }

    /// `f` with its variables replaced, all at once.
    ///
    /// Costs the size of `f` where the renaming keeps the order of what occurs
    /// in `f`, and more elsewhere; right in any case.
    pub fn rename(&self, renaming: &Renaming) -> Result<Self, Stop> {
        self.build(|s, f| s.rename(f, s.renamed(&renaming.0)))
    }

    /// `rename(exists cube. f & g)` in one pass.
    pub fn and_exists_rename(&self, g: &Self, cube: &Cube, renaming: &Renaming) -> Result<Self, Stop> {
        self.build(|s, f| {
            let (q, r) = (s.quantified(&cube.0), s.renamed(&renaming.0));
            match pair_id(q, r) {
                Some(id) => s.and_exists_rename(f, g.edge(s), q, r, id),
                None => {
                    let image = s.hold(s.and_exists(f, g.edge(s), q)?);
                    s.rename(image.borrowed(), r)
                }
            }
        })
    }

    /// A function that agrees with `f` wherever `care` holds, after Coudert and
    /// Madre; distributes over connectives. False if `care` is false.
    pub fn constrain(&self, care: &Self) -> Result<Self, Stop> {
        self.build(|s, f| s.simplify_under::<false>(f, care.edge(s)))
    }

    /// Like [`constrain`](Self::constrain), but without new variables: often
    /// smaller.
    pub fn restrict(&self, care: &Self) -> Result<Self, Stop> {
        self.build(|s, f| s.simplify_under::<true>(f, care.edge(s)))
    }

    /// `f` with variables set to constants; false if two literals contradict.
    pub fn cofactor(&self, literals: &[(Var, bool)]) -> Result<Self, Stop> {
        if self.is_false() {
            return Ok(self.clone());
        }
        self.build(|s, f| {
            let cube = s.hold(s.conjunction(literals)?);
            s.simplify_under::<false>(f, cube.borrowed())
        })
    }

    /// Does `f` imply `g`? Builds no nodes.
    pub fn leq(&self, g: &Self) -> Result<bool, Stop> {
        self.with(|s, f| s.never::<DIFF>(f, g.edge(s)))
    }

    /// Is `f & g` false? Builds no nodes.
    pub fn disjoint(&self, g: &Self) -> Result<bool, Stop> {
        self.with(|s, f| s.never::<AND>(f, g.edge(s)))
    }
}
