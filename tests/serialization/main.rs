//! Serialized values are restored exactly, and deserialization validates.

mod saved_games;
mod scenes;
mod shapes;

use std::{any::TypeId, fmt::Debug, time::Duration};

use bevy::{
    ecs::{entity::MapEntities, system::RunSystemOnce},
    math::Affine2,
    prelude::*,
    reflect::GetTypeRegistration,
    time::TimeUpdateStrategy,
};
use bevy_thud::{
    BlockingHit,
    geometry::{CastHit, Shape, Tiles, cast_ray, contact, separation},
    prelude::*,
};
use serde::{Serialize, de::DeserializeOwned};

/// Asserts that a value is equal after serialization and deserialization, in two formats.
fn assert_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = ron::to_string(value).unwrap();
    let back: T = ron::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&back, value, "{text}");
    // JSON has no infinity.
    if text.contains("inf") {
        return;
    }
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&back, value, "{text}");
}

/// Registers the types of Bevy that are saved. (With its default features Bevy does.)
fn register_bevy_types(app: &mut App) {
    app.register_type::<Transform>()
        .register_type::<Name>()
        .register_type::<ChildOf>()
        .register_type::<Children>();
}

/// An app after its first update, so that time advances in all further updates.
fn test_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .add_plugins(register_bevy_types)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            20,
        )));
    app.update();
    app
}

fn ball(x: f32) -> impl Bundle {
    (CircleCollider::new(1.0), Transform::from_xyz(x, 0.0, 0.0))
}

fn overlapping() -> Contact {
    let [p, q] = [0.0, 1.3].map(|x| Shape::circle(Vec2::X * x, 1.0));
    contact(&p, &q).unwrap()
}

fn entities() -> [Entity; 2] {
    let mut world = World::new();
    // Of a later generation as well.
    let gone = world.spawn_empty().id();
    world.despawn(gone);
    [world.spawn_empty().id(), world.spawn_empty().id()]
}

fn arrow() -> PolygonCollider {
    let outline = [(12.0, 0.1), (-8.0, 8.0), (-3.0, 0.0), (-8.0, -8.0)];
    PolygonCollider::new(outline.map(Vec2::from)).unwrap()
}

fn map() -> TileCollider {
    TileCollider::from_rows(["#..#", "....", ".##"], Vec2::new(0.1, 4.0))
}

#[test]
fn components_come_back() {
    assert_round_trip(&CircleCollider::new(0.1).with_offset(Vec2::new(1e-7, f32::MAX)));
    assert_round_trip(&RectCollider::new(0.1, f32::INFINITY).with_offset(Vec2::NEG_Y));
    assert_round_trip(&CapsuleCollider::between(Vec2::NEG_X, Vec2::Y, 0.3));
    assert_round_trip(&arrow());
    assert_round_trip(&map().with_offset(Vec2::new(0.5, -3.0)));
    assert_round_trip(&CollisionLayers::new(LayerMask::layer(31), LayerMask::NONE));
    assert_round_trip(&LayerMask::ALL);
    assert_round_trip(&Solid);
    assert_round_trip(&Swept);
    assert_round_trip(&Pushable);
    assert_round_trip(&Ignores::until_apart(Entity::from_bits(7)));
    assert_round_trip(&MoverPart);
    assert_round_trip(&Turning(-2.0));
    assert_round_trip(&ColliderDisabled);
    assert_round_trip(&OneWay(Dir2::from_xy(0.3, -0.7).unwrap()));
    for response in [
        MoverResponse::Slide,
        MoverResponse::Stop,
        MoverResponse::Bounce,
        MoverResponse::Pass,
    ] {
        assert_round_trip(&Mover {
            velocity: Vec2::new(0.1, -3e7),
            displacement: Vec2::Y,
            response,
            blocked_by: LayerMask::layer(7),
            restitution: 0.25,
            weight: 3.0,
            skin_width: 0.5,
            time_scale: 0.5,
        });
    }
}

#[test]
fn walkers_and_their_ground_come_back() {
    for kept_velocity in [
        KeptVelocity::All,
        KeptVelocity::Upward,
        KeptVelocity::Nothing,
    ] {
        assert_round_trip(&Walker {
            up: Dir2::from_xy(0.3, -0.7).unwrap(),
            max_slope: 0.1,
            snap_distance: 3.0,
            step_height: 4.0,
            step_width: 1e-7,
            corner_correction: 1e7,
            constant_speed: false,
            kept_velocity,
            carried_by: LayerMask::layer(7),
        });
    }
    assert_round_trip(&Conveyor(Vec2::new(0.1, -3e7)));
    assert_round_trip(&Ground::default());
    let mut app = test_app();
    let floor = (RectCollider::new(9.0, 2.0), Solid, Transform::default());
    app.world_mut().spawn(floor);
    let mover = Mover::with_velocity(Vec2::NEG_Y * 640.0);
    let at = Transform::from_xyz(0.1, 5.0, 0.0);
    let walker = (CircleCollider::new(1.0), at, mover, Walker::default());
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    let ground = app.world().get::<Ground>(walker).unwrap();
    assert!(ground.is_on_floor());
    assert_round_trip(ground);
    let [entity, floor] = entities();
    let speed = 0.1;
    assert_round_trip(&Landed {
        entity,
        floor,
        speed,
    });
    assert_round_trip(&LeftFloor { entity, floor });
    assert_round_trip(&ChangedFloor {
        entity,
        from: entity,
        to: floor,
    });
}

#[test]
fn settings_messages_and_events_come_back() {
    assert_round_trip(&CollisionSettings {
        margin: 0.3,
        solid_pairs: true,
    });
    let [a, b] = entities();
    let (contact, fraction) = (overlapping(), 1.0 / 3.0);
    assert_round_trip(&contact);
    assert_round_trip(&CollisionEvent::Started {
        a,
        b,
        contact,
        fraction,
    });
    for reason in [
        CollisionEndReason::Despawned,
        CollisionEndReason::ColliderRemoved,
        CollisionEndReason::Disabled,
        CollisionEndReason::Invalid,
        CollisionEndReason::Filtered,
        CollisionEndReason::Separated,
    ] {
        assert_round_trip(&CollisionEvent::Ended { a, b, reason });
    }
    let (entity, collider, other) = (a, a, b);
    assert_round_trip(&CollisionStart {
        entity,
        collider,
        other,
        contact,
        fraction,
    });
    let reason = CollisionEndReason::Filtered;
    assert_round_trip(&CollisionEnd {
        entity,
        collider,
        other,
        reason,
    });
    assert_round_trip(&MoverHit {
        entity,
        hit: BlockingHit {
            blocker: b,
            normal: Vec2::NEG_X,
            point: Vec2::new(0.1, 0.2),
            fraction: 0.7,
            speed: 1e3,
            blocker_velocity: Vec2::new(0.3, -0.4),
            cell: Some(UVec2::new(7, 0)),
        },
    });
    assert_round_trip(&Crushed { entity, by: entity });
}

#[test]
fn geometry_comes_back() {
    let ball = Shape::circle(Vec2::new(0.1, 9.0), 0.7);
    let floor = Shape::rect(Vec2::NEG_ONE, Vec2::new(3.0, 0.2), Rot2::radians(0.3));
    assert_round_trip(&separation(&ball, &floor));
    let pose = Affine2::from_scale_angle_translation(Vec2::new(2.0, -0.3), 0.7, Vec2::ONE);
    for shape in [&ball, &floor, &arrow().shape(), &map().shape()] {
        assert_round_trip(&shape.transformed(&pose));
    }
    let hit: CastHit = cast_ray(&ball, Vec2::new(0.1, 0.0), Vec2::Y * 100.0).unwrap();
    assert_round_trip(&hit);
    assert_round_trip(&ball);
    assert_round_trip(&floor);
    assert_round_trip(&Shape::capsule(Vec2::NEG_X, Vec2::Y, 0.3));
}

#[test]
fn what_the_plugin_fills_in_comes_back() {
    let mut app = test_app();
    let wall = (
        RectCollider::new(2.0, 10.0),
        Solid,
        Transform::from_xyz(6.0, 0.0, 0.0),
    );
    app.world_mut().spawn(wall);
    let mover = Mover::with_velocity(Vec2::X * 640.0);
    let mover = app
        .world_mut()
        .spawn((ball(0.0), mover, CollidingEntities::default()))
        .id();
    app.update();
    let hits = app.world().get::<MoverHits>(mover).unwrap();
    let colliding = app.world().get::<CollidingEntities>(mover).unwrap();
    assert_eq!((hits.len(), colliding.len()), (1, 1));
    assert_round_trip(hits);
    assert_round_trip(colliding);
}

#[test]
fn hits_come_back() {
    let mut app = test_app();
    app.world_mut().spawn((ball(0.0), Name::new("a")));
    app.world_mut().spawn(ball(1.5));
    app.update();
    let hits = (app.world_mut())
        .run_system_once(|mut hits: Hits<With<Name>, Without<Name>>| {
            hits.read().collect::<Vec<_>>()
        })
        .unwrap();
    assert_eq!(hits.len(), 1);
    assert_round_trip(&hits[0]);
    let outcome = (app.world_mut())
        .run_system_once(|query: SpatialQuery| {
            let shape = Shape::circle(Vec2::ZERO, 1.0);
            let mover = Mover::with_velocity(Vec2::X);
            query.move_and_slide(&shape, &mover, 1.0, &SpatialQueryFilter::default())
        })
        .unwrap();
    outcome.hits.iter().for_each(assert_round_trip);
}

#[test]
fn fields_that_are_left_out_have_their_defaults() {
    let mover: Mover = ron::from_str("(velocity: (3.0, 4.0), response: Bounce)").unwrap();
    let expected = Mover {
        response: MoverResponse::Bounce,
        ..Mover::with_velocity(Vec2::new(3.0, 4.0))
    };
    assert_eq!(mover, expected);
    let settings: CollisionSettings = ron::from_str("(solid_pairs: true)").unwrap();
    assert_eq!((settings.margin, settings.solid_pairs), (0.0, true));
    let layers: CollisionLayers = ron::from_str("(filters: (4))").unwrap();
    assert_eq!(layers, CollisionLayers::new(LayerMask::ALL, LayerMask(4)));
    assert_eq!(ron::from_str("(radius: 2.0)"), Ok(CircleCollider::new(2.0)));
    assert_eq!(
        ron::from_str("(size: (2.0, 3.0))"),
        Ok(RectCollider::new(2.0, 3.0))
    );
}

#[test]
fn directions_that_are_read_become_of_unit_length_or_are_refused() {
    for text in ["(((3.0, 4.0)))", "(((3e-38, 4e-38)))", "(((1.5e38, 2e38)))"] {
        let OneWay(direction) = ron::from_str(text).unwrap();
        assert!(
            (direction.as_vec2() - Vec2::new(0.6, 0.8)).length() < 1e-6,
            "{text}: {direction:?}"
        );
    }
    for text in ["(((0.0, 0.0)))", "(((NaN, 1.0)))", "(((inf, 0.0)))"] {
        let error = ron::from_str::<OneWay>(text).unwrap_err();
        assert!(
            error.to_string().contains("has no direction"),
            "{text}: {error}"
        );
    }
    let rect =
        |rotation| format!("Rect(center: (0.0, 0.0), half_size: (1.0, 1.0), rotation: {rotation})");
    let Ok(Shape::Rect { rotation, .. }) = ron::from_str(&rect("(cos: 0.0, sin: 2.0)")) else {
        panic!("it is a rectangle");
    };
    assert_eq!(rotation, Rot2 { cos: 0.0, sin: 1.0 });
    assert!(ron::from_str::<Shape>(&rect("(cos: 0.0, sin: 0.0)")).is_err());
}

#[test]
fn scenes_find_how_to_write_and_read_all_of_it() {
    fn assert_known<T: GetTypeRegistration>(app: &App) {
        let registry = app.world().resource::<AppTypeRegistry>().read();
        let id = TypeId::of::<T>();
        let name = std::any::type_name::<T>();
        assert!(
            registry.get_type_data::<ReflectSerialize>(id).is_some(),
            "{name}"
        );
        assert!(
            registry.get_type_data::<ReflectDeserialize>(id).is_some(),
            "{name}"
        );
    }
    let app = test_app();
    assert_known::<CircleCollider>(&app);
    assert_known::<CapsuleCollider>(&app);
    assert_known::<RectCollider>(&app);
    assert_known::<PolygonCollider>(&app);
    assert_known::<TileCollider>(&app);
    assert_known::<CollisionLayers>(&app);
    assert_known::<LayerMask>(&app);
    assert_known::<Solid>(&app);
    assert_known::<OneWay>(&app);
    assert_known::<Swept>(&app);
    assert_known::<Pushable>(&app);
    assert_known::<Ignores>(&app);
    assert_known::<MoverPart>(&app);
    assert_known::<Turning>(&app);
    assert_known::<ColliderDisabled>(&app);
    assert_known::<CollisionSettings>(&app);
    assert_known::<Mover>(&app);
    assert_known::<MoverResponse>(&app);
    assert_known::<MoverHit>(&app);
    assert_known::<MoverHits>(&app);
    assert_known::<Crushed>(&app);
    assert_known::<Contact>(&app);
    assert_known::<CollidingEntities>(&app);
    assert_known::<CollisionEvent>(&app);
    assert_known::<CollisionStart>(&app);
    assert_known::<CollisionEnd>(&app);
    assert_known::<CollisionEndReason>(&app);
}
