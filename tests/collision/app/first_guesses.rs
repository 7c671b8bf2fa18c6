//! What a user of Bevy types first compiles, and makes the shape that it says.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
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
