use crate::{
    hierarchy::Parents, index::ColliderEntry, movement::are_related, settings::CollisionSettings,
};

/// The rules by which two colliders make a pair.
pub(super) struct PairRules<'a, 'w, 's> {
    pub settings: &'a CollisionSettings,
    pub parents: &'a Parents<'w, 's>,
}

impl PairRules<'_, '_, '_> {
    /// Whether two colliders may make one.
    #[inline]
    pub fn allow(&self, a: &ColliderEntry, b: &ColliderEntry) -> bool {
        let is_wall = |entry: &ColliderEntry| entry.role.is_wall() && !entry.role.is_swept;
        a.role.layers.interacts_with(b.role.layers)
            && (!(is_wall(a) && is_wall(b)) || self.settings.solid_pairs)
            && !a.is_same_body(b)
            && !are_related(a, b, self.parents)
    }

    /// The distance at which they count as touching, in world units.
    #[inline]
    pub fn margin(&self, a: &ColliderEntry, b: &ColliderEntry) -> f32 {
        a.pair_margin(b, self.settings.valid_margin())
    }
}
