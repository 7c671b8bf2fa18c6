//! What is rolled back, and what is compared.

use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    game::{Bullet, Fighter, Match, Monster, Step},
    input::DuelConfig,
};

/// Adds collisions to the steps that are rolled back, with all that they depend on.
pub fn plugin(app: &mut App) {
    app.add_plugins((
        GgrsPlugin::<DuelConfig>::default(),
        CollisionPlugin::new(GgrsSchedule),
    ));
    // What collisions remember is rolled back by these two lines.
    app.rollback_resource_with_clone::<CollisionState>()
        .update_resource_with_map_entities::<CollisionState>()
        .checksum_resource(CollisionState::hash);
    // The components that the plugin reads and writes.
    app.rollback_component_with_clone::<Transform>()
        .rollback_component_with_clone::<Mover>()
        .rollback_component_with_clone::<MoverHits>()
        .update_component_with_map_entities::<MoverHits>()
        .rollback_component_with_clone::<CircleCollider>()
        .rollback_component_with_clone::<RectCollider>()
        .rollback_component_with_clone::<Solid>()
        .rollback_component_with_clone::<Swept>()
        .rollback_component_with_clone::<StableKey>();
    // Those of the game.
    app.rollback_component_with_clone::<Fighter>()
        .rollback_component_with_clone::<Bullet>()
        .rollback_component_with_clone::<Monster>()
        .rollback_resource_with_clone::<Match>();
    app.checksum_component(hash_transform)
        .checksum_component(hash_mover)
        .checksum_component_with_hash::<Fighter>()
        .checksum_resource_with_hash::<Match>();
    let before_collisions = CollisionSystems::Sync.after(Step::Act);
    app.configure_sets(GgrsSchedule, before_collisions);
}

fn hash_transform(transform: &Transform) -> u64 {
    let Vec3 { x, y, .. } = transform.translation;
    u64::from(x.to_bits()) << 32 | u64::from(y.to_bits())
}

fn hash_mover(mover: &Mover) -> u64 {
    let Vec2 { x, y } = mover.velocity;
    u64::from(x.to_bits()) << 32 | u64::from(y.to_bits())
}
