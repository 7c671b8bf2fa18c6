//! Warnings: one of each mistake in a map, however often its levels are spawned.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::platform::collections::HashSet;

use crate::{LdtkError, LdtkMap, LdtkRules};

/// The errors that a map and its clones have warned of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warned(Arc<Mutex<HashSet<String>>>);

impl LdtkMap {
    /// Warns of what is wrong with the map outside of its levels, and with the rules for it.
    pub(crate) fn warn_of_rules(&self, rules: &LdtkRules) {
        self.warn(&self.errors_outside_of_levels(rules));
    }

    pub(crate) fn warn<'a>(&self, errors: impl IntoIterator<Item = &'a LdtkError>) {
        let mut warned = self.warned.0.lock().unwrap_or_else(PoisonError::into_inner);
        for error in errors {
            let message = error.to_string();
            if !warned.contains(&message) {
                log::warn!("{message}");
                warned.insert(message);
            }
        }
    }
}
