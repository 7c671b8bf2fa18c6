//! The order of the boxes in the tree, kept from run to run.

use bevy::math::Vec2;

use super::{
    super::{Arrangement, Former, is_present},
    curve::{Curve, middle},
    node::{LANES, lanes},
};

/// What is in the order no more, or not yet.
pub(super) const ABSENT: u32 = u32::MAX;

/// Boxes along a curve: what is near each other in it is so in the world.
///
/// When it is sorted, the arrangement gets the same order. What comes later, or leaves its leaf far behind, is put at the end until
/// the next sort.
#[derive(Default)]
pub(super) struct Order {
    /// The place in the arrangement of what is at each spot in the order.
    pub places: Vec<u32>,
    /// Where in the order each place is.
    pub spots: Vec<u32>,
    /// Where the box at each spot was when it was sorted in.
    pub origins: Vec<Origin>,
    /// The places that wait to be put at the end.
    pub exiles: Vec<u32>,
    /// Where the end begins: behind what was sorted.
    pub tail: usize,
    curve: Curve,
    /// What is sorted in.
    coming: Vec<(Origin, u32)>,
    /// Where what is at each place was before the last sort.
    former: Vec<Former>,
}

/// Where a box was when it was sorted in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// Its place on the curve.
    key: u64,
    pub middle: Vec2,
}

impl Order {
    /// Lets in what is new.
    pub fn welcome(&mut self, items: &impl Arrangement) {
        let first = self.spots.len() as u32;
        self.spots.resize(items.len(), ABSENT);
        self.exiles.extend(first..items.len() as u32);
    }

    /// Whether the curve is for quite another number of boxes.
    pub fn is_outdated(&self) -> bool {
        !self.curve.suits(self.spots.len())
    }

    /// Sorts the waiting lanes of each leaf in again, or drops them; or everything, along a new curve, if the old one does not fit.
    /// The arrangement follows.
    pub fn sort(
        &mut self,
        items: &mut impl Arrangement,
        waiting: impl Iterator<Item = u8> + Clone,
    ) {
        if self.is_outdated() || !self.sort_waiting(items, waiting) {
            self.sort_all(items);
        }
        items.rearrange(&self.former);
        let count = items.len();
        for list in [&mut self.places, &mut self.spots] {
            list.clear();
            list.extend(0..count as u32);
        }
        self.exiles.clear();
        // The leaves of the tail are its own.
        self.tail = count.next_multiple_of(LANES);
    }

    /// Where the boxes begin that are much larger than most.
    pub fn first_large(&self) -> usize {
        self.origins
            .partition_point(|origin| !Curve::is_large(origin.key))
    }

    /// The place of what is there at a spot. What was sorted has places like its spots, which saves a look.
    #[inline]
    pub fn place_of_present(&self, spot: usize) -> u32 {
        if spot < self.tail {
            spot as u32
        } else {
            self.places[spot]
        }
    }

    /// The place that what is at each place had before the last sort.
    pub fn former(&self) -> &[Former] {
        &self.former
    }

    /// Puts the exiles at the end, each into a leaf of its own: a leaf of what is all over the world would overlap everything. The
    /// end is sorted by itself. Gives the spot where it begins.
    pub fn settle_exiles(&mut self, items: &impl Arrangement) -> usize {
        self.coming.clear();
        for spot in self.tail..self.places.len() {
            self.take(self.places[spot], items);
        }
        self.take_exiles(items);
        self.exiles.clear();
        self.coming.sort_unstable_by_key(rank);
        self.resize(self.tail);
        for &(origin, place) in &self.coming {
            let spot = self.places.len();
            self.spots[place as usize] = spot as u32;
            self.places.push(place);
            self.origins.push(origin);
            resize(&mut self.places, &mut self.origins, spot + LANES);
        }
        self.tail
    }

    /// Takes what is at a spot out of the order, to be put at its end.
    pub fn exile(&mut self, spot: usize) {
        let place = std::mem::replace(&mut self.places[spot], ABSENT);
        if place != ABSENT {
            self.spots[place as usize] = ABSENT;
            self.exiles.push(place);
        }
    }

    /// False, if the curve does not reach all that is to be sorted in.
    fn sort_waiting(
        &mut self,
        items: &impl Arrangement,
        waiting: impl Iterator<Item = u8> + Clone,
    ) -> bool {
        self.coming.clear();
        let mut reaches = true;
        for (leaf, mask) in waiting.clone().enumerate() {
            for lane in lanes(mask.into()) {
                if let Some(&place) = self.places.get(leaf * LANES + lane) {
                    reaches &= self.take(place, items);
                }
            }
        }
        reaches &= self.take_exiles(items);
        if reaches {
            self.coming.sort_unstable_by_key(rank);
            self.merge(waiting);
        }
        reaches
    }

    fn sort_all(&mut self, items: &impl Arrangement) {
        self.curve = Curve::through((0..items.len()).map(|place| items.aabb(place)));
        self.coming.clear();
        for place in 0..items.len() as u32 {
            self.take(place, items);
        }
        self.coming.sort_unstable_by_key(rank);
        self.merge(std::iter::empty());
        // So many will not come at once again.
        self.coming.shrink_to(items.len() / 4);
    }

    fn take_exiles(&mut self, items: &impl Arrangement) -> bool {
        let exiles = std::mem::take(&mut self.exiles);
        let mut reaches = true;
        for &place in &exiles {
            reaches &= self.take(place, items);
        }
        self.exiles = exiles;
        reaches
    }

    /// Lists what is to be sorted in, if it is still there. False, if the curve does not reach it.
    fn take(&mut self, place: u32, items: &impl Arrangement) -> bool {
        if place == ABSENT {
            return true;
        }
        let aabb = items.aabb(place as usize);
        if !is_present(&aabb) {
            self.spots[place as usize] = ABSENT;
            return true;
        }
        let middle = middle(&aabb);
        let key = self.curve.key(&aabb);
        self.coming.push((Origin { key, middle }, place));
        self.curve.reaches(middle)
    }

    /// Puts what comes between what stays.
    fn merge(&mut self, waiting: impl Iterator<Item = u8>) {
        let Self {
            places,
            origins,
            coming,
            former,
            ..
        } = self;
        former.clear();
        let mut upcoming = coming.iter().peekable();
        let mut kept = 0;
        for (leaf, mask) in waiting.enumerate() {
            let start = leaf * LANES;
            let end = (start + LANES).min(places.len());
            for lane in lanes(u32::from(!mask)).take_while(|lane| start + lane < end) {
                let (origin, place) = (origins[start + lane], places[start + lane]);
                while let Some((_, place)) =
                    upcoming.next_if(|other| rank(other) < (origin.key, place))
                {
                    former.push(Former::anywhere(*place));
                }
                former.push(Former::in_order(place));
                origins[kept] = origin;
                kept += 1;
            }
        }
        former.extend(upcoming.map(|(_, place)| Former::anywhere(*place)));
        origins.resize(former.len(), Origin::default());
        for (place, former) in former.iter().enumerate().rev() {
            let origin = if former.is_from_anywhere() {
                coming.pop().map(|(origin, _)| origin)
            } else {
                kept -= 1;
                Some(origins[kept])
            };
            origins[place] = origin.unwrap_or_default();
        }
    }

    fn resize(&mut self, count: usize) {
        resize(&mut self.places, &mut self.origins, count);
    }
}

/// The place makes the order the same whatever was before.
fn rank((origin, place): &(Origin, u32)) -> (u64, u32) {
    (origin.key, *place)
}

fn resize(places: &mut Vec<u32>, origins: &mut Vec<Origin>, count: usize) {
    places.resize(count, ABSENT);
    origins.resize(count, Origin::default());
}
