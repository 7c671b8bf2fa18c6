//! Places that are dangerous from time to time: bots leave them in time, and no monster appears there.

use bevy::prelude::*;

/// On what makes a place dangerous.
#[derive(Component)]
pub struct Hazard {
    pub area: Rect,
    /// It is dangerous now, or is about to be.
    pub is_live: bool,
}

impl Hazard {
    pub fn new(area: Rect) -> Self {
        let is_live = false;
        Self { area, is_live }
    }
}
