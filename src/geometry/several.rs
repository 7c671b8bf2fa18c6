//! Several shapes as one.

use std::sync::Arc;

use bevy::math::Vec2;

use super::{placement::Placement, shape::Shape};
use crate::aabb::Aabb2d;

impl Shape {
    /// The union of shapes, which may overlap. Without shapes it is a point at the origin.
    pub fn compound(shapes: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for shape in shapes {
            match &shape {
                Self::Compound { .. } => shape.visit_shapes(&mut |inner| flat.push(inner.clone())),
                _ => flat.push(shape),
            }
        }
        match flat.len() {
            0 => Self::circle(Vec2::ZERO, 0.0),
            1 => flat.remove(0),
            _ => Self::Compound {
                shapes: Arc::new(flat),
                placement: Placement::at(Vec2::ZERO),
            },
        }
    }

    /// Visits the shapes of a compound, in world space. Visits the shape itself if it is none.
    pub(crate) fn visit_shapes(&self, visit: &mut dyn FnMut(&Self)) {
        match self {
            Self::Compound { shapes, placement } => {
                let pose = placement.pose();
                (shapes.iter()).for_each(|shape| visit(&shape.transformed(&pose)));
            }
            _ => visit(self),
        }
    }

    /// Returns the largest `number` of the compound's shapes.
    #[inline(never)]
    pub(super) fn max_of_shapes(&self, number: impl Fn(&Self) -> f32) -> f32 {
        let mut largest = f32::NEG_INFINITY;
        self.visit_shapes(&mut |shape| largest = largest.max(number(shape)));
        largest
    }

    /// The bounding box of the compound.
    #[inline(never)]
    pub(super) fn aabb_of_shapes(&self) -> Aabb2d {
        let mut all = Aabb2d {
            min: Vec2::INFINITY,
            max: Vec2::NEG_INFINITY,
        };
        self.visit_shapes(&mut |shape| {
            let Aabb2d { min, max } = shape.aabb();
            // Minima hide a NaN; sums do not.
            all.min = all.min.min(min) + min * 0.0;
            all.max = all.max.max(max) + max * 0.0;
        });
        all
    }
}
