//! A bounding volume hierarchy (BVH) of items that do not move.

use std::iter;

use crate::aabb::{Aabb2d, merge};

/// The number of children of a box.
const FAN_OUT: usize = 8;

/// A tree of boxes around items in a row. Neighbors in the row are near each other, so that the
/// tree needs no other order, and searches return items in the order of the row.
#[derive(Clone, Debug)]
pub(super) struct StaticBvh {
    /// The boxes of the items first, then level by level those around eight of the level before.
    levels: Vec<Box<[Aabb2d]>>,
}

/// A box of a [`StaticBvh`].
#[derive(Clone, Copy)]
struct Node {
    level: usize,
    index: usize,
}

impl StaticBvh {
    /// A tree around the bounding boxes of some items.
    pub fn new(boxes: impl IntoIterator<Item = Aabb2d>) -> Self {
        let mut levels: Vec<Box<[Aabb2d]>> = vec![boxes.into_iter().collect()];
        while let Some(last) = levels.last()
            && last.len() > FAN_OUT
        {
            let around = |group: &[Aabb2d]| {
                let (first, others) = group.split_first()?;
                Some(others.iter().fold(*first, |all, next| merge(&all, next)))
            };
            levels.push(last.chunks(FAN_OUT).filter_map(around).collect());
        }
        Self { levels }
    }

    /// Returns the indices of the items whose box satisfies `is_wanted`, in order. It has to hold
    /// for any box that contains such a box.
    pub fn find(&self, is_wanted: impl FnMut(&Aabb2d) -> bool) -> impl Iterator<Item = usize> {
        let root = Node {
            level: self.levels.len() - 1,
            index: 0,
        };
        self.walk(root, is_wanted)
    }

    /// Traverses the tree depth first: into each wanted box, and past any other one.
    fn walk(
        &self,
        mut node: Node,
        mut is_wanted: impl FnMut(&Aabb2d) -> bool,
    ) -> impl Iterator<Item = usize> {
        iter::from_fn(move || {
            loop {
                let Node { level, index } = node;
                let is_wanted = is_wanted(self.levels[level].get(index)?);
                if is_wanted && level > 0 {
                    node = Node {
                        level: level - 1,
                        index: index * FAN_OUT,
                    };
                    continue;
                }
                node = self.after(node);
                if is_wanted {
                    return Some(index);
                }
            }
        })
    }

    /// The next box that is not inside of this one, on the highest level possible.
    fn after(&self, Node { level, index }: Node) -> Node {
        let (mut level, mut index) = (level, index + 1);
        let is_last = |level: usize, index: usize| {
            index.is_multiple_of(FAN_OUT) || index >= self.levels[level].len()
        };
        while level + 1 < self.levels.len() && is_last(level, index) {
            (level, index) = (level + 1, index.div_ceil(FAN_OUT));
        }
        Node { level, index }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Vec2;
    use proptest::prelude::*;

    use super::*;
    use crate::aabb::intersects;

    fn aabb() -> impl Strategy<Value = Aabb2d> {
        let whole = || (0..20u8).prop_map(f32::from);
        (whole(), whole(), whole(), whole()).prop_map(|(x, y, width, height)| Aabb2d {
            min: Vec2::new(x, y),
            max: Vec2::new(x + width / 4.0, y + height / 4.0),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn a_search_finds_what_a_linear_scan_finds(
            boxes in prop::collection::vec(aabb(), 0..700),
            area in aabb(),
        ) {
            let bvh = StaticBvh::new(boxes.iter().copied());
            let near = (0..boxes.len()).filter(|i| intersects(&boxes[*i], &area));
            let found: Vec<usize> = bvh.find(|aabb| intersects(aabb, &area)).collect();
            prop_assert_eq!(found, near.collect::<Vec<_>>());
        }
    }
}
