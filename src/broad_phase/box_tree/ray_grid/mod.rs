//! A uniform grid of cells, each with copies of the boxes in it: rays go through it faster than through the tree.

mod layout;
mod lazy;
#[cfg(test)]
mod tests;
mod traversal;

pub(super) use lazy::LazyRayGrid;

use super::{
    super::Sweep,
    approach::{Approach, FURTHEST, Slabs},
    node::{LANES, Limits, Node},
};
use crate::memory;
use layout::Layout;
use traversal::Traversal;

/// The grid is of no use if boxes are in more cells than that, on average.
const MOST_COPIES: usize = 6;
/// Nor is it if a node shares its cell with so many, itself among them, on average.
const MOST_SHARING: usize = 4;

/// Boxes in a uniform grid.
#[derive(Default)]
pub(super) struct RayGrid {
    layout: Layout,
    /// For each cell, row by row, where its nodes begin; and where the last ones end.
    firsts: Vec<u32>,
    /// How many boxes are still to be put into each cell.
    missing: Vec<u32>,
    nodes: Vec<Node>,
    /// The places of the boxes in each node.
    places: Vec<[u32; LANES]>,
}

impl RayGrid {
    /// Puts boxes with their places into the grid, at most so many, all within `bounds`. False, if it would be of no use: where sizes differ
    /// much, or where the boxes are dense here and scattered there.
    pub fn fill(
        &mut self,
        bounds: Limits,
        count: usize,
        boxes: impl Iterator<Item = (u32, Limits)> + Clone,
    ) -> bool {
        let Some(layout) = Layout::over(bounds, count) else {
            return false;
        };
        self.layout = layout;
        let is_of_use = self.count_copies(boxes.clone(), count) && self.make_room();
        if is_of_use {
            self.put(boxes);
        }
        is_of_use
    }

    /// Counts the boxes of each cell. False, if boxes are in too many.
    fn count_copies(
        &mut self,
        mut boxes: impl Iterator<Item = (u32, Limits)>,
        count: usize,
    ) -> bool {
        memory::clear(&mut self.missing);
        self.missing.resize(self.layout.cell_count(), 0);
        let mut copies = 0;
        boxes.all(|(_, limits)| {
            for cell in self.layout.cells_of(limits) {
                self.missing[cell] += 1;
                copies += 1;
            }
            copies <= MOST_COPIES * count
        })
    }

    /// Gives each cell as many nodes as it needs. False, if too many share one.
    fn make_room(&mut self) -> bool {
        memory::clear(&mut self.firsts);
        let (mut nodes, mut sharing) = (0, 0);
        for &boxes in &self.missing {
            self.firsts.push(nodes as u32);
            let own = (boxes as usize).div_ceil(LANES);
            nodes += own;
            sharing += own * own;
        }
        self.firsts.push(nodes as u32);
        let is_of_use = sharing <= MOST_SHARING * nodes;
        if is_of_use {
            memory::clear(&mut self.nodes);
            self.nodes.resize(nodes, Node::EMPTY);
            memory::clear(&mut self.places);
            self.places.resize(nodes, [0; LANES]);
        }
        is_of_use
    }

    fn put(&mut self, boxes: impl Iterator<Item = (u32, Limits)>) {
        for (place, limits) in boxes {
            for cell in self.layout.cells_of(limits) {
                self.missing[cell] -= 1;
                let spot = self.missing[cell] as usize;
                let (node, lane) = (self.firsts[cell] as usize + spot / LANES, spot % LANES);
                self.nodes[node].set(lane, limits);
                self.places[node][lane] = place;
            }
        }
    }

    /// Whether it answers for a ray. One that starts far outside would be shifted by rounding.
    #[inline]
    pub fn suits(&self, ray: &Sweep) -> bool {
        self.layout.is_near(ray)
    }

    /// Visits the place of each box that a ray meets, cell by cell, and of each node in it the nearest first. The visitor may lessen how far
    /// the ray goes.
    #[inline]
    pub fn visit_along(&self, ray: &Sweep, slabs: &Slabs, visit: &mut impl FnMut(u32, &mut f32)) {
        let Some(mut traversal) = Traversal::of(ray, &self.layout) else {
            return;
        };
        let mut reach = ray.length.min(FURTHEST);
        let mut crossing = None;
        loop {
            let cell = self.layout.cell(traversal.column, traversal.row);
            for node in self.firsts[cell] as usize..self.firsts[cell + 1] as usize {
                let boxes = &self.nodes[node];
                let mut distances = slabs.distances(boxes, reach);
                while let Some(lane) = distances.take_nearest(reach) {
                    let is_before = |line| self.layout.is_before(boxes.get(lane), line);
                    if !crossing.is_some_and(is_before) {
                        visit(self.places[node][lane], &mut reach);
                    }
                }
            }
            crossing = traversal.step(reach.into(), &self.layout);
            if crossing.is_none() {
                break;
            }
        }
    }
}
