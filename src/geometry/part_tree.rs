//! The convex parts of two shapes in trees of boxes, to find the pair of them that comes first in
//! some order.

use std::cell::RefCell;

use bevy::math::{Vec2, bounding::Aabb2d};

use super::Shape;
use crate::aabb::merge;

/// How many parts a tree may hold: to look for anything among more would take too long.
const MAX_PARTS: usize = 4096;
/// How many cells of a grid are searched for parts at most.
const MAX_CELLS: f32 = 262_144.0;
/// Memory for this many parts is kept for the next time.
const KEPT_PARTS: usize = 1024;

/// To look at two parts takes about as long as to look at this many pairs of boxes.
const STEPS_PER_PAIR: u32 = 16;

/// The box of leaves without a part, which is none.
const NOWHERE: Aabb2d = Aabb2d {
    min: Vec2::INFINITY,
    max: Vec2::NEG_INFINITY,
};

thread_local! {
    static TREES: RefCell<[PartTree; 2]> = RefCell::default();
}

/// The parts of a shape, with a complete binary tree of the boxes around them: that of node `i`
/// holds those of `2 * i` and `2 * i + 1`. Parts that follow each other are near each other, so
/// that the tree needs no other order.
#[derive(Default)]
pub(super) struct PartTree {
    parts: Vec<Shape>,
    boxes: Vec<Aabb2d>,
}

/// Two trees, of the parts of two shapes that may be near each other.
pub(super) struct PartPairs<'t>(&'t [PartTree; 2]);

/// A search for the pair with the least value, by branch and bound.
struct Search<'t, Bound, Visit> {
    trees: &'t [PartTree; 2],
    bound: Bound,
    visit: Visit,
    least: f64,
    steps: u32,
}

/// Builds the trees of the parts of `a` and `b` that reach into an area each, and asks about them;
/// `None`, if there are too many.
pub(super) fn with_pairs<Answer>(
    shapes: [&Shape; 2],
    areas: &[Aabb2d; 2],
    ask: impl FnOnce(PartPairs) -> Answer,
) -> Option<Answer> {
    TREES.with_borrow_mut(|trees| {
        let fits = (trees.iter_mut().zip(shapes).zip(areas))
            .all(|((tree, shape), area)| tree.fill(shape, area));
        let answer = fits.then(|| ask(PartPairs(trees)));
        for tree in trees {
            tree.clear();
        }
        answer
    })
}

impl PartTree {
    /// Takes in the parts that reach into an area. Whether they are few enough.
    fn fill(&mut self, shape: &Shape, area: &Aabb2d) -> bool {
        if has_too_many_cells(shape, area) {
            return false;
        }
        let mut count = 0;
        shape.visit_convex_pieces(area, |part| {
            count += 1;
            if count <= MAX_PARTS {
                self.parts.push(part.clone());
            }
        });
        let leaves = self.parts.len().next_power_of_two();
        self.boxes.resize(2 * leaves, NOWHERE);
        for (node, part) in self.boxes[leaves..].iter_mut().zip(&self.parts) {
            *node = part.aabb();
        }
        for node in (1..leaves).rev() {
            self.boxes[node] = merge(&self.boxes[2 * node], &self.boxes[2 * node + 1]);
        }
        count <= MAX_PARTS
    }

    /// Forgets all parts, and gives the memory for many back.
    fn clear(&mut self) {
        self.parts.clear();
        self.parts.shrink_to(KEPT_PARTS);
        self.boxes.clear();
        self.boxes.shrink_to(2 * KEPT_PARTS);
    }

    /// The part at a node; `None` at an inner one.
    fn part(&self, node: usize) -> Option<&Shape> {
        self.parts.get(node.checked_sub(self.boxes.len() / 2)?)
    }
}

impl<'t> PartPairs<'t> {
    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.0[0].parts.len() * self.0[1].parts.len()
    }

    /// Visits pairs in about the order of their values, until what is left is not below the least
    /// one. `bound` gives a lower bound of the values of all pairs of parts in two boxes, `visit`
    /// that of a pair. Returns how many of the steps are left; with none, not all was searched.
    pub fn find_least(
        &self,
        limit: f64,
        steps: u32,
        bound: impl Fn(&Aabb2d, &Aabb2d) -> f64,
        visit: impl FnMut(&'t Shape, &'t Shape) -> f64,
    ) -> u32 {
        let mut search = Search {
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

impl<'t, Bound, Visit> Search<'t, Bound, Visit>
where
    Bound: Fn(&Aabb2d, &Aabb2d) -> f64,
    Visit: FnMut(&'t Shape, &'t Shape) -> f64,
{
    fn bound_at(&self, [i, j]: [usize; 2]) -> f64 {
        let [a, b] = [&self.trees[0].boxes[i], &self.trees[1].boxes[j]];
        // Of no part is anything known.
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
        let halves = match (a.part(i), b.part(j)) {
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

/// A lower bound of the signed distance of what is in two boxes: negative where they overlap, by
/// the length of the shortest way out.
pub(super) fn gap_between_boxes(a: &Aabb2d, b: &Aabb2d) -> f32 {
    let gaps = (b.min - a.max).max(a.min - b.max);
    if gaps.max_element() < 0.0 {
        gaps.max_element()
    } else {
        gaps.max(Vec2::ZERO).length()
    }
}

/// When what is in a box that goes along a displacement meets what is in another one, at the
/// earliest: the fraction of the way, if they may meet on it.
pub(super) fn time_of_entry(moving: &Aabb2d, resting: &Aabb2d, displacement: Vec2) -> Option<f64> {
    let [from, to] = [resting.min - moving.max, resting.max - moving.min].map(Vec2::as_dvec2);
    let way = displacement.as_dvec2();
    let (mut enter, mut exit) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        if way[axis] == 0.0 {
            if from[axis] > 0.0 || to[axis] < 0.0 {
                return None;
            }
            continue;
        }
        let [p, q] = [from, to].map(|at| at[axis] / way[axis]);
        (enter, exit) = (enter.max(p.min(q)), exit.min(p.max(q)));
    }
    (enter <= exit).then_some(enter)
}

/// Whether a shape is a grid with more cells in an area than are searched for parts.
fn has_too_many_cells(shape: &Shape, area: &Aabb2d) -> bool {
    let Shape::Tiles { tiles, placement } = shape else {
        return false;
    };
    let area = placement.unapply_aabb(area);
    let half = tiles.half_size();
    let inside = area.max.min(half) - area.min.max(-half);
    // Not of a number, so that cells of no size are searched, which takes no time.
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
        let count = with_pairs([&star, &bar], &areas, |pairs| pairs.count());
        assert!(count.is_some_and(|count| count > KEPT_PARTS));
        TREES.with_borrow(|trees| {
            for PartTree { parts, boxes } in trees {
                assert!(parts.is_empty() && parts.capacity() <= KEPT_PARTS);
                assert!(boxes.is_empty() && boxes.capacity() <= 2 * KEPT_PARTS);
            }
        });
    }
}
