//! Warnings about movers whose `Transform` something else writes.

use bevy::{
    ecs::{entity::EntityHashMap, entity_disabling::Disabled, name::NameOrEntity, query::Allow},
    prelude::*,
};
use log::warn;

use super::Scene;
use crate::{
    components::{Mover, MoverResponse},
    geometry::contact,
    movement::MovePlans,
    schedule::OnMainThread,
};

/// A mover whose translation is written in this many updates in a row is moved by its `Transform`.
const WRITTEN_IN_A_ROW: u32 = 10;

/// This many of them are followed.
const FOLLOWED_MOVERS: usize = 64;

/// Logs a warning if the game moves a mover by its `Transform`, which teleports it in each update,
/// instead of by a velocity, and has moved it into a wall.
pub(super) fn check_written_movers(
    movers: Query<(Entity, &Mover, &Transform), Changed<Transform>>,
    plans: Res<MovePlans>,
    scene: Scene,
    mut written: Local<EntityHashMap<u32>>,
    mut before: Local<EntityHashMap<u32>>,
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
    for (entity, ..) in movers.iter().filter(is_written).take(FOLLOWED_MOVERS) {
        let updates = before.get(&entity).map_or(0, |updates| updates + 1);
        if updates >= WRITTEN_IN_A_ROW && !*is_logged && is_in_wall(entity, &scene) {
            *is_logged = true;
            let mover = scene.name(entity);
            warn!(
                "{mover} has a `Mover`, but the game writes its `Transform` in each update. That \
                teleports it, into walls and past them. Set `Mover::velocity` instead, or \
                `Mover::displacement` for one update, or remove `Mover`"
            );
        }
        written.insert(entity, updates);
    }
}

/// Whether a mover overlaps a wall that blocks it.
fn is_in_wall(mover: Entity, scene: &Scene) -> bool {
    let Some(mover) = scene.collider(mover) else {
        return false;
    };
    let mut is_in_wall = false;
    (scene.index).visit_overlapping(&mover.shape.aabb(), |wall| {
        is_in_wall |= wall.role.is_wall()
            && mover.is_blocked_by(&wall)
            && contact(mover.shape, wall.shape).is_some();
    });
    is_in_wall
}

/// A mover that is set back in this many of [`COUNTED_UPDATES`] is named.
const SET_BACK_OFTEN: u32 = 6;
const COUNTED_UPDATES: u32 = 64;

/// How often movers were set back, in this many updates so far.
#[derive(Default)]
pub(super) struct SetBack {
    counts: EntityHashMap<u32>,
    updates: u32,
    is_logged: bool,
}

/// Logs a warning if movers begin steps on the path of their last step, and not at its end: there
/// interpolation leaves them if anything writes their `Transform` between steps.
pub(super) fn check_movers_set_back(
    movers: Query<(Entity, &Transform), (With<Mover>, Changed<Transform>)>,
    plans: Res<MovePlans>,
    names: Query<NameOrEntity, Allow<Disabled>>,
    mut set_back: Local<SetBack>,
    _: OnMainThread,
) {
    let SetBack {
        counts,
        updates,
        is_logged,
    } = &mut *set_back;
    if *is_logged {
        return;
    }
    *updates += 1;
    if *updates > COUNTED_UPDATES {
        counts.clear();
        *updates = 0;
    }
    let is_set_back = |(entity, transform): &(Entity, &Transform)| {
        let position = transform.translation.truncate();
        (plans.of(*entity)).is_some_and(|plan| plan.passed(position))
    };
    for (entity, _) in movers.iter().filter(is_set_back).take(FOLLOWED_MOVERS) {
        let count = counts.entry(entity).or_default();
        *count += 1;
        if *count >= SET_BACK_OFTEN
            && let Ok(mover) = names.get(entity)
        {
            *is_logged = true;
            warn!(
                "{mover} is slower than its velocity: between fixed steps, its `Transform` is set \
                back to a position that it has passed. If it is interpolated, any write to its \
                `Transform` in `Update` does that, also to `translation.z` or `scale`. Write the \
                `Transform` of a child that holds its sprite instead"
            );
            return;
        }
    }
}
