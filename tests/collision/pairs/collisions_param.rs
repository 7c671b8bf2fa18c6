//! `Collisions` and `CollidingEntities`: the pairs that overlap now.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

fn colliding(app: &App, entity: Entity) -> Vec<Entity> {
    let list = app.world().get::<CollidingEntities>(entity).unwrap();
    list.to_vec()
}

#[test]
fn pairs_are_seen_after_detect_in_the_frame_in_which_they_begin() {
    #[derive(Resource, Default)]
    struct Seen([Vec<usize>; 2]);
    let mut app = test_app();
    app.init_resource::<Seen>();
    app.add_systems(
        PostUpdate,
        (
            (|pairs: Collisions, mut seen: ResMut<Seen>| seen.0[0].push(pairs.len()))
                .before(CollisionSystems::Sync),
            (|pairs: Collisions, mut seen: ResMut<Seen>| seen.0[1].push(pairs.len()))
                .after(CollisionSystems::Detect),
        ),
    );
    row_of_three(&mut app);
    steps(&mut app, 2);
    let Seen([before, after]) = app.world().resource();
    assert_eq!((&before[..], &after[..]), (&[0, 2][..], &[2, 2][..]));
}

#[test]
fn iter_gives_every_pair_once_sorted_and_with_the_lesser_entity_first() {
    let mut app = test_app();
    let row = row_of_three(&mut app);
    let far = [
        spawn(&mut app, ball(50.0, 0.0)),
        spawn(&mut app, ball(51.0, 0.0)),
    ];
    app.update();
    let expected = [
        (row[0], row[1]),
        (row[1], row[2]),
        (far[0].min(far[1]), far[0].max(far[1])),
    ];
    let mut sorted = expected;
    sorted.sort();
    assert_eq!(pairs(&mut app), sorted);
    let (len, is_empty) = run_system(&mut app, |pairs: Collisions| {
        (pairs.len(), pairs.is_empty())
    });
    assert_eq!((len, is_empty), (3, false));
}

#[test]
fn get_looks_from_the_first_entity() {
    let mut app = test_app();
    let [a, b, c] = row_of_three(&mut app);
    app.update();
    for (from, other, normal, x) in [
        (a, b, Vec2::X, 0.75),
        (b, a, Vec2::NEG_X, 0.75),
        (b, c, Vec2::X, 2.25),
        (c, b, Vec2::NEG_X, 2.25),
    ] {
        let contact = contact_of(&mut app, from, other).unwrap();
        assert!(contact.normal.abs_diff_eq(normal, 1e-6), "{contact:?}");
        assert!(
            contact.point.abs_diff_eq(Vec2::new(x, 0.0), 1e-6),
            "{contact:?}"
        );
        assert!((contact.depth - 0.5).abs() < 1e-6, "{contact:?}");
    }
    for (from, other) in [(a, c), (c, a), (a, a), (a, Entity::PLACEHOLDER)] {
        assert_eq!(contact_of(&mut app, from, other), None);
    }
}

#[test]
fn contains_takes_the_two_in_any_order() {
    let mut app = test_app();
    let [a, b, c] = row_of_three(&mut app);
    app.update();
    let contains =
        |app: &mut App, p, q| run_system(app, move |pairs: Collisions| pairs.contains(p, q));
    assert!(contains(&mut app, a, b) && contains(&mut app, b, a));
    assert!(!contains(&mut app, a, c) && !contains(&mut app, c, a) && !contains(&mut app, a, a));
}

#[test]
fn of_gives_lesser_and_greater_partners_sorted_and_seen_from_the_entity() {
    let mut app = test_app();
    let [a, b, c] = row_of_three(&mut app);
    let alone = spawn(&mut app, ball(50.0, 0.0));
    app.update();
    let of = |app: &mut App, entity| {
        run_system(app, move |pairs: Collisions| {
            let seen = pairs.of(entity);
            seen.map(|(other, contact)| (other, contact.normal.x.round()))
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(of(&mut app, a), [(b, 1.0)]);
    assert_eq!(of(&mut app, b), [(a, -1.0), (c, 1.0)]);
    assert_eq!(of(&mut app, c), [(b, -1.0)]);
    assert_eq!(of(&mut app, alone), []);
    // Read before, it has to be invalidated by changes.
    set_position(&mut app, c, Vec2::new(0.0, 50.0));
    app.update();
    assert_eq!(of(&mut app, b), [(a, -1.0)]);
    assert_eq!(of(&mut app, c), []);
}

#[test]
fn the_contact_of_a_pair_follows_its_motion() {
    let mut app = test_app();
    let [a, b, _] = row_of_three(&mut app);
    app.update();
    set_position(&mut app, a, Vec2::new(0.25, 0.0));
    app.update();
    let contact = contact_of(&mut app, a, b).unwrap();
    assert!((contact.depth - 0.75).abs() < 1e-6, "{contact:?}");
}

#[test]
fn colliding_entities_are_listed_sorted_and_kept_up_to_date() {
    let mut app = test_app();
    let center = spawn(&mut app, (ball(0.0, 0.0), CollidingEntities::default()));
    let mut others: Vec<Entity> = (0..8)
        .map(|i| spawn(&mut app, ball(0.1 * i as f32, 0.5)))
        .collect();
    others.sort();
    app.update();
    assert_eq!(colliding(&app, center), others);
    set_position(&mut app, others[3], Vec2::new(50.0, 0.0));
    app.world_mut().despawn(others[6]);
    app.world_mut()
        .entity_mut(others[0])
        .insert(ColliderDisabled);
    app.update();
    let left = [1, 2, 4, 5, 7].map(|i| others[i]);
    assert_eq!(colliding(&app, center), left);
    let list = app.world().get::<CollidingEntities>(center).unwrap();
    assert!(left.iter().all(|other| list.contains(other)));
    assert!(!list.contains(&others[3]) && !list.contains(&center));
}

#[test]
fn colliding_entities_added_in_the_middle_of_an_overlap_are_filled_in() {
    let mut app = test_app();
    let [a, b, c] = row_of_three(&mut app);
    steps(&mut app, 3);
    app.world_mut()
        .entity_mut(b)
        .insert(CollidingEntities::default());
    app.update();
    assert_eq!(colliding(&app, b), [a, c]);
    // Inserted over an existing one, it is empty and has to be filled again.
    app.world_mut()
        .entity_mut(b)
        .insert(CollidingEntities::default());
    app.update();
    assert_eq!(colliding(&app, b), [a, c]);
}

#[test]
fn colliding_entities_are_emptied_when_the_collider_is_gone_or_hidden() {
    type Hide = fn(EntityWorldMut);
    let hides: [Hide; 3] = [
        |mut entity| {
            entity.remove::<CircleCollider>();
        },
        |mut entity| {
            entity.insert(ColliderDisabled);
        },
        |mut entity| {
            entity.insert(bevy::ecs::entity_disabling::Disabled);
        },
    ];
    for hide in hides {
        let mut app = test_app();
        let [_, b, _] = row_of_three(&mut app);
        app.world_mut()
            .entity_mut(b)
            .insert(CollidingEntities::default());
        app.update();
        assert_eq!(colliding(&app, b).len(), 2);
        hide(app.world_mut().entity_mut(b));
        app.update();
        assert_eq!(colliding(&app, b), []);
    }
}

#[test]
fn colliding_entities_are_written_only_when_they_change() {
    #[derive(Resource, Default)]
    struct Writes(usize);
    let mut app = test_app();
    app.init_resource::<Writes>();
    app.add_systems(
        Last,
        |lists: Query<(), Changed<CollidingEntities>>, mut writes: ResMut<Writes>| {
            writes.0 += lists.iter().count();
        },
    );
    let [a, b, c] = row_of_three(&mut app);
    app.world_mut()
        .entity_mut(b)
        .insert(CollidingEntities::default());
    steps(&mut app, 5);
    assert_eq!(app.world().resource::<Writes>().0, 1);
    set_position(&mut app, a, Vec2::new(0.1, 0.0));
    steps(&mut app, 5);
    assert_eq!(app.world().resource::<Writes>().0, 1, "still the same two");
    set_position(&mut app, c, Vec2::new(50.0, 0.0));
    steps(&mut app, 5);
    assert_eq!(app.world().resource::<Writes>().0, 2);
}

#[test]
fn a_list_follows_thousands_that_come_and_go_at_once() {
    let mut app = test_app();
    let zone = (
        RectCollider::new(1000.0, 1000.0),
        CollidingEntities::default(),
    );
    let zone = spawn(&mut app, zone);
    let spots = (0..2000u16).map(|number| {
        let [x, y] = [number % 50, number / 50].map(|index| f32::from(index) * 4.0);
        Vec2::new(x, y)
    });
    let mut others: Vec<Entity> = spots
        .map(|spot| {
            let key = StableKey(u64::from(spot.x as u16 % 7));
            spawn(&mut app, (ball(spot.x, spot.y), key))
        })
        .collect();
    let key = |app: &App, entity: Entity| app.world().get::<StableKey>(entity).unwrap().0;
    others.sort_by_key(|&other| (key(&app, other), other));
    app.update();
    assert_eq!(colliding(&app, zone), others);
    // Every third leaves.
    for &other in others.iter().step_by(3) {
        set_position(&mut app, other, Vec2::new(5000.0, 0.0));
    }
    app.update();
    let stay = |(number, other): (usize, &Entity)| (number % 3 != 0).then_some(*other);
    let staying: Vec<_> = others.iter().enumerate().filter_map(stay).collect();
    assert_eq!(colliding(&app, zone), staying);
    let expected = others.iter().map(|&other| staying.contains(&other));
    let contains = run_system(&mut app, {
        let others = others.clone();
        move |pairs: Collisions| {
            others
                .iter()
                .map(|&other| pairs.contains(zone, other))
                .collect::<Vec<_>>()
        }
    });
    assert!(contains.into_iter().eq(expected));
}

#[test]
fn params_fit_beside_a_query_that_writes_transforms_and_movers() {
    #[derive(Resource, Default)]
    struct Seen((usize, usize));
    fn look(
        mut bodies: Query<(&mut Transform, &mut Mover)>,
        pairs: Collisions,
        mut hits: Hits<With<Mover>, Without<Mover>>,
        mut seen: ResMut<Seen>,
    ) {
        for (mut transform, mut mover) in &mut bodies {
            transform.translation.z = 1.0;
            mover.weight = 2.0;
        }
        seen.0.0 += pairs.len();
        seen.0.1 += hits.read().count();
    }
    let mut app = test_app();
    app.init_resource::<Seen>();
    app.add_systems(Last, look);
    spawn(&mut app, (ball(0.0, 0.0), Mover::default()));
    spawn(&mut app, ball(1.0, 0.0));
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, (1, 1));
}
