//! A door, and pressure plates that open it.
//!
//! A plate is a trigger in its simplest form: a collider that is not solid, and two observers.
//! Every start of a collision has exactly one end, whatever happens to the two entities, so the
//! count stays right even if a player dies on a plate.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    arena::{self, HALF_SIZE, Wall, wall},
    layers::Layer,
};

const DOOR: Vec2 = Vec2::new(0.0, 184.0);
const DOOR_SIZE: Vec2 = Vec2::new(212.0, 16.0);
/// How long the door stays open after the last player has left a plate.
const OPEN_SECONDS: f32 = 3.5;
/// One plate is outside, the other one is the whole floor of the vault: nobody is locked in, and
/// nobody hides there.
const PLATES: [(Vec2, Vec2); 2] = [
    (Vec2::new(0.0, -235.0), Vec2::new(76.0, 60.0)),
    (
        Vec2::new(0.0, (HALF_SIZE.y + DOOR.y) / 2.0 + 4.0),
        Vec2::new(172.0, 88.0),
    ),
];

/// The center of the vault.
pub const VAULT: Vec2 = PLATES[1].0;

/// The door.
#[derive(Component)]
pub struct Gate {
    closes: Timer,
}

/// Opens the door while a player stands on it.
#[derive(Component, Default)]
pub struct Plate {
    pub standing: u32,
}

/// A trigger where the door is when it is closed: its [`CollidingEntities`] are in the way.
#[derive(Component)]
#[require(CollidingEntities)]
pub struct Doorway;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build_gate.after(arena::build_walls));
}

fn build_gate(mut commands: Commands) {
    let closes = Timer::from_seconds(OPEN_SECONDS, TimerMode::Once);
    commands.spawn((Gate { closes }, wall(DOOR, DOOR_SIZE, 0.0)));
    commands.spawn((
        Doorway,
        RectCollider::new(DOOR_SIZE.x, DOOR_SIZE.y),
        Layer::Doorway,
        Transform::from_translation(DOOR.extend(0.0)),
    ));
    for (center, size) in PLATES {
        commands
            .spawn((
                Plate::default(),
                RectCollider::new(size.x, size.y),
                Layer::Pickup,
                Transform::from_translation(center.extend(0.0)),
            ))
            .observe(step_on)
            .observe(step_off);
    }
}

fn step_on(start: On<CollisionStart>, mut plates: Query<&mut Plate>) {
    if let Ok(mut plate) = plates.get_mut(start.entity) {
        plate.standing += 1;
    }
}

fn step_off(end: On<CollisionEnd>, mut plates: Query<&mut Plate>) {
    if let Ok(mut plate) = plates.get_mut(end.entity) {
        plate.standing -= 1;
    }
}

/// An open door is a disabled collider. It closes when nobody is in the way.
pub fn swing(
    plates: Query<&Plate>,
    gate: Single<(Entity, &mut Gate, Has<ColliderDisabled>), With<Wall>>,
    doorway: Single<&CollidingEntities, With<Doorway>>,
    time: Res<Time>,
    mut commands: Commands,
) {
    let (door, mut gate, is_open) = gate.into_inner();
    if plates.iter().any(|plate| plate.standing > 0) {
        gate.closes.reset();
        if !is_open {
            commands.entity(door).insert(ColliderDisabled);
        }
    } else if is_open && gate.closes.tick(time.delta()).is_finished() && doorway.is_empty() {
        commands.entity(door).remove::<ColliderDisabled>();
    }
}
