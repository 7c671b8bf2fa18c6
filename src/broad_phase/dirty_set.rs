use super::OldIndex;

/// How many item_indices lie side by side.
pub(super) const GROUP_SIZE: usize = u8::BITS as usize;

/// A set of item_indices: a byte for each group of eight.
#[derive(Default)]
pub(crate) struct DirtySet(Vec<u8>);

/// A part of such a set. Its item_indices are numbered from zero up.
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

    /// Parts of so many item_indices, a multiple of eight, with all item_indices below `end`.
    pub fn blocks(&mut self, end: usize, item_indices: usize) -> impl Iterator<Item = DirtyChunk<'_>> {
        let groups = end.div_ceil(GROUP_SIZE);
        if groups > self.0.len() {
            self.0.resize(groups, 0);
        }
        self.0.chunks_mut(item_indices / GROUP_SIZE).map(DirtyChunk)
    }

    pub fn contains(&self, index: u32) -> bool {
        self.group(index as usize / GROUP_SIZE) >> (index as usize % GROUP_SIZE) & 1
            == 1
    }

    /// The dirty of eight item_indices from a multiple of eight on, as bits.
    pub fn group(&self, number: usize) -> u8 {
        self.0.get(number).copied().unwrap_or_default()
    }

    /// Adds all of another set.
    pub fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, others) in self.0.iter_mut().zip(&other.0) {
            *mine |= others;
        }
    }

    /// What was at the index that `order[i]` says is at `i` now. `spare` lends its memory.
    pub fn permute(&mut self, order: &[OldIndex], spare: &mut Self) {
        spare.0.clear();
        spare.0.extend(order.chunks(GROUP_SIZE).map(|former| {
            let bits = former.iter().rev();
            bits.fold(0, |group, former| {
                group << 1 | u8::from(self.contains(former.index() as u32))
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
        (0..).zip(&self.0).flat_map(|(number, &group)| {
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
