//! No engine: what the others are measured over.

use crate::stage::Engine;

/// What the bare app is called.
pub const NAME: &str = "moving";

/// Finds nothing.
pub fn engine() -> Engine {
    Engine {
        name: NAME,
        install: |_| {},
        diagnose: |_| {},
        equip: |_, _| {},
    }
}
