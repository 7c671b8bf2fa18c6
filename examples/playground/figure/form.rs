//! The list of the kinds of shapes. To add one, write a file beside `circle.rs` and add it to each
//! list in here.

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};

use super::{ARROW, GEM, Grip, HALL, Handle, polygon};

/// A shape of some kind, in its own frame.
#[derive(Component, Clone, Debug, PartialEq)]
pub enum Form {
    Circle(CircleCollider),
    Rect(RectCollider),
    Capsule(CapsuleCollider),
    Polygon(PolygonCollider),
    Tiles(TileCollider),
}

impl Form {
    /// One of each kind, as it is added by the number key of its position in the list.
    pub fn starters() -> Vec<Self> {
        vec![
            Self::Circle(CircleCollider::new(50.0)),
            Self::Rect(RectCollider::new(150.0, 90.0)),
            Self::Capsule(CapsuleCollider::new(32.0, 110.0)),
            polygon(GEM),
            polygon(ARROW),
            Self::Tiles(TileCollider::from_rows(HALL, Vec2::splat(22.0))),
        ]
    }

    pub fn kind(&self) -> &dyn Kind {
        match self {
            Self::Circle(circle) => circle,
            Self::Rect(rect) => rect,
            Self::Capsule(capsule) => capsule,
            Self::Polygon(polygon) => polygon,
            Self::Tiles(tiles) => tiles,
        }
    }

    /// Its shape in its own frame, as collision detection sees it.
    pub fn shape(&self) -> Shape {
        match self {
            Self::Circle(circle) => circle.shape(),
            Self::Rect(rect) => rect.shape(),
            Self::Capsule(capsule) => capsule.shape(),
            Self::Polygon(polygon) => polygon.shape(),
            Self::Tiles(tiles) => tiles.shape(),
        }
    }

    /// Gives an entity this shape to collide with.
    pub fn put_on(&self, entity: &mut EntityCommands) {
        match self.clone() {
            Self::Circle(circle) => entity.insert(circle),
            Self::Rect(rect) => entity.insert(rect),
            Self::Capsule(capsule) => entity.insert(capsule),
            Self::Polygon(polygon) => entity.insert(polygon),
            Self::Tiles(tiles) => entity.insert(tiles),
        };
    }
}

/// What each kind of shape implements. Points are in the shape's own frame, lengths in world units.
pub trait Kind {
    fn title(&self) -> &'static str;

    /// Its measures: names and values.
    fn measures(&self) -> Vec<(&'static str, String)>;

    /// Its color while it overlaps nothing.
    fn color(&self) -> Color;

    /// The closed lines around it.
    fn outlines(&self) -> Vec<Vec<Vec2>>;

    /// Convex polygons that fill it.
    fn pieces(&self) -> Vec<Vec<Vec2>> {
        self.outlines()
    }

    /// Its bounding box, if the outline does not touch that everywhere.
    fn frame(&self) -> Option<Vec<Vec2>> {
        None
    }

    /// The outline of a cell, or `None` if it has no cells.
    fn cell(&self, _cell: UVec2) -> Option<Vec<Vec2>> {
        None
    }

    /// The base of the knob's stalk, above the center; or `None` if a rotation cannot be seen.
    fn top(&self) -> Option<Vec2>;

    /// Everything that can be dragged to change its size.
    fn handles(&self) -> Vec<Handle>;

    /// The form after it was gripped at one point and dragged to another, and the displacement of
    /// its center; or `None` if that would not be a valid shape.
    fn dragged(&self, grip: Grip, from: Vec2, to: Vec2) -> Option<(Form, Vec2)>;

    /// The form after a click with Shift at a point with this grip, and the displacement of its
    /// center; or `None` if nothing happens.
    fn edited(&self, _grip: Option<Grip>, _at: Vec2) -> Option<(Form, Vec2)> {
        None
    }
}
