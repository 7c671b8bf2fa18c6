//! R chooses what is cast toward the mouse.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::figure::{Figure, Form};
use super::{Pointer, Working};

/// What is cast through the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caster {
    Ray,
    Circle,
    Rect,
}

impl Caster {
    /// The shape at a position, or `None` for a ray.
    pub fn figure(self, position: Vec2) -> Option<Figure> {
        match self {
            Self::Ray => None,
            Self::Circle => {
                let circle = Form::Circle(CircleCollider::new(24.0));
                Some(Figure::new(circle, position, 0.0))
            }
            Self::Rect => {
                let rect = Form::Rect(RectCollider::new(56.0, 34.0));
                Some(Figure::new(rect, position, 0.4))
            }
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Ray => "ray",
            Self::Circle => "circle cast",
            Self::Rect => "rectangle cast",
        }
    }
}

/// What is cast toward the mouse, from where the mouse was when R was first pressed.
#[derive(Resource, Default)]
pub struct Casting {
    pub caster: Option<Caster>,
    pub origin: Vec2,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Casting>()
        .add_systems(Update, cycle_casters.in_set(Working::Keys));
}

fn cycle_casters(
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    mut casting: ResMut<Casting>,
) {
    if !keys.just_pressed(KeyCode::KeyR) {
        return;
    }
    casting.caster = match casting.caster {
        None => Some(Caster::Ray),
        Some(Caster::Ray) => Some(Caster::Circle),
        Some(Caster::Circle) => Some(Caster::Rect),
        Some(Caster::Rect) => None,
    };
    if casting.caster == Some(Caster::Ray) {
        casting.origin = pointer.world;
    }
}
