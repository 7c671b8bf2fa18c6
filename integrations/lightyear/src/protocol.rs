//! What goes over the network: seats and the start of the match once, then only inputs.

use std::time::Duration;

use bevy::prelude::*;
use lightyear::prelude::{
    AppComponentExt, LinkConditionerConfig, RecvLinkConditioner, Tick,
    input::{InputConfig, native::InputPlugin},
};
use serde::{Deserialize, Serialize};

use crate::{
    Options,
    duel::Input,
    rollback::{INPUT_DELAY, MAX_ROLLBACK},
};

/// The duration of a tick, which is a step of the game.
pub const TICK: Duration = Duration::from_nanos(16_666_667);

/// A place at the table. The inputs of its player go to this entity.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Seat {
    pub player: usize,
}

/// The last tick before the first step.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct MatchStart(pub Tick);

/// The same on the server and on clients: it numbers what is sent.
pub fn plugin(app: &mut App) {
    app.add_plugins(InputPlugin::<Input> {
        config: InputConfig {
            rebroadcast_inputs: true,
            // The ticks that a message covers. The comment on `MAX_ROLLBACK` says why so many.
            packet_redundancy: 2 * MAX_ROLLBACK + INPUT_DELAY + 1,
            ..default()
        },
    });
    app.component::<Seat>().replicate_once();
    app.component::<MatchStart>().replicate_once();
}

/// Loses and delays the packets that arrive, as the internet does.
pub fn conditioner(options: &Options) -> RecvLinkConditioner {
    RecvLinkConditioner::new(
        LinkConditionerConfig::default()
            .with_incoming_latency(Duration::from_millis(options.latency_ms))
            .with_incoming_jitter(Duration::from_millis(options.jitter_ms))
            .with_fixed_loss(options.loss),
    )
}
