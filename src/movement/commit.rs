//! Moving all movers together to where their plans end.

use bevy::prelude::*;

use super::{Crushed, Mover, MoverHit, MoverHits, plan::MovePlans};
use crate::index::{ColliderIndex, Waypoint};

/// Puts every mover where its plan ends.
pub(crate) fn commit_moves(
    mut plans: ResMut<MovePlans>,
    mut index: ResMut<ColliderIndex>,
    mut movers: Query<(&mut Mover, &mut Transform, Option<&mut MoverHits>)>,
) {
    for &mover in &plans.resting {
        if let Ok((_, _, Some(mut hits))) = movers.get_mut(mover) {
            // Who cannot move cannot get free either.
            let is_crushed = hits.is_crushed();
            MoverHits::set(&mut hits, &[], is_crushed);
        }
    }
    let MovePlans {
        plans,
        ways,
        hits,
        crushed,
        ..
    } = &mut *plans;
    let mut hits_left = hits.as_slice();
    for plan in plans {
        let own_hits = take_hits(&mut hits_left, plan.entity);
        let Ok((mut mover, mut transform, mut hits)) = movers.get_mut(plan.entity) else {
            continue;
        };
        if mover.velocity != plan.velocity || mover.displacement != Vec2::ZERO {
            mover.velocity = plan.velocity;
            mover.displacement = Vec2::ZERO;
        }
        if let Some(hits) = &mut hits {
            if plan.is_crushed && !hits.is_crushed() {
                let entity = plan.entity;
                crushed.push(Crushed { entity });
            }
            MoverHits::set(hits, own_hits, plan.is_crushed);
        }
        let place = transform.translation.truncate();
        let end = place + plan.to_parent * plan.displacement;
        if !end.is_finite() {
            continue;
        }
        if end != place {
            transform.translation = end.extend(transform.translation.z);
        }
        if let Some(slot) = plan.slot {
            let from_end = |waypoint: &Waypoint| Waypoint {
                offset: waypoint.offset - plan.displacement,
                ..*waypoint
            };
            let end = Waypoint {
                time: 1.0,
                offset: Vec2::ZERO,
            };
            let way = plan.way(ways).iter().map(from_end);
            index.set_way(slot, way.chain([end]));
        }
    }
    crushed.sort_unstable_by_key(|crushed| crushed.entity);
}

/// Takes the hits of a mover off the front. They are in the order of their movers, as the plans are.
fn take_hits<'a>(hits: &mut &'a [MoverHit], mover: Entity) -> &'a [MoverHit] {
    let count = hits.iter().take_while(|hit| hit.entity == mover).count();
    let (own, left) = hits.split_at(count);
    *hits = left;
    own
}
