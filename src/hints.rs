//! Warnings about entities whose components have no effect together, with the remedy. Each is
//! logged once per app.
//!
//! A setup that may be intended is logged at the debug level instead. In a steady state this costs
//! almost nothing: the index lists new roles, and the queries for incomplete entities are empty.

use bevy::{
    ecs::{
        entity::EntityHashMap, entity_disabling::Disabled, name::NameOrEntity, query::Allow,
        schedule::InternedScheduleLabel, system::SystemParam,
    },
    prelude::*,
};
use log::{debug, warn};

use crate::{
    components::{Mover, MoverResponse, OneWay, Solid},
    events::CollisionEvent,
    geometry::{separation, touching_slop},
    index::{
        ColliderEntry, ColliderIndex, LocalShape, MoverRelation, NewRoles, Parents,
        RefreshColliders, Registration, SyncIndex, visit_ancestors,
    },
    memory,
    movement::MovePlans,
    schedule::{CollisionSystems, OnMainThread},
};

/// Why a wall does not block a mover among its descendants, and the remedy.
pub(crate) const MAKE_SIBLINGS: &str =
    "an entity does not collide with its descendants. Make them siblings";
/// Why nothing blocks a mover if only its children have colliders, and the remedy.
pub(crate) const MOVE_COLLIDER: &str = "nothing blocks a mover without a collider of its own; \
    the colliders of its children only report overlaps. Put the collider on the entity of the \
    `Mover`";
/// Why a collider does not block if only an ancestor is solid, and the remedy.
pub(crate) const MOVE_SOLID: &str =
    "`Solid` only affects the collider of its own entity. Put both on one entity";
/// Why a one-way wall does not block, and the remedy.
pub(crate) const ADD_SOLID: &str = "`OneWay` has no effect without `Solid`. Add `Solid`";

/// Adds the systems that warn.
pub(crate) fn set_up(app: &mut App, schedule: InternedScheduleLabel) {
    app.init_resource::<LoggedHints>();
    app.add_systems(
        schedule,
        (check_setups, check_written_movers)
            .chain()
            .in_set(CollisionSystems::Sync)
            .after(SyncIndex),
    );
    app.add_systems(RefreshColliders, check_new_roles.after(SyncIndex));
}

/// The hints that were logged so far.
#[derive(Resource, Default)]
struct LoggedHints {
    mover_below_wall: Hint,
    bare_mover: Hint,
    bare_solid: Hint,
    one_way: Hint,
    no_time: Hint,
    written_mover: Hint,
}

/// Whether a hint was logged, by level.
#[derive(Default)]
struct Hint {
    as_warning: bool,
    as_debug: bool,
}

impl Hint {
    /// Logs the sentence once: as a warning if `is_mistake` holds, else at the debug level.
    fn log(&mut self, is_mistake: impl FnOnce() -> bool, sentence: impl FnOnce() -> String) {
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

/// The colliders and their hierarchy.
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

    /// Whether exactly one of the descendants of an entity has a collider.
    fn has_one_collider_below(&self, index: &ColliderIndex, entity: Entity) -> bool {
        let descendants = self.children.iter_descendants(entity);
        let colliders = descendants.filter(|&child| self.collider(index, child).is_some());
        colliders.take(2).count() == 1
    }
}

/// The checks that, unlike [`check_setups`], cannot wait for the next update.
fn check_new_roles(
    index: Res<ColliderIndex>,
    scene: Scene,
    mut new_roles: ResMut<NewRoles>,
    mut hints: ResMut<LoggedHints>,
) {
    check_ancestors(&index, &scene, &mut new_roles, &mut hints.mover_below_wall);
}

/// Checks for walls that do not block movers below them, where one of the two is new.
fn check_ancestors(
    index: &ColliderIndex,
    scene: &Scene,
    new_roles: &mut NewRoles,
    hint: &mut Hint,
) {
    for &entity in &new_roles.0 {
        let Some(collider) = scene.collider(index, entity).filter(|_| !hint.as_warning) else {
            continue;
        };
        if collider.role.is_solid() {
            for below in scene.children.iter_descendants(entity) {
                if let Some(mover) = scene.collider(index, below) {
                    check_ancestor(&collider, &mover, scene, hint);
                }
            }
        }
        // Colliders below a cycle of parents are not in the index.
        let _ = visit_ancestors(scene.parent(entity), |ancestor| {
            if let Some(wall) = scene.collider(index, ancestor) {
                check_ancestor(&wall, &collider, scene, hint);
            }
            scene.parent(ancestor)
        });
    }
    memory::clear(&mut new_roles.0);
}

/// Logs a hint if `wall` does not block `mover` only because it is an ancestor. This may be
/// intended if the wall belongs to a mover, such as a ship with its crew, or if the mover starts
/// inside the wall, such as a bullet in a barrel.
fn check_ancestor(wall: &ColliderEntry, mover: &ColliderEntry, scene: &Scene, hint: &mut Hint) {
    if mover.role.moved_by != MoverRelation::Itself || !mover.is_blocked_by(wall) {
        return;
    }
    let is_outside = || {
        let slop = touching_slop(mover.shape, wall.shape);
        separation(mover.shape, wall.shape).distance >= -slop
    };
    hint.log(|| wall.role.is_wall() && is_outside(), || {
        let [wall, mover] = [wall.entity, mover.entity].map(|entity| scene.name(entity));
        format!(
            "{wall} does not block the mover {mover}, of which it is an ancestor: {MAKE_SIBLINGS}, \
            or, if this is intended, remove the layers of {wall} from `Mover::blocked_by`"
        )
    });
}

/// The roles of an entity without a collider.
type BareRoles = (Option<&'static Mover>, Has<Solid>);
type IsBare = (Without<LocalShape>, Or<(With<Mover>, With<Solid>)>);

/// Checks new colliders, and incomplete entities one update after they were first seen: the rest
/// may be added meanwhile. One system does both, since each costs some microseconds per update.
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
    mut hints: ResMut<LoggedHints>,
    _: OnMainThread,
) {
    check_ancestors(&index, &scene, &mut new_roles, &mut hints.mover_below_wall);
    if bare_entities.is_empty() {
        events.clear();
    }
    for event in events.read() {
        if let CollisionEvent::Started { a, b, .. } = *event
            && let Some(a) = scene.collider(&index, a)
            && let Some(b) = scene.collider(&index, b)
        {
            for (child, other) in [(&a, &b), (&b, &a)] {
                check_split(child, other, &bare_entities, &index, &scene, &mut hints);
            }
        }
    }
    for entity in new_one_ways.drain(..) {
        if one_ways.contains(entity) {
            hints.one_way.log(
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
        hints.no_time.log(
            || true,
            || {
                let mover = scene.name(mover);
                format!("{mover} does not move: the app has no `Time`. Add Bevy's `TimePlugin`")
            },
        );
    }
}

/// A mover whose translation is written in this many updates in a row is moved by its `Transform`.
const WRITTEN_IN_A_ROW: u32 = 10;

/// This many of them are followed.
const FOLLOWED_MOVERS: usize = 64;

/// Where the game put a mover, and in how many updates in a row it did.
struct Written {
    translation: Vec2,
    updates: u32,
}

/// Logs a hint if the game moves a mover by its `Transform`, which teleports it in each update,
/// instead of by a velocity, and has moved it into a wall.
fn check_written_movers(
    movers: Query<(Entity, &Mover, &Transform), Changed<Transform>>,
    index: Res<ColliderIndex>,
    plans: Res<MovePlans>,
    scene: Scene,
    mut written: Local<EntityHashMap<Written>>,
    mut before: Local<EntityHashMap<Written>>,
    mut hints: ResMut<LoggedHints>,
    _: OnMainThread,
) {
    if hints.written_mover.as_warning {
        return;
    }
    std::mem::swap(&mut *written, &mut *before);
    written.clear();
    let is_written = |(entity, mover, transform): &(Entity, &Mover, &Transform)| {
        let is_steered = mover.velocity != Vec2::ZERO || mover.displacement != Vec2::ZERO;
        let translation = transform.translation.truncate();
        let is_moved = || {
            plans
                .of(*entity)
                .is_some_and(|plan| plan.end() == translation)
        };
        !is_steered && mover.response != MoverResponse::Pass && !is_moved()
    };
    for (entity, _, transform) in movers.iter().filter(is_written).take(FOLLOWED_MOVERS) {
        let translation = transform.translation.truncate();
        let updates = match before.get(&entity) {
            Some(earlier) if earlier.translation != translation => earlier.updates + 1,
            _ => 0,
        };
        if updates >= WRITTEN_IN_A_ROW && is_in_wall(entity, &index, &scene) {
            hints.written_mover.log(|| true, || {
                let mover = scene.name(entity);
                format!(
                    "{mover} has a `Mover`, but the game writes its `Transform` in each update. \
                    That teleports it, into walls and past them. Set `Mover::velocity` instead, \
                    or `Mover::displacement` for one update, or remove `Mover`"
                )
            });
        }
        written.insert(
            entity,
            Written {
                translation,
                updates,
            },
        );
    }
}

/// Whether a mover overlaps a wall that blocks it.
fn is_in_wall(mover: Entity, index: &ColliderIndex, scene: &Scene) -> bool {
    let Some(mover) = scene.collider(index, mover) else {
        return false;
    };
    let mut is_in_wall = false;
    index.visit_overlapping(&mover.shape.aabb(), |wall| {
        is_in_wall |= wall.role.is_wall() && mover.is_blocked_by(&wall);
    });
    is_in_wall
}

/// Logs a hint if one of two colliders would block the other if its role were on the collider's own
/// entity instead of on an ancestor. This may be intended if that ancestor has several colliders,
/// such as a formation that nothing blocks.
fn check_split(
    child: &ColliderEntry,
    other: &ColliderEntry,
    bare_entities: &Query<BareRoles, IsBare>,
    index: &ColliderIndex,
    scene: &Scene,
    hints: &mut LoggedHints,
) {
    // No collider has parents in a cycle.
    let _ = visit_ancestors(scene.parent(child.entity), |ancestor| {
        let (mover, is_solid) = bare_entities.get(ancestor).unwrap_or_default();
        let is_alone = || scene.has_one_collider_below(index, ancestor);
        let names = || [child.entity, other.entity, ancestor].map(|entity| scene.name(entity));
        if let Some(mover) = mover.filter(|_| child.mover() == Some(ancestor))
            && other.blocks_layers(mover.effective_blocked_by())
        {
            hints.bare_mover.log(is_alone, || {
                let [child, wall, mover] = names();
                format!(
                    "{wall} does not block {child}, a child of the mover {mover}: {MOVE_COLLIDER}, \
                    or, if this is intended, set `MoverResponse::Pass`"
                )
            });
        }
        let would_block = other.role.moved_by == MoverRelation::Itself
            && (other.role.blocked_by).intersects(child.role.layers.memberships);
        if is_solid && !child.role.is_solid() && would_block {
            hints.bare_solid.log(is_alone, || {
                let [child, mover, solid] = names();
                format!("{child}, a child of {solid}, does not block {mover}: {MOVE_SOLID}")
            });
        }
        scene.parent(ancestor)
    });
}
