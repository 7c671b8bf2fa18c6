//! Doing pieces of work on several threads at once.

use std::sync::{Mutex, PoisonError};

use bevy::tasks::ComputeTaskPool;

/// Does all pieces of work, each on the first thread that is free. The calling thread works, too, if it is one that runs tasks
/// (the main thread is). Without threads, or for less than two pieces, nothing is allocated.
pub(crate) fn for_each<T: Send>(pieces: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let is_worth_it = pieces.size_hint().1 != Some(0) && pieces.size_hint().1 != Some(1);
    let pool = ComputeTaskPool::try_get().filter(|_| cfg!(feature = "parallel") && is_worth_it);
    let Some(pool) = pool else {
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
