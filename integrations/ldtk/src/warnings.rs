//! Warnings: one of each mistake in a map, however often its levels are spawned.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::platform::collections::HashSet;

use crate::{LdtkError, error};

/// The errors that a map and its clones have warned of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warned(Arc<Mutex<HashSet<String>>>);

impl Warned {
    /// Logs errors as warnings, but for those that were logged before: one line for each kind of
    /// mistake.
    pub fn warn(&self, mut errors: Vec<LdtkError>) {
        let mut warned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        errors.retain(|error| !warned.contains(&error.sentence()));
        warned.extend(errors.iter().map(LdtkError::sentence));
        for error in error::grouped(errors) {
            log::warn!("{error}");
        }
    }
}
