//! Fills the figures: each kind with its color, and red where they overlap.

use bevy::{platform::collections::HashMap, prelude::*};
use bevy_thud::prelude::*;

use super::super::{figure::Form, page::palette};

const CALM_FILL: f32 = 0.11;
const OVERLAP_FILL: f32 = 0.20;

/// The materials are made once.
pub fn paint(
    figures: Query<(Entity, &Form, Option<&MeshMaterial2d<ColorMaterial>>)>,
    collisions: Collisions,
    mut made: Local<HashMap<[u8; 4], Handle<ColorMaterial>>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, form, painted) in &figures {
        let color = if collisions.of(entity).next().is_some() {
            palette::OVERLAP.with_alpha(OVERLAP_FILL)
        } else {
            form.kind().color().with_alpha(CALM_FILL)
        };
        let key = color.to_srgba().to_u8_array();
        let material = made.entry(key).or_insert_with(|| materials.add(color));
        if painted.is_none_or(|painted| painted.0 != *material) {
            let material = MeshMaterial2d(material.clone());
            commands.entity(entity).insert(material);
        }
    }
}
