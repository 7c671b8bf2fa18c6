//! `SpatialQuery::of`: what would happen to a collider is what happens to it in an update.

use bevy::prelude::*;
use bevy_thud::{BlockingHit, ColliderQuery, MoveOutcome, geometry::Shape, prelude::*};
use fastrand::Rng;

use super::move_and_slide::{any_mover, spawn_walls};
use crate::common::*;

/// What `check` finds out about an entity.
fn of<Out: 'static>(
    app: &mut App,
    entity: Entity,
    check: impl Fn(ColliderQuery) -> Out + Send + Sync + 'static,
) -> Out {
    run_system(app, move |query: SpatialQuery| {
        check(query.of(entity).expect("an active collider"))
    })
}

/// A rectangle at the origin that is blocked by others than its shield and its horn, a part of it,
/// than the wall that it ignores, and than what is on another layer.
fn knight(app: &mut App, rng: &mut Rng) -> Entity {
    let size = Vec2::new(1.0, 2.0) + rng.f32();
    let knight = spawn(
        app,
        (
            RectCollider::new(size.x, size.y),
            rotated(Vec2::ZERO, rng.f32() * 6.3),
            any_mover(rng),
            CollisionLayers::new(LayerMask(1), LayerMask(1)),
        ),
    );
    let shield = spawn(app, (ball(1.0, 0.0), Solid));
    let horn = spawn(app, (CircleCollider::new(0.3), at(0.0, 1.5)));
    let mut knight_mut = app.world_mut().entity_mut(knight);
    knight_mut.add_children(&[shield, horn]);
    if rng.bool() {
        app.world_mut().entity_mut(horn).insert(MoverPart);
    }
    let wall = (RectCollider::new(3.0, 3.0), Solid, at(1.0, 0.0));
    let ignored = spawn(app, wall);
    app.world_mut()
        .entity_mut(knight)
        .insert(Ignores::always(ignored));
    spawn(
        app,
        (wall, CollisionLayers::new(LayerMask(2), LayerMask(2))),
    );
    knight
}

#[test]
fn a_prediction_is_what_the_next_update_does() {
    let (mut hits, mut cases) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let mut app = test_app();
        spawn_walls(&mut app, &mut rng);
        let knight = knight(&mut app, &mut rng);
        // At rest, it is moved out of the walls that it starts in.
        let velocity = std::mem::take(&mut mover_of(&mut app, knight).velocity);
        let displacement = std::mem::take(&mut mover_of(&mut app, knight).displacement);
        steps(&mut app, 2);
        let start = local_position(&app, knight);
        if is_crushed(&app, knight) {
            continue;
        }
        let mut mover = mover_of(&mut app, knight).clone();
        (mover.velocity, mover.displacement) = (velocity, displacement);
        *mover_of(&mut app, knight) = mover.clone();
        let expected = of(&mut app, knight, move |knight| {
            knight.move_and_slide(&mover, STEP_SECS)
        });
        app.update();
        let moved = local_position(&app, knight);
        // An update rounds the skin of a body by the size of the mover alone.
        let predicted = start + expected.displacement;
        assert!(
            moved.distance(predicted) < 1e-5,
            "{seed}: {moved} {predicted}"
        );
        let known = app.world().get::<MoverHits>(knight).unwrap();
        let blockers = |hits: &[BlockingHit]| -> Vec<_> {
            hits.iter().map(|hit| (hit.blocker, hit.cell)).collect()
        };
        let known: Vec<_> = known.iter().map(|hit| hit.hit).collect();
        assert_eq!(blockers(&known), blockers(&expected.hits), "{seed}");
        let velocity = velocity_of(&app, knight);
        assert!(
            velocity.distance(expected.velocity) < 0.01,
            "{seed}: {velocity} {expected:?}"
        );
        (hits, cases) = (hits + known.len(), cases + 1);
    }
    assert!(hits > 100 && cases > 150, "{hits} hits in {cases} cases");
}

fn mover_of(app: &mut App, mover: Entity) -> Mut<'_, Mover> {
    app.world_mut().get_mut::<Mover>(mover).unwrap()
}

#[test]
fn it_fits_where_an_update_leaves_it() {
    let mut fitting = 0;
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let mut app = test_app();
        spawn_walls(&mut app, &mut rng);
        let knight = knight(&mut app, &mut rng);
        *mover_of(&mut app, knight) = Mover::default();
        // Far from all walls.
        set_position(&mut app, knight, Vec2::X * 1000.0);
        app.update();
        let there = (Vec2::new(rng.f32(), rng.f32()) - 0.5) * 60.0;
        let offset = there - Vec2::X * 1000.0;
        let fits = of(&mut app, knight, move |knight| {
            knight.moved_by(offset).fits()
        });
        set_position(&mut app, knight, there);
        app.update();
        let stays = local_position(&app, knight) == there && !is_crushed(&app, knight);
        assert_eq!(fits, stays, "{seed}: {there}");
        fitting += u32::from(fits);
    }
    assert!((50..250).contains(&fitting), "{fitting}");
}

#[test]
fn there_is_room_a_skin_away_from_a_wall_and_no_nearer() {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 50.0), Solid, at(10.0, 0.0));
    let wall = spawn(&mut app, wall);
    let hero = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    app.update();
    for (x, expected) in [(7.98, true), (7.99, false), (9.0, false), (12.1, true)] {
        let fits = of(&mut app, hero, move |hero| {
            hero.moved_by(Vec2::X * x).fits()
        });
        assert_eq!(fits, expected, "{x}");
    }
    // Crouched it fits, standing it does not.
    let shape = |radius: f32| Shape::circle(Vec2::X * 7.0, radius);
    for (radius, expected) in [(1.9, vec![]), (2.5, vec![wall])] {
        let found = of(&mut app, hero, move |hero| {
            hero.with_shape(shape(radius)).in_the_way()
        });
        assert_eq!(*found, expected, "{radius}");
    }
    let nan = Shape::circle(Vec2::NAN, 1.0);
    assert!(!of(&mut app, hero, move |hero| hero
        .with_shape(nan.clone())
        .fits()));
}

#[test]
fn a_door_fits_where_no_mover_is_that_it_would_block() {
    let mut app = test_app();
    let door = spawn(
        &mut app,
        (RectCollider::new(10.0, 2.0), Solid, at(0.0, 100.0)),
    );
    // It touches its frame, and overlaps none.
    let frame = (RectCollider::new(9.0, 9.0), Solid, at(9.5, 0.0));
    let frame = spawn(&mut app, frame);
    spawn(&mut app, ball(1.0, 0.0));
    let passing = Mover {
        response: MoverResponse::Pass,
        ..default()
    };
    spawn(&mut app, (ball(-1.0, 0.0), passing));
    let hero = spawn(&mut app, (ball(0.0, 1.9), Mover::default()));
    app.update();
    let in_the_way = |app: &mut App| {
        of(app, door, |door| {
            door.moved_by(Vec2::Y * -100.0).in_the_way()
        })
    };
    assert_eq!(*in_the_way(&mut app), [hero]);
    set_position(&mut app, hero, Vec2::Y * 2.1);
    app.update();
    assert_eq!(*in_the_way(&mut app), []);
    set_position(&mut app, frame, Vec2::X * 9.0);
    app.update();
    assert_eq!(*in_the_way(&mut app), [frame]);
}

#[test]
fn its_contacts_are_the_pairs_of_an_update_there() {
    let mut pairs = 0;
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let mut app = test_app();
        spawn_walls(&mut app, &mut rng);
        let knight = knight(&mut app, &mut rng);
        app.world_mut().entity_mut(knight).remove::<Mover>();
        app.world_mut().resource_mut::<CollisionSettings>().margin = rng.f32();
        let from = Vec2::X * 64.0;
        set_position(&mut app, knight, from);
        app.update();
        let offset = (Vec2::new(rng.f32(), rng.f32()) * 16.0).round() * 4.0 - 96.0 * Vec2::X;
        let expected = of(&mut app, knight, move |knight| {
            knight.moved_by(offset).contacts()
        });
        set_position(&mut app, knight, from + offset);
        app.update();
        let known = run_system(&mut app, move |collisions: Collisions| {
            collisions.of(knight).collect::<Vec<_>>()
        });
        assert_eq!(known, *expected, "{seed}");
        pairs += known.len();
    }
    assert!(pairs > 40, "{pairs}");
}

#[test]
fn a_sweep_ends_where_a_mover_stops_and_a_rider_does_not_stop_its_lift() {
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 50.0), Solid, at(10.0, 0.0));
    let wall = spawn(&mut app, wall);
    let hero = spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    app.update();
    let outcome = of(&mut app, hero, |hero| hero.sweep(Vec2::X * 20.0));
    mover_of(&mut app, hero).displacement = outcome.displacement;
    app.update();
    assert_eq!(local_position(&app, hero), outcome.displacement);
    assert!((outcome.displacement.x - 7.98).abs() < 1e-4, "{outcome:?}");
    let blockers: Vec<Entity> = outcome.hits.iter().map(|hit| hit.blocker).collect();
    assert_eq!(blockers, [wall]);

    let lift = (RectCollider::new(20.0, 2.0), Solid, Mover::default());
    let lift = spawn(&mut app, (lift, at(0.0, 99.0)));
    let walker = (Mover::default(), Walker::default());
    let rider = spawn(&mut app, (ball(0.0, 101.02), Solid, walker));
    steps(&mut app, 3);
    let up = |app: &mut App| {
        of(app, lift, |lift| lift.sweep(Vec2::Y * 30.0))
            .displacement
            .y
    };
    assert_eq!(up(&mut app), 30.0);
    app.world_mut().entity_mut(rider).remove::<Walker>();
    steps(&mut app, 3);
    assert!(up(&mut app) < 0.1);
}

#[test]
fn a_walk_is_predicted_with_its_own_shape_and_layers() {
    let mut app = test_app();
    spawn(
        &mut app,
        (RectCollider::new(100.0, 4.0), Solid, at(0.0, -2.0)),
    );
    let mover = Mover::with_velocity(Vec2::new(60.0, -30.0));
    let walker = (CircleCollider::new(2.0), mover, Walker::default());
    let walker = spawn(&mut app, (walker, at(0.0, 2.02)));
    steps(&mut app, 5);
    let state = app.world().entity(walker);
    let (mover, ground) = (
        state.get::<Mover>().unwrap(),
        state.get::<Ground>().unwrap(),
    );
    let (mover, ground) = (mover.clone(), ground.clone());
    let before = local_position(&app, walker);
    let outcome: MoveOutcome = of(&mut app, walker, move |walker| {
        walker.walk(&mover, &Walker::default(), &ground, STEP_SECS)
    });
    app.update();
    assert_eq!(local_position(&app, walker), before + outcome.displacement);
    assert!(outcome.ground.floor().is_some());
}

#[test]
fn it_is_none_without_an_active_collider() {
    let mut app = test_app();
    let bare = spawn(&mut app, at(0.0, 0.0));
    let disabled = spawn(&mut app, (ball(0.0, 0.0), ColliderDisabled));
    let lost = spawn(&mut app, ball(f32::NAN, 0.0));
    app.update();
    let new = spawn(&mut app, ball(0.0, 0.0));
    for entity in [bare, disabled, lost, new, Entity::PLACEHOLDER] {
        let is_known = run_system(&mut app, move |query: SpatialQuery| {
            query.of(entity).is_some()
        });
        assert!(!is_known, "{entity}");
    }
    refresh_colliders(app.world_mut());
    assert!(of(&mut app, new, |new| new.fits()));
}
