//! Shapes that can be gripped and dragged. Nothing in here knows of entities or of the mouse.

mod capsule;
mod circle;
mod form;
mod grip;
mod polygon;
mod rect;
#[cfg(test)]
mod tests;
mod tiles;

pub use circle::arc;
pub use form::{Form, Kind};
pub use grip::{Grip, Handle, Pull};
pub use polygon::{ARROW, GEM, polygon};
pub use tiles::HALL;

use bevy::{math::Affine2, prelude::*};
use bevy_thud::geometry::{Shape, contains_point, separation};

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

    pub fn transform(&self, height: f32) -> Transform {
        Transform::from_translation(self.place.extend(height))
            .with_rotation(Quat::from_rotation_z(self.angle))
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
        self.all_to_world(self.form.kind().outlines())
    }

    /// The convex polygons that fill it, in the world.
    pub fn pieces(&self) -> Vec<Vec<Vec2>> {
        self.all_to_world(self.form.kind().pieces())
    }

    /// The box around it, where the outline need not touch that, in the world.
    pub fn frame(&self) -> Option<Vec<Vec2>> {
        let frame = self.form.kind().frame()?;
        Some(self.all_to_world(vec![frame]).concat())
    }

    /// The outline of a cell, if it has cells, in the world.
    pub fn cell(&self, cell: UVec2) -> Option<Vec<Vec2>> {
        let cell = self.form.kind().cell(cell)?;
        Some(self.all_to_world(vec![cell]).concat())
    }

    /// Where its letter is written, in the world: in the piece that is nearest to the middle.
    pub fn letter_place(&self) -> Vec2 {
        let pieces = self.pieces();
        let middles = (pieces.iter()).map(|piece| piece.iter().sum::<Vec2>() / piece.len() as f32);
        let distance = |middle: &Vec2| middle.distance_squared(self.place);
        let nearest = middles.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.unwrap_or(self.place)
    }

    fn all_to_world(&self, mut lines: Vec<Vec<Vec2>>) -> Vec<Vec<Vec2>> {
        for point in lines.iter_mut().flatten() {
            *point = self.to_world(*point);
        }
        lines
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
                let mut handles = self.form.kind().handles().into_iter();
                handles.find(|handle| handle.grip == grip)
            }
        }
    }

    /// What is gripped at a point of the world: points before lines, lines before the knob, and all of them before the inside.
    pub fn grip_at(&self, point: Vec2, pixel: f32, has_knob: bool) -> Option<Grip> {
        let own = self.to_own(point);
        let is_inside = contains_point(&self.shape(), point);
        let (points, lines): (Vec<_>, Vec<_>) =
            (self.form.kind().handles().into_iter()).partition(Handle::is_point);
        let reach = if is_inside {
            self.inner_reach(pixel)
        } else {
            REACH * pixel
        };
        let knob = self.stalk(pixel).filter(|_| has_knob).map(Handle::knob);
        let knob = knob.filter(|knob| knob.distance(own) <= REACH * pixel);
        nearest(&points, own, reach)
            .or_else(|| nearest(&lines, own, reach))
            .or(knob.map(|knob| knob.grip))
            .or(is_inside.then_some(Grip::Body))
    }

    /// Inside of a small figure handles reach less far, so that it can still be moved.
    fn inner_reach(&self, pixel: f32) -> f32 {
        let aabb = self.form.shape().aabb();
        let width = (aabb.max - aabb.min).min_element();
        (REACH * pixel).min(width / 5.0)
    }

    /// The figure after it was gripped at one point of the world and dragged to another; none, if that is not possible.
    pub fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<Self> {
        let mut dragged = self.clone();
        match grip {
            Grip::Body => dragged.place += to - from,
            Grip::Knob => {
                dragged.angle += (to - self.place).to_angle() - (from - self.place).to_angle();
            }
            _ => {
                let kind = self.form.kind();
                let (form, shift) = kind.dragged(grip, self.to_own(from), self.to_own(to))?;
                dragged = self.reformed(form, shift);
            }
        }
        Some(dragged)
    }

    /// The figure after a click with Shift at a point of the world, where it would be gripped in this way; none, if nothing happens.
    pub fn edited(&self, grip: Option<Grip>, at: Vec2) -> Option<Self> {
        let (form, shift) = self.form.kind().edited(grip, self.to_own(at))?;
        Some(self.reformed(form, shift))
    }

    /// The figure with another form, moved in its own frame.
    fn reformed(&self, form: Form, shift: Vec2) -> Self {
        Self::new(form, self.to_world(shift), self.angle)
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
        separation(&self.shape(), &other.shape()).distance
    }
}

/// The handle that is nearest to a point, if it is within reach.
fn nearest(handles: &[Handle], point: Vec2, reach: f32) -> Option<Grip> {
    let distances = handles
        .iter()
        .map(|handle| (handle.distance(point), handle.grip));
    let within = distances.filter(|(distance, _)| *distance <= reach);
    let nearest = within.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, grip)| grip)
}
