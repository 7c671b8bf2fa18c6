//! Lists that are filled anew in each run.

/// Empties a list for the next run. It keeps its memory, unless it has many times as much as it needed this time: what a single run
/// needs, when a whole level appears for instance, is given back.
pub(crate) fn clear<T>(list: &mut Vec<T>) {
    let needed = list.len().max(16);
    list.clear();
    if list.capacity() > 4 * needed {
        list.shrink_to(2 * needed);
    }
}
