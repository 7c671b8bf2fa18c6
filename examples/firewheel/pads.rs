//! Gamepads: the first one is for the first player, the second one for the second player.

use bevy::{
    input::{InputSystems, mouse::AccumulatedMouseMotion},
    prelude::*,
};

use super::{
    controls,
    game::{
        player::{Intent, Player},
        stage::{Pause, Stage},
    },
};

const TRIGGERS: [GamepadButton; 2] = [GamepadButton::RightTrigger, GamepadButton::RightTrigger2];
/// A released stick is not quite at its center.
const DEAD_ZONE: f32 = 0.25;

/// The index of the player who holds the gamepad.
#[derive(Component)]
pub struct Seat(pub usize);

/// Whether the first player used the mouse later than the sticks.
#[derive(Resource)]
pub struct MouseAims(bool);

pub fn plugin(app: &mut App) {
    app.insert_resource(MouseAims(true))
        .add_observer(assign_seat)
        .add_systems(
            PreUpdate,
            (
                notice_mouse.before(controls::read_mouse),
                steer.after(controls::read_mouse),
                press_start,
            )
                .after(InputSystems),
        );
}

/// A run condition.
pub fn mouse_aims(mouse_aims: Res<MouseAims>) -> bool {
    mouse_aims.0
}

/// Bevy removes [`Gamepad`] when one is unplugged, and adds it again when it returns.
fn assign_seat(
    connected: On<Add, Gamepad>,
    seats: Query<(Entity, &Seat), With<Gamepad>>,
    mut commands: Commands,
) {
    let pad = connected.entity;
    let is_taken = |number| {
        let mut others = seats.iter().filter(|(other, _)| *other != pad);
        others.any(|(_, seat)| seat.0 == number)
    };
    let number = (0..).find(|&number| !is_taken(number));
    commands
        .entity(pad)
        .insert(Seat(number.unwrap_or_default()));
}

fn notice_mouse(
    motion: Res<AccumulatedMouseMotion>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut mouse_aims: ResMut<MouseAims>,
) {
    mouse_aims.0 |= motion.delta != Vec2::ZERO || buttons.pressed(MouseButton::Left);
}

/// The left stick walks, and aims ahead while the right one does not aim.
fn steer(
    pads: Query<(&Gamepad, &Seat)>,
    mut players: Query<(&Player, &mut Intent)>,
    mut mouse_aims: ResMut<MouseAims>,
) {
    for (player, mut intent) in &mut players {
        let Some((pad, _)) = pads.iter().find(|(_, seat)| seat.0 == player.0) else {
            continue;
        };
        let sticks = [pad.left_stick(), pad.right_stick()];
        let [left, right] = sticks.map(|stick| (stick.length() > DEAD_ZONE).then_some(stick));
        if let Some(walk) = left {
            intent.walk = walk.clamp_length_max(1.0);
        }
        if let Some(aim) = right.or(left) {
            intent.aim = aim.normalize();
            mouse_aims.0 &= player.0 != 0;
        }
        intent.fire |= pad.any_pressed(TRIGGERS);
    }
}

/// Start pauses, and begins a new game when one is over.
fn press_start(
    pads: Query<&Gamepad>,
    (stage, pause): (Res<State<Stage>>, Res<State<Pause>>),
    mut next_stage: ResMut<NextState<Stage>>,
    mut next_pause: ResMut<NextState<Pause>>,
) {
    let is_start = |pad: &Gamepad| pad.just_pressed(GamepadButton::Start);
    if !pads.iter().any(is_start) {
        return;
    }
    match (stage.get(), pause.get()) {
        (_, Pause::Paused) => next_pause.set(Pause::Running),
        (Stage::Over, _) => next_stage.set(Stage::Playing),
        (Stage::Playing, _) => next_pause.set(Pause::Paused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::{
        input::{
            InputPlugin,
            gamepad::{RawGamepadAxisChangedEvent, RawGamepadButtonChangedEvent, RawGamepadEvent},
            mouse::MouseMotion,
        },
        state::app::StatesPlugin,
    };

    /// Two players who aim up, with a gamepad each.
    struct Sofa {
        app: App,
        pads: [Entity; 2],
    }

    impl Sofa {
        fn new() -> Self {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, InputPlugin, StatesPlugin, plugin))
                .init_state::<Stage>()
                .init_state::<Pause>();
            let world = app.world_mut();
            for number in 0..2 {
                let aim = Vec2::Y;
                world.spawn((Player(number), Intent { aim, ..default() }));
            }
            let pads = [(); 2].map(|()| world.spawn(Gamepad::default()).id());
            Self { app, pads }
        }

        fn tilt(&mut self, pad: usize, axis: GamepadAxis, value: f32) {
            let change = RawGamepadAxisChangedEvent::new(self.pads[pad], axis, value);
            self.send(RawGamepadEvent::Axis(change));
        }

        fn press(&mut self, pad: usize, button: GamepadButton, value: f32) {
            let change = RawGamepadButtonChangedEvent::new(self.pads[pad], button, value);
            self.send(RawGamepadEvent::Button(change));
        }

        fn send(&mut self, message: impl Message) {
            self.app.world_mut().write_message(message);
            self.app.update();
        }

        /// Where a player walks and aims, and whether it fires.
        fn intent(&mut self, number: usize) -> (Vec2, Vec2, bool) {
            let world = self.app.world_mut();
            let mut players = world.query::<(&Player, &Intent)>();
            let mut players = players.iter(world);
            let (_, intent) = players.find(|(player, _)| player.0 == number).unwrap();
            (intent.walk, intent.aim, intent.fire)
        }

        fn mouse_aims(&self) -> bool {
            self.app.world().resource::<MouseAims>().0
        }

        /// The states after the next update.
        fn states(&mut self) -> (Stage, Pause) {
            self.app.update();
            let stage = self.app.world().resource::<State<Stage>>();
            let pause = self.app.world().resource::<State<Pause>>();
            (*stage.get(), *pause.get())
        }
    }

    #[test]
    fn the_left_stick_walks_the_right_one_aims_and_the_right_trigger_fires() {
        for trigger in TRIGGERS {
            let mut sofa = Sofa::new();
            sofa.tilt(0, GamepadAxis::LeftStickX, -1.0);
            assert_eq!(sofa.intent(0), (Vec2::NEG_X, Vec2::NEG_X, false));
            sofa.tilt(0, GamepadAxis::RightStickY, -1.0);
            assert_eq!(sofa.intent(0), (Vec2::NEG_X, Vec2::NEG_Y, false));
            sofa.press(0, trigger, 1.0);
            assert_eq!(sofa.intent(0), (Vec2::NEG_X, Vec2::NEG_Y, true));
        }
    }

    #[test]
    fn each_player_has_a_gamepad() {
        let mut sofa = Sofa::new();
        sofa.tilt(1, GamepadAxis::LeftStickX, 1.0);
        assert_eq!(sofa.intent(0), (Vec2::ZERO, Vec2::Y, false));
        assert_eq!(sofa.intent(1), (Vec2::X, Vec2::X, false));
    }

    #[test]
    fn a_gamepad_that_returns_is_for_the_same_player() {
        let mut sofa = Sofa::new();
        let mut pad = sofa.app.world_mut().entity_mut(sofa.pads[0]);
        pad.remove::<Gamepad>();
        pad.insert(Gamepad::default());
        sofa.tilt(0, GamepadAxis::LeftStickX, 1.0);
        assert_eq!(sofa.intent(0).0, Vec2::X);
        assert_eq!(sofa.intent(1).0, Vec2::ZERO);
    }

    #[test]
    fn a_stick_that_is_nearly_centered_does_nothing() {
        let mut sofa = Sofa::new();
        sofa.tilt(0, GamepadAxis::LeftStickX, 0.2);
        sofa.tilt(0, GamepadAxis::RightStickX, -0.2);
        assert_eq!(sofa.intent(0), (Vec2::ZERO, Vec2::Y, false));
    }

    #[test]
    fn the_mouse_aims_until_a_stick_does_and_again_when_it_moves() {
        let mut sofa = Sofa::new();
        sofa.tilt(1, GamepadAxis::RightStickX, 1.0);
        assert!(sofa.mouse_aims());
        sofa.tilt(0, GamepadAxis::RightStickX, 1.0);
        sofa.tilt(0, GamepadAxis::RightStickX, 0.0);
        assert!(!sofa.mouse_aims());
        assert_eq!(sofa.intent(0).1, Vec2::X);
        sofa.send(MouseMotion { delta: Vec2::ONE });
        assert!(sofa.mouse_aims());
    }

    #[test]
    fn start_pauses_goes_on_and_plays_again() {
        let mut sofa = Sofa::new();
        for expected in [Pause::Paused, Pause::Running] {
            sofa.press(0, GamepadButton::Start, 1.0);
            sofa.press(0, GamepadButton::Start, 0.0);
            assert_eq!(sofa.states(), (Stage::Playing, expected));
        }
        let world = sofa.app.world_mut();
        world.resource_mut::<NextState<Stage>>().set(Stage::Over);
        assert_eq!(sofa.states(), (Stage::Over, Pause::Running));
        sofa.press(1, GamepadButton::Start, 1.0);
        assert_eq!(sofa.states(), (Stage::Playing, Pause::Running));
    }
}
