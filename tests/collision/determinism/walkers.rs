//! Walkers beside all else, on any number of threads.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::{threads::*, *};

/// Walkers on hills, on platforms that circle, and on top of each other.
fn spawn_walkers(app: &mut App, count: usize) -> (Vec<Entity>, Vec<Entity>) {
    for number in 0..count / 4 {
        let x = 12.0 * number as f32;
        let hill = [
            [x, -40.0],
            [x + 12.0, -40.0],
            [x + 12.0, 0.0],
            [x + 6.0, (number % 4) as f32],
            [x, 0.0],
        ];
        let outline = PolygonCollider::new(hill.map(Vec2::from)).unwrap();
        spawn(app, (outline, Solid));
    }
    let platforms = (0..count / 40)
        .map(|number| {
            let place = at(20.0 + 100.0 * number as f32, 30.0);
            spawn(app, (RectCollider::new(40.0, 4.0), Solid, place))
        })
        .collect();
    let walkers = (0..count)
        .map(|number| {
            let place = at(20.0 + 2.6 * number as f32, 50.0 + 8.0 * (number % 3) as f32);
            let body = (CapsuleCollider::new(2.0, 3.0), Solid, place);
            spawn(app, (body, Mover::default(), Walker::default()))
        })
        .collect();
    (walkers, platforms)
}

#[test]
#[ignore = "run by walkers_walk_the_same_on_any_number_of_threads"]
fn positions_of_walkers() {
    let Some(mut app) = app_with_threads() else {
        return;
    };
    let (walkers, platforms) = spawn_walkers(&mut app, 300);
    for step in 0..100 {
        for (number, &platform) in platforms.iter().enumerate() {
            let angle = step as f32 * 0.05 + number as f32;
            let place = Vec2::new(20.0 + 100.0 * number as f32, 30.0);
            let transform = &mut *app.world_mut().get_mut::<Transform>(platform).unwrap();
            transform.translation = (place + 10.0 * Vec2::from_angle(angle)).extend(0.0);
        }
        for (number, &walker) in walkers.iter().enumerate() {
            let mover = &mut *app.world_mut().get_mut::<Mover>(walker).unwrap();
            mover.velocity.x = if (number + step / 30) % 3 == 0 {
                -40.0
            } else {
                40.0
            };
            mover.velocity.y -= 10.0;
        }
        app.update();
    }
    let mut hasher = DefaultHasher::new();
    let mut standing = 0;
    for &walker in &walkers {
        let position = global_position(&app, walker);
        position.to_array().map(f32::to_bits).hash(&mut hasher);
        let ground: &Ground = app.world().get(walker).unwrap();
        standing += usize::from(ground.is_on_floor());
    }
    println!("walkers: {standing} {:x}", hasher.finish());
}

#[test]
fn walkers_walk_the_same_on_any_number_of_threads() {
    let with = |threads| {
        printed_with_threads(
            threads,
            concat!(module_path!(), "::positions_of_walkers"),
            "walkers: ",
        )
    };
    let with_one = with(1);
    let standing: usize = with_one.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(standing > 200, "{with_one}");
    for threads in [2, 8] {
        assert_eq!(with(threads), with_one, "{threads} threads");
    }
}
