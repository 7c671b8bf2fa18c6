//! Sliding against a slow reference: thousands of tiny steps, each of which ends with depenetration
//! by the shortest displacement.

use bevy::{math::Affine2, prelude::*};
use bevy_thud::{
    MoveOutcome,
    geometry::{Shape, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

/// The tolerance between the ends of the two, as a fraction of the displacement: around round
/// shapes a slide has straight segments, on which it does not get faster.
const TOLERANCE: f32 = 0.05;
/// The angle, in radians, by which a displacement is rotated to see whether the end depends on it.
const NUDGE: f32 = 0.01;
/// If the ends differ by more than this, the shape hit a vertex or a round shape head-on, and less
/// than a step decides to which side it slides.
const UNDECIDED: f32 = 0.15;

/// The end of a shape that slides along walls, in this many steps.
fn slow_slide(shape: &Shape, displacement: Vec2, walls: &[Shape], steps: usize) -> Vec2 {
    let mut offset = Vec2::ZERO;
    for _ in 0..steps {
        offset += displacement / steps as f32;
        for _ in 0..8 {
            let moved = shape.translated(offset);
            let nearest = walls
                .iter()
                .map(|wall| separation(&moved, wall))
                .min_by(|p, q| p.distance.total_cmp(&q.distance));
            match nearest {
                Some(near) if near.distance < SKIN => {
                    offset -= near.normal * (SKIN - near.distance);
                }
                _ => break,
            }
        }
    }
    offset
}

fn any_shape(rng: &mut Rng, center: Vec2, sizes: [f32; 2]) -> Shape {
    let mut size = || sizes[0] + (sizes[1] - sizes[0]) * rng.f32();
    let (width, height) = (size(), size());
    let angle = rng.f32() * 6.3;
    match rng.u8(0..8) {
        0 | 1 => Shape::circle(center, width / 2.0),
        2 => {
            let vertices = [(-1.0, -0.8), (0.7, -1.0), (1.0, 0.3), (-0.2, 1.0)];
            polygon(&vertices, Vec2::new(width, height), center, angle)
        }
        3 => {
            let vertices = [
                (-1.0, -1.0),
                (1.0, -1.0),
                (0.8, 1.0),
                (0.1, -0.3),
                (-1.0, 0.6),
            ];
            polygon(&vertices, Vec2::new(width, height), center, angle)
        }
        _ => Shape::rect(center, Vec2::new(width, height), Rot2::radians(angle)),
    }
}

fn polygon(vertices: &[(f32, f32)], size: Vec2, center: Vec2, angle: f32) -> Shape {
    let vertices = vertices
        .iter()
        .map(|&vertex| Vec2::from(vertex) * size / 2.0);
    let pose = Affine2::from_angle_translation(angle, center);
    Shape::polygon(vertices).unwrap().transformed(&pose)
}

/// Walls around a mover, none of them near its start.
fn any_scene(rng: &mut Rng) -> (Shape, Vec<Shape>) {
    let mover = any_shape(rng, Vec2::ZERO, [0.5, 3.0]);
    let mut walls = Vec::new();
    while walls.len() < 12 {
        let center = (Vec2::new(rng.f32(), rng.f32()) - 0.5) * 30.0;
        let wall = any_shape(rng, center, [1.0, 9.0]);
        if separation(&mover, &wall).distance > 2.0 * SKIN {
            walls.push(wall);
        }
    }
    (mover, walls)
}

fn spawn_wall(app: &mut App, wall: &Shape) {
    let transform = rotated(wall.center(), 0.0);
    match *wall {
        Shape::Rect {
            half_size,
            rotation,
            ..
        } => {
            let collider = RectCollider::new(2.0 * half_size.x, 2.0 * half_size.y);
            let transform = rotated(wall.center(), rotation.as_radians());
            spawn(app, (collider, Solid, transform));
        }
        Shape::Circle { radius, .. } => {
            spawn(app, (CircleCollider::new(radius), Solid, transform));
        }
        Shape::Polygon {
            ref polygon,
            ref placement,
        } => {
            let collider = PolygonCollider::from(polygon.clone());
            let transform = rotated(placement.center, placement.rotation().as_radians());
            spawn(app, (collider, Solid, transform));
        }
        _ => unreachable!(),
    }
}

fn fast_slide(shape: &Shape, displacement: Vec2, walls: &[Shape]) -> MoveOutcome {
    let mut app = test_app();
    walls.iter().for_each(|wall| spawn_wall(&mut app, wall));
    app.update();
    let (shape, mover) = (shape.clone(), Mover::with_velocity(displacement));
    run_system(&mut app, move |query: SpatialQuery| {
        query.move_and_slide(&shape, &mover, 1.0, &SpatialQueryFilter::default())
    })
}

fn assert_slides_as_in_tiny_steps(cases: u32) {
    let mut rng = Rng::with_seed(11);
    let (mut decided, mut deflected, mut worst) = (0, 0, (0f32, String::new()));
    for case in 0..cases {
        let (shape, walls) = any_scene(&mut rng);
        let displacement = Vec2::from_angle(rng.f32() * 6.3) * (1.0 + 14.0 * rng.f32());
        let slow = slow_slide(&shape, displacement, &walls, 2000);
        let nudged = [NUDGE, -NUDGE].map(|angle| Vec2::from_angle(angle).rotate(displacement));
        let is_undecided = |displacement: Vec2| {
            let from_turning = NUDGE * displacement.length();
            slow.distance(slow_slide(&shape, displacement, &walls, 2000)) > UNDECIDED + from_turning
        };
        if nudged.into_iter().any(is_undecided) {
            continue;
        }
        let fast = fast_slide(&shape, displacement, &walls);
        let off = fast.displacement.distance(slow) / displacement.length();
        if off > worst.0 {
            worst = (
                off,
                format!("case {case}: {} instead of {slow}", fast.displacement),
            );
        }
        decided += 1;
        deflected += u32::from(!fast.hits.is_empty());
    }
    println!("{decided} decided, {deflected} deflected, {worst:?}");
    let are_enough = 2 * decided > cases && 4 * deflected > cases;
    assert!(are_enough, "{decided} {deflected}");
    assert!(worst.0 < TOLERANCE, "{worst:?}");
}

#[test]
fn a_slide_ends_where_thousands_of_tiny_steps_end() {
    assert_slides_as_in_tiny_steps(16);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn six_hundred_slides_end_where_thousands_of_tiny_steps_end() {
    assert_slides_as_in_tiny_steps(600);
}
