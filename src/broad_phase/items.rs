use bevy::math::{Vec2, bounding::Aabb2d};

/// What lies in the boxes of a broad phase, at item_indices from zero up.
pub(crate) trait BroadPhaseItems: Sync {
    /// How many item_indices there are.
    fn len(&self) -> usize;

    /// The box at a index; [`EMPTY`](super::EMPTY), where nothing is.
    fn aabb(&self, index: usize) -> Aabb2d;

    /// What is in the box is also in this slab, if it tells much more than the box.
    fn slab(&self, _place: usize) -> Option<OrientedSlab> {
        None
    }

    /// Puts what is at the index that `order[i]` says to the index `i`. What is at none of them goes.
    fn permute(&mut self, order: &[OldIndex]);
}

/// The part of the plane between two parallel lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OrientedSlab {
    /// Across the lines, unit length.
    pub normal: Vec2,
    /// How far along the normal the center is.
    pub offset: f32,
    pub half_width: f32,
}

/// Boxes, each with a number that stays the same wherever it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberedBox {
    pub number: u32,
    pub aabb: Aabb2d,
}

/// A list of such boxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberedBoxes {
    pub list: Vec<NumberedBox>,
    taken: Vec<NumberedBox>,
}

impl BroadPhaseItems for NumberedBoxes {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn aabb(&self, index: usize) -> Aabb2d {
        self.list[index].aabb
    }

    fn permute(&mut self, order: &[OldIndex]) {
        permute(&mut self.list, order, &mut self.taken);
    }
}

/// The index where something was before everything got another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OldIndex(u32);

impl OldIndex {
    /// Whether something comes from anywhere is told by this bit.
    const ANYWHERE: u32 = 1 << 31;

    /// Of what keeps its order: these come from greater and greater item_indices.
    pub fn in_order(index: u32) -> Self {
        Self(index)
    }

    /// Of all else.
    pub fn anywhere(index: u32) -> Self {
        Self(index | Self::ANYWHERE)
    }

    pub fn index(self) -> usize {
        (self.0 & !Self::ANYWHERE) as usize
    }

    pub fn is_from_anywhere(self) -> bool {
        self.0 & Self::ANYWHERE != 0
    }
}

/// Puts what is at the index that `order[i]` says to the index `i`. What is at none of them goes. `taken` lends its memory; it
/// needs as much as comes from anywhere.
pub(crate) fn permute<T: Clone>(items: &mut Vec<T>, order: &[OldIndex], taken: &mut Vec<T>) {
    taken.clear();
    let from_anywhere = order.iter().filter(|former| former.is_from_anywhere());
    taken.extend(from_anywhere.map(|former| items[former.index()].clone()));
    let is_sort_of_all = taken.len() == order.len();
    // What keeps its order moves to the front first, then back to where it belongs.
    let mut kept = 0;
    for former in order.iter().filter(|former| !former.is_from_anywhere()) {
        items[kept] = items[former.index()].clone();
        kept += 1;
    }
    items.truncate(order.len());
    for (index, former) in order.iter().enumerate().rev() {
        if !former.is_from_anywhere() {
            kept -= 1;
            items[index] = items[kept].clone();
        } else if let Some(item) = taken.pop() {
            items[index] = item;
        }
    }
    if is_sort_of_all {
        // So many will not come at once again.
        taken.shrink_to(items.len() / 4);
    }
}
