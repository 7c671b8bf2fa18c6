//! Movers that start inside walls are depenetrated or crushed.

use std::f32::consts::TAU;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_thud::{
    geometry::{Shape, contains_point, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

const SKIN: f32 = 0.02;

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

fn is_crushed(app: &App, mover: Entity) -> bool {
    app.world().get::<MoverHits>(mover).unwrap().is_crushed()
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
fn a_press_crushes_a_mover_on_a_floor_and_does_not_press_it_through() {
    for (floor_thickness, is_swept) in [(0.5, false), (0.5, true), (4.0, false), (4.0, true)] {
        for radius in [2.0, 6.0, 9.0] {
            let mut app = test_app();
            let floor = RectCollider::new(400.0, floor_thickness);
            spawn(&mut app, (floor, Solid, at(0.0, -floor_thickness / 2.0)));
            let mover = (
                CircleCollider::new(radius),
                Mover::with_velocity(Vec2::NEG_Y),
            );
            let mover = spawn(&mut app, (mover, at(0.0, radius + SKIN)));
            let press = (RectCollider::new(500.0, 200.0), Solid, at(0.0, 130.0));
            let press = spawn(&mut app, press);
            if is_swept {
                app.world_mut().entity_mut(press).insert(Swept);
            }
            app.update();
            for step in 1..30u8 {
                let bottom = 30.0 - f32::from(step);
                set_position(&mut app, press, Vec2::Y * (bottom + 100.0));
                app.update();
                let y = global_position(&app, mover).y;
                assert!(
                    y > 0.0,
                    "{radius} through {floor_thickness}: {y} below {bottom}"
                );
                let has_room = bottom > 2.0 * radius + 2.0 * SKIN;
                assert_eq!(
                    is_crushed(&app, mover),
                    !has_room,
                    "{radius} below {bottom}"
                );
            }
            set_position(&mut app, press, Vec2::Y * 150.0);
            app.update();
            assert!(!is_crushed(&app, mover));
        }
    }
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

/// Whether the center of a mover that starts at the origin gets out of all walls and into one again
/// on the way along a displacement.
fn gets_through_a_wall(walls: &[Shape], displacement: Vec2) -> bool {
    let is_inside = |step: u16| {
        let point = displacement * (f32::from(step) / 400.0);
        walls.iter().any(|wall| contains_point(wall, point))
    };
    let mut outside = (0..=400).skip_while(|&step| is_inside(step));
    outside.any(is_inside)
}

/// Whether the center of a mover that starts at the origin gets through a wall on whose other side
/// it is, not deep in it.
fn leaves_on_another_side(shape: &Shape, walls: &[Shape], displacement: Vec2) -> bool {
    let size_of = |shape: &Shape| (shape.aabb().max - shape.aabb().min).min_element();
    walls.iter().any(|wall| {
        let start = separation(shape, wall);
        let is_shallow = -start.distance < 0.5 * size_of(shape).min(size_of(wall));
        let is_against = displacement.dot(-start.normal) < -1e-3 * displacement.length();
        let mut path = (0..=400u16).map(|step| displacement * (f32::from(step) / 400.0));
        start.distance < 0.0
            && is_shallow
            && is_against
            && path.any(|point| contains_point(wall, point))
    })
}

/// The shortest separating displacement of a dense search: rings of positions around the start,
/// each tested against every wall. None leads the center through a wall.
fn densely_searched_displacement(shape: &Shape, walls: &[Shape], longest: f32) -> Option<f32> {
    let is_free = |offset: Vec2| {
        let moved = shape.translated(offset);
        walls
            .iter()
            .all(|wall| separation(&moved, wall).distance >= 0.0)
            && !gets_through_a_wall(walls, offset)
            && !leaves_on_another_side(shape, walls, offset)
    };
    (0..400)
        .map(|ring| longest * ring as f32 / 400.0)
        .find(|radius| {
            (0..720)
                .any(|step| is_free(Vec2::from_angle(step as f32 * 0.5f32.to_radians()) * *radius))
        })
}

/// A mover in a heap of walls. Returns the shape, the walls and the deepest of the walls.
fn heap(rng: &mut Rng) -> (Shape, Vec<Shape>) {
    let shape = if rng.bool() {
        Shape::circle(Vec2::ZERO, 1.0 + 4.0 * rng.f32())
    } else {
        let size = Vec2::new(2.0 + 6.0 * rng.f32(), 2.0 + 6.0 * rng.f32());
        Shape::rect(Vec2::ZERO, size, Rot2::radians(6.3 * rng.f32()))
    };
    let walls = (0..rng.usize(2..6)).map(|_| {
        let center = (Vec2::new(rng.f32(), rng.f32()) - 0.5) * 14.0;
        let size = Vec2::new(1.0 + 20.0 * rng.f32(), 1.0 + 8.0 * rng.f32());
        Shape::rect(center, size, Rot2::radians(6.3 * rng.f32()))
    });
    (shape, walls.collect())
}

/// An app with a mover among walls, after an update.
fn app_of_mover_in(shape: &Shape, walls: &[Shape]) -> (App, Entity) {
    let mut app = test_app();
    for wall in walls {
        spawn_shape(&mut app, wall, Solid);
    }
    let mover = spawn_shape(&mut app, shape, Mover::default());
    app.update();
    (app, mover)
}

fn assert_short_depenetration_from_heaps(cases: u32) {
    let mut rng = Rng::with_seed(7);
    let (mut escapes, mut several, mut crushed) = (0, 0, 0);
    for case in 0..cases {
        let (shape, walls) = heap(&mut rng);
        let mut depths: Vec<f32> = walls
            .iter()
            .map(|wall| -separation(&shape, wall).distance)
            .collect();
        depths.sort_by(|p, q| q.total_cmp(p));
        if depths[0] <= 0.01 {
            continue;
        }
        let (app, mover) = app_of_mover_in(&shape, &walls);
        let moved_distance = global_position(&app, mover).length();
        let size = shape.aabb().max - shape.aabb().min;
        let max_distance = 2.0 * depths[0] + size.max_element();
        let Some(shortest) = densely_searched_displacement(&shape, &walls, max_distance) else {
            crushed += 1;
            continue;
        };
        if is_crushed(&app, mover) {
            assert!(
                shortest > 0.9 * max_distance,
                "case {case}: it gets out within {shortest}"
            );
            crushed += 1;
            continue;
        }
        let longest = 1.5 * shortest + 2.0 * SKIN;
        assert!(
            moved_distance <= longest,
            "case {case}: {moved_distance} instead of {shortest}"
        );
        let moved = shape.translated(global_position(&app, mover));
        let depth = walls.iter().map(|wall| -separation(&moved, wall).distance);
        let depth = depth.fold(f32::NEG_INFINITY, f32::max);
        assert!(depth < 1e-4, "case {case}: still {depth} deep");
        escapes += 1;
        several += u32::from(depths[1] > 0.01);
    }
    println!("{escapes} escapes, {several} from several walls, {crushed} crushed");
    let are_enough = 8 * several > 3 * cases && 8 * escapes > 5 * cases;
    assert!(are_enough, "{several} of {escapes}");
}

#[test]
fn depenetration_from_a_heap_of_walls_is_less_than_half_as_long_again_as_the_shortest() {
    assert_short_depenetration_from_heaps(60);
}

#[test]
#[ignore = "takes minutes: the same with more cases"]
fn depenetration_from_any_heap_is_less_than_half_as_long_again_as_the_shortest() {
    assert_short_depenetration_from_heaps(400);
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
fn hiding_a_crushed_mover_before_the_report_loses_no_event() {
    let mut app = unstarted_app(CollisionPlugin::default());
    gate_sets(&mut app);
    set_gates(&mut app, Gates::NO_REPORT);
    start(&mut app);
    let (_, mover) = press(&mut app, 1.5);
    app.update();
    assert!(is_crushed(&app, mover));
    app.world_mut().entity_mut(mover).insert(Disabled);
    app.update();
    app.world_mut().entity_mut(mover).remove::<Disabled>();
    set_gates(&mut app, Gates::ALL);
    app.update();
    assert_eq!(messages(&app), 1);
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

/// The shortest displacement out of all walls in one of 64 directions, by conservative advancement,
/// or `None` if all are longer than this or lead the center through a wall.
fn shortest_straight(shape: &Shape, walls: &[Shape], normal: Vec2, longest: f32) -> Option<f32> {
    let out_along = |direction: Vec2| {
        let mut length = 0.0;
        while length < longest {
            let moved = shape.translated(direction * length);
            let nearest = (walls.iter().map(|wall| separation(&moved, wall).distance))
                .fold(f32::INFINITY, f32::min);
            if nearest >= SKIN - 1e-3 {
                return Some(length);
            }
            length += SKIN - nearest;
        }
        None
    };
    (0..64u8)
        .filter_map(|number| {
            let turn = Vec2::from_angle(f32::from(number) * TAU / 64.0);
            let direction = turn.rotate(normal);
            out_along(direction).filter(|length| {
                let displacement = direction * *length;
                !gets_through_a_wall(walls, displacement)
                    && !leaves_on_another_side(shape, walls, displacement)
            })
        })
        .min_by(f32::total_cmp)
}

#[test]
fn depenetration_that_makes_a_detour_is_no_longer_than_the_shortest_straight_one() {
    let mut rng = Rng::with_seed(3);
    let mut decided = 0;
    for case in 0..20 {
        let (shape, walls) = heap(&mut rng);
        let to_wall = |wall| separation(&shape, wall);
        let deepest = (walls.iter().map(to_wall)).min_by(|p, q| p.distance.total_cmp(&q.distance));
        let deepest = deepest.expect("there are walls");
        if deepest.distance > -0.01 {
            continue;
        }
        let size = (shape.aabb().max - shape.aabb().min).max_element();
        let longest = size - 2.0 * deepest.distance;
        let straight = shortest_straight(&shape, &walls, -deepest.normal, longest);
        let Some(straight) = straight else {
            continue;
        };
        let (app, mover) = app_of_mover_in(&shape, &walls);
        let moved_distance = global_position(&app, mover).length();
        let allowed = straight.max(1.2 * (SKIN - deepest.distance)) + 0.01;
        assert!(
            moved_distance <= allowed,
            "case {case}: {moved_distance} instead of {straight}"
        );
        decided += 1;
    }
    assert!(decided >= 10, "{decided}");
}
