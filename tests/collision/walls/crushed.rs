//! Movers without room between walls are crushed, until the walls open.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

#[derive(Resource, Default)]
struct Received(Vec<Entity>);

/// An app that records the `Crushed` messages.
fn listening_app() -> App {
    let mut app = test_app();
    app.init_resource::<Received>();
    app.add_observer(|crushed: On<Crushed>, mut received: ResMut<Received>| {
        received.0.push(crushed.entity);
    });
    app
}

fn messages(app: &App) -> usize {
    app.world().resource::<Messages<Crushed>>().len()
}

/// A press of two walls of 60 by 60 that leave a gap of this width around the center, and a mover
/// in it.
fn press(app: &mut App, gap: f32) -> ([Entity; 2], Entity) {
    let walls = [-1.0, 1.0].map(|side| {
        let wall = (RectCollider::new(60.0, 60.0), Solid);
        spawn(app, (wall, at(side * (30.0 + gap / 2.0), 0.0)))
    });
    (
        walls,
        spawn(
            app,
            (CircleCollider::new(1.0), Mover::default(), at(0.0, 0.0)),
        ),
    )
}

fn close_to(app: &mut App, walls: [Entity; 2], gap: f32) {
    for (wall, side) in walls.into_iter().zip([-1.0, 1.0]) {
        set_position(app, wall, Vec2::new(side * (30.0 + gap / 2.0), 0.0));
    }
    app.update();
}

#[test]
fn between_walls_that_close_a_mover_is_crushed_until_they_open() {
    let mut app = listening_app();
    let (walls, mover) = press(&mut app, 4.0);
    app.update();
    for gap in [3.0, 2.1, 2.01, 2.0] {
        close_to(&mut app, walls, gap);
        assert!(!is_crushed(&app, mover), "{gap}");
    }
    for gap in [1.9, 1.5, 1.0] {
        close_to(&mut app, walls, gap);
        assert!(is_crushed(&app, mover), "{gap}");
        assert!(
            global_position(&app, mover).length() < 0.02,
            "it keeps still"
        );
        let hits = app.world().get::<MoverHits>(mover).unwrap();
        assert_eq!(hits.len(), 2, "both walls are named");
    }
    assert_eq!(
        app.world().resource::<Received>().0,
        [mover],
        "it is said once"
    );
    close_to(&mut app, walls, 3.0);
    assert!(!is_crushed(&app, mover));
    close_to(&mut app, walls, 1.5);
    assert_eq!(app.world().resource::<Received>().0, [mover, mover]);
    assert_eq!(messages(&app), 1);
}

#[test]
fn the_wall_that_moved_is_what_crushes() {
    for is_swept in [false, true] {
        for moved in [0, 1] {
            let mut app = test_app();
            let (walls, mover) = press(&mut app, 4.0);
            for wall in walls.into_iter().filter(|_| is_swept) {
                app.world_mut().entity_mut(wall).insert(Swept);
            }
            app.update();
            let crushed = (0..20).find_map(|step| {
                let x = [-1.0, 1.0][moved] * (32.0 - 0.3 * step as f32);
                set_position(&mut app, walls[moved], Vec2::new(x, 0.0));
                app.update();
                let messages = app.world().resource::<Messages<Crushed>>();
                messages.iter_current_update_messages().next().copied()
            });
            let expected = Crushed {
                entity: mover,
                by: walls[moved],
            };
            assert_eq!(crushed, Some(expected), "swept {is_swept}, {moved}");
        }
    }
}

#[test]
fn a_crushed_mover_does_not_move_and_loses_its_velocity() {
    let mut app = listening_app();
    let (walls, mover) = press(&mut app, 1.5);
    let velocity = Vec2::new(30.0, 50.0);
    app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = velocity;
    app.update();
    assert!(is_crushed(&app, mover));
    assert_eq!(global_position(&app, mover), Vec2::ZERO);
    assert_eq!(
        app.world().get::<Mover>(mover).unwrap().velocity,
        Vec2::ZERO
    );
    app.world_mut().despawn(walls[0]);
    app.update();
    assert!(!is_crushed(&app, mover));
}

#[test]
fn who_was_crushed_in_a_trigger_moves_as_soon_as_the_walls_open() {
    let mut app = listening_app();
    let (walls, mover) = press(&mut app, 1.5);
    spawn(&mut app, (RectCollider::new(50.0, 50.0), at(0.0, 0.0)));
    app.update();
    assert!(is_crushed(&app, mover));
    app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = Vec2::Y * 60.0;
    close_to(&mut app, walls, 10.0);
    let position = global_position(&app, mover);
    assert!(position.y > 0.5, "{position}");
}

#[test]
fn between_walls_that_end_nearby_a_mover_escapes_to_the_side() {
    let mut app = listening_app();
    for side in [-1.0, 1.0] {
        let wall = (RectCollider::new(2.0, 2.0), Solid);
        spawn(&mut app, (wall, at(side * 1.5, 0.0)));
    }
    let mover = spawn(
        &mut app,
        (CircleCollider::new(1.0), Mover::default(), at(0.0, 0.3)),
    );
    app.update();
    assert!(!is_crushed(&app, mover));
    let position = global_position(&app, mover);
    assert!(position.y > 1.5 && position.y < 2.2, "{position}");
}

#[test]
fn a_mover_in_a_wall_with_just_room_beside_it_is_not_crushed() {
    for aside in [0.008, 0.012, 0.02, 0.1, -0.008, -0.012, -0.02, -0.1] {
        let mut app = listening_app();
        let (walls, mover) = press(&mut app, 4.0);
        app.update();
        set_position(&mut app, mover, Vec2::new(aside, 0.0));
        close_to(&mut app, walls, 2.012);
        assert!(!is_crushed(&app, mover), "{aside}");
        let x = global_position(&app, mover).x;
        assert!(x.abs() < 0.006, "{aside}: it is in a wall at {x}");
    }
}

#[test]
fn a_mover_that_only_fits_tightly_is_not_crushed() {
    let mut app = listening_app();
    let (_, mover) = press(&mut app, 2.01);
    for _ in 0..10 {
        app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = Vec2::new(5.0, 20.0);
        app.update();
        assert!(!is_crushed(&app, mover));
    }
    assert!(
        global_position(&app, mover).y > 2.0,
        "it goes along the gap"
    );
}

#[test]
fn who_is_crushed_stays_so_while_time_stands_still() {
    let mut app = listening_app();
    let (_, mover) = press(&mut app, 1.5);
    app.update();
    for is_paused in [true, false] {
        let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
        if is_paused {
            time.pause();
        } else {
            time.unpause();
        }
        app.update();
        assert!(is_crushed(&app, mover));
    }
    assert_eq!(
        app.world().resource::<Received>().0,
        [mover],
        "it is said once"
    );
}

#[test]
fn a_clone_of_a_crushed_mover_is_said_to_be_crushed_too() {
    let mut app = listening_app();
    let (_, mover) = press(&mut app, 1.5);
    app.update();
    let clone = app.world_mut().entity_mut(mover).clone_and_spawn();
    assert!(!is_crushed(&app, clone), "nothing crushed it yet");
    steps(&mut app, 3);
    assert!(is_crushed(&app, mover) && is_crushed(&app, clone));
    assert_eq!(app.world().resource::<Received>().0, [mover, clone]);
}

#[test]
fn a_wall_that_only_touches_a_crushed_mover_is_not_named() {
    let mut app = listening_app();
    let mut walls = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|side| {
        let position = side * 20.25;
        let wall = (
            RectCollider::new(40.0, 40.0),
            Solid,
            at(position.x, position.y),
        );
        spawn(&mut app, wall)
    });
    let touching = (RectCollider::new(2.0, 2.0), Solid, at(1.5, 0.0));
    spawn(&mut app, touching);
    let mover = (RectCollider::new(1.0, 1.0), Mover::default(), at(0.0, 0.0));
    let mover = spawn(&mut app, mover);
    app.update();
    assert!(is_crushed(&app, mover));
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    let blockers: Vec<Entity> = hits.iter().map(|hit| hit.blocker).collect();
    walls.sort_unstable();
    assert_eq!(blockers, walls);
}
