//! Run conditions on the plugin's sets: whichever of them are skipped in a frame, nothing is
//! reported twice, and nothing in part.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::{scene::Scene, *};

/// The events of movers that observers and messages received, and of collisions that observers did.
#[derive(Resource, Default)]
struct Reported {
    starts: Vec<(Entity, Entity)>,
    ends: Vec<(Entity, Entity)>,
    hits: Vec<MoverHit>,
    observed_hits: Vec<MoverHit>,
    crushed: Vec<Crushed>,
}

fn reported(app: &mut App) -> Reported {
    std::mem::take(&mut app.world_mut().resource_mut::<Reported>())
}

fn gated_app() -> App {
    let mut app = unstarted_app(CollisionPlugin::default());
    gate_sets(&mut app, PostUpdate);
    app.init_resource::<Reported>();
    app.add_systems(
        Last,
        |mut hits: MessageReader<MoverHit>,
         mut crushed: MessageReader<Crushed>,
         mut reported: ResMut<Reported>| {
            reported.hits.extend(hits.read());
            reported.crushed.extend(crushed.read());
        },
    );
    app.add_observer(
        |start: On<CollisionStart>, mut reported: ResMut<Reported>| {
            if start.entity == start.collider {
                reported.starts.push((start.collider, start.other));
            }
        },
    );
    app.add_observer(|end: On<CollisionEnd>, mut reported: ResMut<Reported>| {
        if end.entity == end.collider {
            reported.ends.push((end.collider, end.other));
        }
    });
    app.add_observer(|hit: On<MoverHit>, mut reported: ResMut<Reported>| {
        reported.observed_hits.push(*hit.event());
    });
    start(&mut app);
    app
}

fn any_gates(rng: &mut Rng) -> Gates {
    Gates {
        sync: rng.bool(),
        moves: rng.bool(),
        detect: rng.bool(),
        report: rng.bool(),
    }
}

fn lists_of(app: &mut App) -> BTreeMap<Entity, Vec<Entity>> {
    run_system(app, |lists: Query<(Entity, &CollidingEntities)>| {
        let list = |(entity, list): (Entity, &CollidingEntities)| (entity, list.to_vec());
        lists.iter().map(list).collect::<BTreeMap<_, _>>()
    })
}

#[test]
fn without_detect_a_start_is_reported_once() {
    let mut app = gated_app();
    let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    set_gates(&mut app, Gates::NO_DETECT);
    assert_eq!(steps(&mut app, 3), []);
    set_gates(&mut app, Gates::ALL);
    assert_eq!(steps(&mut app, 3), []);
    assert_eq!(reported(&mut app).starts.len(), 2, "once on each side");
}

#[test]
fn what_moved_while_detect_was_off_is_found_when_it_is_on() {
    let mut app = gated_app();
    let [a, b] = [0.0, 9.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(step(&mut app), []);
    set_gates(&mut app, Gates::NO_DETECT);
    set_position(&mut app, b, Vec2::X);
    assert_eq!(steps(&mut app, 3), []);
    set_gates(&mut app, Gates::ALL);
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    set_gates(&mut app, Gates::NO_DETECT);
    app.world_mut().despawn(a);
    assert_eq!(steps(&mut app, 3), []);
    set_gates(&mut app, Gates::ALL);
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Despawned)]
    );
}

#[test]
fn without_move_a_hit_is_reported_once() {
    let mut app = gated_app();
    let wall = (RectCollider::new(2.0, 10.0), Solid, at(4.0, 0.0));
    spawn(&mut app, wall);
    let mover = Mover::with_velocity(Vec2::X * 640.0);
    spawn(&mut app, (ball(0.0, 0.0), mover));
    app.update();
    let first = reported(&mut app);
    assert_eq!([first.hits.len(), first.observed_hits.len()], [1, 1]);
    set_gates(&mut app, Gates::NO_MOVE);
    steps(&mut app, 3);
    let later = reported(&mut app);
    assert_eq!([later.hits, later.observed_hits], [[], []]);
}

#[test]
fn hits_are_those_of_the_last_move_when_they_are_reported_late() {
    let mut app = gated_app();
    let wall = (RectCollider::new(2.0, 10.0), Solid, at(4.0, 0.0));
    spawn(&mut app, wall);
    let mover = (ball(0.0, 0.0), Mover::default());
    let mover = spawn(&mut app, mover);
    set_gates(&mut app, Gates::NO_REPORT);
    for _ in 0..5 {
        set_velocity(&mut app, mover, Vec2::X * 640.0);
        app.update();
    }
    set_gates(&mut app, Gates::ALL);
    set_velocity(&mut app, mover, Vec2::X * 640.0);
    app.update();
    assert_eq!(reported(&mut app).hits.len(), 1);
}

#[test]
fn an_end_waits_until_it_is_reported() {
    let mut app = gated_app();
    let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    app.world_mut()
        .entity_mut(a)
        .insert(CollidingEntities::default());
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    set_gates(&mut app, Gates::NO_REPORT);
    set_position(&mut app, b, Vec2::X * 50.0);
    assert_eq!(steps(&mut app, 3), []);
    assert_eq!(
        pairs(&mut app),
        [],
        "what is known is ahead of what is reported"
    );
    assert_eq!(lists_of(&mut app)[&a], [b]);
    set_gates(&mut app, Gates::ALL);
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Separated)]
    );
    assert_eq!(lists_of(&mut app)[&a], []);
    assert_eq!(steps(&mut app, 3), []);
}

#[test]
fn a_start_is_reported_late_even_if_only_report_is_enabled_then() {
    let mut app = gated_app();
    set_gates(&mut app, Gates::NO_REPORT);
    let [a, b] = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(steps(&mut app, 2), []);
    let none = Gates {
        sync: false,
        moves: false,
        detect: false,
        report: true,
    };
    set_gates(&mut app, none);
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    assert_eq!(steps(&mut app, 2), []);
}

#[test]
fn of_a_pair_that_starts_and_ends_unreported_at_most_an_end_and_a_start_are_pending() {
    let mut app = gated_app();
    let [a, b, c] = [0.0, 1.5, 50.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    set_gates(&mut app, Gates::NO_REPORT);
    let positions = |round: i32| {
        if round % 2 == 0 {
            [99.0, 1.0]
        } else {
            [1.0, 99.0]
        }
    };
    for round in 0..201 {
        for (ball, x) in [b, c].into_iter().zip(positions(round)) {
            set_position(&mut app, ball, Vec2::X * x);
        }
        // Bullets that are despawned before anything is reported.
        let bullet = spawn(&mut app, ball(0.0, 0.5));
        assert_eq!(step(&mut app), []);
        app.world_mut().despawn(bullet);
    }
    for (ball, x) in [b, c].into_iter().zip([1.0, 99.0]) {
        set_position(&mut app, ball, Vec2::X * x);
    }
    set_gates(&mut app, Gates::ALL);
    let events = brief_step(&mut app);
    assert_eq!(
        events,
        [ended(a, b, CollisionEndReason::Separated), started(a, b)]
    );
}

#[test]
fn a_mover_that_is_crushed_while_report_is_off_is_reported_when_it_is_on() {
    let mut app = gated_app();
    let walls = [-30.75, 30.75].map(|x| {
        let wall = (RectCollider::new(60.0, 60.0), Solid, at(x, 0.0));
        spawn(&mut app, wall)
    });
    set_gates(&mut app, Gates::NO_REPORT);
    let mover = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    steps(&mut app, 5);
    assert_eq!(reported(&mut app).crushed, []);
    assert!(is_crushed(&app, mover));
    set_gates(&mut app, Gates::ALL);
    steps(&mut app, 3);
    let by = walls.into_iter().min().unwrap();
    assert_eq!(reported(&mut app).crushed, [Crushed { entity: mover, by }]);
}

/// A mover that passes a coin in one frame.
fn passing_mover(app: &mut App) -> [Brief; 2] {
    let coin = spawn(app, (RectCollider::new(1.0, 9.0), at(10.0, 0.0)));
    let mover = Mover::with_velocity(Vec2::X * 20.0 / STEP_SECS);
    let mover = spawn(app, (ball(0.0, 0.0), mover));
    let pass = [
        started(mover, coin),
        ended(mover, coin, CollisionEndReason::Separated),
    ];
    assert_eq!(brief_step(app), pass);
    pass
}

#[test]
fn what_passed_is_not_found_again_where_nothing_moved() {
    let mut app = gated_app();
    passing_mover(&mut app);
    let frozen = Gates {
        moves: false,
        ..Gates::NO_SYNC
    };
    set_gates(&mut app, frozen);
    assert_eq!(steps(&mut app, 3), []);
    refresh_colliders(app.world_mut());
    assert_eq!(steps(&mut app, 3), [], "after a refresh, too");
}

#[test]
fn a_swept_collider_does_not_repeat_its_path_where_only_movers_move() {
    let mut app = gated_app();
    let blade = spawn(&mut app, (ball(0.0, 0.0), Swept));
    let mover = spawn(&mut app, (ball(10.0, 9.0), Mover::default()));
    assert_eq!(step(&mut app), []);
    set_position(&mut app, blade, Vec2::X * 20.0);
    assert_eq!(step(&mut app), []);
    // Down to the position of the blade in the last sync.
    set_gates(&mut app, Gates::NO_SYNC);
    set_velocity(&mut app, mover, Vec2::NEG_Y * 9.0 / STEP_SECS);
    assert_eq!(step(&mut app), []);
    set_gates(&mut app, Gates::ALL);
    set_velocity(&mut app, mover, Vec2::ZERO);
    assert_eq!(step(&mut app), []);
}

#[test]
fn a_mover_that_moves_twice_is_detected_where_it_went_last() {
    let mut app = gated_app();
    let coin = spawn(&mut app, (RectCollider::new(1.0, 9.0), at(30.0, 0.0)));
    let mover = Mover::with_velocity(Vec2::X * 20.0 / STEP_SECS);
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    set_gates(&mut app, Gates::NO_DETECT);
    assert_eq!(step(&mut app), []);
    set_gates(&mut app, Gates::NO_SYNC);
    let events = brief_step(&mut app);
    assert_eq!(
        events,
        [
            started(mover, coin),
            ended(mover, coin, CollisionEndReason::Separated)
        ]
    );
}

#[test]
fn settings_that_change_and_change_back_while_sync_is_off_leave_no_pair() {
    let mut app = gated_app();
    for x in [0.0, 1.0] {
        spawn(&mut app, (RectCollider::new(2.0, 2.0), Solid, at(x, 0.0)));
    }
    assert_eq!(step(&mut app), []);
    let configure = |app: &mut App, solid_pairs| {
        app.world_mut()
            .resource_mut::<CollisionSettings>()
            .solid_pairs = solid_pairs;
    };
    set_gates(&mut app, Gates::NO_SYNC);
    configure(&mut app, true);
    // It is detected by the settings of the last sync.
    let third = (RectCollider::new(2.0, 2.0), Solid, at(0.0, 1.0));
    spawn(&mut app, third);
    refresh_colliders(app.world_mut());
    assert_eq!(step(&mut app), []);
    configure(&mut app, false);
    set_gates(&mut app, Gates::ALL);
    assert_eq!(step(&mut app), []);
    assert_eq!(pairs(&mut app), []);
}

/// A scene in an app with run conditions, in which some entities have `CollidingEntities`.
struct Stage {
    scene: Scene,
    gates: Gates,
    /// Whether movers moved since the last report.
    has_moved: bool,
}

impl Stage {
    fn new(seed: u64) -> Self {
        Self {
            scene: Scene::in_app(gated_app(), seed, 70),
            gates: Gates::ALL,
            has_moved: false,
        }
    }

    fn change_something(&mut self) {
        let scene = &mut self.scene;
        scene.change_something();
        let entity = scene.entities[scene.rng.usize(0..scene.entities.len())];
        match scene.rng.u8(0..8) {
            0 => scene.toggle::<Swept>(entity),
            1 => scene.toggle::<OneWay>(entity),
            2 => scene.toggle::<CollidingEntities>(entity),
            3 => refresh_colliders(scene.app.world_mut()),
            _ => {}
        }
    }

    fn frame(&mut self, context: &str) {
        let events = self.scene.frame(30);
        let alive = |entity: &Entity| self.scene.app.world().get_entity(*entity).is_ok();
        let sides = |(a, b): (Entity, Entity)| [(a, b), (b, a)];
        let mut expected = [vec![], vec![]];
        for event in brief(&events) {
            let (list, pair) = match event {
                Brief::Started(a, b) => (0, (a, b)),
                Brief::Ended(a, b, _) => (1, (a, b)),
            };
            expected[list].extend(sides(pair).into_iter().filter(|(side, _)| alive(side)));
        }
        let reported = reported(&mut self.scene.app);
        assert_eq!([reported.starts, reported.ends], expected, "{context}");
        self.has_moved |= self.gates.moves;
        if !self.gates.report {
            assert_eq!(events, [], "{context}");
        }
        let is_reported = self.gates.report && std::mem::take(&mut self.has_moved);
        self.has_moved |= self.gates.moves && !self.gates.report;
        if !is_reported {
            assert_eq!(
                reported.hits,
                [],
                "{context}: nothing moved since the last report"
            );
        } else if self.gates.moves {
            let now = run_system(
                &mut self.scene.app,
                |movers: Query<(Entity, &MoverHits)>| {
                    let all = movers.iter().collect::<BTreeMap<_, _>>();
                    all.into_values()
                        .flat_map(|hits| hits.to_vec())
                        .collect::<Vec<_>>()
                },
            );
            assert_eq!(reported.hits, now, "{context}");
            assert_eq!(reported.observed_hits, now, "{context}");
        }
        if self.gates.report {
            let open = self.scene.replay.pairs();
            for (entity, list) in lists_of(&mut self.scene.app) {
                let other = |&(a, b): &(Entity, Entity)| match entity {
                    _ if entity == a => Some(b),
                    _ if entity == b => Some(a),
                    _ => None,
                };
                let mut others: Vec<Entity> = open.iter().filter_map(other).collect();
                others.sort();
                assert_eq!(list, others, "{context}: {entity}");
            }
        }
        if self.gates == Gates::ALL {
            self.scene.check(context);
        }
    }
}

#[test]
fn whatever_sets_are_left_out_events_alternate_and_lead_to_the_pairs() {
    let mut checked = 0;
    for seed in 80..100 {
        let mut stage = Stage::new(seed);
        for frame in 0..60 {
            (0..2).for_each(|_| stage.change_something());
            stage.gates = if stage.scene.chance(40) {
                checked += 1;
                Gates::ALL
            } else {
                any_gates(&mut stage.scene.rng)
            };
            set_gates(&mut stage.scene.app, stage.gates);
            let gates = stage.gates;
            stage.frame(&format!("seed {seed}, frame {frame}, {gates:?}"));
        }
    }
    assert!(checked > 300);
}
