//! The walls near members.

use super::{
    jacobi::{Body, Pair},
    members::Members,
};
use crate::{
    aabb::{Aabb2d, contains, grow, intersects},
    broad_phase::{EMPTY, NumberedBox},
    index::{ColliderEntry, ColliderIndex, are_related},
    movement::{
        body::MovePlan,
        obstacles::MoverStart,
        tolerances::{
            MAX_CACHED_WALLS, PRESSURE_BIAS_SIZES, WALL_MARGIN_SIZES, WALL_SEARCH_WIDTHS,
        },
        world::UpdateWorld,
        world_order::by_world,
    },
};

/// Adds the pairs of crowded members with the walls near them. In `order`, consecutive members are
/// mostly near each other.
pub(crate) fn add_walls(
    world: &UpdateWorld,
    members: &mut Members,
    plans: &[MovePlan],
    order: &[u32],
    walls: &mut WallCache,
) {
    let Members {
        list,
        bodies,
        pairs,
    } = members;
    walls.clear();
    for &number in order {
        let member = &mut list[number as usize];
        let is_moved = member.is_crowded && member.is_mover;
        let Some(entry) = member.entry(world.index).filter(|_| is_moved) else {
            continue;
        };
        let start = MoverStart::of_plan(&plans[member.plan], &entry);
        member.clearance = WALL_MARGIN_SIZES * member.size;
        // The pressure bias took a fraction of the clearance.
        let bias = PRESSURE_BIAS_SIZES * member.size;
        let margin = member.clearance + bias + entry.effective_skin();
        let area = grow(&bodies[number as usize].shape.aabb(), margin);
        let first = pairs.len();
        for wall in walls.overlapping(area, world.index) {
            if !entry.is_blocked_by(&wall) || are_related(&entry, &wall, world.parents) {
                continue;
            }
            let one_way = (world.index).one_way_wall(&wall, Some(world.observer(&entry)));
            let is_passed = one_way.is_some_and(|one_way| !start.is_outside(&one_way, wall.shape));
            wall.shape.visit_convex_pieces(&area, &mut |piece| {
                member.clearance = 0.0;
                let is_in_front = |one_way| start.is_in_front(&one_way, piece);
                if !is_passed && one_way.is_none_or(is_in_front) {
                    pairs.push(Pair {
                        bodies: [number, bodies.len() as u32],
                        shares: [1.0, 0.0],
                        margin: entry.effective_skin(),
                    });
                    bodies.push(Body::new(piece.clone()));
                }
            });
        }
        let shape_of = |pair: &Pair| &bodies[pair.bodies[1] as usize].shape;
        pairs[first..].sort_unstable_by(|p, q| by_world(shape_of(p), shape_of(q)));
    }
}

/// A cache of the walls that were found last. Consecutive areas are mostly near each other.
pub(crate) struct WallCache {
    /// The area that was searched: `walls` holds every wall in it.
    searched: Aabb2d,
    /// Around walls, by their slots.
    walls: Vec<NumberedBox>,
    /// How far beyond the next area walls are searched, in widths of it: less where walls are many.
    margin: f32,
}

impl Default for WallCache {
    fn default() -> Self {
        Self {
            searched: EMPTY,
            walls: Vec::new(),
            margin: WALL_SEARCH_WIDTHS,
        }
    }
}

impl WallCache {
    /// Clears the cache, because the walls differ.
    pub fn clear(&mut self) {
        (self.searched, self.margin) = (EMPTY, WALL_SEARCH_WIDTHS);
        self.walls.clear();
    }

    /// The walls whose boxes overlap an area.
    pub fn overlapping<'a>(
        &'a mut self,
        area: Aabb2d,
        index: &'a ColliderIndex,
    ) -> impl Iterator<Item = ColliderEntry<'a>> {
        if self.walls.len() > MAX_CACHED_WALLS || !contains(&self.searched, &area) {
            self.search(&area, index);
        }
        (self.walls.iter())
            .filter(move |wall| intersects(&area, &wall.aabb))
            .filter_map(|wall| index.at(wall.number))
    }

    fn search(&mut self, area: &Aabb2d, index: &ColliderIndex) {
        self.margin = if self.walls.len() > MAX_CACHED_WALLS {
            self.margin / 2.0
        } else {
            WALL_SEARCH_WIDTHS.min(self.margin * 2.0)
        };
        let width = (area.max - area.min).min_element();
        self.searched = grow(area, self.margin * width);
        self.walls.clear();
        index.visit_overlapping(&self.searched, |other| {
            if other.role.is_wall() {
                let (number, aabb) = (other.slot, other.shape.aabb());
                self.walls.push(NumberedBox { number, aabb });
            }
        });
    }
}
