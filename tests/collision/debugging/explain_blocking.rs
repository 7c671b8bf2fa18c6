//! Why one collider blocks another, or why it does not.

use bevy::prelude::*;
use bevy_thud::{Reason, prelude::*};

use super::explain::*;
use crate::common::*;

/// A mover that would be at 5 after an update if nothing blocked it.
fn fast() -> Mover {
    Mover::with_velocity(Vec2::X * 320.0)
}

/// A ball moves into a wall at 4.
fn run_into(mover: Mover, wall: impl Bundle) -> (App, [Entity; 2]) {
    let mut app = test_app();
    let wall = spawn(&mut app, (RectCollider::new(1.0, 40.0), at(4.0, 0.0), wall));
    let mover = spawn(&mut app, (ball(0.0, 0.0), mover));
    app.update();
    (app, [mover, wall])
}

/// Asserts that the explanation says whether the wall blocks the mover, and that it is true.
fn assert_blocking(
    (mut app, [mover, wall]): (App, [Entity; 2]),
    expected: Result<(), Reason>,
    words: &str,
) {
    let explanation = explain(&mut app, mover, wall);
    assert_eq!(explanation.b_blocks_a(), expected, "{explanation}");
    assert_eq!(explain(&mut app, wall, mover).a_blocks_b(), expected);
    assert!(explanation.to_string().contains(words), "{explanation}");
    let is_stopped = global_position(&app, mover).x < 4.0;
    assert_eq!(is_stopped, expected.is_ok(), "{explanation}");
}

#[test]
fn explain_says_truly_whether_a_wall_blocks_a_mover() {
    let blocked_by = |blocked_by| Mover {
        blocked_by,
        ..fast()
    };
    let pass = Mover {
        response: MoverResponse::Pass,
        ..fast()
    };
    let blue = CollisionLayers::new(BLUE, LayerMask::ALL);
    let not_looking = CollisionLayers::new(LayerMask::ALL, LayerMask::NONE);
    let blocks = Ok(());
    assert_blocking(run_into(fast(), Solid), blocks, " blocks ");
    assert_blocking(
        run_into(fast(), ()),
        Err(Reason::NotSolid),
        "is not `Solid`",
    );
    assert_blocking(
        run_into(pass, Solid),
        Err(Reason::Passes),
        "`MoverResponse::Pass`",
    );
    let red = run_into(blocked_by(RED), (Solid, blue));
    assert_blocking(red, Err(Reason::NotBlockedBy), "none of its layers (5)");
    assert_blocking(
        run_into(blocked_by(BLUE), (Solid, blue)),
        blocks,
        " blocks ",
    );
    let unseen = run_into(fast(), (Solid, not_looking));
    assert_blocking(unseen, Err(Reason::Layers), "do not collide");
}

#[test]
fn a_one_way_wall_blocks_what_starts_on_its_blocking_side() {
    let against = run_into(fast(), (Solid, OneWay(Dir2::NEG_X)));
    assert_blocking(against, Ok(()), " blocks ");
    let along = run_into(fast(), (Solid, OneWay(Dir2::X)));
    assert_blocking(along, Err(Reason::BehindOneWay), "not on its blocking side");
    let mut app = test_app();
    let around = (RectCollider::new(12.0, 40.0), Solid, OneWay(Dir2::NEG_X));
    let wall = spawn(&mut app, around);
    let mover = spawn(&mut app, (ball(0.0, 0.0), fast()));
    app.update();
    assert_blocking((app, [mover, wall]), Err(Reason::InOneWay), "overlapped it");
}

#[test]
fn what_is_no_mover_itself_is_not_stopped() {
    let (mut app, [a, b]) = two_synced((), Solid);
    let explanation = explain(&mut app, a, b);
    assert_eq!(explanation.b_blocks_a(), Err(Reason::NoMover));
    assert!(
        explanation.to_string().contains("neither is a `Mover`"),
        "{explanation}"
    );
    let mover = spawn(&mut app, Mover::default());
    app.world_mut().entity_mut(a).insert(ChildOf(mover));
    app.update();
    assert_eq!(
        explain(&mut app, a, b).b_blocks_a(),
        Err(Reason::MoverWithoutCollider),
        "a bare mover's child"
    );
    let body = CircleCollider::new(0.1);
    app.world_mut().entity_mut(mover).insert(body);
    app.update();
    assert_eq!(
        explain(&mut app, a, b).b_blocks_a(),
        Err(Reason::NoMover),
        "a mover's child"
    );
}

#[test]
fn what_a_walker_touches_is_said_with_its_slope() {
    for (side, words) in [
        (Vec2::NEG_Y, "{walker} stands on {solid}."),
        (
            Vec2::X,
            "{solid} is no floor for {walker}: its slope of 90.0° is above `Walker::max_slope` of \
            45.6°.",
        ),
        (Vec2::Y, "{solid} is a ceiling for {walker}."),
    ] {
        let mut app = test_app();
        let solid = (
            RectCollider::new(4.0, 4.0),
            Solid,
            at(3.5 * side.x, 3.5 * side.y),
        );
        let solid = spawn(&mut app, solid);
        let mover = Mover::with_velocity(side * 64.0);
        let walker = spawn(&mut app, (ball(0.0, 0.0), mover, Walker::default()));
        app.update();
        let words = words.replace("{walker}", &walker.to_string());
        let words = words.replace("{solid}", &solid.to_string());
        for (a, b) in [(walker, solid), (solid, walker)] {
            let sentence = explain(&mut app, a, b).to_string();
            assert!(sentence.ends_with(&words), "{sentence} {words}");
        }
    }
}

#[test]
fn a_rider_does_not_block_the_mover_that_carries_it() {
    let mut app = test_app();
    let lift = (RectCollider::new(20.0, 2.0), Solid, Mover::default());
    let lift = spawn(&mut app, lift);
    let fall = Mover::with_velocity(Vec2::NEG_Y * 20.0);
    let rider = (ball(0.0, 2.5), Solid, fall, Walker::default());
    let rider = spawn(&mut app, rider);
    steps(&mut app, 10);
    set_velocity(&mut app, lift, Vec2::Y * 64.0);
    steps(&mut app, 10);
    let [height, rider_height] = [lift, rider].map(|entity| global_position(&app, entity).y);
    assert!(height > 9.9 && rider_height > height + 1.9);
    let explanation = explain(&mut app, rider, lift);
    assert_eq!(explanation.b_blocks_a(), Ok(()));
    assert_eq!(explanation.a_blocks_b(), Err(Reason::Carried));
    let words = format!("{rider} does not block {lift}: it stands on {lift}, which carries it.");
    assert!(explanation.to_string().contains(&words), "{explanation}");
}

#[test]
fn who_drops_through_a_floor_is_not_blocked_by_it() {
    let mut app = test_app();
    let floor = (RectCollider::new(20.0, 2.0), Solid, OneWay(Dir2::Y));
    let floor = spawn(&mut app, floor);
    let fall = Mover::with_velocity(Vec2::NEG_Y * 20.0);
    let walker = (ball(0.0, 2.5), fall, Walker::default());
    let walker = spawn(&mut app, walker);
    steps(&mut app, 10);
    let blocking = |app: &mut App| explain(app, walker, floor).b_blocks_a();
    assert_eq!(blocking(&mut app), Ok(()));
    let mut ground = app.world_mut().get_mut::<Ground>(walker).unwrap();
    ground.drop_through();
    set_velocity(&mut app, walker, Vec2::NEG_Y * 20.0);
    app.update();
    assert!(global_position(&app, walker).y < 1.9);
    assert_eq!(blocking(&mut app), Err(Reason::DropsThrough));
    let sentence = explain(&mut app, walker, floor).to_string();
    assert!(sentence.contains("drops through it"), "{sentence}");
    app.update();
    assert_eq!(blocking(&mut app), Err(Reason::InOneWay));
}

#[test]
fn a_one_way_wall_that_jumps_over_a_mover_does_not_block_it() {
    let mut jumped_over = 0;
    for is_swept in [false, true] {
        for (jump, is_walker) in (1..=8).flat_map(|jump| [(jump, false), (jump, true)]) {
            let mut app = test_app();
            let wall = (RectCollider::new(20.0, 2.0), Solid, OneWay(Dir2::Y));
            let wall = spawn(&mut app, wall);
            let mover = Mover::with_velocity(Vec2::Y * 10.0);
            let mover = spawn(&mut app, (ball(0.0, 2.5), mover));
            if is_swept {
                app.world_mut().entity_mut(wall).insert(Swept);
            }
            if is_walker {
                app.world_mut().entity_mut(mover).insert(Walker::default());
            }
            app.update();
            let height = jump as f32;
            set_position(&mut app, wall, Vec2::Y * height);
            app.update();
            let explanation = explain(&mut app, mover, wall);
            let expected = if global_position(&app, mover).y > height {
                Ok(())
            } else {
                Err(Reason::BehindOneWay)
            };
            let context = format!("{jump}, swept: {is_swept}, {explanation}");
            assert_eq!(explanation.b_blocks_a(), expected, "{context}");
            assert!(!is_swept || expected == Ok(()), "{context}");
            jumped_over += usize::from(expected == Err(Reason::BehindOneWay));
        }
    }
    assert!(jumped_over > 4, "{jumped_over}");
}
