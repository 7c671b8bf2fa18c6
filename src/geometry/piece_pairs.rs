//! Trees of the convex pieces of two shapes, to find the pair of pieces with the least value of
//! some function by branch and bound.

use std::cell::RefCell;

use bevy::math::Vec2;

use super::shape::Shape;
use crate::aabb::{Aabb2d, merge};

/// The largest number of pieces of a shape: to find the deepest among more would take too long.
pub(super) const MAX_PIECES: usize = 4096;
/// The largest number of pieces of a shape that sweeps: most of them are not on its path.
pub(super) const MAX_SWEPT_PIECES: usize = 65_536;
/// The largest number of cells of a grid that are searched for pieces.
const MAX_CELLS: f32 = 262_144.0;
/// Memory for this many pieces is kept for the next search.
const KEPT_PIECES: usize = 1024;

/// Testing two pieces takes about as long as testing this many pairs of boxes.
const STEPS_PER_PAIR: u32 = 16;

/// The box of leaves without a piece, which is empty.
const NOWHERE: Aabb2d = Aabb2d {
    min: Vec2::INFINITY,
    max: Vec2::NEG_INFINITY,
};

thread_local! {
    static TREES: RefCell<[PieceTree; 2]> = RefCell::default();
}

/// The pieces of a shape, with a complete binary tree of their bounding boxes: node `i` contains
/// the nodes `2 * i` and `2 * i + 1`. Consecutive pieces are near each other, so that the tree
/// needs no other order.
#[derive(Default)]
pub(super) struct PieceTree {
    pieces: Vec<Shape>,
    boxes: Vec<Aabb2d>,
}

/// The trees of two shapes, with the pieces that may be near the other shape.
pub(super) struct PiecePairs<'t>(&'t [PieceTree; 2]);

/// A search for the pair with the least value.
struct LeastPairSearch<'t, Bound, Visit> {
    trees: &'t [PieceTree; 2],
    bound: Bound,
    visit: Visit,
    least: f64,
    steps: u32,
}

/// Builds a tree for each shape of the pieces that reach into its area, and returns the result of
/// `search` on them, or `None` if a shape has more than `max_pieces` there.
pub(super) fn with_piece_pairs<Output>(
    shapes: [&Shape; 2],
    areas: &[Aabb2d; 2],
    max_pieces: usize,
    search: impl FnOnce(PiecePairs) -> Output,
) -> Option<Output> {
    TREES.with_borrow_mut(|trees| {
        let fits = (trees.iter_mut().zip(shapes).zip(areas))
            .all(|((tree, shape), area)| tree.fill(shape, area, max_pieces));
        let output = fits.then(|| search(PiecePairs(trees)));
        for tree in trees {
            tree.clear();
        }
        output
    })
}

impl PieceTree {
    /// Adds the pieces that reach into an area. Returns whether they are few enough.
    fn fill(&mut self, shape: &Shape, area: &Aabb2d, max_pieces: usize) -> bool {
        if has_too_many_cells(shape, area) {
            return false;
        }
        let mut count = 0;
        shape.visit_convex_pieces(area, |piece| {
            count += 1;
            if count <= max_pieces {
                self.pieces.push(piece.clone());
            }
        });
        let leaves = self.pieces.len().next_power_of_two();
        self.boxes.resize(2 * leaves, NOWHERE);
        for (node, piece) in self.boxes[leaves..].iter_mut().zip(&self.pieces) {
            *node = piece.aabb();
        }
        for node in (1..leaves).rev() {
            self.boxes[node] = merge(&self.boxes[2 * node], &self.boxes[2 * node + 1]);
        }
        count <= max_pieces
    }

    /// Removes all pieces, and frees the memory for many.
    fn clear(&mut self) {
        self.pieces.clear();
        self.pieces.shrink_to(KEPT_PIECES);
        self.boxes.clear();
        self.boxes.shrink_to(2 * KEPT_PIECES);
    }

    /// The piece at a node, or `None` at an inner one.
    fn piece(&self, node: usize) -> Option<&Shape> {
        self.pieces.get(node.checked_sub(self.boxes.len() / 2)?)
    }
}

impl<'t> PiecePairs<'t> {
    /// The number of pairs.
    pub fn count(&self) -> usize {
        self.0[0].pieces.len() * self.0[1].pieces.len()
    }

    /// Visits pairs roughly by ascending value, until no remaining one can be below the least.
    /// `bound` returns a lower bound of the values of all pairs of pieces in two boxes, `visit` the
    /// value of a pair. Returns how many steps are left; the search is incomplete if none are.
    pub fn find_least(
        &self,
        limit: f64,
        steps: u32,
        bound: impl Fn(&Aabb2d, &Aabb2d) -> f64,
        visit: impl FnMut(&'t Shape, &'t Shape) -> f64,
    ) -> u32 {
        let mut search = LeastPairSearch {
            trees: self.0,
            bound,
            visit,
            least: limit,
            steps,
        };
        let roots = [1, 1];
        search.descend(roots, search.bound_at(roots));
        search.steps
    }
}

impl<'t, Bound, Visit> LeastPairSearch<'t, Bound, Visit>
where
    Bound: Fn(&Aabb2d, &Aabb2d) -> f64,
    Visit: FnMut(&'t Shape, &'t Shape) -> f64,
{
    fn bound_at(&self, [i, j]: [usize; 2]) -> f64 {
        let [a, b] = [&self.trees[0].boxes[i], &self.trees[1].boxes[j]];
        // No piece is in an empty box.
        if a.min.x > a.max.x || b.min.x > b.max.x {
            return f64::INFINITY;
        }
        (self.bound)(a, b)
    }

    fn descend(&mut self, nodes: [usize; 2], bound: f64) {
        if !(bound < self.least) || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        let [a, b] = self.trees;
        let [i, j] = nodes;
        let halves = match (a.piece(i), b.piece(j)) {
            (Some(p), Some(q)) => {
                self.steps = self.steps.saturating_sub(STEPS_PER_PAIR);
                self.least = self.least.min((self.visit)(p, q));
                return;
            }
            (Some(_), None) => [[i, 2 * j], [i, 2 * j + 1]],
            (None, Some(_)) => [[2 * i, j], [2 * i + 1, j]],
            (None, None) if size(&a.boxes[i]) < size(&b.boxes[j]) => [[i, 2 * j], [i, 2 * j + 1]],
            (None, None) => [[2 * i, j], [2 * i + 1, j]],
        };
        let [first, second] = halves.map(|nodes| (nodes, self.bound_at(nodes)));
        let in_order = if second.1 < first.1 {
            [second, first]
        } else {
            [first, second]
        };
        for (nodes, bound) in in_order {
            self.descend(nodes, bound);
        }
    }
}

fn size(aabb: &Aabb2d) -> f32 {
    (aabb.max - aabb.min).element_sum()
}

/// Whether a shape is a grid with too many cells in an area to search them for pieces.
fn has_too_many_cells(shape: &Shape, area: &Aabb2d) -> bool {
    let Shape::Tiles { tiles, placement } = shape else {
        return false;
    };
    let area = placement.inverse_transform_aabb(area);
    let half = tiles.half_size();
    let inside = area.max.min(half) - area.min.max(-half);
    // False for NaN: searching cells without size takes no time.
    (inside.max(Vec2::ZERO) / tiles.cell_size()).element_product() > MAX_CELLS
}

#[cfg(test)]
mod tests {
    use bevy::math::Rot2;

    use super::*;

    #[test]
    fn the_memory_of_large_trees_is_given_back() {
        let star = (0..4000u16).map(|i| {
            let distance = 10.0 + f32::from(i % 2);
            Vec2::from_angle(f32::from(i) / 4000.0 * std::f32::consts::TAU) * distance
        });
        let star = Shape::polygon(star).unwrap();
        let bar = Shape::rect(Vec2::ZERO, Vec2::ONE, Rot2::IDENTITY);
        let areas = [star.aabb(); 2];
        let count = with_piece_pairs([&star, &bar], &areas, MAX_PIECES, |pairs| pairs.count());
        assert!(count.is_some_and(|count| count > KEPT_PIECES));
        TREES.with_borrow(|trees| {
            for PieceTree { pieces, boxes } in trees {
                assert!(pieces.is_empty() && pieces.capacity() <= KEPT_PIECES);
                assert!(boxes.is_empty() && boxes.capacity() <= 2 * KEPT_PIECES);
            }
        });
    }
}
