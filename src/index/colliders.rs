//! The colliders in the order of the broad phase.

use bevy::prelude::*;

use super::{displacements::Displacements, entry::ColliderRole, paths::Paths, slots::Slots};
use crate::{
    aabb::{Aabb2d, center, grow, half_size},
    broad_phase::{BroadPhaseItems, EMPTY, OldIndex, OrientedSlab, permute},
    geometry::{Shape, TOUCHING_SLOP},
    parallel,
};

/// The colliders in the order of the broad phase: neighbors in the plane are near in memory.
#[derive(Default)]
pub(super) struct Colliders {
    /// In world space; `None` for removed colliders.
    pub shapes: Vec<Option<Shape>>,
    pub records: Vec<ColliderRecord>,
    pub slots: Slots,
    pub paths: Paths,
    pub displacements: Displacements,
    /// [`CollisionSettings::margin`](crate::CollisionSettings::margin), in world units.
    pub margin: f32,
    shape_buffer: Vec<Option<Shape>>,
    record_buffer: Vec<ColliderRecord>,
}

/// What is known about a collider, except its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColliderRecord {
    pub entity: Entity,
    pub slot: u32,
    /// The skin width of a mover, in world units; zero for others.
    pub skin: f32,
    pub role: ColliderRole,
}

/// A slab is worth a test if the box is this many times as wide.
const SLABS_PER_BOX: f32 = 4.0;

impl BroadPhaseItems for Colliders {
    fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Around all positions of the collider in this update, with the margin in which it may touch
    /// another.
    #[inline]
    fn aabb(&self, index: usize) -> Aabb2d {
        let Some(shape) = &self.shapes[index] else {
            return EMPTY;
        };
        let ColliderRecord {
            slot, skin, role, ..
        } = &self.records[index];
        let mut aabb = shape.aabb();
        if role.is_swept() {
            aabb = self
                .displacements
                .swept(*slot, self.paths.swept(*slot, aabb));
        }
        grow(&aabb, role.touching_distance(shape, *skin, self.margin))
    }

    /// The slab of a long rectangle that is not swept, or around a straight path.
    fn slab(&self, index: usize) -> Option<OrientedSlab> {
        let ColliderRecord {
            slot, skin, role, ..
        } = &self.records[index];
        let shape = self.shapes[index].as_ref()?;
        let mut slab = if role.is_swept() {
            let path = self.paths.get(*slot);
            let [start, _] = path.first_chunk().filter(|_| path.len() == 2)?;
            slab_along(shape, start.offset)?
        } else {
            let (normal, half_width) = shape.min_width_axis()?;
            OrientedSlab {
                normal,
                offset: normal.dot(shape.center()),
                half_width,
            }
        };
        slab.half_width += role.touching_distance(shape, *skin, self.margin);
        let size = half_size(&self.aabb(index));
        (size.min_element() > SLABS_PER_BOX * slab.half_width).then_some(slab)
    }

    fn permute(&mut self, order: &[OldIndex]) {
        let Colliders {
            shapes,
            records,
            slots,
            shape_buffer,
            record_buffer,
            ..
        } = self;
        let mut permute_shapes = || permute(shapes, order, shape_buffer);
        let mut permute_records = || permute(records, order, record_buffer);
        let lists: [&mut (dyn FnMut() + Send); 2] = [&mut permute_shapes, &mut permute_records];
        parallel::for_each(order.len(), lists.into_iter(), |permute| permute());
        for (index, (shape, record)) in (0..).zip(shapes.iter().zip(records)) {
            // The slot of a removed collider may be another one's already.
            if shape.is_some() {
                slots.set_index(record.slot, index);
            }
        }
    }
}

/// The slab around a shape that moved straight, with a margin for rounding; `None` if it rests.
fn slab_along(shape: &Shape, displacement: Vec2) -> Option<OrientedSlab> {
    let normal = displacement.perp().try_normalize()?;
    let aabb = shape.aabb();
    let largest = shape.largest_coordinate() + displacement.abs().max_element();
    Some(OrientedSlab {
        normal,
        offset: normal.dot(center(&aabb)),
        half_width: normal.abs().dot(half_size(&aabb)) + 4.0 * TOUCHING_SLOP * largest,
    })
}
