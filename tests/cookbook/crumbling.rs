//! How do I make a floor that crumbles half a second after somebody stepped on it?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A floor that crumbles: the seconds that are left, once somebody stepped on it.
#[derive(Component, Default)]
struct Crumbling(Option<f32>);

fn crumble(
    time: Res<Time>,
    walkers: Query<&Ground>,
    mut floors: Query<(Entity, &mut Crumbling)>,
    mut commands: Commands,
) {
    for floor in walkers.iter().filter_map(Ground::floor) {
        if let Ok((_, mut crumbling)) = floors.get_mut(floor.entity) {
            crumbling.0 = crumbling.0.or(Some(0.5));
        }
    }
    for (floor, mut crumbling) in &mut floors {
        if let Some(seconds) = &mut crumbling.0 {
            *seconds -= time.delta_secs();
            if *seconds <= 0.0 {
                commands.entity(floor).despawn();
            }
        }
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn a_floor_crumbles_half_a_second_after_the_first_step() {
    let mut app = app(|app| {
        app.add_systems(Update, crumble);
    });
    let floors = [0.0, 40.0, 80.0].map(|x| {
        let floor = (RectCollider::new(40.0, 10.0), Solid, at(x, -5.0));
        app.world_mut().spawn((floor, Crumbling::default())).id()
    });
    let mover = Mover::with_velocity(Vec2::new(0.0, -100.0));
    let hero = (CircleCollider::new(5.0), mover, Walker::default());
    let hero = app.world_mut().spawn((hero, at(0.0, 30.0))).id();
    let remaining = |app: &App| floors.map(|floor| exists(app, floor));
    // It lands after a quarter of a second, and walks onto the next floor.
    run(&mut app, 0.3);
    assert!(app.world().get::<Ground>(hero).unwrap().is_on_floor());
    app.world_mut().get_mut::<Mover>(hero).unwrap().velocity.x = 100.0;
    run(&mut app, 0.4);
    assert_eq!(remaining(&app), [true, true, true]);
    app.world_mut().get_mut::<Mover>(hero).unwrap().velocity.x = 0.0;
    run(&mut app, 0.15);
    assert_eq!(remaining(&app), [false, true, true]);
    run(&mut app, 0.3);
    assert_eq!(remaining(&app), [false, false, true]);
    assert!(!app.world().get::<Ground>(hero).unwrap().is_on_floor());
}
