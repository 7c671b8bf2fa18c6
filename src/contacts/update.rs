//! Updates the pairs, and reports which of them started and ended.

use bevy::{ecs::world::WorldId, prelude::*};

use super::{
    collider_lookup::ColliderLookup,
    end_reason::end_reason,
    pair_bucket::{BucketChanges, End, PairBucket, TestBuffers},
    pair_changes::PairChanges,
};
use crate::{
    broad_phase::PairTask,
    events::PendingEvents,
    index::{ColliderIndex, PairRules, Parents},
    parallel,
    schedule::OnMainThread,
    state::{CollisionState, PairStore},
};

/// More chunks than threads, since some take less time than others.
const CHUNKS_PER_THREAD: usize = 4;

/// Memory that is used again in each update.
#[derive(Default)]
pub(crate) struct UpdateBuffers {
    tasks: Vec<PairTask>,
    /// One for each store of pairs.
    buckets: Vec<BucketChanges>,
    /// One for each chunk of the buckets.
    tests: Vec<TestBuffers>,
    changes: PairChanges,
}

/// Finds the pairs that overlap now, and the events of those that start and end.
pub(crate) fn update_contacts(
    mut state: ResMut<CollisionState>,
    mut pending: ResMut<PendingEvents>,
    mut index: ResMut<ColliderIndex>,
    parents: Parents,
    lookup: ColliderLookup,
    mut buffers: Local<UpdateBuffers>,
    world: WorldId,
    _: OnMainThread,
) {
    let rules = PairRules {
        settings: index.settings(),
        parents: &parents,
    };
    pending.are_lists_outdated = !index.has_left(&state);
    if index.has_changes() {
        update_pairs(&mut state.pairs.stores, &index, &rules, &mut buffers);
        for bucket in &buffers.buckets {
            index.work.shape_tests += bucket.shape_tests;
        }
        let UpdateBuffers {
            buckets, changes, ..
        } = &mut *buffers;
        pending.are_lists_outdated |= changes.merge_buckets(buckets);
        let reason = |end: &End| end_reason(end, &index, &lookup, &rules);
        changes.emit(&mut pending.collisions, reason);
    }
    index.end_detection(&mut state, world);
}

/// Tests the pairs of all regions, in parallel, and removes those that separated.
fn update_pairs(
    stores: &mut Vec<PairStore>,
    index: &ColliderIndex,
    rules: &PairRules,
    UpdateBuffers {
        tasks,
        buckets,
        tests,
        ..
    }: &mut UpdateBuffers,
) {
    tasks.clear();
    if tests.is_empty() {
        tests.push(TestBuffers::default());
    }
    index.split_changed_pairs(&mut tests[0].search, tasks);
    let needed = tasks.last().map_or(0, |task| task.region as usize + 1);
    // Stores beyond `needed` may still hold pairs.
    while stores.len() > needed && stores.last().is_some_and(PairStore::is_empty) {
        stores.pop();
    }
    let count = stores.len().max(needed);
    stores.resize_with(count, PairStore::default);
    buckets.resize_with(count, BucketChanges::default);
    // A few colliders with many pieces may take longer than thousands of circles.
    let work = index
        .count()
        .max(buckets.iter().map(|bucket| bucket.work).sum());
    let chunks = parallel::threads_for(work) * CHUNKS_PER_THREAD;
    tests.resize_with(chunks, TestBuffers::default);
    let size = count.div_ceil(chunks).max(1);
    let regions = stores.chunks_mut(size).zip(buckets.chunks_mut(size));
    let pieces = regions.zip(tests).enumerate();
    parallel::for_each(work, pieces, |(chunk, ((stores, buckets), buffers))| {
        let numbers = chunk as u32 * size as u32..;
        for (number, (store, changes)) in numbers.zip(stores.iter_mut().zip(buckets)) {
            let start = tasks.partition_point(|task| task.region < number);
            let end = tasks.partition_point(|task| task.region <= number);
            let bucket = PairBucket { store, changes };
            bucket.update(&tasks[start..end], buffers, index, rules);
        }
    });
}
