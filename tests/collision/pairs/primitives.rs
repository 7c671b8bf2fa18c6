//! Colliders from Bevy's shapes.

use bevy::{math::bounding::Bounded2d, prelude::*};
use bevy_thud::{geometry::Shape, prelude::*};

/// Asserts that a collider is as large as the shape that it was made from.
fn assert_like(collider: &impl Collider, primitive: &impl Bounded2d) {
    let (found, expected) = (
        collider.shape().aabb(),
        primitive.aabb_2d(Isometry2d::IDENTITY),
    );
    assert_eq!((found.min, found.max), (expected.min, expected.max));
}

#[test]
fn colliders_are_made_from_shapes_of_bevy() {
    let circle = Circle::new(3.0);
    assert_like(&CircleCollider::from(circle), &circle);
    assert_eq!(CircleCollider::from(circle), CircleCollider::new(3.0));
    let rectangle = Rectangle::new(4.0, 6.0);
    assert_like(&RectCollider::from(rectangle), &rectangle);
    assert_eq!(RectCollider::from(rectangle), RectCollider::new(4.0, 6.0));
    let capsule = Capsule2d::new(1.0, 5.0);
    assert_like(&CapsuleCollider::from(capsule), &capsule);
    assert_eq!(
        CapsuleCollider::from(capsule),
        CapsuleCollider::new(1.0, 5.0)
    );
}

#[test]
fn negative_sizes_of_shapes_of_bevy_count_as_zero() {
    let circle = CircleCollider::from(Circle { radius: -1.0 });
    assert_eq!(circle.shape(), Shape::circle(Vec2::ZERO, 0.0));
    let rectangle = RectCollider::from(Rectangle {
        half_size: Vec2::new(-1.0, 2.0),
    });
    let expected = Shape::rect(Vec2::ZERO, Vec2::new(0.0, 4.0), Rot2::IDENTITY);
    assert_eq!(rectangle.shape(), expected);
    let capsule = CapsuleCollider::from(Capsule2d {
        radius: -1.0,
        half_length: 2.0,
    });
    let expected = Shape::capsule(Vec2::NEG_Y * 2.0, Vec2::Y * 2.0, 0.0);
    assert_eq!(capsule.shape(), expected);
}
