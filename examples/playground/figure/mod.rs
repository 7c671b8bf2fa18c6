//! Shapes that can be gripped and dragged, without entities or the mouse.

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

/// A line nearer than this can be gripped, in pixels.
const REACH: f32 = 7.0;
/// The distance from the outline to the knob that rotates a figure, in pixels.
const STALK: f32 = 30.0;

/// A form at a position, rotated by an angle in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub form: Form,
    pub position: Vec2,
    pub angle: f32,
}

impl Figure {
    pub fn new(form: Form, position: Vec2, angle: f32) -> Self {
        Self {
            form,
            position,
            angle,
        }
    }

    /// The form as it is posed in the world.
    pub fn of(form: &Form, transform: &Transform) -> Self {
        Self {
            form: form.clone(),
            position: transform.translation.truncate(),
            angle: transform.rotation.to_scaled_axis().z,
        }
    }

    pub fn transform(&self, height: f32) -> Transform {
        Transform::from_translation(self.position.extend(height))
            .with_rotation(Quat::from_rotation_z(self.angle))
    }

    fn pose(&self) -> Affine2 {
        Affine2::from_angle_translation(self.angle, self.position)
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
        Vec2::from_angle(-self.angle).rotate(world - self.position)
    }

    /// Its shape in the world, as collision detection sees it.
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

    /// Its bounding box in the world, if the outline does not touch that everywhere.
    pub fn frame(&self) -> Option<Vec<Vec2>> {
        let frame = self.form.kind().frame()?;
        Some(self.all_to_world(vec![frame]).concat())
    }

    /// The outline of a cell in the world, or `None` if it has no cells.
    pub fn cell(&self, cell: UVec2) -> Option<Vec<Vec2>> {
        let cell = self.form.kind().cell(cell)?;
        Some(self.all_to_world(vec![cell]).concat())
    }

    /// The position of its letter in the world: in the convex piece that is nearest to the center.
    pub fn letter_place(&self) -> Vec2 {
        let pieces = self.pieces();
        let middles = (pieces.iter()).map(|piece| piece.iter().sum::<Vec2>() / piece.len() as f32);
        let distance = |center: &Vec2| center.distance_squared(self.position);
        let nearest = middles.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.unwrap_or(self.position)
    }

    fn all_to_world(&self, mut lines: Vec<Vec<Vec2>>) -> Vec<Vec<Vec2>> {
        for point in lines.iter_mut().flatten() {
            *point = self.to_world(*point);
        }
        lines
    }

    /// The stalk with the knob at its end that rotates the figure, in the figure's own frame, for
    /// this many world units per pixel.
    pub fn stalk(&self, pixel: f32) -> Option<[Vec2; 2]> {
        let foot = self.form.kind().top()?;
        Some([foot, foot + Vec2::Y * STALK * pixel])
    }

    /// The handle with this grip, or `None` if there is none.
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

    /// The handle at a point in the world: points come before lines, lines before the knob, and all
    /// of them before the inside.
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

    /// Inside a small figure handles have a smaller range, so that the figure can still be moved.
    fn inner_reach(&self, pixel: f32) -> f32 {
        let aabb = self.form.shape().aabb();
        let width = (aabb.max - aabb.min).min_element();
        (REACH * pixel).min(width / 5.0)
    }

    /// The figure after it was gripped at one point in the world and dragged to another, or `None`
    /// if that is not possible.
    pub fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<Self> {
        let mut dragged = self.clone();
        match grip {
            Grip::Body => dragged.position += to - from,
            Grip::Knob => {
                dragged.angle +=
                    (to - self.position).to_angle() - (from - self.position).to_angle();
            }
            _ => {
                let kind = self.form.kind();
                let (form, shift) = kind.dragged(grip, self.to_own(from), self.to_own(to))?;
                dragged = self.reformed(form, shift);
            }
        }
        Some(dragged)
    }

    /// The figure after a click with Shift at a point in the world, where it has this grip; or
    /// `None` if nothing happens.
    pub fn edited(&self, grip: Option<Grip>, at: Vec2) -> Option<Self> {
        let (form, shift) = self.form.kind().edited(grip, self.to_own(at))?;
        Some(self.reformed(form, shift))
    }

    /// The figure with another form, moved in its own frame.
    fn reformed(&self, form: Form, shift: Vec2) -> Self {
        Self::new(form, self.to_world(shift), self.angle)
    }

    /// The same figure, rotated to the nearest multiple of an angle.
    pub fn snapped(self, step: f32) -> Self {
        Self {
            angle: (self.angle / step).round() * step,
            ..self
        }
    }

    /// The separation from another figure, or `None` if they overlap.
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
