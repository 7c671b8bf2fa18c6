//! Entities hidden by a disabling component of the app do not collide, and nothing else about
//! them is lost.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// Hides entities, with sparse-set storage.
#[derive(Component, Clone, Copy, Default)]
#[component(storage = "SparseSet")]
struct Cloaked;

/// Runs a test with a disabling component in table storage, and with one in sparse-set storage.
fn with_both(test: impl Fn(&mut App, &dyn Fn(&mut App, Entity), &dyn Fn(&mut App, Entity))) {
    test(
        &mut app_hiding::<Shelved>(),
        &|app, entity| _ = app.world_mut().entity_mut(entity).insert(Shelved),
        &|app, entity| _ = app.world_mut().entity_mut(entity).remove::<Shelved>(),
    );
    test(
        &mut app_hiding::<Cloaked>(),
        &|app, entity| _ = app.world_mut().entity_mut(entity).insert(Cloaked),
        &|app, entity| _ = app.world_mut().entity_mut(entity).remove::<Cloaked>(),
    );
}

#[test]
fn pairs_that_end_while_an_entity_is_hidden_leave_its_list() {
    with_both(|app, hide, show| {
        let [a, b, c] = [0.0, 1.5, 1.7].map(|x| {
            let list = CollidingEntities::default();
            spawn(app, (ball(x, 0.0), list))
        });
        app.update();
        let list = |app: &App, entity| {
            let list = app.world().get::<CollidingEntities>(entity);
            list.unwrap().to_vec()
        };
        assert_eq!(list(app, a), [b.min(c), b.max(c)]);
        hide(app, a);
        app.update();
        assert_eq!(list(app, a), []);
        assert_eq!(list(app, b), [c]);
        set_position(app, b, Vec2::X * 50.0);
        show(app, a);
        app.update();
        assert_eq!(list(app, a), [c]);
    });
}

#[test]
fn the_children_of_a_hidden_parent_stay_where_it_puts_them() {
    with_both(|app, hide, _| {
        let parent = spawn(app, rotated(Vec2::new(40.0, 0.0), 1.0));
        let middle = spawn(app, (at(5.0, 0.0), ChildOf(parent)));
        let child = spawn(app, (ball(0.0, 3.0), ChildOf(middle)));
        let position = Vec2::X * 40.0 + Vec2::from_angle(1.0).rotate(Vec2::new(5.0, 3.0));
        let marker = spawn(app, ball(position.x, position.y));
        assert_eq!(brief_step(app), [started(child, marker)]);
        for ancestor in [middle, parent] {
            hide(app, ancestor);
            // So that it is synced again.
            let mut transform = app.world_mut().get_mut::<Transform>(child).unwrap();
            transform.set_changed();
            assert_eq!(steps(app, 2), []);
        }
        // It still moves with them.
        let mut transform = app.world_mut().get_mut::<Transform>(parent).unwrap();
        transform.translation.x += 10.0;
        let end = ended(child, marker, CollisionEndReason::Separated);
        assert_eq!(brief_step(app), [end]);
    });
}

#[test]
fn a_mover_below_a_hidden_parent_moves_in_world_space() {
    with_both(|app, hide, _| {
        let parent = rotated(Vec2::new(40.0, 0.0), 1.0).with_scale(Vec3::splat(3.0));
        let parent = spawn(app, parent);
        let mover = (ball(1.0, 0.0), Mover::default(), ChildOf(parent));
        let mover = spawn(app, mover);
        let start = Vec2::X * 40.0 + Vec2::from_angle(1.0) * 3.0;
        let markers = [Vec2::ZERO, Vec2::X * 20.0].map(|offset| {
            let position = start + offset;
            spawn(app, ball(position.x, position.y))
        });
        assert_eq!(brief_step(app), [started(mover, markers[0])]);
        hide(app, parent);
        set_velocity(app, mover, Vec2::X * 20.0 / STEP_SECS);
        let expected = [
            ended(mover, markers[0], CollisionEndReason::Separated),
            started(mover, markers[1]),
        ];
        assert_eq!(brief_step(app), expected);
    });
}

#[test]
fn a_body_is_one_across_a_hidden_ancestor() {
    with_both(|app, hide, _| {
        let top = spawn(app, ball(0.0, 0.0));
        let middle = spawn(app, (at(0.0, 0.0), ChildOf(top)));
        hide(app, middle);
        let child = spawn(app, (ball(0.5, 0.0), ChildOf(middle)));
        let other = spawn(app, ball(1.0, 0.0));
        let mut expected = [started(top, other), started(child, other)];
        let mut events = brief_step(app);
        for list in [&mut events[..], &mut expected[..]] {
            list.sort_by_key(|event| format!("{event:?}"));
        }
        assert_eq!(events, expected);
    });
}

#[test]
fn what_changed_while_hidden_takes_effect_in_the_update_in_which_it_is_shown() {
    with_both(|app, hide, show| {
        let a = spawn(app, ball(0.0, 0.0));
        let b = spawn(app, at(1.5, 0.0));
        hide(app, b);
        app.world_mut()
            .entity_mut(b)
            .insert(CircleCollider::new(1.0));
        assert_eq!(steps(app, 3), []);
        show(app, b);
        assert_eq!(brief_step(app), [started(a, b)]);
        hide(app, b);
        let end = ended(a, b, CollisionEndReason::Disabled);
        assert_eq!(brief_step(app), [end]);
        let mut collider = app.world_mut().get_mut::<CircleCollider>(b).unwrap();
        collider.radius = 0.1;
        assert_eq!(steps(app, 3), []);
        show(app, b);
        assert_eq!(steps(app, 3), []);
        app.world_mut().entity_mut(b).remove::<CircleCollider>();
        app.world_mut()
            .entity_mut(b)
            .insert(RectCollider::new(2.0, 2.0));
        assert_eq!(brief_step(app), [started(a, b)]);
    });
}
