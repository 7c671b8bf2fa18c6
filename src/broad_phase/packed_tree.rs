use bevy::math::{Vec2, bounding::Aabb2d};

use super::{BroadPhase, EMPTY, merged, overlap};

/// How many boxes one node of the tree holds.
const NODE_SIZE: usize = 8;

/// A packed R-tree: the boxes are sorted along a space-filling curve, then each run of [`NODE_SIZE`] of them gets a common
/// box, each run of these again, and so on up to one.
///
/// Nothing but the boxes is stored, no box is far from its neighbors, and no size or spread of the boxes makes it degenerate.
/// After Kamel and Faloutsos, "On Packing R-trees" (1993), with a Z curve in place of Hilbert's.
#[derive(Default)]
pub(crate) struct PackedTree {
    /// The place on the curve and the number of each box, sorted.
    leaves: Vec<(u64, u32)>,
    /// The boxes level by level: first the leaves, padded to whole nodes, last the root.
    boxes: Vec<Aabb2d>,
    /// Where each level begins in `boxes`.
    levels: Vec<usize>,
}

impl BroadPhase for PackedTree {
    fn rebuild(&mut self, boxes: &[Aabb2d]) {
        self.leaves.clear();
        self.leaves.extend(
            (0..)
                .zip(boxes)
                .filter(|(_, aabb)| aabb.min.x <= aabb.max.x)
                .map(|(number, aabb)| (place_on_curve(aabb), number)),
        );
        self.leaves.sort_unstable();

        self.boxes.clear();
        self.boxes
            .extend(self.leaves.iter().map(|leaf| boxes[leaf.1 as usize]));
        self.levels.clear();
        let mut level = 0;
        loop {
            self.levels.push(level);
            let next = self.boxes.len();
            if next - level <= 1 {
                break;
            }
            self.boxes
                .resize(level + (next - level).next_multiple_of(NODE_SIZE), EMPTY);
            let next = self.boxes.len();
            for node in (level..next).step_by(NODE_SIZE) {
                let around = self.boxes[node..node + NODE_SIZE]
                    .iter()
                    .fold(EMPTY, |around, aabb| merged(&around, aabb));
                self.boxes.push(around);
            }
            level = next;
        }
    }

    fn visit_overlapping(&self, area: &Aabb2d, mut visit: impl FnMut(u32)) {
        let root = self.levels.len().saturating_sub(1);
        self.descend(root, 0, area, &mut |leaf| visit(self.leaves[leaf].1));
    }

    fn visit_pairs(&self, active: impl Fn(u32) -> bool, mut visit: impl FnMut(u32, u32)) {
        let root = self.levels.len().saturating_sub(1);
        for (leaf, &(_, number)) in self.leaves.iter().enumerate() {
            if !active(number) {
                continue;
            }
            self.descend(root, 0, &self.boxes[leaf], &mut |other_leaf| {
                let other = self.leaves[other_leaf].1;
                // Two active boxes find each other twice.
                if other_leaf > leaf || (other_leaf != leaf && !active(other)) {
                    visit(number.min(other), number.max(other));
                }
            });
        }
    }
}

impl PackedTree {
    /// Visits the leaves below a node whose boxes overlap `area`.
    fn descend(&self, level: usize, node: usize, area: &Aabb2d, visit: &mut impl FnMut(usize)) {
        let Some(aabb) = self
            .levels
            .get(level)
            .and_then(|start| self.boxes.get(start + node))
        else {
            return;
        };
        if !overlap(aabb, area) {
            return;
        }
        if level == 0 {
            // An infinite area overlaps the padding, too.
            if node < self.leaves.len() {
                visit(node);
            }
        } else {
            for child in node * NODE_SIZE..(node + 1) * NODE_SIZE {
                self.descend(level - 1, child, area, visit);
            }
        }
    }
}

/// The place of a box's middle on a Z curve (Morton 1966) through all floating-point numbers: near places are near each other
/// at every scale, and one box far away does not make the others share a place.
fn place_on_curve(aabb: &Aabb2d) -> u64 {
    let middle: Vec2 = aabb.min * 0.5 + aabb.max * 0.5;
    spread(ordered_bits(middle.x)) | spread(ordered_bits(middle.y)) << 1
}

/// A whole number for each float, in the same order.
fn ordered_bits(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

/// The bits of a number with a zero bit above each. (Warren, "Hacker's Delight", 7-2.)
fn spread(number: u32) -> u64 {
    let mut bits = u64::from(number);
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF;
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF;
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}
