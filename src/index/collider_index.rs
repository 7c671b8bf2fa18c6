//! Every collider of the world in flat arrays, with a broad phase over their boxes.

use bevy::prelude::*;
use smallvec::SmallVec;

use super::{
    ancestry::{Ancestry, MoverRelation},
    bodies::Bodies,
    by_slot::BySlot,
    colliders::{ColliderRecord, Colliders},
    displacements::Displacement,
    entry::{ColliderEntry, ColliderState},
    ignored::Ignored,
    moved::MovedColliders,
    paths::Waypoint,
    work_counts::WorkCounts,
};
use crate::{
    aabb::Aabb2d,
    broad_phase::{BoxTree, BroadPhase, BroadPhaseItems, PairSearch, PairTask, Sweep},
    components::{LayerMask, StableKey},
    geometry::Shape,
    settings::CollisionSettings,
    state::{PreviousPose, Revision},
};

/// What the plugin knows about every collider. Each has a slot, which stays the same while it is
/// there, and an index in the arrays, which a refresh of the broad phase may change.
#[derive(Resource, Default)]
pub(crate) struct ColliderIndex {
    pub(super) colliders: Colliders,
    pub(super) broad_phase: BoxTree,
    keys: BySlot<StableKey>,
    /// Of those that have a parent.
    pub(super) ancestries: BySlot<Ancestry>,
    ignored: Ignored,
    /// The free directions of one-way walls, in world space.
    pub(super) free_directions: BySlot<Vec2>,
    /// The slots of movers and of the colliders attached to them.
    pub(super) attached_to_movers: Vec<u32>,
    bodies: Bodies,
    /// Whether walls that are swept moved in this update.
    pub(super) has_moving_walls: bool,
    /// The slots of walls that are tracked, but not since the last update: new ones, and those that
    /// were teleported.
    pub(super) teleported_walls: Vec<u32>,
    /// Whether anything differs from when pairs were last detected.
    pub(super) has_changes: bool,
    /// The valid settings as of the last sync, or `None` before the first one.
    pub(super) settings: Option<CollisionSettings>,
    /// The state that the last update left.
    pub(super) revision: Option<Revision>,
    pub work: WorkCounts,
}

/// Lookups.
impl ColliderIndex {
    /// The collider at a slot, if it is still (or already) that of `entity`.
    pub fn get(&self, slot: u32, entity: Entity) -> Option<ColliderEntry<'_>> {
        self.entry(self.colliders.slots.index_of(slot, entity)?)
    }

    /// The collider at a slot.
    pub fn at(&self, slot: u32) -> Option<ColliderEntry<'_>> {
        self.entry(self.colliders.slots.index(slot)?)
    }

    #[inline]
    fn entry(&self, index: usize) -> Option<ColliderEntry<'_>> {
        let shape = self.colliders.shapes[index].as_ref()?;
        let record = &self.colliders.records[index];
        Some(ColliderEntry {
            entity: record.entity,
            slot: record.slot,
            shape,
            role: &record.role,
            skin: record.skin,
            keys: &self.keys,
            ancestries: &self.ancestries,
            ignored: &self.ignored,
        })
    }

    /// The solid colliders that movers carry, neither their own nor their parts.
    pub fn carried_solids(&self) -> impl Iterator<Item = ColliderEntry<'_>> {
        let indices = self.attached_to_movers.iter();
        let indices = indices.filter_map(|&slot| self.colliders.slots.index(slot));
        let is_carried = |&index: &usize| {
            let role = &self.colliders.records[index].role;
            role.moved_by == MoverRelation::Carried && role.is_solid()
        };
        indices
            .filter(is_carried)
            .filter_map(|index| self.entry(index))
    }

    /// The parts of a mover, sorted by entity.
    pub fn parts_of(&self, mover: Entity) -> impl Iterator<Item = ColliderEntry<'_>> {
        let slots = self.bodies.parts_of(mover);
        slots.filter_map(|slot| self.at(slot))
    }

    /// The movers with parts, sorted.
    pub fn movers_with_parts(&self) -> impl Iterator<Item = Entity> {
        self.bodies.movers()
    }

    /// The number of colliders.
    pub fn count(&self) -> usize {
        self.colliders.slots.count()
    }

    /// Whether the collider that was at a slot when pairs were last detected is still there,
    /// unchanged.
    pub fn rests(&self, slot: u32) -> bool {
        let index = self.colliders.slots.index(slot);
        index.is_some_and(|index| !self.broad_phase.moved().contains(index as u32))
    }

    /// The region of the pairs of a collider, if not that of the other collider of a pair is: see
    /// [`BroadPhase::region`].
    pub fn region(&self, collider: &ColliderEntry) -> Option<usize> {
        let index = self.colliders.slots.index(collider.slot)?;
        Some(self.broad_phase.region(index as u32) as usize)
    }

    /// All colliders, in no order.
    pub fn iter(&self) -> impl Iterator<Item = ColliderEntry<'_>> {
        (0..self.colliders.shapes.len()).filter_map(|index| self.entry(index))
    }

    /// Visits the colliders whose boxes overlap `area`.
    pub fn visit_overlapping<'a>(
        &'a self,
        area: &Aabb2d,
        mut visit: impl FnMut(ColliderEntry<'a>),
    ) {
        self.broad_phase.visit_overlapping(area, |index| {
            if let Some(entry) = self.entry(index as usize) {
                visit(entry);
            }
        });
    }

    /// Visits the colliders that a collider may overlap, and itself.
    pub fn visit_neighbors<'a>(
        &'a self,
        collider: &ColliderEntry,
        visit: impl FnMut(ColliderEntry<'a>),
    ) {
        if let Some(index) = self.colliders.slots.index(collider.slot) {
            self.visit_overlapping(&self.colliders.aabb(index), visit);
        }
    }

    /// Visits the colliders whose boxes a sweep hits, roughly in the order of entry. The visitor
    /// may shorten the sweep.
    pub fn visit_along<'a>(
        &'a self,
        sweep: &Sweep,
        mut visit: impl FnMut(ColliderEntry<'a>, &mut f32),
    ) {
        self.broad_phase.visit_along(sweep, |index, max_distance| {
            if let Some(entry) = self.entry(index as usize) {
                visit(entry, max_distance);
            }
        });
    }

    /// Visits the colliders whose boxes are within `max_distance` of a point, roughly the nearest
    /// first. The visitor may reduce that distance.
    pub fn visit_near<'a>(
        &'a self,
        point: Vec2,
        max_distance: f32,
        mut visit: impl FnMut(ColliderEntry<'a>, &mut f32),
    ) {
        self.broad_phase
            .visit_near(point, max_distance, |index, max_distance| {
                if let Some(entry) = self.entry(index as usize) {
                    visit(entry, max_distance);
                }
            });
    }

    /// Splits the search for pairs of overlapping boxes, one of them new or changed, into tasks,
    /// sorted by regions.
    pub fn split_changed_pairs(&self, search: &mut PairSearch, tasks: &mut Vec<PairTask>) {
        self.broad_phase.split(search, tasks);
    }

    /// Lists the pairs that a task finds, by the indices of their colliders.
    pub fn list_changed_pairs(
        &self,
        task: &PairTask,
        search: &mut PairSearch,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        self.broad_phase
            .list_pairs(task, &self.colliders, search, pairs);
    }

    /// The two colliders of a listed pair.
    #[inline]
    pub fn pair(&self, i: u32, j: u32) -> Option<[ColliderEntry<'_>; 2]> {
        Some([self.entry(i as usize)?, self.entry(j as usize)?])
    }

    /// The path of a collider in this update: empty if it is neither a mover nor swept.
    #[inline]
    pub fn path(&self, entry: &ColliderEntry) -> &[Waypoint] {
        if entry.role.is_swept() {
            self.colliders.paths.get(entry.slot)
        } else {
            &[]
        }
    }

    /// Whether a wall was teleported.
    pub fn is_teleported(&self, wall: &ColliderEntry) -> bool {
        self.teleported_walls.contains(&wall.slot)
    }

    /// The valid settings as of the last sync.
    pub fn settings(&self) -> CollisionSettings {
        self.settings.unwrap_or_default()
    }

    /// Whether any wall that pushes movers moved.
    pub fn has_moving_walls(&self) -> bool {
        self.has_moving_walls
    }
}

/// Changes.
impl ColliderIndex {
    /// Stores the state of a collider. Returns its slot.
    pub(super) fn update(&mut self, state: ColliderState) -> u32 {
        let ColliderState {
            entity,
            slot,
            role,
            skin,
            key,
            ancestry,
            ignored,
            ..
        } = state;
        let Some(index) = self.colliders.slots.index_of(slot, entity) else {
            return self.add(state);
        };
        let record = &mut self.colliders.records[index];
        let known = (record.role, record.skin);
        (record.role, record.skin) = (role, skin);
        let has_other_key = self.keys.set(slot, key);
        let has_other_ancestry = self.ancestries.set(slot, ancestry);
        let ignores_other = self.ignored.set(slot, ignored);
        let is_same_but_shape =
            known == (role, skin) && !(has_other_key || has_other_ancestry || ignores_other);
        let shape = Some(state.shape);
        if !is_same_but_shape || self.colliders.shapes[index] != shape {
            self.colliders.shapes[index] = shape;
            self.mark(index);
        }
        slot
    }

    fn add(&mut self, state: ColliderState) -> u32 {
        let index = self.colliders.shapes.len();
        let slot = self.colliders.slots.take(state.entity, index as u32);
        self.colliders.shapes.push(Some(state.shape));
        self.colliders.records.push(ColliderRecord {
            entity: state.entity,
            slot,
            skin: state.skin,
            role: state.role,
        });
        self.keys.set(slot, state.key);
        self.ancestries.set(slot, state.ancestry);
        self.ignored.set(slot, state.ignored);
        self.mark(index);
        slot
    }

    pub(super) fn remove(&mut self, slot: u32) {
        if let Some(index) = self.colliders.slots.index(slot) {
            self.colliders.shapes[index] = None;
            self.colliders.slots.release(slot);
            self.keys.set(slot, None);
            self.ancestries.set(slot, None);
            self.ignored.set(slot, None);
            self.free_directions.set(slot, None);
            self.colliders.paths.remove(slot);
            self.colliders.displacements.remove(slot);
            self.mark(index);
        }
    }

    /// Lists the parts of all movers. What blocks a mover blocks its parts. `slot_of` returns the
    /// slot of a mover's collider, if it has one.
    pub(super) fn unite_bodies(&mut self, slot_of: impl Fn(Entity) -> Option<u32>) {
        let mut bodies = std::mem::take(&mut self.bodies);
        bodies.clear();
        let attached = self.attached_to_movers.iter();
        let entries = attached.filter_map(|&slot| self.at(slot));
        bodies.extend(entries.filter(|entry| entry.role.moved_by == MoverRelation::Part));
        for mover in bodies.movers() {
            let entry = slot_of(mover).and_then(|slot| self.get(slot, mover));
            let Some((blocked_by, skin)) = entry.map(|entry| (entry.role.blocked_by, entry.skin))
            else {
                continue;
            };
            for slot in bodies.parts_of(mover) {
                self.set_blocked_by(slot, blocked_by, skin);
            }
        }
        self.bodies = bodies;
    }

    /// What a mover ignores, its parts and what it carries ignore as well, also where the mover has
    /// no collider. `ignored_by` returns what an entity ignores.
    pub(super) fn inherit_ignored(&mut self, ignored_by: impl Fn(Entity) -> Option<Entity>) {
        let mut ignored = std::mem::take(&mut self.ignored);
        let attached = self.attached_to_movers.iter();
        let inherited = attached.filter_map(|&slot| {
            let entry = self.at(slot)?;
            let mover = entry.mover().filter(|&mover| mover != entry.entity)?;
            Some((slot, ignored_by(mover)?))
        });
        let mut changed = SmallVec::<[u32; 8]>::new();
        ignored.inherit(inherited, |slot| changed.push(slot));
        self.ignored = ignored;
        for slot in changed {
            if let Some(index) = self.colliders.slots.index(slot) {
                self.mark(index);
            }
        }
    }

    fn set_blocked_by(&mut self, slot: u32, blocked_by: LayerMask, skin: f32) {
        let Some(index) = self.colliders.slots.index(slot) else {
            return;
        };
        let record = &mut self.colliders.records[index];
        if (record.role.blocked_by, record.skin) != (blocked_by, skin) {
            (record.role.blocked_by, record.skin) = (blocked_by, skin);
            self.mark(index);
        }
    }

    /// Stores the new shapes of colliders that moved since the last refresh.
    pub(super) fn apply_moved<'a>(
        &mut self,
        moved: impl Iterator<Item = &'a MovedColliders> + Clone + Sync,
    ) {
        let dirty = self.broad_phase.dirty();
        self.has_changes |= MovedColliders::apply(moved, &mut self.colliders.shapes, dirty);
    }

    /// Records the path of a collider in this update, as offsets from its end.
    pub fn set_path(&mut self, slot: u32, path: impl Iterator<Item = Waypoint>) {
        let has_moved = self.colliders.paths.set(slot, path);
        if has_moved && let Some(index) = self.colliders.slots.index(slot) {
            self.mark(index);
        }
    }

    /// Records how a collider moved that the plugin does not move, from where it was in the last
    /// update to where it is now.
    pub(super) fn record_displacement(
        &mut self,
        slot: u32,
        local: &Shape,
        [from, to]: [&PreviousPose; 2],
    ) {
        let Some(role) = self.at(slot).map(|entry| *entry.role) else {
            return;
        };
        let displacement = Displacement::between(local, from, to);
        if !displacement.in_world.is_finite() {
            return;
        }
        if role.is_swept() && role.moved_by != MoverRelation::Itself {
            let [start, end] = [(0.0, -displacement.in_world.delta), (1.0, Vec2::ZERO)];
            let path = [start, end].map(|(fraction, offset)| Waypoint { fraction, offset });
            self.has_moving_walls |= role.is_wall() && displacement.is_any();
            self.set_path(slot, path.into_iter());
        }
        self.colliders.displacements.record(slot, displacement);
    }

    /// Treats every collider and all pairs as changed: other rules apply, or other pairs were
    /// restored.
    pub(super) fn mark_all(&mut self) {
        self.has_changes = true;
        for index in 0..self.colliders.shapes.len() {
            if self.colliders.shapes[index].is_some() {
                self.mark(index);
            }
        }
    }

    /// Marks a collider as different from when pairs were last detected.
    #[inline]
    pub(super) fn mark(&mut self, index: usize) {
        self.has_changes = true;
        self.broad_phase.dirty().insert(index as u32);
    }
}
