//! How do I move a platform back and forth along a path?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A platform: it carries walkers, and pushes the movers in its path.
#[derive(Component)]
#[require(Solid, Swept)]
struct Path {
    points: Vec<Vec2>,
    /// The index of the point ahead.
    next: usize,
    speed: f32,
}

fn follow_path(time: Res<Time>, mut platforms: Query<(&mut Transform, &mut Path)>) {
    for (mut transform, mut path) in &mut platforms {
        let next = path.points[path.next];
        let position = transform.translation.truncate();
        let position = position.move_towards(next, path.speed * time.delta_secs());
        transform.translation = position.extend(transform.translation.z);
        if position == next {
            path.next += 1;
        }
        // Back from the last point.
        if path.next == path.points.len() {
            path.points.reverse();
            path.next = 0;
        }
    }
}

// ---- What tests it ----

use crate::app::*;

fn spawn(app: &mut App, speed: f32, points: &[[f32; 2]]) -> Entity {
    let path = Path {
        points: points.iter().copied().map(Vec2::from).collect(),
        next: 0,
        speed,
    };
    let platform = (path, RectCollider::new(40.0, 8.0), at(0.0, 0.0));
    app.world_mut().spawn(platform).id()
}

#[test]
fn a_platform_goes_back_and_forth_and_carries_a_walker() {
    let mut app = app(|app| {
        app.add_systems(Update, follow_path);
    });
    let platform = spawn(&mut app, 60.0, &[[0.0, 0.0], [60.0, 0.0], [60.0, 40.0]]);
    let mover = Mover::with_velocity(Vec2::NEG_Y);
    let hero = (CircleCollider::new(5.0), mover, Walker::default());
    let hero = app.world_mut().spawn((hero, at(0.0, 9.02))).id();
    // The path is 100 units long.
    let seconds = 100.0 / 60.0;
    for expected in [[60.0, 40.0], [0.0, 0.0], [60.0, 40.0]].map(Vec2::from) {
        run(&mut app, seconds);
        let platform = position(&app, platform);
        assert!(platform.distance(expected) < 5.0, "{platform}");
        let above = position(&app, hero) - platform;
        assert!(above.distance(Vec2::Y * 9.02) < 0.1, "{above}");
    }
}

#[test]
fn a_fast_platform_pushes_a_mover_in_its_way() {
    let mut app = app(|app| {
        app.add_systems(Update, follow_path);
    });
    let hero = (CircleCollider::new(5.0), Mover::default(), at(50.0, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    spawn(&mut app, 6000.0, &[[0.0, 0.0], [200.0, 0.0]]);
    run(&mut app, 0.1);
    let moved = position(&app, hero).distance(Vec2::X * 225.0);
    assert!(moved < 0.1, "{moved}");
}
