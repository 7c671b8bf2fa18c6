//! A bot that follows notes of the route, and jumps on enemies.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::game::{
    enemies::Enemy,
    hero::{Hero, Intent},
    machines::Machine,
};

/// A note of the route.
#[derive(Clone, Copy)]
enum Note {
    /// Walk to this x.
    Walk(f32),
    /// Jump, and land at this x.
    Jump(f32),
    /// Drop through the plank.
    Drop,
    /// Wait until the center of the machine is within this distance of a position.
    Await(Machine, Vec2, f32),
    /// Wait until the machine begins to rise.
    AwaitRise(Machine),
    /// Stand still for this many seconds.
    Stand(f32),
}

const ROUTE: [Note; 29] = [
    Note::Walk(520.0),
    Note::Jump(530.0),
    Note::Walk(535.0),
    Note::Await(Machine::Ferry, Vec2::new(572.0, 90.0), 0.1),
    Note::Walk(572.0),
    Note::Await(Machine::Ferry, Vec2::new(708.0, 90.0), 0.1),
    Note::Walk(774.0),
    Note::Jump(792.0),
    Note::Walk(808.0),
    Note::Jump(848.0),
    Note::Walk(904.0),
    Note::Drop,
    Note::Walk(940.0),
    Note::AwaitRise(Machine::Crusher),
    Note::Stand(0.5),
    Note::Walk(1100.0),
    Note::Stand(0.4),
    Note::Walk(1330.0),
    Note::Await(Machine::Lift, Vec2::new(1368.0, 90.0), 0.1),
    Note::Walk(1368.0),
    Note::Await(Machine::Lift, Vec2::new(1368.0, 314.0), 0.1),
    Note::Walk(938.0),
    Note::Jump(870.0),
    Note::Stand(1.2),
    Note::Jump(790.0),
    Note::Walk(712.0),
    Note::Jump(632.0),
    Note::Stand(6.0),
    Note::Walk(590.0),
];
const LAST: [Note; 2] = [Note::Jump(522.0), Note::Walk(264.0)];

/// A position counts as reached within this distance.
const NEAR: f32 = 2.0;
/// It jumps when an enemy is this near, before it or behind it.
const ENEMY_NEAR: Vec2 = Vec2::new(46.0, 24.0);

#[derive(Resource, Default)]
struct Progress {
    /// The index of the note.
    note: usize,
    seconds: f32,
    has_jumped: bool,
    machine_height: Option<f32>,
    stomps: bool,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Progress>()
        .add_systems(FixedPreUpdate, play);
}

fn play(
    time: Res<Time>,
    mut progress: ResMut<Progress>,
    hero: Single<(&Transform, &Ground, &mut Intent), With<Hero>>,
    machines: Query<(&Machine, &Transform), Without<Hero>>,
    enemies: Query<&Transform, (With<Enemy>, Without<Hero>)>,
) {
    let (transform, ground, mut intent) = hero.into_inner();
    let position = transform.translation.truncate();
    *intent = Intent {
        holds_jump: true,
        ..default()
    };
    if stomp(&mut progress, position, ground, &mut intent, &enemies) {
        return;
    }
    let mut notes = ROUTE.into_iter().chain(LAST);
    let Some(note) = notes.nth(progress.note) else {
        return;
    };
    progress.seconds += time.delta_secs();
    let place_of = |wanted| {
        let place = machines.iter().find(|(machine, _)| **machine == wanted);
        place.map_or(Vec2::INFINITY, |(_, at)| at.translation.truncate())
    };
    let is_done = match note {
        Note::Walk(x) => {
            intent.walk = toward(position.x, x);
            intent.walk == 0.0 && ground.is_on_floor()
        }
        Note::Jump(x) => jump(&mut progress, position, x, ground, &mut intent),
        Note::Drop => {
            intent.drop = ground.is_on_floor() && !progress.has_jumped;
            let was_dropped = progress.has_jumped && ground.is_on_floor();
            progress.has_jumped |= !ground.is_on_floor();
            was_dropped
        }
        Note::Await(machine, place, near) => place_of(machine).distance(place) < near,
        Note::AwaitRise(machine) => {
            let height = place_of(machine).y;
            let before = progress.machine_height.replace(height);
            before.is_some_and(|before| before < height)
        }
        Note::Stand(seconds) => progress.seconds > seconds,
    };
    if is_done {
        *progress = Progress {
            note: progress.note + 1,
            ..default()
        };
    }
}

/// The direction to walk in: 0 where x is reached.
fn toward(from: f32, x: f32) -> f32 {
    let missing = x - from;
    if missing.abs() < NEAR {
        0.0
    } else {
        missing.signum()
    }
}

fn jump(
    progress: &mut Progress,
    position: Vec2,
    x: f32,
    ground: &Ground,
    intent: &mut Intent,
) -> bool {
    if ground.is_on_floor() {
        intent.jump = !progress.has_jumped;
        if progress.has_jumped && progress.seconds > 0.1 {
            return true;
        }
        progress.has_jumped = true;
    }
    intent.walk = toward(position.x, x);
    false
}

/// Jumps on an enemy that is near, and follows it in the air.
fn stomp(
    progress: &mut Progress,
    position: Vec2,
    ground: &Ground,
    intent: &mut Intent,
    enemies: &Query<&Transform, (With<Enemy>, Without<Hero>)>,
) -> bool {
    let enemy = (enemies.iter())
        .map(|at| at.translation.truncate() - position)
        .filter(|offset| offset.x.abs() < 2.0 * ENEMY_NEAR.x && offset.y.abs() < 80.0)
        .min_by(|a, b| a.length().total_cmp(&b.length()));
    let Some(offset) = enemy else {
        progress.stomps = false;
        return false;
    };
    if ground.is_on_floor() {
        progress.stomps = offset.abs().cmplt(ENEMY_NEAR).all();
        intent.jump = progress.stomps;
    }
    if progress.stomps {
        intent.walk = toward(0.0, offset.x);
    }
    progress.stomps
}
