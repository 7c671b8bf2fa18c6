//! What only some colliders have.

/// Values of some colliders, by slot.
pub(crate) struct BySlot<T>(Vec<Option<T>>);

impl<T> Default for BySlot<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone + PartialEq> BySlot<T> {
    #[inline]
    pub fn get(&self, slot: u32) -> Option<&T> {
        self.0.get(slot as usize)?.as_ref()
    }

    /// Stores a value, or `None` if the collider has none. Returns whether it is another one than
    /// before.
    pub fn set(&mut self, slot: u32, value: Option<T>) -> bool {
        if self.get(slot) == value.as_ref() {
            return false;
        }
        let slot = slot as usize;
        if slot >= self.0.len() {
            self.0.resize(slot + 1, None);
        }
        self.0[slot] = value;
        true
    }
}
