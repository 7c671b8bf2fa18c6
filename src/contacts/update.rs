//! Comparing the pairs of this run with those of the last one.

use bevy::{ecs::system::NonSendMarker, prelude::*};

use super::{
    Contacts,
    end_reason::EndReasons,
    region::{End, Region, Start, Workspace},
    rules::PairRules,
};
use crate::{
    broad_phase::PairTask,
    events::{CollisionEndReason, CollisionEvent, PendingEvents},
    index::{ColliderIndex, Parents},
    memory, parallel,
    settings::CollisionSettings,
};

/// More parts than threads, for some are done sooner than others.
const PARTS_PER_THREAD: usize = 4;

/// Lists that are filled anew in each run.
#[derive(Default)]
pub(super) struct Buffers {
    tasks: Vec<PairTask>,
    /// For each part of the work.
    workspaces: Vec<Workspace>,
    starts: Vec<Start>,
    ends: Vec<End>,
}

/// Finds the pairs that overlap now, and what that changes.
///
/// It runs on the main thread, which otherwise waits while systems run: so one thread more does the work, the only second one on
/// two cores.
pub(crate) fn update_contacts(
    mut contacts: ResMut<Contacts>,
    mut index: ResMut<ColliderIndex>,
    mut unreported: ResMut<PendingEvents>,
    settings: Res<CollisionSettings>,
    parents: Parents,
    reasons: EndReasons,
    _on_main_thread: NonSendMarker,
) {
    let rules = PairRules {
        settings: &settings,
        parents: &parents,
    };
    let contacts = contacts.bypass_change_detection();
    contacts.settings = *settings;
    if index.has_changes() {
        contacts.forget_orders();
        let Contacts {
            regions, buffers, ..
        } = contacts;
        buffers.update_regions(regions, &index, &rules);
        buffers.gather(regions);
        let earlier = unreported.collisions.len();
        buffers.report(&mut unreported.collisions, |end| {
            let (a, b) = end.entities;
            let sides = [(a, end.slots[0]), (b, end.slots[1])];
            reasons.why(&index, sides, |a, b| rules.allow(a, b))
        });
        unreported.drop_missed(earlier);
    }
    index.end_detection();
}

impl Buffers {
    /// Updates the regions, in parallel.
    fn update_regions(
        &mut self,
        regions: &mut Vec<Region>,
        index: &ColliderIndex,
        rules: &PairRules,
    ) {
        let Self {
            tasks, workspaces, ..
        } = self;
        tasks.clear();
        if workspaces.is_empty() {
            workspaces.push(Workspace::default());
        }
        index.split_changed_pairs(&mut workspaces[0].search, tasks);
        let needed = tasks.last().map_or(0, |task| task.region as usize + 1);
        // Those beyond may still hold pairs.
        while regions.len() > needed && regions.last().is_some_and(Region::is_empty) {
            regions.pop();
        }
        let count = regions.len().max(needed);
        regions.resize_with(count, Region::default);
        let parts = parallel::threads_for(index.count()) * PARTS_PER_THREAD;
        workspaces.resize_with(parts, Workspace::default);
        let size = count.div_ceil(parts).max(1);
        let work = regions.chunks_mut(size).zip(workspaces).enumerate();
        parallel::for_each(index.count(), work, |(part, (regions, workspace))| {
            for (number, region) in (part as u32 * size as u32..).zip(regions) {
                let start = tasks.partition_point(|task| task.region < number);
                let end = tasks.partition_point(|task| task.region <= number);
                region.update(&tasks[start..end], workspace, index, rules);
            }
        });
    }

    /// Collects the changes of all regions, sorted by entities, but for the pairs that only went from one to another.
    fn gather(&mut self, regions: &[Region]) {
        let Self { starts, ends, .. } = self;
        memory::clear(starts);
        memory::clear(ends);
        for region in regions {
            starts.extend_from_slice(&region.starts);
            ends.extend_from_slice(&region.ends);
        }
        starts.sort_unstable_by_key(|start| start.entities);
        ends.sort_unstable_by_key(|end| end.entities);
        let mut upcoming = ends.iter_mut().peekable();
        starts.retain(|start| {
            while upcoming
                .next_if(|end| end.entities < start.entities)
                .is_some()
            {}
            match upcoming.next_if(|end| end.entities == start.entities) {
                Some(end) => {
                    end.goes_on = start.lasts;
                    false
                }
                None => true,
            }
        });
        ends.retain(|end| !end.goes_on);
    }

    /// Adds the ends of earlier pairs, the starts by time, and the ends of those pairs that only passed.
    fn report(
        &mut self,
        changes: &mut Vec<CollisionEvent>,
        reason: impl Fn(&End) -> CollisionEndReason,
    ) {
        let ended = |(a, b), reason| CollisionEvent::Ended { a, b, reason };
        changes.extend((self.ends.iter()).map(|end| ended(end.entities, reason(end))));
        self.starts.sort_unstable_by(|p, q| {
            (p.meeting.time.total_cmp(&q.meeting.time)).then(p.entities.cmp(&q.entities))
        });
        changes.extend(self.starts.iter().map(|start| CollisionEvent::Started {
            a: start.entities.0,
            b: start.entities.1,
            contact: start.meeting.contact,
            fraction: start.meeting.time,
        }));
        let first_passed = changes.len();
        let passed = self.starts.iter().filter(|start| !start.lasts);
        changes.extend(passed.map(|start| ended(start.entities, CollisionEndReason::Separated)));
        changes[first_passed..].sort_unstable_by_key(CollisionEvent::entities);
    }
}
