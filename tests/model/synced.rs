//! The model of what the stages after `Sync` see: the world as of the last `Sync`, with movers
//! where `Move` took them.

use std::collections::BTreeSet;

use bevy::math::DVec2;

use crate::world::{Id, Overlap, Pair, World};

#[derive(Default)]
pub struct Synced {
    pub world: World,
    /// The world as of the update before.
    pub previous: World,
}

impl Synced {
    pub fn sync(&mut self, live: &World) {
        self.previous = std::mem::replace(&mut self.world, live.clone());
    }

    /// Movers are at these positions now.
    pub fn move_to(&mut self, positions: impl Iterator<Item = (Id, DVec2)>) {
        for (id, position) in positions {
            if let Some(body) = self.world.bodies.get_mut(&id)
                && body.position.is_finite()
                && position.is_finite()
            {
                body.position = position;
            }
        }
    }

    /// Whether a collider may have passed others in this update.
    pub fn has_path(&self, id: Id) -> bool {
        let body = &self.world.bodies[&id];
        body.is_swept || body.mover.is_some()
    }

    /// The pairs that overlap; what is undecided is as in `actual`.
    pub fn overlapping(&self, actual: &BTreeSet<Pair>) -> BTreeSet<Pair> {
        let ids: Vec<Id> = self.world.bodies.keys().copied().collect();
        let mut pairs = BTreeSet::new();
        for (index, &b) in ids.iter().enumerate() {
            for &a in &ids[..index] {
                let is_pair = match self.world.overlap((a, b)) {
                    Overlap::Yes => true,
                    Overlap::No => false,
                    Overlap::Undecided => actual.contains(&(a, b)),
                };
                if is_pair {
                    pairs.insert((a, b));
                }
            }
        }
        pairs
    }
}
