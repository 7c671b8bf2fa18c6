//! The games in a window: keys, and text.

use bevy::{app::AppExit, input::InputSystems, prelude::*};
use bevy_thud::{CollisionDebugPlugin, CollisionGizmos, Mover};
use bevy_transform_interpolation::prelude::*;

use super::{
    audit, bots,
    breakout::Ball,
    games::{Game, GamesPlugin, Intent, Tally},
    kit, look,
    options::Options,
};

const CHOICES: [KeyCode; 6] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
];

/// A text, and what it says.
#[derive(Component)]
enum Line {
    Title,
    Score,
    Help,
    End,
}

/// Opens a window and plays until it is closed or the time is up.
pub fn play(options: &Options) -> AppExit {
    let (first, seed) = (options.game, options.seed);
    let mut app = App::new();
    app.add_plugins((
        kit::show("Arcade"),
        GamesPlugin { first, seed },
        look::plugin,
    ))
    .add_plugins((
        CollisionDebugPlugin,
        TransformInterpolationPlugin::default(),
    ))
    .register_required_components::<Mover, TransformInterpolation>()
    .register_required_components::<Ball, TransformInterpolation>()
    .add_systems(Startup, (hide_colliders, spawn_text))
    .add_systems(PreUpdate, (choose, show_colliders).after(InputSystems))
    .add_systems(Update, write_text);
    if options.bot {
        app.add_plugins((bots::plugin, audit::plugin));
    } else {
        app.add_systems(PreUpdate, read_keys.after(InputSystems));
    }
    kit::window::close_after(&mut app, options.seconds);
    app.run()
}

/// A press lasts one frame, which may have no step: it is kept until a step takes it.
fn read_keys(keys: Res<ButtonInput<KeyCode>>, mut intent: ResMut<Intent>) {
    intent.steer = kit::axes(&keys);
    intent.act |= keys.just_pressed(KeyCode::Space);
    intent.holds_act = keys.pressed(KeyCode::Space);
}

fn choose(
    keys: Res<ButtonInput<KeyCode>>,
    game: Res<State<Game>>,
    mut next: ResMut<NextState<Game>>,
) {
    let all = Game::ALL;
    let index = all
        .iter()
        .position(|other| other == game.get())
        .unwrap_or(0);
    let chosen = CHOICES.iter().position(|key| keys.just_pressed(*key));
    if let Some(chosen) = chosen {
        next.set(all[chosen]);
    } else if keys.just_pressed(KeyCode::KeyN) {
        next.set(all[(index + 1) % all.len()]);
    } else if keys.any_just_pressed([KeyCode::KeyR, KeyCode::Escape]) {
        next.set(all[index]);
    }
}

fn hide_colliders(mut gizmos: ResMut<GizmoConfigStore>) {
    gizmos.config_mut::<CollisionGizmos>().0.enabled = false;
}

fn show_colliders(keys: Res<ButtonInput<KeyCode>>, mut gizmos: ResMut<GizmoConfigStore>) {
    if keys.just_pressed(KeyCode::KeyC) {
        gizmos.config_mut::<CollisionGizmos>().0.enabled ^= true;
    }
}

fn spawn_text(mut commands: Commands) {
    let corner = |[left, right, top, bottom]: [Val; 4]| Node {
        position_type: PositionType::Absolute,
        left,
        right,
        top,
        bottom,
        ..default()
    };
    let edge = px(8);
    let lines = [
        (Line::Title, corner([edge, auto(), px(-4), auto()]), 20.0),
        (Line::Score, corner([auto(), edge, px(-4), auto()]), 20.0),
        (Line::Help, corner([edge, auto(), auto(), px(-2)]), 16.0),
        (Line::End, corner([px(470), auto(), px(320), auto()]), 32.0),
    ];
    for (line, node, size) in lines {
        let font = TextFont::from_font_size(size);
        commands.spawn((line, node, Text::default(), font));
    }
}

fn write_text(game: Res<State<Game>>, tally: Res<Tally>, mut lines: Query<(&Line, &mut Text)>) {
    let [title, help] = game.help();
    let Tally {
        score,
        lives,
        level,
        coins,
        ..
    } = *tally;
    let coins = match **game {
        Game::TowerDefense => format!("Coins {coins}    "),
        _ => String::new(),
    };
    for (line, mut text) in &mut lines {
        let written = match line {
            Line::Title => title.into(),
            Line::Score => format!("{coins}Score {score}    Level {level}    Lives {lives}"),
            Line::Help => format!("{help}.    1 to 6, N: other games. R: restart"),
            Line::End if tally.is_over() => "Game over. Space plays again".into(),
            Line::End => String::new(),
        };
        text.set_if_neq(Text(written));
    }
}
