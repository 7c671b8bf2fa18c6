//! All colliders of the world in flat arrays, and what keeps them current.

mod carry;
mod colliders;
mod crossing;
mod entry;
mod family;
mod lineage;
mod moved;
mod one_way;
mod refresh;
mod rows;
mod slots;
mod sync;
mod ways;

pub(crate) use carry::carry_colliders;
pub(crate) use crossing::{Meeting, Traveler, first_meeting};
pub(crate) use entry::{Body, ColliderEntry, ColliderRole, Passage, Solidity, effective_skin};
pub(crate) use family::Family;
pub(crate) use lineage::Lineage;
pub(crate) use one_way::{OneWayWall, OneWayWalls};
pub(crate) use refresh::RefreshColliders;
pub use refresh::refresh_colliders;
pub(crate) use slots::{ColliderTraits, Flaw, Registration, SlotKey};
pub(crate) use sync::{SyncIndex, sync_colliders};
pub(crate) use ways::{Waypoint, offset_at};

use bevy::{math::bounding::Aabb2d, prelude::*};
use fixedbitset::FixedBitSet;

use self::{
    colliders::{ColliderRecord, Colliders},
    lineage::Lineages,
    moved::MovedColliders,
    refresh::News,
    rows::Row,
};
use crate::{
    broad_phase::{BoxTree, BroadPhase, PairSearch, PairTask, Sweep},
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
    one_way_walls: OneWayWalls,
    /// Whether anything was marked since pairs were detected.
    has_changes: bool,
    pending: Pending,
    /// Whether walls that are swept went anywhere in this run.
    has_moving_walls: bool,
    /// The slots of movers and of what they carry.
    carried: Vec<u32>,
    /// Those of them that have moved, to be taken in together.
    moved: MovedColliders,
    /// How many colliders were seen in this run.
    seen: usize,
    /// The slots of those that were, if some were not.
    present: FixedBitSet,
    news: News,
    /// The walls, and the movers with parents, that are new or whose role or ancestors are others
    /// than before.
    pub new_roles: Vec<Entity>,
}

/// What is still to be done with what is marked, and with where colliders went. Whichever of the
/// steps of a run an app leaves out, what they hand on is used once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pending {
    /// Nothing.
    #[default]
    Nothing,
    /// Pairs have to be detected.
    Detect,
    /// Movers have to be moved, pushed by the walls that went somewhere; then pairs have to be
    /// detected.
    MoveAndDetect,
}

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

    /// Whether the collider that was at a slot when pairs were last detected is still there, as it
    /// was.
    pub fn rests(&self, slot: u32) -> bool {
        let place = self.colliders.slots.place(slot);
        place.is_some_and(|place| !self.broad_phase.is_moved(place as u32))
    }

    /// Whether anything differs from when pairs were last detected.
    pub fn has_changes(&self) -> bool {
        self.has_changes && self.pending != Pending::Nothing
    }

    /// Pairs have been detected: what is marked now is not new to anyone any more, and ways begin
    /// where colliders are now.
    pub fn end_detection(&mut self) {
        self.pending = Pending::Nothing;
        self.news.clear();
    }

    /// Forgets what is marked, if nothing is to be done with it.
    fn drop_used_marks(&mut self) {
        if self.pending == Pending::Nothing {
            self.has_changes = false;
            self.broad_phase.clear_moved();
        }
    }

    /// Movers are about to move. If they have since the last sync, or pairs were detected, where
    /// everything went before is over.
    pub fn begin_moves(&mut self) {
        self.drop_used_marks();
        if self.pending != Pending::MoveAndDetect {
            self.forget_ways();
        }
        self.pending = Pending::Detect;
    }

    /// Forgets where colliders went.
    fn forget_ways(&mut self) {
        self.has_moving_walls = false;
        self.colliders.ways.clear();
        self.one_way_walls.begin_run();
    }

    /// All colliders, in no order.
    #[cfg(feature = "debug")]
    pub fn iter(&self) -> impl Iterator<Item = ColliderEntry<'_>> {
        (0..self.colliders.shapes.len()).filter_map(|place| self.entry(place))
    }

    /// The boxes by which colliders are found, level by level: from those around a few neighbors up to the one around everything.
    #[cfg(feature = "debug")]
    pub fn levels_of_boxes(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = Aabb2d>> {
        self.broad_phase.levels_of_boxes()
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

    /// Visits the colliders whose boxes a sweep meets, roughly in that order. The visitor may lessen how far the sweep goes.
    pub fn visit_along<'a>(
        &'a self,
        sweep: &Sweep,
        mut visit: impl FnMut(ColliderEntry<'a>, &mut f32),
    ) {
        self.broad_phase.visit_along(sweep, |place, reach| {
            if let Some(entry) = self.entry(place as usize) {
                visit(entry, reach);
            }
        });
    }

    /// Visits the colliders whose boxes are not further from a point than `reach`, roughly the nearer ones first. The visitor may lessen
    /// the reach.
    pub fn visit_near<'a>(
        &'a self,
        point: Vec2,
        reach: f32,
        mut visit: impl FnMut(ColliderEntry<'a>, &mut f32),
    ) {
        self.broad_phase.visit_near(point, reach, |place, reach| {
            if let Some(entry) = self.entry(place as usize) {
                visit(entry, reach);
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

    /// What is known of a one-way wall beyond its shape; nothing of others.
    #[inline]
    pub fn one_way_wall(&self, entry: &ColliderEntry) -> Option<&OneWayWall> {
        match entry.role.solidity {
            Solidity::OneWay => self.one_way_walls.get(entry.slot),
            _ => None,
        }
    }

    /// Where a collider went in this run, in order; empty, if it was neither moved by the plugin nor swept.
    #[inline]
    pub fn way(&self, entry: &ColliderEntry) -> &[Waypoint] {
        if entry.role.is_swept {
            self.colliders.ways.get(entry.slot)
        } else {
            &[]
        }
    }

    /// How far a wall went since the last run that pushes what is on its way; zero for all else.
    #[inline]
    pub fn step_of_wall(&self, entry: &ColliderEntry) -> Vec2 {
        if !(self.has_moving_walls && entry.role.is_wall()) {
            return Vec2::ZERO;
        }
        let start = self.way(entry).first();
        start.map_or(Vec2::ZERO, |start| -start.offset)
    }

    /// Whether any wall went somewhere that pushes what is on its way.
    pub fn has_moving_walls(&self) -> bool {
        self.has_moving_walls
    }

    /// Notes where a mover went in this run, as offsets from where it ended.
    pub fn set_way(&mut self, slot: u32, way: impl Iterator<Item = Waypoint>) {
        let went_anywhere = self.colliders.ways.set(slot, way);
        if went_anywhere && let Some(place) = self.colliders.slots.place(slot) {
            self.mark(place);
        }
    }

    /// Treats every collider as changed, because the rules have.
    fn mark_all(&mut self) {
        for place in 0..self.colliders.shapes.len() {
            if self.colliders.shapes[place].is_some() {
                self.mark(place);
            }
        }
    }

    /// Notes that a collider differs from when pairs were last detected.
    #[inline]
    fn mark(&mut self, place: usize) {
        self.has_changes = true;
        self.broad_phase.dirty().insert(place as u32);
    }

    /// Forgets what belongs to the run before.
    fn begin_run(&mut self) {
        self.drop_used_marks();
        self.forget_ways();
        self.seen = 0;
        self.carried.clear();
        self.pending = Pending::MoveAndDetect;
    }

    /// Whether a collider is new, or has other traits or ancestors than before.
    fn is_new_role(&self, row: &Row, lineage: Option<&Lineage>) -> bool {
        let known = row.registration;
        !self.colliders.slots.has(known.key)
            || known.traits != row.traits
            || self.lineages.get(known.key.slot) != lineage
    }

    /// Takes in all that is known of a collider; gives its key.
    fn update(
        &mut self,
        row: &Row,
        shape: Shape,
        (role, skin): (ColliderRole, f32),
        lineage: Option<Lineage>,
    ) -> SlotKey {
        let key = row.registration.key;
        let Some(place) = self.colliders.slots.place_of(key) else {
            return self.add(row.entity, shape, (role, skin), lineage);
        };
        let record = &mut self.colliders.records[place];
        let known = (record.role, record.skin);
        (record.role, record.skin) = (role, skin);
        let is_other_lineage = self.lineages.set(key.slot, lineage);
        let shape = Some(shape);
        if known != (role, skin) || is_other_lineage || self.colliders.shapes[place] != shape {
            self.colliders.shapes[place] = shape;
            self.mark(place);
        }
        key
    }

    /// Notes how far a collider went since the last run that the plugin does not move.
    fn note_step(&mut self, slot: u32, step: Vec2) {
        let Some(place) = self.colliders.slots.place(slot) else {
            return;
        };
        let role = &self.colliders.records[place].role;
        if role.is_swept && role.body != Body::Itself && step.is_finite() {
            let start = Waypoint {
                time: 0.0,
                offset: -step,
            };
            let end = Waypoint {
                time: 1.0,
                offset: Vec2::ZERO,
            };
            self.has_moving_walls |= role.is_wall() && step != Vec2::ZERO;
            self.set_way(slot, [start, end].into_iter());
        }
        self.one_way_walls.note_step(slot, step);
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
        self.mark(place);
        key
    }

    fn remove(&mut self, slot: u32) {
        if let Some(place) = self.colliders.slots.place(slot) {
            self.note_removal(place);
            self.colliders.shapes[place] = None;
            self.colliders.slots.release(slot);
            self.lineages.set(slot, None);
            self.one_way_walls.remove(slot);
            self.colliders.ways.remove(slot);
            self.mark(place);
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
        self.colliders.margin = settings.valid_margin();
        self.broad_phase.refresh(&mut self.colliders);
    }
}
