use bevy::{
    math::bounding::{Aabb2d, BoundingVolume},
    prelude::*,
};

use super::{entry::ColliderRole, slots::Slots, ways::Ways};
use crate::{
    aabb::grown,
    broad_phase::{BroadPhaseItems, EMPTY, OldIndex, OrientedSlab, permute},
    geometry::Shape,
    parallel,
};

/// The colliders in the order of the broad phase: what is near in the plane is near in memory.
#[derive(Default)]
pub(super) struct Colliders {
    /// In world space; none, where nothing is any more.
    pub shapes: Vec<Option<Shape>>,
    pub records: Vec<ColliderRecord>,
    pub slots: Slots,
    pub ways: Ways,
    /// The distance at which all colliders count as touching, in world units.
    pub margin: f32,
    taken_shapes: Vec<Option<Shape>>,
    taken_records: Vec<ColliderRecord>,
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

/// A strip is worth a test if the box is so many times as wide.
const STRIPS_PER_BOX: f32 = 4.0;

impl BroadPhaseItems for Colliders {
    fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Around everywhere that the collider was in this run, as far as it may touch another.
    #[inline]
    fn aabb(&self, place: usize) -> Aabb2d {
        let Some(shape) = &self.shapes[place] else {
            return EMPTY;
        };
        let ColliderRecord {
            slot, skin, role, ..
        } = &self.records[place];
        let mut aabb = shape.aabb();
        if role.is_swept {
            aabb = self.ways.swept(*slot, aabb);
        }
        grown(&aabb, role.touching_distance(shape, *skin, self.margin))
    }

    /// That of a long rectangle that does not move by itself.
    fn slab(&self, place: usize) -> Option<OrientedSlab> {
        let ColliderRecord { skin, role, .. } = &self.records[place];
        let shape = self.shapes[place].as_ref()?;
        let (normal, half_width) = shape.narrowest().filter(|_| !role.is_swept)?;
        let strip = OrientedSlab {
            normal,
            offset: normal.dot(shape.center()),
            half_width: half_width + role.touching_distance(shape, *skin, self.margin),
        };
        let size = self.aabb(place).half_size();
        (size.min_element() > STRIPS_PER_BOX * strip.half_width).then_some(strip)
    }

    fn permute(&mut self, order: &[OldIndex]) {
        let Colliders {
            shapes,
            records,
            slots,
            taken_shapes,
            taken_records,
            ..
        } = self;
        let mut permute_shapes = || permute(shapes, order, taken_shapes);
        let mut permute_records = || permute(records, order, taken_records);
        let lists: [&mut (dyn FnMut() + Send); 2] = [&mut permute_shapes, &mut permute_records];
        parallel::for_each(order.len(), lists.into_iter(), |permute| permute());
        for (place, (shape, record)) in (0..).zip(shapes.iter().zip(records)) {
            // Of what is gone the slot may be another one's already.
            if shape.is_some() {
                slots.set_place(record.slot, place);
            }
        }
    }
}
