//! The score of the current game, and those of the games before it.

use std::collections::VecDeque;

use bevy::prelude::*;

use super::{health::Death, monsters::Monster, stage::Stage};

/// How many games are remembered.
const MEMORY: usize = 5;

#[derive(Resource, Default)]
pub struct Score {
    pub points: u32,
    pub kills: u32,
}

/// The points of the games that are over, since the program started.
#[derive(Resource, Default)]
pub struct PastScores {
    pub best: u32,
    /// The latest first.
    pub latest: VecDeque<u32>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Score>()
        .init_resource::<PastScores>()
        .add_systems(OnEnter(Stage::Playing), reset)
        .add_systems(OnEnter(Stage::Over), remember)
        .add_observer(count_kill);
}

fn reset(mut score: ResMut<Score>) {
    *score = Score::default();
}

fn remember(score: Res<Score>, mut past: ResMut<PastScores>) {
    past.best = past.best.max(score.points);
    past.latest.push_front(score.points);
    past.latest.truncate(MEMORY);
}

/// What burns to death after the game does not count.
fn count_kill(
    death: On<Death>,
    monsters: Query<&Monster>,
    stage: Res<State<Stage>>,
    mut score: ResMut<Score>,
) {
    if let (Ok(kind), Stage::Playing) = (monsters.get(death.entity), stage.get()) {
        score.points += kind.traits().score;
        score.kills += 1;
    }
}
