//! All colliders of the world in flat arrays, and what keeps them current.

mod entry;
mod sync;

pub(crate) use entry::{ColliderEntry, ColliderRole, Lineage, Waypoint};
pub(crate) use sync::{Family, carry_colliders, sync_colliders};

use bevy::{
    math::{Vec2, bounding::Aabb2d},
    prelude::*,
};

use crate::{
    broad_phase::{BoxTree, BroadPhase, EMPTY, grown, merged},
    geometry::Shape,
    settings::CollisionSettings,
};

/// What the plugin knows of every collider: one entry for each, at a slot that it keeps for as long as it is there.
#[derive(Resource, Default)]
pub(crate) struct ColliderIndex {
    entries: Vec<Option<ColliderEntry>>,
    free_slots: Vec<u32>,
    /// The box of each slot around everywhere that its shape was since the last run.
    boxes: Vec<Aabb2d>,
    broad_phase: BoxTree,
    /// The slots whose colliders differ from the last run, or are gone.
    changed: Vec<u32>,
    /// Those of them whose boxes are to be brought up to date.
    stale: Vec<u32>,
    /// Where movers went in this run, one after another; each entry has its range.
    waypoints: Vec<Waypoint>,
    /// Counts the runs, to tell which entries were not seen in one.
    run: u32,
}

impl ColliderIndex {
    /// The collider at a slot, if it is still (or already) that of `entity`.
    pub fn get(&self, slot: u32, entity: Entity) -> Option<&ColliderEntry> {
        self.at(slot).filter(|entry| entry.entity == entity)
    }

    pub fn at(&self, slot: u32) -> Option<&ColliderEntry> {
        self.entries.get(slot as usize)?.as_ref()
    }

    /// All colliders, in the order of their slots.
    #[cfg(feature = "debug")]
    pub fn iter(&self) -> impl Iterator<Item = &ColliderEntry> {
        self.entries.iter().flatten()
    }

    /// Visits the colliders whose boxes overlap `area`, with their slots.
    pub fn visit_overlapping<'a>(
        &'a self,
        area: &Aabb2d,
        mut visit: impl FnMut(u32, &'a ColliderEntry),
    ) {
        self.broad_phase.visit_overlapping(area, |slot| {
            if let Some(entry) = self.at(slot) {
                visit(slot, entry);
            }
        });
    }

    /// Visits the pairs of colliders whose boxes overlap and of which one is new or changed.
    pub fn visit_changed_pairs<'a>(
        &'a self,
        mut visit: impl FnMut(u32, &'a ColliderEntry, u32, &'a ColliderEntry),
    ) {
        self.broad_phase.visit_pairs(|i, j| {
            if let (Some(a), Some(b)) = (self.at(i), self.at(j)) {
                visit(i, a, j, b);
            }
        });
    }

    /// Where a collider went in this run, in order; empty, if it was not moved by the plugin.
    pub fn way(&self, entry: &ColliderEntry) -> &[Waypoint] {
        &self.waypoints[entry.way.0 as usize..entry.way.1 as usize]
    }

    /// Notes where a mover went in this run, as offsets from where it ended.
    pub fn set_way(&mut self, slot: u32, way: impl Iterator<Item = Waypoint>) {
        let start = self.waypoints.len();
        self.waypoints.extend(way);
        let went_anywhere = self.waypoints[start..]
            .iter()
            .any(|waypoint| waypoint.offset != Vec2::ZERO);
        if let Some(entry) = &mut self.entries[slot as usize] {
            entry.way = (start as u32, self.waypoints.len() as u32);
        }
        if went_anywhere {
            self.mark(slot);
        }
    }

    /// Notes that a collider differs from the last run.
    fn mark(&mut self, slot: u32) {
        if let Some(entry) = &mut self.entries[slot as usize] {
            if !std::mem::replace(&mut entry.changed, true) {
                self.changed.push(slot);
            }
            if !std::mem::replace(&mut entry.stale, true) {
                self.stale.push(slot);
            }
        }
    }

    /// Gives the colliders of movers, and those that movers carry, their new shapes; one that is not finite is left as it is,
    /// to be found by the next run.
    pub fn update_carried(&mut self, shape_of: impl Fn(Entity) -> Option<Shape>) {
        for slot in 0..self.entries.len() {
            if let Some(entry) = &mut self.entries[slot]
                && entry.role.lineage.body.is_some()
                && let Some(shape) = shape_of(entry.entity)
                && shape != entry.shape
                && shape.is_finite()
            {
                entry.shape = shape;
                self.mark(slot as u32);
            }
        }
    }

    /// Treats every collider as changed, because the rules have.
    pub fn mark_all_changed(&mut self) {
        for slot in 0..self.entries.len() {
            self.mark(slot as u32);
        }
    }

    /// Forgets what belongs to the run before.
    pub fn begin_run(&mut self) {
        self.run = self.run.wrapping_add(1);
        self.waypoints.clear();
        self.changed.clear();
        for entry in self.entries.iter_mut().flatten() {
            entry.changed = false;
            entry.way = (0, 0);
        }
    }

    /// Takes in what is known of a collider in this run; gives its slot.
    pub fn update(&mut self, slot: u32, mut entry: ColliderEntry) -> u32 {
        entry.seen_in_run = self.run;
        let is_changed = self
            .get(slot, entry.entity)
            .is_none_or(|known| known.shape != entry.shape || known.role != entry.role);
        let slot = if self.get(slot, entry.entity).is_some() {
            slot
        } else {
            self.free_slots.pop().unwrap_or_else(|| {
                self.entries.push(None);
                self.entries.len() as u32 - 1
            })
        };
        self.entries[slot as usize] = Some(entry);
        if is_changed {
            self.mark(slot);
        }
        slot
    }

    /// Marks a collider as still there and as it was.
    pub fn keep(&mut self, slot: u32) {
        if let Some(entry) = &mut self.entries[slot as usize] {
            entry.seen_in_run = self.run;
        }
    }

    /// Frees the slots of the colliders that were not seen in this run.
    pub fn remove_unseen(&mut self) {
        for (slot, place) in (0..).zip(&mut self.entries) {
            if place
                .as_ref()
                .is_some_and(|entry| entry.seen_in_run != self.run)
            {
                *place = None;
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
        self.boxes.resize(self.entries.len(), EMPTY);
        for &slot in &stale {
            let aabb = self.at(slot).map_or(EMPTY, |entry| {
                grown(&self.swept_box(entry), entry.touching_distance(margin))
            });
            self.boxes[slot as usize] = aabb;
            if let Some(entry) = &mut self.entries[slot as usize] {
                entry.stale = false;
            }
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
