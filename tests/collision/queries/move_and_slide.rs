//! `SpatialQuery::move_and_slide`: the motion of an update, without moving anything.

use bevy::prelude::*;
use bevy_thud::{MoveOutcome, geometry::Shape, prelude::*};
use fastrand::Rng;

use crate::common::*;

const RESPONSES: [MoverResponse; 4] = [
    MoverResponse::Slide,
    MoverResponse::Stop,
    MoverResponse::Bounce,
    MoverResponse::Pass,
];

fn query(app: &mut App, shape: Shape, mover: Mover, filter: SpatialQueryFilter) -> MoveOutcome {
    run_system(app, move |query: SpatialQuery| {
        query.move_and_slide(&shape, &mover, STEP_SECS, &filter)
    })
}

/// Rotated walls and posts, some of them one-way, around the origin.
pub fn spawn_walls(app: &mut App, rng: &mut Rng) {
    for _ in 0..30 {
        let position = (Vec2::new(rng.f32(), rng.f32()) - 0.5) * 60.0;
        let transform = rotated(position, rng.f32() * 6.3);
        let wall = match rng.u8(0..4) {
            0 => spawn(app, (CircleCollider::new(1.0 + 2.0 * rng.f32()), transform)),
            _ => spawn(app, (RectCollider::new(10.0 * rng.f32(), 5.0), transform)),
        };
        let mut wall = app.world_mut().entity_mut(wall);
        wall.insert(Solid);
        if rng.u8(0..5) == 0 {
            wall.insert(OneWay(Dir2::Y));
        }
    }
}

pub fn any_mover(rng: &mut Rng) -> Mover {
    Mover {
        velocity: Vec2::from_angle(rng.f32() * 6.3) * rng.f32() * 3000.0,
        displacement: Vec2::new(rng.f32(), rng.f32()),
        response: RESPONSES[rng.usize(0..4)],
        restitution: rng.f32(),
        ..default()
    }
}

#[test]
fn it_returns_what_the_next_update_does() {
    let mut rng = Rng::with_seed(3);
    let mut hits = 0;
    for case in 0..150 {
        let mut app = test_app();
        spawn_walls(&mut app, &mut rng);
        app.update();
        let mover = any_mover(&mut rng);
        let (size, angle) = (Vec2::new(1.0, 2.0) + rng.f32(), rng.f32() * 6.3);
        let shape = Shape::rect(Vec2::ZERO, size, Rot2::radians(angle));
        let expected = query(
            &mut app,
            shape,
            mover.clone(),
            SpatialQueryFilter::default(),
        );
        let transform = rotated(Vec2::ZERO, angle);
        let entity = spawn(
            &mut app,
            (RectCollider::new(size.x, size.y), transform, mover),
        );
        app.update();
        let moved = global_position(&app, entity);
        assert!(
            moved.distance(expected.displacement) < 2e-3,
            "{case}: {moved} {expected:?}"
        );
        let velocity = app.world().get::<Mover>(entity).unwrap().velocity;
        assert!(
            velocity.distance(expected.velocity) < 1.0,
            "{case}: {velocity} {expected:?}"
        );
        let mover_hits = app.world().get::<MoverHits>(entity).unwrap();
        assert_eq!(mover_hits.is_crushed(), expected.is_crushed, "{case}");
        let blockers = |hits: &mut dyn Iterator<Item = Entity>| hits.collect::<Vec<_>>();
        assert_eq!(
            blockers(&mut mover_hits.iter().map(|hit| hit.blocker)),
            blockers(&mut expected.hits.iter().map(|hit| hit.blocker)),
            "{case}"
        );
        hits += mover_hits.len();
    }
    assert!(hits > 100, "the scenes are too empty: {hits}");
}

/// A wall at x = 10, and the outcome for a circle of radius 1 that moves 20 to the right.
fn towards_wall(
    layers: CollisionLayers,
    filter: impl FnOnce(Entity) -> SpatialQueryFilter,
) -> MoveOutcome {
    let mut app = test_app();
    let wall = spawn(
        &mut app,
        (RectCollider::new(2.0, 50.0), Solid, layers, at(10.0, 0.0)),
    );
    app.update();
    let mover = Mover::with_velocity(Vec2::X * 20.0 / STEP_SECS);
    query(
        &mut app,
        Shape::circle(Vec2::ZERO, 1.0),
        mover,
        filter(wall),
    )
}

#[test]
fn the_filter_decides_what_blocks() {
    let all = CollisionLayers::default();
    let blocked = towards_wall(all, |_| SpatialQueryFilter::default());
    assert!((blocked.displacement.x - 7.98).abs() < 1e-4, "{blocked:?}");
    assert_eq!(blocked.hits.len(), 1);
    assert!((blocked.hits[0].speed - 1280.0).abs() < 0.1, "{blocked:?}");
    let free = towards_wall(all, |mover| SpatialQueryFilter::default().exclude(mover));
    assert_eq!(free.displacement, Vec2::X * 20.0);
    assert_eq!(free.hits, []);
    let elsewhere = CollisionLayers::new(LayerMask::layer(1), LayerMask::ALL);
    let filter = || SpatialQueryFilter::default().with_layers(elsewhere);
    let only_two = CollisionLayers::new(LayerMask::ALL, LayerMask::layer(2));
    assert_eq!(towards_wall(only_two, |_| filter()).hits, []);
    assert_eq!(towards_wall(all, |_| filter()).hits.len(), 1);
}

/// As in an update.
#[test]
fn a_wall_that_collides_with_nothing_blocks_nobody() {
    let nothing = CollisionLayers::new(LayerMask::ALL, LayerMask::NONE);
    let only = |_| SpatialQueryFilter::only(LayerMask::layer(3));
    for outcome in [
        towards_wall(nothing, |_| SpatialQueryFilter::default()),
        towards_wall(nothing, only),
    ] {
        assert_eq!(outcome.hits, []);
    }
    assert_eq!(towards_wall(CollisionLayers::default(), only).hits.len(), 1);
    let mut app = test_app();
    let wall = (RectCollider::new(2.0, 50.0), Solid, nothing, at(10.0, 0.0));
    spawn(&mut app, wall);
    let mover = Mover::with_velocity(Vec2::X * 20.0 / STEP_SECS);
    let mover = spawn(&mut app, (CircleCollider::new(1.0), mover));
    app.update();
    app.update();
    let at: &Transform = app.world().get(mover).unwrap();
    assert!(at.translation.x >= 20.0, "{at:?}");
}

#[test]
fn colliders_beside_the_path_change_nothing() {
    let signs = [Vec2::ONE, Vec2::new(-1.0, 1.0)];
    for (response, sign) in RESPONSES
        .into_iter()
        .flat_map(|response| signs.into_iter().map(move |sign| (response, sign)))
    {
        let displacement = Vec2::new(3.0, 2.5) * sign;
        let mover = Mover {
            velocity: displacement / STEP_SECS,
            response,
            ..default()
        };
        // It is in the box around the path, but not near the path.
        let beside = at(displacement.x, 0.0);
        let [alone, with_post] = [false, true].map(|has_post| {
            let mut app = test_app();
            if has_post {
                spawn(&mut app, (CircleCollider::new(0.01), Solid, beside));
            }
            app.update();
            let shape = Shape::circle(Vec2::ZERO, 0.5);
            query(
                &mut app,
                shape,
                mover.clone(),
                SpatialQueryFilter::default(),
            )
        });
        assert_eq!(alone, with_post);
        assert!(
            alone.displacement.distance(displacement) < 1e-6,
            "{alone:?}"
        );
    }
}

#[test]
fn what_is_so_small_that_its_square_is_zero_is_stopped_too() {
    for direction in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        let mut app = test_app();
        let position = direction * 1.62e-22;
        let wall = (
            RectCollider::new(1e-22, 1e-22),
            Solid,
            at(position.x, position.y),
        );
        spawn(&mut app, wall);
        app.update();
        let mover = Mover {
            displacement: direction * 2e-23,
            skin_width: 0.0,
            ..default()
        };
        let shape = Shape::circle(Vec2::ZERO, 1e-22);
        let outcome = query(&mut app, shape, mover, SpatialQueryFilter::default());
        let gone = outcome.displacement.dot(direction);
        assert!((1.1e-23..1.21e-23).contains(&gone), "{outcome:?}");
    }
}

#[test]
fn with_its_relatives_excluded_a_mover_moves_as_in_an_update() {
    let mut app = test_app();
    let ship = spawn(&mut app, (CircleCollider::new(1.5), Solid));
    let mover = spawn(&mut app, (ball(0.0, 0.0), Mover::default(), ChildOf(ship)));
    let shield = (RectCollider::new(1.0, 4.0), Solid, at(3.0, 0.0));
    let shield = spawn(&mut app, (shield, ChildOf(mover)));
    let wall = (RectCollider::new(2.0, 50.0), Solid, at(10.0, 0.0));
    let wall = spawn(&mut app, wall);
    app.update();
    let going = Mover::with_velocity(Vec2::X * 20.0 / STEP_SECS);
    let mut query_with = |filter| {
        query(
            &mut app,
            Shape::circle(Vec2::ZERO, 1.0),
            going.clone(),
            filter,
        )
    };
    let blocked = query_with(
        SpatialQueryFilter::default()
            .exclude(mover)
            .exclude_all([ship]),
    );
    assert_eq!(blocked.hits[0].blocker, shield);
    let in_ship = query_with(SpatialQueryFilter::default().exclude_body(mover));
    let expected = query_with(
        SpatialQueryFilter::default()
            .exclude_body(mover)
            .exclude_all([ship]),
    );
    assert_ne!(in_ship, expected);
    assert_eq!(expected.hits[0].blocker, wall);
    app.world_mut().entity_mut(mover).insert(going);
    app.update();
    let moved = global_position(&app, mover);
    assert!(moved.distance(expected.displacement) < 1e-4, "{moved}");
}

#[test]
fn in_no_time_or_with_bad_numbers_nothing_moves() {
    let mut app = test_app();
    let shapes = [
        (Shape::circle(Vec2::ZERO, 1.0), Vec2::NAN),
        (Shape::circle(Vec2::NAN, 1.0), Vec2::X),
        (Shape::circle(Vec2::ZERO, f32::INFINITY), Vec2::X),
    ];
    for (shape, velocity) in shapes {
        let outcome = query(&mut app, shape, Mover::with_velocity(velocity), default());
        assert_eq!(outcome.displacement, Vec2::ZERO);
    }
    for seconds in [0.0, -1.0, f32::NAN] {
        let outcome = run_system(&mut app, move |query: SpatialQuery| {
            let mover = Mover::with_velocity(Vec2::X);
            query.move_and_slide(&Shape::circle(Vec2::ZERO, 1.0), &mover, seconds, &default())
        });
        assert_eq!(outcome.displacement, Vec2::ZERO);
    }
}

#[test]
fn one_way_walls_are_where_they_are_whatever_moved_them_in_the_last_update() {
    for rise in [-2.0, 2.0] {
        let mut app = test_app();
        let plank = (RectCollider::new(40.0, 2.0), Solid, OneWay(Dir2::Y));
        let plank = spawn(&mut app, (plank, at(0.0, -1.0 - rise)));
        app.update();
        set_position(&mut app, plank, Vec2::new(0.0, -1.0));
        app.update();
        for (velocity, end) in [(-1.0, 0.0), (1.0, 1.0)] {
            let mover = Mover::with_velocity(Vec2::Y * velocity / STEP_SECS);
            let shape = Shape::circle(Vec2::new(0.0, 1.02), 1.0);
            let outcome = query(&mut app, shape, mover, SpatialQueryFilter::default());
            let off = outcome.displacement.distance(Vec2::Y * end);
            assert!(off < 0.01, "{rise} {velocity}: {outcome:?}");
        }
    }
}
