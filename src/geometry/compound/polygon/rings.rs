//! The rings of a polygon: closed chains of vertices in one list.

use std::ops::Range;

/// Where each ring of a list of vertices begins and ends.
#[derive(Clone, Copy)]
pub(super) struct Rings<'a> {
    /// The first vertex of each ring but the first one.
    pub later_starts: &'a [usize],
    /// The number of vertices.
    pub count: usize,
}

impl<'a> Rings<'a> {
    /// The vertices of each ring.
    pub fn ranges(self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let ends = self.later_starts.iter().copied().chain([self.count]);
        let starts = [0].into_iter().chain(self.later_starts.iter().copied());
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// The vertex before this one in its ring.
    pub fn before(&self, vertex: usize) -> usize {
        let Range { start, end } = self.around(vertex);
        if vertex > start { vertex - 1 } else { end - 1 }
    }

    /// The vertex after this one in its ring.
    pub fn after(&self, vertex: usize) -> usize {
        let Range { start, end } = self.around(vertex);
        if vertex + 1 < end { vertex + 1 } else { start }
    }

    /// The ring of a vertex.
    fn around(&self, vertex: usize) -> Range<usize> {
        let ring = self.later_starts.partition_point(|start| *start <= vertex);
        let start = ring.checked_sub(1).map_or(0, |i| self.later_starts[i]);
        start..self.later_starts.get(ring).copied().unwrap_or(self.count)
    }
}
