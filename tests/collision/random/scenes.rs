//! The plugin against testing every pair, in random scenes in which everything changes.

use bevy_thud::prelude::*;

use crate::common::scene::Scene;

impl Scene {
    fn run(&mut self, frames: usize, moving_percent: u32, changes: usize, context: &str) {
        let mut seen_pairs = 0;
        for frame in 0..frames {
            for _ in 0..changes {
                self.change_something();
            }
            while self.entities.len() < 60 {
                self.spawn();
            }
            self.frame(moving_percent);
            self.check(&format!("{context}, frame {frame}"));
            seen_pairs += self.replay.pairs().len();
        }
        assert!(
            seen_pairs > 2 * frames,
            "{context}: only {seen_pairs} pairs in {frames} frames"
        );
    }
}

#[test]
fn the_pairs_are_those_of_testing_every_pair_while_everything_moves() {
    for seed in 0..4 {
        Scene::new(seed, 80).run(60, 90, 3, &format!("seed {seed}"));
    }
}

#[test]
fn the_pairs_are_those_of_testing_every_pair_while_little_moves() {
    for seed in 10..14 {
        Scene::new(seed, 80).run(100, 2, 1, &format!("seed {seed}"));
    }
}

#[test]
fn the_pairs_are_those_of_testing_every_pair_when_settings_change() {
    for seed in 20..23 {
        let mut scene = Scene::new(seed, 70);
        for round in 0..12 {
            let margin = [0.0, 1.5, 0.25, 6.0][scene.rng.usize(0..4)];
            let solid_pairs = scene.rng.bool();
            scene.app.insert_resource(CollisionSettings {
                margin,
                solid_pairs,
            });
            scene.run(5, 5, 1, &format!("seed {seed}, round {round}"));
        }
    }
}

#[test]
fn despawning_all_of_a_random_scene_ends_all_of_its_pairs() {
    for seed in 30..33 {
        let mut scene = Scene::new(seed, 80);
        scene.run(10, 50, 2, &format!("seed {seed}"));
        for entity in std::mem::take(&mut scene.entities) {
            scene.app.world_mut().try_despawn(entity).ok();
        }
        scene.frame(0);
        scene.check(&format!("seed {seed}, empty"));
        assert_eq!(scene.replay.pairs(), []);
    }
}

#[test]
fn the_same_scene_gives_the_same_events_with_the_same_contacts() {
    let all_events = || {
        let mut scene = Scene::new(40, 80);
        let frames = (0..40).map(|_| {
            scene.change_something();
            scene.frame(40)
        });
        frames.collect::<Vec<_>>()
    };
    let events = all_events();
    assert!(events.concat().len() > 100);
    // As text, because a NaN in a contact would not equal itself.
    assert_eq!(format!("{events:?}"), format!("{:?}", all_events()));
}
