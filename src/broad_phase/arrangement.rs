use bevy::math::{Vec2, bounding::Aabb2d};

/// What lies in the boxes of a broad phase, at places from zero up.
pub(crate) trait Arrangement: Sync {
    /// How many places there are.
    fn len(&self) -> usize;

    /// The box at a place; [`EMPTY`](super::EMPTY), where nothing is.
    fn aabb(&self, place: usize) -> Aabb2d;

    /// What is in the box is also in this strip, if it tells much more than the box.
    fn strip(&self, _place: usize) -> Option<Strip> {
        None
    }

    /// Puts what is at the place that `order[i]` says to the place `i`. What is at none of them goes.
    fn rearrange(&mut self, order: &[Former]);
}

/// The part of the plane between two parallel lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strip {
    /// Across the lines, unit length.
    pub normal: Vec2,
    /// How far along the normal the middle is.
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

impl Arrangement for NumberedBoxes {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn aabb(&self, place: usize) -> Aabb2d {
        self.list[place].aabb
    }

    fn rearrange(&mut self, order: &[Former]) {
        rearrange(&mut self.list, order, &mut self.taken);
    }
}

/// The place where something was before everything got another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Former(u32);

impl Former {
    /// Whether something comes from anywhere is told by this bit.
    const ANYWHERE: u32 = 1 << 31;

    /// Of what keeps its order: these come from greater and greater places.
    pub fn in_order(place: u32) -> Self {
        Self(place)
    }

    /// Of all else.
    pub fn anywhere(place: u32) -> Self {
        Self(place | Self::ANYWHERE)
    }

    pub fn place(self) -> usize {
        (self.0 & !Self::ANYWHERE) as usize
    }

    pub fn is_from_anywhere(self) -> bool {
        self.0 & Self::ANYWHERE != 0
    }
}

/// Puts what is at the place that `order[i]` says to the place `i`. What is at none of them goes. `taken` lends its memory; it
/// needs as much as comes from anywhere.
pub(crate) fn rearrange<T: Clone>(items: &mut Vec<T>, order: &[Former], taken: &mut Vec<T>) {
    taken.clear();
    let from_anywhere = order.iter().filter(|former| former.is_from_anywhere());
    taken.extend(from_anywhere.map(|former| items[former.place()].clone()));
    let is_sort_of_all = taken.len() == order.len();
    // What keeps its order moves to the front first, then back to where it belongs.
    let mut kept = 0;
    for former in order.iter().filter(|former| !former.is_from_anywhere()) {
        items[kept] = items[former.place()].clone();
        kept += 1;
    }
    items.truncate(order.len());
    for (place, former) in order.iter().enumerate().rev() {
        if !former.is_from_anywhere() {
            kept -= 1;
            items[place] = items[kept].clone();
        } else if let Some(item) = taken.pop() {
            items[place] = item;
        }
    }
    if is_sort_of_all {
        // So many will not come at once again.
        taken.shrink_to(items.len() / 4);
    }
}
