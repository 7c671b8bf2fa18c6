//! An audit of the plugin: what it did is compared with what should be, by code that shares no function with it.

use bevy::{ecs::query::QueryData, math::DVec2, prelude::*};
use bevy_thud::prelude::*;

use super::{
    arena::Wall,
    monsters::Monster,
    player::Player,
    stopwatch::WatchStopped,
    tally::{Tally, count_collisions},
};

/// How deep a mover may be in a wall: its skin, and four units in the last place of the arena's largest coordinate.
const TOLERANCE: f64 = 0.02 + 4.0 * 640.0 * f32::EPSILON as f64;
/// How near a mover has to be to what blocks it to touch it: twice the skin.
const TOUCHING: f64 = 0.04;
/// Distances nearer than this to the one that decides are too close to call, for rounding.
const ROUNDING: f64 = 1e-3;

/// What the audit found.
#[derive(Resource, Default, Debug)]
pub struct Audit {
    /// In how many steps a player or a monster was in a wall; two of them in one step are two.
    pub breaches: u32,
    /// In how many steps the starts of collisions minus their ends were not the overlaps there were.
    pub imbalances: u32,
    /// The overlaps after the last step.
    pub overlaps: u64,
    /// What might be one, but is too close to call.
    pub near_overlaps: u64,
}

impl Audit {
    pub fn is_passed(&self) -> bool {
        self.breaches == 0 && self.imbalances == 0
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Audit>().add_systems(
        PostUpdate,
        (
            // Before anybody reacts to the collisions.
            (count_breaches, count_overlaps)
                .chain()
                .in_set(WatchStopped),
            compare_with_events.after(count_collisions),
        ),
    );
}

fn count_breaches(
    bodies: Query<(&Transform, &CircleCollider), Or<(With<Player>, With<Monster>)>>,
    walls: Query<(&Transform, &RectCollider), (With<Wall>, Without<ColliderDisabled>)>,
    mut audit: ResMut<Audit>,
) {
    let walls: Vec<Outline> = walls
        .iter()
        .map(|(at, rect)| Outline::of_rect(at, rect))
        .collect();
    for (at, circle) in &bodies {
        let body = Outline::of_circle(at, circle);
        if walls.iter().any(|wall| body.distance_to(wall) < -TOLERANCE) {
            audit.breaches += 1;
        }
    }
}

fn count_overlaps(colliders: Query<Audited, Without<ColliderDisabled>>, mut audit: ResMut<Audit>) {
    let colliders: Vec<Party> = colliders.iter().filter_map(Party::of).collect();
    audit.overlaps = 0;
    audit.near_overlaps = 0;
    for (i, a) in colliders.iter().enumerate() {
        for b in &colliders[..i] {
            let Some(reach) = a.reach_of_pair(b) else {
                continue;
            };
            let beyond = a.outline.distance_to(&b.outline) - reach;
            if beyond.abs() < ROUNDING {
                audit.near_overlaps += 1;
            } else if beyond < 0.0 {
                audit.overlaps += 1;
            }
        }
    }
}

fn compare_with_events(tally: Res<Tally>, mut audit: ResMut<Audit>) {
    let possible = audit.overlaps..=audit.overlaps + audit.near_overlaps;
    let open = tally.collision_starts.checked_sub(tally.collision_ends);
    if !open.is_some_and(|open| possible.contains(&open)) {
        audit.imbalances += 1;
    }
}

#[derive(QueryData)]
struct Audited {
    at: &'static Transform,
    circle: Option<&'static CircleCollider>,
    rect: Option<&'static RectCollider>,
    layers: &'static CollisionLayers,
    mover: Option<&'static Mover>,
    is_solid: Has<Solid>,
}

/// A collider of the game, and what decides with whom it collides.
struct Party {
    outline: Outline,
    layers: CollisionLayers,
    /// The layers that block it.
    blocked_by: u32,
    is_mover: bool,
    is_solid: bool,
}

impl Party {
    fn of(audited: AuditedItem) -> Option<Self> {
        let outline = match (audited.circle, audited.rect) {
            (Some(circle), _) => Outline::of_circle(audited.at, circle),
            (None, Some(rect)) => Outline::of_rect(audited.at, rect),
            (None, None) => return None,
        };
        let blocking = audited
            .mover
            .filter(|mover| mover.response != MoverResponse::Pass);
        Some(Self {
            outline,
            layers: *audited.layers,
            blocked_by: blocking.map_or(0, |mover| mover.blocked_by.0),
            is_mover: audited.mover.is_some(),
            is_solid: audited.is_solid,
        })
    }

    /// How near the two have to come to collide; none, if they never do.
    fn reach_of_pair(&self, other: &Self) -> Option<f64> {
        let walls = [self, other].map(|party| party.is_solid && !party.is_mover);
        if walls == [true, true] || !self.looks_for(other) || !other.looks_for(self) {
            return None;
        }
        let touches = self.is_blocked_by(other) || other.is_blocked_by(self);
        Some(if touches { TOUCHING } else { 0.0 })
    }

    fn looks_for(&self, other: &Self) -> bool {
        self.layers.filters.0 & other.layers.memberships.0 != 0
    }

    fn is_blocked_by(&self, other: &Self) -> bool {
        other.is_solid && self.blocked_by & other.layers.memberships.0 != 0
    }
}

/// A rectangle with rounded corners. A circle is one without sides.
struct Outline {
    center: DVec2,
    /// Along its sides.
    half_size: DVec2,
    /// The direction of its first side.
    axis: DVec2,
    rounding: f64,
}

impl Outline {
    fn of_circle(at: &Transform, circle: &CircleCollider) -> Self {
        Self {
            center: at.translation.truncate().as_dvec2(),
            half_size: DVec2::ZERO,
            axis: DVec2::X,
            rounding: f64::from(circle.radius),
        }
    }

    fn of_rect(at: &Transform, rect: &RectCollider) -> Self {
        let turn = at.rotation.as_dquat();
        Self {
            center: at.translation.truncate().as_dvec2(),
            half_size: rect.size.as_dvec2() / 2.0,
            axis: DVec2::from_angle(2.0 * turn.z.atan2(turn.w)),
            rounding: 0.0,
        }
    }

    /// How far two outlines are apart, negative where they overlap. At least one of them is a circle: no two rectangles of the
    /// game look for each other.
    fn distance_to(&self, other: &Self) -> f64 {
        if self.half_size != DVec2::ZERO {
            assert_eq!(other.half_size, DVec2::ZERO, "two rectangles");
            return other.distance_to(self);
        }
        let offset = self.center - other.center;
        let local = DVec2::new(offset.dot(other.axis), offset.dot(other.axis.perp()));
        let beyond = local.abs() - other.half_size;
        let outside = beyond.max(DVec2::ZERO).length();
        let inside = beyond.max_element().min(0.0);
        outside + inside - self.rounding - other.rounding
    }
}
