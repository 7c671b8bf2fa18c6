//! Interpolated drawing of what the fixed schedule moves.

use bevy::{app::RunFixedMainLoopSystems, prelude::*};
use bevy_thud::prelude::*;

use super::super::game::machines::Motion;

/// Whoever moved farther in one step was teleported.
const TELEPORT: f32 = 40.0;

/// Where an entity was before the last step.
#[derive(Component, Clone, Copy, Default)]
pub struct Before(Transform);

/// On the child that is drawn.
#[derive(Component, Default)]
#[require(Transform, Visibility)]
pub struct Drawn;

pub fn plugin(app: &mut App) {
    app.add_systems(FixedFirst, remember).add_systems(
        RunFixedMainLoop,
        draw.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
    );
}

impl Before {
    /// Where it is drawn between the last two steps.
    pub fn pose(&self, now: &Transform, time: &Time<Fixed>) -> Transform {
        let Self(before) = self;
        if before.translation.distance(now.translation) > TELEPORT {
            return *now;
        }
        let fraction = time.overstep_fraction();
        Transform {
            translation: before.translation.lerp(now.translation, fraction),
            rotation: before.rotation.slerp(now.rotation, fraction),
            scale: now.scale,
        }
    }
}

fn remember(
    moved: Query<(Entity, &Transform), Or<(With<Mover>, With<Motion>)>>,
    mut commands: Commands,
) {
    for (entity, transform) in &moved {
        commands.entity(entity).insert(Before(*transform));
    }
}

fn draw(
    time: Res<Time<Fixed>>,
    owners: Query<(&Transform, &Before), Without<Drawn>>,
    mut drawn: Query<(&mut Transform, &ChildOf), With<Drawn>>,
) {
    for (mut transform, child_of) in &mut drawn {
        if let Ok((now, before)) = owners.get(child_of.parent()) {
            let pose = before.pose(now, &time);
            let local = now.compute_affine().inverse() * pose.compute_affine();
            *transform = Transform::from_matrix(local.into());
        }
    }
}
