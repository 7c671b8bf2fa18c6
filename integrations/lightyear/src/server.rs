//! The server: it deals the seats and passes on inputs. It simulates nothing.

use std::{
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
};

use bevy::prelude::*;
use lightyear::prelude::{
    Connected, LinkOf, LocalAddr, LocalTimeline, NetworkTarget, Replicate, ReplicationSender,
    input::native::NativeBuffer,
    server::{ClientOf, NetcodeConfig, NetcodeServer, Server, ServerPlugins, ServerUdpIo, Start},
};

use crate::{
    Options,
    duel::Input,
    headless,
    protocol::{self, MatchStart, Seat, TICK},
};

/// The ticks before the first step in which the clients get to know when it is, and get each
/// other's inputs.
const LEAD: i32 = 120;
/// How late the inputs of a player may be before the clock stops.
const MAX_LATENESS: i32 = 10;

/// Serves one match.
pub fn run(options: &Options) -> ExitCode {
    let mut app = headless::app();
    let plugins = ServerPlugins {
        tick_duration: TICK,
    };
    app.add_plugins((plugins, protocol::plugin))
        .add_observer(|link: On<Add, LinkOf>, mut commands: Commands| {
            commands.entity(link.entity).insert(ReplicationSender);
        })
        .add_systems(Update, (deal, begin, wait_for_players));
    let server = app.world_mut().spawn((
        Server::new(Some(protocol::conditioner(options))),
        NetcodeServer::new(NetcodeConfig::default()),
        LocalAddr(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port))),
        ServerUdpIo::default(),
    ));
    let entity = server.id();
    app.add_systems(Startup, move |mut commands: Commands| {
        commands.trigger(Start { entity });
    });
    headless::run(&mut app, |app| {
        let mut clients = app.world_mut().query_filtered::<(), With<Connected>>();
        let is_empty = clients.iter(app.world()).next().is_none();
        let mut seats = app.world_mut().query::<&Seat>();
        is_empty && seats.iter(app.world()).next().is_some()
    });
    ExitCode::SUCCESS
}

/// Deals the seats when both players are here.
fn deal(
    mut commands: Commands,
    clients: Query<(), (With<ClientOf>, With<Connected>)>,
    seats: Query<(), With<Seat>>,
) {
    if clients.iter().count() == 2 && seats.is_empty() {
        for player in 0..2 {
            commands.spawn((Seat { player }, Replicate::to_clients(NetworkTarget::All)));
        }
    }
}

/// Begins the match when both players send inputs.
fn begin(
    mut commands: Commands,
    timeline: Res<LocalTimeline>,
    inputs: Query<&NativeBuffer<Input>, With<Seat>>,
    started: Query<(), With<MatchStart>>,
) {
    let senders = inputs
        .iter()
        .filter(|input| input.last_remote_tick.is_some());
    if senders.count() == 2 && started.is_empty() {
        let start = MatchStart(timeline.tick() + LEAD);
        commands.spawn((start, Replicate::to_clients(NetworkTarget::All)));
    }
}

/// Stops the clock while a player's inputs are late. Clients that wait for each other cannot keep
/// up with it, and lightyear drops inputs that are more than 64 ticks late.
fn wait_for_players(
    timeline: Res<LocalTimeline>,
    inputs: Query<&NativeBuffer<Input>, With<Seat>>,
    mut time: ResMut<Time<Virtual>>,
) {
    let mut last_ticks = inputs.iter().filter_map(|input| input.last_remote_tick);
    if last_ticks.any(|last| timeline.tick() - last > MAX_LATENESS) {
        time.pause();
    } else {
        time.unpause();
    }
}
