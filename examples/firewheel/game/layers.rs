//! Who collides with whom: an entity with a [`Layer`] collides as the table says.

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// What a collider is.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
pub enum Layer {
    Wall,
    Player,
    Monster,
    Wheel,
    Spit,
    Saw,
    /// Plates and medkits, for players.
    Pickup,
    /// Where a gate closes.
    Doorway,
}

impl CollisionLayer for Layer {}

pub fn plugin(app: &mut App) {
    use Layer::*;
    app.add_layer_table(
        LayerTable::new()
            .collide(Wall, [Player, Monster, Wheel, Spit])
            .collide(Player, [Player, Monster, Spit, Saw, Pickup])
            .collide(Monster, [Monster, Wheel, Saw])
            .collide(Doorway, [Player, Monster, Wheel, Spit]),
    );
}
