//! The players: circles that walls and monsters block.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    exact,
    fire_wheel::Pistol,
    health::{Death, Health},
    layers::Layer,
    stage::{Stage, UNTIL_NEXT_GAME},
};

pub const RADIUS: f32 = 14.0;
const SPEED: f32 = 215.0;
const HEALTH: f32 = 100.0;
/// How fast a player changes its velocity: the rate of an exponential, per second.
const AGILITY: f32 = 18.0;
const STARTS: [Vec2; 2] = [Vec2::new(-90.0, -110.0), Vec2::new(90.0, -110.0)];

/// A player, with its index 0 or 1.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player(pub usize);

/// What a player wants to do, whether a human or a bot.
#[derive(Component, Default)]
pub struct Intent {
    /// The direction to walk in, of length 1 at most.
    pub walk: Vec2,
    /// The direction to aim in, of length 1.
    pub aim: Vec2,
    pub fire: bool,
}

/// The number of players, one or two.
#[derive(Resource)]
pub struct PlayerCount(pub usize);

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Stage::Playing), call_players)
        .add_observer(end_game);
}

/// Spawns the players that are missing. A player who died returns with the next wave.
pub fn call_players(
    mut commands: Commands,
    players: Query<&Player>,
    player_count: Res<PlayerCount>,
) {
    for (number, start) in STARTS.into_iter().enumerate().take(player_count.0) {
        if players.iter().any(|player| player.0 == number) {
            continue;
        }
        commands.spawn((
            Player(number),
            Intent {
                aim: Vec2::Y,
                ..default()
            },
            Pistol::default(),
            Health::new(HEALTH),
            CircleCollider::new(RADIUS),
            Solid,
            Mover::default(),
            Layer::Player,
            Transform::from_translation(start.extend(2.0)),
            UNTIL_NEXT_GAME,
        ));
    }
}

/// To walk is to set a velocity: the plugin takes care of the walls.
pub fn walk(mut players: Query<(&Intent, &mut Mover)>, time: Res<Time>) {
    let fraction = 1.0 - exact::exp(-AGILITY * time.delta_secs());
    for (intent, mut mover) in &mut players {
        let wanted = intent.walk.clamp_length_max(1.0) * SPEED;
        mover.velocity = mover.velocity.lerp(wanted, fraction);
    }
}

fn end_game(
    death: On<Death>,
    players: Query<Entity, With<Player>>,
    mut stage: ResMut<NextState<Stage>>,
) {
    if players.iter().eq([death.entity]) {
        stage.set(Stage::Over);
    }
}
