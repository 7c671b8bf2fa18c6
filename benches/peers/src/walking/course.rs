//! The course: sections with floors of every kind, as plain data.

use std::f32::consts::TAU;

use bevy::math::{Vec2, ops};
use bevy_thud::geometry::Shape;

/// The radius of a walker, which is an upright capsule.
pub const RADIUS: f32 = 6.0;
/// The length of the segment of that capsule.
pub const LENGTH: f32 = 12.0;
/// In world units per second squared.
pub const GRAVITY: f32 = 900.0;
/// The walking speed, in world units per second.
pub const SPEED: f32 = 100.0;
/// The steepest floor, in radians: 45°, and the allowance for rounding that this crate and Godot
/// have by default.
pub const MAX_SLOPE: f32 = std::f32::consts::FRAC_PI_4 + 0.01;
/// The step height of a walker in the sections with stairs, in which a step is 4 units high.
pub const STEP_HEIGHT: f32 = 6.0;
/// The number of walkers that are measured at once.
pub const CROWD_SIZE: usize = 1000;

/// The distance from the floor at which walkers start.
const START_GAP: f32 = 0.25;
/// The width and height of a tile.
const TILE: f32 = 16.0;
/// The seconds in which a platform returns to its start.
const PERIOD: f32 = 4.0;

/// A collider of a section.
pub struct Part {
    /// The shape in the frame of the part.
    pub shape: PartShape,
    /// The position at the start.
    pub position: Vec2,
    /// How the part moves, or `None` if it rests.
    pub path: Option<PlatformPath>,
}

/// The shape of a part.
pub enum PartShape {
    /// A rectangle of this width and height.
    Rect(Vec2),
    /// A convex polygon.
    Convex(Vec<Vec2>),
    /// A polygon of which the surface is hilly.
    Terrain(Vec<Vec2>),
}

impl PartShape {
    /// The same shape for the geometry of this crate.
    pub fn geometry(&self) -> Shape {
        match self {
            Self::Rect(size) => Shape::rect(Vec2::ZERO, *size, bevy::math::Rot2::IDENTITY),
            Self::Convex(points) | Self::Terrain(points) => {
                Shape::polygon(points.iter().copied()).expect("the outlines are simple")
            }
        }
    }
}

/// How a platform moves, again and again.
#[derive(Clone, Copy)]
pub enum PlatformPath {
    /// Along this vector and back.
    Line(Vec2),
    /// In a circle of this radius, without rotation.
    Circle(f32),
}

impl PlatformPath {
    /// The displacement after this many seconds.
    pub fn displacement(self, seconds: f32) -> Vec2 {
        let (sin, cos) = ops::sin_cos(TAU / PERIOD * seconds);
        match self {
            Self::Line(displacement) => displacement * (1.0 - cos) / 2.0,
            Self::Circle(radius) => radius * Vec2::new(sin, 1.0 - cos),
        }
    }
}

/// What is measured in a section.
#[derive(Clone, PartialEq)]
pub enum Measure {
    /// The progress along the horizon.
    AlongHorizon,
    /// The progress along the surface, a polyline.
    AlongSurface(Vec<Vec2>),
    /// The drift of a walker that wants to stand still, relative to the platform if there is one.
    Drift,
}

/// A scene of its own.
pub struct Section {
    pub name: String,
    pub parts: Vec<Part>,
    /// The initial centers of the walkers.
    pub starts: Vec<Vec2>,
    /// The desired velocity along the horizon.
    pub speed: f32,
    /// The number of measured frames.
    pub frames: usize,
    /// The height of the highest step that the walkers may climb; zero if they need not.
    pub step_height: f32,
    pub measure: Measure,
}

/// The sections with one walker.
pub fn sections() -> Vec<Section> {
    let mut sections = vec![flat()];
    for degrees in [15, 30, 45] {
        sections.push(slope("up", degrees, -280.0, 120));
        sections.push(slope("down", degrees, 20.0, 120));
        sections.push(slope("crest", degrees, -50.0, 60));
    }
    sections.extend([hills(), stairs("up", 1.0), stairs("down", -1.0)]);
    sections.extend([15, 30, 44].map(rest));
    sections.push(platform("sideways", PlatformPath::Line(Vec2::X * 120.0)));
    sections.push(platform("up, down", PlatformPath::Line(Vec2::Y * 80.0)));
    sections.push(platform("circle", PlatformPath::Circle(40.0)));
    sections
}

/// Many walkers on flat tiles, which ignore each other.
pub fn crowd() -> Section {
    let starts =
        (0..CROWD_SIZE).map(|index| standing(Vec2::new(16.0 * index as f32, 0.0), Vec2::Y));
    Section {
        name: format!("{CROWD_SIZE} on flat tiles"),
        parts: tiles(CROWD_SIZE + 20),
        starts: starts.collect(),
        frames: 60,
        ..flat()
    }
}

fn flat() -> Section {
    Section {
        name: "flat tiles".into(),
        parts: tiles(66),
        starts: vec![standing(Vec2::ZERO, Vec2::Y)],
        speed: SPEED,
        frames: 600,
        step_height: 0.0,
        measure: Measure::AlongHorizon,
    }
}

/// A row of tiles with flush seams, whose surface is the horizon.
fn tiles(count: usize) -> Vec<Part> {
    let tile = |index| {
        let position = Vec2::new(TILE * (index as f32 - 1.0), -TILE / 2.0);
        part(PartShape::Rect(Vec2::splat(TILE)), position)
    };
    (0..count).map(tile).collect()
}

/// A hill with straight flanks, on which a walker starts at `x`; the crest is at zero.
fn slope(direction: &str, degrees: u32, x: f32, frames: usize) -> Section {
    let steepness = (degrees as f32).to_radians().tan();
    let surface = vec![
        Vec2::new(-300.0, 0.0),
        Vec2::new(0.0, 300.0 * steepness),
        Vec2::new(300.0, 0.0),
    ];
    let point = Vec2::new(x, (300.0 - x.abs()) * steepness);
    let normal = Vec2::new(x.signum() * steepness, 1.0).normalize();
    Section {
        name: format!("slope {degrees}°, {direction}"),
        parts: vec![part(PartShape::Convex(surface.clone()), Vec2::ZERO)],
        starts: vec![standing(point, normal)],
        frames,
        measure: Measure::AlongSurface(surface),
        ..flat()
    }
}

/// A polygon whose surface changes its slope every 4 units, by up to 40° from the horizon.
fn hills() -> Section {
    let height = |x: f32| 6.0 * ops::sin(TAU * x / 90.0) + 1.5 * ops::sin(TAU * x / 23.0);
    let hill = |index: u16| {
        let x = 4.0 * f32::from(index);
        Vec2::new(50.0 + x, height(x))
    };
    let mut surface = vec![Vec2::new(-50.0, 0.0)];
    surface.extend((0..=300).map(hill));
    let mut outline = vec![Vec2::new(1250.0, -50.0), Vec2::new(-50.0, -50.0)];
    outline.extend(&surface);
    outline.reverse();
    Section {
        name: "hills".into(),
        parts: vec![part(PartShape::Terrain(outline), Vec2::ZERO)],
        measure: Measure::AlongSurface(surface),
        ..flat()
    }
}

/// Ten steps, 4 units high and 12 wide, between two landings. They are climbed toward the right.
fn stairs(direction: &str, sign: f32) -> Section {
    let column = |left: f32, width: f32, top: f32| {
        let center = Vec2::new(left + width / 2.0, top - 40.0);
        part(PartShape::Rect(Vec2::new(width, 80.0)), center)
    };
    let mut parts = vec![column(-240.0, 240.0, 0.0), column(108.0, 240.0, 40.0)];
    parts.extend((1..10).map(|step| column(12.0 * (step - 1) as f32, 12.0, 4.0 * step as f32)));
    let start = if sign > 0.0 {
        Vec2::new(-60.0, 0.0)
    } else {
        Vec2::new(170.0, 40.0)
    };
    Section {
        name: format!("stairs, {direction}"),
        parts,
        starts: vec![standing(start, Vec2::Y)],
        speed: sign * SPEED,
        frames: 150,
        step_height: STEP_HEIGHT,
        ..flat()
    }
}

/// Standing still on a slope.
fn rest(degrees: u32) -> Section {
    Section {
        name: format!("rest at {degrees}°"),
        speed: 0.0,
        frames: 600,
        measure: Measure::Drift,
        ..slope("", degrees, -150.0, 0)
    }
}

/// Standing still on a platform.
fn platform(name: &str, path: PlatformPath) -> Section {
    Section {
        name: format!("platform, {name}"),
        parts: vec![Part {
            path: Some(path),
            ..part(PartShape::Rect(Vec2::new(60.0, 8.0)), Vec2::new(0.0, -4.0))
        }],
        speed: 0.0,
        measure: Measure::Drift,
        ..flat()
    }
}

fn part(shape: PartShape, position: Vec2) -> Part {
    Part {
        shape,
        position,
        path: None,
    }
}

/// The center of a walker that is just above a point of a floor with this normal.
fn standing(point: Vec2, normal: Vec2) -> Vec2 {
    point + normal * (RADIUS + START_GAP) + Vec2::Y * (LENGTH / 2.0)
}
