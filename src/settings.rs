//! The settings of the plugin.

use bevy::prelude::*;

/// Settings for all colliders. Changes take effect in the next
/// [`CollisionSystems::Sync`](crate::CollisionSystems).
///
/// | field | unit | default | |
/// |---|---|---|---|
/// | [`margin`](Self::margin) | world units | 0 | colliders closer than this overlap |
/// | [`solid_pairs`](Self::solid_pairs) | | false | whether static walls collide with each other |
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// // A level editor that also reports walls that overlap each other.
/// App::new()
///     .add_plugins(CollisionPlugin::default())
///     .insert_resource(CollisionSettings { solid_pairs: true, ..default() });
/// ```
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default)
)]
pub struct CollisionSettings {
    /// The distance below which colliders count as overlapping, with a negative depth, in world
    /// units. 0 by default: touching is not overlapping. Negative, infinite and NaN values count as
    /// 0. For a mover and what blocks it, the margin is at least twice its
    /// [`skin_width`](crate::Mover::skin_width).
    pub margin: f32,
    /// Whether static walls collide with each other: [`Solid`](crate::Solid) colliders that are
    /// neither [`Swept`](crate::Swept), nor movers, nor descendants of movers. False by default.
    pub solid_pairs: bool,
}

impl CollisionSettings {
    /// Returns the settings with an invalid margin replaced by 0.
    pub(crate) fn valid(self) -> Self {
        let is_valid = self.margin.is_finite() && self.margin > 0.0;
        Self {
            margin: if is_valid { self.margin } else { 0.0 },
            ..self
        }
    }
}
