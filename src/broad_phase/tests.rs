use std::collections::BTreeMap;

use bevy::math::{Vec2, bounding::Aabb2d};
use proptest::prelude::*;

use super::{
    BoxTree, BroadPhase, EMPTY, NumberedBox, NumberedBoxes, brute_force::BruteForce, is_present,
};
use crate::strategies::between;

/// The number of boxes that were taken away.
const GONE: u32 = u32::MAX;

/// A broad phase with its boxes.
#[derive(Default)]
struct World<B> {
    broad_phase: B,
    boxes: NumberedBoxes,
}

impl<B: BroadPhase> World<B> {
    /// Gives boxes to numbers; [`EMPTY`] takes them away.
    fn change(&mut self, changes: &BTreeMap<u32, Aabb2d>) {
        self.broad_phase.unmark_all();
        for (&number, &aabb) in changes {
            let known = self
                .boxes
                .list
                .iter()
                .position(|known| known.number == number);
            let place = known.unwrap_or(self.boxes.list.len());
            if known.is_none() {
                self.boxes.list.push(NumberedBox { number, aabb });
            }
            self.boxes.list[place].aabb = aabb;
            if !is_present(&aabb) {
                self.boxes.list[place].number = GONE;
            }
            self.broad_phase.marks().insert(place as u32);
        }
        self.broad_phase.refresh(&mut self.boxes);
    }

    fn number(&self, place: u32) -> u32 {
        self.boxes.list[place as usize].number
    }

    fn sorted_pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let mut tasks = Vec::new();
        let mut search = B::Search::default();
        self.broad_phase.split(&mut search, &mut tasks);
        assert!(tasks.is_sorted_by_key(|task| task.region));
        for task in &tasks {
            self.broad_phase
                .list_pairs(task, &self.boxes, &mut search, &mut pairs);
        }
        for (a, b) in &mut pairs {
            (*a, *b) = (self.number(*a), self.number(*b));
            (*a, *b) = (*a.min(b), *a.max(b));
        }
        pairs.sort_unstable();
        pairs
    }

    fn sorted_overlapping(&self, area: &Aabb2d) -> Vec<u32> {
        let mut found = Vec::new();
        self.broad_phase
            .visit_overlapping(area, |place| found.push(self.number(place)));
        found.sort_unstable();
        found
    }
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

/// What happens between two refreshes: boxes come, go, and become others.
fn change() -> impl Strategy<Value = BTreeMap<u32, Aabb2d>> {
    let few = prop::collection::btree_map(0u32..250, any_box(), 0..60);
    let many = prop::collection::btree_map(0u32..250, any_box(), 100..250);
    prop_oneof![3 => few, 2 => many, 1 => Just(BTreeMap::new())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_finds_what_testing_every_box_finds(
        changes in prop::collection::vec(change(), 1..8),
        area in any_box(),
    ) {
        let (mut tree, mut reference) = (World::<BoxTree>::default(), World::<BruteForce>::default());
        for change in changes {
            tree.change(&change);
            reference.change(&change);
            prop_assert_eq!(tree.sorted_pairs(), reference.sorted_pairs());
            prop_assert_eq!(tree.sorted_overlapping(&area), reference.sorted_overlapping(&area));
        }
    }

    /// Many boxes that wander a little in each step, as in a game, some of them resting.
    #[test]
    fn the_tree_follows_wandering_boxes(seed: u64, resting_part in 0.0f32..1.0) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut boxes: BTreeMap<u32, Aabb2d> = (0..600)
            .map(|number| (number, Vec2::new(dice.f32(), dice.f32()) * 300.0))
            .map(|(number, min)| (number, Aabb2d { min, max: min + 8.0 }))
            .collect();
        let (mut tree, mut reference) = (World::<BoxTree>::default(), World::<BruteForce>::default());
        for _ in 0..20 {
            tree.change(&boxes);
            reference.change(&boxes);
            prop_assert_eq!(tree.sorted_pairs(), reference.sorted_pairs());
            boxes.retain(|_, aabb| is_present(aabb));
            let resting: Vec<u32> = boxes.keys().copied().filter(|_| dice.f32() < resting_part).collect();
            let mut moved = boxes.clone();
            moved.retain(|number, _| resting.binary_search(number).is_err());
            for aabb in moved.values_mut() {
                let step = Vec2::new(dice.f32() - 0.5, dice.f32() - 0.5) * 10.0;
                *aabb = Aabb2d { min: aabb.min + step, max: aabb.max + step };
            }
            tree.change(&moved);
            reference.change(&moved);
            prop_assert_eq!(tree.sorted_pairs(), reference.sorted_pairs());
            boxes.append(&mut moved);
        }
    }
}

/// A newcomer that does not wait for the others to be sorted makes the tree higher.
#[test]
fn the_tree_grows_by_single_boxes() {
    let (mut tree, mut reference) = (World::<BoxTree>::default(), World::<BruteForce>::default());
    let place = |number: u32| Vec2::new((number % 9) as f32, (number / 9) as f32) * 3.0;
    let mut start = 0;
    for count in [60, 64, 65, 66, 512, 513, 514] {
        let newcomers = (start..count)
            .map(|number| (number, place(number)))
            .map(|(number, min)| {
                let max = min + 4.0;
                (number, Aabb2d { min, max })
            })
            .collect();
        tree.change(&newcomers);
        reference.change(&newcomers);
        assert_eq!(tree.sorted_pairs(), reference.sorted_pairs(), "{count}");
        start = count;
    }
}
