//! Run conditions on the plugin's sets.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::{scene::Scene, *};

#[derive(Resource)]
struct Paused(bool);

/// An app that [`pause`] pauses.
fn pausing_app() -> App {
    let mut app = unstarted_app(CollisionPlugin::default());
    app.insert_resource(Paused(false)).configure_sets(
        PostUpdate,
        CollisionSystems::All.run_if(|paused: Res<Paused>| !paused.0),
    );
    start(&mut app);
    app
}

fn pause(app: &mut App, is_paused: bool) {
    app.insert_resource(Paused(is_paused));
}

#[test]
fn a_pause_stops_movers_and_events_until_it_is_over() {
    let mut app = pausing_app();
    let mover = Mover::with_velocity(Vec2::X * 64.0);
    let mover = spawn(&mut app, (ball(0.0, 9.0), mover));
    let [a, b, c] = [0.0, 1.5, 9.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    pause(&mut app, true);
    app.world_mut().despawn(a);
    set_position(&mut app, c, Vec2::X * 2.5);
    assert_eq!(steps(&mut app, 3), []);
    assert_eq!(pairs(&mut app).len(), 1);
    assert_eq!(local_position(&app, mover), Vec2::new(1.0, 9.0));
    pause(&mut app, false);
    let despawned = ended(a, b, CollisionEndReason::Despawned);
    assert_eq!(brief_step(&mut app), [despawned, started(b, c)]);
    assert_eq!(local_position(&app, mover), Vec2::new(2.0, 9.0));
}

#[test]
fn a_swept_collider_crosses_after_a_pause_what_came_into_its_way() {
    let mut app = pausing_app();
    let blade = spawn(&mut app, (ball(0.0, 0.0), Swept));
    assert_eq!(step(&mut app), []);
    pause(&mut app, true);
    let board = spawn(&mut app, (RectCollider::new(0.1, 20.0), at(10.0, 0.0)));
    set_position(&mut app, blade, Vec2::X * 20.0);
    assert_eq!(steps(&mut app, 2), []);
    pause(&mut app, false);
    let crossed = [
        started(blade, board),
        ended(blade, board, CollisionEndReason::Separated),
    ];
    assert_eq!(brief_step(&mut app), crossed);
}

#[test]
fn after_a_pause_the_pairs_are_those_that_overlap() {
    for seed in 80..90 {
        let mut scene = Scene::in_app(pausing_app(), seed, 70);
        for frame in 0..60 {
            (0..2).for_each(|_| scene.change_something());
            let is_paused = scene.chance(50);
            pause(&mut scene.app, is_paused);
            let events = scene.frame(30);
            if is_paused {
                assert_eq!(events, [], "seed {seed}, frame {frame}");
            } else {
                scene.check(&format!("seed {seed}, frame {frame}"));
            }
        }
    }
}

#[test]
fn a_run_condition_on_one_stage_alone_panics_nowhere() {
    let stages = [
        CollisionSystems::Sync,
        CollisionSystems::Move,
        CollisionSystems::Detect,
        CollisionSystems::Report,
    ];
    for (seed, stage) in (90..).zip(stages) {
        let mut app = unstarted_app(CollisionPlugin::default());
        app.insert_resource(Paused(false))
            .configure_sets(PostUpdate, stage.run_if(|paused: Res<Paused>| !paused.0));
        start(&mut app);
        let mut scene = Scene::in_app(app, seed, 70);
        for _ in 0..60 {
            (0..2).for_each(|_| scene.change_something());
            let is_paused = scene.chance(50);
            pause(&mut scene.app, is_paused);
            scene.move_some(30);
            scene.app.update();
        }
    }
}
