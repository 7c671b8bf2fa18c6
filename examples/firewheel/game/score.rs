//! The score of the current game.

use bevy::prelude::*;

use super::{health::Death, monsters::Monster, stage::Stage};

#[derive(Resource, Default)]
pub struct Score {
    pub points: u32,
    pub kills: u32,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Score>()
        .add_systems(OnEnter(Stage::Playing), reset)
        .add_observer(count_kill);
}

fn reset(mut score: ResMut<Score>) {
    *score = Score::default();
}

fn count_kill(death: On<Death>, monsters: Query<&Monster>, mut score: ResMut<Score>) {
    if let Ok(kind) = monsters.get(death.entity) {
        score.points += kind.traits().score;
        score.kills += 1;
    }
}
