//! The system parameter by which a game reads the pairs.

use bevy::{ecs::system::SystemParam, prelude::*};
use smallvec::SmallVec;

use super::{explainer::Explainer, explanation::Explanation, pair_lookup::PairLookup};
use crate::{
    geometry::Contact,
    state::{CollidingPair, CollidingPairs, hash_of_shapes},
};

/// The pairs of colliders that overlap, as of the last
/// [`CollisionSystems::Detect`](crate::CollisionSystems::Detect).
///
/// A system parameter that conflicts with no query for components, mutable ones included, but with
/// `ResMut<CollisionState>`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Player;
/// # #[derive(Component)] struct Lava;
/// fn burn(
///     player: Single<Entity, With<Player>>,
///     lava: Query<(), With<Lava>>,
///     collisions: Collisions,
/// ) {
///     for (other, contact) in collisions.of(*player) {
///         if lava.contains(other) {
///             info!("the lava is {} deep", contact.depth);
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(burn);
/// ```
#[derive(SystemParam)]
pub struct Collisions<'w, 's> {
    lookup: PairLookup<'w, 's>,
    explainer: Explainer<'w, 's>,
}

impl Collisions<'_, '_> {
    /// All pairs, sorted by their entities: by [`StableKey`](crate::StableKey), then by id. Each
    /// call sorts them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CollidingPair> {
        self.pairs().sorted().into_iter().map(CollidingPair::from)
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs().count() == 0
    }

    /// How two entities overlap, as seen from `entity`, or `None` if they do not.
    pub fn get(&self, entity: Entity, other: Entity) -> Option<Contact> {
        let pair = self.pairs().find(entity, other)?;
        Some(pair.seen_from(entity).1)
    }

    /// Whether two entities overlap, in either order.
    pub fn contains(&self, a: Entity, b: Entity) -> bool {
        self.pairs().find(a, b).is_some()
    }

    /// The entities that `entity` overlaps, sorted, each with the contact as seen from `entity`.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = (Entity, Contact)> {
        let mut others = SmallVec::<[_; 16]>::new();
        (self.lookup).visit(entity, |pair| others.push(pair.seen_from(entity)));
        others.sort_unstable_by_key(|(other, _)| *other);
        (others.into_iter()).map(|(other, contact)| (other.entity, contact))
    }

    /// A hash of the poses and sizes of all colliders, the same on every platform, to compare with
    /// that of another machine. Entities take part by their [`StableKey`](crate::StableKey)s alone.
    pub fn hash_of_poses(&self) -> u64 {
        let entries = self.lookup.index.iter();
        hash_of_shapes(entries.map(|entry| (entry.order(), entry.shape)))
    }

    /// Why two entities collide or do not collide, and whether one blocks the other.
    ///
    /// Like everything in this type, the explanation is as of the last update: entities that were a
    /// pair then [collide](Explanation::collide), whatever has happened to them since. For
    /// entities that were not a pair, despawning or disabling one since then is reported.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # #[derive(Component)] struct Bullet;
    /// # #[derive(Component)] struct Monster;
    /// fn why_not(
    ///     bullet: Single<Entity, With<Bullet>>,
    ///     monster: Single<Entity, With<Monster>>,
    ///     collisions: Collisions,
    /// ) {
    ///     // 12v0 and 7v0 do not collide: the filters of 12v0 contain none of the layers …
    ///     info!("{}", collisions.explain(*bullet, *monster));
    /// }
    /// # bevy::ecs::system::assert_is_system(why_not);
    /// ```
    ///
    /// [`Explanation::collide`] and [`Explanation::b_blocks_a`] return the same as data, and
    /// [`Explanation::named`] formats it with the names of the entities.
    pub fn explain(&self, a: Entity, b: Entity) -> Explanation {
        self.explainer.explain(self.pairs(), a, b)
    }

    fn pairs(&self) -> &CollidingPairs {
        &self.lookup.state.pairs
    }
}
