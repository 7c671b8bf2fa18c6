//! Warnings about roles that do not work together: walls above movers, and roles on the parents of
//! colliders.

use bevy::prelude::*;
use log::warn;

use super::{IsBare, Scene};
use crate::{
    components::{Mover, OneWay, Solid},
    events::CollisionEvent,
    geometry::{separation, touching_slop},
    index::{ColliderEntry, MoverRelation, NewRoles, Reason, visit_ancestors},
    memory,
    schedule::OnMainThread,
};

/// The reasons that were logged so far.
#[derive(Default)]
pub(super) struct LoggedReasons(Vec<Reason>);

impl LoggedReasons {
    /// Logs the sentence, unless the same reason was logged before.
    fn warn(&mut self, reason: Reason, sentence: impl FnOnce() -> String) {
        if !self.0.contains(&reason) {
            self.0.push(reason);
            warn!("{}", sentence());
        }
    }
}

/// Checks new colliders, and entities without one where another collider passes through those of
/// their children. One system does all of it, since each costs some microseconds per update.
pub(super) fn check_setups(
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
            && scene.colliders_below(ancestor).take(2).count() == 1
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
