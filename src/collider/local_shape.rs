use std::any::TypeId;

use bevy::{
    ecs::{
        component::RequiredComponentsError,
        entity_disabling::Disabled,
        name::NameOrEntity,
        schedule::{InternedScheduleLabel, ScheduleLabel},
        world::DeferredWorld,
    },
    prelude::*,
};
use log::warn;

use super::Collider;
use crate::{
    column::{Column, ROWS_PER_GROUP},
    geometry::Shape,
    hierarchy::AnyEntity,
    index::{ColliderIndex, RefreshColliders, Registration, sync_between_runs, sync_colliders},
    memory,
    plugin::CollisionSystems,
};

/// The shape of an entity's collider in its own frame, whatever kind of collider it came from.
#[derive(Component, Default)]
#[component(clone_behavior = Ignore)]
#[require(Registration)]
pub(crate) struct LocalShape {
    /// None before the first run and after the collider was removed.
    pub shape: Option<Shape>,
    /// The kind that `shape` is from; zero, where there is none.
    kind: u16,
    /// Set once the warning about several kinds was given.
    conflict_named: bool,
}

/// The kinds of colliders in the order in which they were added to the app.
#[derive(Resource, Default)]
pub(crate) struct ColliderKinds {
    kinds: Vec<TypeId>,
    schedule: Option<InternedScheduleLabel>,
    /// What to do for the kinds that were added before the plugin.
    waiting: Vec<fn(&mut App, u16, InternedScheduleLabel)>,
}

impl ColliderKinds {
    /// The components that are colliders.
    pub fn types(&self) -> &[TypeId] {
        &self.kinds
    }

    /// From now on kinds are read in `schedule`, those that were added before too.
    pub fn set_schedule(app: &mut App, schedule: InternedScheduleLabel) {
        let mut kinds = app.world_mut().get_resource_or_init::<Self>();
        kinds.schedule = Some(schedule);
        let waiting = std::mem::take(&mut kinds.waiting);
        for (kind, read_kind) in (1..).zip(waiting) {
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
        kinds.kinds.push(TypeId::of::<C>());
        // Numbered from one up.
        let kind = kinds.kinds.len() as u16;
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
        .query_filtered::<Entity, (With<C>, AnyEntity)>()
        .iter(world)
        .collect();
    for entity in present {
        world.entity_mut(entity).insert_if_new(missing());
    }
}

/// The order in which the kinds of colliders are read.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
struct ReadKind(u16);

fn read_kind<C: Collider>(app: &mut App, kind: u16, schedule: InternedScheduleLabel) {
    app.add_observer(move |removed: On<Remove, C>, world: DeferredWorld| {
        forget_shape(removed.entity, kind, world);
    });
    for schedule in [schedule, RefreshColliders.intern()] {
        app.add_systems(
            schedule,
            (move |shapes: Shapes<C>,
                   index: Res<ColliderIndex>,
                   mut changed: Local<Vec<Entity>>,
                   names: Query<NameOrEntity, AnyEntity>| {
                memory::clear(&mut changed);
                changed.extend(
                    index
                        .unread()
                        .iter()
                        .filter(|entity| shapes.contains(**entity)),
                );
                list_changed(&shapes, &mut changed);
                read_shapes(kind, shapes, &changed, &names);
            })
            .in_set(ReadKind(kind)),
        );
        app.configure_sets(
            schedule,
            ReadKind(kind)
                .in_set(CollisionSystems::Sync)
                .before(sync_colliders)
                .before(sync_between_runs),
        );
        if kind > 1 {
            app.configure_sets(schedule, ReadKind(kind).after(ReadKind(kind - 1)));
        }
    }
}

/// That `Disabled` is asked for lets disabled entities in: they may change, too.
type Shapes<'w, 's, C> = Query<
    'w,
    's,
    (
        Entity,
        Ref<'static, C>,
        Mut<'static, LocalShape>,
        Has<Disabled>,
    ),
>;

/// Fills in the shapes of colliders of one kind that have changed, unless one of an earlier kind is there.
fn read_shapes<C: Collider>(
    kind: u16,
    mut shapes: Shapes<C>,
    changed: &[Entity],
    names: &Query<NameOrEntity, AnyEntity>,
) {
    for &entity in changed {
        let Ok((_, collider, mut local, _)) = shapes.get_mut(entity) else {
            continue;
        };
        let other = local.kind;
        if other != 0 && other != kind {
            if !local.conflict_named
                && let Ok(name) = names.get(entity)
            {
                warn!(
                    "{name} has more than one collider; only the kind that was added to the app first counts"
                );
                local.bypass_change_detection().conflict_named = true;
            }
            if other < kind {
                continue;
            }
        }
        let shape = Some(collider.shape());
        if local.kind != kind || local.shape != shape {
            local.shape = shape;
            local.kind = kind;
        }
    }
}

/// Lists the entities whose collider or local shape changed.
fn list_changed<C: Collider>(shapes: &Shapes<C>, changed: &mut Vec<Entity>) {
    let Ok(tables) = shapes.contiguous_iter() else {
        // A component that is not kept in tables.
        let is_changed = |(_, collider, local, _): &(Entity, Ref<C>, Ref<LocalShape>, bool)| {
            collider.is_changed() || local.is_changed()
        };
        changed.extend(shapes.iter().filter(is_changed).map(|(entity, ..)| entity));
        return;
    };
    for (entities, colliders, locals, _) in tables {
        let (colliders, locals) = (Column::of(colliders), Column::of(locals));
        for start in (0..entities.len()).step_by(ROWS_PER_GROUP) {
            let rows = start..entities.len().min(start + ROWS_PER_GROUP);
            if colliders.any_changed(rows.clone()) || locals.any_changed(rows.clone()) {
                let is_changed =
                    |row: &usize| colliders.is_changed(*row) || locals.is_changed(*row);
                changed.extend(rows.filter(is_changed).map(|row| entities[row]));
            }
        }
    }
}

/// Empties the shape that came from a removed collider, so that one of another kind can take its place.
fn forget_shape(entity: Entity, kind: u16, mut world: DeferredWorld) {
    if let Some(mut local) = world.get_mut::<LocalShape>(entity)
        && local.kind == kind
    {
        local.kind = 0;
        local.shape = None;
    }
}
