//! Finding the pairs of boxes that overlap, by joining the tree with itself.

use super::{super::PairTask, BoxTree, LANES, Level, node::lanes};

/// Tasks are about pairs of nodes that are so many levels above the leaves: some 500 boxes each.
const TASK_LEVEL: usize = 2;

impl BoxTree {
    /// Lists the pairs of nodes on the level of the tasks, sorted by the first one.
    pub(super) fn split_pairs(&self, tasks: &mut Vec<PairTask>) {
        let root = self.levels.len() - 1;
        let whole = PairTask {
            groups: [0, 0],
            bounds: self.levels[root].nodes[0].bounds(),
        };
        let first = tasks.len();
        self.split_below(root, &whole, tasks);
        tasks[first..].sort_unstable_by_key(|task| task.groups);
    }

    /// The level of the nodes that tasks are about.
    pub(super) fn task_level(&self) -> usize {
        TASK_LEVEL.min(self.levels.len() - 1)
    }

    fn split_below(&self, level: usize, task: &PairTask, tasks: &mut Vec<PairTask>) {
        if level == self.task_level() {
            tasks.push(*task);
        } else {
            self.visit_child_pairs(level, task, |children| {
                self.split_below(level - 1, &self.task(level - 1, children), tasks);
            });
        }
    }

    /// Visits the pairs of places below two nodes.
    pub(super) fn join(&self, level: usize, task: &PairTask, visit: &mut impl FnMut(u32, u32)) {
        if level > 0 {
            self.visit_child_pairs(level, task, |children| {
                self.join(level - 1, &self.task(level - 1, children), visit);
            });
        } else {
            self.visit_child_pairs(0, task, |[a, b]| visit(a as u32, b as u32));
        }
    }

    fn task(&self, level: usize, [a, b]: [usize; 2]) -> PairTask {
        PairTask {
            groups: [a as u32, b as u32],
            bounds: self.levels[level + 1].nodes[b / LANES].get(b % LANES),
        }
    }

    /// Visits the pairs of children of two nodes, or of one, that overlap and of which one is active.
    #[inline]
    fn visit_child_pairs(&self, level: usize, task: &PairTask, mut visit: impl FnMut([usize; 2])) {
        let Level { nodes, marks } = &self.levels[level];
        let [a, b] = task.groups.map(|node| node as usize);
        let (a_boxes, b_boxes) = (&nodes[a], &nodes[b]);
        let (a_active, b_active) = (u32::from(marks[a].active), u32::from(marks[b].active));
        for lane in lanes(a_boxes.overlapping(&task.bounds)) {
            let mut others = b_boxes.overlapping(&a_boxes.get(lane));
            if a_active >> lane & 1 == 0 {
                others &= b_active;
            }
            if a == b {
                // Each pair once. Above the leaves a node is paired with itself, too.
                let own = u32::from(level == 0);
                others &= u32::MAX << (lane as u32 + own);
            }
            for other_lane in lanes(others) {
                visit([a * LANES + lane, b * LANES + other_lane]);
            }
        }
    }
}
