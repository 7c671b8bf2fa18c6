//! The rules that decide which colliders collide.

use super::{
    entry::{ColliderEntry, are_related},
    hierarchy::Parents,
    reason::Reason,
};
use crate::settings::CollisionSettings;

/// The rules that decide whether two colliders collide where they overlap.
pub(crate) struct PairRules<'a, 'w, 's> {
    pub settings: CollisionSettings,
    pub parents: &'a Parents<'w, 's>,
}

impl PairRules<'_, '_, '_> {
    /// Whether two colliders collide where they overlap.
    #[inline]
    pub fn should_collide(&self, a: &ColliderEntry, b: &ColliderEntry) -> bool {
        self.check_collision(a, b).is_ok()
    }

    /// Whether two colliders collide where they overlap, or why not.
    #[inline]
    pub fn check_collision(&self, a: &ColliderEntry, b: &ColliderEntry) -> Result<(), Reason> {
        let is_static_wall = |entry: &ColliderEntry| entry.role.is_wall() && !entry.role.is_swept();
        if !a.role.layers.interacts_with(b.role.layers) {
            Err(Reason::Layers)
        } else if a.ignores(b) {
            Err(Reason::Ignored)
        } else if is_static_wall(a) && is_static_wall(b) && !self.settings.solid_pairs {
            Err(Reason::StaticWalls)
        } else if a.common_mover(b).is_some() {
            Err(Reason::SameBody)
        } else if are_related(a, b, self.parents) {
            Err(Reason::Related)
        } else {
            Ok(())
        }
    }

    /// The distance below which two colliders count as overlapping, in world units.
    #[inline]
    pub fn margin(&self, a: &ColliderEntry, b: &ColliderEntry) -> f32 {
        a.pair_margin(b, self.settings.margin)
    }
}
