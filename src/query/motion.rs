//! Where a mover would go.

use std::cell::Cell;

use bevy::prelude::*;

use super::{SpatialQuery, SpatialQueryFilter};
use crate::{
    components::Mover,
    events::BlockingHit,
    geometry::Shape,
    index::ColliderEntry,
    movement::{Blockers, Motion, SlideBuffers, Trajectory, move_and_slide},
};

/// How a motion would end.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MoveOutcome {
    /// From the start to the end, in world units.
    pub displacement: Vec2,
    /// What is left of the velocity, in world units per second.
    pub velocity: Vec2,
    /// What was in the way, in the order in which it was met.
    pub hits: Vec<BlockingHit>,
    /// Whether the shape is in walls that it cannot leave.
    pub is_crushed: bool,
}

thread_local! {
    /// Buffers for one call after another. They are taken during a call: a filter that calls as
    /// well gets others.
    static BUFFERS: Cell<Option<Box<(SlideBuffers, Trajectory)>>> = Cell::default();
}

impl SpatialQuery<'_> {
    /// Where a shape in world space would go in so many seconds if it had this [`Mover`]: the same as in a run in which nothing else moves,
    /// without moving anything. Nothing moves in no time, or where a number is not finite.
    ///
    /// What is [`Solid`](crate::Solid) and passes the filter is in the way. A run knows more of a mover that is there already, and the
    /// filter has to say it: the layers of the mover; the mover itself and the colliders of its children, which
    /// [`SpatialQueryFilter::exclude_body`] leaves out; and, by [`exclude_all`](SpatialQueryFilter::exclude_all), its ancestors and the movers
    /// among its descendants, which do not stop it either.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::{geometry::Shape, prelude::*};
    /// /// How far a ghost would get with a dash to the right. Its sword is a child, and not in the way.
    /// fn preview(ghost: Single<(Entity, &Transform, &Mover)>, query: SpatialQuery) {
    ///     let (entity, transform, mover) = *ghost;
    ///     let dash = Mover { displacement: Vec2::X * 120.0, ..mover.clone() };
    ///     let shape = Shape::circle(transform.translation.truncate(), 8.0);
    ///     let outcome = query.move_and_slide(&shape, &dash, 1.0 / 60.0, &SpatialQueryFilter::default().exclude_body(entity));
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
        let is_valid = seconds > 0.0 && shape.is_finite() && motion.desired.per_update.is_finite();
        if !is_valid {
            return MoveOutcome {
                velocity: mover.velocity,
                ..default()
            };
        }
        let mut buffers = BUFFERS.take().unwrap_or_default();
        let (slide_buffers, trajectory) = &mut *buffers;
        let blockers = Blockers::new(&self.index, |other: &ColliderEntry| {
            other.blocks_layers(mover.effective_blocked_by()) && filter.allows(other)
        });
        let end = move_and_slide(&blockers, &motion, slide_buffers, trajectory);
        let outcome = MoveOutcome {
            displacement: end.displacement,
            velocity: end.velocity,
            is_crushed: end.is_crushed,
            hits: std::mem::take(&mut trajectory.hits),
        };
        BUFFERS.set(Some(buffers));
        outcome
    }
}
