//! Areas that are dangerous from time to time: bots leave them in time, and no monster spawns
//! there.

use bevy::prelude::*;

/// On an entity that makes an area dangerous.
#[derive(Component)]
pub struct Hazard {
    pub area: Rect,
    /// Whether it is dangerous now, or about to be.
    pub is_live: bool,
}

impl Hazard {
    pub fn new(area: Rect) -> Self {
        let is_live = false;
        Self { area, is_live }
    }
}
