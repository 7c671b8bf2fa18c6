//! `Hits`: the starts between two kinds of entities.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

#[derive(Component)]
struct Bullet;

#[derive(Component)]
struct Monster;

/// The hits of each update, as `read` returns them.
#[derive(Resource, Default)]
struct Reported(Vec<Vec<(Entity, Entity, Vec2)>>);

fn reported(app: &mut App) -> Vec<Vec<(Entity, Entity, Vec2)>> {
    std::mem::take(&mut app.world_mut().resource_mut::<Reported>().0)
}

fn report_bullets(mut hits: Hits<With<Bullet>, With<Monster>>, mut reported: ResMut<Reported>) {
    let hits = hits.read().map(|hit| (hit.a, hit.b, hit.contact.normal));
    reported.0.push(hits.collect());
}

#[test]
fn hits_are_typed_whichever_entity_is_the_lesser_one() {
    let mut app = test_app();
    app.init_resource::<Reported>();
    app.add_systems(Last, report_bullets);
    let early_bullet = spawn(&mut app, (Bullet, ball(0.0, 0.0)));
    let monsters = [0.0, 20.0].map(|x| spawn(&mut app, (Monster, ball(x + 1.5, 0.0))));
    let late_bullet = spawn(&mut app, (Bullet, ball(20.0, 0.0)));
    spawn(&mut app, ball(0.0, 1.0));
    spawn(&mut app, (Monster, ball(3.0, 0.0)));
    app.update();
    let [mut hits] = <[_; 1]>::try_from(reported(&mut app)).unwrap();
    hits.sort_by_key(|hit| hit.1);
    let entities: Vec<_> = hits.iter().map(|hit| (hit.0, hit.1)).collect();
    let mut expected = [(early_bullet, monsters[0]), (late_bullet, monsters[1])];
    expected.sort_by_key(|hit| hit.1);
    assert_eq!(entities, expected);
    for (.., normal) in hits {
        assert!(
            normal.abs_diff_eq(Vec2::X, 1e-6),
            "from the bullet to the monster: {normal}"
        );
    }
    // The middle pair ends, which is not a hit.
    app.world_mut().despawn(monsters[0]);
    app.update();
    assert_eq!(reported(&mut app), [vec![]]);
}

#[test]
fn a_pair_that_fits_in_both_orders_comes_once() {
    let mut app = test_app();
    app.init_resource::<Reported>();
    app.add_systems(Last, report_bullets);
    let both = [0.0, 1.5].map(|x| spawn(&mut app, (Bullet, Monster, ball(x, 0.0))));
    app.update();
    let hits = reported(&mut app).concat();
    assert_eq!(hits.len(), 1);
    assert_eq!(
        (hits[0].0, hits[0].1),
        (both[0].min(both[1]), both[0].max(both[1]))
    );
}

/// A bullet crosses a monster and hits the wall behind it in one update. Returns the kills where
/// bullets that hit a wall are despawned before or after kills are counted.
fn kills(walls_first: bool, kill: impl Fn(EntityWorldMut) + Copy + Send + Sync + 'static) -> usize {
    let mut app = test_app();
    app.init_resource::<Reported>();
    let hit_wall = move |world: &mut World| {
        let mut bullets = world.query_filtered::<(Entity, &MoverHits), With<Bullet>>();
        let stopped = bullets.iter(world).filter(|(_, hits)| !hits.is_empty());
        for bullet in stopped.map(|(bullet, _)| bullet).collect::<Vec<_>>() {
            kill(world.entity_mut(bullet));
        }
    };
    if walls_first {
        app.add_systems(Last, (hit_wall, report_bullets).chain());
    } else {
        app.add_systems(Last, (report_bullets, hit_wall).chain());
    }
    let mover = Mover::with_velocity(Vec2::X * 6400.0);
    spawn(&mut app, (Bullet, ball(-50.0, 0.0), mover));
    spawn(&mut app, (Monster, ball(0.0, 0.0)));
    spawn(
        &mut app,
        (RectCollider::new(2.0, 20.0), Solid, at(20.0, 0.0)),
    );
    app.update();
    let mut bullets = app
        .world_mut()
        .query_filtered::<(), (With<Bullet>, With<Mover>)>();
    assert_eq!(bullets.iter(app.world()).count(), 0, "the wall was hit");
    steps(&mut app, 3);
    reported(&mut app).concat().len()
}

#[test]
fn a_bullet_that_is_despawned_at_a_wall_keeps_the_monster_that_it_crossed() {
    for walls_first in [false, true] {
        assert_eq!(kills(walls_first, |bullet| bullet.despawn()), 1);
        let defuse = |mut bullet: EntityWorldMut| {
            bullet.remove::<(Bullet, Mover)>();
        };
        assert_eq!(kills(walls_first, defuse), 1);
    }
}

#[test]
fn what_becomes_a_monster_after_the_start_is_not_hit() {
    let mut app = test_app();
    app.init_resource::<Reported>();
    spawn(&mut app, (Bullet, ball(0.0, 0.0)));
    let egg = spawn(&mut app, ball(1.5, 0.0));
    let hatch = move |mut commands: Commands| {
        commands.entity(egg).insert(Monster);
    };
    app.add_systems(Last, (hatch, report_bullets).chain());
    app.update();
    assert_eq!(reported(&mut app), [vec![]]);
}

#[test]
fn first_per_a_gives_each_bullet_one_victim_of_all_that_is_unread() {
    #[derive(Resource, Default)]
    struct Victims(Vec<(Entity, Entity)>);
    let mut app = test_app();
    app.init_resource::<Victims>();
    app.add_systems(
        Last,
        |mut hits: Hits<With<Bullet>, With<Monster>>,
         mut victims: ResMut<Victims>,
         mut frame: Local<u32>| {
            *frame += 1;
            if frame.is_multiple_of(2) {
                victims
                    .0
                    .extend(hits.first_per_a().map(|hit| (hit.a, hit.b)));
            }
        },
    );
    let bullets = [0.0, 20.0].map(|x| spawn(&mut app, (Bullet, ball(x, 0.0))));
    let mut monsters = [(); 2].map(|()| spawn(&mut app, (Monster, ball(1.0, 0.0))));
    monsters.sort();
    app.update();
    // A later one for the first bullet, and the first one for the second.
    let late = [1.0, 21.0].map(|x| spawn(&mut app, (Monster, ball(x, 0.5))));
    app.update();
    let victims = &app.world().resource::<Victims>().0;
    let first = [(bullets[0], monsters[0]), (bullets[1], late[1])];
    assert_eq!(victims[..], first);
}
