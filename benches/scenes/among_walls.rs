//! The scene of the movers: circles among walls.

use std::f32::consts::TAU;

use bevy::math::{Rot2, Vec2, ops};

use super::{Body, Kind, Outline, WALL_SPACING, resting};

/// How many walls there are.
pub const WALLS: usize = 10_000;
/// How many movers are among them.
pub const MOVERS: usize = 2000;
/// Of a mover.
pub const RADIUS: f32 = 5.0;

/// World units per second.
const SPEED: f32 = 120.0;
/// From the middle of the largest wall to its corners.
const WALL_REACH: f32 = 22.4;

/// Rectangles of 8 to 40 by 8 to 20, half of them turned; mean spacing 40.
pub fn walls() -> Vec<Body> {
    // One in a hundred of that scene is none.
    let mut bodies = Kind::WallsUnderMovers.bodies(WALLS * 102 / 100);
    bodies.retain(|body| body.solid);
    bodies.truncate(WALLS);
    bodies
}

/// Circles of radius 5 in none of the walls, at 120 units per second.
pub fn movers(walls: &[Body]) -> Vec<Body> {
    let walls = Walls::new(walls);
    let mut dice = fastrand::Rng::with_seed(MOVERS as u64);
    let mut mover = || {
        let position = loop {
            let place = place(&mut dice);
            if walls.depth(place, RADIUS) < 0.0 {
                break place;
            }
        };
        Body {
            velocity: Vec2::from_angle(TAU * dice.f32()) * SPEED,
            ..resting(position, 0.0, Outline::Circle(RADIUS))
        }
    };
    (0..MOVERS).map(|_| mover()).collect()
}

/// A place among the walls, or in one.
pub fn place(dice: &mut fastrand::Rng) -> Vec2 {
    super::somewhere(WALL_SPACING * ops::sqrt(WALLS as f32), dice)
}

/// The walls from left to right, so that those near a place are found soon.
pub struct Walls(Vec<Body>);

impl Walls {
    /// Puts them in their order.
    pub fn new(walls: &[Body]) -> Self {
        let mut walls = walls.to_vec();
        walls.sort_by(|a, b| a.position.x.total_cmp(&b.position.x));
        Self(walls)
    }

    /// The greatest penetration of a circle into any wall, in world units. If negative, the distance
    /// to the nearest wall around it.
    ///
    /// It asks no engine, for it judges them.
    pub fn depth(&self, centre: Vec2, radius: f32) -> f32 {
        let reach = radius + WALL_REACH;
        let left_of = |x| self.0.partition_point(|wall| wall.position.x < x);
        self.0[left_of(centre.x - reach)..left_of(centre.x + reach)]
            .iter()
            .filter(|wall| (wall.position.y - centre.y).abs() < reach)
            .map(|wall| radius - distance(centre, wall))
            .fold(-reach, f32::max)
    }
}

/// From a wall to a point, below zero in the wall.
fn distance(point: Vec2, wall: &Body) -> f32 {
    let Some(Outline::Rect(size)) = wall.outline else {
        return f32::INFINITY;
    };
    let from_middle = Rot2::radians(wall.angle).inverse() * (point - wall.position);
    let beyond = from_middle.abs() - size / 2.0;
    beyond.max(Vec2::ZERO).length() + beyond.max_element().min(0.0)
}
