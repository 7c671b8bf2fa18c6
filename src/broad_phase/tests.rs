use bevy::math::{Vec2, bounding::Aabb2d};
use proptest::prelude::*;

use super::{BroadPhase, EMPTY, PackedTree, brute_force::BruteForce};

fn sorted_pairs(broad_phase: &impl BroadPhase, active: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    broad_phase.visit_pairs(active, |a, b| pairs.push((a, b)));
    pairs.sort_unstable();
    pairs
}

fn sorted_overlapping(broad_phase: &impl BroadPhase, area: &Aabb2d) -> Vec<u32> {
    let mut found = Vec::new();
    broad_phase.visit_overlapping(area, |i| found.push(i));
    found.sort_unstable();
    found
}

/// Coordinates of every magnitude, with many that are equal.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -100.0f32..100.0,
        2 => (-3i8..4).prop_map(f32::from),
        1 => -1e30f32..1e30,
        1 => -1e-30f32..1e-30,
        1 => Just(f32::MAX),
        1 => Just(f32::MIN),
    ]
}

fn any_box() -> impl Strategy<Value = Aabb2d> {
    let size = prop_oneof![4 => 0.0f32..30.0, 1 => Just(0.0), 1 => 0.0f32..1e4];
    let filled =
        (coordinate(), coordinate(), size.clone(), size).prop_map(|(x, y, width, height)| Aabb2d {
            min: Vec2::new(x, y),
            max: (Vec2::new(x, y) + Vec2::new(width, height)).min(Vec2::MAX),
        });
    prop_oneof![9 => filled, 1 => Just(EMPTY)]
}

proptest! {
    #[test]
    fn the_tree_finds_what_testing_every_box_finds(
        boxes in prop::collection::vec(any_box(), 0..200),
        area in any_box(),
        active_every in 1u32..4,
    ) {
        let (mut tree, mut reference) = (PackedTree::default(), BruteForce::default());
        // Twice, so that nothing of the boxes before is left.
        for boxes in [&boxes[..boxes.len() / 2], &boxes[..]] {
            tree.rebuild(boxes);
            reference.rebuild(boxes);
            let active = |i| i % active_every == 0;
            prop_assert_eq!(sorted_pairs(&tree, active), sorted_pairs(&reference, active));
            prop_assert_eq!(sorted_overlapping(&tree, &area), sorted_overlapping(&reference, &area));
        }
    }
}
