//! How far, and with which velocity, floors carry walkers: not those that something else moves as
//! well.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Body, Course, bodies},
    platforms::on_platform,
};

fn boxed() -> Shape {
    bodies()[1].1.clone()
}

/// Makes a walker and its floor children of an entity with this transform, where they are.
fn put_into_room(course: &mut Course, floor: Entity, room: impl Bundle) -> Entity {
    let room = course.app.world_mut().spawn(room).id();
    for entity in [floor, course.walker] {
        let mut entity = course.app.world_mut().entity_mut(entity);
        entity.insert(ChildOf(room));
    }
    course.steps(3);
    room
}

#[test]
fn a_walker_whose_parent_moves_its_floor_as_well_stays_on_it() {
    for step in [Vec2::X, Vec2::new(0.0, 5.0), Vec2::new(-3.0, -2.0)] {
        let (mut course, floor) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
        let pose = Transform::from_xyz(30.0, -20.0, 0.0).with_scale(Vec3::splat(1.5));
        let room = put_into_room(&mut course, floor, pose);
        let in_room = course.position();
        for _ in 0..10 {
            course.transform(room).translation += step.extend(0.0);
            course.step();
            assert!(course.ground().is_on_floor(), "{step}");
            assert_eq!(course.ground().floor_velocity(), Vec2::ZERO);
            let off = course.position().distance(in_room);
            assert!(off < 1e-3, "{step}: {off}");
        }
    }
}

#[test]
fn a_crew_stays_on_the_deck_of_its_ship() {
    let (mut course, deck) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
    let ship = Mover::with_velocity(Vec2::new(90.0, 30.0));
    put_into_room(&mut course, deck, (ship, Transform::default()));
    let on_deck = course.position();
    course.steps(30);
    assert!(course.ground().is_on_floor());
    assert!(course.position().distance(on_deck) < 1e-3);
}

#[test]
fn a_platform_in_a_room_that_moves_carries_a_walker_by_its_own_motion() {
    let (mut course, floor) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
    let quarter = Quat::from_rotation_z(0.5);
    let room = put_into_room(&mut course, floor, Transform::from_rotation(quarter));
    course.transform(course.walker).rotation = quarter.inverse();
    course.steps(2);
    let before = course.position() - course.position_of(floor);
    for _ in 0..20 {
        course.transform(room).translation += Vec3::new(1.0, 2.0, 0.0);
        course.transform(floor).translation.x += 2.0;
        course.step();
        let now = course.position() - course.position_of(floor);
        assert!(course.ground().is_on_floor());
        assert!(now.distance(before) < 0.01, "{now} {before}");
    }
}

#[test]
fn a_teleported_walker_is_not_carried_by_the_floor_that_it_left() {
    let (mut course, platform) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
    for _ in 0..5 {
        course.transform(platform).translation.x += 2.0;
        course.step();
    }
    course.transform(platform).translation.x += 2.0;
    let elsewhere = Vec2::new(1000.0, 500.0);
    course.transform(course.walker).translation = elsewhere.extend(0.0);
    course.step();
    assert!((course.position().x - 1000.0).abs() < 1e-3);
    assert_eq!(course.velocity().x, 0.0);
}

#[test]
fn a_world_that_is_shifted_leaves_walkers_on_their_floors() {
    let (mut course, platform) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
    for entity in [platform, course.walker] {
        course.transform(entity).translation.x -= 1000.0;
    }
    course.step();
    assert!((course.position().x + 1000.0).abs() < 0.01);
    assert_eq!(course.ground().floor_velocity(), Vec2::ZERO);
}

#[test]
fn a_jump_from_a_lift_is_the_same_whether_it_is_swept() {
    for speed in [1.0, 5.0] {
        let [without, with] = [false, true].map(|is_swept| {
            let (mut course, lift) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
            if is_swept {
                course.app.world_mut().entity_mut(lift).insert(Swept);
            }
            for step in 0..20 {
                if step == 19 {
                    course.jump(250.0);
                }
                course.transform(lift).translation.y += speed;
                course.step();
            }
            assert!(!course.ground().is_on_floor());
            (course.velocity(), course.position())
        });
        assert!(without.0.distance(with.0) < 0.1, "{without:?} {with:?}");
        assert!(without.1.distance(with.1) < 0.1, "{without:?} {with:?}");
    }
}

#[test]
fn a_door_pushes_a_walker_off_its_way_along_the_lift() {
    let (mut course, lift) = on_platform(&boxed(), [200.0, 10.0], Walker::default());
    let door = course.block([-20.0, 20.0], [20.0, 200.0]);
    for entity in [lift, door] {
        course.app.world_mut().entity_mut(entity).insert(Swept);
    }
    course.steps(2);
    for _ in 0..10 {
        course.transform(lift).translation.y += 6.0;
        course.transform(door).translation.x += 6.0;
        course.step();
        assert!(course.ground().is_on_floor());
    }
    let from_door = course.position().x - course.position_of(door).x;
    assert!((from_door - 16.0).abs() < 0.1, "{from_door}");
}

#[test]
fn a_walker_that_a_lift_crushes_has_no_velocity() {
    for is_swept in [false, true] {
        for step in [3.0, 50.0] {
            let (mut course, lift) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
            if is_swept {
                course.app.world_mut().entity_mut(lift).insert(Swept);
            }
            course.block([0.0, 60.0], [400.0, 20.0]);
            course.steps(2);
            let is_crushed = (0..14).any(|_| {
                course.transform(lift).translation.y += step;
                course.step();
                println!(
                    "{} {} {:?}",
                    course.position(),
                    course.velocity(),
                    course.ground()
                );
                course.get::<MoverHits>().is_crushed()
            });
            assert!(
                is_crushed || !is_swept && step > 20.0,
                "swept: {is_swept}, {step}"
            );
            if is_crushed {
                assert_eq!(course.velocity(), Vec2::ZERO);
            }
        }
    }
}

#[test]
fn only_the_component_of_a_conveyor_along_its_surface_counts() {
    let (mut course, belt) = on_platform(&boxed(), [600.0, 10.0], Walker::default());
    let conveyor = Conveyor(Vec2::new(50.0, 30.0));
    course.app.world_mut().entity_mut(belt).insert(conveyor);
    course.steps(3);
    let carried = course.ground().floor_velocity();
    assert!(carried.distance(Vec2::X * 50.0) < 0.01, "{carried}");
    course.jump(250.0);
    course.step();
    assert!((course.velocity().y - 235.0).abs() < 0.1);
}

#[test]
fn walking_against_a_conveyor_keeps_the_velocity() {
    let (mut course, belt) = on_platform(&boxed(), [600.0, 10.0], Walker::default());
    let conveyor = Conveyor(Vec2::X * 50.0);
    course.app.world_mut().entity_mut(belt).insert(conveyor);
    course.steps(2);
    course.speed = -50.0;
    course.steps(2);
    assert_eq!(course.velocity(), Vec2::X * -50.0);
}

#[test]
fn who_steps_off_a_mover_that_rises_stands_on_the_ledge() {
    let mut course = Course::new(&boxed(), Vec2::new(35.5, 7.2), Walker::default());
    let lift = course.block([0.0, -4.0], [60.0, 10.0]);
    let ledge = course.block([130.0, -50.0], [200.0, 100.0]);
    course.settle();
    let rising = Mover::with_velocity(Vec2::Y * 300.0);
    course.app.world_mut().entity_mut(lift).insert(rising);
    course.speed = 100.0;
    course.step();
    assert_eq!(
        course.ground().floor().map(|floor| floor.entity),
        Some(ledge)
    );
    assert!((course.position().y - 6.02).abs() < 0.1);
}

#[test]
fn a_floor_that_slips_away_below_a_walker_that_is_held_carries_it_at_no_velocity() {
    let (mut course, platform) = on_platform(&boxed(), [600.0, 10.0], Walker::default());
    course.block([16.0, 20.0], [10.0, 28.0]);
    for _ in 0..20 {
        course.transform(platform).translation.x += 1.0;
        course.step();
    }
    assert!((course.position().x - 4.98).abs() < 0.1);
    let carried = course.ground().floor_velocity();
    assert!(carried.length() < 0.1, "{carried}");
    course.jump(250.0);
    course.step();
    assert!(course.velocity().x.abs() < 0.1);
}

/// Where two solid walkers that touch are after five updates: the one at the back and the one in
/// front of it, each on a block of its own that moves sideways by so much in an update.
fn neighbors_on_blocks(rear_by: f32, front_by: f32) -> [f32; 2] {
    let mut course = Course::new(&boxed(), Vec2::new(-6.05, 14.1), Walker::default());
    let blocks = [-38.0, 30.0].map(|x| course.block([x, 0.0], [60.0, 16.0]));
    let rear = course.walker;
    course.app.world_mut().entity_mut(rear).insert(Solid);
    let front = Transform::from_xyz(6.05, 14.02, 0.0);
    let front = (Body(boxed()), front, Mover::default(), Walker::default());
    let front = course.app.world_mut().spawn((front, Solid)).id();
    course.settle();
    course.steps(3);
    for _ in 0..5 {
        for (block, by) in std::iter::zip(blocks, [rear_by, front_by]) {
            course.transform(block).translation.x += by;
        }
        course.step();
    }
    [rear, front].map(|walker| course.position_of(walker).x)
}

#[test]
fn neighbors_on_blocks_that_move_together_do_not_hold_each_other_back() {
    let [rear, _] = neighbors_on_blocks(2.0, 2.0);
    assert!((rear - 3.95).abs() < 0.1, "{rear}");
}

#[test]
fn a_neighbor_on_a_slower_block_holds_a_walker_back() {
    let [rear, front] = neighbors_on_blocks(2.0, 0.5);
    assert!((front - 8.55).abs() < 0.1, "{front}");
    // It is held where the neighbor was before this update.
    assert!((rear - (front - 12.5)).abs() < 0.1, "{rear} {front}");
}

#[test]
fn a_floor_that_is_mirrored_leaves_walkers_where_they_are() {
    let mirrors = [
        Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
        Transform::from_scale(Vec3::new(1.0, -1.0, 1.0)),
        Transform::from_rotation(Quat::from_rotation_y(PI)),
    ];
    for mirrored in mirrors {
        let (mut course, platform) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
        course.transform(course.walker).translation.x = 10.0;
        course.steps(3);
        let before = course.position();
        *course.transform(platform) = mirrored.with_translation(Vec3::X * 2.0);
        course.step();
        let moved = course.position() - before;
        assert!(
            moved.distance(Vec2::X * 2.0) < 0.01,
            "{mirrored:?}: {moved}"
        );
        let velocity = course.ground().floor_velocity();
        assert!(velocity.distance(Vec2::X * 120.0) < 0.1, "{velocity}");
    }
}

#[test]
fn a_walker_whose_parent_is_mirrored_stays_on_a_floor_that_rests() {
    for floor_center in [100.0, 0.0, -70.0] {
        let mut course = Course::new(&boxed(), Vec2::new(20.0, 6.1), Walker::default());
        course.block([floor_center, -8.0], [2000.0, 16.0]);
        let parent = course.app.world_mut().spawn(Transform::IDENTITY).id();
        let walker = course.walker;
        course
            .app
            .world_mut()
            .entity_mut(walker)
            .insert(ChildOf(parent));
        course.settle();
        course.steps(2);
        course.transform(parent).scale.x = -1.0;
        course.step();
        let end = -course.position_of(walker).x;
        assert!((end - 20.0).abs() < 0.01, "{floor_center}: {end}");
    }
}

#[test]
fn a_walker_that_gets_another_parent_is_not_carried_back() {
    let ground = |course: &mut Course| course.block([300.0, -8.0], [2000.0, 16.0]);
    let mut course = Course::new(&boxed(), Vec2::new(50.0, 6.1), Walker::default());
    ground(&mut course);
    course.settle();
    course.steps(2);
    let ship = Transform::from_xyz(500.0, 0.0, 0.0);
    let ship = course.app.world_mut().spawn(ship).id();
    let walker = course.walker;
    for is_child in [true, false] {
        let mut entity = course.app.world_mut().entity_mut(walker);
        if is_child {
            entity.insert(ChildOf(ship));
        } else {
            entity.remove::<ChildOf>();
        }
        for _ in 0..3 {
            course.step();
            let position = course.position();
            assert!((position.x - 50.0).abs() < 0.01, "{is_child}: {position}");
            assert_eq!(course.ground().floor_velocity(), Vec2::ZERO);
            assert!(course.ground().is_on_floor());
        }
    }
}

#[test]
fn a_walker_that_was_no_mover_meanwhile_is_not_carried() {
    let (mut course, lift) = on_platform(&boxed(), [600.0, 10.0], Walker::default());
    let walker = course.walker;
    course.app.world_mut().entity_mut(walker).remove::<Mover>();
    assert_eq!(*course.ground(), Ground::default());
    course.transform(lift).translation.x += 100.0;
    course.app.update();
    let mover = Mover::default();
    course.app.world_mut().entity_mut(walker).insert(mover);
    course.steps(2);
    assert!(course.position().x.abs() < 0.01, "{}", course.position());
    assert!(course.ground().is_on_floor());
}

#[test]
fn a_conveyor_that_runs_into_a_wall_gives_no_velocity() {
    for (name, body) in bodies() {
        for speed in [0.0, 100.0] {
            let (mut course, belt) = on_platform(&body, [600.0, 10.0], Walker::default());
            let conveyor = Conveyor(Vec2::X * 100.0);
            course.app.world_mut().entity_mut(belt).insert(conveyor);
            course.block([26.0, 50.0], [10.0, 88.0]);
            course.speed = speed;
            course.steps(60);
            let velocity = course.ground().floor_velocity();
            assert_eq!(velocity, Vec2::ZERO, "{name}, {speed}");
            course.speed = 0.0;
            course.jump(250.0);
            course.step();
            assert!(course.velocity().x.abs() < 0.1, "{name}, {speed}");
            course.steps(60);
            // Away from the wall it carries again, and so it does against the walker's motion.
            for speed in [-150.0, -100.0] {
                course.speed = speed;
                course.steps(2);
                let velocity = course.ground().floor_velocity();
                let off = velocity.distance(Vec2::X * 100.0);
                assert!(off < 0.01, "{name}, {speed}: {velocity}");
            }
        }
    }
}

#[test]
fn a_floor_that_jumps_down_leaves_walkers_in_the_air_and_a_mover_takes_them_along() {
    for is_mover in [false, true] {
        let (mut course, platform) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
        if is_mover {
            let mover = Mover::default();
            course.app.world_mut().entity_mut(platform).insert(mover);
            course.steps(2);
        }
        course.transform(platform).translation.y -= 300.0;
        let mut state = course.app.world_mut().resource_mut::<CollisionState>();
        state.teleport(platform);
        course.step();
        let height = course.position().y;
        assert_eq!(course.ground().is_on_floor(), is_mover, "{height}");
        assert_eq!(course.left.is_empty(), is_mover, "{height}");
        assert_eq!(height < -280.0, is_mover, "{height}");
    }
}

#[test]
fn a_walker_with_a_new_ground_is_left_behind_by_a_floor_that_wraps() {
    for is_left in [false, true] {
        let (mut course, platform) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
        course.steps(2);
        let before = course.position();
        course.transform(platform).translation.x += 300.0;
        let mut state = course.app.world_mut().resource_mut::<CollisionState>();
        state.teleport(platform);
        if is_left {
            let walker = course.walker;
            course
                .app
                .world_mut()
                .entity_mut(walker)
                .insert(Ground::default());
        }
        course.step();
        let moved = course.position().x - before.x;
        assert_eq!(moved.abs() < 0.01, is_left, "{moved}");
        assert_eq!(course.ground().is_on_floor(), !is_left);
    }
}
