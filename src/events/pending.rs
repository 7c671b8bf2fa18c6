//! What happened, until it is reported.

use bevy::prelude::*;

use super::{CollisionEvent, Crushed, MoverHit};
use crate::memory;

/// What the steps of a run found, in the order in which users receive it. It is reported once, and
/// is gone then.
#[derive(Resource, Default)]
pub(crate) struct PendingEvents {
    /// For each pair at most an end and a start, in that order, but for pairs that passed in the
    /// last run.
    pub collisions: Vec<CollisionEvent>,
    /// What blocked movers when they last moved, mover by mover in the order of entities.
    pub hits: Vec<MoverHit>,
    /// The movers that are crushed, in the order of entities.
    pub crushed: Vec<Crushed>,
}

impl PendingEvents {
    /// Drops the starts that nobody heard of until the pair ended again, with these ends. The first
    /// events, this many, are from earlier runs.
    pub fn drop_missed(&mut self, earlier: usize) {
        if earlier == 0 {
            return;
        }
        let events = &mut self.collisions;
        let mut order: Vec<usize> = (0..events.len()).collect();
        order.sort_by_key(|&number| events[number].entities());
        let mut is_missed = vec![false; events.len()];
        for two in order.windows(2) {
            let [first, second] = [two[0], two[1]];
            let is_start = matches!(events[first], CollisionEvent::Started { .. });
            let same_pair = events[first].entities() == events[second].entities();
            if is_start && same_pair && first < earlier {
                is_missed[first] = true;
                is_missed[second] = true;
            }
        }
        let mut missed = is_missed.iter();
        events.retain(|_| missed.next() == Some(&false));
    }

    /// Adds all to other lists, and is empty then.
    pub fn move_to(&mut self, other: &mut Self) {
        let Self {
            collisions,
            hits,
            crushed,
        } = self;
        other.collisions.extend_from_slice(collisions);
        other.hits.extend_from_slice(hits);
        other.crushed.extend_from_slice(crushed);
        self.clear();
    }

    /// Empties the lists.
    pub fn clear(&mut self) {
        memory::clear(&mut self.collisions);
        self.hits.clear();
        self.crushed.clear();
    }
}
