//! A uniform grid of cells, each with copies of the boxes in it: rays go through it faster than through the tree.

mod cell;
mod layout;
mod lazy;
#[cfg(test)]
mod tests;
mod traversal;

pub(super) use lazy::LazyRayGrid;

use super::{super::Sweep, node::Limits};
use crate::memory;
use cell::{BOXES, CellNode, Insets};
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
    /// One for each cell, row by row; and behind them those for what does not fit in.
    nodes: Vec<CellNode>,
    /// While it is filled, how many boxes there are in each cell.
    counts: Vec<u32>,
}

impl RayGrid {
    /// Puts boxes with their places into the grid, at most so many, all within `bounds`. False, if it would be of no use: where sizes differ
    /// much, or where the boxes are dense here and scattered there.
    pub fn fill(
        &mut self,
        bounds: Limits,
        count: usize,
        mut boxes: impl Iterator<Item = (u32, Limits)>,
    ) -> bool {
        let Some(layout) = Layout::over(bounds, count) else {
            return false;
        };
        self.layout = layout;
        memory::clear(&mut self.counts);
        self.counts.resize(layout.cell_count(), 0);
        memory::clear(&mut self.nodes);
        self.nodes.resize(layout.cell_count(), CellNode::EMPTY);
        let (mut copies, mut used, mut sharing) = (0, 0, 0);
        let are_few_copies = boxes.all(|(place, limits)| {
            for (cell, insets) in layout.parts_of(limits) {
                copies += 1;
                if let Some(others) = self.put(cell, insets, place) {
                    used += 1;
                    // For it and those others they become so many more, all together.
                    sharing += 1 + 2 * others;
                }
            }
            copies <= MOST_COPIES * count
        });
        are_few_copies && sharing <= MOST_SHARING * used
    }

    /// Puts a part of a box into a cell. If it is the first one in a node, gives how many others the cell has.
    fn put(&mut self, cell: usize, insets: Insets, place: u32) -> Option<usize> {
        let count = self.counts[cell] as usize;
        let (full, lane) = (count / BOXES, count % BOXES);
        let is_first = lane == 0;
        if is_first && full > 0 {
            let next = self.nodes.len() as u32;
            let full = std::mem::replace(&mut self.nodes[cell], CellNode::before(next));
            self.nodes.push(full);
        }
        self.nodes[cell].set(lane, insets, place);
        self.counts[cell] += 1;
        is_first.then_some(full)
    }

    /// Whether it answers for a ray. One that starts far outside would be shifted by rounding.
    #[inline]
    pub fn suits(&self, ray: &Sweep) -> bool {
        self.layout.is_near(ray)
    }

    /// Visits the place of each box that a ray meets, cell by cell, and of each node in it the nearest first. The visitor may lessen how far
    /// the ray goes.
    #[inline]
    pub fn visit_along(&self, ray: &Sweep, visit: &mut impl FnMut(u32, &mut f32)) {
        let Some(mut traversal) = Traversal::of(ray, &self.layout) else {
            return;
        };
        let mut length = ray.length;
        loop {
            let mut node = traversal.cell;
            loop {
                let boxes = &self.nodes[node];
                let mut distances = boxes.distances(&traversal);
                while let Some(lane) = distances.take_nearest(traversal.end(length)) {
                    visit(boxes.place(lane), &mut length);
                }
                node = boxes.next as usize;
                if node == 0 {
                    break;
                }
            }
            if !traversal.advance(traversal.end(length)) {
                break;
            }
        }
    }
}
