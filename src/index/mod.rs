//! All colliders of the world in flat arrays, and what keeps them current.

mod entry;
mod sync;

pub(crate) use entry::{Background, ColliderEntry, ColliderRole, Lineage, Waypoint};
pub(crate) use sync::{Family, carry_colliders, sync_colliders};

use bevy::{
    math::{Vec2, bounding::Aabb2d},
    prelude::*,
};

use crate::{
    broad_phase::{BoxTree, BroadPhase, EMPTY, PairTask, grown, merged},
    collider::LocalShape,
    geometry::Shape,
    settings::CollisionSettings,
};

/// What the plugin knows of every collider, at a slot that it keeps for as long as it is there. Each kind of knowledge has its
/// own list, for most of the work needs one or two of them.
#[derive(Resource, Default)]
pub(crate) struct ColliderIndex {
    /// The collider at each slot; none, where the slot is free.
    colliders: Vec<Option<IndexedCollider>>,
    backgrounds: Vec<Background>,
    states: Vec<SlotState>,
    /// Whether something about the collider at each slot differs from the last run.
    is_changed: Vec<bool>,
    free_slots: Vec<u32>,
    /// The box of each slot around everywhere that its shape was since the last run.
    boxes: Vec<Aabb2d>,
    broad_phase: BoxTree,
    /// The slots whose colliders differ from the last run, or are gone.
    changed: Vec<u32>,
    /// Those of them whose boxes are to be brought up to date.
    stale: Vec<u32>,
    /// The slots of movers and of what they carry.
    carried: Vec<u32>,
    /// Where movers went in this run, one after another; each has its range.
    waypoints: Vec<Waypoint>,
    /// The slots that have such a range.
    travelers: Vec<u32>,
    /// Counts the runs, to tell which colliders were not seen in one.
    run: u32,
    /// How many colliders were seen in this run.
    seen: usize,
}

/// What is asked of each pair: as much as one line of the processor's cache takes.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct IndexedCollider {
    entity: Entity,
    /// In world space.
    shape: Shape,
    role: ColliderRole,
}

/// What changes about a collider within a run.
#[derive(Clone, Copy, Debug, Default)]
struct SlotState {
    /// Its part of the waypoints of this run.
    way: (u32, u32),
    seen_in_run: u32,
    /// Its box does not tell where it is.
    is_stale: bool,
}

impl ColliderIndex {
    /// The collider at a slot, if it is still (or already) that of `entity`.
    pub fn get(&self, slot: u32, entity: Entity) -> Option<ColliderEntry<'_>> {
        self.at(slot).filter(|entry| entry.entity == entity)
    }

    pub fn at(&self, slot: u32) -> Option<ColliderEntry<'_>> {
        let IndexedCollider {
            entity,
            shape,
            role,
        } = self.colliders.get(slot as usize)?.as_ref()?;
        Some(ColliderEntry {
            entity: *entity,
            slot,
            shape,
            role,
            background: &self.backgrounds[slot as usize],
        })
    }

    /// How many colliders there are.
    pub fn count(&self) -> usize {
        self.colliders.len() - self.free_slots.len()
    }

    /// Whether the collider that was at a slot in the last run is still there, as it was.
    pub fn rests(&self, slot: u32) -> bool {
        !self.is_changed[slot as usize]
    }

    /// Whether anything differs from the last run.
    pub fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }

    /// All colliders, in the order of their slots.
    #[cfg(feature = "debug")]
    pub fn iter(&self) -> impl Iterator<Item = ColliderEntry<'_>> {
        (0..self.colliders.len() as u32).filter_map(|slot| self.at(slot))
    }

    /// Visits the colliders whose boxes overlap `area`.
    pub fn visit_overlapping<'a>(
        &'a self,
        area: &Aabb2d,
        mut visit: impl FnMut(ColliderEntry<'a>),
    ) {
        self.broad_phase.visit_overlapping(area, |slot| {
            if let Some(entry) = self.at(slot) {
                visit(entry);
            }
        });
    }

    /// Splits the work of finding the pairs of colliders whose boxes overlap and of which one is new or changed.
    pub fn split_changed_pairs(&self, tasks: &mut Vec<PairTask>) {
        self.broad_phase.split(tasks);
    }

    /// Visits the pairs of a part of that work. They are listed in `pairs` first: the processor then fetches the colliders of
    /// the next ones while those of one are compared.
    pub fn visit_changed_pairs<'a>(
        &'a self,
        task: &PairTask,
        pairs: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(ColliderEntry<'a>, ColliderEntry<'a>),
    ) {
        pairs.clear();
        self.broad_phase
            .visit_pairs(task, |i, j| pairs.push((i, j)));
        for &(i, j) in pairs.iter() {
            if let (Some(a), Some(b)) = (self.at(i), self.at(j)) {
                visit(a, b);
            }
        }
    }

    /// Where a collider went in this run, in order; empty, if it was not moved by the plugin.
    pub fn way(&self, entry: &ColliderEntry) -> &[Waypoint] {
        if self.waypoints.is_empty() {
            return &[];
        }
        let (start, end) = self.states[entry.slot as usize].way;
        &self.waypoints[start as usize..end as usize]
    }

    /// Notes where a mover went in this run, as offsets from where it ended.
    pub fn set_way(&mut self, slot: u32, way: impl Iterator<Item = Waypoint>) {
        let start = self.waypoints.len();
        self.waypoints.extend(way);
        let went_anywhere = self.waypoints[start..]
            .iter()
            .any(|waypoint| waypoint.offset != Vec2::ZERO);
        self.states[slot as usize].way = (start as u32, self.waypoints.len() as u32);
        self.travelers.push(slot);
        if went_anywhere {
            self.mark(slot);
        }
    }

    /// Gives the colliders of movers, and those that movers carry, their new shapes; one that is not finite is left as it is,
    /// to be found by the next run.
    pub fn update_carried(&mut self, shape_of: impl Fn(Entity) -> Option<Shape>) {
        let carried = std::mem::take(&mut self.carried);
        for &slot in &carried {
            let entity = self.at(slot).map(|entry| entry.entity);
            if let Some(shape) = entity.and_then(&shape_of).filter(Shape::is_finite) {
                self.update_shape(slot, shape);
            }
        }
        self.carried = carried;
    }

    /// Treats every collider as changed, because the rules have.
    pub fn mark_all_changed(&mut self) {
        for slot in 0..self.colliders.len() as u32 {
            if self.at(slot).is_some() {
                self.mark(slot);
            }
        }
    }

    /// Notes that a collider differs from the last run.
    fn mark(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.is_changed[slot as usize], true) {
            self.changed.push(slot);
        }
        if !std::mem::replace(&mut self.states[slot as usize].is_stale, true) {
            self.stale.push(slot);
        }
    }

    /// Forgets what belongs to the run before.
    pub fn begin_run(&mut self) {
        // Zero is the run that none saw.
        self.run = self.run.wrapping_add(1).max(2);
        self.seen = 0;
        self.waypoints.clear();
        self.carried.clear();
        for slot in self.changed.drain(..) {
            self.is_changed[slot as usize] = false;
        }
        for slot in self.travelers.drain(..) {
            self.states[slot as usize].way = (0, 0);
        }
    }

    /// Takes in what is known of a collider in this run; gives its slot.
    pub fn update(
        &mut self,
        slot: u32,
        entity: Entity,
        shape: Shape,
        role: ColliderRole,
        background: Background,
    ) -> u32 {
        match self.get(slot, entity) {
            Some(known)
                if *known.shape == shape
                    && *known.role == role
                    && *known.background == background =>
            {
                slot
            }
            known => {
                let slot = known.map(|known| known.slot);
                let slot = slot.unwrap_or_else(|| self.free_slot(background));
                self.colliders[slot as usize] = Some(IndexedCollider {
                    entity,
                    shape,
                    role,
                });
                self.backgrounds[slot as usize] = background;
                self.mark(slot);
                slot
            }
        }
    }

    /// Takes in the shape of a collider about which nothing else differs.
    pub fn update_shape(&mut self, slot: u32, shape: Shape) {
        if let Some(collider) = &mut self.colliders[slot as usize]
            && collider.shape != shape
        {
            collider.shape = shape;
            self.mark(slot);
        }
    }

    /// A slot with nothing in it.
    fn free_slot(&mut self, background: Background) -> u32 {
        self.free_slots.pop().unwrap_or_else(|| {
            self.colliders.push(None);
            self.backgrounds.push(background);
            self.states.push(SlotState::default());
            self.is_changed.push(false);
            self.colliders.len() as u32 - 1
        })
    }

    /// Notes that a collider is there in this run, which is the answer.
    pub fn see(&mut self, slot: u32, is_carried: bool) -> u32 {
        self.seen += 1;
        if is_carried {
            self.carried.push(slot);
        }
        self.run
    }

    /// Whether a collider that was last seen in `run` was there in the run before this one.
    pub fn was_seen(&self, run: u32) -> bool {
        run.wrapping_add(1) == self.run
    }

    /// Whether colliders are gone.
    pub fn has_unseen(&self) -> bool {
        self.seen < self.count()
    }

    /// Frees the slots of those that were not seen in this run; `candidates` are all that may have been.
    pub fn remove_unseen<'a>(&mut self, candidates: impl Iterator<Item = &'a LocalShape>) {
        for local in candidates.filter(|local| local.seen_in_run == self.run) {
            self.states[local.slot as usize].seen_in_run = self.run;
        }
        for (slot, collider) in (0..).zip(&mut self.colliders) {
            if collider.is_some() && self.states[slot as usize].seen_in_run != self.run {
                *collider = None;
                self.is_changed[slot as usize] = true;
                self.free_slots.push(slot);
                self.changed.push(slot);
                self.stale.push(slot);
            }
        }
    }

    /// Brings the boxes of the colliders up to date.
    pub fn refresh_boxes(&mut self, settings: &CollisionSettings) {
        let margin = settings.valid_margin();
        let mut stale = std::mem::take(&mut self.stale);
        self.boxes.resize(self.colliders.len(), EMPTY);
        for &slot in &stale {
            let aabb = self.at(slot).map_or(EMPTY, |entry| {
                grown(&self.swept_box(&entry), entry.touching_distance(margin))
            });
            self.boxes[slot as usize] = aabb;
            self.states[slot as usize].is_stale = false;
        }
        self.broad_phase.refresh(&self.boxes, &stale);
        stale.clear();
        self.stale = stale;
    }

    /// Lets [`visit_changed_pairs`](Self::visit_changed_pairs) see what has changed until now.
    pub fn activate_changed(&mut self) {
        self.broad_phase.activate(&self.changed);
    }

    /// The box around everywhere that a collider was in this run.
    fn swept_box(&self, entry: &ColliderEntry) -> Aabb2d {
        let end = entry.shape.aabb();
        self.way(entry).iter().fold(end, |around, waypoint| {
            merged(
                &around,
                &Aabb2d {
                    min: end.min + waypoint.offset,
                    max: end.max + waypoint.offset,
                },
            )
        })
    }
}
