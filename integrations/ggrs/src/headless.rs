//! Games without a window: the test of rollbacks on one machine, and bots over the network.

use std::{
    collections::BTreeMap,
    process::ExitCode,
    thread::sleep,
    time::{Duration, Instant},
};

use bevy::{ecs::schedule::SingleThreadedExecutor, prelude::*, time::TimeUpdateStrategy};
use bevy_ggrs::{
    AdvanceWorld, Checksum, ConfirmedFrameCount, LoadWorld, LocalInputs, LocalPlayers,
    RollbackFrameCount, SaveWorld, SaveWorldSystems, prelude::*,
};
use ggrs::{DesyncDetection, UdpNonBlockingSocket};

use crate::{
    Options,
    duel::{bots, state::Fighter},
    rollback::{self, DuelConfig},
    socket::LossySocket,
};

const STEP: Duration = Duration::from_nanos(16_666_667);
/// How long a player stays after the last step, so that the other one gets its inputs.
const LINGER: Duration = Duration::from_secs(3);

/// What was counted.
#[derive(Resource, Default)]
struct Record {
    rollbacks: u32,
    steps: u32,
    mismatches: u32,
    /// The checksum of each step, as it was simulated last.
    checksums: BTreeMap<i32, u128>,
}

fn app(options: &Options) -> App {
    let seed = options.seed;
    let press = move |mut commands: Commands, players: Res<LocalPlayers>, mut calls: Local<u32>| {
        let press = |&player: &usize| (player, bots::input(seed, player, *calls));
        let inputs = players.0.iter().map(press).collect();
        commands.insert_resource(LocalInputs::<DuelConfig>(inputs));
        *calls += 1;
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .init_resource::<Record>()
        .add_plugins(rollback::plugin(seed))
        .add_systems(ReadInputs, press)
        .add_systems(LoadWorld, |mut record: ResMut<Record>| {
            record.rollbacks += 1
        })
        .add_systems(AdvanceWorld, |mut record: ResMut<Record>| record.steps += 1)
        .add_systems(
            SaveWorld,
            record_checksum.in_set(SaveWorldSystems::Snapshot),
        )
        .add_observer(
            |mismatch: On<SyncTestMismatch>, mut record: ResMut<Record>| {
                println!("mismatch: {:?}", *mismatch);
                record.mismatches += 1;
            },
        );
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app
}

fn record_checksum(frame: Res<RollbackFrameCount>, sum: Res<Checksum>, mut record: ResMut<Record>) {
    record.checksums.insert(frame.0, sum.0);
    while record.checksums.len() > 600 {
        record.checksums.pop_first();
    }
}

fn builder(options: &Options) -> SessionBuilder<DuelConfig> {
    (SessionBuilder::new().with_num_players(2))
        .expect("two players")
        .with_max_prediction_window(options.check_distance.max(8) + 1)
        .with_check_distance(options.check_distance)
        .with_input_delay(options.input_delay)
        .with_desync_detection_mode(DesyncDetection::On { interval: 10 })
}

/// Plays both players by bots, rolls back in every step, and compares the checksums.
pub fn sync_test(options: &Options) -> ExitCode {
    let mut session = builder(options);
    for player in 0..2 {
        session = session
            .add_player(PlayerType::Local, player)
            .expect("a player");
    }
    let session = session.start_synctest_session().expect("a session");
    let mut app = app(options);
    app.insert_resource(Session::SyncTest(session));
    app.finish();
    app.cleanup();
    // A step is saved when the next one begins.
    while frame(&app) <= options.frames {
        app.update();
        if app.world().resource::<Record>().mismatches > 0 {
            break;
        }
    }
    report(&mut app, options)
}

fn frame(app: &App) -> i32 {
    let frame = app.world().get_resource::<RollbackFrameCount>();
    frame.map_or(0, |frame| frame.0)
}

/// Plays one of two players by a bot, at 60 steps a second, until a step is confirmed.
pub fn play_over_network(options: &Options) -> ExitCode {
    let mut app = app(options);
    app.insert_resource(Session::P2P(p2p(options)));
    app.finish();
    app.cleanup();
    let mut end = None;
    let mut next = Instant::now();
    while end.is_none_or(|end| Instant::now() < end) {
        app.update();
        let confirmed = app.world().get_resource::<ConfirmedFrameCount>();
        // The checksum of the last step is that of confirmed inputs once a later one is, too.
        if end.is_none() && confirmed.is_some_and(|frame| frame.0 > options.frames + 20) {
            end = Some(Instant::now() + LINGER);
        }
        count_desyncs(&mut app);
        next += STEP;
        sleep(next.saturating_duration_since(Instant::now()));
    }
    report(&mut app, options)
}

/// A session over the network, with packets lost and late as the options say.
pub fn p2p(options: &Options) -> ggrs::P2PSession<DuelConfig> {
    let remote = options.remote.expect("--remote");
    let local = options.player.expect("--player");
    let mut session = builder(options);
    for player in 0..2 {
        let kind = if player == local {
            PlayerType::Local
        } else {
            PlayerType::Remote(remote)
        };
        session = session.add_player(kind, player).expect("a player");
    }
    let socket = UdpNonBlockingSocket::bind_to_port(options.local_port).expect("a free port");
    let times = [options.delay_ms, options.jitter_ms].map(Duration::from_millis);
    let socket = LossySocket::new(socket, options.seed + local as u64, options.loss, times);
    session.start_p2p_session(socket).expect("a session")
}

fn count_desyncs(app: &mut App) {
    let mut session = app.world_mut().resource_mut::<Session<DuelConfig>>();
    let Session::P2P(session) = &mut *session else {
        return;
    };
    let events = session.events().filter(|event| {
        let is_desync = matches!(event, GgrsEvent::DesyncDetected { .. });
        if is_desync {
            println!("{event:?}");
        }
        is_desync
    });
    let count = events.count() as u32;
    app.world_mut().resource_mut::<Record>().mismatches += count;
}

fn report(app: &mut App, options: &Options) -> ExitCode {
    let mut fighters = app.world_mut().query::<&Fighter>();
    let mut scores: Vec<_> = (fighters.iter(app.world()).map(|f| (f.player, f.score))).collect();
    scores.sort_unstable();
    let record = app.world().resource::<Record>();
    let last = record.checksums.get(&options.frames);
    println!(
        "{} steps, {} rollbacks, {} simulated, {} mismatches, scores {scores:?}",
        frame(app),
        record.rollbacks,
        record.steps,
        record.mismatches
    );
    match last {
        Some(checksum) => println!("checksum at step {}: {checksum:032x}", options.frames),
        None => println!("no checksum at step {}", options.frames),
    }
    if record.mismatches == 0 && last.is_some() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
