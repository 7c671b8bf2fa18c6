//! Boxes that come, go, and become NaN, against a test of every pair.

use bevy::math::Vec2;
use fastrand::Rng;

use super::super::neighbors::Neighbors;
use crate::{
    aabb::{Aabb2d, intersects},
    broad_phase::NumberedBox,
};

fn random_box(rng: &mut Rng) -> Aabb2d {
    let center = Vec2::new(rng.f32(), rng.f32()) * 40.0;
    let mut aabb = Aabb2d {
        min: center - rng.f32(),
        max: center + rng.f32(),
    };
    match rng.u8(..30) {
        0 => aabb.min.x = f32::NAN,
        1 => aabb.max = Vec2::NAN,
        2 => aabb.max.y = f32::INFINITY,
        3 => {
            aabb = Aabb2d {
                min: Vec2::INFINITY,
                max: Vec2::INFINITY,
            }
        }
        _ => (),
    }
    aabb
}

#[test]
fn boxes_of_nan_have_no_neighbors_and_leave_no_trace() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..20 {
        let mut neighbors = Neighbors::default();
        let count = rng.u32(..200);
        for _ in 0..20 {
            let mut boxes = vec![];
            for number in (0..count).map(|number| 3 * number) {
                if rng.u8(..50) > 0 {
                    let aabb = random_box(&mut rng);
                    boxes.push(NumberedBox { number, aabb });
                }
            }
            // As they are, and once more with the same numbers.
            for _ in 0..2 {
                neighbors.find(&boxes);
                let mut found: Vec<(u32, u32)> = (neighbors.found().iter())
                    .map(|&(i, j)| (i.min(j), i.max(j)))
                    .collect();
                found.sort_unstable();
                // What is wholly at infinity is nowhere.
                let is_somewhere = |known: &&NumberedBox| known.aabb.min.is_finite();
                let somewhere: Vec<_> = boxes.iter().filter(is_somewhere).collect();
                let expected = somewhere.iter().enumerate().flat_map(|(i, p)| {
                    (somewhere[i + 1..].iter())
                        .filter(move |q| intersects(&p.aabb, &q.aabb))
                        .map(move |q| (p.number, q.number))
                });
                assert_eq!(found, expected.collect::<Vec<_>>());
            }
        }
    }
}
