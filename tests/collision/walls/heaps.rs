//! Movers that start in heaps of walls take a short displacement out of them.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, contains_point, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

/// Whether the center of a mover that starts at the origin gets out of all walls and into one again
/// on the way along a displacement.
fn gets_through_a_wall(walls: &[Shape], displacement: Vec2) -> bool {
    let is_inside = |step: u16| {
        let point = displacement * (f32::from(step) / 400.0);
        walls.iter().any(|wall| contains_point(wall, point))
    };
    let mut outside = (0..=400).skip_while(|&step| is_inside(step));
    outside.any(is_inside)
}

/// Whether the center of a mover that starts at the origin passes through a wall that the mover is
/// not in at the start, or into which it is not deep and whose other surface it would come out of.
fn passes_a_wall(shape: &Shape, walls: &[Shape], displacement: Vec2) -> bool {
    let size_of = |shape: &Shape| (shape.aabb().max - shape.aabb().min).min_element();
    walls.iter().any(|wall| {
        let start = separation(shape, wall);
        let is_shallow = -start.distance < 0.5 * size_of(shape).min(size_of(wall));
        let is_against = displacement.dot(-start.normal) < -1e-3 * displacement.length();
        let mut path = (0..=400u16).map(|step| displacement * (f32::from(step) / 400.0));
        let is_outside = start.distance >= 0.0;
        (is_outside || is_shallow && is_against) && path.any(|point| contains_point(wall, point))
    })
}

/// The shortest separating displacement of a dense search: rings of positions around the start,
/// each tested against every wall. None leads the center through a wall.
fn densely_searched_displacement(shape: &Shape, walls: &[Shape], longest: f32) -> Option<f32> {
    let is_free = |offset: Vec2| {
        let moved = shape.translated(offset);
        walls
            .iter()
            .all(|wall| separation(&moved, wall).distance >= 0.0)
            && !gets_through_a_wall(walls, offset)
            && !passes_a_wall(shape, walls, offset)
    };
    (0..400)
        .map(|ring| longest * ring as f32 / 400.0)
        .find(|radius| {
            (0..720)
                .any(|step| is_free(Vec2::from_angle(step as f32 * 0.5f32.to_radians()) * *radius))
        })
}

/// A mover in a heap of walls. Returns the shape, the walls and the deepest of the walls.
fn heap(rng: &mut Rng) -> (Shape, Vec<Shape>) {
    let shape = if rng.bool() {
        Shape::circle(Vec2::ZERO, 1.0 + 4.0 * rng.f32())
    } else {
        let size = Vec2::new(2.0 + 6.0 * rng.f32(), 2.0 + 6.0 * rng.f32());
        Shape::rect(Vec2::ZERO, size, Rot2::radians(6.3 * rng.f32()))
    };
    let walls = (0..rng.usize(2..6)).map(|_| {
        let center = (Vec2::new(rng.f32(), rng.f32()) - 0.5) * 14.0;
        let size = Vec2::new(1.0 + 20.0 * rng.f32(), 1.0 + 8.0 * rng.f32());
        Shape::rect(center, size, Rot2::radians(6.3 * rng.f32()))
    });
    (shape, walls.collect())
}

/// An app with a mover among walls, after an update.
fn app_of_mover_in(shape: &Shape, walls: &[Shape]) -> (App, Entity) {
    let mut app = test_app();
    for wall in walls {
        spawn_shape(&mut app, wall, Solid);
    }
    let mover = spawn_shape(&mut app, shape, Mover::default());
    app.update();
    (app, mover)
}

fn assert_short_depenetration_from_heaps(cases: u32) {
    let mut rng = Rng::with_seed(7);
    let (mut escapes, mut several, mut crushed) = (0, 0, 0);
    for case in 0..cases {
        let (shape, walls) = heap(&mut rng);
        let mut depths: Vec<f32> = walls
            .iter()
            .map(|wall| -separation(&shape, wall).distance)
            .collect();
        depths.sort_by(|p, q| q.total_cmp(p));
        if depths[0] <= 0.01 {
            continue;
        }
        let (app, mover) = app_of_mover_in(&shape, &walls);
        let moved_distance = global_position(&app, mover).length();
        let size = shape.aabb().max - shape.aabb().min;
        let max_distance = 2.0 * depths[0] + size.max_element();
        let Some(shortest) = densely_searched_displacement(&shape, &walls, max_distance) else {
            crushed += 1;
            continue;
        };
        if is_crushed(&app, mover) {
            assert!(
                shortest > 0.9 * max_distance,
                "case {case}: it gets out within {shortest}"
            );
            crushed += 1;
            continue;
        }
        let longest = 1.5 * shortest + 2.0 * SKIN;
        assert!(
            moved_distance <= longest,
            "case {case}: {moved_distance} instead of {shortest}"
        );
        let moved = shape.translated(global_position(&app, mover));
        let depth = walls.iter().map(|wall| -separation(&moved, wall).distance);
        let depth = depth.fold(f32::NEG_INFINITY, f32::max);
        assert!(depth < 1e-4, "case {case}: still {depth} deep");
        escapes += 1;
        several += u32::from(depths[1] > 0.01);
    }
    println!("{escapes} escapes, {several} from several walls, {crushed} crushed");
    let are_enough = 8 * several > 3 * cases && 8 * escapes > 5 * cases;
    assert!(are_enough, "{several} of {escapes}");
}

#[test]
fn depenetration_from_a_heap_of_walls_is_less_than_half_as_long_again_as_the_shortest() {
    assert_short_depenetration_from_heaps(60);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn depenetration_from_any_heap_is_less_than_half_as_long_again_as_the_shortest() {
    assert_short_depenetration_from_heaps(400);
}

/// The shortest displacement out of all walls in one of 64 directions, by conservative advancement,
/// or `None` if all are longer than this or lead the center through a wall.
fn shortest_straight(shape: &Shape, walls: &[Shape], normal: Vec2, longest: f32) -> Option<f32> {
    let out_along = |direction: Vec2| {
        let mut length = 0.0;
        while length < longest {
            let moved = shape.translated(direction * length);
            let nearest = (walls.iter().map(|wall| separation(&moved, wall).distance))
                .fold(f32::INFINITY, f32::min);
            if nearest >= SKIN - 1e-3 {
                return Some(length);
            }
            length += SKIN - nearest;
        }
        None
    };
    (0..64u8)
        .filter_map(|number| {
            let turn = Vec2::from_angle(f32::from(number) * TAU / 64.0);
            let direction = turn.rotate(normal);
            out_along(direction).filter(|length| {
                let displacement = direction * *length;
                !gets_through_a_wall(walls, displacement)
                    && !passes_a_wall(shape, walls, displacement)
            })
        })
        .min_by(f32::total_cmp)
}

#[test]
fn depenetration_that_makes_a_detour_is_no_longer_than_the_shortest_straight_one() {
    let mut rng = Rng::with_seed(3);
    let mut decided = 0;
    for case in 0..20 {
        let (shape, walls) = heap(&mut rng);
        let to_wall = |wall| separation(&shape, wall);
        let deepest = (walls.iter().map(to_wall)).min_by(|p, q| p.distance.total_cmp(&q.distance));
        let deepest = deepest.expect("there are walls");
        if deepest.distance > -0.01 {
            continue;
        }
        let size = (shape.aabb().max - shape.aabb().min).max_element();
        let longest = size - 2.0 * deepest.distance;
        let straight = shortest_straight(&shape, &walls, -deepest.normal, longest);
        let Some(straight) = straight else {
            continue;
        };
        let (app, mover) = app_of_mover_in(&shape, &walls);
        let moved_distance = global_position(&app, mover).length();
        let allowed = straight.max(1.2 * (SKIN - deepest.distance)) + 0.01;
        assert!(
            moved_distance <= allowed,
            "case {case}: {moved_distance} instead of {straight}"
        );
        decided += 1;
    }
    assert!(decided >= 10, "{decided}");
}
