//! Worlds in which little moves among many pairs.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

/// Balls that overlap their neighbors, below two zones around all of them.
struct Field {
    app: App,
    balls: Vec<Entity>,
    rng: Rng,
}

impl Field {
    fn new(seed: u64) -> Self {
        let mut app = test_app();
        for _ in 0..2 {
            spawn(&mut app, RectCollider::new(500.0, 500.0));
        }
        let cells = (0..1600u16).map(|number| [number % 40, number / 40].map(f32::from));
        let balls = cells.map(|[x, y]| spawn(&mut app, ball(1.8 * x - 50.0, 1.8 * y - 40.0)));
        Self {
            balls: balls.collect(),
            app,
            rng: Rng::with_seed(seed),
        }
    }

    /// Moves, despawns, disables, filters or keys a few of them.
    fn change_some(&mut self) {
        for _ in 0..self.rng.u8(..4) {
            let number = self.rng.usize(..self.balls.len());
            let ball = self.balls[number];
            let [x, y] = [(); 2].map(|()| 100.0 * self.rng.f32() - 50.0);
            let world = self.app.world_mut();
            match self.rng.u8(..8) {
                0 => {
                    world.despawn(ball);
                    self.balls[number] = world.spawn(crate::common::ball(x, y)).id();
                }
                1 => _ = world.entity_mut(ball).insert(ColliderDisabled),
                2 => _ = world.entity_mut(ball).remove::<ColliderDisabled>(),
                3 => _ = world.entity_mut(ball).insert(StableKey(self.rng.u64(..9))),
                4 => {
                    let layers = CollisionLayers::new(LayerMask::layer(1), LayerMask::layer(1));
                    world.entity_mut(ball).insert(layers);
                }
                5 => set_position(&mut self.app, ball, Vec2::new(x, y)),
                _ => {
                    let mut transform = world.get_mut::<Transform>(ball).unwrap();
                    transform.translation += Vec3::new(x, y, 0.0) * 0.05;
                }
            }
        }
    }

    /// The pairs with their depths, and whether a lookup finds each of them.
    fn pairs(&mut self) -> Vec<(Entity, Entity, f32)> {
        run_system(&mut self.app, |collisions: Collisions| {
            let pairs = collisions.iter();
            pairs
                .map(|pair| (pair.a, pair.b, pair.contact.depth))
                .collect::<Vec<_>>()
        })
    }
}

/// The same where every pair is tested in each update, because the settings change.
#[test]
fn pairs_and_events_are_those_of_testing_everything() {
    let count = |events: &[CollisionEvent]| events.len();
    let mut total = 0;
    for seed in 0..2 {
        let (mut calm, mut busy) = (Field::new(seed), Field::new(seed));
        for frame in 0..60 {
            busy.app.insert_resource(CollisionSettings {
                solid_pairs: frame % 2 == 0,
                ..default()
            });
            let events = step(&mut calm.app);
            assert_eq!(events, step(&mut busy.app), "seed {seed}, frame {frame}");
            if frame > 0 {
                total += count(&events);
            }
            // Lookups in between, and in most frames none.
            if frame % 7 == 3 {
                let pairs = calm.pairs();
                assert_eq!(pairs, busy.pairs(), "seed {seed}, frame {frame}");
                let found = run_system(&mut calm.app, move |collisions: Collisions| {
                    let is_found = |&(a, b, depth): &(Entity, Entity, f32)| {
                        let contact = collisions.get(a, b);
                        contact.is_some_and(|contact| contact.depth == depth)
                            && collisions.of(b).any(|(other, _)| other == a)
                    };
                    pairs.iter().step_by(31).all(is_found)
                });
                assert!(found, "seed {seed}, frame {frame}");
            }
            calm.change_some();
            busy.change_some();
        }
    }
    assert!(total > 200, "the fields are too calm: {total}");
}

/// The pairs of what moves alone are looked up, as they were after the updates in which much moved.
#[test]
fn pairs_that_started_when_much_moved_end_when_little_does() {
    const PAIRS: u16 = 600;
    let mut app = test_app();
    let mut partners = |aside: f32| -> Vec<Entity> {
        let mut spawn = |number: u16| spawn(&mut app, ball(10.0 * f32::from(number), aside));
        (0..PAIRS).map(&mut spawn).collect()
    };
    let (resting, moving) = (partners(0.0), partners(1.0));
    let move_some = |app: &mut App, count: usize, y: f32| {
        for (number, &ball) in (0..PAIRS).zip(&moving[..count]) {
            set_position(app, ball, Vec2::new(10.0 * f32::from(number), y));
        }
        brief_step(app)
    };
    let (half, all) = (usize::from(PAIRS / 2), usize::from(PAIRS));
    assert_eq!(brief_step(&mut app).len(), all);
    // While little moves, more and more pairs get known.
    for frame in 0..40u8 {
        let y = 1.0 + 0.01 * f32::from(frame);
        assert_eq!(move_some(&mut app, 1, y), []);
    }
    assert_eq!(move_some(&mut app, half, 9.0).len(), half);
    assert_eq!(move_some(&mut app, half, 1.0).len(), half);
    let end = ended(resting[0], moving[0], CollisionEndReason::Separated);
    assert_eq!(move_some(&mut app, 1, 9.0), [end]);
    assert_eq!(
        move_some(&mut app, 1, 1.0),
        [started(resting[0], moving[0])]
    );
    assert_eq!(pairs(&mut app).len(), all);
}
