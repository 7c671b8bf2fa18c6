//! The game in a window.

use bevy::{color::palettes::tailwind, prelude::*};
use bevy_ggrs::{LocalInputs, LocalPlayers, prelude::*};
use bevy_thud::prelude::*;

use crate::{
    Options, bots,
    game::{self, Bullet, Fighter, Match, Monster},
    headless,
    input::{DuelConfig, Input},
    rollback,
};

/// Plays over the network, or against a bot if there is no other player.
pub fn play(options: &Options) {
    let session = match options.remote {
        Some(_) => Session::P2P(headless::p2p(options)),
        None => Session::P2P(alone()),
    };
    let title = format!("duel: player {}", options.player.unwrap_or(0) + 1);
    let window = Window {
        title,
        resolution: (800, 520).into(),
        ..default()
    };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        }))
        .insert_resource(ClearColor(tailwind::SLATE_900.into()))
        .insert_resource(Match::new(options.seed))
        .insert_resource(bots::BotSeed(options.seed))
        .add_plugins((rollback::plugin, game::plugin))
        .insert_resource(session)
        .add_systems(Startup, |mut commands: Commands| {
            drop(commands.spawn(Camera2d))
        })
        .add_systems(ReadInputs, press)
        .add_systems(Update, (draw, show_scores))
        .run();
}

/// Both players on this machine.
fn alone() -> ggrs::P2PSession<DuelConfig> {
    let mut session = SessionBuilder::new()
        .with_num_players(2)
        .expect("two players");
    for player in 0..2 {
        session = session
            .add_player(PlayerType::Local, player)
            .expect("a player");
    }
    let socket = ggrs::UdpNonBlockingSocket::bind_to_port(0).expect("a free port");
    session.start_p2p_session(socket).expect("a session")
}

/// The keys are those of the first local player; a bot plays the second one.
fn press(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    players: Res<LocalPlayers>,
    seed: Res<bots::BotSeed>,
    mut calls: Local<u64>,
) {
    *calls += 1;
    let buttons = [
        (KeyCode::KeyW, Input::UP),
        (KeyCode::KeyS, Input::DOWN),
        (KeyCode::KeyA, Input::LEFT),
        (KeyCode::KeyD, Input::RIGHT),
        (KeyCode::Space, Input::FIRE),
    ];
    let pressed = buttons.iter().filter(|(key, _)| keys.pressed(*key));
    let own = Input(pressed.fold(0, |bits, (_, bit)| bits | bit));
    let inputs = players.0.iter().enumerate().map(|(number, &player)| {
        let input = match number {
            0 => own,
            _ => bots::input(seed.0, player, *calls / 20),
        };
        (player, input)
    });
    commands.insert_resource(LocalInputs::<DuelConfig>(inputs.collect()));
}

fn draw(
    mut gizmos: Gizmos,
    walls: Query<(&RectCollider, &Transform)>,
    circles: Query<(
        &CircleCollider,
        &Transform,
        Option<&Fighter>,
        Option<&Bullet>,
        Has<Monster>,
    )>,
) {
    for (rect, transform) in &walls {
        let pose = Isometry2d::new(
            transform.translation.xy(),
            Rot2::radians(transform.rotation.to_euler(EulerRot::ZYX).0),
        );
        gizmos.rect_2d(pose, rect.size, tailwind::SLATE_400);
    }
    for (circle, transform, fighter, bullet, is_monster) in &circles {
        let at = transform.translation.xy();
        let of_player = |player| [tailwind::SKY_400, tailwind::AMBER_400][player];
        let color = match (fighter, bullet) {
            (Some(fighter), _) => of_player(fighter.player),
            (_, Some(bullet)) => of_player(bullet.owner),
            _ if is_monster => tailwind::ROSE_500,
            _ => tailwind::SLATE_400,
        };
        for ring in 1..=circle.radius as u8 {
            gizmos.circle_2d(at, f32::from(ring), color);
        }
        if let Some(fighter) = fighter {
            let left = at + Vec2::new(-12.0, 18.0);
            let health = Vec2::X * fighter.health as f32 * 5.0;
            gizmos.line_2d(left, left + health, tailwind::LIME_400);
        }
    }
}

fn show_scores(
    fighters: Query<&Fighter>,
    mut windows: Query<&mut Window>,
    mut shown: Local<[u32; 2]>,
) {
    let mut scores = [0; 2];
    for fighter in &fighters {
        scores[fighter.player] = fighter.score;
    }
    if *shown != scores {
        *shown = scores;
        for mut window in &mut windows {
            window.title = format!("duel {} : {}", scores[0], scores[1]);
        }
    }
}
