//! Colors with a meaning. The colors of shapes that overlap nothing are with their kinds.

use bevy::prelude::*;

pub const PAPER: Color = Color::srgb(0.055, 0.067, 0.094);
pub const GRID: Color = Color::srgba(1.0, 1.0, 1.0, 0.012);
pub const AXES: Color = Color::srgba(1.0, 1.0, 1.0, 0.035);

pub const OVERLAP: Color = Color::srgb(1.0, 0.36, 0.38);
pub const CONTACT: Color = Color::srgb(1.0, 0.85, 0.42);
pub const DISTANCE: Color = Color::srgb(0.62, 0.70, 0.80);
pub const CONSTRUCTION: Color = Color::srgb(1.0, 0.68, 0.36);
pub const CAST: Color = Color::srgb(0.58, 0.92, 0.52);
pub const BOXES: Color = Color::srgba(0.60, 0.66, 0.75, 0.55);
pub const REFUSED: Color = Color::srgb(1.0, 0.36, 0.38);
pub const HANDLE: Color = Color::srgb(1.0, 1.0, 1.0);

pub const INK: Color = Color::srgb(0.90, 0.92, 0.95);
pub const FADED_INK: Color = Color::srgb(0.56, 0.62, 0.71);
pub const SLIP: Color = Color::srgba(0.055, 0.067, 0.094, 0.80);
pub const PANEL: Color = Color::srgba(0.085, 0.102, 0.140, 0.88);
pub const PANEL_EDGE: Color = Color::srgb(0.17, 0.20, 0.26);
pub const KEY_CAP: Color = Color::srgb(0.15, 0.18, 0.24);
