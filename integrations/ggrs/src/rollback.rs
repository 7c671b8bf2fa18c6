//! What is rolled back, and what is compared.

use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_thud::prelude::*;

use crate::duel::{
    self, Gone, Input, Inputs, Simulated, Step,
    state::{Bullet, Fighter, Match, Monster},
};

/// The session's types.
pub type DuelConfig = GgrsConfig<Input>;

/// Adds the game and its collisions to the steps that are rolled back, with all that they depend
/// on.
pub fn plugin(seed: u64) -> impl Plugin {
    move |app: &mut App| {
        app.add_plugins((
            GgrsPlugin::<DuelConfig>::default(),
            CollisionPlugin::new(GgrsSchedule),
            duel::plugin(GgrsSchedule, seed),
        ))
        .add_systems(GgrsSchedule, read_inputs.before(Step::Act))
        .add_observer(|gone: On<Gone>, mut commands: Commands| {
            commands.entity(gone.entity).try_despawn();
        });
        app.register_required_components::<Simulated, Rollback>();
        register_components(app);
    }
}

fn read_inputs(pressed: Res<PlayerInputs<DuelConfig>>, mut inputs: ResMut<Inputs>) {
    inputs.0 = [0, 1].map(|player| pressed[player].0);
}

fn register_components(app: &mut App) {
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
        .rollback_component_with_clone::<Simulated>()
        .rollback_resource_with_clone::<Match>();
    app.checksum_component(hash_transform)
        .checksum_component(hash_mover)
        .checksum_component_with_hash::<Fighter>()
        .checksum_resource_with_hash::<Match>();
}

fn hash_transform(transform: &Transform) -> u64 {
    let Vec3 { x, y, .. } = transform.translation;
    u64::from(x.to_bits()) << 32 | u64::from(y.to_bits())
}

fn hash_mover(mover: &Mover) -> u64 {
    let Vec2 { x, y } = mover.velocity;
    u64::from(x.to_bits()) << 32 | u64::from(y.to_bits())
}
