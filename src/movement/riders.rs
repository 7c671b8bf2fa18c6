//! Which walkers stand on which floors.

use bevy::prelude::*;

/// A walker and the floor that carries it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rider {
    pub walker: Entity,
    pub floor: Entity,
    /// The mover that the floor belongs to.
    pub floor_mover: Option<Entity>,
}

/// The walkers that stand on floors that carry them.
#[derive(Default)]
pub(super) struct Riders {
    /// Sorted by walker.
    riders: Vec<Rider>,
    /// Whether any floor belongs to a mover.
    ride_movers: bool,
}

impl Riders {
    /// Replaces the riders.
    pub fn set(&mut self, riders: impl Iterator<Item = Rider>) {
        self.riders.clear();
        self.riders.extend(riders);
        self.riders.sort_unstable();
        self.ride_movers = self.riders.iter().any(|rider| rider.floor_mover.is_some());
    }

    fn get(&self, walker: Entity) -> Option<&Rider> {
        let found = (self.riders).binary_search_by_key(&walker, |rider| rider.walker);
        Some(&self.riders[found.ok()?])
    }

    /// Whether a walker stands on this floor.
    pub fn stands_on(&self, walker: Entity, floor: Entity) -> bool {
        self.get(walker).is_some_and(|rider| rider.floor == floor)
    }

    /// Whether any walker stands on a mover.
    pub fn ride_movers(&self) -> bool {
        self.ride_movers
    }

    /// Whether a walker stands on a mover, or on another walker that does, and so on.
    #[inline]
    pub fn is_above(&self, walker: Entity, mover: Entity) -> bool {
        self.ride_movers && self.movers_below(walker).any(|below| below == mover)
    }

    /// The movers that carry a walker, from the one that it stands on downward.
    pub fn movers_below(&self, walker: Entity) -> impl Iterator<Item = Entity> {
        let below = |mover: &Entity| self.get(*mover)?.floor_mover;
        // Two that stand on each other would never end.
        std::iter::successors(below(&walker), below).take(self.riders.len())
    }
}
