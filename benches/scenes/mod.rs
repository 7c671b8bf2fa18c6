//! The scenes that the benchmarks run: plain data, the same for every engine.

use bevy::math::{Vec2, ops};

/// A collider of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub position: Vec2,
    /// Radians.
    pub angle: f32,
    pub outline: Outline,
    /// World units per second; zero for what rests.
    pub velocity: Vec2,
    /// What lives shorter than the scene is spawned again elsewhere.
    pub seconds_to_live: Option<f32>,
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
    /// Circles of radius 3 to 7 at 30 to 120 units per second, and a tenth resting, turned rectangles; mean spacing 20.
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
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Moving,
        Self::OnePercent,
        Self::Resting,
        Self::Bullets,
        Self::Walls,
        Self::LineX,
        Self::LineY,
        Self::Crowd,
        Self::OneSpot,
    ];

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
        }
    }

    /// Makes the scene; the same for the same count.
    pub fn bodies(self, count: usize) -> Vec<Body> {
        let mut dice = fastrand::Rng::with_seed(count as u64);
        let side = SPACING * ops::sqrt(count as f32);
        (0..count)
            .map(|number| self.body(number, side, &mut dice))
            .collect()
    }

    fn body(self, number: usize, side: f32, dice: &mut fastrand::Rng) -> Body {
        let mut body = usual_body(number, side, dice);
        match self {
            Self::Moving => {}
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
                if number % 100 == 0 {
                    let length = ops::powf(10.0, 4.0 * dice.f32());
                    body.outline = Outline::Rect(Vec2::new(length, 1.0));
                } else if let Outline::Rect(_) = body.outline {
                    body.outline = Outline::Circle(5.0);
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

fn usual_body(number: usize, side: f32, dice: &mut fastrand::Rng) -> Body {
    let mut between = |low: f32, high: f32| low + (high - low) * dice.f32();
    let position = Vec2::new(between(-0.5, 0.5), between(-0.5, 0.5)) * side;
    if number % 10 == 0 {
        Body {
            position,
            angle: between(0.0, std::f32::consts::TAU),
            outline: Outline::Rect(Vec2::new(between(6.0, 14.0), between(6.0, 14.0))),
            velocity: Vec2::ZERO,
            seconds_to_live: None,
        }
    } else {
        let heading = Vec2::from_angle(between(0.0, std::f32::consts::TAU));
        Body {
            position,
            angle: 0.0,
            outline: Outline::Circle(between(3.0, 7.0)),
            velocity: heading * between(30.0, 120.0),
            seconds_to_live: None,
        }
    }
}
