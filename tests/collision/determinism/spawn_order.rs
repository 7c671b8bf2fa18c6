//! Results do not depend on the order in which entities were spawned.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};
use fastrand::Rng;

use crate::common::*;

/// Something to spawn; on a grid, so that much happens at the same time, or anywhere.
#[derive(Clone, Copy)]
struct Plan {
    position: Vec2,
    angle: f32,
    size: Vec2,
    is_circle: bool,
    is_solid: bool,
    mover: Option<(Vec2, MoverResponse)>,
    weight: f32,
}

impl Plan {
    fn random(rng: &mut Rng, on_grid: bool, is_mover: bool) -> Self {
        let mut within = |limit: f32| {
            let number = limit * (2.0 * rng.f32() - 1.0);
            if on_grid {
                (number / 2.0).round() * 2.0
            } else {
                number
            }
        };
        let position = Vec2::new(within(30.0), within(30.0));
        let velocity = Vec2::new(within(200.0), within(200.0));
        let response = [
            MoverResponse::Slide,
            MoverResponse::Stop,
            MoverResponse::Bounce,
        ][rng.usize(..3)];
        Self {
            position,
            angle: if on_grid { 0.0 } else { rng.f32() * TAU },
            size: if on_grid {
                Vec2::splat(2.0)
            } else {
                Vec2::new(1.0 + rng.f32(), 1.0 + rng.f32())
            },
            is_circle: rng.bool(),
            is_solid: !is_mover || rng.bool(),
            mover: is_mover.then_some((velocity, response)),
            weight: [1.0, 2.0, 5.0][rng.usize(..3)],
        }
    }

    fn spawn(&self, app: &mut App) -> Entity {
        let entity = spawn(app, rotated(self.position, self.angle));
        insert_collider(app, entity, self.is_circle, self.size);
        let mut entity_mut = app.world_mut().entity_mut(entity);
        if self.is_solid {
            entity_mut.insert(Solid);
        }
        if let Some((velocity, response)) = self.mover {
            entity_mut.insert(Mover {
                response,
                weight: self.weight,
                ..Mover::with_velocity(velocity)
            });
        }
        entity
    }
}

/// The positions after 100 frames, spawned in this order.
fn positions(plans: &[Plan], order: &[usize]) -> Vec<Vec2> {
    let mut app = test_app();
    let mut entities = vec![Entity::PLACEHOLDER; plans.len()];
    for &i in order {
        entities[i] = plans[i].spawn(&mut app);
    }
    for _ in 0..100 {
        for (plan, &entity) in plans.iter().zip(&entities) {
            if let Some((velocity, MoverResponse::Slide)) = plan.mover {
                set_velocity(&mut app, entity, velocity);
            }
        }
        app.update();
    }
    entities
        .iter()
        .map(|&entity| global_position(&app, entity))
        .collect()
}

fn assert_order_does_not_matter(scenes: u64, on_grid: bool, solid_movers: bool) {
    let mut failed = Vec::new();
    for seed in 0..scenes {
        let mut rng = Rng::with_seed(seed);
        let mut plans: Vec<Plan> = (0..240)
            .map(|i| Plan::random(&mut rng, on_grid, i % 4 == 0))
            .collect();
        for plan in &mut plans {
            plan.is_solid &= solid_movers || plan.mover.is_none();
        }
        let mut order: Vec<usize> = (0..plans.len()).collect();
        let expected = positions(&plans, &order);
        for _ in 0..3 {
            rng.shuffle(&mut order);
            let now = positions(&plans, &order);
            let differs = |i: &usize| {
                expected[*i].to_array().map(f32::to_bits) != now[*i].to_array().map(f32::to_bits)
            };
            if let Some(i) = (0..plans.len()).find(differs) {
                failed.push(format!("seed {seed}, {i}: {} {}", expected[i], now[i]));
            }
        }
    }
    println!("{} of {} differ: {failed:?}", failed.len(), 3 * scenes);
    assert!(failed.is_empty(), "{}: {}", failed.len(), failed[0]);
}

#[test]
fn the_order_of_spawning_does_not_change_any_path() {
    assert_order_does_not_matter(4, false, false);
}

#[test]
fn the_order_of_spawning_does_not_change_any_path_on_a_grid() {
    assert_order_does_not_matter(4, true, false);
}

#[test]
fn the_order_of_spawning_does_not_change_how_movers_separate() {
    assert_order_does_not_matter(4, false, true);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn the_order_of_spawning_does_not_change_any_path_in_twenty_scenes() {
    for [on_grid, solid_movers] in [[false, false], [true, false], [false, true]] {
        assert_order_does_not_matter(20, on_grid, solid_movers);
    }
}

#[test]
fn of_several_at_distance_zero_the_least_entity_is_found() {
    let kinds = [Kind::Circle, Kind::Rect, Kind::Capsule, Kind::Box];
    for first_kind in kinds {
        for second_kind in kinds {
            let mut app = test_app();
            let mut entities = [(); 2].map(|()| spawn(&mut app, Transform::default()));
            entities.sort();
            let [first, second] = entities;
            first_kind.insert(&mut app, first, Vec2::splat(2.0));
            second_kind.insert(&mut app, second, Vec2::splat(2.0));
            app.update();
            let check = move |query: SpatialQuery| {
                let all = SpatialQueryFilter::default();
                for side in [Dir2::X, Dir2::NEG_X, Dir2::Y, Dir2::NEG_Y] {
                    let context = format!("{first_kind:?} {second_kind:?} {side:?}");
                    let (nearest, _) = query.project_point(*side, 1.0, &all).unwrap();
                    assert_eq!(nearest, first, "{context}");
                    let hits = query.ray_hits(Ray2d::new(*side, -side), 1.0, &all);
                    let hits = hits.map(|(entity, _)| entity);
                    assert!(hits.eq([first, second]), "{context}");
                    let disk = Shape::circle(2.0 * *side, 1.0);
                    let hits = query.shape_hits(&disk, -*side, &all);
                    let hits = hits.map(|(entity, _)| entity);
                    assert!(hits.eq([first, second]), "{context}");
                }
            };
            run_system(&mut app, check);
        }
    }
}
