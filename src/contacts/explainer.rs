//! Finds out why two entities collide or do not collide.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    collider_lookup::ColliderLookup,
    explanation::{Explanation, Surface},
};
use crate::{
    components::{CollisionLayers, Ignores, OneWay, Solid},
    events::SurfaceContact,
    geometry::{Shape, contact_within, separation, touching_slop},
    index::{
        ColliderEntry, ColliderIndex, LayerNames, MoverRelation, Observer, PairRules, Parents,
        Reason, Side, TableLayers, are_related, is_ancestor, side_of, visit_ancestors,
    },
    movement::{MovePlans, overlap_deeply},
    state::CollidingPairs,
};

/// Applies the rules of the last update to two entities.
#[derive(SystemParam)]
pub(super) struct Explainer<'w, 's> {
    index: Res<'w, ColliderIndex>,
    plans: Res<'w, MovePlans>,
    layer_names: Res<'w, LayerNames>,
    lookup: ColliderLookup<'w, 's>,
    parents: Parents<'w, 's>,
}

impl Explainer<'_, '_> {
    pub fn explain(&self, pairs: &CollidingPairs, a: Entity, b: Entity) -> Explanation {
        let explanation = |subject, reason| Explanation {
            a,
            b,
            collide: pairs
                .find(a, b)
                .map(|pair| pair.seen_from(a).1)
                .ok_or(reason),
            b_blocks_a: Err(reason),
            a_blocks_b: Err(reason),
            subject,
            layers: default(),
            are_from_table: false,
            gap: 0.0,
            margin: 0.0,
            surfaces: [self.surface(a, b), self.surface(b, a)],
            layer_names: *self.layer_names,
        };
        match [a, b].map(|entity| self.lookup.find(&self.index, entity)) {
            _ if a == b => explanation(a, Reason::SameEntity),
            [Err(reason), _] => explanation(a, reason),
            [_, Err(reason)] => explanation(b, reason),
            [Ok(p), Ok(q)] => {
                let rules = PairRules {
                    settings: self.index.settings(),
                    parents: &self.parents,
                };
                let margin = rules.margin(&p, &q);
                let (gap, reason) = distance(&p, &q, margin);
                let by_rules = rules.check_collision(&p, &q).err();
                let is_still_so = |rule: &Reason| *rule != Reason::Ignored || self.ignore(&p, &q);
                let reason = by_rules.filter(is_still_so).unwrap_or(reason);
                let is_below = is_ancestor(b, a, &self.parents);
                let subject = match reason {
                    Reason::Ignored => p.ignored_by(&q),
                    _ => p.common_mover(&q),
                };
                let subject = subject.unwrap_or(if is_below { b } else { a });
                Explanation {
                    b_blocks_a: self.check_blocker(&p, &q),
                    a_blocks_b: self.check_blocker(&q, &p),
                    layers: [p.role.layers, q.role.layers],
                    are_from_table: [a, b].iter().all(|&entity| self.is_from_table(entity)),
                    gap,
                    margin,
                    ..explanation(subject, reason)
                }
            }
        }
    }

    /// What a walker took another entity for in the last update.
    fn surface(&self, walker: Entity, other: Entity) -> Option<Surface> {
        let (rules, ground) = self.plans.walk_of(walker)?;
        let is_other = |contact: &&SurfaceContact| contact.entity == other;
        if ground.floor().filter(is_other).is_some() {
            Some(Surface::Floor)
        } else if let Some(wall) = ground.wall().filter(is_other) {
            Some(Surface::Wall {
                slope: rules.slope(wall.normal),
                max_slope: rules.max_slope(),
            })
        } else {
            (ground.ceiling().filter(is_other)).map(|_| Surface::Ceiling)
        }
    }

    /// Whether `wall` blocks `mover`, or why not.
    fn check_blocker(&self, mover: &ColliderEntry, wall: &ColliderEntry) -> Result<(), Reason> {
        if mover.role.moved_by != MoverRelation::Itself {
            let find = |owner| self.lookup.find(&self.index, owner);
            return match mover.mover().map(find) {
                Some(Ok(owner)) if mover.role.moved_by == MoverRelation::Part => {
                    self.check_blocker(&owner, wall)
                }
                Some(Err(reason @ Reason::MoverWithoutCollider)) if wall.role.is_solid() => {
                    Err(reason)
                }
                _ => Err(Reason::NoMover),
            };
        }
        if self.lookup.passes(mover.entity) {
            return Err(Reason::Passes);
        }
        match mover.check_blocker(wall) {
            Err(Reason::NotSolid) => return Err(self.why_not_solid(wall.entity)),
            Err(Reason::Ignored) if !self.ignore(mover, wall) => (),
            checked => checked?,
        }
        if are_related(mover, wall, &self.parents) {
            return Err(Reason::Related);
        }
        if (wall.mover()).is_some_and(|rider| self.plans.carries(mover.entity, rider)) {
            return Err(Reason::Carried);
        }
        let is_mover = wall.role.moved_by == MoverRelation::Itself;
        if is_mover && overlap_deeply(mover.shape, wall.shape) {
            return Err(Reason::DeepInMover);
        }
        self.check_one_way(mover, wall)
    }

    /// Whether the component by which two colliders ignored each other is still there.
    fn ignore(&self, a: &ColliderEntry, b: &ColliderEntry) -> bool {
        let owner = a.ignored_by(b);
        owner.is_some_and(|owner| self.lookup.has_component::<Ignores>(owner))
    }

    /// Whether an entity has its layers from the table.
    fn is_from_table(&self, entity: Entity) -> bool {
        self.lookup.has_component::<TableLayers>(entity)
            && !self.lookup.has_component::<CollisionLayers>(entity)
    }

    /// Why a collider is not solid, though its game may have meant it to be.
    fn why_not_solid(&self, collider: Entity) -> Reason {
        if self.lookup.has_component::<OneWay>(collider) {
            return Reason::OneWayNotSolid;
        }
        let mut is_below_solid = false;
        // No collider has parents in a cycle.
        let _ = visit_ancestors(Some(collider), |ancestor| {
            is_below_solid |=
                self.lookup.has_component::<Solid>(ancestor) && !self.lookup.is_collider(ancestor);
            self.parents.get(ancestor).ok().map(ChildOf::parent)
        });
        if is_below_solid {
            Reason::SolidOnParent
        } else {
            Reason::NotSolid
        }
    }

    /// Whether a wall that may be one-way blocks `mover`, from where it was when the update began.
    fn check_one_way(&self, mover: &ColliderEntry, wall: &ColliderEntry) -> Result<(), Reason> {
        let observer = Observer {
            entry: mover,
            parents: &self.parents,
        };
        let Some(one_way) = self.index.one_way_wall(wall, Some(observer)) else {
            return Ok(());
        };
        let start = self.index.path(mover).first();
        let start = start.map_or(Vec2::ZERO, |waypoint| waypoint.offset);
        let start = mover.shape.translated(start);
        let mover_start = self.plans.start_of(mover, &start);
        let drops_through =
            mover_start.drops_through && !mover_start.is_outside(&one_way, wall.shape);
        match mover_start.side_of(&one_way, wall.shape) {
            Side::Blocking if drops_through => Err(Reason::DropsThrough),
            Side::Blocking if self.has_jumped_over(wall, mover.entity, &start) => {
                Err(Reason::BehindOneWay)
            }
            Side::Blocking => Ok(()),
            Side::Inside => Err(Reason::InOneWay),
            Side::Free => Err(Reason::BehindOneWay),
        }
    }

    /// Whether a one-way wall that is not swept was moved over a mover, which began the update as
    /// `start`. It carries along who stands on it.
    fn has_jumped_over(&self, wall: &ColliderEntry, mover: Entity, start: &Shape) -> bool {
        let stands_on_it = self.surface(mover, wall.entity) == Some(Surface::Floor);
        let arrived = self.index.one_way_wall(wall, None);
        let is_behind =
            arrived.is_some_and(|arrived| side_of(&arrived, wall.shape, start) == Side::Free);
        is_behind && !wall.role.is_swept() && !stands_on_it
    }
}

/// The distance of two colliders, and why they do not collide if no rule says so.
fn distance(a: &ColliderEntry, b: &ColliderEntry, margin: f32) -> (f32, Reason) {
    // In the order of detection, which rounds as well.
    let [a, b] = if a.order() < b.order() {
        [a.shape, b.shape]
    } else {
        [b.shape, a.shape]
    };
    let gap = separation(a, b).distance;
    let reason = if contact_within(a, b, margin).is_some() {
        Reason::Changed
    } else if gap <= margin + touching_slop(a, b) {
        Reason::Touching
    } else {
        Reason::Apart
    };
    (gap, reason)
}
