//! A crowd of solid movers pushes through a doorway.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, TOUCHING_SLOP, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::{threads::*, *};

const RADIUS: f32 = 8.0;
const DOOR: f32 = 6.0 * RADIUS;
const THICK: f32 = 20.0;
const SPEED: f32 = 160.0;
const SECOND: usize = 64;

/// A wall with a doorway, a closed room behind it, and monsters before it that all move toward the
/// center of the room.
struct Crowd {
    app: App,
    monsters: Vec<Entity>,
    walls: Vec<Shape>,
    goal: Vec2,
    /// Of the last frame.
    positions: Vec<Vec2>,
}

/// Statistics of a crowd, relative to the radius.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub frames: usize,
    /// The greatest depth of a monster in a wall, in world units beyond rounding.
    pub wall_depth: f32,
    pub overlaps: usize,
    overlap_sum: f64,
    worst_overlap: f32,
    steps_squared: f64,
    longest_step: f32,
}

impl Seen {
    /// The mean over the pairs that overlap.
    pub fn mean_overlap(&self) -> f64 {
        self.overlap_sum / self.overlaps.max(1) as f64
    }

    /// Records the length of a displacement.
    pub fn add_step(&mut self, step: f32) {
        self.steps_squared += f64::from(step * step);
        self.longest_step = self.longest_step.max(step);
    }

    /// Records how much two monsters overlap, if they do.
    pub fn add_overlap(&mut self, overlap: f32) {
        if overlap > 0.0 {
            self.overlaps += 1;
            self.overlap_sum += f64::from(overlap);
            self.worst_overlap = self.worst_overlap.max(overlap);
        }
    }

    /// The root mean square of the displacements of a frame.
    pub fn rms_step(&self, monsters: usize) -> f64 {
        (self.steps_squared / (self.frames * monsters) as f64).sqrt()
    }
}

impl Crowd {
    /// The room is half as wide again as the heap that they make, if it is round.
    fn new(app: App, count: usize) -> Self {
        Self::before_room(app, count, 1.4)
    }

    fn before_room(app: App, count: usize, width: f32) -> Self {
        let half_room = width * RADIUS * (count as f32).sqrt() + 4.0 * RADIUS;
        let mut crowd = Self {
            app,
            monsters: vec![],
            walls: vec![],
            goal: Vec2::new(half_room, 0.0),
            positions: vec![],
        };
        crowd.spawn_walls(half_room);
        let mut rng = Rng::with_seed(9);
        let columns = (count as f32 / 2.0).sqrt().ceil() as usize;
        let rows = count.div_ceil(columns);
        for number in 0..count {
            let (column, row) = (number / rows, number % rows);
            let jitter = Vec2::new(rng.f32(), rng.f32()) * 4.0;
            let position = Vec2::new(
                -(column as f32) * 21.0 - THICK - 2.0 * RADIUS,
                (row as f32 - rows as f32 / 2.0) * 21.0,
            );
            let position = position + jitter;
            let body = (CircleCollider::new(RADIUS), Solid, Mover::default());
            let monster = spawn(&mut crowd.app, (body, rotated(position, 0.0)));
            crowd.monsters.push(monster);
            crowd.positions.push(position);
        }
        crowd
    }

    /// The wall with the doorway is left of zero, the room right of it.
    fn spawn_walls(&mut self, half_room: f32) {
        let (long, depth) = (4.0 * half_room, 2.0 * half_room);
        let beside = (DOOR + long) / 2.0;
        let side = half_room + THICK / 2.0;
        for (center, size) in [
            (Vec2::new(-THICK / 2.0, beside), Vec2::new(THICK, long)),
            (Vec2::new(-THICK / 2.0, -beside), Vec2::new(THICK, long)),
            (Vec2::new(half_room, side), Vec2::new(depth, THICK)),
            (Vec2::new(half_room, -side), Vec2::new(depth, THICK)),
            (
                Vec2::new(depth + THICK / 2.0, 0.0),
                Vec2::new(THICK, depth + 2.0 * THICK),
            ),
        ] {
            let wall = (RectCollider::new(size.x, size.y), Solid);
            spawn(&mut self.app, (wall, rotated(center, 0.0)));
            self.walls.push(Shape::rect(center, size, Rot2::IDENTITY));
        }
    }

    /// Lets all move for some frames.
    fn push(&mut self, speed: f32, frames: usize) -> Seen {
        let mut seen = Seen::default();
        for _ in 0..frames {
            for (&monster, &position) in self.monsters.iter().zip(&self.positions) {
                let through = if position.x < -THICK {
                    Vec2::ZERO
                } else {
                    self.goal
                };
                let heading = (through - position).normalize_or_zero();
                // A monster at the goal does not overshoot it.
                let speed = speed.min(position.distance(self.goal) / STEP_SECS);
                let mut mover = self.app.world_mut().get_mut::<Mover>(monster).unwrap();
                mover.velocity = heading * speed;
            }
            step(&mut self.app);
            self.look(&mut seen);
        }
        seen
    }

    fn look(&mut self, seen: &mut Seen) {
        seen.frames += 1;
        for (position, &monster) in self.positions.iter_mut().zip(&self.monsters) {
            let now = global_position(&self.app, monster);
            seen.add_step(now.distance(*position) / RADIUS);
            *position = now;
            let shape = Shape::circle(now, RADIUS);
            let slop = TOUCHING_SLOP * (now.abs().max_element() + RADIUS);
            for wall in &self.walls {
                let depth = -separation(&shape, wall).distance - slop;
                seen.wall_depth = seen.wall_depth.max(depth);
            }
        }
        let mut sorted = self.positions.clone();
        sorted.sort_by(|p, q| p.x.total_cmp(&q.x));
        for (i, p) in sorted.iter().enumerate() {
            let near = sorted[i + 1..].iter();
            for q in near.take_while(|q| q.x < p.x + 2.0 * RADIUS) {
                seen.add_overlap((2.0 * RADIUS - p.distance(*q)) / RADIUS);
            }
        }
    }

    /// The number of monsters in the room.
    fn arrived(&self) -> usize {
        self.positions
            .iter()
            .filter(|position| position.x > 0.0)
            .count()
    }
}

/// The claims about a crowd that pushes through the door: how many arrive in time, and the
/// statistics.
fn check_pushing(crowd: &mut Crowd, seconds: usize, arrive: usize) {
    let seen = crowd.push(SPEED, seconds * SECOND);
    assert!(seen.wall_depth <= 0.0, "{seen:?}");
    assert!(seen.overlaps > 1000, "nobody pushes: {seen:?}");
    assert!(seen.mean_overlap() < 0.05, "{seen:?}");
    assert!(crowd.arrived() >= arrive, "{} arrived", crowd.arrived());
}

/// The claims about a crowd that keeps pushing, but has nowhere to go.
fn check_rest(crowd: &mut Crowd) {
    crowd.push(SPEED, 5 * SECOND);
    let seen = crowd.push(SPEED, SECOND);
    assert!(seen.rms_step(crowd.monsters.len()) < 0.05, "{seen:?}");
    assert!(seen.wall_depth <= 0.0, "{seen:?}");
    assert!(seen.mean_overlap() < 0.05, "{seen:?}");
}

#[test]
fn a_crowd_pushes_through_a_door_without_harm() {
    let mut crowd = Crowd::new(test_app(), 200);
    check_pushing(&mut crowd, 4, 30);
}

#[test]
fn a_crowd_that_has_arrived_comes_to_rest() {
    let mut crowd = Crowd::new(test_app(), 40);
    crowd.push(SPEED, 10 * SECOND);
    assert_eq!(crowd.arrived(), 40);
    check_rest(&mut crowd);
}

#[test]
#[ignore = "takes a minute"]
fn a_thousand_push_through_a_door_without_harm() {
    let mut crowd = Crowd::new(test_app(), 1000);
    check_pushing(&mut crowd, 10, 100);
    check_rest(&mut crowd);
}

#[test]
#[ignore = "takes minutes"]
fn three_hundred_that_have_arrived_come_to_rest() {
    // Whatever the form of their heap, it must not reach back into the door.
    let mut crowd = Crowd::before_room(test_app(), 300, 2.0);
    for _ in 0..120 {
        if crowd.arrived() < 300 {
            check_pushing(&mut crowd, 1, 0);
        }
    }
    assert_eq!(crowd.arrived(), 300);
    check_rest(&mut crowd);
}

#[test]
#[ignore = "run by a_crowd_moves_the_same_on_any_number_of_threads"]
fn positions_of_a_crowd() {
    let Some(app) = app_with_threads() else {
        return;
    };
    let mut crowd = Crowd::new(app, 600);
    crowd.push(SPEED, 2 * SECOND);
    let mut hasher = DefaultHasher::new();
    for position in &crowd.positions {
        position.to_array().map(f32::to_bits).hash(&mut hasher);
    }
    println!("places: {} {:x}", crowd.arrived(), hasher.finish());
}

#[test]
fn a_crowd_moves_the_same_on_any_number_of_threads() {
    let positions_with = |threads| {
        printed_with_threads(
            threads,
            concat!(module_path!(), "::positions_of_a_crowd"),
            "places: ",
        )
    };
    let with_one = positions_with(1);
    assert!(!with_one.starts_with("places: 0 "), "{with_one}");
    for threads in [2, 3] {
        assert_eq!(positions_with(threads), with_one, "{threads} threads");
    }
}
