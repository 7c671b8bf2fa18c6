//! The cursor shows what a drag would do.

use std::f32::consts::FRAC_PI_4;

use bevy::{
    prelude::*,
    window::{CursorIcon, SystemCursorIcon},
};

use super::super::figure::{Figure, Pull};
use super::{Editing, Figures, Hand, Pointer, View, Working};

pub fn plugin(app: &mut App) {
    app.add_systems(Update, choose.after(Working::Hand));
}

fn choose(
    hand: Res<Hand>,
    editing: Res<Editing>,
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<Pointer>,
    view: View,
    figures: Figures,
    window: Single<(Entity, Option<&CursorIcon>), With<Window>>,
    mut commands: Commands,
) {
    let gripped = hand.grip.and_then(|(entity, grip)| {
        let figure = figures.get(entity)?;
        let pull = figure.handle(grip, view.pixel())?.pull;
        Some(icon(&figure, pull, pointer.world, hand.is_dragging()))
    });
    let is_panning = buttons.any_pressed([MouseButton::Right, MouseButton::Middle]);
    let icon = CursorIcon::System(match gripped {
        _ if is_panning => SystemCursorIcon::AllScroll,
        _ if editing.offer.is_some() => SystemCursorIcon::Crosshair,
        _ if hand.is_refused => SystemCursorIcon::NotAllowed,
        Some(icon) => icon,
        None => SystemCursorIcon::Default,
    });
    let (window, shown) = *window;
    if shown != Some(&icon) {
        commands.entity(window).insert(icon);
    }
}

fn icon(figure: &Figure, pull: Pull, at: Vec2, is_dragging: bool) -> SystemCursorIcon {
    match pull {
        Pull::Anywhere => SystemCursorIcon::Move,
        Pull::Around if is_dragging => SystemCursorIcon::Grabbing,
        Pull::Around => SystemCursorIcon::Grab,
        Pull::Outwards => to_and_fro(at - figure.position),
        Pull::Along(direction) => to_and_fro(figure.direction_to_world(direction)),
    }
}

/// The double arrow that comes nearest to a direction.
fn to_and_fro(direction: Vec2) -> SystemCursorIcon {
    let eighths = (direction.to_angle() / FRAC_PI_4).round() as i32;
    match eighths.rem_euclid(4) {
        0 => SystemCursorIcon::EwResize,
        1 => SystemCursorIcon::NeswResize,
        2 => SystemCursorIcon::NsResize,
        _ => SystemCursorIcon::NwseResize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_double_arrow_follows_the_direction_both_ways() {
        let cases = [
            (Vec2::X, SystemCursorIcon::EwResize),
            (Vec2::NEG_X, SystemCursorIcon::EwResize),
            (Vec2::new(1.0, 0.9), SystemCursorIcon::NeswResize),
            (Vec2::new(-1.0, -0.9), SystemCursorIcon::NeswResize),
            (Vec2::new(0.1, -1.0), SystemCursorIcon::NsResize),
            (Vec2::new(-1.0, 1.1), SystemCursorIcon::NwseResize),
        ];
        for (direction, expected) in cases {
            assert_eq!(to_and_fro(direction), expected, "{direction}");
        }
    }
}
