//! The keys of colliders, by which games sort them.

use crate::components::EntityOrder;

/// The [`StableKey`](crate::StableKey)s of the colliders that have one, by slot.
#[derive(Default)]
pub(crate) struct Keys(Vec<u64>);

impl Keys {
    /// The key at a slot, or [`NO_KEY`](EntityOrder::NO_KEY).
    #[inline]
    pub fn get(&self, slot: u32) -> u64 {
        let key = self.0.get(slot as usize);
        key.copied().unwrap_or(EntityOrder::NO_KEY)
    }

    /// Stores a key. Returns whether it is another one than before.
    pub fn set(&mut self, slot: u32, key: u64) -> bool {
        if self.get(slot) == key {
            return false;
        }
        let slot = slot as usize;
        if slot >= self.0.len() {
            self.0.resize(slot + 1, EntityOrder::NO_KEY);
        }
        self.0[slot] = key;
        true
    }
}
