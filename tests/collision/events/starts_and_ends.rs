//! Collision events: each start has exactly one end, with a reason, in a defined order.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::end_reasons::overlapping;
use crate::common::*;

#[test]
fn a_pair_starts_once_and_continues_without_events() {
    let mut app = test_app();
    let (a, b) = (
        spawn(&mut app, ball(0.0, 0.0)),
        spawn(&mut app, ball(1.5, 0.0)),
    );
    assert_eq!(brief(&steps(&mut app, 20)), [started(a, b)]);
    for frame in 0..20 {
        set_position(&mut app, b, Vec2::new(1.5, 0.01 * frame as f32));
        assert_eq!(step(&mut app), [], "frame {frame}");
    }
}

#[test]
fn growing_into_another_starts_and_shrinking_away_ends() {
    let mut app = test_app();
    let (a, b) = (
        spawn(&mut app, ball(0.0, 0.0)),
        spawn(&mut app, ball(3.0, 0.0)),
    );
    assert_eq!(step(&mut app), []);
    let radii = [
        (2.5, vec![started(a, b)]),
        (1.5, vec![ended(a, b, CollisionEndReason::Separated)]),
    ];
    for (radius, expected) in radii {
        app.world_mut().get_mut::<CircleCollider>(b).unwrap().radius = radius;
        assert_eq!(brief_step(&mut app), expected, "radius {radius}");
    }
}

#[test]
fn colliders_that_only_touch_do_not_collide() {
    let mut app = test_app();
    spawn(&mut app, ball(0.0, 0.0));
    spawn(&mut app, ball(2.0, 0.0));
    let tile = || RectCollider::new(16.0, 16.0);
    spawn(&mut app, (tile(), at(100.0, 0.0)));
    spawn(&mut app, (tile(), at(116.0, 0.0)));
    spawn(&mut app, (tile(), at(116.0, 16.0)));
    assert_eq!(steps(&mut app, 3), []);
}

#[test]
fn a_reused_entity_index_is_another_entity() {
    let (mut app, [a, b]) = overlapping();
    let world = app.world_mut();
    let reused = world.despawn_no_free(b).unwrap();
    world.spawn_at(reused, ball(1.5, 0.0)).unwrap();
    assert_eq!(reused.index(), b.index());
    assert_ne!(reused, b);
    assert_eq!(
        brief_step(&mut app),
        [
            ended(a, b, CollisionEndReason::Despawned),
            started(a, reused)
        ]
    );
}

#[test]
fn ends_come_before_starts_and_both_are_sorted_by_pair() {
    let mut app = test_app();
    let home: Vec<Entity> = (0..6)
        .map(|i| spawn(&mut app, ball(0.1 * i as f32, 0.0)))
        .collect();
    let away: Vec<Entity> = (0..6)
        .map(|i| spawn(&mut app, ball(50.0, 0.1 * i as f32)))
        .collect();
    let all_pairs = |group: &[Entity]| -> Vec<[Entity; 2]> {
        let pairs = group
            .iter()
            .flat_map(|&a| group.iter().map(move |&b| [a, b]));
        let mut pairs: Vec<_> = pairs.filter(|[a, b]| a < b).collect();
        pairs.sort();
        pairs
    };
    let starts: Vec<Brief> = {
        let mut pairs = all_pairs(&home);
        pairs.extend(all_pairs(&away));
        pairs.sort();
        pairs.iter().map(|&[a, b]| started(a, b)).collect()
    };
    assert_eq!(brief_step(&mut app), starts);
    // One of each group changes sides.
    set_position(&mut app, home[3], Vec2::new(50.0, 0.0));
    set_position(&mut app, away[2], Vec2::ZERO);
    let events = brief_step(&mut app);
    let mut ends = vec![];
    let mut starts = vec![];
    for i in (0..6).filter(|&i| i != 3) {
        ends.push(ended(home[3], home[i], CollisionEndReason::Separated));
        starts.push(started(away[2], home[i]));
    }
    for i in (0..6).filter(|&i| i != 2) {
        ends.push(ended(away[2], away[i], CollisionEndReason::Separated));
        starts.push(started(home[3], away[i]));
    }
    let key = |event: &Brief| match *event {
        Brief::Started(a, b) | Brief::Ended(a, b, _) => (a, b),
    };
    ends.sort_by_key(key);
    starts.sort_by_key(key);
    ends.extend(starts);
    assert_eq!(events, ends);
}

#[test]
fn a_message_carries_the_contact_seen_from_the_lesser_entity() {
    let mut app = test_app();
    let p = spawn(&mut app, ball(0.0, 0.0));
    let q = spawn(&mut app, ball(0.0, 1.5));
    let events = step(&mut app);
    let [
        CollisionEvent::Started {
            a,
            contact,
            fraction,
            ..
        },
    ] = events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!((a, fraction), (p.min(q), 1.0));
    let to_other = if a == p { Vec2::Y } else { Vec2::NEG_Y };
    assert!(contact.normal.abs_diff_eq(to_other, 1e-6), "{contact:?}");
    assert!((contact.depth - 0.5).abs() < 1e-6, "{contact:?}");
    assert!(
        contact.point.abs_diff_eq(Vec2::new(0.0, 0.75), 1e-6),
        "{contact:?}"
    );
}

#[test]
fn what_is_spawned_in_a_frame_collides_in_it_where_it_is() {
    let mut app = test_app();
    let wall = spawn(&mut app, (RectCollider::new(2.0, 2.0), at(40.0, 0.0)));
    spawn(&mut app, ball(0.0, 0.0));
    step(&mut app);
    app.add_systems(Update, |mut commands: Commands, mut done: Local<bool>| {
        if !std::mem::replace(&mut *done, true) {
            commands.spawn((Name::new("shot"), ball(40.0, 0.0)));
        }
    });
    let events = brief_step(&mut app);
    let shot = run_system(&mut app, |named: Single<Entity, With<Name>>| *named);
    assert_eq!(events, [started(wall, shot)]);
}

#[test]
fn what_is_spawned_and_despawned_between_updates_is_not_reported() {
    let mut app = test_app();
    spawn(&mut app, ball(0.0, 0.0));
    let brief_life = spawn(&mut app, ball(0.5, 0.0));
    app.world_mut().despawn(brief_life);
    assert_eq!(steps(&mut app, 2), []);
}

#[test]
fn despawning_everything_ends_everything() {
    let mut app = test_app();
    let entities: Vec<Entity> = (0..20)
        .map(|i| spawn(&mut app, ball(0.01 * i as f32, 0.0)))
        .collect();
    assert_eq!(step(&mut app).len(), 190);
    for entity in entities {
        app.world_mut().despawn(entity);
    }
    let ends = brief_step(&mut app);
    assert_eq!(ends.len(), 190);
    assert!(
        ends.iter()
            .all(|end| matches!(end, Brief::Ended(.., CollisionEndReason::Despawned)))
    );
    assert_eq!(pairs(&mut app), []);
}

#[test]
fn a_clone_of_a_collider_collides_by_itself() {
    let (mut app, [a, b]) = overlapping();
    let clone = app.world_mut().entity_mut(a).clone_and_spawn();
    let mut starts = brief_step(&mut app);
    let mut expected = [started(a, clone), started(b, clone)];
    for list in [&mut starts[..], &mut expected[..]] {
        list.sort_by_key(|event| format!("{event:?}"));
    }
    assert_eq!(starts, expected);
    app.world_mut().despawn(a);
    let end = |other| ended(a, other, CollisionEndReason::Despawned);
    let mut ends = brief_step(&mut app);
    let mut expected = [end(b), end(clone)];
    for list in [&mut ends[..], &mut expected[..]] {
        list.sort_by_key(|event| format!("{event:?}"));
    }
    assert_eq!(ends, expected);
    assert_eq!(pairs(&mut app), [(b.min(clone), b.max(clone))]);
}
