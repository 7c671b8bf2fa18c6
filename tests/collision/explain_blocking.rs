//! Why one collider blocks another, or why it does not.

use bevy::prelude::*;
use bevy_thud::{Blocking, prelude::*};

use crate::{common::*, explain::*};

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
fn assert_blocking((mut app, [mover, wall]): (App, [Entity; 2]), expected: Blocking, words: &str) {
    let explanation = explain(&mut app, mover, wall);
    assert_eq!(explanation.b_blocks_a, Some(expected), "{explanation}");
    assert_eq!(explain(&mut app, wall, mover).a_blocks_b, Some(expected));
    assert!(explanation.to_string().contains(words), "{explanation}");
    let is_stopped = global_position(&app, mover).x < 4.0;
    assert_eq!(is_stopped, expected == Blocking::Blocks, "{explanation}");
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
    let (blocks, lacks) = (Blocking::Blocks, BLUE);
    assert_blocking(run_into(fast(), Solid), blocks, " blocks ");
    assert_blocking(run_into(fast(), ()), Blocking::NotSolid, "is not `Solid`");
    assert_blocking(
        run_into(pass, Solid),
        Blocking::Passes,
        "`MoverResponse::Pass`",
    );
    let red = run_into(blocked_by(RED), (Solid, blue));
    assert_blocking(
        red,
        Blocking::NotBlockedBy { lacks },
        "none of its layers (5)",
    );
    assert_blocking(
        run_into(blocked_by(BLUE), (Solid, blue)),
        blocks,
        " blocks ",
    );
    let unseen = run_into(fast(), (Solid, not_looking));
    assert_blocking(unseen, Blocking::Layers, "do not collide");
}

#[test]
fn a_one_way_wall_blocks_what_starts_on_its_blocking_side() {
    let against = run_into(fast(), (Solid, OneWay(Dir2::NEG_X)));
    assert_blocking(against, Blocking::Blocks, " blocks ");
    let along = run_into(fast(), (Solid, OneWay(Dir2::X)));
    assert_blocking(along, Blocking::BehindOneWay, "not on its blocking side");
    let mut app = test_app();
    let around = (RectCollider::new(12.0, 40.0), Solid, OneWay(Dir2::NEG_X));
    let wall = spawn(&mut app, around);
    let mover = spawn(&mut app, (ball(0.0, 0.0), fast()));
    app.update();
    assert_blocking((app, [mover, wall]), Blocking::InOneWay, "overlapped it");
}

#[test]
fn what_is_no_mover_itself_is_not_stopped() {
    let (mut app, [a, b]) = two_balls((), Solid);
    let explanation = explain(&mut app, a, b);
    assert_eq!(explanation.b_blocks_a, Some(Blocking::NoMover));
    assert!(
        explanation.to_string().contains("neither is a `Mover`"),
        "{explanation}"
    );
    let body = spawn(&mut app, Mover::default());
    app.world_mut().entity_mut(a).insert(ChildOf(body));
    app.update();
    assert_eq!(
        explain(&mut app, a, b).b_blocks_a,
        Some(Blocking::NoMover),
        "a mover's child"
    );
}
