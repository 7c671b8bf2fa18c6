//! Lists of results.

use std::{cmp::Ordering, ops::Deref};

use bevy::ecs::entity::Entity;
use smallvec::SmallVec;

use crate::components::EntityOrder;

/// This many results are stored without an allocation.
const INLINE: usize = 16;

/// The results of a query, in order: an iterator that dereferences to a slice of the results that
/// it has not returned yet. Up to 16 results allocate nothing.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::{geometry::Shape, prelude::*};
/// fn count(query: SpatialQuery) {
///     let area = Shape::circle(Vec2::ZERO, 40.0);
///     let found = query.shape_intersections(&area, &SpatialQueryFilter::default());
///     info!("{} colliders, first {:?}", found.len(), found.first());
///     for entity in found {
///         info!("{entity}");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(count);
/// ```
#[derive(Clone, Debug)]
pub struct SpatialQueryIter<T>(smallvec::IntoIter<[T; INLINE]>);

impl<T> Iterator for SpatialQueryIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> Deref for SpatialQueryIter<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_slice()
    }
}

/// What a query found, with the order of the colliders.
pub(super) type Found<T> = SmallVec<[(EntityOrder, T); INLINE]>;

impl<U> SpatialQueryIter<U> {
    pub(super) fn sorted_by_entity<T>(
        mut found: Found<T>,
        result: impl Fn(Entity, T) -> U,
    ) -> Self {
        found.sort_unstable_by_key(|(order, _)| *order);
        Self::in_order(found, result)
    }

    pub(super) fn in_order<T>(found: Found<T>, result: impl Fn(Entity, T) -> U) -> Self {
        let results = found.into_iter();
        let results = results.map(|(order, value)| result(order.entity, value));
        Self(results.collect::<SmallVec<_>>().into_iter())
    }
}

/// Compares two distances. Both zeros are equal, so that the entities decide.
pub(super) fn compare(a: f32, b: f32) -> Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}
