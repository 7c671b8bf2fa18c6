//! A collider follows its `Transform` and those of its ancestors in the same frame.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, contains_point, separation},
    prelude::*,
};

use crate::common::{reference::reference_colliders, *};

const SUBJECTS: LayerMask = LayerMask::layer(0);
const PROBES: LayerMask = LayerMask::layer(1);

/// Half the width of the area with probes, and their distance.
const HALF_WIDTH: i32 = 24;
const SPACING: f32 = 0.5;

/// Points on a grid: those that a collider overlaps show its shape.
fn add_probes(app: &mut App) {
    for (i, j) in
        (-HALF_WIDTH..=HALF_WIDTH).flat_map(|i| (-HALF_WIDTH..=HALF_WIDTH).map(move |j| (i, j)))
    {
        let transform = at(i as f32 * SPACING, j as f32 * SPACING);
        let layers = CollisionLayers::new(PROBES, SUBJECTS);
        app.world_mut()
            .spawn((CircleCollider::new(0.0), layers, transform));
    }
}

/// Asserts that the collider of an entity has this shape, as far as the probes show.
fn assert_shape(app: &mut App, subject: Entity, shape: &Shape, context: &str) {
    let probes = run_system(
        app,
        move |probes: Query<(Entity, &CollisionLayers, &Transform)>, pairs: Collisions| {
            let probes = probes
                .iter()
                .filter(|(_, layers, _)| layers.memberships == PROBES);
            probes
                .map(|(probe, _, transform)| {
                    (
                        transform.translation.truncate(),
                        pairs.contains(probe, subject),
                    )
                })
                .collect::<Vec<_>>()
        },
    );
    let mut inside = 0;
    for (point, overlaps) in probes {
        let from_edge = separation(&Shape::circle(point, 0.0), shape).distance;
        // A rotation composed of several is off by some ulp at the edge.
        if from_edge.abs() > 1e-3 {
            assert_eq!(
                overlaps,
                contains_point(shape, point),
                "{context}: {point} and {shape:?}"
            );
            inside += usize::from(overlaps);
        }
    }
    assert!(inside > 1, "{context}: {shape:?} shows at {inside} probes");
}

/// Asserts that the shape of each collider is that of Bevy's own `GlobalTransform`, as it is after
/// propagation.
fn assert_as_propagated(app: &mut App, subjects: &[Entity], context: &str) {
    let colliders = run_system(app, reference_colliders);
    for subject in subjects {
        assert_shape(app, *subject, &colliders[subject].shape, context);
    }
}

fn spawn_child(app: &mut App, parent: Entity, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn((bundle, ChildOf(parent))).id()
}

fn scaled(x: f32, y: f32) -> Transform {
    Transform::from_scale(Vec3::new(x, y, 1.0))
}

#[test]
fn a_circle_takes_the_longer_axis_and_its_offset_turns_and_scales() {
    let circle = CircleCollider::new(2.0).with_offset(Vec2::new(3.0, 0.0));
    let quarter = rotated(Vec2::new(1.0, 2.0), FRAC_PI_2);
    let cases = [
        ("moved", at(1.0, -2.0), Vec2::new(4.0, -2.0), 2.0),
        ("rotated", quarter, Vec2::new(1.0, 5.0), 2.0),
        ("doubled", scaled(2.0, 2.0), Vec2::new(6.0, 0.0), 4.0),
        ("wide", scaled(2.0, 1.0), Vec2::new(6.0, 0.0), 4.0),
        ("tall", scaled(1.0, 2.0), Vec2::new(3.0, 0.0), 4.0),
        ("mirrored", scaled(-2.0, 1.0), Vec2::new(-6.0, 0.0), 4.0),
        ("flat in x", scaled(0.0, 1.5), Vec2::ZERO, 3.0),
        ("flat in y", scaled(1.5, 0.0), Vec2::new(4.5, 0.0), 3.0),
        (
            "rotated, moved and tall",
            quarter.with_scale(Vec3::new(1.0, -2.0, 0.0)),
            Vec2::new(1.0, 5.0),
            4.0,
        ),
    ];
    let mut app = test_app();
    add_probes(&mut app);
    let subject = spawn(&mut app, circle);
    for (context, transform, center, radius) in cases {
        app.world_mut().entity_mut(subject).insert(transform);
        app.update();
        assert_shape(&mut app, subject, &Shape::circle(center, radius), context);
    }
}

#[test]
fn a_rectangle_turns_and_takes_both_scales() {
    let rect = RectCollider::new(6.0, 2.0).with_offset(Vec2::new(2.0, 1.0));
    let spin = |angle| Transform::from_rotation(Quat::from_rotation_z(angle));
    let tilted = spin(0.5).with_scale(Vec3::new(1.5, -3.0, 1.0));
    let cases = [
        (
            "moved",
            at(1.0, -2.0),
            Vec2::new(3.0, -1.0),
            Vec2::new(6.0, 2.0),
            0.0,
        ),
        (
            "rotated",
            spin(FRAC_PI_2),
            Vec2::new(-1.0, 2.0),
            Vec2::new(6.0, 2.0),
            FRAC_PI_2,
        ),
        (
            "wide",
            scaled(2.0, 0.75),
            Vec2::new(4.0, 0.75),
            Vec2::new(12.0, 1.5),
            0.0,
        ),
        (
            "mirrored in x",
            scaled(-1.0, 2.0),
            Vec2::new(-2.0, 2.0),
            Vec2::new(6.0, 4.0),
            0.0,
        ),
        (
            "mirrored in y",
            scaled(1.0, -2.0),
            Vec2::new(2.0, -2.0),
            Vec2::new(6.0, 4.0),
            0.0,
        ),
        (
            "tilted",
            tilted,
            Vec2::from_angle(0.5).rotate(Vec2::new(3.0, -3.0)),
            Vec2::new(9.0, 6.0),
            0.5,
        ),
    ];
    let mut app = test_app();
    add_probes(&mut app);
    let subject = spawn(&mut app, rect);
    for (context, transform, center, size, angle) in cases {
        app.world_mut().entity_mut(subject).insert(transform);
        app.update();
        let shape = Shape::rect(center, size, Rot2::radians(angle));
        assert_shape(&mut app, subject, &shape, context);
    }
}

/// Transforms of parents, for child colliders.
fn parent_transforms() -> [(&'static str, Transform); 8] {
    [
        ("moved", at(3.0, -2.0)),
        ("rotated", rotated(Vec2::new(1.0, 1.0), 0.7)),
        ("doubled", scaled(2.0, 2.0)),
        ("wide", scaled(1.75, 0.75)),
        (
            "mirrored",
            rotated(Vec2::ONE, 0.4).with_scale(Vec3::new(-1.0, 1.0, 1.0)),
        ),
        (
            "upside down",
            scaled(1.5, -1.5).with_translation(Vec3::new(0.0, 2.0, 5.0)),
        ),
        (
            "flat",
            rotated(Vec2::ONE, 0.3).with_scale(Vec3::new(0.0, 2.0, 1.0)),
        ),
        (
            "without depth",
            rotated(Vec2::ONE, 1.3).with_scale(Vec3::new(1.5, 1.0, 0.0)),
        ),
    ]
}

fn child_colliders() -> (CircleCollider, RectCollider) {
    (
        CircleCollider::new(2.0).with_offset(Vec2::new(1.0, 0.5)),
        RectCollider::new(5.0, 3.0).with_offset(Vec2::new(-1.0, 0.5)),
    )
}

#[test]
fn child_colliders_are_where_propagation_puts_them_in_the_frame_they_are_spawned_in() {
    let (circle, rect) = child_colliders();
    for (context, transform) in parent_transforms() {
        let mut app = test_app();
        add_probes(&mut app);
        app.update();
        let parent = spawn(&mut app, transform);
        // A rectangle that rotates under a non-uniform scale is sheared, which is ignored.
        let child_turn = if transform.scale.x.abs() == transform.scale.y.abs() {
            0.6
        } else {
            0.0
        };
        let circle = spawn_child(
            &mut app,
            parent,
            (circle, rotated(Vec2::new(2.0, 1.0), child_turn)),
        );
        let rect = spawn_child(
            &mut app,
            parent,
            (rect, rotated(Vec2::new(0.5, 1.0), child_turn)),
        );
        app.update();
        if context == "flat" {
            assert_as_propagated(&mut app, &[circle], context);
        } else {
            assert_as_propagated(&mut app, &[circle, rect], context);
        }
    }
}

#[test]
fn child_colliders_follow_a_parent_that_changes_in_the_same_frame() {
    let (circle, rect) = child_colliders();
    let mut app = test_app();
    add_probes(&mut app);
    let grandparent = spawn(&mut app, Transform::IDENTITY);
    let parent = spawn_child(&mut app, grandparent, at(0.5, 0.0));
    let circle = spawn_child(&mut app, parent, (circle, at(1.0, 0.0)));
    let rect = spawn_child(&mut app, parent, (rect, at(0.0, 1.0)));
    app.update();
    for (context, transform) in parent_transforms() {
        for ancestor in [parent, grandparent] {
            app.world_mut().entity_mut(ancestor).insert(transform);
            app.update();
            let subjects = if context == "flat" {
                &[circle][..]
            } else {
                &[circle, rect]
            };
            assert_as_propagated(&mut app, subjects, &format!("{context} {ancestor}"));
            app.world_mut()
                .entity_mut(ancestor)
                .insert(Transform::IDENTITY);
        }
    }
}

#[test]
fn a_turning_child_of_a_scaled_parent_keeps_the_lengths_of_its_axes() {
    let mut app = test_app();
    add_probes(&mut app);
    let parent = spawn(&mut app, scaled(2.0, 1.0));
    let child = (RectCollider::new(4.0, 2.0), rotated(Vec2::ZERO, FRAC_PI_4));
    let child = spawn_child(&mut app, parent, child);
    app.update();
    // Its x axis is (2, 1) / sqrt(2) now, and so is its y axis mirrored; the angle between them is
    // lost.
    let scale = 2.5f32.sqrt();
    let direction = Rot2::radians(Vec2::new(2.0, 1.0).to_angle());
    let shape = Shape::rect(Vec2::ZERO, Vec2::new(4.0, 2.0) * scale, direction);
    assert_shape(&mut app, child, &shape, "sheared");
}

#[test]
fn reparenting_counts_in_the_same_frame() {
    let (circle, rect) = child_colliders();
    let mut app = test_app();
    add_probes(&mut app);
    let parents = [
        at(4.0, 0.0),
        rotated(Vec2::new(-3.0, 2.0), 1.0),
        scaled(1.5, 1.5),
    ]
    .map(|transform| spawn(&mut app, transform));
    let subjects = [
        spawn_child(&mut app, parents[0], (circle, at(1.0, 0.0))),
        spawn_child(&mut app, parents[0], (rect, at(0.0, 1.0))),
    ];
    app.update();
    assert_as_propagated(&mut app, &subjects, "first parent");
    for (i, parent) in parents.into_iter().enumerate().skip(1) {
        for subject in subjects {
            app.world_mut().entity_mut(subject).insert(ChildOf(parent));
        }
        app.update();
        assert_as_propagated(&mut app, &subjects, &format!("parent {i}"));
    }
    app.world_mut()
        .entity_mut(parents[2])
        .insert(ChildOf(parents[1]));
    app.update();
    assert_as_propagated(&mut app, &subjects, "the parent got a parent");
    for subject in subjects {
        app.world_mut().entity_mut(subject).remove::<ChildOf>();
    }
    app.update();
    assert_as_propagated(&mut app, &subjects, "no parent");
}

#[test]
fn what_an_update_system_writes_is_seen_in_that_frame() {
    let mut app = test_app();
    add_probes(&mut app);
    let parent = spawn(&mut app, Transform::IDENTITY);
    let child = spawn_child(&mut app, parent, (CircleCollider::new(2.0), at(1.0, 0.0)));
    app.update();
    app.add_systems(Update, move |mut transforms: Query<&mut Transform>| {
        transforms.get_mut(parent).unwrap().translation.x += 0.75;
    });
    for frame in 1..4 {
        app.update();
        let shape = Shape::circle(Vec2::new(1.0 + 0.75 * frame as f32, 0.0), 2.0);
        assert_shape(&mut app, child, &shape, &format!("frame {frame}"));
    }
}

#[test]
fn ancestors_end_at_the_first_without_transform() {
    let mut app = test_app();
    add_probes(&mut app);
    let top = spawn(&mut app, at(5.0, 5.0));
    let folder = app.world_mut().spawn(ChildOf(top)).id();
    let middle = spawn_child(&mut app, folder, at(-3.0, 0.0));
    let child = spawn_child(&mut app, middle, (CircleCollider::new(2.0), at(0.0, 1.0)));
    app.update();
    let below_folder = Shape::circle(Vec2::new(-3.0, 1.0), 2.0);
    assert_shape(&mut app, child, &below_folder, "two below the folder");
    app.world_mut().entity_mut(folder).insert(at(1.0, 0.0));
    app.update();
    let with_all = Shape::circle(Vec2::new(3.0, 6.0), 2.0);
    assert_shape(&mut app, child, &with_all, "the folder has a transform now");
    app.world_mut().entity_mut(middle).remove::<Transform>();
    app.update();
    let alone = Shape::circle(Vec2::new(0.0, 1.0), 2.0);
    assert_shape(&mut app, child, &alone, "its parent lost its transform");
}

#[test]
fn poses_are_current_without_the_transform_plugin() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    start(&mut app);
    add_probes(&mut app);
    let parent = spawn(&mut app, rotated(Vec2::new(2.0, 0.0), FRAC_PI_2));
    let child = spawn_child(
        &mut app,
        parent,
        (RectCollider::new(6.0, 2.0), at(1.0, 0.0)),
    );
    app.update();
    let upright = Shape::rect(Vec2::new(2.0, 1.0), Vec2::new(2.0, 6.0), Rot2::IDENTITY);
    assert_shape(&mut app, child, &upright, "spawned");
    app.world_mut().entity_mut(parent).insert(scaled(2.0, 1.0));
    app.update();
    let lying = Shape::rect(Vec2::new(2.0, 0.0), Vec2::new(12.0, 2.0), Rot2::IDENTITY);
    assert_shape(&mut app, child, &lying, "parent changed");
    let other = spawn(&mut app, at(0.0, -4.0));
    app.world_mut().entity_mut(child).insert(ChildOf(other));
    app.update();
    let lower = Shape::rect(Vec2::new(1.0, -4.0), Vec2::new(6.0, 2.0), Rot2::IDENTITY);
    assert_shape(&mut app, child, &lower, "reparented");
}

#[test]
fn a_disabled_parent_still_carries_its_children() {
    let mut app = test_app();
    add_probes(&mut app);
    let parent = spawn(&mut app, at(4.0, 0.0));
    let child = spawn_child(&mut app, parent, (CircleCollider::new(2.0), at(0.0, 1.0)));
    app.update();
    app.world_mut()
        .entity_mut(parent)
        .insert((bevy::ecs::entity_disabling::Disabled, at(-4.0, 0.0)));
    app.update();
    let shape = Shape::circle(Vec2::new(-4.0, 1.0), 2.0);
    assert_shape(&mut app, child, &shape, "parent disabled and moved");
}

#[test]
fn what_a_mover_carries_collides_where_the_mover_went() {
    let mut app = test_app();
    add_probes(&mut app);
    let velocity = Vec2::new(2.0, 1.0) / STEP_SECS;
    let mover = spawn(
        &mut app,
        (
            Mover::with_velocity(velocity),
            rotated(Vec2::ZERO, FRAC_PI_2),
        ),
    );
    let arm = spawn_child(&mut app, mover, at(3.0, 0.0));
    let hand = spawn_child(&mut app, arm, (CircleCollider::new(1.5), at(0.0, 1.0)));
    for frame in 1..4 {
        app.update();
        let center = Vec2::new(-1.0, 3.0) + frame as f32 * Vec2::new(2.0, 1.0);
        let shape = Shape::circle(center, 1.5);
        assert_shape(&mut app, hand, &shape, &format!("frame {frame}"));
        assert_as_propagated(&mut app, &[hand], &format!("frame {frame}"));
    }
}

#[test]
fn a_pair_under_one_moving_parent_rests_and_one_across_parents_ends() {
    let mut app = test_app();
    let parents = [spawn(&mut app, at(0.0, 0.0)), spawn(&mut app, at(1.5, 0.0))];
    let [a, b] = parents.map(|parent| spawn_child(&mut app, parent, ball(0.0, 0.0)));
    let c = spawn_child(&mut app, parents[0], ball(0.0, -1.5));
    let mut first = brief_step(&mut app);
    first.sort_by_key(|event| format!("{event:?}"));
    let mut expected = [started(a, b), started(a, c)];
    expected.sort_by_key(|event| format!("{event:?}"));
    assert_eq!(first, expected);
    set_position(&mut app, parents[0], Vec2::new(-40.0, 0.0));
    assert_eq!(
        brief_step(&mut app),
        [ended(a, b, CollisionEndReason::Separated)]
    );
    assert_eq!(pairs(&mut app), [(a.min(c), a.max(c))]);
}
