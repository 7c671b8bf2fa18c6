//! The scenes of the benchmarks: plain data, the same for every engine.

pub mod among_walls;
pub mod app;

use std::f32::consts::TAU;

use bevy::math::{Vec2, ops};

/// An entity of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The index of the parent, an earlier body of the scene.
    pub parent: Option<usize>,
    /// In the world, or relative to the parent.
    pub position: Vec2,
    /// In radians, relative to the parent if there is one.
    pub angle: f32,
    /// The shape of the collider, or `None` if the body has only children.
    pub shape: Option<ColliderShape>,
    /// Whether the body is a wall.
    pub solid: bool,
    /// In world units per second; zero if the body rests.
    pub velocity: Vec2,
    /// The time until the body is despawned and spawned again in its initial state, or `None` if it
    /// outlives the scene.
    pub seconds_to_live: Option<f32>,
}

impl Body {
    /// Whether the body or its parent moves.
    pub fn moves(&self) -> bool {
        self.velocity != Vec2::ZERO || self.parent.is_some()
    }
}

/// The shape of a collider.
#[derive(Clone, Copy, Debug)]
pub enum ColliderShape {
    /// A circle of this radius.
    Circle(f32),
    /// A rectangle of this width and height.
    Rect(Vec2),
}

/// A kind of scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SceneKind {
    /// Circles of radius 3 to 7 at 30 to 120 units per second; a tenth are resting rotated
    /// rectangles. Mean spacing 20.
    Moving,
    /// `Moving`, but only one in a hundred moves.
    OnePercent,
    /// `Moving`, but all at rest.
    Resting,
    /// `Moving`, but half of the colliders live less than a second.
    Bullets,
    /// Resting walls of 1 to 10,000 units among moving circles.
    LongWalls,
    /// All colliders on a line along x.
    LineX,
    /// All colliders on a line along y.
    LineY,
    /// A dense crowd in an otherwise empty world of a million units.
    DistantCrowd,
    /// A thousand colliders at one position, the others as in `Moving`.
    OneSpot,
    /// Moving parents without a collider, with ten small colliders each, in chains of up to four.
    Hierarchy,
    /// Solid rectangles of 8 to 40 by 8 to 20, half of them rotated; one in a hundred colliders is
    /// a moving circle. Mean spacing 40.
    RestingWalls,
}

impl SceneKind {
    /// All kinds, in the order of the table.
    pub const ALL: [Self; 11] = [
        Self::Moving,
        Self::OnePercent,
        Self::Resting,
        Self::Bullets,
        Self::LongWalls,
        Self::LineX,
        Self::LineY,
        Self::DistantCrowd,
        Self::OneSpot,
        Self::Hierarchy,
        Self::RestingWalls,
    ];

    /// The name in the table and of the benchmark.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moving => "90% move",
            Self::OnePercent => "1% move",
            Self::Resting => "none move",
            Self::Bullets => "bullets",
            Self::LongWalls => "long walls",
            Self::LineX => "a line along x",
            Self::LineY => "a line along y",
            Self::DistantCrowd => "a crowd far from the origin",
            Self::OneSpot => "a thousand at one position",
            Self::Hierarchy => "deep hierarchies",
            Self::RestingWalls => "resting walls",
        }
    }

    /// The bodies of a scene with `count` colliders. The count is also the seed: equal counts give
    /// equal scenes.
    pub fn bodies(self, count: usize) -> Vec<Body> {
        let mut rng = fastrand::Rng::with_seed(count as u64);
        let world_size = SPACING * ops::sqrt(count as f32);
        match self {
            Self::Hierarchy => hierarchies(count, world_size, &mut rng),
            Self::RestingWalls => resting_walls(count, &mut rng),
            _ => (0..count)
                .map(|index| self.body(index, world_size, &mut rng))
                .collect(),
        }
    }

    fn body(self, index: usize, world_size: f32, rng: &mut fastrand::Rng) -> Body {
        let mut body = default_body(index, world_size, rng);
        match self {
            Self::Moving | Self::Hierarchy | Self::RestingWalls => {}
            Self::OnePercent => {
                if index % 100 != 1 {
                    body.velocity = Vec2::ZERO;
                }
            }
            Self::Resting => body.velocity = Vec2::ZERO,
            Self::Bullets => {
                if index % 2 == 1 {
                    body.seconds_to_live = Some(0.1 + 0.9 * rng.f32());
                }
            }
            Self::LongWalls => {
                if index.is_multiple_of(100) {
                    let length = ops::powf(10.0, 4.0 * rng.f32());
                    body.shape = Some(ColliderShape::Rect(Vec2::new(length, 1.0)));
                } else if let Some(ColliderShape::Rect(_)) = body.shape {
                    body.shape = Some(ColliderShape::Circle(5.0));
                }
            }
            Self::LineX => {
                body.position = Vec2::new(body.position.x * world_size / SPACING / 10.0, 0.0);
            }
            Self::LineY => {
                body.position = Vec2::new(0.0, body.position.y * world_size / SPACING / 10.0);
            }
            Self::DistantCrowd => {
                if index == 0 {
                    body.position = Vec2::splat(-500_000.0);
                } else {
                    body.position += Vec2::splat(400_000.0);
                }
            }
            Self::OneSpot => {
                if index < 1000 {
                    body.position = Vec2::ZERO;
                }
            }
        }
        body
    }
}

/// The mean distance between neighbors, in world units.
const SPACING: f32 = 20.0;

/// The mean distance between neighboring walls, in world units.
const WALL_SPACING: f32 = 40.0;

/// The number of colliders under a moving root.
const DESCENDANTS_PER_ROOT: usize = 10;

/// The number of chains under a moving root.
const CHAINS_PER_ROOT: usize = 3;

/// The distance between a link of a chain and its parent, in world units: more than the width of
/// two links.
const LINK_LENGTH: f32 = 7.5;

/// A resting rectangle if the index is a multiple of ten, a moving circle otherwise.
fn default_body(index: usize, world_size: f32, rng: &mut fastrand::Rng) -> Body {
    let position = random_position(world_size, rng);
    if index.is_multiple_of(10) {
        let angle = uniform(0.0, TAU, rng);
        let size = Vec2::new(uniform(6.0, 14.0, rng), uniform(6.0, 14.0, rng));
        resting_body(position, angle, ColliderShape::Rect(size))
    } else {
        let direction = Vec2::from_angle(uniform(0.0, TAU, rng));
        let shape = ColliderShape::Circle(uniform(3.0, 7.0, rng));
        Body {
            velocity: direction * uniform(30.0, 120.0, rng),
            ..resting_body(position, 0.0, shape)
        }
    }
}

fn hierarchies(count: usize, world_size: f32, rng: &mut fastrand::Rng) -> Vec<Body> {
    let mut bodies = Vec::with_capacity(count + count.div_ceil(DESCENDANTS_PER_ROOT));
    for first in (0..count).step_by(DESCENDANTS_PER_ROOT) {
        let root = bodies.len();
        bodies.push(Body {
            shape: None,
            ..default_body(1, world_size, rng)
        });
        for descendant in 0..DESCENDANTS_PER_ROOT.min(count - first) {
            bodies.push(chain_link(root, descendant, rng));
        }
    }
    bodies
}

/// The link with the index `descendant` among the descendants of `root`.
fn chain_link(root: usize, descendant: usize, rng: &mut fastrand::Rng) -> Body {
    let bend = uniform(-0.25, 0.25, rng);
    let (parent, angle) = if descendant < CHAINS_PER_ROOT {
        let chain_angle = TAU * descendant as f32 / CHAINS_PER_ROOT as f32;
        (root, bend + chain_angle)
    } else {
        (root + 1 + descendant - CHAINS_PER_ROOT, bend)
    };
    let shape = if descendant == 4 {
        ColliderShape::Rect(Vec2::new(uniform(3.0, 5.0, rng), uniform(3.0, 5.0, rng)))
    } else {
        ColliderShape::Circle(uniform(2.0, 3.5, rng))
    };
    Body {
        parent: Some(parent),
        ..resting_body(Vec2::from_angle(angle) * LINK_LENGTH, angle, shape)
    }
}

fn resting_walls(count: usize, rng: &mut fastrand::Rng) -> Vec<Body> {
    let world_size = WALL_SPACING * ops::sqrt(count as f32);
    (0..count)
        .map(|index| {
            let position = random_position(world_size, rng);
            let random_angle = uniform(0.0, TAU, rng);
            let size = Vec2::new(uniform(8.0, 40.0, rng), uniform(8.0, 20.0, rng));
            if index % 100 == 1 {
                Body {
                    velocity: Vec2::from_angle(random_angle) * 120.0,
                    ..resting_body(position, 0.0, ColliderShape::Circle(5.0))
                }
            } else {
                let angle = if index.is_multiple_of(2) {
                    random_angle
                } else {
                    0.0
                };
                Body {
                    solid: true,
                    ..resting_body(position, angle, ColliderShape::Rect(size))
                }
            }
        })
        .collect()
}

fn resting_body(position: Vec2, angle: f32, shape: ColliderShape) -> Body {
    Body {
        parent: None,
        position,
        angle,
        shape: Some(shape),
        solid: false,
        velocity: Vec2::ZERO,
        seconds_to_live: None,
    }
}

/// A position in the square of this size around the origin.
fn random_position(world_size: f32, rng: &mut fastrand::Rng) -> Vec2 {
    Vec2::new(uniform(-0.5, 0.5, rng), uniform(-0.5, 0.5, rng)) * world_size
}

/// A uniformly distributed number between `low` and `high`.
fn uniform(low: f32, high: f32, rng: &mut fastrand::Rng) -> f32 {
    low + (high - low) * rng.f32()
}
