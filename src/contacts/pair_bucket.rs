//! The pairs of one region of the plane: the unit of parallel work.

use crate::{
    broad_phase::{PairSearch, PairTask},
    components::EntityOrder,
    geometry::contact_within,
    index::{
        ColliderEntry, ColliderIndex, Impact, MovingCollider, Observer, PairRules, time_of_impact,
    },
    memory,
    state::{PairStore, StoredPair},
};

/// A collider among others takes as long as the tests of this many pairs of circles.
const CIRCLES_PER_COLLIDER: usize = 4;
/// A test of a shape of many pieces takes at least as long as this many colliders.
const WORK_PER_COMPOUND: usize = 16;

/// What changed about the pairs of one region in this update. A pair that migrates to another
/// region starts in the new one and ends in the old one, which [`PairChanges`] cancels out.
///
/// [`PairChanges`]: super::pair_changes::PairChanges
#[derive(Default)]
pub(super) struct BucketChanges {
    pub starts: Vec<Start>,
    pub ends: Vec<End>,
    /// Whether pairs that continue here are sorted by other keys than before.
    pub has_new_keys: bool,
    /// About how long the tests of this update took, in colliders: the best estimate for the next
    /// update.
    pub work: usize,
    /// How many pairs of shapes were tested.
    pub shape_tests: u64,
}

/// Memory for the tests of a bucket.
#[derive(Default)]
pub(super) struct TestBuffers {
    pub search: PairSearch,
    candidates: Vec<(u32, u32)>,
}

/// A pair that is new to a bucket.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// The two entities in order.
    pub orders: [EntityOrder; 2],
    pub impact: Impact,
    /// Whether the pair still overlaps at the end of the update.
    pub is_touching: bool,
}

/// A pair that was removed from a bucket.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// The two entities in order.
    pub orders: [EntityOrder; 2],
    /// The slots of the two in the index.
    pub slots: [u32; 2],
    /// Whether the pair continues in another bucket.
    pub has_migrated: bool,
}

impl End {
    fn new(pair: &StoredPair, slots: [u32; 2]) -> Self {
        Self {
            orders: pair.orders(),
            slots,
            has_migrated: false,
        }
    }
}

/// The pairs of one region, and what changes about them.
pub(super) struct PairBucket<'a> {
    pub store: &'a mut PairStore,
    pub changes: &'a mut BucketChanges,
}

impl PairBucket<'_> {
    /// Tests all pairs with a changed collider, and removes those that separated. Candidates
    /// are listed first, so that the processor fetches the next colliders while it tests some.
    pub fn update(
        mut self,
        tasks: &[PairTask],
        TestBuffers { search, candidates }: &mut TestBuffers,
        index: &ColliderIndex,
        rules: &PairRules,
    ) {
        memory::clear(&mut self.changes.starts);
        memory::clear(&mut self.changes.ends);
        self.changes.has_new_keys = false;
        self.store.clear_touching();
        memory::clear(candidates);
        for task in tasks {
            index.list_changed_pairs(task, search, candidates);
        }
        self.changes.work = candidates.len() / CIRCLES_PER_COLLIDER;
        self.changes.shape_tests = 0;
        for &candidate in candidates.iter() {
            if let Some(pair) = index.pair(candidate.0, candidate.1) {
                self.test(pair, index, rules);
            }
        }
        let ended = |pair: &StoredPair, slots| self.changes.ends.push(End::new(pair, slots));
        self.store.remove_separated(|slot| index.rests(slot), ended);
    }

    /// Tests whether two colliders overlap, or hit each other on their paths.
    #[inline]
    fn test(&mut self, pair: [ColliderEntry; 2], index: &ColliderIndex, rules: &PairRules) {
        let [a, b] = if pair[0].order() < pair[1].order() {
            pair
        } else {
            [pair[1], pair[0]]
        };
        if !rules.should_collide(&a, &b) {
            return;
        }
        if !(a.shape.is_convex() && b.shape.is_convex()) {
            self.changes.work += WORK_PER_COMPOUND;
        }
        let margin = rules.margin(&a, &b);
        self.changes.shape_tests += 1;
        let contact = contact_within(a.shape, b.shape, margin);
        let colliding = contact.map(|contact| StoredPair {
            a: a.entity,
            b: b.entity,
            contact,
            keys: [a.order().key, b.order().key],
        });
        let has_path = !index.path(&a).is_empty() || !index.path(&b).is_empty();
        if colliding.is_none() && !has_path {
            return;
        }
        match (self.store.find(a.entity, b.entity), colliding) {
            (Some(known), Some(colliding)) => {
                let earlier = self.store.replace(known, colliding, [a.slot, b.slot]);
                self.changes.has_new_keys |= earlier.keys != colliding.keys;
            }
            (Some(_), None) => {}
            (None, _) => self.begin([a, b], colliding, index, rules),
        }
    }

    /// Adds a pair that is new to this bucket, if the two overlap or hit each other.
    fn begin(
        &mut self,
        [a, b]: [ColliderEntry; 2],
        colliding: Option<StoredPair>,
        index: &ColliderIndex,
        rules: &PairRules,
    ) {
        let parents = rules.parents;
        let relative_paths = [(&a, &b), (&b, &a)]
            .map(|(of, entry)| index.relative_path(of, Observer { entry, parents }));
        let [a_path, b_path] = relative_paths.each_ref().map(Option::as_deref);
        let [a_motion, b_motion] =
            [(a, a_path), (b, b_path)].map(|(collider, path)| MovingCollider {
                collider,
                path: path.unwrap_or_else(|| index.path(&collider)),
            });
        let has_moved = a_motion.has_moved() || b_motion.has_moved();
        let swept = has_moved.then(|| time_of_impact(a_motion, b_motion, rules.margin(&a, &b)));
        let at_end = colliding.map(|StoredPair { contact, .. }| Impact {
            fraction: 1.0,
            contact,
        });
        if let Some(impact) = swept.flatten().or(at_end) {
            self.changes.starts.push(Start {
                orders: [a.order(), b.order()],
                impact,
                is_touching: colliding.is_some(),
            });
        }
        if let Some(colliding) = colliding {
            self.store.insert(colliding, [a.slot, b.slot]);
        }
    }
}
