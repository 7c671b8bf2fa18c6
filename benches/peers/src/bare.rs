//! The bare app, without any engine: the baseline.

use crate::runner::Engine;

/// The name of the bare app in the table.
pub const NAME: &str = "bare";

/// Detects nothing.
pub fn engine() -> Engine {
    Engine {
        name: NAME,
        install: |_| {},
        install_diagnostics: |_| {},
        insert_components: |_, _| {},
    }
}
