//! The rules of Godot 4's `CharacterBody2D` in its grounded mode with all defaults, upon the casts
//! of this crate.
//!
//! Left out is what the course does not exercise: ceilings, `floor_constant_speed`, layers that
//! carry, and walls that carry. What depends on Godot's physics server rather than on these rules,
//! such as seams between tiles, is not Godot's here.

use bevy::prelude::*;
use bevy_thud::{geometry::separation, prelude::*};

use super::{
    WalkingEngine,
    course::{GRAVITY, MAX_SLOPE},
    ours,
    recording::{Pace, PartGeometry, Platform, capsule, move_platforms},
};
use crate::timer::{start_timer, stop_timer};

/// `safe_margin`: the gap around a body.
const MARGIN: f32 = 0.08;
/// `floor_snap_length`.
const SNAP_LENGTH: f32 = 1.0;
/// `max_slides`.
const MAX_SLIDES: usize = 4;
/// How deep in the margin a body may remain.
const REST_DEPTH: f32 = 0.05 * MARGIN;
/// The number of iterations of depenetration from the margin, and the fraction of the depth that
/// each takes away.
const RECOVERY_PASSES: usize = 4;
const RECOVERY_SHARE: f32 = 0.4;
/// A motion ends at a multiple of this fraction of it.
const FRACTION: f32 = 1.0 / 256.0;
/// The depth in excess of the margin at which a motion still keeps its direction.
const PRECISION: f32 = 0.001;

/// What Godot keeps in the node.
#[derive(Component, Default)]
struct CharacterBody {
    velocity: Vec2,
    is_on_floor: bool,
    is_on_wall: bool,
    floor: Option<Entity>,
}

/// What a body collided with.
struct Hit {
    entity: Entity,
    /// Toward the body.
    normal: Vec2,
    /// How deep it is in the margin.
    depth: f32,
}

/// The result of `move_and_collide`.
struct Moved {
    travel: Vec2,
    remainder: Vec2,
    hit: Option<Hit>,
}

/// Whether a motion keeps its direction although the body was pushed out of the margin.
#[derive(PartialEq)]
enum Sideways {
    Kept,
    Canceled,
}

/// The course, at the poses of the last frame.
struct Space<'a> {
    query: &'a SpatialQuery<'a, 'a>,
    parts: &'a Query<'a, 'a, PartData, Without<Pace>>,
}

type PartData = (
    &'static PartGeometry,
    &'static Transform,
    Option<&'static Platform>,
);

/// The parts of the course are colliders of this crate; walkers have none, and ignore each other.
pub fn engine() -> WalkingEngine {
    WalkingEngine {
        name: "Godot's rules",
        install,
        insert_part: ours::insert_part,
        insert_walker: |entity, _step_height| {
            entity.insert(CharacterBody::default());
        },
        is_on_floor: |walker| (walker.get::<CharacterBody>()).is_some_and(|body| body.is_on_floor),
    }
}

fn install(app: &mut App) {
    // As in Godot, platforms move after the bodies, which know their velocity of the frame before.
    let systems = (start_timer, walk, stop_timer).chain();
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Update, systems.before(move_platforms));
}

fn walk(
    mut bodies: Query<(&mut Transform, &mut CharacterBody, &Pace)>,
    parts: Query<PartData, Without<Pace>>,
    query: SpatialQuery,
    time: Res<Time>,
) {
    let space = Space {
        query: &query,
        parts: &parts,
    };
    let seconds = time.delta_secs();
    for (mut transform, mut body, pace) in &mut bodies {
        body.velocity.x = pace.0;
        body.velocity.y -= GRAVITY * seconds;
        let center = transform.translation.xy();
        let end = body.move_and_slide(center, &space, seconds);
        transform.translation = end.extend(0.0);
    }
}

impl CharacterBody {
    /// Returns the new center.
    fn move_and_slide(&mut self, mut center: Vec2, space: &Space, seconds: f32) -> Vec2 {
        let was_on_floor = self.is_on_floor;
        let rises = self.velocity.y > 0.0;
        let platform = self.floor.take();
        let platform_velocity = platform.map_or(Vec2::ZERO, |floor| space.velocity(floor));
        (self.is_on_floor, self.is_on_wall) = (false, false);
        if platform_velocity != Vec2::ZERO {
            let carried = platform_velocity * seconds;
            let moved = space.move_and_collide(center, carried, Sideways::Kept, platform);
            center += moved.travel;
            self.touch(moved.hit.as_ref());
            self.floor = None;
        }
        center = self.slide(center, space, seconds, was_on_floor);
        if was_on_floor && !rises {
            center += self.snap(center, space, Hit::is_floor);
        }
        if self.is_on_floor && !rises {
            self.velocity.y = 0.0;
        }
        if !self.is_on_floor && !self.is_on_wall {
            self.velocity += platform_velocity;
        }
        center
    }

    /// Moves by the velocity of the body, and returns the new center.
    fn slide(&mut self, mut center: Vec2, space: &Space, seconds: f32, was_on_floor: bool) -> Vec2 {
        let walked = Vec2::X * self.velocity.x * seconds;
        let rises = self.velocity.y > 0.0;
        let mut motion = self.velocity * seconds;
        let mut first_wall = None;
        // The first iteration does not slide along a floor.
        for slides in (0..MAX_SLIDES).map(|index| index > 0) {
            let sideways = if slides {
                Sideways::Kept
            } else {
                Sideways::Canceled
            };
            let moved = space.move_and_collide(center, motion, sideways, None);
            center += moved.travel;
            let Some(hit) = moved.hit else {
                break;
            };
            self.touch(Some(&hit));
            let hardly_moved = moved.travel.length() <= MARGIN + f32::EPSILON;
            let only_falls = (self.velocity.normalize_or_zero() + Vec2::Y).length() < 0.01;
            if self.is_on_floor && only_falls {
                // At rest, also on a slope.
                self.velocity = Vec2::ZERO;
                return if hardly_moved {
                    center - moved.travel
                } else {
                    center
                };
            }
            first_wall.get_or_insert(hit.normal);
            motion = if self.is_on_wall && walked.dot(hit.normal) <= 0.0 {
                if was_on_floor && !self.is_on_floor && !rises {
                    if hardly_moved {
                        center -= moved.travel;
                    }
                    self.velocity = Vec2::ZERO;
                    return center + self.snap(center, space, Hit::is_no_ceiling);
                } else if self.is_on_floor {
                    moved.remainder
                } else {
                    (Vec2::Y * moved.remainder.y).reject_from_normalized(hit.normal)
                }
            } else if slides || !self.is_on_floor {
                let along = moved.remainder.reject_from_normalized(hit.normal);
                if along.dot(self.velocity) > 0.0 {
                    along
                } else {
                    Vec2::ZERO
                }
            } else {
                moved.remainder
            };
            if motion.abs().max_element() < 1e-5 {
                break;
            }
        }
        self.slow_down_at(first_wall, walked);
        center
    }

    /// Scales the velocity along the horizon by the slope of a wall, if the body touches nothing
    /// else.
    fn slow_down_at(&mut self, wall: Option<Vec2>, walked: Vec2) {
        let wall = wall.filter(|normal| walked.dot(*normal) < 0.0);
        if let (Some(normal), true) = (wall, self.is_on_wall && !self.is_on_floor) {
            let along = self.velocity.reject_from_normalized(normal);
            self.velocity.x = if walked.dot(along) < 0.0 {
                0.0
            } else {
                along.x
            };
        }
    }

    /// The displacement to what is within the snap length, if it counts as a floor.
    fn snap(&mut self, center: Vec2, space: &Space, counts: fn(&Hit) -> bool) -> Vec2 {
        if self.is_on_floor {
            return Vec2::ZERO;
        }
        let down = Vec2::NEG_Y * SNAP_LENGTH.max(MARGIN);
        let moved = space.move_and_collide(center, down, Sideways::Kept, None);
        let Some(hit) = moved.hit.filter(counts) else {
            return Vec2::ZERO;
        };
        self.is_on_floor = true;
        self.floor = Some(hit.entity);
        let is_far = moved.travel.length() > MARGIN;
        Vec2::Y * if is_far { moved.travel.y } else { 0.0 }
    }

    fn touch(&mut self, hit: Option<&Hit>) {
        match hit {
            Some(hit) if hit.is_floor() => {
                self.is_on_floor = true;
                self.floor = Some(hit.entity);
            }
            hit => self.is_on_wall |= hit.is_some(),
        }
    }
}

impl Hit {
    fn is_floor(&self) -> bool {
        self.normal.angle_to(Vec2::Y).abs() <= MAX_SLOPE
    }

    /// A walker that a wall stops also stands on the wall.
    fn is_no_ceiling(&self) -> bool {
        self.normal.angle_to(Vec2::NEG_Y).abs() > MAX_SLOPE
    }
}

impl Space<'_> {
    fn velocity(&self, part: Entity) -> Vec2 {
        let platform = self.parts.get(part).ok().and_then(|part| part.2);
        platform.map_or(Vec2::ZERO, |platform| platform.velocity)
    }

    /// Depenetrates a body from the margin, then moves it until something blocks it.
    fn move_and_collide(
        &self,
        center: Vec2,
        motion: Vec2,
        sideways: Sideways,
        ignored: Option<Entity>,
    ) -> Moved {
        let recovery = self.recovery(center, ignored);
        let start = center + recovery;
        let filter = SpatialQueryFilter::default().exclude_all(ignored);
        let blocker = self.query.cast_shape(&capsule(start, 0.0), motion, &filter);
        let (safe, reached) = blocker.map_or((1.0, 1.0), |(_, hit)| {
            let safe = (hit.fraction / FRACTION).floor() * FRACTION;
            (safe.min(1.0), (safe + FRACTION).min(1.0))
        });
        let collides = blocker.is_some() || recovery != Vec2::ZERO;
        let hit = collides
            .then(|| self.deepest(start + reached * motion, ignored))
            .flatten();
        let mut travel = recovery + safe * motion;
        let slack = PRECISION + motion.length() * (reached - safe);
        let is_deep = hit.as_ref().is_some_and(|hit| hit.depth > MARGIN + slack);
        let straight = travel.project_onto_normalized(motion.normalize_or(Vec2::X));
        let mut remainder = (1.0 - safe) * motion;
        if sideways == Sideways::Canceled
            && !is_deep
            && (travel - straight).length() < MARGIN + slack
        {
            travel = straight;
            remainder = motion - travel;
        }
        Moved {
            travel,
            remainder,
            hit,
        }
    }

    /// The displacement that depenetrates a body from the margin around it.
    fn recovery(&self, center: Vec2, ignored: Option<Entity>) -> Vec2 {
        let mut recovery = Vec2::ZERO;
        for _ in 0..RECOVERY_PASSES {
            let hits = self.touched(center + recovery, ignored);
            if hits.is_empty() {
                break;
            }
            let shares = hits.iter().map(|hit| hit.normal * (hit.depth - REST_DEPTH));
            recovery += shares.sum::<Vec2>() * RECOVERY_SHARE;
        }
        recovery
    }

    fn deepest(&self, center: Vec2, ignored: Option<Entity>) -> Option<Hit> {
        let hits = self.touched(center, ignored).into_iter();
        hits.max_by(|a, b| a.depth.total_cmp(&b.depth))
    }

    /// What is in the margin around a body.
    fn touched(&self, center: Vec2, ignored: Option<Entity>) -> Vec<Hit> {
        let filter = SpatialQueryFilter::default().exclude_all(ignored);
        let entities = (self.query).shape_intersections(&capsule(center, MARGIN), &filter);
        let body = capsule(center, 0.0);
        let hits = entities.filter_map(|entity| {
            let (part, transform, _) = self.parts.get(entity).ok()?;
            let found = separation(&body, &part.0.translated(transform.translation.xy()));
            let depth = MARGIN - found.distance;
            (depth > REST_DEPTH + 1e-5).then_some(Hit {
                entity,
                normal: -found.normal,
                depth,
            })
        });
        hits.collect()
    }
}
