//! How does a shot pierce foes and end at walls?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// The layer of foes: `CollisionLayers::new(FOES, LayerMask::ALL)`. Walls need no layers.
const FOES: LayerMask = LayerMask::layer(1);

#[derive(Component)]
struct Foe;

#[derive(Component)]
struct Shot;

/// Everything solid blocks a shot, except foes. Those report overlaps, also if they are solid.
fn shot(velocity: Vec2) -> impl Bundle {
    let mut mover = Mover::with_velocity(velocity);
    mover.response = MoverResponse::Stop;
    mover.blocked_by = !FOES;
    (Shot, CircleCollider::new(2.0), mover)
}

fn pierce(mut hits: Hits<With<Shot>, With<Foe>>, mut commands: Commands) {
    for hit in hits.read() {
        commands.entity(hit.b).try_despawn();
    }
}

fn end(mut hits: MessageReader<MoverHit>, shots: Query<(), With<Shot>>, mut commands: Commands) {
    for hit in hits.read().filter(|hit| shots.contains(hit.entity)) {
        commands.entity(hit.entity).try_despawn();
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn a_shot_hits_every_foe_before_the_wall_and_none_behind_it() {
    // The faster one arrives in its first update.
    for speed in [200.0, 20_000.0] {
        let mut app = app(|app| {
            app.add_systems(Update, (pierce, end));
        });
        let wall = (RectCollider::new(10.0, 40.0), Solid, at(60.0, 0.0));
        app.world_mut().spawn(wall);
        let foes = [20.0, 40.0, 80.0].map(|x| {
            let layers = CollisionLayers::new(FOES, LayerMask::ALL);
            let foe = (Foe, CircleCollider::new(5.0), Solid, layers, at(x, 0.0));
            app.world_mut().spawn(foe).id()
        });
        let shot = shot(Vec2::X * speed);
        let shot = app.world_mut().spawn((shot, at(0.0, 0.0))).id();
        run(&mut app, 0.5);
        let survive = foes.map(|foe| exists(&app, foe));
        assert_eq!(survive, [false, false, true], "{speed}");
        assert!(!exists(&app, shot), "{speed}");
    }
}
