//! An audit of the plugin: compares its results with those of code that shares no function with it.

use std::{collections::HashSet, mem};

use bevy::{ecs::query::QueryData, math::DVec2, prelude::*};
use bevy_thud::prelude::*;

use super::{
    super::game::{arena::Wall, layers::Layer, monsters::Monster, player::Player, press::Press},
    stopwatch::WatchStopped,
    tally::{Tally, count_collisions},
};

/// How deep a mover may be in a wall: its skin width, and four ulp of the arena's largest
/// coordinate.
const TOLERANCE: f64 = 0.02 + 4.0 * 640.0 * f32::EPSILON as f64;
/// A mover collides with what blocks it if they are nearer than this: twice the skin width.
const TOUCHING: f64 = 0.04;
/// Distances that differ from the threshold by less than this are too close to call, due to
/// rounding.
const ROUNDING: f64 = 1e-3;

/// The findings of the audit.
#[derive(Resource, Default, Debug)]
pub struct Audit {
    /// How often a player or a monster was in a wall, once for each step; came through a turnstile
    /// against its direction; or was reported as crushed without being so.
    pub breaches: u32,
    /// In how many steps the starts of collisions minus their ends differed from the number of
    /// overlaps, or the number of crushed bodies differed from the one that was reported.
    pub imbalances: u32,
    /// How many players and monsters a press crushed.
    pub crushed: u32,
    /// The overlaps after the last step.
    pub overlaps: u64,
    /// Pairs that are too close to call.
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
            // Before any system or observer reacts to the collisions.
            (count_breaches, count_wrong_ways, count_overlaps)
                .chain()
                .in_set(WatchStopped),
            compare_with_events.after(count_collisions),
        ),
    );
}

type IsBody = Or<(With<Player>, With<Monster>)>;

fn count_breaches(
    bodies: Query<(&Transform, &CircleCollider, &MoverHits), IsBody>,
    walls: Query<
        (&Transform, &RectCollider, Has<Press>),
        (With<Wall>, Without<OneWay>, Without<ColliderDisabled>),
    >,
    mut audit: ResMut<Audit>,
) {
    let walls: Vec<(Outline, bool)> = walls
        .iter()
        .map(|(at, rect, is_press)| (Outline::of_rect(at, rect), is_press))
        .collect();
    for (at, circle, hits) in &bodies {
        let body = Outline::of_circle(at, circle);
        let to_walls = || walls.iter().map(|(wall, _)| body.distance_to(wall));
        if hits.is_crushed() && is_pressed(&body, &walls) {
            audit.crushed += 1;
        } else if hits.is_crushed() || to_walls().any(|distance| distance < -TOLERANCE) {
            audit.breaches += 1;
        }
    }
}

/// Whether a body and its skin do not fit between a press and another wall.
fn is_pressed(body: &Outline, walls: &[(Outline, bool)]) -> bool {
    let gap_to = |a_press: bool| {
        walls
            .iter()
            .filter(|(_, is_press)| *is_press == a_press)
            .map(|(wall, _)| body.distance_to(wall))
            .fold(f64::INFINITY, f64::min)
    };
    gap_to(true) + gap_to(false) < TOUCHING
}

/// A body that was in front of a turnstile and now overlaps it came against its direction.
fn count_wrong_ways(
    bodies: Query<(Entity, &Transform, &CircleCollider), IsBody>,
    turnstiles: Query<(Entity, &Transform, &RectCollider, &OneWay), With<Wall>>,
    mut before: Local<HashSet<[Entity; 2]>>,
    mut audit: ResMut<Audit>,
) {
    let were_before = mem::take(&mut *before);
    for (turnstile, at, rect, one_way) in &turnstiles {
        let outline = Outline::of_rect(at, rect);
        let direction = one_way.0.as_dvec2().rotate(outline.axis);
        for (entity, at, circle) in &bodies {
            let pair = [turnstile, entity];
            let body = Outline::of_circle(at, circle);
            let distance = body.distance_to(&outline);
            if distance < -TOLERANCE && were_before.contains(&pair) {
                audit.breaches += 1;
            }
            if distance >= 0.0 && (body.center - outline.center).dot(direction) > 0.0 {
                before.insert(pair);
            }
        }
    }
}

fn count_overlaps(
    colliders: Query<Audited, Without<ColliderDisabled>>,
    table: Res<LayerTable<Layer>>,
    mut audit: ResMut<Audit>,
) {
    let parties = colliders.iter();
    let colliders: Vec<Party> = parties.filter_map(|it| Party::of(it, &table)).collect();
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
    let is_balanced = open.is_some_and(|open| possible.contains(&open));
    if !is_balanced || audit.crushed != tally.crushed {
        audit.imbalances += 1;
    }
}

#[derive(QueryData)]
struct Audited {
    at: &'static Transform,
    circle: Option<&'static CircleCollider>,
    rect: Option<&'static RectCollider>,
    layer: &'static Layer,
    mover: Option<&'static Mover>,
    is_solid: Has<Solid>,
}

/// A collider of the game, and everything that decides with whom it collides.
struct Party {
    outline: Outline,
    layers: CollisionLayers,
    /// The layers that block it.
    blocked_by: u32,
    is_mover: bool,
    is_solid: bool,
}

impl Party {
    fn of(audited: AuditedItem, table: &LayerTable<Layer>) -> Option<Self> {
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
            layers: table.layers(audited.layer),
            blocked_by: blocking.map_or(0, |mover| mover.blocked_by.0),
            is_mover: audited.mover.is_some(),
            is_solid: audited.is_solid,
        })
    }

    /// The distance below which the two collide, or `None` if they never do.
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

/// A rounded rectangle. A circle is one of size zero.
struct Outline {
    center: DVec2,
    /// Along its own axes.
    half_size: DVec2,
    /// The direction of its first axis.
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

    /// The distance between two outlines, negative if they overlap. At least one of them is a
    /// circle: no two rectangles of the game collide.
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
