//! The walls around a crushed mover. While they stay the same, it is crushed again, without another
//! search for a way out.

use std::iter::once;

use bevy::ecs::entity::Entity;

use crate::{
    aabb::grow,
    components::EntityOrder,
    movement::{
        body::{CrushSite, Motion},
        obstacles::{Blockers, Exit, Obstacles},
    },
    state::hash_of_shapes,
};

impl CrushSite {
    /// The site of a mover and the walls within `distance` (world units), which `obstacles`
    /// receives.
    pub fn around(
        blockers: &Blockers,
        motion: &Motion,
        distance: f32,
        obstacles: &mut Obstacles,
    ) -> Self {
        let area = grow(&motion.shape.aabb(), distance);
        obstacles.search_exactly(blockers, area);
        let walls = (obstacles.all.iter()).filter(|obstacle| obstacle.exit != Exit::None);
        let walls = walls.map(|wall| (wall.order, &wall.shape));
        let mover = (EntityOrder::of(Entity::PLACEHOLDER, None), motion.shape);
        Self {
            distance,
            skin: motion.skin,
            hash: hash_of_shapes(walls.chain(once(mover))),
        }
    }

    /// Whether the mover and the walls around it are still the same.
    pub fn is_unchanged(
        &self,
        blockers: &Blockers,
        motion: &Motion,
        obstacles: &mut Obstacles,
    ) -> bool {
        Self::around(blockers, motion, self.distance, obstacles) == *self
    }
}
