//! Balls among flippers and walls stay on a closed table, whatever the flippers do.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

const HALF_SIZE: Vec2 = Vec2::new(100.0, 150.0);
const RADIUS: f32 = 6.0;

struct Table {
    app: App,
    flippers: Vec<(Entity, f32)>,
    balls: Vec<Entity>,
}

/// A closed table with slopes at its bottom, a pair of flippers at the ends of these, and one more
/// in the middle, 4 thick.
fn table(rng: &mut Rng, hertz: f32) -> Table {
    let mut app = test_app();
    let step = Duration::from_secs_f32(1.0 / hertz);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    let Vec2 { x, y } = HALF_SIZE;
    let inside = [(-x, -y), (x, -y), (x, y), (-x, y)];
    let outside = inside.map(|point| Vec2::from(point) * 1.5);
    let outlines = [inside.map(Vec2::from), outside];
    let border = PolygonCollider::from_outlines(outlines).unwrap();
    spawn(&mut app, (Solid, border));
    let mut flippers = Vec::new();
    for side in [-1.0, 1.0] {
        let slope = [(side * x, -60.0), (side * 60.0, -90.0), (side * x, -y)].map(Vec2::from);
        spawn(&mut app, (Solid, PolygonCollider::new(slope).unwrap()));
        flippers.push(spawn_flipper(&mut app, Vec2::new(side * 60.0, -90.0), side));
    }
    flippers.push(spawn_flipper(&mut app, Vec2::new(0.0, 40.0), 1.0));
    let balls = (0..3).map(|number| {
        let mover = Mover {
            response: MoverResponse::Bounce,
            restitution: rng.f32(),
            ..default()
        };
        let position = Vec2::new(30.0 * number as f32 - 30.0, 100.0);
        spawn(
            &mut app,
            (
                CircleCollider::new(RADIUS),
                mover,
                at(position.x, position.y),
            ),
        )
    });
    let balls = balls.collect();
    Table {
        app,
        flippers,
        balls,
    }
}

fn spawn_flipper(app: &mut App, pivot: Vec2, side: f32) -> (Entity, f32) {
    let blade = [
        (0.0, -4.0),
        (-side * 45.0, -2.0),
        (-side * 45.0, 2.0),
        (0.0, 4.0),
    ];
    let blade = PolygonCollider::new(blade.map(Vec2::from)).unwrap();
    (
        spawn(app, (Solid, Swept, blade, at(pivot.x, pivot.y))),
        side,
    )
}

impl Table {
    /// Raises or lowers each flipper with a chance of one in ten, at once or in many steps.
    fn flip(&mut self, rng: &mut Rng, raised: &mut [(bool, f32)], seconds: f32) {
        for (&(flipper, side), (is_raised, speed)) in self.flippers.iter().zip(raised) {
            if rng.f32() < seconds * 6.0 {
                (*is_raised, *speed) = (!*is_raised, 10.0 * 2.0_f32.powf(4.0 * rng.f32()));
            }
            let target = Quat::from_rotation_z(side * if *is_raised { -0.5 } else { 0.5 });
            let mut transform = self.app.world_mut().get_mut::<Transform>(flipper).unwrap();
            let rotation = transform.rotation;
            transform.rotation = rotation.rotate_towards(target, *speed * seconds);
        }
    }
}

#[test]
fn no_ball_leaves_a_closed_table() {
    let hertz = [30.0, 60.0, 75.0, 120.0, 144.0, 240.0];
    let updates = cases(2_000, 170_000);
    for (seed, hertz) in (0..).zip(hertz) {
        let mut rng = Rng::with_seed(seed);
        let mut table = table(&mut rng, hertz);
        let mut raised = [(false, 10.0); 3];
        let (mut fastest, mut crushed) = (0.0_f32, 0);
        for update in 0..updates {
            table.flip(&mut rng, &mut raised, 1.0 / hertz);
            for &ball in &table.balls {
                let gravity = Vec2::NEG_Y * 300.0 / hertz;
                let velocity = velocity_of(&table.app, ball) + gravity;
                set_velocity(&mut table.app, ball, velocity.clamp_length_max(3_000.0));
            }
            table.app.update();
            for &ball in &table.balls {
                let position = local_position(&table.app, ball);
                let is_inside = position.abs().cmple(HALF_SIZE - RADIUS + 0.01).all();
                assert!(is_inside, "{hertz} Hz, update {update}: {position}");
                crushed += u32::from(is_crushed(&table.app, ball));
                fastest = fastest.max(velocity_of(&table.app, ball).length());
            }
        }
        assert!(fastest > 600.0, "{fastest}");
        eprintln!("{hertz} Hz: {fastest}, crushed in {crushed} of {updates}");
    }
}
