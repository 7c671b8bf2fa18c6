//! What a user of Bevy types first compiles, and makes the shape that it says.

use std::time::Duration;

use bevy::{ecs::system::RunSystemOnce, prelude::*, time::TimeUpdateStrategy};
use bevy_thud::{geometry::Shape, prelude::*};

#[derive(Reflect)]
enum Layer {
    Wall,
    Ball,
    Paddle,
}

impl CollisionLayer for Layer {}

fn size(collider: &impl Collider) -> Vec2 {
    let bounds = collider.shape().aabb();
    bounds.max - bounds.min
}

#[test]
fn rectangles_are_made_as_those_of_bevy() {
    let expected = RectCollider::new(8.0, 4.0);
    assert_eq!(RectCollider::from_size(Vec2::new(8.0, 4.0)), expected);
    assert_eq!(RectCollider::from(Rectangle::new(8.0, 4.0)), expected);
    let square = RectCollider::from(Rectangle::from_length(8.0));
    assert_eq!(RectCollider::from_length(8.0), square);
    let corners = [Vec2::new(9.0, 1.0), Vec2::new(1.0, 5.0)];
    let expected = expected.with_offset(Vec2::new(5.0, 3.0));
    assert_eq!(RectCollider::from_corners(corners[0], corners[1]), expected);
    let rect = Rect::from_corners(corners[0], corners[1]);
    assert_eq!(RectCollider::from(rect), expected);
    assert_eq!(RectCollider::from_rect(rect), expected);
}

#[test]
fn a_regular_polygon_has_the_vertices_of_that_of_bevy() {
    for sides in 3..40 {
        let ours = PolygonCollider::regular(10.0, sides).unwrap();
        let theirs = RegularPolygon::new(10.0, sides.into()).vertices(0.0);
        let theirs: Vec<Vec2> = theirs.into_iter().collect();
        assert_eq!(ours.vertices().len(), theirs.len());
        for vertex in ours.vertices() {
            let mut distances = theirs.iter().map(|other| vertex.distance(*other));
            assert!(
                distances.any(|distance| distance < 1e-4),
                "{sides}: {vertex}"
            );
        }
    }
    let is_square = size(&PolygonCollider::regular(10.0, 4).unwrap());
    assert!(is_square.abs_diff_eq(Vec2::splat(20.0), 1e-4));
    for radius in [0.0, f32::NAN, f32::INFINITY] {
        assert!(PolygonCollider::regular(radius, 6).is_err(), "{radius}");
    }
    assert!((0..3).all(|sides| PolygonCollider::regular(1.0, sides).is_err()));
    assert!(PolygonCollider::regular(1.0, u16::MAX).is_ok());
}

#[test]
fn a_table_takes_one_layer_or_several() {
    let one = LayerTable::new()
        .collide(Layer::Wall, Layer::Ball)
        .collide(Layer::Paddle, Layer::Ball);
    let several = LayerTable::new().collide(Layer::Ball, [Layer::Wall, Layer::Paddle]);
    let slice = LayerTable::new().collide(Layer::Ball, &[Layer::Wall, Layer::Paddle][..]);
    for layer in [Layer::Wall, Layer::Ball, Layer::Paddle] {
        assert_eq!(one.layers(&layer), several.layers(&layer));
        assert_eq!(one.layers(&layer), slice.layers(&layer));
    }
    let [wall, ball] = [Layer::Wall, Layer::Ball].map(|layer| one.layers(&layer));
    assert!(wall.interacts_with(ball) && !wall.interacts_with(wall));
}

#[test]
fn masks_and_layers_are_united() {
    let mask = Layer::Wall.mask() | Layer::Ball;
    assert_eq!(mask, LayerMask::from([Layer::Wall, Layer::Ball]));
    assert_eq!(mask | LayerMask::from(Layer::Paddle), mask | Layer::Paddle);
}

#[test]
fn lists_are_iterated_without_a_call() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
        100,
    )));
    let wall = (RectCollider::from_length(10.0), Solid, Transform::default());
    let wall = app.world_mut().spawn(wall).id();
    let mover = Mover::with_velocity(Vec2::X * 200.0);
    let mover = (
        mover,
        CircleCollider::new(2.0),
        CollidingEntities::default(),
    );
    let mover = (mover, Transform::from_xyz(-15.0, 0.0, 0.0));
    let mover = app.world_mut().spawn(mover).id();
    (0..2).for_each(|_| app.update());
    let mut found = vec![];
    for hit in app.world().get::<MoverHits>(mover).unwrap() {
        found.push(hit.blocker);
    }
    for &entity in app.world().get::<CollidingEntities>(mover).unwrap() {
        found.push(entity);
    }
    assert_eq!(found, [wall, wall]);
}

#[test]
fn a_filter_takes_layers_at_first_or_later() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    let spawn = |app: &mut App, x: f32, layer: Layer| {
        let layers = CollisionLayers::new(layer, LayerMask::ALL);
        let transform = Transform::from_xyz(x, 0.0, 0.0);
        let mut world = app.world_mut().spawn((CircleCollider::new(1.0), layers));
        world.insert(transform).id()
    };
    let ball = spawn(&mut app, 0.0, Layer::Ball);
    let _wall = spawn(&mut app, 0.5, Layer::Wall);
    app.update();
    let find = move |query: SpatialQuery| {
        let shape = Shape::circle(Vec2::ZERO, 1.0);
        [
            SpatialQueryFilter::only(Layer::Ball),
            SpatialQueryFilter::default().in_layers(Layer::Ball),
            SpatialQueryFilter::default().in_layers([Layer::Ball, Layer::Paddle]),
        ]
        .map(|filter| {
            query
                .shape_intersections(&shape, &filter)
                .collect::<Vec<_>>()
        })
    };
    let found = app.world_mut().run_system_once(find).unwrap();
    assert!(found.iter().all(|found| *found == [ball]), "{found:?}");
}
