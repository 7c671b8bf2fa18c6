//! The resource by which a game returns to an earlier update.

use bevy::{
    ecs::{
        entity::{EntityMapper, MapEntities},
        world::WorldId,
    },
    prelude::*,
};

#[cfg(feature = "serialize")]
use super::saved;
use super::{
    hash::{CollisionStateHashes, hash_of_pairs, hash_of_previous_poses, hash_of_words},
    pairs::CollidingPairs,
    poses::PreviousPoses,
};

/// All that the next update depends on beyond components, settings and time: the pairs that
/// overlap, and the poses of [`Swept`](crate::Swept) colliders and of [`OneWay`](crate::OneWay)
/// walls in the last update.
///
/// Clone it between two updates, together with the components. Where both are restored, the next
/// update does what it did the first time, bit for bit: no start is reported twice, and no end
/// without its start. Restoring alone reports nothing. [The page on rollback][rollback] lists the
/// components.
///
/// It maps entities, for worlds in which they have other ids, and can be serialized and
/// deserialized with the feature `serialize`. The plugin adds it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// /// A checkpoint. The game saves its components beside it.
/// #[derive(Resource)]
/// struct Checkpoint(CollisionState);
///
/// fn save(state: Res<CollisionState>, mut commands: Commands) {
///     commands.insert_resource(Checkpoint(CollisionState::clone(&state)));
/// }
///
/// fn restore(checkpoint: Res<Checkpoint>, mut state: ResMut<CollisionState>) {
///     state.clone_from(&checkpoint.0);
/// }
/// # bevy::ecs::system::assert_is_system(save);
/// # bevy::ecs::system::assert_is_system(restore);
/// ```
///
/// [rollback]: crate::guide::rollback
#[derive(Resource, Default, Reflect)]
#[component(map_entities)]
#[reflect(opaque, Resource, Clone, Default)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionState {
    #[cfg_attr(
        feature = "serialize",
        serde(
            serialize_with = "saved::write_pairs",
            deserialize_with = "saved::read_pairs"
        )
    )]
    pub(crate) pairs: CollidingPairs,
    #[cfg_attr(
        feature = "serialize",
        serde(
            serialize_with = "saved::write_poses",
            deserialize_with = "saved::read_poses"
        )
    )]
    pub(crate) poses: PreviousPoses,
    #[cfg_attr(feature = "serialize", serde(skip))]
    revision: Option<Revision>,
}

/// Which update left the state as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Revision {
    world: WorldId,
    update: u64,
}

impl Clone for CollisionState {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    /// Keeps the memory, so that updates after it allocate nothing.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            pairs,
            poses,
            revision,
        } = self;
        pairs.clone_from(&source.pairs);
        poses.clear();
        let source_poses = source.poses.iter();
        poses.extend(source_poses.map(|(&entity, pose)| (entity, pose.clone())));
        *revision = source.revision;
    }
}

impl MapEntities for CollisionState {
    /// Counts as a restore: what was computed from the state is about other entities.
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.pairs.map_entities(mapper);
        self.poses.map_entities(mapper);
        self.revision = None;
    }
}

impl CollisionState {
    /// Makes the next update treat the current `Transform` of a [`Swept`](crate::Swept) collider as
    /// its start: it is not swept there from where it was. Nor does a
    /// [`OneWay`](crate::OneWay) wall count as moved. A walker that stands on it is swept along,
    /// except where it jumps down: the walker stays in the air. Call this for each child as well.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # #[derive(Component)] struct Blade;
    /// fn jump(
    ///     mut blades: Query<(Entity, &mut Transform), With<Blade>>,
    ///     mut collisions: ResMut<CollisionState>,
    /// ) {
    ///     for (blade, mut transform) in &mut blades {
    ///         transform.translation.x += 1000.0;
    ///         collisions.teleport(blade);
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(jump);
    /// ```
    pub fn teleport(&mut self, collider: Entity) {
        self.poses.remove(&collider);
    }

    /// A hash of the whole state, the same on every platform and in every process. Colliders take
    /// part by their [`StableKey`](crate::StableKey)s, not by their ids, which may differ.
    pub fn hash(&self) -> u64 {
        let CollisionStateHashes {
            pairs,
            previous_poses,
        } = self.hashes();
        hash_of_words([pairs, previous_poses])
    }

    /// The hash of each part.
    pub fn hashes(&self) -> CollisionStateHashes {
        CollisionStateHashes {
            pairs: hash_of_pairs(&self.pairs),
            previous_poses: hash_of_previous_poses(&self.poses),
        }
    }

    /// Whether this is the state that an update left, and not one that was restored since.
    pub(crate) fn has_revision(&self, revision: Option<Revision>) -> bool {
        self.revision == revision
    }

    /// Makes this the state of a world after another update. Returns its revision.
    pub(crate) fn set_new_revision(
        &mut self,
        world: WorldId,
        last: Option<Revision>,
    ) -> Option<Revision> {
        let update = last.map_or(0, |last| last.update + 1);
        self.revision = Some(Revision { world, update });
        self.revision
    }
}
