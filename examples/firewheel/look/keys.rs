//! The line at the bottom: which keys, or what of a gamepad, do what. A touch screen has none.

use bevy::prelude::*;

use super::{
    super::game::player::PlayerCount,
    devices::{Device, Devices},
};

const OF_ONE: &str = "WASD walk  |  mouse aims and fires  |  P pause  |  C colliders";
const OF_ONE_WITH_GAMEPAD: &str =
    "Left stick walks  |  right stick aims  |  right trigger fires  |  Start pause";
const OF_EACH: [&str; 2] = [
    "P1: WASD, mouse aims and fires",
    "P2: arrows, right Ctrl fires",
];
const OF_EACH_WITH_GAMEPAD: [&str; 2] = ["P1: gamepad", "P2: gamepad"];

#[derive(Component)]
pub struct KeysLine;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, show);
}

fn show(player_count: Res<PlayerCount>, devices: Devices, line: Single<&mut Text, With<KeysLine>>) {
    let words = match (player_count.0, devices.of(0)) {
        (_, Device::Touch) => String::new(),
        (1, Device::Gamepad) => OF_ONE_WITH_GAMEPAD.into(),
        (1, Device::Keys) => OF_ONE.into(),
        _ => {
            let [first, second] = [0, 1].map(|player| of_each(player, &devices));
            format!("{first}  |  {second}  |  P pause  |  C colliders")
        }
    };
    line.into_inner().set_if_neq(Text(words));
}

fn of_each(player: usize, devices: &Devices) -> &'static str {
    match devices.of(player) {
        Device::Gamepad => OF_EACH_WITH_GAMEPAD[player],
        _ => OF_EACH[player],
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{super::pads::Seat, devices::HasTouch},
        *,
    };

    fn line(player_count: usize, has_touch: bool, gamepads: &[usize]) -> String {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, plugin))
            .insert_resource(HasTouch(has_touch))
            .insert_resource(PlayerCount(player_count));
        let world = app.world_mut();
        let line = world.spawn((KeysLine, Text::default())).id();
        for &player in gamepads {
            world.spawn((Gamepad::default(), Seat(player)));
        }
        app.update();
        app.world().get::<Text>(line).unwrap().0.clone()
    }

    #[test]
    fn the_line_is_about_the_device_of_each_player() {
        assert_eq!(line(1, false, &[]), OF_ONE);
        assert_eq!(line(1, false, &[0]), OF_ONE_WITH_GAMEPAD);
        for gamepads in [&[][..], &[0], &[1], &[0, 1]] {
            let line = line(2, false, gamepads);
            for player in 0..2 {
                let has_gamepad = gamepads.contains(&player);
                assert_eq!(line.contains(OF_EACH_WITH_GAMEPAD[player]), has_gamepad);
                assert_eq!(line.contains(OF_EACH[player]), !has_gamepad);
            }
        }
    }

    #[test]
    fn the_line_is_empty_on_a_touch_screen_without_a_gamepad() {
        assert_eq!(line(1, true, &[]), "");
        assert_eq!(line(2, true, &[]), "");
        assert_eq!(line(1, true, &[0]), OF_ONE_WITH_GAMEPAD);
    }
}
