//! The scenes that the benchmarks run: plain data, the same for every engine.

pub mod among_walls;
pub mod staging;

use std::f32::consts::TAU;

use bevy::math::{Vec2, ops};

/// An entity of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// What it hangs on: the number of an earlier body of the scene.
    pub parent: Option<usize>,
    /// In the world, or from its parent.
    pub position: Vec2,
    /// Radians.
    pub angle: f32,
    /// Its collider, if it is not there only to carry others.
    pub outline: Option<Outline>,
    /// It is a wall.
    pub solid: bool,
    /// World units per second; zero for what rests.
    pub velocity: Vec2,
    /// What lives shorter than the scene is spawned again elsewhere.
    pub seconds_to_live: Option<f32>,
}

impl Body {
    /// Whether it moves, or what it hangs on does.
    pub fn moves(&self) -> bool {
        self.velocity != Vec2::ZERO || self.parent.is_some()
    }
}

/// The shape of a collider.
#[derive(Clone, Copy, Debug)]
pub enum Outline {
    /// Its radius.
    Circle(f32),
    /// Its width and height.
    Rect(Vec2),
}

/// What a scene is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Circles of radius 3 to 7 at 30 to 120 units per second, and a tenth resting, rotated
    /// rectangles. Mean spacing 20.
    Moving,
    /// The same, of which one in a hundred moves.
    OnePercent,
    /// The same, at rest.
    Resting,
    /// The same, of which half live less than a second.
    Bullets,
    /// Resting walls of 1 to 10,000 units among moving circles.
    Walls,
    /// Everything on a line along x.
    LineX,
    /// Everything on a line along y.
    LineY,
    /// A dense crowd in an empty world of a million units.
    Crowd,
    /// A thousand on one spot, the others as in `Moving`.
    OneSpot,
    /// Parents without a collider move ten small colliders each, in chains of up to four.
    Hierarchy,
    /// Solid rectangles of 8 to 40 by 8 to 20, half of them rotated. One in a hundred colliders is a
    /// moving circle. Mean spacing 40.
    WallsUnderMovers,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 11] = [
        Self::Moving,
        Self::OnePercent,
        Self::Resting,
        Self::Bullets,
        Self::Walls,
        Self::LineX,
        Self::LineY,
        Self::Crowd,
        Self::OneSpot,
        Self::Hierarchy,
        Self::WallsUnderMovers,
    ];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moving => "90 % move",
            Self::OnePercent => "1 % move",
            Self::Resting => "none move",
            Self::Bullets => "bullets",
            Self::Walls => "long walls",
            Self::LineX => "a line along x",
            Self::LineY => "a line along y",
            Self::Crowd => "a crowd in the void",
            Self::OneSpot => "a thousand on a spot",
            Self::Hierarchy => "deep hierarchies",
            Self::WallsUnderMovers => "resting walls",
        }
    }

    /// Makes a scene of so many colliders; the same for the same count.
    pub fn bodies(self, count: usize) -> Vec<Body> {
        let mut dice = fastrand::Rng::with_seed(count as u64);
        let side = SPACING * ops::sqrt(count as f32);
        match self {
            Self::Hierarchy => families(count, side, &mut dice),
            Self::WallsUnderMovers => walls_under_movers(count, &mut dice),
            _ => (0..count)
                .map(|number| self.body(number, side, &mut dice))
                .collect(),
        }
    }

    fn body(self, number: usize, side: f32, dice: &mut fastrand::Rng) -> Body {
        let mut body = usual_body(number, side, dice);
        match self {
            Self::Moving | Self::Hierarchy | Self::WallsUnderMovers => {}
            Self::OnePercent => {
                if number % 100 != 1 {
                    body.velocity = Vec2::ZERO;
                }
            }
            Self::Resting => body.velocity = Vec2::ZERO,
            Self::Bullets => {
                if number % 2 == 1 {
                    body.seconds_to_live = Some(0.1 + 0.9 * dice.f32());
                }
            }
            Self::Walls => {
                if number.is_multiple_of(100) {
                    let length = ops::powf(10.0, 4.0 * dice.f32());
                    body.outline = Some(Outline::Rect(Vec2::new(length, 1.0)));
                } else if let Some(Outline::Rect(_)) = body.outline {
                    body.outline = Some(Outline::Circle(5.0));
                }
            }
            Self::LineX => body.position = Vec2::new(body.position.x * side / SPACING / 10.0, 0.0),
            Self::LineY => body.position = Vec2::new(0.0, body.position.y * side / SPACING / 10.0),
            Self::Crowd => {
                if number == 0 {
                    body.position = Vec2::splat(-500_000.0);
                } else {
                    body.position += Vec2::splat(400_000.0);
                }
            }
            Self::OneSpot => {
                if number < 1000 {
                    body.position = Vec2::ZERO;
                }
            }
        }
        body
    }
}

/// The mean distance of neighbours.
const SPACING: f32 = 20.0;

/// The same among walls.
const WALL_SPACING: f32 = 40.0;

/// How many colliders a moving parent carries.
const FAMILY: usize = 10;

/// How many chains they hang in.
const CHAINS: usize = 3;

/// How far a link of a chain is from the one before it: further than two links are wide.
const LINK: f32 = 7.5;

fn usual_body(number: usize, side: f32, dice: &mut fastrand::Rng) -> Body {
    let position = somewhere(side, dice);
    if number.is_multiple_of(10) {
        let angle = between(0.0, TAU, dice);
        let size = Vec2::new(between(6.0, 14.0, dice), between(6.0, 14.0, dice));
        resting(position, angle, Outline::Rect(size))
    } else {
        let heading = Vec2::from_angle(between(0.0, TAU, dice));
        let outline = Outline::Circle(between(3.0, 7.0, dice));
        Body {
            velocity: heading * between(30.0, 120.0, dice),
            ..resting(position, 0.0, outline)
        }
    }
}

fn families(count: usize, side: f32, dice: &mut fastrand::Rng) -> Vec<Body> {
    let mut bodies = Vec::with_capacity(count + count.div_ceil(FAMILY));
    for first in (0..count).step_by(FAMILY) {
        let root = bodies.len();
        bodies.push(Body {
            outline: None,
            ..usual_body(1, side, dice)
        });
        for child in 0..FAMILY.min(count - first) {
            bodies.push(link(root, child, dice));
        }
    }
    bodies
}

/// The child with this number in the family of `root`.
fn link(root: usize, child: usize, dice: &mut fastrand::Rng) -> Body {
    let bend = between(-0.25, 0.25, dice);
    let (parent, angle) = if child < CHAINS {
        (root, bend + TAU * child as f32 / CHAINS as f32)
    } else {
        (root + 1 + child - CHAINS, bend)
    };
    let outline = if child == 4 {
        Outline::Rect(Vec2::new(between(3.0, 5.0, dice), between(3.0, 5.0, dice)))
    } else {
        Outline::Circle(between(2.0, 3.5, dice))
    };
    Body {
        parent: Some(parent),
        ..resting(Vec2::from_angle(angle) * LINK, angle, outline)
    }
}

fn walls_under_movers(count: usize, dice: &mut fastrand::Rng) -> Vec<Body> {
    let side = WALL_SPACING * ops::sqrt(count as f32);
    (0..count)
        .map(|number| {
            let position = somewhere(side, dice);
            let turn = between(0.0, TAU, dice);
            let size = Vec2::new(between(8.0, 40.0, dice), between(8.0, 20.0, dice));
            if number % 100 == 1 {
                Body {
                    velocity: Vec2::from_angle(turn) * 120.0,
                    ..resting(position, 0.0, Outline::Circle(5.0))
                }
            } else {
                let angle = if number.is_multiple_of(2) { turn } else { 0.0 };
                Body {
                    solid: true,
                    ..resting(position, angle, Outline::Rect(size))
                }
            }
        })
        .collect()
}

fn resting(position: Vec2, angle: f32, outline: Outline) -> Body {
    Body {
        parent: None,
        position,
        angle,
        outline: Some(outline),
        solid: false,
        velocity: Vec2::ZERO,
        seconds_to_live: None,
    }
}

fn somewhere(side: f32, dice: &mut fastrand::Rng) -> Vec2 {
    Vec2::new(between(-0.5, 0.5, dice), between(-0.5, 0.5, dice)) * side
}

fn between(low: f32, high: f32, dice: &mut fastrand::Rng) -> f32 {
    low + (high - low) * dice.f32()
}
