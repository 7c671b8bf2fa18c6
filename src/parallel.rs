//! Work on several threads.

use std::sync::{Mutex, PoisonError};

use bevy::tasks::ComputeTaskPool;

/// With fewer items than this, waking other threads costs more than it gains.
const MIN_ITEMS: usize = 4096;

/// Returns the number of threads for work on `items` items: one if more do not pay off.
pub(crate) fn threads_for(items: usize) -> usize {
    pool_for(items).map_or(1, |pool| pool.thread_num() + 1)
}

/// Runs each piece of work on the first free thread, including the calling one if it runs tasks, as
/// the main thread does. `items` is their total number. Allocates nothing on one thread.
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
    on_each_thread(pool, &|| {
        while let Some(piece) = next() {
            work(piece);
        }
    });
}

/// Not generic, so that a scope of Bevy's tasks is compiled once.
fn on_each_thread(pool: &ComputeTaskPool, work: &(dyn Fn() + Sync)) {
    pool.scope(|scope| {
        for _ in 0..=pool.thread_num() {
            scope.spawn(async { work() });
        }
    });
}

fn pool_for(items: usize) -> Option<&'static ComputeTaskPool> {
    ComputeTaskPool::try_get().filter(|_| cfg!(feature = "parallel") && items >= MIN_ITEMS)
}
