//! The local shape of each collider, read from its component whenever that changes.

use bevy::{
    ecs::{
        component::{ComponentId, RequiredComponentsError},
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
    update_schedule::UpdateSchedule,
};
use crate::{
    components::Collider,
    geometry::Shape,
    memory,
    schedule::{CollisionSystems, OnMainThread},
};

/// The shape of an entity's collider in the entity's local space, of whatever kind of collider.
#[derive(Component, Default)]
#[component(clone_behavior = Ignore)]
#[require(Registration)]
pub(crate) struct LocalShape {
    /// `None` before the first update, and after the collider was removed.
    pub shape: Option<Shape>,
    /// The kind of collider that `shape` is from. Zero if there is none.
    kind: u16,
    /// Whether the warning about several kinds has been logged.
    conflict_logged: bool,
}

impl LocalShape {
    /// Whether it is a grid: perhaps only some of its cells change.
    pub fn is_grid(&self) -> bool {
        matches!(self.shape, Some(Shape::Tiles { .. }))
    }

    /// Whether it is a grid without columns, which is likely a mistake. One without solid cells is
    /// not.
    pub fn has_no_columns(&self) -> bool {
        matches!(&self.shape, Some(Shape::Tiles { tiles, .. }) if tiles.size().x == 0)
    }

    /// Empties the shape until that of a collider is read again.
    fn clear(&mut self) {
        self.kind = 0;
        self.shape = None;
    }
}

/// The kinds of colliders, in the order in which they were added to the app.
#[derive(Resource, Default)]
pub(crate) struct ColliderKinds {
    kinds: Vec<ComponentId>,
    /// The kinds without [hooks](add_hooks).
    without_hooks: Vec<u16>,
}

impl ColliderKinds {
    /// The collider components.
    pub fn ids(&self) -> &[ComponentId] {
        &self.kinds
    }

    /// The number of a kind, starting from one.
    fn number_of(&self, id: ComponentId) -> Option<u16> {
        let index = self.kinds.iter().position(|&kind| kind == id)?;
        Some(index as u16 + 1)
    }
}

/// Registers custom colliders in an [`App`].
pub trait ColliderAppExt {
    /// Registers the component `C` as a collider, before or after the
    /// [`CollisionPlugin`](crate::CollisionPlugin) is added. Calling it again changes nothing.
    fn add_collider<C: Collider>(&mut self) -> &mut Self;
}

impl ColliderAppExt for App {
    fn add_collider<C: Collider>(&mut self) -> &mut Self {
        let world = self.world_mut();
        let id = world.register_component::<C>();
        let kinds = world.get_resource_or_init::<ColliderKinds>();
        if kinds.number_of(id).is_some() {
            return self;
        }
        let has_hooks = add_hooks::<C>(world, id);
        let mut kinds = world.resource_mut::<ColliderKinds>();
        kinds.kinds.push(id);
        let kind = kinds.kinds.len() as u16;
        if !has_hooks {
            kinds.without_hooks.push(kind);
        }
        UpdateSchedule::when_known(self, move |app, schedule| {
            read_kind::<C>(app, kind, schedule);
        });
        self
    }
}

/// Makes `C` require a [`LocalShape`] and a [`Transform`], and clears the shape when `C` is
/// removed. Returns false if that is impossible: if entities or bundles with a `C` exist already,
/// which Bevy does not complete, or if the component has hooks of its own for both its removal and
/// its replacement.
fn add_hooks<C: Collider>(world: &mut World, id: ComponentId) -> bool {
    let has_bundle =
        (world.bundles().iter()).any(|bundle| bundle.contributed_components().contains(&id));
    if has_bundle {
        return false;
    }
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
    // A replaced component is read again, because it has changed.
    hooks.try_on_remove(clear_shape).is_some() || hooks.try_on_discard(clear_shape).is_some()
}

/// Clears the shape of a removed collider, so that one of another kind can take its place.
fn clear_shape(mut world: DeferredWorld, removed: HookContext) {
    let kinds = world.get_resource::<ColliderKinds>();
    let kind = kinds.and_then(|kinds| kinds.number_of(removed.component_id));
    if let Some(mut local) = world.get_mut::<LocalShape>(removed.entity)
        && Some(local.kind) == kind
    {
        local.clear();
    }
}

/// The order in which the kinds of colliders are read.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
struct ReadKind(u16);

/// The systems that replace the hooks of kinds that have none.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
struct WithoutHooks;

type Shapes<'w, 's, C> = Query<'w, 's, (Entity, Ref<'static, C>, Mut<'static, LocalShape>)>;
type Lacking<'w, 's, C> = Query<'w, 's, Entity, (With<C>, Without<LocalShape>)>;
type Orphans<'w, 's, C> = Query<'w, 's, &'static mut LocalShape, Without<C>>;
type Names<'w, 's> = Query<'w, 's, NameOrEntity>;

/// Adds the systems that read the colliders of a kind whenever they change. This includes hidden
/// entities, which may show up again.
fn read_kind<C: Collider>(app: &mut App, kind: u16, schedule: InternedScheduleLabel) {
    const SAME: ParamBuilder = ParamBuilder;
    let kinds = app.world().resource::<ColliderKinds>();
    let has_hooks = !kinds.without_hooks.contains(&kind);
    for schedule in [schedule, RefreshColliders.intern()] {
        let read = (every_entity(), SAME, every_entity(), SAME).build_system(
            move |shapes: Shapes<C>, mut changed: Local<_>, names: Names, _: OnMainThread| {
                list_changed(&shapes, &mut changed);
                read_shapes(kind, shapes, &changed, &names);
            },
        );
        app.add_systems(schedule, read.in_set(ReadKind(kind)));
        if !has_hooks {
            let find = (every_entity(), every_entity(), SAME, SAME).build_system(
                move |lacking: Lacking<C>,
                      orphans: Orphans<C>,
                      commands: Commands,
                      _: OnMainThread| {
                    complete(&lacking, commands);
                    clear_orphans(kind, orphans);
                },
            );
            let find = find.in_set(CollisionSystems::Sync).in_set(WithoutHooks);
            app.add_systems(
                schedule,
                find.ambiguous_with(WithoutHooks).before(ReadKind(1)),
            );
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

/// Inserts the missing required components.
fn complete<C: Collider>(lacking: &Lacking<C>, mut commands: Commands) {
    for entity in lacking {
        let missing = (LocalShape::default(), Transform::IDENTITY);
        commands.entity(entity).try_insert_if_new(missing);
    }
}

/// Clears the shapes of removed colliders of a kind.
fn clear_orphans<C: Collider>(kind: u16, mut orphans: Orphans<C>) {
    for mut local in &mut orphans {
        if local.kind == kind {
            local.clear();
        }
    }
}

/// Stores the shapes of changed colliders of a kind, except on entities with an earlier kind.
fn read_shapes<C: Collider>(kind: u16, mut shapes: Shapes<C>, changed: &[Entity], names: &Names) {
    for &entity in changed {
        let Ok((_, collider, mut local)) = shapes.get_mut(entity) else {
            continue;
        };
        let other = local.kind;
        if other != 0 && other != kind {
            if !local.conflict_logged
                && let Ok(name) = names.get(entity)
            {
                warn!(
                    "{name} has more than one collider: only the one whose kind was registered first counts"
                );
                local.bypass_change_detection().conflict_logged = true;
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

/// Lists the entities whose collider or local shape has changed.
fn list_changed<C: Collider>(shapes: &Shapes<C>, changed: &mut Vec<Entity>) {
    memory::clear(changed);
    let Ok(tables) = shapes.contiguous_iter() else {
        // A component that is not stored in tables.
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
