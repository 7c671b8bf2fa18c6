//! A value that is computed when it is first needed after a change.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A value that is computed when it is first needed, and computed again in the same memory.
#[derive(Default)]
pub(super) struct Lazy<T> {
    current: OnceLock<T>,
    /// The outdated value, for its memory.
    outdated: Mutex<T>,
}

impl<T: Default> Lazy<T> {
    /// Returns the value, and updates it first if it has been
    /// [invalidated](Self::invalidate).
    pub fn get_or_update(&self, update: impl FnOnce(&mut T)) -> &T {
        self.current.get_or_init(|| {
            let mut outdated = (self.outdated.lock()).unwrap_or_else(PoisonError::into_inner);
            let mut value = std::mem::take(&mut *outdated);
            update(&mut value);
            value
        })
    }

    /// The outdated value, after [`invalidate`](Self::invalidate).
    pub fn outdated_mut(&mut self) -> &mut T {
        (self.outdated.get_mut()).unwrap_or_else(PoisonError::into_inner)
    }

    /// The value has to be updated before it is used again. Returns whether it was current.
    pub fn invalidate(&mut self) -> bool {
        let Some(value) = self.current.take() else {
            return false;
        };
        *self.outdated_mut() = value;
        true
    }
}
