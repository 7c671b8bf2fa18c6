//! How does a hookshot pull the hero to a wall?

use bevy::prelude::*;
use bevy_thud::prelude::*;

const LENGTH: f32 = 200.0;
const SPEED: f32 = 400.0;

#[derive(Component)]
struct Hero {
    aim: Dir2,
}

/// Where the hook is. A hero with it is pulled there.
#[derive(Component)]
struct Hooked(Vec2);

fn throw(
    keys: Res<ButtonInput<KeyCode>>,
    hero: Single<(Entity, &Hero, &Transform)>,
    query: SpatialQuery,
    mut commands: Commands,
) {
    let (entity, hero, transform) = *hero;
    let ray = Ray2d::new(transform.translation.truncate(), hero.aim);
    let walls = SpatialQueryFilter::default().only_solid().exclude(entity);
    if keys.just_pressed(KeyCode::Space)
        && let Some((_, hit)) = query.cast_ray(ray, LENGTH, &walls)
    {
        commands.entity(entity).insert(Hooked(hit.point));
    }
}

/// The hook lets go where the hero is blocked: at its wall, or at another one on the path.
fn pull(
    mut heroes: Query<(Entity, &Hooked, &mut Mover, &MoverHits, &Transform)>,
    mut commands: Commands,
) {
    for (entity, hooked, mut mover, hits, transform) in &mut heroes {
        let to_hook = hooked.0 - transform.translation.truncate();
        let is_there = hits.iter().any(|hit| hit.normal.dot(to_hook) < 0.0);
        mover.velocity = SPEED * to_hook.normalize_or_zero();
        if is_there {
            mover.velocity = Vec2::ZERO;
            commands.entity(entity).remove::<Hooked>();
        }
    }
}

// ---- What tests it ----

use crate::app::*;

/// A hero of radius 8 at the origin, after a throw at a wall this far away, and one second.
fn after_throw(aim: Vec2, wall: Vec2) -> (App, Entity) {
    let mut app = app(|app| {
        app.add_systems(Update, (throw, pull).chain());
    });
    let hero = Hero {
        aim: Dir2::new(aim).unwrap(),
    };
    let hero = (
        hero,
        CircleCollider::new(8.0),
        Mover::default(),
        at(0.0, 0.0),
    );
    let hero = app.world_mut().spawn(hero).id();
    let wall = (RectCollider::new(20.0, 40.0), Solid, at(wall.x, wall.y));
    app.world_mut().spawn(wall);
    app.update();
    press(&mut app, KeyCode::Space);
    app.update();
    release(&mut app);
    run(&mut app, 1.0);
    (app, hero)
}

#[test]
fn the_hero_ends_at_the_wall_that_the_hook_hits() {
    let (app, hero) = after_throw(Vec2::X, Vec2::new(150.0, 0.0));
    let end = position(&app, hero);
    assert!(end.distance(Vec2::X * 132.0) < 0.1, "{end}");
    assert!(app.world().get::<Hooked>(hero).is_none());
    // Also where it comes at an angle.
    let (app, hero) = after_throw(Vec2::new(150.0, 15.0), Vec2::new(150.0, 0.0));
    let end = position(&app, hero);
    assert!((end.x - 132.0).abs() < 0.1 && end.y > 10.0, "{end}");
    assert!(app.world().get::<Hooked>(hero).is_none());
}

#[test]
fn a_hook_that_hits_nothing_pulls_nobody() {
    for (aim, wall) in [(Vec2::Y, 150.0), (Vec2::X, 250.0)] {
        let (app, hero) = after_throw(aim, Vec2::new(wall, 0.0));
        assert_eq!(position(&app, hero), Vec2::ZERO);
    }
}
