//! The initial figures on the board. `.ci/play` drags them by the pixel, so it depends on their
//! positions.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::figure::{ARROW, Figure, Form, GEM, HALL, polygon};
use super::bodies::body;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands) {
    for ((figure, name), height) in figures().into_iter().zip('A'..).zip(1u8..) {
        commands.spawn(body(figure, name.into(), f32::from(height) / 100.0));
    }
}

fn figures() -> Vec<Figure> {
    let at = |x: f32, y: f32, degrees: f32, form: Form| {
        Figure::new(form, Vec2::new(x, y), degrees.to_radians())
    };
    let circle = |radius| Form::Circle(CircleCollider::new(radius));
    let rect = |width, height| Form::Rect(RectCollider::new(width, height));
    let capsule = |radius, length| Form::Capsule(CapsuleCollider::new(radius, length));
    let tiles = |rows, size| Form::Tiles(TileCollider::from_rows(rows, Vec2::splat(size)));
    vec![
        at(-160.0, 150.0, 0.0, circle(60.0)),
        at(110.0, 140.0, 25.0, rect(230.0, 120.0)),
        at(450.0, 170.0, -35.0, capsule(34.0, 120.0)),
        at(-390.0, -141.0, -105.0, polygon(ARROW)),
        at(-260.0, -166.0, 70.0, capsule(28.0, 120.0)),
        at(-20.0, -135.0, 10.0, polygon(GEM)),
        at(230.0, -125.0, -8.0, tiles(HALL, 25.0)),
        at(470.0, -120.0, 0.0, circle(44.0)),
    ]
}
