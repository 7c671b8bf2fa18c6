//! Orders of the pairs, each made when it is first asked for in a run.

use std::sync::{Mutex, OnceLock, PoisonError};

use bevy::{ecs::entity::Entity, platform::hash::fixed_hash_one};

use super::{CollidingPair, region::Region};
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
pub(super) struct PairPlace {
    region: u32,
    place: u32,
}

impl PairPlace {
    pub fn pair(self, regions: &[Region]) -> &CollidingPair {
        &regions[self.region as usize].store.as_slice()[self.place as usize]
    }
}

fn places(regions: &[Region]) -> impl Iterator<Item = PairPlace> {
    (0..).zip(regions).flat_map(|(region, pairs)| {
        (0..pairs.store.as_slice().len() as u32).map(move |place| PairPlace { region, place })
    })
}

/// The places of the pairs, sorted by their entities.
#[derive(Default)]
pub(super) struct SortedPairs(pub Vec<PairPlace>);

impl SortedPairs {
    pub fn sort(&mut self, regions: &[Region]) {
        self.0.clear();
        self.0.extend(places(regions));
        self.0
            .sort_unstable_by_key(|place| place.pair(regions).key());
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
    place: PairPlace,
    is_lesser: bool,
}

impl Side {
    /// The entity on this side, and the other one.
    pub fn entities(self, regions: &[Region]) -> (Entity, Entity) {
        let (a, b) = self.place.pair(regions).key();
        if self.is_lesser { (a, b) } else { (b, a) }
    }

    /// Seen from this side.
    pub fn contact(self, regions: &[Region]) -> Contact {
        let contact = self.place.pair(regions).contact;
        if self.is_lesser {
            contact
        } else {
            contact.flipped()
        }
    }
}

impl Neighbors {
    /// Groups the sides of all pairs, by counting.
    pub fn group(&mut self, regions: &[Region]) {
        let Self { ends, sides } = self;
        let count: usize = regions
            .iter()
            .map(|region| 2 * region.store.as_slice().len())
            .sum();
        ends.clear();
        ends.resize(count.next_power_of_two(), 0);
        let all_sides = || {
            places(regions).flat_map(|place| {
                [true, false].map(|is_lesser| {
                    let side = Side { place, is_lesser };
                    (side, side.entities(regions).0)
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
        sides.clear();
        sides.resize(count, Side::default());
        for (side, entity) in all_sides() {
            let group = group(entity, ends.len());
            sides[ends[group] as usize] = side;
            ends[group] += 1;
        }
        let mut start = 0;
        for &end in ends.iter() {
            sides[start..end as usize].sort_unstable_by_key(|side| side.entities(regions));
            start = end as usize;
        }
    }

    /// The sides of an entity, sorted by the other one's.
    pub fn of(&self, entity: Entity, regions: &[Region]) -> &[Side] {
        let group = group(entity, self.ends.len());
        let start = match group {
            0 => 0,
            _ => self.ends[group - 1],
        };
        let sides = &self.sides[start as usize..self.ends[group] as usize];
        let own = |side: &Side| side.entities(regions).0;
        let from = sides.partition_point(|side| own(side) < entity);
        let to = sides.partition_point(|side| own(side) <= entity);
        &sides[from..to]
    }
}

/// The group of an entity among a power of two.
fn group(entity: Entity, groups: usize) -> usize {
    fixed_hash_one(entity) as usize & (groups - 1)
}
