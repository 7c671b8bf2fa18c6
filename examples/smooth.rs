//! Smooth drawing with a fixed timestep: 16 steps per second, so that it is easy to see. Of two
//! heroes that move the same, the upper one is drawn where it is in each step, and jerks; the lower
//! one is drawn in between. WASD or the arrow keys walk, Space dashes, T teleports.

#[path = "common/kit.rs"]
mod kit;

use bevy::{app::AppExit, color::palettes::tailwind, input::InputSystems, prelude::*};
use bevy_thud::prelude::*;
use bevy_transform_interpolation::{TranslationEasingState, prelude::*};
use kit::Fill;

/// Walks as the keys say.
#[derive(Component)]
pub struct Hero;

/// What was pressed since the last step. A key is `just_pressed` for one frame, which may have no
/// step.
#[derive(Resource, Default)]
struct Pressed {
    dash: bool,
    teleport: bool,
}

pub(crate) fn main() -> AppExit {
    App::new().add_plugins((kit::show("Smooth"), game)).run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins((
        CollisionPlugin::in_fixed_schedule(),
        TransformInterpolationPlugin::default(),
    ))
    .insert_resource(Time::<Fixed>::from_hz(16.0))
    .init_resource::<Pressed>()
    .add_systems(Startup, spawn)
    .add_systems(PreUpdate, latch.after(InputSystems))
    .add_systems(FixedUpdate, (walk, dash, teleport).chain());
}

fn spawn(mut commands: Commands) {
    commands.spawn_batch(kit::room());
    commands.spawn(kit::wall([0.0, 0.0, 1200.0, 20.0]));
    for (y, color) in [(160.0, tailwind::RED_400), (-160.0, tailwind::LIME_400)] {
        let collider = (
            CircleCollider::new(30.0),
            Transform::from_xyz(-400.0, y, 0.0),
        );
        let mut hero = commands.spawn((Hero, collider, Mover::default(), Fill(color)));
        if y < 0.0 {
            // All that it takes.
            hero.insert(TransformInterpolation);
        }
    }
    let keys = "WASD: walk. Space: dash. T: teleport. 16 steps per second";
    commands.spawn(Text::new(keys));
}

/// Runs in each frame.
fn latch(keys: Res<ButtonInput<KeyCode>>, mut pressed: ResMut<Pressed>) {
    pressed.dash |= keys.just_pressed(KeyCode::Space);
    pressed.teleport |= keys.just_pressed(KeyCode::KeyT);
}

/// Runs in each step, like all that follows. Keys that are held need no latch.
fn walk(keys: Res<ButtonInput<KeyCode>>, mut heroes: Query<&mut Mover, With<Hero>>) {
    for mut hero in &mut heroes {
        hero.velocity = kit::axes(&keys).normalize_or_zero() * 400.0;
    }
}

fn dash(mut pressed: ResMut<Pressed>, mut heroes: Query<&mut Mover, With<Hero>>) {
    if std::mem::take(&mut pressed.dash) {
        for mut hero in &mut heroes {
            let direction = hero.velocity.normalize_or(Vec2::X);
            hero.displacement += direction * 150.0;
        }
    }
}

/// Without a reset of its easing, a hero would be drawn on its way to where it teleports.
fn teleport(
    mut pressed: ResMut<Pressed>,
    mut heroes: Query<(&mut Transform, Option<&mut TranslationEasingState>), With<Hero>>,
) {
    if std::mem::take(&mut pressed.teleport) {
        for (mut hero, easing) in &mut heroes {
            hero.translation.x = -hero.translation.x;
            if let Some(mut easing) = easing {
                *easing = TranslationEasingState::default();
            }
        }
    }
}
