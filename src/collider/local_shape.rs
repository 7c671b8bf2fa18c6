use std::any::TypeId;

use bevy::{
    ecs::{
        component::RequiredComponentsError, entity_disabling::Disabled, name::NameOrEntity,
        schedule::InternedScheduleLabel, world::DeferredWorld,
    },
    prelude::*,
};
use log::warn;

use super::{Collider, CollisionLayers, LayerMask};
use crate::{geometry::Shape, index::sync_colliders, plugin::CollisionSystems};

/// The shape of an entity's collider in its own frame, whatever kind of collider it came from.
#[derive(Component, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct LocalShape {
    /// None before the first run and after the collider was removed.
    pub shape: Option<Shape>,
    /// Where the index keeps this collider. Another entity's, until the first run has assigned it.
    pub slot: u32,
    /// The run of the plugin in which it last took part.
    pub seen_in_run: u32,
    /// What its entity said about it then.
    pub traits: ColliderTraits,
    /// Set while the world shape is not finite.
    pub invalid: bool,
    /// The number of the kind that `shape` is from.
    kind: Option<usize>,
    /// Set once the warning about several kinds was given.
    conflict_named: bool,
}

/// What an entity says about its collider, but for its shape and its ancestors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ColliderTraits {
    pub layers: CollisionLayers,
    /// The layers that block the entity; none, if it is not a mover.
    pub blocked_by: LayerMask,
    /// The distance that the entity keeps from what blocks it, in world units.
    pub skin: f32,
    pub solid: bool,
    pub is_mover: bool,
    pub has_parent: bool,
}

/// The kinds of colliders in the order in which they were added to the app.
#[derive(Resource, Default)]
pub(crate) struct ColliderKinds {
    kinds: Vec<TypeId>,
    schedule: Option<InternedScheduleLabel>,
    /// What to do for the kinds that were added before the plugin.
    waiting: Vec<fn(&mut App, usize, InternedScheduleLabel)>,
}

impl ColliderKinds {
    /// From now on kinds are read in `schedule`, those that were added before too.
    pub fn set_schedule(app: &mut App, schedule: InternedScheduleLabel) {
        let mut kinds = app.world_mut().get_resource_or_init::<Self>();
        kinds.schedule = Some(schedule);
        let waiting = std::mem::take(&mut kinds.waiting);
        for (kind, read_kind) in waiting.into_iter().enumerate() {
            read_kind(app, kind, schedule);
        }
    }
}

/// Adds colliders of your own to an [`App`].
pub trait ColliderAppExt {
    /// Lets entities with the component `C` collide. Call it before or after adding the
    /// [`CollisionPlugin`](crate::CollisionPlugin); calling it again changes nothing.
    fn add_collider<C: Collider>(&mut self) -> &mut Self;
}

impl ColliderAppExt for App {
    fn add_collider<C: Collider>(&mut self) -> &mut Self {
        require_local_shape::<C>(self.world_mut());
        let mut kinds = self.world_mut().get_resource_or_init::<ColliderKinds>();
        if kinds.kinds.contains(&TypeId::of::<C>()) {
            return self;
        }
        let kind = kinds.kinds.len();
        kinds.kinds.push(TypeId::of::<C>());
        match kinds.schedule {
            Some(schedule) => read_kind::<C>(self, kind, schedule),
            None => kinds.waiting.push(read_kind::<C>),
        }
        self
    }
}

/// Makes every entity with a `C`, present or future, have a [`LocalShape`] and a [`Transform`].
fn require_local_shape<C: Collider>(world: &mut World) {
    let required = [
        world.try_register_required_components::<C, LocalShape>(),
        world.try_register_required_components::<C, Transform>(),
    ];
    let entities_exist =
        |result: &Result<_, _>| matches!(result, Err(RequiredComponentsError::ArchetypeExists(_)));
    if !required.iter().any(entities_exist) {
        return;
    }
    let missing = || (LocalShape::default(), Transform::IDENTITY);
    world.add_observer(move |added: On<Add, C>, mut commands: Commands| {
        commands.entity(added.entity).insert_if_new(missing());
    });
    let present: Vec<Entity> = world
        .query_filtered::<Entity, (With<C>, Allow<Disabled>)>()
        .iter(world)
        .collect();
    for entity in present {
        world.entity_mut(entity).insert_if_new(missing());
    }
}

/// The order in which the kinds of colliders are read.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
struct ReadKind(usize);

fn read_kind<C: Collider>(app: &mut App, kind: usize, schedule: InternedScheduleLabel) {
    app.add_observer(move |removed: On<Remove, C>, world: DeferredWorld| {
        forget_shape(removed.entity, kind, world);
    });
    app.add_systems(
        schedule,
        (move |colliders: ChangedColliders<C>| read_shapes(kind, colliders)).in_set(ReadKind(kind)),
    );
    app.configure_sets(
        schedule,
        ReadKind(kind)
            .in_set(CollisionSystems::Sync)
            .before(sync_colliders),
    );
    if kind > 0 {
        app.configure_sets(schedule, ReadKind(kind).after(ReadKind(kind - 1)));
    }
}

type ChangedColliders<'w, 's, C> = Query<
    'w,
    's,
    (NameOrEntity, &'static C, &'static mut LocalShape),
    (Or<(Changed<C>, Changed<LocalShape>)>, Allow<Disabled>),
>;

/// Fills in the shapes of the colliders of one kind, unless one of an earlier kind is there.
fn read_shapes<C: Collider>(kind: usize, mut colliders: ChangedColliders<C>) {
    for (entity, collider, mut local) in &mut colliders {
        if let Some(other) = local.kind.filter(|&other| other != kind) {
            if !local.conflict_named {
                warn!(
                    "{entity} has more than one collider; only the kind that was added to the app first counts"
                );
                local.bypass_change_detection().conflict_named = true;
            }
            if other < kind {
                continue;
            }
        }
        let shape = Some(collider.shape());
        if local.kind != Some(kind) || local.shape != shape {
            local.shape = shape;
            local.kind = Some(kind);
        }
    }
}

/// Empties the shape that came from a removed collider, so that one of another kind can take its place.
fn forget_shape(entity: Entity, kind: usize, mut world: DeferredWorld) {
    if let Some(mut local) = world.get_mut::<LocalShape>(entity)
        && local.kind == Some(kind)
    {
        local.kind = None;
        local.shape = None;
    }
}
