//! Players that press buttons at random.

use fastrand::Rng;

use super::Input;

/// Each choice lasts for this many steps.
const STEPS: u32 = 6;

/// What a bot presses in a step.
pub fn input(seed: u64, player: usize, step: u32) -> Input {
    let time = u64::from(step / STEPS);
    let mut rng = Rng::with_seed(seed ^ (player as u64) << 32 ^ time << 40);
    Input(rng.u8(0..32))
}
