//! A dynamic 8-wide packed R-tree in Hilbert order that is refitted in most updates, and sorted
//! again where that does not serve.
//!
//! Pure: it knows boxes and their indices in a list, and no ECS. The list implements
//! [`BroadPhaseItems`]; the tree permutes it, so that neighbors in the plane are neighbors in
//! memory.

mod box_tree;
#[cfg(test)]
mod brute_force;
mod dirty_set;
mod interface;
mod items;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use box_tree::{BoxTree, PairSearch};
pub(crate) use dirty_set::DirtySet;
pub(crate) use interface::{BroadPhase, PairTask};
pub(crate) use items::{
    BroadPhaseItems, EMPTY, NumberedBox, NumberedBoxes, OldIndex, OrientedSlab, is_present, permute,
};
pub(crate) use sweep::Sweep;
