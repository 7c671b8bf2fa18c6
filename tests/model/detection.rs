//! The events that are expected of an update.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Two entities, the lesser first.
pub type EntityPair = (Entity, Entity);

/// What an update has to report, in order.
pub struct Detection {
    /// Sorted by pair.
    ends: Vec<(EntityPair, CollisionEndReason)>,
    starts: BTreeSet<EntityPair>,
    /// The entities that had a path: they may have passed others.
    travelers: BTreeSet<Entity>,
}

impl Detection {
    pub fn new(
        [before, now]: [&BTreeSet<EntityPair>; 2],
        travelers: impl Iterator<Item = Entity>,
        reason: impl Fn(EntityPair) -> CollisionEndReason,
    ) -> Self {
        let ends = before.difference(now).map(|&pair| (pair, reason(pair)));
        Self {
            ends: ends.collect(),
            starts: now.difference(before).copied().collect(),
            travelers: travelers.collect(),
        }
    }

    /// Checks that these events are all that is expected, and those of pairs that were passed.
    pub fn check(&self, events: &[CollisionEvent]) {
        let has_path = |(a, b): EntityPair| {
            let travelers = &self.travelers;
            travelers.contains(&a) || travelers.contains(&b)
        };
        for pair in self.check_with_passed(events) {
            assert!(has_path(pair), "{pair:?} cannot have passed: {events:?}");
        }
        for event in events {
            if let &CollisionEvent::Started { a, b, fraction, .. } = event {
                let at_end = has_path((a, b)) || fraction == 1.0;
                assert!((0.0..=1.0).contains(&fraction) && at_end, "{event:?}");
            }
        }
    }

    /// Checks all but which pairs were passed. Returns those pairs.
    fn check_with_passed(&self, events: &[CollisionEvent]) -> Vec<EntityPair> {
        let events = self.check_ends(events);
        let count = events.iter().take_while(|event| is_start(event)).count();
        let (starts, ends) = events.split_at(count);
        let passed = self.passed(starts);
        assert!(starts.is_sorted_by_key(start_order), "{starts:?}");
        let ends = ends.iter().map(|event| match *event {
            CollisionEvent::Ended { a, b, reason } => ((a, b), reason),
            CollisionEvent::Started { .. } => panic!("{event:?} is late in {events:?}"),
        });
        let expected = passed
            .iter()
            .map(|&pair| (pair, CollisionEndReason::Separated));
        assert!(ends.eq(expected), "{events:?}");
        passed
    }

    /// Checks that the first events are the ends of earlier pairs; returns the others.
    fn check_ends<'a>(&self, events: &'a [CollisionEvent]) -> &'a [CollisionEvent] {
        assert!(
            self.ends.len() <= events.len(),
            "an end is lost: {events:?}"
        );
        let (ends, others) = events.split_at(self.ends.len());
        for (event, expected) in ends.iter().zip(&self.ends) {
            let CollisionEvent::Ended { a, b, reason } = *event else {
                panic!("{expected:?} is lost: {events:?}");
            };
            assert_eq!(((a, b), reason), *expected, "{events:?}");
        }
        others
    }

    /// Checks that these starts include all that are expected; returns the pairs of the others.
    fn passed(&self, starts: &[CollisionEvent]) -> Vec<EntityPair> {
        let mut pairs: Vec<EntityPair> = starts.iter().map(pair_of).collect();
        pairs.sort();
        assert!(pairs.is_sorted_by(|p, q| p < q), "twice: {starts:?}");
        let found: BTreeSet<EntityPair> = pairs.iter().copied().collect();
        let lost = self.starts.difference(&found);
        assert_eq!(lost.count(), 0, "{:?}, {starts:?}", self.starts);
        pairs.retain(|pair| !self.starts.contains(pair));
        pairs
    }
}

fn is_start(event: &CollisionEvent) -> bool {
    matches!(event, CollisionEvent::Started { .. })
}

fn pair_of(event: &CollisionEvent) -> EntityPair {
    event.entities().into()
}

/// By fraction, then by pair.
fn start_order(event: &CollisionEvent) -> (u32, EntityPair) {
    let fraction = match *event {
        CollisionEvent::Started { fraction, .. } => fraction,
        CollisionEvent::Ended { .. } => 0.0,
    };
    (fraction.to_bits(), pair_of(event))
}
