//! The pairs of single boxes, each of which is compared with the whole tree: of large ones, which would keep together what is far
//! apart, and of active ones, where they are few.

use std::ops::Range;

use bevy::math::Vec4;

use super::{
    super::{Arrangement, Strip},
    BoxTree, Level,
    node::{LANES, Limits, Node, lanes, reach},
    order::ABSENT,
};

/// The part of a sum of products that is lost to rounding, at most.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// A large box that looks for others: in its box, and between two lines.
struct LargeSeeker {
    spot: usize,
    reach: Vec4,
    strip: Option<Strip>,
    is_active: bool,
}

impl BoxTree {
    /// Lists the pairs of the boxes of a leaf with all others, but for those with large ones that come later.
    pub(super) fn list_pairs_of_large(
        &self,
        leaf: usize,
        items: &impl Arrangement,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let end = self.order.places.len().min((leaf + 1) * LANES);
        for spot in leaf * LANES..end {
            let place = self.order.places[spot];
            let limits = self.levels[0].nodes[leaf].get(spot % LANES);
            if place == ABSENT {
                continue;
            }
            let seeker = LargeSeeker {
                spot,
                reach: reach(limits),
                strip: items.strip(place as usize),
                is_active: self.active.contains(place),
            };
            let root = self.levels.len() - 1;
            self.seek_by_large(root, 0, &seeker, &mut |other| pairs.push((place, other)));
        }
    }

    fn seek_by_large(
        &self,
        level: usize,
        node: usize,
        seeker: &LargeSeeker,
        found: &mut impl FnMut(u32),
    ) {
        let nodes = &self.levels[level];
        let mut near = nodes.nodes[node].within(seeker.reach);
        if !seeker.is_active {
            near &= u32::from(nodes.active[node]);
        }
        if near != 0
            && let Some(strip) = &seeker.strip
        {
            near &= nodes.nodes[node].within_strip(strip);
        }
        for lane in lanes(near) {
            let child = node * LANES + lane;
            if level > 0 {
                self.seek_by_large(level - 1, child, seeker, found);
            } else if child < seeker.spot || !self.large.contains(&node) {
                found(self.order.places[child]);
            }
        }
    }

    /// Lists the pairs of the active boxes of some leaves with all others that are not large.
    pub(super) fn list_pairs_of_active(&self, leaves: Range<usize>, pairs: &mut Vec<(u32, u32)>) {
        let root = self.levels.len() - 1;
        let level = &self.levels[0];
        for leaf in leaves.filter(|leaf| !self.large.contains(leaf)) {
            for lane in lanes(level.active[leaf].into()) {
                let spot = leaf * LANES + lane;
                let seeker = (spot, level.nodes[leaf].get(lane));
                let place = self.order.places[spot];
                self.seek_by_active(root, 0, seeker, &mut |other| pairs.push((place, other)));
            }
        }
    }

    fn seek_by_active(
        &self,
        level: usize,
        node: usize,
        (spot, limits): (usize, Limits),
        found: &mut impl FnMut(u32),
    ) {
        let Level {
            nodes,
            active,
            joined,
            ..
        } = &self.levels[level];
        let mut near = nodes[node].within(reach(limits));
        if level > 0 {
            near &= u32::from(joined[node]);
        }
        for lane in lanes(near) {
            let child = node * LANES + lane;
            if level > 0 {
                self.seek_by_active(level - 1, child, (spot, limits), found);
            } else if child > spot || active[node] >> lane & 1 == 0 {
                // Two that are active find each other.
                found(self.order.places[child]);
            }
        }
    }
}

impl Node {
    /// The lanes whose boxes are not wholly on one side of a strip, as bits.
    fn within_strip(&self, strip: &Strip) -> u32 {
        let Strip {
            normal,
            offset,
            half_width,
        } = *strip;
        // The corners that are furthest back and furthest forth along the normal have these limits.
        let back = [
            if normal.x > 0.0 { 0 } else { 2 },
            if normal.y > 0.0 { 1 } else { 3 },
        ];
        let forth = back.map(|limit| limit ^ 2);
        let (along_x, along_y) = (Vec4::splat(normal.x.abs()), Vec4::splat(normal.y.abs()));
        let half = |half: usize| {
            let least = |[x, y]: [usize; 2]| {
                let (x, y) = (self.half(x, half) * along_x, self.half(y, half) * along_y);
                x + y - (x.abs() + y.abs()) * ROUNDING
            };
            let is_back = least(back).cmple(Vec4::splat(half_width + offset));
            let is_forth = least(forth).cmple(Vec4::splat(half_width - offset));
            (is_back & is_forth).bitmask()
        };
        half(0) | half(1) << 4
    }
}
