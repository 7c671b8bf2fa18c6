//! How does a guard see who is in its view cone, and not behind a wall?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// It looks along its own x axis.
#[derive(Component)]
struct Guard {
    range: f32,
    /// Between the axis and the edge of the cone, in radians.
    half_angle: f32,
    sees_hero: bool,
}

#[derive(Component)]
struct Hero;

fn look(
    mut guards: Query<(Entity, &Transform, &mut Guard), Without<Hero>>,
    hero: Single<(Entity, &Transform), With<Hero>>,
    query: SpatialQuery,
) {
    let (hero, hero_transform) = *hero;
    for (entity, transform, mut guard) in &mut guards {
        let eye = transform.translation.truncate();
        let to_hero = hero_transform.translation.truncate() - eye;
        let axis = transform.local_x().truncate();
        let is_in_cone =
            to_hero.length() < guard.range && axis.angle_to(to_hero).abs() < guard.half_angle;
        // The first thing on the line to the hero is the hero, if no wall hides it.
        let filter = SpatialQueryFilter::default().exclude_body(entity);
        guard.sees_hero = is_in_cone
            && Dir2::new(to_hero).is_ok_and(|direction| {
                let first = query.cast_ray(Ray2d::new(eye, direction), guard.range, &filter);
                first.is_some_and(|(first, _)| first == hero)
            });
    }
}

// ---- What tests it ----

use crate::app::*;

/// Whether a guard at the origin, which looks at this angle, sees the hero.
fn sees(angle: f32, hero: [f32; 2], wall: Option<[f32; 2]>) -> bool {
    let mut app = app(|app| {
        app.add_systems(Update, look);
    });
    let guard = Guard {
        range: 100.0,
        half_angle: 0.5,
        sees_hero: false,
    };
    let place = Transform::from_rotation(Quat::from_rotation_z(angle));
    let guard = (guard, CircleCollider::new(5.0), Mover::default(), place);
    let guard = app.world_mut().spawn(guard).id();
    let hero = (Hero, CircleCollider::new(5.0), at(hero[0], hero[1]));
    app.world_mut().spawn(hero);
    if let Some(wall) = wall {
        let wall = (RectCollider::new(4.0, 40.0), Solid, at(wall[0], wall[1]));
        app.world_mut().spawn(wall);
    }
    run(&mut app, 0.125);
    app.world().get::<Guard>(guard).unwrap().sees_hero
}

#[test]
fn a_guard_sees_who_is_in_its_cone_and_in_range() {
    assert!(sees(0.0, [90.0, 0.0], None));
    assert!(sees(0.0, [60.0, 20.0], None));
    assert!(!sees(0.0, [110.0, 0.0], None));
    assert!(!sees(0.0, [20.0, 60.0], None));
    assert!(!sees(0.0, [-60.0, 0.0], None));
    assert!(sees(2.0, [-25.0, 54.0], None));
    assert!(sees(3.0, [-60.0, -8.0], None), "across the back");
}

#[test]
fn walls_hide_the_hero_only_in_front_of_it() {
    assert!(!sees(0.0, [80.0, 0.0], Some([40.0, 0.0])));
    assert!(sees(0.0, [40.0, 0.0], Some([80.0, 0.0])));
    assert!(sees(0.0, [80.0, 0.0], Some([40.0, 60.0])));
}
