//! What diagnostics say took the time of an update.

/// What was counted in this update, for diagnostics.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WorkCounts {
    /// The pairs of shapes that were tested for overlap.
    pub shape_tests: u64,
    /// The boxes that were in the broad phase when it was sorted.
    pub sorted_boxes: u64,
}
