//! No mover tunnels out of a ring of thin walls, at any speed, timestep, response and position.

use std::{
    f32::consts::{PI, TAU},
    time::Duration,
};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::{
    geometry::{Shape, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

const THIN: f32 = 0.1;
const FRAMES: usize = 6;
/// The rings of one app, in rows.
const RINGS: usize = 100;
const ROW: usize = 10;
/// The distance between the centers of two rings.
const SPACING: f32 = 60.0;

/// A closed polygon of thin walls around a position.
struct Ring {
    center: Vec2,
    /// The intersections of the center lines of two walls, relative to the center.
    vertices: Vec<Vec2>,
    walls: Vec<Shape>,
    /// Whether the walls are polygons, of the same vertices.
    is_of_polygons: bool,
}

impl Ring {
    /// A star-shaped one of 3 to 12 walls, some of them long enough to overlap at the vertices.
    fn random(rng: &mut Rng, center: Vec2) -> Self {
        let (sides, turn) = (rng.usize(3..=12), rng.f32() * TAU);
        let vertex = |i: usize| {
            let angle = turn + (i as f32 + 0.2 * (rng.f32() - 0.5)) * TAU / sides as f32;
            Vec2::from_angle(angle) * (5.0 + 15.0 * rng.f32())
        };
        let vertices: Vec<Vec2> = (0..sides).map(vertex).collect();
        let wall = |i: usize| {
            let (start, end) = (vertices[i], vertices[(i + 1) % sides]);
            let longer = [0.0, THIN, rng.f32()][rng.usize(..3)];
            let size = Vec2::new(start.distance(end) + longer, THIN);
            let rotation = Rot2::radians((end - start).to_angle());
            Shape::rect(center + start.midpoint(end), size, rotation)
        };
        let walls = (0..sides).map(wall).collect();
        Self {
            center,
            vertices,
            walls,
            is_of_polygons: rng.u8(0..4) == 0,
        }
    }

    fn spawn(&self, app: &mut App) {
        for wall in &self.walls {
            let &Shape::Rect {
                center,
                half_size,
                rotation,
                ..
            } = wall
            else {
                unreachable!("walls are rectangles");
            };
            let wall = spawn(app, (Solid, rotated(center, rotation.as_radians())));
            let kind = if self.is_of_polygons {
                Kind::Box
            } else {
                Kind::Rect
            };
            kind.insert(app, wall, 2.0 * half_size);
        }
    }

    fn distance(&self, shape: &Shape) -> f32 {
        let distances = self
            .walls
            .iter()
            .map(|wall| separation(shape, wall).distance);
        distances.fold(f32::INFINITY, f32::min)
    }

    /// Whether a ray to the right crosses the edges an odd number of times.
    fn contains(&self, point: Vec2) -> bool {
        let point = (point - self.center).as_dvec2();
        let is_crossed = |i: &usize| {
            let start = self.vertices[*i].as_dvec2() - point;
            let end = self.vertices[(*i + 1) % self.vertices.len()].as_dvec2() - point;
            (start.y > 0.0) != (end.y > 0.0) && (start.perp_dot(end) > 0.0) == (end.y > start.y)
        };
        (0..self.vertices.len()).filter(is_crossed).count() % 2 == 1
    }
}

/// A mover in a ring of its own.
struct Trial {
    ring: Ring,
    mover: Entity,
    velocity: Vec2,
    /// Whether it moves in the same direction in each frame, or in another one when it has lost its
    /// speed.
    is_stubborn: bool,
}

impl Trial {
    fn random(app: &mut App, rng: &mut Rng, center: Vec2) -> Self {
        let ring = Ring::random(rng, center);
        ring.spawn(app);
        let velocity = Vec2::from_angle(rng.f32() * TAU) * 10f32.powf(6.0 * rng.f32());
        let body = Mover {
            response: [
                MoverResponse::Slide,
                MoverResponse::Stop,
                MoverResponse::Bounce,
            ][rng.usize(..3)],
            restitution: [1.0, rng.f32()][rng.usize(..2)],
            ..Mover::with_velocity(velocity)
        };
        let mover = spawn(app, body);
        let mut size = || 0.1 + 1.3 * rng.f32();
        let (width, height) = (size(), size());
        Kind::any(rng).insert(app, mover, Vec2::new(width, height));
        let trial = Self {
            ring,
            mover,
            velocity,
            is_stubborn: rng.bool(),
        };
        trial.place_mover(app, rng);
        trial
    }

    /// A free position in the ring, or its center if none is found soon.
    fn place_mover(&self, app: &mut App, rng: &mut Rng) {
        let center = self.ring.center;
        for attempt in (0..20).rev() {
            let away = if attempt > 0 { 20.0 * rng.f32() } else { 0.0 };
            let start = center + Vec2::from_angle(rng.f32() * TAU) * away;
            let transform = rotated(start, rng.f32() * TAU);
            app.world_mut().entity_mut(self.mover).insert(transform);
            let free = tolerance(start.abs().max_element() + 20.0);
            if self.ring.contains(start) && self.ring.distance(&shape_of(app, self.mover)) > free {
                return;
            }
        }
    }

    /// What is wrong after a frame, and the depth of the mover in a wall, as a fraction of the
    /// tolerance.
    fn check(&self, app: &App) -> (Option<String>, f32) {
        let shape = shape_of(app, self.mover);
        let position = shape.center();
        let depth = -self.ring.distance(&shape);
        let fraction = depth / tolerance(position.abs().max_element() + 20.0);
        let is_held = self.ring.contains(position) && fraction <= 1.0;
        let body = app.world().get::<Mover>(self.mover).unwrap();
        let complaint = || {
            let (walls, velocity) = (&self.ring.walls, self.velocity);
            format!("depth {depth}: {shape:?} of {velocity} {body:?} in {walls:?}")
        };
        ((!is_held).then(complaint), fraction)
    }

    fn push(&self, app: &mut App, rng: &mut Rng) {
        let mut body = app.world_mut().get_mut::<Mover>(self.mover).unwrap();
        if self.is_stubborn {
            body.velocity = self.velocity;
        } else if body.velocity.length() < self.velocity.length() / 2.0 {
            body.velocity = Vec2::from_angle(rng.f32() * TAU).rotate(self.velocity);
        }
    }
}

/// A position up to 100,000 units from the origin, for half of the seeds near it.
fn position_of_rings(rng: &mut Rng) -> Vec2 {
    let limit = 1e5 - ROW as f32 * SPACING;
    let away = if rng.bool() {
        0.0
    } else {
        limit * 10f32.powf(-2.0 * rng.f32())
    };
    let direction = Vec2::from_angle(PI * 2.0 * rng.f32());
    direction / direction.abs().max_element() * away
}

/// One app full of trials. Returns what was wrong with each that failed, and the worst depth as a
/// fraction of the tolerance.
fn trials(seed: u64) -> (Vec<String>, f32) {
    let mut rng = Rng::with_seed(seed);
    let mut app = test_app();
    let corner = position_of_rings(&mut rng);
    let position = |i: usize| corner + SPACING * Vec2::new((i % ROW) as f32, (i / ROW) as f32);
    let mut trials: Vec<Trial> = (0..RINGS)
        .map(|i| Trial::random(&mut app, &mut rng, position(i)))
        .collect();
    let (mut failures, mut worst) = (Vec::new(), f32::NEG_INFINITY);
    for _ in 0..FRAMES {
        let seconds = 48f32.powf(rng.f32()) / 240.0;
        let duration = Duration::from_secs_f32(seconds);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(duration));
        app.update();
        trials.retain(|trial| {
            let (complaint, fraction) = trial.check(&app);
            trial.push(&mut app, &mut rng);
            worst = worst.max(fraction);
            let is_held = complaint.is_none();
            failures.extend(complaint.map(|text| format!("seed {seed}, {seconds} s: {text}")));
            is_held
        });
    }
    (failures, worst)
}

fn assert_no_tunneling(apps: u64) {
    let (mut failures, mut worst) = (Vec::new(), f32::NEG_INFINITY);
    for (more, fraction) in (0..apps).map(trials) {
        failures.extend(more);
        worst = worst.max(fraction);
    }
    let count = apps * RINGS as u64;
    println!("{count} trials, the deepest at {worst} of the tolerance");
    assert!(
        failures.is_empty(),
        "{} of {count}, as {}",
        failures.len(),
        failures[0]
    );
}

#[test]
fn a_ring_of_thin_walls_holds_any_mover() {
    assert_no_tunneling(cases(2, 10));
}

#[test]
#[ignore = "takes minutes"]
fn a_ring_of_thin_walls_holds_any_mover_in_100_000_trials() {
    assert_no_tunneling(1000);
}
