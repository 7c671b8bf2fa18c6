//! Comparing the pairs of this run with those of the last one.

use bevy::{ecs::system::NonSendMarker, prelude::*};

use super::{
    Contacts,
    end_reason::EndReasons,
    pair_bucket::{End, PairBucket, Start, TestBuffers},
    rules::PairRules,
};
use crate::{
    broad_phase::PairTask,
    events::{CollisionEndReason, CollisionEvent, PendingEvents},
    index::{ColliderIndex, Parents},
    memory, parallel,
    settings::CollisionSettings,
};

/// More parts than threads, for some are done sooner than others.
const PARTS_PER_THREAD: usize = 4;

/// Lists that are filled anew in each run.
#[derive(Default)]
pub(super) struct Buffers {
    tasks: Vec<PairTask>,
    /// For each part of the work.
    test_buffers: Vec<TestBuffers>,
    starts: Vec<Start>,
    ends: Vec<End>,
}

/// Finds the pairs that overlap now, and what that changes.
///
/// It runs on the main thread, which otherwise waits while systems run: so one thread more does the work, the only second one on
/// two cores.
pub(crate) fn update_contacts(
    mut contacts: ResMut<Contacts>,
    mut index: ResMut<ColliderIndex>,
    mut pending: ResMut<PendingEvents>,
    settings: Res<CollisionSettings>,
    parents: Parents,
    reasons: EndReasons,
    _on_main_thread: NonSendMarker,
) {
    let rules = PairRules {
        settings: &settings,
        parents: &parents,
    };
    let contacts = contacts.bypass_change_detection();
    contacts.settings = *settings;
    if index.has_changes() {
        contacts.invalidate_views();
        let Contacts {
            buckets, buffers, ..
        } = contacts;
        buffers.update_buckets(buckets, &index, &rules);
        buffers.merge_buckets(buckets);
        let earlier = pending.collisions.len();
        buffers.emit(&mut pending.collisions, |end| {
            let (a, b) = end.entities;
            let endpoints = [(a, end.slots[0]), (b, end.slots[1])];
            reasons.why(&index, endpoints, |a, b| rules.should_collide(a, b))
        });
        pending.drop_missed(earlier);
    }
    index.end_detection();
}

impl Buffers {
    /// Updates the buckets, in parallel.
    fn update_buckets(
        &mut self,
        buckets: &mut Vec<PairBucket>,
        index: &ColliderIndex,
        rules: &PairRules,
    ) {
        let Self {
            tasks,
            test_buffers,
            ..
        } = self;
        tasks.clear();
        if test_buffers.is_empty() {
            test_buffers.push(TestBuffers::default());
        }
        index.split_changed_pairs(&mut test_buffers[0].search, tasks);
        let needed = tasks.last().map_or(0, |task| task.region as usize + 1);
        // Those beyond may still hold pairs.
        while buckets.len() > needed && buckets.last().is_some_and(PairBucket::is_empty) {
            buckets.pop();
        }
        let count = buckets.len().max(needed);
        buckets.resize_with(count, PairBucket::default);
        let parts = parallel::threads_for(index.count()) * PARTS_PER_THREAD;
        test_buffers.resize_with(parts, TestBuffers::default);
        let size = count.div_ceil(parts).max(1);
        let work = buckets.chunks_mut(size).zip(test_buffers).enumerate();
        parallel::for_each(index.count(), work, |(part, (buckets, buffers))| {
            for (number, region) in (part as u32 * size as u32..).zip(buckets) {
                let start = tasks.partition_point(|task| task.region < number);
                let end = tasks.partition_point(|task| task.region <= number);
                region.update(&tasks[start..end], buffers, index, rules);
            }
        });
    }

    /// Collects the changes of all buckets, sorted by entities, but for the pairs that only went from one to another.
    fn merge_buckets(&mut self, buckets: &[PairBucket]) {
        let Self { starts, ends, .. } = self;
        memory::clear(starts);
        memory::clear(ends);
        for region in buckets {
            starts.extend_from_slice(&region.starts);
            ends.extend_from_slice(&region.ends);
        }
        starts.sort_unstable_by_key(|start| start.entities);
        ends.sort_unstable_by_key(|end| end.entities);
        let mut upcoming = ends.iter_mut().peekable();
        starts.retain(|start| {
            while upcoming
                .next_if(|end| end.entities < start.entities)
                .is_some()
            {}
            match upcoming.next_if(|end| end.entities == start.entities) {
                Some(end) => {
                    end.has_migrated = start.is_touching;
                    false
                }
                None => true,
            }
        });
        ends.retain(|end| !end.has_migrated);
    }

    /// Adds the ends of earlier pairs, the starts by time, and the ends of those pairs that only passed.
    fn emit(
        &mut self,
        changes: &mut Vec<CollisionEvent>,
        reason: impl Fn(&End) -> CollisionEndReason,
    ) {
        let ended = |(a, b), reason| CollisionEvent::Ended { a, b, reason };
        changes.extend((self.ends.iter()).map(|end| ended(end.entities, reason(end))));
        self.starts.sort_unstable_by(|p, q| {
            (p.meeting.time.total_cmp(&q.meeting.time)).then(p.entities.cmp(&q.entities))
        });
        changes.extend(self.starts.iter().map(|start| CollisionEvent::Started {
            a: start.entities.0,
            b: start.entities.1,
            contact: start.meeting.contact,
            fraction: start.meeting.time,
        }));
        let first_passed = changes.len();
        let passed = self.starts.iter().filter(|start| !start.is_touching);
        changes.extend(passed.map(|start| ended(start.entities, CollisionEndReason::Separated)));
        changes[first_passed..].sort_unstable_by_key(CollisionEvent::entities);
    }
}
