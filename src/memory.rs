//! Memory of lists that are filled again in each update.

/// Clears a list for the next update. Keeps its memory, unless the capacity is more than four times
/// the length: so memory that only one update needed, such as at the start of a level, is freed.
pub(crate) fn clear<T>(list: &mut Vec<T>) {
    let needed = list.len();
    list.clear();
    shrink(list, needed);
}

/// Frees most of the memory of a list if less than a quarter of it is needed.
pub(crate) fn shrink<T>(list: &mut Vec<T>, needed: usize) {
    let needed = needed.max(16);
    if list.capacity() > 4 * needed {
        list.shrink_to(2 * needed);
    }
}
