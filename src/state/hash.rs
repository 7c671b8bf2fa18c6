//! Hashes by which two machines, or two runs, find out where they differ.

use std::num::Wrapping;

use bevy::math::Vec2;

use super::{colliding_pair::StoredPair, pairs::CollidingPairs, poses::PreviousPoses};
use crate::{
    components::EntityOrder,
    geometry::{Contact, Shape},
};

/// The hashes of the parts of a [`CollisionState`](crate::CollisionState), to find out what
/// differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CollisionStateHashes {
    /// Of the pairs that overlap, with their contacts.
    pub pairs: u64,
    /// Of the poses of [`Swept`](crate::Swept) colliders and [`OneWay`](crate::OneWay) walls in the
    /// last update.
    pub previous_poses: u64,
}

/// FNV-1a, word by word: <http://www.isthe.com/chongo/tech/comp/fnv/>.
struct Fnv(Wrapping<u64>);

impl Default for Fnv {
    fn default() -> Self {
        Self(Wrapping(0xCBF2_9CE4_8422_2325))
    }
}

impl Fnv {
    fn add(&mut self, words: impl IntoIterator<Item = u64>) {
        for word in words {
            self.0 = (self.0 ^ Wrapping(word)) * Wrapping(0x0100_0000_01B3);
            // The multiplication alone would never carry a high bit down.
            self.0 ^= self.0 >> 32;
        }
    }

    fn add_numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        self.add(numbers.into_iter().map(|number| number.to_bits().into()));
    }

    fn add_contact(&mut self, contact: &Contact) {
        self.add_vectors([contact.point, contact.normal]);
        self.add_numbers([contact.depth]);
    }

    /// Adds a shape: of one with many pieces, no more than its bounds.
    fn add_shape(&mut self, shape: &Shape) {
        let aabb = shape.aabb();
        self.add(shape.is_mirrored().then_some(1));
        self.add_vectors([shape.center(), shape.x_axis(), aabb.min, aabb.max]);
        match shape {
            Shape::Circle { .. } | Shape::Tiles { .. } => {}
            Shape::Rect { half_size, .. } => self.add_vectors([*half_size]),
            Shape::Capsule { radius, .. } => self.add_numbers([*radius]),
            Shape::Polygon { polygon, placement } if shape.is_convex() => {
                self.add_vectors([placement.scale()]);
                self.add_vectors(polygon.vertices().iter().copied());
            }
            Shape::Polygon { .. } | Shape::Compound { .. } => {}
        }
    }

    fn add_vectors(&mut self, vectors: impl IntoIterator<Item = Vec2>) {
        self.add_numbers(vectors.into_iter().flat_map(|vector| vector.to_array()));
    }
}

/// A hash of hashes in this order.
pub(super) fn hash_of_words(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = Fnv::default();
    hash.add(words);
    hash.0.0
}

/// A hash of items in any order.
fn hash_of_all<T>(items: impl Iterator<Item = T>, add: impl Fn(&mut Fnv, T)) -> u64 {
    let hashes = items.map(|item| {
        let mut hash = Fnv::default();
        add(&mut hash, item);
        hash.0
    });
    hashes.sum::<Wrapping<u64>>().0
}

pub(super) fn hash_of_pairs(pairs: &CollidingPairs) -> u64 {
    hash_of_all(pairs.unsorted(), |hash, pair: &StoredPair| {
        hash.add(pair.keys);
        hash.add_contact(&pair.contact);
    })
}

pub(super) fn hash_of_previous_poses(poses: &PreviousPoses) -> u64 {
    hash_of_all(poses.values(), |hash, previous| {
        hash.add([previous.key, previous.ancestors.len() as u64]);
        hash.add_numbers(previous.pose.to_cols_array());
        for ancestor in &previous.ancestors {
            hash.add_numbers(ancestor.pose.to_cols_array());
        }
    })
}

/// A hash of the shapes of colliders in the world, each with what it is sorted by, in any order.
pub(crate) fn hash_of_shapes<'a>(shapes: impl Iterator<Item = (EntityOrder, &'a Shape)>) -> u64 {
    hash_of_all(shapes, |hash, (order, shape)| {
        hash.add([order.key]);
        hash.add_shape(shape);
    })
}
