//! What the game looks like, made of Bevy's own meshes and text. The rules do not know of it.

use bevy::prelude::*;

pub fn plugin(_: &mut App) {}
