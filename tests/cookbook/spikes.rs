//! How do spikes hurt for as long as someone stands on them?

use bevy::prelude::*;
use bevy_thud::prelude::*;

#[derive(Component)]
struct Spikes {
    damage_per_second: f32,
}

#[derive(Component)]
#[require(CollidingEntities)]
struct Health(f32);

/// If someone stands on several spikes, the worst ones count.
fn hurt(
    mut victims: Query<(&mut Health, &CollidingEntities)>,
    spikes: Query<&Spikes>,
    time: Res<Time>,
) {
    for (mut health, overlapped) in &mut victims {
        let touched = overlapped
            .iter()
            .filter_map(|&entity| spikes.get(entity).ok());
        let damages = touched.map(|spikes| spikes.damage_per_second);
        health.0 -= damages.fold(0.0, f32::max) * time.delta_secs();
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn each_second_on_spikes_hurts_and_none_beside_them() {
    let mut app = app(|app| {
        app.add_systems(Update, hurt);
    });
    for (x, damage_per_second) in [(-5.0, 4.0), (5.0, 10.0)] {
        let spikes = (Spikes { damage_per_second }, RectCollider::new(10.0, 10.0));
        app.world_mut().spawn((spikes, at(x, 0.0)));
    }
    let health = |app: &App, victim: Entity| app.world().get::<Health>(victim).unwrap().0;
    let victim = (Health(100.0), CircleCollider::new(4.0), at(0.0, 0.0));
    let victim = app.world_mut().spawn(victim).id();
    // The first update reports the overlap, and the next ones hurt.
    app.update();
    run(&mut app, 2.0);
    assert!((health(&app, victim) - 80.0).abs() < 0.01);
    // On the weaker ones alone.
    app.world_mut().entity_mut(victim).insert(at(-8.0, 0.0));
    app.update();
    let before = health(&app, victim);
    run(&mut app, 1.0);
    assert!((before - health(&app, victim) - 4.0).abs() < 0.01);
    app.world_mut().entity_mut(victim).insert(at(50.0, 0.0));
    app.update();
    let before = health(&app, victim);
    run(&mut app, 1.0);
    assert_eq!(health(&app, victim), before);
}
