//! A client: it predicts the match from its own inputs, and rolls back when others arrive.

use std::net::{Ipv4Addr, SocketAddr};

use bevy::prelude::*;
use lightyear::prelude::{
    Authentication, Connect, InputTimelineConfig, Link, LocalAddr, ReplicationReceiver, SyncConfig,
    UdpIo,
    client::{ClientPlugins, InputDelayConfig, NetcodeClient, NetcodeConfig, input::InputSystems},
    input::native::{ActionState, InputMarker},
};

use crate::{
    Options,
    duel::{self, Input, Inputs, Step},
    protocol::{self, Seat, TICK},
    rollback::{self, INPUT_DELAY},
    step::is_playing,
};

/// The player of this client.
#[derive(Resource)]
struct LocalPlayer(usize);

/// What the local player presses, set from frame to frame or from tick to tick.
#[derive(Resource, Default)]
pub struct Pressed(pub Input);

/// Adds the match of one client to an app, and connects to the server.
pub fn add(app: &mut App, options: &Options, player: usize) {
    let plugins = ClientPlugins {
        tick_duration: TICK,
    };
    app.add_plugins((plugins, protocol::plugin))
        .add_plugins(rollback::plugin(options.roll_back_always))
        .add_plugins(duel::plugin(FixedUpdate, options.seed))
        .insert_resource(LocalPlayer(player))
        .init_resource::<Pressed>()
        .insert_resource(timeline_config())
        .add_observer(take_seat)
        .add_systems(
            FixedPreUpdate,
            press.in_set(InputSystems::WriteClientInputs),
        )
        .add_systems(FixedUpdate, read_inputs.before(Step::Act))
        .configure_sets(FixedUpdate, (Step::Act, Step::React).run_if(is_playing));
    connect(app, options, player);
}

fn timeline_config() -> InputTimelineConfig {
    let sync = SyncConfig {
        // To skip ticks would end the match: a client that is late hurries, however late it is.
        max_error_margin: 600.0,
        speedup_factor: 2.0,
        ..default()
    };
    InputTimelineConfig::default()
        .with_sync_config(sync)
        .with_input_delay(InputDelayConfig::fixed_input_delay(INPUT_DELAY))
}

fn connect(app: &mut App, options: &Options, player: usize) {
    let server_addr = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let authentication = Authentication::Manual {
        server_addr,
        client_id: player as u64,
        private_key: default(),
        protocol_id: 0,
    };
    let client = NetcodeClient::new(authentication, NetcodeConfig::default());
    let client = app.world_mut().spawn((
        client.expect("a token"),
        Link::default().with_conditioner(protocol::conditioner(options)),
        LocalAddr(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
        UdpIo::default(),
        ReplicationReceiver,
    ));
    let entity = client.id();
    app.add_systems(Startup, move |mut commands: Commands| {
        commands.trigger(Connect { entity });
    });
}

fn take_seat(
    added: On<Add, Seat>,
    seats: Query<&Seat>,
    local: Res<LocalPlayer>,
    mut commands: Commands,
) {
    if seats
        .get(added.entity)
        .is_ok_and(|seat| seat.player == local.0)
    {
        let mut seat = commands.entity(added.entity);
        seat.insert(InputMarker::<Input>::default());
    }
}

fn press(pressed: Res<Pressed>, mut own: Query<&mut ActionState<Input>, With<InputMarker<Input>>>) {
    for mut state in &mut own {
        state.0 = pressed.0;
    }
}

fn read_inputs(seats: Query<(&Seat, &ActionState<Input>)>, mut inputs: ResMut<Inputs>) {
    for (seat, state) in &seats {
        inputs.0[seat.player] = state.0;
    }
}
