//! When two colliders met within a run.

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{
    entry::ColliderEntry,
    paths::{Waypoint, offset_at},
};
use crate::{
    aabb::{grow, intersects},
    geometry::{Contact, cast_with_margin, separation, touching_slop},
};

/// How two colliders met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// The fraction of the run, in 0..=1.
    pub time: f32,
    /// Seen from the first one, at that time.
    pub contact: Contact,
}

/// A collider with the way that it went in this run; an empty one, if it was not moved.
#[derive(Clone, Copy)]
pub(crate) struct Traveler<'a> {
    pub collider: ColliderEntry<'a>,
    pub way: &'a [Waypoint],
}

impl Traveler<'_> {
    /// Whether it was anywhere else than at its end.
    pub fn went_anywhere(&self) -> bool {
        self.way
            .iter()
            .any(|waypoint| waypoint.offset != Vec2::ZERO)
    }
}

/// The first moment of the run in which two colliders were nearer to each other than `margin`.
///
/// Both ways are polylines in time; between two corners of either, one collider moves straight as seen from the other.
pub(crate) fn first_meeting(a: Traveler, b: Traveler, margin: f32) -> Option<Meeting> {
    let mut start = 0.0;
    let mut offsets = (offset_at(a.way, 0.0), offset_at(b.way, 0.0));
    let boxes = [a, b].map(|traveler| traveler.collider.shape.aabb());
    loop {
        let later = |traveler: Traveler| {
            let next = traveler
                .way
                .partition_point(|waypoint| waypoint.time <= start);
            traveler.way.get(next).map_or(1.0, |waypoint| waypoint.time)
        };
        let end: f32 = later(a).min(later(b));
        let end_offsets = if end >= 1.0 {
            let last = |traveler: Traveler| {
                traveler
                    .way
                    .last()
                    .map_or(Vec2::ZERO, |waypoint| waypoint.offset)
            };
            (last(a), last(b))
        } else {
            (offset_at(a.way, end), offset_at(b.way, end))
        };
        // Most of a long way is far from the other one.
        let may_meet = may_meet(&boxes, offsets, end_offsets, margin);
        if may_meet
            && let Some((part, contact)) =
                first_meeting_straight(a, b, offsets, end_offsets, margin)
        {
            return Some(Meeting {
                time: start + (end - start) * part,
                contact,
            });
        }
        if end >= 1.0 {
            return None;
        }
        (start, offsets) = (end, end_offsets);
    }
}

/// Whether two boxes that move straight may come nearer to each other than `margin`.
fn may_meet([a, b]: &[Aabb2d; 2], start: (Vec2, Vec2), end: (Vec2, Vec2), margin: f32) -> bool {
    let around = |aabb: &Aabb2d, start: Vec2, end: Vec2| Aabb2d {
        min: aabb.min + start.min(end),
        max: aabb.max + start.max(end),
    };
    let area = grow(&around(a, start.0, end.0), margin.max(0.0));
    intersects(&area, &around(b, start.1, end.1))
}

/// The first moment at which two colliders that move straight were so near; gives the fraction of
/// that time.
fn first_meeting_straight(
    a: Traveler,
    b: Traveler,
    start: (Vec2, Vec2),
    end: (Vec2, Vec2),
    margin: f32,
) -> Option<(f32, Contact)> {
    let (a_shape, b_shape) = (
        a.collider.shape.translated(start.0),
        b.collider.shape.translated(start.1),
    );
    let displacement = (end.0 - start.0) - (end.1 - start.1);
    let inflation = margin - touching_slop(&a_shape, &b_shape);
    let time = cast_with_margin(&a_shape, displacement, &b_shape, inflation)?.fraction;
    let a_there = a_shape.translated((displacement.as_dvec2() * time).as_vec2());
    let mut contact = Contact::of(&a_there, &b_shape, &separation(&a_there, &b_shape));
    contact.point += (end.1 - start.1) * time as f32;
    Some((time as f32, contact))
}
