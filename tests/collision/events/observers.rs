//! Which observers receive events, and in which order.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// The events that observers received, in order.
#[derive(Resource, Default)]
struct Received(Vec<(&'static str, Entity, Entity, Entity)>);

fn received(app: &mut App) -> Vec<(&'static str, Entity, Entity, Entity)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Received>().0)
}

fn record_start(start: On<CollisionStart>, mut received: ResMut<Received>) {
    received
        .0
        .push(("start", start.entity, start.collider, start.other));
}

fn record_end(end: On<CollisionEnd>, mut received: ResMut<Received>) {
    received
        .0
        .push(("end", end.entity, end.collider, end.other));
}

fn listening_app() -> App {
    let mut app = test_app();
    app.init_resource::<Received>();
    app
}

fn listen(app: &mut App, entity: Entity) {
    let mut entity = app.world_mut().entity_mut(entity);
    entity.observe(record_start).observe(record_end);
}

#[test]
fn each_entity_receives_the_other_with_the_contact_as_seen_from_itself() {
    #[derive(Resource, Default)]
    struct Starts(Vec<CollisionStart>);
    let mut app = test_app();
    app.init_resource::<Starts>();
    let sides = [0.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    for side in sides {
        app.world_mut().entity_mut(side).observe(
            |start: On<CollisionStart>, mut starts: ResMut<Starts>| starts.0.push(*start.event()),
        );
    }
    app.update();
    let mut starts = std::mem::take(&mut app.world_mut().resource_mut::<Starts>().0);
    let colliders: Vec<Entity> = starts.iter().map(|start| start.collider).collect();
    let mut sorted = sides;
    sorted.sort();
    assert_eq!(colliders, sorted, "the lesser one first");
    starts.sort_by_key(|start| start.collider != sides[0]);
    for (start, (other, normal)) in starts
        .iter()
        .zip([(sides[1], Vec2::X), (sides[0], Vec2::NEG_X)])
    {
        assert_eq!((start.entity, start.other), (start.collider, other));
        assert!(start.contact.normal.abs_diff_eq(normal, 1e-6), "{start:?}");
        assert!((start.contact.depth - 0.5).abs() < 1e-6, "{start:?}");
        assert!(
            start.contact.point.abs_diff_eq(Vec2::new(0.75, 0.0), 1e-6),
            "{start:?}"
        );
        assert_eq!(start.fraction, 1.0);
    }
}

#[test]
fn ancestors_receive_what_their_descendants_hit() {
    let mut app = listening_app();
    let ship = spawn(&mut app, Transform::IDENTITY);
    let turret = spawn(&mut app, (Transform::IDENTITY, ChildOf(ship)));
    let barrel = spawn(&mut app, (ball(0.0, 0.0), ChildOf(turret)));
    let rock = spawn(&mut app, ball(1.5, 0.0));
    listen(&mut app, ship);
    app.update();
    assert_eq!(received(&mut app), [("start", ship, barrel, rock)]);
    listen(&mut app, turret);
    listen(&mut app, barrel);
    set_position(&mut app, rock, Vec2::new(50.0, 0.0));
    app.update();
    let path_up = [barrel, turret, ship].map(|target| ("end", target, barrel, rock));
    assert_eq!(received(&mut app), path_up);
}

#[test]
fn an_observer_may_stop_the_propagation() {
    let mut app = listening_app();
    let parent = spawn(&mut app, Transform::IDENTITY);
    let child = spawn(&mut app, (ball(0.0, 0.0), ChildOf(parent)));
    spawn(&mut app, ball(1.5, 0.0));
    listen(&mut app, parent);
    app.world_mut()
        .entity_mut(child)
        .observe(|mut start: On<CollisionStart>| start.propagate(false));
    app.update();
    assert_eq!(received(&mut app), []);
}

#[test]
fn global_observers_receive_everything_in_the_order_of_the_messages() {
    let mut app = listening_app();
    app.add_observer(record_start).add_observer(record_end);
    let entities: Vec<Entity> = (0..6)
        .map(|i| spawn(&mut app, ball(1.5 * i as f32, 0.0)))
        .collect();
    let both_sides = |event: &Brief| match *event {
        Brief::Started(a, b) => [("start", a, a, b), ("start", b, b, a)],
        Brief::Ended(a, b, _) => [("end", a, a, b), ("end", b, b, a)],
    };
    for round in 0..3 {
        let events = brief_step(&mut app);
        assert!(events.len() >= 3, "round {round}: {events:?}");
        let expected: Vec<_> = events.iter().flat_map(both_sides).collect();
        assert_eq!(received(&mut app), expected, "round {round}");
        // Ends two pairs at its old place and starts two at the new one.
        let x = if round == 0 { 6.75 } else { 0.75 };
        set_position(&mut app, entities[2], Vec2::new(x, 0.0));
    }
}

#[test]
fn despawned_entities_receive_nothing_and_are_reported_to_others() {
    let mut app = listening_app();
    let (a, b) = (
        spawn(&mut app, ball(0.0, 0.0)),
        spawn(&mut app, ball(1.5, 0.0)),
    );
    app.update();
    app.add_observer(record_end);
    app.world_mut().despawn(b);
    app.update();
    assert_eq!(received(&mut app), [("end", a, a, b)]);
}

#[test]
fn an_observer_may_despawn_an_entity_of_later_events() {
    let mut app = listening_app();
    let bomb = spawn(&mut app, ball(0.0, 0.0));
    let victims: Vec<Entity> = (0..5)
        .map(|i| spawn(&mut app, ball(0.1 * i as f32, 0.5)))
        .collect();
    let everyone = victims.clone();
    app.world_mut().entity_mut(bomb).observe(
        move |_: On<CollisionStart>, mut commands: Commands| {
            for &victim in &everyone {
                commands.entity(victim).try_despawn();
            }
        },
    );
    app.add_observer(record_end);
    let starts = step(&mut app).len();
    assert_eq!(starts, 15, "bomb and victims overlap, each with each");
    let ends = brief_step(&mut app);
    assert_eq!(ends.len(), 15);
    assert!(
        ends.iter()
            .all(|end| matches!(end, Brief::Ended(.., CollisionEndReason::Despawned)))
    );
    let received = received(&mut app);
    assert_eq!(received.len(), 5, "the bomb of each victim: {received:?}");
    assert!(received.iter().all(|(_, entity, ..)| *entity == bomb));
}

#[test]
fn an_observer_may_spawn_into_the_next_update() {
    let mut app = listening_app();
    let (a, b) = (
        spawn(&mut app, ball(0.0, 0.0)),
        spawn(&mut app, ball(1.5, 0.0)),
    );
    app.world_mut().entity_mut(a).observe(
        |_: On<CollisionStart>, mut commands: Commands, mut spawned: Local<bool>| {
            if !std::mem::replace(&mut *spawned, true) {
                commands.spawn((Name::new("shard"), ball(-1.5, 0.0)));
            }
        },
    );
    assert_eq!(brief_step(&mut app), [started(a, b)]);
    let shard = run_system(&mut app, |shard: Single<Entity, With<Name>>| *shard);
    assert_eq!(brief_step(&mut app), [started(a, shard)]);
}

#[test]
fn only_the_observer_of_the_entity_receives() {
    let mut app = listening_app();
    let row = [0.0, 1.5, 3.0].map(|x| spawn(&mut app, ball(x, 0.0)));
    listen(&mut app, row[0]);
    app.update();
    assert_eq!(received(&mut app), [("start", row[0], row[0], row[1])]);
}

#[test]
fn what_an_observer_despawns_receives_no_further_events_of_the_same_update() {
    let mut app = listening_app();
    let bullet = spawn(&mut app, ball(0.0, 0.0));
    for y in [-0.5, 0.5] {
        spawn(&mut app, ball(0.5, y));
    }
    #[derive(Resource, Default)]
    struct Struck(u32);
    app.init_resource::<Struck>();
    app.world_mut().entity_mut(bullet).observe(
        |start: On<CollisionStart>, mut struck: ResMut<Struck>, mut commands: Commands| {
            struck.0 += 1;
            commands.entity(start.entity).despawn();
        },
    );
    app.update();
    assert_eq!(app.world().resource::<Struck>().0, 1, "one of the two");
}
