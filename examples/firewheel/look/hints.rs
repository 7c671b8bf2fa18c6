//! A line of help: the keys until they are used, and then what is new in a wave.

use bevy::prelude::*;

use super::{
    super::game::{
        gate::Plate,
        health::Health,
        medkit::{self, Medkit},
        player::{Intent, Player, PlayerCount},
        press, saw,
        score::Score,
        stage::{Pause, Stage},
        waves::Waves,
    },
    brush::palette,
    devices::{Device, Devices},
    hud,
};

/// How to walk, and how to fire.
const TOUCH: [&str; 2] = ["Walk with the stick", "Touch the arena to fire there"];
const GAMEPAD: [&str; 2] = [
    "Walk with the left stick",
    "Aim with the right stick, and hold the right trigger to fire",
];
const KEYS: [[&str; 2]; 2] = [
    [
        "Walk with W, A, S and D",
        "Aim with the mouse, and hold its button or Space to fire",
    ],
    ["Walk with the arrow keys", "Hold right Ctrl to fire ahead"],
];
const VAULT: &str = "You are hurt: a medkit is in the vault, and the plate at the bottom opens it";
/// Below this fraction of its health a player needs a medkit.
const HURT: f32 = 0.5;

/// Is hidden while there is nothing to say.
#[derive(Component)]
struct HintBox;

#[derive(Component)]
struct Hint;

/// Who has walked and fired since the program started, and whether anybody opened the vault.
#[derive(Resource, Default)]
struct Learned {
    walking: [bool; 2],
    firing: [bool; 2],
    vault: bool,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Learned>()
        .add_systems(Startup, set_up)
        .add_systems(Update, (learn, show).chain());
}

fn set_up(mut commands: Commands) {
    let layout = TextLayout::justify(Justify::Center);
    let row = Node {
        position_type: PositionType::Absolute,
        bottom: px(46),
        width: percent(100),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let frame = Node {
        padding: UiRect::axes(px(16), px(4)),
        border_radius: BorderRadius::all(px(8)),
        ..default()
    };
    commands.spawn(row).with_children(|row| {
        row.spawn((HintBox, frame, BackgroundColor(palette::HINT)))
            .with_child((Hint, hud::text(20.0, palette::GLOW), layout));
    });
}

fn learn(players: Query<(&Player, &Intent)>, plates: Query<&Plate>, mut learned: ResMut<Learned>) {
    for (player, intent) in &players {
        learned.walking[player.0] |= intent.walk != Vec2::ZERO;
        learned.firing[player.0] |= intent.fire;
    }
    learned.vault |= plates.iter().any(|plate| plate.standing > 0);
}

fn show(
    (stage, pause): (Res<State<Stage>>, Res<State<Pause>>),
    (learned, waves, score): (Res<Learned>, Res<Waves>, Res<Score>),
    player_count: Res<PlayerCount>,
    devices: Devices,
    healths: Query<&Health, With<Player>>,
    medkits: Query<&Transform, With<Medkit>>,
    frame: Single<&mut Visibility, With<HintBox>>,
    hint: Single<&mut Text, With<Hint>>,
) {
    let controls = [0, 1].map(|player| match devices.of(player) {
        Device::Gamepad => GAMEPAD,
        Device::Touch => TOUCH,
        Device::Keys => KEYS[player],
    });
    let [walk, fire] = [0, 1].map(|action| controls.map(|words| words[action]));
    let is_hurt = healths.iter().any(|health| health.fraction() < HURT);
    let words = if (*stage.get(), *pause.get()) != (Stage::Playing, Pause::Running) {
        String::new()
    } else if learned.walking[..player_count.0].contains(&false) {
        instruct(walk, &learned.walking[..player_count.0])
    } else if learned.firing[..player_count.0].contains(&false) {
        instruct(fire, &learned.firing[..player_count.0])
    } else if is_hurt && !learned.vault && medkits.iter().any(medkit::is_in_vault) {
        VAULT.into()
    } else {
        explain(waves.number, score.kills).into()
    };
    frame.into_inner().set_if_neq(if words.is_empty() {
        Visibility::Hidden
    } else {
        Visibility::Inherited
    });
    hint.into_inner().set_if_neq(Text(words));
}

/// Shows players how to do what they have not done yet.
fn instruct(words: [&str; 2], done: &[bool]) -> String {
    let learners = (0..done.len()).filter(|&player| !done[player]);
    let lines: Vec<String> = learners
        .map(|player| match done.len() {
            1 => words[player].into(),
            _ => format!("P{}: {}", player + 1, words[player]),
        })
        .collect();
    lines.join("\n")
}

/// What is new in a wave.
fn explain(wave: usize, kills: u32) -> &'static str {
    match wave {
        0 | 1 if kills == 0 => "Wheels bounce off walls, and burn the monsters that they hit",
        1 => "Turnstiles let you, monsters and wheels through where their arrows point",
        press::FIRST_WAVE => "Presses crush whoever is between them: stay out, lure monsters in",
        saw::FIRST_WAVE => "A saw crosses the arena where a rail lights up: do not stand there",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::{game::gate, pads::Seat},
            devices::HasTouch,
        },
        *,
    };
    use bevy::state::app::StatesPlugin;

    /// Players at the beginning of a game.
    fn game_of(player_count: usize) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin, plugin))
            .init_state::<Stage>()
            .init_state::<Pause>()
            .init_resource::<Waves>()
            .init_resource::<Score>()
            .insert_resource(HasTouch(false))
            .insert_resource(PlayerCount(player_count));
        for number in 0..player_count {
            let player = (Player(number), Intent::default(), Health::new(100.0));
            app.world_mut().spawn(player);
        }
        app
    }

    fn hint(app: &mut App) -> String {
        app.update();
        let world = app.world_mut();
        let mut hints = world.query_filtered::<&Text, With<Hint>>();
        hints.single(world).unwrap().0.clone()
    }

    /// The hint after the first player changed its intent.
    fn hint_after(app: &mut App, change: fn(&mut Intent)) -> String {
        let world = app.world_mut();
        let mut players = world.query::<(&Player, &mut Intent)>();
        let mut players = players.iter_mut(world);
        let first = players.find(|(player, _)| player.0 == 0);
        change(&mut first.unwrap().1);
        hint(app)
    }

    fn hint_in_wave(app: &mut App, wave: usize) -> String {
        app.world_mut().resource_mut::<Waves>().number = wave;
        hint(app)
    }

    fn use_all_keys(app: &mut App) {
        hint_after(app, |intent| {
            (intent.walk, intent.fire) = (Vec2::X, true);
        });
    }

    #[test]
    fn keys_are_shown_until_they_are_used() {
        let mut app = game_of(1);
        let [walk, fire] = KEYS[0];
        assert_eq!(hint(&mut app), walk);
        let walking = hint_after(&mut app, |intent| intent.walk = Vec2::X);
        assert_eq!(walking, fire);
        let standing = hint_after(&mut app, |intent| intent.walk = Vec2::ZERO);
        assert_eq!(standing, fire);
        let firing = hint_after(&mut app, |intent| intent.fire = true);
        assert!(firing.starts_with("Wheels bounce"), "{firing}");
    }

    #[test]
    fn each_of_two_players_has_hints_for_keys_or_a_gamepad() {
        let mut app = game_of(2);
        app.world_mut().spawn((Gamepad::default(), Seat(0)));
        let [first, second] = [GAMEPAD[0], KEYS[1][0]];
        assert_eq!(hint(&mut app), format!("P1: {first}\nP2: {second}"));
        let walking = hint_after(&mut app, |intent| intent.walk = Vec2::X);
        assert_eq!(walking, format!("P2: {second}"));
    }

    #[test]
    fn a_touch_screen_is_for_the_first_player_unless_there_is_a_gamepad() {
        let mut app = game_of(2);
        app.insert_resource(HasTouch(true));
        let [first, second] = [TOUCH[0], KEYS[1][0]];
        assert_eq!(hint(&mut app), format!("P1: {first}\nP2: {second}"));
        app.world_mut().spawn((Gamepad::default(), Seat(0)));
        let first = GAMEPAD[0];
        assert_eq!(hint(&mut app), format!("P1: {first}\nP2: {second}"));
    }

    #[test]
    fn a_wave_that_adds_something_has_a_hint_and_the_others_have_none() {
        let mut app = game_of(1);
        use_all_keys(&mut app);
        app.world_mut().resource_mut::<Score>().kills = 1;
        for (wave, start) in [
            (1, "Turnstiles"),
            (press::FIRST_WAVE, "Presses"),
            (saw::FIRST_WAVE, "A saw"),
        ] {
            let hint = hint_in_wave(&mut app, wave);
            assert!(hint.starts_with(start), "{hint}");
        }
        assert_eq!(hint_in_wave(&mut app, saw::FIRST_WAVE + 1), "");
    }

    #[test]
    fn the_medkit_in_the_vault_has_a_hint_for_a_hurt_player_until_the_vault_was_open() {
        let mut app = game_of(1);
        use_all_keys(&mut app);
        let in_vault = Transform::from_translation(gate::VAULT.extend(0.4));
        let medkit = app.world_mut().spawn((Medkit, in_vault)).id();
        assert_ne!(hint(&mut app), VAULT);
        let world = app.world_mut();
        for mut health in world.query::<&mut Health>().iter_mut(world) {
            health.now = 0.4 * health.full;
        }
        assert_eq!(hint(&mut app), VAULT);
        // As a brute drops it.
        app.world_mut()
            .entity_mut(medkit)
            .insert(Transform::IDENTITY);
        assert_ne!(hint(&mut app), VAULT);
        app.world_mut().entity_mut(medkit).insert(in_vault);
        assert_eq!(hint(&mut app), VAULT);
        app.world_mut().spawn(Plate { standing: 1 });
        assert_ne!(hint(&mut app), VAULT);
    }
}
