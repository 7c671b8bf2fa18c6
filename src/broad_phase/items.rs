//! The boxes of a broad phase, and how a list follows its order.

use bevy::math::Vec2;

use crate::aabb::Aabb2d;

/// An empty box, which overlaps no box.
pub(crate) const EMPTY: Aabb2d = Aabb2d {
    min: Vec2::INFINITY,
    max: Vec2::NEG_INFINITY,
};

/// Whether a box is neither empty nor NaN. An empty or NaN box would spoil the bounds around it.
pub(crate) fn is_present(aabb: &Aabb2d) -> bool {
    aabb.min.cmple(aabb.max).all()
}

/// The items of a broad phase, with indices from zero up.
pub(crate) trait BroadPhaseItems: Sync {
    /// The number of indices.
    fn len(&self) -> usize;

    /// The box of an item; [`EMPTY`] if the item was removed.
    fn aabb(&self, index: usize) -> Aabb2d;

    /// A slab that contains the item, if it is much narrower than the box.
    fn slab(&self, _index: usize) -> Option<OrientedSlab> {
        None
    }

    /// Permutes the items: the item formerly at `order[i]` moves to index `i`. Items that `order`
    /// does not mention are dropped.
    fn permute(&mut self, order: &[OldIndex]);
}

/// The region between two parallel lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OrientedSlab {
    /// Perpendicular to the lines, unit length.
    pub normal: Vec2,
    /// The offset of the center line along the normal, in world units.
    pub offset: f32,
    pub half_width: f32,
}

/// A box with a number that stays the same when its index changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberedBox {
    pub number: u32,
    pub aabb: Aabb2d,
}

/// A list of numbered boxes, as items of a broad phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberedBoxes {
    pub list: Vec<NumberedBox>,
    moved: Vec<NumberedBox>,
}

impl BroadPhaseItems for NumberedBoxes {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn aabb(&self, index: usize) -> Aabb2d {
        self.list[index].aabb
    }

    fn permute(&mut self, order: &[OldIndex]) {
        permute(&mut self.list, order, &mut self.moved);
    }
}

/// The index of an item before a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OldIndex(u32);

impl OldIndex {
    /// The bit of items that do not keep their order.
    const REINSERTED: u32 = 1 << 31;

    /// The index of an item that keeps its order: these indices increase along a permutation.
    pub fn kept(index: u32) -> Self {
        Self(index)
    }

    /// The index of any other item.
    pub fn reinserted(index: u32) -> Self {
        Self(index | Self::REINSERTED)
    }

    pub fn index(self) -> usize {
        (self.0 & !Self::REINSERTED) as usize
    }

    pub fn is_reinserted(self) -> bool {
        self.0 & Self::REINSERTED != 0
    }
}

/// Permutes a list in place: the item formerly at `order[i]` moves to index `i`. Items that
/// `order` does not mention are dropped. `spare` is memory for the reinserted items.
pub(crate) fn permute<T: Clone>(items: &mut Vec<T>, order: &[OldIndex], spare: &mut Vec<T>) {
    spare.clear();
    let reinserted = order.iter().filter(|old| old.is_reinserted());
    spare.extend(reinserted.map(|old| items[old.index()].clone()));
    let is_full_sort = spare.len() == order.len();
    // First moves kept items to the front, then back to their new indices.
    let mut kept = 0;
    for old in order.iter().filter(|old| !old.is_reinserted()) {
        items[kept] = items[old.index()].clone();
        kept += 1;
    }
    items.truncate(order.len());
    for (index, old) in order.iter().enumerate().rev() {
        if !old.is_reinserted() {
            kept -= 1;
            items[index] = items[kept].clone();
        } else if let Some(item) = spare.pop() {
            items[index] = item;
        }
    }
    if is_full_sort {
        // Later permutations reinsert few items.
        spare.shrink_to(items.len() / 4);
    }
}
