//! A client in a window, played by keys.

#[path = "../../duel/window.rs"]
mod duel_window;

use bevy::prelude::*;

use crate::{
    Options,
    client::{self, Pressed},
};

/// Plays one of two players.
pub fn play(options: &Options, player: usize) {
    let mut app = App::new();
    app.add_plugins(duel_window::plugin(format!("duel: player {}", player + 1)));
    client::add(&mut app, options, player);
    app.add_systems(PreUpdate, press.after(bevy::input::InputSystems));
    app.run();
}

fn press(keys: Res<ButtonInput<KeyCode>>, mut pressed: ResMut<Pressed>) {
    pressed.0 = duel_window::pressed(&keys);
}
