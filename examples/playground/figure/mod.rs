//! Shapes that can be gripped and dragged. Nothing in here knows of entities or of the mouse.

mod capsule;
mod circle;
mod form;
mod grip;
mod rect;
#[cfg(test)]
mod tests;

pub use circle::arc;
pub use form::{Form, Kind};
pub use grip::{Grip, Handle, Pull};

use bevy::{math::Affine2, prelude::*};
use bevy_thud::geometry::{Shape, contains_point, distance};

/// So near a line has to be to be gripped, in pixels.
const REACH: f32 = 7.0;
/// From the outline to the knob that turns a figure, in pixels.
const STALK: f32 = 30.0;

/// A form at a place, turned by an angle in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub form: Form,
    pub place: Vec2,
    pub angle: f32,
}

impl Figure {
    pub fn new(form: Form, place: Vec2, angle: f32) -> Self {
        Self { form, place, angle }
    }

    /// The form as it is posed in the world.
    pub fn of(form: &Form, transform: &Transform) -> Self {
        Self {
            form: form.clone(),
            place: transform.translation.truncate(),
            angle: transform.rotation.to_scaled_axis().z,
        }
    }

    pub fn rotation(&self) -> Quat {
        Quat::from_rotation_z(self.angle)
    }

    fn pose(&self) -> Affine2 {
        Affine2::from_angle_translation(self.angle, self.place)
    }

    /// A point of the figure's own frame, in the world.
    pub fn to_world(&self, own: Vec2) -> Vec2 {
        self.pose().transform_point2(own)
    }

    /// A direction of the figure's own frame, in the world.
    pub fn direction_to_world(&self, own: Vec2) -> Vec2 {
        Vec2::from_angle(self.angle).rotate(own)
    }

    /// A point of the world, in the figure's own frame.
    pub fn to_own(&self, world: Vec2) -> Vec2 {
        Vec2::from_angle(-self.angle).rotate(world - self.place)
    }

    /// What collision detection sees of it, in the world.
    pub fn shape(&self) -> Shape {
        self.form.shape().transformed(&self.pose())
    }

    /// The closed lines around it, in the world.
    pub fn outlines(&self) -> Vec<Vec<Vec2>> {
        let mut outlines = self.form.kind().outlines();
        for point in outlines.iter_mut().flatten() {
            *point = self.to_world(*point);
        }
        outlines
    }

    /// The stalk and at its end the knob that turns the figure, in its own frame. A pixel is so many world units wide.
    pub fn stalk(&self, pixel: f32) -> Option<[Vec2; 2]> {
        let foot = self.form.kind().top()?;
        Some([foot, foot + Vec2::Y * STALK * pixel])
    }

    /// What can be gripped in this way, if anything.
    pub fn handle(&self, grip: Grip, pixel: f32) -> Option<Handle> {
        match grip {
            Grip::Body => Some(Handle::body()),
            Grip::Knob => self.stalk(pixel).map(Handle::knob),
            _ => {
                let handles = self.form.kind().handles().into_iter();
                handles.into_iter().find(|handle| handle.grip == grip)
            }
        }
    }

    /// What is gripped at a point of the world: points before lines, lines before the knob, and all of them before the inside.
    pub fn grip_at(&self, point: Vec2, pixel: f32, has_knob: bool) -> Option<Grip> {
        let own = self.to_own(point);
        let reach = self.reach_at(point, REACH * pixel);
        let near = |handles: Vec<Handle>, reach: f32| {
            let distances = handles
                .into_iter()
                .map(|handle| (handle.is_point(), handle.distance(own), handle.grip));
            distances
                .filter(|(_, distance, _)| *distance <= reach)
                .min_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)))
                .map(|(.., grip)| grip)
        };
        let knob = self.stalk(pixel).filter(|_| has_knob).map(Handle::knob);
        near(self.form.kind().handles(), reach)
            .or_else(|| near(knob.into_iter().collect(), REACH * pixel))
            .or_else(|| contains_point(&self.shape(), point).then_some(Grip::Body))
    }

    /// Inside of a small figure lines reach less far, so that it can still be moved.
    fn reach_at(&self, point: Vec2, reach: f32) -> f32 {
        let shape = self.form.shape();
        if contains_point(&self.shape(), point) {
            let aabb = shape.aabb();
            reach.min((aabb.max - aabb.min).min_element() / 5.0)
        } else {
            reach
        }
    }

    /// The figure after it was gripped at one point of the world and dragged to another.
    pub fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Self {
        match grip {
            Grip::Body => Self {
                place: self.place + to - from,
                ..self.clone()
            },
            Grip::Knob => Self {
                angle: self.angle + (from - self.place).angle_to(to - self.place),
                ..self.clone()
            },
            _ => {
                let kind = self.form.kind();
                let (form, shift) = kind.dragged(grip, self.to_own(from), self.to_own(to));
                Self {
                    form,
                    place: self.to_world(shift),
                    angle: self.angle,
                }
            }
        }
    }

    /// The same figure, turned to the nearest multiple of an angle.
    pub fn snapped(self, step: f32) -> Self {
        Self {
            angle: (self.angle / step).round() * step,
            ..self
        }
    }

    /// How far it is to another figure: none, if they overlap.
    pub fn clearance(&self, other: &Self) -> f32 {
        distance(&self.shape(), &other.shape()).distance
    }
}
