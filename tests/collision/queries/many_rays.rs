//! Many rays between two updates, against brute force, while colliders change.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::{
    geometry::{self, CastHit},
    prelude::*,
};

use crate::common::{reference::reference_colliders, *};

/// The number of colliders: enough for several levels of the tree.
const COLLIDERS: usize = 400;
/// The side of the square over which they are spread.
const SIDE: f32 = 300.0;
/// The number of rays between two updates.
const RAYS: usize = 150;

fn anywhere(rng: &mut fastrand::Rng) -> Vec2 {
    Vec2::new(rng.f32(), rng.f32()) * SIDE
}

fn app_with_colliders(rng: &mut fastrand::Rng) -> (App, Vec<Entity>) {
    let mut app = test_app();
    let entities = (0..COLLIDERS)
        .map(|_| {
            let entity = spawn(&mut app, rotated(anywhere(rng), rng.f32() * TAU));
            let size = Vec2::new(rng.f32(), rng.f32()) * 9.0;
            Kind::any(rng).insert(&mut app, entity, size);
            entity
        })
        .collect();
    app.update();
    (app, entities)
}

fn some_rays(rng: &mut fastrand::Rng) -> Vec<(Ray2d, f32)> {
    let mut one = || {
        let direction = Rot2::radians(rng.f32() * TAU) * Dir2::X;
        let length = [20.0, 200.0, f32::INFINITY][rng.usize(0..3)];
        (Ray2d::new(anywhere(rng), direction), length)
    };
    (0..RAYS).map(|_| one()).collect()
}

/// The first hit of each ray, and the number of all hits.
fn results(app: &mut App, rays: &[(Ray2d, f32)]) -> Vec<(Option<(Entity, CastHit)>, usize)> {
    let rays = rays.to_vec();
    run_system(app, move |query: SpatialQuery| {
        let all = SpatialQueryFilter::default();
        let result = |&(ray, length): &(Ray2d, f32)| {
            let hits = query.ray_hits(ray, length, &all);
            (query.cast_ray(ray, length, &all), hits.len())
        };
        rays.iter().map(result).collect::<Vec<_>>()
    })
}

/// Asserts that rays hit the same as by brute force.
fn assert_results_are_right(app: &mut App, rng: &mut fastrand::Rng) {
    let rays = some_rays(rng);
    let colliders = run_system(app, reference_colliders);
    for ((ray, length), (first, count)) in rays.iter().zip(results(app, &rays)) {
        let length = length.min(2.0 * SIDE);
        let hits: Vec<f32> = (colliders.values())
            .filter_map(|collider| {
                geometry::cast_ray(&collider.shape, ray.origin, ray.direction * length)
            })
            .map(|hit| hit.fraction * length)
            .collect();
        let least = hits.iter().copied().reduce(f32::min);
        assert_eq!(count, hits.len(), "{ray:?} {length}");
        assert_eq!(first.is_some(), least.is_some());
        let off = first.map_or(0.0, |(_, hit)| hit.distance) - least.unwrap_or(0.0);
        assert!(off.abs() < 1e-3, "{ray:?} {length}: {first:?}, {least:?}");
    }
}

#[test]
fn many_rays_hit_what_few_rays_hit_while_colliders_change() {
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut app, mut entities) = app_with_colliders(&mut rng);
    for frame in 0..12 {
        assert_results_are_right(&mut app, &mut rng);
        match frame % 4 {
            0 => {
                for &entity in &entities[..20] {
                    set_position(&mut app, entity, anywhere(&mut rng));
                }
            }
            1 => _ = app.world_mut().despawn(entities.pop().unwrap()),
            2 => {
                for &entity in &entities {
                    set_position(&mut app, entity, anywhere(&mut rng));
                }
            }
            _ => entities.push(spawn(&mut app, ball(SIDE / 2.0, SIDE / 2.0))),
        }
        app.update();
    }
}
