//! Memory of lists that are filled again in each update.

/// Clears a list for the next update. Keeps its memory, unless the capacity is more than four times
/// the length: memory that only one update needs, such as when a level appears, is freed.
pub(crate) fn clear<T>(list: &mut Vec<T>) {
    let needed = list.len().max(16);
    list.clear();
    if list.capacity() > 4 * needed {
        list.shrink_to(2 * needed);
    }
}
