//! Doing pieces of work on several threads at once.

use std::sync::{Mutex, PoisonError};

use bevy::tasks::ComputeTaskPool;

/// It takes so many items to be worth waking the other threads.
const MIN_ITEMS: usize = 4096;

/// How many threads to split work for that is about so many items; one, where that does not pay.
pub(crate) fn threads_for(items: usize) -> usize {
    pool_for(items).map_or(1, |pool| pool.thread_num() + 1)
}

/// Does all pieces of work, which are about so many items together, each on the first thread that is free. The calling thread
/// works, too, if it is one that runs tasks (the main thread is). On one thread nothing is allocated.
pub(crate) fn for_each<T: Send>(
    items: usize,
    pieces: impl Iterator<Item = T>,
    work: impl Fn(T) + Sync,
) {
    let Some(pool) = pool_for(items) else {
        return pieces.for_each(work);
    };
    let pieces = Mutex::new(pieces.collect::<Vec<_>>().into_iter());
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    pool.scope(|scope| {
        for _ in 0..=pool.thread_num() {
            scope.spawn(async {
                while let Some(piece) = next() {
                    work(piece);
                }
            });
        }
    });
}

fn pool_for(items: usize) -> Option<&'static ComputeTaskPool> {
    ComputeTaskPool::try_get().filter(|_| cfg!(feature = "parallel") && items >= MIN_ITEMS)
}
