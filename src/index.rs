//! All colliders of the world in flat arrays.

use bevy::{
    math::{Vec2, bounding::Aabb2d},
    prelude::*,
};

use crate::{
    broad_phase::{BroadPhase, EMPTY, PackedTree, grown, merged},
    collider::{CollisionLayers, LayerMask},
    geometry::{Shape, TOUCHING_SLOP},
    settings::CollisionSettings,
};

/// What the plugin knows of every collider: one entry for each, at a slot that it keeps for as long as it is there.
#[derive(Resource, Default)]
pub(crate) struct ColliderIndex {
    entries: Vec<Option<ColliderEntry>>,
    free_slots: Vec<u32>,
    /// The box of each slot around everywhere that its shape was since the last run.
    boxes: Vec<Aabb2d>,
    broad_phase: PackedTree,
    broad_phase_stale: bool,
    /// Where movers went in this run, one after another; each entry has its range.
    waypoints: Vec<Waypoint>,
    /// Counts the runs, to tell which entries were not seen in one.
    run: u32,
}

/// One collider.
#[derive(Clone, Debug)]
pub(crate) struct ColliderEntry {
    pub entity: Entity,
    /// In world space.
    pub shape: Shape,
    pub layers: CollisionLayers,
    pub lineage: Lineage,
    pub solid: bool,
    /// The layers that block the entity; none, if it is not a mover.
    pub blocked_by: LayerMask,
    /// The distance that the entity keeps from what blocks it, in world units.
    pub skin: f32,
    /// Something about it differs from the last run.
    pub changed: bool,
    way: (u32, u32),
    seen_in_run: u32,
}

/// The place of a collider in the tree of parents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lineage {
    /// The topmost ancestor; the entity itself, if it has no parent.
    pub root: Entity,
    /// The nearest mover among the entity itself and its ancestors. Colliders with the same one are one body.
    pub body: Option<Entity>,
    /// Differs when any ancestor is another one.
    pub fingerprint: u64,
}

impl Lineage {
    /// Without a parent.
    pub fn of_root(entity: Entity, is_mover: bool) -> Self {
        Self {
            root: entity,
            body: is_mover.then_some(entity),
            fingerprint: 0,
        }
    }

    /// Adds the next ancestor.
    pub fn descend_from(&mut self, ancestor: Entity, is_mover: bool) {
        self.root = ancestor;
        self.body = self.body.or(is_mover.then_some(ancestor));
        // FNV-1a, word by word.
        self.fingerprint = (self.fingerprint ^ ancestor.to_bits()).wrapping_mul(0x0100_0000_01B3);
    }

    pub fn is_same_body(self, other: Self) -> bool {
        self.body.is_some() && self.body == other.body
    }
}

/// Where a mover was at some moment of the run, relative to where it is in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waypoint {
    /// The fraction of the run, in 0..=1.
    pub time: f32,
    /// In world units.
    pub offset: Vec2,
}

impl ColliderEntry {
    /// A collider as it was found in this run.
    pub fn new(entity: Entity, shape: Shape, lineage: Lineage) -> Self {
        Self {
            entity,
            shape,
            layers: CollisionLayers::default(),
            lineage,
            solid: false,
            blocked_by: LayerMask::NONE,
            skin: 0.0,
            changed: true,
            way: (0, 0),
            seen_in_run: 0,
        }
    }

    /// Whether the collider is a wall: solid, and not part of a mover.
    pub fn is_wall(&self) -> bool {
        self.solid && self.lineage.body.is_none()
    }

    /// Whether the other one stops this one, as far as their own properties tell.
    pub fn is_blocked_by(&self, other: &Self) -> bool {
        other.solid
            && self.blocked_by.intersects(other.layers.memberships)
            && self.layers.interacts_with(other.layers)
            && !self.lineage.is_same_body(other.lineage)
    }

    /// The distance from its shape at which the collider may touch another.
    fn touching_distance(&self, margin: f32) -> f32 {
        if self.blocked_by == LayerMask::NONE {
            margin
        } else {
            margin.max(2.0 * self.effective_skin())
        }
    }

    /// The distance at which two colliders count as touching: a mover stops short of what blocks it, and touches it all the same.
    pub fn pair_margin(&self, other: &Self, margin: f32) -> f32 {
        let skin_margin = |mover: &Self, solid: &Self| {
            if mover.is_blocked_by(solid) {
                2.0 * mover.effective_skin()
            } else {
                0.0
            }
        };
        margin
            .max(skin_margin(self, other))
            .max(skin_margin(other, self))
    }

    /// Everything about the collider but what belongs to the run.
    pub fn differs_from(&self, known: &Self) -> bool {
        self.shape != known.shape
            || self.layers != known.layers
            || self.lineage != known.lineage
            || self.solid != known.solid
            || self.blocked_by != known.blocked_by
            || self.skin != known.skin
    }

    /// The skin with what rounding may add to it.
    pub fn effective_skin(&self) -> f32 {
        self.skin + TOUCHING_SLOP * self.shape.largest_coordinate()
    }
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
        let changed = |slot| self.at(slot).is_some_and(|entry| entry.changed);
        self.broad_phase.visit_pairs(changed, |i, j| {
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
            entry.changed |= went_anywhere;
            self.broad_phase_stale |= went_anywhere;
        }
    }

    /// Gives the colliders of movers, and those that movers carry, their new shapes; one that is not finite is left as it is,
    /// to be found by the next run.
    pub fn update_carried(&mut self, shape_of: impl Fn(Entity) -> Option<Shape>) {
        for entry in self.entries.iter_mut().flatten() {
            if entry.lineage.body.is_some()
                && let Some(shape) = shape_of(entry.entity)
                && shape != entry.shape
                && shape.is_finite()
            {
                entry.shape = shape;
                entry.changed = true;
                self.broad_phase_stale = true;
            }
        }
    }

    /// Treats every collider as changed, because the rules have.
    pub fn mark_all_changed(&mut self) {
        for entry in self.entries.iter_mut().flatten() {
            entry.changed = true;
        }
        self.broad_phase_stale = true;
    }

    /// Forgets what belongs to the run before.
    pub fn begin_run(&mut self) {
        self.run = self.run.wrapping_add(1);
        self.waypoints.clear();
        for entry in self.entries.iter_mut().flatten() {
            entry.changed = false;
            entry.way = (0, 0);
        }
    }

    /// Takes in what is known of a collider in this run; gives its slot.
    pub fn update(&mut self, slot: u32, mut entry: ColliderEntry) -> u32 {
        entry.seen_in_run = self.run;
        entry.changed = self
            .get(slot, entry.entity)
            .is_none_or(|known| entry.differs_from(known));
        self.broad_phase_stale |= entry.changed;
        let slot = if self.get(slot, entry.entity).is_some() {
            slot
        } else {
            self.free_slots.pop().unwrap_or_else(|| {
                self.entries.push(None);
                self.entries.len() as u32 - 1
            })
        };
        self.entries[slot as usize] = Some(entry);
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
                self.broad_phase_stale = true;
            }
        }
    }

    /// Sorts the boxes of the colliders anew, if anything about them changed.
    pub fn refresh_boxes(&mut self, settings: &CollisionSettings) {
        if !std::mem::take(&mut self.broad_phase_stale) {
            return;
        }
        self.boxes.clear();
        for place in &self.entries {
            let aabb = place.as_ref().map_or(EMPTY, |entry| {
                grown(
                    &self.swept_box(entry),
                    entry.touching_distance(settings.valid_margin()),
                )
            });
            self.boxes.push(aabb);
        }
        self.broad_phase.rebuild(&self.boxes);
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
