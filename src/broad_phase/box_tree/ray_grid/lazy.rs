use std::sync::{
    Mutex, OnceLock, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use super::RayGrid;

/// To fill a grid with so many boxes takes about as long as one ray through the tree.
const BOXES_PER_RAY: usize = 8;
/// Among fewer boxes the tree has but two or three levels.
const FEW_BOXES: usize = 256;

/// A grid that is filled when enough rays were asked for.
///
/// The first rays since something changed go through the tree. Once they have taken as long as it takes to fill a grid, one is filled: so it
/// takes never more than about twice as long as what would have been best, however many rays are still to come. (The problem is
/// known as renting or buying skis: Karlin, Manasse, Rudolph and Sleator, "Competitive Snoopy Caching", 1988.)
#[derive(Default)]
pub(in super::super) struct LazyRayGrid {
    /// None in it, if it would be of no use.
    grid: OnceLock<Option<RayGrid>>,
    /// How many rays came before.
    asked: AtomicUsize,
    /// The one from before the last change, to be filled anew.
    spare: Mutex<RayGrid>,
}

impl LazyRayGrid {
    /// The grid, if there is one by now. If it is time for one, it is filled with so many boxes; `fill` tells whether it is of use.
    #[inline]
    pub fn get(&self, boxes: usize, fill: impl FnOnce(&mut RayGrid) -> bool) -> Option<&RayGrid> {
        match self.grid.get() {
            Some(grid) => grid.as_ref(),
            None => self.get_in_time(boxes, fill),
        }
    }

    #[inline(never)]
    fn get_in_time(
        &self,
        boxes: usize,
        fill: impl FnOnce(&mut RayGrid) -> bool,
    ) -> Option<&RayGrid> {
        // Of all threads one comes to this number. The others go on through the tree until it is done.
        let is_time = boxes >= FEW_BOXES
            && self.asked.fetch_add(1, Ordering::Relaxed) == boxes / BOXES_PER_RAY;
        if !is_time {
            return None;
        }
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let grid = fill(&mut spare).then(|| std::mem::take(&mut *spare));
        self.grid.get_or_init(|| grid).as_ref()
    }

    /// The boxes are other ones now.
    pub fn forget(&mut self) {
        *self.asked.get_mut() = 0;
        if let Some(Some(grid)) = self.grid.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = grid;
        }
    }
}
