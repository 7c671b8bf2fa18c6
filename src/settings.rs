use bevy::prelude::*;

/// Rules for the whole world. Changing one takes effect in the next run.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
pub struct CollisionSettings {
    /// Colliders that are nearer to each other than this count as overlapping, with a negative
    /// depth. In world units, 0 by default: colliders that touch make no pair. A value that is
    /// negative or not finite counts as 0. For a mover and what blocks it at least twice its
    /// [`skin`](crate::Mover::skin) counts.
    pub margin: f32,
    /// Whether two [`Solid`](crate::Solid)s that nothing moves make a pair, too. False by default: walls do not hear walls.
    pub solid_pairs: bool,
}

impl CollisionSettings {
    /// The margin as it is used.
    pub(crate) fn valid_margin(&self) -> f32 {
        if self.margin.is_finite() {
            self.margin.max(0.0)
        } else {
            0.0
        }
    }
}
