//! Movers take the same paths in a scene that is turned, mirrored, shifted or scaled, whose walls
//! have a parent, redundant vertices, or are cut into pieces.

pub mod layout;
pub mod relations;

use bevy::prelude::*;
use proptest::prelude::*;

use crate::strategies::cases;
use layout::{Layout, layout};
use relations::{Map, cut, under_a_parent, with_redundant_vertices, with_walls};

/// The distance by which runners are moved now and then, to find what depends on rounding.
const NUDGE: f32 = 1e-3;
/// Paths that a nudge takes further apart than this are not compared any more.
const MAX_SPREAD: f32 = 0.01;

/// The paths of a layout, and for how many updates rounding does not decide where they lead.
struct Paths {
    paths: Vec<Vec<Vec2>>,
    decided: Vec<usize>,
    starts: Vec<Vec2>,
}

impl Paths {
    fn of(layout: &Layout) -> Self {
        let paths = layout.play();
        let mut decided = vec![paths.len(); layout.runners.len()];
        for nudge in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] {
            let nudged = layout.play_nudged(nudge * NUDGE);
            for (runner, decided) in decided.iter_mut().enumerate() {
                let is_near = |update: &usize| {
                    let [p, q] = [&paths, &nudged].map(|paths| paths[*update][runner]);
                    p.distance(q) <= MAX_SPREAD
                };
                *decided = (0..*decided).take_while(is_near).count();
            }
        }
        let starts = layout.runners.iter().map(|runner| runner.position);
        Self {
            paths,
            decided,
            starts: starts.collect(),
        }
    }

    /// Checks that the paths of another layout are these, mapped, within a tolerance for each unit
    /// traveled.
    fn assert_same(&self, map: &Map, other: &Layout, tolerance: f32) {
        let others = other.play();
        for (runner, &decided) in self.decided.iter().enumerate() {
            let mut traveled = 0.0;
            let mut last = self.starts[runner];
            let updates = self.paths.iter().zip(&others).enumerate();
            for (update, (positions, others)) in updates.take(decided) {
                let (position, actual) = (positions[runner], others[runner]);
                traveled += position.distance(std::mem::replace(&mut last, position));
                let expected = map.point(position);
                let deviation = actual.distance(expected) / map.scale();
                assert!(
                    deviation <= tolerance * (1.0 + traveled),
                    "runner {runner}, update {update}: {actual}, not {expected}",
                );
            }
        }
    }
}

const IDENTITY: Map = Map::linear(Vec2::X, Vec2::Y);

fn assert_same(layout: &Layout, map: &Map, other: &Layout, tolerance: f32) {
    Paths::of(layout).assert_same(map, other, tolerance);
}

// The tolerances are in world units, for each unit traveled and one more. Right angles round the
// axes of rotated shapes, and a parent the normals. A shift and other pieces change how many steps
// a slide takes around a vertex, and so where it leaves.
proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn paths_turn_and_mirror_with_the_scene(layout in layout(), turn in 0..7usize) {
        let turns = [
            (Vec2::Y, -Vec2::X),
            (-Vec2::X, -Vec2::Y),
            (-Vec2::Y, Vec2::X),
            (-Vec2::X, Vec2::Y),
            (Vec2::X, -Vec2::Y),
            (Vec2::Y, Vec2::X),
            (-Vec2::Y, -Vec2::X),
        ];
        let map = Map::linear(turns[turn].0, turns[turn].1);
        assert_same(&layout, &map, &map.layout(&layout), 1e-4);
    }

    #[test]
    fn paths_scale_with_the_scene(layout in layout(), exponent in -4..7) {
        let scale = 2f32.powi(exponent);
        let map = Map::linear(Vec2::X * scale, Vec2::Y * scale);
        assert_same(&layout, &map, &map.layout(&layout), 0.0);
    }

    #[test]
    fn paths_shift_with_the_scene(layout in layout(), x in -9..9i8, y in -9..9i8) {
        let offset = Vec2::new(x.into(), y.into()) * 32.0;
        let map = Map { offset, ..IDENTITY };
        assert_same(&layout, &map, &map.layout(&layout), 1e-2);
    }

    #[test]
    fn walls_under_a_parent_lead_to_the_same_paths(layout in layout()) {
        assert_same(&layout, &IDENTITY, &under_a_parent(&layout), 1e-3);
    }

    #[test]
    fn redundant_vertices_lead_to_the_same_paths(layout in layout()) {
        let other = with_walls(&layout, with_redundant_vertices);
        assert_same(&layout, &IDENTITY, &other, 1e-2);
    }

    #[test]
    fn walls_in_pieces_lead_to_the_same_paths(layout in layout()) {
        let other = with_walls(&layout, cut);
        assert_same(&layout, &IDENTITY, &other, 1e-2);
    }
}
