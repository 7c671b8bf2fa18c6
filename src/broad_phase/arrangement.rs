use bevy::math::{Vec2, bounding::Aabb2d};

/// What lies in the boxes of a broad phase, at places from zero up.
pub(crate) trait Arrangement {
    /// How many places there are.
    fn len(&self) -> usize;

    /// The box at a place; [`EMPTY`](super::EMPTY), where nothing is.
    fn aabb(&self, place: usize) -> Aabb2d;

    /// What is in the box is also in this strip, if it tells much more than the box.
    fn strip(&self, _place: usize) -> Option<Strip> {
        None
    }

    /// Puts what is at the place `order[i]` to the place `i`. What is at none of them goes.
    fn rearrange(&mut self, order: &[u32]);
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

impl Arrangement for Vec<NumberedBox> {
    fn len(&self) -> usize {
        self.len()
    }

    fn aabb(&self, place: usize) -> Aabb2d {
        self[place].aabb
    }

    fn rearrange(&mut self, order: &[u32]) {
        rearrange(self, order, &mut Vec::new());
    }
}

/// Puts what is at `order[i]` to `i`. What is at none of them goes. `spare` lends its memory, and gets that of `items`.
pub(crate) fn rearrange<T: Clone>(items: &mut Vec<T>, order: &[u32], spare: &mut Vec<T>) {
    spare.clear();
    spare.extend(order.iter().map(|&from| items[from as usize].clone()));
    std::mem::swap(items, spare);
}
