//! The small examples, played without a window: keys are pressed, and what comes of it is seen.

#![allow(dead_code, reason = "what the window needs is not used here")]
#![allow(
    clippy::duplicate_mod,
    reason = "each example has its own copy of `kit.rs`"
)]

#[path = "../examples/layers.rs"]
mod layers;
#[path = "../examples/line_of_sight.rs"]
mod line_of_sight;
#[path = "../examples/one_way.rs"]
mod one_way;
#[path = "../examples/smooth.rs"]
mod smooth;
#[path = "../examples/tile_map.rs"]
mod tile_map;
#[path = "../examples/top_down.rs"]
mod top_down;
#[path = "../examples/triggers.rs"]
mod triggers;

use std::time::Duration;

use KeyCode::{KeyD, KeyF, KeyS, KeyT, KeyW, Space};
use bevy::{ecs::query::QueryFilter, prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use bevy_transform_interpolation::prelude::TransformInterpolation;

/// A game of which each update is a sixtieth of a second, and its input.
struct Play {
    app: App,
}

impl Play {
    fn start(game: fn(&mut App)) -> Self {
        let step = Duration::from_secs_f64(1.0 / 60.0);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(step))
            .init_resource::<ButtonInput<KeyCode>>()
            .init_resource::<ButtonInput<MouseButton>>()
            .add_plugins(game);
        app.finish();
        app.cleanup();
        // The first update spawns everything, and no time passes in it.
        app.update();
        Self { app }
    }

    /// Holds these keys for this long, and then releases all.
    fn hold(&mut self, keys: &[KeyCode], seconds: f32) {
        for &key in keys {
            self.keys().press(key);
        }
        for _ in 0..(seconds * 60.0).round() as u32 {
            self.update();
        }
        self.keys().release_all();
    }

    fn wait(&mut self, seconds: f32) {
        self.hold(&[], seconds);
    }

    /// Keys that were pressed before the update are only held in the next one.
    fn update(&mut self) {
        self.app.update();
        self.keys().clear();
        self.buttons().clear();
    }

    fn keys(&mut self) -> Mut<'_, ButtonInput<KeyCode>> {
        self.app.world_mut().resource_mut()
    }

    fn buttons(&mut self) -> Mut<'_, ButtonInput<MouseButton>> {
        self.app.world_mut().resource_mut()
    }

    /// The position of the only entity that the filter matches.
    fn position<F: QueryFilter>(&mut self) -> Vec2 {
        let world = self.app.world_mut();
        let mut transforms = world.query_filtered::<&Transform, F>();
        let transform = transforms.single(world).unwrap();
        transform.translation.truncate()
    }

    /// Puts the only entity that the filter matches there.
    fn put<F: QueryFilter>(&mut self, x: f32, y: f32) {
        let world = self.app.world_mut();
        let mut transforms = world.query_filtered::<&mut Transform, F>();
        let mut transform = transforms.single_mut(world).unwrap();
        transform.translation = Vec3::new(x, y, transform.translation.z);
    }

    /// Whether a condition holds for one of the movers: its position, its radius if it is a
    /// circle, and its velocity.
    fn has_mover(&mut self, fits: impl Fn(Vec2, f32, Vec2) -> bool) -> bool {
        let world = self.app.world_mut();
        let mut movers = world.query::<(&Transform, &CircleCollider, &Mover)>();
        movers.iter(world).any(|(transform, circle, mover)| {
            fits(
                transform.translation.truncate(),
                circle.radius,
                mover.velocity,
            )
        })
    }

    /// What is written on the screen.
    fn text(&mut self) -> String {
        let world = self.app.world_mut();
        world.query::<&Text>().single(world).unwrap().0.clone()
    }
}

type Runner = With<triggers::Player>;

#[test]
fn a_door_opens_for_a_moment_when_someone_is_on_a_plate() {
    let mut play = Play::start(triggers::game);
    play.put::<Runner>(0.0, 0.0);
    play.hold(&[KeyD], 1.0);
    assert!(play.position::<Runner>().x < 70.0, "the door is closed");
    play.put::<Runner>(-340.0, -180.0);
    play.hold(&[KeyW, KeyD], 1.0);
    play.put::<Runner>(0.0, 0.0);
    play.hold(&[KeyD], 0.6);
    assert!(play.position::<Runner>().x > 150.0, "the door is open");
    play.put::<Runner>(200.0, 150.0);
    play.wait(2.0);
    play.put::<Runner>(200.0, 0.0);
    play.hold(&[KeyCode::KeyA], 0.6);
    assert!(
        play.position::<Runner>().x > 130.0,
        "the door is closed again"
    );
}

#[test]
fn a_door_closes_on_nobody() {
    let mut play = Play::start(triggers::game);
    play.put::<Runner>(-340.0, -180.0);
    play.wait(0.1);
    play.put::<Runner>(100.0, 0.0);
    play.wait(4.0);
    assert_eq!(play.position::<Runner>(), Vec2::new(100.0, 0.0));
    play.hold(&[KeyD], 0.3);
    assert!(play.position::<Runner>().x > 150.0);
}

#[test]
fn coins_are_collected_once() {
    let mut play = Play::start(triggers::game);
    play.put::<Runner>(350.0, 0.0);
    assert!(play.text().ends_with("Coins: 0 of 8"));
    play.hold(&[KeyD], 0.4);
    play.hold(&[KeyCode::KeyA], 0.4);
    play.hold(&[KeyD], 0.4);
    assert!(play.text().ends_with("Coins: 1 of 8"), "{}", play.text());
}

#[test]
fn bullets_hit_friends_only_with_friendly_fire() {
    for (key, is_friend_hit) in [(None, false), (Some(KeyF), true)] {
        let mut play = Play::start(layers::game);
        play.hold(key.as_slice(), 0.1);
        let (mut is_pushed_ahead, mut is_foe_hit) = (false, false);
        for _ in 0..60 {
            play.hold(&[Space], 0.1);
            // Soldiers are larger than bullets, and foes push them back.
            is_pushed_ahead |=
                play.has_mover(|at, radius, _| radius > 10.0 && (-199.0..0.0).contains(&at.x));
            is_foe_hit |= play.has_mover(|at, radius, _| radius > 10.0 && at.x > 401.0);
        }
        assert_eq!(is_pushed_ahead, is_friend_hit, "{key:?}");
        assert!(is_foe_hit, "{key:?}");
    }
}

#[test]
fn bullets_end_at_walls() {
    let mut play = Play::start(layers::game);
    play.hold(&[Space], 6.0);
    let is_outside = |at: Vec2, _, _| at.abs().cmpge(Vec2::new(601.0, 321.0)).any();
    assert!(!play.has_mover(is_outside));
    assert!(play.has_mover(|_, radius, _| radius < 10.0));
}

type Walker = With<Mover>;

#[test]
fn a_walker_slides_along_walls() {
    let mut play = Play::start(top_down::game);
    play.put::<Walker>(-300.0, -290.0);
    play.hold(&[KeyS, KeyD], 0.5);
    let end = play.position::<Walker>();
    assert!(end.x > -220.0 && (-300.0..-299.0).contains(&end.y), "{end}");
}

#[test]
fn a_dash_goes_far_and_has_to_cool_down() {
    let distance = |keys: &[KeyCode]| {
        let mut play = Play::start(top_down::game);
        play.put::<Walker>(-560.0, 0.0);
        play.hold(&[KeyD], 0.1);
        let start = play.position::<Walker>();
        play.hold(keys, 0.12);
        let dashed = play.position::<Walker>();
        play.wait(0.1);
        let rested = play.position::<Walker>();
        play.hold(keys, 0.12);
        [dashed - start, play.position::<Walker>() - rested].map(|displacement| displacement.x)
    };
    let [walk, _] = distance(&[KeyD]);
    let [dash, second] = distance(&[KeyD, Space]);
    assert!(dash > 3.0 * walk, "{walk} {dash}");
    assert!(second < 2.0 * walk, "{walk} {second}");
}

#[test]
fn a_bumper_knocks_back_whoever_walks_into_it() {
    let mut play = Play::start(top_down::game);
    play.put::<Walker>(-60.0, -100.0);
    play.hold(&[KeyS], 0.2);
    let end = play.position::<Walker>();
    assert!(end.y > -60.0 && end.x == -60.0, "{end}");
}

#[test]
fn platforms_let_a_jump_through_and_bear_who_lands() {
    let mut play = Play::start(one_way::game);
    play.put::<Walker>(-40.0, -294.0);
    play.wait(0.1);
    for platform in [-200.0, -80.0, 40.0, 160.0] {
        play.hold(&[KeyW], 1.0);
        let height = play.position::<Walker>().y;
        assert!(
            (height - (platform + 33.0)).abs() < 0.1,
            "{platform}: {height}"
        );
    }
    for platform in [40.0, -80.0, -200.0] {
        play.hold(&[KeyS], 1.0 / 60.0);
        play.wait(1.0);
        let height = play.position::<Walker>().y;
        assert!(
            (height - (platform + 33.0)).abs() < 0.1,
            "{platform}: {height}"
        );
    }
    play.hold(&[KeyS], 1.0);
    let floor = play.position::<Walker>().y;
    assert!((floor + 294.0).abs() < 0.1, "{floor}");
}

#[test]
fn a_jump_is_short_if_the_key_is_released() {
    let peak = |seconds: f32| {
        let mut play = Play::start(one_way::game);
        play.put::<Walker>(500.0, -294.0);
        play.wait(0.1);
        play.hold(&[KeyW], seconds);
        let heights = (0..60).map(|_| {
            play.update();
            play.position::<Walker>().y
        });
        heights.fold(f32::MIN, f32::max) + 294.0
    };
    let [short, long] = [peak(0.05), peak(0.35)];
    assert!((130.0..160.0).contains(&long), "{long}");
    assert!((20.0..100.0).contains(&short), "{short}");
}

/// What is put between a guard and the player whom it looks at.
#[test]
fn walls_hide_the_player_and_puddles_do_not() {
    let between = || {
        (
            RectCollider::new(60.0, 20.0),
            Transform::from_xyz(-270.0, 110.0, 0.0),
        )
    };
    for (obstacle, is_seen) in [("nothing", true), ("puddle", true), ("wall", false)] {
        let mut play = Play::start(line_of_sight::game);
        match obstacle {
            "puddle" => drop(play.app.world_mut().spawn(between())),
            "wall" => drop(play.app.world_mut().spawn((between(), Solid))),
            _ => {}
        }
        play.put::<With<line_of_sight::Player>>(-270.0, 200.0);
        play.wait(0.2);
        let chases = |_, _, velocity: Vec2| velocity.length() > 150.0;
        assert_eq!(play.has_mover(chases), is_seen, "{obstacle}");
    }
}

#[test]
fn guards_see_nothing_behind_them_and_catch_whom_they_reach() {
    type Thief = With<line_of_sight::Player>;
    let mut play = Play::start(line_of_sight::game);
    let start = play.position::<Thief>();
    play.put::<Thief>(-270.0, -100.0);
    play.wait(0.5);
    let chases = |_, _, velocity: Vec2| velocity.length() > 150.0;
    assert!(!play.has_mover(chases));
    play.put::<Thief>(-270.0, 220.0);
    play.wait(1.5);
    assert_eq!(play.position::<Thief>(), start);
}

impl Play {
    /// Holds a mouse button over a cell of the map for an update.
    fn click(&mut self, button: MouseButton, cell: UVec2) {
        let center = self.map().cell_center(cell);
        self.app.insert_resource(tile_map::Cursor(center));
        self.buttons().press(button);
        self.update();
        self.buttons().release_all();
        self.update();
    }

    fn map(&mut self) -> TileCollider {
        let world = self.app.world_mut();
        world
            .query::<&TileCollider>()
            .single(world)
            .unwrap()
            .clone()
    }
}

#[test]
fn a_cell_that_is_dug_away_bears_nobody() {
    let mut play = Play::start(tile_map::game);
    play.wait(1.0);
    let before = play.position::<Walker>();
    play.click(MouseButton::Left, UVec2::new(4, 5));
    assert!(!play.map().is_solid(UVec2::new(4, 5)));
    play.wait(1.0);
    let fall = before - play.position::<Walker>();
    assert!((fall.y - 64.0).abs() < 0.1, "{fall}");
}

#[test]
fn a_cell_that_is_placed_blocks_and_is_placed_on_nobody() {
    let mut play = Play::start(tile_map::game);
    play.wait(1.0);
    play.click(MouseButton::Right, UVec2::new(4, 4));
    assert!(
        !play.map().is_solid(UVec2::new(4, 4)),
        "the player is there"
    );
    play.click(MouseButton::Right, UVec2::new(5, 4));
    assert!(play.map().is_solid(UVec2::new(5, 4)));
    play.hold(&[KeyD], 0.5);
    let x = play.position::<Walker>().x;
    assert!((-342.0..-339.0).contains(&x), "{x}");
}

#[test]
fn heroes_dash_and_teleport_in_steps_and_one_is_drawn_in_between() {
    type Plain = (With<smooth::Hero>, Without<TransformInterpolation>);
    type Smooth = (With<smooth::Hero>, With<TransformInterpolation>);
    let mut play = Play::start(smooth::game);
    play.wait(0.2);
    let (mut plain, mut smooth) = (vec![], vec![]);
    play.keys().press(KeyD);
    for _ in 0..60 {
        play.update();
        plain.push(play.position::<Plain>().x);
        smooth.push(play.position::<Smooth>().x);
    }
    plain.dedup();
    smooth.dedup();
    assert!((15..=17).contains(&plain.len()), "{plain:?}");
    assert!(smooth.len() > 55, "{smooth:?}");
    play.keys().release_all();
    play.wait(0.2);
    let before = play.position::<Smooth>().x;
    assert!((before - play.position::<Plain>().x).abs() < 1e-3);
    play.hold(&[Space], 0.2);
    assert!((play.position::<Smooth>().x - before - 150.0).abs() < 1e-3);
    play.hold(&[KeyT], 0.2);
    for x in [play.position::<Smooth>().x, play.position::<Plain>().x] {
        assert!((x + before + 150.0).abs() < 1e-3, "{x}");
    }
}
