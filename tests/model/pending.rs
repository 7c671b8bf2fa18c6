//! The model of what is found and not reported yet.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Two entities, the lesser first.
pub type EntityPair = (Entity, Entity);

/// What each `Detect` since the last `Report` found, and the pairs as of the last `Detect`.
#[derive(Default)]
pub struct Pending {
    pub pairs: BTreeSet<EntityPair>,
    detections: Vec<Detection>,
    /// The entities that had a path in one of the detections: they may have passed others.
    travelers: BTreeSet<Entity>,
}

/// What is left to report of one `Detect`.
#[derive(Default)]
struct Detection {
    /// Sorted by pair, each with the reasons that may be reported.
    ends: Vec<(EntityPair, Vec<CollisionEndReason>)>,
    starts: BTreeSet<EntityPair>,
}

impl Pending {
    /// Records that these pairs overlap now. One that starts and ends unreported is forgotten.
    pub fn detect(
        &mut self,
        pairs: BTreeSet<EntityPair>,
        travelers: impl Iterator<Item = Entity>,
        reasons: impl Fn(EntityPair) -> Vec<CollisionEndReason>,
    ) {
        let mut now = Detection::default();
        for &pair in self.pairs.difference(&pairs) {
            let mut earlier = self.detections.iter_mut();
            if !earlier.any(|detection| detection.starts.remove(&pair)) {
                now.ends.push((pair, reasons(pair)));
            }
        }
        now.starts = pairs.difference(&self.pairs).copied().collect();
        self.detections.push(now);
        self.travelers.extend(travelers);
        self.pairs = pairs;
    }

    /// Checks that these events are what is pending, in order, and forgets it.
    pub fn report(&mut self, events: &[CollisionEvent]) {
        let detections = std::mem::take(&mut self.detections);
        let travelers = std::mem::take(&mut self.travelers);
        let nothing = Detection::default();
        let (last, earlier) = detections.split_last().unwrap_or((&nothing, &[]));
        let mut rest = events;
        for detection in earlier {
            let others = detection.check_ends(rest);
            let count = detection.starts.len().min(others.len());
            let (starts, others) = others.split_at(count);
            assert_eq!(detection.passed(starts), []);
            assert!(starts.is_sorted_by_key(start_order), "{events:?}");
            rest = others;
        }
        // Of pairs that were passed, only those of the last detection may be reported.
        let passed = last.check_with_passed(rest);
        let has_path = |(a, b): EntityPair| travelers.contains(&a) || travelers.contains(&b);
        for pair in passed {
            assert!(has_path(pair), "{pair:?} cannot have passed: {events:?}");
        }
        for event in events {
            if let &CollisionEvent::Started { a, b, fraction, .. } = event {
                let at_end = has_path((a, b)) || fraction == 1.0;
                assert!((0.0..=1.0).contains(&fraction) && at_end, "{event:?}");
            }
        }
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

impl Detection {
    /// Checks that the first events are the ends of earlier pairs; returns the others.
    fn check_ends<'a>(&self, events: &'a [CollisionEvent]) -> &'a [CollisionEvent] {
        assert!(
            self.ends.len() <= events.len(),
            "an end is lost: {events:?}"
        );
        let (ends, others) = events.split_at(self.ends.len());
        for (event, (pair, reasons)) in ends.iter().zip(&self.ends) {
            let CollisionEvent::Ended { reason, .. } = event else {
                panic!("the end of {pair:?} is lost: {events:?}");
            };
            assert_eq!(pair_of(event), *pair, "{events:?}");
            assert!(reasons.contains(reason), "{event:?}: {reasons:?}");
        }
        others
    }

    /// Checks that these starts include all that are expected; returns the pairs of the others.
    fn passed(&self, starts: &[CollisionEvent]) -> Vec<EntityPair> {
        let mut pairs: Vec<EntityPair> = starts.iter().map(pair_of).collect();
        pairs.sort();
        assert!(pairs.is_sorted_by(|p, q| p < q), "twice: {starts:?}");
        assert!(starts.iter().all(is_start), "{starts:?}");
        let found: BTreeSet<EntityPair> = pairs.iter().copied().collect();
        let lost = self.starts.difference(&found);
        assert_eq!(lost.count(), 0, "{:?}, {starts:?}", self.starts);
        pairs.retain(|pair| !self.starts.contains(pair));
        pairs
    }

    /// Checks the last detection, with the pairs that were passed in it. Returns those pairs.
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
}
