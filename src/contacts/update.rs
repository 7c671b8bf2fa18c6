//! Comparing the pairs of this run with those of the last one.

use bevy::{prelude::*, tasks::ComputeTaskPool};

use super::{
    CollidingPair, Contacts, PairStore,
    crossing::{Meeting, Traveler, first_meeting},
    end_reason::EndReasons,
};
use crate::{
    broad_phase::PairTask,
    events::{CollisionEvent, EndReason},
    geometry::{Contact, contact_within},
    hierarchy::Parents,
    index::{ColliderEntry, ColliderIndex},
    movement::are_related,
    settings::CollisionSettings,
};

/// More parts than threads, for some are done sooner than others.
const PARTS_PER_THREAD: usize = 4;

/// Lists that are filled anew in each run.
#[derive(Default)]
pub(super) struct Buffers {
    tasks: Vec<PairTask>,
    parts: Vec<Part>,
    starts: Vec<Start>,
    /// The pairs that started and ended in this run.
    passed: Vec<(Entity, Entity)>,
}

/// What one part of the work finds.
#[derive(Default)]
struct Part {
    /// The pairs of which a side changed: those that overlap, and those that may have met on the way.
    tested: Vec<TestedPair>,
}

/// A pair of which a side changed.
#[derive(Clone, Copy)]
struct TestedPair {
    entities: (Entity, Entity),
    slots: [u32; 2],
    /// How they overlap at the end of the run.
    contact: Option<Contact>,
    /// The place of the pair among those that overlapped at the end of the last run, if it was one.
    known: Option<u32>,
}

#[derive(Clone, Copy)]
struct Start {
    entities: (Entity, Entity),
    meeting: Meeting,
}

/// The rules by which two colliders make a pair.
struct PairRules<'a, 'w, 's> {
    settings: &'a CollisionSettings,
    parents: &'a Parents<'w, 's>,
}

impl PairRules<'_, '_, '_> {
    fn allow(&self, a: &ColliderEntry, b: &ColliderEntry) -> bool {
        let are_walls = a.role.is_wall() && b.role.is_wall();
        a.role.layers.interacts_with(b.role.layers)
            && (!are_walls || self.settings.solid_pairs)
            && !a.is_same_body(b)
            && !are_related(a, b, self.parents)
    }

    fn margin(&self, a: &ColliderEntry, b: &ColliderEntry) -> f32 {
        a.pair_margin(b, self.settings.valid_margin())
    }
}

/// Finds the pairs that overlap now, and what that changes.
pub(crate) fn update_contacts(
    mut contacts: ResMut<Contacts>,
    index: Res<ColliderIndex>,
    settings: Res<CollisionSettings>,
    parents: Parents,
    reasons: EndReasons,
) {
    let rules = PairRules {
        settings: &settings,
        parents: &parents,
    };
    let contacts = contacts.bypass_change_detection();
    contacts.changes.clear();
    if !index.has_changes() {
        return;
    }
    contacts.sorted.reset();
    contacts.neighbors.reset();
    let Contacts {
        store,
        changes,
        buffers,
        ..
    } = contacts;
    store.begin_run();
    buffers.test_changed_pairs(&index, &rules, store);
    buffers.take_in(store, &index, &rules);
    report_ends(store, changes, &index, &rules, &reasons);
    buffers.report_starts(changes);
}

impl Buffers {
    /// Tests the pairs in parallel.
    fn test_changed_pairs(&mut self, index: &ColliderIndex, rules: &PairRules, known: &PairStore) {
        let Self { tasks, parts, .. } = self;
        tasks.clear();
        index.split_changed_pairs(tasks);
        let pool = ComputeTaskPool::try_get().filter(|_| cfg!(feature = "parallel"));
        // The thread that waits for the others works, too.
        let part_count = pool.map_or(1, |pool| (pool.thread_num() + 1) * PARTS_PER_THREAD);
        parts.resize_with(part_count, Part::default);
        let chunks = tasks.chunks(tasks.len().div_ceil(part_count).max(1));
        let work = chunks.zip(&mut *parts);
        let test = |(tasks, part): (&[PairTask], &mut Part)| {
            test_pairs(tasks, part, index, rules, known);
        };
        if let Some(pool) = pool.filter(|_| tasks.len() > 1) {
            pool.scope(|scope| work.for_each(|part| scope.spawn(async move { test(part) })));
        } else {
            work.for_each(test);
        }
    }

    /// Takes the tested pairs into the store, in the order in which they were found.
    fn take_in(&mut self, store: &mut PairStore, index: &ColliderIndex, rules: &PairRules) {
        self.starts.clear();
        self.passed.clear();
        let mut parts = std::mem::take(&mut self.parts);
        for tested in parts.iter_mut().flat_map(|part| part.tested.drain(..)) {
            match (tested.known, tested.contact) {
                (Some(place), Some(contact)) => store.confirm(place, tested.colliding(contact)),
                (Some(_), None) => {}
                (None, _) => self.meet(&tested, store, index, rules),
            }
        }
        self.parts = parts;
    }

    /// A pair that did not overlap at the end of the last run.
    fn meet(
        &mut self,
        tested: &TestedPair,
        store: &mut PairStore,
        index: &ColliderIndex,
        rules: &PairRules,
    ) {
        let [Some(a), Some(b)] = tested.slots.map(|slot| index.at(slot)) else {
            return;
        };
        let [a_way, b_way] = travelers(index, a, b);
        let was_swept = a_way.went_anywhere() || b_way.went_anywhere();
        let meeting = was_swept
            .then(|| first_meeting(a_way, b_way, rules.margin(&a, &b)))
            .flatten();
        let at_end = |contact| Meeting { time: 1.0, contact };
        if let Some(meeting) = meeting.or(tested.contact.map(at_end)) {
            self.starts.push(Start {
                entities: tested.entities,
                meeting,
            });
        }
        match tested.contact {
            Some(contact) => store.insert(tested.colliding(contact)),
            None if meeting.is_some() => self.passed.push(tested.entities),
            None => {}
        }
    }

    /// Adds the starts, and the ends of those pairs that only passed.
    fn report_starts(&mut self, changes: &mut Vec<CollisionEvent>) {
        let Self { starts, passed, .. } = self;
        starts.sort_unstable_by(|p, q| {
            p.meeting
                .time
                .total_cmp(&q.meeting.time)
                .then(p.entities.cmp(&q.entities))
        });
        changes.extend(starts.iter().map(|start| CollisionEvent::Started {
            a: start.entities.0,
            b: start.entities.1,
            contact: start.meeting.contact,
            time_of_impact: start.meeting.time,
        }));
        passed.sort_unstable();
        changes.extend(passed.iter().map(|&(a, b)| CollisionEvent::Ended {
            a,
            b,
            reason: EndReason::Separated,
        }));
    }
}

impl TestedPair {
    fn colliding(&self, contact: Contact) -> CollidingPair {
        CollidingPair {
            a: self.entities.0,
            b: self.entities.1,
            contact,
            slots: self.slots,
        }
    }
}

fn travelers<'a>(
    index: &'a ColliderIndex,
    a: ColliderEntry<'a>,
    b: ColliderEntry<'a>,
) -> [Traveler<'a>; 2] {
    [a, b].map(|collider| Traveler {
        collider,
        way: index.way(&collider),
    })
}

/// Removes the pairs that overlap no more, and reports their ends.
fn report_ends(
    store: &mut PairStore,
    changes: &mut Vec<CollisionEvent>,
    index: &ColliderIndex,
    rules: &PairRules,
    reasons: &EndReasons,
) {
    store.remove_unconfirmed(|pair| {
        let is_over = !rests(pair, index);
        if is_over {
            changes.push(CollisionEvent::Ended {
                a: pair.a,
                b: pair.b,
                reason: reasons.why(index, pair, |a, b| rules.allow(a, b)),
            });
        }
        is_over
    });
    changes.sort_unstable_by_key(CollisionEvent::entities);
}

/// Tests pairs whose boxes overlap; leaves those that overlap, and those that may have met on the way.
fn test_pairs(
    tasks: &[PairTask],
    part: &mut Part,
    index: &ColliderIndex,
    rules: &PairRules,
    known: &PairStore,
) {
    let Part { tested } = part;
    for task in tasks {
        index.visit_changed_pairs(task, |first, second| {
            let (a, b) = if first.entity < second.entity {
                (first, second)
            } else {
                (second, first)
            };
            if !rules.allow(&a, &b) {
                return;
            }
            let contact = contact_within(a.shape, b.shape, rules.margin(&a, &b));
            let may_have_met = || travelers(index, a, b).iter().any(Traveler::went_anywhere);
            if contact.is_some() || may_have_met() {
                let entities = (a.entity, b.entity);
                tested.push(TestedPair {
                    entities,
                    slots: [a.slot, b.slot],
                    contact,
                    known: known.find(entities),
                });
            }
        });
    }
}

/// Whether neither side of a pair changed.
fn rests(pair: &CollidingPair, index: &ColliderIndex) -> bool {
    index.rests(pair.slots[0]) && index.rests(pair.slots[1])
}
