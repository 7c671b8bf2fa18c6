//! Shapes that are gripped, dragged and edited, without a window.

mod cells;
mod dragging;
mod gripping;
mod vertices;

use std::f32::consts::PI;

use bevy_thud::prelude::*;

use super::*;

/// World units per pixel.
const PIXEL: f32 = 1.0;
const TOLERANCE: f32 = 1e-3;

fn circle(radius: f32) -> Form {
    Form::Circle(CircleCollider::new(radius))
}

fn rect(width: f32, height: f32) -> Form {
    Form::Rect(RectCollider::new(width, height))
}

fn capsule(radius: f32, length: f32) -> Form {
    Form::Capsule(CapsuleCollider::new(radius, length))
}

#[track_caller]
fn assert_near(a: Vec2, b: Vec2) {
    assert!(a.distance(b) < TOLERANCE, "{a} is not {b}");
}

/// The same form at several positions and angles.
fn posed(form: Form) -> Vec<Figure> {
    let poses = [
        (Vec2::ZERO, 0.0),
        (Vec2::new(30.0, -20.0), 0.4),
        (Vec2::new(-300.0, 80.0), -2.0),
        (Vec2::new(5.0, 7.0), PI),
    ];
    poses
        .map(|(position, angle)| Figure::new(form.clone(), position, angle))
        .into()
}
