//! Corner correction: a rising walker gets around the edge of what its head only just hits.

use bevy::math::Vec2;

use super::steps::extents_of;
use crate::movement::{body::WalkRules, obstacles::Blocks, slide::Slide};

/// Returns the displacement to the nearest place beside a ceiling, at most `corner_correction`
/// away, from where the walker can rise past its edge. `None` if there is none, or if the walker
/// moves away from it. `forward` is its speed to the right.
pub(crate) fn find_corner<B: Blocks>(
    rules: &WalkRules,
    slide: &mut Slide<B>,
    forward: f32,
) -> Option<Vec2> {
    let right = rules.right() * rules.corner_correction;
    let to_right = (forward >= 0.0).then(|| beside_ceiling(rules, slide, right));
    let to_left = (forward <= 0.0).then(|| beside_ceiling(rules, slide, -right));
    let places = [to_right, to_left].into_iter().flatten().flatten();
    places.min_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))
}

/// Returns how much of a displacement aside takes the walker out from under the ceiling: aside as
/// far as there is room, up by its height, and back to the ceiling's edge.
fn beside_ceiling<B: Blocks>(rules: &WalkRules, slide: &mut Slide<B>, aside: Vec2) -> Option<Vec2> {
    let pose = slide.pose();
    let start = slide.state.position;
    let farthest = aside * slide.free_fraction(start, aside);
    let rise = slide.state.remaining_displacement(&slide.motion);
    let least = rise.dot(rules.up).max(pose.contact_distance);
    let height = extents_of(rules, &pose.shape).height.max(least);
    let free = slide.free_fraction(start + farthest, rules.up * height);
    if height * free < least {
        return None;
    }
    let raised = start + farthest + rules.up * height * free;
    let back = slide.free_fraction(raised, -farthest);
    (back < 1.0).then(|| farthest * (1.0 - back))
}
