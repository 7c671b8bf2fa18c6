//! Looks up a mover's plan by entity.

use bevy::ecs::entity::Entity;

/// The number of each mover's plan: its index in the list of all plans.
#[derive(Default)]
pub(crate) struct PlanNumbers(Vec<(Entity, u32)>);

impl PlanNumbers {
    /// Numbers the plans of these movers, in order. Without keys they are sorted already.
    pub fn set(&mut self, movers: impl Iterator<Item = Entity>) {
        self.0.clear();
        self.0.extend(movers.zip(0..));
        self.0.sort_unstable();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The number of the plan of a mover, or `None` if it does not move in this update.
    pub fn get(&self, mover: Entity) -> Option<u32> {
        let found = self.0.binary_search_by_key(&mover, |&(mover, _)| mover);
        Some(self.0[found.ok()?].1)
    }
}
