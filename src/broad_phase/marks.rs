use super::Former;

/// How many places lie side by side.
pub(super) const PLACES_PER_GROUP: usize = u8::BITS as usize;

/// A set of places: a byte for each group of eight.
#[derive(Default)]
pub(crate) struct Marks(Vec<u8>);

/// A part of such a set. Its places are numbered from zero up.
pub(crate) struct MarksBlock<'a>(&'a mut [u8]);

impl Marks {
    #[inline]
    pub fn insert(&mut self, place: u32) {
        let groups = place as usize / PLACES_PER_GROUP + 1;
        if groups > self.0.len() {
            self.0.resize(groups, 0);
        }
        MarksBlock(&mut self.0).insert(place);
    }

    /// Parts of so many places, a multiple of eight, with all places below `end`.
    pub fn blocks(&mut self, end: usize, places: usize) -> impl Iterator<Item = MarksBlock<'_>> {
        let groups = end.div_ceil(PLACES_PER_GROUP);
        if groups > self.0.len() {
            self.0.resize(groups, 0);
        }
        self.0.chunks_mut(places / PLACES_PER_GROUP).map(MarksBlock)
    }

    pub fn contains(&self, place: u32) -> bool {
        self.group(place as usize / PLACES_PER_GROUP) >> (place as usize % PLACES_PER_GROUP) & 1
            == 1
    }

    /// The marks of eight places from a multiple of eight on, as bits.
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

    /// What was at the place that `order[i]` says is at `i` now. `spare` lends its memory.
    pub fn rearrange(&mut self, order: &[Former], spare: &mut Self) {
        spare.0.clear();
        spare.0.extend(order.chunks(PLACES_PER_GROUP).map(|former| {
            let bits = former.iter().rev();
            bits.fold(0, |group, former| {
                group << 1 | u8::from(self.contains(former.place() as u32))
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
            let first = number * PLACES_PER_GROUP as u32;
            (0..PLACES_PER_GROUP as u32)
                .filter(move |bit| group >> bit & 1 == 1)
                .map(move |bit| first + bit)
        })
    }
}

impl MarksBlock<'_> {
    #[inline]
    pub fn insert(&mut self, place: u32) {
        let place = place as usize;
        self.0[place / PLACES_PER_GROUP] |= 1 << (place % PLACES_PER_GROUP);
    }
}
