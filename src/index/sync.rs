//! Bringing the index up to date with the world.

use bevy::{
    ecs::{
        change_detection::ContiguousRef,
        name::NameOrEntity,
        query::{ContiguousQueryData, QueryItem},
    },
    prelude::*,
};
use log::warn;

use super::{
    Body, ColliderIndex, ColliderRole, ColliderTraits, Family, Registration, SlotKey,
    family::Member,
};
use crate::{
    collider::{ColliderDisabled, CollisionLayers, LayerMask, LocalShape, Solid},
    geometry::{pose_of_parts, world_pose},
    hierarchy::AnyEntity,
    movement::Mover,
    settings::CollisionSettings,
};

type ColliderData = (
    Entity,
    &'static mut Registration,
    Ref<'static, LocalShape>,
    Ref<'static, Transform>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, Mover>>,
    Option<&'static ChildOf>,
    Has<Solid>,
);

type Names<'w, 's> = Query<'w, 's, NameOrEntity, AnyEntity>;

/// Takes in every collider that is new or has changed, and drops those that are gone, disabled or not finite.
pub(crate) fn sync_colliders(
    mut index: ResMut<ColliderIndex>,
    mut colliders: Query<ColliderData, Without<ColliderDisabled>>,
    family: Family,
    names: Names,
    settings: Res<CollisionSettings>,
) {
    index.begin_run();
    let index = &mut *index;
    match colliders.contiguous_iter_mut() {
        Ok(tables) => tables.for_each(|table| sync_table(table, index, &family, &names)),
        // A component that hides entities from queries is not kept in tables.
        Err(_) => {
            for mut row in colliders.iter_mut().map(Row::of) {
                row.sync(index, &family, &names);
            }
        }
    }
    if index.seen < index.count() {
        index.remove_unseen(colliders.iter().map(|collider| collider.1.key));
    }
    if settings.is_changed() {
        index.mark_all();
    }
    index.refresh(&settings);
}

/// What an entity says about its collider.
struct Row<'a> {
    entity: Entity,
    registration: &'a mut Registration,
    local: &'a LocalShape,
    transform: &'a Transform,
    layers: Option<&'a CollisionLayers>,
    mover: Option<&'a Mover>,
    parent: Option<&'a ChildOf>,
    solid: bool,
    /// Its shape may be another one than in the last run, or elsewhere.
    is_moved: bool,
    /// Its layers or what it says as a mover may differ.
    is_recast: bool,
}

impl<'a> Row<'a> {
    fn of(
        (entity, registration, local, transform, layers, mover, parent, solid): QueryItem<
            'a,
            '_,
            ColliderData,
        >,
    ) -> Self {
        Self {
            entity,
            is_moved: local.is_changed() || transform.is_changed(),
            is_recast: layers.as_ref().is_some_and(Ref::is_changed)
                || mover.as_ref().is_some_and(Ref::is_changed),
            registration: registration.into_inner(),
            local: local.into_inner(),
            transform: transform.into_inner(),
            layers: layers.map(Ref::into_inner),
            mover: mover.map(Ref::into_inner),
            parent,
            solid,
        }
    }
}

/// Syncs the rows of a table. That they lie side by side makes this faster than asking for each entity.
fn sync_table(
    (entities, mut registrations, locals, transforms, layers, movers, parents, solid): <ColliderData as ContiguousQueryData>::Contiguous<'_, '_>,
    index: &mut ColliderIndex,
    family: &Family,
    names: &Names,
) {
    let registrations = registrations.bypass_change_detection();
    for (row, (&entity, registration)) in entities.iter().zip(registrations).enumerate() {
        Row {
            entity,
            registration,
            is_moved: is_changed(&locals, row) || is_changed(&transforms, row),
            is_recast: layers
                .as_ref()
                .is_some_and(|layers| is_changed(layers, row))
                || movers
                    .as_ref()
                    .is_some_and(|movers| is_changed(movers, row)),
            local: &locals[row],
            transform: &transforms[row],
            layers: layers.as_ref().map(|layers| &layers[row]),
            mover: movers.as_ref().map(|movers| &movers[row]),
            parent: parents.map(|parents| &parents[row]),
            solid,
        }
        .sync(index, family, names);
    }
}

#[inline]
fn is_changed<T>(column: &ContiguousRef<T>, row: usize) -> bool {
    column.changed_ticks_slice()[row].is_newer_than(column.last_run_tick(), column.this_run_tick())
}

impl Row<'_> {
    #[inline(always)]
    fn sync(&mut self, index: &mut ColliderIndex, family: &Family, names: &Names) {
        let traits = self.traits();
        let key = self.registration.key;
        if self.registration.traits == traits
            && !traits.has_parent()
            && !self.is_recast
            && index.colliders.slots.has(key)
        {
            if !self.is_moved {
                return index.see(key.slot, self.mover.is_some());
            }
            let shape = self.local.shape.as_ref();
            let &Transform {
                translation,
                rotation,
                scale,
            } = self.transform;
            let pose = pose_of_parts(scale, rotation, translation);
            if let Some(shape) = shape.map(|shape| shape.transformed(&pose))
                && shape.is_finite()
            {
                index.move_to(key.slot, shape);
                return index.see(key.slot, self.mover.is_some());
            }
        }
        self.sync_all(traits, index, family, names);
    }

    /// Takes in everything.
    fn sync_all(
        &mut self,
        traits: ColliderTraits,
        index: &mut ColliderIndex,
        family: &Family,
        names: &Names,
    ) {
        let Some(local_shape) = &self.local.shape else {
            return self.leave(index);
        };
        let member = Member {
            entity: self.entity,
            transform: *self.transform,
            parent: self.parent.map(ChildOf::parent),
            is_mover: self.mover.is_some(),
        };
        let Ok((pose, lineage)) = family.pose_and_lineage(&member) else {
            return self.set_invalid(index, names, "its parents form a cycle");
        };
        let shape = local_shape.transformed(&world_pose(&pose));
        if !shape.is_finite() {
            let why = "its position, size or scale is not a finite number";
            return self.set_invalid(index, names, why);
        }
        let role = self.role(lineage.body_of(self.entity));
        let lineage = traits.has_parent().then_some(lineage);
        let skin = self.mover.map_or(0.0, Mover::valid_skin);
        let former = self.registration.key;
        let may_be_recast = self.is_recast || self.registration.traits != traits;
        let role = (role, skin);
        let key = index.update(former, self.entity, shape, role, lineage, may_be_recast);
        index.see(key.slot, role.0.body != Body::None);
        *self.registration = Registration {
            key,
            traits,
            invalid: false,
        };
    }

    fn traits(&self) -> ColliderTraits {
        let (is_mover, has_parent) = (self.mover.is_some(), self.parent.is_some());
        ColliderTraits::new(self.solid, is_mover, has_parent, self.layers.is_some())
    }

    fn role(&self, body: Body) -> ColliderRole {
        ColliderRole {
            layers: self.layers.copied().unwrap_or_default(),
            blocked_by: self
                .mover
                .map_or(LayerMask::NONE, Mover::effective_blocked_by),
            solid: self.solid,
            has_parent: self.parent.is_some(),
            body,
        }
    }

    /// Takes the collider out, if it was in.
    fn leave(&mut self, index: &mut ColliderIndex) {
        if index
            .colliders
            .slots
            .place_of(self.registration.key)
            .is_some()
        {
            index.remove(self.registration.key.slot);
        }
        self.registration.key = SlotKey::default();
    }

    /// Leaves the collider out until it is well again, and says so once.
    fn set_invalid(&mut self, index: &mut ColliderIndex, names: &Names, why: &str) {
        self.leave(index);
        if !self.registration.invalid {
            match names.get(self.entity) {
                Ok(name) => warn!("the collider of {name} takes no part: {why}"),
                Err(_) => warn!("the collider of {} takes no part: {why}", self.entity),
            }
            self.registration.invalid = true;
        }
    }
}

/// Puts the colliders of movers, and those that movers carry, where their `Transform`s are now.
pub(crate) fn carry_colliders(
    mut index: ResMut<ColliderIndex>,
    colliders: Query<&LocalShape>,
    family: Family,
    settings: Res<CollisionSettings>,
) {
    index.update_carried(|entity| {
        let local_shape = colliders.get(entity).ok()?.shape.as_ref()?;
        Some(local_shape.transformed(&world_pose(&family.pose(entity)?)))
    });
    index.refresh(&settings);
}
