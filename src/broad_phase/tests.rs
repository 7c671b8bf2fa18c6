use bevy::math::{Vec2, bounding::Aabb2d};
use proptest::prelude::*;

use super::{BoxTree, BroadPhase, EMPTY, brute_force::BruteForce};
use crate::strategies::between;

fn sorted_pairs(broad_phase: &impl BroadPhase) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut tasks = Vec::new();
    broad_phase.split(&mut tasks);
    for task in &tasks {
        broad_phase.visit_pairs(task, |a, b| pairs.push((a.min(b), a.max(b))));
    }
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
        4 => between(-100.0, 100.0),
        2 => (-3i8..4).prop_map(f32::from),
        1 => between(-1e30, 1e30),
        1 => between(-1e-30, 1e-30),
        1 => Just(f32::MAX),
        1 => Just(f32::MIN),
    ]
}

fn filled_box() -> impl Strategy<Value = Aabb2d> {
    let size = prop_oneof![4 => between(0.0, 30.0), 1 => Just(0.0), 1 => between(0.0, 1e4)];
    (coordinate(), coordinate(), size.clone(), size).prop_map(|(x, y, width, height)| Aabb2d {
        min: Vec2::new(x, y),
        max: (Vec2::new(x, y) + Vec2::new(width, height)).min(Vec2::MAX),
    })
}

fn any_box() -> impl Strategy<Value = Aabb2d> {
    let infinite = Aabb2d {
        min: Vec2::NEG_INFINITY,
        max: Vec2::INFINITY,
    };
    let without_number = Aabb2d {
        min: Vec2::new(0.0, f32::NAN),
        max: Vec2::ONE,
    };
    prop_oneof![
        40 => filled_box(),
        6 => Just(EMPTY),
        1 => Just(infinite),
        1 => Just(without_number),
    ]
}

/// What happens between two refreshes: some boxes become others, and new numbers come.
fn change() -> impl Strategy<Value = Vec<(prop::sample::Index, Aabb2d)>> {
    let nudged = prop::collection::vec((any::<prop::sample::Index>(), any_box()), 0..60);
    prop_oneof![3 => nudged, 1 => Just(Vec::new())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_finds_what_testing_every_box_finds(
        mut boxes in prop::collection::vec(any_box(), 0..200),
        changes in prop::collection::vec(change(), 0..6),
        newcomers in prop::collection::vec(any_box(), 0..30),
        area in any_box(),
        active_every in 1u32..4,
    ) {
        let (mut tree, mut reference) = (BoxTree::default(), BruteForce::default());
        let mut changed: Vec<u32> = (0..boxes.len() as u32).collect();
        for change in std::iter::once(Vec::new()).chain(changes) {
            for (which, aabb) in change {
                if boxes.is_empty() {
                    continue;
                }
                let number = which.index(boxes.len());
                boxes[number] = aabb;
                changed.push(number as u32);
            }
            changed.sort_unstable();
            changed.dedup();
            tree.refresh(&boxes, &changed);
            reference.refresh(&boxes, &changed);
            let active: Vec<u32> = (0..boxes.len() as u32).step_by(active_every as usize).collect();
            tree.activate(&active);
            reference.activate(&active);
            prop_assert_eq!(sorted_pairs(&tree), sorted_pairs(&reference));
            prop_assert_eq!(sorted_overlapping(&tree, &area), sorted_overlapping(&reference, &area));
            changed.clear();
            let start = boxes.len() as u32;
            boxes.extend(newcomers.iter().copied());
            changed.extend(start..boxes.len() as u32);
        }
    }

    /// Many boxes that wander a little in each step, as in a game.
    #[test]
    fn the_tree_follows_wandering_boxes(seed: u64) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut place = || Vec2::new(dice.f32(), dice.f32()) * 300.0;
        let mut boxes: Vec<Aabb2d> = (0..400)
            .map(|_| place())
            .map(|min| Aabb2d { min, max: min + 8.0 })
            .collect();
        let numbers: Vec<u32> = (0..400).collect();
        let (mut tree, mut reference) = (BoxTree::default(), BruteForce::default());
        for _ in 0..20 {
            for aabb in &mut boxes {
                let step = (place() - 150.0) / 30.0;
                *aabb = Aabb2d { min: aabb.min + step, max: aabb.max + step };
            }
            tree.refresh(&boxes, &numbers);
            tree.activate(&numbers);
            reference.refresh(&boxes, &numbers);
            reference.activate(&numbers);
            prop_assert_eq!(sorted_pairs(&tree), sorted_pairs(&reference));
        }
    }
}

/// A newcomer that does not wait for the others to be sorted makes the tree higher.
#[test]
fn the_tree_grows_by_single_boxes() {
    let (mut tree, mut reference) = (BoxTree::default(), BruteForce::default());
    let place = |number: u32| Vec2::new((number % 9) as f32, (number / 9) as f32) * 3.0;
    let mut boxes = Vec::new();
    for count in [60, 64, 65, 66, 512, 513, 514] {
        let start = boxes.len() as u32;
        boxes.extend((start..count).map(place).map(|min| Aabb2d {
            min,
            max: min + 4.0,
        }));
        let newcomers: Vec<u32> = (start..count).collect();
        let all: Vec<u32> = (0..count).collect();
        tree.refresh(&boxes, &newcomers);
        tree.activate(&all);
        reference.refresh(&boxes, &newcomers);
        reference.activate(&all);
        assert_eq!(sorted_pairs(&tree), sorted_pairs(&reference), "{count}");
    }
}
