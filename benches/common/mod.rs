//! What the benchmarks share: the scenes, and how long those are run.

#[path = "../scenes/mod.rs"]
#[allow(dead_code, reason = "no benchmark needs all of it")]
pub mod scenes;

use std::time::Duration;

use bevy::math::{Rot2, Vec2};
use bevy_thud::geometry::Shape;
use criterion::Criterion;
use scenes::{Body, Kind, Outline};

/// How many colliders the scenes have.
pub const COUNTS: [usize; 2] = [10_000, 100_000];
/// How many frames of a scene pass before it is measured: everything starts in them.
pub const WARM_UP: usize = 20;
/// After how many frames more a scene begins anew, before it has dissolved.
pub const FRAMES: usize = 60;
/// How many walls are among [`walls`].
pub const WALLS: usize = 10_000;

/// Short runs, for there are many of them.
pub fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .nresamples(10_000)
        .configure_from_args()
}

/// Rectangles of 8 to 40 by 8 to 20, half of them turned; mean spacing 40.
pub fn walls() -> Vec<Body> {
    // One in a hundred of that scene is none.
    let mut bodies = Kind::WallsUnderMovers.bodies(WALLS * 102 / 100);
    bodies.retain(|body| body.solid);
    bodies.truncate(WALLS);
    bodies
}

/// A place among [`walls`], or in one.
pub fn place_among_walls(dice: &mut fastrand::Rng) -> Vec2 {
    let side = 40.0 * (WALLS as f32).sqrt();
    Vec2::new(dice.f32() - 0.5, dice.f32() - 0.5) * side
}

/// The bodies of a scene that are colliders, as they are in the world, with their shapes.
pub fn colliders(bodies: &[Body]) -> Vec<(Body, Shape)> {
    let mut in_world: Vec<Body> = Vec::with_capacity(bodies.len());
    for &body in bodies {
        in_world.push(
            body.parent
                .map_or(body, |parent| carried(body, &in_world[parent])),
        );
    }
    let with_shape = |body| Some((body, shape_of(&body)?));
    in_world.into_iter().filter_map(with_shape).collect()
}

/// A body as its parent carries it.
fn carried(body: Body, parent: &Body) -> Body {
    Body {
        position: parent.position + Rot2::radians(parent.angle) * body.position,
        angle: parent.angle + body.angle,
        velocity: parent.velocity,
        ..body
    }
}

/// The shape of a body in the world, if it is a collider.
fn shape_of(body: &Body) -> Option<Shape> {
    Some(match body.outline? {
        Outline::Circle(radius) => Shape::circle(body.position, radius),
        Outline::Rect(size) => Shape::rect(body.position, size, Rot2::radians(body.angle)),
    })
}
