//! The pairs of one part of the plane: the unit of parallel work.

use bevy::ecs::entity::Entity;

use super::{CollidingPair, pair_store::PairStore, rules::PairRules};
use crate::{
    broad_phase::{PairSearch, PairTask},
    geometry::contact_within,
    index::{ColliderEntry, ColliderIndex, Meeting, Traveler, first_meeting},
    memory,
};

/// The pairs whose first side is in one part of the plane, and what changed about them in this run. A pair may go from one
/// region to another: then it starts in the one, ends in the other, and nobody hears of it.
#[derive(Default)]
pub(super) struct PairBucket {
    pub store: PairStore,
    pub starts: Vec<Start>,
    pub ends: Vec<End>,
}

/// Memory for the work on a region.
#[derive(Default)]
pub(super) struct TestBuffers {
    pub search: PairSearch,
    candidates: Vec<(u32, u32)>,
}

/// A pair that this region did not know.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub entities: (Entity, Entity),
    pub meeting: Meeting,
    /// Whether they still overlap at the end of the run.
    pub is_touching: bool,
}

/// A pair that this region knew, and knows no more.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub entities: (Entity, Entity),
    /// Where the index kept the two.
    pub slots: [u32; 2],
    /// Whether it goes on in another region.
    pub has_migrated: bool,
}

impl PairBucket {
    /// Whether it knows no pair.
    pub fn is_empty(&self) -> bool {
        self.store.as_slice().is_empty()
    }

    /// Tests the pairs of which a side changed. They are listed first, so that the processor fetches the colliders of the next ones
    /// while those of one are compared.
    pub fn update(
        &mut self,
        tasks: &[PairTask],
        TestBuffers { search, candidates }: &mut TestBuffers,
        index: &ColliderIndex,
        rules: &PairRules,
    ) {
        memory::clear(&mut self.starts);
        memory::clear(&mut self.ends);
        self.store.clear_touching();
        memory::clear(candidates);
        for task in tasks {
            index.list_changed_pairs(task, search, candidates);
        }
        for &candidate in candidates.iter() {
            if let Some(pair) = index.pair(candidate) {
                self.test(pair, index, rules);
            }
        }
        self.store.remove_separated(|pair| {
            let rests = pair.slots.iter().all(|&slot| index.rests(slot));
            if !rests {
                self.ends.push(End {
                    entities: pair.key(),
                    slots: pair.slots,
                    has_migrated: false,
                });
            }
            !rests
        });
    }

    /// Tests whether two colliders overlap, or met on the way.
    #[inline]
    fn test(&mut self, pair: [ColliderEntry; 2], index: &ColliderIndex, rules: &PairRules) {
        let [a, b] = if pair[0].entity < pair[1].entity {
            pair
        } else {
            [pair[1], pair[0]]
        };
        if !rules.should_collide(&a, &b) {
            return;
        }
        let contact = contact_within(a.shape, b.shape, rules.margin(&a, &b));
        let colliding = contact.map(|contact| CollidingPair {
            a: a.entity,
            b: b.entity,
            contact,
            slots: [a.slot, b.slot],
            is_touching: true,
        });
        let was_swept = !index.way(&a).is_empty() || !index.way(&b).is_empty();
        if colliding.is_none() && !was_swept {
            return;
        }
        match (self.store.find((a.entity, b.entity)), colliding) {
            (Some(place), Some(colliding)) => self.store.mark_touching(place, colliding),
            (Some(_), None) => {}
            (None, _) => self.begin([a, b], colliding, index, rules),
        }
    }

    /// Two colliders that this region does not know as a pair.
    fn begin(
        &mut self,
        [a, b]: [ColliderEntry; 2],
        colliding: Option<CollidingPair>,
        index: &ColliderIndex,
        rules: &PairRules,
    ) {
        let [a_way, b_way] = [a, b].map(|collider| Traveler {
            collider,
            way: index.way(&collider),
        });
        let was_swept = a_way.went_anywhere() || b_way.went_anywhere();
        let swept = was_swept.then(|| first_meeting(a_way, b_way, rules.margin(&a, &b)));
        let at_end = colliding.map(|CollidingPair { contact, .. }| Meeting { time: 1.0, contact });
        if let Some(meeting) = swept.flatten().or(at_end) {
            self.starts.push(Start {
                entities: (a.entity, b.entity),
                meeting,
                is_touching: colliding.is_some(),
            });
        }
        if let Some(colliding) = colliding {
            self.store.insert(colliding);
        }
    }
}
