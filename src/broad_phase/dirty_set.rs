//! A bit set of items: a byte for each leaf of eight.

use super::items::OldIndex;

/// The number of items per byte, as many as a leaf of the tree holds.
pub(super) const GROUP_SIZE: usize = u8::BITS as usize;

/// A set of item indices.
#[derive(Default)]
pub(crate) struct DirtySet(Vec<u8>);

/// A chunk of a [`DirtySet`], for one thread. Its indices start at zero.
pub(crate) struct DirtyChunk<'a>(&'a mut [u8]);

impl DirtySet {
    #[inline]
    pub fn insert(&mut self, index: u32) {
        let groups = index as usize / GROUP_SIZE + 1;
        if groups > self.0.len() {
            self.0.resize(groups, 0);
        }
        DirtyChunk(&mut self.0).insert(index);
    }

    /// Splits the indices below `end` into chunks of `size` indices each, a multiple of eight.
    pub fn blocks(&mut self, end: usize, size: usize) -> impl Iterator<Item = DirtyChunk<'_>> {
        let groups = end.div_ceil(GROUP_SIZE);
        if groups > self.0.len() {
            self.0.resize(groups, 0);
        }
        self.0.chunks_mut(size / GROUP_SIZE).map(DirtyChunk)
    }

    pub fn contains(&self, index: u32) -> bool {
        self.group(index as usize / GROUP_SIZE) >> (index as usize % GROUP_SIZE) & 1 == 1
    }

    /// The bits of the eight items from `8 * number` on.
    pub fn group(&self, number: usize) -> u8 {
        self.0.get(number).copied().unwrap_or_default()
    }

    /// Adds all indices of another set.
    pub fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, others) in self.0.iter_mut().zip(&other.0) {
            *mine |= others;
        }
    }

    /// Permutes the set as [`permute`](super::permute) permutes the items. `spare` is memory.
    pub fn permute(&mut self, order: &[OldIndex], spare: &mut Self) {
        spare.0.clear();
        spare.0.extend(order.chunks(GROUP_SIZE).map(|old| {
            let bits = old.iter().rev();
            bits.fold(0, |group, old| {
                group << 1 | u8::from(self.contains(old.index() as u32))
            })
        }));
        std::mem::swap(self, spare);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&group| group == 0)
    }

    pub fn count(&self) -> usize {
        self.0.iter().map(|group| group.count_ones() as usize).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let groups = (0..).zip(&self.0).filter(|(_, group)| **group != 0);
        groups.flat_map(|(number, &group)| {
            let first = number * GROUP_SIZE as u32;
            (0..GROUP_SIZE as u32)
                .filter(move |bit| group >> bit & 1 == 1)
                .map(move |bit| first + bit)
        })
    }
}

impl DirtyChunk<'_> {
    #[inline]
    pub fn insert(&mut self, index: u32) {
        let index = index as usize;
        self.0[index / GROUP_SIZE] |= 1 << (index % GROUP_SIZE);
    }
}
