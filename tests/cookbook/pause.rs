//! How do I pause the game, and pick things in the meantime?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Added with `pause.run_if(input_just_pressed(KeyCode::Escape))`. Movers stand still, and no
/// `MoverHit` is sent. Collisions are: of what is spawned, moved or despawned in the meantime.
fn pause(mut time: ResMut<Time<Virtual>>) {
    if time.is_paused() {
        time.unpause();
    } else {
        time.pause();
    }
}

/// Triggered by a click, at a position in the world.
#[derive(Event)]
struct Clicked(Vec2);

/// Queries need no time. With the plugin in a fixed schedule, run `refresh_colliders` before them.
fn remove(click: On<Clicked>, query: SpatialQuery, mut commands: Commands) {
    for entity in query.point_intersections(click.0, &SpatialQueryFilter::default()) {
        commands.entity(entity).try_despawn();
    }
}

/// Added with `blow.run_if(|time: Res<Time>| !time.delta().is_zero())`: displacements wait in a
/// pause, and would add up to a leap.
fn blow(mut movers: Query<&mut Mover>) {
    (movers.iter_mut()).for_each(|mut mover| mover.displacement.x += 0.5);
}

// ---- What tests it ----

use bevy::input::common_conditions::input_just_pressed;

use crate::app::*;

/// An app that is paused, with a mover at the origin that would move by 1.5 units per update.
fn paused_app() -> (App, Entity) {
    let mut app = app(|app| {
        let pause = pause.run_if(input_just_pressed(KeyCode::Escape));
        let blow = blow.run_if(|time: Res<Time>| !time.delta().is_zero());
        app.add_systems(Update, (pause, blow).chain());
        app.add_observer(remove);
    });
    press_escape(&mut app);
    let mover = Mover::with_velocity(Vec2::X / STEP_SECS);
    let hero = (CircleCollider::new(5.0), mover, at(0.0, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    (app, hero)
}

fn press_escape(app: &mut App) {
    press(app, KeyCode::Escape);
    app.update();
    release(app);
}

/// How many messages of this type were sent since the last call.
fn count<M: Message>(app: &mut App) -> usize {
    app.world_mut()
        .resource_mut::<Messages<M>>()
        .drain()
        .count()
}

#[test]
fn a_mover_stands_still_and_goes_on_without_a_leap() {
    let (mut app, hero) = paused_app();
    run(&mut app, 1.0);
    assert_eq!(position(&app, hero), Vec2::ZERO);
    // The time of the update in which the key is pressed does not pass yet.
    press_escape(&mut app);
    assert_eq!(position(&app, hero), Vec2::ZERO);
    for updates in 1..10 {
        app.update();
        assert_eq!(position(&app, hero), Vec2::X * 1.5 * updates as f32);
    }
    press_escape(&mut app);
    let stopped = position(&app, hero);
    run(&mut app, 1.0);
    assert_eq!(position(&app, hero), stopped);
}

#[test]
fn a_pause_has_collisions_and_queries_but_no_mover_hits() {
    let (mut app, hero) = paused_app();
    let wall = (RectCollider::new(10.0, 10.0), Solid, at(10.01, 0.0));
    let wall = app.world_mut().spawn(wall).id();
    app.update();
    assert_eq!(
        (
            count::<CollisionEvent>(&mut app),
            count::<MoverHit>(&mut app)
        ),
        (1, 0)
    );
    run(&mut app, 0.5);
    assert_eq!(count::<CollisionEvent>(&mut app), 0);
    app.world_mut().trigger(Clicked(Vec2::X * 12.0));
    app.update();
    assert_eq!((exists(&app, wall), exists(&app, hero)), (false, true));
    assert_eq!(
        (
            count::<CollisionEvent>(&mut app),
            count::<MoverHit>(&mut app)
        ),
        (1, 0)
    );
}

#[test]
fn once_time_goes_on_mover_hits_are_sent() {
    let (mut app, _) = paused_app();
    let wall = (RectCollider::new(10.0, 10.0), Solid, at(10.01, 0.0));
    app.world_mut().spawn(wall);
    press_escape(&mut app);
    assert_eq!(count::<MoverHit>(&mut app), 0);
    app.update();
    assert_eq!(count::<MoverHit>(&mut app), 1);
}
