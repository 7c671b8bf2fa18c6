//! The pairs of one part of the plane: the unit of parallel work.

use bevy::ecs::entity::Entity;

use super::{
    CollidingPair,
    crossing::{Meeting, Traveler, first_meeting},
    pair_store::PairStore,
    rules::PairRules,
};
use crate::{
    broad_phase::PairTask,
    geometry::{Contact, contact_within},
    index::{ColliderEntry, ColliderIndex},
};

/// The pairs whose first side is in one part of the plane, and what changed about them in this run. A pair may go from one
/// region to another: then it starts in the one, ends in the other, and nobody hears of it.
#[derive(Default)]
pub(super) struct Region {
    pub store: PairStore,
    pub starts: Vec<Start>,
    pub ends: Vec<End>,
}

/// A pair that this region did not know.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub entities: (Entity, Entity),
    pub meeting: Meeting,
    /// Whether they still overlap at the end of the run.
    pub lasts: bool,
}

/// A pair that this region knew, and knows no more.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub pair: CollidingPair,
    /// Whether it goes on in another region.
    pub goes_on: bool,
}

impl Region {
    /// Whether it knows no pair.
    pub fn is_empty(&self) -> bool {
        self.store.as_slice().is_empty()
    }

    /// Tests the pairs of which a side changed.
    pub fn update(&mut self, tasks: &[PairTask], index: &ColliderIndex, rules: &PairRules) {
        let Self {
            store,
            starts,
            ends,
        } = self;
        starts.clear();
        ends.clear();
        store.begin_run();
        for task in tasks {
            index.visit_changed_pairs(task, |first, second| {
                let pair = if first.entity < second.entity {
                    [first, second]
                } else {
                    [second, first]
                };
                let [a, b] = &pair;
                if rules.allow(a, b) {
                    let contact = contact_within(a.shape, b.shape, rules.margin(a, b));
                    take_in(store, starts, pair, contact, index, rules);
                }
            });
        }
        store.remove_unconfirmed(|pair| {
            let rests = pair.slots.iter().all(|&slot| index.rests(slot));
            if !rests {
                ends.push(End {
                    pair: *pair,
                    goes_on: false,
                });
            }
            !rests
        });
    }
}

/// Takes in how a pair overlaps at the end of the run, if it does, and whether that is new.
#[inline]
fn take_in(
    store: &mut PairStore,
    starts: &mut Vec<Start>,
    [a, b]: [ColliderEntry; 2],
    contact: Option<Contact>,
    index: &ColliderIndex,
    rules: &PairRules,
) {
    let travelers = [a, b].map(|collider| Traveler {
        collider,
        way: index.way(&collider),
    });
    let was_swept = travelers.iter().any(Traveler::went_anywhere);
    if contact.is_none() && !was_swept {
        return;
    }
    let entities = (a.entity, b.entity);
    let pair = contact.map(|contact| CollidingPair {
        a: a.entity,
        b: b.entity,
        contact,
        slots: [a.slot, b.slot],
    });
    if let Some(place) = store.find(entities) {
        if let Some(pair) = pair {
            store.confirm(place, pair);
        }
        return;
    }
    let [a_way, b_way] = travelers;
    let swept = was_swept.then(|| first_meeting(a_way, b_way, rules.margin(&a, &b)));
    let at_end = contact.map(|contact| Meeting { time: 1.0, contact });
    if let Some(meeting) = swept.flatten().or(at_end) {
        let lasts = contact.is_some();
        starts.push(Start {
            entities,
            meeting,
            lasts,
        });
    }
    if let Some(pair) = pair {
        store.insert(pair);
    }
}
