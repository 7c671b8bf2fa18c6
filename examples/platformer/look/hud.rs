//! The line with coins, deaths and time, and the words at the goal.

use bevy::prelude::*;

use super::{super::game::Score, brush::palette};

const KEYS: &str =
    "arrows or A, D: walk  |  Space: jump  |  Down: drop through planks  |  R: again";

#[derive(Component)]
struct StatusLine;

#[derive(Component)]
struct Headline;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_up).add_systems(Update, show);
}

fn set_up(mut commands: Commands) {
    commands.spawn((StatusLine, line("", 12.0, 26.0)));
    commands.spawn((Headline, line("", 120.0, 44.0)));
    commands.spawn(line(KEYS, 684.0, 18.0));
}

/// A line of text at this distance from the top of the window.
fn line(text: &str, top: f32, size: f32) -> impl Bundle + use<> {
    let node = Node {
        position_type: PositionType::Absolute,
        top: px(top),
        width: percent(100),
        ..default()
    };
    (
        node,
        Text::new(text),
        TextFont::from_font_size(size),
        TextColor(palette::WHITE),
        TextShadow::default(),
        TextLayout::justify(Justify::Center),
    )
}

fn show(
    score: Res<Score>,
    mut status: Single<&mut Text, (With<StatusLine>, Without<Headline>)>,
    mut headline: Single<&mut Text, With<Headline>>,
) {
    let seconds = score.finished.unwrap_or(score.seconds);
    let (coins, all) = (score.coins, score.all_coins);
    let deaths = score.deaths;
    status.0 = format!("Coins: {coins} of {all}    Deaths: {deaths}    Time: {seconds:.1} s");
    headline.0 = match score.finished {
        Some(_) => "You made it! R starts again".into(),
        None => String::new(),
    };
}
