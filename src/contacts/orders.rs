//! Orders of the pairs, each made when it is first asked for in a run.

use std::sync::{Mutex, OnceLock, PoisonError};

use bevy::{ecs::entity::Entity, platform::hash::fixed_hash_one};

use super::CollidingPair;

/// Something that is made from the pairs when it is first asked for, and made again in the same memory.
#[derive(Default)]
pub(super) struct Lazy<T> {
    made: OnceLock<T>,
    /// What was made before.
    spare: Mutex<T>,
}

impl<T: Default> Lazy<T> {
    /// Makes it, if that was not done since the last [`reset`](Self::reset).
    pub fn get_or_make(&self, make: impl FnOnce(&mut T)) -> &T {
        self.made.get_or_init(|| {
            let mut made =
                std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
            make(&mut made);
            made
        })
    }

    /// It is out of date.
    pub fn reset(&mut self) {
        if let Some(made) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }
}

/// The places of the pairs, sorted by their entities.
#[derive(Default)]
pub(super) struct SortedPlaces(pub Vec<u32>);

impl SortedPlaces {
    pub fn sort(&mut self, pairs: &[CollidingPair]) {
        self.0.clear();
        self.0.extend(0..pairs.len() as u32);
        self.0
            .sort_unstable_by_key(|&place| pairs[place as usize].key());
    }
}

/// The pairs of each entity. Entities share groups by their hashes, about one to a group.
#[derive(Default)]
pub(super) struct Neighbors {
    /// Where in `sides` each group ends; a power of two.
    ends: Vec<u32>,
    /// Sorted by the entities of the sides, within each group.
    sides: Vec<Side>,
}

/// One side of a pair.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    pub place: u32,
    pub is_lesser: bool,
}

impl Side {
    /// The entity on this side, and the other one.
    fn entities(self, pairs: &[CollidingPair]) -> (Entity, Entity) {
        let (a, b) = pairs[self.place as usize].key();
        if self.is_lesser { (a, b) } else { (b, a) }
    }
}

impl Neighbors {
    /// Groups the sides of all pairs, by counting.
    pub fn group(&mut self, pairs: &[CollidingPair]) {
        let Self { ends, sides } = self;
        ends.clear();
        ends.resize((2 * pairs.len()).next_power_of_two(), 0);
        let group_of = |entity: Entity, groups: &[u32]| group(entity, groups.len());
        for pair in pairs {
            for entity in [pair.a, pair.b] {
                let group = group_of(entity, ends);
                ends[group] += 1;
            }
        }
        let mut total = 0;
        for end in ends.iter_mut() {
            // The start for now; it is moved to the end as the group is filled.
            total += std::mem::replace(end, total);
        }
        sides.clear();
        sides.resize(2 * pairs.len(), Side::default());
        for (place, pair) in (0..).zip(pairs) {
            for (entity, is_lesser) in [(pair.a, true), (pair.b, false)] {
                let group = group_of(entity, ends);
                sides[ends[group] as usize] = Side { place, is_lesser };
                ends[group] += 1;
            }
        }
        let mut start = 0;
        for &end in ends.iter() {
            sides[start..end as usize].sort_unstable_by_key(|side| side.entities(pairs));
            start = end as usize;
        }
    }

    /// The sides of an entity, sorted by the other one's.
    pub fn of(&self, entity: Entity, pairs: &[CollidingPair]) -> &[Side] {
        let group = group(entity, self.ends.len());
        let start = match group {
            0 => 0,
            _ => self.ends[group - 1],
        };
        let sides = &self.sides[start as usize..self.ends[group] as usize];
        let own = |side: &Side| side.entities(pairs).0;
        let from = sides.partition_point(|side| own(side) < entity);
        let to = sides.partition_point(|side| own(side) <= entity);
        &sides[from..to]
    }
}

/// The group of an entity among a power of two.
fn group(entity: Entity, groups: usize) -> usize {
    fixed_hash_one(entity) as usize & (groups - 1)
}
