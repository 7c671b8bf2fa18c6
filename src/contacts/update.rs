//! Updates the pairs, and reports which of them started and ended.

use bevy::prelude::*;

use super::{
    end_reason::EndReasons,
    pair_bucket::{PairBucket, TestBuffers},
    pair_changes::PairChanges,
    resource::Contacts,
    rules::PairRules,
};
use crate::{
    broad_phase::PairTask,
    events::PendingEvents,
    index::{ColliderIndex, Parents},
    parallel,
    schedule::OnMainThread,
    settings::CollisionSettings,
};

/// More chunks than threads, since some take less time than others.
const CHUNKS_PER_THREAD: usize = 4;

/// Memory that is used again in each update.
#[derive(Default)]
pub(crate) struct UpdateBuffers {
    tasks: Vec<PairTask>,
    /// One for each chunk of the buckets.
    tests: Vec<TestBuffers>,
    changes: PairChanges,
}

/// Finds the pairs that overlap now, and records the starts and ends as pending events.
pub(crate) fn update_contacts(
    mut contacts: ResMut<Contacts>,
    mut index: ResMut<ColliderIndex>,
    mut pending: ResMut<PendingEvents>,
    settings: Res<CollisionSettings>,
    parents: Parents,
    reasons: EndReasons,
    mut buffers: Local<UpdateBuffers>,
    _: OnMainThread,
) {
    let rules = PairRules {
        settings: &settings,
        parents: &parents,
    };
    let contacts = contacts.bypass_change_detection();
    contacts.settings = *settings;
    if index.has_changes() {
        contacts.invalidate_views();
        update_buckets(&mut contacts.buckets, &index, &rules, &mut buffers);
        buffers.changes.merge_buckets(&contacts.buckets);
        let earlier = pending.collisions.len();
        buffers.changes.emit(&mut pending.collisions, |end| {
            let (a, b) = end.entities;
            let colliders = [(a, end.slots[0]), (b, end.slots[1])];
            reasons.reason(&index, colliders, |a, b| rules.should_collide(a, b))
        });
        pending.drop_missed(earlier);
    }
    index.end_detection();
}

/// Updates the buckets, in parallel.
fn update_buckets(
    buckets: &mut Vec<PairBucket>,
    index: &ColliderIndex,
    rules: &PairRules,
    UpdateBuffers { tasks, tests, .. }: &mut UpdateBuffers,
) {
    tasks.clear();
    if tests.is_empty() {
        tests.push(TestBuffers::default());
    }
    index.split_changed_pairs(&mut tests[0].search, tasks);
    let needed = tasks.last().map_or(0, |task| task.region as usize + 1);
    // Buckets beyond `needed` may still hold pairs.
    while buckets.len() > needed && buckets.last().is_some_and(PairBucket::is_empty) {
        buckets.pop();
    }
    let count = buckets.len().max(needed);
    buckets.resize_with(count, PairBucket::default);
    // A few colliders with many pieces may take longer than thousands of circles.
    let work = index
        .count()
        .max(buckets.iter().map(|bucket| bucket.work).sum());
    let chunks = parallel::threads_for(work) * CHUNKS_PER_THREAD;
    tests.resize_with(chunks, TestBuffers::default);
    let size = count.div_ceil(chunks).max(1);
    let pieces = buckets.chunks_mut(size).zip(tests).enumerate();
    parallel::for_each(work, pieces, |(chunk, (buckets, buffers))| {
        for (number, bucket) in (chunk as u32 * size as u32..).zip(buckets) {
            let start = tasks.partition_point(|task| task.region < number);
            let end = tasks.partition_point(|task| task.region <= number);
            bucket.update(&tasks[start..end], buffers, index, rules);
        }
    });
}
