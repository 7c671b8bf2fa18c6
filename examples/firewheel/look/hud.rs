//! The head-up display: health, score, wave, and the large words in the middle.

use bevy::prelude::*;

use super::{
    super::game::{
        health::Health,
        monsters::{Monster, Portal},
        player::{Player, PlayerCount},
        score::{PastScores, Score},
        stage::{Pause, Stage},
        waves::Waves,
    },
    brush::palette,
    devices::Devices,
    keys::KeysLine,
};

const BAR: Vec2 = Vec2::new(220.0, 14.0);
const ANNOUNCEMENT_SECONDS: f32 = 2.5;

/// The health bar of the player with this index.
#[derive(Component)]
struct HealthBar(usize);

#[derive(Component)]
struct WaveLine;

#[derive(Component)]
struct ScoreLine;

/// The large words in the middle.
#[derive(Component)]
struct Headline;

/// What is behind the words while nobody plays.
#[derive(Component)]
struct Panel;

/// The small words below them.
#[derive(Component)]
struct Subline;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_up)
        .add_systems(Update, (show_health, show_wave, show_score, announce));
}

fn set_up(player_count: Res<PlayerCount>, mut commands: Commands) {
    commands.spawn(row(0.0)).with_children(|row| {
        row.spawn(health_bar(0));
        row.spawn((WaveLine, text(20.0, Color::WHITE)));
        if player_count.0 == 2 {
            row.spawn(health_bar(1));
        } else {
            row.spawn((ScoreLine, text(20.0, palette::GLOW)));
        }
    });
    commands.spawn(row(676.0)).with_children(|row| {
        row.spawn((KeysLine, text(15.0, Color::srgb(0.55, 0.60, 0.68))));
        if player_count.0 == 2 {
            row.spawn((ScoreLine, text(20.0, palette::GLOW)));
        }
    });
    commands.spawn(banner());
}

/// The text at the center.
fn banner() -> impl Bundle {
    let row = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        top: percent(24),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let column = Node {
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Center,
        padding: UiRect::axes(px(28), px(14)),
        row_gap: px(10),
        border_radius: BorderRadius::all(px(12)),
        ..default()
    };
    let layout = TextLayout::justify(Justify::Center);
    let headline = (Headline, text(52.0, palette::GLOW));
    let subline = (Subline, text(22.0, Color::WHITE), layout);
    let panel = (Panel, column, BackgroundColor(Color::NONE));
    (row, children![(panel, children![headline, subline])])
}

/// A row of the full width.
fn row(top: f32) -> Node {
    Node {
        position_type: PositionType::Absolute,
        top: px(top),
        width: percent(100),
        height: px(44),
        padding: UiRect::horizontal(px(26)),
        justify_content: JustifyContent::SpaceBetween,
        align_items: AlignItems::Center,
        ..default()
    }
}

pub fn text(size: f32, color: Color) -> impl Bundle {
    (
        Text::default(),
        TextFont::from_font_size(size),
        TextColor(color),
        TextShadow::default(),
    )
}

fn health_bar(player: usize) -> impl Bundle {
    let frame = Node {
        width: px(BAR.x + 4.0),
        height: px(BAR.y + 4.0),
        padding: UiRect::all(px(2)),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    let filling = Node {
        width: percent(100),
        height: percent(100),
        border_radius: BorderRadius::all(px(3)),
        ..default()
    };
    let color = palette::PLAYERS[player];
    (
        frame,
        BackgroundColor(palette::IRON),
        children![(HealthBar(player), filling, BackgroundColor(color))],
    )
}

fn show_health(players: Query<(&Player, &Health)>, mut bars: Query<(&HealthBar, &mut Node)>) {
    for (bar, mut node) in &mut bars {
        let health = players
            .iter()
            .find(|(player, _)| player.0 == bar.0)
            .map_or(0.0, |(_, health)| health.fraction());
        node.width = percent(100.0 * health);
    }
}

fn show_wave(
    waves: Res<Waves>,
    monsters: Query<(), Or<(With<Monster>, With<Portal>)>>,
    line: Single<&mut Text, With<WaveLine>>,
) {
    let words = match waves.number {
        0 => "Get ready".into(),
        number => format!(
            "Wave {number}  |  {}  |  {} left",
            waves.name(),
            waves.coming() + monsters.iter().len()
        ),
    };
    line.into_inner().set_if_neq(Text(words));
}

fn show_score(score: Res<Score>, line: Single<&mut Text, With<ScoreLine>>) {
    let words = format!("Score {}  |  Kills {}", score.points, score.kills);
    line.into_inner().set_if_neq(Text(words));
}

/// Announces in large words that the game is over or paused, or that a wave begins.
fn announce(
    (stage, pause): (Res<State<Stage>>, Res<State<Pause>>),
    (waves, score, past): (Res<Waves>, Res<Score>, Res<PastScores>),
    time: Res<Time>,
    devices: Devices,
    mut seconds: Local<f32>,
    mut announced: Local<usize>,
    headline: Single<&mut Text, (With<Headline>, Without<Subline>)>,
    subline: Single<&mut Text, With<Subline>>,
    panel: Single<&mut BackgroundColor, With<Panel>>,
) {
    if *announced != waves.number {
        *announced = waves.number;
        *seconds = ANNOUNCEMENT_SECONDS;
    }
    *seconds -= time.delta_secs();
    let or_start = if devices.have_gamepad() {
        " or Start"
    } else {
        ""
    };
    let (large, small, color) = match (stage.get(), pause.get()) {
        (_, Pause::Paused) => (
            "Paused".into(),
            format!("P{or_start} goes on"),
            palette::HINT,
        ),
        (Stage::Over, _) => {
            let sum = sum_up(&score, &waves, &past);
            let small = format!("{sum}\nR{or_start} plays again");
            ("Game over".into(), small, palette::HINT)
        }
        (Stage::Playing, _) if waves.number == 0 => (
            "FireWheel".into(),
            "Keep them away, keep it burning".into(),
            Color::NONE,
        ),
        (Stage::Playing, _) if *seconds > 0.0 => (
            format!("Wave {}", waves.number),
            waves.name().into(),
            Color::NONE,
        ),
        _ => (String::new(), String::new(), Color::NONE),
    };
    headline.into_inner().set_if_neq(Text(large));
    subline.into_inner().set_if_neq(Text(small));
    panel.into_inner().set_if_neq(BackgroundColor(color));
}

/// The score and, from the second game on, how it compares.
fn sum_up(score: &Score, waves: &Waves, past: &PastScores) -> String {
    let game = format!("Score {}, wave {}", score.points, waves.number);
    if past.latest.len() < 2 {
        return game;
    }
    let best = if score.points == past.best {
        "Your best so far".into()
    } else {
        format!("Best {}", past.best)
    };
    let latest: Vec<String> = past.latest.iter().map(u32::to_string).collect();
    format!("{game}\n{best}  |  Last games: {}", latest.join(", "))
}
