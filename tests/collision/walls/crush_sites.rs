//! Among the same walls a mover stays crushed without another search; it is free in the update in
//! which one of them makes room.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

/// In world units per second.
const VELOCITY: Vec2 = Vec2::new(20.0, 10.0);

/// What a wall is like.
#[derive(Clone, Copy)]
struct Wall {
    position: Vec2,
    size: f32,
    kind: u8,
    is_disabled: bool,
    layer: u32,
}

fn spawn_wall(app: &mut App, wall: &Wall) -> Entity {
    let entity = spawn(
        app,
        (
            Solid,
            Transform::from_translation(wall.position.extend(0.0)),
        ),
    );
    set_wall(app, entity, wall);
    entity
}

/// Gives the components of a wall to its entity.
fn set_wall(app: &mut App, entity: Entity, wall: &Wall) {
    let half = wall.size / 2.0;
    let mut entity = app.world_mut().entity_mut(entity);
    entity.remove::<(
        RectCollider,
        CapsuleCollider,
        PolygonCollider,
        ColliderDisabled,
    )>();
    match wall.kind {
        0 => entity.insert(RectCollider::new(wall.size, wall.size)),
        1 => entity.insert(CapsuleCollider::new(half, wall.size)),
        _ => {
            let triangle = [
                Vec2::new(-half, -half),
                Vec2::new(half, -half),
                Vec2::new(0.0, half),
            ];
            entity.insert(PolygonCollider::new(triangle).unwrap())
        }
    };
    if wall.is_disabled {
        entity.insert(ColliderDisabled);
    }
    entity.insert(CollisionLayers::new(
        LayerMask(1 << wall.layer),
        LayerMask::ALL,
    ));
    entity.get_mut::<Transform>().unwrap().translation = wall.position.extend(0.0);
}

fn spawn_mover(app: &mut App, radius: f32, position: Vec2) -> Entity {
    let mover = Mover {
        velocity: VELOCITY,
        blocked_by: LayerMask(1),
        ..default()
    };
    let transform = Transform::from_translation(position.extend(0.0));
    spawn(app, (CircleCollider::new(radius), mover, transform))
}

fn outcome(app: &App, mover: Entity) -> (bool, Vec2) {
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    let position = app.world().get::<Transform>(mover).unwrap().translation;
    (hits.is_crushed(), position.truncate())
}

#[test]
fn a_crushed_mover_gets_out_as_one_that_starts_there_does() {
    let mut crushed_again = 0;
    let mut freed = 0;
    for seed in 0..cases(20, 40) {
        let mut rng = Rng::with_seed(seed);
        let mut app = test_app();
        let mut walls: Vec<Wall> = (0..49)
            .map(|cell| Wall {
                position: Vec2::new((cell % 7) as f32 - 3.0, (cell / 7) as f32 - 3.0) * 4.0,
                size: 4.0 + 2.0 * rng.f32(),
                kind: rng.u8(0..3),
                is_disabled: false,
                layer: 0,
            })
            .collect();
        let entities: Vec<Entity> = walls
            .iter()
            .map(|wall| spawn_wall(&mut app, wall))
            .collect();
        let mut radius = 1.0 + rng.f32();
        let mover = spawn_mover(&mut app, radius, Vec2::ZERO);
        let mut was_crushed = false;
        for _ in 0..20 {
            if rng.u8(0..3) > 0 {
                // Near the mover.
                let number = rng.usize(2..5) * 7 + rng.usize(2..5);
                let wall = &mut walls[number];
                match rng.u8(0..6) {
                    0 => wall.is_disabled = !wall.is_disabled,
                    1 => wall.layer = 1 - wall.layer,
                    2 => wall.position += Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * 8.0,
                    3 => wall.kind = rng.u8(0..3),
                    4 => wall.size *= 0.5 + rng.f32(),
                    _ => radius = 0.5 + rng.f32(),
                }
                set_wall(&mut app, entities[number], &walls[number]);
                let collider = CircleCollider::new(radius);
                app.world_mut().entity_mut(mover).insert(collider);
            }
            let start = outcome(&app, mover).1;
            let hits = app.world().get::<MoverHits>(mover).unwrap().clone();
            set_velocity(&mut app, mover, VELOCITY);
            app.update();

            let mut twin = test_app();
            for wall in &walls {
                spawn_wall(&mut twin, wall);
            }
            let fresh = spawn_mover(&mut twin, radius, start);
            assert_eq!(fresh, mover, "what crushed it has the same ids");
            twin.world_mut().entity_mut(fresh).insert(hits);
            twin.update();
            let (is_crushed, end) = outcome(&app, mover);
            let (is_fresh_crushed, fresh_end) = outcome(&twin, fresh);
            assert_eq!(is_crushed, is_fresh_crushed, "seed {seed}");
            assert!(
                end.distance(fresh_end) < 1e-3,
                "seed {seed}: {end} and {fresh_end}"
            );
            crushed_again += usize::from(is_crushed && was_crushed);
            freed += usize::from(!is_crushed && was_crushed);
            was_crushed = is_crushed;
        }
    }
    assert!(
        crushed_again > 20 && freed > 2,
        "{crushed_again} and {freed}"
    );
}
