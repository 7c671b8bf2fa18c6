//! `Swept`: fast colliders whose `Transform` the game writes.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// A swept circle of radius 1 at the origin and a thin board at x = 10, after a run.
fn blade_and_board() -> (App, [Entity; 2]) {
    let mut app = test_app();
    let blade = spawn(&mut app, (ball(0.0, 0.0), Swept));
    let board = spawn(&mut app, (RectCollider::new(0.1, 20.0), at(10.0, 0.0)));
    assert_eq!(step(&mut app), []);
    (app, [blade, board])
}

fn crossed(blade: Entity, board: Entity) -> [Brief; 2] {
    [
        started(blade, board),
        ended(blade, board, EndReason::Separated),
    ]
}

#[test]
fn what_is_on_the_way_starts_and_ends() {
    let (mut app, [blade, board]) = blade_and_board();
    place(&mut app, blade, Vec2::new(20.0, 0.0));
    let events = step(&mut app);
    assert_eq!(brief(&events), crossed(blade, board));
    let CollisionEvent::Started {
        time_of_impact,
        contact,
        ..
    } = events[0]
    else {
        unreachable!()
    };
    assert!(
        (time_of_impact - 8.95 / 20.0).abs() < 1e-4,
        "{time_of_impact}"
    );
    assert!((contact.point.x - 9.95).abs() < 1e-3, "{contact:?}");
    assert_eq!(step(&mut app), [], "it has arrived");
}

#[test]
fn without_it_a_written_transform_is_a_jump() {
    let (mut app, [blade, _]) = blade_and_board();
    app.world_mut().entity_mut(blade).remove::<Swept>();
    place(&mut app, blade, Vec2::new(20.0, 0.0));
    assert_eq!(step(&mut app), []);
}

#[test]
fn where_it_appears_it_has_always_been() {
    let (mut app, [blade, board]) = blade_and_board();
    // Teleported.
    place(&mut app, blade, Vec2::new(20.0, 0.0));
    app.world_mut().get_mut::<Swept>(blade).unwrap().teleport();
    assert_eq!(step(&mut app), []);
    // Enabled again elsewhere.
    app.world_mut().entity_mut(blade).insert(ColliderDisabled);
    assert_eq!(step(&mut app), []);
    place(&mut app, blade, Vec2::ZERO);
    app.world_mut()
        .entity_mut(blade)
        .remove::<ColliderDisabled>();
    assert_eq!(step(&mut app), []);
    // Put under a parent that is elsewhere.
    let parent = spawn(&mut app, at(20.0, 0.0));
    app.world_mut().entity_mut(blade).insert(ChildOf(parent));
    assert_eq!(step(&mut app), []);
    // From here on it is swept again.
    place(&mut app, blade, Vec2::new(-20.0, 0.0));
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}

#[test]
fn a_parent_takes_it_along_its_way() {
    let (mut app, [blade, board]) = blade_and_board();
    let parent = spawn(&mut app, at(0.0, 0.0));
    app.world_mut().entity_mut(blade).insert(ChildOf(parent));
    assert_eq!(step(&mut app), []);
    place(&mut app, parent, Vec2::new(20.0, 0.0));
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}

#[test]
fn two_that_go_through_each_other_meet() {
    let (mut app, [blade, board]) = blade_and_board();
    app.world_mut().despawn(board);
    let other = spawn(&mut app, (ball(20.0, 0.0), Swept));
    step(&mut app);
    place(&mut app, blade, Vec2::new(20.0, 0.0));
    place(&mut app, other, Vec2::new(0.0, 0.0));
    let events = step(&mut app);
    assert_eq!(brief(&events), crossed(blade, other));
    let CollisionEvent::Started { time_of_impact, .. } = events[0] else {
        unreachable!()
    };
    assert!((time_of_impact - 0.45).abs() < 1e-4, "{time_of_impact}");
}

#[test]
fn solid_ones_hear_walls() {
    let (mut app, [blade, board]) = blade_and_board();
    app.world_mut().entity_mut(blade).insert(Solid);
    app.world_mut().entity_mut(board).insert(Solid);
    step(&mut app);
    place(&mut app, blade, Vec2::new(20.0, 0.0));
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}

#[test]
fn a_place_that_is_not_finite_is_no_way() {
    let (mut app, [blade, board]) = blade_and_board();
    place(&mut app, blade, Vec2::new(f32::NAN, 0.0));
    assert_eq!(step(&mut app), []);
    place(&mut app, blade, Vec2::new(20.0, 0.0));
    assert_eq!(step(&mut app), []);
    place(&mut app, blade, Vec2::ZERO);
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}
