//! Cycles of parents: nothing hangs, and their colliders are invalid.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

#[test]
fn a_cycle_of_parents_is_named_once_and_hangs_nothing() {
    collect_warnings();
    for length in [2, 3, 5] {
        let mut app = test_app();
        app.add_observer(|_: On<CollisionStart>| {});
        app.add_observer(|_: On<CollisionEnd>| {});
        let name = format!("in a cycle of {length} parents;");
        let ring: Vec<Entity> = (0..length)
            .map(|i| {
                spawn(
                    &mut app,
                    (ball(100.0 * i as f32, 0.0), Name::new(name.clone())),
                )
            })
            .collect();
        let tail = (ball(0.0, 100.0), ChildOf(ring[0]));
        let tail = spawn(&mut app, tail);
        let other = spawn(&mut app, ball(1.5, 0.0));
        let outsiders = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, -50.0)));
        assert_eq!(step(&mut app).len(), 2);
        for (i, &entity) in ring.iter().enumerate() {
            app.world_mut()
                .entity_mut(entity)
                .insert(ChildOf(ring[(i + 1) % length]));
        }
        assert_eq!(
            brief_step(&mut app),
            [ended(ring[0], other, CollisionEndReason::Invalid)]
        );
        assert_eq!(steps(&mut app, 3), []);
        assert_eq!(pairs(&mut app).len(), 1, "{outsiders:?} are not disturbed");
        let warnings = warnings_about(&name);
        assert_eq!(warnings.len(), length, "one for each: {warnings:?}");
        assert!(
            warnings.iter().all(|warning| warning.contains("cycle")),
            "{warnings:?}"
        );
        set_position(&mut app, tail, Vec2::new(0.0, -50.0));
        assert_eq!(
            steps(&mut app, 2),
            [],
            "what hangs on the cycle is out, too"
        );
        for &entity in &ring {
            app.world_mut().entity_mut(entity).remove::<ChildOf>();
        }
        let mut starts = brief_step(&mut app);
        let mut expected = vec![
            started(ring[0], other),
            started(tail, outsiders[0]),
            started(tail, outsiders[1]),
        ];
        for list in [&mut starts, &mut expected] {
            list.sort_by_key(|event| format!("{event:?}"));
        }
        assert_eq!(starts, expected);
    }
}

#[test]
fn a_mover_under_a_cycle_of_parents_hangs_nothing() {
    let mut app = test_app();
    let ring = [0.0, 50.0].map(|x| spawn(&mut app, at(x, 0.0)));
    let mover = (
        ball(0.0, 0.0),
        Mover::with_velocity(Vec2::X),
        ChildOf(ring[0]),
    );
    let mover = spawn(&mut app, mover);
    app.world_mut().entity_mut(ring[0]).insert(ChildOf(ring[1]));
    app.world_mut().entity_mut(ring[1]).insert(ChildOf(ring[0]));
    spawn(&mut app, (ball(1.5, 0.0), Solid));
    assert_eq!(steps(&mut app, 3), []);
    assert!(app.world().get::<Transform>(mover).unwrap().is_finite());
}

#[test]
fn observers_receive_the_end_of_a_pair_that_a_cycle_ended() {
    #[derive(Resource, Default)]
    struct Received(Vec<(Entity, CollisionEndReason)>);
    let mut app = test_app();
    app.init_resource::<Received>();
    app.add_observer(|end: On<CollisionEnd>, mut received: ResMut<Received>| {
        received.0.push((end.collider, end.reason));
    });
    let ring = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(step(&mut app).len(), 1);
    app.world_mut().entity_mut(ring[0]).insert(ChildOf(ring[1]));
    app.world_mut().entity_mut(ring[1]).insert(ChildOf(ring[0]));
    steps(&mut app, 2);
    let mut expected = ring.map(|entity| (entity, CollisionEndReason::Invalid));
    expected.sort();
    let mut received = std::mem::take(&mut app.world_mut().resource_mut::<Received>().0);
    received.sort();
    assert_eq!(received, expected, "each side once");
}
