//! Warnings about entities whose components have no effect together, with the remedy. Each is
//! logged once per app, and not where the setup may be intended.
//!
//! In a steady state this costs almost nothing: the index lists new roles, the queries for
//! incomplete entities are empty, and what else may be idle is looked for now and then.

mod idle;
mod roles;
mod written;

use bevy::{
    ecs::{
        entity_disabling::Disabled,
        name::NameOrEntity,
        query::Allow,
        schedule::{InternedScheduleLabel, ScheduleLabel},
        system::SystemParam,
    },
    prelude::*,
};

use crate::{
    components::{Mover, Solid},
    contacts::Collisions,
    index::{ColliderEntry, ColliderIndex, LocalShape, Parents, Registration, SyncIndex},
    schedule::CollisionSystems,
};

/// Adds the systems that warn.
pub(crate) fn set_up(app: &mut App, schedule: InternedScheduleLabel) {
    let checks = (
        roles::check_setups,
        idle::check_idle,
        written::check_written_movers,
    );
    let checks = checks.chain().in_set(CollisionSystems::Sync);
    app.add_systems(schedule, checks.after(SyncIndex));
    if schedule == FixedPostUpdate.intern() {
        let check = written::check_movers_set_back.in_set(CollisionSystems::Sync);
        app.add_systems(schedule, check.after(SyncIndex));
    }
}

/// The colliders, their hierarchy, and why they do not collide.
#[derive(SystemParam)]
struct Scene<'w, 's> {
    index: Res<'w, ColliderIndex>,
    collisions: Collisions<'w, 's>,
    registrations: Query<'w, 's, &'static Registration>,
    parents: Parents<'w, 's>,
    children: Query<'w, 's, &'static Children, Allow<Disabled>>,
    names: Query<'w, 's, NameOrEntity, Allow<Disabled>>,
}

impl Scene<'_, '_> {
    fn collider(&self, entity: Entity) -> Option<ColliderEntry<'_>> {
        let registration = self.registrations.get(entity).ok()?;
        self.index.get(registration.slot, entity)
    }

    fn name(&self, entity: Entity) -> String {
        match self.names.get(entity) {
            Ok(name) => name.to_string(),
            Err(_) => entity.to_string(),
        }
    }

    fn parent(&self, entity: Entity) -> Option<Entity> {
        self.parents.get(entity).ok().map(ChildOf::parent)
    }

    /// The descendants of an entity that have colliders.
    fn colliders_below(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        let descendants = self.children.iter_descendants(entity);
        descendants.filter(|&child| self.collider(child).is_some())
    }
}

/// A role on an entity without a collider.
type IsBare = (Without<LocalShape>, Or<(With<Mover>, With<Solid>)>);
