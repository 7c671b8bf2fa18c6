//! Whether an outline is that of a simple polygon: one whose sides meet only where one ends and the next begins.

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{
    PolygonError, around,
    many::{SIDES_PER_BOX, boxes_around_sides, sides_in_box},
    turn,
};
use crate::aabb::intersects;

/// A side between two vertices, with the index of the first one.
#[derive(Clone, Copy)]
struct Side {
    index: usize,
    start: Vec2,
    end: Vec2,
}

/// The points of an outline without repetitions, counter-clockwise.
pub(super) fn checked_outline(
    points: impl IntoIterator<Item = Vec2>,
) -> Result<Vec<Vec2>, PolygonError> {
    let mut numbered: Vec<(usize, Vec2)> = points.into_iter().enumerate().collect();
    if let Some(&(point, _)) = numbered.iter().find(|(_, point)| !point.is_finite()) {
        return Err(PolygonError::NotFinite { point });
    }
    numbered.dedup_by_key(|(_, point)| *point);
    while numbered.len() > 1 && numbered.first().map(|p| p.1) == numbered.last().map(|p| p.1) {
        numbered.pop();
    }
    if numbered.len() < 3 {
        let count = numbered.len();
        return Err(PolygonError::TooFewPoints { count });
    }
    check_sides(&numbered)?;
    let mut outline: Vec<Vec2> = numbered.into_iter().map(|(_, point)| point).collect();
    if is_clockwise(&outline) {
        outline.reverse();
    }
    Ok(outline)
}

/// Compares each side with the later ones that are near it.
fn check_sides(outline: &[(usize, Vec2)]) -> Result<(), PolygonError> {
    let before = outline.iter().cycle().skip(outline.len() - 1);
    let sides: Vec<Side> = (before.zip(outline))
        .map(|(&(index, start), &(_, end))| Side { index, start, end })
        .collect();
    let ends: Vec<Vec2> = sides.iter().map(|side| side.end).collect();
    let boxes = boxes_around_sides(&ends);
    for (i, side) in sides.iter().enumerate() {
        let aabb = side.aabb();
        for number in boxes.find_from(i / SIDES_PER_BOX, |other| intersects(other, &aabb)) {
            let near = sides_in_box(number, sides.len());
            let later = &sides[near.start.max(i + 1)..near.end];
            if let Some(other) = later.iter().find(|other| side.interferes(other)) {
                let sides = [side.index.min(other.index), side.index.max(other.index)];
                return Err(PolygonError::SelfIntersecting { sides });
            }
        }
    }
    Ok(())
}

impl Side {
    fn aabb(&self) -> Aabb2d {
        around([self.start, self.end].into_iter())
    }

    /// Whether two sides share any point but the vertex between them.
    fn interferes(&self, other: &Self) -> bool {
        if self.end == other.start {
            self.folds_back(other)
        } else if other.end == self.start {
            other.folds_back(self)
        } else {
            intersects(&self.aabb(), &other.aabb()) && self.touches(other)
        }
    }

    /// Whether the next side runs back along this one.
    fn folds_back(&self, next: &Self) -> bool {
        let [before, corner, after] = [self.start, self.end, next.end].map(|p| p.as_dvec2());
        turn(self.start, self.end, next.end) == 0.0 && (corner - before).dot(after - corner) < 0.0
    }

    fn touches(&self, other: &Self) -> bool {
        let (p, q, r, s) = (self.start, self.end, other.start, other.end);
        let sides = [turn(p, q, r), turn(p, q, s), turn(r, s, p), turn(r, s, q)];
        let is_crossed =
            sides[0].signum() != sides[1].signum() && sides[2].signum() != sides[3].signum();
        let is_between = |point: Vec2, (start, end): (Vec2, Vec2)| {
            point.cmpge(start.min(end)).all() && point.cmple(start.max(end)).all()
        };
        let ends = [(r, (p, q)), (s, (p, q)), (p, (r, s)), (q, (r, s))];
        let is_end_on = (sides.iter().zip(ends))
            .any(|(side, (end, along))| *side == 0.0 && is_between(end, along));
        is_end_on || (is_crossed && sides.iter().all(|side| *side != 0.0))
    }
}

/// Whether a simple polygon turns right at its leftmost vertex, where it turns as it runs.
fn is_clockwise(outline: &[Vec2]) -> bool {
    let place = |i: &usize| (outline[*i].x, outline[*i].y);
    let is_further_left = |i: &usize, j: &usize| place(i).partial_cmp(&place(j));
    let count = outline.len();
    let leftmost =
        (0..count).min_by(|i, j| is_further_left(i, j).unwrap_or(std::cmp::Ordering::Equal));
    leftmost.is_some_and(|i| {
        let [before, after] = [i + count - 1, i + 1].map(|neighbor| outline[neighbor % count]);
        turn(before, outline[i], after) < 0.0
    })
}
