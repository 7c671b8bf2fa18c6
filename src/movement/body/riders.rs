//! Which walkers stand on which floors that carry them.

use bevy::prelude::*;

/// A floor that carries a walker.
#[derive(Clone, Copy)]
pub(crate) struct RiddenFloor {
    pub entity: Entity,
    /// The mover that moves the floor in this update, unless it moves the walker as well.
    pub mover: Option<Entity>,
    /// Away from its surface, unit length.
    pub normal: Vec2,
    /// The point of the floor that carries the walker, in world space.
    pub point: Vec2,
    /// The floor's displacement at the walker since the last update, in world units.
    pub displacement: Vec2,
    /// Whether that displacement is a teleport, whose velocity a walker that jumps does not keep.
    pub is_teleported: bool,
    /// The displacement of the floor's mover that the walker already followed, in world units.
    pub handed_on: Vec2,
    /// By how much it carries the walker in this update, including its mover, in world units.
    pub carried: Vec2,
}

/// The walkers that stand on floors that carry them.
#[derive(Default)]
pub(crate) struct Riders {
    /// Sorted by walker.
    riders: Vec<(Entity, RiddenFloor)>,
    /// Whether any floor belongs to a mover.
    any_on_mover: bool,
}

impl Riders {
    /// Replaces the riders.
    pub fn set(&mut self, riders: impl Iterator<Item = (Entity, RiddenFloor)>) {
        self.riders.clear();
        self.riders.extend(riders);
        (self.riders).sort_unstable_by_key(|(walker, _)| *walker);
        self.any_on_mover = (self.riders.iter()).any(|(_, floor)| floor.mover.is_some());
    }

    fn floor_of(&self, walker: Entity) -> Option<&RiddenFloor> {
        let found = (self.riders).binary_search_by_key(&walker, |(walker, _)| *walker);
        Some(&self.riders[found.ok()?].1)
    }

    /// Whether a walker stands on this floor, or on another one with the same displacement.
    pub fn rides_with(&self, walker: Entity, floor: &RiddenFloor) -> bool {
        self.floor_of(walker).is_some_and(|other| {
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
        let below = |mover: &Entity| self.floor_of(*mover)?.mover;
        // Two walkers may stand on each other, which would not end.
        std::iter::successors(below(&walker), below).take(self.riders.len())
    }
}
