//! Which walkers stand on which floors.

use bevy::prelude::*;

use super::floors::RiddenFloor;

/// A walker and the floor that carries it.
#[derive(Clone, Copy)]
pub(crate) struct Rider {
    pub walker: Entity,
    pub floor: RiddenFloor,
}

/// The walkers that stand on floors that carry them.
#[derive(Default)]
pub(crate) struct Riders {
    /// Sorted by walker.
    riders: Vec<Rider>,
    /// Whether any floor belongs to a mover.
    any_on_mover: bool,
}

impl Riders {
    /// Replaces the riders.
    pub fn set(&mut self, riders: impl Iterator<Item = Rider>) {
        self.riders.clear();
        self.riders.extend(riders);
        (self.riders).sort_unstable_by_key(|rider| rider.walker);
        self.any_on_mover = (self.riders.iter()).any(|rider| rider.floor.mover.is_some());
    }

    fn get(&self, walker: Entity) -> Option<&Rider> {
        let found = (self.riders).binary_search_by_key(&walker, |rider| rider.walker);
        Some(&self.riders[found.ok()?])
    }

    /// Whether a walker stands on this floor, or on another one with the same displacement.
    pub fn rides_with(&self, walker: Entity, floor: &RiddenFloor) -> bool {
        self.get(walker).is_some_and(|Rider { floor: other, .. }| {
            let moves_alike =
                floor.displacement != Vec2::ZERO && floor.displacement == other.displacement;
            other.entity == floor.entity || moves_alike
        })
    }

    /// Whether any walker stands on a mover.
    pub fn any_on_mover(&self) -> bool {
        self.any_on_mover
    }

    /// Whether a walker stands on a mover, or on another walker that does, and so on.
    #[inline]
    pub fn is_above(&self, walker: Entity, mover: Entity) -> bool {
        self.any_on_mover && self.movers_below(walker).any(|below| below == mover)
    }

    /// The movers that carry a walker, from the one that it stands on downward.
    pub fn movers_below(&self, walker: Entity) -> impl Iterator<Item = Entity> {
        let below = |mover: &Entity| self.get(*mover)?.floor.mover;
        // Two walkers may stand on each other, which would not end.
        std::iter::successors(below(&walker), below).take(self.riders.len())
    }
}
