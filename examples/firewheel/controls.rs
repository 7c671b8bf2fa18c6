//! Keyboard and mouse, for the window.

use bevy::{input::InputSystems, prelude::*, window::PrimaryWindow};

use super::{
    game::{
        player::{Intent, Player},
        stage::{Pause, Stage},
    },
    pads,
};

/// The keys of one player: up, down, left, right, and the ones that fire.
struct Keys {
    walk: [KeyCode; 4],
    fire: &'static [KeyCode],
}

const KEYS: [Keys; 2] = [
    Keys {
        walk: [KeyCode::KeyW, KeyCode::KeyS, KeyCode::KeyA, KeyCode::KeyD],
        fire: &[KeyCode::Space],
    },
    Keys {
        walk: [
            KeyCode::ArrowUp,
            KeyCode::ArrowDown,
            KeyCode::ArrowLeft,
            KeyCode::ArrowRight,
        ],
        fire: &[KeyCode::ControlRight, KeyCode::Enter, KeyCode::Slash],
    },
];

/// Pausing, and beginning a new game.
pub fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        (pause_or_go_on, play_again.run_if(in_state(Stage::Over))).after(InputSystems),
    );
}

/// Walking, aiming and firing.
pub fn steering(app: &mut App) {
    let read_input = (read_keys, read_mouse.run_if(pads::mouse_aims)).chain();
    app.add_systems(PreUpdate, read_input.after(InputSystems));
}

fn read_keys(keys: Res<ButtonInput<KeyCode>>, mut players: Query<(&Player, &mut Intent)>) {
    for (player, mut intent) in &mut players {
        let Keys { walk, fire } = &KEYS[player.0];
        let [up, down, left, right] = walk.map(|key| f32::from(u8::from(keys.pressed(key))));
        intent.walk = Vec2::new(right - left, up - down).normalize_or_zero();
        intent.fire = keys.any_pressed(fire.iter().copied());
        if intent.walk != Vec2::ZERO {
            intent.aim = intent.walk;
        }
    }
}

/// The first player aims with the mouse. Until it moves into the window, the keys do.
pub fn read_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut players: Query<(&Player, &Transform, &mut Intent)>,
) {
    let (camera, camera_at) = *camera;
    let pointer = window
        .cursor_position()
        .and_then(|position| camera.viewport_to_world_2d(camera_at, position).ok());
    let Some(((_, at, mut intent), pointer)) = players
        .iter_mut()
        .find(|(player, ..)| player.0 == 0)
        .zip(pointer)
    else {
        return;
    };
    if let Some(aim) = (pointer - at.translation.truncate()).try_normalize() {
        intent.aim = aim;
    }
    intent.fire |= buttons.pressed(MouseButton::Left);
}

fn pause_or_go_on(
    keys: Res<ButtonInput<KeyCode>>,
    pause: Res<State<Pause>>,
    mut next: ResMut<NextState<Pause>>,
) {
    if keys.any_just_pressed([KeyCode::KeyP, KeyCode::Escape]) {
        next.set(match pause.get() {
            Pause::Running => Pause::Paused,
            Pause::Paused => Pause::Running,
        });
    }
}

fn play_again(keys: Res<ButtonInput<KeyCode>>, mut next: ResMut<NextState<Stage>>) {
    if keys.any_just_pressed([KeyCode::KeyR, KeyCode::Enter]) {
        next.set(Stage::Playing);
    }
}
