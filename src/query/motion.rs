//! Where a mover would end up.

use std::cell::Cell;

use bevy::prelude::*;

use super::{SpatialQuery, SpatialQueryFilter};
use crate::{
    components::Mover,
    events::{BlockingHit, Ground},
    geometry::Shape,
    index::ColliderEntry,
    movement::{
        Blockers, Motion, MoverStart, SlideBuffers, Trajectory, WHOLE_UPDATE, move_and_slide,
    },
};

/// The result of [`SpatialQuery::move_and_slide`] and of what a [`ColliderQuery`] predicts.
///
/// [`ColliderQuery`]: crate::ColliderQuery
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MoveOutcome {
    /// The displacement from the start to the end, in world units.
    pub displacement: Vec2,
    /// The velocity at the end, in world units per second of the mover's own time.
    pub velocity: Vec2,
    /// What blocked the shape, in order.
    pub hits: Vec<BlockingHit>,
    /// Whether walls crush the shape: they overlap it, and no displacement separates it from all of
    /// them.
    pub is_crushed: bool,
    /// What a [`Walker`](crate::Walker) touches at the end; nothing for other movers.
    pub ground: Ground,
}

impl MoveOutcome {
    /// With the velocity in the mover's own time instead of that of the world.
    pub(super) fn in_time_of(mut self, mover: &Mover) -> Self {
        self.velocity = mover.own_velocity(self.velocity);
        self
    }
}

thread_local! {
    /// Buffers that consecutive calls reuse. A call takes them, so that a nested call from a
    /// filter's predicate gets others.
    static BUFFERS: Cell<Option<Box<(SlideBuffers, Trajectory)>>> = Cell::default();
}

impl SpatialQuery<'_, '_> {
    /// Predicts the move of `shape` (in world space) with this [`Mover`] in this many `seconds`,
    /// without moving anything: the result is that of an update in which nothing else moves.
    ///
    /// Nothing moves if `seconds` is zero, negative or NaN, or if the shape or its motion is NaN or
    /// infinite.
    ///
    /// [`Solid`](crate::Solid) colliders that pass the filter block the shape. For a mover that
    /// exists in the world, set the filter as an update would: the layers of the mover, if it has
    /// [`CollisionLayers`](crate::CollisionLayers);
    /// [`SpatialQueryFilter::exclude_body`] for itself and the colliders of its children; and
    /// [`exclude_all`](SpatialQueryFilter::exclude_all) for its ancestors and the movers among its
    /// descendants, which do not block it either.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::{geometry::Shape, prelude::*};
    /// /// How far a ghost would dash to the right. Its sword is a child, and ignored.
    /// fn preview(ghost: Single<(Entity, &Transform, &Mover)>, query: SpatialQuery) {
    ///     let (entity, transform, mover) = *ghost;
    ///     let dash = Mover { displacement: Vec2::X * 120.0, ..mover.clone() };
    ///     let shape = Shape::circle(transform.translation.truncate(), 8.0);
    ///     let filter = SpatialQueryFilter::default().exclude_body(entity);
    ///     let outcome = query.move_and_slide(&shape, &dash, 1.0 / 60.0, &filter);
    ///     info!("it ends {} away", outcome.displacement.length());
    /// }
    /// # bevy::ecs::system::assert_is_system(preview);
    /// ```
    pub fn move_and_slide(
        &self,
        shape: &Shape,
        mover: &Mover,
        seconds: f32,
        filter: &SpatialQueryFilter<impl Fn(Entity) -> bool>,
    ) -> MoveOutcome {
        let motion = Motion::of(mover, shape, seconds);
        let outcome = self.move_among(&motion, &Ground::default(), |other| {
            filter.allows_blocker(mover, other)
        });
        outcome.in_time_of(mover)
    }

    /// The outcome of a motion among the colliders for which `blocks` holds.
    pub(super) fn move_among(
        &self,
        motion: &Motion,
        ground: &Ground,
        blocks: impl Fn(&ColliderEntry) -> bool,
    ) -> MoveOutcome {
        let (shape, seconds) = (motion.shape, motion.seconds);
        let is_valid = seconds > 0.0 && shape.is_finite() && motion.desired.per_update.is_finite();
        if !is_valid {
            return MoveOutcome {
                velocity: motion.desired.per_second,
                ground: ground.clone(),
                ..default()
            };
        }
        let mut buffers = BUFFERS.take().unwrap_or_default();
        let (slide_buffers, trajectory) = &mut *buffers;
        let blockers = Blockers {
            index: &self.index,
            observer: None,
            start: MoverStart::of(motion),
            during: WHOLE_UPDATE,
            blocks: &blocks,
        };
        let end = move_and_slide(&blockers, motion, slide_buffers, trajectory);
        let outcome = MoveOutcome {
            displacement: end.displacement,
            velocity: end.velocity,
            is_crushed: end.is_crushed,
            hits: std::mem::take(&mut trajectory.hits),
            ground: end.footing.ground_after(ground, seconds),
        };
        BUFFERS.set(Some(buffers));
        outcome
    }
}
