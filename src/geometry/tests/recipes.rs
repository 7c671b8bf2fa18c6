//! Recipes that circulate and are wrong, each beside the truth on a case where it fails.

use bevy::math::{Rot2, Vec2};

use super::reference::signed_distance;
use crate::geometry::{Shape, contact};

/// What the geometry says, which must be what the edges say.
fn truly_overlap(a: &Shape, b: &Shape) -> bool {
    let found = contact(a, b).is_some();
    assert_eq!(found, signed_distance(a, b) < 0.0, "{a:?} {b:?}");
    found
}

/// A circle and an upright rectangle.
struct CircleAndRect {
    center: Vec2,
    radius: f32,
    rect_center: Vec2,
    rect_size: Vec2,
}

impl CircleAndRect {
    fn truly_overlap(&self) -> bool {
        let rect = Shape::rect(self.rect_center, self.rect_size, Rot2::IDENTITY);
        truly_overlap(&Shape::circle(self.center, self.radius), &rect)
    }

    /// The circle's center in the rectangle grown by the radius: wrong beyond the corners, which
    /// ought to be round.
    fn center_in_grown_rect(&self) -> bool {
        let off = (self.center - self.rect_center).abs();
        off.cmplt(self.rect_size / 2.0 + self.radius).all()
    }

    /// Like [`center_in_grown_rect`](Self::center_in_grown_rect), but the recipe forgets the
    /// height: the rectangle ends a radius below its upper edge.
    fn center_in_rect_grown_without_height(&self) -> bool {
        let left_top = self.rect_center + Vec2::new(-self.rect_size.x, self.rect_size.y) / 2.0;
        self.center.x > left_top.x - self.radius
            && self.center.x < left_top.x + self.rect_size.x + self.radius
            && self.center.y > left_top.y - self.radius
            && self.center.y < left_top.y + self.radius
    }
}

/// A circle of radius 5 against a rectangle from (-10, -20) to (10, 20).
fn ball_at(x: f32, y: f32) -> CircleAndRect {
    CircleAndRect {
        center: Vec2::new(x, y),
        radius: 5.0,
        rect_center: Vec2::ZERO,
        rect_size: Vec2::new(20.0, 40.0),
    }
}

#[test]
fn a_rectangle_grown_by_the_radius_claims_hits_beyond_its_corners() {
    // Off the edge, and off the corner by 3 and 3: both are right.
    for (near, overlaps) in [
        (ball_at(14.0, 0.0), true),
        (ball_at(16.0, 0.0), false),
        (ball_at(13.0, 23.0), true),
    ] {
        assert_eq!(near.center_in_grown_rect(), overlaps);
        assert_eq!(near.truly_overlap(), overlaps);
    }
    // Off the corner by 4 and 4, which is more than 5.
    for (x, y) in [(14.0, 24.0), (-14.0, 24.0), (14.0, -24.0), (-14.0, -24.0)] {
        let beyond_corner = ball_at(x, y);
        assert!(beyond_corner.center_in_grown_rect());
        assert!(!beyond_corner.truly_overlap());
    }
}

#[test]
fn a_grown_rectangle_without_its_height_misses_its_lower_part() {
    let at_the_top = ball_at(12.0, 18.0);
    assert!(at_the_top.center_in_rect_grown_without_height());
    assert!(at_the_top.truly_overlap());
    for y in [10.0, 0.0, -10.0, -22.0] {
        let lower = ball_at(12.0, y);
        assert!(!lower.center_in_rect_grown_without_height());
        assert!(lower.truly_overlap());
    }
}

/// An upright rectangle as such recipes store it: left edge, upper edge, width, height.
#[derive(Clone, Copy)]
struct LeftTop {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
}

impl LeftTop {
    /// In a world where y points `down` (1.0) or up (-1.0).
    fn shape(self, down: f32) -> Shape {
        let half = Vec2::new(self.width, self.height * down) / 2.0;
        let size = Vec2::new(self.width, self.height);
        Shape::rect(Vec2::new(self.x, self.y) + half, size, Rot2::IDENTITY)
    }

    /// Right where y points down.
    fn overlaps_as_if_y_points_down(self, other: Self) -> bool {
        self.x < other.x + other.width
            && self.x + self.width > other.x
            && self.y < other.y + other.height
            && self.y + self.height > other.y
    }

    /// Right where y points up.
    fn overlaps_as_if_y_points_up(self, other: Self) -> bool {
        self.x < other.x + other.width
            && self.x + self.width > other.x
            && self.y > other.y - other.height
            && self.y - self.height < other.y
    }
}

#[test]
fn comparisons_for_one_direction_of_y_are_wrong_for_the_other() {
    let rect = |y, height| LeftTop {
        x: 0.0,
        y,
        width: 4.0,
        height,
    };
    let cases = [
        // With y down the first ends at 11 and the second begins at 15; with y up the second
        // extends down to 9.
        (rect(10.0, 1.0), rect(15.0, 6.0), false, true),
        // With y down they share 10 to 11; with y up the first begins at 7, below all of the
        // second.
        (rect(7.0, 4.0), rect(10.0, 2.0), true, false),
    ];
    for (a, b, overlap_down, overlap_up) in cases {
        assert_eq!(truly_overlap(&a.shape(1.0), &b.shape(1.0)), overlap_down);
        assert_eq!(truly_overlap(&a.shape(-1.0), &b.shape(-1.0)), overlap_up);
        // Each is right in its own world, and so wrong in the other.
        assert_eq!(a.overlaps_as_if_y_points_down(b), overlap_down);
        assert_eq!(a.overlaps_as_if_y_points_up(b), overlap_up);
        assert_ne!(overlap_down, overlap_up);
    }
}

/// The circle is rotated into the rectangle's frame by `turn`, and its distance from the upright
/// rectangle measured there.
fn overlaps_in_frame_rotated_by(turn: Rot2, center: Vec2, radius: f32, size: Vec2) -> bool {
    let local = turn * center;
    let nearest = local.max(-size / 2.0).min(size / 2.0);
    local.distance(nearest) < radius
}

/// What the geometry says, and the recipes that turn by the rectangle's angle against, and with,
/// its sign.
fn results(degrees: f32, center: Vec2, size: Vec2) -> [bool; 3] {
    let turn = Rot2::degrees(degrees);
    let rect = Shape::rect(Vec2::ZERO, size, turn);
    [
        truly_overlap(&Shape::circle(center, 1.0), &rect),
        overlaps_in_frame_rotated_by(turn.inverse(), center, 1.0, size),
        overlaps_in_frame_rotated_by(turn, center, 1.0, size),
    ]
}

#[test]
fn the_wrong_sign_of_the_angle_is_right_only_where_the_scene_is_symmetric() {
    let bar = Vec2::new(20.0, 2.0);
    let square = Vec2::splat(10.0);
    let symmetric = [
        // Not rotated, rotated by a quarter and by a half.
        (0.0, Vec2::new(9.0, 1.0), bar, true),
        (90.0, Vec2::new(1.0, 9.0), bar, true),
        (180.0, Vec2::new(9.0, 1.0), bar, true),
        // On a line of symmetry.
        (30.0, Vec2::new(1.5, 0.0), bar, true),
        (30.0, Vec2::new(9.0, 0.0), bar, false),
        // A square on its corner.
        (45.0, Vec2::new(4.0, 3.0), square, true),
    ];
    for (degrees, center, size, expected) in symmetric {
        assert_eq!(
            results(degrees, center, size),
            [expected; 3],
            "{degrees} {center}"
        );
    }
    let end = Rot2::degrees(30.0) * Vec2::new(9.0, 0.0);
    let mirrored_end = end * Vec2::new(1.0, -1.0);
    // At the end of the bar, and where the wrong sign believes it to be.
    assert_eq!(results(30.0, end, bar), [true, true, false]);
    assert_eq!(results(30.0, mirrored_end, bar), [false, false, true]);
}
