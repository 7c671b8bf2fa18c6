//! Finds out why two entities collide or do not collide.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{Blocking, Explanation, Lack, Verdict, Walkable};
use crate::{
    components::{CollisionLayers, LayerMask, Mover, OneWay, Rigid, Solid},
    contacts::collider_lookup::ColliderLookup,
    events::SurfaceContact,
    geometry::{Shape, contact_within, separation, touching_slop},
    index::{
        ColliderEntry, ColliderIndex, FilterReason, LayerNames, MoverRelation, Observer,
        OneWayWall, PairRules, Parents, PassReason, Side, are_related, is_ancestor, side_of,
        visit_ancestors,
    },
    movement::{MovePlans, overlap_deeply},
    state::CollidingPairs,
};

/// Applies the rules of the last update to two entities.
#[derive(SystemParam)]
pub(crate) struct Explainer<'w, 's> {
    index: Res<'w, ColliderIndex>,
    plans: Res<'w, MovePlans>,
    layer_names: Res<'w, LayerNames>,
    lookup: ColliderLookup<'w, 's>,
    parents: Parents<'w, 's>,
}

impl Explainer<'_, '_> {
    pub fn explain(&self, pairs: &CollidingPairs, a: Entity, b: Entity) -> Explanation {
        let sides = [a, b].map(|entity| self.lookup.find(&self.index, entity));
        let blocking = |mover: usize, wall: usize| match (&sides[mover], &sides[wall]) {
            (Ok(mover), Ok(wall)) if a != b => Some(self.blocking(mover, wall)),
            _ => None,
        };
        let verdict = match (pairs.find(a, b), &sides) {
            (Some(contact), _) => Verdict::Collide(contact),
            _ if a == b => Verdict::SameEntity,
            (None, [Ok(p), Ok(q)]) => self.verdict(p, q),
            (None, &[Err(absence), _]) => Verdict::Absent { entity: a, absence },
            (None, &[_, Err(absence)]) => Verdict::Absent { entity: b, absence },
        };
        Explanation {
            a,
            b,
            verdict,
            b_blocks_a: blocking(0, 1),
            a_blocks_b: blocking(1, 0),
            a_walks_on_b: self.walkable(a, b),
            b_walks_on_a: self.walkable(b, a),
            lacks: [self.lack(a, b), self.lack(b, a)],
            layer_names: *self.layer_names,
        }
    }

    /// What a walker took another entity for in the last update.
    fn walkable(&self, walker: Entity, other: Entity) -> Option<Walkable> {
        let (rules, ground) = self.plans.walk_of(walker)?;
        let is_other = |contact: Option<&SurfaceContact>| {
            contact.copied().filter(|contact| contact.entity == other)
        };
        if is_other(ground.floor()).is_some() {
            Some(Walkable::Floor)
        } else if let Some(wall) = is_other(ground.wall()) {
            Some(Walkable::Wall {
                slope: rules.slope(wall.normal),
                max_slope: rules.max_slope(),
            })
        } else {
            is_other(ground.ceiling()).map(|_| Walkable::Ceiling)
        }
    }

    /// What an entity lacks to be blocked by another one, or to block.
    fn lack(&self, entity: Entity, other: Entity) -> Lack {
        let lookup = &self.lookup;
        let is_solid = |entity| lookup.has_component::<Solid>(entity);
        let (mut nearest_mover, mut has_solid_ancestor) = (None, false);
        // A cycle of parents ends the search.
        let _ = visit_ancestors(Some(entity), |ancestor| {
            if lookup.has_component::<Mover>(ancestor) {
                nearest_mover = nearest_mover.or(Some(ancestor));
            }
            let is_bare = ancestor != entity && !lookup.is_collider(ancestor);
            has_solid_ancestor |= is_bare && is_solid(ancestor);
            self.parents.get(ancestor).ok().map(ChildOf::parent)
        });
        if is_solid(other) && nearest_mover.is_some_and(|mover| !lookup.is_collider(mover)) {
            Lack::MoverCollider
        } else if is_solid(entity) {
            Lack::Nothing
        } else if lookup.has_component::<OneWay>(entity) {
            Lack::Solid
        } else if has_solid_ancestor {
            Lack::SolidOfAncestor
        } else {
            Lack::Nothing
        }
    }

    /// Why two colliders do not collide.
    fn verdict(&self, a: &ColliderEntry, b: &ColliderEntry) -> Verdict {
        let rules = PairRules {
            settings: self.index.settings(),
            parents: &self.parents,
        };
        match rules.filter_reason(a, b) {
            Some(FilterReason::Layers) => Verdict::Layers {
                a_lacks: missing_layers(a.role.layers, b.role.layers),
                b_lacks: missing_layers(b.role.layers, a.role.layers),
            },
            Some(FilterReason::Ignored) => Verdict::Ignored,
            Some(FilterReason::Walls) => Verdict::Walls,
            Some(FilterReason::SameBody(mover)) => Verdict::SameBody { mover },
            Some(FilterReason::Related) => self.related(a.entity, b.entity),
            None => distance_verdict(a, b, rules.margin(a, b)),
        }
    }

    fn related(&self, a: Entity, b: Entity) -> Verdict {
        let (ancestor, descendant) = if is_ancestor(a, b, &self.parents) {
            (a, b)
        } else {
            (b, a)
        };
        Verdict::Related {
            ancestor,
            descendant,
        }
    }

    /// Whether `wall` blocks `mover`, or why not.
    fn blocking(&self, mover: &ColliderEntry, wall: &ColliderEntry) -> Blocking {
        if mover.role.moved_by != MoverRelation::Itself {
            return match self.rigid_owner(mover) {
                Some(owner) => self.blocking(&owner, wall),
                None => Blocking::NoMover,
            };
        }
        if self.lookup.passes(mover.entity) {
            return Blocking::Passes;
        }
        match mover.pass_reason(wall) {
            Some(PassReason::NotSolid) => Blocking::NotSolid,
            Some(PassReason::NotBlockedBy) => Blocking::NotBlockedBy {
                lacks: wall.role.layers.memberships,
            },
            Some(PassReason::Layers) => Blocking::Layers,
            Some(PassReason::Ignored) => Blocking::Ignored,
            Some(PassReason::SameBody) => Blocking::SameBody,
            None if are_related(mover, wall, &self.parents) => Blocking::SameBody,
            None if (wall.mover()).is_some_and(|rider| self.plans.carries(mover.entity, rider)) => {
                Blocking::Carried
            }
            None if wall.role.moved_by == MoverRelation::Itself
                && overlap_deeply(mover.shape, wall.shape) =>
            {
                Blocking::DeepInMover
            }
            None => self.one_way_blocking(mover, wall),
        }
    }

    /// The mover with which a collider below it is blocked.
    fn rigid_owner(&self, collider: &ColliderEntry) -> Option<ColliderEntry<'_>> {
        let mover = collider.mover()?;
        let is_rigid = self.lookup.has_component::<Rigid>(collider.entity);
        let owner = self.lookup.find(&self.index, mover).ok();
        owner.filter(|owner| is_rigid && owner.role.moved_by == MoverRelation::Itself)
    }

    /// Whether a wall that may be one-way blocks `mover`, from where it was when the update began.
    fn one_way_blocking(&self, mover: &ColliderEntry, wall: &ColliderEntry) -> Blocking {
        let observer = Observer {
            entry: mover,
            parents: &self.parents,
        };
        let Some(one_way) = self.index.one_way_wall(wall, Some(observer)) else {
            return Blocking::Blocks;
        };
        let start = self.index.path(mover).first();
        let start = start.map_or(Vec2::ZERO, |waypoint| waypoint.offset);
        let start = mover.shape.translated(start);
        let wall_start = wall.shape.translated(-one_way.delta);
        match side_of(&one_way, wall.shape, &start) {
            Side::Blocking if self.plans.drops_through(mover, &start, &wall_start) => {
                Blocking::DropsThrough
            }
            Side::Blocking if self.has_jumped_over(wall, mover.entity, &start) => {
                Blocking::BehindOneWay
            }
            Side::Blocking => Blocking::Blocks,
            Side::Inside => Blocking::InOneWay,
            Side::Free => Blocking::BehindOneWay,
        }
    }

    /// Whether a one-way wall that is not swept was moved over a mover, which began the update as
    /// `start`. It carries along who stands on it.
    fn has_jumped_over(&self, wall: &ColliderEntry, mover: Entity, start: &Shape) -> bool {
        let stands_on_it = self.walkable(mover, wall.entity) == Some(Walkable::Floor);
        let is_behind = self.index.one_way_wall(wall, None).is_some_and(|one_way| {
            let arrived = OneWayWall {
                delta: Vec2::ZERO,
                ..one_way
            };
            side_of(&arrived, wall.shape, start) == Side::Free
        });
        is_behind && !wall.role.is_swept && !stands_on_it
    }
}

/// The memberships of `other`, unless the filters of `layers` contain one of them.
fn missing_layers(layers: CollisionLayers, other: CollisionLayers) -> Option<LayerMask> {
    (!layers.filters_match(other)).then_some(other.memberships)
}

/// Why two colliders that no rule keeps apart do not collide.
fn distance_verdict(a: &ColliderEntry, b: &ColliderEntry, margin: f32) -> Verdict {
    // In the order of detection, which rounds as well.
    let [a, b] = if a.order() < b.order() {
        [a, b]
    } else {
        [b, a]
    };
    if contact_within(a.shape, b.shape, margin).is_some() {
        return Verdict::Changed;
    }
    let gap = separation(a.shape, b.shape).distance;
    if gap <= margin + touching_slop(a.shape, b.shape) {
        Verdict::Touching { gap, margin }
    } else {
        Verdict::Apart { gap, margin }
    }
}
