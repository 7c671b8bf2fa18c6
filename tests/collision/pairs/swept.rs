//! `Swept`: fast colliders whose `Transform` the game writes.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// A swept circle of radius 1 at the origin and a thin board at x = 10, after an update.
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
        ended(blade, board, CollisionEndReason::Separated),
    ]
}

#[test]
fn colliders_on_the_path_start_and_end() {
    let (mut app, [blade, board]) = blade_and_board();
    set_position(&mut app, blade, Vec2::new(20.0, 0.0));
    let events = step(&mut app);
    assert_eq!(brief(&events), crossed(blade, board));
    let CollisionEvent::Started {
        fraction, contact, ..
    } = events[0]
    else {
        unreachable!()
    };
    assert!((fraction - 8.95 / 20.0).abs() < 1e-4, "{fraction}");
    assert!((contact.point.x - 9.95).abs() < 1e-3, "{contact:?}");
    assert_eq!(step(&mut app), [], "it has arrived");
}

#[test]
fn without_it_a_written_transform_is_a_jump() {
    let (mut app, [blade, _]) = blade_and_board();
    app.world_mut().entity_mut(blade).remove::<Swept>();
    set_position(&mut app, blade, Vec2::new(20.0, 0.0));
    assert_eq!(step(&mut app), []);
}

#[test]
fn where_it_appears_it_has_always_been() {
    let (mut app, [blade, board]) = blade_and_board();
    // Teleported.
    set_position(&mut app, blade, Vec2::new(20.0, 0.0));
    app.world_mut()
        .resource_mut::<CollisionState>()
        .teleport(blade);
    assert_eq!(step(&mut app), []);
    // Enabled again elsewhere.
    app.world_mut().entity_mut(blade).insert(ColliderDisabled);
    assert_eq!(step(&mut app), []);
    set_position(&mut app, blade, Vec2::ZERO);
    app.world_mut()
        .entity_mut(blade)
        .remove::<ColliderDisabled>();
    assert_eq!(step(&mut app), []);
    // Moved under a parent that is elsewhere.
    let parent = spawn(&mut app, at(20.0, 0.0));
    app.world_mut().entity_mut(blade).insert(ChildOf(parent));
    assert_eq!(step(&mut app), []);
    // From here on it is swept again.
    set_position(&mut app, blade, Vec2::new(-20.0, 0.0));
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}

#[test]
fn another_shape_is_no_motion() {
    let (mut app, [blade, board]) = blade_and_board();
    let polygon = |x: f32| {
        let vertices = [(x, -1.0), (x + 2.0, 0.0), (x, 1.0)];
        PolygonCollider::new(vertices.map(Vec2::from)).unwrap()
    };
    app.world_mut()
        .entity_mut(blade)
        .remove::<CircleCollider>()
        .insert(polygon(20.0));
    assert_eq!(step(&mut app), [], "a polygon for a circle");
    app.world_mut().entity_mut(blade).insert(polygon(0.0));
    assert_eq!(step(&mut app), [], "a polygon for a polygon");
    set_position(&mut app, blade, Vec2::new(20.0, 0.0));
    app.world_mut().entity_mut(blade).insert(polygon(1.0));
    let events = brief(&step(&mut app));
    assert_eq!(events, crossed(blade, board), "its frame moved");
}

#[test]
fn a_parent_moves_it_along_its_path() {
    let (mut app, [blade, board]) = blade_and_board();
    let parent = spawn(&mut app, at(0.0, 0.0));
    app.world_mut().entity_mut(blade).insert(ChildOf(parent));
    assert_eq!(step(&mut app), []);
    set_position(&mut app, parent, Vec2::new(20.0, 0.0));
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}

#[test]
fn two_that_pass_through_each_other_collide() {
    let (mut app, [blade, board]) = blade_and_board();
    app.world_mut().despawn(board);
    let other = spawn(&mut app, (ball(20.0, 0.0), Swept));
    step(&mut app);
    set_position(&mut app, blade, Vec2::new(20.0, 0.0));
    set_position(&mut app, other, Vec2::new(0.0, 0.0));
    let events = step(&mut app);
    assert_eq!(brief(&events), crossed(blade, other));
    let CollisionEvent::Started { fraction, .. } = events[0] else {
        unreachable!()
    };
    assert!((fraction - 0.45).abs() < 1e-4, "{fraction}");
}

#[test]
fn swept_solids_collide_with_walls() {
    let (mut app, [blade, board]) = blade_and_board();
    app.world_mut().entity_mut(blade).insert(Solid);
    app.world_mut().entity_mut(board).insert(Solid);
    step(&mut app);
    set_position(&mut app, blade, Vec2::new(20.0, 0.0));
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}

#[test]
fn a_position_that_is_not_finite_is_not_swept() {
    let (mut app, [blade, board]) = blade_and_board();
    set_position(&mut app, blade, Vec2::new(f32::NAN, 0.0));
    assert_eq!(step(&mut app), []);
    set_position(&mut app, blade, Vec2::new(20.0, 0.0));
    assert_eq!(step(&mut app), []);
    set_position(&mut app, blade, Vec2::ZERO);
    assert_eq!(brief_step(&mut app), crossed(blade, board));
}

/// A velocity that moves by this displacement in one update.
/// A swept circle of radius 1 as a child.
fn sword(app: &mut App, parent: Entity, x: f32, y: f32) -> Entity {
    spawn(app, (ball(x, y), Swept, ChildOf(parent)))
}

fn coin(app: &mut App, x: f32, y: f32) -> Entity {
    spawn(app, (CircleCollider::new(0.1), at(x, y)))
}

fn time_of(event: &CollisionEvent) -> f32 {
    match *event {
        CollisionEvent::Started { fraction, .. } => fraction,
        CollisionEvent::Ended { .. } => panic!("{event:?} is no start"),
    }
}

#[test]
fn a_swept_child_of_a_mover_collides_with_what_is_on_the_path() {
    for has_collider in [true, false] {
        let mut app = test_app();
        let hero = spawn(&mut app, (at(0.0, 0.0), Mover::default()));
        if has_collider {
            app.world_mut()
                .entity_mut(hero)
                .insert(CircleCollider::new(1.0));
        }
        let sword = sword(&mut app, hero, 0.0, 5.0);
        let coin = coin(&mut app, 10.0, 5.0);
        assert_eq!(step(&mut app), []);
        set_velocity(&mut app, hero, per_step(20.0, 0.0));
        let events = step(&mut app);
        assert_eq!(brief(&events), crossed(sword, coin));
        let time = time_of(&events[0]);
        assert!((time - 8.9 / 20.0).abs() < 1e-4, "{time}");
        set_velocity(&mut app, hero, Vec2::ZERO);
        assert_eq!(step(&mut app), [], "it has arrived");
    }
}

#[test]
fn a_swept_child_of_a_mover_moves_no_farther_than_the_mover() {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 4.0), Solid, at(8.0, 0.0));
    spawn(&mut app, wall);
    let motion = Mover::with_velocity(per_step(20.0, 0.0));
    let hero = spawn(&mut app, (ball(0.0, 0.0), motion));
    let sword = sword(&mut app, hero, 0.0, 5.0);
    let [near, _far] = [3.0, 9.0].map(|x| coin(&mut app, x, 5.0));
    let events = step(&mut app);
    let of_sword = |event: &CollisionEvent| event.entities().contains(&sword);
    let events: Vec<CollisionEvent> = events.into_iter().filter(of_sword).collect();
    assert_eq!(brief(&events), crossed(sword, near));
}

#[test]
fn what_a_mover_carries_turns_back_where_the_mover_bounces() {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 4.0), Solid, at(8.0, 0.0));
    spawn(&mut app, wall);
    let motion = Mover {
        response: MoverResponse::Bounce,
        ..Mover::with_velocity(per_step(12.0, 0.0))
    };
    let hero = spawn(&mut app, (ball(0.0, 0.0), motion));
    let sword = sword(&mut app, hero, 0.0, 5.0);
    // It goes to 6 and back to about 0.
    let [inside, outside] = [5.5, 7.5].map(|x| coin(&mut app, x, 5.0));
    let events = step(&mut app);
    let of = |coin: Entity| {
        let concerns = |event: &&CollisionEvent| event.entities().contains(&coin);
        events.iter().filter(concerns).copied().collect::<Vec<_>>()
    };
    assert_eq!(brief(&of(inside)), crossed(sword, inside));
    let time = time_of(&of(inside)[0]);
    assert!((time - 4.4 / 12.0).abs() < 1e-3, "{time}");
    assert_eq!(of(outside), []);
}

#[test]
fn a_swept_child_of_a_mover_adds_its_own_motion() {
    let mut app = test_app();
    let hero = spawn(&mut app, (at(0.0, 0.0), Mover::default()));
    let sword = sword(&mut app, hero, 0.0, 5.0);
    // Halfway between where it starts, (0, 5), and where it ends, (20, 25).
    let diagonal = coin(&mut app, 10.0, 15.0);
    coin(&mut app, 20.0, 5.0);
    coin(&mut app, 0.0, 25.0);
    assert_eq!(step(&mut app), []);
    set_velocity(&mut app, hero, per_step(20.0, 0.0));
    set_position(&mut app, sword, Vec2::new(0.0, 25.0));
    assert_eq!(brief_step(&mut app), crossed(sword, diagonal));
}

#[test]
fn a_teleported_child_of_a_mover_still_moves_along() {
    let mut app = test_app();
    let hero = spawn(&mut app, (at(0.0, 0.0), Mover::default()));
    let known = sword(&mut app, hero, 0.0, 5.0);
    assert_eq!(step(&mut app), []);
    set_velocity(&mut app, hero, per_step(20.0, 0.0));
    set_position(&mut app, known, Vec2::new(0.0, 25.0));
    app.world_mut()
        .resource_mut::<CollisionState>()
        .teleport(known);
    let new = sword(&mut app, hero, 0.0, 50.0);
    let [beside, far] = [25.0, 50.0].map(|y| coin(&mut app, 10.0, y));
    // On the path of the jump only.
    coin(&mut app, 0.0, 15.0);
    let mut expected = [crossed(known, beside), crossed(new, far)].concat();
    let mut events = brief_step(&mut app);
    for list in [&mut events, &mut expected] {
        list.sort_by_key(|event| format!("{event:?}"));
    }
    assert_eq!(events, expected);
}

#[test]
fn a_mover_on_a_mover_collides_along_the_path_of_both() {
    let mut app = test_app();
    let ship = spawn(&mut app, (at(0.0, 0.0), Mover::default()));
    let sailor = (ball(0.0, 5.0), Mover::default(), ChildOf(ship));
    let sailor = spawn(&mut app, sailor);
    let hook = spawn(&mut app, (ball(0.0, 50.0), Swept, ChildOf(sailor)));
    // Halfway to 20 to the right and 20 up.
    let [low, high] = [15.0, 65.0].map(|y| coin(&mut app, 10.0, y));
    assert_eq!(step(&mut app), []);
    set_velocity(&mut app, ship, per_step(20.0, 0.0));
    set_velocity(&mut app, sailor, per_step(0.0, 20.0));
    let mut expected = [crossed(sailor, low), crossed(hook, high)].concat();
    let mut events = brief_step(&mut app);
    for list in [&mut events, &mut expected] {
        list.sort_by_key(|event| format!("{event:?}"));
    }
    assert_eq!(events, expected);
}

/// The starts and ends among coins, by the coin, and the fractions of the starts.
fn passes(app: &mut App, coins: &[Entity]) -> Vec<(usize, Vec<f32>)> {
    let events = step(app);
    let times = coins.iter().enumerate().map(|(number, coin)| {
        let of_coin = events
            .iter()
            .filter(|event| event.entities().contains(coin));
        let times = of_coin.map(|event| match *event {
            CollisionEvent::Started { fraction, .. } => fraction,
            CollisionEvent::Ended { .. } => -1.0,
        });
        (number, times.collect())
    });
    times.collect()
}

/// Whatever its ancestors are, a collider with a straight path hits the same as one without parents
/// that jumps from its start to its end.
#[test]
fn a_carried_path_is_that_of_a_swept_root_that_goes_as_far() {
    let mut hit_count = 0;
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut number = |limit: f32| (rng.f32() * 2.0 - 1.0) * limit;
        let pose = |number: &mut dyn FnMut(f32) -> f32| {
            let scale = Vec2::new(1.5 + number(1.0), 1.5 + number(1.0));
            rotated(Vec2::new(number(5.0), number(5.0)), number(3.0)).with_scale(scale.extend(1.0))
        };
        let (above, hero, arm) = (pose(&mut number), pose(&mut number), pose(&mut number));
        let hand = [0, 1].map(|_| Vec2::new(number(5.0), number(5.0)));
        let motion = per_step(number(60.0), number(60.0));
        let coins: Vec<Vec2> = (0..60)
            .map(|_| Vec2::new(number(60.0), number(60.0)))
            .collect();
        let app_with_coins = || {
            let mut app = test_app();
            let coins = coins
                .iter()
                .map(|position| coin(&mut app, position.x, position.y));
            let coins: Vec<Entity> = coins.collect();
            (app, coins)
        };
        let (mut app, known) = app_with_coins();
        let above = spawn(&mut app, above);
        let hero = (hero, Mover::default(), ChildOf(above));
        let hero = spawn(&mut app, hero);
        let arm = spawn(&mut app, (arm, ChildOf(hero)));
        let sword = sword(&mut app, arm, hand[0].x, hand[0].y);
        step(&mut app);
        let start = *app.world().get::<GlobalTransform>(sword).unwrap();
        set_velocity(&mut app, hero, motion);
        set_position(&mut app, sword, hand[1]);
        let carried = passes(&mut app, &known);
        let end = *app.world().get::<GlobalTransform>(sword).unwrap();

        let (mut app, known) = app_with_coins();
        let radius =
            (start.affine().matrix3.x_axis.length()).max(start.affine().matrix3.y_axis.length());
        let blade = (CircleCollider::new(radius), Swept);
        let blade = spawn(
            &mut app,
            (blade, Transform::from_translation(start.translation())),
        );
        step(&mut app);
        set_position(&mut app, blade, end.translation().truncate());
        let alone = passes(&mut app, &known);
        for ((number, carried), (_, alone)) in carried.iter().zip(&alone) {
            let position = coins[*number];
            assert_eq!(carried.len(), alone.len(), "{seed}: {position}");
            for (carried, alone) in carried.iter().zip(alone) {
                assert!((carried - alone).abs() < 1e-3, "{seed}: {position}");
            }
            hit_count += carried.len();
        }
    }
    assert!(hit_count > 200, "{hit_count}");
}

#[test]
fn a_wall_that_came_to_rest_neither_hits_nor_pushes_on_its_former_path() {
    let mut app = test_app();
    let [wall, other] = [0.0, 50.0].map(|y| {
        let wall = (RectCollider::new(1.0, 10.0), Solid, Swept, at(0.0, y));
        spawn(&mut app, wall)
    });
    app.update();
    set_position(&mut app, wall, Vec2::new(20.0, 0.0));
    step(&mut app);
    coin(&mut app, 8.0, 0.0);
    let mover = spawn(&mut app, (ball(12.0, 0.0), Mover::default()));
    set_position(&mut app, other, Vec2::new(20.0, 50.0));
    assert_eq!(step(&mut app), []);
    assert_eq!(global_position(&app, mover), Vec2::X * 12.0);
}

#[test]
fn a_swept_point_does_not_pass_between_two_tiles() {
    for direction in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        let mut app = test_app();
        let tiles = TileCollider::from_rows(["###", ".##"], Vec2::splat(2.0));
        let wall = spawn(&mut app, (tiles, rotated(Vec2::ZERO, direction.to_angle())));
        let start = direction * -10.0;
        let dart = (CircleCollider::new(0.0), Swept, at(start.x, start.y));
        let dart = spawn(&mut app, dart);
        assert_eq!(step(&mut app), []);
        set_position(&mut app, dart, -start);
        let events = step(&mut app);
        let passed = [
            started(dart, wall),
            ended(dart, wall, CollisionEndReason::Separated),
        ];
        assert_eq!(brief(&events), passed);
        let CollisionEvent::Started { contact, .. } = events[0] else {
            unreachable!()
        };
        assert!((0.0..1e-5).contains(&contact.depth), "{contact:?}");
    }
}
