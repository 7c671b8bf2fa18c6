//! The system that plans all moves.

use bevy::{math::Mat2, prelude::*};

use super::plans::MovePlans;
use crate::{
    components::{EntityOrder, Mover, Pushable, StableKey, Turning, Walker},
    events::{Ground, MoverHits},
    index::{ColliderIndex, Parents, Registration, TransformHierarchy},
    movement::{
        body::{Crusher, MovePlan},
        support::WalkPlan,
        world::{Floors, Names, Rigids, UpdateWorld},
    },
    schedule::OnMainThread,
};

/// All movers with what their plans depend on.
type Movers<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static Mover,
        &'static Transform,
        Option<&'static Registration>,
        Option<&'static ChildOf>,
        Option<&'static StableKey>,
        Option<(&'static Walker, &'static Ground)>,
        Option<&'static MoverHits>,
        Has<Pushable>,
        Option<&'static Turning>,
    ),
>;

/// Plans the moves of all movers in this update, without moving any.
pub(crate) fn plan_moves(
    mut plans: ResMut<MovePlans>,
    index: Res<ColliderIndex>,
    time: Option<Res<Time>>,
    movers: Movers,
    parents: Parents,
    hierarchy: TransformHierarchy,
    floors: Floors,
    rigid: Rigids,
    names: Names,
    _: OnMainThread,
) {
    plans.begin_update();
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    let world = UpdateWorld {
        index: &index,
        floors: &floors,
        rigid: &rigid,
        names: &names,
        parents: &parents,
        hierarchy: &hierarchy,
        crushers: &[],
        seconds,
    };
    for (entity, mover, transform, registration, parent, key, walker, hits, is_pushable, turning) in
        &movers
    {
        let to_parent = parent.map_or(Mat2::IDENTITY, |parent| {
            hierarchy.world_to_local(parent.parent())
        });
        if !(mover.velocity.is_finite() && mover.displacement.is_finite()) {
            plans.reject(entity, &world, "its velocity or displacement");
            continue;
        }
        if seconds <= 0.0 || to_parent == Mat2::ZERO {
            plans.resting.push(entity);
            continue;
        }
        let slot = registration.map(|registration| registration.slot);
        let start = transform.translation.truncate();
        let order = EntityOrder::of(entity, key);
        let mut plan = MovePlan::new(order, mover, slot, start, to_parent, seconds);
        if let Some(hits) = hits.filter(|hits| hits.is_crushed()) {
            let first = plans.crushers.len();
            let crushers = hits.iter().map(|hit| Crusher::of(hit));
            plans.crushers.extend(crushers);
            plan.crusher_range = first..plans.crushers.len();
        }
        plan.is_pushable = is_pushable;
        plan.turn = turning.map_or(0.0, |turning| turning.valid() * seconds);
        plan.crush_site = plans.crush_sites.get(&entity).copied();
        if let Some((walker, ground)) = walker {
            let parent = parent.map(ChildOf::parent);
            let walk = WalkPlan::new(&world, walker, ground, parent, &mut plan);
            plan.walk_number = Some(plans.walks.len());
            plans.walks.push(walk);
        }
        plans.plans.push(plan);
    }
    plans.complete(&world);
}
