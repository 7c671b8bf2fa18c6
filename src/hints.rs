//! Warnings about entities that are set up so that nothing happens: each once in an app, with the
//! remedy.
//!
//! What may be meant is logged at the debug level instead. In a steady state nothing is looked at:
//! new roles come from the sync, and the queries for incomplete entities match nothing.

use bevy::{
    ecs::{
        entity_disabling::Disabled, name::NameOrEntity, query::Allow,
        schedule::InternedScheduleLabel, system::SystemParam,
    },
    prelude::*,
};
use log::{debug, warn};

use crate::{
    components::{Mover, OneWay, Solid},
    events::CollisionEvent,
    geometry::{separation, touching_slop},
    index::{
        Body, ColliderEntry, ColliderIndex, LocalShape, NewRoles, Parents, RefreshColliders,
        Registration, SyncIndex, visit_ancestors,
    },
    memory,
    schedule::CollisionSystems,
};

/// Why a wall does not block a mover below it, and what to do.
pub(crate) const MAKE_SIBLINGS: &str =
    "an entity does not collide with its descendants. Make them siblings";
/// Why nothing blocks a mover of which only the children have colliders, and what to do.
pub(crate) const MOVE_COLLIDER: &str = "nothing blocks a mover without a collider of its own, \
    and those of its children only report. Put the collider on the entity of the `Mover`";
/// Why a collider does not block of which only an ancestor is solid, and what to do.
pub(crate) const MOVE_SOLID: &str =
    "`Solid` counts only on the entity of the collider. Put both on one entity";
/// Why a one-way wall does not block, and what to do.
pub(crate) const ADD_SOLID: &str = "`OneWay` does nothing without `Solid`. Add `Solid`";

/// Adds the systems that warn.
pub(crate) fn set_up(app: &mut App, schedule: InternedScheduleLabel) {
    app.init_resource::<Given>();
    app.add_systems(
        schedule,
        check_setups.in_set(CollisionSystems::Sync).after(SyncIndex),
    );
    app.add_systems(RefreshColliders, check_new_roles.after(SyncIndex));
}

/// The hints that were given so far.
#[derive(Resource, Default)]
struct Given {
    mover_below_wall: Hint,
    bare_mover: Hint,
    bare_solid: Hint,
    one_way: Hint,
    no_time: Hint,
}

/// Whether a hint was given, by level.
#[derive(Default)]
struct Hint {
    as_warning: bool,
    as_debug: bool,
}

impl Hint {
    /// Logs the sentence, unless that was done before: as a warning if this is surely a mistake.
    fn give(&mut self, is_mistake: impl FnOnce() -> bool, sentence: impl FnOnce() -> String) {
        if self.as_warning {
            return;
        }
        if is_mistake() {
            self.as_warning = true;
            warn!("{}", sentence());
        } else if !self.as_debug {
            self.as_debug = true;
            debug!("{}", sentence());
        }
    }
}

/// The colliders, and who is whose parent.
#[derive(SystemParam)]
struct Scene<'w, 's> {
    registrations: Query<'w, 's, &'static Registration>,
    parents: Parents<'w, 's>,
    children: Query<'w, 's, &'static Children, Allow<Disabled>>,
    names: Query<'w, 's, NameOrEntity, Allow<Disabled>>,
}

impl Scene<'_, '_> {
    fn collider<'a>(&self, index: &'a ColliderIndex, entity: Entity) -> Option<ColliderEntry<'a>> {
        let registration = self.registrations.get(entity).ok()?;
        index.get(registration.slot, entity)
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

    /// Whether one collider, and no second one, is below an entity.
    fn has_one_collider_below(&self, index: &ColliderIndex, entity: Entity) -> bool {
        let descendants = self.children.iter_descendants(entity);
        let colliders = descendants.filter(|&child| self.collider(index, child).is_some());
        colliders.take(2).count() == 1
    }
}

/// What [`check_setups`] does that cannot wait for the next run.
fn check_new_roles(
    index: Res<ColliderIndex>,
    scene: Scene,
    mut new_roles: ResMut<NewRoles>,
    mut given: ResMut<Given>,
) {
    check_families(&index, &scene, &mut new_roles, &mut given.mover_below_wall);
}

/// Looks for movers among the descendants of walls that would block them, wherever one of the two
/// is new.
fn check_families(index: &ColliderIndex, scene: &Scene, new_roles: &mut NewRoles, hint: &mut Hint) {
    for &entity in &new_roles.0 {
        let Some(collider) = scene.collider(index, entity).filter(|_| !hint.as_warning) else {
            continue;
        };
        if collider.role.is_solid() {
            for below in scene.children.iter_descendants(entity) {
                if let Some(mover) = scene.collider(index, below) {
                    check_family(&collider, &mover, scene, hint);
                }
            }
        }
        // Parents in a cycle belong to no collider.
        let _ = visit_ancestors(scene.parent(entity), |ancestor| {
            if let Some(wall) = scene.collider(index, ancestor) {
                check_family(&wall, &collider, scene, hint);
            }
            scene.parent(ancestor)
        });
    }
    memory::clear(&mut new_roles.0);
}

/// Looks whether `wall` would block `mover`, were it not its ancestor. It may be meant if a mover
/// carries the wall, as a ship does its crew, or if the mover starts in it, as a bullet does in the
/// barrel.
fn check_family(wall: &ColliderEntry, mover: &ColliderEntry, scene: &Scene, hint: &mut Hint) {
    if mover.role.body != Body::Itself || !mover.is_blocked_by(wall) {
        return;
    }
    let is_outside = || {
        let slop = touching_slop(mover.shape, wall.shape);
        separation(mover.shape, wall.shape).distance >= -slop
    };
    hint.give(|| wall.role.is_wall() && is_outside(), || {
        let [wall, mover] = [wall.entity, mover.entity].map(|entity| scene.name(entity));
        format!(
            "{wall} does not block the mover {mover}, of which it is an ancestor: {MAKE_SIBLINGS}, \
            or, if this is meant, leave the layers of {wall} out of `Mover::blocked_by`"
        )
    });
}

/// What an entity without a collider has all the same.
type BareRoles = (Option<&'static Mover>, Has<Solid>);
type IsBare = (Without<LocalShape>, Or<(With<Mover>, With<Solid>)>);

/// Looks at what is new, and at entities that lack something: a run after that was seen first, for
/// the rest may have been added meanwhile. All in one system, since each costs some microseconds a
/// run.
fn check_setups(
    index: Res<ColliderIndex>,
    scene: Scene,
    mut new_roles: ResMut<NewRoles>,
    mut events: MessageReader<CollisionEvent>,
    bare_entities: Query<BareRoles, IsBare>,
    one_ways: Query<(Entity, Ref<OneWay>), Without<Solid>>,
    mut new_one_ways: Local<Vec<Entity>>,
    movers: Query<Entity, With<Mover>>,
    time: Option<Res<Time>>,
    mut given: ResMut<Given>,
) {
    check_families(&index, &scene, &mut new_roles, &mut given.mover_below_wall);
    if bare_entities.is_empty() {
        events.clear();
    }
    for event in events.read() {
        if let CollisionEvent::Started { a, b, .. } = *event
            && let Some(a) = scene.collider(&index, a)
            && let Some(b) = scene.collider(&index, b)
        {
            for (child, other) in [(&a, &b), (&b, &a)] {
                check_split(child, other, &bare_entities, (&index, &scene), &mut given);
            }
        }
    }
    for entity in new_one_ways.drain(..) {
        if one_ways.contains(entity) {
            given.one_way.give(
                || true,
                || format!("{} blocks nothing: {ADD_SOLID}", scene.name(entity)),
            );
        }
    }
    let added = one_ways.iter().filter(|(_, one_way)| one_way.is_added());
    new_one_ways.extend(added.map(|(entity, _)| entity));
    if time.is_none()
        && let Some(mover) = movers.iter().next()
    {
        given.no_time.give(
            || true,
            || {
                let mover = scene.name(mover);
                format!("{mover} does not move: the app has no `Time`. Add Bevy's `TimePlugin`")
            },
        );
    }
}

/// Looks whether one of two colliders that met would have blocked the other one, were not the
/// collider on one entity and its role on an ancestor. Where several colliders have that ancestor
/// it may be meant: a formation goes through everything.
fn check_split(
    child: &ColliderEntry,
    other: &ColliderEntry,
    bare_entities: &Query<BareRoles, IsBare>,
    (index, scene): (&ColliderIndex, &Scene),
    given: &mut Given,
) {
    // Parents in a cycle belong to no collider.
    let _ = visit_ancestors(scene.parent(child.entity), |ancestor| {
        let (mover, is_solid) = bare_entities.get(ancestor).unwrap_or_default();
        let is_alone = || scene.has_one_collider_below(index, ancestor);
        let names = || [child.entity, other.entity, ancestor].map(|entity| scene.name(entity));
        if let Some(mover) = mover.filter(|_| child.mover() == Some(ancestor))
            && other.blocks_layers(mover.effective_blocked_by())
        {
            given.bare_mover.give(is_alone, || {
                let [child, wall, mover] = names();
                format!(
                    "{wall} does not block {child}, a child of the mover {mover}: {MOVE_COLLIDER}, \
                    or, if this is meant, set `MoverResponse::Pass`"
                )
            });
        }
        let would_block = other.role.body == Body::Itself
            && (other.role.blocked_by).intersects(child.role.layers.memberships);
        if is_solid && !child.role.is_solid() && would_block {
            given.bare_solid.give(is_alone, || {
                let [child, mover, solid] = names();
                format!("{child}, a child of {solid}, does not block {mover}: {MOVE_SOLID}")
            });
        }
        scene.parent(ancestor)
    });
}
