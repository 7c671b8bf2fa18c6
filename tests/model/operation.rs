//! What may happen to a world, at random.

use std::ops::Range;

use bevy::math::DVec2;
use proptest::prelude::*;

use crate::world::{Form, MoverRole, Settings};

/// Something that a game does. Entities are chosen by a number, modulo their count, so that any
/// part of a sequence of operations makes sense.
#[derive(Clone, Debug)]
pub enum Operation {
    Spawn {
        form: Form,
        position: DVec2,
        is_solid: bool,
    },
    /// Spawns a one-way rectangle, and a small mover at this offset from it.
    Platform {
        size: DVec2,
        position: DVec2,
        angle: f64,
        direction: DVec2,
        offset: DVec2,
        mover: MoverRole,
    },
    Change {
        entity: usize,
        change: Change,
    },
    /// Refreshes the colliders for queries.
    Refresh,
    Configure(Settings),
    /// Pauses the plugin, or lets it run.
    Run(bool),
    /// Despawns everything.
    Reset,
    /// Runs a frame with this many updates.
    Frame {
        updates: u8,
        is_paused: bool,
    },
}

/// A change of one entity.
#[derive(Clone, Debug)]
pub enum Change {
    Despawn,
    Move(DVec2),
    Rotate(f64),
    Scale(DVec2),
    Mirror,
    /// Moves it to a position that is NaN.
    Lose,
    SetParent(usize),
    RemoveParent,
    SetForm(Form),
    RemoveForm,
    /// Removes the collider and inserts the same again.
    RenewForm,
    ToggleDisabled,
    ToggleHidden,
    ToggleTransform,
    ToggleSolid,
    ToggleSwept,
    ToggleDeadly,
    /// Adds or removes the list of what it collides with.
    ToggleList,
    SetOneWay(DVec2),
    RemoveOneWay,
    SetLayers([u32; 2]),
    /// Lets it ignore the entity of this number.
    Ignore(usize),
    RemoveIgnores,
    SetMover(MoverRole),
    RemoveMover,
}

/// Multiples of a quarter.
fn number(range: Range<i32>) -> impl Strategy<Value = f64> {
    range.prop_map(|quarters| f64::from(quarters) / 4.0)
}

fn vector(limit: i32) -> impl Strategy<Value = DVec2> {
    (number(-limit..limit + 1), number(-limit..limit + 1)).prop_map(DVec2::from)
}

fn form() -> impl Strategy<Value = Form> {
    let size = || number(1..13);
    prop_oneof![
        size().prop_map(|radius| Form::Circle { radius }),
        (size(), size()).prop_map(|size| Form::Rect { size: size.into() }),
        (size(), number(1..6)).prop_map(|(half_length, radius)| Form::Capsule {
            half_length,
            radius,
        }),
        number(2..8).prop_map(|size| Form::Arrow { size }),
        (0..512u16, (number(2..8), number(2..8))).prop_map(|(cells, size)| Form::Grid {
            cells,
            cell_size: size.into(),
        }),
    ]
}

fn mover() -> impl Strategy<Value = MoverRole> {
    // One in four is fast enough to pass others within an update.
    let speed = prop_oneof![3 => Just(1.0), 1 => Just(20.0)];
    (0..8u32, vector(200), speed).prop_map(|(blocked_by, velocity, speed)| MoverRole {
        blocked_by,
        velocity: velocity * speed,
    })
}

/// Mostly up, which is the default.
fn direction() -> impl Strategy<Value = DVec2> {
    let others = [DVec2::NEG_Y, DVec2::X, DVec2::NEG_X, DVec2::new(0.6, 0.8)];
    prop_oneof![Just(DVec2::Y), prop::sample::select(others.to_vec())]
}

fn settings() -> impl Strategy<Value = Settings> {
    (number(0..4), any::<bool>()).prop_map(|(margin, solid_pairs)| Settings {
        margin,
        solid_pairs,
    })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        2 => Just(Change::Despawn),
        8 => vector(12).prop_map(Change::Move),
        2 => number(-12..13).prop_map(Change::Rotate),
        1 => (number(2..9), number(2..9)).prop_map(|scale| Change::Scale(scale.into())),
        1 => Just(Change::Mirror),
        1 => Just(Change::Lose),
        3 => (0..64usize).prop_map(Change::SetParent),
        1 => Just(Change::RemoveParent),
        2 => form().prop_map(Change::SetForm),
        1 => Just(Change::RemoveForm),
        1 => Just(Change::RenewForm),
        1 => Just(Change::ToggleDisabled),
        1 => Just(Change::ToggleHidden),
        1 => Just(Change::ToggleTransform),
        3 => Just(Change::ToggleSolid),
        1 => Just(Change::ToggleSwept),
        1 => Just(Change::ToggleDeadly),
        2 => Just(Change::ToggleList),
        4 => direction().prop_map(Change::SetOneWay),
        1 => Just(Change::RemoveOneWay),
        2 => [0..8u32, 0..8u32].prop_map(Change::SetLayers),
        3 => (0..64usize).prop_map(Change::Ignore),
        1 => Just(Change::RemoveIgnores),
        6 => mover().prop_map(Change::SetMover),
        1 => Just(Change::RemoveMover),
    ]
}

fn platform() -> impl Strategy<Value = Operation> {
    let place = (vector(32), number(-12..13), vector(12));
    let size = (number(8..40), number(1..8));
    (size, place, direction(), mover()).prop_map(
        |(size, (position, angle, offset), direction, mover)| Operation::Platform {
            size: size.into(),
            position,
            angle,
            direction,
            offset,
            mover,
        },
    )
}

pub fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        30 => (form(), vector(32), any::<bool>()).prop_map(|(form, position, is_solid)| {
            Operation::Spawn { form, position, is_solid }
        }),
        5 => platform(),
        120 => (0..64usize, change())
            .prop_map(|(entity, change)| Operation::Change { entity, change }),
        4 => Just(Operation::Refresh),
        2 => settings().prop_map(Operation::Configure),
        8 => prop::bool::weighted(0.7).prop_map(Operation::Run),
        1 => Just(Operation::Reset),
        45 => (0..4u8, prop::bool::weighted(0.1))
            .prop_map(|(updates, is_paused)| Operation::Frame { updates, is_paused }),
    ]
}
