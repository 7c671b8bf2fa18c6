//! Moving all movers together to the ends of their plans.

use bevy::prelude::*;

use super::{body::MovePlan, plan::MovePlans, support::WalkPlan};
use crate::{
    components::Mover,
    events::{
        ChangedFloor, Crushed, Ground, Landed, LeftFloor, MoverHit, MoverHits, PendingEvents,
    },
    geometry::unit_vector,
    index::{
        Carried, CarryBuffers, ColliderIndex, MoverPaths, TransformHierarchy, Waypoint, offset_at,
    },
    schedule::OnMainThread,
    state::CollisionState,
};

/// The components of a mover that the plugin writes.
type MoverState = (
    &'static mut Mover,
    &'static mut Transform,
    Option<&'static mut MoverHits>,
    Option<&'static mut Ground>,
);

/// Moves every mover to the end of its plan. Plans are sorted, and so are the events.
pub(crate) fn commit_moves(
    mut plans: ResMut<MovePlans>,
    mut index: ResMut<ColliderIndex>,
    mut pending: ResMut<PendingEvents>,
    mut movers: Query<MoverState>,
    _: OnMainThread,
) {
    let MovePlans {
        plans,
        resting,
        paths,
        hits: planned_hits,
        walks,
        ..
    } = &mut *plans;
    clear_hits(resting, &mut movers);
    let mut hits_left = planned_hits.as_slice();
    for plan in plans {
        let entity = plan.entity();
        let own_hits = take_hits(&mut hits_left, entity);
        let Ok((mut mover, mut transform, mut hits, ground)) = movers.get_mut(entity) else {
            continue;
        };
        let course = plan.course();
        let velocity = mover.own_velocity(course.velocity);
        let displacement = mover.displacement - mover.due_displacement();
        if (mover.velocity, mover.displacement) != (velocity, displacement) {
            mover.velocity = velocity;
            mover.displacement = displacement;
        }
        if let Some(hits) = &mut hits {
            if let Some(by) = course.crushed_by.filter(|_| !hits.is_crushed()) {
                pending.crushed.push(Crushed { entity, by });
            }
            MoverHits::set(hits, own_hits, course.crushed_by.is_some());
        }
        if let (Some(mut ground), Some(walk)) = (ground, plan.input.walk_number) {
            let walk = &walks[walk as usize];
            let before = ground.floor().map(|floor| floor.entity);
            record_floor_event(entity, before, walk, &mut pending);
            ground.set_if_neq(walk.ground.clone());
        }
        let end = plan.end();
        if !end.is_finite() {
            // It stays where it is, whatever was planned.
            let course = &mut plan.bodies.course;
            (course.displacement, course.path_range) = (Vec2::ZERO, 0..0);
            continue;
        }
        let turn = plan.turn();
        if turn != 0.0 {
            // `unit_vector`, because it is the same on all machines.
            let Vec2 { x: cos, y: sin } = unit_vector(turn / 2.0);
            let turn = Quat::from_xyzw(0.0, 0.0, sin, cos);
            transform.rotation = (turn * transform.rotation).normalize();
        }
        if end != plan.input.start {
            transform.translation = end.extend(transform.translation.z);
        }
        set_path(&mut index, plan, paths);
    }
    std::mem::swap(planned_hits, &mut pending.hits);
}

/// Clears the hits of movers that do not move in this update. They stay crushed if they were.
fn clear_hits(resting: &[Entity], movers: &mut Query<MoverState>) {
    for &mover in resting {
        if let Ok((_, _, Some(mut hits), _)) = movers.get_mut(mover) {
            let is_crushed = hits.is_crushed();
            MoverHits::set(&mut hits, &[], is_crushed);
        }
    }
}

/// Records that a walker left its floor, landed on one, or changed from one to another.
fn record_floor_event(
    entity: Entity,
    before: Option<Entity>,
    walk: &WalkPlan,
    pending: &mut PendingEvents,
) {
    let after = walk.ground.floor().map(|floor| floor.entity);
    match (before, after) {
        (Some(floor), None) => pending.left_floor.push(LeftFloor { entity, floor }),
        (None, Some(floor)) => pending.landed.push(Landed {
            entity,
            floor,
            speed: walk.footing.landing_speed,
        }),
        (Some(from), Some(to)) if from != to => {
            (pending.changed_floor).push(ChangedFloor { entity, from, to });
        }
        _ => (),
    }
}

/// Records where the collider of a mover went, as offsets from its end.
fn set_path(index: &mut ColliderIndex, plan: &MovePlan, paths: &[Waypoint]) {
    let Some(slot) = plan.input.slot else {
        return;
    };
    let from_end = |waypoint: &Waypoint| Waypoint {
        offset: waypoint.offset - plan.course().displacement,
        ..*waypoint
    };
    let end = Waypoint {
        fraction: 1.0,
        offset: Vec2::ZERO,
    };
    let path = plan.course().path(paths).iter().map(from_end);
    index.set_path(slot, path.chain([end]));
}

/// Updates the colliders of movers, and those that movers carry, from the new `Transform`s.
pub(crate) fn carry_colliders(
    mut index: ResMut<ColliderIndex>,
    mut state: ResMut<CollisionState>,
    plans: Res<MovePlans>,
    colliders: Query<Carried>,
    hierarchy: TransformHierarchy,
    mut buffers: Local<CarryBuffers>,
    _: OnMainThread,
) {
    index.carry(
        &colliders,
        &hierarchy,
        &*plans,
        &mut state.poses,
        &mut buffers,
    );
}

impl MoverPaths for MovePlans {
    /// The waypoints of a mover's path, then its start and its end, or none if it did not move.
    fn waypoints(&self, mover: Entity) -> impl Iterator<Item = Waypoint> {
        let courses = self.of(mover).map(MovePlan::course);
        let moved = courses.filter(|course| {
            let path = course.path(&self.paths);
            course.displacement != Vec2::ZERO || path.iter().any(|point| point.offset != Vec2::ZERO)
        });
        let ends = [0.0, 1.0].map(|fraction| Waypoint {
            fraction,
            offset: Vec2::ZERO,
        });
        (moved.into_iter())
            .flat_map(move |course| course.path(&self.paths).iter().copied().chain(ends))
    }

    /// The offset of a mover from its end at a fraction of the update, in world units.
    fn offset_from_end(&self, mover: Entity, fraction: f32) -> Vec2 {
        let Some(course) = self
            .of(mover)
            .filter(|_| fraction < 1.0)
            .map(MovePlan::course)
        else {
            return Vec2::ZERO;
        };
        match course.path(&self.paths) {
            // It has no collider, so nothing was in its path.
            [] => course.displacement * (fraction - 1.0),
            path => offset_at(path, fraction) - course.displacement,
        }
    }
}

/// Splits the hits of a mover off the front. Hits are sorted by mover, as plans are.
fn take_hits<'a>(hits: &mut &'a [MoverHit], mover: Entity) -> &'a [MoverHit] {
    let count = hits.iter().take_while(|hit| hit.entity == mover).count();
    let (own, left) = hits.split_at(count);
    *hits = left;
    own
}
