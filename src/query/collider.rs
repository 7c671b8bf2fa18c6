//! What-if queries about a collider: would it fit there, and where would it go?

use std::{iter::once, sync::Arc};

use bevy::prelude::*;

use super::{MoveOutcome, SpatialQuery, SpatialQueryIter, results::Found};
use crate::{
    aabb::grow,
    components::{Mover, MoverResponse, Walker},
    events::Ground,
    geometry::{Contact, Shape, contact_within, separation, touching_slop},
    index::{ColliderEntry, MoverRelation, PairRules, Side, are_related, effective_skin, side_of},
    movement::{MIN_SKIN_FRACTION, Motion, Walk, compound, overlap_deeply},
};

/// A collider that exists, to find out what would happen to it: at its place, or elsewhere, or with
/// another shape. It has the layers, the skin, the body and the [`Ignores`](crate::Ignores) of its
/// entity, and the shape of a mover includes its [parts](crate::MoverPart).
///
/// Made by [`SpatialQuery::of`]. Everything is as of the last update.
///
/// ```
/// # use bevy::{math::Affine2, prelude::*};
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Crouches;
/// /// Stands up where there is room.
/// fn stand_up(
///     hero: Single<(Entity, &Transform), (With<Mover>, With<Crouches>)>,
///     query: SpatialQuery,
///     mut commands: Commands,
/// ) {
///     let (hero, transform) = *hero;
///     let standing = RectCollider::new(10.0, 20.0);
///     let there = Affine2::from_translation(transform.translation.truncate());
///     let standing_there = standing.shape().transformed(&there);
///     if query.of(hero).is_some_and(|hero| hero.with_shape(standing_there).fits()) {
///         commands.entity(hero).remove::<Crouches>().insert(standing);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(stand_up);
/// ```
pub struct ColliderQuery<'a> {
    query: &'a SpatialQuery<'a, 'a>,
    entry: ColliderEntry<'a>,
    shape: Shape,
}

impl SpatialQuery<'_, '_> {
    /// Questions about the collider of an entity. `None` if the entity had no active collider in
    /// the last update: it was spawned later (see [`refresh_colliders`](crate::refresh_colliders)),
    /// it is disabled, or [`Collisions::explain`](crate::Collisions::explain) says why.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// How far a ghost would dash to the right, among what would block it.
    /// fn preview(ghost: Single<Entity, With<Mover>>, query: SpatialQuery) {
    ///     if let Some(ghost) = query.of(*ghost) {
    ///         let outcome = ghost.sweep(Vec2::X * 120.0);
    ///         info!("it ends {} away", outcome.displacement.length());
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(preview);
    /// ```
    pub fn of(&self, entity: Entity) -> Option<ColliderQuery<'_>> {
        let registration = self.registrations.get(entity).ok()?;
        let entry = self.index.get(registration.slot, entity)?;
        Some(ColliderQuery {
            query: self,
            entry,
            shape: self.whole_shape(&entry),
        })
    }

    /// The shape of a collider, with those of the parts of a mover.
    fn whole_shape(&self, entry: &ColliderEntry) -> Shape {
        let mut parts = self.index.parts_of(entry.entity).peekable();
        if parts.peek().is_none() {
            return entry.shape.clone();
        }
        compound(
            entry.shape,
            parts.map(|part| part.shape),
            &mut Arc::default(),
        )
    }
}

impl<'a> ColliderQuery<'a> {
    /// Its shape in world space.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The same collider as if it had this shape, in world space: see
    /// [`Collider::shape`](crate::Collider::shape) and [`Shape::transformed`].
    #[must_use]
    pub fn with_shape(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// The same collider as if it were elsewhere, by this offset in world units.
    #[must_use]
    pub fn moved_by(self, offset: Vec2) -> Self {
        Self {
            shape: self.shape.translated(offset),
            ..self
        }
    }

    /// Whether there is room for it: what fits, and rests there, is not moved by the next update,
    /// pushes nobody and bumps into nothing.
    ///
    /// - A [`Mover`] or a [`MoverPart`](crate::MoverPart) keeps nine tenths of its
    ///   [`skin_width`](Mover::skin_width) to walls, and of the smaller one to other movers. Where
    ///   walls leave no room for the skin on either side, it fits if they do not overlap it.
    /// - Another [`Solid`](crate::Solid) collider, such as a door or a crate, keeps away from
    ///   movers that it blocks, and overlaps no other `Solid` collider, if the layers of the two
    ///   let them collide.
    /// - All others fit everywhere.
    ///
    /// [`OneWay`](crate::OneWay) walls let in what is in them, so there is room in them. False if
    /// the shape is not finite. What a [`Swept`](crate::Swept) wall pushes on its path to there is
    /// not considered.
    #[doc(alias = "test_move")]
    pub fn fits(&self) -> bool {
        self.shape.is_finite() && self.in_the_way().is_empty()
    }

    /// The entities for which it does not [fit](Self::fits), sorted.
    pub fn in_the_way(&self) -> SpatialQueryIter<Entity> {
        let mut found = Found::new();
        let area = grow(&self.shape.aabb(), self.skin());
        let mut is_mover_found = false;
        self.query.index.visit_overlapping(&area, |other| {
            let least = self.least_distance(&other);
            if least.is_some_and(|least| separation(&self.shape, other.shape).distance < least) {
                is_mover_found |= !other.role.is_wall();
                found.push((other.order(), ()));
            }
        });
        if self.is_body() && !is_mover_found && !found.is_empty() && self.rests() {
            found.clear();
        }
        SpatialQueryIter::sorted_by_entity(found, |entity, ()| entity)
    }

    /// The distance below which another collider leaves it no room, in world units, or `None` if
    /// there always is.
    fn least_distance(&self, other: &ColliderEntry) -> Option<f32> {
        if self.is_related(other) {
            return None;
        }
        let own = self.entry;
        let yields = self.is_body()
            && own.is_blocked_by(other)
            && !self.lets_in(other, other.shape, &self.shape);
        let parts = self.query.index.parts_of(own.entity);
        let other_yields = other.role.moved_by.is_body()
            && once(own).chain(parts).any(|part| {
                other.is_blocked_by(&part) && !self.lets_in(&part, &self.shape, other.shape)
            });
        if yields || other_yields {
            // Of two movers, only one that moves keeps the larger skin.
            let movers = [&own, other].into_iter();
            let movers = movers.filter(|entry| entry.role.moved_by.is_body());
            let skin = movers.map(|entry| entry.skin).reduce(f32::min)?;
            let skins = [&self.shape, other.shape].map(|shape| effective_skin(skin, shape));
            return Some(MIN_SKIN_FRACTION * skins[0].max(skins[1]));
        }
        let are_solid = own.role.is_solid() && other.role.is_solid();
        let are_walls = are_solid && !self.is_body() && !other.role.moved_by.is_body();
        let overlap = are_walls
            && own.entity != other.entity
            && own.role.layers.interacts_with(other.role.layers)
            && !own.ignores(other)
            && own.common_mover(other).is_none()
            && !self.lets_in(&own, &self.shape, other.shape)
            && !self.lets_in(other, other.shape, &self.shape);
        overlap.then(|| -touching_slop(&self.shape, other.shape))
    }

    /// Whether a wall is one-way, and lets a mover be where it is.
    fn lets_in(&self, wall: &ColliderEntry, shape: &Shape, mover: &Shape) -> bool {
        let one_way = self.query.index.one_way_wall(wall, None);
        one_way.is_some_and(|one_way| side_of(&one_way, shape, mover) != Side::Blocking)
    }

    /// Whether the walls around it would leave it where it is.
    fn rests(&self) -> bool {
        let mover = Mover {
            blocked_by: self.entry.role.blocked_by,
            skin_width: self.entry.skin,
            ..default()
        };
        let outcome = self.move_and_slide(&mover, 1.0);
        let most = (1.0 - MIN_SKIN_FRACTION) * self.skin();
        !outcome.is_crushed && outcome.displacement.length() <= most
    }

    /// Whether it is a mover or a part of one.
    fn is_body(&self) -> bool {
        self.entry.role.moved_by.is_body()
    }

    fn skin(&self) -> f32 {
        effective_skin(self.entry.skin, &self.shape)
    }

    /// What it would collide with, sorted by entity, each with the contact as seen from it: the
    /// pairs of [`Collisions::of`](crate::Collisions::of), had it ended an update there. For a
    /// mover with [parts](crate::MoverPart), what the whole of it would touch, by the layers of the
    /// mover.
    pub fn contacts(&self) -> SpatialQueryIter<(Entity, Contact)> {
        let index = &self.query.index;
        let rules = PairRules {
            settings: index.settings(),
            parents: &self.query.parents,
        };
        let mut found = Found::new();
        let mut entry = self.entry;
        entry.shape = &self.shape;
        let skin = entry.effective_skin();
        let area = grow(&self.shape.aabb(), rules.settings.margin.max(2.0 * skin));
        index.visit_overlapping(&area, |other| {
            if other.entity != entry.entity
                && rules.should_collide(&entry, &other)
                && let Some(contact) =
                    contact_within(&self.shape, other.shape, rules.margin(&entry, &other))
            {
                found.push((other.order(), contact));
            }
        });
        SpatialQueryIter::sorted_by_entity(found, |entity, contact| (entity, contact))
    }

    /// How far it can go along a displacement, in world units, until it is blocked a skin away. If
    /// something is nearer than its skin at the start, it is moved away first, as in an update.
    ///
    /// For corner correction, ledges and dashes. Only movers are blocked.
    pub fn sweep(&self, displacement: Vec2) -> MoveOutcome {
        let mover = Mover {
            displacement,
            response: MoverResponse::Stop,
            blocked_by: self.entry.role.blocked_by,
            skin_width: self.entry.skin,
            ..default()
        };
        self.move_and_slide(&mover, 1.0)
    }

    /// Predicts its move with this [`Mover`] in this many `seconds`, without moving anything: the
    /// result is that of an update in which nothing else moves.
    ///
    /// Like [`SpatialQuery::move_and_slide`], without a shape and a filter to be set up.
    pub fn move_and_slide(&self, mover: &Mover, seconds: f32) -> MoveOutcome {
        let motion = Motion::of(mover, &self.shape, seconds);
        self.move_among(&motion, mover, &Ground::default())
    }

    /// Like [`move_and_slide`](Self::move_and_slide), for a [`Walker`] that touches this [`Ground`]
    /// at the start: it follows the floor, and climbs steps. No floor or conveyor carries it. A
    /// mover whose response is not `Slide` does not walk: it moves as by `move_and_slide`.
    ///
    /// Pass the [ground](MoveOutcome::ground) and the velocity of the outcome to look ahead by
    /// another update.
    pub fn walk(
        &self,
        mover: &Mover,
        walker: &Walker,
        ground: &Ground,
        seconds: f32,
    ) -> MoveOutcome {
        let slides = mover.response == MoverResponse::Slide;
        let motion = Motion {
            walk: slides.then(|| Walk::new(walker, ground)),
            ..Motion::of(mover, &self.shape, seconds)
        };
        self.move_among(&motion, mover, ground)
    }

    fn move_among(&self, motion: &Motion, mover: &Mover, ground: &Ground) -> MoveOutcome {
        let mut role = *self.entry.role;
        role.blocked_by = mover.effective_blocked_by();
        let mut entry = self.entry;
        entry.role = &role;
        let blocks = |other: &ColliderEntry| self.blocks(&entry, other);
        let outcome = self.query.move_among(motion, ground, blocks);
        outcome.in_time_of(mover)
    }

    /// Whether another collider would block this one in an update. `entry` is this one.
    fn blocks(&self, entry: &ColliderEntry, other: &ColliderEntry) -> bool {
        let carries = |rider| self.query.plans.carries(entry.entity, rider);
        let is_in_it = || {
            other.role.moved_by == MoverRelation::Itself && overlap_deeply(&self.shape, other.shape)
        };
        entry.is_blocked_by(other)
            && !self.is_related(other)
            && !other.mover().is_some_and(carries)
            && !is_in_it()
    }

    fn is_related(&self, other: &ColliderEntry) -> bool {
        are_related(&self.entry, other, &self.query.parents)
    }
}
