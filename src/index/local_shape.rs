//! The shape of each collider in its own frame, and how it stays current.

use std::any::TypeId;

use bevy::{
    ecs::{
        component::RequiredComponentsError,
        lifecycle::HookContext,
        name::NameOrEntity,
        schedule::{InternedScheduleLabel, ScheduleLabel},
        system::{ParamBuilder, SystemParamBuilder},
        world::DeferredWorld,
    },
    prelude::*,
};
use log::warn;

use super::{
    column::{Column, ROWS_PER_GROUP},
    hierarchy::every_entity,
    labels::{RefreshColliders, SyncIndex},
    registration::Registration,
};
use crate::{components::Collider, geometry::Shape, memory, schedule::CollisionSystems};

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

impl LocalShape {
    /// Nothing, until the shape of a collider is read again.
    fn forget(&mut self) {
        self.kind = 0;
        self.shape = None;
    }
}

/// The kinds of colliders in the order in which they were added to the app.
#[derive(Resource, Default)]
pub(crate) struct ColliderKinds {
    kinds: Vec<TypeId>,
    schedule: Option<InternedScheduleLabel>,
    /// What to do for the kinds that were added before the plugin.
    waiting: Vec<fn(&mut App, u16, InternedScheduleLabel)>,
    /// The kinds that cannot be [watched](watch).
    unwatched: Vec<u16>,
}

impl ColliderKinds {
    /// The components that are colliders.
    pub fn types(&self) -> &[TypeId] {
        &self.kinds
    }

    /// The number of a kind, from one up.
    fn number_of<C: Collider>(&self) -> Option<u16> {
        let place = (self.kinds.iter()).position(|&kind| kind == TypeId::of::<C>())?;
        Some(place as u16 + 1)
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
        let world = self.world_mut();
        let kinds = world.get_resource_or_init::<ColliderKinds>();
        if kinds.number_of::<C>().is_some() {
            return self;
        }
        let is_watched = watch::<C>(world);
        let mut kinds = world.resource_mut::<ColliderKinds>();
        kinds.kinds.push(TypeId::of::<C>());
        let kind = kinds.kinds.len() as u16;
        if !is_watched {
            kinds.unwatched.push(kind);
        }
        match kinds.schedule {
            Some(schedule) => read_kind::<C>(self, kind, schedule),
            None => kinds.waiting.push(read_kind::<C>),
        }
        self
    }
}

/// Makes every entity that gets a `C` have a [`LocalShape`] and a [`Transform`], and empties the
/// shape when the `C` goes. False, if that cannot be: when there were entities with a `C` before,
/// or the component has hooks of its own for its removal and its replacement.
fn watch<C: Collider>(world: &mut World) -> bool {
    let required = [
        world.try_register_required_components::<C, LocalShape>(),
        world.try_register_required_components::<C, Transform>(),
    ];
    let entities_exist =
        |result: &Result<_, _>| matches!(result, Err(RequiredComponentsError::ArchetypeExists(_)));
    if required.iter().any(entities_exist) {
        return false;
    }
    let hooks = world.register_component_hooks::<C>();
    // What is replaced is read again, because it changes.
    hooks.try_on_remove(forget_shape::<C>).is_some()
        || hooks.try_on_discard(forget_shape::<C>).is_some()
}

/// Empties the shape that came from a removed collider, so that one of another kind can take its
/// place.
fn forget_shape<C: Collider>(mut world: DeferredWorld, removed: HookContext) {
    let kinds = world.get_resource::<ColliderKinds>();
    let kind = kinds.and_then(ColliderKinds::number_of::<C>);
    if let Some(mut local) = world.get_mut::<LocalShape>(removed.entity)
        && Some(local.kind) == kind
    {
        local.forget();
    }
}

/// The order in which the kinds of colliders are read.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
struct ReadKind(u16);

/// What does for the other kinds what hooks do for those that are watched.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
struct Unwatched;

type Shapes<'w, 's, C> = Query<'w, 's, (Entity, Ref<'static, C>, Mut<'static, LocalShape>)>;
type Lacking<'w, 's, C> = Query<'w, 's, Entity, (With<C>, Without<LocalShape>)>;
type Orphans<'w, 's, C> = Query<'w, 's, &'static mut LocalShape, Without<C>>;
type Names<'w, 's> = Query<'w, 's, NameOrEntity>;

/// Reads the colliders of a kind whenever they change: hidden ones too, for they may show up again.
fn read_kind<C: Collider>(app: &mut App, kind: u16, schedule: InternedScheduleLabel) {
    let kinds = app.world().resource::<ColliderKinds>();
    let is_watched = !kinds.unwatched.contains(&kind);
    for schedule in [schedule, RefreshColliders.intern()] {
        let read = (every_entity(), ParamBuilder, every_entity()).build_system(
            move |shapes: Shapes<C>, mut changed: Local<Vec<Entity>>, names: Names| {
                list_changed(&shapes, &mut changed);
                read_shapes(kind, shapes, &changed, &names);
            },
        );
        app.add_systems(schedule, read.in_set(ReadKind(kind)));
        if !is_watched {
            let find = (every_entity(), every_entity(), ParamBuilder).build_system(
                move |lacking: Lacking<C>, orphans: Orphans<C>, commands: Commands| {
                    complete(&lacking, commands);
                    forget_orphans(kind, orphans);
                },
            );
            let find = find.in_set(CollisionSystems::Sync).in_set(Unwatched);
            app.add_systems(schedule, find.ambiguous_with(Unwatched).before(ReadKind(1)));
        }
        app.configure_sets(
            schedule,
            ReadKind(kind)
                .in_set(CollisionSystems::Sync)
                .before(SyncIndex),
        );
        if kind > 1 {
            app.configure_sets(schedule, ReadKind(kind).after(ReadKind(kind - 1)));
        }
    }
}

/// Gives what has a collider of a kind what it needs besides.
fn complete<C: Collider>(lacking: &Lacking<C>, mut commands: Commands) {
    for entity in lacking {
        let missing = (LocalShape::default(), Transform::IDENTITY);
        commands.entity(entity).try_insert_if_new(missing);
    }
}

/// Empties the shapes that came from removed colliders of a kind.
fn forget_orphans<C: Collider>(kind: u16, mut orphans: Orphans<C>) {
    for mut local in &mut orphans {
        if local.kind == kind {
            local.forget();
        }
    }
}

/// Fills in the shapes of colliders of one kind that have changed, unless one of an earlier kind is there.
fn read_shapes<C: Collider>(kind: u16, mut shapes: Shapes<C>, changed: &[Entity], names: &Names) {
    for &entity in changed {
        let Ok((_, collider, mut local)) = shapes.get_mut(entity) else {
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
    memory::clear(changed);
    let Ok(tables) = shapes.contiguous_iter() else {
        // A component that is not kept in tables.
        let is_changed = |(_, collider, local): &(Entity, Ref<C>, Ref<LocalShape>)| {
            collider.is_changed() || local.is_changed()
        };
        changed.extend(shapes.iter().filter(is_changed).map(|(entity, ..)| entity));
        return;
    };
    for (entities, colliders, locals) in tables {
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
