//! Custom colliders with negative or non-finite sizes do not affect others.

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};
use fastrand::Rng;

use crate::common::*;

/// A custom collider with any shape, of any size.
#[derive(Component, Clone)]
struct Blast(Shape);

impl Collider for Blast {
    fn shape(&self) -> Shape {
        self.0.clone()
    }
}

fn literal_shape(kind: u8, size: f32, other_size: f32) -> Shape {
    let (center, rotation) = (Vec2::ZERO, Rot2::radians(0.3));
    match kind % 3 {
        0 => Shape::Circle {
            center,
            radius: size,
        },
        1 => Shape::Rect {
            center,
            half_size: Vec2::new(size, other_size),
            rotation,
        },
        _ => Shape::Capsule {
            center,
            half_length: other_size,
            rotation,
            radius: size,
        },
    }
}

#[test]
fn a_collider_that_shrinks_below_zero_counts_as_a_point_and_disturbs_nobody() {
    for kind in 0..3 {
        let mut app = test_app();
        app.add_collider::<Blast>();
        let resting = [ball(50.0, 0.0), ball(51.0, 0.0)].map(|ball| spawn(&mut app, ball));
        let blasts =
            [0.0; 20].map(|x| spawn(&mut app, (Blast(literal_shape(kind, 3.0, 3.0)), at(x, 0.0))));
        let target = spawn(&mut app, ball(0.0, 0.0));
        step(&mut app);
        for shrunk in 1..200i16 {
            let size = 3.0 - f32::from(shrunk) * 0.2;
            for (blast, delay) in blasts.into_iter().zip(0i16..) {
                let size = if shrunk > delay { size } else { 3.0 };
                let mut entity = app.world_mut().entity_mut(blast);
                entity.get_mut::<Blast>().unwrap().0 = literal_shape(kind, size, size);
                // Many move far, so that the broad phase is sorted again and again.
                let x = if shrunk % 3 == 0 {
                    500.0 * f32::from(delay)
                } else {
                    0.0
                };
                entity.get_mut::<Transform>().unwrap().translation.x = x;
            }
            for event in brief_step(&mut app) {
                let (Brief::Started(a, b) | Brief::Ended(a, b, _)) = event;
                assert!(!resting.contains(&a) && !resting.contains(&b), "{event:?}");
            }
        }
        assert!(contact_of(&mut app, resting[0], resting[1]).is_some());
        // A point in the center of the target.
        app.world_mut()
            .get_mut::<Transform>(blasts[0])
            .unwrap()
            .translation
            .x = 0.0;
        step(&mut app);
        assert!(contact_of(&mut app, blasts[0], target).is_some());
    }
}

#[test]
fn shapes_of_any_bits_disturb_nobody() {
    let mut rng = Rng::with_seed(7);
    let mut app = test_app();
    app.add_collider::<Blast>();
    let resting = [ball(50.0, 0.0), ball(51.0, 0.0)].map(|ball| spawn(&mut app, ball));
    let blasts = [0; 30].map(|_| {
        spawn(
            &mut app,
            (Blast(literal_shape(0, 1.0, 1.0)), at(0.0, 900.0)),
        )
    });
    for _ in 0..300 {
        for blast in blasts {
            let mut any = || match rng.u8(..4) {
                0 => f32::from_bits(rng.u32(..)),
                _ => 20.0 * rng.f32() - 10.0,
            };
            let (size, other_size, x) = (any(), any(), any());
            let mut entity = app.world_mut().entity_mut(blast);
            entity.get_mut::<Blast>().unwrap().0 = literal_shape(rng.u8(..), size, other_size);
            entity.get_mut::<Transform>().unwrap().translation.x = x;
        }
        step(&mut app);
        assert!(contact_of(&mut app, resting[0], resting[1]).is_some());
    }
}

#[test]
fn a_shape_as_large_as_numbers_may_be_cast() {
    let mut app = test_app();
    let ball = spawn(&mut app, ball(0.0, 0.0));
    app.update();
    let hits = run_system(&mut app, |query: SpatialQuery| {
        let shape = Shape::circle(Vec2::ZERO, f32::MAX);
        query.cast_shape(&shape, Vec2::ZERO, &SpatialQueryFilter::default())
    });
    assert!(hits.iter().all(|(entity, _)| *entity == ball), "{hits:?}");
}
