//! Corner correction: shifting a rising walker past the edge of what its head only just hits.

use bevy::math::Vec2;

use super::steps::extents_of;
use crate::movement::{body::WalkRules, slide::Slide, tolerances::MAX_CORNERS};

/// Returns the displacement to the nearest place aside, at most `corner_correction` away, from
/// where a walker can rise by its own height. `None` if there is none, if something is in the path
/// to it, or if the walker moves away from it. `forward` is the displacement to the right that it
/// wants. Of two places that are equally near, returns the one to the right.
pub(crate) fn find_corner(rules: &WalkRules, slide: &mut Slide, forward: f32) -> Option<Vec2> {
    let slop = slide.pose().slop;
    let to_right = (forward >= -slop).then(|| place_aside(rules, slide, rules.right()));
    let to_left = (forward <= slop).then(|| place_aside(rules, slide, -rules.right()));
    let places = [to_right, to_left].into_iter().flatten().flatten();
    places.min_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))
}

/// Finds the nearest place toward one side: past the edge of what is overhead, again and again.
fn place_aside(rules: &WalkRules, slide: &mut Slide, toward: Vec2) -> Option<Vec2> {
    let pose = slide.pose();
    let start = slide.state.position;
    let extents = extents_of(toward, rules.up, &pose.shape);
    let up = rules.up * (extents.head - extents.foot);
    let mut aside = 0.0;
    for _ in 0..MAX_CORNERS {
        let Some(hit) = slide.cast(start + toward * aside, up, |_| false) else {
            let path = toward * aside;
            return (slide.free_fraction(start, path) == 1.0).then_some(path);
        };
        let edge = extents_of(toward, rules.up, &hit.plane.shape).front;
        let past = edge - extents.back + slide.motion.skin + pose.slop;
        if !(past > aside && past <= rules.corner_correction) {
            return None;
        }
        aside = past;
    }
    None
}
