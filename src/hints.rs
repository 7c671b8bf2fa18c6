//! Warnings about entities whose components have no effect together, with the remedy. Each is
//! logged once per app, and not where the setup may be intended.
//!
//! In a steady state this costs almost nothing: the index lists new roles, and the queries for
//! incomplete entities are empty.

use bevy::{
    ecs::{
        entity::EntityHashMap, entity_disabling::Disabled, name::NameOrEntity, query::Allow,
        schedule::InternedScheduleLabel, system::SystemParam,
    },
    prelude::*,
};
use log::warn;

use crate::{
    components::{Mover, MoverResponse, OneWay, Solid},
    contacts::Collisions,
    events::CollisionEvent,
    geometry::{separation, touching_slop},
    index::{
        ColliderEntry, ColliderIndex, LocalShape, MoverRelation, NewRoles, Parents, Reason,
        Registration, SyncIndex, visit_ancestors,
    },
    memory,
    movement::MovePlans,
    schedule::{CollisionSystems, OnMainThread},
};

/// Adds the systems that warn.
pub(crate) fn set_up(app: &mut App, schedule: InternedScheduleLabel) {
    app.add_systems(
        schedule,
        (check_setups, check_written_movers)
            .chain()
            .in_set(CollisionSystems::Sync)
            .after(SyncIndex),
    );
}

/// The reasons that were logged so far.
#[derive(Default)]
struct LoggedReasons(Vec<Reason>);

impl LoggedReasons {
    /// Logs the sentence, unless the same reason was logged before.
    fn warn(&mut self, reason: Reason, sentence: impl FnOnce() -> String) {
        if !self.0.contains(&reason) {
            self.0.push(reason);
            warn!("{}", sentence());
        }
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

    /// Whether exactly one of the descendants of an entity has a collider.
    fn has_one_collider_below(&self, entity: Entity) -> bool {
        let descendants = self.children.iter_descendants(entity);
        let colliders = descendants.filter(|&child| self.collider(child).is_some());
        colliders.take(2).count() == 1
    }
}

/// A role on an entity without a collider.
type IsBare = (Without<LocalShape>, Or<(With<Mover>, With<Solid>)>);

/// Checks new colliders, and entities without one where another collider passes through those of
/// their children. One system does all of it, since each costs some microseconds per update.
fn check_setups(
    scene: Scene,
    mut new_roles: ResMut<NewRoles>,
    mut events: MessageReader<CollisionEvent>,
    bare_entities: Query<Option<&Mover>, IsBare>,
    one_ways: Query<Entity, (Added<OneWay>, Without<Solid>)>,
    movers: Query<Entity, With<Mover>>,
    time: Option<Res<Time>>,
    mut logged: Local<LoggedReasons>,
    mut is_without_time: Local<bool>,
    _: OnMainThread,
) {
    check_ancestors(&scene, &new_roles.0, &mut logged);
    memory::clear(&mut new_roles.0);
    if bare_entities.is_empty() {
        events.clear();
    }
    for event in events.read() {
        if let CollisionEvent::Started { a, b, .. } = *event
            && let Some(a) = scene.collider(a)
            && let Some(b) = scene.collider(b)
        {
            for (child, other) in [(&a, &b), (&b, &a)] {
                check_split(child, other, &bare_entities, &scene, &mut logged);
            }
        }
    }
    if let Some(wall) = one_ways.iter().next() {
        logged.warn(Reason::OneWayNotSolid, || {
            let wall = scene.name(wall);
            format!("{wall} blocks nothing: {}", Reason::ONE_WAY_NOT_SOLID)
        });
    }
    let mover = movers.iter().next().filter(|_| time.is_none());
    if let Some(mover) = mover.filter(|_| !std::mem::replace(&mut *is_without_time, true)) {
        let mover = scene.name(mover);
        warn!("{mover} does not move: the app has no `Time`. Add Bevy's `TimePlugin`");
    }
}

/// Checks for walls that do not block movers below them, where one of the two is new.
fn check_ancestors(scene: &Scene, new_roles: &[Entity], logged: &mut LoggedReasons) {
    if logged.0.contains(&Reason::Related) {
        return;
    }
    let colliders = new_roles
        .iter()
        .filter_map(|&entity| scene.collider(entity));
    for collider in colliders {
        if collider.role.is_wall() {
            for below in scene.children.iter_descendants(collider.entity) {
                if let Some(mover) = scene.collider(below) {
                    check_ancestor(&collider, &mover, scene, logged);
                }
            }
        }
        // Colliders below a cycle of parents are not in the index.
        let _ = visit_ancestors(scene.parent(collider.entity), |ancestor| {
            if let Some(wall) = scene.collider(ancestor) {
                check_ancestor(&wall, &collider, scene, logged);
            }
            scene.parent(ancestor)
        });
    }
}

/// Logs a warning if `wall` does not block `mover` only because it is an ancestor. This may be
/// intended if the wall belongs to a mover, such as a ship with its crew, or if the mover starts
/// inside the wall, such as a bullet in a barrel.
fn check_ancestor(
    wall: &ColliderEntry,
    mover: &ColliderEntry,
    scene: &Scene,
    logged: &mut LoggedReasons,
) {
    let is_mover = mover.role.moved_by == MoverRelation::Itself;
    let is_outside = || {
        let slop = touching_slop(mover.shape, wall.shape);
        separation(mover.shape, wall.shape).distance >= -slop
    };
    if is_mover && wall.role.is_wall() && mover.is_blocked_by(wall) && is_outside() {
        logged.warn(Reason::Related, || {
            let explanation = scene.collisions.explain(wall.entity, mover.entity);
            format!(
                "{} If this is intended, remove the layers of {} from `Mover::blocked_by`",
                explanation.named(&scene.names),
                scene.name(wall.entity)
            )
        });
    }
}

/// Logs a warning if one of two colliders would block the other if its role were on the collider's
/// own entity instead of on an ancestor. This may be intended if that ancestor has several
/// colliders, such as a formation that nothing blocks.
fn check_split(
    child: &ColliderEntry,
    other: &ColliderEntry,
    bare_entities: &Query<Option<&Mover>, IsBare>,
    scene: &Scene,
    logged: &mut LoggedReasons,
) {
    // No collider has parents in a cycle.
    let _ = visit_ancestors(scene.parent(child.entity), |ancestor| {
        if let Ok(mover) = bare_entities.get(ancestor)
            && scene.has_one_collider_below(ancestor)
        {
            let explanation = scene.collisions.explain(child.entity, other.entity);
            let is_to_be_blocked =
                mover.is_some_and(|mover| other.blocks_layers(mover.effective_blocked_by()));
            let is_to_block = (other.role.blocked_by).intersects(child.role.layers.memberships);
            for (blocks, is_expected) in [
                (explanation.b_blocks_a(), is_to_be_blocked),
                (explanation.a_blocks_b(), is_to_block),
            ] {
                if let Err(reason @ (Reason::MoverWithoutCollider | Reason::SolidOnParent)) = blocks
                    && is_expected
                {
                    logged.warn(reason, || {
                        let ancestor = scene.name(ancestor);
                        let explanation = explanation.named(&scene.names);
                        format!("{ancestor} has no collider of its own. {explanation}")
                    });
                }
            }
        }
        scene.parent(ancestor)
    });
}

/// A mover whose translation is written in this many updates in a row is moved by its `Transform`.
const WRITTEN_IN_A_ROW: u32 = 10;

/// This many of them are followed.
const FOLLOWED_MOVERS: usize = 64;

/// Where the game put a mover, and in how many updates in a row it did.
type Written = (Vec2, u32);

/// Logs a warning if the game moves a mover by its `Transform`, which teleports it in each update,
/// instead of by a velocity, and has moved it into a wall.
fn check_written_movers(
    movers: Query<(Entity, &Mover, &Transform), Changed<Transform>>,
    plans: Res<MovePlans>,
    scene: Scene,
    mut written: Local<EntityHashMap<Written>>,
    mut before: Local<EntityHashMap<Written>>,
    mut is_logged: Local<bool>,
    _: OnMainThread,
) {
    if *is_logged {
        return;
    }
    std::mem::swap(&mut *written, &mut *before);
    written.clear();
    let is_written = |(entity, mover, transform): &(Entity, &Mover, &Transform)| {
        let is_steered = mover.velocity != Vec2::ZERO || mover.displacement != Vec2::ZERO;
        let translation = transform.translation.truncate();
        let is_moved = || (plans.of(*entity)).is_some_and(|moved| moved.end() == translation);
        !is_steered && mover.response != MoverResponse::Pass && !is_moved()
    };
    for (entity, _, transform) in movers.iter().filter(is_written).take(FOLLOWED_MOVERS) {
        let translation = transform.translation.truncate();
        let updates = match before.get(&entity) {
            Some(&(earlier, updates)) if earlier != translation => updates + 1,
            _ => 0,
        };
        if updates >= WRITTEN_IN_A_ROW && !*is_logged && is_in_wall(entity, &scene) {
            *is_logged = true;
            let mover = scene.name(entity);
            warn!(
                "{mover} has a `Mover`, but the game writes its `Transform` in each update. That \
                teleports it, into walls and past them. Set `Mover::velocity` instead, or \
                `Mover::displacement` for one update, or remove `Mover`"
            );
        }
        written.insert(entity, (translation, updates));
    }
}

/// Whether a mover overlaps a wall that blocks it.
fn is_in_wall(mover: Entity, scene: &Scene) -> bool {
    let Some(mover) = scene.collider(mover) else {
        return false;
    };
    let mut is_in_wall = false;
    (scene.index).visit_overlapping(&mover.shape.aabb(), |wall| {
        is_in_wall |= wall.role.is_wall() && mover.is_blocked_by(&wall);
    });
    is_in_wall
}
