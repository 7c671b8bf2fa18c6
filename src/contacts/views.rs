//! Orders of the pairs, each made when it is first asked for in a run.

use std::sync::{Mutex, OnceLock, PoisonError};

use bevy::{ecs::entity::Entity, platform::hash::fixed_hash_one};

use super::{CollidingPair, pair_bucket::PairBucket};
use crate::geometry::Contact;

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

/// Where a pair is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PairLocation {
    region: u32,
    place: u32,
}

impl PairLocation {
    pub fn pair(self, buckets: &[PairBucket]) -> &CollidingPair {
        &buckets[self.region as usize].store.as_slice()[self.place as usize]
    }
}

fn locations(buckets: &[PairBucket]) -> impl Iterator<Item = PairLocation> {
    (0..).zip(buckets).flat_map(|(region, pairs)| {
        (0..pairs.store.as_slice().len() as u32).map(move |place| PairLocation { region, place })
    })
}

/// The locations of the pairs, sorted by their entities.
#[derive(Default)]
pub(super) struct SortedPairs(pub Vec<PairLocation>);

impl SortedPairs {
    pub fn sort(&mut self, buckets: &[PairBucket]) {
        self.0.clear();
        self.0.extend(locations(buckets));
        self.0
            .sort_unstable_by_key(|place| place.pair(buckets).key());
    }
}

/// The pairs of each entity. Entities share groups by their hashes, about one to a group.
#[derive(Default)]
pub(super) struct Adjacency {
    /// Where in `endpoints` each group ends; a power of two.
    ends: Vec<u32>,
    /// Sorted by the entities of the endpoints, within each group.
    endpoints: Vec<Endpoint>,
}

/// One side of a pair.
#[derive(Clone, Copy, Default)]
pub(super) struct Endpoint {
    place: PairLocation,
    is_lesser: bool,
}

impl Endpoint {
    /// The entity on this side, and the other one.
    pub fn entities(self, buckets: &[PairBucket]) -> (Entity, Entity) {
        let (a, b) = self.place.pair(buckets).key();
        if self.is_lesser { (a, b) } else { (b, a) }
    }

    /// Seen from this side.
    pub fn contact(self, buckets: &[PairBucket]) -> Contact {
        let contact = self.place.pair(buckets).contact;
        if self.is_lesser {
            contact
        } else {
            contact.flipped()
        }
    }
}

impl Adjacency {
    /// Groups the endpoints of all pairs, by counting.
    pub fn group(&mut self, buckets: &[PairBucket]) {
        let Self { ends, endpoints } = self;
        let count: usize = buckets
            .iter()
            .map(|region| 2 * region.store.as_slice().len())
            .sum();
        ends.clear();
        ends.resize(count.next_power_of_two(), 0);
        let all_sides = || {
            locations(buckets).flat_map(|place| {
                [true, false].map(|is_lesser| {
                    let side = Endpoint { place, is_lesser };
                    (side, side.entities(buckets).0)
                })
            })
        };
        for (_, entity) in all_sides() {
            let group = group(entity, ends.len());
            ends[group] += 1;
        }
        let mut total = 0;
        for end in ends.iter_mut() {
            // Where the group starts, until it is filled.
            total += std::mem::replace(end, total);
        }
        endpoints.clear();
        endpoints.resize(count, Endpoint::default());
        for (side, entity) in all_sides() {
            let group = group(entity, ends.len());
            endpoints[ends[group] as usize] = side;
            ends[group] += 1;
        }
        let mut start = 0;
        for &end in ends.iter() {
            endpoints[start..end as usize].sort_unstable_by_key(|side| side.entities(buckets));
            start = end as usize;
        }
    }

    /// The endpoints of an entity, sorted by the other one's.
    pub fn of(&self, entity: Entity, buckets: &[PairBucket]) -> &[Endpoint] {
        let group = group(entity, self.ends.len());
        let start = match group {
            0 => 0,
            _ => self.ends[group - 1],
        };
        let endpoints = &self.endpoints[start as usize..self.ends[group] as usize];
        let own = |side: &Endpoint| side.entities(buckets).0;
        let from = endpoints.partition_point(|side| own(side) < entity);
        let to = endpoints.partition_point(|side| own(side) <= entity);
        &endpoints[from..to]
    }
}

/// The group of an entity among a power of two.
fn group(entity: Entity, groups: usize) -> usize {
    fixed_hash_one(entity) as usize & (groups - 1)
}
