//! When two moving colliders touch first within an update.

use bevy::math::{Vec2, Vec2Swizzles};

use super::{
    entry::ColliderEntry,
    paths::{PathCursor, Waypoint},
};
use crate::{
    aabb::{Aabb2d, center, half_size},
    geometry::{Contact, cast_with_margin, separation, touching_slop},
};

/// Where two colliders touch first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Impact {
    /// The fraction of the update, in 0..=1.
    pub fraction: f32,
    /// Seen from the first collider, at that moment.
    pub contact: Contact,
}

/// A collider with its path in this update: empty if it did not move.
#[derive(Clone, Copy)]
pub(crate) struct MovingCollider<'a> {
    pub collider: ColliderEntry<'a>,
    pub path: &'a [Waypoint],
}

impl MovingCollider<'_> {
    /// Whether it moved.
    pub fn has_moved(&self) -> bool {
        (self.path.iter()).any(|waypoint| waypoint.offset != Vec2::ZERO)
    }
}

/// The first moment of the update at which two colliders are nearer to each other than `margin`, or
/// `None` if they never are.
///
/// Both paths are polylines. Between two consecutive waypoints of either, one collider moves
/// straight relative to the other.
pub(crate) fn time_of_impact(a: MovingCollider, b: MovingCollider, margin: f32) -> Option<Impact> {
    let mut cursors = [a, b].map(|moving| PathCursor::new(moving.path));
    let mut start = 0.0;
    let mut offsets = cursors.each_mut().map(|cursor| cursor.advance_to(start));
    let boxes = [a, b].map(|moving| moving.collider.shape.aabb());
    loop {
        let [a_end, b_end] = cursors.each_ref().map(PathCursor::next_fraction);
        let end = a_end.min(b_end);
        let end_offsets = cursors.each_mut().map(|cursor| cursor.advance_to(end));
        // Most segments of a long path are far from the other collider.
        if may_touch(&boxes, offsets, end_offsets, margin)
            && let Some((fraction, contact)) =
                straight_time_of_impact(a, b, offsets, end_offsets, margin)
        {
            return Some(Impact {
                fraction: start + (end - start) * fraction,
                contact,
            });
        }
        // Not `>=`, which would never hold for NaN.
        if !(end < 1.0) {
            return None;
        }
        (start, offsets) = (end, end_offsets);
    }
}

/// Above what rounding to `f32` may add to the size of a box far from the origin.
const ROUNDING: f64 = 1.001;

/// Whether two boxes that move straight may come nearer to each other than `margin`: a separating
/// axis test of the first one's path relative to the second one. Of its three axes, the one across
/// the path matters for diagonal ones.
fn may_touch([a, b]: &[Aabb2d; 2], start: [Vec2; 2], end: [Vec2; 2], margin: f32) -> bool {
    let double = |vector: Vec2| vector.as_dvec2();
    let displacement = double(end[0]) - double(start[0]) - (double(end[1]) - double(start[1]));
    let between = double(center(b)) + double(start[1]) - double(center(a)) - double(start[0]);
    let size = double(half_size(a)) + double(half_size(b)) + f64::from(margin.max(0.0));
    let overlaps_box = (between - displacement / 2.0)
        .abs()
        .cmple((size + displacement.abs() / 2.0) * ROUNDING)
        .all();
    let across = size.dot(displacement.abs().yx());
    overlaps_box && displacement.perp_dot(between).abs() <= across * ROUNDING
}

/// When two colliders touch that both move straight, as a fraction of that segment.
fn straight_time_of_impact(
    a: MovingCollider,
    b: MovingCollider,
    start: [Vec2; 2],
    end: [Vec2; 2],
    margin: f32,
) -> Option<(f32, Contact)> {
    let (a_shape, b_shape) = (
        a.collider.shape.translated(start[0]),
        b.collider.shape.translated(start[1]),
    );
    let displacement = (end[0] - start[0]) - (end[1] - start[1]);
    let margin = margin - touching_slop(&a_shape, &b_shape);
    let fraction = cast_with_margin(&a_shape, displacement, &b_shape, margin)?.fraction;
    let a_there = a_shape.translated((displacement.as_dvec2() * fraction).as_vec2());
    let mut contact = Contact::of(&a_there, &b_shape, &separation(&a_there, &b_shape));
    contact.point += (end[1] - start[1]) * fraction as f32;
    Some((fraction as f32, contact))
}
