use bevy::{math::bounding::Aabb2d, prelude::*};

use super::{
    entry::{Body, ColliderRole},
    slots::Slots,
    ways::Ways,
};
use crate::{
    broad_phase::{Arrangement, EMPTY, grown, rearrange},
    geometry::Shape,
};

/// The colliders in the order of the broad phase: what is near in the plane is near in memory.
#[derive(Default)]
pub(super) struct Colliders {
    /// In world space; none, where nothing is any more.
    pub shapes: Vec<Option<Shape>>,
    pub records: Vec<ColliderRecord>,
    pub slots: Slots,
    spare_shapes: Vec<Option<Shape>>,
    spare_records: Vec<ColliderRecord>,
}

/// What is known of a collider but for its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColliderRecord {
    pub entity: Entity,
    pub slot: u32,
    /// The distance that the entity keeps from what blocks it, in world units.
    pub skin: f32,
    pub role: ColliderRole,
}

/// Them with what else tells where they were in this run.
pub(super) struct ArrangedColliders<'a> {
    pub colliders: &'a mut Colliders,
    pub ways: &'a Ways,
    /// The distance at which all colliders count as touching.
    pub margin: f32,
}

impl Arrangement for ArrangedColliders<'_> {
    fn len(&self) -> usize {
        self.colliders.shapes.len()
    }

    /// Around everywhere that the collider was in this run, as far as it may touch another.
    fn aabb(&self, place: usize) -> Aabb2d {
        let Some(shape) = &self.colliders.shapes[place] else {
            return EMPTY;
        };
        let ColliderRecord {
            slot, skin, role, ..
        } = &self.colliders.records[place];
        let mut aabb = shape.aabb();
        if role.body == Body::Itself {
            aabb = self.ways.swept(*slot, aabb);
        }
        grown(&aabb, role.touching_distance(shape, *skin, self.margin))
    }

    fn rearrange(&mut self, order: &[u32]) {
        let Colliders {
            shapes,
            records,
            slots,
            spare_shapes,
            spare_records,
        } = self.colliders;
        rearrange(shapes, order, spare_shapes);
        rearrange(records, order, spare_records);
        for (place, (shape, record)) in (0..).zip(shapes.iter().zip(records)) {
            // Of what is gone the slot may be another one's already.
            if shape.is_some() {
                slots.set_place(record.slot, place);
            }
        }
    }
}
