//! The keys that move a player.

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A mover that the arrow keys move. Scenes that steer in other ways read [`heading`] themselves.
#[derive(Component)]
#[require(Mover)]
pub struct Player {
    /// In world units per second.
    pub speed: f32,
    /// The length of a dash, in world units.
    pub dash: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(PreUpdate, walk.after(bevy::input::InputSystems));
}

/// The direction of the pressed keys, arrows or WASD: of length 1, or zero.
pub fn heading(keys: &ButtonInput<KeyCode>) -> Vec2 {
    let axis = |less, more| {
        f32::from(u8::from(keys.any_pressed(more))) - f32::from(u8::from(keys.any_pressed(less)))
    };
    let x = axis(
        [KeyCode::ArrowLeft, KeyCode::KeyA],
        [KeyCode::ArrowRight, KeyCode::KeyD],
    );
    let y = axis(
        [KeyCode::ArrowDown, KeyCode::KeyS],
        [KeyCode::ArrowUp, KeyCode::KeyW],
    );
    Vec2::new(x, y).normalize_or_zero()
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut players: Query<(&Player, &mut Mover)>) {
    let heading = heading(&keys);
    for (player, mut mover) in &mut players {
        mover.velocity = heading * player.speed;
        if keys.just_pressed(KeyCode::Space) {
            mover.displacement = heading * player.dash;
        }
    }
}
