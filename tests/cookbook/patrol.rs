//! How does a foe turn around at ledges and walls?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The direction in which it walks: 1 to the right, -1 to the left.
#[derive(Component)]
struct Patrol(f32);

fn patrol(
    time: Res<Time>,
    mut foes: Query<(Entity, &Transform, &mut Patrol, &mut Mover, &Ground)>,
    query: SpatialQuery,
) {
    for (foe, transform, mut patrol, mut mover, ground) in &mut foes {
        let ahead = Vec2::X * patrol.0;
        let wall_normal = ground.wall().map_or(Vec2::ZERO, |wall| wall.normal);
        let is_at_wall = wall_normal.dot(ahead) < 0.0;
        // The foe is 10 units wide and high: from just ahead of it down to below its feet.
        let ray = Ray2d::new(transform.translation.truncate() + 6.0 * ahead, Dir2::NEG_Y);
        let floors = SpatialQueryFilter::default().exclude(foe).only_solid();
        let is_at_ledge = query.cast_ray(ray, 10.0, &floors).is_none();
        if ground.is_on_floor() && (is_at_wall || is_at_ledge) {
            patrol.0 = -patrol.0;
        }
        mover.velocity.x = 40.0 * patrol.0;
        mover.velocity.y -= 900.0 * time.delta_secs();
    }
}

// ---- What tests it ----

use crate::app::*;

/// Where the foe turns, on a floor from -50 to 50.
fn turning_points(app: &mut App) -> [f32; 2] {
    let floor = (RectCollider::new(100.0, 20.0), Solid, at(0.0, -10.0));
    app.world_mut().spawn(floor);
    let foe = (RectCollider::new(10.0, 10.0), Walker::default());
    let foe = (Patrol(1.0), foe, at(0.0, 5.02));
    let foe = app.world_mut().spawn(foe).id();
    let mut ends = [0.0f32; 2];
    for _ in 0..12 * 64 {
        app.update();
        let position = position(app, foe);
        assert!((position.y - 5.02).abs() < 0.01, "{position}");
        ends = [ends[0].min(position.x), ends[1].max(position.x)];
    }
    ends
}

#[test]
fn a_foe_turns_at_ledges() {
    let mut app = app(|app| {
        app.add_systems(Update, patrol);
    });
    let [left, right] = turning_points(&mut app);
    assert!((-46.0..-43.0).contains(&left), "{left}");
    assert!((43.0..46.0).contains(&right), "{right}");
}

#[test]
fn a_foe_turns_at_walls() {
    let mut app = app(|app| {
        app.add_systems(Update, patrol);
    });
    let wall = (RectCollider::new(10.0, 40.0), Solid, at(35.0, 20.0));
    app.world_mut().spawn(wall);
    let [left, right] = turning_points(&mut app);
    assert!((-46.0..-43.0).contains(&left), "{left}");
    assert!((24.9..25.0).contains(&right), "{right}");
}
