//! What changed about the pairs of all buckets, as events in a defined order.

use bevy::ecs::entity::Entity;

use super::pair_bucket::{BucketChanges, End, Start};
use crate::{
    components::EntityOrder,
    events::{CollisionEndReason, CollisionEvent},
    memory,
    state::by_id,
};

/// The pairs that started and ended in an update.
#[derive(Default)]
pub(super) struct PairChanges {
    starts: Vec<Start>,
    ends: Vec<End>,
    /// The pairs that started and ended in this update.
    passed: Vec<[EntityOrder; 2]>,
}

impl PairChanges {
    /// Collects the changes of all buckets, sorted by entities, except for pairs that only
    /// migrated from one bucket to another. Returns whether pairs that continue are sorted by
    /// other keys than before.
    pub fn merge_buckets(&mut self, buckets: &[BucketChanges]) -> bool {
        let Self { starts, ends, .. } = self;
        memory::clear(starts);
        memory::clear(ends);
        let mut has_new_keys = false;
        for bucket in buckets {
            has_new_keys |= bucket.has_new_keys;
            starts.extend_from_slice(&bucket.starts);
            ends.extend_from_slice(&bucket.ends);
        }
        // Not by keys, which may have changed since a pair began.
        starts.sort_unstable_by_key(|start| ids(start.orders));
        ends.sort_unstable_by_key(|end| ids(end.orders));
        let mut remaining = ends.iter_mut().peekable();
        starts.retain(|start| {
            let pair = ids(start.orders);
            while remaining.next_if(|end| ids(end.orders) < pair).is_some() {}
            match remaining.next_if(|end| ids(end.orders) == pair) {
                Some(end) => {
                    end.has_migrated = start.is_touching;
                    has_new_keys |= end.orders != start.orders;
                    false
                }
                None => true,
            }
        });
        ends.retain(|end| !end.has_migrated);
        has_new_keys
    }

    /// Adds the ends of earlier pairs, the starts by fraction, and the ends of the pairs that
    /// started and ended within this update.
    pub fn emit(
        &mut self,
        events: &mut Vec<CollisionEvent>,
        reason: impl Fn(&End) -> CollisionEndReason,
    ) {
        let Self {
            starts,
            ends,
            passed,
            ..
        } = self;
        let ended = |orders: [EntityOrder; 2], reason| {
            let [a, b] = orders.map(|order| order.entity);
            CollisionEvent::Ended { a, b, reason }
        };
        ends.sort_unstable_by_key(|end| end.orders);
        events.extend((ends.iter()).map(|end| ended(end.orders, reason(end))));
        starts.sort_unstable_by(|p, q| {
            (p.impact.fraction.total_cmp(&q.impact.fraction)).then(p.orders.cmp(&q.orders))
        });
        events.extend(starts.iter().map(|start| CollisionEvent::Started {
            a: start.orders[0].entity,
            b: start.orders[1].entity,
            contact: start.impact.contact,
            fraction: start.impact.fraction,
        }));
        let passed_pairs = starts.iter().filter(|start| !start.is_touching);
        passed.clear();
        passed.extend(passed_pairs.map(|start| start.orders));
        passed.sort_unstable();
        let separated = |&orders: &_| ended(orders, CollisionEndReason::Separated);
        events.extend(passed.iter().map(separated));
    }
}

fn ids(pair: [EntityOrder; 2]) -> [Entity; 2] {
    by_id(pair.map(|order| order.entity))
}
