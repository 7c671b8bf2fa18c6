//! All colliders of the world in flat arrays, and what keeps them current.

mod colliders;
mod entry;
mod family;
mod lineage;
mod slots;
mod sync;
mod ways;

pub(crate) use entry::{Body, ColliderEntry, ColliderRole};
pub(crate) use family::Family;
pub(crate) use lineage::Lineage;
pub(crate) use slots::{ColliderTraits, Registration, SlotKey};
pub(crate) use sync::{carry_colliders, sync_colliders};
pub(crate) use ways::Waypoint;

use bevy::{math::bounding::Aabb2d, prelude::*};
use fixedbitset::FixedBitSet;

use self::{
    colliders::{ColliderRecord, Colliders},
    lineage::Lineages,
};
use crate::{
    broad_phase::{BoxTree, BroadPhase, PairSearch, PairTask},
    geometry::Shape,
    settings::CollisionSettings,
};

/// What the plugin knows of every collider. Each has a slot, for as long as it is there, and a place in the order of the broad
/// phase, which may be another one after each refresh.
#[derive(Resource, Default)]
pub(crate) struct ColliderIndex {
    colliders: Colliders,
    broad_phase: BoxTree,
    lineages: Lineages,
    /// The slots whose colliders differ from the last run, or are gone.
    changed: FixedBitSet,
    has_changes: bool,
    /// The slots of movers and of what they carry.
    carried: Vec<u32>,
    /// The colliders that have moved, to be taken in together.
    moved: Vec<MovedCollider>,
    /// How many colliders were seen in this run.
    seen: usize,
    /// The slots of those that were, if some were not.
    present: FixedBitSet,
}

/// The new shape of a collider.
struct MovedCollider {
    slot: u32,
    shape: Shape,
}

/// How many moved colliders are taken in together: as many as fit into the processor's nearest cache.
const MOVED_AT_ONCE: usize = 256;

impl ColliderIndex {
    /// The collider at a slot, if it is still (or already) that of `entity`.
    pub fn get(&self, slot: u32, entity: Entity) -> Option<ColliderEntry<'_>> {
        self.at(slot).filter(|entry| entry.entity == entity)
    }

    pub fn at(&self, slot: u32) -> Option<ColliderEntry<'_>> {
        self.entry(self.colliders.slots.place(slot)?)
    }

    #[inline]
    fn entry(&self, place: usize) -> Option<ColliderEntry<'_>> {
        let shape = self.colliders.shapes[place].as_ref()?;
        let record = &self.colliders.records[place];
        Some(ColliderEntry {
            entity: record.entity,
            slot: record.slot,
            shape,
            role: &record.role,
            skin: record.skin,
            lineages: &self.lineages,
        })
    }

    /// How many colliders there are.
    pub fn count(&self) -> usize {
        self.colliders.slots.count()
    }

    /// Whether the collider that was at a slot in the last run is still there, as it was.
    pub fn rests(&self, slot: u32) -> bool {
        !self.changed.contains(slot as usize)
    }

    /// Whether anything differs from the last run.
    pub fn has_changes(&self) -> bool {
        self.has_changes
    }

    /// All colliders, in no order.
    #[cfg(feature = "debug")]
    pub fn iter(&self) -> impl Iterator<Item = ColliderEntry<'_>> {
        (0..self.colliders.shapes.len()).filter_map(|place| self.entry(place))
    }

    /// Visits the colliders whose boxes overlap `area`.
    pub fn visit_overlapping<'a>(
        &'a self,
        area: &Aabb2d,
        mut visit: impl FnMut(ColliderEntry<'a>),
    ) {
        self.broad_phase.visit_overlapping(area, |place| {
            if let Some(entry) = self.entry(place as usize) {
                visit(entry);
            }
        });
    }

    /// Splits the work of finding the pairs of colliders whose boxes overlap and of which one is new or changed; sorted by
    /// regions.
    pub fn split_changed_pairs(&self, search: &mut PairSearch, tasks: &mut Vec<PairTask>) {
        self.broad_phase.split(search, tasks);
    }

    /// Lists the pairs of a part of that work, by the places of their colliders.
    pub fn list_changed_pairs(
        &self,
        task: &PairTask,
        search: &mut PairSearch,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        self.broad_phase
            .list_pairs(task, &self.colliders, search, pairs);
    }

    /// The two colliders of such a pair.
    #[inline]
    pub fn pair(&self, (i, j): (u32, u32)) -> Option<[ColliderEntry<'_>; 2]> {
        Some([self.entry(i as usize)?, self.entry(j as usize)?])
    }

    /// Where a collider went in this run, in order; empty, if it was not moved by the plugin.
    #[inline]
    pub fn way(&self, entry: &ColliderEntry) -> &[Waypoint] {
        if entry.role.body == Body::Itself {
            self.colliders.ways.get(entry.slot)
        } else {
            &[]
        }
    }

    /// Notes where a mover went in this run, as offsets from where it ended.
    pub fn set_way(&mut self, slot: u32, way: impl Iterator<Item = Waypoint>) {
        let went_anywhere = self.colliders.ways.set(slot, way);
        if went_anywhere && let Some(place) = self.colliders.slots.place(slot) {
            self.mark(slot, place);
        }
    }

    /// Gives the colliders of movers, and those that movers carry, their new shapes; one that is not finite is left as it is,
    /// to be found by the next run.
    pub fn update_carried(&mut self, shape_of: impl Fn(Entity) -> Option<Shape>) {
        let carried = std::mem::take(&mut self.carried);
        for &slot in &carried {
            let Some(place) = self.colliders.slots.place(slot) else {
                continue;
            };
            let entity = self.colliders.records[place].entity;
            if let Some(shape) = shape_of(entity).filter(Shape::is_finite) {
                self.move_to(slot, shape);
            }
        }
        self.take_in_moved();
        self.carried = carried;
    }

    /// Treats every collider as changed, because the rules have.
    fn mark_all(&mut self) {
        for place in 0..self.colliders.shapes.len() {
            if self.colliders.shapes[place].is_some() {
                self.mark(self.colliders.records[place].slot, place);
            }
        }
    }

    /// Notes that a collider differs from the last run.
    #[inline]
    fn mark(&mut self, slot: u32, place: usize) {
        self.has_changes = true;
        self.changed.insert(slot as usize);
        self.broad_phase.mark(place as u32);
    }

    /// Forgets what belongs to the run before.
    fn begin_run(&mut self) {
        self.seen = 0;
        self.has_changes = false;
        self.changed.clear();
        self.colliders.ways.clear();
        self.carried.clear();
        self.colliders.slots.begin_run();
        self.broad_phase.unmark_all();
    }

    /// Notes that a collider is there in this run.
    #[inline]
    fn see(&mut self, slot: u32, is_carried: bool) {
        self.seen += 1;
        if is_carried {
            self.carried.push(slot);
        }
    }

    /// Takes in all that is known of a collider; gives its key. Unless `may_be_recast`, only its shape and its lineage may differ from
    /// what is known by this key.
    fn update(
        &mut self,
        key: SlotKey,
        entity: Entity,
        shape: Shape,
        (role, skin): (ColliderRole, f32),
        lineage: Option<Lineage>,
        may_be_recast: bool,
    ) -> SlotKey {
        if !self.colliders.slots.has(key) {
            return self.add(entity, shape, (role, skin), lineage);
        }
        self.move_to(key.slot, shape);
        let is_other_lineage = self.lineages.set(key.slot, lineage);
        if (may_be_recast || is_other_lineage)
            && let Some(place) = self.colliders.slots.place_of(key)
        {
            let record = &mut self.colliders.records[place];
            let is_other_role = (record.role, record.skin) != (role, skin);
            (record.role, record.skin) = (role, skin);
            if is_other_role || is_other_lineage {
                self.mark(key.slot, place);
            }
        }
        key
    }

    fn add(
        &mut self,
        entity: Entity,
        shape: Shape,
        (role, skin): (ColliderRole, f32),
        lineage: Option<Lineage>,
    ) -> SlotKey {
        let place = self.colliders.shapes.len();
        let key = self.colliders.slots.take(place as u32);
        let slot = key.slot;
        self.colliders.shapes.push(Some(shape));
        self.colliders.records.push(ColliderRecord {
            entity,
            slot,
            skin,
            role,
        });
        self.lineages.set(slot, lineage);
        self.changed.grow(self.colliders.slots.len());
        self.mark(slot, place);
        key
    }

    /// Gives another shape to the collider of a slot. It counts from the next [`take_in_moved`](Self::take_in_moved) on.
    #[inline]
    fn move_to(&mut self, slot: u32, shape: Shape) {
        self.moved.push(MovedCollider { slot, shape });
        if self.moved.len() == MOVED_AT_ONCE {
            self.take_in_moved();
        }
    }

    /// Takes in what has moved. Places are spread over the memory: short loops of their own let the processor fetch many at a time.
    fn take_in_moved(&mut self) {
        let mut moved = std::mem::take(&mut self.moved);
        let Colliders { shapes, slots, .. } = &self.colliders;
        moved.retain(|moved| {
            let place = slots.place(moved.slot);
            place.is_some_and(|place| shapes[place].as_ref() != Some(&moved.shape))
        });
        for MovedCollider { slot, shape } in moved.drain(..) {
            if let Some(place) = self.colliders.slots.place(slot) {
                self.colliders.shapes[place] = Some(shape);
                self.mark(slot, place);
            }
        }
        self.moved = moved;
    }

    fn remove(&mut self, slot: u32) {
        if let Some(place) = self.colliders.slots.place(slot) {
            self.colliders.shapes[place] = None;
            self.colliders.slots.release(slot);
            self.lineages.set(slot, None);
            self.mark(slot, place);
        }
    }

    /// Removes those that were not seen in this run; `present` has the keys of the others.
    fn remove_unseen(&mut self, present: impl Iterator<Item = SlotKey>) {
        let slots = self.colliders.slots.len();
        self.present.clear();
        self.present.grow(slots);
        for key in present {
            if self.colliders.slots.has(key) {
                self.present.insert(key.slot as usize);
            }
        }
        for slot in 0..slots as u32 {
            if !self.present.contains(slot as usize) {
                self.remove(slot);
            }
        }
    }

    /// Brings the broad phase up to date.
    fn refresh(&mut self, settings: &CollisionSettings) {
        self.take_in_moved();
        self.colliders.margin = settings.valid_margin();
        self.broad_phase.refresh(&mut self.colliders);
    }
}
