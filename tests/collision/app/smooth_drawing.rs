//! Interpolated rendering with a fixed timestep: the recipe of the README moves evenly.

use bevy::{app::RunFixedMainLoopSystems, input::InputSystems, prelude::*};
use bevy_thud::prelude::*;

#[derive(Component)]
struct Player;

/// Position of a mover without a parent before the last step. Set it as well when you teleport.
#[derive(Component, Default)]
struct Before(Vec3);

/// On a child of the mover that is drawn, and has no collider.
#[derive(Component)]
struct Drawn;

/// What was pressed since the last step.
#[derive(Resource, Default)]
struct Pressed {
    dash: bool,
}

fn fixed_steps(app: &mut App) {
    app.add_plugins(CollisionPlugin::in_fixed_schedule())
        .init_resource::<Pressed>()
        .add_systems(PreUpdate, latch.after(InputSystems))
        .add_systems(FixedFirst, remember)
        .add_systems(FixedUpdate, steer)
        .add_systems(
            RunFixedMainLoop,
            (draw, follow).in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
}

/// Runs in each frame: `just_pressed` lasts one frame, which may have no step.
fn latch(keys: Res<ButtonInput<KeyCode>>, mut pressed: ResMut<Pressed>) {
    pressed.dash |= keys.just_pressed(KeyCode::Space);
}

/// Runs in each step: what was latched counts in the next one, and in that one only.
fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    mut pressed: ResMut<Pressed>,
    mut player: Single<&mut Mover, With<Player>>,
) {
    let x = f32::from(keys.pressed(KeyCode::KeyD)) - f32::from(keys.pressed(KeyCode::KeyA));
    player.velocity = Vec2::X * x * 200.0;
    if std::mem::take(&mut pressed.dash) {
        player.displacement = Vec2::Y * 60.0;
    }
}

fn remember(mut movers: Query<(&Transform, &mut Before)>) {
    for (transform, mut before) in &mut movers {
        before.0 = transform.translation;
    }
}

/// Interpolates between the mover's last two positions, by the fraction of the next step.
fn drawn_position(mover: &Transform, before: &Before, time: &Time<Fixed>) -> Vec3 {
    before.0.lerp(mover.translation, time.overstep_fraction())
}

fn draw(
    time: Res<Time<Fixed>>,
    movers: Query<(&Transform, &Before), Without<Drawn>>,
    mut drawn: Query<(&mut Transform, &ChildOf), With<Drawn>>,
) {
    for (mut transform, child_of) in &mut drawn {
        if let Ok((mover, before)) = movers.get(child_of.parent()) {
            let position = drawn_position(mover, before, &time);
            let to_mover = mover.compute_affine().inverse();
            transform.translation = to_mover.transform_point3(position);
        }
    }
}

/// The camera follows what is drawn. If it followed the mover, all else would jerk.
fn follow(
    time: Res<Time<Fixed>>,
    player: Single<(&Transform, &Before), (With<Player>, Without<Camera2d>)>,
    mut camera: Single<&mut Transform, With<Camera2d>>,
) {
    let (mover, before) = *player;
    let position = drawn_position(mover, before, &time);
    camera.translation = position.with_z(camera.translation.z);
}

// So far the README.

use std::time::Duration;

use bevy::time::TimeUpdateStrategy;

use crate::common::*;

#[test]
fn the_recipe_is_that_of_the_readme() {
    let recipe = include_str!("smooth_drawing.rs");
    let (_, recipe) = recipe.split_once("\n\n").unwrap();
    let (recipe, _) = recipe.split_once("\n// So far the README.").unwrap();
    assert!(include_str!("../../../README.md").contains(recipe));
}

const SPEED: f32 = 200.0;
const STEPS_PER_SECOND: f64 = 60.0;

/// A player who is drawn, before a camera.
struct Game {
    app: App,
    player: Entity,
    drawn: Entity,
    camera: Entity,
}

impl Game {
    fn new(frames_per_second: f64) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin))
            .insert_resource(Time::<Fixed>::from_hz(STEPS_PER_SECOND))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
                1.0 / frames_per_second,
            )))
            .init_resource::<ButtonInput<KeyCode>>()
            .add_systems(Last, |mut keys: ResMut<ButtonInput<KeyCode>>| keys.clear());
        fixed_steps(&mut app);
        let transform = rotated(Vec2::new(30.0, -7.0), 0.4).with_scale(Vec3::splat(2.0));
        let player = (
            Player,
            CircleCollider::new(1.0),
            Mover::default(),
            Before(transform.translation),
            transform,
        );
        let player = spawn(&mut app, player);
        let drawn = spawn(&mut app, (Drawn, at(0.0, 0.0), ChildOf(player)));
        let camera = spawn(&mut app, (Camera2d, at(0.0, 0.0)));
        start(&mut app);
        Self {
            app,
            player,
            drawn,
            camera,
        }
    }

    fn press(&mut self, key: KeyCode) {
        let mut keys = self.app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.press(key);
    }

    /// The distance that an entity moves in each of some frames, once it is moving.
    fn strides(&mut self, entity: impl Fn(&Self) -> Entity) -> Vec<f32> {
        for _ in 0..40 {
            self.app.update();
        }
        let mut last = global_position(&self.app, entity(self));
        let mut strides = vec![];
        for _ in 0..200 {
            self.app.update();
            let now = global_position(&self.app, entity(self));
            strides.push(now.x - std::mem::replace(&mut last, now).x);
        }
        strides
    }
}

#[test]
fn what_is_drawn_and_the_camera_move_evenly_at_any_frame_rate() {
    for frames_per_second in [24.0, 59.0, 60.0, 144.0, 165.0, 1000.0] {
        let expected = SPEED / frames_per_second as f32;
        for (what, entity) in [
            ("the drawn", (|game| game.drawn) as fn(&Game) -> Entity),
            ("the camera", |game| game.camera),
        ] {
            let mut game = Game::new(frames_per_second);
            game.press(KeyCode::KeyD);
            let strides = game.strides(entity);
            let uneven = strides
                .iter()
                .find(|&stride| (stride - expected).abs() > 2e-3);
            assert_eq!(
                uneven, None,
                "{what} at {frames_per_second}: not {expected}"
            );
        }
    }
    let mut game = Game::new(144.0);
    game.press(KeyCode::KeyD);
    let strides = game.strides(|game| game.player);
    assert!(strides.contains(&0.0), "the mover itself moves by steps");
}

#[test]
fn a_key_counts_once_however_many_steps_a_frame_has() {
    for frames_per_second in [13.0, 60.0, 144.0, 1000.0] {
        let mut game = Game::new(frames_per_second);
        let height = global_position(&game.app, game.player).y;
        for presses in 1..4u8 {
            game.press(KeyCode::Space);
            game.app.update();
            let mut keys = game.app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
            keys.release(KeyCode::Space);
            for _ in 0..40 {
                game.app.update();
            }
            let climbed = global_position(&game.app, game.player).y - height;
            let expected = 60.0 * f32::from(presses);
            assert!(
                (climbed - expected).abs() < 1e-3,
                "{frames_per_second}: {climbed}"
            );
        }
    }
}
