//! The tree against brute force.

mod strategies;

use std::collections::BTreeMap;

use bevy::math::Vec2;
use proptest::prelude::*;

use super::{
    BoxTree, BroadPhase, NumberedBox, NumberedBoxes, Sweep,
    brute_force::{BruteForce, point_distance, sweep_entry},
    is_present,
};
use crate::{
    aabb::{Aabb2d, contains, grow},
    strategies::between,
};
use strategies::{any_box, bounded, bounded_change, change, coordinate, crowd, ray, sweep};

/// The number that removed boxes get.
const GONE: u32 = u32::MAX;

/// A broad phase with its boxes.
#[derive(Default)]
struct World<B> {
    broad_phase: B,
    boxes: NumberedBoxes,
}

impl<B: BroadPhase> World<B> {
    /// Sets boxes by their numbers; [`EMPTY`](super::EMPTY) removes them.
    fn change(&mut self, changes: &BTreeMap<u32, Aabb2d>) {
        self.broad_phase.clear_moved();
        for (&number, &aabb) in changes {
            let known = self
                .boxes
                .list
                .iter()
                .position(|known| known.number == number);
            let index = known.unwrap_or(self.boxes.list.len());
            if known.is_none() {
                self.boxes.list.push(NumberedBox { number, aabb });
            }
            self.boxes.list[index].aabb = aabb;
            if !is_present(&aabb) {
                self.boxes.list[index].number = GONE;
            }
            self.broad_phase.dirty().insert(index as u32);
        }
        self.broad_phase.refresh(&mut self.boxes);
    }

    fn number(&self, index: u32) -> u32 {
        self.boxes.list[index as usize].number
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

    /// The numbers of all boxes that a sweep visits.
    fn sorted_along(&self, sweep: &Sweep) -> Vec<u32> {
        let mut found = Vec::new();
        self.broad_phase
            .visit_along(sweep, |index, _| found.push(self.number(index)));
        found.sort_unstable();
        found
    }

    /// The numbers of all boxes within a distance.
    fn sorted_near(&self, point: Vec2, max_distance: f32) -> Vec<u32> {
        let mut near = Vec::new();
        self.broad_phase
            .visit_near(point, max_distance, |index, _| {
                near.push(self.number(index));
            });
        near.sort_unstable();
        near
    }

    /// The distance at which a sweep enters the first box, and how many boxes were visited.
    fn first_along(&self, sweep: &Sweep) -> (Option<f32>, usize) {
        let (mut first, mut visits) = (None::<f32>, 0);
        self.broad_phase.visit_along(sweep, |index, max_distance| {
            visits += 1;
            let aabb = &self.boxes.list[index as usize].aabb;
            if let Some(entry) = sweep_entry(sweep, aabb).map(|entry| entry as f32)
                && entry <= *max_distance
            {
                *max_distance = entry;
                first = Some(entry);
            }
        });
        (first, visits)
    }

    /// The distance of the nearest box, and how many boxes were visited.
    fn nearest(&self, point: Vec2, max_distance: f32) -> (Option<f32>, usize) {
        let (mut nearest, mut visits) = (None::<f32>, 0);
        self.broad_phase
            .visit_near(point, max_distance, |index, max_distance| {
                visits += 1;
                let distance = point_distance(point, &self.boxes.list[index as usize].aabb) as f32;
                if distance <= *max_distance {
                    *max_distance = distance;
                    nearest = Some(distance);
                }
            });
        (nearest, visits)
    }

    fn sorted_overlapping(&self, area: &Aabb2d) -> Vec<u32> {
        let mut found = Vec::new();
        self.broad_phase
            .visit_overlapping(area, |index| found.push(self.number(index)));
        found.sort_unstable();
        found
    }
}

impl World<BoxTree> {
    /// Asserts that the boxes of each level lie in those of the next, and that none of these is
    /// empty.
    fn assert_nested(&self) {
        let mut below: Vec<Aabb2d> = self.boxes.list.iter().map(|item| item.aabb).collect();
        below.retain(is_present);
        // The tree clamps infinite boxes.
        for aabb in &mut below {
            (aabb.min, aabb.max) = (aabb.min.max(Vec2::MIN), aabb.max.min(Vec2::MAX));
        }
        for boxes in self.broad_phase.levels_of_boxes() {
            let boxes: Vec<Aabb2d> = boxes.collect();
            for inner in &below {
                assert!(
                    boxes.iter().any(|outer| contains(outer, inner)),
                    "{inner:?} sticks out"
                );
            }
            for outer in &boxes {
                assert!(
                    below.iter().any(|inner| contains(outer, inner)),
                    "{outer:?} is empty"
                );
            }
            below = boxes;
        }
        assert!(below.len() <= 1, "no box is around everything");
    }
}

/// Checks that the tree visits all boxes on a sweep, each once, and finds the same first one.
fn check_along(
    tree: &World<BoxTree>,
    reference: &World<BruteForce>,
    sweep: &Sweep,
) -> Result<(), TestCaseError> {
    let found = tree.sorted_along(sweep);
    for number in reference.sorted_along(sweep) {
        prop_assert!(found.contains(&number), "{} is missed", number);
    }
    prop_assert!(
        found.is_sorted_by(|a, b| a < b),
        "{:?} has one twice",
        found
    );
    prop_assert_eq!(tree.first_along(sweep).0, reference.first_along(sweep).0);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pairs_and_overlaps_equal_brute_force(
        changes in prop::collection::vec(change(), 1..8),
        area in any_box(),
    ) {
        let mut tree = World::<BoxTree>::default();
        let mut reference = World::<BruteForce>::default();
        for change in changes {
            tree.change(&change);
            tree.assert_nested();
            reference.change(&change);
            prop_assert_eq!(tree.sorted_pairs(), reference.sorted_pairs());
            prop_assert_eq!(tree.sorted_overlapping(&area), reference.sorted_overlapping(&area));
        }
    }

    #[test]
    fn sweeps_equal_brute_force(
        changes in prop::collection::vec(bounded_change(), 1..4),
        sweep in sweep(),
    ) {
        let mut tree = World::<BoxTree>::default();
        let mut reference = World::<BruteForce>::default();
        for change in changes {
            tree.change(&change);
            reference.change(&change);
            check_along(&tree, &reference, &sweep)?;
        }
    }

    #[test]
    fn rays_among_many_boxes_equal_brute_force(
        changes in prop::collection::vec(crowd(), 1..4),
        ray in ray(),
    ) {
        let mut tree = World::<BoxTree>::default();
        let mut reference = World::<BruteForce>::default();
        for change in changes {
            tree.change(&change);
            reference.change(&change);
            check_along(&tree, &reference, &ray)?;
        }
    }

    #[test]
    fn nearest_boxes_equal_brute_force(
        changes in prop::collection::vec(bounded_change(), 1..4),
        x in coordinate(),
        y in coordinate(),
        max_distance in prop_oneof![between(0.0, 100.0), Just(0.0), Just(1e30)],
    ) {
        let point = bounded(&Aabb2d { min: Vec2::new(x, y), max: Vec2::new(x, y) }).min;
        let mut tree = World::<BoxTree>::default();
        let mut reference = World::<BruteForce>::default();
        for change in changes {
            tree.change(&change);
            reference.change(&change);
            let near = tree.sorted_near(point, max_distance);
            let expected = reference.sorted_near(point, max_distance);
            for number in &expected {
                prop_assert!(near.contains(number), "{} is missed", number);
            }
            let nearest = tree.nearest(point, max_distance).0;
            prop_assert_eq!(nearest, reference.nearest(point, max_distance).0);
        }
    }

    /// Many boxes that move a little in each update, as in a game, while some rest.
    #[test]
    fn pairs_of_moving_boxes_equal_brute_force(seed: u64, resting_fraction in 0.0f32..1.0) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut boxes: BTreeMap<u32, Aabb2d> = (0..400)
            .map(|number| (number, Vec2::new(dice.f32(), dice.f32()) * 250.0))
            .map(|(number, min)| (number, Aabb2d { min, max: min + 8.0 }))
            .collect();
        let mut tree = World::<BoxTree>::default();
        let mut reference = World::<BruteForce>::default();
        for _ in 0..8 {
            tree.change(&boxes);
            reference.change(&boxes);
            prop_assert_eq!(tree.sorted_pairs(), reference.sorted_pairs());
            boxes.retain(|_, aabb| is_present(aabb));
            let resting = boxes.keys().copied().filter(|_| dice.f32() < resting_fraction);
            let resting: Vec<u32> = resting.collect();
            let mut moved = boxes.clone();
            moved.retain(|number, _| resting.binary_search(number).is_err());
            for aabb in moved.values_mut() {
                let step = Vec2::new(dice.f32() - 0.5, dice.f32() - 0.5) * 10.0;
                *aabb = Aabb2d { min: aabb.min + step, max: aabb.max + step };
            }
            tree.change(&moved);
            tree.assert_nested();
            reference.change(&moved);
            prop_assert_eq!(tree.sorted_pairs(), reference.sorted_pairs());
            boxes.append(&mut moved);
        }
    }
}

/// Overflow leaves may add a level before the next sort.
#[test]
fn single_new_boxes_grow_the_tree() {
    let (mut tree, mut reference) = (World::<BoxTree>::default(), World::<BruteForce>::default());
    let position = |number: u32| Vec2::new((number % 9) as f32, (number / 9) as f32) * 3.0;
    let mut start = 0;
    for count in [60, 64, 65, 66, 512, 513, 514] {
        let newcomers = (start..count)
            .map(|number| (number, position(number)))
            .map(|(number, min)| {
                let max = min + 4.0;
                (number, Aabb2d { min, max })
            })
            .collect();
        tree.change(&newcomers);
        reference.change(&newcomers);
        assert_eq!(tree.sorted_pairs(), reference.sorted_pairs(), "{count}");
        tree.assert_nested();
        start = count;
    }
    tree.broad_phase.clear();
    assert_eq!(tree.broad_phase.levels_of_boxes().flatten().count(), 0);
}

/// Boxes of 4 units on a grid of 100 by 100, 10 units apart.
fn grid<B: BroadPhase + Default>() -> World<B> {
    let position = |number: u32| Vec2::new((number % 100) as f32, (number / 100) as f32) * 10.0;
    let boxes = (0..10_000).map(|number| {
        let min = position(number);
        (
            number,
            Aabb2d {
                min,
                max: min + 4.0,
            },
        )
    });
    let mut world = World::<B>::default();
    world.change(&boxes.collect());
    world
}

/// A search is pruned by the best distance so far.
#[test]
fn searches_visit_few_boxes() {
    let (tree, reference) = (grid::<BoxTree>(), grid::<BruteForce>());
    let mut dice = fastrand::Rng::with_seed(1);
    let mut visits = [0; 2];
    for _ in 0..1000 {
        let point = Vec2::new(dice.f32(), dice.f32()) * 1000.0;
        let direction = Vec2::from_angle(dice.f32() * std::f32::consts::TAU);
        let sweep = Sweep::of_point(point, direction, 500.0);
        let (first, visits_along) = tree.first_along(&sweep);
        let (nearest, visits_near) = tree.nearest(point, f32::INFINITY);
        assert_eq!(first, reference.first_along(&sweep).0);
        assert_eq!(nearest, reference.nearest(point, f32::INFINITY).0);
        visits = [visits[0] + visits_along, visits[1] + visits_near];
    }
    assert!(
        visits[0] < 2000 && visits[1] < 4000,
        "{visits:?} visits in 1000 searches"
    );
}

/// It gets a leaf of its own until the next sort, whether few or many boxes change with it.
#[test]
fn the_leaf_of_a_box_that_jumps_stays_small() {
    let largest = |tree: &World<BoxTree>| {
        let leaves = tree.broad_phase.levels_of_boxes().next();
        let extents = (leaves.into_iter().flatten()).map(|it| (it.max - it.min).max_element());
        extents.fold(0.0, f32::max)
    };
    for count in [0, 1000] {
        let mut tree = grid::<BoxTree>();
        let before = largest(&tree);
        for number in (0..10_000).step_by(1999) {
            let others = tree.boxes.list.iter().take(count);
            let mut changes: BTreeMap<_, _> = others.map(|item| (item.number, item.aabb)).collect();
            let min = Vec2::new(503.0, 407.0);
            let max = min + 4.0;
            changes.insert(number, Aabb2d { min, max });
            tree.change(&changes);
            assert!(largest(&tree) <= before, "{before}");
        }
    }
}

/// Bounds are grown by rounding only.
#[test]
fn a_sweep_visits_no_box_that_it_clearly_misses() {
    let tree = grid::<BoxTree>();
    let mut dice = fastrand::Rng::with_seed(2);
    for _ in 0..1000 {
        let min = Vec2::new(dice.f32(), dice.f32()) * 1000.0;
        let start = Aabb2d {
            min,
            max: min + dice.f32() * 10.0,
        };
        let direction = Vec2::from_angle(dice.f32() * std::f32::consts::TAU) * 50.0;
        let sweep = Sweep {
            start,
            direction,
            length: 1.0,
        };
        tree.broad_phase.visit_along(&sweep, |index, _| {
            let aabb = grow(&tree.boxes.list[index as usize].aabb, 0.01);
            assert!(sweep_entry(&sweep, &aabb).is_some_and(|entry| entry <= 1.001));
        });
    }
}

#[test]
fn a_visitor_cannot_raise_the_distance() {
    let tree = grid::<BoxTree>();
    let sweep = Sweep::of_point(Vec2::ZERO, Vec2::X, 30.0);
    let [mut along, mut near] = [vec![], vec![]];
    tree.broad_phase.visit_along(&sweep, |index, max_distance| {
        along.push(tree.number(index));
        *max_distance = f32::INFINITY;
    });
    tree.broad_phase
        .visit_near(Vec2::ZERO, 30.0, |index, max_distance| {
            near.push(tree.number(index));
            *max_distance = f32::INFINITY;
        });
    along.sort_unstable();
    near.sort_unstable();
    assert_eq!(along, tree.sorted_along(&sweep));
    assert_eq!(near, tree.sorted_near(Vec2::ZERO, 30.0));
}

#[test]
fn nan_and_infinite_queries_visit_nothing() {
    let tree = grid::<BoxTree>();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for sweep in [
            Sweep::of_point(Vec2::new(bad, 0.0), Vec2::X, 10.0),
            Sweep::of_point(Vec2::ZERO, Vec2::new(bad, 0.0), 10.0),
        ] {
            assert_eq!(tree.sorted_along(&sweep), [] as [u32; 0]);
        }
        assert_eq!(tree.sorted_near(Vec2::new(0.0, bad), 10.0), [] as [u32; 0]);
    }
    for bad in [f32::NAN, -1.0] {
        let sweep = Sweep::of_point(Vec2::ZERO, Vec2::X, bad);
        assert_eq!(tree.sorted_along(&sweep), [] as [u32; 0]);
        assert_eq!(tree.sorted_near(Vec2::ZERO, bad), [] as [u32; 0]);
    }
}
