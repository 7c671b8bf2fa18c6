//! What changed about the pairs of all buckets, as events in a defined order.

use super::pair_bucket::{End, PairBucket, Start};
use crate::{
    events::{CollisionEndReason, CollisionEvent},
    memory,
};

/// The pairs that started and ended in an update.
#[derive(Default)]
pub(super) struct PairChanges {
    starts: Vec<Start>,
    ends: Vec<End>,
}

impl PairChanges {
    /// Collects the changes of all buckets, sorted by entities, except for pairs that only
    /// migrated from one bucket to another.
    pub fn merge_buckets(&mut self, buckets: &[PairBucket]) {
        let Self { starts, ends } = self;
        memory::clear(starts);
        memory::clear(ends);
        for bucket in buckets {
            starts.extend_from_slice(&bucket.starts);
            ends.extend_from_slice(&bucket.ends);
        }
        starts.sort_unstable_by_key(|start| start.entities);
        ends.sort_unstable_by_key(|end| end.entities);
        let mut remaining = ends.iter_mut().peekable();
        starts.retain(|start| {
            while remaining
                .next_if(|end| end.entities < start.entities)
                .is_some()
            {}
            match remaining.next_if(|end| end.entities == start.entities) {
                Some(end) => {
                    end.has_migrated = start.is_touching;
                    false
                }
                None => true,
            }
        });
        ends.retain(|end| !end.has_migrated);
    }

    /// Adds the ends of earlier pairs, the starts by fraction, and the ends of the pairs that
    /// started and ended within this update.
    pub fn emit(
        &mut self,
        events: &mut Vec<CollisionEvent>,
        reason: impl Fn(&End) -> CollisionEndReason,
    ) {
        let ended = |(a, b), reason| CollisionEvent::Ended { a, b, reason };
        events.extend((self.ends.iter()).map(|end| ended(end.entities, reason(end))));
        self.starts.sort_unstable_by(|p, q| {
            (p.impact.fraction.total_cmp(&q.impact.fraction)).then(p.entities.cmp(&q.entities))
        });
        events.extend(self.starts.iter().map(|start| CollisionEvent::Started {
            a: start.entities.0,
            b: start.entities.1,
            contact: start.impact.contact,
            fraction: start.impact.fraction,
        }));
        let first_passed = events.len();
        let passed = self.starts.iter().filter(|start| !start.is_touching);
        events.extend(passed.map(|start| ended(start.entities, CollisionEndReason::Separated)));
        events[first_passed..].sort_unstable_by_key(CollisionEvent::entities);
    }
}
