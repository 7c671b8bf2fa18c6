//! Returning to an earlier update and simulating again gives what the first time gave.

mod game;
mod keys;
mod snapshot;

use std::{
    collections::{BTreeMap, VecDeque},
    num::NonZero,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use self::{
    game::{Game, Outcome, Saved},
    snapshot::Snapshot,
};
use crate::common::*;

const MAX_ROLLBACK: usize = 8;
/// The hashes at the end of games of 120 steps, of the seeds from 0: of the state, and of the
/// poses.
const RECORDED: [[u64; 2]; 10] = [
    [0x8a46_2c96_6462_8015, 0x3c9e_9c5b_70df_8502],
    [0x0145_11cd_7b54_4996, 0x7399_6b43_f9fb_d8fc],
    [0x51a5_62eb_9232_2822, 0x9824_999e_c4fe_368e],
    [0x8090_21f5_99f3_7f4d, 0x896b_0b6a_0b42_e498],
    [0xac15_2dc0_bb0a_fe36, 0x6cf5_93a3_76d5_5e30],
    [0x753c_e375_dd06_e89d, 0xb9ea_f47c_6298_3830],
    [0xbc39_cf94_bd0d_1414, 0x68a9_ac11_d511_6043],
    [0x9321_d757_eb15_e146, 0x7301_dd3d_bcd6_a464],
    [0xaf62_718e_dcef_37d1, 0x0719_ebe7_e0fe_6c60],
    [0x560e_1c18_60bd_0e75, 0xea73_c610_a1a4_50a4],
];

/// Plays a game of some steps, in each of which it is rolled back by up to eight steps and
/// simulated again, and compares it with a game that is not. Returns the hashes at the end.
fn check_rollbacks(seed: u64, steps: usize) -> [u64; 2] {
    let [mut straight, mut rolled_back] = [Game::new(seed), Game::new(seed)];
    let mut rng = Rng::with_seed(seed);
    let mut history: VecDeque<(Saved, Outcome)> = VecDeque::new();
    for step in 0..steps {
        let saved = rolled_back.save();
        let expected = straight.step();
        let outcome = rolled_back.step();
        outcome.check(&expected, &format!("scene {seed}, step {step}"));
        history.push_back((saved, expected));
        if history.len() > MAX_ROLLBACK {
            history.pop_front();
        }
        let count = 1 + exact::index(&mut rng, history.len());
        let start = history.len() - count;
        rolled_back.restore(&history[start].0, rng.bool());
        for (back, (saved, expected)) in history.iter_mut().enumerate().skip(start) {
            *saved = rolled_back.save();
            let again = rolled_back.step();
            let first = step + 1 + back - MAX_ROLLBACK.min(step + 1);
            again.check(expected, &format!("scene {seed}, step {first} again"));
        }
    }
    history.back().expect("a step").1.hashes
}

/// Checks the games of these seeds, each of this many steps, on all processors. Returns their
/// hashes at the end.
fn check_games(seeds: Range<u64>, steps: usize) -> Vec<[u64; 2]> {
    let hashes = Mutex::new(BTreeMap::new());
    let next = AtomicU64::new(seeds.start);
    let check_some = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let of_game = check_rollbacks(seed, steps);
            hashes.lock().unwrap().insert(seed, of_game);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        // This thread is one of them: WebAssembly has no other.
        for _ in 1..threads {
            scope.spawn(check_some);
        }
        check_some();
    });
    hashes.into_inner().unwrap().into_values().collect()
}

#[test]
fn games_that_are_rolled_back_are_the_games_that_are_not() {
    let hashes = check_games(0..cases(10, 100), 120);
    assert!(hashes.starts_with(&RECORDED), "{:#x?}", &hashes[..10]);
}

#[test]
#[ignore = "takes an hour"]
fn a_thousand_games_that_are_rolled_back_are_the_games_that_are_not() {
    check_games(1000..2000, 600);
}

/// Two balls that overlap, and one that passes both within an update from where it is.
fn spawn_balls(app: &mut App) -> [Entity; 3] {
    let [a, b] = [0.0, 1.5].map(|x| spawn(app, (ball(x, 0.0), StableKey(x as u64))));
    let swept = spawn(app, (ball(-50.0, 0.0), Swept, StableKey(9)));
    [a, b, swept]
}

#[test]
fn restoring_alone_reports_nothing() {
    let mut app = test_app();
    let balls = spawn_balls(&mut app);
    steps(&mut app, 2);
    let saved = Snapshot::of(app.world(), &balls);
    set_position(&mut app, balls[0], Vec2::Y * 90.0);
    assert_eq!(step(&mut app).len(), 1);
    saved.restore(app.world_mut(), &balls, false);
    assert_eq!(pairs(&mut app).len(), 1);
    assert_eq!(step(&mut app), []);
    assert_eq!(pairs(&mut app).len(), 1);
}

#[test]
fn what_is_restored_under_other_ids_neither_ends_nor_starts_again() {
    let mut app = test_app();
    let balls = spawn_balls(&mut app);
    steps(&mut app, 2);
    let saved = Snapshot::of(app.world(), &balls);
    for ball in balls {
        app.world_mut().despawn(ball);
    }
    steps(&mut app, 2);
    let [a, b, _] = saved.restore(app.world_mut(), &balls, true)[..] else {
        unreachable!()
    };
    assert_eq!(step(&mut app), []);
    assert_eq!(pairs(&mut app), [(a, b)]);
    app.world_mut().despawn(b);
    let reason = CollisionEndReason::Despawned;
    assert_eq!(step(&mut app), [CollisionEvent::Ended { a, b, reason }]);
}

#[test]
fn what_is_swept_starts_where_it_was_restored() {
    let mut app = test_app();
    let balls @ [a, b, swept] = spawn_balls(&mut app);
    steps(&mut app, 2);
    let saved = Snapshot::of(app.world(), &balls);
    set_position(&mut app, swept, Vec2::Y * 50.0);
    steps(&mut app, 2);
    saved.restore(app.world_mut(), &balls, false);
    set_position(&mut app, swept, Vec2::X * 50.0);
    let passed = |event: &CollisionEvent| match *event {
        CollisionEvent::Started { a, b, .. } => Some((a, b)),
        CollisionEvent::Ended { .. } => None,
    };
    let events: Vec<_> = step(&mut app).iter().filter_map(passed).collect();
    assert_eq!(events, [(a, swept), (b, swept)]);
}

#[test]
fn a_child_is_where_its_restored_parent_is() {
    let kinds: [fn(&mut EntityWorldMut); 2] = [
        |child| {
            child.insert((Swept, Solid));
        },
        |child| {
            child.insert((OneWay(Dir2::NEG_X), Solid));
        },
    ];
    for (make, is_refreshed) in kinds
        .into_iter()
        .flat_map(|kind| [(kind, false), (kind, true)])
    {
        let mut app = test_app();
        let parent = spawn(&mut app, at(0.0, 0.0));
        let child = spawn(&mut app, (RectCollider::new(10.0, 10.0), at(0.0, 10.0)));
        let mut child_mut = app.world_mut().entity_mut(child);
        child_mut.insert(ChildOf(parent));
        make(&mut child_mut);
        let coin = spawn(&mut app, (CircleCollider::new(2.0), at(0.0, 10.0)));
        let hero = spawn(&mut app, (ball(-30.0, 10.0), Mover::default()));
        steps(&mut app, 3);
        let saved = app.world().resource::<CollisionState>().clone();
        // The index sees it elsewhere.
        set_position(&mut app, parent, Vec2::X * 100.0);
        if is_refreshed {
            refresh_colliders(app.world_mut());
        } else {
            steps(&mut app, 1);
        }
        set_position(&mut app, parent, Vec2::ZERO);
        *app.world_mut().resource_mut::<CollisionState>() = saved;
        let mut mover = app.world_mut().get_mut::<Mover>(hero).unwrap();
        mover.displacement = Vec2::X * 60.0;
        let events = steps(&mut app, 1);
        let is_about_coin = |event: &&CollisionEvent| event.entities().contains(&coin);
        assert_eq!(events.iter().filter(is_about_coin).count(), 0, "{events:?}");
        let x = local_position(&app, hero).x;
        assert!((x + 6.02).abs() < 1e-3, "{x}");
    }
}

/// A client may save between a change of a `Transform` and the update, and compare before it
/// writes.
#[test]
fn what_is_swept_repeats_its_motion_if_only_the_state_is_restored() {
    let mut app = test_app();
    let [a, b, swept] = spawn_balls(&mut app);
    steps(&mut app, 2);
    set_position(&mut app, swept, Vec2::X * 50.0);
    let saved = app.world().resource::<CollisionState>().clone();
    let passed: Vec<_> = step(&mut app)
        .iter()
        .map(CollisionEvent::entities)
        .collect();
    assert_eq!(passed, [[a, swept], [b, swept], [a, swept], [b, swept]]);
    assert_eq!(step(&mut app), []);
    app.insert_resource(saved);
    let again: Vec<_> = step(&mut app)
        .iter()
        .map(CollisionEvent::entities)
        .collect();
    assert_eq!(again, passed);
    assert_eq!(step(&mut app), []);
}

#[test]
fn lists_that_are_not_restored_are_those_of_the_restored_pairs() {
    let mut app = test_app();
    let [a, b, _] = spawn_balls(&mut app);
    app.world_mut()
        .entity_mut(a)
        .insert(CollidingEntities::default());
    steps(&mut app, 2);
    let saved = app.world().resource::<CollisionState>().clone();
    set_position(&mut app, b, Vec2::Y * 90.0);
    step(&mut app);
    assert!(app.world().get::<CollidingEntities>(a).unwrap().is_empty());
    app.insert_resource(saved);
    set_position(&mut app, b, Vec2::X * 1.5);
    assert_eq!(step(&mut app), []);
    assert_eq!(app.world().get::<CollidingEntities>(a).unwrap()[..], [b]);
}

#[test]
fn restored_pairs_end_without_any_collider() {
    let mut app = test_app();
    let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    step(&mut app);
    let saved = app.world().resource::<CollisionState>().clone();
    for entity in [a, b] {
        app.world_mut().despawn(entity);
    }
    step(&mut app);
    app.insert_resource(saved);
    let despawned = ended(a, b, CollisionEndReason::Despawned);
    assert_eq!(brief_step(&mut app), [despawned]);
    assert_eq!(pairs(&mut app), []);
}

#[test]
fn lists_are_those_of_a_state_that_is_put_back() {
    let mut app = test_app();
    let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    app.world_mut()
        .entity_mut(a)
        .insert(CollidingEntities::default());
    step(&mut app);
    let list = |app: &App| app.world().get::<CollidingEntities>(a).unwrap().to_vec();
    let first = app.world_mut().remove_resource::<CollisionState>();
    app.init_resource::<CollisionState>();
    set_position(&mut app, b, Vec2::Y * 90.0);
    steps(&mut app, 2);
    assert_eq!(list(&app), []);
    app.insert_resource(first.expect("the plugin adds it"));
    set_position(&mut app, b, Vec2::X * 1.5);
    assert_eq!(step(&mut app), []);
    assert_eq!(list(&app), [b]);
}

#[test]
fn hashes_tell_apart_what_only_exchanged_its_place() {
    let mut app = test_app();
    let spawn_lift = |app: &mut App, x: f32, key| {
        let lift = (
            RectCollider::new(2.0, 1.0),
            Transform::from_xyz(x, 0.0, 0.0),
        );
        spawn(app, (lift, Solid, Swept, StableKey(key)))
    };
    let [a, b] = [(0.0, 1), (10.0, 2)].map(|(x, key)| spawn_lift(&mut app, x, key));
    let hashes = |app: &mut App| {
        step(app);
        let poses = (app.world_mut())
            .run_system_cached(|collisions: Collisions| collisions.hash_of_poses());
        (
            app.world().resource::<CollisionState>().hash(),
            poses.unwrap(),
        )
    };
    let before = hashes(&mut app);
    set_position(&mut app, a, Vec2::X * 10.0);
    set_position(&mut app, b, Vec2::ZERO);
    let exchanged = hashes(&mut app);
    assert!(before.0 != exchanged.0 && before.1 != exchanged.1);
    for angle in [0.5, -0.5] {
        let mut transform = app.world_mut().get_mut::<Transform>(a).unwrap();
        transform.rotation = Quat::from_rotation_z(angle);
        let turned = hashes(&mut app);
        assert!(before.0 != turned.0 && before.1 != turned.1);
    }
}

#[test]
fn hashes_tell_apart_what_is_mirrored() {
    let mut app = test_app();
    let grid = || TileCollider::from_rows(["#.", "##"], Vec2::ONE);
    let notched = || {
        let vertices = [
            (-1.0, -1.0),
            (1.0, -1.0),
            (1.0, 0.0),
            (-0.5, 0.5),
            (-1.0, 1.0),
        ];
        PolygonCollider::new(vertices.map(Vec2::from)).unwrap()
    };
    let shapes = [spawn(&mut app, grid()), spawn(&mut app, notched())];
    let hash = |app: &mut App| {
        step(app);
        run_system(app, |collisions: Collisions| collisions.hash_of_poses())
    };
    for shape in shapes {
        let before = hash(&mut app);
        app.world_mut().get_mut::<Transform>(shape).unwrap().scale.y = -1.0;
        assert_ne!(before, hash(&mut app));
    }
}
