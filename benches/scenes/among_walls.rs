//! The movement scene: circles among walls.

use std::f32::consts::TAU;

use bevy::math::{Rot2, Vec2, ops};

use super::{Body, ColliderShape, SceneKind, WALL_SPACING, resting_body};

/// The number of walls.
pub const WALLS: usize = 10_000;
/// The number of movers among the walls.
pub const MOVERS: usize = 2000;
/// The radius of a mover, in world units.
pub const RADIUS: f32 = 5.0;

/// The speed of a mover, in world units per second.
const SPEED: f32 = 120.0;
/// The distance from the center of the largest wall to its vertices, in world units.
const MAX_WALL_RADIUS: f32 = 22.4;

/// Rectangles of 8 to 40 by 8 to 20, half of them rotated; mean spacing 40.
pub fn walls() -> Vec<Body> {
    // One in a hundred bodies of that scene is not a wall.
    let mut bodies = SceneKind::RestingWalls.bodies(WALLS * 102 / 100);
    bodies.retain(|body| body.solid);
    bodies.truncate(WALLS);
    bodies
}

/// Circles of radius 5 that overlap no wall and move at 120 units per second.
pub fn movers(walls: &[Body]) -> Vec<Body> {
    let walls = SortedWalls::new(walls);
    let mut rng = fastrand::Rng::with_seed(MOVERS as u64);
    let mut mover = || {
        let position = loop {
            let position = random_position(&mut rng);
            if walls.penetration(position, RADIUS) < 0.0 {
                break position;
            }
        };
        Body {
            velocity: Vec2::from_angle(TAU * rng.f32()) * SPEED,
            ..resting_body(position, 0.0, ColliderShape::Circle(RADIUS))
        }
    };
    (0..MOVERS).map(|_| mover()).collect()
}

/// A random position in the area of the walls, inside or outside of them.
pub fn random_position(rng: &mut fastrand::Rng) -> Vec2 {
    super::random_position(WALL_SPACING * ops::sqrt(WALLS as f32), rng)
}

/// The walls sorted by x, to find those near a position.
pub struct SortedWalls(Vec<Body>);

impl SortedWalls {
    /// Sorts the walls.
    pub fn new(walls: &[Body]) -> Self {
        let mut walls = walls.to_vec();
        walls.sort_by(|a, b| a.position.x.total_cmp(&b.position.x));
        Self(walls)
    }

    /// The maximum penetration of a circle into any wall, in world units. If negative, the
    /// separation from the nearest wall around it.
    ///
    /// Computed without any engine, since it checks the results of all of them.
    pub fn penetration(&self, center: Vec2, radius: f32) -> f32 {
        let max_distance = radius + MAX_WALL_RADIUS;
        let left_of = |x| self.0.partition_point(|wall| wall.position.x < x);
        self.0[left_of(center.x - max_distance)..left_of(center.x + max_distance)]
            .iter()
            .filter(|wall| (wall.position.y - center.y).abs() < max_distance)
            .map(|wall| radius - signed_distance(center, wall))
            .fold(-max_distance, f32::max)
    }
}

/// The distance from a wall to a point, negative inside the wall.
fn signed_distance(point: Vec2, wall: &Body) -> f32 {
    let Some(ColliderShape::Rect(size)) = wall.shape else {
        return f32::INFINITY;
    };
    let local_point = Rot2::radians(wall.angle).inverse() * (point - wall.position);
    let outside = local_point.abs() - size / 2.0;
    outside.max(Vec2::ZERO).length() + outside.max_element().min(0.0)
}
