//! The system that plans all moves.

use bevy::{ecs::entity::EntityHashMap, math::Mat2, prelude::*};

use super::plans::MovePlans;
use crate::{
    components::{EntityOrder, Mover, Pushable, StableKey, Turning, Walker},
    events::{Ground, MoverHits},
    index::{ColliderIndex, Parents, Registration, TransformHierarchy},
    movement::{
        body::{Crusher, MoveInput, MovePlan, Riders, Velocity},
        support::WalkPlan,
        world::{Floors, Names, UpdateWorld},
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
    names: Names,
    _: OnMainThread,
) {
    plans.begin_update();
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    let world = UpdateWorld {
        index: &index,
        floors: &floors,
        names: &names,
        parents: &parents,
        hierarchy: &hierarchy,
        crushers: &[],
        crush_sites: &EntityHashMap::new(),
        riders: &Riders::default(),
        seconds,
    };
    for (entity, mover, transform, registration, parent, key, walker, hits, is_pushable, turning) in
        &movers
    {
        let to_parent = parent.map_or(Mat2::IDENTITY, |parent| {
            hierarchy.world_to_local(parent.parent())
        });
        if !(mover.world_velocity().is_finite() && mover.displacement.is_finite()) {
            plans.reject(entity, &world, "its velocity or displacement");
            continue;
        }
        if seconds <= 0.0 || to_parent == Mat2::ZERO {
            plans.resting.push(entity);
            continue;
        }
        let first_crusher = plans.crushers.len() as u32;
        let crushed = hits.filter(|hits| hits.is_crushed());
        let crushers = crushed.into_iter().flat_map(|hits| hits.iter());
        plans.crushers.extend(crushers.map(|hit| Crusher::of(hit)));
        let slot = registration.map(|registration| registration.slot);
        let time_scale = mover.valid_time_scale();
        let mut input = MoveInput {
            order: EntityOrder::of(entity, key),
            slot: slot.filter(|&slot| index.get(slot, entity).is_some()),
            compound: None,
            start: transform.translation.truncate(),
            to_parent,
            desired: Velocity::of(mover, seconds),
            time_scale,
            turn: turning.map_or(0.0, |turning| turning.angle(time_scale * seconds)),
            response: mover.response,
            restitution: mover.valid_restitution(),
            weight: mover.valid_weight(),
            is_pushable,
            walk_number: None,
            floor: None,
            drops_through: false,
            crusher_range: first_crusher..plans.crushers.len() as u32,
        };
        if let Some((walker, ground)) = walker {
            let parent = parent.map(ChildOf::parent);
            let walk = WalkPlan::new(&world, walker, ground, parent, &mut input);
            input.walk_number = Some(plans.walks.len() as u32);
            plans.walks.push(walk);
        }
        plans.plans.push(MovePlan::unblocked(input));
    }
    plans.complete(&world);
}
