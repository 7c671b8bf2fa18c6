//! NaN and infinite values, negative sizes, positions far away: nothing panics, and other colliders
//! are not affected.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use super::BAD;
use crate::common::*;

/// A field of a collider's entity.
type Field = (&'static str, fn(EntityWorldMut, f32));

fn transform(mut entity: EntityWorldMut, write: impl FnOnce(&mut Transform)) {
    write(&mut entity.get_mut::<Transform>().unwrap());
}

const TRANSFORM: [Field; 8] = [
    ("x", |e, bad| transform(e, |t| t.translation.x = bad)),
    ("y", |e, bad| transform(e, |t| t.translation.y = bad)),
    ("rotation x", |e, bad| transform(e, |t| t.rotation.x = bad)),
    ("rotation y", |e, bad| transform(e, |t| t.rotation.y = bad)),
    ("rotation z", |e, bad| transform(e, |t| t.rotation.z = bad)),
    ("rotation w", |e, bad| transform(e, |t| t.rotation.w = bad)),
    ("scale x", |e, bad| transform(e, |t| t.scale.x = bad)),
    ("scale y", |e, bad| transform(e, |t| t.scale.y = bad)),
];

fn circle(mut entity: EntityWorldMut, write: impl FnOnce(&mut CircleCollider)) {
    write(&mut entity.get_mut::<CircleCollider>().unwrap());
}

const CIRCLE: [Field; 3] = [
    ("radius", |e, bad| circle(e, |c| c.radius = bad)),
    ("offset x", |e, bad| circle(e, |c| c.offset.x = bad)),
    ("offset y", |e, bad| circle(e, |c| c.offset.y = bad)),
];

fn rect(mut entity: EntityWorldMut, write: impl FnOnce(&mut RectCollider)) {
    write(&mut entity.get_mut::<RectCollider>().unwrap());
}

const RECT: [Field; 4] = [
    ("width", |e, bad| rect(e, |r| r.size.x = bad)),
    ("height", |e, bad| rect(e, |r| r.size.y = bad)),
    ("offset x", |e, bad| rect(e, |r| r.offset.x = bad)),
    ("offset y", |e, bad| rect(e, |r| r.offset.y = bad)),
];

fn counts_as_zero(field: &str, bad: f32) -> bool {
    bad == f32::NEG_INFINITY && ["radius", "width", "height"].contains(&field)
}

/// An app with 99 colliders of all sorts, always the same.
fn crowd() -> App {
    let mut app = test_app();
    let mut rng = Rng::with_seed(99);
    let mut random = |limit: f32| (rng.f32() * 2.0 - 1.0) * limit;
    for i in 0..99 {
        let transform = rotated(Vec2::new(random(30.0), random(30.0)), random(3.0));
        let velocity = Vec2::new(random(100.0), random(100.0));
        match i % 3 {
            0 => spawn(&mut app, (RectCollider::new(4.0, 2.0), Solid, transform)),
            1 => spawn(
                &mut app,
                (
                    CircleCollider::new(1.5),
                    Mover::with_velocity(velocity),
                    transform,
                ),
            ),
            _ => spawn(&mut app, (CircleCollider::new(3.0), transform)),
        };
    }
    app
}

/// What the others do: the events without the subject, and all positions, bit for bit.
fn others(
    events: &[CollisionEvent],
    app: &mut App,
    subject: Option<Entity>,
) -> (Vec<Brief>, BTreeMap<Entity, Vec3>) {
    let foreign = |event: &&CollisionEvent| !event.entities().iter().any(|&e| Some(e) == subject);
    let foreign: Vec<_> = events.iter().filter(foreign).copied().collect();
    let positions = run_system(app, move |all: Query<(Entity, &Transform)>| {
        let all = all.iter().filter(|(entity, _)| Some(*entity) != subject);
        all.map(|(entity, transform)| (entity, transform.translation))
            .collect::<BTreeMap<_, _>>()
    });
    (brief(&foreign), positions)
}

#[test]
fn the_other_ninety_nine_behave_as_if_a_bad_collider_were_absent() {
    let mut without = crowd();
    let expected: Vec<_> = (0..4)
        .map(|_| {
            let events = step(&mut without);
            others(&events, &mut without, None)
        })
        .collect();
    assert!(expected[0].0.len() > 50, "the crowd is dense");
    for (kind, fields) in [
        ("circle", &CIRCLE[..]),
        ("rect", &RECT),
        ("place", &TRANSFORM),
    ] {
        for (field, spoil) in fields {
            for bad in BAD.into_iter().filter(|&bad| !counts_as_zero(field, bad)) {
                let mut app = crowd();
                let subject = match kind {
                    "circle" => spawn(&mut app, (CircleCollider::new(9.0), Solid)),
                    _ => spawn(&mut app, (RectCollider::new(18.0, 9.0), Solid)),
                };
                spoil(app.world_mut().entity_mut(subject), bad);
                for (frame, expected) in expected.iter().enumerate() {
                    let events = step(&mut app);
                    let named = events
                        .iter()
                        .any(|event| event.entities().contains(&subject));
                    assert!(!named, "{kind} {field} {bad}, frame {frame}");
                    let others = others(&events, &mut app, Some(subject));
                    assert_eq!(others, *expected, "{kind} {field} {bad}, frame {frame}");
                }
            }
        }
    }
}

#[test]
fn a_collider_that_turns_bad_ends_its_pairs_is_named_once_and_comes_back() {
    collect_warnings();
    for (kind, fields) in [
        ("circle", &CIRCLE[..]),
        ("rect", &RECT),
        ("place", &TRANSFORM),
    ] {
        for (field, spoil) in fields {
            for bad in BAD.into_iter().filter(|&bad| !counts_as_zero(field, bad)) {
                let context = format!("bad {kind} {field} {bad} in the middle;");
                let mut app = test_app();
                let collider = (CircleCollider::new(2.0), Name::new(context.clone()));
                let subject = spawn(&mut app, collider);
                if kind != "circle" {
                    app.world_mut()
                        .entity_mut(subject)
                        .remove::<CircleCollider>()
                        .insert(RectCollider::new(4.0, 3.0));
                }
                let others = [-1.5, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
                let starts = brief_step(&mut app);
                assert_eq!(starts.len(), 2, "{context}");
                let good: (Transform, Option<CircleCollider>, Option<RectCollider>) = {
                    let entity = app.world().entity(subject);
                    (
                        *entity.get().unwrap(),
                        entity.get().copied(),
                        entity.get().copied(),
                    )
                };
                spoil(app.world_mut().entity_mut(subject), bad);
                let mut expected =
                    others.map(|other| ended(subject, other, CollisionEndReason::Invalid));
                expected.sort_by_key(|end| format!("{end:?}"));
                let mut ends = brief_step(&mut app);
                ends.sort_by_key(|end| format!("{end:?}"));
                assert_eq!(ends, expected, "{context}");
                assert_eq!(steps(&mut app, 3), [], "{context}");
                assert_eq!(warnings_about(&context).len(), 1, "{context}");
                let mut entity = app.world_mut().entity_mut(subject);
                entity.insert(good.0);
                if let Some(circle) = good.1 {
                    entity.insert(circle);
                }
                if let Some(rect) = good.2 {
                    entity.insert(rect);
                }
                assert_eq!(brief_step(&mut app), starts, "{context}");
                assert_eq!(warnings_about(&context).len(), 1, "{context}");
            }
        }
    }
}

#[test]
fn a_parent_that_is_not_finite_takes_its_children_out_until_it_is() {
    let mut app = test_app();
    let parent = spawn(&mut app, Transform::IDENTITY);
    let child = spawn(&mut app, (ball(0.0, 0.0), ChildOf(parent)));
    let other = spawn(&mut app, ball(1.5, 0.0));
    assert_eq!(brief_step(&mut app), [started(child, other)]);
    set_position(&mut app, parent, Vec2::new(0.0, f32::NAN));
    assert_eq!(
        brief_step(&mut app),
        [ended(child, other, CollisionEndReason::Invalid)]
    );
    set_position(&mut app, parent, Vec2::ZERO);
    assert_eq!(brief_step(&mut app), [started(child, other)]);
}

#[test]
fn negative_sizes_count_as_zero() {
    let mut app = test_app();
    let big = spawn(&mut app, (CircleCollider::new(3.0), at(0.0, 0.0)));
    let inside: Vec<Entity> = [-0.0, -5.0, f32::NEG_INFINITY]
        .map(|radius| spawn(&mut app, (CircleCollider::new(radius), at(2.0, 1.0))))
        .into();
    let segment = spawn(&mut app, (RectCollider::new(-4.0, 20.0), at(-2.0, 10.0)));
    // They would reach the circle if the sign were dropped.
    spawn(&mut app, (CircleCollider::new(-50.0), at(20.0, 0.0)));
    spawn(&mut app, (RectCollider::new(-50.0, 2.0), at(20.0, 0.0)));
    spawn(&mut app, (RectCollider::new(-50.0, -50.0), at(-20.0, 0.0)));
    app.update();
    let mut expected: Vec<_> = inside
        .iter()
        .chain([&segment])
        .map(|&e| (big.min(e), big.max(e)))
        .collect();
    expected.sort();
    assert_eq!(pairs(&mut app), expected);
}

#[test]
fn points_overlap_what_they_are_inside_of_and_nothing_else() {
    let mut app = test_app();
    let points = [
        spawn(&mut app, CircleCollider::new(0.0)),
        spawn(&mut app, RectCollider::new(0.0, 0.0)),
        spawn(
            &mut app,
            (CircleCollider::new(1.0), Transform::from_scale(Vec3::ZERO)),
        ),
        spawn(
            &mut app,
            (
                RectCollider::new(1.0, 1.0),
                Transform::from_scale(Vec3::ZERO),
            ),
        ),
        spawn(
            &mut app,
            (
                RectCollider::new(4.0, 4.0),
                Transform::from_scale(Vec3::new(0.0, 0.0, 1.0)),
            ),
        ),
    ];
    assert_eq!(step(&mut app), [], "points at one position only touch");
    let area = spawn(
        &mut app,
        (RectCollider::new(2.0, 2.0), rotated(Vec2::ZERO, 0.3)),
    );
    let mut expected = points.map(|point| (point.min(area), point.max(area)));
    expected.sort();
    app.update();
    assert_eq!(pairs(&mut app), expected);
    for (point, other) in expected {
        let contact = contact_of(&mut app, point, other).unwrap();
        assert!(contact.normal.is_normalized(), "{contact:?}");
        assert!(
            (contact.depth - 1.0).abs() < 1e-5,
            "the shortest displacement: {contact:?}"
        );
    }
}

#[test]
fn a_mover_that_starts_in_the_middle_of_a_wall_gets_out() {
    for angle in [0.0f32, 0.7] {
        let mut app = test_app();
        let transform = rotated(Vec2::new(3.0, -4.0), angle);
        let wall = spawn(&mut app, (RectCollider::new(6.0, 2.0), Solid, transform));
        let circle = spawn(
            &mut app,
            (CircleCollider::new(1.0), Mover::default(), transform),
        );
        steps(&mut app, 4);
        let from = global_position(&app, circle) - Vec2::new(3.0, -4.0);
        let from_edge = Vec2::from_angle(angle).perp().dot(from).abs();
        assert!((2.0..2.05).contains(&from_edge), "{from} from {wall}");
    }
}

/// Puts colliders and movers of all sizes this far away, and asserts that they do not affect those
/// near the origin.
fn assert_far_is_harmless(distances: &[f32]) {
    for &distance in distances {
        let mut app = test_app();
        let layer =
            |number| CollisionLayers::new(LayerMask::layer(number), LayerMask::layer(number));
        let near = [0.0, 1.5].map(|x| spawn(&mut app, (ball(x, 0.0), layer(0))));
        let walker = (
            ball(0.0, 10.0),
            layer(2),
            Mover::with_velocity(Vec2::X * 64.0),
        );
        let walker = spawn(&mut app, walker);
        for sign in [Vec2::ONE, Vec2::NEG_ONE, Vec2::new(1.0, -1.0), Vec2::X] {
            let placement = || (rotated(sign * distance, 0.6), layer(1));
            for size in [1.0, distance / 4.0, distance] {
                spawn(&mut app, (CircleCollider::new(size), placement()));
                spawn(
                    &mut app,
                    (RectCollider::new(size, size), Solid, placement()),
                );
            }
            let mover = Mover {
                velocity: -sign * distance,
                displacement: sign * distance,
                ..default()
            };
            spawn(&mut app, (CircleCollider::new(1.0), placement(), mover));
        }
        let mut near_events = steps(&mut app, 3);
        near_events.retain(|event| event.entities().contains(&near[0]));
        assert_eq!(
            brief(&near_events),
            [started(near[0], near[1])],
            "{distance}"
        );
        let contact = contact_of(&mut app, near[0], near[1]).unwrap();
        assert!(
            (contact.depth - 0.5).abs() < 1e-6,
            "{distance}: {contact:?}"
        );
        assert_eq!(
            global_position(&app, walker),
            Vec2::new(3.0, 10.0),
            "{distance}"
        );
        let all_finite = run_system(&mut app, |all: Query<&Transform>| {
            all.iter().all(Transform::is_finite)
        });
        assert!(all_finite, "{distance}");
    }
}

#[test]
fn however_far_away_nothing_panics_or_disturbs_the_rest() {
    assert_far_is_harmless(&[1e6, 1e10, 1e19, 1e20, 1e30]);
}

#[test]
fn as_far_away_as_numbers_go_nothing_panics_or_disturbs_the_rest() {
    assert_far_is_harmless(&[1e38, f32::MAX]);
}

#[test]
fn a_margin_that_is_not_a_positive_number_counts_as_zero() {
    for margin in BAD.into_iter().chain([-1.0, f32::MIN]) {
        let mut app = test_app();
        app.insert_resource(CollisionSettings {
            margin,
            ..default()
        });
        let [a, b, _] = [0.0, 1.5, 3.75].map(|x| spawn(&mut app, ball(x, 0.0)));
        assert_eq!(brief(&steps(&mut app, 2)), [started(a, b)], "{margin}");
    }
}

#[test]
fn a_huge_margin_makes_everything_touch_and_nothing_panic() {
    for margin in [1e10, f32::MAX] {
        let mut app = test_app();
        app.insert_resource(CollisionSettings {
            margin,
            ..default()
        });
        for x in [0.0, 5.0, 500.0, -9000.0] {
            spawn(&mut app, ball(x, 0.0));
        }
        assert_eq!(step(&mut app).len(), 6, "{margin}");
    }
}

#[test]
fn the_nearest_collider_may_be_as_far_as_numbers_go() {
    let mut app = test_app();
    app.insert_resource(CollisionSettings {
        margin: f32::MAX,
        ..default()
    });
    let far = spawn(&mut app, ball(0.0, -f32::MAX));
    step(&mut app);
    let nearest = run_system(&mut app, |query: SpatialQuery| {
        let filter = SpatialQueryFilter::default();
        query.project_point(Vec2::new(270.0, 450.0), f32::INFINITY, &filter)
    });
    let (nearest, _) = nearest.expect("its box is everywhere");
    assert_eq!(nearest, far);
}
