//! Every public component and message is registered, can be built with `bsn!` and reflected back.

use std::{any::TypeId, fmt::Debug};

use bevy::{
    asset::AssetPlugin,
    prelude::*,
    reflect::{FromReflect, GetTypeRegistration, TypePath, Typed},
    scene::ScenePlugin,
};
use bevy_thud::prelude::*;

use crate::common::*;

fn registered<T: 'static>(app: &App) -> bool {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    registry.contains(TypeId::of::<T>())
}

fn has_data<T: 'static, D: bevy::reflect::TypeData>(app: &App) -> bool {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    registry.get_type_data::<D>(TypeId::of::<T>()).is_some()
}

/// Asserts that a component survives what scenes and editors do with it.
fn assert_component<T>(app: &mut App, value: T)
where
    T: Component
        + FromReflect
        + TypePath
        + Typed
        + GetTypeRegistration
        + Default
        + Clone
        + PartialEq
        + Debug,
{
    let name = T::type_path();
    assert!(registered::<T>(app), "{name}");
    assert!(has_data::<T, ReflectComponent>(app), "{name}");
    assert!(has_data::<T, ReflectDefault>(app), "{name}");
    assert_ne!(T::default(), value, "{name}: the test needs another value");
    assert_reflects(&value);

    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let reflected = registry
        .get_type_data::<ReflectComponent>(TypeId::of::<T>())
        .unwrap();
    let entity = app.world_mut().spawn_empty().id();
    let mut target = app.world_mut().entity_mut(entity);
    reflected.insert(&mut target, value.as_partial_reflect(), &registry);
    assert_eq!(app.world().get::<T>(entity), Some(&value), "{name}");
    let source = app.world().entity(entity);
    let read = reflected.reflect(source).unwrap();
    assert_eq!(
        read.as_partial_reflect().reflect_partial_eq(&value),
        Some(true),
        "{name}"
    );
}

/// Asserts that a value is equal after a round trip through its reflected form, with all its
/// fields.
fn assert_reflects<T: FromReflect + TypePath + PartialEq + Debug>(value: &T) {
    let dynamic = value.to_dynamic();
    assert_eq!(T::from_reflect(&*dynamic).as_ref(), Some(value));
}

#[test]
fn all_components_are_registered_and_come_back_from_reflection() {
    let mut app = test_app();
    assert_component(
        &mut app,
        CircleCollider {
            radius: 2.0,
            offset: Vec2::X,
        },
    );
    assert_component(
        &mut app,
        RectCollider {
            size: Vec2::ONE,
            offset: Vec2::Y,
        },
    );
    assert_component(
        &mut app,
        CollisionLayers::new(LayerMask::layer(3), LayerMask::NONE),
    );
    let mover = Mover {
        velocity: Vec2::X,
        displacement: Vec2::Y,
        response: MoverResponse::Bounce,
        blocked_by: LayerMask::layer(7),
        restitution: 0.25,
        weight: 3.0,
        skin_width: 0.5,
        time_scale: 0.5,
    };
    assert_component(&mut app, mover);
    let walker = Walker {
        up: Dir2::NEG_X,
        max_slope: 0.5,
        snap_distance: 3.0,
        step_height: 4.0,
        step_width: 2.0,
        corner_correction: 1.5,
        constant_speed: false,
        kept_velocity: KeptVelocity::Upward,
        carried_by: LayerMask::layer(3),
    };
    assert_component(&mut app, walker);
    assert_component(&mut app, Turning(-2.0));
    assert_component(&mut app, Conveyor(Vec2::new(3.0, -4.0)));
}

#[test]
fn markers_are_registered() {
    fn assert_marker<T>(app: &App)
    where
        T: Component + Reflect + Default + Clone + PartialEq + Debug,
    {
        assert!(registered::<T>(app));
        assert!(has_data::<T, ReflectComponent>(app) && has_data::<T, ReflectDefault>(app));
    }
    let app = test_app();
    assert_marker::<Solid>(&app);
    assert_marker::<ColliderDisabled>(&app);
    assert_marker::<Swept>(&app);
    assert_marker::<Pushable>(&app);
    assert_marker::<MoverPart>(&app);
    assert_marker::<MoverHits>(&app);
    assert_marker::<Ground>(&app);
    assert_marker::<CollidingEntities>(&app);
}

#[test]
fn the_lists_that_the_plugin_fills_come_back_from_reflection() {
    let mut app = test_app();
    spawn(
        &mut app,
        (RectCollider::new(2.0, 10.0), Solid, at(6.0, 0.0)),
    );
    let mover = Mover::with_velocity(Vec2::X * 640.0);
    let mover = spawn(
        &mut app,
        (ball(0.0, 0.0), mover, CollidingEntities::default()),
    );
    app.update();
    let hits = app.world().get::<MoverHits>(mover).unwrap().clone();
    let colliding = app.world().get::<CollidingEntities>(mover).unwrap().clone();
    assert_eq!((hits.len(), colliding.len()), (1, 1));
    assert_component(&mut app, hits);
    assert_component(&mut app, colliding);
}

#[test]
fn messages_events_settings_and_their_parts_are_registered() {
    let app = test_app();
    assert!(registered::<CollisionEvent>(&app));
    assert!(registered::<CollisionStart>(&app));
    assert!(registered::<CollisionEnd>(&app));
    assert!(registered::<MoverHit>(&app));
    assert!(registered::<Crushed>(&app));
    assert!(registered::<Landed>(&app));
    assert!(registered::<ChangedFloor>(&app));
    assert!(registered::<LeftFloor>(&app));
    assert!(registered::<KeptVelocity>(&app));
    assert!(registered::<CollisionEndReason>(&app));
    assert!(registered::<Contact>(&app));
    assert!(registered::<LayerMask>(&app));
    assert!(registered::<MoverResponse>(&app));
    assert!(registered::<CollisionSettings>(&app));
    assert!(has_data::<CollisionSettings, ReflectResource>(&app));
    assert_reflects(&CollisionSettings {
        margin: 2.0,
        solid_pairs: true,
    });
}

#[test]
fn messages_and_events_come_back_from_reflection() {
    #[derive(Resource, Default)]
    struct Received(Vec<CollisionStart>, Vec<CollisionEnd>);
    let mut app = test_app();
    app.init_resource::<Received>();
    app.add_observer(
        |start: On<CollisionStart>, mut received: ResMut<Received>| {
            received.0.push(*start.event());
        },
    );
    app.add_observer(|end: On<CollisionEnd>, mut received: ResMut<Received>| {
        received.1.push(*end.event());
    });
    spawn(&mut app, ball(0.0, 0.0));
    let other = spawn(&mut app, ball(1.5, 0.0));
    let mut events = step(&mut app);
    app.world_mut().despawn(other);
    events.extend(step(&mut app));
    assert_eq!(events.len(), 2);
    events.iter().for_each(assert_reflects);
    let Received(starts, ends) = app.world().resource();
    assert_eq!((starts.len(), ends.len()), (2, 1));
    starts.iter().for_each(assert_reflects);
    ends.iter().for_each(assert_reflects);
}

#[test]
fn bsn_builds_all_that_a_user_writes() {
    let mut app = unstarted_app(CollisionPlugin::default());
    app.add_plugins((AssetPlugin::default(), ScenePlugin));
    start(&mut app);
    let world = app.world_mut();
    let player = world.spawn_scene(bsn! {
        #Player
        CircleCollider { radius: 2.0 }
        Mover { velocity: Vec2 { x: 64.0 }, response: MoverResponse::Stop }
        CollisionLayers { filters: {LayerMask::layer(3)} }
        CollidingEntities
        Transform { translation: Vec3 { x: -8.0 } }
    });
    let player = player.unwrap().id();
    let wall = world.spawn_scene(bsn! {
        RectCollider { size: Vec2 { x: 2.0, y: 10.0 }, offset: Vec2 { x: 1.0 } }
        Solid
        CollisionLayers { memberships: {LayerMask::layer(3)} }
        Children [
            (CircleCollider { radius: 3.0 } ColliderDisabled)
        ]
    });
    let wall = wall.unwrap().id();
    let entity = app.world().entity(player);
    assert_eq!(entity.get(), Some(&CircleCollider::new(2.0)));
    let mover = Mover {
        response: MoverResponse::Stop,
        ..Mover::with_velocity(Vec2::X * 64.0)
    };
    assert_eq!(entity.get(), Some(&mover));
    let layers = CollisionLayers::new(LayerMask::ALL, LayerMask::layer(3));
    assert_eq!(entity.get(), Some(&layers));
    assert_eq!(brief(&steps(&mut app, 10)), [started(player, wall)]);
    let x = global_position(&app, player).x;
    assert!((x + 2.02).abs() < 1e-3, "{x}");
    assert_eq!(
        **app.world().get::<CollidingEntities>(player).unwrap(),
        [wall]
    );
}
