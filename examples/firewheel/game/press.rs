//! The presses in the middle: two blocks that slide toward an anvil and crush whatever is between.
//!
//! A press is a wall whose `Transform` the game writes. The plugin pushes movers out of its way,
//! and reports those that it cannot push as [`Crushed`].

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{arena::wall, hazard::Hazard, health::Death, waves::Waves};

/// What the presses close on.
const ANVIL: Vec2 = Vec2::new(76.0, 104.0);
pub const BLOCK: Vec2 = Vec2::new(36.0, 112.0);
const HEIGHT: f32 = -10.0;
/// The gap between the anvil and a press that is open, and one that is closed.
const GAP: [f32; 2] = [128.0, 6.0];

const WAIT_SECONDS: f32 = 1.8;
const SECONDS_TO_CLOSE: f32 = 2.2;
const CLOSED_SECONDS: f32 = 0.4;
const CYCLE_SECONDS: f32 = WAIT_SECONDS + CLOSED_SECONDS + 2.0 * SECONDS_TO_CLOSE;
/// How long its light is on before it closes.
const WARNING_SECONDS: f32 = 0.8;

/// They stand open until this wave.
pub const FIRST_WAVE: usize = 2;

#[derive(Component)]
pub struct Press {
    /// On the left, -1, or on the right, 1.
    pub side: f32,
    /// Since the cycle began, with the press open.
    seconds: f32,
}

impl Press {
    /// 0 is open, 1 is closed.
    fn closedness(&self) -> f32 {
        let closing = (self.seconds - WAIT_SECONDS) / SECONDS_TO_CLOSE;
        let opening = (CYCLE_SECONDS - self.seconds) / SECONDS_TO_CLOSE;
        closing.min(opening).clamp(0.0, 1.0)
    }

    /// From the center of the anvil.
    fn offset(&self) -> f32 {
        // Bevy's `lerp` does not round the same in all versions.
        let [open, closed] = GAP;
        let gap = open + (closed - open) * self.closedness();
        self.side * ((ANVIL.x + BLOCK.x) / 2.0 + gap)
    }

    fn is_dangerous(&self) -> bool {
        let opens = CYCLE_SECONDS - SECONDS_TO_CLOSE;
        !self.is_waiting() && self.seconds < opens
    }

    /// Open, with its light off.
    fn is_waiting(&self) -> bool {
        self.seconds < WAIT_SECONDS - WARNING_SECONDS
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build).add_observer(crush);
}

fn build(mut commands: Commands) {
    let center = Vec2::new(0.0, HEIGHT);
    commands.spawn(wall(center, ANVIL, 0.0));
    for side in [-1.0, 1.0] {
        let offset = Vec2::new(side * (ANVIL.x + GAP[0]) / 2.0, 0.0);
        let gap = Rect::from_center_size(center + offset, Vec2::new(GAP[0], BLOCK.y));
        let press = Press { side, seconds: 0.0 };
        let position = center + Vec2::X * press.offset();
        commands.spawn((press, Hazard::new(gap), wall(position, BLOCK, 0.0)));
    }
}

pub fn slide(
    mut presses: Query<(&mut Press, &mut Transform, &mut Hazard)>,
    waves: Res<Waves>,
    time: Res<Time>,
) {
    for (mut press, mut at, mut hazard) in &mut presses {
        if waves.number < FIRST_WAVE && press.is_waiting() {
            continue;
        }
        press.seconds = (press.seconds + time.delta_secs()) % CYCLE_SECONDS;
        let x = press.offset();
        if at.translation.x != x {
            at.translation.x = x;
        }
        hazard.is_live = press.is_dangerous();
    }
}

/// Kills whatever is crushed: monsters, players and wheels.
fn crush(crushed: On<Crushed>, mut commands: Commands) {
    let entity = crushed.entity;
    commands.trigger(Death { entity });
}
