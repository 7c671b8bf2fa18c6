//! How do rocks wrap around the screen, and collide across its edges?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Half the size of the screen, in world units.
const HALF_SIZE: Vec2 = Vec2::new(160.0, 120.0);

/// A rock whose collider ends this far from its center.
#[derive(Component)]
struct Wrapping(f32);

/// A child with the collider of its rock, one screen away: in x, in y, or in both.
#[derive(Component)]
struct Copy(Vec2);

fn rock(radius: f32, velocity: Vec2) -> impl Bundle {
    let mut mover = Mover::with_velocity(velocity);
    mover.response = MoverResponse::Pass;
    let collider = CircleCollider::new(radius);
    let copy = |x, y| (Copy(Vec2::new(x, y)), collider, ColliderDisabled);
    let copies = children![copy(1.0, 0.0), copy(0.0, 1.0), copy(1.0, 1.0)];
    (Wrapping(radius), collider, mover, copies)
}

/// Copies are colliders only while their rock is near an edge.
fn wrap(
    mut rocks: Query<(&Wrapping, &mut Transform, &Children)>,
    mut copies: Query<(&Copy, &mut Transform), Without<Wrapping>>,
    mut commands: Commands,
) {
    let size = 2.0 * HALF_SIZE;
    for (&Wrapping(radius), mut transform, children) in &mut rocks {
        let position = transform.translation.truncate();
        let position = position - size * (position / size).round();
        transform.translation = position.extend(transform.translation.z);
        let is_inside = (position.abs() + radius).cmplt(HALF_SIZE);
        // A rock may have turned, and its children with it.
        let to_rock = transform.rotation.inverse();
        for &child in children {
            if let Ok((&Copy(sides), mut copy)) = copies.get_mut(child) {
                let offset = -size * sides * position.signum();
                copy.translation = to_rock * offset.extend(0.0);
                if (is_inside & sides.cmpgt(Vec2::ZERO)).any() {
                    commands.entity(child).insert(ColliderDisabled);
                } else {
                    commands.entity(child).remove::<ColliderDisabled>();
                }
            }
        }
    }
}

// ---- What tests it ----

use bevy::platform::collections::HashMap;

use crate::app::*;

#[derive(Component)]
struct Ship;

#[derive(Resource, Default)]
struct Hit(Vec<(Entity, Entity)>);

fn report(mut hits: Hits<With<Ship>, With<Wrapping>>, mut hit: ResMut<Hit>) {
    hit.0.extend(hits.read().map(|hit| (hit.a, hit.b)));
}

/// The distance on a screen that wraps at its edges.
fn distance(a: Vec2, b: Vec2) -> f32 {
    let (size, offset) = (2.0 * HALF_SIZE, a - b);
    (offset - size * (offset / size).round()).length()
}

/// Ships of radius 5 near the edges, and rocks that fly and rotate.
#[test]
fn ships_are_hit_just_when_a_rock_or_its_copy_is_there() {
    let mut app = app(|app| {
        app.init_resource::<Hit>();
        app.add_systems(Update, wrap);
        app.add_systems(Last, report);
    });
    let places = [
        (-150.0, 0.0),
        (150.0, 60.0),
        (0.0, 110.0),
        (60.0, -110.0),
        (154.0, 114.0),
    ];
    let ships = places.map(|(x, y)| {
        let ship = (Ship, CircleCollider::new(5.0), at(x, y));
        (app.world_mut().spawn(ship).id(), Vec2::new(x, y))
    });
    let mut rng = fastrand::Rng::with_seed(7);
    let rocks: Vec<_> = (0..8)
        .map(|_| {
            let angle = rng.f32() * 7.0;
            let rock = rock(8.0 + 8.0 * rng.f32(), Vec2::from_angle(angle) * 90.0);
            let mut transform = at(rng.f32() * 300.0 - 150.0, rng.f32() * 200.0 - 100.0);
            transform.rotation = Quat::from_rotation_z(angle);
            app.world_mut().spawn((rock, transform)).id()
        })
        .collect();
    // The hits of a ship and a rock since they were apart.
    let mut meetings: HashMap<(Entity, Entity), usize> = HashMap::default();
    let mut across = 0;
    for _ in 0..64 * 60 {
        for &rock in &rocks {
            let mut entity = app.world_mut().entity_mut(rock);
            entity.get_mut::<Transform>().unwrap().rotate_z(0.02);
        }
        app.update();
        let hits = std::mem::take(&mut app.world_mut().resource_mut::<Hit>().0);
        hits.iter()
            .for_each(|&hit| *meetings.entry(hit).or_default() += 1);
        for (ship, there) in ships {
            for &rock in &rocks {
                let position = position(&app, rock);
                let radius = app.world().get::<Wrapping>(rock).unwrap().0;
                let gap = distance(position, there) - radius - 5.0;
                let meeting = meetings.entry((ship, rock)).or_default();
                // In between, the motion since the copies were placed decides.
                if gap < -2.0 {
                    across += usize::from(position.distance(there) > 100.0);
                    assert_eq!(*meeting, 1, "from {position} to {there}");
                } else if gap > 2.0 {
                    assert!(*meeting <= 1, "from {position} to {there}");
                    *meeting = 0;
                }
            }
        }
    }
    assert!(across > 100, "{across}");
}
