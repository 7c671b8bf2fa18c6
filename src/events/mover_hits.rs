//! What blocked a mover.

use std::{ops::Deref, slice};

use bevy::{
    ecs::{
        component::component_clone_ignore, entity::MapEntities, lifecycle::HookContext,
        world::DeferredWorld,
    },
    prelude::*,
};

/// A collider that blocks a motion, and where.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct BlockingHit {
    /// The [`Solid`](crate::Solid) collider that blocks.
    #[entities]
    pub blocker: Entity,
    /// The direction from the blocker's surface to the shape, unit length.
    pub normal: Vec2,
    /// A point of the blocker's surface, in world units.
    pub point: Vec2,
    /// The fraction of the motion at which the shape is blocked, in 0..=1. 0 for walls that crush a
    /// mover, 1 for movers that crush it and for the floor that a walker stands on.
    pub fraction: f32,
    /// The shape's own speed into the surface, in world units per second along the normal, without
    /// that of the blocker. 0 for what crushes a mover.
    pub speed: f32,
    /// How fast the blocker's surface moves at the point in this update, in world units per second:
    /// that of a [`Swept`](crate::Swept) wall, of a mover, and of a [`Conveyor`](crate::Conveyor),
    /// rotation included. Relative to what carries both. Zero in the answers of a
    /// [`SpatialQuery`](crate::SpatialQuery).
    pub blocker_velocity: Vec2,
    /// The cell that was hit, if the blocker is a [`TileCollider`](crate::TileCollider).
    pub cell: Option<UVec2>,
}

/// What blocked a mover. Sent when it is blocked, as a message and as an event on the mover; also
/// an item of [`MoverHits`].
///
/// Dereferences to its [`BlockingHit`]: `mover_hit.normal`.
#[derive(EntityEvent, Message, MapEntities, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct MoverHit {
    /// The mover.
    #[entities]
    pub entity: Entity,
    /// What blocked it, and where.
    #[entities]
    pub hit: BlockingHit,
}

impl Deref for MoverHit {
    type Target = BlockingHit;

    fn deref(&self) -> &BlockingHit {
        &self.hit
    }
}

/// Sent when solids start to crush a mover, such as two closing walls: as a message, and as an
/// event on the mover. Either walls overlap it, and no displacement separates it from all of them.
/// Or another [`Mover`](crate::Mover), or a child of one, overlaps it by more than a quarter of the
/// size of the smaller of the two, and they do not come apart.
///
/// [`MoverHits::is_crushed`] holds while that lasts.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn die(mut crushed: MessageReader<Crushed>, mut commands: Commands) {
///     for Crushed { entity, by } in crushed.read() {
///         info!("{by} crushes {entity}");
///         commands.entity(*entity).try_despawn();
///     }
/// }
/// # bevy::ecs::system::assert_is_system(die);
/// ```
#[derive(EntityEvent, Message, MapEntities, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Crushed {
    /// The mover.
    #[entities]
    pub entity: Entity,
    /// What crushes it. If there are several, one that moved into it; [`MoverHits`] has the others.
    #[entities]
    pub by: Entity,
}

/// What blocked a [`Mover`](crate::Mover) in the last update, in the order in which it hit them.
///
/// A mover that keeps pressing against a wall is blocked by it in each update, unless its
/// displacement per update is shorter than a hundredth of the skin width. If it mostly slides along
/// the wall, the component into the wall counts, and the threshold is higher by
/// [`TOUCHING_SLOP`](crate::geometry::TOUCHING_SLOP) of the largest coordinate: together 0.0007
/// units per update at 1,000 units from the origin, and 0.05 at 100,000.
///
/// [`Swept`](crate::Swept) walls that push the mover are hits as well, the first ones. The floor of
/// a [`Walker`](crate::Walker) hits it in each update.
///
/// Cloning an entity does not clone its hits. Without this component a mover's [`MoverHit`]s are
/// still sent, but [`Crushed`] is not, since whether it was sent is stored here. A mover moves as
/// before, unless it was crushed: where it was before, only its hits know.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # #[derive(Component)] struct Spikes;
/// # #[derive(Component)] struct Health(f32);
/// /// Spikes hurt a mover for as long as it presses against them.
/// fn sting(
///     mut movers: Query<(&mut Health, &MoverHits)>,
///     spikes: Query<(), With<Spikes>>,
///     time: Res<Time>,
/// ) {
///     for (mut health, hits) in &mut movers {
///         if hits.iter().any(|hit| spikes.contains(hit.blocker)) {
///             health.0 -= 10.0 * time.delta_secs();
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(sting);
/// ```
#[doc(alias = "get_slide_collision")]
#[derive(Component, MapEntities, Clone, Debug, Default, PartialEq, Reflect)]
#[component(clone_behavior = Custom(component_clone_ignore), map_entities)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct MoverHits {
    #[entities]
    hits: Vec<MoverHit>,
    is_crushed: bool,
}

impl MoverHits {
    /// Whether solids crush the mover: see [`Crushed`]. A crushed mover does not move by itself.
    /// Its hits are the solids that crush it, with normals toward where the mover was. In updates
    /// that do not move it, because no time passes or its motion is not finite, the hits are empty
    /// and this value stays.
    pub fn is_crushed(&self) -> bool {
        self.is_crushed
    }

    /// Replaces the hits if they differ, so that change detection reports only changes.
    pub(crate) fn set(hits: &mut Mut<Self>, now: &[MoverHit], is_crushed: bool) {
        if hits.hits != now || hits.is_crushed != is_crushed {
            hits.hits.clear();
            hits.hits.extend_from_slice(now);
            hits.is_crushed = is_crushed;
        }
    }
}

/// Clears the hits of an entity that lost its `Mover`.
pub(crate) fn clear_hits(mut world: DeferredWorld, removed: HookContext) {
    if let Some(mut hits) = world.get_mut::<MoverHits>(removed.entity) {
        MoverHits::set(&mut hits, &[], false);
    }
}

impl Deref for MoverHits {
    type Target = [MoverHit];

    fn deref(&self) -> &[MoverHit] {
        &self.hits
    }
}

impl<'a> IntoIterator for &'a MoverHits {
    type Item = &'a MoverHit;
    type IntoIter = slice::Iter<'a, MoverHit>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
